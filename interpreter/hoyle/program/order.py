"""What reads the order of a shuffled pile, and what tells cards apart that look alike: for explicit chance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.program.expressions import Expr, Loop, Op, ZoneAt
from hoyle.program.flow import (
    Choose,
    Deal,
    DrawFor,
    Fill,
    ForEach,
    Gather,
    If,
    MovePieces,
    MoveSome,
    Perform,
    Pick,
    Repeat,
    Shuffle,
    Statement,
)
from hoyle.program.game import Program
from hoyle.program.liveness import Liveness, Slots, expressions_in, slots_read
from hoyle.program.purity import children, holds_pieces
from hoyle.runtime.asked import Holding
from hoyle.runtime.explicit import ChanceShape
from hoyle.runtime.state import HEAD

IN_NO_ORDER = ("size_zone", "zone_set")
BY_LOT = (Shuffle, Gather, Pick, DrawFor, Deal, Fill, MoveSome)


def chance_shape(program: Program) -> ChanceShape:
    """Return what explicit chance must know of a program."""
    size = HEAD + sum(s.size for s in program.slots)
    read = set(_ordered(program))
    lazy = [
        size + zone.number + owner
        for zone in program.zones
        if zone.form == "pile" and zone.seen == "hidden" and zone.number not in read
        for owner in range(program.high if zone.each_player else 1)
    ]
    tracking = Tracking(program)
    return ChanceShape(tuple(lazy), tracking.apart(), tracking.tracked())


# ---- the order of piles ---------------------------------------------------------------------------


def _ordered(program: Program) -> Iterator[int]:
    """Yield the zones that are mentioned where their order may matter."""
    for function in program.functions:
        yield from _in(function.body)
    for key in program.rank.keys if program.rank else ():
        yield from _in(key.value)
    for phase in program.phases:
        yield from _in_body(phase.body)
    for block in program.blocks:
        yield from _in_body(block.body)
        for expr in expressions_in(block.exit):
            yield from _in(expr)
        if isinstance(block.exit, Choose):
            for option in block.exit.options:
                guards = [x for x in (option.when, option.where) if x is not None]
                for expr in (*guards, *(a.bind.source for a in option.arguments)):
                    yield from _in(expr)


def _in_body(body: Sequence[Statement]) -> Iterator[int]:
    for node in body:
        harmless: list[Expr | None] = []
        match node:
            case MoveSome() | Fill():
                harmless = [node.source, node.target]
            case Deal() | DrawFor():
                harmless = [node.source]
            case Gather() | MovePieces():
                harmless = [node.target]
            case Shuffle():
                harmless = [node.zone]
            case If():
                yield from _in_body(node.yes)
                yield from _in_body(node.no)
            case Repeat() | ForEach():
                yield from _in_body(node.body)
            case _:
                pass
        for expr in expressions_in(node):
            if isinstance(expr, ZoneAt) and any(expr is x for x in harmless):
                yield from () if expr.index is None else _in(expr.index)
            else:
                yield from _in(expr)


def _in(expr: Expr) -> Iterator[int]:
    """Yield the zones in an expression, but for those asked about as a whole: their size, what lies in them."""
    match expr:
        case ZoneAt():
            yield expr.zone
        case Op(op="in_zone", args=(piece, ZoneAt() as zone)):
            yield from _in(piece)
            yield from () if zone.index is None else _in(zone.index)
            return
        case Op() if expr.op in IN_NO_ORDER and isinstance(expr.args[0], ZoneAt):
            yield from () if expr.args[0].index is None else _in(expr.args[0].index)
            return
        case _:
            pass
    single = isinstance(expr, Loop) and all(b.rank == 0 for b in expr.binders)  # of a pair, one is the first
    for child in children(expr):
        if single and isinstance(child, ZoneAt):
            yield from () if child.index is None else _in(child.index)
        else:
            yield from _in(child)


# ---- cards that look alike ----------------------------------------------------------------------------


class Tracking:
    """Where pieces are remembered while chance is asked."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.liveness = Liveness(program)
        self.kept = self.liveness.at_decisions()
        self.phases = {x.name: x for x in program.phases}
        self.holding: dict[int, tuple[int, bool, str]] = {}
        place = 0
        for info in program.slots:
            if holds_pieces(info.type) or (info.role == "flow" and info.type.form == "set"):
                self.holding[place] = (info.size, info.type.form != "piece", info.role)
            place += info.size
        self.visited: set[tuple[str, Slots]] = set()

    def tracked(self) -> tuple[Holding, ...]:
        """Return the places of variables with pieces, and of locals that are kept from one decision to the next."""
        return tuple(
            (HEAD + slot, size, of_set)
            for slot, (size, of_set, role) in self.holding.items()
            if role == "state" or slot in self.kept
        )

    def apart(self) -> bool:
        """Return whether a piece may be remembered where a table can't look while chance is asked."""
        arguments = {
            a.bind.slot
            for b in self.program.blocks
            if isinstance(b.exit, Choose)
            for o in b.exit.options
            for a in o.arguments
        }
        if any(
            slot in self.kept and self.holding[slot][2] != "flow" for slot in arguments & set(self.holding)
        ):
            return True  # what such a place holds before it is chosen is not the same in both back ends
        return any(self._body(b.body, self.liveness._out(b.exit)) for b in self.program.blocks)

    def _body(self, body: Sequence[Statement], live: Slots) -> bool:
        """Return whether some chance among statements is asked while a piece is remembered out of sight."""
        for node in reversed(body):
            if self._within(node, live):
                return True
            live = self.liveness._before(node, live)
        return False

    def _within(self, node: Statement, live: Slots) -> bool:
        match node:
            case If():
                return self._body(node.yes, live) or self._body(node.no, live)
            case Repeat():
                asked = {s for x in expressions_in(node) for s in slots_read(x)}
                return self._body(node.body, self.liveness._loop(node.body, live | asked))
            case ForEach():
                pieces = any(holds_pieces(b.type) for b in node.binders)
                inner = self.liveness._loop(node.body, live)
                return (pieces and self._by_lot(node.body)) or self._body(node.body, inner)
            case Perform():
                if (node.phase, live) in self.visited:
                    return False
                self.visited.add((node.phase, live))
                return self._body(self.phases[node.phase].body, live)
            case _:
                return isinstance(node, BY_LOT) and any(self._hidden(slot) for slot in live)

    def _hidden(self, slot: int) -> bool:
        held = self.holding.get(slot)
        return held is not None and held[2] not in ("state", "flow") and slot not in self.kept

    def _by_lot(self, body: Sequence[Statement]) -> bool:
        """Return whether chance may be asked among statements."""
        for node in body:
            parts = [getattr(node, name, ()) for name in ("yes", "no", "body")]
            if isinstance(node, Perform):
                parts.append(self.phases[node.phase].body)
            if isinstance(node, BY_LOT) or any(self._by_lot(part) for part in parts):
                return True
        return False
