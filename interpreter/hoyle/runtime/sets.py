"""Sets as bit masks: what both back ends call by name."""

from __future__ import annotations

from collections.abc import Iterable


def members(mask: int) -> list[int]:
    """Return the elements of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def longest_run(mask: int) -> int:
    """Return the length of the longest run of consecutive elements of a set of numbers."""
    length = 0
    while mask:
        mask &= mask << 1
        length += 1
    return length


def mask_of(pieces: Iterable[int]) -> int:
    """Return the set of the pieces of a zone."""
    mask = 0
    for piece in pieces:
        mask |= 1 << piece
    return mask


def may_be_in_set(element: int, mask: int) -> int:
    """Return 1 if the element, which may be none, is in the set, else 0."""
    return mask >> element & 1 if element >= 0 else 0


def range_set(low: int, high: int) -> int:
    """Return the set of the numbers from `low` to `high`; empty if there are none."""
    return (1 << high + 1) - (1 << low) if low <= high else 0
