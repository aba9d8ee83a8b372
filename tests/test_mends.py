"""Slips whose mend hangs on the rest of the game, or that were once told badly: each gives one message that fits."""

from __future__ import annotations

import pytest

from hoyle.parser.grammar import words_of
from hoyle.parser.wording import FORMS
from hoyle.resources import folder
from hoyle.runtime.game import BaseGame
from hoyle.session import load_text
from lockstep import module_of
from specs_for_tests import FOLDER
from test_slips import POND, told


def said(*changes: tuple[str, str]) -> list[tuple[str, int, str]]:
    """Return code, line and mend of what is told of Pond with some parts put differently."""
    text = POND
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return [(d.code, d.span.line, d.mend) for d in told(text)]


def both_of(text: str) -> tuple[BaseGame, BaseGame]:
    """Return a game as interpreted and as compiled."""
    made = load_text(text)
    return made, module_of(made.program)


COUNTER = ('"Pond" for 2..4 players\n', '"Pond" for 2..4 players\n  direction: counter-clockwise\n')
SCORE = "  p.score += sum of points(x) for x in p.basket\n"


@pytest.mark.parametrize(
    ("line", "code", "mend"),
    [
        ("dealer = p.next", "E201", "write `next of p`"),
        ("dealer = p.previous", "E201", "write `left of p`"),
        (
            "dealer = p + 1",
            "E301",
            "one can't count with players; the next one is `next of p`, the one before `left of p`",
        ),
    ],
)
def test_who_comes_next_follows_the_direction_of_the_game(line: str, code: str, mend: str) -> None:
    assert said(COUNTER, (SCORE, f"{SCORE}  {line}\n")) == [(code, 51, mend)]


# ---- auctions -------------------------------------------------------------------------------------

LOTS = (FOLDER / "lots.hoyle").read_text(encoding="utf-8")
BIDS = "  bids: 1..speaker.money\n"


def of_lots(*changes: tuple[str, str]) -> str:
    """Return the auction of lots with some parts put differently."""
    text = LOTS
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_the_value_of_a_bid_has_no_name_that_a_variable_could_have() -> None:
    amount = ("  opener: player\n", "  opener: player\n  amount: 1..9\n")
    used = of_lots(amount, ("    opener = left of opener\n", "    opener = left of opener\n    amount = 2\n"))
    assert told(used.replace(BIDS, "  bids: amount..speaker.money\n")) == []
    (found,) = told(of_lots((BIDS, "  bids: 1..(sum of 1 for c in stock) * speaker.money * 99999999999\n")))
    assert (found.code, "`amount`" in found.message + found.mend) == ("E602", False)


def test_a_bid_that_is_too_low_is_told_in_the_words_of_its_clause() -> None:
    text = of_lots((BIDS, BIDS + "  each bid: at least the last, or pass\n"))
    for game in both_of(text):
        table = game.start(players=3, seed=1)
        table.play("bid(3)")
        said = str(table.why("bid(2)"))
        assert (
            "`each bid: at least the last, or pass` does not hold when " in said and " is 2 (line 32)" in said
        )


# ---- so many cards --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("many", "message", "mend"),
    [
        ("3..2", "the range `3..2` is empty", "the smaller number first"),
        (
            "7..hand_size",
            "the range `7..hand_size` is empty: its end is never above 6",
            "the smaller number first",
        ),
        ("0", "so many cards can never be taken", "take at least one card"),
        ("up to 0", "so many cards can never be taken", "take at least one card"),
        ("99999..9999", "the range `99999..9999` is empty", "the smaller number first"),
        ("99999999", "the game has only 26 such cards", "take fewer, or put more into the deck"),
    ],
)
def test_so_many_cards_can_never_be_taken(many: str, message: str, mend: str) -> None:
    option = "    option put(c in p.hand)\n      move c to pond\n"
    more = f"    option store({many} cards in p.hand)\n      move cards to pond\n"
    (found,) = told(POND.replace(option, option + more))
    assert (found.code, found.message, found.mend) == ("E613", message, mend)


# ---- where the cards of a trick lie ---------------------------------------------------------------

HOOK = (FOLDER / "hook.hoyle").read_text(encoding="utf-8")
ROW, LEADER = "  trick: row, open\n", "  leader: left of dealer\n"
WON = "  won:   pile, open, each player\n"


@pytest.mark.parametrize(
    ("row", "clause", "code", "line", "mend"),
    [
        ("trick: pile, open", "", "E522", 18, "write `trick: row, open`"),
        ("trick: row, open, each player", "", "E522", 18, "write `trick: row, open`"),
        (
            "trick: open",
            "",
            "E407",
            18,
            "say one of `pile` (ordered, face on face), `row` (ordered, side by side), `pool` (no order)",
        ),
        ("trick = row, open", "", "E111", 18, "write `:` here"),
        (
            "trik: row, open",
            "",
            "E521",
            62,
            "declare `trick: row, open` under `zones`, or say `cards: from hand to trik`",
        ),
        ("trick: row, open", "cards: from hand to trik", "E522", 64, "did you mean `trick`?"),
        (
            "trick: pile, open",
            "cards: from hand to trick",
            "E522",
            64,
            "declare it as `trick: row, open`, or name a row here",
        ),
    ],
)
def test_the_cards_of_a_trick_lie_in_a_row(row: str, clause: str, code: str, line: int, mend: str) -> None:
    text = HOOK.replace(ROW, f"  {row}\n").replace(LEADER, LEADER + (f"  {clause}\n" if clause else ""))
    assert [(d.code, d.span.line, d.mend) for d in told(text)] == [(code, line, mend)]


