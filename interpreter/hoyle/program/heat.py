"""Which choices a game comes to most often, as far as the flow graph tells: those with the shortest way back."""

from __future__ import annotations

from collections import defaultdict

from hoyle.program.flow import Branch, Call, Choose, Jump, Over, Return
from hoyle.program.game import Program


def by_heat(program: Program) -> list[int]:
    """Return the blocks that end in a choice, those a game comes to most often first.

    A pick of several that make one move together comes after all others: it is over after a few.
    """
    after = _after(program)
    made: list[tuple[bool, int, int]] = []
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            picks = block.exit.more or any(x.part for x in block.exit.options)
            made.append((picks, _way_back(block.number, after), block.number))
    return [number for _, _, number in sorted(made)]


def _after(program: Program) -> dict[int, list[int]]:
    """Return for each block those that a game may come to next."""
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
            case Branch(yes=yes, no=no):
                after[block.number] = [yes, no]
            case Call(phase=phase):
                after[block.number] = [phases[phase].entry]
            case Return(phase=phase):
                after[block.number] = backs[phase]
            case Choose(options=options):
                after[block.number] = [x.to for x in options]
            case Over():
                after[block.number] = []
    return after


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
