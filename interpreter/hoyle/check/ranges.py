"""The ranges that numbers stay in, as far as they are known before a game."""

from __future__ import annotations

from hoyle import program as p
from hoyle.program.purity import children
from hoyle.program.types import number

LARGEST = (1 << 62) - 1
UNBOUNDED = 1 << 80


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


def settled(word: str, left: p.Expr, right: p.Expr) -> str:
    """Return `always` or `never` where the ranges of two numbers alone tell how they compare, else nothing.

    Nothing too where both are written out, or one of them is that of a parameter: its range may be narrow on purpose.
    """
    ends = (left.type.low, left.type.high, right.type.low, right.type.high)
    if {left.type.form, right.type.form} != {"number"} or left.type.or_none or right.type.or_none:
        return ""
    if isinstance(left, p.Const) and isinstance(right, p.Const):
        return ""
    low, high, least, most = (UNBOUNDED if x is None else x for x in ends)
    if left.type.low is None:
        low = -UNBOUNDED
    if right.type.low is None:
        least = -UNBOUNDED
    answer = _answer(word, low, high, least, most)
    return "" if answer and (_tunable(left) or _tunable(right)) else answer


def _answer(word: str, low: int, high: int, least: int, most: int) -> str:
    """Return how a number from `low` to `high` compares with one from `least` to `most`, if that is settled."""
    apart = high < least or low > most
    match word:
        case "<":
            return "always" if high < least else "never" if low >= most else ""
        case "<=":
            return "always" if high <= least else "never" if low > most else ""
        case ">":
            return "always" if low > most else "never" if high <= least else ""
        case ">=":
            return "always" if low >= most else "never" if high < least else ""
        case "is":
            return "never" if apart else ""
        case _:
            return "always" if apart else ""


def _tunable(expr: p.Expr) -> bool:
    """Return whether a parameter, what may stand for one, or the number of players has a part in a number."""
    if isinstance(expr, p.Param | p.Invoke | p.Cond) or (
        isinstance(expr, p.Op) and expr.op == "size_sequence"
    ):
        return True
    return any(map(_tunable, children(expr)))
