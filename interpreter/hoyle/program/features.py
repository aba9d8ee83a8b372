"""Features: what conditions ask of the face of a piece. Pieces with equal features are alike to them.

`a.number + b.number is t.number` asks each of the three for its number alone, so that a table over numbers will do
where one over cards would be long.
"""

from __future__ import annotations

from collections.abc import Set

from hoyle.program.expressions import Attr, Expr, Invoke, Loop, Slot, TypeTest
from hoyle.program.purity import Functions, children, free_slots


def features(expr: Expr, slot: int, functions: Functions, tabled: Set[str]) -> list[Expr] | None:
    """Return what an expression asks of the piece in a slot: attributes, tests of its type, definitions in `tabled`.

    Each is an expression with that slot alone; none are for one that does not speak of it. None if it asks anything
    else, so that every kind counts as different.
    """
    if isinstance(expr, Slot):
        return None if expr.slot == slot else []
    if slot not in free_slots(expr):
        return []
    if isinstance(expr, Attr | TypeTest) and isinstance(expr.of, Slot):
        return [expr]
    if isinstance(expr, Invoke):
        return _of_definition(expr, slot, functions, tabled)
    return _joined([features(c, slot, functions, tabled) for c in children(expr)])


def of_members(expr: Expr, slot: int, functions: Functions, tabled: Set[str]) -> list[Expr] | None:
    """Return what an expression asks of the pieces of a set in a slot: only whether there are any such, or all are.

    Each is an expression with the slot of its own binder. None if it asks anything else of the set.
    """
    if slot not in free_slots(expr):
        return []
    if isinstance(expr, Loop) and expr.word in ("any", "every") and len(expr.binders) == 1:
        bind = expr.binders[0]
        if isinstance(bind.source, Slot) and bind.source.slot == slot:
            asked = [] if expr.where is None else [expr.where]
            parts = [features(x, bind.slot, functions, tabled) for x in asked]
            parts += [of_members(x, slot, functions, tabled) for x in asked]
            return None if bind.pieces else _joined(parts)
    if isinstance(expr, Slot):
        return None
    return _joined([of_members(c, slot, functions, tabled) for c in children(expr)])


def _of_definition(expr: Invoke, slot: int, functions: Functions, tabled: Set[str]) -> list[Expr] | None:
    """Return what a definition asks of the piece: what its body asks of the parameter that stands for it."""
    function = functions[expr.function]
    parts: list[list[Expr] | None] = []
    for parameter, arg in zip(function.parameters, expr.args, strict=True):
        if not (isinstance(arg, Slot) and arg.slot == slot):
            parts.append(features(arg, slot, functions, tabled))
        elif expr.function in tabled:
            parts.append([expr])
        else:
            inside = features(function.body, parameter, functions, tabled)
            parts.append(None if inside is None else [_about(x, arg) for x in inside])
    return _joined(parts)


def _about(feature: Expr, piece: Slot) -> Expr:
    """Return a feature of a parameter as one of the piece that is given for it."""
    if isinstance(feature, Invoke):
        return feature.model_copy(update={"args": (piece,)})
    return feature.model_copy(update={"of": piece})


def _joined(parts: list[list[Expr] | None]) -> list[Expr] | None:
    found: list[Expr] = []
    for part in parts:
        if part is None:
            return None
        found += [x for x in part if x not in found]
    return found
