"""Statements without decisions that hold others: branches, loops and runs of phases, inside one block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.choosing import Choosing
from hoyle.check.decisions import loop_word
from hoyle.check.graph import Around
from hoyle.program.types import PLAYER


class Straight(Choosing):
    """The part of the flow that lowers what holds no decision."""

    around: list[Around]

    if TYPE_CHECKING:

        def straight_body(
            self, body: s.Body, first: list[p.Statement] | None = None
        ) -> list[p.Statement]: ...

        def _may_have_changed(self, statement: s.Statement) -> None: ...

        def _call(self, node: s.Do) -> tuple[p.Phase | None, tuple[p.Expr, ...]]: ...

    def straight(self, node: s.Statement) -> list[p.Statement]:
        """Return a statement without decisions."""
        if loop_word(node):
            self._may_have_changed(node)
        line = node.span.line
        match node:
            case s.If():
                return self._straight_if(node)
            case s.Repeat():
                times = None if node.times is None else self.ask.number(node.times)
                test = (
                    self.ask.condition(node.condition)
                    if node.form in ("while", "times") and node.condition
                    else None
                )
                body = self._inside(node.word, node.body, self.trace.passes(node))
                until = (
                    self.ask.condition(node.condition) if node.form == "until" and node.condition else None
                )
                ended = [] if until is None else self.trace.ended(node)
                if until is not None and ended:
                    body, until = [*body, self._leaves(until, ended, line)], None
                return [p.Repeat(times=times, test=test, until=until, body=tuple(body), line=line)]
            case s.For():
                return self._straight_for(node)
            case s.Turns():
                return self._straight_turns(node)
            case s.End():
                return [p.Break(line=line)]
            case s.Counted():
                return self.trace.decided(node)
            case s.Do():
                head, args = self._call(node)
                return [] if head is None else [p.Perform(phase=head.name, args=args, line=line)]
            case _:
                return self.simple(node)

    def _inside(self, word: str, body: s.Body, first: list[p.Statement]) -> list[p.Statement]:
        self.around.append(Around(word, None))
        made = self.straight_body(body, first)
        self.around.pop()
        return made

    def _leaves(self, test: p.Expr, counted: list[p.Statement], line: int) -> p.Statement:
        """Return the statement that leaves a loop, and counts that it does, where a test holds."""
        return p.If(test=test, yes=(*counted, p.Break(line=line)), line=line)

    def _straight_if(self, node: s.If) -> list[p.Statement]:
        test = self.ask.condition(node.condition)
        yes, no = self.ask.facts(node.condition)
        held, b = self.trace.branch(node), self.trace.otherwise(node)
        a = self.ask.narrowed(yes, lambda: self.straight_body(node.body, held))
        other = node.otherwise
        if other is not None:
            b = self.ask.narrowed(no, lambda: self.straight_body(other, b))
        return [p.If(test=test, yes=tuple(a), no=tuple(b), line=node.span.line)]

    def _straight_for(self, node: s.For) -> list[p.Statement]:
        self.scope.locals.append({})
        binders, where, extreme, key = self._for_parts(node)
        passes = self.trace.passes(node)
        body = self.ask.narrowed(self._where_facts(node), lambda: self._inside("for", node.body, passes))
        before, skipping = self.ask.seating.skipping(node, binders)
        if skipping is not None:
            body = [p.If(test=skipping, yes=tuple(body), line=node.span.line)]
        self.scope.locals.pop()
        return [
            *before,
            p.ForEach(
                binders=binders, where=where, extreme=extreme, key=key, body=tuple(body), line=node.span.line
            ),
        ]

    def _where_facts(self, node: s.For) -> dict[str, p.Type]:
        return self.ask.facts(node.binders.where)[0] if node.binders.where is not None else {}

    def _for_parts(
        self, node: s.For
    ) -> tuple[tuple[p.Bind, ...], p.Expr | None, Literal["highest", "lowest", ""], p.Expr | None]:
        binders = self.ask.bind(node.binders.binders, "local")
        where = self.ask.where(node.binders.where)
        key = None if node.key is None else self.ask.number(node.key)
        extreme: Literal["highest", "lowest", ""] = (
            "" if key is None else "highest" if node.extreme == "highest" else "lowest"
        )
        return binders, where, extreme, key

    def _straight_turns(self, node: s.Turns) -> list[p.Statement]:
        self.scope.locals.append({})
        begin, go_on = self._turn(node)
        body = self._inside("turns", node.body, self.trace.passes(node))
        line = node.span.line
        end: list[p.Statement] = []
        if node.until is not None:
            end = [self._leaves(self.ask.condition(node.until), self.trace.ended(node), line)]
        self.scope.locals.pop()
        return [*begin, p.Repeat(body=(*body, *end, *go_on), line=line)]

    def _turn(self, node: s.Turns) -> tuple[list[p.Statement], list[p.Statement]]:
        """Return how the player whose turn it is is set first, and next."""
        first = self.ask.value(node.first, PLAYER)
        slot = self.scope.slot(node.name.text, PLAYER, "local")
        self.scope.local(node.name, PLAYER, slot)
        seating, name, line = self.ask.seating, node.name.text, node.span.line
        return seating.first_turn(slot, name, first, line), seating.further_turn(slot, name, line)
