"""Paying with things of some worth, no change given: which sums they can make, and how little can be too much.

Sums are bit masks: bit n says that n can be paid. A payment holds nothing that could be left out, so what is paid too
much is less than the least that was paid with. Of all ways to reach an amount the one that is over by least holds
nothing needless; a payment that has begun can be completed just if that one is over by less than the least so far.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.runtime.faults import Fault

NEVER = 1 << 40  # over by more than anything is worth: it can't be paid
PACKED = 1 << 24  # a piece and its worth are one number, the worth below this
MOST_WORTH = 100_000  # what one thing can be worth: sums are masks of as many bits as all are worth together


def coins(sums: int, worth: int, count: int) -> int:
    """Return the sums that can be made with up to `count` more things of one worth; those worth nothing add none."""
    if worth > 0:
        step = 1
        while count > 0:  # doubling: 1, 2, 4, ... and the rest, so that every count is a sum of some of them
            step = min(step, count)
            sums |= sums << worth * step
            count -= step
            step *= 2
    return sums


def excess(sums: int, due: int) -> int:
    """Return by how little too much can be paid: 0 if just `due` can be; NEVER if it can't be reached."""
    if due <= 0:
        return -due
    reached = sums >> due
    return (reached & -reached).bit_length() - 1 if reached else NEVER


def packed_sums(sums: int, packed: Sequence[int]) -> int:
    """Return the sums that can be made with some more pieces, each packed with its worth."""
    for x in packed:
        sums |= sums << worth_of(x)
    return sums


def worth_of(packed: int) -> int:
    """Return the worth of a piece packed with it; less than nothing counts as nothing."""
    worth = packed % PACKED - PACKED // 2
    return max(0, worth)


def payable(
    kind_of: Sequence[int], packed: Sequence[int], last: int, due: int, least: int, sums: int, exact: int
) -> int:
    """Return the set of the pieces that may be paid next, in rising order of faces, so that the rest can be paid.

    `last` is the piece paid last, or none; `least` the least worth paid with so far; `sums` what can be paid later on.
    """
    allowed = 0
    from_kind = kind_of[last] if last >= 0 else -1
    for x in sorted(packed, key=lambda x: kind_of[x // PACKED], reverse=True):
        piece, worth = x // PACKED, worth_of(x)
        if kind_of[piece] < from_kind:
            break
        if worth > 0 and excess(sums, due - worth) < (1 if exact else min(least, worth)):
            allowed |= 1 << piece
        sums |= sums << worth
    return allowed


def settled(amount: int, possible: int, line: int) -> int:
    """Return an amount that can be paid; one that can't is a fault."""
    if not possible:
        raise Fault(f"{amount} is to be paid, and can't be", line)
    return amount
