"""Counts in rising order of what they count: cards of each kind, cards of a class in each cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

Cards = tuple[tuple[int, int], ...]  # (kind, how many), ascending
Row = tuple[tuple[int, int], ...]  # (cell, how many), ascending


def counts_of(kinds: Collection[int]) -> dict[int, int]:
    """Return how many there are of each kind."""
    found: dict[int, int] = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def changed_by(pairs: tuple[tuple[int, int], ...], key: int, change: int) -> tuple[tuple[int, int], ...]:
    """Return counts, which ascend by key, with one of them changed; what becomes 0 falls away."""
    for at, (k, n) in enumerate(pairs):
        if k == key:
            return (
                (*pairs[:at], (k, n + change), *pairs[at + 1 :])
                if n + change
                else pairs[:at] + pairs[at + 1 :]
            )
        if k > key:
            return (*pairs[:at], (key, change), *pairs[at:]) if change else pairs
    return (*pairs, (key, change)) if change else pairs


def together(a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return the sum of two counts."""
    found = dict(a)
    for key, n in b:
        found[key] = found.get(key, 0) + n
    return tuple(sorted(found.items()))


def total_of(pairs: tuple[tuple[int, int], ...]) -> int:
    """Return how many there are together."""
    return sum(n for _, n in pairs)


def shares(row: Row, amount: int, most: Mapping[int, int]) -> Iterator[Row]:
    """Yield every way to take `amount` out of a row, no more from a cell than `most` says where it says anything."""
    if not row:
        if amount == 0:
            yield ()
        return
    (cell, there), rest = row[0], row[1:]
    behind = total_of(rest)
    for n in range(max(0, amount - behind), min(there, amount, most.get(cell, there)) + 1):
        for others in shares(rest, amount - n, most):
            yield ((cell, n), *others) if n else others
