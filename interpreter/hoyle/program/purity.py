"""What an expression reads: slots, the table, and whether it tells apart pieces that look alike.

Both back ends make tables of expressions that ask only about the faces of a few pieces and small values.
"""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.program.expressions import (
    AsIf,
    Attr,
    Bind,
    Cond,
    Const,
    Expr,
    Invoke,
    Loop,
    Op,
    Param,
    Slot,
    SlotAt,
    Split,
    Superlative,
    TypeTest,
    ZoneAt,
)
from hoyle.program.game import Function, SlotInfo
from hoyle.program.types import Type


class Functions(dict[str, Function]):
    """The definitions of a program by name, and what has been found out about each: one may ask many others."""

    def __init__(self, functions: Iterable[Function], slots: Iterable[SlotInfo] = ()) -> None:
        super().__init__({f.name: f for f in functions})
        self.noneable: set[int] = set()  # slots of what may be none
        place = 0
        for info in slots:
            if info.type.or_none:
                self.noneable.add(place)
            place += info.size
        self.reads: dict[str, bool] = {}
        self.apart: dict[tuple[str, bool], set[int]] = {}
        self.faults: dict[str, bool] = {}

    def reads_table(self, name: str) -> bool:
        """Return whether a definition asks about more than its parameters."""
        if name not in self.reads:
            function = self[name]
            outside = set(free_slots(function.body)) - set(function.parameters)
            self.reads[name] = bool(outside) or reads_table(function.body, self)
        return self.reads[name]

    def told_apart(self, name: str, looks_only: bool) -> set[int]:
        """Return the slots whose pieces the body of a definition tells apart."""
        key = (name, looks_only)
        if key not in self.apart:
            self.apart[key] = told_apart(self[name].body, self, looks_only)
        return self.apart[key]


LOOKS = ("same", "is_kind", "rises")
FAULTING = (
    "div",
    "mod",
    "within",
    "still_in",
    "top",
    "bottom",
    "range",
    "place_in",
    "settled",
    "ends",
    "fresh",
)
READS = (
    "players",
    "left",
    "seats_on",
    "right",
    "others",
    "seats_from",
    "members",
    "in_sequence",
    "size_sequence",
    "left_over",
)


def children(expr: Expr) -> list[Expr]:
    """Return the expressions directly inside one, in order of evaluation."""
    match expr:
        case Const() | Slot() | Param():
            return []
        case SlotAt():
            return [expr.index]
        case ZoneAt():
            return [] if expr.index is None else [expr.index]
        case Attr() | TypeTest():
            return [expr.of]
        case Op() | Invoke():
            return list(expr.args)
        case Cond():
            return [expr.test, expr.yes, expr.no]
        case Loop():
            return [b.source for b in expr.binders] + [x for x in (expr.where, expr.value) if x is not None]
        case Superlative():
            return [x for x in (expr.binder.source, expr.where, expr.key) if x is not None]
        case Split():
            return _in_split(expr)
        case AsIf():
            counted = [x for t in expr.tallies for x in (t.where, t.value)]
            return [x for x in (expr.zone, *expr.asked, expr.fits, *counted, expr.value) if x is not None]


def _in_split(expr: Split) -> list[Expr]:
    marks = [x for f in expr.forms for x in (*f.same, f.once, f.row)]
    return [x for x in (expr.source, *marks, expr.is_wild, expr.melded, expr.left) if x is not None]


def bound(expr: Expr) -> tuple[Bind, ...]:
    """Return the binders of a phrase, none for other expressions."""
    if isinstance(expr, Loop):
        return expr.binders
    if isinstance(expr, Split):
        return (expr.card, *(f.card for f in expr.forms), *([] if expr.wild is None else [expr.wild]))
    if isinstance(expr, AsIf):
        counted = [b for t in expr.tallies for b in (t.card, t.result)]
        return (expr.wild, expr.face, expr.group, *counted)
    return (expr.binder,) if isinstance(expr, Superlative) else ()


def bound_inside(expr: Expr) -> set[int]:
    """Return the slots that an expression, or one in it, binds."""
    return {b.slot for b in bound(expr)}.union(*(bound_inside(x) for x in children(expr)))


def free_slots(expr: Expr) -> dict[int, Type]:
    """Return the slots that an expression reads but does not bind, with their types; `SlotAt` is not among them."""
    if isinstance(expr, Slot):
        return {expr.slot: expr.type}
    found: dict[int, Type] = {}
    for child in children(expr):
        found.update(free_slots(child))
    for bind in bound(expr):
        found.pop(bind.slot, None)
    return found


def reads_table(expr: Expr, functions: Functions) -> bool:
    """Return whether an expression asks about more than slots: zones, seats, variables of players, open parameters."""
    match expr:
        case SlotAt() | ZoneAt() | Param() | AsIf() | Split():  # best ways are kept by the rules
            return True
        case Op() if expr.op in READS:
            return True
        case Invoke():
            function = functions[expr.function]
            if set(free_slots(function.body)) - set(function.parameters) or reads_table(
                function.body, functions
            ):
                return True
        case _:
            pass
    return any(reads_table(c, functions) for c in children(expr))


