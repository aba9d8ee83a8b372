"""Specs that are wrong, from slips of designers to attacks: each is told what is wrong, where, and how to mend it.

A line at fault ends with a comment of its codes, such as `# E201`. The specs in cases/ are to be reported just so, no
more and no less; those below may be told more, but only of the codes they name. `xfail` marks what the product still
gets wrong.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hoyle import render
from hoyle.diagnostics import Report
from hoyle.session import check

CASES = Path(__file__).parent / "cases"
MARK = re.compile(r"#((?: [EW]\d{3})+)$")
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
  trash: pile, open
  hand: pool, seen by owner, each player

state
  turn = 0
  on = no
  first_player: player
  score = 0 for each player

"""
PLAY = """play
  deal 1 from stock to each hand
"""
RESULT = """
result
  rank p by highest p.score
"""


class Bad(NamedTuple):
    """A spec; if no line of it bears a mark, `code` is to be reported at `line`. `also` may be reported besides."""

    name: str
    text: str | bytes
    code: str = ""
    line: int = 1
    also: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Bad({self.name!r})"


def play(*lines: str) -> str:
    """A whole spec whose `play` ends with these lines."""
    return HEAD + PLAY + "".join(f"  {x}\n" for x in lines) + RESULT


def blocks(text: str) -> str:
    """A whole spec with these blocks at its end."""
    return HEAD + PLAY + RESULT + "\n" + text


def nested(opening: str, times: int, inside: str) -> str:
    """Blocks in blocks, each opened by the same line."""
    rows = [" " * (2 * n) + opening for n in range(times)]
    return play(*rows, " " * (2 * times) + inside)


def changed(old: str, new: str) -> str:
    """A whole spec with one part put differently."""
    assert HEAD.count(old) == 1
    return HEAD.replace(old, new) + PLAY + RESULT


LINES_BEFORE = HEAD.count("\n") + PLAY.count("\n")  # of what `play` is given

