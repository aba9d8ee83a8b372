"""T-02 of Ten's rules: cards marked for more players are left out with fewer, in any deck."""

from __future__ import annotations

import pytest

from hoyle.session import load_text

TOY = """hoyle 1

game "Toy" for 2..5 players

components
  enum Letter = a, b, c
  card Mark(letter: Letter)  "{letter}"
  deck in stock
    1 Mark(a)
    1 Mark(b) with 3+ players
    1 Mark(c) with 4+ players

zones
  stock: pile, open
  hand:  pool, open, each player

play
  for p in players
    choose p
      option take(c in stock)
        move c to p.hand
      option leave

result
  rank p by highest size of p.hand
"""


@pytest.mark.parametrize(("players", "faces"), [(2, "a"), (3, "ab"), (4, "abc"), (5, "abc")])
def test_cards_for_more_players_are_left_out(players: int, faces: str) -> None:
    table = load_text(TOY).start(players, 1)
    assert sorted(table.view(0)["zones"]["stock"]["cards"]) == list(faces)
