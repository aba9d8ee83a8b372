"""The numbers of moves: per option a block over the declared domains of its arguments.

Fixed by the game alone, whatever the player count, so that a number means the same move in every replay and network.
The choices that a game comes to most often have the first numbers: there a piece's number is that of the move.
Names that share a source, `a, b in S`, are one unordered choice of different pieces, which may look alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import NamedTuple

from hoyle.program.flow import Block, Choose, Option
from hoyle.program.game import Enum, Kind, Program
from hoyle.program.heat import by_heat
from hoyle.program.types import Type

LARGEST_SPACE = 1 << 40


def domain_size(type: Type, kinds: Sequence[Kind], enums: Mapping[str, Enum], players: int) -> int:
    """Return how many values an argument of the type can have; pieces that look alike are one."""
    match type.form:
        case "flag":
            return 2
        case "number":
            return max(
                1, (type.high or 0) - (type.low or 0) + 1
            )  # an empty range has a number that is never legal
        case "enum":
            return len(enums[type.name].labels)
        case "player":
            return players
        case "piece":
            return max(1, sum(k.type in type.pieces for k in kinds))
        case _:
            return 1


class Group(NamedTuple):
    """Arguments that share one source: `many` of them over a domain of `size`; `low` is its lowest number.

    For pieces `places` gives the place of each kind in the domain, -1 for kinds of other types; empty otherwise.
    For a set of pieces `subsets` are the sets it can be, in order.
    """

    many: int
    size: int
    low: int
    places: tuple[int, ...]
    moves: int
    subsets: tuple[tuple[int, ...], ...] = ()


class Numbered(NamedTuple):
    """An option's block of numbers: `first` is its first, `moves` how many it has."""

    first: int
    moves: int
    groups: tuple[Group, ...]


def groups_of(program: Program, option: Option) -> tuple[Group, ...]:
    """Return the groups of an option's arguments."""
    enums = {e.name: e for e in program.enums}
    made: list[Group] = []
    counts: list[int] = []
    for argument in option.arguments:
        if argument.bind.rank == 0:
            counts.append(0)
        counts[-1] += 1
    heads = [a for a in option.arguments if a.bind.rank == 0]
    for argument, count in zip(heads, counts, strict=True):
        type = argument.domain
        if argument.low is not None:
            made.append(Group(1, len(argument.subsets), 0, (), len(argument.subsets), argument.subsets))
            continue
        size = domain_size(type, program.kinds, enums, program.high)
        places: tuple[int, ...] = ()
        moves = comb(size, count)
        if type.form == "piece":
            fitting = [i for i, k in enumerate(program.kinds) if k.type in type.pieces]
            places = tuple(fitting.index(i) if i in fitting else -1 for i in range(len(program.kinds)))
            moves = comb(size + count - 1, count)
        made.append(Group(count, size, type.low or 0 if type.form == "number" else 0, places, moves))
    return tuple(made)


def numbering(program: Program) -> tuple[dict[tuple[int, int], Numbered], int]:
    """Return the numbers of each option, by block and place in its choice, and the size of the whole space."""
    made: dict[tuple[int, int], Numbered] = {}
    first = 0
    chooses = {block.number: choose for block, choose in choices(program)}
    for number in by_heat(program):
        choose = chooses[number]
        for place, option in enumerate(choose.options):
            groups = groups_of(program, option)
            moves = 1
            for group in groups:
                moves *= group.moves
            made[number, place] = Numbered(first, moves, groups)
            first += moves
    return made, first


def choices(program: Program) -> list[tuple[Block, Choose]]:
    """Return the blocks that end in a choice, in order."""
    return [(b, b.exit) for b in program.blocks if isinstance(b.exit, Choose)]