def test_a_trick_goes_to_a_zone_that_each_player_has() -> None:
    (found,) = told(HOOK.replace(WON, "  won:   pile, open\n"))
    assert found.code == "E521"
    assert found.mend == "say `goes to: won`, or add `each player` where `won` is declared"


# ---- words that the grammar alone lists -----------------------------------------------------------


@pytest.mark.parametrize("word", words_of("of_word"))
def test_what_is_asked_with_of_takes_no_brackets(word: str) -> None:
    (found,) = told(POND.replace(SCORE, f"{SCORE}  let q = {word}(p)\n  dealer = q\n"))
    assert (found.code, found.mend) == ("E111", f"this is asked without brackets: `{word} of p`") or (
        word == "size" and found.mend == "how many there are is asked without brackets: `size of p`"
    )


@pytest.mark.parametrize("word", ["do", "end", "eliminate", "move", "shuffle", "swap", "repeat"])
def test_a_definition_does_nothing(word: str) -> None:
    form = FORMS[word]
    (found,) = told(POND.replace("when c is Fish: c.weight", f"when c is Fish: {form}"))
    assert found.code == "E111" and found.mend == "what is done stands below `play` or a `phase`"


# ---- chains of tricks that can't be read ----------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        (["follow:"], [("E116", 0)]),
        (["winner:"], [("E116", 0)]),
        (["folow:"], [("E113", 0), ("E116", 0)]),
        (["lead:", "  x", "  else any"], [("E111", 1)]),
        (["lead:", "  c where", "  else"], [("E111", 1), ("E111", 2)]),
        (["lead:", "  c where c.suit is clubs", "  any"], [("E113", 2)]),
        (["winner:", "  x", "  else highest c by c.rank"], [("E113", 1)]),
    ],
)
def test_a_chain_that_cannot_be_read_is_told_where_it_breaks(
    rows: list[str], faults: list[tuple[str, int]]
) -> None:
    before, after = HOOK.replace("  trumps: trump\n", "").split(LEADER)
    for last in (False, True):
        more = "".join(f"  {row}\n" for row in rows)
        text = before + (LEADER + more if last else more + LEADER) + after
        first = before.count("\n") + 1 + last
        assert [(d.code, d.span.line - first) for d in told(text)] == faults


# ---- what a fuzzer found --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement", ["eliminate p", "reverse turns", "next turn is p", "for q in players\n      eliminate q"]
)
@pytest.mark.parametrize("first", [True, False])
def test_of_two_phases_with_one_name_it_does_not_matter_which_uses_a_word(
    statement: str, first: bool
) -> None:
    blocks = ["phase twice(p: player)\n  dealer = p", f"phase twice(p: player)\n  {statement}"]
    text = POND.replace(
        "phase take_turn", "\n\n".join(reversed(blocks) if first else blocks) + "\n\nphase take_turn"
    )
    text = text.replace("    do take_turn(p)\n", "    do take_turn(p)\n    do twice(p)\n")
    assert [d.code for d in told(text)] == ["E202"]


# ---- Ten: one slip, one message, with the right way to write it -------------------------------------


TEN = (folder("specs") / "ten.hoyle").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "code", "mend"),
    [
        ("ColourWild, ValueWild,", "ColourWild, ValuWild,", "E201", "did you mean `ValueWild`?"),
        ("black 50, start_black to each", "black 50, start_black each", "E111", "write `to` before `each`"),
        ("can pay(p, price(c), yes)", "pay(p, price(c), yes)", "E212", "`can pay(...)` asks whether"),
        ("give coins black to q", "give black coins to q", "E431", "the other way round: `give coins black`"),
    ],
)
def test_a_slip_in_a_game_of_tokens_is_told_once(old: str, new: str, code: str, mend: str) -> None:
    (found,) = told(TEN.replace(old, new, 1))
    assert found.code == code and mend in found.mend


def test_any_cards_are_any_number_of_cards() -> None:
    text = POND.replace("option put(c in p.hand)", "option put(any cards in p.hand)", 1)
    assert text != POND
    (found,) = [d for d in told(text) if d.code == "E111"]
    assert "`any number of cards in p.hand`" in found.mend


def test_the_words_of_an_option_stand_on_its_line() -> None:
    line = next(x for x in TEN.splitlines() if x.strip() == "option draw")
    (found,) = told(TEN.replace(line, line + '\n          "turns up a card"', 1))
    assert found.code == "E111" and found.mend.startswith("how an option reads stands at the end of its line")
