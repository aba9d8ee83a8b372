"""What a game consists of, as plain data for one player count: pieces, zones, variables, choices."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, NamedTuple

from hoyle.runtime.sets import members
from hoyle.runtime.state import (
    CHANCE,
    EMPTY_LOG,
    LOG,
    NONE,
    OUT_OF_PLAY,
    PLACE,
    SEAT,
    WINNER,
    State,
)

# How a value is read: ("number",), ("flag",), ("player",), ("piece",), ("kind",), ("enum", labels), ("set", of what)
# or ("place", how many zones of one name an owner has).
Reading = tuple[Any, ...]


class ZoneShape(NamedTuple):
    """A zone: `first` is the place of its first list in the state, one for each player or team if it has owners.

    With `keeps_top` the top of the zone that refills it stays there. With `many` it is so many lists, of each owner.
    """

    name: str
    first: int
    form: str
    seen: str
    each_player: bool
    refill: int
    keeps_top: bool = False
    each_team: bool = False
    many: int = 0


class VariableShape(NamedTuple):
    """A variable: `place` is its first place in the state, one for each player or team if each has one."""

    name: str
    place: int
    reading: Reading
    each_player: bool
    each_team: bool = False


class TokenShape(NamedTuple):
    """A kind of token: the place of its supply in the state, and the first places of the variables that hold it."""

    name: str
    supply: int
    places: tuple[int, ...]


class OptionShape(NamedTuple):
    """An option: its arguments, its own words and rule text, the line of the spec.

    Of an argument: its name, its reading, and its place among those that share one source. A `part` is one pick of
    several that make a move together.
    """

    name: str
    arguments: tuple[tuple[str, Reading, int], ...]
    label: str
    text: str
    line: int
    part: bool = False


class SecretShape(NamedTuple):
    """What several players choose at once, unseen by each other until all have chosen.

    The asking begins at block `begin` with 0 at place `asked`, which counts who has been asked of those that lie at
    place `choosers`. From place `answer` on lies, for each player, the place of the option counted from 1, or 0;
    `arguments` are the first places and the readings of what the options were chosen with, one for each player too.
    """

    begin: int
    choosers: int
    asked: int
    answer: int
    arguments: tuple[tuple[int, Reading], ...]


class ChoiceShape(NamedTuple):
    """A choice: its rule text, the line of the spec, its options, and the batch of secret choices it is of.

    With `more` it only goes on with a move begun before: the next pick of several. `payment` is what it is a step of.

    `held` are the locals that hold pieces and that what comes after the choice still needs: their first place in the
    state, how many places, and how what is there is read; ("rows", readings) for what a loop has still to go through.
    """

    text: str
    line: int
    options: tuple[OptionShape, ...]
    secret: SecretShape | None = None
    more: bool = False
    held: tuple[tuple[int, int, Reading], ...] = ()
    payment: str = ""


class Shape:
    """The tables over pieces and zones that all back ends share. `most` is the largest player count of the game.

    `wholes` are options as they are told once their moves, hidden until then, are carried out; `picks` is the place
    that counts the decisions that only went on with a move, or -1.
    `teams` is how many teams there are: seat s is in team s modulo that; 0 for none.
    """

    def __init__(
        self,
        name: str,
        players: int,
        most: int,
        faces: Sequence[str],
        deck: Sequence[tuple[int, int, int, int, int]],
        zones: Sequence[ZoneShape],
        variables: Sequence[VariableShape],
        choices: dict[int, ChoiceShape],
        size: int,
        wholes: Sequence[OptionShape] = (),
        picks: int = -1,
        teams: int = 0,
        word: str = "card",
        tokens: Sequence[TokenShape] = (),
    ) -> None:
        self.name = name
        self.piece_word = word
        self.teams = teams
        self.players = players
        self.faces = faces
        self.zones = zones
        self.variables = variables
        self.choices = choices
        self.size = size
        self.wholes = wholes
        self.picks = picks
        self.tokens = tokens
        pieces = [
            (kind, home)
            for kind, copies, home, low, high in deck
            if low <= players <= high
            for _ in range(copies)
        ]
        pieces.sort()
        self.kind_of = [kind for kind, _ in pieces]
        self.home = [home for _, home in pieces]
        self.first_of = [bisect_left(self.kind_of, kind) for kind in range(len(faces))]
        self._sources: dict[int, tuple[OptionShape, list[list[int]]]] = {}  # of the options met, by identity
        self.lists = range(size, size + sum(len(self.indexes(z, most)) for z in zones))
        # The lists as one looks for a piece: what players have is short, and pieces come from there.
        held = {i for z in zones if z.each_player for i in self.indexes(z, most)}
        piles = {i for z in zones if z.form == "pile" for i in self.indexes(z, most)}
        self.hands_first = sorted(self.lists, key=lambda i: (i not in held, i in piles))
        self.is_pool = {i: z.form == "pool" for z in zones for i in self.indexes(z, most)}
        self.is_pile = {i: z.form == "pile" for z in zones for i in self.indexes(z, most)}
        self.refill = {z.first: z.refill for z in zones if z.refill >= 0}
        self.keeps_top = {z.first for z in zones if z.keeps_top}
        self.top_seen = {i for z in zones if z.seen == "top" for i in self.indexes(z, most)}
        self.zone_name = {
            i: (z.name, (i - z.first) // max(1, z.many) if z.each_player else -1)
            for z in zones
            for i in self.indexes(z, most)
        }
        # Of each list of a family: the first list that its owner has.
        self.families = {
            i: i - (i - z.first) % z.many for z in zones if z.many for i in self.indexes(z, most)
        }
        self.of_team = {i for z in zones if z.each_team for i in self.indexes(z, most)}
        self.seen: dict[int, int] = {}
        everyone = (1 << players) - 1
        for zone in zones:
            for index in self.indexes(zone, most):
                owner = (index - zone.first) // max(1, zone.many)
                team = sum(1 << seat for seat in self.side(owner))
                own = team if zone.each_team else 1 << owner
                masks = {"open": everyone, "owner": own, "others": everyone & ~own, "team": team}
                self.seen[index] = masks.get(zone.seen, 0)

    def places(self, variable: VariableShape) -> range:
        """Return the places of a variable in the state, one for each player or team if each has one."""
        owners = self.players if variable.each_player else self.teams if variable.each_team else 1
        return range(variable.place, variable.place + owners)

    def indexes(self, zone: ZoneShape, most: int) -> range:
        """Return the places of a zone's lists in the state."""
        owners = most if zone.each_player else self.teams if zone.each_team else 1
        return range(zone.first, zone.first + owners * max(1, zone.many))

    def begun(self, S: State, zone: ZoneShape, owner: int = 0) -> range:
        """Return the places of the lists of a family that an owner has, to the last one that holds anything."""
        first = zone.first + owner * zone.many
        last = max((i for i in range(zone.many) if S[first + i]), default=-1)
        return range(first, first + last + 1)

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win with a seat: those of its team, or it alone."""
        return tuple(range(seat % self.teams, self.players, self.teams)) if self.teams else (seat,)

    def copy(self, state: State) -> State:
        """Return a state with the same future, that shares nothing that changes."""
        new = state[: self.size]  # the lists come last
        new[PLACE] = state[PLACE].copy()
        new += map(copied, state[self.size :])
        return new

    def sources(self, option: OptionShape) -> list[list[int]]:
        """Return the places of the arguments of an option, those together that share one source."""
        known = self._sources.get(id(option))
        if known is not None and known[0] is option:
            return known[1]
        found: list[list[int]] = []
        self._sources[id(option)] = option, found
        for place, (_, _, rank) in enumerate(option.arguments):
            if rank == 0:
                found.append([])
            found[-1].append(place)
        return found

    def in_domain_order(self, option: OptionShape, values: Sequence[int]) -> list[int]:
        """Return the places of the arguments, those that share one source in the order of their faces or values.

        Which of them is which may depend on cards that others can't see, so that it must not show.
        """
        order: list[int] = []
        for source in self.sources(option):
            if len(source) == 1:
                order += source
                continue
            pieces = option.arguments[source[0]][1][0] == "piece"
            keyed = [(self.kind_of[v] if pieces and (v := values[i]) >= 0 else values[i], i) for i in source]
            order += [i for _, i in sorted(keyed)]
        return order

    def face(self, piece: int) -> str:
        """Return the face of a piece."""
        return self.faces[self.kind_of[piece]]

    def word(self, reading: Reading, value: int) -> str:
        """Return a value as people read it; pieces by their face."""
        if value == NONE:
            return "none"
        match reading[0]:
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return str(reading[1][value])
            case "player":
                return f"player {value + 1}"
            case "piece":
                return self.face(value)
            case "kind":
                return self.faces[value]
            case "place":
                return str(value % reading[1] + 1)
            case "set" if reading[1][0] == "piece":
                return ", ".join(map(self.face, members(value))) or "nothing"
            case _:
                return str(value)

    def can_be(self, reading: Reading, value: Any) -> bool:
        """Return whether something is a value that is read so, or none."""
        if type(value) is not int:
            return False
        tops = {"flag": 2, "player": self.players, "piece": len(self.kind_of), "kind": len(self.faces)}
        match reading[0]:
            case "number" | "place":
                return True
            case "set":
                return value >= 0
            case "enum":
                return value == NONE or 0 <= value < len(reading[1])
            case form:
                return value == NONE or 0 <= value < tops[form]

    def zone_word(self, index: int) -> str:
        """Return a zone as people call it."""
        name, owner = self.zone_name[index]
        which = ""
        if index in self.families:
            which = f" {index - self.families[index] + 1}"
        if index in self.of_team:
            zone = next(z for z in self.zones if z.name == name)
            return f"team {(index - zone.first) // max(1, zone.many) + 1}'s {name}{which}"
        name += which
        return name if owner < 0 else f"player {owner + 1}'s {name}"

    def token_place(self, token: str, place: int) -> str:
        """Return where tokens lie as people call it: the supply, a player, a place on the table."""
        for variable in self.variables:
            if place in self.places(variable):
                owner = place - variable.place + 1
                where = variable.name.removeprefix(token).removeprefix(" in ")
                if not variable.each_player and not variable.each_team:
                    return where
                whose = f"player {owner}" if variable.each_player else f"team {owner}"
                return f"{whose}'s {where}" if where else whose
        raise AssertionError(place)

    def in_words(self, state: State) -> str:
        """Return the whole table in words, hidden cards too: for the designer, never for a seat."""
        lines = []
        for index in self.lists:
            if self.zone_name[index][1] < self.players:
                faces = ", ".join(self.face(x) for x in state[index])
                lines.append(f"{self.zone_word(index)}: {faces or 'empty'}")
        out = [self.face(x) for x, place in enumerate(state[PLACE]) if place == OUT_OF_PLAY]
        return "\n".join(lines + ([f"out of play: {', '.join(out)}"] if out else []))


copied = list[int].copy


class Beginning:
    """How all games of one setting begin, so that a new state is copied and not worked out."""

    def __init__(self, shape: Shape, start: int, values: Sequence[tuple[int, int]]) -> None:
        first: State = [0] * shape.size
        first[0] = start
        first[LOG] = None
        first[SEAT] = first[WINNER] = -1
        first[PLACE] = list(shape.home)
        for place, value in values:
            first[place] = value
        self.first = first
        self.lists: list[list[int]] = [[] for _ in shape.lists]
        for piece, home in enumerate(shape.home):
            self.lists[home - shape.size].append(piece)

    def state(self, chance: int, log: bool) -> State:
        """Return a state before the first statement, with a log if one is to be kept."""
        state = self.first.copy()
        state[CHANCE] = chance
        if log:
            state[LOG] = EMPTY_LOG
        state[PLACE] = state[PLACE].copy()
        state += map(copied, self.lists)
        return state
