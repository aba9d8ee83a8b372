"""All tables that a seat holds possible, by brute force: every shuffle and every unseen choice is tried.

A script is a list of moves with cards. Each is done on one true table by hoyle, and here on every table that fits what
the seat has been told so far. Cards are numbers; what the seat is told are faces, places and sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

Table = tuple[tuple[int, ...], ...]  # the cards of each zone, from the bottom or left; a pool is sorted
Told = tuple[Any, ...]


class Zone(NamedTuple):
    name: str
    form: str
    seen: str
    owner: int = -1


ZONES = (
    Zone("stock", "pile", "hidden"),
    Zone("cellar", "row", "hidden"),
    Zone("shelf", "row", "open"),
    Zone("heap", "pile", "top"),
    Zone("kitty", "pool", "hidden"),
    Zone("hand", "pool", "owner", 0),
    Zone("hand", "pool", "owner", 1),
    Zone("brow", "pool", "others", 0),
    Zone("brow", "pool", "others", 1),
)
STOCK, CELLAR = 0, 1


def sees(zone: int, seat: int) -> bool:
    """Return whether a seat sees all cards of a zone."""
    seen, owner = ZONES[zone].seen, ZONES[zone].owner
    return seen == "open" or (seen == "owner" and owner == seat) or (seen == "others" and owner != seat)


def laid(table: Table, zone: int, cards: tuple[int, ...]) -> Table:
    """Return the table with other cards in one zone."""
    lying = tuple(sorted(cards)) if ZONES[zone].form == "pool" else tuple(cards)
    return (*table[:zone], lying, *table[zone + 1 :])


class Watching:
    """What one seat is told, when cards have these faces."""

    def __init__(self, seat: int, faces: tuple[int, ...]) -> None:
        self.seat = seat
        self.faces = faces

    def sight(self, table: Table) -> Told:
        """Return what the seat sees of a table that lies still."""
        shown = []
        for zone, cards in enumerate(table):
            faces = [self.faces[x] for x in cards]
            if sees(zone, self.seat):
                shown.append(tuple(faces))
            elif ZONES[zone].seen == "top" and faces:
                shown.append((len(faces), faces[-1]))
            else:
                shown.append((len(faces),))
        return tuple(shown)

    def moved(self, table: Table, card: int, source: int, target: int) -> tuple[Table, Told]:
        """Return the table after one card has moved, and what the seat is told of that."""
        cards = table[source]
        top = ZONES[target].seen == "top" or (ZONES[source].seen == "top" and cards[-1] == card)
        seen = top or sees(source, self.seat) or sees(target, self.seat)
        at = -1 if ZONES[source].form == "pool" else cards.index(card)
        left = laid(table, source, tuple(x for x in cards if x != card))
        return laid(left, target, (*left[target], card)), (at, ("card", self.faces[card] if seen else None))

    def faces_of(self, words: Told) -> Told:
        """Return what was told of moves, with faces in the place of cards."""
        return tuple(
            (x[0], None if x[1] is None else self.faces[x[1]])
            if isinstance(x, tuple) and x and x[0] == "card"
            else x
            for x in words
        )

    def ways(
        self, table: Table, move: tuple[Any, ...], faces: tuple[int, ...] | None = None
    ) -> Iterator[tuple[Table, Told]]:
        """Yield every table that a move can lead to, with what the seat is told; `faces` says which cards are alike."""
        faces = faces or self.faces
        match move:
            case ("shuffle", zone):
                for order in permutations(table[zone]):
                    yield laid(table, zone, order), ()
            case ("draw", source, target, count):
                for left, drawn in self._drawn(table, source, count):
                    yield self._landed(left, drawn, source, target)
            case ("deal", source, first, count):
                for left, drawn in self._drawn(table, source, count * 2):
                    after, told = self._landed(left, drawn[::2], source, first)
                    after, more = self._landed(after, drawn[1::2], source, first + 1)
                    yield after, told + more
            case ("swap", a, b):
                told = [self._card(x, sees(a, self.seat) or sees(b, self.seat)) for x in table[a] + table[b]]
                yield laid(laid(table, a, table[b]), b, table[a]), tuple(told)
            case ("duel", pile):
                for left, out in self._duelled(table, pile, faces, [0, 1], ()):
                    for order in permutations((*left[pile], *out)):
                        yield laid(left, pile, order), tuple(self._card(x, True) for x in out)
            case ("choose", source, target):
                for card in table[source]:
                    yield self.moved(table, card, source, target)
            case ("all", source, target):
                told = []
                for card in table[source]:
                    table, one = self.moved(table, card, source, target)
                    told.append(one[1])
                yield table, tuple(told)
            case ("gather", target, kinds):
                yield from self._gathered(table, target, kinds, faces)
            case ("lacks", zone, kinds):
                if not any(faces[x] in kinds for x in table[zone]):
                    yield table, ()
            case _:
                raise AssertionError(move)

    def _card(self, card: int, seen: bool) -> Told:
        return ("card", self.faces[card] if seen else None)

    def _drawn(self, table: Table, source: int, count: int) -> Iterator[tuple[Table, tuple[int, ...]]]:
        """Yield every way to draw from the top; the cellar, shuffled, becomes the new stock when that runs out."""
        drawn = table[source][::-1][:count]
        left = laid(table, source, table[source][: len(table[source]) - len(drawn)])
        if len(drawn) == count or source != STOCK or not table[CELLAR]:
            yield left, drawn
            return
        for order in permutations(table[CELLAR]):
            for after, more in self._drawn_once(
                laid(laid(left, CELLAR, ()), STOCK, order), count - len(drawn)
            ):
                yield after, drawn + more

    def _drawn_once(self, table: Table, count: int) -> Iterator[tuple[Table, tuple[int, ...]]]:
        drawn = table[STOCK][::-1][:count]
        yield laid(table, STOCK, table[STOCK][: len(table[STOCK]) - len(drawn)]), drawn

    def _landed(
        self, table: Table, drawn: tuple[int, ...], source: int, target: int
    ) -> tuple[Table, tuple[Told, ...]]:
        top = ZONES[target].seen == "top" or ZONES[source].seen == "top"
        seen = top or sees(source, self.seat) or sees(target, self.seat)
        return laid(table, target, (*table[target], *drawn)), tuple(self._card(x, seen) for x in drawn)

    def _duelled(
        self, table: Table, pile: int, faces: tuple[int, ...], seats: list[int], out: tuple[int, ...]
    ) -> Iterator[tuple[Table, tuple[int, ...]]]:
        """Yield every way in which players draw, who tie draw again; the cards that are then out."""
        for left, drawn in self._drawn(table, pile, len(seats)):
            if len(drawn) < len(seats):
                return
            best = max(faces[x] for x in drawn)
            still = [seat for seat, x in zip(seats, drawn, strict=True) if faces[x] == best]
            if len(still) == 1:
                yield left, out + drawn
            else:
                yield from self._duelled(left, pile, faces, still, out + drawn)

    def _gathered(
        self, table: Table, target: int, kinds: tuple[int, ...] | None, faces: tuple[int, ...]
    ) -> Iterator[tuple[Table, Told]]:
        coming, told = [], []
        for zone, cards in enumerate(table):
            going = [x for x in cards if zone != target and (kinds is None or faces[x] in kinds)]
            coming += going
            pool = ZONES[zone].form == "pool"
            told.append(len(going) if pool else tuple(cards.index(x) for x in going))
            table = laid(table, zone, tuple(x for x in cards if x not in going))
        together = (*table[target], *sorted(coming))
        for order in permutations(together) if ZONES[target].form != "pool" else [together]:
            yield laid(table, target, order), tuple(told)

    def told(self, table: Table, after: Table, words: Told) -> Told:
        """Return all that the seat learns of a move."""
        return words, self.sight(after)


Pasts = set[tuple[tuple[Told, ...], Table]]


def possible(first: Table, moves: list[tuple[Any, ...]], told: list[Told], watching: Watching) -> Pasts:
    """Return the tables that fit all that the seat was told: at first, and after each move.

    Each comes with the very cards that were seen on the way there: if two cards have one face, the seat can't tell
    which of them it has seen, but it was one of them, and each is as likely as the other.
    """
    really = Watching(watching.seat, tuple(range(len(watching.faces))))
    pasts: Pasts = {((really.sight(first),), first)}
    for move, heard in zip(moves, told[1:], strict=True):
        pasts = {
            ((*past, really.told(table, after, words)), after)
            for past, table in pasts
            for after, words in really.ways(table, move, watching.faces)
            if watching.told(table, after, watching.faces_of(words)) == heard
        }
    return pasts


def by_faces(pasts: Pasts, watching: Watching) -> dict[Table, Fraction]:
    """Return how likely each table is as the faces of its cards, if all that could be are equally likely."""
    found: Counter[Table] = Counter()
    for _, table in pasts:
        found[in_faces(table, watching.faces)] += 1
    return {t: Fraction(n, len(pasts)) for t, n in found.items()}


def in_faces(table: Table, faces: tuple[int, ...]) -> Table:
    """Return a table as the faces of its cards."""
    return tuple(
        tuple(sorted(faces[x] for x in cards) if ZONES[zone].form == "pool" else [faces[x] for x in cards])
        for zone, cards in enumerate(table)
    )
