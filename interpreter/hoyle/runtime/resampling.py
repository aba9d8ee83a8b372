"""Tables that a seat holds possible: drawn from what it knows, each as likely as the next."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from hoyle.runtime.asked import AskedShape
from hoyle.runtime.chance import mix, pick, seeded, shuffle
from hoyle.runtime.faults import Fault
from hoyle.runtime.remembering import Memory, Teller, lie
from hoyle.runtime.sets import members
from hoyle.runtime.shape import Reading, Shape
from hoyle.runtime.state import BLOCK, CHANCE, DECISIONS, LOG, PLACE, SEAT, State
from hoyle.runtime.view import Viewer

MOST_TRIES = 64


class Finding(Protocol):
    """Rules that find the legal moves."""

    shape: Shape

    def find(self, S: State) -> Any:
        """Return the legal moves; Fault if there are none."""

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""

    def play(self, S: State, number: int, found: Any) -> None:
        """Make a legal move and run on to the next decision or the end."""

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""


class Recollection:
    """What each seat of a table has been told, as a chain of pairs like the log, and what it knows by that."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.kept: dict[int, tuple[Any, Any, Memory]] = {}
        self.first: dict[int, tuple[Any, Any, Memory]] = {}  # with what a seat came to a table dealt anew

    def copy(self) -> Recollection:
        """Return one that can go its own way."""
        new = Recollection(self.viewer)
        new.kept, new.first = self.kept.copy(), self.first.copy()
        return new

    def begin(self, seat: int, told: Any, memory: Memory) -> None:
        """Let a seat come to the table with what it has been told and knows."""
        self.kept[seat] = self.first[seat] = told, told, memory

    def of(self, S: State, seat: int) -> tuple[Any, Memory]:
        """Return what the seat has been told and knows, given a state with its log; it stands at a decision."""
        shape = self.viewer.shape
        done, told, memory = self.kept.get(seat) or ((), (), Memory(shape, seat))
        chain, news = S[LOG], []
        while chain is not done and chain:
            chain, event = chain
            news.append(event)
        if chain is not done:
            # With explicit chance the log is another each time: all is learnt from the beginning.
            self.kept[seat] = self.first.get(seat) or ((), (), Memory(shape, seat))
            return self.of(S, seat)
        if news:
            memory = memory.copy()
            for event in Teller(self.viewer, seat).told(news[::-1]):
                told = (told, event)
                memory.learn(event)
            if not agrees(S, memory):
                memory = from_sight(self.viewer, S, seat)
            self.kept[seat] = S[LOG], told, memory
        return told, memory


def as_list(told: Any) -> list[Any]:
    """Return a chain of events oldest first, JSON-ready: what a saved table keeps of the time before it began."""
    events = []
    while told:
        told, event = told
        events.append(event)
    return events[::-1]


def as_chain(events: Sequence[Any]) -> Any:
    """Return events, as they come out of JSON, as the chain that they were."""
    told: Any = ()
    for event in events:
        told = (told, as_tuple(event))
    return told


def as_tuple(value: Any) -> Any:
    """Return a value with all lists in it as tuples."""
    return tuple(as_tuple(x) for x in value) if isinstance(value, list | tuple) else value


def agrees(S: State, memory: Memory) -> bool:
    """Return whether what a seat knows is possible, and has as many cards in each zone as there are."""
    knows = memory.knows
    return bool(knows.cases) and all(knows.sizes(zone) == len(S[zone]) for zone in knows.cells)


def from_sight(viewer: Viewer, S: State, seat: int) -> Memory:
    """Return the memory of one who has just come to the table."""
    memory = Memory(viewer.shape, seat)
    for event in Teller(viewer, seat).told([lie(viewer.shape, S, 0)]):
        memory.learn(event)
    memory.lost = True
    return memory


# ---- what a seat knows, in words -------------------------------------------------------------------


def known(shape: Shape, memory: Memory) -> dict[str, Any]:
    """Return for each zone the cards that the seat knows to be there, JSON-ready."""
    found: dict[str, Any] = {}
    for zone in shape.zones:
        if zone.each_player or zone.each_team or zone.many:
            found[zone.name] = [_known(shape, memory, index) for index in shape.indexes(zone, shape.players)]
        else:
            found[zone.name] = _known(shape, memory, zone.first)
    return found


def _known(shape: Shape, memory: Memory, zone: int) -> dict[str, Any]:
    """Return `cards` as a view has them, None where the seat can't tell; `somewhere` those known to be among these."""
    knows, cards, somewhere = memory.knows, list[str | None](), list[str]()
    for cell in knows.cells[zone]:
        size = knows.size[cell]
        faces = [shape.faces[kind] for kind, n in sorted(knows.certain(cell).items()) for _ in range(n)]
        if shape.is_pool[zone] or (len(faces) == size and len(set(faces)) == 1):
            cards += [*faces, *[None] * (size - len(faces))]
        else:
            cards += [None] * size
            somewhere += faces
    cards = cards[::-1] if shape.is_pile[zone] else cards
    return {"size": len(cards), "cards": cards, "somewhere": somewhere}


