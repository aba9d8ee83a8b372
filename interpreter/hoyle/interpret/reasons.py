"""What options ask, part by part, made when somebody wants to know why a move is not possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle import program as p
from hoyle.interpret.expressions import Asking
from hoyle.program.veils import Asked, asked_of
from hoyle.runtime.asked import AskedShape
from hoyle.runtime.state import HEAD, State


class Reasons:
    """The arguments and conditions of the options of one program, as closures."""

    def __init__(self, program: p.Program, asking: Asking) -> None:
        self.program = program
        self.asking = asking
        self.shapes = Asked(program)
        self.known: dict[tuple[int, int], AskedShape] = {}
        self.parts: dict[tuple[int, int, int], Callable[[State], Any]] = {}

    def asked(self, block: int, place: int) -> AskedShape:
        """Return what an option asks."""
        key = (block, place)
        if key not in self.known:
            self.known[key] = self.shapes.of(block, place)
        return self.known[key]

    def ask(self, S: State, block: int, place: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from behind the arguments on, a condition."""
        exit = self.program.blocks[block].exit
        assert isinstance(exit, p.Choose)
        option = exit.options[place]
        for argument, value in zip(option.arguments, values, strict=False):
            S[HEAD + argument.bind.slot] = value
        key = (block, place, part)
        if key not in self.parts:
            self.parts[key] = self._part(option, part)
        return self.parts[key](S)

    def _part(self, option: p.Option, part: int) -> Callable[[State], Any]:
        if part >= len(option.arguments):
            return self.asking.ask(option.conditions[part - len(option.arguments)].asks)
        source = self.asking.settled(asked_of(option.arguments[part]))
        if source.type.form == "zone":
            zone = self.asking.closure(source)
            return lambda S: (zone(S), S[zone(S)])
        run = self.asking.run(source)
        return lambda S: (-1, run(S))
