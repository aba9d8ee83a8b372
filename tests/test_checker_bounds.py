"""The checker has bounds: no spec, however large or odd, keeps it busy for long, fills the memory or breaks it.

What it says of such a spec is held by test_bad_specs; here it is the time that counts, and where the bounds lie.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

import pytest

from hoyle import render
from hoyle.check.chains import MOST_LEVELS, MOST_PHASES, Asked, asked_first, shown
from hoyle.diagnostics import MOST, Report
from hoyle.interpret import Game
from hoyle.program import Program
from hoyle.session import check_text
from hoyle.source import Source, Span

MOST_SECONDS = 5

HEAD = """hoyle 1

game "Tiny" for 2 players

components
  enum Suit = red, black
  card Plain(suit: Suit, rank: 1..3)
  deck in stock
    1 Plain(s, r) for s in Suit, r in 1..3

zones
  stock: pile, hidden
  hand: pool, seen by owner, each player

state
  turn = 0
  who: player
  score = 0 for each player

"""
TAIL = """
result
  rank p by highest p.score
"""


@pytest.fixture(autouse=True)
def soon() -> Iterator[None]:
    """Hold that a test is over soon."""
    start = time.perf_counter()
    yield
    assert time.perf_counter() - start < MOST_SECONDS


def checked(text: str) -> tuple[Program | None, Report]:
    """Return what the checker makes of a text."""
    report = Report()
    program = check_text(Source("spec.hoyle", text), report).program
    assert (program is None) == bool(report.errors)
    return program, report


def codes(text: str) -> set[str]:
    """Return the codes that are told of a text, warnings left out."""
    return {d.code for d in checked(text)[1].errors}


def spec(*lines: str, blocks: str = "", state: str = "turn = 0", deck: str = "") -> str:
    """Return a spec with these lines in `play`, further blocks, another variable and a line more in the deck."""
    head = HEAD.replace("turn = 0", state).replace("r in 1..3\n\n", f"r in 1..3\n{deck}\n")
    body = "".join(f"  {x}\n" for x in ("deal 1 from stock to each hand", *lines))
    return f"{head}play\n{body}{TAIL}\n{blocks}"


def chain(length: int, body: str, last: str) -> str:
    """Return definitions each of which asks the next, named `@` in `body`."""
    links = [f"define f{n} = {body.replace('@', f'f{n + 1}')}\n" for n in range(length)]
    return "\n".join([*links, f"define f{length} = {last}\n"])


def phases(length: int, last: str) -> str:
    """Return phases each of which runs the next."""
    return "".join(f"phase f{n}\n  do f{n + 1}\n\n" for n in range(length)) + f"phase f{length}\n  {last}\n"


def plays(program: Program | None) -> None:
    """Play a game to its end."""
    assert program is not None
    table = Game(program).start(players=2, seed=1)
    while table.turn is not None:
        table.step(table.legal()[0])
    assert table.outcome == "finished"


# ---- many faults ----------------------------------------------------------------------------------


def test_no_more_than_so_many_errors_are_told_and_the_last_says_so() -> None:
    _, report = checked(spec(*[f"turn = nobody{n}" for n in range(5_000)]))
    assert Counter(d.code for d in report.diagnostics) == {"E201": MOST, "E120": 1}
    assert report.diagnostics[-1].code == "E120"
    assert report.full
    assert render.summary(report) == f"{MOST + 1} errors"


def test_a_report_takes_faults_without_end() -> None:
    report = Report()
    for line in range(100_000):
        report.add("E201", Span("x", line, 1, line, 2), "no name is called `x`", mend="declare it")
        report.add("W201", Span("x", line, 1, line, 2), "nothing uses `x`", mend="use it")
    report.sort()
    assert len(report.errors) == MOST + 1
    assert len(report.warnings) <= MOST
    assert report.errors[-1].code == "E120"
    assert report.diagnostics[-1] is report.errors[-1]
    assert report.noted == 100_000


def test_many_warnings_are_no_error() -> None:
    report = Report()
    for line in range(MOST + 100):
        report.add("W201", Span("x", line, 1, line, 2), "nothing uses `x`", mend="use it")
    assert len(report.warnings) == MOST
    assert not report.errors and not report.full
    assert render.summary(report) == f"{MOST} warnings; there may be more warnings"


def test_the_same_fault_is_told_once() -> None:
    report = Report()
    for _ in range(1_000):
        report.add("E201", Span("x", 1, 1, 1, 2), "no name is called `x`")
    assert len(report.diagnostics) == 1
    assert report.noted == 1_000


def test_a_name_declared_again_and_again() -> None:
    _, report = checked(spec(state="turn = 0\n" + "  zz = 0\n" * 5_000))
    assert Counter(d.code for d in report.errors) == {"E202": MOST, "E120": 1}


# ---- lines ----------------------------------------------------------------------------------------


def test_a_line_of_a_long_text_is_found_at_once() -> None:
    source = Source("x", "\ufeff" + "".join(f"line {n}\r\n" for n in range(1, 100_001)))
    assert all(source.line(n) == f"line {n}" for n in range(1, 100_001))
    assert source.line(0) == source.line(100_002) == ""


def test_lines_are_counted_as_the_parser_counts_them() -> None:
    source = Source("x", "a\rb\r\nc\n\nd\x0be")
    assert [source.line(n) for n in range(1, 7)] == ["a", "b", "c", "", "d\x0be", ""]


def test_many_steps_and_many_scenarios() -> None:
    one = 'scenario "x" for ann, bob\n' + "  then turn is 0\n" * 3_000
    many = "".join(f'\nscenario "x{n}" for ann, bob\n  then turn is 0\n' for n in range(1_500))
    program, _ = checked(spec(blocks=one + many))
    assert program is not None
    assert len(program.scenarios) == 1_501
    assert len(program.scenarios[0].steps) == 3_000


# ---- ranges ---------------------------------------------------------------------------------------

SEARCHES = "(count a in 1..999, b in 1..999, c in 1..999)"


@pytest.mark.parametrize(
    "line",
    [
        "2 Plain(red, 1) for n in 1..999999999999999999",
        "2 Plain(red, 1) for n in 1..1000, m in 1..1000, k in 1..1000 where n > 1000",
        f"1 Plain(red, r) for r in 1..3 where {SEARCHES} > 3",
        "1 Plain(red, r) for r in 1..3 where every a in 1..999999999999 where a > 0",
        "1000000000000000 Plain(red, 1)",
        "for n in 1..99999999\n      0 Plain(red, 1)",
    ],
)
def test_a_deck_that_searches_too_much(line: str) -> None:
    assert codes(spec(deck=f"    {line}\n")) == {"E412"}


@pytest.mark.parametrize(
    "line",
    [
        "1 Plain(red, 1) for n in {1..999999999999}",
        "1 Plain(red, n) for n in 1..3 where 99999999999 in {1..n}",
        "1 Plain(red, n) for n in 1..3 where n in {n * 999999999999999999}",
        f"1 Plain(red, {' * '.join(['999999999999999999'] * 60)})",
        "1 Plain(red, 4) for n in 1..100000",
        "1 Plain(red, n / (n - n)) for n in 1..3",
    ],
)
def test_a_deck_of_impossible_numbers(line: str) -> None:
    assert codes(spec(deck=f"    {line}\n")) <= {"E305", "E404", "E412"}


@pytest.mark.parametrize(
    "value",
    [
        "count a in 1..999999999999999999",
        SEARCHES,
        "1 if any a in 1..999999999999 where a < 0 else 0",
        f"{' * '.join(['999999999999999999'] * 60)}",
        "1 / 0",
        "1 mod (1 - 1)",
    ],
)
def test_a_first_value_that_can_not_be_worked_out(value: str) -> None:
    assert codes(spec(state=f"turn: number = {value}")) == {"E410"}


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ("turn: 0..3 = 9", "E404"),
        ("turn: 0..3 = -1", "E404"),
        ("turn: 0..3 = 3", ""),
        ("turn: 0..3 or none = none", ""),
        ("turn: 0..3 or none = 4", "E404"),
        ("turn: 0..5 = limit", ""),
        ("turn: 0..4 = limit", "E404"),  # where limit is 5
        ("turn: 1..9 = limit + 1", ""),
        ("turn: 2..9 = limit", "E404"),  # where limit is 1
        ("turn: 0..9 = size of stock", "E410"),
        ("turn: 0..9 = size of stock if limit is 5 else 0", "E410"),
        ("turn = size of stock", "E410"),
        ("turn = limit + 1", "E409"),
        ("turn: Level = 3", ""),
        ("turn: Level = limit", "E404"),  # where limit is 5
    ],
)
def test_a_first_value_is_held_to_the_range(declared: str, code: str) -> None:
    text = spec(state=declared).replace("  enum Suit", "  enum Level = 1..3\n  enum Suit")
    text = text.replace("\ncomponents", "\nparameters\n  limit = 2 in 1..5\n\ncomponents")
    assert codes(text) == ({code} if code else set())


# ---- chains ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "body", "last"),
    [
        (300, "@", "1"),
        (3_000, "@", "1"),
        (200, "(@ + 1) * 2", "1"),
        (6, " * ".join(["@"] * 100), "1"),
        (50, "1 if @ > 3 else 2", "1"),
    ],
)
def test_a_chain_of_definitions_that_is_too_deep(length: int, body: str, last: str) -> None:
    _, report = checked(spec(blocks=chain(length, body, last)))
    assert {d.code for d in report.errors} == {"E108"}
    assert len(report.errors) <= max(6, length / 30)


@pytest.mark.parametrize("length", [1, 2, 300, 3_000])
def test_definitions_in_a_ring(length: int) -> None:
    _, report = checked(spec(blocks=chain(length, "@ + 1", "f0")))
    assert {d.code for d in report.errors} <= {"E209", "E108"}
    (ring,) = (d for d in report.errors if d.code == "E209")
    assert len(ring.message) < 200


def test_definitions_that_ask_each_other_deep_inside() -> None:
    assert codes(spec(blocks=chain(6, " * ".join(["@"] * 100), "f0"))) == {"E209"}


def test_a_definition_with_a_name_that_is_that_of_a_binder_too() -> None:
    program, report = checked(
        spec(
            "turn = f",
            blocks="define f = g + (count g in 1..3)\n\ndefine g = h\n\ndefine h = 2\n",
        )
    )
    assert not report.errors
    plays(program)


def test_definitions_as_deep_as_they_may_be_can_be_played() -> None:
    deepest = chain(MOST_LEVELS - 1, "@", "turn")
    nested = chain(MOST_LEVELS // 4 - 1, "1 if (@ + 1) > 3 else 0", "turn")
    for blocks in (deepest, nested, chain((MOST_LEVELS - 1) // 2, "@ + 1", "turn")):
        program, report = checked(spec("turn = f0", "if f0 > 0 and turn is 0", "  who wins", blocks=blocks))
        assert not report.errors
        plays(program)
    assert codes(spec(blocks=chain(MOST_LEVELS, "@", "turn"))) == {"E108"}


def test_a_definition_of_thousands_of_cases() -> None:
    cases = "".join(f"  when n is {n}: {n}\n" for n in range(1_000))
    assert codes(spec(blocks=f"define f(n: number)\n{cases}  otherwise: 0\n")) == {"E108"}


def test_phases_as_deep_as_they_may_be_can_be_played() -> None:
    program, report = checked(spec("do f0", blocks=phases(MOST_PHASES - 2, "turn = 1")))
    assert not report.errors
    plays(program)
    assert codes(spec("do f0", blocks=phases(MOST_PHASES, "turn = 1"))) == {"E108"}


@pytest.mark.parametrize(("last", "wanted"), [("turn = 1", {"E108"}), ("do f0", {"E108", "E502"})])
def test_thousands_of_phases(last: str, wanted: set[str]) -> None:
    assert codes(spec("do f0", blocks=phases(3_000, last))) == wanted


def test_blocks_in_the_phases_count_too() -> None:
    nested = [f"{'  ' * n}if turn is {n}" for n in range(40)] + ["  " * 40 + "do f1"]
    blocks = "phase f0\n" + "".join(f"  {x}\n" for x in nested)
    blocks += "\nphase f1\n" + "".join(f"  {x}\n" for x in nested).replace("do f1", "do f2")
    assert codes(spec("do f0", blocks=blocks + "\nphase f2\n  turn = 1\n")) == {"E108"}


def test_what_is_asked_comes_first() -> None:
    at = Span("x", 1, 1, 1, 2)
    calls = {"a": ["b", "c"], "b": ["c", "nobody"], "c": [], "d": ["e"], "e": ["d"]}
    order, rings = asked_first({n: [Asked(x, at) for x in names] for n, names in calls.items()})
    assert order == ["c", "b", "a", "e", "d"]
    assert [ring for ring, _ in rings] == [["d", "e", "d"]]
    assert shown(list("abcdef")) == "a -> b -> c -> d -> e -> f"
    assert shown(list("abcdefgh")) == "a -> b -> c -> d -> ... -> g -> h"


# ---- sizes ----------------------------------------------------------------------------------------


def test_many_of_everything() -> None:
    cards = "".join(f"  card C{n}\n" for n in range(3_000))
    enums = "".join(f"  enum E{n} = red, word{n}\n" for n in range(1_000))
    zones = "".join(f"  z{n}: pile, open, refilled by shuffling stock\n" for n in range(1_000))
    text = spec("move 1 from z0 to z1").replace("  enum Suit", enums + cards + "  enum Suit")
    program, _ = checked(text.replace("zones\n", "zones\n" + zones))
    assert program is not None
    assert len(program.zones) == 1_002


def test_a_kind_of_many_kinds() -> None:
    cards = "".join(f"  card C{n}\n" for n in range(2_000))
    kinds = "".join(
        f"  kind K{k} = {', '.join(f'C{n}' for n in range(k * 200, k * 200 + 200))}\n" for k in range(10)
    )
    whole = "  kind All = " + ", ".join(f"K{k}" for k in range(10)) + "\n"
    program, _ = checked(spec().replace("  enum Suit", cards + kinds + whole + "  enum Suit"))
    assert program is not None


def test_a_phrase_of_hundreds_of_names() -> None:
    names = [f"q{n} in 1..3" for n in range(800)]
    assert codes(spec(deck=f"    1 Plain(red, 1) for {', '.join(names[:100])}\n")) == {"E309"}
    arguments = ",\n      ".join(names)
    assert "E309" in codes(spec("choose who", f"  option go({arguments})", "    turn = 1"))
