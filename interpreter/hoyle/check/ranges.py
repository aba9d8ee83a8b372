"""The ranges that numbers stay in, as far as they are known before a game."""

from __future__ import annotations

from hoyle import program as p
from hoyle.program.types import number

LARGEST = (1 << 62) - 1


def bounds(op: str, a: p.Type, b: p.Type) -> p.Type:
    """Return the range that an operation on two ranges stays in; none beyond what a number can hold."""
    type = _exact(op, a, b)
    if type.low is None or type.high is None or type.low < -LARGEST or type.high > LARGEST:
        return number()
    return type


def _exact(op: str, a: p.Type, b: p.Type) -> p.Type:
    if None in (a.low, a.high, b.low, b.high):
        if op == "mod" and b.low is not None and b.low > 0 and b.high is not None:
            return number(0, b.high - 1)
        return number()
    al, ah, bl, bh = (int(x or 0) for x in (a.low, a.high, b.low, b.high))
    match op:
        case "add":
            return number(al + bl, ah + bh)
        case "sub":
            return number(al - bh, ah - bl)
        case "mul":
            ends = [x * y for x in (al, ah) for y in (bl, bh)]
            return number(min(ends), max(ends))
        case "mod":
            return number(0, bh - 1) if bl > 0 else number()
        case _:
            if bl <= 0:
                return number()
            ends = [x // y for x in (al, ah) for y in (bl, bh)]
            return number(min(ends), max(ends))


def may_have_no_place(expr: p.Expr) -> bool:
    """Return whether a value may be a number that its enum does not have: it then stands for no member."""
    if isinstance(expr, p.Cond):
        return may_have_no_place(expr.yes) or may_have_no_place(expr.no)
    return isinstance(expr, p.Op) and expr.op == "convert"
