"""Expressions whose value is known when a spec is checked: deck lines, first values, numbers in a range."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle import program as p
from hoyle.primitives import PURE
from hoyle.runtime.sets import members


class NotConstant(Exception):
    """An expression that only a table can answer."""


def evaluate(expr: p.Expr, slots: dict[int, int], parameters: dict[str, int] | None = None) -> int:
    """Return the value of an expression of constants, the given slots and parameters; NotConstant if it asks more."""
    match expr:
        case p.Const():
            return expr.value
        case p.Param():
            if parameters is None:
                raise NotConstant
            return parameters[expr.name]
        case p.Slot():
            if expr.slot not in slots:
                raise NotConstant
            return slots[expr.slot]
        case p.Cond():
            return evaluate(
                expr.yes if evaluate(expr.test, slots, parameters) else expr.no, slots, parameters
            )
        case p.Op(op="and"):
            return int(all(evaluate(a, slots, parameters) for a in expr.args))
        case p.Op(op="or"):
            return int(any(evaluate(a, slots, parameters) for a in expr.args))
        case p.Op(op="convert"):
            value, low, *places = (evaluate(a, slots, parameters) for a in expr.args)
            return places[value - low] if 0 <= value - low < len(places) else -1
        case p.Op(op="within"):
            value, low, high = (evaluate(a, slots, parameters) for a in expr.args)
            if not low <= value <= high:
                raise NotConstant
            return value
        case p.Op() if expr.op in PURE:
            values = [evaluate(a, slots, parameters) for a in expr.args]
            if expr.op in ("div", "mod") and values[1] == 0:
                raise NotConstant
            return int(PURE[expr.op].run(*values))
        case p.Loop(word="any" | "every" | "count"):
            found = [_holds(expr.where, s) for s in combinations(expr.binders, slots)]
            return (
                int(any(found))
                if expr.word == "any"
                else int(all(found))
                if expr.word == "every"
                else sum(found)
            )
        case _:
            raise NotConstant


def _holds(where: p.Expr | None, slots: dict[int, int]) -> bool:
    return where is None or bool(evaluate(where, slots))


def elements(expr: p.Expr, slots: dict[int, int]) -> list[int]:
    """Return what a constant range or set holds, ascending."""
    if isinstance(expr, p.Op) and expr.op == "range":
        low, high = (evaluate(a, slots) for a in expr.args)
        return list(range(low, high + 1))
    if expr.type.form != "set":
        raise NotConstant
    return members(evaluate(expr, slots))


def combinations(binders: tuple[p.Bind, ...], slots: dict[int, int]) -> Iterator[dict[int, int]]:
    """Yield the slots with the binders set to each combination of what they run through, the first slowest."""
    if not binders:
        yield slots
        return
    bind, *rest = binders
    for value in elements(bind.source, slots):
        if bind.rank and value <= slots[bind.slot - 1]:
            continue
        yield from combinations(tuple(rest), {**slots, bind.slot: value})
