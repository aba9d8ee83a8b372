"""What once told a seat something that it can't know, each as a game of its own; and what the specs here show."""

from __future__ import annotations

import json
from itertools import islice

import pytest

from hoyle.interpret import Table
from hoyle.session import SpecError, load_text
from specs_for_tests import (
    SMALL,
    game,
)

CARDS = """hoyle 1

game "Leaks" for 2 players

components
  enum Colour = red, blue
  card Number(colour: Colour, value: 1..6)  "{colour} {value}"
  deck in stock
    1 Number(k, v) for k in Colour, v in 1..6

zones
  stock: pile, hidden
  cellar: row, hidden
  shelf: row, open
  hand: pool, seen by owner, each player

state
  mover: player
  score = 0 for each player

result
  rank p by highest p.score

play
  shuffle stock
  deal 3 from stock to each hand
  move 2 from stock to shelf
  choose mover
    option act(c in mover.hand)
"""
AFTER = "  choose mover\n    option done\n      mover.score += 1\n"


def acted(body: str, seed: int, option: str = "") -> tuple[str, list[str], Table]:
    """Return what the other player is told when the first acts: the face, the lines of the log, the table."""
    text = CARDS.replace("    option act(c in mover.hand)\n", option) if option else CARDS
    table = load_text(text + "".join(f"      {line}\n" for line in body.split("\n")) + AFTER).start(seed=seed)
    before = len(table.log(1))
    move = table.moves()[0]
    table.play(move)
    return move.arguments[0], [x["text"] for x in table.log(1)][before:], table


def test_a_card_that_chance_brings_to_light_does_not_tell_who_chose_it() -> None:
    body = "gather every card into stock, shuffled\nmove 11 from stock to shelf"
    for seed in range(4):
        _, told, _ = acted(body, seed)
        assert told[0] == "player 1: act(a card)"


def test_a_card_chosen_from_an_open_zone_is_named() -> None:
    face, told, _ = acted("mover.score += 1", 1, "    option act(c in shelf)\n")
    assert told[0] == f"player 1: act({face})"


def test_a_card_that_lands_in_the_open_is_named() -> None:
    face, told, _ = acted("move c to shelf", 1)
    assert told == [f"player 1: act({face})", f"{face}: player 1's hand -> shelf"]


def test_a_card_that_stays_hidden_is_not_named() -> None:
    _, told, _ = acted("move c to cellar", 1)
    assert told == ["player 1: act(a card)", "1 card: player 1's hand -> cellar"]


def test_cards_from_two_hidden_zones_are_told_alike_whichever_is_higher() -> None:
    told = {tuple(acted("let both = {c, top of stock}\nmove both to cellar", seed)[1]) for seed in range(12)}
    assert len(told) == 1


def test_a_masked_card_stands_behind_those_shown() -> None:
    """Else its place would tell whether it is lower or higher."""
    option = "    option act(a, b in {mine, open_ones})\n"
    lines = "  let mine = mover.hand\n  let open_ones = shelf\n  choose mover\n"
    text = CARDS.replace("    option act(c in mover.hand)\n", option).replace("  choose mover\n", lines)
    told = set()
    for seed in range(4):
        table = load_text(text + "      mover.score += 1\n" + AFTER).start(seed=seed)
        for move in table.moves():
            after = table.copy()
            after.play(move)
            told |= {x["text"] for x in after.log(1) if x["kind"] == "move"}
    assert any("a card" in x for x in told)
    assert not any("act(a card" in x for x in told if x != "player 1: act(a card, a card)")


def test_a_pool_has_no_top_to_be_seen() -> None:
    with pytest.raises(SpecError):
        load_text(CARDS.replace("cellar: row, hidden", "cellar: pool, top open") + "      move c to shelf\n")


@pytest.mark.parametrize("name", SMALL)
def test_the_specs_here_show_zones_in_every_way(name: str) -> None:
    """`drawers` has them all; the others must at least hide something."""
    zones = game(name).program.zones
    assert any(zone.seen != "open" for zone in zones)
    if name == "drawers":
        assert {zone.seen for zone in zones} == {"open", "hidden", "owner", "others", "top"}
        assert {zone.form for zone in zones} == {"pile", "row", "pool"}


def test_first_moves_of_many_games_are_not_ordered_by_where_cards_lie() -> None:
    """The same hand gives the same list of moves however it was dealt."""
    known: dict[str, list[str]] = {}
    for seed in range(40):
        table = game("drawers").start(players=2, seed=seed)
        own = json.dumps(table.view(table.turn or 0)["zones"]["hand"][table.turn or 0])
        offered = [m.call for m in islice(table.moves(), 50) if m.option == "lay"]
        assert known.setdefault(own, offered) == offered