SLIPS = [
    Bad("two equals signs", play("if turn == 1  # E112", "  on = yes")),
    Bad("two equals signs to set", play("turn == 1  # E112")),
    Bad("one equals sign to compare", play("if turn = 1  # E112", "  on = yes")),
    Bad("one equals sign in a loop", play("repeat until turn = 1  # E112", "  turn += 1")),
    Bad(
        "one equals sign in a guard",
        play("choose first_player", "  option go when turn = 1  # E112"),
    ),
    Bad("one equals sign in a claim", blocks('scenario "x" for ann, bob\n  then turn = 1  # E112\n')),
    Bad("not a program: plus plus", play("turn++  # E112")),
    Bad("a colon behind if", play("if turn is 1:  # E111", "  on = yes")),
    Bad("a colon behind a heading", HEAD + PLAY.replace("play", "play:  # E111") + RESULT),
    Bad("else if in one word", play("if on", "  turn = 1", "elseif turn is 2  # E113", "  turn = 2")),
    Bad("nothing below if", play("if turn is 1  # E116", "turn = 2")),
    Bad("nothing below a phase", blocks("phase more  # E116\n\nphase other\n  turn = 1\n")),
    Bad("nothing below the last line", HEAD + RESULT + "\n" + PLAY + "  repeat 2 times  # E116\n"),
    Bad("a body in column 1", HEAD + "play\nturn = 1  # E107\n" + RESULT),
    Bad("a tab", play("turn = 1").replace("  turn = 1", "\tturn = 1  # E110")),
    Bad("a tab among spaces", play("turn = 1").replace("  turn = 1", "  \tturn = 1  # E110")),
    Bad("indented too far", play("turn = 1", "    turn = 2  # E110")),
    Bad("indented in between", play("if on", "    turn = 1", "  turn = 2  # E110")),
    Bad(
        "an option outside a choice",
        play("option go  # E119", "  turn = 1"),
    ),
    Bad("when outside a definition", play("when turn is 1: turn = 2  # E119")),
    Bad("else without if", play("else  # E119", "  turn = 2")),
    Bad("a condition where none can be", play("move 1 from stock to trash if on  # E111")),
    Bad("two statements on a line", play("turn = 1; on = yes  # E112")),
    Bad("a bracket left open", play("turn = (1 + 2  # E114", "on = yes")),
    Bad("a bracket left open at the end", HEAD + RESULT + "\n" + PLAY + "  turn = (1 + 2  # E114\n"),
    Bad("a brace left open", play("on = turn in {1, 2  # E114", "on = yes")),
    Bad("a bracket too many", play("turn = 1 + 2)  # E111")),
    Bad("brackets that cross", play("on = turn in {(1}, 2)  # E111")),
    Bad("quotes left open", play('on = top of stock is "red 1'), "E117", LINES_BEFORE + 1),
    Bad("quotes never opened", play('on = top of stock is red 1"  # E111')),
    Bad("single quotes", play("on = top of stock is 'red 1'  # E112")),
    Bad("curly quotes", play("on = top of stock is “red 1”  # E112")),
    Bad("a name in capitals", changed("turn = 0", "Turn = 0  # E118")),
    Bad(
        "a type in small letters",
        changed("enum Suit =", "enum suit =").replace("suit = red, black", "suit = red, black  # E118"),
    ),
    Bad("a letter with an accent", changed("turn = 0", "tür = 0  # E118")),
    Bad("a Greek name", changed("turn = 0", "τ = 0  # E118")),
    Bad("an emoji", play("turn = 🂡  # E111")),
    Bad("a name with a hyphen", changed("turn = 0", "turn-count = 0  # E118")),
    Bad("a name that begins with a digit", changed("turn = 0", "1st = 0  # E118")),
    Bad("a word of the language as a name", changed("turn = 0", "turn = 0\n  first = 0  # E203")),
    Bad("a word of the language as a value", play("turn = of  # E203")),
    Bad("rule text in column 1", HEAD + "> Deal.  # E107\n" + PLAY + RESULT, "E107", LINES_BEFORE - 1),
    Bad("a decimal", play("turn = 1.5  # E111")),
    Bad("words for a number", play("deal two from stock to each hand  # E201")),
    Bad("a misspelt statement", play("mvoe 1 from stock to trash  # E113")),
    Bad("a misspelt clause", play("move 1 form stock to trash  # E111")),
    Bad("a clause in the wrong order", play("move 1 to trash from stock  # E111")),
    Bad("a misspelt word of a zone", changed("trash: pile, open", "trash: pile, opne  # E111")),
    Bad("a misspelt heading", HEAD.replace("zones\n", "zoens  # E107\n") + PLAY + RESULT),
    Bad("names of Python", changed("turn = 0", "turn = 0\n  print = 0\n  None = 1  # E118"), also=("E203",)),
    Bad(
        "code of Python",
        'import os\n\ndef main():\n    os.system("true")\n',
        "E105",
        1,
        also=("E107",),
    ),
    Bad("a page of HTML", "<!DOCTYPE html>\n<html><body>no</body></html>\n", "E105", 1, also=("E107",)),
    Bad("JSON", '{"game": "Tiny"}\n', "E105", 1, also=("E107",)),
]

