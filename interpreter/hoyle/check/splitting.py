"""The best split of cards into melds and a rest: what of it can be done exactly, and what is refused.

A meld is known by what its cards have in common, what comes once, and what stands in a row; the score is a sum over the
cards of the melds and of the rest. Then runtime/melding.py finds the optimum.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb, prod
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.constants import NotConstant, NoValue, TooLong
from hoyle.check.facing import Facing
from hoyle.check.putting import put, slots_in
from hoyle.check.splitsize import Trial
from hoyle.check.types import describe, element_of
from hoyle.program.purity import Functions, reads_state, told_apart
from hoyle.program.types import number, set_of
from hoyle.runtime.melding import Marks
from hoyle.source import Span

if TYPE_CHECKING:
    from hoyle.check.expressions import Expressions

MOST_MELDS = 20_000  # melds of one form among cards that have in common what it asks
ZERO = p.Const(value=0, type=number(0, 0))


class Refused(Exception):
    """What can't be done exactly: code, place, message and mend."""

    def __init__(self, code: str, span: Span, message: str, mend: str) -> None:
        super().__init__(message)
        self.code, self.span, self.message, self.mend = code, span, message, mend


def split_of(ask: Expressions, name: str, node: s.Split, functions: Mapping[str, p.Function]) -> p.Expr:
    """Return the best split as an expression, or report why it can't be found."""
    before = ask.report.noted
    try:
        made = _Split(ask, name, node, functions).made()
        return ask.lost() if ask.report.noted > before else made
    except Refused as refused:
        if ask.report.noted == before:
            ask.report.add(refused.code, refused.span, refused.message, mend=refused.mend)
        return ask.lost()


