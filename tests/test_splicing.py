"""Phases and definitions written out where they are asked for, by their text."""

from __future__ import annotations

import pytest

from hoyle.compile.fusing import named_once
from hoyle.compile.splicing import Phases

OTHERS = [
    "def others(self, S: State, p: int) -> int:",
    '    """Line 3."""',
    "    return sum(S[SCORE + q] for q in range(4) if q != p)",
]
PAY = [
    "def pay(self, S: State, p: int) -> None:",
    '    """Line 7."""',
    "    for q in range(4):",
    "        S[SCORE + q] += p",
]
INSIDE = {"pay": ["for q in range(4):", "    S[SCORE + q] += p"]}


def spliced(line: str) -> list[str]:
    """Return the lines in place of one."""
    return Phases({"others": OTHERS, "pay": PAY}, INSIDE, {"q", "p", "x"}).spliced([line])


def test_a_short_definition_is_written_out() -> None:
    assert spliced("x = self.others(S, leader)") == [
        "x = (sum(S[SCORE + q] for q in range(4) if q != leader))"
    ]


@pytest.mark.parametrize("line", ["x = self.others(S, q)", "x = self.others(S, S[q])"])
def test_no_argument_takes_the_name_of_what_a_loop_inside_goes_through(line: str) -> None:
    """Written out, `q != p` would be `q != q`."""
    assert spliced(line) == [line]


def test_names_of_a_phase_that_is_written_out_are_its_own() -> None:
    assert spliced("self.pay(S, q)") == [
        "pay_p = q",
        "for pay_q in range(4):",
        "    S[SCORE + pay_q] += pay_p",
    ]
    taken = Phases({"pay": PAY}, INSIDE, {"q", "pay_q"}).spliced(["self.pay(S, 2)"])
    assert taken == ["for pay_q_ in range(4):", "    S[SCORE + pay_q_] += 2"]


MINE, YOURS = "hand = S[HAND + S[P]]", "hand = S[HAND + S[Q]]"
LOOPS = ["out = []", "for x in S[HAND + S[P]]:", "    f(x)", MINE, "for x in hand:", "    g(x)"]
ROWS = ["row = rows[S[A] * 4 + S[B]] or self.row(S, S[A] * 4 + S[B])", "key = S[A] * 4 + S[B]"]


@pytest.mark.parametrize(
    ("lines", "once"),
    [
        (
            [*LOOPS, "if a:", f"    {MINE}", "    h(hand)"],
            [
                "out = []",
                MINE,
                "for x in hand:",
                "    f(x)",
                "for x in hand:",
                "    g(x)",
                "if a:",
                "    h(hand)",
            ],
        ),
        ([*ROWS, "f(key)"], ["key = S[A] * 4 + S[B]", "row = rows[key] or self.row(S, key)", "f(key)"]),
        (["key = S[A] * 4 + S[B]", "f(key, S[A] * 4 + S[B] * 2)"], None),  # of which it is no part
        (["out = []", MINE, "f(hand)", YOURS, "f(hand)"], None),  # of two players
        (
            ["out = []", "if a:", f"    {MINE}", "    f(hand)", "f(S[HAND + S[P]])"],
            None,
        ),  # only there is it sure
        (["out = []", MINE, "f(hand)"], None),  # nothing to gain
    ],
)
def test_what_finds_moves_names_the_same_things_once(lines: list[str], once: list[str] | None) -> None:
    assert named_once(lines) == (once or lines)
