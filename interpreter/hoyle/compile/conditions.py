"""Conditions as Python text, where only it matters whether they hold: an empty zone is `not S[…]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hoyle import program as p

OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}


class Local(NamedTuple):
    """A Python variable that holds the value of a slot; `kind` if it holds kinds where the slot holds pieces."""

    name: str
    kind: bool = False


Env = dict[int, Local]


def bare(text: str) -> str:
    """Return an expression without brackets round the whole of it."""
    if not text.startswith("("):
        return text
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return bare(text[1:-1]) if place == len(text) - 1 else text
    return text


def emptiness(expr: p.Expr) -> tuple[p.Expr, bool] | None:
    """Return the zone of which a condition asks whether it is empty, and whether it is then that it holds."""
    if not (isinstance(expr, p.Op) and expr.op in ("eq", "ne", "gt") and len(expr.args) == 2):
        return None
    size, other = expr.args
    if not (
        isinstance(size, p.Op) and size.op == "size_zone" and isinstance(other, p.Const) and other.value == 0
    ):
        return None
    return size.args[0], expr.op == "eq"


class Conditions:
    """Writes conditions. Zones known not to be empty where a text stands are in `filled`."""

    filled: frozenset[p.Expr] = frozenset()
    given: dict[p.Expr, str]  # names of values that have been worked out

    def e(self, expr: p.Expr, env: Env, look: bool = False) -> str:
        """Return Python text for an expression."""
        raise NotImplementedError

    def truth(self, expr: p.Expr, env: Env) -> str:
        """Return Python text that is true where a condition holds."""
        if isinstance(expr, p.Op) and expr.op in ("and", "or"):
            return "(" + f" {expr.op} ".join(self.truth(a, env) for a in expr.args) + ")"
        if isinstance(expr, p.Op) and expr.op == "not":
            return f"({bare(self.no(expr.args[0], env))})"
        if expr in self.given:
            return self.given[expr]
        asked = emptiness(expr)
        if asked is not None:
            return f"{'not ' * asked[1]}S[{self.e(asked[0], env)}]"
        return self.some(expr, env) or self.e(expr, env)

    def some(self, expr: p.Expr, env: Env) -> str:
        """Return text for a list that is not empty where a condition holds; nothing for most."""
        return ""

    def no(self, expr: p.Expr, env: Env) -> str:
        """Return Python text for the opposite of a condition."""
        asked = emptiness(expr)
        if asked is not None:
            return f"{'not ' * (not asked[1])}S[{self.e(asked[0], env)}]"
        if isinstance(expr, p.Op) and expr.op in OPPOSITE:
            return self.e(expr.model_copy(update={"op": OPPOSITE[expr.op]}), env)
        if isinstance(expr, p.Op) and expr.op == "not":
            return self.truth(expr.args[0], env)
        if isinstance(expr, p.Op) and expr.op in ("same", "is_kind"):
            return f"({' != '.join(self.e(a, env, True) for a in expr.args)})"
        if isinstance(expr, p.Op) and expr.op == "meets":
            return f"(not {' & '.join(self.e(a, env) for a in expr.args)})"
        return f"not {self.truth(expr, env)}"

    def all(self, exprs: Sequence[p.Expr], env: Env) -> str:
        """Return Python text for several conditions joined by `and`."""
        parts = [self.truth(x, env) for x in exprs]
        return bare(parts[0]) if len(parts) == 1 else " and ".join(parts)
