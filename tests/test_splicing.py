"""Phases and definitions written out where they are asked for, by their text."""

from __future__ import annotations

import pytest

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
