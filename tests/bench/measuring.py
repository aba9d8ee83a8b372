"""Ways of playing measured side by side: in every round each plays for a moment, and ratios are those of a round.

Time is that of this process alone; what else the machine does makes all ways of a round slower, not one of them.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from time import process_time
from typing import NamedTuple

# How often a way plays, about as long as in a round, in the first part of a warm-up and the last that there can be.
FEWEST, MOST = 1, 64
NO_FASTER = 0.95
FIRST_SEED = 1000  # of a warm-up: none that a round has
TICK = 1e-6
Way = Callable[[int, int], int]  # plays so many games with a seed, and returns how many decisions they took


class Figure(NamedTuple):
    """A value of several rounds: its median, and between what the middle half of the rounds lies."""

    median: float
    low: float
    high: float


class Rounds(NamedTuple):
    """Microseconds a decision, of each way, round by round."""

    taken: Mapping[str, Sequence[float]]

    def figure(self, way: str) -> Figure:
        """Return how many microseconds a decision takes."""
        return figure(self.taken[way])

    def ratio(self, slower: str, faster: str) -> Figure:
        """Return how many times as long one way takes as another."""
        return figure([a / b for a, b in zip(self.taken[slower], self.taken[faster], strict=True)])


def figure(values: Sequence[float]) -> Figure:
    """Return the median of some values, and their quartiles."""
    ordered = sorted(values)
    quarter = len(ordered) // 4
    return Figure(median(ordered), ordered[quarter], ordered[-1 - quarter])


def measure(ways: Mapping[str, Way], rounds: int, seconds: float, warm: bool = False) -> Rounds:
    """Return what some ways take; each plays about so many seconds in each round, and in no round first twice.

    With `warm` each has played before until it becomes no faster.
    """
    games = {name: _games(way, seconds) for name, way in ways.items()}
    for name, way in ways.items() if warm else ():
        games[name] = warmed(way, games[name], seconds)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    names = list(ways)
    gc.collect()
    gc.freeze()
    for number in range(rounds):
        turn = number % len(names)
        for name in (*names[turn:], *names[:turn]):
            gc.collect()
            begin = process_time()
            decisions = ways[name](games[name], number + 1)
            taken[name].append((process_time() - begin) / decisions * 1e6)
    gc.unfreeze()
    return Rounds(taken)


def warmed(way: Way, games: int, seconds: float) -> int:
    """Return how many games a way plays in so many seconds once it is warm, having played until it is.

    It plays twice as long again and again, until it is no faster than the time before: what it makes when it is first
    asked for, such as tables, is made by then.
    """
    before, batches, seed = 0.0, FEWEST, FIRST_SEED
    while True:
        taken = []
        for _ in range(batches):
            begin = process_time()
            decisions = way(games, seed)
            took = max(process_time() - begin, TICK)
            taken.append(took / decisions)
            seed += 1
        now = figure(taken).low
        games = max(1, round(games * seconds / took))
        if batches >= MOST or (before and now > before * NO_FASTER):
            return games
        before, batches = now, 2 * batches


def _games(way: Way, seconds: float) -> int:
    """Return how many games a way plays in so many seconds; those played here fill the tables it makes as it goes."""
    games = 1
    while True:
        begin = process_time()
        way(games, 0)
        took = process_time() - begin
        if took > seconds / 4:
            return max(1, round(games * seconds / took))
        games *= 4
