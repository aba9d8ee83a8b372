"""Expressions with parameters settled: what is known before a game is worked out once."""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.primitives import PURE
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


def fold(expr: Expr, parameters: Mapping[str, int]) -> Expr:
    """Return the expression with the given parameters as constants, and what follows from them worked out."""
    match expr:
        case Const() | Slot():
            return expr
        case Param():
            known = expr.name in parameters
            return Const(value=parameters[expr.name], type=expr.type) if known else expr
        case SlotAt():
            return expr.model_copy(update={"index": fold(expr.index, parameters)})
        case ZoneAt():
            return (
                expr
                if expr.index is None
                else expr.model_copy(update={"index": fold(expr.index, parameters)})
            )
        case Attr() | TypeTest():
            return expr.model_copy(update={"of": fold(expr.of, parameters)})
        case Cond():
            test = fold(expr.test, parameters)
            if isinstance(test, Const):
                return fold(expr.yes if test.value else expr.no, parameters)
            update = {"test": test, "yes": fold(expr.yes, parameters), "no": fold(expr.no, parameters)}
            return expr.model_copy(update=update)
        case Invoke():
            return expr.model_copy(update={"args": tuple(fold(a, parameters) for a in expr.args)})
        case Loop():
            return expr.model_copy(
                update={
                    "binders": tuple(fold_bind(b, parameters) for b in expr.binders),
                    "where": None if expr.where is None else fold(expr.where, parameters),
                    "value": None if expr.value is None else fold(expr.value, parameters),
                }
            )
        case Superlative():
            return expr.model_copy(
                update={
                    "binder": fold_bind(expr.binder, parameters),
                    "where": None if expr.where is None else fold(expr.where, parameters),
                    "key": fold(expr.key, parameters),
                }
            )
        case AsIf():
            return expr.model_copy(
                update={
                    "zone": fold(expr.zone, parameters),
                    "fits": None if expr.fits is None else fold(expr.fits, parameters),
                    "value": fold(expr.value, parameters),
                }
            )
        case Split():
            return expr.model_copy(
                update={
                    "source": fold(expr.source, parameters),
                    "melded": fold(expr.melded, parameters),
                    "left": fold(expr.left, parameters),
                }
            )
        case Op():
            return _op(expr.model_copy(update={"args": tuple(fold(a, parameters) for a in expr.args)}))


def fold_bind(bind: Bind, parameters: Mapping[str, int]) -> Bind:
    """Return the binder with its source folded."""
    return bind.model_copy(update={"source": fold(bind.source, parameters)})


def _op(expr: Op) -> Expr:
    if expr.op in ("and", "or"):
        return _junction(expr)
    if expr.op == "within" and isinstance(expr.args[0], Const):
        value, low, high = (a.value for a in expr.args if isinstance(a, Const))
        return expr.args[0] if low <= value <= high else expr
    if expr.op in PURE and expr.args and all(isinstance(a, Const) for a in expr.args):
        values = [a.value for a in expr.args if isinstance(a, Const)]
        if expr.op in ("div", "mod") and values[1] == 0:
            return expr
        return Const(value=int(PURE[expr.op].run(*values)), type=expr.type)
    return expr


def _junction(expr: Op) -> Expr:
    """`and` and `or`: a known side settles the whole or falls away."""
    settles = expr.op == "or"
    left, right = expr.args
    for side, other in ((left, right), (right, left)):
        if isinstance(side, Const):
            if bool(side.value) == settles:
                return Const(value=int(settles), type=expr.type) if side is left or _total(other) else expr
            return other
    return expr


def _total(expr: Expr) -> bool:
    """Return whether an expression can't end in a fault, so that it may be left out."""
    return isinstance(expr, Const | Slot | SlotAt | Param)


def conjuncts(expr: Expr | None) -> list[Expr]:
    """Return the conditions that a condition joins by `and`, in order."""
    if expr is None:
        return []
    if isinstance(expr, Op) and expr.op == "and":
        return [c for a in expr.args for c in conjuncts(a)]
    return [expr]
