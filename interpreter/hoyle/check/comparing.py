"""Comparing: `is`, `in`, `meets`, and what the ranges of two numbers alone settle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.coerce import converted
from hoyle.check.facts import path_of
from hoyle.check.names import Naming
from hoyle.check.ranges import may_have_no_place, settled
from hoyle.check.types import describe, element_of, join
from hoyle.program.types import FLAG, set_of


class Comparing(Naming):
    """The part of expression checking that brings two sides to one type."""

    if TYPE_CHECKING:

        def _as_set(self, expr: p.Expr) -> p.Expr: ...
        def condition(self, node: s.Expr) -> p.Expr: ...
        def _folded(self, op: str, args: tuple[p.Expr, ...], type: p.Type, line: int = 0) -> p.Expr: ...

    def _pair(self, a: s.Expr, b: s.Expr) -> tuple[p.Expr, p.Expr]:
        """Return both sides of a comparison as values of one type."""
        if self.needs_hint(a) and not self.needs_hint(b):
            right = self.expr(b)
            left = self.expr(a, right.type.plain())
        else:
            left = self.expr(a)
            right = self.expr(b, left.type.plain())
        for have, other, flip in ((right, left, False), (left, right, True)):
            want = other.type
            want = want.model_copy(
                update={"or_none": want.or_none or have.type.or_none or have.type.form == "none"}
            )
            fitted = converted(have, want, self.scope)
            if fitted is not None:
                return (fitted, other) if flip else (other, fitted)
        self.report.add(
            "E306",
            a.span.to(b.span),
            f"{describe(left.type)} and {describe(right.type)} can never be the same",
            mend=self._alike(a, left.type, right.type),
        )
        return self.lost(), self.lost()

    def _alike(self, node: s.Expr, left: p.Type, right: p.Type) -> str:
        """Return how two things that can't be the same are compared."""
        forms = {left.form, right.form}
        if forms == {"player", "number"}:
            return "players have no numbers: compare with a player, such as `dealer`"
        if left.form in ("zone", "set", "sequence") and right.form == "number":
            return f"how many there are is `size of {path_of(node) or '...'}`"
        if left.form == "zone" and right.form == "enum":
            return f"cards are searched for: `any c in {path_of(node) or '...'} where ...`"
        return "compare values of one kind"

    def _is(self, node: s.Binary) -> p.Expr:
        if self._without_owner(node):
            return self.lost(FLAG)
        special = self.is_kind(node)
        if special is not None:
            return special
        left, right = self._pair(node.left, node.right)
        if "nothing" in (left.type.form, right.type.form):
            return self.lost(FLAG)
        if left.type.form == "zone":
            self.report.add(
                "E301",
                node.span,
                "two zones can't be compared",
                mend="compare their sizes, or with faces in quotes",
            )
            return self.lost(FLAG)
        if left.type.form == "piece" and right.type.form == "piece":
            return p.Op(op="same", args=(left, right), type=FLAG)
        self._settled(node, node.word, left, right)
        return self._folded("eq", (left, right), FLAG)

    def _without_owner(self, node: s.Binary) -> bool:
        """Report `q is gone`, where `gone` is yes or no for each player; return whether it is that."""
        noun = self.scope.nouns.get(node.right.text) if isinstance(node.right, s.Name) else None
        if (
            noun is None
            or not noun.owner
            or noun.type != FLAG
            or self.expr(node.left).type.form != noun.owner
        ):
            return False
        asked = f"{path_of(node.left) or 'p'}.{noun.name}"
        self.report.add(
            "E306",
            node.span,
            f"`{noun.name}` is yes or no for each {noun.owner}, and no {noun.owner}",
            mend=f"write `{'not ' if node.word == 'is not' else ''}{asked}`",
        )
        return True

    def _settled(self, node: s.Binary, word: str, left: p.Expr, right: p.Expr) -> None:
        """Warn of two numbers whose ranges alone settle how they compare; what a parameter settles may be meant."""
        answer = settled(word, left, right)
        if answer:
            self.report.add(
                "W301",
                node.span,
                f"this is {answer} so: on the left is {describe(left.type)}, on the right {describe(right.type)}",
                mend="compare with another number, or take the test out",
            )

    def _in(self, node: s.Binary) -> p.Expr:
        if self.needs_hint(node.left):
            right = self.collection(node.right)
            left = self.expr(node.left, element_of(right.type))
        else:
            left = self.expr(node.left)
            right = self.collection(node.right, set_of(left.type.plain()))
        inner = element_of(right.type)
        if inner is None:
            return p.Const(value=0, type=FLAG) if right.type.form == "set" else self.lost(FLAG)
        want = inner.model_copy(update={"or_none": left.type.or_none})
        fitted = converted(left, want, self.scope)
        if fitted is None and right.type.form == "set":
            whole = converted(right, set_of(left.type.plain()), self.scope)
            if whole is not None:
                fitted, right = left, whole
        if fitted is None:
            self.report.add(
                "E306",
                node.span,
                f"{describe(left.type)} can never be in {describe(right.type)}",
                mend="search among things of the same kind",
            )
            return self.lost(FLAG)
        if isinstance(right, p.Op) and right.op == "range":
            low = p.Op(op="ge", args=(fitted, right.args[0]), type=FLAG)
            return p.Op(
                op="and", args=(low, p.Op(op="le", args=(fitted, right.args[1]), type=FLAG)), type=FLAG
            )
        certain = not fitted.type.or_none and not may_have_no_place(fitted)
        if fitted.type.form == "number":
            certain = certain and (fitted.type.low or -1) >= 0
        in_set = "in_set" if certain else "may_be_in_set"
        op = {"zone": "in_zone", "sequence": "in_sequence"}.get(right.type.form, in_set)
        return p.Op(op=op, args=(fitted, right), type=FLAG)

    def _meets(self, node: s.Binary) -> p.Expr:
        left = self._set_value(node.left)
        right = self._set_value(node.right, left.type)
        both = join(left.type, right.type)
        if both is None:
            fitted = converted(right, left.type, self.scope) or converted(left, right.type, self.scope)
            if fitted is None:
                self.report.add(
                    "E306",
                    node.span,
                    f"{describe(left.type)} and {describe(right.type)} can never meet",
                    mend="compare sets of one kind",
                )
                return self.lost(FLAG)
            left, right = (left, fitted) if converted(right, left.type, self.scope) else (fitted, right)
        return p.Op(op="meets", args=(left, right), type=FLAG)

    def _set_value(self, node: s.Expr, want: p.Type | None = None) -> p.Expr:
        made = self._as_set(self.collection(node, want))
        if made.type.form == "zone":
            return converted(made, set_of(None), self.scope) or made
        if made.type.form not in ("set", "nothing"):
            self.mismatch(node.span, made.type, set_of(None))
            return p.Const(value=0, type=set_of(None))
        return made

    def _negated(self, expr: p.Expr, negated: bool) -> p.Expr:
        if not negated:
            return expr
        if isinstance(expr, p.Op) and expr.op in ("eq", "ne"):
            return expr.model_copy(update={"op": "ne" if expr.op == "eq" else "eq"})
        return p.Op(op="not", args=(expr,), type=FLAG)

    def _half(self, node: s.Binary) -> bool:
        """Report `x is a or b`, where each side must be a whole question; return whether it is that.

        Of `x is a or b or c` all the rest is told at once.
        """
        halves: list[s.Expr] = []
        whole: s.Expr = node
        while isinstance(whole, s.Binary) and whole.word in ("and", "or") and self._value(whole.right):
            halves.insert(0, whole.right)
            whole = whole.left
        first = whole
        while isinstance(first, s.Binary) and first.word in ("and", "or"):
            first = first.right
        if not (halves and isinstance(first, s.Binary) and first.word in ("is", "is not")):
            return False
        self.condition(whole)
        asked, told = path_of(first.left) or "x", [_shown(x) for x in (first.right, *halves)]
        negated = first.word == "is not"
        mend = f"write `{asked} {'not in' if negated else 'in'} {{{', '.join(told)}}}`"
        if any(isinstance(x, s.Faces | s.TypeName) for x in halves):
            mend = "write `" + f" {node.word} ".join(f"{asked} {first.word} {x}" for x in told) + "`"
        self.report.add(
            "E301",
            halves[0].span,
            f"each side of `{node.word}` is a whole question, and this is half of one",
            second=(first.span, "what it is to be compared with stands here"),
            mend=mend,
        )
        self.doubtful.add(node.span)
        return True

    def _value(self, node: s.Expr) -> bool:
        """Return whether an expression is a plain value and no question: a word of an enum, a number, a face."""
        if isinstance(node, s.Name):
            return self.needs_hint(node) and node.text in self.scope.labels
        return isinstance(node, s.Number | s.Faces | s.TypeName)


def _shown(node: s.Expr) -> str:
    """Return a plain value as it is written."""
    match node:
        case s.Name() | s.TypeName():
            return node.text
        case s.Number():
            return str(node.value)
        case s.Faces():
            return f'"{node.text}"'
        case _:
            return "..."
