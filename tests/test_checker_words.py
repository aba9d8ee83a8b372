"""One fault is told once, with the mend that fits: no second message that only follows from the first."""

from __future__ import annotations

import pytest

from hoyle.diagnostics import Diagnostic, Report
from hoyle.session import check_text
from hoyle.source import Source, Span

IDLE = ("W203", "W204", "W205", "W301", "W801")  # these specs are too small to use all that they declare
HEAD = """hoyle 1

game "Tiny" for 2 players

parameters
  limit = 3 in 1..9
  mode = fast in fast, slow

components
  enum Suit = red, black
  card Plain(suit: Suit, rank: 1..3)
  card Joker
  deck in stock
    1 Plain(s, r) for s in Suit, r in 1..3
    2 Joker

zones
  stock: pile, hidden
  trash: pile, open
  hand: pool, seen by owner, each player

state
  turn = 0
  on = no
  who: player
  score = 0 for each player

define worth(c: card) = c.rank if c is Plain else 0

"""
PLAY = "play\n  deal 1 from stock to each hand\n  move all from trash to stock\n"
USES = "  on = turn + limit is 3 or mode is fast or on or worth(top of stock) is 0\n"
RESULT = "\nresult\n  rank p by highest p.score\n"


def told(text: str) -> list[Diagnostic]:
    """What the checker says of a text."""
    report = Report()
    check_text(Source("spec.hoyle", text), report)
    return [d for d in report.diagnostics if d.code not in IDLE]


def play(*lines: str) -> str:
    """A spec whose `play` ends with these lines."""
    return HEAD + PLAY + USES + "".join(f"  {x}\n" for x in lines) + RESULT


def blocks(*lines: str) -> str:
    """A spec with these lines as its last blocks."""
    return play() + "\n" + "\n".join(lines) + "\n"


def changed(old: str, new: str, *more: str) -> str:
    """A spec with one part put differently."""
    assert HEAD.count(old) == 1
    return play(*more).replace(old, new)


CHOICE = ("choose who", "  option lay(c in who.hand)", "    move c to trash", "  option rest")
SCENARIO = 'scenario "x" for 2 players ann, bob'
START = f"{SCENARIO}\n  start at play"


