"""The interpreter: runs a program directly, as closures over a flat state. Knows the program alone."""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.interpret.engine import Engine
from hoyle.program import Parameter, Program
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.game import BaseGame, Setting
from hoyle.runtime.move import Move, Playout
from hoyle.runtime.table import Table

__all__ = ["Fault", "Game", "IllegalMove", "Move", "Playout", "Table"]


class Game(BaseGame):
    """A game that is run from its program. Tables are laid with `start`; random games are played with `playouts`."""

    def __init__(self, program: Program) -> None:
        counts = range(program.low, program.high + 1)
        settings = [setting_of(x) for x in program.parameters]
        super().__init__(program.name, program.text, counts, settings, program.source_hash, program.teams)
        self.program = program

    def make_rules(self, players: int, values: Mapping[str, int]) -> Engine:
        """Return an engine for so many players and these parameters."""
        return Engine(self.program, players, values)

    def engine(self, players: int | None, given: Mapping[str, object]) -> Engine:
        """Return the engine for a player count and parameters; ValueError in words."""
        rules = self.rules(players, given)
        assert isinstance(rules, Engine)
        return rules


def setting_of(parameter: Parameter) -> Setting:
    """Return a parameter of a program as a table is set by it."""
    words = ("no", "yes") if parameter.type.form == "flag" else parameter.words
    low, high = (None, None) if words else (parameter.type.low, parameter.type.high)
    return Setting(parameter.name, parameter.default, low, high, words, parameter.values, parameter.text)
