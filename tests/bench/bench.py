"""How fast random games of DOS run: microseconds a decision, decisions and games a second.

    python tests/bench/bench.py [--games 300] [--runs 7] [--json]

Every row is the median of several runs in this process; rows of one run can be compared, rows of different days or
machines can't. `playouts` is the way simulations take; `legal, step` is a driver that asks for the legal moves, picks
one and makes it; `moves, play` is one that handles moves with their words.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import sys
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import NamedTuple

from hoyle.interpret import Game
from hoyle.session import interpreted


class Run(NamedTuple):
    """One run: seconds it took, decisions and games played."""

    seconds: float
    decisions: int
    games: int


class Row(NamedTuple):
    """One way to play with one number of players: medians over runs, and how far the runs lie apart."""

    way: str
    players: int
    us_a_decision: float
    decisions_a_second: float
    games_a_second: float
    spread: float


def playouts(game: Game, players: int, games: int) -> Run:
    """Play games in one go."""
    begin = perf_counter()
    decisions = sum(x.decisions for x in game.playouts(games, players=players, seed=1))
    return Run(perf_counter() - begin, decisions, games)


def stepping(game: Game, players: int, games: int) -> Run:
    """Play games move by move, on numbers alone."""
    choose, decisions = random.Random(1).random, 0
    begin = perf_counter()
    for seed in range(games):
        table = game.start(players=players, seed=seed)
        legal, step = table.legal, table.step
        while table.turn is not None:
            numbers = legal()
            step(numbers[int(choose() * len(numbers))])
        decisions += table.decisions
    return Run(perf_counter() - begin, decisions, games)


def wording(game: Game, players: int, games: int) -> Run:
    """Play games move by move, with the words of every move."""
    choose, decisions = random.Random(1).random, 0
    begin = perf_counter()
    for seed in range(games):
        table = game.start(players=players, seed=seed)
        while table.turn is not None:
            moves = table.moves()
            table.play(moves[int(choose() * len(moves))])
        decisions += table.decisions
    return Run(perf_counter() - begin, decisions, games)


WAYS: dict[str, tuple[Callable[[Game, int, int], Run], int]] = {
    "playouts": (playouts, 1),
    "legal, step": (stepping, 1),
    "moves, play": (wording, 4),  # so much slower that a quarter of the games will do
}


def measure(game: Game, games: int, runs: int) -> list[Row]:
    """Return a row for every way and number of players; runs of all are interleaved, so that a busy moment hits all.

    Some games are played before anything is measured, since the interpreter fills tables as it goes.
    """
    cases = [(way, players) for way in WAYS for players in game.counts]
    for players in game.counts:
        playouts(game, players, games)
    found: dict[tuple[str, int], list[Run]] = {case: [] for case in cases}
    for _ in range(runs):
        for way, players in cases:
            play, part = WAYS[way]
            gc.collect()
            found[way, players].append(play(game, players, max(1, games // part)))
    return [row(way, players, found[way, players]) for way, players in cases]


def row(way: str, players: int, runs: list[Run]) -> Row:
    """Return the medians of some runs."""
    each = [x.seconds / x.decisions for x in runs]
    middle = median(each)
    games = median(x.games / x.seconds for x in runs)
    return Row(way, players, middle * 1e6, 1 / middle, games, (max(each) - min(each)) / middle)


def table(rows: list[Row]) -> str:
    """Return rows as a table for people."""
    lines = ["way           players   µs/decision   decisions/s    games/s   spread"]
    for x in rows:
        lines.append(
            f"{x.way:<13} {x.players:>7} {x.us_a_decision:>13.2f} {x.decisions_a_second:>13,.0f} "
            f"{x.games_a_second:>10,.1f} {x.spread:>8.0%}"
        )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="How fast random games of DOS run.")
    options.add_argument("--games", type=int, default=100, help="games a run")
    options.add_argument("--runs", type=int, default=5, help="runs, of which the median is taken")
    options.add_argument("--json", action="store_true", help="print JSON")
    given = options.parse_args()
    rows = measure(interpreted("dos"), given.games, given.runs)
    if given.json:
        about = {"python": platform.python_version(), "games": given.games, "runs": given.runs}
        json.dump({**about, "rows": [x._asdict() for x in rows]}, sys.stdout, indent=2)
        print()
        return
    python = platform.python_version()
    print(f"DOS, interpreted, Python {python}, median of {given.runs} runs of {given.games} games")
    print(table(rows))


if __name__ == "__main__":
    main()