WHOLE_FILES = [
    Bad("nothing", b"", "E102"),
    Bad("white space", b" \n\t\n\r\n", "E102"),
    Bad("a byte order mark alone", b"\xef\xbb\xbf", "E102"),
    Bad("comments alone", "# nothing\n# at all\n", "E401"),
    Bad("the edition alone", "hoyle 1\n", "E401"),
    Bad(
        "no edition",
        'game "Tiny" for 2 players  # E105\n\nstate\n  score = 0 for each player\n\nplay\n  end game\n'
        + RESULT,
    ),
    Bad("another edition", "hoyle 2  # E105\n" + play().split("\n", 1)[1]),
    Bad("a newer edition by a fraction", "hoyle 1.1  # E105\n" + play().split("\n", 1)[1]),
    Bad("capitals in the edition", "Hoyle 1  # E105\n" + play().split("\n", 1)[1], also=("E107",)),
    Bad("no game", play().replace('game "Tiny" for 2 players\n', ""), "E401"),
    Bad("no play", HEAD + RESULT, "E401"),
    Bad("no result", HEAD + PLAY, "E401"),
    Bad("two games", blocks('game "Other" for 3 players  # E402\n')),
    Bad("two plays", blocks("play  # E202\n  turn = 1\n")),
    Bad("two results", blocks("result\n  rank p by lowest p.score  # E801\n")),
    Bad("a game for nobody", changed("for 2 players", "for 0 players  # E403")),
    Bad("a game for a crowd", changed("for 2 players", "for 2..1000000000 players  # E403")),
    Bad("scenarios alone", 'hoyle 1\n\nscenario "x" for ann, bob\n  then 1 is 1\n', "E401", also=("E701",)),
    Bad("NUL", play("turn = 1\x00"), "E104", LINES_BEFORE + 1),
    Bad("an escape sequence", play("turn = 1 # \x1b[31mred"), "E104", LINES_BEFORE + 1),
    Bad("a form feed", play("turn = 1\x0c"), "E104", LINES_BEFORE + 1),
    Bad("a line separator", play("turn = 1\u2028"), "E104", LINES_BEFORE + 1),
    Bad("not UTF-8", play("turn = 1").encode() + b"# caf\xe9\n", "E104", play("turn = 1").count("\n") + 1),
    Bad("UTF-16", play().encode("utf-16"), "E104"),
    Bad("a picture", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)), "E104"),
    Bad("a lone surrogate", b"hoyle 1\n\xed\xa0\x80\n", "E104", 2),
    Bad("a huge file", b"hoyle 1\n" + b"# words and words\n" * 100_000, "E101"),
    Bad("a file larger than what is read", b"x" * 5_000_000, "E101"),
    Bad("a huge line", play("turn = " + "1 + " * 2_000 + "1"), "E103", LINES_BEFORE + 1),
    Bad("CRLF", play("turn = nobody  # E201").replace("\n", "\r\n")),
    Bad("CR", play("turn = nobody  # E201").replace("\n", "\r")),
    Bad("mixed line ends", play("turn = 1", "turn = nobody  # E201").replace("= 1\n", "= 1\r\n")),
    Bad("a byte order mark", b"\xef\xbb\xbf" + play("turn = nobody  # E201").encode()),
    Bad("no line end at the end", play() + "  rank q by lowest q.score  # E801"),
]

