"""The primitives: one row an operation, with what each back end makes of it.

A row says how many operands there are, how the operation runs on values (`run`, used to work out constants) and how it
is spelled in Python (`python`, a format over the operands, from which the compiler writes code and the interpreter
makes closures). A test compares the columns. Operands are numbers and sets.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hoyle.runtime.paying import coins, excess
from hoyle.runtime.sets import may_be_in_set, range_set


class Primitive(NamedTuple):
    """How many operands an operation has, and its two columns."""

    operands: int
    run: Callable[..., Any]
    python: str


PURE: dict[str, Primitive] = {
    "add": Primitive(2, lambda a, b: a + b, "({0} + {1})"),
    "sub": Primitive(2, lambda a, b: a - b, "({0} - {1})"),
    "mul": Primitive(2, lambda a, b: a * b, "({0} * {1})"),
    "div": Primitive(2, lambda a, b: a // b, "({0} // {1})"),
    "mod": Primitive(2, lambda a, b: a % b, "({0} % {1})"),
    "wrap": Primitive(2, lambda a, b: a % b, "({0} % {1})"),
    "neg": Primitive(1, lambda a: -a, "(-{0})"),
    "lt": Primitive(2, lambda a, b: a < b, "({0} < {1})"),
    "le": Primitive(2, lambda a, b: a <= b, "({0} <= {1})"),
    "gt": Primitive(2, lambda a, b: a > b, "({0} > {1})"),
    "ge": Primitive(2, lambda a, b: a >= b, "({0} >= {1})"),
    "eq": Primitive(2, lambda a, b: a == b, "({0} == {1})"),
    "ne": Primitive(2, lambda a, b: a != b, "({0} != {1})"),
    "not": Primitive(1, lambda a: not a, "(not {0})"),
    "in_set": Primitive(2, lambda a, s: s >> a & 1, "({1} >> {0} & 1)"),
    "may_be_in_set": Primitive(2, lambda a, s: may_be_in_set(a, s), "may_be_in_set({0}, {1})"),
    "meets": Primitive(2, lambda a, b: a & b != 0, "({0} & {1} != 0)"),
    "size_set": Primitive(1, lambda s: s.bit_count(), "({0}).bit_count()"),
    "unit": Primitive(1, lambda a: 1 << a, "(1 << {0})"),
    "join": Primitive(2, lambda a, b: a | b, "({0} | {1})"),
    "or_else": Primitive(2, lambda a, b: a or b, "({0} or {1})"),
    "coins": Primitive(3, lambda s, a, n: coins(s, a, n), "coins({0}, {1}, {2})"),
    "excess": Primitive(2, lambda s, a: excess(s, a), "excess({0}, {1})"),
    "range_set": Primitive(2, lambda a, b: range_set(a, b), "range_set({0}, {1})"),
}
