"""Binders, and the phrases that have them: any, every, count, sums, sets, superlatives."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import comb
from typing import TYPE_CHECKING, Literal

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.begun import as_zone
from hoyle.check.types import describe, element_of, small
from hoyle.program.numbering import domain_size
from hoyle.program.types import FLAG, UNKNOWN, number, set_of
from hoyle.source import Span

if TYPE_CHECKING:
    from hoyle.check.declare import Declarations
    from hoyle.check.scope import Scope
    from hoyle.diagnostics import Report

MOST_BINDERS = 6
MOST_TRIED = 1_000_000


class Binding:
    """The part of expression checking that lets names run through collections."""

    report: Report
    scope: Scope
    declare: Declarations
    beforehand = False  # what is checked is worked out before the game, within limits of its own

    if TYPE_CHECKING:

        def expr(self, node: s.Expr, want: p.Type | None = None) -> p.Expr: ...
        def value(self, node: s.Expr, want: p.Type) -> p.Expr: ...
        def condition(self, node: s.Expr) -> p.Expr: ...
        def number(self, node: s.Expr) -> p.Expr: ...
        def collection(self, node: s.Expr, want: p.Type | None = None) -> p.Expr: ...
        def most_in(self, collection: p.Expr) -> int | None: ...
        def lost(self, type: p.Type = UNKNOWN) -> p.Expr: ...
        def mismatch(self, span: Span, have: p.Type, want: p.Type) -> None: ...
        def arguments(
            self, span: Span, name: str, given: tuple[s.Expr, ...], types: tuple[p.Type, ...]
        ) -> tuple[p.Expr, ...]: ...
        def invoke(self, span: Span, function: p.Function, arguments: tuple[s.Expr, ...]) -> p.Expr: ...

    # ---- binders --------------------------------------------------------------------------

    def bind(
        self, nodes: tuple[s.Binder, ...], role: Literal["scratch", "local"], *, counted: bool = False
    ) -> tuple[p.Bind, ...]:
        """Return binders and declare their names in the innermost block; later ones see earlier ones.

        Where they may be `counted`, the name of `3 cards in S` stands for a set.
        """
        made: list[p.Bind] = []
        for node in nodes:
            source = self.collection(node.source)
            for rank, word in enumerate(node.names):
                type, pieces = self.binder_type(node, source)
                if node.count is not None and self._may_count(node, node.count, type, counted):
                    type = set_of(type)
                slot = self.scope.slot(word.text, type, role)
                self.scope.local(word, type, slot)
                made.append(
                    p.Bind(slot=slot, name=word.text, source=source, pieces=pieces, rank=rank, type=type)
                )
        if len(made) > MOST_BINDERS:
            self.report.add(
                "E309",
                nodes[0].span,
                f"{len(made)} names in one phrase are too many to search through",
                mend=f"use at most {MOST_BINDERS}",
            )
        elif not counted and not self.beforehand:
            self.tried(nodes, made)
        return tuple(made[:MOST_BINDERS])

    def tried(self, nodes: tuple[s.Binder, ...], binders: Sequence[p.Bind]) -> None:
        """Report names that stand for more combinations of values than can be tried in play."""
        many = self._combinations(binders)
        if many > MOST_TRIED and len(binders) > 1:  # of one long range the game itself tells
            self.report.add(
                "E309",
                nodes[0].span.to(nodes[-1].span),
                f"these names stand for {many:,} combinations of values, too many to search through",
                mend="take smaller ranges or fewer names, or reckon one of them from the others",
            )

    def _combinations(self, binders: Sequence[p.Bind]) -> int:
        """Return how many values names can have together, those of cards and players not counted."""
        many = 1
        for bind, after in zip_longest(binders, binders[1:]):
            last = after is None or after.rank == 0  # of the names that share a source
            bounded = bind.type.form != "number" or None not in (bind.type.low, bind.type.high)
            if last and bounded and bind.type.form in ("number", "flag", "enum"):
                many *= comb(domain_size(bind.type, (), self.scope.enums, 0), bind.rank + 1)
        return many

    def _most_counted(self, binders: tuple[p.Bind, ...]) -> int | None:
        """Return the most combinations that there can be of what names stand for, if that is known."""
        most = 1
        for bind, after in zip_longest(binders, binders[1:]):
            if after is None or after.rank == 0:
                each = self.most_in(bind.source)
                if each is None:
                    return None
                most *= comb(each, bind.rank + 1)
        return most

    def _may_count(self, node: s.Binder, count: s.HowMany, type: p.Type, counted: bool) -> bool:
        """Return whether a name may stand for several pieces here, and report it if not."""
        message = ""
        if not counted:
            message = "only what an option is done with may be several cards under one name"
            mend = "take out the number; `size of` and `count` tell how many there are"
        elif len(node.names) > 1:
            message, mend = "several cards have one name together", f"write `{node.names[0].text}` alone"
        elif type.form not in ("piece", "nothing"):
            message, mend = f"only cards can be taken several at once, not {describe(type)}", "ask one by one"
        if message:
            self.report.add("E612", count.span, message, mend=mend)
        return not message and type.form == "piece"

    def binder_type(self, node: s.Binder, source: p.Expr) -> tuple[p.Type, tuple[str, ...]]:
        """Return the type of a name that goes through a collection, and the card types that it lets through."""
        inner = element_of(source.type) or UNKNOWN
        if node.type is None:
            return inner, ()
        names = self.declare.piece_names(node.type.text)
        if names is None:
            if node.type.text not in self.scope.enums:
                self.scope.unknown(node.type, "card type", [*self.scope.pieces, *self.scope.unions])
                return UNKNOWN, ()
            self.report.add(
                "E301",
                node.type.span,
                f"only card types may stand before a name, and `{node.type.text}` is none",
                mend="leave it out",
            )
            return UNKNOWN, ()
        if inner.form != "piece":
            if inner.form != "nothing":
                self.report.add(
                    "E301",
                    node.span,
                    f"there are no cards here, but {describe(inner)}",
                    mend="leave out the card type",
                )
            return inner, ()
        left = tuple(n for n in inner.pieces if n in names)
        if not left:
            self.report.add(
                "E306",
                node.span,
                f"no {node.type.text} can be here",
                mend="name another type or another zone",
            )
        return p.Type(form="piece", pieces=left or names), names

    def where(self, node: s.Expr | None) -> p.Expr | None:
        """Return the condition of a phrase, if it has one."""
        return None if node is None else self.condition(node)

    # ---- phrases -----------------------------------------------------------------------------

    def phrase(self, node: s.Expr, want: p.Type | None) -> p.Expr:
        """Return a phrase with binders; their names are known inside it only."""
        self.scope.locals.append({})
        before = dict(self.scope.narrowed)
        try:
            match node:
                case s.Phrase():
                    return self._phrase(node)
                case s.SetFor():
                    return self._set_for(node)
                case s.SetWhere():
                    return self._set_where(node)
                case s.Superlative():
                    return self._superlative(node)
                case _:
                    raise AssertionError(node)
        finally:
            self.scope.locals.pop()
            self.scope.narrowed = before

    def narrow_by(self, where: s.Expr | None) -> None:
        """Let what a `where` tells about cards hold for the rest of the phrase."""
        if where is not None:
            self.scope.narrowed.update(self.facts(where)[0])

    if TYPE_CHECKING:

        def facts(self, node: s.Expr) -> tuple[dict[str, p.Type], dict[str, p.Type]]: ...

    def _phrase(self, node: s.Phrase) -> p.Expr:
        binders = self.bind(node.binders.binders, "scratch")
        where = self.where(node.binders.where)
        line = node.span.line
        if node.word in ("any", "every"):
            if node.word == "every" and where is None:
                self.report.add(
                    "E308",
                    node.span,
                    "`every` says nothing without `where`",
                    mend="write what must hold: `... where ...`",
                )
            return p.Loop(
                word="any" if node.word == "any" else "every", binders=binders, where=where, type=FLAG
            )
        if node.word == "count":
            most = self._most_counted(binders)
            return p.Loop(word="count", binders=binders, where=where, type=number(0, most), line=line)
        self.narrow_by(node.binders.where)
        assert node.value is not None
        value = self.number(node.value)
        if node.word == "longest run":
            if not small(value.type):
                self.report.add(
                    "E305",
                    node.value.span,
                    "a run is of numbers from 0 to 62",
                    mend="use an attribute with a range",
                )
            return p.Loop(
                word="run", binders=binders, where=where, value=value, type=number(0, 63), line=line
            )
        word: Literal["sum", "highest", "lowest"] = (
            "sum" if node.word == "sum" else "highest" if node.word == "highest" else "lowest"
        )
        low, high = value.type.low, value.type.high
        type = (
            number(low, high) if word != "sum" else number(0 if low is not None and low >= 0 else None, None)
        )
        return p.Loop(word=word, binders=binders, where=where, value=value, type=type, line=line)

    def _set_for(self, node: s.SetFor) -> p.Expr:
        binders = self.bind(node.binders.binders, "scratch")
        where = self.where(node.binders.where)
        self.narrow_by(node.binders.where)
        value = self.expr(node.item)
        if not small(value.type) or value.type.or_none:
            self.report.add(
                "E305",
                node.item.span,
                f"a set can't hold {describe(value.type)}",
                mend="sets hold cards, players, enum values, and numbers from 0 to 62",
            )
            return self.lost(set_of(None))
        return p.Loop(word="set", binders=binders, where=where, value=value, type=set_of(value.type))

    def _set_where(self, node: s.SetWhere) -> p.Expr:
        binders = self.bind((node.binder,), "scratch")
        where = self.where(node.where)
        bind = binders[0]
        value = p.Slot(slot=bind.slot, name=bind.name, type=bind.type)
        if not small(bind.type):
            self.report.add(
                "E305",
                node.span,
                f"a set can't hold {describe(bind.type)}",
                mend="numbers in sets go from 0 to 62",
            )
        return p.Loop(word="set", binders=binders, where=where, value=value, type=set_of(bind.type))

    def _superlative(self, node: s.Superlative) -> p.Expr:
        (bind,) = self.bind((node.binder,), "scratch")
        where = self.where(node.where)
        self.narrow_by(node.where)
        key = self.expr(node.key)
        if key.type.form not in ("number", "enum", "nothing") or key.type.or_none:
            self.mismatch(node.key.span, key.type, number())
            key = self.lost()
        type = bind.type.model_copy(update={"or_none": True}) if node.sole else bind.type
        found = p.Superlative(
            word="highest" if node.word == "highest" else "lowest",
            sole=node.sole,
            binder=bind,
            where=where,
            key=key,
            type=type,
            line=node.span.line,
        )
        return as_zone(found, self.scope)
