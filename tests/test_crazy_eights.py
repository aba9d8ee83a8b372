"""Crazy Eights: whole random games end, and no card is ever lost."""

from __future__ import annotations

import pytest

from specs_for_tests import assert_conserved, game, play_at_random


@pytest.mark.parametrize("players", range(2, 8))
def test_games_end_and_keep_their_cards(players: int) -> None:
    for seed in range(8):
        table = game("crazy_eights").start(players=players, seed=seed, max_draw=2)
        for _ in play_at_random(table, seed):
            if table.decisions % 10 == 0:
                assert_conserved(table)
        assert table.outcome == "finished"
        assert_conserved(table)


@pytest.mark.parametrize("players", [2, 5, 7])
def test_a_match_ends_when_somebody_has_the_points(players: int) -> None:
    for playout in game("crazy_eights").playouts(20, players=players, seed=2, target=150, max_draw=2):
        assert playout.outcome == "finished" and max(playout.scores) >= 150
