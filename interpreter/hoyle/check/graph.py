"""The flow graph under construction: blocks are numbered as they are asked for and filled one at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from hoyle import program as p
from hoyle.program.liveness import reachable


class Around(NamedTuple):
    """A loop around the statement at hand; `exit` is None for a straight one."""

    word: str
    exit: int | None


@dataclass(slots=True)
class Graph:
    """Blocks so far, and the one being filled: `here` are its statements, None where nothing can come any more."""

    blocks: dict[int, p.Block] = field(default_factory=dict)
    count: int = 0
    number: int = -1
    here: list[p.Statement] | None = None
    phase: str = ""

    def new(self) -> int:
        """Return the number of a block to be filled later."""
        self.count += 1
        return self.count - 1

    def start(self, number: int) -> None:
        """Begin to fill a block."""
        self.number = number
        self.here = []

    def add(self, statements: list[p.Statement]) -> None:
        """Add straight statements to the block being filled."""
        if self.here is not None:
            self.here += statements

    def leave(self, exit: p.Exit) -> None:
        """Close the block being filled; nothing after it is reached until another is begun."""
        if self.here is None:
            return
        self.blocks[self.number] = p.Block(
            number=self.number, phase=self.phase, body=tuple(self.here), exit=exit
        )
        self.here = None

    def uncount(self, entries: dict[str, int]) -> None:
        """Take the mark of a pass from what can't come twice without a decision in between: jumps, and phases begun."""
        after: dict[str, list[int]] = {}
        for block in self.blocks.values():
            if isinstance(block.exit, p.Call):
                after.setdefault(block.exit.phase, []).append(block.exit.back)
        reached = reachable(self.blocks, entries, after)
        for number, block in self.blocks.items():
            if isinstance(block.exit, p.Jump) and block.exit.back and number not in reached[block.exit.to]:
                exit: p.Exit = block.exit.model_copy(update={"back": False})
                self.blocks[number] = block.model_copy(update={"exit": exit})
            elif isinstance(block.exit, p.Call) and number not in reached[entries[block.exit.phase]]:
                exit = block.exit.model_copy(update={"counted": False})
                self.blocks[number] = block.model_copy(update={"exit": exit})

    def run_from(self, phase: str) -> int:
        """Return from how many places a phase is run."""
        return sum(isinstance(x.exit, p.Call) and x.exit.phase == phase for x in self.blocks.values())

    def finish(self) -> tuple[dict[int, int], tuple[p.Block, ...]]:
        """Return the new numbers of the blocks that can be reached from others or are entered, and the blocks.

        Blocks that hold nothing and only jump on are passed over.
        """
        target = {n: self._end(n) for n in self.blocks}
        kept = sorted(n for n in self.blocks if target[n] == n)
        number = {n: kept.index(target[n]) for n in self.blocks}
        made = []
        for old in kept:
            block = self.blocks[old]
            made.append(
                block.model_copy(update={"number": number[old], "exit": _renumbered(block.exit, number)})
            )
        return number, tuple(made)

    def _end(self, number: int) -> int:
        seen = {number}
        while True:
            block = self.blocks[number]
            if block.body or not isinstance(block.exit, p.Jump) or block.exit.back or block.exit.to in seen:
                return number
            number = block.exit.to
            seen.add(number)


def _renumbered(exit: p.Exit, number: dict[int, int]) -> p.Exit:
    match exit:
        case p.Jump():
            return exit.model_copy(update={"to": number[exit.to]})
        case p.Branch():
            return exit.model_copy(update={"yes": number[exit.yes], "no": number[exit.no]})
        case p.Call():
            return exit.model_copy(update={"back": number[exit.back]})
        case p.Choose():
            options = tuple(o.model_copy(update={"to": number[o.to]}) for o in exit.options)
            secret = exit.secret
            if secret is not None:
                secret = secret.model_copy(update={"begin": number[secret.begin]})
            return exit.model_copy(update={"options": options, "secret": secret})
        case p.Return() | p.Over():
            return exit
