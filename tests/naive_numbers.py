"""The numbers of moves as they ought to be, by listing everything that can be chosen."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from math import prod
from typing import Any

from hoyle import program as p
from hoyle.program.folding import fold
from naive import Call


class Numbers:
    """The numbers of moves, by listing what each group of arguments can be.

    Choices have their numbers by how short the way back to them is, picks of a set after all others; the options of a
    choice have theirs in order; the last group of arguments changes fastest; the choices of a group are in the
    order of their greatest element, then the next. Players are counted as many as the game can have.
    """

    def __init__(self, program: p.Program) -> None:
        self.space = 0
        self.first: dict[tuple[int, int], int] = {}
        self.groups: dict[tuple[int, int], list[dict[tuple[Any, ...], int]]] = {}
        for block in _by_ways_back(program):
            if isinstance(block.exit, p.Choose):
                for place, option in enumerate(block.exit.options):
                    lists = _groups(program, option)
                    self.first[block.number, place] = self.space
                    self.groups[block.number, place] = [
                        {tuple(sorted(chosen)): i for i, chosen in enumerate(group)} for group in lists
                    ]
                    self.space += prod(map(len, lists))

    def number(self, block: int, call: Call) -> int:
        """Return the number of a move at the choice of a block."""
        place, chosen = call
        number = 0
        for known, group in zip(self.groups[block, place], chosen, strict=True):
            number = number * len(known) + known[group]
        return self.first[block, place] + number


def _by_ways_back(program: p.Program) -> list[p.Block]:
    """Return the blocks with a choice: by the length of the shortest way from each back to itself."""
    blocks = range(len(program.blocks))
    far = len(program.blocks) + 1
    way = [[1 if b in _next(program, a) else far for b in blocks] for a in blocks]
    for through in blocks:
        for a in blocks:
            for b in blocks:
                way[a][b] = min(way[a][b], way[a][through] + way[through][b])
    made = []
    for block in program.blocks:
        if isinstance(block.exit, p.Choose):
            picks = block.exit.more or any(x.part for x in block.exit.options)
            off = way[program.start][block.number] >= far  # with parameters as they are
            made.append((off, picks, min(way[block.number][block.number], far), block.number))
    return [program.blocks[number] for *_, number in sorted(made)]


def _next(program: p.Program, number: int) -> list[int]:
    """Return the blocks that may follow one directly, a decision's moves among them."""
    exit = program.blocks[number].exit
    match exit:
        case p.Jump():
            return [exit.to]
        case p.Branch():
            known = fold(exit.test, {x.name: x.default for x in program.parameters})
            if isinstance(known, p.Const):
                return [exit.yes if known.value else exit.no]
            return [exit.yes, exit.no]
        case p.Call():
            return [x.entry for x in program.phases if x.name == exit.phase]
        case p.Return():
            calls = [b.exit for b in program.blocks if isinstance(b.exit, p.Call)]
            return [x.back for x in calls if x.phase == exit.phase]
        case p.Choose():
            return [x.to for x in exit.options]
        case _:
            return []


def _groups(program: p.Program, option: p.Option) -> list[list[tuple[Any, ...]]]:
    found = []
    for i, argument in enumerate(option.arguments):
        if argument.bind.rank:
            continue
        if argument.low is not None:
            found.append(_sets(program, argument))
            continue
        after = option.arguments[i + 1 :]
        count = 1 + next((k for k, a in enumerate(after) if a.bind.rank == 0), len(after))
        values = _domain(program, argument.domain)
        places = range(len(values))
        choose = combinations_with_replacement if argument.domain.form == "piece" else combinations
        ordered = sorted(choose(places, count), key=lambda chosen: chosen[::-1])
        found.append([tuple(values[x] for x in chosen) for chosen in ordered])
    return found


def _sets(program: p.Program, argument: p.Argument) -> list[tuple[Any, ...]]:
    """Return every set of pieces that an argument could be, in order; looked for among all there are."""
    types = argument.bind.type.element.pieces if argument.bind.type.element else ()
    pieces = sorted(
        d.kind for d in program.deck for _ in range(d.copies) if program.kinds[d.kind].type in types
    )
    assert argument.low is not None and argument.high is not None
    low, high = argument.low.type.low or 0, argument.high.type.high
    if isinstance(argument.high, p.Const):
        high = argument.high.value
    assert high is not None
    sizes = range(low, min(high, len(pieces)) + 1) if high else [0]
    kinds = sorted({chosen for size in sizes for chosen in combinations(pieces, size)})
    return [tuple(program.kinds[k].face for k in chosen) for chosen in kinds]


def _domain(program: p.Program, type: p.Type) -> list[Any]:
    match type.form:
        case "flag":
            return [0, 1]
        case "number":
            assert type.low is not None and type.high is not None
            return list(range(type.low, type.high + 1))
        case "enum":
            return list(range(len(program.enum(type.name).labels)))
        case "player":
            return list(range(program.high))
        case _:
            return [k.face for k in program.kinds if k.type in type.pieces]
