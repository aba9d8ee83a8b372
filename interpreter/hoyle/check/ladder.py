"""Bids as a list of numbers, `50, 100, 150`: a set where a set can hold them, else a range with a test."""

from __future__ import annotations

from hoyle import syntax as s
from hoyle.check.expressions import HIGHEST_IN_SET
from hoyle.check.rewriting import both, named
from hoyle.diagnostics import Report
from hoyle.source import Span

MOST_APART = 100_000  # every number in between is looked at whenever somebody is to bid
Steps = list[tuple[int, int]]


def wide(exprs: tuple[s.Expr, ...]) -> Steps:
    """Return the numbers of a list as ranges, rising and apart; nothing where a set holds them."""
    if len(exprs) == 1 and isinstance(exprs[0], s.SetOf):
        exprs = exprs[0].items
    elif len(exprs) == 1 and not isinstance(exprs[0], s.Number | s.Unary):
        return []
    found = [_step(x) for x in exprs]
    steps = sorted(x for x in found if x is not None)
    if len(steps) < len(found) or not steps:
        return []
    joined = [steps[0]]
    for low, high in steps[1:]:
        if low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined if joined[0][0] < 0 or joined[-1][1] > HIGHEST_IN_SET else []


def _step(expr: s.Expr) -> tuple[int, int] | None:
    low, high = _number(expr), _number(expr)
    if isinstance(expr, s.Binary) and expr.word == "..":
        low, high = _number(expr.left), _number(expr.right)
    return None if low is None or high is None or low > high else (low, high)


def _number(expr: s.Expr) -> int | None:
    if isinstance(expr, s.Unary) and expr.word == "negative":
        inner = _number(expr.operand)
        return None if inner is None else -inner
    return expr.value if isinstance(expr, s.Number) else None


def whole(at: Span, steps: Steps, report: Report) -> s.Expr:
    """Return the range that all the numbers lie in; numbers too far apart are reported."""
    low, high = steps[0][0], steps[-1][1]
    if high - low > MOST_APART:
        report.add(
            "E305",
            at,
            f"bids from {low} to {high} are too far apart to be gone through",
            mend="bid in steps, such as `bids: 1..10`, and multiply below `sold to`",
        )
        high = low + 1
    return both(s.Number(at, low), "..", s.Number(at, high))


def among(at: Span, name: str, steps: Steps) -> s.Expr | None:
    """Return the test that a number of the whole range is one of the list; None if all of them are."""
    tests = [_inside(at, name, step, steps[0][0], steps[-1][1]) for step in steps]
    if any(x is None for x in tests):
        return None
    return _any([x for x in tests if x is not None])


def _inside(at: Span, name: str, step: tuple[int, int], least: int, most: int) -> s.Expr | None:
    low, high = step
    if low == high:
        return both(named(at, name), "is", s.Number(at, low))
    above = None if low == least else both(named(at, name), ">=", s.Number(at, low))
    below = None if high == most else both(named(at, name), "<=", s.Number(at, high))
    if above is None or below is None:
        return above if below is None else below
    return both(above, "and", below)


def _any(tests: list[s.Expr]) -> s.Expr:
    """Return the test that one of them holds: halved again and again, so that a long list is not nested deep."""
    if len(tests) == 1:
        return tests[0]
    half = len(tests) // 2
    return both(_any(tests[:half]), "or", _any(tests[half:]))