ATTACKS = [
    Bad("brackets in brackets", play(f"turn = {'(' * 900}nobody{')' * 900}  # E201")),
    Bad("brackets never closed", play(f"turn = {'(' * 1_900}  # E114")),
    Bad("braces never closed", play(f"on = 1 in {'{' * 1_900}  # E114")),
    Bad("brackets never closed, on many lines", play(*["(  # E114"] + ["("] * 1_999), also=("E114", "E120")),
    Bad("not not not", play(f"on = {'not ' * 450}on  # E108")),
    Bad("minus minus minus", play(f"turn = {'-' * 1_900}1  # E108")),
    Bad("a long sum", play(f"turn = {'1 + ' * 480}1  # E108")),
    Bad("if in if", nested("if on", 300, "turn = 1"), "E108", LINES_BEFORE + 120),
    Bad("else if after else if", play("if on", "  turn = 1", *["else if on", "  turn = 2"] * 300), "E108",
        LINES_BEFORE + 241),
    Bad("calls in calls", blocks(f"define f(n: number) = {'f(' * 400}n{')' * 400}  # E108\n")),
    Bad("decks in decks", changed("    1 Plain(s, r) for s in Suit, r in 1..3\n",
        "".join(f"    {' ' * n}for a{n} in 1..2\n" for n in range(100)) + " " * 110 + "1 Plain(red, 1)  # E412\n")),
    Bad("more conditions than a person can hold", play(f"on = {'on and (' * 110}nobody{')' * 110}  # E201")),
    Bad("a thousand million cards", changed("    1 Plain(s, r)", "    1000000000 Plain(s, r)")
        .replace("in 1..3\n\nzones", "in 1..3  # E412\n\nzones")),
    Bad("a deck over a thousand million", changed("r in 1..3", "r in 1..1000000000  # E412"), also=("E404",)),
    Bad("a deck that searches", changed("r in 1..3", "r in 1..3 where (count a in 1..999, b in 1..999, c in 1..999) > 9"
        "  # E412")),
    Bad("a first value that searches", changed("turn = 0", "turn: number = count a in 1..999, b in 1..999, c in 1..999"
        "  # E410")),
    Bad("a first value over a thousand million", changed("turn = 0",
        "turn: number = count a in 1..1000000000  # E410")),
    Bad("an enum of a thousand million", changed("enum Suit = red, black", "enum Suit = red, black\n  "
        "enum Level = 0..1000000000  # E404")),
    Bad("an enum of a hundred words", changed("enum Suit = red, black", "enum Suit = red, black\n  "
        f"enum Level = {', '.join(f'word{n}' for n in range(100))}  # E404")),
    Bad("a set of a thousand million", play("on = 3 in {1..1000000000}  # E305")),
    Bad("a choice of a million million", play("choose first_player", "  option go(n in 1..9999999999999)  # E603",
        "    turn = n")),
    Bad("a hundred arguments", play("choose first_player",
        f"  option go({', '.join(f'n{i} in 1..9' for i in range(90))})  # E309", "    turn = n0")),
    Bad("three hundred names", play(f"on = any {', '.join(f'q{n}' for n in range(300))} in players where on  # E309")),
    Bad("a number of a thousand digits", play(f"turn = {'9' * 1_000}  # E109")),
    Bad("a deck line of a thousand digits", changed("    1 Plain(s, r)", f"    {'9' * 1_000} Plain(s, r)")
        .replace("in 1..3\n\nzones", "in 1..3  # E109\n\nzones")),
    Bad("more than 64 bits", changed("turn = 0", "turn: number = 999999999999999999 * 999999999999999999  # E410")),
    Bad("a first value outside its range", changed("turn = 0", "turn: 0..3 = 9  # E404")),
    Bad("a definition of itself", blocks("define f = f  # E209\n")),
    Bad("definitions in a ring", blocks("define f = g\n\ndefine g = h\n\ndefine h = f  # E209\n")),
    Bad("a phase of itself", blocks("phase f\n  do f  # E502\n")),
    Bad("phases in a ring", blocks("phase f\n  do g\n\nphase g\n  do h\n\nphase h\n  do f  # E502\n")),
    Bad("play within play", play("do play  # E502"), also=("E201",)),
    Bad("a kind of itself", changed("  deck in", "  kind Any = Any  # E201\n  deck in")),
    Bad("an enum of itself", changed("  deck in", "  enum Any = Any  # E201\n  deck in")),
    Bad("a pile refilled from itself", changed("stock: pile, hidden", "stock: pile, hidden, refilled by shuffling stock"
        "  # E407")),
    Bad("a hundred faults", play(*["turn = nobody  # E201"] * 100)),
    Bad("a hundred broken lines", play(*["turn = = 1  # E111"] + ["turn = = 1"] * 99), also=("E111", "E120")),
    Bad("a chain of definitions", blocks("".join(f"define f{n} = f{n + 1}\n" for n in range(2_000))
        + "define f2000 = nobody  # E201\n"), also=("E108",)),
    Bad("a chain of phases", play("do f0") + "".join(f"\nphase f{n}\n  do f{n + 1}\n" for n in range(3_000))
        + "\nphase f3000\n  turn = nobody  # E201\n", also=("E108",)),
    Bad("numbers that grow", blocks("define a = 999999999999999999\n"
        + "".join(f"define {x} = {' * '.join([y] * 100)}\n" for x, y in ("ba", "cb", "dc"))
        + "define e = nobody  # E201\n"), also=("E108",)),
    Bad("definitions that double", blocks("".join(f"define f{n} = f{n + 1} + f{n + 1}\n" for n in range(40))
        + "define f40 = nobody  # E201\n")),
    Bad("words that are nearly names", blocks("".join(f"define aaaaaaaaaaaaaaaaaaaaaaaa{n} = {n}\n" for n in range(200))
        + "".join(f"define b{n} = aaaaaaaaaaaaaaaaaaaaaaaax{n}  # E201\n" for n in range(20)))),
    Bad("ten thousand faults", play(*["turn = nobody  # E201"] + ["turn = nobody"] * 10_000),
        also=("E120", "E201")),
    Bad("thirty thousand headings", HEAD + PLAY + RESULT + "\nfoo  # E107\n" + "foo\n" * 30_000,
        also=("E107", "E120")),
    Bad("five thousand names, one twice", changed("turn = 0", "".join(f"a{n} = 0\n  " for n in range(5_000))
        + "turn = 0\n  turn = 1  # E202")),
    Bad("ten thousand steps", blocks('scenario "x" for ann, bob\n' + "  then turn is 0\n" * 10_000
        + "  then turn is on  # E306\n")),
    Bad("blank lines", play("turn = 1") + "\n" * 250_000 + "foo  # E107\n"),
    Bad("comment lines", play("turn = 1") + "  # or and\n" * 20_000 + "foo  # E107\n"),
    Bad("faces", blocks(f'scenario "x" for ann, bob\n  given stock = "{", ".join(["red 1"] * 200)}"  # E703\n')),
    Bad("braces in a face", changed("rank: 1..3)", "rank: 1..3)  \"{{{{{suit}{rank\"  # E414")),
    Bad("a path as a name", changed('"Tiny"', '"../../etc/passwd"').replace("turn = 0", "turn = x  # E201")),
]  # fmt: skip

