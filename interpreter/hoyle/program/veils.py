"""What a condition may rest on that a player can't see, and what an option asks, for those who explain moves.

Zones are watched while a condition is asked (see `runtime.asked`), but a local may hold what was once read from hidden
cards. Such locals are found here, with more care than need be: what is set where a hidden card decides is one of them.
Variables that hold pieces are listed, so that it can be looked up where those pieces lie.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.program.expressions import Bind, Cond, Expr, Invoke, Op, Slot, SlotAt, ZoneAt
from hoyle.program.flow import (
    Argument,
    Branch,
    Call,
    Choose,
    Collect,
    DrawFor,
    ForEach,
    If,
    Option,
    Perform,
    Pick,
    Repeat,
    Set,
    Statement,
    Take,
)
from hoyle.program.game import Program, SlotInfo
from hoyle.program.numbering import Numbered, numbering
from hoyle.program.purity import Functions, bound, children, free_slots, holds_pieces
from hoyle.program.types import value_form
from hoyle.runtime.asked import AskedShape, ConditionShape, GroupShape, Holding, SourceShape
from hoyle.runtime.state import HEAD

TOLD = ("player", "number")  # what is picked at random and told to all


class Veils:
    """The locals of a program that may rest on hidden cards: `veiled`, by slot."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.functions = Functions(program.functions, program.slots)
        self.phases = {x.name: x for x in program.phases}
        self.open = {z.number for z in program.zones if z.seen == "open"}
        self.info: dict[int, SlotInfo] = {}
        place = 0
        for info in program.slots:
            self.info[place] = info
            place += info.size
        self.veiled: set[int] = set()
        self.dark: set[str] = set()
        before = (-1, -1)
        while before != (len(self.veiled), len(self.dark)):
            before = (len(self.veiled), len(self.dark))
            self._pass()

    # ---- expressions ----------------------------------------------------------------------

    def secret(self, expr: Expr, known: frozenset[int] = frozenset()) -> bool:
        """Return whether an expression may rest on hidden cards; `known` are names for pieces that are seen."""
        match expr:
            case Slot():
                return expr.slot not in known and (expr.slot in self.veiled or holds_pieces(expr.type))
            case SlotAt():
                return holds_pieces(expr.type) or self.secret(expr.index, known)
            case ZoneAt():
                return expr.zone not in self.open or self._owner(expr, known)
            case Op(op="size_zone", args=(ZoneAt() as zone,)):
                return self._owner(zone, known)
            case Op(op="size_zone", args=(Cond() as zone,)):
                sizes = [expr.model_copy(update={"args": (x,)}) for x in (zone.yes, zone.no)]
                return self.secret(zone.test, known) or any(self.secret(x, known) for x in sizes)
            case Op(op="begun" | "fresh", args=(ZoneAt(), *rest)):  # how many cards lie where, everybody sees
                return any(self.secret(x, known) for x in rest)
            case Op(op="in_zone", args=(piece, ZoneAt() as zone)):
                return self.secret(piece, known) or self._owner(zone, known)
            case Invoke():
                function = self.functions[expr.function]
                inside = self.secret(function.body, frozenset(function.parameters))
                return inside or any(self.secret(a, known) for a in expr.args)
            case _:
                inner = known | {b.slot for b in bound(expr)}
                return any(self.secret(c, inner) for c in children(expr))

    def _owner(self, zone: ZoneAt, known: frozenset[int]) -> bool:
        return zone.index is not None and self.secret(zone.index, known)

    def mentions(self, expr: Expr, known: frozenset[int] = frozenset()) -> bool:
        """Return whether an expression asks one of the veiled locals, but for those that are known."""
        return not self.veiled.isdisjoint(free_slots(expr).keys() - known)

    def holdings(self, expr: Expr, own: frozenset[int]) -> set[Holding]:
        """Return the places of variables and locals with pieces that an expression reads, without those in `own`."""
        match expr:
            case Slot() if holds_pieces(expr.type) and expr.slot not in own:
                return {(HEAD + expr.slot, 1, expr.type.form != "piece")}
            case SlotAt() if holds_pieces(expr.type):
                many = self.info[expr.slot].size
                return {(HEAD + expr.slot, many, expr.type.form != "piece")} | self.holdings(expr.index, own)
            case Invoke():
                function = self.functions[expr.function]
                found = self.holdings(function.body, frozenset(function.parameters))
                return found.union(*[self.holdings(a, own) for a in expr.args])
            case _:
                inner = own | {b.slot for b in bound(expr)}
                return {h for c in children(expr) for h in self.holdings(c, inner)}

    # ---- statements -----------------------------------------------------------------------

    def _pass(self) -> None:
        """Look through the whole program once."""
        for phase in self.program.phases:
            self._body(phase.body, phase.name in self.dark)
        for block in self.program.blocks:
            dark = block.phase in self.dark
            self._body(block.body, dark)
            match block.exit:
                case Branch() if self.secret(block.exit.test):
                    self.dark.add(block.phase)
                case Call():
                    self._given(block.exit.phase, block.exit.args, dark)
                case _:
                    pass

    def _given(self, name: str, args: Sequence[Expr], dark: bool) -> None:
        if dark:
            self.dark.add(name)
        for slot, arg in zip(self.phases[name].parameters, args, strict=True):
            self._veil(slot, self.secret(arg))

    def _veil(self, slot: int, secret: bool) -> None:
        """Note a local that takes a value; pieces are looked up where they lie, and variables are seen by all."""
        info = self.info.get(slot)
        if secret and info is not None and info.role != "state" and not holds_pieces(info.type):
            self.veiled.add(slot)

    def _body(self, body: Sequence[Statement], dark: bool) -> None:
        for node in body:
            match node:
                case Set():
                    self._veil(node.slot, dark or self.secret(node.value))
                case Pick():
                    told = value_form(node.source.type) in TOLD
                    self._veil(node.slot, dark or not told or self.secret(node.source))
                case DrawFor():
                    self._veil(node.slot, dark)
                case If():
                    for part in (node.yes, node.no):
                        self._body(part, dark or self.secret(node.test))
                case Repeat():
                    asked = [x for x in (node.times, node.test, node.until) if x is not None]
                    self._body(node.body, dark or any(map(self.secret, asked)))
                case ForEach() | Collect():
                    secret = self._bound(node.binders, node.where, node.key)
                    if isinstance(node, ForEach):
                        self._body(node.body, dark or secret)
                    elif secret:
                        self.veiled.add(node.slot)
                case Take():
                    for target in node.targets:
                        self._veil(target, node.slot in self.veiled)
                case Perform():
                    self._given(node.phase, node.args, dark)
                case _:
                    pass

    def _bound(self, binders: Sequence[Bind], where: Expr | None, key: Expr | None) -> bool:
        """Note the names of a loop; return whether it may tell something of hidden cards how often it goes round."""
        known = frozenset(b.slot for b in binders if b.slot not in self.veiled)
        found = [self.secret(b.source, known) for b in binders]
        for bind, secret in zip(binders, found, strict=True):
            self._veil(bind.slot, secret)
        return any(found) or any(self.secret(x, known) for x in (where, key) if x is not None)


