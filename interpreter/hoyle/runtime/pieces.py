"""Moving pieces: the operations that alone touch the zones, so that no piece is ever lost or copied."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence

from hoyle.runtime.chance import shuffle
from hoyle.runtime.faults import Fault
from hoyle.runtime.seats import seats_in
from hoyle.runtime.shape import Shape
from hoyle.runtime.state import BLOCK, CHANCE, LOG, PLACE, SEAT, State
from hoyle.runtime.watching import counted_pass


class Pieces:
    """The moving operations over the states of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def seen_moving(self, source: int, target: int, on_top: bool) -> int:
        """Return the seats, as a mask, that see a piece go from one zone to another."""
        shape = self.shape
        if target in shape.top_seen or (on_top and source in shape.top_seen):
            return (1 << shape.players) - 1
        return shape.seen[target] | shape.seen[source]

    def seen_now(self, S: State, piece: int) -> int:
        """Return the seats, as a mask, that see the face of a piece where it lies."""
        place = S[PLACE][piece]
        if place < 0:
            return 0
        if place in self.shape.top_seen:
            return (1 << self.shape.players) - 1 if S[place][-1] == piece else 0
        return self.shape.seen[place]

    def choosing(self, S: State, option: int, arguments: Sequence[int]) -> None:
        """Log a choice: who, which option, with what, and who sees each piece where it lies."""
        if S[LOG] is not None:
            readings = self.shape.choices[S[BLOCK]].options[option].arguments
            seen = tuple(
                self.seen_now(S, value) if reading[0] == "piece" else -1
                for (_, reading, _), value in zip(readings, arguments, strict=True)
            )
            S[LOG] = (S[LOG], ("choose", S[SEAT], S[BLOCK], option, tuple(arguments), seen))

    def put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Take pieces from wherever they lie and add them to a zone, in order."""
        if S[LOG] is not None:
            self._log_put(S, pieces, target)
        places, zone = S[PLACE], S[target]
        pool = self.shape.is_pool[target]
        for piece in pieces:
            source = places[piece]
            if source >= 0:
                S[source].remove(piece)
            places[piece] = target
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)

    def _log_put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Log pieces about to be put somewhere; one is on top if those before it lay above it."""
        gone: set[int] = set()
        events = []
        for piece in pieces:
            source = S[PLACE][piece]
            if source >= 0 and piece not in gone:
                left = [x for x in S[source] if x not in gone]
                events.append((piece, source, self.seen_moving(source, target, left[-1] == piece)))
            gone.add(piece)
        if events:
            S[LOG] = (S[LOG], ("move", target, tuple(events)))

    def draw(self, S: State, source: int, count: int) -> list[int]:
        """Take pieces from the top of a pile, refilling it when it runs out; as many as there are."""
        pile: list[int] = S[source]
        if count <= len(pile):
            if count <= 0:
                return []
            drawn = pile[: -count - 1 : -1]
            del pile[-count:]
            return drawn
        drawn = pile[::-1]
        pile.clear()
        other = self.shape.refill.get(source, -1)
        if other >= 0 and len(S[other]) > (source in self.shape.keeps_top):
            self.renew(S, source, other)
            more = pile[: -(count - len(drawn)) - 1 : -1]
            del pile[len(pile) - len(more) :]
            drawn += more
        return drawn

    def renew(self, S: State, pile: int, other: int) -> None:
        """Make the pieces of another zone, perhaps all but its top, the new pile, shuffled."""
        places = S[PLACE]
        left = S[other][-1:] if pile in self.shape.keeps_top else []
        moved = S[other][: len(S[other]) - len(left)]
        for piece in moved:
            places[piece] = pile
        S[pile] += moved
        S[other][:] = left
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("refill", pile, other))
        self.shuffle(S, pile)

    def land(self, S: State, drawn: Sequence[int], source: int, target: int) -> None:
        """Add drawn pieces to a zone."""
        places, zone = S[PLACE], S[target]
        for piece in drawn:
            places[piece] = target
        zone += drawn
        if self.shape.is_pool[target]:
            zone.sort()
        if drawn and S[LOG] is not None:
            seen = self.seen_moving(source, target, True)
            S[LOG] = (S[LOG], ("move", target, tuple([(piece, source, seen) for piece in drawn])))

    def move_all(self, S: State, source: int, target: int) -> list[int]:
        """Move a whole zone as a block, its order kept; return what it held."""
        pieces: list[int] = S[source][:]
        if source != target and pieces:
            if S[LOG] is not None:
                self._log_put(S, pieces, target)
            S[source].clear()
            places, zone = S[PLACE], S[target]
            for piece in pieces:
                places[piece] = target
            zone += pieces
            if self.shape.is_pool[target]:
                zone.sort()
        return pieces

    def deal(self, S: State, count: int, source: int, first: int, out: int = 0) -> None:
        """Deal to the zones of all players not `out`, which begin at `first`, one piece at a time in seat order."""
        seats = seats_in(self.shape.players, out)
        drawn = self.draw(S, source, count * len(seats))
        for place, seat in enumerate(seats):
            self.land(S, drawn[place :: len(seats)], source, first + seat)

    def fill(self, S: State, target: int, count: int, source: int) -> None:
        """Draw until a zone holds `count` pieces."""
        missing = count - len(S[target])
        if missing > 0:
            self.land(S, self.draw(S, source, missing), source, target)

    def swap(self, S: State, a: int, b: int) -> None:
        """Exchange all pieces of two zones."""
        if a != b:
            ours, theirs = S[a][:], S[b][:]
            self.put(S, ours, b)
            self.put(S, theirs, a)

    def gather(self, S: State, target: int, fits: Sequence[bool] | None, shuffled: bool) -> None:
        """Bring every piece in play, or those that fit, into a zone."""
        places = S[PLACE]
        coming = [x for x, at in enumerate(places) if 0 <= at != target and (fits is None or fits[x])]
        going = set(coming)
        for index in self.shape.lists:
            if index != target and S[index]:
                S[index] = [] if fits is None else [x for x in S[index] if x not in going]
        for piece in coming:
            places[piece] = target
        S[target] += coming
        if self.shape.is_pool[target]:
            S[target].sort()
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("gather", target))
        if shuffled:
            self.shuffle(S, target)

    def shuffle(self, S: State, zone: int) -> None:
        """Put the pieces of a zone into random order."""
        S[CHANCE] = shuffle(S[CHANCE], S[zone])
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("shuffle", zone))

    def drawn_for(self, S: State, pile: int, key: Callable[[int], int], line: int, out: int = 0) -> int:
        """Let each player not `out` draw from a pile; return who has the card with the greatest key.

        Those who tie draw again.
        """
        seats, drawn = list(seats_in(self.shape.players, out)), list[int]()
        if not seats:
            raise Fault("nobody is left to draw a card", line)
        while len(seats) > 1 or not drawn:
            counted_pass(S, line)
            keys = [key(self._one(S, pile, seat, drawn, line)) for seat in seats]
            seats = [seat for seat, k in zip(seats, keys, strict=True) if k == max(keys)]
        self.give_back(S, pile, drawn)
        return seats[0]

    def _one(self, S: State, pile: int, seat: int, out: list[int], line: int) -> int:
        drawn = self.draw(S, pile, 1)
        if not drawn:
            self.give_back(S, pile, out)
            drawn = self.draw(S, pile, 1)
            if not drawn:
                raise Fault("there is no card to draw", line)
        out += drawn
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("drawn", seat, drawn[0]))
        return drawn[0]

    def give_back(self, S: State, pile: int, out: list[int]) -> None:
        """Put drawn cards back into a pile and shuffle it."""
        S[pile] += out
        out.clear()
        self.shuffle(S, pile)