@pytest.mark.parametrize(
    ("text", "code", "message", "mend"),
    [
        # A word of the language is declared all the same.
        (changed("on = no\n", "on = no\n  first = 1\n"), "E203", "`first` is a word", "the_first"),
        # A line that could not be read is not missed a second time.
        (play("choose who", "  opton x"), "E113", "opton", "`option`"),
        (blocks("define f(n: number)", "  wehn n is 1: 2"), "E113", "wehn", "`when`"),
        (blocks("define f(n: Suit)", "  when n is red: 2", "  wehn n is black: 1"), "E113", "wehn", "`when`"),
        (play().replace("  rank p", "  rnak p"), "E113", "rnak", "`rank`"),
        (play("who winz").replace(RESULT, ""), "E111", "winz", "`wins`"),
        # The deck.
        (changed("    2 Joker\n", "    2 Joker(1)\n"), "E208", "no arguments, not 1", "no brackets"),
        (
            changed("    2 Joker\n", "    2 Joker\n    1 Plain(w, 2, 1) for w in Suit\n"),
            "E208",
            "takes 2 arguments, not 3",
            "a Suit",
        ),
        (changed("rank: 1..3", "rank: number"), "E405", "bounded number", "1..10"),
        (changed("rank: 1..3", "rank: 1..3 or none"), "E405", "bounded number", "or none"),
        (changed("rank: 1..3)", 'rank: 1..3)  "{suit} {value}"'), "E414", "names something", "{rank}"),
        (changed("r in 1..3", "r in 1..4"), "E404", "4 is outside 1..3", "range"),
        (changed("deck in stock", "deck in hand"), "E407", "a zone of each player", "stock, trash"),
        (changed("deck in stock", "deck in stick"), "E201", "stick", "`stock`"),
        (
            changed("    2 Joker\n", "    2 Joker\n    1 Plain(9, 3)\n", 'on = top of stock is "x"'),
            "E301",
            "a Suit is wanted",
            "Suit",
        ),
        # Zones.
        (changed("stock: pile, hidden", "stock: hidden", "shuffle stock"), "E407", "pile, row or pool", "pool"),
        (
            changed("stock: pile, hidden", "stock: pile, pool, hidden", "shuffle stock"),
            "E407",
            "two forms",
            "pool",
        ),
        (changed("hand: pool, seen by owner", "hand: pool, top open"), "E408", "has no top", "`pile`"),
        (changed("hand: pool, seen by owner", "hand: row, top open"), "E408", "has no top", "`pile`"),
        # First values.
        (changed("turn = 0", "turn = size of stock"), "E410", "fixed before the game", "set it in `play`"),
        (changed("turn = 0", "turn = x"), "E201", "`x`", "declare it"),
        (changed("turn = 0", "turn = 2 + limit"), "E409", "what kind of value", "behind a colon"),
        (changed("turn = 0", "turn: 0..3 = 9"), "E404", "begins as 9, outside its range 0..3", "range"),
        (changed("turn = 0", "turn = 0\n  last_one: card"), "E409", "which card is `last_one`", "or none"),
        (changed("turn = 0", "turn = 0\n  last_one: Joker"), "E409", "which card is `last_one`", "or none"),
        # Parameters.
        (changed("in fast, slow", "in fast, slow, fast"), "E202", "`fast` stands twice", "leave one"),
        (changed("mode = fast in fast, slow", "mode = fast in fast, last"), "E203", "`last`", "the_last"),
        (changed("limit = 3", "bonus = yes in 1..3\n  limit = 3"), "E406", "yes or no", "leave out `in`"),
        (changed("limit = 3", "bonus = yes in yes, no\n  limit = 3"), "E406", "yes or no", "leave out `in`"),
        # Names.
        (changed("enum Suit", "enum Big = Suti, blue\n  enum Suit"), "E201", "no enum above", "above this line"),
        (changed("card Joker\n", "card Joker\n  kind Any = Any, Joker\n"), "E201", "part of itself", "card types"),
        (play("for card_ in stock", "  turn = card_.rank"), "E205", "Joker has no rank", "`card_ is Plain`"),
        (play("for p in players", "  turn = p.limit"), "E211", "`limit`", "write `limit` alone"),
        (play("for p in players", "  turn = p.worth"), "E211", "`worth`", "`worth(...)`"),
        (play("for p in players", "  turn = p.more") + "\nphase more\n  turn = 1\n", "E211", "`more`", "do more"),
        (
            changed("  hand: pool", "  Hand: pool", "for p in players", "  move p.hand to trash"),
            "E118",
            "small letter",
            "`hand`",
        ),
        # Faces and kinds.
        (play('on = top of trash is "5"'), "E201", "no card is called `5`", 'faces look like "red 1"'),
        (play('on = top of trash is ""'), "E303", "one card", "one face"),
        (play('on = top of trash is "red 1, red 2"'), "E303", "one card", "one face"),
        (play('let x = "red 2"', "on = top of trash is x"), "E306", "a face is compared", 'c is "red 5"'),
        (play('on = "red 2" is top of trash'), "E306", "a face is compared", 'c is "red 5"'),
        (play("let d = top of trash", "on = d is Plain(red, d.rank)"), "E205", "Joker has no rank", "`d is Plain`"),
        (play("on = top of trash is Plain(red, yes)"), "E301", "not yes or no", "number"),
        (play("on = on is 3"), "E306", "the number 3", "one kind"),
        # Choices.
        (
            play("choose who", f"  option go({', '.join(f'n{i} in 1..999999999' for i in range(6))})", "    turn = n0"),
            "E603",
            "more than 1,000,000,000,000 different moves",
            "in steps",
        ),
        # Scenarios.
        (play(*CHOICE) + f'\n{START}\n  ann: lay("Joker, Joker")\n', "E702", "one card", "one face"),
        (play(*CHOICE) + f'\n{START}\n  ann: lay("")\n', "E702", "one card", "one face"),
        (play(*CHOICE) + f'\n{START}\n  ann: lay("Jokr")\n', "E201", "Jokr", "`Joker`"),
        (
            play(*CHOICE) + f'\n{START}\n  ann: lay("Joker", 3)\n',
            "E208",
            "at most 1 argument, not 2",
            "option",
        ),
        (blocks(SCENARIO, "  start at play", "  start at play"), "E702", "starts once", "of its own"),
        (blocks(SCENARIO, "  then on", "  given on = no"), "E702", "before the first", "this line"),
        (blocks(SCENARIO, "  then not on", "  start at play"), "E702", "before the first", "this line"),
        (blocks(SCENARIO.replace("bob", "ann"), "  then not on"), "E202", "`ann`", "another name"),
        (blocks(SCENARIO.replace("bob", "black"), "  then not on"), "E202", "`black`", "another name"),
        (blocks(SCENARIO.replace("bob", "slow"), "  then not on"), "E202", "`slow`", "another name"),
    ],
)  # fmt: skip
def test_a_fault_is_told_once(text: str, code: str, message: str, mend: str) -> None:
    found = told(text)
    assert [d.code for d in found] == [code], [(d.code, d.span.line, d.message) for d in found]
    assert message in found[0].message
    assert mend in found[0].mend