SCENARIOS = [
    Bad("no seats", blocks('scenario "x" for\n'), "E111", blocks("").count("\n") + 1),
    Bad("too many seats", blocks('scenario "x" for ann, bob, cid  # E701\n  then turn is 0\n')),
    Bad("a thousand million players", blocks(
        'scenario "x" for 1000000000 players ann, bob  # E701\n  then turn is 0\n')),
    Bad("a seat twice", blocks('scenario "x" for ann, ann  # E202\n  then turn is 0\n')),
    Bad("a seat called like a zone", blocks('scenario "x" for stock, bob  # E202\n  then turn is 0\n')),
    Bad("no such seat", blocks('scenario "x" for ann, bob\n  cid: go  # E201\n')),
    Bad("no such move", blocks('scenario "x" for ann, bob\n  ann: go  # E201\n')),
    Bad("no such card", blocks('scenario "x" for ann, bob\n  given stock = "green 9"  # E201\n')),
    Bad("too many of a card", blocks('scenario "x" for ann, bob\n  given stock = "red 1, red 1"  # E703\n')),
    Bad("too many in two zones", blocks(
        'scenario "x" for ann, bob\n  given stock = "red 1"\n  given trash = "red 1"  # E703\n')),
    Bad("cards as a number", blocks('scenario "x" for ann, bob\n  given stock = 3  # E702\n')),
    Bad("whose hand", blocks('scenario "x" for ann, bob\n  given hand = "red 1"  # E211\n')),
    Bad("nobody's stock", blocks('scenario "x" for ann, bob\n  given ann.stock = "red 1"  # E211\n')),
    Bad("a word for a number", blocks('scenario "x" for ann, bob\n  given turn = yes  # E301\n')),
    Bad("no such phase", blocks('scenario "x" for ann, bob\n  start at round  # E201\n')),
    Bad("brackets that play does not take", blocks('scenario "x" for ann, bob\n  start at play(ann)  # E208\n')),
    Bad("a claim that is no claim", blocks('scenario "x" for ann, bob\n  then turn  # E301\n')),
    Bad("a claim that can't be", blocks('scenario "x" for ann, bob\n  then turn is ann  # E306\n')),
    Bad("two cards where one is wanted", play("choose first_player", "  option go(c in stock)", "    turn = c.rank")
        + '\nscenario "x" for ann, bob\n  ann: go("red 1, red 2")  # E702\n', also=("W601",)),
    Bad("no title", blocks("scenario for ann, bob  # E111\n  then turn is 0\n")),
]  # fmt: skip

