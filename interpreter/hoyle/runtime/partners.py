"""Partners: which pieces of a zone make a move with what lies in a small one, worked out once for each such thing."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from hoyle.runtime.sets import mask_of, members

MOST_KNOWN = 4096
MOST_ASKED = 50_000


class Partners(dict[int, list[int]]):
    """For what lies in a small zone: for each class of kinds the kinds that go with one of it then, as a mask.

    A kind that needs no other has the bit `alone`, behind those of all kinds. What stands in the list may be too
    much, never too little: the exact question is asked of what passes. Looking something up works it out.

    Kinds with equal `large` (in the zone the pieces come from, their classes being `class_of`) or `small` (in the other
    zone) are alike to all conditions. What lies there is looked up as the classes of `small`, those that `there` has
    for each piece, behind the bits of all kinds. `singles` give for a kind, `pairs` for two, the kinds of the
    small zone that fit, as a mask.
    """

    def __init__(
        self,
        kind_of: Sequence[int],
        large: Sequence[Hashable],
        small: Sequence[Hashable],
        singles: Sequence[Callable[[int], int]],
        pairs: Sequence[Callable[[int, int], int]],
    ) -> None:
        self.singles, self.pairs = singles, pairs
        self.alike = [large.index(x) for x in large]
        self.firsts = sorted(set(self.alike))
        self.class_of = [self.firsts.index(self.alike[k]) for k in kind_of]
        numbers = {x: number for number, x in enumerate(dict.fromkeys(small))}
        self.kinds = [sum(1 << k for k, x in enumerate(small) if x == y) for y in numbers]
        bits = [1 << k | 1 << len(small) + numbers[x] for k, x in enumerate(small)]
        self.there = [bits[k] for k in kind_of]
        many = len(self.firsts) ** (2 if pairs else 1) * len(small)
        self.everything = [(2 << len(small)) - 1] * len(self.firsts) if many > MOST_ASKED else []
        self.rows: list[tuple[int, int, int]] = []
        self.masks: dict[int, int] = {}

    def __missing__(self, classes: int) -> list[int]:
        """Return, and keep, the list for a set of classes: that of one of them joined to that of the others."""
        if len(self) >= MOST_KNOWN:
            self.clear()
        one = classes & -classes
        if self.everything:
            found = self.everything
        elif classes == one:
            found = self._found(self.kinds[one.bit_length() - 1] if one else 0)
        else:
            same = self.masks.setdefault  # equal masks are one object: so more of the lists is at hand
            found = [same(a | b, a | b) for a, b in zip(self[one], self[classes - one], strict=True)]
        self[classes] = found
        return found

    def _found(self, lying: int) -> list[int]:
        if not self.rows:
            self.rows = self._rows()
        goes = dict.fromkeys(self.firsts, 0)
        for kind, partner, fitting in self.rows:
            if fitting & lying:
                goes[kind] |= partner
        return list(goes.values())

    def _rows(self) -> list[tuple[int, int, int]]:
        """Return for the first kind of each class: it, who may go with it, and with which kinds of the small zone."""
        first = self.firsts
        rows = [(kind, 1 << len(self.alike), fits(kind)) for fits in self.singles for kind in first]
        for fit in self.pairs:
            for kind in first:
                for other in first:
                    partners = sum(1 << k for k, x in enumerate(self.alike) if x == other)
                    rows.append((kind, partners, fit(min(kind, other), max(kind, other))))
        return [row for row in rows if row[2]] or [(first[0], 0, 0)]


class Lying(dict[int, tuple[int, ...]]):
    """For the kinds that lie in the small zone and fit, as a mask: the moves with them, in the order of the kinds."""

    def __init__(self, moves: Mapping[int, tuple[int, ...]]) -> None:
        super().__init__({1 << kind: numbers for kind, numbers in moves.items()})
        self.moves = moves
        self.fitting = mask_of(moves)
        self[0] = ()

    def __missing__(self, lying: int) -> tuple[int, ...]:
        """Return, and keep, the moves with several kinds, one after the other."""
        found = tuple([n for kind in members(lying) for n in self.moves[kind]])
        if len(self) < MOST_KNOWN:
            self[lying] = found
        return found


class Together(dict[int, list[tuple[int, Lying]]]):
    """For the kinds that may go with one kind, as a mask: for each of them what must lie there, and the moves then.

    `moves` gives the moves of the kind with another one, by the kind that must lie there.
    """

    def __init__(self, moves: Callable[[int], Mapping[int, tuple[int, ...]]]) -> None:
        super().__init__()
        self.moves = moves
        self.each: dict[int, tuple[int, Lying]] = {}

    def __missing__(self, others: int) -> list[tuple[int, Lying]]:
        """Return, and keep, what the kinds of a mask make possible."""
        found = [self._one(other) for other in members(others)]
        if len(self) < MOST_KNOWN:
            self[others] = found
        return found

    def _one(self, other: int) -> tuple[int, Lying]:
        if other not in self.each:
            lying = Lying(self.moves(other))
            self.each[other] = lying.fitting, lying
        return self.each[other]
