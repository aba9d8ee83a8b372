"""Unordered choices of several as numbers, in colexicographic order."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb


def rank_of(places: Sequence[int], with_repeats: bool) -> int:
    """Return the number of an unordered choice among all of its size; with repeats equal places may stand together."""
    number = 0
    for i, place in enumerate(sorted(places)):
        number += comb(place + i, i + 1) if with_repeats else comb(place, i + 1)
    return number


def nth_of_kind(kind_of: Sequence[int], pieces: Sequence[int], kind: int, skip: int) -> int:
    """Return the first piece of a kind after `skip` others of it, in the order given; -1 if there is none."""
    for piece in pieces:
        if kind_of[piece] == kind:
            if skip == 0:
                return piece
            skip -= 1
    return -1


def sets_there(
    kind_of: Sequence[int], pieces: Sequence[int], subsets: Sequence[Sequence[int]], low: int, high: int
) -> list[tuple[int, int]]:
    """Return those of some sets of kinds that pieces can make up: the place of each, and the pieces as a mask.

    A set has `low` to `high` pieces. Of pieces that look alike the first are taken.
    """
    there: dict[int, list[int]] = {}
    for piece in sorted(pieces):
        there.setdefault(kind_of[piece], []).append(piece)
    found = []
    for place, kinds in enumerate(subsets):
        if low <= len(kinds) <= high:
            mask, taken = 0, dict[int, int]()
            for kind in kinds:
                at = taken.get(kind, 0)
                if at >= len(there.get(kind, ())):
                    break
                mask |= 1 << there[kind][at]
                taken[kind] = at + 1
            else:
                found.append((place, mask))
    return found