def reads_state(expr: Expr, functions: Functions) -> bool:
    """Return whether an expression asks about more than slots and parameters, which are fixed for a table."""
    match expr:
        case SlotAt() | ZoneAt() | AsIf() | Split():
            return True
        case Param():
            return False
        case Op() if expr.op in READS:
            return True
        case Invoke():
            function = functions[expr.function]
            if set(free_slots(function.body)) - set(function.parameters) or reads_state(
                function.body, functions
            ):
                return True
        case _:
            pass
    return any(reads_state(c, functions) for c in children(expr))


def told_apart(expr: Expr, functions: Functions, looks_only: bool = False) -> set[int]:
    """Return the slots whose pieces an expression tells apart although they look alike.

    `looks_only` says that whoever uses the value asks only how its pieces look.
    """
    match expr:
        case Slot():
            return set() if looks_only or expr.type.form not in ("piece", "set") else {expr.slot}
        case Attr() | TypeTest():
            return told_apart(expr.of, functions, True)
        case Op() if expr.op in LOOKS:
            return {s for a in expr.args for s in told_apart(a, functions, True)}
        case Op(op="unit" | "join" | "or_else"):
            return {s for a in expr.args for s in told_apart(a, functions, looks_only)}
        case Cond():
            found = told_apart(expr.test, functions)
            return (
                found
                | told_apart(expr.yes, functions, looks_only)
                | told_apart(expr.no, functions, looks_only)
            )
        case Invoke():
            function = functions[expr.function]
            inside = functions.told_apart(expr.function, looks_only)
            found = set()
            for slot, arg in zip(function.parameters, expr.args, strict=True):
                found |= told_apart(arg, functions, slot not in inside)
            return found
        case Loop(word="any" | "every"):
            inside = told_apart(expr.where, functions) if expr.where is not None else set()
            found = inside - {b.slot for b in expr.binders}
            for bind in expr.binders:
                alone = len(expr.binders) == 1 or (bind.rank == 0 and bind.type.form != "piece")
                found |= told_apart(bind.source, functions, alone and bind.slot not in inside)
            return found
        case _:
            return {s for c in children(expr) for s in told_apart(c, functions)}


def may_fault(expr: Expr, functions: Functions) -> bool:
    """Return whether an expression can end in a fault, so that what is asked before it may be there to prevent that."""
    match expr:
        case Op(op="range") if all(isinstance(a, Const) for a in expr.args):
            return False
        case Op() if expr.op in FAULTING:
            return True
        case Superlative() | Loop(word="highest" | "lowest"):
            return True
        case Slot() | SlotAt() if expr.slot in functions.noneable and not expr.type.or_none:
            return True  # a test before it has told that it is there: without that it may be none, which has no place
        case Invoke():
            name = expr.function
            if name not in functions.faults:
                functions.faults[name] = may_fault(functions[name].body, functions)
            if functions.faults[name]:
                return True
        case _:
            pass
    return any(may_fault(c, functions) for c in children(expr))


def in_written_order(guards: list[Expr], functions: Functions) -> list[Expr]:
    """Return guards that may be asked in any order: one that can fault is joined to all that are written before it."""
    made: list[Expr] = []
    for guard in guards:
        if may_fault(guard, functions) and made:
            whole = made[0]
            for other in (*made[1:], guard):
                whole = Op(op="and", args=(whole, other), type=guard.type)
            made = [whole]
        else:
            made.append(guard)
    return made


def size_of(expr: Expr) -> int:
    """Return how many operations and names an expression consists of."""
    return 1 + sum(size_of(c) for c in children(expr))


def costly(expr: Expr) -> bool:
    """Return whether an expression is worth a table: it has a phrase or asks a definition."""
    return isinstance(expr, Loop | Invoke | Superlative | AsIf | Split) or any(
        costly(c) for c in children(expr)
    )


def asks(expr: Expr, part: Expr) -> bool:
    """Return whether an expression is, or has in it, another."""
    return expr == part or any(asks(x, part) for x in children(expr))


def holds_pieces(type: Type) -> bool:
    """Return whether values of the type are pieces or sets of them."""
    return type.form in ("piece", "zone") or (type.element is not None and holds_pieces(type.element))


def table_keys(expr: Expr, functions: Functions) -> dict[int, Type] | None:
    """Return the slots that a table for the expression would be looked up by; None if there can be no table."""
    if holds_pieces(expr.type) or reads_table(expr, functions) or told_apart(expr, functions):
        return None
    keys = free_slots(expr)
    return keys if all(_small(t) for t in keys.values()) else None


def _small(type: Type) -> bool:
    if type.form == "number":
        return type.low is not None and type.high is not None and type.high - type.low < 64
    return type.form in ("flag", "enum", "player") or (type.form == "piece" and not type.or_none)
