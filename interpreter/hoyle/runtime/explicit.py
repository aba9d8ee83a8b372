"""Chance made explicit: what would be drawn by lot is asked of whoever holds the table, one card or value at a time.

In such a table the place of the random integer holds a `Chances`. The rules run as ever; where they need an outcome
that is not laid down yet, `Undecided` breaks them off, and the table runs them again from the last decision with one
outcome more. So neither back end knows of it.

A shuffled pile is settled card by card as it is drawn, where nothing can read its order before; else at once. Cards
that look alike are one outcome, unless somebody has kept track of one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from hoyle.runtime.asked import Holding
from hoyle.runtime.sets import members
from hoyle.runtime.shape import Reading, Shape
from hoyle.runtime.state import PLACE, State


class ChanceShape(NamedTuple):
    """What explicit chance must know of a program.

    `lazy` are the places of the piles whose order nothing reads but drawing; `apart` says that cards which look alike
    may be told apart by what a back end keeps to itself; `tracked` are the places where pieces are remembered.
    """

    lazy: tuple[int, ...]
    apart: bool
    tracked: tuple[Holding, ...]


class Outcome(NamedTuple):
    """One outcome: its number (of the face, or the value itself), its probability, its words, and what it gives."""

    number: int
    probability: Fraction
    text: str
    value: int


class Undecided(Exception):
    """The rules need an outcome that is not laid down; `outcomes` are those possible, by ascending number."""

    def __init__(self, outcomes: tuple[Outcome, ...]) -> None:
        super().__init__("chance is undecided")
        self.outcomes = outcomes


class Chances:
    """Where chance stands in a state: the piles not settled yet, and outcomes laid down for the run that goes on.

    It changes while rules run. The one of a state that stands is never changed again: a run begins with `fresh`.
    """

    __slots__ = ("_given", "_loose", "_shape", "_used", "facts")

    def __init__(self, shape: Shape, facts: ChanceShape) -> None:
        self._shape = shape
        self.facts = facts
        self._loose: dict[int, frozenset[int]] = {}
        self._given: tuple[int, ...] = ()
        self._used = 0

    def fresh(self, given: Iterable[int]) -> Chances:
        """Return the same for another run, with outcomes laid down by their numbers."""
        new = Chances(self._shape, self.facts)
        new._loose = dict(self._loose)
        new._given = tuple(given)
        return new

    # ---- what the rules call ------------------------------------------------------------------

    def shuffle(self, S: State, zone: int) -> None:
        """Put a zone into random order: when it is drawn from, if nothing reads its order before."""
        self._loose[zone] = frozenset(S[zone])
        if zone not in self.facts.lazy:
            self.settle(S, zone, len(S[zone]))

    def settle(self, S: State, zone: int, count: int) -> None:
        """Settle which pieces lie on top of a shuffled zone, so many of them, from the top down."""
        pile = S[zone]
        for at in range(len(pile) - 1, max(len(pile) - count, 0) - 1, -1):
            loose = self._loose.get(zone, frozenset())
            if pile[at] not in loose:
                continue
            there = sorted(x for x in pile[: at + 1] if x in loose)
            piece = self._piece(S, [(x, ()) for x in there])
            place = pile.index(piece)
            pile[at], pile[place] = pile[place], pile[at]
            self._loose[zone] = loose - {piece}

    def added(self, zone: int, pieces: Iterable[int]) -> None:
        """Note that pieces come to lie on top of a zone: they are where they are."""
        if zone in self._loose:
            self._loose[zone] -= frozenset(pieces)

    def one_of(self, S: State, found: Sequence[int], reading: Reading) -> int:
        """Return one element of a collection."""
        if reading[0] == "piece":
            return self._piece(S, [(x, self._where(S, x)) for x in found])
        if len(found) == 1:  # what is certain is not asked
            return found[0]
        if self._used < len(self._given):
            return self._next()
        words = self._shape.word
        chance = Fraction(1, len(found))
        raise Undecided(tuple(Outcome(x, chance, words(reading, x), x) for x in sorted(found)))

    # ---- outcomes -----------------------------------------------------------------------------

    def _where(self, S: State, piece: int) -> tuple[int, ...]:
        """Return where a piece lies, as far as that matters for equal ones."""
        zone = S[PLACE][piece]
        if zone < 0 or self._shape.is_pool[zone]:
            return (zone,)
        return (zone, S[zone].index(piece))

    def _piece(self, S: State, found: Sequence[tuple[int, tuple[int, ...]]]) -> int:
        """Return one of some pieces, each as likely; those that nothing tells apart are one outcome."""
        classes: dict[tuple[object, ...], list[int]] = {}
        tracks = {} if self.facts.apart else self._tracks(S)
        for piece, where in found:
            mark = (piece,) if self.facts.apart else tuple(tracks.get(piece, ()))
            classes.setdefault((self._shape.kind_of[piece], where, mark), []).append(piece)
        numbers: dict[int, list[int]] = {}
        seen: dict[int, int] = {}
        for pieces in classes.values():
            kind = self._shape.kind_of[pieces[0]]
            numbers[kind + seen.get(kind, 0) * len(self._shape.faces)] = pieces
            seen[kind] = seen.get(kind, 0) + 1
        if len(numbers) == 1:
            return found[0][0]
        if self._used < len(self._given):
            return numbers[self._next()][0]
        raise Undecided(
            tuple(
                Outcome(number, Fraction(len(x), len(found)), self._shape.face(x[0]), x[0])
                for number, x in sorted(numbers.items())
            )
        )

    def _tracks(self, S: State) -> dict[int, list[object]]:
        """Return for each piece that is remembered in variables in which ones."""
        found: dict[int, list[object]] = {}
        for place, many, of_set in self.facts.tracked:
            for at in range(place, place + many):
                value = S[at]
                if isinstance(value, tuple):
                    for i, row in enumerate(value):
                        for piece in set(row):
                            found.setdefault(piece, []).append((at, i))
                elif value >= 0:
                    for piece in members(value) if of_set else (value,):
                        found.setdefault(piece, []).append(at)
        return found

    def _next(self) -> int:
        """Return the number of the next outcome laid down."""
        self._used += 1
        return self._given[self._used - 1]
