"""What a group of cards is judged by: tallies in one whole number, and what it can come to with wild cards.

A state is the tallies of a group: sets of values below, sums above.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from hoyle.runtime.lanes import lanes_for
from hoyle.runtime.sets import longest_run, members

FIELD = 80  # bits for a sum
SET_BITS = {"any": 1, "every": 1, "run": 63, "set": 63}
MOST_KEPT = 20_000  # values kept before all are forgotten
AT_ONCE = 100  # states from which on all are worked out at once
MOST_BITS = 11

Effect = tuple[int, int]  # what a card does to a state: (state | first) + second
NOTHING: Effect = (0, 0)


class Tallies:
    """How the tallies of a group make a state; `words` are any, every, count, sum, run (the longest) or set."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.shifts = []
        place = 0
        for word in words:
            self.shifts.append(place)
            place += SET_BITS.get(word, 0)
        self.low = place
        for i, word in enumerate(words):
            if word not in SET_BITS:
                self.shifts[i] = place
                place += FIELD

    def effect(self, values: Sequence[int | None]) -> Effect:
        """Return what a card does that adds these values to the tallies, None where it is not among them.

        To `every` the value is whether the card passes.
        """
        sets = sums = 0
        for word, shift, value in zip(self.words, self.shifts, values, strict=True):
            if value is None:
                continue
            match word:
                case "any":
                    sets |= 1 << shift
                case "every":
                    sets |= (not value) << shift
                case "run" | "set":
                    sets |= 1 << shift + value
                case "count":
                    sums += 1 << shift
                case _:
                    sums += value << shift
        return sets, sums

    def values(self, state: int) -> list[int]:
        """Return the tallies that a state stands for."""
        found = []
        sums = state >> self.low
        for word, shift in zip(self.words, self.shifts, strict=True):
            bits = SET_BITS.get(word, 0)
            if bits:
                mask = state >> shift & (1 << bits) - 1
                found.append(longest_run(mask) if word == "run" else 1 - mask if word == "every" else mask)
            else:
                part = sums & (1 << FIELD) - 1
                part -= (part >> FIELD - 1) << FIELD
                sums = (sums - part) >> FIELD
                found.append(part)
        return found


class Level(dict[int, int]):
    """The best worth of a state when some wilds of the group are still to be something, filled as it is asked.

    `effects` is what the first of them can do, `after` the level behind it; with `idle` it may be nothing.
    """

    def __init__(self, effects: tuple[Effect, ...], idle: bool, after: dict[int, int]) -> None:
        super().__init__()
        self.effects, self.idle, self.after = effects, idle, after
        self.filled: set[tuple[int, int]] = set()

    def __missing__(self, state: int) -> int:
        after = self.after
        found = [after[(state | sets) + sums] for sets, sums in self.effects]
        if self.idle:
            found.append(after[state])
        if len(self) > MOST_KEPT:
            self.clear()
        best = self[state] = max(found)
        return best


class Worth(dict[int, int]):
    """What a state is worth without wilds, filled as it is asked."""

    def __init__(self, work: Callable[[int], int]) -> None:
        super().__init__()
        self.work = work

    def __missing__(self, state: int) -> int:
        if len(self) > MOST_KEPT:
            self.clear()
        value = self[state] = self.work(state)
        return value


def fill(level: Level, low: int, high: int) -> None:
    """Work a level and those behind it out for all sets between two at once, where each effect adds one element."""
    chain: list[Level] = []
    table: dict[int, int] = level
    while isinstance(table, Level):
        chain.append(table)
        table = table.after
    effects = {e for x in chain for e in x.effects}
    bits = [1 << x for x in members((high | functools.reduce(int.__or__, [s for s, _ in effects])) & ~low)]
    if len(bits) > MOST_BITS or any(sums or (sets & ~low).bit_count() > 1 for sets, sums in effects):
        return
    states = [low]
    for bit in bits:
        states += [s | bit for s in states]
    values = [table[s] for s in states]
    level.filled.add((low, high))
    least = min(values)
    lanes = lanes_for((1,) * len(bits), max(values) - least)
    packed = lanes.pack([v - least for v in values])
    for x in reversed(chain):
        best = packed if x.idle else 0
        for sets, _ in x.effects:
            at = bits.index(sets & ~low) if sets & ~low else -1
            best = lanes.higher(best, packed if at < 0 else lanes.used(packed, at))
        packed = best
        x.update(zip(states, [v + least for v in lanes.unpack(packed)], strict=True))
