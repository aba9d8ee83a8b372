"""What a traced game counts: how often each point of its rules was passed, in the interpreter as in a module.

The checker lays the points, so that both back ends count the very same. A plain game has none and pays nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

from hoyle.runtime.game import BaseGame
from hoyle.runtime.points import Offer, Point
from hoyle.runtime.running import CompiledRules
from hoyle.runtime.state import BLOCK, State


class Traced:
    """Rules that count. Statements count for themselves; what is offered and taken is counted as a move is made."""

    fired: list[int]
    offers: Mapping[int, Sequence[Offer]]

    def count_options(self, block: int, number: int, found: Any) -> None:
        """Count at a choice the options that have a move among ascending numbers, and the one of the move made."""
        fired = self.fired
        for offered, taken, ranges in self.offers[block]:
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
        self.count_options(S[BLOCK], number, found)
        CompiledRules.play(self, S, number, found)


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
