"""Tables over what is used of several stocks, packed into whole numbers, and their best joins.

A table says for each way to use some of a few stocks (so many of the first, so many of the second) how much that is
worth. It is kept as one large whole number with a lane for each way: then one operation on numbers works on all lanes
at once, which makes the join of two tables (the max-plus convolution) fast in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


class Lanes:
    """The lanes for all ways to use up to `most[i]` of stock i; each holds a number of `width` bytes less a bit.

    The way that uses u[i] of stock i is lane number sum(u[i] * stride[i]).
    """

    def __init__(self, most: tuple[int, ...], width: int) -> None:
        self.most, self.width, self.bits = most, width, 8 * width
        self.stride: list[int] = []
        self.count = 1
        for n in most:
            self.stride.append(self.count)
            self.count *= n + 1
        self.ones = self.every(1)
        self.high = self.ones << self.bits - 1
        # room[i][j]: the lanes that leave j of stock i, all bits set.
        self.room: list[list[int]] = []
        for n, stride in zip(most, self.stride, strict=True):
            size, times = stride * width, self.count // (stride * (n + 1))
            blocks = [(b"\xff" * (n + 1 - j) * size + b"\0" * j * size) * times for j in range(n + 1)]
            self.room.append([int.from_bytes(block, "little") for block in blocks])
        self.left: dict[int, int] = {}

    def every(self, value: int) -> int:
        """Return a table with one value in all lanes."""
        return int.from_bytes(value.to_bytes(self.width, "little") * self.count, "little")

    def pack(self, values: Sequence[int]) -> int:
        """Return a table with these values."""
        if self.width == 1:
            return int.from_bytes(bytes(values), "little")
        return int.from_bytes(b"".join([v.to_bytes(self.width, "little") for v in values]), "little")

    def unpack(self, table: int) -> Sequence[int]:
        """Return the values of a table."""
        data = table.to_bytes(self.count * self.width, "little")
        if self.width == 1:
            return data
        return [int.from_bytes(data[i : i + self.width], "little") for i in range(0, len(data), self.width)]

    def higher(self, a: int, b: int) -> int:
        """Return the table of the higher values of two: the highest bit of each lane is free to compare by."""
        above = ((a | self.high) - b) & self.high
        return b ^ ((a ^ b) & (above - (above >> self.bits - 1)))

    def beside(self, lane: int) -> int:
        """Return the lanes in which there is room for what a lane uses, all bits set."""
        found = self.left.get(lane)
        if found is None:
            found = (1 << self.bits * self.count) - 1
            for n, stride, room in zip(self.most, self.stride, self.room, strict=True):
                used = lane // stride % (n + 1)
                if used:
                    found &= room[used]
            self.left[lane] = found
        return found

    def used(self, table: int, stock: int) -> int:
        """Return a table in which a stock of one is used up everywhere."""
        room = self.room[stock][1]
        return (table >> self.bits * self.stride[stock]) & room | table & ~room

    def parts(self, lanes: Sequence[int]) -> list[list[int]]:
        """Return for each of some lanes how much it uses of each stock."""
        pairs = list(zip(self.most, self.stride, strict=True))
        return [[lane // s % (n + 1) for n, s in pairs] for lane in lanes]

    def fits(self, inner: int, outer: int) -> bool:
        """Return whether a lane uses no more of any stock than another one."""
        pairs = zip(self.most, self.stride, strict=True)
        return all(inner // s % (n + 1) <= outer // s % (n + 1) for n, s in pairs)

    def closed(self, table: int) -> int:
        """Return a table in which using more is never worth less."""
        for n, stride, room in zip(self.most, self.stride, self.room, strict=True):
            for _ in range(n):
                table = self.higher(table, (table & room[1]) << self.bits * stride)
        return table

    def offers(self, table: int) -> list[tuple[int, int]]:
        """Return (lane, value) of a closed table wherever nothing used could be left out, and the lane of nothing."""
        less = 0
        for stride, room in zip(self.stride, self.room, strict=True):
            less = self.higher(less, (table & room[1]) << self.bits * stride)
        pairs = enumerate(zip(self.unpack(table), self.unpack(less), strict=True))
        return [(lane, value) for lane, (value, below) in pairs if value > below or lane == 0]

    def joined(self, table: int, offers: Sequence[tuple[int, int]]) -> int:
        """Return the best sums of a table and some offers that use stocks in common."""
        best = 0
        bits, ones, high, down = self.bits, self.ones, self.high, self.bits - 1
        for lane, value in offers:
            room = self.beside(lane)
            sums = ((ones & room) * value + (table & room)) << bits * lane
            above = ((best | high) - sums) & high  # `higher`, written out: this is the inner loop
            best = sums ^ ((best ^ sums) & (above - (above >> down)))
        return best


@lru_cache(maxsize=64)
def lanes_for(most: tuple[int, ...], highest: int) -> Lanes:
    """Return lanes for such stocks, wide enough for values up to `highest`; the same object for the same bytes."""
    return _lanes(most, highest.bit_length() // 8 + 1)


@lru_cache(maxsize=64)
def _lanes(most: tuple[int, ...], width: int) -> Lanes:
    return Lanes(most, width)
