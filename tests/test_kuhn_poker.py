"""Kuhn poker has 30 histories, and players who choose uniformly give the first one an eighth of a chip."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hoyle.interpret import Table
from hoyle.resources import CHECKOUT
from hoyle.session import load

GAMES = {"interpreted": "kuhn_poker", "compiled": str(CHECKOUT / "generated" / "kuhn_poker.py")}
CARDS = ("jack", "queen", "king")


def deals(game: object) -> dict[tuple[str, str], Table]:
    """Return a table for each of the six deals, by what the two players hold."""
    found: dict[tuple[str, str], Table] = {}
    for seed in range(200):
        table = game.start(players=2, seed=seed)  # type: ignore[attr-defined]
        hands = [table.view(seat)["zones"]["hand"][seat]["cards"][0] for seat in (0, 1)]
        found.setdefault((hands[0], hands[1]), table)
    return found


def endings(table: Table, chance: Fraction) -> list[tuple[Fraction, tuple[int, ...]]]:
    """Return how likely each ending is when all choose uniformly, with its scores."""
    if table.turn is None:
        return [(chance, table.scores)]
    legal = table.legal()
    found = []
    for number in legal:
        after = table.copy()
        after.step(number)
        found += endings(after, chance / len(legal))
    return found


@pytest.mark.parametrize("back_end", GAMES)
def test_the_first_player_wins_an_eighth(back_end: str) -> None:
    tables = deals(load(GAMES[back_end]))
    assert set(tables) == {(a, b) for a in CARDS for b in CARDS if a != b}
    histories = [x for table in tables.values() for x in endings(table, Fraction(1, 6))]
    assert len(histories) == 30
    assert sum(chance for chance, _ in histories) == 1
    assert sum(chance * scores[0] for chance, scores in histories) == Fraction(1, 8)
    assert all(sum(scores) == 0 for _, scores in histories)
