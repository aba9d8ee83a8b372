"""Which choices a game comes to most often, as far as the flow graph tells: those with the shortest way back."""

from __future__ import annotations

from collections import defaultdict

from hoyle.program.expressions import Const
from hoyle.program.flow import Branch, Call, Choose, Jump, Over, Return
from hoyle.program.folding import fold
from hoyle.program.game import Program


def by_heat(program: Program) -> list[int]:
    """Return the blocks that end in a choice, those a game comes to most often first.

    A pick of several that make one move together comes after all others: it is over after a few. Last come those of
    rules that a parameter has to switch on.
    """
    after = _after(program)
    reached = _reached(program.start, after)
    made: list[tuple[bool, bool, int, int]] = []
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            picks = block.exit.more or any(x.part for x in block.exit.options)
            rare = block.number not in reached
            made.append((rare, picks, _way_back(block.number, after), block.number))
    return [number for *_, number in sorted(made)]


def _after(program: Program) -> dict[int, list[int]]:
    """Return for each block those that a game may come to next, with parameters as they are if nobody sets them."""
    defaults = {x.name: x.default for x in program.parameters}
    phases = {x.name: x for x in program.phases}
    backs: dict[str, list[int]] = defaultdict(list)
    for block in program.blocks:
        if isinstance(block.exit, Call):
            backs[block.exit.phase].append(block.exit.back)
    after: dict[int, list[int]] = {}
    for block in program.blocks:
        match block.exit:
            case Jump(to=to):
                after[block.number] = [to]
            case Branch(test=test, yes=yes, no=no):
                known = fold(test, defaults)
                after[block.number] = (
                    [yes, no] if not isinstance(known, Const) else [yes if known.value else no]
                )
            case Call(phase=phase):
                after[block.number] = [phases[phase].entry]
            case Return(phase=phase):
                after[block.number] = backs[phase]
            case Choose(options=options):
                after[block.number] = [x.to for x in options]
            case Over():
                after[block.number] = []
    return after


def _reached(start: int, after: dict[int, list[int]]) -> set[int]:
    """Return the blocks that a game may come to."""
    met, open_ = {start}, [start]
    while open_:
        ahead = set(after[open_.pop()]) - met
        met |= ahead
        open_ += ahead
    return met


def _way_back(start: int, after: dict[int, list[int]]) -> int:
    """Return how many blocks there are at least from a block back to itself; more than there are if none leads back."""
    met, edge, length = {start}, [start], 0
    while edge:
        length += 1
        ahead = [x for block in edge for x in after[block]]
        if start in ahead:
            return length
        edge = sorted(set(ahead) - met)
        met.update(edge)
    return len(after) + 1