@pytest.mark.parametrize("how", ["first", "secretly each"])
@pytest.mark.parametrize(
    "among", ["who.hand", "1..3", "Suit", "stock", "{1, 2}", "who", "turn", "trash where q.hand is not empty"]
)
def test_those_who_are_no_players_choose_nothing_and_it_is_told_once(how: str, among: str) -> None:
    body = ("  option take(c in q.hand)", "    move c to q.hand", "    q.score += 1", "  option pass")
    found = told(play(f"choose {how} q in {among}", *body))
    assert [d.code for d in found] == ["E303"]


@pytest.mark.parametrize("chooser", ["who.hand", "3", "on", "players"])
def test_one_who_is_no_player_chooses_nothing_and_it_is_told_once(chooser: str) -> None:
    found = told(play(f"choose {chooser}", *CHOICE[1:]))
    assert [d.code for d in found] == ["E301"]


def test_a_clean_spec_is_clean() -> None:
    assert told(play(*CHOICE)) == []


def test_a_seat_twice_points_at_the_first() -> None:
    (found,) = told(blocks(SCENARIO.replace("bob", "ann"), "  then not on"))
    assert found.second is not None
    assert found.second.span.column < found.span.column


# ---- choices that tell too much or too little ------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "code"),
    [
        ("choose who / option go(c in stock)", "W601"),
        ("choose who / option go(Joker c in stock where turn is 0)", "W601"),
        ("choose who / option go(c in {x in stock where x is Joker})", "W601"),
        ("choose who / option go(q in others of who, c in q.hand)", "W601"),
        ("choose who / option go(c in (left of who).hand)", "W601"),
        ("choose left of who / option go(c in who.hand)", "W601"),
        ("choose who / option go(c in who.blind)", "W601"),
        ("choose who / option go(c in who.pocket)", "W601"),
        ("choose left of who / option go(c in (left of who).hand)", ""),
        ("choose who / option go(q in others of who, c in q.blind)", ""),
        ("choose who / option go(c in who.hand)", ""),
        ("choose who / option go(c in trash)", ""),
        ("choose who / option go(c in shown)", ""),
        ("choose who / option go(n in 1..3, q in players)", ""),
        # What an argument is chosen from may depend on what lies elsewhere.
        ("choose who / option go(c in {x in who.hand where worth(x) is worth(top of stock)})", "W603"),
        ("choose who / option go(c in {x in who.hand where worth(x) is worth(top of trash)})", ""),
        ("choose who / option go(c in (who.hand if worth(top of stock) is 1 else trash))", "W603"),
        ("choose who / option go(c in (who.hand if turn is 1 else trash))", ""),
        ("choose who / option go(c in (stock if turn is 1 else who.hand))", "W601"),
        ("choose who / option go(c in (who.hand if turn is 1 else (left of who).hand))", "W601"),
        ("choose who / option go(c in {x in (stock if turn is 1 else trash) where x is Joker})", "W601"),
        ("choose who / option go(q in {x in players where any Joker c in x.hand})", "W603"),
        ("choose who / option go(q in {x in players where size of x.hand > 1})", ""),
        ("choose who / option go(n in {worth(c) for c in stock})", "W601"),
        ("choose who / option go(n in {worth(top of stock) for c in who.hand})", "W603"),
        ("choose who / option go(n in {worth(c) for c in who.hand})", ""),
        ('choose who / option go(c in who.hand, n in 1..3) "takes {c}"', "W602"),
        ('choose who / option go(c in who.hand, n in 1..3) "takes"', "W602"),
        ('choose who / option go(c in who.hand, n in 1..3) "takes {c}, {n}"', ""),
        ('choose who / option go "takes"', ""),
        ('choose who / option go(c in who.hand) "takes {d}"', "E604"),
    ],
)
def test_a_choice_that_tells_too_much_or_too_little(choice: str, code: str) -> None:
    zones = (
        "stock: pile, hidden\n  blind: row, seen by others, each player\n  pocket: pile, hidden, each player\n"
        "  shown: pile, top open"
    )
    uses = [
        "for q in players",
        "  move 1 from stock to q.blind",
        "  move 1 from stock to q.pocket",
        "move 1 from stock to shown",
    ]
    first, second = choice.split(" / ")
    found = told(changed("stock: pile, hidden", zones, *uses, first, f"  {second}", "    turn = 1"))
    assert [d.code for d in found] == ([code] if code else [])
    assert all(d.mend for d in found)


