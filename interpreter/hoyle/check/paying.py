"""Payments, several cards from one end of a zone, and zones that begin in play, as expressions of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.begun import one_of
from hoyle.check.payment import packed, possible
from hoyle.check.sets import Sets
from hoyle.check.types import describe, element_of
from hoyle.program.types import FLAG, number, sequence, set_of

SUMS = set_of(number(0, None))  # of what can be paid: a set of any numbers, which no designer can name


class Paying(Sets):
    """The part of expression checking that knows the operations of `runtime/paying.py`."""

    if TYPE_CHECKING:

        def end(self, node: s.Unary) -> p.Expr: ...
        def collection(self, node: s.Expr, want: p.Type | None = None) -> p.Expr: ...

    # ---- zones ----------------------------------------------------------------------------

    def new(self, node: s.New) -> p.Expr:
        """Return a zone of a family that holds nothing yet."""
        before = self.report.noted
        made = self.expr(node.zone)
        if isinstance(made, p.Op) and made.op == "begun":
            noun = self.scope.nouns[made.args[0].name]  # type: ignore[union-attr]
            assert noun.zone is not None
            return one_of(
                noun.zone,
                made.model_copy(update={"op": "fresh", "type": made.type.element, "line": node.span.line}),
            )
        if self.report.noted == before and made.type.form != "nothing":
            found = self.scope.nouns.get(made.name) if isinstance(made, p.ZoneAt) else None
            self.report.add(
                "E303",
                node.zone.span,
                f"{f'`{found.name}`' if found else describe(made.type)} is nothing of which a new one can begin",
                second=(found.span, "declared here") if found else None,
                mend="declare it as `piles`, `rows` or `pools`, as in `melds: rows, open`",
            )
        return self.lost()

    def ends(self, node: s.Ends) -> p.Expr:
        """Return so many cards from one end of a zone, as a set; moved as such they keep their order."""
        end = self.end(s.Unary(node.span, node.word, node.zone))
        count = self.number(node.count)
        if not isinstance(end, p.Op) or count.type.form == "nothing":
            return self.lost()
        if count.type.high is not None and count.type.high < 0:
            self.report.add(
                "E301", node.count.span, "there can't be fewer than no cards", mend="use a number from 0 up"
            )
        (zone,) = end.args
        flags = (end.op == "top") + 2 * self.is_pile(zone)
        flag = p.Const(value=flags, type=number(flags, flags))
        return p.Op(op="ends", args=(zone, count, flag), type=set_of(end.type), line=node.span.line)

    # ---- payments --------------------------------------------------------------------------------

    def reckoned(self, node: s.Reckoned) -> p.Expr:
        """Return an operation that a payment is made of; what a designer wrote in it is checked as elsewhere."""
        if node.op == "packed":
            return self._packed(node)
        if node.op == "worth":
            worth = self.number(node.arguments[0])
            return self.lost() if worth.type.form == "nothing" else worth
        if node.op == "cards":
            return self._cards(node)
        args = tuple(self.expr(a) for a in node.arguments)
        if any(a.type.form == "nothing" for a in args):
            return self.lost()
        type = SUMS
        if node.op == "payable":
            found = element_of(args[0].type)
            pieces = p.Type(form="piece", pieces=found.pieces if found is not None else ())
            type = set_of(pieces)
        elif node.op in ("excess", "settled"):
            type = number(0, None) if node.op == "excess" else number()
        return p.Op(op=node.op, args=args, type=type, line=node.span.line)

    def _cards(self, node: s.Reckoned) -> p.Expr:
        """Return the cards of a line that pays, once what they are taken from is known to hold cards."""
        source, found = node.arguments
        inner = element_of(self.collection(source).type)
        if inner is not None and inner.form == "piece":
            return self.expr(found)
        if inner is not None and inner.form != "nothing":
            self.report.add(
                "E303",
                source.span,
                f"cards are wanted here, not {describe(inner)}",
                mend="a line `c in p.hand: to discard` pays with cards; tokens are paid as `coin: to supply`",
            )
        return self.lost()

    def _packed(self, node: s.Reckoned) -> p.Expr:
        """Return pieces as numbers, each with its worth; the type of the elements keeps which pieces they may be."""
        assert node.binder is not None
        self.scope.locals.append({})
        binders = self.bind((node.binder,), "scratch")
        piece, worth = self.expr(node.arguments[0]), self.number(node.arguments[1])
        self.scope.locals.pop()
        if piece.type.form != "piece":
            return self.lost()
        if worth.type.form == "nothing":
            return self.lost()
        element = p.Type(form="number", pieces=piece.type.pieces)
        return p.Loop(
            word="list", binders=binders, value=packed(piece, worth, node.span.line), type=sequence(element)
        )

    def can_pay(self, node: s.CanPay) -> p.Expr:
        """Return whether a payment can be made."""
        name = node.name.text
        noun = self.scope.nouns.get(possible(name))
        if noun is None:
            for argument in node.arguments:
                self.expr(argument)
            paid = [n.removeprefix(possible("")) for n in self.scope.nouns if n.startswith(possible(""))]
            hint = "declare it as a block: `payment pay(p: player, amount: number)`"
            self.scope.unknown(node.name, "payment", paid, hint)
            return self.lost(FLAG)
        function = self.resolve(s.Word(node.name.span, noun.name))
        if function is None:
            return self.lost(FLAG)
        args = self.arguments(node.span, name, node.arguments, function.types)
        return p.Invoke(function=function.name, args=args, type=FLAG)
