"""Making a value of one type stand where another is asked for: numbers and enums, zones and sets."""

from __future__ import annotations

from hoyle import program as p
from hoyle.check.begun import is_place
from hoyle.check.scope import Scope
from hoyle.check.types import element_of, fits
from hoyle.program.types import set_of

NO_MEMBER = -1


def converted(expr: p.Expr, want: p.Type, scope: Scope) -> p.Expr | None:
    """Return `expr` as a value of type `want`, or None if it can't be one."""
    have = expr.type
    if fits(have, want):
        return expr
    if is_place(want):
        at = expr.index if isinstance(expr, p.ZoneAt) else None
        return at if at is not None and at.type.name == want.name else None
    if want.form == "enum" and have.form in ("number", "enum"):
        return _to_enum(expr, want, scope)
    if want.form == "set" and have.form == "zone":
        inner = element_of(have)
        if want.element is None or (inner is not None and fits(inner, want.element)):
            return p.Op(op="zone_set", args=(expr,), type=set_of(inner))
    if want.form == "set" and have.form == "set" and want.element and want.element.form == "enum":
        return _set_to_enum(expr, want, scope)
    return None


def _table(have: p.Type, want: p.Type, scope: Scope) -> tuple[int, list[int]] | None:
    """Return the lowest value of `have` and, from there on, the place of each in the enum `want`."""
    enum = scope.enums[want.name]
    if have.form == "number":
        known = {n: place for place, n in enumerate(enum.numbers) if n is not None}
        if not known:
            return None
        low = have.low if have.low is not None else min(known)
        high = have.high if have.high is not None else max(known)
        if high < min(known) or low > max(known):
            return None
        low, high = max(low, min(known) - 1), min(high, max(known) + 1)
        return low, [known.get(n, NO_MEMBER) for n in range(low, high + 1)]
    labels = scope.enums[have.name].labels
    places = [enum.labels.index(x) if x in enum.labels else NO_MEMBER for x in labels]
    return (0, places) if any(x != NO_MEMBER for x in places) else None


def _to_enum(expr: p.Expr, want: p.Type, scope: Scope) -> p.Expr | None:
    table = _table(expr.type, want, scope)
    if table is None or (expr.type.or_none and not want.or_none):
        return None
    low, places = table
    type = want.model_copy(update={"or_none": expr.type.or_none})
    if isinstance(expr, p.Const):
        index = expr.value - low
        if not 0 <= index < len(places) or places[index] == NO_MEMBER:
            return None
        return p.Const(value=places[index], type=type)
    return _lookup("convert", expr, low, places, type)


def _set_to_enum(expr: p.Expr, want: p.Type, scope: Scope) -> p.Expr | None:
    inner = expr.type.element
    if inner is None or want.element is None or inner.form not in ("number", "enum"):
        return None
    table = _table(inner, want.element, scope)
    return None if table is None else _lookup("convert_set", expr, *table, type=set_of(want.element))


def _lookup(op: str, expr: p.Expr, low: int, places: list[int], type: p.Type) -> p.Op:
    number = p.Type(form="number")
    consts = tuple(p.Const(value=v, type=number) for v in (low, *places))
    return p.Op(op=op, args=(expr, *consts), type=type)
