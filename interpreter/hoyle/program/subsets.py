"""The sets of pieces that a player could choose: counted, and listed where there are few. Equal pieces count once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.program.game import DeckLine, Kind

MOST_LISTED = 200  # up to so many sets are one move each; of more, the pieces are picked one by one


def copies_of(kinds: Sequence[Kind], deck: Sequence[DeckLine], types: Sequence[str]) -> dict[int, int]:
    """Return how many pieces of each kind of some card types there can be, by kind, ascending."""
    found: dict[int, int] = {}
    for line in deck:
        if kinds[line.kind].type in types:
            found[line.kind] = found.get(line.kind, 0) + line.copies
    return dict(sorted(found.items()))


def few(copies: dict[int, int], low: int, high: int) -> bool:
    """Return whether there are few enough sets of `low` to `high` pieces to list them."""
    high = min(high, sum(copies.values()))
    ways = [1] + [0] * max(high, 0)  # by size
    for many in copies.values():
        ways = [sum(ways[max(0, size - many) : size + 1]) for size in range(len(ways))]
        if sum(ways[max(low, 0) : high + 1]) > MOST_LISTED:
            return False
    return True


def listed(copies: dict[int, int], low: int, high: int) -> tuple[tuple[int, ...], ...]:
    """Return the sets of `low` to `high` pieces, each as its kinds, ascending; in the order of their first kinds."""
    return tuple(_listed(copies, low, high))


def _listed(copies: dict[int, int], low: int, high: int) -> Iterator[tuple[int, ...]]:
    kinds = list(copies)
    after = [sum(copies[k] for k in kinds[at:]) for at in range(len(kinds) + 1)]
    open_: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while open_:
        chosen, place = open_.pop()
        if len(chosen) >= low:
            yield chosen
        if len(chosen) >= high:
            continue
        for at in reversed(range(place, len(kinds))):
            taken = chosen.count(kinds[at])
            if taken < copies[kinds[at]] and len(chosen) + after[at] - taken >= low:
                open_.append(((*chosen, kinds[at]), at))
