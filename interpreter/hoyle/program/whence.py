"""Where pieces come from that a game keeps in names: the zone that they were chosen from, as far as the text tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hoyle.program.expressions import Cond, Expr, Loop, Slot, ZoneAt
from hoyle.program.flow import Choose, ForEach, MoveSome, Perform, Phase, Set, SetAt, Statement
from hoyle.program.game import Program
from hoyle.program.purity import free_slots
from hoyle.program.sizes import statements

HOLDING = ("piece", "set")


def whence(program: Program) -> dict[int, ZoneAt]:
    """Return for slots of pieces, and of sets of them, the zone that they were chosen from.

    It is only likely that they lie there: they may have been moved since, and the player whose zone it is may be
    another by now.
    """
    found: dict[int, ZoneAt] = {}
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            for option in block.exit.options:
                for argument in option.arguments:
                    zone = _zone(argument.bind.source)
                    if zone is not None:
                        found[argument.bind.slot] = zone
    phases = {x.name: x for x in program.phases}
    given = [x for node in statements(program) for x in _given(node, phases)]
    before = -1
    while before != len(found):  # what is given a value from such a name holds the same pieces
        before = len(found)
        for slot, value in given:
            if slot not in found:
                zones = [_zone(value), *(found[x] for x in sorted(free_slots(value)) if x in found)]
                if zones[0] is not None or zones[1:]:
                    found[slot] = next(x for x in zones if x is not None)
    return found


def _given(node: Statement, phases: Mapping[str, Phase]) -> Iterator[tuple[int, Expr]]:
    """Yield the slots that a statement gives pieces, each with what they come from."""
    match node:
        case Set() | SetAt():
            if node.value.type.form in HOLDING:
                yield node.slot, node.value
        case MoveSome() if node.slot is not None:
            yield node.slot, node.target
        case Perform():
            phase = phases[node.phase]
            for slot, type_, value in zip(phase.parameters, phase.types, node.args, strict=True):
                if type_.form in HOLDING:
                    yield slot, value
        case ForEach():
            yield from ((b.slot, b.source) for b in node.binders if b.type.form == "piece")
        case _:
            pass


def _zone(source: Expr) -> ZoneAt | None:
    """Return the zone that a source takes its pieces from, if it is one alone, its owner in a name."""
    if isinstance(source, ZoneAt) and (source.index is None or isinstance(source.index, Slot)):
        return source
    if isinstance(source, Loop) and source.binders:
        return _zone(source.binders[0].source)
    if isinstance(source, Cond):
        return _zone(source.yes)
    return None
