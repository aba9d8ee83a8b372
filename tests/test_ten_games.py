"""Whole random games of Ten by both back ends in turn: they end, keep all cards and tokens, and list few moves."""

from __future__ import annotations

import os

import pytest

from hoyle.runtime.chance import mix, pick
from hoyle.runtime.game import BaseGame
from lockstep import module_of
from specs_for_tests import assert_conserved, game

MANY = int(os.environ.get("EXAMPLES", "24"))
MOST_MOVES = 300


@pytest.fixture(scope="module")
def back_ends() -> tuple[BaseGame, BaseGame]:
    return game("ten"), module_of(game("ten").program)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_random_games_end_and_keep_all_that_there_is(
    players: int, back_ends: tuple[BaseGame, BaseGame]
) -> None:
    for seed in range(MANY):
        table = back_ends[seed % 2].start(players=players, seed=mix(5, seed))
        choice = mix(5, seed, 1)
        while table.turn is not None:
            legal = table.legal()
            assert 0 < len(legal) <= MOST_MOVES
            if seed % 8 == 0:
                assert_conserved(table)  # type: ignore[arg-type]
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
        assert table.outcome == "finished" and table.winners
        assert min(table.scores) >= 0
        if seed % 2 == 0:
            assert_conserved(table)  # type: ignore[arg-type]
