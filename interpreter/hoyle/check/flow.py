"""Phases, loops, branches and choices: the flow of the game as a graph of blocks.

What holds no decision stays structured, inside a block; the graph has blocks only where a game can stand.
"""

from __future__ import annotations

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.chains import asked_first, deep_phases, shown
from hoyle.check.choices import Choices
from hoyle.check.counting import counted
from hoyle.check.decisions import (
    LOOPS,
    assigned,
    deciding,
    leaves,
    loop_word,
    running,
    statement_needs_flow,
    walk,
)
from hoyle.check.expressions import Expressions
from hoyle.check.graph import Around, Graph
from hoyle.check.implied import UNWRITTEN
from hoyle.check.scope import Noun
from hoyle.check.seating import outside_turns
from hoyle.check.straight import Straight
from hoyle.check.tracing import Trace
from hoyle.check.usage import Doings
from hoyle.program.types import FLAG, PLAYERS, UNKNOWN, number, set_of
from hoyle.source import Span


class Flow(Straight):
    """Turns phases into blocks."""

    def __init__(
        self,
        expressions: Expressions,
        blocks: tuple[s.Block, ...],
        deck: tuple[p.DeckLine, ...] = (),
        trace: Trace | None = None,
    ) -> None:
        super().__init__(expressions)
        self.trace = Trace() if trace is None else trace
        self.graph = Graph()
        self.around: list[Around] = []
        self.phases: dict[str, s.Phase] = {}
        self.heads: dict[str, p.Phase] = {}
        self.choices = Choices(expressions, deck)
        self.wholes = []
        self.picks = None
        for block in blocks:
            if isinstance(block, s.Phase):
                self._head(block)
        self.deciding = deciding(self.phases)
        self.doings: Doings | None = None  # what phases change, once it is known that they end
        self.calls: dict[str, list[tuple[str, Span]]] = {
            n: [(x.name.text, x.span) for x in walk(b.body) if isinstance(x, s.Do)]
            for n, b in self.phases.items()
        }

    def _head(self, block: s.Phase) -> None:
        name = block.name.text
        if name in self.phases:
            self.scope.twice(block.name, self.phases[name].name.span)
            return
        self.phases[name] = block
        if name != "play":
            self.scope.declare(Noun("phase", name, block.name.span, UNKNOWN), block.name)
        types = [self.ask.declare.type(group.type) for group in block.fields for _ in group.names]
        words = [w for group in block.fields for w in group.names]
        self.scope.owner = name
        slots = [self.scope.slot(w.text, t, "local") for w, t in zip(words, types, strict=True)]
        self.scope.owner = ""
        self.heads[name] = p.Phase(
            name=name,
            parameters=tuple(slots),
            types=tuple(types),
            text="\n".join(t.text for t in block.body.texts),
            line=block.span.line,
        )

    # ---- the whole --------------------------------------------------------------------------

    def read(self) -> tuple[tuple[p.Phase, ...], tuple[p.Block, ...], int]:
        """Return phases, blocks and the block where the game begins."""
        if not self._no_recursion() and not deep_phases(self.phases):
            self.doings = Doings(tuple(self.phases.values()))
        if self._sure():
            outside_turns(self.report, self.phases)
        entries = {n: self.graph.new() for n in self.phases if n in self.deciding}
        for name, head in self.heads.items():
            straight = name not in entries
            update = {"straight": straight, "entry": entries.get(name, -1)}
            self.heads[name] = head.model_copy(update=update)
        for name, block in self.phases.items():
            self._phase(name, block)
        backs = {
            n: self.scope.slot(f"after {n}", number(), "flow")
            for n in entries
            if n != "play" and self.graph.run_from(n) != 1
        }
        if not self.report.errors:
            self.graph.uncount({n: h.entry for n, h in self.heads.items() if not h.straight})
        number_of, blocks = self.graph.finish()
        phases = tuple(
            h
            if h.straight
            else h.model_copy(update={"entry": number_of[h.entry], "back": backs.get(h.name, -1)})
            for h in self.heads.values()
        )
        start = number_of[entries["play"]] if "play" in entries else 0
        return (phases, blocks, start) if self.report.errors else (*counted(phases, blocks), start)

    def _phase(self, name: str, block: s.Phase) -> None:
        self.phase = block
        self.scope.owner = name
        self.around = []
        self.scope.narrowed = {}
        head = self.heads[name]
        self.scope.locals = [{}]
        words = [w for group in block.fields for w in group.names]
        for word, slot, type in zip(words, head.parameters, head.types, strict=True):
            self.scope.local(word, type, slot)
        if head.straight:
            body = self.straight_body(block.body, self.trace.phase(block))
            self.heads[name] = head.model_copy(update={"body": tuple(body)})
        else:
            self.graph.phase = name
            self.graph.start(head.entry)
            self.flow_body(block.body, self.trace.phase(block))
            self.graph.leave(p.Over() if name == "play" else p.Return(phase=name))
        self.scope.locals = []
        self.scope.owner = ""

    def _sure(self) -> bool:
        """Return whether it is known who runs whom: no heading and no name of a phase is unknown."""
        callees = {name for calls in self.calls.values() for name, _ in calls}
        return callees <= set(self.phases) and not any(d.code == "E107" for d in self.report.errors)

    def _no_recursion(self) -> bool:
        """Report phases that run themselves, directly or through others: each circle once. Return whether any do."""
        found = asked_first(self.calls)[1]
        for chain, span in found:
            self.report.add(
                "E502",
                span,
                f"a phase can't run itself: {shown(chain)}",
                second=(self.phases[chain[-1]].name.span, "this phase is already running"),
                mend="use `repeat` or `turns` to do it again",
            )
        return bool(found)

    # ---- suites -------------------------------------------------------------------------------

    def flow_body(self, body: s.Body, first: list[p.Statement] | None = None) -> None:
        """Lower a suite into the graph, with what comes before it."""
        self.scope.locals.append({})
        self.graph.add(first or [])
        for index, statement in enumerate(body.statements):
            self.graph.add(self.trace.before(statement))
            if statement_needs_flow(statement, self.deciding, ""):
                self._flow(statement)
            else:
                self.graph.add(self.straight(statement))
            self._may_have_changed(statement)
            if leaves(statement) and index + 1 < len(body.statements):
                self._never(statement, body.statements[index + 1])
        self.scope.locals.pop()

    def straight_body(self, body: s.Body, first: list[p.Statement] | None = None) -> list[p.Statement]:
        """Return a suite without decisions as straight statements, with what comes before it."""
        self.scope.locals.append({})
        made: list[p.Statement] = [*(first or [])]
        for index, statement in enumerate(body.statements):
            made += [*self.trace.before(statement), *self.straight(statement)]
            self._may_have_changed(statement)
            if leaves(statement) and index + 1 < len(body.statements):
                self._never(statement, body.statements[index + 1])
        self.scope.locals.pop()
        return made

    def _may_have_changed(self, statement: s.Statement) -> None:
        """Let go of what tests before a statement told of variables that it, or a phase it runs, may set."""
        inside = s.Body(statement.span, (), (statement,))
        self.scope.forget(assigned(inside))
        if not self.scope.narrowed or not any(isinstance(x, s.Do) for x in walk(inside)):
            return
        if self.doings is None:
            self.scope.forget_state()
        else:
            self.scope.forget_state(self.doings.changes(inside))

    def _never(self, end: s.Statement, after: s.Statement) -> None:
        self.report.add(
            "W502",
            after.span,
            "this can never happen",
            second=(
                end.span,
                "what comes before has left already, whichever way it goes"
                if isinstance(end, s.If | s.Choose)
                else "the line before has left already",
            ),
            mend="take it out, or put it before",
        )

    # ---- statements with decisions ----------------------------------------------------------------

    def _flow(self, node: s.Statement) -> None:
        if loop_word(node) or (isinstance(node, s.Choose) and node.how):
            self._may_have_changed(node)
        match node:
            case s.If():
                self._flow_if(node)
            case s.Repeat():
                self._flow_repeat(node)
            case s.For():
                self._flow_for(node)
            case s.Turns():
                self._flow_turns(node)
            case s.Choose():
                self.choose(node)
            case s.Do():
                head, args = self._call(node)
                if head is not None:
                    after = self.graph.new()
                    self.graph.leave(p.Call(phase=head.name, args=args, back=after, line=node.span.line))
                    self.graph.start(after)
            case s.Wins():
                self.graph.leave(p.Over(winner=self.winner(node)))
                self.graph.start(self.graph.new())
                self.graph.here = None
            case s.End():
                self._end(node)
            case _:
                raise AssertionError(node)

    def _flow_if(self, node: s.If) -> None:
        test = self.ask.condition(node.condition)
        facts_yes, facts_no = self.ask.facts(node.condition)
        yes, after = self.graph.new(), self.graph.new()
        held, not_held = self.trace.branch(node), self.trace.otherwise(node)
        no = self.graph.new() if node.otherwise or not_held else after
        self.graph.leave(p.Branch(test=test, yes=yes, no=no, line=node.span.line))
        self.graph.start(yes)
        self.ask.narrowed(facts_yes, lambda: self.flow_body(node.body, held))
        self.graph.leave(p.Jump(to=after))
        if no != after:
            other = node.otherwise or s.Body(node.span, (), ())
            self.graph.start(no)
            self.ask.narrowed(facts_no, lambda: self.flow_body(other, not_held))
            self.graph.leave(p.Jump(to=after))
        self.graph.start(after)

    def _flow_repeat(self, node: s.Repeat) -> None:
        line = node.span.line
        counter = -1
        if node.times is not None:
            counter = self.scope.slot("times left", number(), "flow")
            self.graph.add(
                [p.Set(slot=counter, name="times left", value=self.ask.number(node.times), line=line)]
            )
        head, after = self.graph.new(), self.graph.new()
        self.graph.leave(p.Jump(to=head))
        self.graph.start(head)
        test = (
            self.ask.condition(node.condition) if node.form in ("while", "times") and node.condition else None
        )
        if counter >= 0:
            left = p.Slot(slot=counter, name="times left", type=number())
            more = p.Op(op="gt", args=(left, p.Const(value=0, type=number(0, 0))), type=FLAG)
            test = more if test is None else p.Op(op="and", args=(more, test), type=FLAG)
        if test is not None:
            self._branch_on(test, after, line)
        if counter >= 0:
            one = p.Op(op="sub", args=(left, p.Const(value=1, type=number(1, 1))), type=number())
            self.graph.add([p.Set(slot=counter, name="times left", value=one, line=line)])
        self.around.append(Around(node.word, after))
        self.flow_body(node.body, self.trace.passes(node))
        self.around.pop()
        if node.form == "until" and node.condition is not None:
            self._leave_when(self.ask.condition(node.condition), after, line, self.trace.ended(node))
        self.graph.leave(p.Jump(to=head, back=True))
        self.graph.start(after)

    def _branch_on(self, test: p.Expr, otherwise: int, line: int) -> None:
        inside = self.graph.new()
        self.graph.leave(p.Branch(test=test, yes=inside, no=otherwise, line=line))
        self.graph.start(inside)

    def _leave_when(self, test: p.Expr, to: int, line: int, counted: list[p.Statement]) -> None:
        if self.graph.here is None:
            return
        go_on = self.graph.new()
        out = self.graph.new() if counted else to
        self.graph.leave(p.Branch(test=test, yes=out, no=go_on, line=line))
        if counted:
            self.graph.start(out)
            self.graph.add(counted)
            self.graph.leave(p.Jump(to=to))
        self.graph.start(go_on)

    def _flow_for(self, node: s.For) -> None:
        line = node.span.line
        self.scope.locals.append({})
        binders, where, extreme, key = self._for_parts(node)
        before, skipping = self.ask.seating.skipping(node, binders)
        items = self.scope.slot("items", set_of(None), "flow")
        index = self.scope.slot("items done", number(), "flow")
        zero = p.Const(value=0, type=number(0, 0))
        self.graph.add(
            [
                p.Collect(slot=items, binders=binders, where=where, extreme=extreme, key=key, line=line),
                p.Set(slot=index, name="items done", value=zero, line=line),
                *before,
            ]
        )
        head, after = self.graph.new(), self.graph.new()
        self.graph.leave(p.Jump(to=head))
        self.graph.start(head)
        left = p.Op(
            op="left_over",
            args=(
                p.Slot(slot=items, name="items", type=PLAYERS),
                p.Slot(slot=index, name="items done", type=number()),
            ),
            type=FLAG,
        )
        self._branch_on(left, after, line)
        self.graph.add([p.Take(slot=items, index=index, targets=tuple(b.slot for b in binders))])
        self.around.append(Around("for", after))
        passed = head if skipping is None else self.graph.new()
        if skipping is not None:
            self._branch_on(skipping, passed, line)
        passes = self.trace.passes(node)
        self.ask.narrowed(self._where_facts(node), lambda: self.flow_body(node.body, passes))
        self.around.pop()
        if skipping is not None:
            self.graph.leave(p.Jump(to=passed))
            self.graph.start(passed)
        self.graph.leave(p.Jump(to=head, back=True))
        self.graph.start(after)
        self.scope.locals.pop()

    def _flow_turns(self, node: s.Turns) -> None:
        self.scope.locals.append({})
        begin, go_on = self._turn(node)
        self.graph.add(begin)
        head, after = self.graph.new(), self.graph.new()
        self.graph.leave(p.Jump(to=head))
        self.graph.start(head)
        self.around.append(Around("turns", after))
        self.flow_body(node.body, self.trace.passes(node))
        self.around.pop()
        if node.until is not None:
            self._leave_when(self.ask.condition(node.until), after, node.span.line, self.trace.ended(node))
        self.graph.add(go_on)
        self.graph.leave(p.Jump(to=head, back=True))
        self.graph.start(after)
        self.scope.locals.pop()

    # ---- calls and ends -----------------------------------------------------------------------------

    def _call(self, node: s.Do) -> tuple[p.Phase | None, tuple[p.Expr, ...]]:
        name = node.name.text
        noun = self.scope.nouns.get(name)
        if noun is not None:
            noun.used = True
        if name not in self.heads or name == "play":
            mend = f"a definition is asked, not run: its value stands where one is wanted, as in `x = {name}(...)`"
            asked = noun is not None and noun.kind == "definition"
            phases = [] if asked else [n for n in self.heads if n != "play"]
            self.scope.unknown(node.name, "phase", phases, mend if asked else "")
            return None, ()
        head = self.heads[name]
        return head, self.ask.arguments(node.span, name, node.arguments, head.types)

    def _end(self, node: s.End) -> None:
        what = node.what.text
        if what == "game":
            self.graph.leave(p.Over())
        elif what in (*LOOPS, UNWRITTEN):
            loop = next((x for x in reversed(self.around) if x.word == what), None)
            if loop is None or loop.exit is None:
                self.report.add(
                    "E501",
                    node.span,
                    f"there is no `{what}` around this line",
                    mend="`end` leaves what it names",
                )
                return
            self.graph.leave(p.Jump(to=loop.exit))
        elif what in self.heads:
            self._end_phase(node, what)
        else:
            self.scope.unknown(s.Word(node.what.span, what), "phase", [n for n in self.heads if n != "play"])

    def _end_phase(self, node: s.End, what: str) -> None:
        here = self.phase.name.text if self.phase else ""
        outside = [c for c in self._callers(here, what) if c == "play"]
        if what != here and (outside or not self._callers(here, "")) and self._sure():
            self.report.add(
                "E501",
                node.span,
                f"`{what}` is not always running here",
                second=(self.phases[what].name.span, "the phase that is to end"),
                mend="end this phase, or a phase that alone runs it",
            )
            return
        self.graph.leave(p.Over() if what == "play" else p.Return(phase=what))

    def _callers(self, name: str, but: str) -> set[str]:
        """Return the phases from which `name` can be reached by calls that do not pass through `but`."""
        calls = {caller: [callee for callee, _ in callees] for caller, callees in self.calls.items()}
        return running(calls, [name], but) - {name}