def test_a_when_may_use_the_name_of_an_argument_for_a_card_of_its_own() -> None:
    option = "    option throw(c in p.hand) when any c in p.hand where c is Joker"
    lines = ("for p in players", "  choose p", option, "      move c to trash", "    option rest")
    assert [d.code for d in told(play(*lines))] == ["W201"]  # of `who`, which is not used here
    outside = [x.replace("any c in p.hand where c is Joker", "worth(c) > 1") for x in lines]
    assert [d.code for d in told(play(*outside))] == ["E605"]


@pytest.mark.parametrize(
    ("lines", "code", "words"),
    [
        (
            ("for p in players", "  for c in p.hand", "    move c from p.hand to trash"),
            "E301",
            "leave `from p.hand` out",
        ),
        (("deal all from stock to each hand",), "E203", "deal size of stock from stock"),
        (("turn = count a, b, c in 1..200 where a + b is c",), "E309", "smaller ranges"),
        (("turn = count a in 1..200, b in 1..200, c in 1..200",), "E309", "smaller ranges"),
        (("turn = count a, b in 1..200 where a + b is 9",), "", ""),
        (("nobody wins",), "E201", "has no `result`"),
        (("for c in stock", "  move c to bottom of stock"), "E303", "on top of a pile"),
        (("for c in stock", "  move c under stock"), "E111", "move c to stock"),
        (("for c in stock", "  move c to the bottom of stock"), "E111", "move c to stock"),
        (("shuffle trash into stock",), "E111", "move all from trash to stock"),
        (("turn = size of who.hand where c is Joker",), "E111", "count c in who.hand where"),
        (("who draws 2 cards",), "E111", "move 2 from stock to who.hand"),
        (("who = first of {q in seats from who where q.score > 0}",), "E303", "end for"),
        (("for q in players except who", "  turn = 1"), "E111", "others of who"),
        (("turn = roll 1..6",), "E111", "pick x at random from 1..6"),
        (
            (
                "for p in players",
                "  choose p",
                "    option lay(c in p.hand when c is Joker)",
                "      move c to trash",
            ),
            "E111",
            "sifted with `where`",
        ),
        (("turn = longest run of (count s in Suit where s is red) for c in stock",), "", ""),
        (
            ("for p in players", "  choose p", "    option bid(n in 5..(3 if on else 4))", "      turn = n"),
            "E404",
            "smaller number",
        ),
        (
            (
                "for p in players",
                "  choose p",
                "    option bid(n in 0..(count c in stock))",
                "      turn = n",
            ),
            "",
            "",
        ),
    ],
)
def test_what_is_often_written_is_told_in_the_words_that_help(
    lines: tuple[str, ...], code: str, words: str
) -> None:
    found = [d for d in told(play(*lines)) if d.code[0] == "E"]
    assert [d.code for d in found] == [code] * bool(code)
    assert all(words in d.mend for d in found)


@pytest.mark.parametrize(
    ("cases", "line"),
    [
        (("when c is Joker: 1", "when c.rank > 2: 2", "otherwise: c.suit"), 3),
        (("when c is Joker: 1", "when c.rank > 2: c.suit", "otherwise: 2"), 2),
        (("when c is Joker: 1", "otherwise: c.suit"), 2),
    ],
)
def test_the_case_that_is_not_like_the_first_is_pointed_at(cases: tuple[str, ...], line: int) -> None:
    block = "\n".join(f"  {x}" for x in cases)
    text = play("turn = odd(top of stock)").replace("\nplay\n", f"\ndefine odd(c: card)\n{block}\n\nplay\n")
    [found] = [d for d in told(text) if d.code == "E307"]
    assert text.splitlines()[found.span.line - 1].strip() == cases[line - 1]


def test_a_span_never_ends_before_it_begins() -> None:
    first, second = Span("", 1, 3, 1, 9), Span("", 2, 1, 2, 4)
    assert first.to(second) == Span("", 1, 3, 2, 4)
    assert second.to(first) == second
