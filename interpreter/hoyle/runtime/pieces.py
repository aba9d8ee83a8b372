"""Moving pieces: the operations that alone touch the zones, so that no piece is ever lost or copied."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from hoyle.runtime.chance import shuffle
from hoyle.runtime.faults import Fault
from hoyle.runtime.seats import seats_after, seats_in
from hoyle.runtime.sets import members
from hoyle.runtime.shape import OptionShape, Reading, Shape
from hoyle.runtime.state import BLOCK, CHANCE, LOG, PLACE, SEAT, State
from hoyle.runtime.watching import counted_pass

NOWHERE = (-1, -1)
MANY = 1 << 40  # more tokens than there can be


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
        """Log a choice: who, which option, with what, and who sees each piece where it lies.

        One that is secret, or a part of a move only, is logged as known to its maker alone.
        """
        if S[LOG] is not None:
            choice = self.shape.choices[S[BLOCK]]
            chosen = choice.options[option]
            made = (S[SEAT], S[BLOCK], option)
            if chosen.part or choice.secret is not None:
                S[LOG] = (S[LOG], ("answer", *made, tuple(arguments)))
            else:
                told = (self._logged(chosen, arguments), *self._seen(S, chosen, arguments))
                S[LOG] = (S[LOG], ("choose", *made, *told))

    def _logged(self, option: OptionShape, arguments: Sequence[int]) -> tuple[Any, ...]:
        """Return arguments as a log has them: a set of pieces as the pieces."""
        return tuple(
            tuple(members(value)) if reading[0] == "set" else value
            for (_, reading, _), value in zip(option.arguments, arguments, strict=True)
        )

    def _seen(
        self, S: State, option: OptionShape, arguments: Sequence[int]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return for each argument who sees the piece, as a mask, and where it lies; of a set for each piece."""
        seen: list[Any] = []
        spots: list[Any] = []
        for (_, reading, _), value in zip(option.arguments, arguments, strict=True):
            if reading[0] == "piece":
                seen.append(self.seen_now(S, value))
                spots.append(self._spot(S, value))
            elif reading[0] == "set":
                pieces = members(value)
                seen.append(tuple([self.seen_now(S, x) for x in pieces]))
                spots.append(tuple([self._spot(S, x) for x in pieces]))
            else:
                seen.append(-1)
                spots.append(NOWHERE)
        return tuple(seen), tuple(spots)

    def _spot(self, S: State, piece: int) -> tuple[int, int]:
        """Return the zone of a piece, and its place there; a pool has no places."""
        zone = S[PLACE][piece]
        if zone < 0:
            return NOWHERE
        return zone, -1 if self.shape.is_pool[zone] else S[zone].index(piece)

    def tell(self, S: State, seat: int, whole: int, arguments: Sequence[int]) -> None:
        """Log a choice that was hidden while it was made, or for -1 that a seat has chosen."""
        if S[LOG] is None:
            return
        if whole < 0:
            S[LOG] = (S[LOG], ("answered", seat))
            return
        option = self.shape.wholes[whole]
        told = (seat, whole, self._logged(option, arguments), *self._seen(S, option, arguments))
        S[LOG] = (S[LOG], ("told", *told))

    def note(self, S: State, word: str, seat: int) -> None:
        """Log for all that something has happened to a player."""
        if S[LOG] is not None:
            S[LOG] = (S[LOG], (word, seat))

    def changes(self, S: State, place: int, value: int) -> None:
        """Log for all that a variable is about to change, unless it stays as it is."""
        if S[place] != value:
            S[LOG] = (S[LOG], ("changes", place, S[place], value))

    def show(self, S: State, pieces: Sequence[int], seats: int) -> None:
        """Show pieces to the seats of a mask: they see them in their logs; where the pieces lie nothing changes."""
        if pieces and S[LOG] is not None:
            shown = tuple([(x, *self._spot(S, x), self.seen_now(S, x) | seats) for x in pieces])
            S[LOG] = (S[LOG], ("show", seats, shown))

    def show_best(
        self,
        S: State,
        seats: int,
        name: str,
        readings: Sequence[Reading],
        arguments: Sequence[int],
        total: int,
        witness: Sequence[Sequence[Any]] | None,
    ) -> None:
        """Log the best way of a definition for the seats of a mask; there is a `witness` where a log is kept."""
        if witness is None:
            return
        words = [self.shape.word(r, value) for r, value in zip(readings, arguments, strict=True)]
        label = f"{name}({', '.join(words)})" if words else name
        told = tuple([tuple(x) for x in witness])
        S[LOG] = (S[LOG], ("best", seats, label, total, told))

    def give(self, S: State, token: int, count: int, source: int, target: int, most: int = MANY) -> None:
        """Move tokens from one place of the state to another, as many as there are.

        Above `most` the target takes none: they stay in the supply, or go there.
        """
        count = min(count, S[source])
        if source != target and count > 0:
            supply = self.shape.tokens[token].supply
            taken = max(0, min(count, most - S[target]))
            S[source] -= count
            S[target] += taken
            S[supply] += count - taken
            if S[LOG] is not None:
                S[LOG] = (S[LOG], ("give", token, source, target, count, taken))

    def put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Take pieces from wherever they lie and add them to a zone, in order."""
        if S[LOG] is not None:
            self.log_put(S, pieces, target)
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, pieces)
        places, zone = S[PLACE], S[target]
        pool = self.shape.is_pool[target]
        for piece in pieces:
            source = places[piece]
            if source >= 0:
                try:
                    S[source].remove(piece)
                except ValueError:
                    self.pull(S, piece)
            places[piece] = target
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)
        if S[LOG] is not None:
            self.log_tops(S)

    def pull(self, S: State, piece: int) -> None:
        """Take a piece out of the zone it lies in, wherever that is.

        Its place in the state is but where to look first: the function of all rules of a module keeps no places.
        """
        source = S[PLACE][piece]
        if source >= 0:
            if piece not in S[source]:
                source = next(index for index in self.shape.hands_first if piece in S[index])
            S[source].remove(piece)

    def bring(self, S: State, pieces: Sequence[int], target: int, near: list[int] | None = None) -> None:
        """Do as `put` does, by looking where the pieces lie, first in the zone `near`.

        It is for the function of all rules, which keeps no places and no log.
        """
        zone, pool = S[target], self.shape.is_pool[target]
        source = [] if near is None else near
        together = near is not None and len(pieces) > 1  # then they lie there, as good as always
        for piece in pieces:
            lost = False
            if together:
                try:
                    source.remove(piece)
                except ValueError:
                    together, lost = False, True
            elif piece in source:  # pieces that move together mostly lie together
                source.remove(piece)
            else:
                lost = True
            if lost:
                for index in self.shape.hands_first:
                    if piece in S[index]:
                        source = S[index]
                        source.remove(piece)
                        break
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)

    def note_places(self, S: State) -> None:
        """Note of each piece where it lies."""
        places = S[PLACE]
        for index in self.shape.lists:
            for piece in S[index]:
                places[piece] = index

    def log_tops(self, S: State) -> None:
        """Log the top cards that all see where the tops of piles are seen."""
        for zone in sorted(self.shape.top_seen):
            if S[zone]:
                S[LOG] = (S[LOG], ("top", zone, S[zone][-1], len(S[zone]) - 1))

    def log_put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Log pieces about to be put somewhere; one is on top if those before it lay above it."""
        gone: set[int] = set()
        events = []
        for piece in pieces:
            source = S[PLACE][piece]
            if source >= 0 and piece not in gone:
                left = [x for x in S[source] if x not in gone]
                seen = self.seen_moving(source, target, left[-1] == piece)
                events.append((piece, source, seen, left.index(piece)))
            gone.add(piece)
        if events:
            S[LOG] = (S[LOG], ("move", target, tuple(events)))

    def draw(self, S: State, source: int, count: int) -> list[int]:
        """Take pieces from the top of a pile, refilling it when it runs out; as many as there are."""
        pile: list[int] = S[source]
        if type(S[CHANCE]) is not int:
            S[CHANCE].settle(S, source, count)
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
            if type(S[CHANCE]) is not int:
                S[CHANCE].settle(S, source, count - len(drawn))
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

    def land(
        self, S: State, drawn: Sequence[int], source: int, target: int, first: int = 0, step: int = 1
    ) -> None:
        """Add drawn pieces to a zone; they are each `step`-th from the `first` of those that were drawn."""
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, drawn)
        places, zone = S[PLACE], S[target]
        for piece in drawn:
            places[piece] = target
        zone += drawn
        if self.shape.is_pool[target]:
            zone.sort()
        if drawn and S[LOG] is not None:
            seen = self.seen_moving(source, target, True)
            moved = [(piece, source, seen, ~(first + i * step)) for i, piece in enumerate(drawn)]
            S[LOG] = (S[LOG], ("move", target, tuple(moved)))
            self.log_tops(S)

    def move_all(self, S: State, source: int, target: int) -> list[int]:
        """Move a whole zone as a block, its order kept; return what it held."""
        if S[LOG] is None and type(S[CHANCE]) is int and source != target:
            # A zone is the same list throughout a game: modules keep hold of it.
            moved: list[int] = S[source][:]
            places = S[PLACE]
            for piece in moved:
                places[piece] = target
            S[source].clear()
            S[target] += moved
            if self.shape.is_pool[target]:
                S[target].sort()
            return moved
        if type(S[CHANCE]) is not int and source != target:
            if not self.shape.is_pool[target]:
                S[CHANCE].settle(S, source, len(S[source]))
            S[CHANCE].added(target, S[source])
        pieces: list[int] = S[source][:]
        if source != target and pieces:
            if S[LOG] is not None:
                self.log_put(S, pieces, target)
            S[source].clear()
            places, zone = S[PLACE], S[target]
            for piece in pieces:
                places[piece] = target
            zone += pieces
            if self.shape.is_pool[target]:
                zone.sort()
            if S[LOG] is not None:
                self.log_tops(S)
        return pieces

    def deal(self, S: State, count: int, source: int, zone: int, out: int = 0, first: int = 0) -> None:
        """Deal to the zones of all players not `out`, one at a time from seat `first` on; `zone` is that of seat 0."""
        players, pile = self.shape.players, S[source]
        if S[LOG] is None and type(S[CHANCE]) is int and not out and 0 < count * players <= len(pile):
            drawn = pile[: -count * players - 1 : -1]
            del pile[-count * players :]
            places, pool = S[PLACE], self.shape.is_pool[zone]
            for place in range(players):
                target = zone + (first + place) % players
                there, dealt = S[target], drawn[place::players]
                there += dealt
                if pool:
                    there.sort()
                for piece in dealt:
                    places[piece] = target
            return
        seats = seats_after(first, 0, players, out)
        drawn = self.draw(S, source, count * len(seats))
        for place, seat in enumerate(seats):
            self.land(S, drawn[place :: len(seats)], source, zone + seat, place, len(seats))

    def fill(self, S: State, target: int, count: int, source: int) -> None:
        """Draw until a zone holds `count` pieces."""
        missing, pile, zone = count - len(S[target]), S[source], S[target]
        if missing <= 0:
            return
        if missing > len(pile) or S[LOG] is not None or type(S[CHANCE]) is not int:
            self.land(S, self.draw(S, source, missing), source, target)
            return
        places = S[PLACE]
        for piece in pile[: -missing - 1 : -1]:
            places[piece] = target
            zone.append(piece)
        del pile[-missing:]
        if self.shape.is_pool[target]:
            zone.sort()

    def swap(self, S: State, a: int, b: int) -> None:
        """Exchange all pieces of two zones."""
        if a != b:
            ours, theirs = S[a][:], S[b][:]
            if S[LOG] is not None:
                S[LOG] = (S[LOG], ("swap", a, b))
            self.put(S, ours, b)
            while (log := S[LOG]) is not None and log[1][0] == "top":  # half way nothing lies as it will
                S[LOG] = log[0]
            self.put(S, theirs, a)

    def gather(self, S: State, target: int, fits: Sequence[bool] | None, shuffled: bool) -> None:
        """Bring every piece in play, or those that fit, into a zone."""
        places = S[PLACE]
        if S[LOG] is not None:
            here = {x for x, at in enumerate(places) if 0 <= at != target and (fits is None or fits[x])}
            self._log_gather(S, target, fits, here)
        zones = S[self.shape.size :]  # the lists come last
        if fits is None and sum(map(len, zones)) == len(places):
            there = S[target]
            del zones[target - self.shape.size]
            coming = sorted(chain.from_iterable(zones)) if there else list(range(len(places)))
            for zone in zones:
                zone.clear()
            places[:] = [target] * len(places)
        else:
            coming = self._gather_some(S, target, fits)
        S[target] += coming
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, coming)
        if self.shape.is_pool[target]:
            S[target].sort()
        if shuffled:
            self.shuffle(S, target)
        elif S[LOG] is not None:
            self.log_tops(S)

    def _log_gather(self, S: State, target: int, fits: Sequence[bool] | None, going: set[int]) -> None:
        """Log pieces about to be gathered: of which kinds, all if None, and from which places of each zone."""
        left = tuple(
            (zone, tuple([at for at, piece in enumerate(S[zone]) if piece in going]))
            for zone in self.shape.lists
            if zone != target and S[zone]
        )
        S[LOG] = (S[LOG], ("gather", target, self.kinds(fits), left))

    def kinds(self, fits: Sequence[bool] | None) -> tuple[int, ...] | None:
        """Return the kinds of which every piece fits; None for all kinds."""
        if fits is None:
            return None
        kind_of = self.shape.kind_of
        some = {kind for kind, fit in zip(kind_of, fits, strict=True) if fit}
        return tuple(sorted(some - {kind for kind, fit in zip(kind_of, fits, strict=True) if not fit}))

    def lacks(self, S: State, zone: int, fits: Sequence[bool]) -> None:
        """Let all know that none of some pieces lies in a zone; it must be so."""
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("lacks", zone, self.kinds(fits)))

    def _gather_some(self, S: State, target: int, fits: Sequence[bool] | None) -> list[int]:
        """Take the pieces in play that fit from where they lie; return them."""
        places = S[PLACE]
        others = [S[index] for index in self.shape.lists if index != target]
        coming = sorted([x for zone in others for x in zone if fits is None or fits[x]])
        going = set(coming)
        for index in self.shape.lists:
            if index != target and S[index]:
                S[index][:] = [x for x in S[index] if x not in going]
        for piece in coming:
            places[piece] = target
        return coming

    def learn(
        self,
        S: State,
        piece: int,
        zone: int,
        fits: Sequence[bool],
        tests: Sequence[Callable[[State, int], Any]],
    ) -> None:
        """Note what all have seen: a piece was taken, so none that an earlier test would have let through is there.

        `fits` says of each piece whether the tests can be asked about it.
        """
        missed = [False] * len(fits)
        for test in tests:
            if test(S, piece):
                break
            missed = [missed[x] or bool(fit and test(S, x)) for x, fit in enumerate(fits)]
        if any(missed):
            self.lacks(S, zone, missed)

    def shuffle(self, S: State, zone: int) -> None:
        """Put the pieces of a zone into random order."""
        if type(S[CHANCE]) is int:
            S[CHANCE] = shuffle(S[CHANCE], S[zone])
        else:
            S[CHANCE].shuffle(S, zone)
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("shuffle", zone, tuple(S[zone])))

    def drawn_for(self, S: State, pile: int, key: Callable[[int], int], line: int, out: int = 0) -> int:
        """Let each player not `out` draw from a pile; return who has the card with the greatest key.

        Those who tie draw again.
        """
        seats, drawn = list(seats_in(self.shape.players, out)), list[int]()
        if not seats:
            raise Fault(f"nobody is left to draw a {self.shape.piece_word}", line)
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
                raise Fault(f"there is no {self.shape.piece_word} to draw", line)
        out += drawn
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("drawn", seat, drawn[0], pile))
        return drawn[0]

    def give_back(self, S: State, pile: int, out: list[int]) -> None:
        """Put drawn cards back into a pile and shuffle it."""
        S[pile] += out
        out.clear()
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("back", pile))
        self.shuffle(S, pile)
