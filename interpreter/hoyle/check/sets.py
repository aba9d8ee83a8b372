"""Ranges and sets: what is written with two dots or in braces."""

from __future__ import annotations

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.coerce import converted
from hoyle.check.comparing import Comparing
from hoyle.check.facts import path_of
from hoyle.check.types import describe, join, small
from hoyle.program.types import UNKNOWN, number, set_of


class Sets(Comparing):
    """The part of expression checking that makes sets."""

    def _range(self, node: s.Binary) -> p.Op:
        low, high = self.number(node.left), self.number(node.right)
        known = "nothing" not in (low.type.form, high.type.form)
        if known and isinstance(low, p.Const) and isinstance(high, p.Const) and low.value > high.value:
            self.report.add(
                "E404",
                node.span,
                f"the range {low.value}..{high.value} is empty",
                mend="the smaller number first",
            )
        type = set_of(number(low.type.low, high.type.high) if known else UNKNOWN)
        return p.Op(op="range", args=(low, high), type=type, line=node.span.line)

    def _small_range(self, node: s.Binary, made: p.Op, want: p.Type | None) -> p.Op:
        inner = made.type.element
        if inner is not None and not small(inner):
            self.report.add(
                "E305",
                node.span,
                "a set of numbers holds numbers from 0 to 62, and this range may go beyond",
                mend="compare with `>=` and `<=`, or bound the ends of the range",
            )
        return made

    def _as_set(self, expr: p.Expr) -> p.Expr:
        """Return a range as the set it stands for; other expressions as they are."""
        return (
            expr.model_copy(update={"op": "range_set"})
            if isinstance(expr, p.Op) and expr.op == "range"
            else expr
        )

    def _set_of(self, node: s.SetOf, want: p.Type | None) -> p.Expr:
        if not node.items:
            return p.Const(value=0, type=want if want and want.form == "set" else set_of(None))
        hint = want.element if want and want.form == "set" else None
        parts: list[p.Expr] = []
        type: p.Type | None = None
        for item in node.items:
            before = self.report.noted
            made = self._set_item(item, hint or type)
            if self.report.noted > before:
                continue
            inner = made.type.element if made.type.form == "set" else made.type
            joined = inner if type is None or inner is None else join(type, inner)
            if joined is None:
                self.report.add(
                    "E307",
                    item.span,
                    f"a set holds things of one kind, not {describe(made.type)} too",
                    mend="leave it out or make a set of its own",
                )
                continue
            type = joined
            parts.append(
                made if made.type.form == "set" else p.Op(op="unit", args=(made,), type=set_of(inner))
            )
        if type is not None and not small(type):
            self.report.add(
                "E305",
                node.span,
                f"a set can't hold {describe(type)}",
                mend="sets hold cards, players, enum values, and numbers from 0 to 62",
            )
            return p.Const(value=0, type=set_of(None))
        return self._joined(parts, set_of(type))

    def _set_item(self, item: s.Expr, hint: p.Type | None) -> p.Expr:
        if isinstance(item, s.Binary) and item.word == "..":
            return self._as_set(self._small_range(item, self._range(item), None))
        made = self.expr(item, hint)
        if hint is not None:
            made = converted(made, hint, self.scope) or made
        if made.type.or_none and self.in_doubt:
            self.report.note()
            return p.Const(value=0, type=set_of(None))
        if made.type.or_none or made.type.form in ("none", "zone", "sequence", "kind"):
            self.report.add(
                "E305",
                item.span,
                f"a set can't hold {describe(made.type)}",
                mend=f"the cards of a zone are `{{c in {path_of(item) or '...'}}}`"
                if made.type.form == "zone"
                else "put cards, players or values in it",
            )
            return p.Const(value=0, type=set_of(None))
        return made

    def _joined(self, parts: list[p.Expr], type: p.Type) -> p.Expr:
        whole: p.Expr = p.Const(value=0, type=type)
        for index, part in enumerate(parts):
            whole = part if index == 0 else p.Op(op="join", args=(whole, part), type=type)
        if whole.type != type and isinstance(whole, p.Op | p.Const):
            return whole.model_copy(update={"type": type})
        return whole
