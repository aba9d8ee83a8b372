"""How fast random games of DOS run: microseconds a decision, decisions and games a second.

    python tests/bench/bench.py [--games 300] [--runs 7] [--json]

The game is interpreted, and compiled to a module; `times as fast` is how much faster the module is. Every row is the
median of several runs in this process; rows of one run can be compared, rows of different days or machines can't.
`playouts` is the way simulations take; `legal, step` is a driver that asks for the legal moves, picks
one and makes it; `moves, play` is one that handles moves with their words.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from hoyle import modules
from hoyle.runtime.game import BaseGame
from hoyle.session import interpreted, load


class Run(NamedTuple):
    """One run: seconds it took, decisions and games played."""

    seconds: float
    decisions: int
    games: int


class Row(NamedTuple):
    """One way to play with one number of players: medians over runs, and how far the runs lie apart."""

    back_end: str
    way: str
    players: int
    us_a_decision: float
    decisions_a_second: float
    games_a_second: float
    spread: float


def playouts(game: BaseGame, players: int, games: int) -> Run:
    """Play games in one go."""
    begin = perf_counter()
    decisions = sum(x.decisions for x in game.playouts(games, players=players, seed=1))
    return Run(perf_counter() - begin, decisions, games)


def stepping(game: BaseGame, players: int, games: int) -> Run:
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


def wording(game: BaseGame, players: int, games: int) -> Run:
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


WAYS: dict[str, tuple[Callable[[BaseGame, int, int], Run], int]] = {
    "playouts": (playouts, 1),
    "legal, step": (stepping, 1),
    "moves, play": (wording, 4),  # so much slower that a quarter of the games will do
}


def games_of_dos() -> dict[str, BaseGame]:
    """Return the game by each back end; the module is made anew."""
    game = interpreted("dos")
    with tempfile.TemporaryDirectory() as folder:
        compiled = load(str(modules.write(game.program, Path(folder))))
    return {"interpreted": game, "compiled": compiled}  # type: ignore[dict-item]  # a module brings its own classes


def measure(games: dict[str, BaseGame], count: int, runs: int) -> list[Row]:
    """Return a row for every way, number of players and back end; runs are interleaved, so that a busy moment hits all.

    Some games are played before anything is measured, since both back ends fill tables as they go.
    """
    players_of = next(iter(games.values())).counts
    cases = [(name, way, players) for way in WAYS for players in players_of for name in games]
    for players in players_of:
        for game in games.values():
            playouts(game, players, count)
    found: dict[tuple[str, str, int], list[Run]] = {case: [] for case in cases}
    for _ in range(runs):
        for case in cases:
            name, way, players = case
            play, part = WAYS[way]
            gc.collect()
            found[case].append(play(games[name], players, max(1, count // part)))
    return [row(*case, found[case]) for case in cases]


def row(back_end: str, way: str, players: int, runs: list[Run]) -> Row:
    """Return the medians of some runs."""
    each = [x.seconds / x.decisions for x in runs]
    middle = median(each)
    games = median(x.games / x.seconds for x in runs)
    return Row(back_end, way, players, middle * 1e6, 1 / middle, games, (max(each) - min(each)) / middle)


def ratios(rows: list[Row]) -> dict[tuple[str, int], float]:
    """Return for each way and number of players how many times as fast as the interpreter the module is."""
    us = {(x.back_end, x.way, x.players): x.us_a_decision for x in rows}
    return {
        (way, players): us["interpreted", way, players] / us[name, way, players]
        for name, way, players in us
        if name == "compiled"
    }


def table(rows: list[Row]) -> str:
    """Return rows as a table for people."""
    faster = ratios(rows)
    lines = ["way          players  back end     µs/decision  decisions/s   games/s  spread  times as fast"]
    for x in rows:
        times = f"{faster[x.way, x.players]:14.2f}" if x.back_end == "compiled" else ""
        lines.append(
            f"{x.way:<12} {x.players:>7}  {x.back_end:<11} {x.us_a_decision:>12.2f} {x.decisions_a_second:>12,.0f} "
            f"{x.games_a_second:>9,.1f} {x.spread:>7.0%} {times}".rstrip()
        )
    return "\n".join(lines)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="How fast random games of DOS run.")
    options.add_argument("--games", type=int, default=100, help="games a run")
    options.add_argument("--runs", type=int, default=5, help="runs, of which the median is taken")
    options.add_argument("--json", action="store_true", help="print JSON")
    given = options.parse_args()
    rows = measure(games_of_dos(), given.games, given.runs)
    if given.json:
        about = {"python": platform.python_version(), "games": given.games, "runs": given.runs}
        times = [{"way": w, "players": n, "times_as_fast": x} for (w, n), x in ratios(rows).items()]
        json.dump({**about, "rows": [x._asdict() for x in rows], "ratios": times}, sys.stdout, indent=2)
        print()
        return
    python = platform.python_version()
    print(f"DOS, Python {python}, median of {given.runs} runs of {given.games} games")
    print(table(rows))


if __name__ == "__main__":
    main()
