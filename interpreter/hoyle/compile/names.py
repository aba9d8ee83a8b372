"""Names of the module for names of the spec: readable, each its own, and never one of Python's."""

from __future__ import annotations

import builtins
import keyword
import re

from hoyle.program import Program

# Names that the methods of every module use for themselves.
OWN = frozenset(
    (
        "S self n x y k fixed fixed_1 fixed_2 found kind_of out fitting kinds low high piece seat rows "
        "best text game values other lying classes class_of goes_with lies moves seen twice fits bit_of "
        "ALONE FACES DECK ZONES VARIABLES CHOICES WHOLES SETTINGS ASKED CHANCED TOKENS "
        "game there value to part counts does dealt zone row there_is same key NO_MOVES "
        "most choice totals at choices forced wanders count steps made decisions block total run"
    ).split()
)


class Names:
    """Gives out names; one that is taken gets a `_` behind it."""

    def __init__(self, program: Program, runtime: frozenset[str]) -> None:
        self.taken = set(dir(builtins)) | set(keyword.kwlist) | set(keyword.softkwlist) | runtime | OWN
        spelled = {f.name: re.sub(r"\W", "_", f.name) for f in program.functions}
        self.functions = {name: self.give(x) for name, x in spelled.items()}
        self.tables = {name: self.give(x.upper() + "_OF") for name, x in spelled.items()}
        self.parameters = {x.name: self.give(x.name) for x in program.parameters}
        self.attributes = {a.name: "" for attributes in program.attributes.values() for a in attributes}
        for name in self.attributes:
            self.attributes[name] = self.give(name.upper())
        self.phases = {
            x.name: self.give(f"{x.name}_phase" if x.name == "play" else x.name) for x in program.phases
        }
        self.zones = {z.number: self.give(z.name.upper()) for z in program.zones}
        self.slots: dict[int, str] = {}
        self.locals: dict[int, str] = {}
        place = 0
        words = [x.name for x in program.slots]
        for info in program.slots:
            plain = re.sub(r"\W", "_", info.name)
            alone = info.role == "state" or words.count(info.name) == 1
            full = plain if alone or not info.owner else f"{info.owner}_{plain}"
            if info.role != "scratch":
                self.slots[place] = self.give(full.upper())
            self.locals[place] = self.safe(plain)
            place += info.size
        self.types: dict[tuple[str, ...], str] = {}

    def give(self, wanted: str) -> str:
        """Return a name of the module's own."""
        while wanted in self.taken:
            wanted += "_"
        self.taken.add(wanted)
        return wanted

    def safe(self, wanted: str) -> str:
        """Return a name for a local variable: it may be used again elsewhere, but hides nothing of the module."""
        while wanted in self.taken:
            wanted += "_"
        return wanted

    def temporary(self, wanted: str, others: set[str]) -> str:
        """Return a name for a value of the module's own inside a method, where no name of the spec is hidden."""
        spec = set(self.locals.values()) | others
        while wanted in self.taken or wanted in spec:
            wanted += "_"
        return wanted

    def type_table(self, pieces: tuple[str, ...]) -> str:
        """Return the name of the table that says which kinds are of one of some card types."""
        if pieces not in self.types:
            self.types[pieces] = self.give("IS_" + "_OR_".join(x.upper() for x in pieces))
        return self.types[pieces]
