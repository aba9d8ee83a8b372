"""How many pieces a zone is likely to hold, as far as the rules tell: the compiler runs through small zones first.

An estimate, for speed alone: nothing that a game does depends on it. Only that a set holds one piece at most is sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.program.expressions import Const, Expr, Param, ZoneAt
from hoyle.program.flow import (
    Choose,
    Deal,
    Fill,
    Gather,
    MoveSome,
    Pick,
    Set,
    SetAt,
    Statement,
    Take,
)
from hoyle.program.game import Program

UNTOLD = 5


def expected_sizes(program: Program) -> dict[int, int]:
    """Return for each zone, by its number, how many pieces it is likely to hold, one player's where each has one.

    A zone that is filled or dealt to holds that many, one where the deck lies or is gathered all of it, another UNTOLD.
    """
    found: dict[int, int] = {}
    defaults = {x.name: x.default for x in program.parameters}
    cards = sum(d.copies for d in program.deck)

    def note(zone: int, count: int) -> None:
        found[zone] = max(found.get(zone, 0), count)

    for line in program.deck:
        note(line.zone, cards)
    for node in statements(program):
        if isinstance(node, Deal):
            note(node.zone, _amount(node.amount, defaults))
        elif isinstance(node, Fill) and isinstance(node.target, ZoneAt):
            note(node.target.zone, _amount(node.amount, defaults))
        elif isinstance(node, Gather) and isinstance(node.target, ZoneAt):
            note(node.target.zone, cards)
    return {z.number: found.get(z.number, UNTOLD) for z in program.zones}


def lone_sets(program: Program) -> frozenset[int]:
    """Return the slots of sets that never hold more than one piece: all that they are given is the card of a move."""
    lone, more = set[int](), set[int]()
    for node in statements(program):
        match node:
            case MoveSome(slot=int() as slot, amount=Const(value=1)):
                lone.add(slot)
            case Set(slot=slot, value=Const(value=0)):
                pass
            case Set(slot=slot) | SetAt(slot=slot) | Pick(slot=slot) | MoveSome(slot=int() as slot):
                more.add(slot)
            case Take(targets=targets):
                more.update(targets)
            case _:
                more.update(x.slot for x in getattr(node, "binders", ()))
    for phase in program.phases:
        more.update(phase.parameters)
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            more.update(x.bind.slot for option in block.exit.options for x in option.arguments)
    return frozenset(lone - more)


def _amount(expr: Expr, defaults: dict[str, int]) -> int:
    if isinstance(expr, Const):
        return expr.value
    return defaults[expr.name] if isinstance(expr, Param) else UNTOLD


def statements(program: Program) -> Iterator[Statement]:
    """Yield every statement of a program, those inside others too."""
    for block in program.blocks:
        yield from inside(block.body)
    for phase in program.phases:
        yield from inside(phase.body)


def inside(body: Sequence[Statement]) -> Iterator[Statement]:
    """Yield statements, and those inside them."""
    for node in body:
        yield node
        for name in ("yes", "no", "body"):
            yield from inside(getattr(node, name, ()))
