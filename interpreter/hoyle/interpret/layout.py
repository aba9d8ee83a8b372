"""The state of a table as one flat list, and what is fixed for one player count and one setting of parameters.

A state holds, in this order: the header below, one place for each slot of the program, and a list of pieces for each
zone. Lists end with the top of a pile, the right of a row; pools are kept sorted. There is no other state anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hoyle.program import NONE, Program, Type
from hoyle.program.folding import fold

State = list[Any]

# ---- the header ---------------------------------------------------------------------------
BLOCK = 0  # the block of the flow graph where the game stands
CHANCE = 1  # the state of chance
LOG = 2  # the last event and those before it, as a chain of pairs; None when no log is kept
STEPS = 3  # passes of loops since the last decision
DECISIONS = 4  # decisions made so far
SEAT = 5  # who is to move; -1 when the game is over
WINNER = 6  # who has won whatever the result says; -1 for nobody
KNOWN = 7  # what each seat remembers, kept for when the table can be resampled
PLACE = 8  # the zone of each piece, as an index of the state
HEAD = 9

OUT_OF_PLAY = -1
START_LOG: tuple[Any, ...] = ()


class Layout:
    """Where everything lies in the states of one game, and the tables over its pieces."""

    def __init__(self, program: Program, players: int, parameters: Mapping[str, int]) -> None:
        self.program = program
        self.players = players
        self.parameters = dict(parameters)
        self.functions = {f.name: f for f in program.functions}
        self.size = HEAD + sum(s.size for s in program.slots)
        lists = sum(program.high if z.each_player else 1 for z in program.zones)
        self.zones = range(self.size, self.size + lists)
        self._pieces()
        self._zones()

    def _pieces(self) -> None:
        """Number the pieces by kind and make the tables over them."""
        self.kind_of: list[int] = []
        self.home: list[int] = []
        for line in self.program.deck:
            if line.players <= self.players:
                self.kind_of += [line.kind] * line.copies
                self.home += [self.zones.start + line.zone] * line.copies
        order = sorted(range(len(self.kind_of)), key=lambda i: (self.kind_of[i], self.home[i]))
        self.kind_of = [self.kind_of[i] for i in order]
        self.home = [self.home[i] for i in order]
        self.faces = [k.face for k in self.program.kinds]
        self.kind_attributes: dict[str, list[int]] = {}
        for kind_number, kind in enumerate(self.program.kinds):
            for attribute, value in zip(self.program.attributes[kind.type], kind.values, strict=True):
                table = self.kind_attributes.setdefault(attribute.name, [NONE] * len(self.program.kinds))
                table[kind_number] = value
        self.attributes = {n: [t[k] for k in self.kind_of] for n, t in self.kind_attributes.items()}

    def _zones(self) -> None:
        """Make the tables over the lists of the zones, by index of the state."""
        self.is_pool: dict[int, bool] = {}
        self.is_pile: dict[int, bool] = {}
        self.refill: dict[int, int] = {}
        self.seen: dict[int, int] = {}
        self.top_seen: set[int] = set()
        self.zone_name: dict[int, tuple[str, int]] = {}
        everyone = (1 << self.players) - 1
        for zone in self.program.zones:
            for owner in range(self.program.high if zone.each_player else 1):
                index = self.zones.start + zone.number + owner
                self.is_pool[index] = zone.form == "pool"
                self.is_pile[index] = zone.form == "pile"
                self.zone_name[index] = (zone.name, owner if zone.each_player else -1)
                own = 1 << owner
                masks = {"open": everyone, "owner": own, "others": everyone & ~own}
                self.seen[index] = masks.get(zone.seen, 0)
                if zone.seen == "top":
                    self.top_seen.add(index)
                if zone.refill is not None:
                    self.refill[index] = self.zones.start + zone.refill

    def of_types(self, names: tuple[str, ...]) -> list[bool]:
        """Return for each piece whether it is of one of the card types."""
        return [self.program.kinds[k].type in names for k in self.kind_of]

    def first_state(self, chance: int, log: bool) -> State:
        """Return a state before the first statement: every piece at home, variables at their first values."""
        state: State = [0] * self.size
        state[BLOCK] = self.program.start
        state[CHANCE] = chance
        state[LOG] = START_LOG if log else None
        state[SEAT] = -1
        state[WINNER] = -1
        state[KNOWN] = ()
        state[PLACE] = list(self.home)
        for variable in self.program.variables:
            value = fold(variable.start, self.parameters)
            for place in range(self.program.high if variable.each_player else 1):
                state[HEAD + variable.slot + place] = getattr(value, "value", 0)
        zones: list[list[int]] = [[] for _ in self.zones]
        for piece, home in enumerate(self.home):
            zones[home - self.size].append(piece)
        return state + zones

    def copy(self, state: State) -> State:
        """Return a state with the same future, that shares nothing that changes."""
        new = state[:]
        new[PLACE] = state[PLACE][:]
        for index in self.zones:
            new[index] = state[index][:]
        return new

    def word(self, type: Type, value: int) -> str:
        """Return a value as people read it; pieces by their face."""
        if value == NONE:
            return "none"
        match type.form:
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return self.program.enum(type.name).labels[value]
            case "player":
                return f"player {value + 1}"
            case "piece":
                return self.faces[self.kind_of[value]]
            case "kind":
                return self.faces[value]
            case _:
                return str(value)