ALL = [*SLIPS, *WHOLE_FILES, *ATTACKS, *SCENARIOS]


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Break off what takes far longer than it may."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(*_: object) -> None:
        raise TimeoutError(f"not done in {MOST_SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(MOST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def marked(text: str) -> set[tuple[int, str]]:
    """The lines that are marked, with their codes."""
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {(n, code) for n, row in enumerate(rows, 1) if (m := MARK.search(row)) for code in m[1].split()}


def well_told(report: Report, lines: int) -> None:
    """Every diagnostic has a place, words and a mend, and can be shown."""
    for d in report.diagnostics:
        assert 1 <= d.span.line <= lines, d
        assert d.span.column >= 1 and (d.span.end_line, d.span.end_column) >= (d.span.line, d.span.column), d
        assert d.message and d.mend, d
        assert len(d.message) < 300 and len(d.mend) < 400, d
        assert (d.message + d.label + d.mend).isprintable(), d
    shown = render.text(report)
    assert all(f"[{d.code}]" in shown for d in report.diagnostics)
    assert render.to_json(report)


def test_there_are_enough() -> None:
    assert len(ALL) > 100
    assert len({bad.name for bad in ALL}) == len(ALL)


@pytest.mark.parametrize("bad", ALL, ids=[bad.name for bad in ALL])
def test_a_bad_spec_is_told_what_is_wrong(bad: Bad, tmp_path: Path) -> None:
    raw = bad.text.encode() if isinstance(bad.text, str) else bad.text
    path = tmp_path / "bad.hoyle"
    path.write_bytes(raw)
    wanted = marked(bad.text if isinstance(bad.text, str) else raw.decode("utf-8", "replace"))
    wanted |= {(bad.line, bad.code)} if bad.code else set()
    assert wanted
    report, program = check(str(path))
    found = {(d.span.line, d.code) for d in report.diagnostics}
    assert sorted(wanted - found) == []
    assert sorted({code for _, code in found - wanted} - {*bad.also}) == []
    assert (program is None) == bool(report.errors)
    well_told(report, max(1, len(raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))))


YET: dict[str, str] = {}


def cases() -> Iterator[object]:
    for path in sorted(CASES.glob("*.hoyle")):
        marks = [pytest.mark.xfail(reason=YET[path.stem], strict=True)] if path.stem in YET else []
        yield pytest.param(path, id=path.stem, marks=marks)


@pytest.mark.parametrize("path", list(cases()))
def test_a_case_is_reported_just_as_it_is_marked(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    report, program = check(str(path))
    assert sorted({(d.span.line, d.code) for d in report.diagnostics}) == sorted(marked(text))
    assert (program is None) == bool(report.errors)
    well_told(report, text.count("\n") + 1)


def test_a_block_full_of_faults_leaves_the_next_one_alone(tmp_path: Path) -> None:
    text = blocks(
        "define worth(c: card)\n"
        + "  shuffle trash\n" * 25
        + "\nphase more\n  on = top of stock is not card  # E203\n"
    )
    path = tmp_path / "full.hoyle"
    path.write_text(text, encoding="utf-8")
    report, _ = check(str(path))
    assert marked(text) <= {(d.span.line, d.code) for d in report.diagnostics}


def test_a_second_play_that_was_guessed_is_told_at_its_place(tmp_path: Path) -> None:
    text = blocks("players round(p: player)\n  turn = 1\n")
    path = tmp_path / "guessed.hoyle"
    path.write_text(text, encoding="utf-8")
    report, _ = check(str(path))
    well_told(report, text.count("\n") + 1)
