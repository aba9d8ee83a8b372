"""The best split of cards into melds and a rest: exact, by kinds, so that cards that look alike are tried once.

A meld is some cards that have something in common (`same`), perhaps no value of another thing twice (`once`), perhaps
with values in a row (`row`). Wild cards fill its gaps. Every meld that the cards could make is listed once; then the
lowest card that is left either stays in the rest or goes into one of the melds of which it is the lowest, and what is
best for the cards that remain is kept. A hand is one whole number with a field for how many there are of each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from hoyle.runtime.faults import Fault

MOST_STATES = 300_000  # hands that one split leads to
MOST_STEPS_OF_A_SPLIT = 5_000_000  # melds that are held against these hands
MOST_SPLITS = 20_000  # splits kept before all are forgotten
MOST_LISTED = 2_000  # melds of a whole deck that are listed once for all
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
        self.wilds: set[int] = set()
        # Each kind has a field of a hand, the highest bit of it free to compare by. Wild cards stand last: what they
        # are good for is settled by the others.
        self.field: dict[int, int] = {}
        self.width = self.guard = self.tried = 0
        self.unit: dict[int, int] = {}
        # All melds of the deck without wilds, by their lowest kind; None if there are too many.
        self.listed: dict[int, list[Meld]] | None = None

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
        deck = {k: self.kind_of.count(k) for k in there}
        self.wilds = {k for k in there if self.wild(k)}
        self.width = max(deck.values(), default=0).bit_length() + 1
        order = sorted(there, key=lambda k: (k in self.wilds, self._front(k), k))
        self.field = {k: self.width * i for i, k in enumerate(order)}
        self.guard = sum(1 << at + self.width - 1 for at in self.field.values())
        self.unit = {k: 1 << at for k, at in self.field.items()}
        listed = list(islice(self._melds(deck, []), MOST_LISTED + 1))
        if len(listed) <= MOST_LISTED:
            self.listed = {}
            for meld in listed:
                self.listed.setdefault(min(meld.kinds, key=self.field.__getitem__), []).append(meld)

    def _front(self, kind: int) -> tuple[int, ...]:
        """Return where a kind stands among those that are tried: all cards of one place of a row come together.

        So the melds that have been tried reach only a little ahead, and lead to few hands.
        """
        rows = [marks for form, marks in zip(self.forms, self.marks, strict=True) if form.row]
        if rows:
            return tuple([marks[kind][1] for marks in rows if kind in marks][:1])
        return next((marks[kind][0] for marks in self.marks if kind in marks), ())

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
        unit, guard = self.unit, self.guard
        full = guard
        for kind in kinds:
            full += unit[kind]
        wilds = [k for k in kinds if k in self.wilds]
        first: dict[int, list[Meld]] = {}
        if self.listed is None or wilds:
            hand: dict[int, int] = {}
            for kind in kinds:
                hand[kind] = hand.get(kind, 0) + 1
            for meld in self._melds(hand, wilds):
                first.setdefault(self.lowest(meld.code), []).append(meld)
        else:
            for kind in dict.fromkeys(kinds):
                there = [m for m in self.listed.get(kind, ()) if (full - m.code) & guard == guard]
                if there:
                    first[self.field[kind]] = there
        # A card that no meld could hold stays in the rest.
        useful = {k for melds in first.values() for m in melds for k in m.kinds}
        start = sum([unit[k] for k in kinds if k in useful])
        known: dict[int, tuple[int, Meld | None]] = {0: (0, None)}
        self.tried = 0
        self._solve(start, first, known)
        made: list[Meld] = []
        while start:
            chosen = known[start][1]
            if chosen is not None:
                made.append(chosen)
            start -= 1 << self.lowest(start) if chosen is None else chosen.code
        return self._told(kinds, made)

    def _told(self, kinds: tuple[int, ...], made: list[Meld]) -> Split:
        rest = list(kinds)
        for meld in made:
            for kind in meld.kinds:
                rest.remove(kind)
        total = self.extra + sum(self.worths[k, True] for meld in made for k in meld.kinds)
        total += sum(self.worths[k, False] for k in rest)
        told = sorted((meld.form, meld.kinds) for meld in made)
        return Split(total, tuple(told), tuple(rest))

    def lowest(self, hand: int) -> int:
        """Return where the lowest field of a hand begins that is not empty."""
        at = (hand & -hand).bit_length() - 1
        return at - at % self.width

    def _solve(
        self, hand: int, first: dict[int, list[Meld]], known: dict[int, tuple[int, Meld | None]]
    ) -> int:
        """Return the best gain from a hand; note it, and the first meld, for the hand and all that it leads to."""
        found = known.get(hand)
        if found is not None:
            return found[0]
        at = self.lowest(hand)
        best, chosen = self._solve(hand - (1 << at), first, known), None
        full, guard = hand | self.guard, self.guard
        melds = first.get(at, ())
        self.tried += len(melds)
        for meld in melds:
            if (full - meld.code) & guard == guard:
                gain = meld.gain + self._solve(hand - meld.code, first, known)
                if gain > best:
                    best, chosen = gain, meld
        if len(known) > MOST_STATES or self.tried > MOST_STEPS_OF_A_SPLIT:
            raise Fault("there are too many ways to split these cards", self.line)
        known[hand] = best, chosen
        return best

    # ---- the melds that can be ----------------------------------------------------------------

    def _melds(self, hand: dict[int, int], wilds: Sequence[int]) -> Iterator[Meld]:
        """Yield every meld that some of the cards make, each once; `wilds` are those that may fill gaps."""
        unit = self.unit
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
                        code = sum([unit[k] for k in whole])
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
