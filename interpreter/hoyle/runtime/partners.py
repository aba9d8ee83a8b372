"""Partners: which pieces of a zone make a move with what lies in a small one, worked out once for each such thing."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from hoyle.runtime.sets import members

MOST_KNOWN = 4096
MOST_ANSWERS = 1 << 16
MOST_ASKED = 50_000


class Known(dict[tuple[int, ...], tuple[int, ...]]):
    """Answers to a question about kinds, each worked out when it is first looked up."""

    def __init__(self, answer: Callable[..., tuple[int, ...]]) -> None:
        self.answer = answer

    def __missing__(self, key: tuple[int, ...]) -> tuple[int, ...]:
        """Return, and keep, an answer."""
        if len(self) >= MOST_ANSWERS:
            self.clear()
        found = self[key] = self.answer(*key)
        return found


class Partners(dict[int, list[int]]):
    """For the classes of the kinds that lie in a small zone, as a mask: for each piece the kinds that go with it then.

    A piece that needs no other has the bit `alone`, behind those of all kinds. What stands in the list may be too
    much, never too little: the exact question is asked of what passes. Looking something up works it out.

    Kinds with equal `large` (in the zone the pieces come from) or `small` (in the other zone) are alike to all
    conditions. `singles` give for a kind, `pairs` for two, the kinds of the small zone that fit, as a mask.
    """

    def __init__(
        self,
        kind_of: Sequence[int],
        large: Sequence[Hashable],
        small: Sequence[Hashable],
        singles: Sequence[Callable[[int], int]],
        pairs: Sequence[Callable[[int, int], int]],
    ) -> None:
        self.kind_of = kind_of
        self.singles, self.pairs = singles, pairs
        self.rows: list[tuple[int, int, int]] = []
        self.alike = [large.index(x) for x in large]
        numbers = {x: number for number, x in enumerate(dict.fromkeys(small))}
        self.kinds = [sum(1 << k for k, x in enumerate(small) if x == y) for y in numbers]
        self.class_of = [1 << numbers[small[k]] for k in kind_of]
        many = len(set(self.alike)) ** (2 if pairs else 1) * len(small)
        self.everything = [(2 << len(small)) - 1] * len(kind_of) if many > MOST_ASKED else []

    def __missing__(self, classes: int) -> list[int]:
        """Return, and keep, the list for a set of classes."""
        if len(self) >= MOST_KNOWN:
            self.clear()
        found = self.everything or self._found(sum(self.kinds[c] for c in members(classes)))
        self[classes] = found
        return found

    def _found(self, lying: int) -> list[int]:
        if not self.rows:
            self.rows = self._rows()
        goes = dict.fromkeys(self.alike, 0)
        for kind, partner, fitting in self.rows:
            if fitting & lying:
                goes[kind] |= partner
        return [goes[self.alike[kind]] for kind in self.kind_of]

    def _rows(self) -> list[tuple[int, int, int]]:
        """Return for the first kind of each class: it, who may go with it, and with which kinds of the small zone."""
        first = sorted(set(self.alike))
        rows = [(kind, 1 << len(self.alike), fits(kind)) for fits in self.singles for kind in first]
        for fit in self.pairs:
            for kind in first:
                for other in first:
                    partners = sum(1 << k for k, x in enumerate(self.alike) if x == other)
                    rows.append((kind, partners, fit(min(kind, other), max(kind, other))))
        return [row for row in rows if row[2]] or [(first[0], 0, 0)]
