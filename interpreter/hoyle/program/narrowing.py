"""Narrowing: where a condition lets through one value of a name at most, only that one need be asked about.

`c.rank is 8 or s is c.suit and …` lets any `s` through with an eight, and with another card its suit alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from hoyle.program.expressions import Attr, Cond, Const, Expr, Invoke, Op, Param, Slot, TypeTest
from hoyle.program.purity import Functions, free_slots, may_fault


class Narrow(NamedTuple):
    """Where one of `unless` holds a condition may hold of any value, else of `value` alone."""

    unless: tuple[Expr, ...]
    value: Expr


def narrowed(expr: Expr, slot: int, functions: Functions) -> Narrow | None:
    """Return how a condition narrows a slot; None if it does not, or if something that can fault is asked before."""
    if isinstance(expr, Invoke):
        written = _written_out(expr, functions)
        return None if written is None else narrowed(written, slot, functions)
    if not isinstance(expr, Op):
        return None
    if expr.op == "eq":
        for own, other in (expr.args, expr.args[::-1]):
            if isinstance(own, Slot) and own.slot == slot and slot not in free_slots(other):
                return None if may_fault(other, functions) else Narrow((), other)
    if expr.op == "and":
        for part in expr.args:
            found = narrowed(part, slot, functions)
            if found is not None or may_fault(part, functions):
                return found
    if expr.op == "or":
        ways = [narrowed(x, slot, functions) for x in expr.args]
        others = [x for x, way in zip(expr.args, ways, strict=True) if way is None]
        alone = [way for way in ways if way is not None]
        if len(alone) == 1 and not any(slot in free_slots(x) or may_fault(x, functions) for x in others):
            return Narrow((*others, *alone[0].unless), alone[0].value)
    return None


def _written_out(expr: Invoke, functions: Functions) -> Expr | None:
    """Return what a definition says of what it is asked about; None for one with phrases of its own."""
    function = functions[expr.function]
    return _with(function.body, dict(zip(function.parameters, expr.args, strict=True)))


def _with(expr: Expr, given: Mapping[int, Expr]) -> Expr | None:
    match expr:
        case Slot():
            return given.get(expr.slot, expr)
        case Const() | Param():
            return expr
        case Attr() | TypeTest():
            of = _with(expr.of, given)
            return None if of is None else expr.model_copy(update={"of": of})
        case Op() | Invoke():
            args = [_with(a, given) for a in expr.args]
            return None if None in args else expr.model_copy(update={"args": tuple(args)})
        case Cond():
            parts = {name: _with(getattr(expr, name), given) for name in ("test", "yes", "no")}
            return None if None in parts.values() else expr.model_copy(update=parts)
        case _:
            return expr if not set(given) & set(free_slots(expr)) else None
