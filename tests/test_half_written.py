"""Specs that are not finished: cards that no deck has, sums of things worth too much. Both back ends agree on them."""

from __future__ import annotations

import pytest

from hoyle.session import load_text
from lockstep import Both
from test_run import play

SPEC = """
hoyle 1

game "Half" for 1..2 players

components
  card Fish(weight: 1..8)
  card Net
  deck in stock
    9 Net

zones
  stock: pile, hidden
  pond:  row, open
  hand:  pool, seen by owner, each player

state
  score = 0 for each player

define worth(c: card) = c.weight if c is Fish else 0

play
  deal 3 from stock to each hand
  repeat 3 times
    for p in players
      choose p
        option put(c in p.hand)
          move c to pond
OPTION
      p.score += sum of worth(c) for c in p.hand
      for Fish c in p.hand where c.weight > 3
        move c to stock

result
  rank p by highest p.score
"""
OPTIONS = {
    "one card": "        option catch(Fish f in p.hand)\n          move f to pond",
    "and a number": "        option name(Fish f in p.hand, n in 1..3 where n is f.weight)\n          p.score += n",
    "two cards": "        option pair(Fish f, g in p.hand where f.weight is g.weight)\n          move f, g to pond",
    "two zones": "        option swap(Fish f in p.hand, c in pond where c is Net)\n          move f to pond",
    "a row": "        option fish(Fish f in pond)\n          move f to p.hand",
    "when": "        option wait when any c in p.hand where c is Fish\n          p.score += 1",
}


@pytest.mark.parametrize("option", OPTIONS)
def test_cards_that_no_deck_has_are_never_offered(option: str) -> None:
    ends = Both(load_text(SPEC.replace("OPTION", OPTIONS[option])))
    for players in (1, 2):
        for seed in range(3):
            ends.play(players, seed)
            assert play(ends, players, seed, 100) == "finished"


PAYING = """
hoyle 1

game "Paying" for 2 players

components
  card Note(value: 1..9)
  deck in stock
    2 Note(v) for v in 1..9

zones
  stock: pile, hidden
  used:  pile, open
  hand:  pool, seen by owner, each player

state
  score = 0 for each player

payment pay(p: player, price: number)
  c in p.hand: worth WORTH, to used

play
  shuffle stock
  deal 4 from stock to each hand
  for p in players
    if can pay(p, 5)
      do pay(p, 5)
      p.score += 1

result
  rank p by highest p.score
"""


@pytest.mark.parametrize(
    ("worth", "fault"), [("c.value", False), ("c.value * 20000", True), ("c.value * 10000000", True)]
)
def test_what_is_worth_too_much_for_sums_is_a_fault_of_its_line(worth: str, fault: bool) -> None:
    ends = Both(load_text(PAYING.replace("WORTH", worth)))
    told = set()
    for seed in range(6):
        ends.play(2, seed)
        told |= {x.fault for x in ends.right.playouts(1, players=2, seed=seed)}
    assert all(("line 20" in x and "outside -100000..100000" in x) == fault for x in told)
