"""What is offered and taken at each decision of a traced program, by the numbers of moves."""

from __future__ import annotations

from hoyle.program.game import Program
from hoyle.program.numbering import choices, numbering
from hoyle.runtime.points import Offer


def offers(program: Program) -> dict[int, tuple[Offer, ...]]:
    """Return for each block that ends in a choice the options that are counted there.

    An option that the program has cut in two is counted once; picks that only go on with a move are not counted.
    """
    numbered = numbering(program)[0]
    made: dict[int, tuple[Offer, ...]] = {}
    for block, choose in choices(program):
        ranges: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for place, option in enumerate(choose.options):
            if option.points is not None:
                first, moves, _ = numbered[block.number, place]
                ranges.setdefault(option.points, []).append((first, first + moves))
        made[block.number] = tuple(Offer(*points, tuple(found)) for points, found in ranges.items())
    return made
