"""What an option asks, part by part, and a state in which a seat's hidden cards can't be read.

A legal move is found without these; they serve to say why another one is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import Any, NamedTuple, SupportsIndex

from hoyle.runtime.sets import members
from hoyle.runtime.shape import Shape
from hoyle.runtime.state import PLACE, State

# Where pieces are remembered: place in the state, how many places, whether each holds a set.
Holding = tuple[int, int, bool]


class SourceShape(NamedTuple):
    """What an argument is chosen from, as the spec has it; for pieces the kinds that fit.

    `veiled` says that it may rest on cards that were hidden when something was worked out from them. `of` are the kinds
    of which a set can be.
    """

    words: str
    kinds: Sequence[int]
    veiled: bool
    holds: tuple[Holding, ...]
    of: Sequence[int] = ()


class ConditionShape(NamedTuple):
    """A condition of an option as the spec has it, and the places of the arguments it speaks of.

    One that is not written as such `says` what it asks for, with rule text of its own.
    """

    words: str
    line: int
    needs: tuple[int, ...]
    veiled: bool
    holds: tuple[Holding, ...]
    says: str = ""
    text: str = ""


class GroupShape(NamedTuple):
    """Arguments that share a source: how many, over how many values, from which on, as how many moves."""

    many: int
    size: int
    low: int
    moves: int


class AskedShape(NamedTuple):
    """All that an option asks, and how its moves are numbered from `first` on."""

    first: int
    groups: tuple[GroupShape, ...]
    sources: tuple[SourceShape, ...]
    conditions: tuple[ConditionShape, ...]

    def values(self, number: int) -> list[int] | None:
        """Return the arguments that a number stands for, pieces by kind; None if it is no move of this option."""
        left = number - self.first
        values: list[int] = []
        place = len(self.sources)
        for group in reversed(self.groups):
            left, part = divmod(left, group.moves)
            place -= group.many
            kinds = self.sources[place].kinds
            places = unranked(part, group.many, bool(kinds))
            if any(x >= group.size for x in places):
                return None
            values = [kinds[x] if kinds else x + group.low for x in places] + values
        return values if left == 0 else None


def unranked(number: int, many: int, with_repeats: bool) -> list[int]:
    """Return the places, ascending, whose number among all unordered choices of so many this is; see `rank_of`."""
    places: list[int] = []
    for i in range(many, 0, -1):
        low, high = i - 1, i
        while comb(high, i) <= number:
            low, high = high, 2 * high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle, i) <= number else (low, middle)
        number -= comb(low, i)
        places.append(low - (i - 1) if with_repeats else low)
    return places[::-1]


class NotSeen(Exception):
    """Somebody asked about cards that the seat does not see."""


class Veiled:
    """A zone of which a seat knows the size alone, or the top card too."""

    def __init__(self, pieces: list[int], top: bool) -> None:
        self.pieces = pieces
        self.top = top

    def __len__(self) -> int:
        return len(self.pieces)

    def __getitem__(self, place: Any) -> int:
        if self.top and place == -1:
            return self.pieces[-1]
        raise NotSeen


class SeenState(list[Any]):
    """A copy of a state whose zones can be read only as far as a seat sees them."""

    def __init__(self, shape: Shape, S: State, seat: int) -> None:
        super().__init__(S)
        self.shape = shape
        self.seat = seat

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        value = super().__getitem__(place)
        if (
            isinstance(place, int)
            and place >= self.shape.size
            and not self.shape.seen[place] >> self.seat & 1
        ):
            return Veiled(value, place in self.shape.top_seen)
        return value

    def sees(self, piece: int) -> bool:
        """Return whether the seat sees a piece where it lies."""
        place = self[PLACE][piece]
        if place < 0:
            return False
        there = self[place]
        return not isinstance(there, Veiled) or (there.top and there[-1] == piece)

    def open(self, asked: SourceShape | ConditionShape) -> bool:
        """Return whether nothing that is remembered for it is hidden from the seat."""
        if asked.veiled:
            return False
        held: Iterable[int] = (
            piece
            for place, many, of_set in asked.holds
            for value in self[place : place + many]
            for piece in (members(value) if of_set else [value])
            if value >= 0
        )
        return all(self.sees(piece) for piece in held)
