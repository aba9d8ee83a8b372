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
