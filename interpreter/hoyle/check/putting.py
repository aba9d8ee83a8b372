"""Expressions of a program with others put in: arguments for parameters, definitions for what they stand for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hoyle import program as p
from hoyle.program.purity import Functions, free_slots, reads_table
from hoyle.program.types import Node

Change = Callable[[p.Expr], p.Expr | None]


def changed(expr: p.Expr, change: Change) -> p.Expr:
    """Return an expression in which each part for which `change` gives another one is that; it looks outside first."""
    found = change(expr)
    if found is not None:
        return found
    made: Any = _parts(expr, change)
    return made  # type: ignore[no-any-return]


def _parts(node: Any, change: Change) -> Any:
    update: dict[str, Any] = {}
    for name in type(node).model_fields:
        old = getattr(node, name)
        new = _part(old, change)
        if new is not old:
            update[name] = new
    return node.model_copy(update=update) if update else node


def _part(value: Any, change: Change) -> Any:
    if isinstance(value, tuple):
        made = tuple(_part(x, change) for x in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    if isinstance(value, p.Bind | p.Tally):
        return _parts(value, change)
    if isinstance(value, Node) and hasattr(value, "node"):
        return changed(value, change)  # type: ignore[arg-type]
    return value


def put(expr: p.Expr, given: Mapping[int, p.Expr]) -> p.Expr:
    """Return an expression with expressions put in for slots."""
    return changed(expr, lambda x: given.get(x.slot) if isinstance(x, p.Slot) else None) if given else expr


def inlined(expr: p.Expr, functions: Functions) -> p.Expr:
    """Return an expression with the bodies of the definitions that ask the table in place of their names."""

    def change(x: p.Expr) -> p.Expr | None:
        if not isinstance(x, p.Invoke) or not reads_table(x, functions):
            return None
        function = functions[x.function]
        args = [inlined(a, functions) for a in x.args]
        return inlined(put(function.body, dict(zip(function.parameters, args, strict=True))), functions)

    return changed(expr, change)


def slots_in(*exprs: p.Expr | None) -> set[int]:
    """Return the slots that some expressions read and do not bind."""
    return {slot for x in exprs if x is not None for slot in free_slots(x)}
