"""The best split of cards into melds and a rest: exact, by kinds, so that cards that look alike are tried once.

A meld is some cards that have something in common (`same`), perhaps no value of another thing twice (`once`), perhaps
with values in a row (`row`). Wild cards fill its gaps. Every meld that the cards could make is listed once; then the
lowest card that is left either stays in the rest or goes into one of the melds of which it is the lowest, and what is
best for the cards that remain is kept. A hand is one whole number with a field for how many there are of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from hoyle.runtime.faults import Fault

MOST_STATES = 300_000  # hands that one split leads to
MOST_SPLITS = 20_000  # splits kept before all are forgotten
WIDTH = 11  # bits of a field, the highest free to compare by
ORDER = 1 << 12  # more than there are cards: what counts more is a multiple of it

# What a form asks of a card: what must be the same, the place in a row, what must not come twice.
Marks = tuple[tuple[int, ...], int, int]


class Form(NamedTuple):
    """A form of meld, of `low` to `high` cards; 0 is any number. `marks` gives the marks of a kind, or None."""

    name: str
    low: int
    high: int
    row: bool
    once: bool
    marks: Callable[[int], Marks | None]


class Meld(NamedTuple):
    """A meld that could be made: its cards by kind, the same as a hand, and what it is worth to have it."""

    form: int
    kinds: tuple[int, ...]
    code: int
    gain: int


class Split(NamedTuple):
    """The best split: its score, for each meld its form and kinds, and the kinds of the rest."""

    total: int
    melds: tuple[tuple[int, tuple[int, ...]], ...]
    rest: tuple[int, ...]


class Melding:
    """The best split for one definition.

    `wild(kind)` says whether a card is wild; a meld has at most `most_wild` of them, or any number for -1, and one card
    at least that is not used as a wild. `worth(kind, melded)` is what a card adds to the score where it lies. With
    `least` the lowest score is best. Of equally good splits the one that melds more cards is taken, then the one with
    fewer melds.
    """

    def __init__(
        self,
        kind_of: Sequence[int],
        forms: Sequence[Form],
        wild: Callable[[int], object],
        most_wild: int,
        worth: Callable[[int, bool], int],
        least: bool,
        extra: int = 0,
        line: int = 0,
    ) -> None:
        self.extra, self.line = extra, line
        self.kind_of, self.forms, self.wild = kind_of, forms, wild
        self.most_wild, self.worth, self.sign = most_wild, worth, -1 if least else 1
        self.known: dict[tuple[int, ...], Split] = {}
        self.marks: list[dict[int, Marks]] = []
        self.places: list[dict[tuple[int, ...], set[int]]] = []
        self.values: list[dict[tuple[int, ...], set[int]]] = []
        self.worths: dict[tuple[int, bool], int] = {}

    def ready(self) -> None:
        """Find out which cards there are for each form: a wild stands for a card of the game alone."""
        if self.marks:
            return
        there = sorted(set(self.kind_of))
        self.worths = {(k, melded): self.worth(k, melded) for k in there for melded in (False, True)}
        for form in self.forms:
            marks = {k: m for k in there if (m := form.marks(k)) is not None}
            places: dict[tuple[int, ...], set[int]] = {}
            values: dict[tuple[int, ...], set[int]] = {}
            for same, place, value in marks.values():
                places.setdefault(same, set()).add(place)
                values.setdefault(same, set()).add(value)
            self.marks.append(marks)
            self.places.append(places)
            self.values.append(values)

    # ---- what is asked ----------------------------------------------------------------------

    def best(self, pieces: Iterable[int]) -> int:
        """Return the score of the best split of some pieces."""
        return self.split(pieces).total

    def split(self, pieces: Iterable[int]) -> Split:
        """Return the best split of some pieces."""
        key = tuple(sorted([self.kind_of[x] for x in pieces]))
        found = self.known.get(key)
        if found is None:
            if len(self.known) > MOST_SPLITS:
                self.known.clear()
            found = self.known[key] = self._split(key)
        return found

    def melds(self, pieces: Iterable[int]) -> list[int]:
        """Return the melds as sets of pieces."""
        return [sum(1 << x for x in meld) for _, meld in self.witness(pieces)[:-1]]

    def rest(self, pieces: Iterable[int]) -> int:
        """Return the pieces in no meld, as a set."""
        return sum(1 << x for x in self.witness(pieces)[-1][1])

    def witness(self, pieces: Iterable[int]) -> list[tuple[str, tuple[int, ...]]]:
        """Return (name of the form, pieces) for each meld, and last the rest; of alike pieces the first comes first."""
        there = sorted(pieces)
        split = self.split(there)
        by_kind: dict[int, list[int]] = {}
        for x in there:
            by_kind.setdefault(self.kind_of[x], []).append(x)
        told = [
            (self.forms[form].name, tuple([by_kind[k].pop(0) for k in kinds])) for form, kinds in split.melds
        ]
        return [*told, ("rest", tuple([by_kind[k].pop(0) for k in split.rest]))]

    # ---- the best split ---------------------------------------------------------------------

    def _split(self, kinds: tuple[int, ...]) -> Split:
        self.ready()
        hand: dict[int, int] = {}
        for kind in kinds:
            hand[kind] = hand.get(kind, 0) + 1
        # Wild cards stand last: what they are good for is settled by the others.
        order = sorted(hand, key=lambda k: (bool(self.wild(k)), k))
        field = {k: WIDTH * i for i, k in enumerate(order)}
        start = sum(n << field[k] for k, n in hand.items())
        guard = sum(1 << at + WIDTH - 1 for at in field.values())
        melds: list[list[Meld]] = [[] for _ in order]
        for meld in self._melds(hand, field):
            melds[min(order.index(k) for k in meld.kinds)].append(meld)
        # A card that no meld could hold stays in the rest.
        start -= sum(hand[k] << field[k] for k in order if not any(k in m.kinds for x in melds for m in x))
        known: dict[int, tuple[int, int]] = {0: (0, -1)}
        solve(start, melds, guard, known, self.line)
        return self._told(kinds, start, melds, known)

    def _told(
        self,
        kinds: tuple[int, ...],
        start: int,
        melds: list[list[Meld]],
        known: dict[int, tuple[int, int]],
    ) -> Split:
        made: list[Meld] = []
        left = start
        while left:
            at = first_field(left)
            chosen = known[left][1]
            if chosen >= 0:
                made.append(melds[at][chosen])
                left -= made[-1].code
            else:
                left -= 1 << WIDTH * at
        rest = list(kinds)
        for meld in made:
            for kind in meld.kinds:
                rest.remove(kind)
        total = self.extra + sum(self.worths[k, True] for meld in made for k in meld.kinds)
        total += sum(self.worths[k, False] for k in rest)
        told = sorted((meld.form, meld.kinds) for meld in made)
        return Split(total, tuple(told), tuple(rest))

    # ---- the melds that can be ----------------------------------------------------------------

    def _melds(self, hand: dict[int, int], field: dict[int, int]) -> Iterator[Meld]:
        """Yield every meld that some of the cards make, each once."""
        wilds = [k for k in hand if self.wild(k) for _ in range(hand[k])]
        most = len(wilds) if self.most_wild < 0 else min(len(wilds), self.most_wild)
        seen: set[tuple[int, int]] = set()
        for number, form in enumerate(self.forms):
            groups: dict[tuple[int, ...], list[int]] = {}
            for kind in hand:
                marks = self.marks[number].get(kind)
                if marks is not None:
                    groups.setdefault(marks[0], []).append(kind)
            for same, kinds in groups.items():
                if sum(hand[k] for k in kinds) + most < form.low:
                    continue
                listed = self._rows if form.row else self._sets
                for plain, gaps in listed(number, same, kinds, hand, most):
                    for fill in sorted(set(combinations(wilds, gaps))):
                        whole = (*plain, *fill)
                        code = sum(1 << field[k] for k in whole)
                        if (number, code) in seen or any(whole.count(k) > hand[k] for k in fill):
                            continue
                        seen.add((number, code))
                        yield Meld(number, whole, code, self._gain(whole))

    def _gain(self, kinds: Sequence[int]) -> int:
        """Return what it is worth to have a meld, with what settles ties behind."""
        gain = sum(self.worths[k, True] - self.worths[k, False] for k in kinds) * self.sign
        return (gain * ORDER + len(kinds)) * ORDER - 1

    def _sizes(self, form: Form, most: int) -> range:
        return range(form.low, min(form.high or most, most) + 1)

    def _rows(
        self, number: int, same: tuple[int, ...], kinds: Sequence[int], hand: dict[int, int], wilds: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield (cards, gaps) for each row with one card at least; every place may be a gap, to be filled by a wild."""
        form, places = self.forms[number], self.places[number][same]
        at: dict[int, list[int]] = {}
        for kind in kinds:
            at.setdefault(self.marks[number][kind][1], []).append(kind)
        for first in sorted(places):
            for size in self._sizes(form, len(places)):
                window = range(first, first + size)
                if any(v not in places for v in window):
                    break
                if sum(1 for v in window if v not in at) > wilds:
                    break
                for chosen in _filled([at.get(v, []) for v in window], wilds):
                    if (
                        chosen
                        and self._apart(number, chosen)
                        and self._fillable(number, same, window, chosen)
                    ):
                        yield chosen, size - len(chosen)

    def _fillable(self, number: int, same: tuple[int, ...], window: range, chosen: Sequence[int]) -> bool:
        """Return whether the gaps of a row have cards that wilds could stand for, without a value that comes twice."""
        if not self.forms[number].once or len(chosen) == len(window):
            return True
        marks = [self.marks[number][k] for k in chosen]
        gaps = [v for v in window if v not in {place for _, place, _ in marks}]
        there = [(p, v) for s, p, v in self.marks[number].values() if s == same]
        return _apart_in(gaps, {v for _, _, v in marks}, there)

    def _sets(
        self, number: int, same: tuple[int, ...], kinds: Sequence[int], hand: dict[int, int], wilds: int
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield (cards, gaps) for each set with one card at least."""
        form = self.forms[number]
        copies = [k for k in sorted(kinds) for _ in range(1 if form.once else hand[k])]
        most = len(self.values[number][same]) if form.once else sum(hand.values())
        for count in range(max(1, form.low - wilds), min(most, len(copies)) + 1):
            for chosen in sorted(set(combinations(copies, count))):
                if self._apart(number, chosen):
                    for size in self._sizes(form, most):
                        if count <= size <= count + wilds:
                            yield chosen, size - count

    def _apart(self, number: int, kinds: Sequence[int]) -> bool:
        """Return whether no value that may come once only comes twice."""
        if not self.forms[number].once:
            return True
        values = [self.marks[number][k][2] for k in kinds]
        return len(set(values)) == len(values)


def _filled(places: Sequence[Sequence[int]], gaps: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to take a card at some places, with so many gaps at most."""
    if not places:
        yield ()
        return
    for kind in places[0]:
        for rest in _filled(places[1:], gaps):
            yield (kind, *rest)
    if gaps > 0:
        yield from _filled(places[1:], gaps - 1)


def _apart_in(gaps: Sequence[int], used: set[int], there: Sequence[tuple[int, int]]) -> bool:
    """Return whether each gap can have a value of its own, of the (place, value) that there are."""
    if not gaps:
        return True
    free = {v for place, v in there if place == gaps[0]} - used
    return any(_apart_in(gaps[1:], used | {v}, there) for v in free)


def first_field(hand: int) -> int:
    """Return the number of the lowest field of a hand that is not empty."""
    return ((hand & -hand).bit_length() - 1) // WIDTH


def solve(
    hand: int, melds: Sequence[Sequence[Meld]], guard: int, known: dict[int, tuple[int, int]], line: int
) -> int:
    """Return the best gain from a hand, and note for it and all that it leads to (gain, which meld; -1 for none)."""
    found = known.get(hand)
    if found is not None:
        return found[0]
    at = first_field(hand)
    best, chosen = solve(hand - (1 << WIDTH * at), melds, guard, known, line), -1
    full = hand | guard
    for place, meld in enumerate(melds[at]):
        if (full - meld.code) & guard == guard:
            gain = meld.gain + solve(hand - meld.code, melds, guard, known, line)
            if gain > best:
                best, chosen = gain, place
    if len(known) > MOST_STATES:
        raise Fault("there are too many ways to split these cards", line)
    known[hand] = best, chosen
    return best