class _Split:
    def __init__(
        self, ask: Expressions, name: str, node: s.Split, functions: Mapping[str, p.Function]
    ) -> None:
        self.ask, self.name, self.node = ask, name, node
        self.functions = Functions(functions.values())
        self.facing = Facing(ask.kinds, ask.scope.pieces, self.functions)
        self.wilds: set[int] = set()
        self.empty = p.Const(value=0, type=set_of(None))

    def made(self) -> p.Expr:
        """Return the expression; raises Refused."""
        ask, node = self.ask, self.node
        source = ask.collection(node.source)
        inner = element_of(source.type)
        if inner is None or inner.form != "piece":
            if source.type.form == "nothing" or ask.in_doubt:
                return ask.lost()
            raise Refused(
                "E303",
                node.source.span,
                f"cards are split, not {describe(source.type)}",
                "name a zone or a set of cards, such as `p.hand`",
            )
        self.piece = inner
        forms = tuple(self._form(form) for form in node.forms)
        wild, is_wild = self._wild()
        card = self._bound("card", inner)
        melded, left, extra = self._score(card)
        made = p.Split(
            name=self.name,
            source=source,
            forms=forms,
            wild=wild,
            is_wild=is_wild,
            most_wild=-1 if node.wild is None else node.wild.most,
            card=card,
            melded=melded,
            left=left,
            least=node.word == "least",
            extra=extra,
            type=number(),
            line=node.span.line,
        )
        if self.ask.sure:
            marks = [
                self._feasible(made, form, written) for form, written in zip(forms, node.forms, strict=True)
            ]
            ask.splits.append(Trial(node.span, made, marks, self.wilds))
        return made

    def _bound(self, name: str, type: p.Type, pieces: tuple[str, ...] = ()) -> p.Bind:
        slot = self.ask.scope.slot(name, type, "scratch")
        return p.Bind(slot=slot, name=name, source=self.empty, pieces=pieces, type=type)

    def _card(self, binder: s.Binder) -> p.Bind:
        """Return the name of a card, known in the innermost block."""
        (word,) = binder.names
        type, pieces = self.ask.binder_type(binder, p.Const(value=0, type=set_of(self.piece)))
        bind = self._bound(word.text, type, pieces)
        self.ask.scope.local(word, type, bind.slot)
        return bind

    # ---- the melds --------------------------------------------------------------------------

    def _form(self, node: s.MeldForm) -> p.MeldForm:
        ask = self.ask
        if node.low < 1 or (node.high and node.high < node.low):
            raise Refused(
                "E404",
                node.span,
                "a meld has one card at least, and the smaller number stands first",
                "write `3+` or `3..4`",
            )
        words = [word for word, _ in node.marks]
        for word, told in (("row", "in a row"), ("once", "once")):
            if words.count(word) > 1:
                raise Refused(
                    "E330", node.span, f"`{told}` stands twice in this meld", "leave one of the two"
                )
        ask.scope.locals.append({})
        narrowed = dict(ask.scope.narrowed)
        try:
            card = self._card(node.card)
            marks: list[tuple[str, p.Expr]] = []
            before = ask.report.noted
            for word, expr in node.marks:
                if ask.report.noted == before:  # what is wrong with one mark is often wrong with all
                    marks.append((word, self._mark(word, expr, card)))
        finally:
            ask.scope.locals.pop()
            ask.scope.narrowed = narrowed
        said = dict(marks)
        return p.MeldForm(
            name=node.name.text,
            low=node.low,
            high=node.high,
            card=card,
            same=tuple(x for word, x in marks if word == "same"),
            once=said.get("once"),
            row=said.get("row"),
        )

    def _mark(self, word: str, node: s.Expr, card: p.Bind) -> p.Expr:
        made = self.ask.expr(node)
        wanted = ("number", "enum") if word == "row" else ("number", "enum", "flag", "player")
        if made.type.form == "nothing":
            return made
        if made.type.form not in wanted or made.type.or_none:
            raise Refused(
                "E330",
                node.span,
                f"cards of a meld are compared by numbers or values of an enum, not by {describe(made.type)}",
                "ask an attribute, such as `c.rank`",
            )
        self._about(node, made, card)
        return made

    def _about(self, node: s.Expr | s.Node, made: p.Expr, card: p.Bind) -> None:
        """Refuse what asks more than the face of a card, and plain values."""
        if (
            slots_in(made) - {card.slot}
            or card.slot in told_apart(made, self.functions)
            or self._changing(made)
        ):
            raise Refused(
                "E332",
                node.span,
                "what makes a meld, and which cards are wild, must be known beforehand",
                "ask the face of the card and plain values alone",
            )

    def _changing(self, expr: p.Expr) -> bool:
        kinds = [k for k, kind in enumerate(self.ask.kinds)]
        slots = slots_in(expr)
        try:
            for k in kinds:
                self.facing.value(expr, dict.fromkeys(slots, k))
        except NotConstant:
            return True
        except (NoValue, TooLong, KeyError):
            return False
        return False

    def _wild(self) -> tuple[p.Bind | None, p.Expr | None]:
        node = self.node.wild
        if node is None:
            return None, None
        ask = self.ask
        ask.scope.locals.append({})
        narrowed = dict(ask.scope.narrowed)
        try:
            card = self._card(node.card)
            test = None if node.where is None else ask.condition(node.where)
            if test is not None and node.where is not None:
                self._about(node.where, test, card)
        finally:
            ask.scope.locals.pop()
            ask.scope.narrowed = narrowed
        return card, test

    # ---- the score --------------------------------------------------------------------------

    def _score(self, card: p.Bind) -> tuple[p.Expr, p.Expr, int]:
        """Return what a card is worth in a meld and in the rest, and what is added to all of it."""
        ask, node = self.ask, self.node
        whole = set_of(self.piece)
        ask.scope.locals.append({})
        try:
            binds = [self._bound(word.text, whole) for word in node.names.names]
            for word, bind in zip(node.names.names, binds, strict=True):
                ask.scope.local(word, whole, bind.slot)
            score = ask.number(node.value)
        finally:
            ask.scope.locals.pop()
        worth: dict[int, p.Expr] = {b.slot: ZERO for b in binds}
        extra = 0
        if score.type.form == "nothing":
            return ZERO, ZERO, 0
        for sign, term in _terms(score, 1):
            if not slots_in(term):
                extra += sign * self._constant(term)
                continue
            place, value = self._term(term, card)
            if place not in worth:
                raise self._shape()
            op = "add" if sign > 0 else "sub"
            worth[place] = p.Op(op=op, args=(worth[place], value), type=number())
        melded, left = (worth[b.slot] for b in binds)
        return melded, left, extra

    def _shape(self) -> Refused:
        melds, rest = (w.text for w in self.node.names.names)
        return Refused(
            "E331",
            self.node.value.span,
            f"the best split is found for a sum over the cards of `{melds}` and of `{rest}` alone",
            f"write it as `{self.node.word}: sum of points(c) for c in {rest}`, or add such sums",
        )

    def _constant(self, term: p.Expr) -> int:
        """Return a number that is added to the score."""
        try:
            return self.facing.value(term, {})
        except (NotConstant, NoValue, TooLong):
            raise self._shape() from None

    def _term(self, term: p.Expr, card: p.Bind) -> tuple[int, p.Expr]:
        """Return which of the two names a part of the score goes through, and what it makes of a card."""
        one = p.Const(value=1, type=number(1, 1))
        if isinstance(term, p.Op) and term.op == "size_set" and isinstance(term.args[0], p.Slot):
            return term.args[0].slot, one
        if not isinstance(term, p.Loop) or term.word not in ("sum", "count") or len(term.binders) != 1:
            raise self._shape()
        (bind,) = term.binders
        if not isinstance(bind.source, p.Slot):
            raise self._shape()
        value = one if term.value is None else term.value
        if slots_in(term.where, value) - {bind.slot}:
            raise self._shape()
        for part in (term.where, value):
            if part is None:
                continue
            if bind.slot in told_apart(part, self.functions) or reads_state(part, self.functions):
                raise self._shape()
        if term.where is not None:
            value = p.Cond(test=term.where, yes=value, no=ZERO, type=number())
        of = p.Slot(slot=card.slot, name=card.name, type=card.type)
        if bind.pieces:
            test = p.TypeTest(pieces=bind.pieces, of=of, type=p.Type(form="flag", low=0, high=1))
            value = p.Cond(test=test, yes=value, no=ZERO, type=number())
        return bind.source.slot, put(value, {bind.slot: of})

    # ---- what it takes ------------------------------------------------------------------------

    def _feasible(self, made: p.Split, form: p.MeldForm, node: s.MeldForm) -> dict[int, Marks]:
        """Return the marks of the cards; refuse a form of which those with the same could make too many melds."""
        if not form.same and form.row is None:
            raise Refused(
                "E330",
                node.span,
                "the cards of a meld have something in common, or stand in a row",
                "write `with the same c.rank`, or `with the same c.suit, c.rank in a row`",
            )
        groups: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
        marks: dict[int, Marks] = {}
        wilds = 0
        for k, kind in enumerate(self.ask.kinds):
            copies = self._copies(k)
            try:
                if made.wild is not None and self._passes(made.wild, made.is_wild, k):
                    wilds += copies
                    self.wilds.add(k)
                if form.card.pieces and kind.type not in form.card.pieces:
                    continue
                same, place, once = (
                    tuple(self.facing.value(x, {form.card.slot: k}) for x in form.same),
                    *(
                        0 if x is None else self.facing.value(x, {form.card.slot: k})
                        for x in (form.row, form.once)
                    ),
                )
            except (NotConstant, NoValue, TooLong):
                raise Refused(
                    "E332",
                    node.span,
                    "what makes a meld, and which cards are wild, must be known beforehand",
                    "ask the face of the card and plain values alone",
                ) from None
            groups.setdefault(same, []).append((place, once, copies))
            marks[k] = same, place, once
        wilds = wilds if made.most_wild < 0 else min(wilds, made.most_wild)
        if any(_melds(form, cards, wilds) > MOST_MELDS for cards in groups.values()):
            raise Refused(
                "E333",
                node.span,
                "the cards can make too many melds of this form to try them all",
                "let a meld ask more of its cards, or be of fewer cards, or have fewer wild cards",
            )
        return marks

    def _passes(self, wild: p.Bind, test: p.Expr | None, kind: int) -> bool:
        fits = not wild.pieces or self.ask.kinds[kind].type in wild.pieces
        return fits and self.facing.holds(test, {wild.slot: kind})

    def _copies(self, kind: int) -> int:
        lines = [x for x in self.ask.lines if x.kind == kind]
        counts = range(self.ask.declare.made.low, self.ask.declare.made.high + 1)
        return max((sum(x.copies for x in lines if x.low <= n <= x.high) for n in counts), default=0)