# ---- a table that could be ---------------------------------------------------------------------------


def resampled(rules: Finding, S: State, memory: Memory, seed: int, own: Any) -> tuple[State, Any]:
    """Return a state that the seat holds possible, and its legal moves if they have been found.

    `own` are the legal moves if the seat itself is to move: in every table that it holds possible they are the same.
    Whoever is to move has a move. Where a spec asks of the chooser what a card is that nobody can know, that may not
    be met within some tries; then the last table is returned.
    """
    chance = seeded(mix(seed, memory.seat))
    drawing = Drawing(rules.shape, S, memory)
    choice = rules.shape.choices.get(S[BLOCK])
    if choice is not None and choice.payment and S[SEAT] >= 0:
        drawing.may_pay = rules.asked(S[BLOCK], 0).sources[0].kinds
    for _ in range(MOST_TRIES):
        chance, new = drawing.draw(chance)
        if not drawing.possible:
            continue
        if isinstance(new[CHANCE], int):
            new[CHANCE] = seeded(mix(seed, memory.seat, 1))
        if S[SEAT] < 0:
            return new, None
        try:
            chance = answered_anew(rules, S, new, memory.seat, chance)
            found = rules.find(new)
        except (Fault, RecursionError):
            continue
        if own is None or list(found) == list(own):
            return new, found
    return new, None


def answered_anew(rules: Finding, S: State, new: State, seat: int, chance: int) -> int:
    """Let the others answer a secret choice anew, each legal move as likely as the next; return the next chance.

    What the seat itself has answered stays. Somebody else who has picked a part of a move begins it again.
    """
    shape = rules.shape
    choice = shape.choices[S[BLOCK]]
    secret = choice.secret
    if secret is None:
        return chance
    asked = shape.copy(new)
    asked[secret.asked], asked[BLOCK] = 0, secret.begin
    rules.advance(asked)
    while asked[SEAT] != S[SEAT]:
        if asked[SEAT] < 0:
            raise Fault("the drawn table asks other players")
        who, found = asked[SEAT], rules.find(asked)
        numbers = list(found)
        chance, place = pick(chance, len(numbers))
        rules.play(asked, numbers[place], found)
        if who != seat:
            for slot in (secret.answer, *(place for place, _ in secret.arguments)):
                new[slot + who] = asked[slot + who]
    if choice.more and S[SEAT] != seat:
        for slot in (secret.answer, *(place for place, _ in secret.arguments)):
            asked[slot + seat] = S[slot + seat]
        asked[DECISIONS], asked[CHANCE] = S[DECISIONS], new[CHANCE]
        # A view tells decisions without the picks that only go on: it must stay as it is.
        if shape.picks >= 0:
            asked[shape.picks] = S[shape.picks]
        new[:] = asked
    return chance


