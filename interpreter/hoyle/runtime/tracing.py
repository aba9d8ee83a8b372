"""What a traced game counts: how often each point of its rules was passed, in the interpreter as in a module.

The checker lays the points, so that both back ends count the very same. A plain game has none and pays nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER
from hoyle.runtime.game import BaseGame
from hoyle.runtime.points import Offer, Point
from hoyle.runtime.running import CompiledRules
from hoyle.runtime.state import BLOCK, DECISIONS, SEAT, STEPS, State


class Traced:
    """Rules that count. Statements count for themselves; what is offered and taken is counted as a move is made."""

    fired: list[int]
    offers: Mapping[int, Sequence[Offer]]

    def count_options(self, S: State, number: int, found: Any) -> None:
        """Count the options that have a move among `found`, ascending numbers, and the one that `number` belongs to."""
        fired = self.fired
        for offered, taken, ranges in self.offers[S[BLOCK]]:
            for first, end in ranges:
                if first <= number < end:
                    fired[offered] += 1
                    fired[taken] += 1
                    break
            else:
                for first, end in ranges:
                    place = bisect_left(found, first)
                    if place < len(found) and found[place] < end:
                        fired[offered] += 1
                        break


class TracedRules(Traced, CompiledRules):
    """The rules of a compiled game that counts."""

    def play(self, S: State, number: int, found: Any) -> None:
        """Make a legal move and run on to the next decision or the end."""
        self.count_options(S, number, found)
        CompiledRules.play(self, S, number, found)

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by the random choices of a plain module, to its end or until `most` decisions are made."""
        finders, players_of, blocks = self.finders, self.players_of, self.blocks
        choices = forced = 0
        try:
            self.advance(S)
            while S[SEAT] >= 0 and S[DECISIONS] < most:
                at = S[BLOCK]
                found = finders[at](S) or self.find(S)
                count = len(found)
                choices += count
                forced += count == 1
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                number = found[((choice >> 15) * count) >> 48]
                self.count_options(S, number, found)
                S[DECISIONS] += 1
                S[STEPS] = 0
                block = players_of[at](S, number)
                while block >= 0:
                    block = blocks[block](S)
        finally:
            counts[:] = choices, forced


class TracedGame(BaseGame):
    """A game whose rules count; tables of one player count and one setting count together."""

    points: Sequence[Point]

    def fired(self, players: int | None = None, **parameters: Any) -> tuple[int, ...]:
        """Return how often each point has been passed so far, at all tables of this player count and these parameters.

        Tables that somebody only thinks with, copies and drawn ones, count too.
        """
        rules = self.rules(players, parameters)
        assert isinstance(rules, Traced)
        return tuple(rules.fired)
