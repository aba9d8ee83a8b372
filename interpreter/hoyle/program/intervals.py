"""Intervals: whether a variable can leave its range at one assignment, so that only that need be watched for."""

from __future__ import annotations

from hoyle.program.expressions import Cond, Const, Expr, Op, Slot, SlotAt
from hoyle.runtime.state import NONE

WIDEST = -NONE - 1
LITTLE = 1 << 20


def may_leave(value: Expr, slot: int, low: int, high: int) -> tuple[bool, bool]:
    """Return whether a value given to a slot may be below its range, and whether above.

    What stands in the slot before is within the range: `n += 1` can't fall below it.
    """
    least, most = interval(value, slot, low, high)
    if (low, high) == (-WIDEST, WIDEST) and _changed_a_little(value, slot):
        return False, False
    return least is None or least < low, most is None or most > high


def _changed_a_little(value: Expr, slot: int) -> bool:
    """Return whether a value is what stands in the slot and a little more or less: no game gets to the end so."""
    if not (isinstance(value, Op) and value.op in ("add", "sub") and len(value.args) == 2):
        return False
    before, change = value.args
    ends = interval(change, -1, 0, 0)
    little = all(x is not None and abs(x) <= LITTLE for x in ends)
    return isinstance(before, Slot | SlotAt) and before.slot == slot and little


def interval(expr: Expr, slot: int, low: int, high: int) -> tuple[int | None, int | None]:
    """Return bounds of an expression, None where there is none known; the slot is within `low`..`high`."""
    match expr:
        case Const():
            return expr.value, expr.value
        case Slot() | SlotAt() if expr.slot == slot:
            return low, high
        case Cond():
            yes, no = interval(expr.yes, slot, low, high), interval(expr.no, slot, low, high)
            return _least(yes[0], no[0]), _most(yes[1], no[1])
        case Op(op="add" | "sub") if len(expr.args) == 2:
            (a, b), (c, d) = (interval(x, slot, low, high) for x in expr.args)
            if expr.op == "sub":
                c, d = (None if d is None else -d), (None if c is None else -c)
            return (None if a is None or c is None else a + c), (None if b is None or d is None else b + d)
        case _:
            return None, None


def _least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def _most(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)