class Drawing:
    """Draws tables for one seat that stands at one table."""

    def __init__(self, shape: Shape, S: State, memory: Memory) -> None:
        self.shape = shape
        self.S = S
        self.knows = memory.knows
        seat = memory.seat
        self.hidden = [zone for zone in shape.lists if S[zone] and not shape.seen[zone] >> seat & 1]
        self.fixed = {zone: self._fixed(zone) for zone in self.hidden}
        self.free: dict[int, list[int]] = {}
        for zone in self.hidden:
            for piece, stays in zip(S[zone], self.fixed[zone], strict=True):
                if not stays:
                    self.free.setdefault(shape.kind_of[piece], []).append(piece)
        for pieces in self.free.values():
            pieces.sort()
        self.held = held(shape, S)
        self.may_pay: Collection[int] | None = None  # the kinds that cards paid with are of, if that goes on
        self.possible = True
        choice = shape.choices.get(S[BLOCK])
        own = {place for place, *_ in choice.held} if choice is not None and choice.more else set()
        self.picks = [x for x in self.held if x[0] in own]  # what somebody has picked who picks one by one
        hidden = set(self.hidden)
        self.pointed = [
            x for x in sorted({x for *_, pieces in self.held for x in pieces}) if S[PLACE][x] in hidden
        ]

    def _fixed(self, zone: int) -> list[bool]:
        """Return for each place whether the seat knows what lies there."""
        knows = self.knows
        if self.shape.is_pool[zone]:
            return [False] * len(self.S[zone])
        return [
            knows.size[cell] == 1 and bool(knows.sure[cell])
            for cell in knows.cells[zone]
            for _ in range(knows.size[cell])
        ]

    def draw(self, chance: int) -> tuple[int, State]:
        """Return the next state of chance, and a state; its own chance is left as it is.

        It is `possible`, unless somebody would have nothing to pay with.
        """
        shape, knows = self.shape, self.knows
        new = shape.copy(self.S)
        self.possible = True
        chance, kinds = knows.deal_out(chance)
        free = {}
        for kind, pieces in self.free.items():
            free[kind] = pieces[:]
            if len(pieces) > 1:
                chance = shuffle(chance, free[kind])
        places = new[PLACE]
        for zone in self.hidden:
            lying, fixed = list[int](), self.fixed[zone]
            for cell in knows.cells[zone]:
                if len(kinds[cell]) > 1 and not shape.is_pool[zone]:
                    chance = shuffle(chance, kinds[cell])
                for kind in kinds[cell]:
                    at = len(lying)
                    lying.append(self.S[zone][at] if fixed[at] else free[kind].pop())
            for piece in lying:
                places[piece] = zone
            new[zone] = sorted(lying) if shape.is_pool[zone] else lying
        if self.pointed:
            chance = self._point(chance, new)
        return chance, new

    # ---- what names and variables hold --------------------------------------------------------

    def _point(self, chance: int, new: State) -> int:
        """Let variables hold the pieces that have come to the places of those they held; return the next chance."""
        other: dict[int, int] = {}
        for zone in sorted({self.S[PLACE][x] for x in self.pointed}):
            here = [x for x in self.pointed if self.S[PLACE][x] == zone]
            if self.shape.is_pool[zone]:
                chance = self._point_in_pool(chance, zone, here, new[zone], other)
            else:
                other.update((x, new[zone][self.S[zone].index(x)]) for x in here)
        for place, reading, value, _ in self.held:
            new[place] = renamed(reading, value, other)
        return chance

    def _point_in_pool(
        self, chance: int, zone: int, here: Sequence[int], coming: Sequence[int], other: dict[int, int]
    ) -> int:
        """Cards that the seat knows stay what they are; any of the rest may be any of the rest.

        They are told apart by what holds them, never by what they are.
        """
        kind_of = self.shape.kind_of
        sure = self.knows.sure[self.knows.cells[zone][0]].copy()
        rest = list(coming)
        by_holders = sorted(here, key=lambda x: ([x in held for *_, held in self.held], x), reverse=True)
        unsure = []
        for piece in by_holders:
            kind = kind_of[piece]
            if sure.get(kind):
                sure[kind] -= 1
                other[piece] = next(x for x in rest if kind_of[x] == kind)
                rest.remove(other[piece])
            else:
                unsure.append(piece)
        for kind, n in sure.items():
            for _ in range(n):
                rest.remove(next(x for x in rest if kind_of[x] == kind))
        chance = shuffle(chance, rest)
        if self.may_pay is not None:
            rest = [x for x in rest if kind_of[x] in self.may_pay]
            self.possible = len(rest) >= len(unsure)
            rest = rest if self.possible else list(coming)
        other.update(zip(unsure, rest, strict=False))
        if not self.picks:
            return chance
        # Of cards that look alike the first are held: so they are where somebody picks them one by one.
        taken: dict[int, list[int]] = {}
        for piece in here:
            taken.setdefault(kind_of[other[piece]], []).append(piece)
        for kind, pieces in taken.items():
            alike = [x for x in coming if kind_of[x] == kind]
            other.update(zip(sorted(pieces, key=other.__getitem__), sorted(alike), strict=False))
        # Nor does one come before those picked earlier: the last is the highest.
        for _, reading, last, _ in self.picks:
            for *_, picked in self.picks if reading == ("piece",) else ():
                if len(picked) > 1 and last == max(picked) and picked <= other.keys():
                    highest = max(picked, key=other.__getitem__)
                    other[last], other[highest] = other[highest], other[last]
        return chance


def held(shape: Shape, S: State) -> list[tuple[int, Reading, Any, frozenset[int]]]:
    """Return what variables and names hold of pieces: place in the state, how it is read, the value, the pieces."""
    places = [(place, v.reading) for v in shape.variables for place in shape.places(v)]
    choice = shape.choices.get(S[BLOCK])
    for place, many, reading in choice.held if choice and S[SEAT] >= 0 else ():
        places += [(place + i, reading) for i in range(many)]
    found = []
    for place, reading in sorted(places):
        pieces = frozenset(pieces_in(reading, S[place]))
        if pieces:
            found.append((place, reading, S[place], pieces))
    return found


def pieces_in(reading: Reading, value: Any) -> list[int]:
    """Return the pieces that a value speaks of."""
    match reading:
        case ("piece",):
            return [value] if value >= 0 else []
        case ("set", ("piece",)):
            return members(value) if value > 0 else []
        case ("rows", parts) if isinstance(value, tuple):
            return [
                x for row in value for part, v in zip(parts, row, strict=True) for x in pieces_in(part, v)
            ]
        case _:
            return []


def renamed(reading: Reading, value: Any, other: Mapping[int, int]) -> Any:
    """Return a value with each piece replaced by another."""
    match reading:
        case ("piece",):
            return other.get(value, value)
        case ("set", ("piece",)) if value > 0:
            return sum(1 << other.get(x, x) for x in members(value))
        case ("rows", parts) if isinstance(value, tuple):
            return tuple(
                tuple(renamed(part, v, other) for part, v in zip(parts, row, strict=True)) for row in value
            )
        case _:
            return value
