"""The interpreter of a traced program: it counts the points that are passed."""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.interpret import Game
from hoyle.interpret.engine import Engine, Legal
from hoyle.program import Program
from hoyle.program.points import offers
from hoyle.runtime.state import BLOCK, State
from hoyle.runtime.tracing import Traced, TracedGame


class TracedEngine(Traced, Engine):
    """Runs states of one layout, and counts."""

    def __init__(self, program: Program, players: int, parameters: Mapping[str, int]) -> None:
        Engine.__init__(self, program, players, parameters)
        self.fired = self.doing.fired
        self.offers = offers(program)

    def play(self, S: State, number: int, found: Legal) -> None:
        """Make a legal move and run on to the next decision or the end."""
        self.count_options(S[BLOCK], number, found)
        Engine.play(self, S, number, found)


class TracedInterpreted(Game, TracedGame):
    """A game that is run from its program and counts what happens."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.points = program.points

    def make_rules(self, players: int, values: Mapping[str, int]) -> TracedEngine:
        """Return an engine for so many players and these parameters, with counts of its own."""
        return TracedEngine(self.program, players, values)