def _terms(expr: p.Expr, sign: int) -> Iterator[tuple[int, p.Expr]]:
    """Yield the parts that a sum adds, each with its sign."""
    if isinstance(expr, p.Op) and expr.op in ("add", "sub"):
        yield from _terms(expr.args[0], sign)
        yield from _terms(expr.args[1], sign if expr.op == "add" else -sign)
    elif isinstance(expr, p.Op) and expr.op == "neg":
        yield from _terms(expr.args[0], -sign)
    else:
        yield sign, expr


def _melds(form: p.MeldForm, cards: list[tuple[int, int, int]], wilds: int) -> int:
    """Return how many melds cards with the same in common could make, or a number above that."""
    if form.row is not None:
        at: dict[int, int] = {}
        for place, _, _ in cards:
            at[place] = at.get(place, 0) + 1
        length = min(len(at), form.high or len(at))
        gaps = sum(comb(length, n) for n in range(min(wilds, length) + 1))
        return len(at) * length * gaps * prod([max(at.values())] * length)
    if form.once is not None:
        values: dict[int, int] = {}
        for _, value, _ in cards:
            values[value] = values.get(value, 0) + 1
        return prod(n + 1 for n in values.values()) * (wilds + 1)
    most = form.high or sum(n for _, _, n in cards)
    ways = prod(min(n, most) + 1 for _, _, n in cards)
    return ways * (wilds + 1)
