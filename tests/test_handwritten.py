"""What is written by hand in bench/handwritten/ and the modules of the same specs play the same games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from handwritten import Result, hearts, native, uno
from specs_for_tests import both, game

GAMES = 150
BY_HAND: dict[str, Callable[[int, int], Iterator[Result]]] = {"hearts": hearts.playouts, "uno": uno.playouts}
SEEDS = [0, 7, 2**63 + 5]  # the last is one that does not fit into a signed number


def results(playouts: Any) -> list[Result]:
    """Return how games ended; all must have been played to their end."""
    found = list(playouts)
    assert {x.outcome for x in found} == {"finished"}
    return [Result(x.scores, x.winners, x.decisions) for x in found]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_modules_play_the_games_that_are_written_by_hand(name: str, seed: int) -> None:
    assert results(both(name).right.playouts(GAMES, seed=seed)) == list(BY_HAND[name](GAMES, seed))


@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_the_interpreter_plays_the_games_that_are_written_by_hand(name: str) -> None:
    few = GAMES // 50
    assert results(game(name).playouts(few, seed=3)) == list(BY_HAND[name](few, 3))


@pytest.mark.skipif(native.compiler() is None, reason="there is no C compiler")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", sorted(BY_HAND))
def test_games_in_c_are_those_written_by_hand(name: str, seed: int) -> None:
    many = GAMES * 4  # more than one batch
    made = list(native.playouts(name, many, seed))
    assert made == list(BY_HAND[name](many, seed))
    assert native.decisions(name, many, seed) == sum(x.decisions for x in made)
