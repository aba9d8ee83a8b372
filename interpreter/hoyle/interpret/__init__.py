"""The interpreter: runs a program directly, as closures over a flat state. Knows the program alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from hoyle.interpret.engine import Engine, settle
from hoyle.interpret.layout import DECISIONS, SEAT
from hoyle.interpret.table import MOST_DECISIONS, Table
from hoyle.interpret.view import Viewer
from hoyle.program import Program
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER, mix, seeded
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.move import Move, Playout

__all__ = ["Fault", "Game", "IllegalMove", "Move", "ParameterInfo", "Playout", "Table"]

MOST_ENGINES = 32


class ParameterInfo(NamedTuple):
    """A parameter for people: its default and domain as text, and its rule text."""

    name: str
    default: str
    domain: str
    text: str


class Game:
    """A playable game. Tables are laid with `start`; whole random games are played with `playouts`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._engines: dict[tuple[int, tuple[tuple[str, int], ...]], tuple[Engine, Viewer]] = {}

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.program.name

    @property
    def text(self) -> str:
        """The rule text of the game as a whole."""
        return self.program.text

    @property
    def counts(self) -> tuple[int, ...]:
        """The numbers of players that the game is for, ascending."""
        return tuple(range(self.program.low, self.program.high + 1))

    @property
    def parameters(self) -> dict[str, ParameterInfo]:
        """The parameters by name."""
        made = {}
        for x in self.program.parameters:
            if x.words:
                shown, domain = x.words[x.default], ", ".join(x.words)
            elif x.type.form == "flag":
                shown, domain = ("no", "yes")[x.default], "yes, no"
            else:
                shown, domain = (
                    str(x.default),
                    f"{x.type.low}..{x.type.high}" if x.type.low is not None else "any number",
                )
            made[x.name] = ParameterInfo(x.name, shown, domain, x.text)
        return made

    def setting(self, name: str, text: str) -> Any:
        """Return a parameter's value as a person typed it; ValueError in words if it can't be one."""
        settle(self.program, {name: text})
        return text

    def engine(self, players: int | None, parameters: dict[str, Any]) -> tuple[Engine, Viewer]:
        """Return what runs the game for so many players with these parameters; ValueError in words."""
        count = self.program.low if players is None else players
        if count not in self.counts:
            low, high = self.program.low, self.program.high
            allowed = f"{low} players" if low == high else f"{low} to {high} players"
            raise ValueError(f"{self.name} is for {allowed}, not {count}")
        settled = settle(self.program, parameters)
        key = (count, tuple(sorted(settled.items())))
        if key not in self._engines:
            if len(self._engines) >= MOST_ENGINES:
                self._engines.pop(next(iter(self._engines)))
            engine = Engine(self.program, count, settled)
            self._engines[key] = (engine, Viewer(engine))
        return self._engines[key]

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **parameters: Any,
    ) -> Table:
        """Return a table at its first decision. The same arguments give the same game, on every version of Python.

        `players` is the smallest count if left out. Raises ValueError in words for arguments that the game does not
        know, Fault if the game breaks before its first decision.
        """
        engine, viewer = self.engine(players, parameters)
        table = Table(engine, viewer, engine.layout.first_state(seeded(seed), log=True), max_decisions)
        try:
            engine.advance(table.state)
        except Fault as fault:
            raise table._broken(fault) from None
        return table

    def space(self, players: int | None = None) -> int:
        """Return how many numbers the moves of the game have, for so many players."""
        return self.engine(players, {})[0].space

    def playouts(
        self,
        n: int,
        players: int | None = None,
        seed: int = 0,
        first: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **parameters: Any,
    ) -> Iterator[Playout]:
        """Yield n games played by random choices, one by one.

        Game i is start(seed=mix(seed, i)) with choices from the stream mix(seed, i, 1), so that any of them can be seen
        again alone.
        """
        engine, _ = self.engine(players, parameters)
        return (
            self._playout(engine, mix(seed, i), mix(seed, i, 1), max_decisions)
            for i in range(first, first + n)
        )

    def _playout(self, engine: Engine, seed: int, choice: int, max_decisions: int) -> Playout:
        S = engine.layout.first_state(seeded(seed), log=False)
        choices = forced = 0
        outcome, words = "finished", ""
        try:
            engine.advance(S)
            while S[SEAT] >= 0:
                if S[DECISIONS] >= max_decisions:
                    outcome = "stalled"
                    break
                found = engine.legal(S)
                numbers = sorted(found)
                count = len(numbers)
                choices += count
                forced += count == 1
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                engine.play(S, *found[numbers[((choice >> 15) * count) >> 48]])
        except Fault as fault:
            outcome, words = "fault", str(fault)
        scores = engine.scores(S) if outcome != "fault" else (0,) * engine.layout.players
        winners = engine.winners(S) if outcome == "finished" else ()
        return Playout(scores, winners, S[DECISIONS], outcome, words, choices, forced)
