"""From what has happened to what a seat knows: events as a seat is told them, and knowledge that grows with them.

Knowledge is made of told events alone, in which every card that the seat did not see is `UNKNOWN`. So it can't depend
on anything else, and nor can what is drawn from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hoyle.runtime.counts import Cards, counts_of
from hoyle.runtime.knowledge import Knowledge
from hoyle.runtime.shape import OptionShape, Shape
from hoyle.runtime.state import PLACE, UNKNOWN, State
from hoyle.runtime.view import Viewer, sees

Event_ = tuple[Any, ...]
MOST_ONTO_ITSELF = 6  # of more cards moved from a pile onto the same pile the order is forgotten


def lie(shape: Shape, S: State, known: int) -> Event_:
    """Return the event that a table is laid as it is; `known` are the seats, as a mask, that know where all lies."""
    lists = tuple((zone, tuple(S[zone])) for zone in shape.lists if S[zone])
    kinds = counts_of([shape.kind_of[x] for x, zone in enumerate(S[PLACE]) if zone >= 0])
    return ("lie", known, tuple(sorted(kinds.items())), lists)


class Teller:
    """Turns events into what one seat is told of them."""

    def __init__(self, viewer: Viewer, seat: int) -> None:
        self.viewer = viewer
        self.shape = viewer.shape
        self.seat = seat

    def told(self, events: Sequence[Event_]) -> list[Event_]:
        """Return events as the seat is told them; they end where somebody is to choose."""
        return [self._told(event, events, place) for place, event in enumerate(events)]

    def _told(self, event: Event_, events: Sequence[Event_], place: int) -> Event_:
        match event:
            case ("choose", who, block, option, arguments, seen, spots):
                chosen = self.shape.choices[block].options[option]
                shown = self._arguments(chosen, who, arguments, seen, events, place)
                return ("choose", who, block, option, shown, seen, spots)
            case ("told", who, whole, arguments, seen, spots):
                shown = self._arguments(self.shape.wholes[whole], who, arguments, seen, events, place)
                return ("told", who, whole, shown, seen, spots)
            case ("answer", who, *_) if who != self.seat:
                return ("answer", who, -1, -1, ())
            case ("show", seats, shown):
                return ("show", seats, tuple([self._showing(*x) for x in shown]))
            case ("best", seats, label, *_) if not seats >> self.seat & 1:
                return ("best", seats, label, 0, ())
            case ("move", target, moved):
                return ("move", target, tuple([self._moving(*x) for x in moved]))
            case ("lie", known, kinds, lists):
                full = known >> self.seat & 1
                return ("lie", known, kinds, tuple((z, x if full else self._lying(z, x)) for z, x in lists))
            case ("shuffle", zone, order):
                return ("shuffle", zone, self._lying(zone, order))
            case ("gather", target, kinds, left):
                pool = self.shape.is_pool
                places = tuple((z, tuple(range(len(x))) if pool[z] else x) for z, x in left)
                return ("gather", target, kinds, places)
            case ("pick", at, name, "piece", _):
                return ("pick", at, name, "piece", UNKNOWN)
            case _:
                return event

    def _arguments(
        self,
        chosen: OptionShape,
        who: int,
        arguments: Sequence[Any],
        seen: Sequence[Any],
        events: Sequence[Event_],
        place: int,
    ) -> tuple[Any, ...]:
        """Return the arguments of a move as told."""

        def shown(piece: int, mask: int) -> int:
            return piece if self._chosen(piece, who, mask, events, place) else UNKNOWN

        made: list[Any] = []
        for (_, reading, _), value, masks in zip(chosen.arguments, arguments, seen, strict=True):
            if reading[0] == "set":
                made.append(tuple([shown(x, mask) for x, mask in zip(value, masks, strict=True)]))
            else:
                made.append(shown(value, masks) if reading[0] == "piece" else value)
        return tuple(made)

    def _showing(self, piece: int, zone: int, at: int, seen: int) -> tuple[int, int, int, int]:
        return piece if sees(seen, self.seat) else UNKNOWN, zone, at, seen

    def _moving(self, piece: int, source: int, seen: int, at: int) -> tuple[int, int, int, int]:
        """Return one move as told; which card of a pool it is tells nothing, since a pool has no places."""
        shown = piece if sees(seen, self.seat) else UNKNOWN
        return shown, source, seen, 0 if self.shape.is_pool[source] and at >= 0 else at

    def _chosen(self, piece: int, who: int, seen: int, events: Sequence[Event_], place: int) -> bool:
        return (
            who == self.seat
            or sees(seen, self.seat)
            or self.viewer.seen_after(piece, events, place, self.seat)
        )

    def _lying(self, zone: int, pieces: tuple[int, ...]) -> tuple[int, ...]:
        """Return the pieces of a zone as the seat sees them lying there."""
        if self.shape.seen[zone] >> self.seat & 1:
            return pieces
        hidden = (UNKNOWN,) * len(pieces)
        return (*hidden[1:], pieces[-1]) if pieces and zone in self.shape.top_seen else hidden


class Memory:
    """What a seat knows, as it grows with the events that the seat is told."""

    def __init__(self, shape: Shape, seat: int) -> None:
        self.shape = shape
        self.seat = seat
        self.knows = Knowledge(shape)
        self.begun = False
        self.lost = False  # whether it had to begin anew, from sight
        self.limbo: list[
            tuple[int, int]
        ] = []  # cards drawn and not yet landed: their cell, and whence; -1 after
        self.swapping = 0  # moves to come that make up an exchange, which has been learnt as a whole

    def copy(self) -> Memory:
        """Return a memory that can go its own way."""
        new = Memory.__new__(Memory)
        new.shape, new.seat, new.begun, new.lost = self.shape, self.seat, self.begun, self.lost
        new.knows, new.limbo, new.swapping = self.knows.copy(), [], 0
        return new

    def learn(self, event: Event_) -> None:
        """Take in an event as the seat is told it."""
        knows = self.knows
        match event:
            case ("choose", who, _, _, arguments, _, spots) if who == self.seat:
                self._handled(arguments, spots)
            case ("told", who, _, arguments, _, spots) if who == self.seat:
                self._handled(arguments, spots)
            case ("show", _, shown):
                for piece, zone, place, _ in shown:
                    if zone >= 0 and piece != UNKNOWN:
                        self._at(zone, place, self.shape.kind_of[piece])
            case ("move", target, moved) if self.swapping:
                self.swapping -= 1
                self._looked_at(target, [piece for piece, *_ in moved])
            case ("move", target, moved):
                self._moved(target, moved)
            case ("swap", a, b):
                self.swapping = (knows.sizes(a) > 0) + (knows.sizes(b) > 0)
                knows.swap(a, b)
            case ("shuffle", zone, order):
                knows.mix(zone)
                self._shown(zone, order)
            case ("refill", pile, other):
                self._refilled(pile, other)
            case ("gather", target, kinds, left):
                self._gathered(target, kinds, dict(left))
            case ("drawn", _, piece, pile):
                self._forget_landed()
                self.limbo.append((knows.seen(pile, -1, self.shape.kind_of[piece]), -1))
            case ("back", pile):
                for cell, _ in self.limbo:
                    knows.lay(cell, pile)
                self.limbo.clear()
            case ("top", zone, piece, place):
                self._at(zone, place, self.shape.kind_of[piece])
            case ("lacks", zone, kinds):
                knows.lacks(zone, kinds)
            case ("lie", _, kinds, lists):
                self._laid(kinds, lists)
            case _:
                pass

    def _handled(self, arguments: Sequence[Any], spots: Sequence[Any]) -> None:
        """Take in what the seat itself has chosen: it has seen the pieces where they lay."""
        for value, spot in zip(arguments, spots, strict=True):
            several = isinstance(value, tuple)
            pairs = zip(value, spot, strict=True) if several else ((value, spot),)
            for piece, (zone, place) in pairs:
                if zone >= 0 and piece != UNKNOWN:
                    self._at(zone, place, self.shape.kind_of[piece])

    # ---- cards that move --------------------------------------------------------------------

    def _moved(self, target: int, moved: Sequence[tuple[int, int, int, int]]) -> None:
        place, behind = 0, -1
        if moved and moved[0][1] == target and moved[0][3] < 0:
            # All are drawn before the first lands on the same pile.
            if len(moved) > MOST_ONTO_ITSELF:
                for cell in dict.fromkeys(cell for cell, _ in self.limbo if cell >= 0):
                    self.knows.lay(cell, target)
                self.limbo.clear()
                self.knows.mix(target)
                return
            self._drawn(target, ~moved[0][3], max(~at for *_, at in moved))
        while place < len(moved):
            piece, source, _, at = moved[place]
            if at < 0:
                self._drawn(source, ~at, ~at)
                behind = self._landed(piece, ~at, target, behind)
                place += 1
                continue
            which = self.knows.index(source, at)
            count = 1
            if piece == UNKNOWN:
                count = self._together(moved[place:], source, which)
                cell = self.knows.take(source, which, count)
            else:
                cell = self.knows.seen(source, which, self.shape.kind_of[piece])
            self.knows.lay(cell, target)
            place += count

    def _together(self, moved: Sequence[tuple[int, int, int, int]], source: int, which: int) -> int:
        """Return how many of the first cards that move come unseen from the same cell; they keep no order."""
        knows = self.knows
        before = sum(knows.size[cell] for cell in knows.cells[source][:which])
        size = knows.size[knows.cells[source][which]]
        count = 0
        for piece, whence, _, at in moved[:size]:
            if piece != UNKNOWN or whence != source or not before <= at < before + size - count:
                break
            count += 1
        return count

    def _drawn(self, pile: int, first: int, last: int) -> None:
        """Draw the cards of a pile up to the last one of those that land, if they are not drawn yet."""
        knows = self.knows
        if first == 0 and self.limbo and self.limbo[0][0] < 0:
            self.limbo.clear()
        while len(self.limbo) <= last:
            source = knows.cells[pile][-1]
            self.limbo.append((knows.take(pile, -1), source))

    def _landed(self, piece: int, index: int, target: int, behind: int) -> int:
        """Land one of the drawn cards; return the cell it came from if it was not seen."""
        knows = self.knows
        cell, source = self.limbo[index]
        if knows.size[cell] > 1:
            cell = knows.picked_from(cell, 1)
        self.limbo[index] = (-1, -1)
        if piece != UNKNOWN:
            knows.reveal(cell, self.shape.kind_of[piece])
            knows.lay(cell, target)
            return -1
        knows.lay(cell, target)
        if source == behind and not self.shape.is_pool[target]:
            knows.join_last(target)
        return source

    def _forget_landed(self) -> None:
        if all(cell < 0 for cell, _ in self.limbo):
            self.limbo.clear()

    def _refilled(self, pile: int, other: int) -> None:
        """Another zone becomes the pile; what was left of the pile has been drawn and is still to land."""
        knows = self.knows
        self._forget_landed()
        for cell in reversed(knows.cells[pile]):
            self.limbo += [(cell, cell)] * knows.size[cell]
        keeps = pile in self.shape.keeps_top and knows.sizes(other) > 0
        top = knows.take(other, -1) if keeps else -1
        knows.cells[pile] = [cell for cell in knows.cells[other] if knows.size[cell]]
        knows.cells[other] = [knows.cell()] if self.shape.is_pool[other] else []
        if keeps:
            knows.lay(top, other)

    def _gathered(self, target: int, kinds: Sequence[int] | None, left: dict[int, tuple[int, ...]]) -> None:
        knows, leaving = self.knows, dict[int, int]()
        for zone, places in left.items():
            for place in places:
                cell = knows.cells[zone][knows.index(zone, place)]
                leaving[cell] = leaving.get(cell, 0) + 1
        knows.gather(target, kinds, leaving)

    # ---- cards that come to light -----------------------------------------------------------

    def _at(self, zone: int, place: int, kind: int) -> None:
        """Learn what lies at a place; of a pool, that a card of the kind is there."""
        knows = self.knows
        which = knows.index(zone, place)
        cells = knows.cells[zone]
        cell = cells[which]
        if self.shape.is_pool[zone]:
            if not knows.sure[cell].get(kind):
                knows.lay(knows.seen(zone, 0, kind), zone)
            return
        size, before = knows.size[cell], place - sum(knows.size[c] for c in cells[:which])
        if size > 1:
            above = size - before - 1
            parts = [knows.picked_from(cell, 1)] if before else []
            if above and before:
                parts.append(knows.picked_from(cell, above))
            if not before:
                parts = [knows.picked_from(cell, above)]
            cells[which + 1 : which + 1] = parts
            cell = parts[0] if before else cell
        knows.reveal(cell, kind)

    def _shown(self, zone: int, order: Sequence[int]) -> None:
        """Learn what lies where in a pile or row, as far as it is seen."""
        knows, kind_of = self.knows, self.shape.kind_of
        cells = knows.cells[zone]
        if len(order) > 1 and UNKNOWN not in order and not any(knows.open(cell) for cell in cells):
            cells[:] = [knows.cell(1, {kind_of[piece]: 1}) for piece in order]
            return
        for place, piece in enumerate(order):
            if piece != UNKNOWN:
                self._at(zone, place, kind_of[piece])

    def _laid(self, kinds: Cards, lists: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Learn which cards there are, and where some of them lie."""
        if not self.begun:
            self.begun = True
            self._begin(dict(kinds), lists)
            return
        for zone, pieces in lists:
            self._looked_at(zone, pieces)

    def _looked_at(self, zone: int, pieces: Sequence[int]) -> None:
        """Learn what lies in a zone, as far as it is seen."""
        knows = self.knows
        if not self.shape.is_pool[zone]:
            self._shown(zone, pieces)
        elif UNKNOWN not in pieces:
            for cell in [knows.seen(zone, 0, self.shape.kind_of[piece]) for piece in pieces]:
                knows.lay(cell, zone)

    def _begin(self, kinds: dict[int, int], lists: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Lay the first table: what is seen is sure, all else may be anywhere else."""
        knows, hidden = self.knows, dict[int, int]()
        for zone, pieces in lists:
            behind = False
            for piece in pieces:
                if piece != UNKNOWN:
                    kind = self.shape.kind_of[piece]
                    kinds[kind] -= 1
                    knows.lay(knows.cell(1, {kind: 1}), zone)
                else:
                    knows.lay(knows.cell(1), zone)
                    if behind and not self.shape.is_pool[zone]:
                        knows.join_last(zone)
                    cell = knows.cells[zone][-1]
                    hidden[cell] = hidden.get(cell, 0) + 1
                behind = piece == UNKNOWN
        cards = tuple(sorted((k, n) for k, n in kinds.items() if n))
        if cards:
            knows.cases = {((cards,), (tuple(sorted(hidden.items())),)): 1}
        knows.settle()