class Asked:
    """Says what the options of a program ask."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.veils = Veils(program)
        self.numbered = numbering(program)[0]

    def of(self, block: int, place: int) -> AskedShape:
        """Return what an option asks."""
        exit = self.program.blocks[block].exit
        assert isinstance(exit, Choose)
        # Who is to move is known to all, whatever it was worked out from.
        known = frozenset((exit.chooser.slot,) if isinstance(exit.chooser, Slot) else ())
        return self._shape(exit.options[place], self.numbered[block, place], known)

    def _shape(self, option: Option, numbered: Numbered, known: frozenset[int]) -> AskedShape:
        own = [a.bind.slot for a in option.arguments]
        heads = [i for i, a in enumerate(option.arguments) if a.bind.rank == 0]
        group_of = [sum(h <= i for h in heads) - 1 for i in range(len(own))]
        kinds = [[k for k, at in enumerate(g.places) if at >= 0] for g in numbered.groups]
        sources = []
        for i, argument in enumerate(option.arguments):
            there = kinds[group_of[i]]
            rests = self._rests(asked_of(argument), own, known)
            sources.append(SourceShape(argument.words, _compact(there), *rests, self._in_set(argument)))
        conditions = [
            ConditionShape(
                c.words,
                c.line,
                tuple(i for i, slot in enumerate(own) if slot in free_slots(c.asks)),
                *self._rests(c.asks, own, known),
                c.says,
                c.text,
            )
            for c in option.conditions
        ]
        groups = tuple(GroupShape(g.many, g.size, g.low, g.moves) for g in numbered.groups)
        return AskedShape(numbered.first, groups, tuple(sources), tuple(conditions))

    def _in_set(self, argument: Argument) -> Sequence[int]:
        """Return the kinds of the pieces of an argument that is a set of them."""
        inner = argument.bind.type.element if argument.low is not None else None
        if inner is None:
            return ()
        return _compact([k for k, kind in enumerate(self.program.kinds) if kind.type in inner.pieces])

    def _rests(
        self, expr: Expr, own: Sequence[int], known: frozenset[int]
    ) -> tuple[bool, tuple[Holding, ...]]:
        """Return whether an expression asks veiled locals that are not known, and which places with pieces it reads."""
        holds = self.veils.holdings(expr, frozenset(own))
        return self.veils.mentions(expr, known), tuple(sorted(holds))


def _compact(kinds: list[int]) -> Sequence[int]:
    """Return numbers as a range where they are one."""
    together = bool(kinds) and kinds == list(range(kinds[0], kinds[-1] + 1))
    return range(kinds[0], kinds[-1] + 1) if together else tuple(kinds)


def asked_of(argument: Argument) -> Expr:
    """Return where the pieces for an argument come from, as those explain it who say why a move is not possible."""
    return argument.bind.source if argument.whole is None else argument.whole
