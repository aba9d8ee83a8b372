"""What a condition on a card asks of the table: few small things, so that its answers for all cards can be kept.

Whether a card fits may hang on the suit that is wanted or on the card on top of a pile. For each of their values the
answers are worked out once.
"""

from __future__ import annotations

from collections.abc import Set

from hoyle.program.expressions import (
    Attr,
    Cond,
    Const,
    Expr,
    Invoke,
    Loop,
    Op,
    Param,
    Slot,
    SlotAt,
    TypeTest,
    ZoneAt,
)
from hoyle.program.game import Program
from hoyle.program.purity import FAULTING, LOOKS, Functions, bound
from hoyle.program.types import Type

MOST_ROWS = 4096
ENDS = ("top", "bottom")
PLAIN = (
    *("and", "or", "not", "neg", "add", "sub", "mul", "eq", "ne", "lt", "le", "gt", "ge"),
    *("unit", "join", "or_else", "in_set", "meets", "players", "left", "right", "seats_on", "range"),
)


def asked_of_table(expr: Expr, own: Set[int], functions: Functions) -> list[Expr] | None:
    """Return what an expression asks of the table besides the slots in `own`, whose pieces it knows by their faces.

    Each is a small value, or a piece at an end of a zone of which only the face matters. None if it asks anything else
    or can fault but by an empty zone.
    """
    match expr:
        case Const() | Param():
            return []
        case Slot():
            return [] if expr.slot in own else [expr] if _is_small(expr.type) else None
        case SlotAt():
            inside = asked_of_table(expr.index, own, functions)
            closed = inside is not None and not _speaks(expr.index, own)
            return [expr] if closed and _is_small(expr.type) else None
        case Attr() | TypeTest():
            return _asked_face(expr.of, own, functions)
        case Op() if expr.op in LOOKS:
            return _joined([_asked_face(x, own, functions) for x in expr.args])
        case Op() if expr.op in PLAIN and (expr.op not in FAULTING or _is_fixed(expr)):
            return _joined([asked_of_table(x, own, functions) for x in expr.args])
        case Cond():
            return _joined([asked_of_table(x, own, functions) for x in (expr.test, expr.yes, expr.no)])
        case Loop(word="any" | "every" | "count" | "sum" | "set"):
            return _asked_loop(expr, own, functions)
        case Invoke():
            return _asked_definition(expr, own, functions)
        case _:
            return None


def _is_fixed(expr: Op) -> bool:
    return all(isinstance(x, Const) for x in expr.args)


def _speaks(expr: Expr, own: Set[int]) -> bool:
    if isinstance(expr, Slot):
        return expr.slot in own
    return any(_speaks(x, own) for x in (expr.args if isinstance(expr, Op) else ()))


def _asked_face(expr: Expr, own: Set[int], functions: Functions) -> list[Expr] | None:
    """Return what is asked of the table where only the face of a piece matters."""
    if expr.type.or_none or expr.type.form not in ("piece", "kind"):
        return None
    if isinstance(expr, Const):
        return []
    if isinstance(expr, Slot):
        return [] if expr.slot in own else [expr]
    if isinstance(expr, Op) and expr.op in ENDS and isinstance(expr.args[0], ZoneAt):
        index = expr.args[0].index
        fixed = index is None or (not _speaks(index, own) and isinstance(index, Slot | Const))
        return [expr] if fixed else None
    return None


def _asked_loop(expr: Loop, own: Set[int], functions: Functions) -> list[Expr] | None:
    inner = set(own) | {b.slot for b in bound(expr)}
    if any(b.source.type.form == "zone" or b.pieces or b.type.form == "piece" for b in expr.binders):
        return None
    sources = [asked_of_table(b.source, inner, functions) for b in expr.binders]
    return _joined(
        [*sources, *[asked_of_table(x, inner, functions) for x in (expr.where, expr.value) if x is not None]]
    )


def _asked_definition(expr: Invoke, own: Set[int], functions: Functions) -> list[Expr] | None:
    function = functions[expr.function]
    apart = functions.told_apart(expr.function, False)
    parts: list[list[Expr] | None] = []
    for slot, arg in zip(function.parameters, expr.args, strict=True):
        if arg.type.form in ("piece", "kind"):
            parts.append(None if slot in apart else _asked_face(arg, own, functions))
        else:
            parts.append(asked_of_table(arg, own, functions))
    return _joined([*parts, asked_of_table(function.body, set(function.parameters), functions)])


def _joined(parts: list[list[Expr] | None]) -> list[Expr] | None:
    found: list[Expr] = []
    for part in parts:
        if part is None:
            return None
        found += [x for x in part if x not in found]
    return found


def _is_small(type: Type) -> bool:
    if type.or_none:
        return False
    if type.form == "number":
        return type.low is not None and type.high is not None and type.high - type.low < 64
    return type.form in ("flag", "enum", "player")


def values_of(expr: Expr, program: Program) -> tuple[int, int]:
    """Return the lowest value of something small that is asked of the table, and how many values it has."""
    type = expr.type
    match type.form:
        case "piece" | "kind":
            return 0, len(program.kinds)
        case "flag":
            return 0, 2
        case "player":
            return 0, program.high
        case "number":
            assert type.low is not None and type.high is not None
            return type.low, type.high - type.low + 1
        case _:
            return 0, next((len(e.labels) for e in program.enums if e.name == type.name), 0)


def rows_of(asked: list[Expr], program: Program) -> int:
    """Return how many rows of answers there can be; 0 if there are too many to keep."""
    rows = 1
    for x in asked:
        rows *= values_of(x, program)[1]
    return rows if rows <= MOST_ROWS else 0
