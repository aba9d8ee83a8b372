"""What tricks need to know of the rest of a spec: its zones, and what every card has. Reads syntax alone."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

from hoyle import syntax as s
from hoyle.check.decisions import walk
from hoyle.check.moments import names_of
from hoyle.source import Span

FORMS = ("pile", "row", "pool")


@dataclass(frozen=True)
class Table:
    """The zones of a spec by name, what every card has, and the words of lines that could not be read."""

    zones: Mapping[str, s.Zone]
    attributes: frozenset[str]  # those that every card has
    turning: bool  # somebody may be eliminated, or turns reversed
    broken: frozenset[str]
    names: Mapping[str, Span]  # where names are declared

    def own(self, name: str) -> bool:
        """Return whether each player has a zone of that name."""
        return name in self.zones and "each player" in self._words(name)

    def row(self, name: str) -> bool:
        """Return whether a name is that of a row that all players share."""
        words = self._words(name) if name in self.zones else set()
        return "row" in words and words.isdisjoint(("each player", "each team"))

    def told(self, name: str) -> bool:
        """Return whether a fault of a zone is told already: its line can't be read, or says no form or no owner."""
        if name not in self.zones:
            return name in self.broken
        words = self._words(name)
        ownerless = words.isdisjoint(("each player", "each team")) and any(
            w.startswith("seen by") for w in words
        )
        return ownerless or sum(word in FORMS for word in words) != 1

    def near(self, name: str) -> str:
        """Return the row that all share of which the name is most like this one; empty if none is like it."""
        rows = [other for other in self.zones if self.row(other)]
        return next(iter(difflib.get_close_matches(name, rows, n=1)), "")

    def _words(self, name: str) -> set[str]:
        return {word.word for word in self.zones[name].words}


def table_of(blocks: tuple[s.Block, ...], broken: frozenset[str]) -> Table:
    """Return what a spec says about zones and cards."""
    zones: dict[str, s.Zone] = {}
    turning = False
    cards: list[set[str]] = []
    for block in blocks:
        match block:
            case s.Zone():
                zones.setdefault(block.name.text, block)
            case s.Piece():
                cards.append({w.text for x in block.fields for w in x.names})
            case s.Phase():
                turning = turning or any(
                    isinstance(x, s.Eliminate | s.ReverseTurns) for x in walk(block.body)
                )
            case _:
                pass
    shared = frozenset(set.intersection(*cards)) if cards else frozenset()
    return Table(zones, shared, turning, broken, names_of(blocks))
