"""Definitions: what one asks is checked before it, so that their order does not matter; none may ask itself."""

from __future__ import annotations

from functools import partial

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.best import best_of
from hoyle.check.chains import MOST_LEVELS, asked_first, levels, names_asked, shown
from hoyle.check.expressions import Expressions
from hoyle.check.scope import Noun
from hoyle.check.splitting import split_of
from hoyle.check.types import join
from hoyle.program.types import UNKNOWN
from hoyle.source import Span


class Definitions:
    """The definitions of a spec by name. Before the deck is known none can be asked."""

    def __init__(self, expressions: Expressions, blocks: tuple[s.Block, ...]) -> None:
        self.ask = expressions
        self.report = expressions.report
        self.scope = expressions.scope
        self.made: dict[str, p.Function] = {}
        self.blocks: dict[str, s.Define] = {}
        self.levels: dict[str, int] = {}
        self.circular: set[str] = set()
        self.open: list[str] = []
        expressions.resolve = self._too_early
        for block in blocks:
            if isinstance(block, s.Define):
                self.blocks.setdefault(block.name.text, block)
                noun = Noun("definition", block.name.text, block.name.span, UNKNOWN)
                noun.brackets = bool(block.fields)
                self.scope.declare(noun, block.name)

    def all(self) -> tuple[p.Function, ...]:
        """Return every definition, checked, in the order of the text."""
        self.ask.resolve = self.resolve
        order, circles = asked_first({name: names_asked(block) for name, block in self.blocks.items()})
        for chain, span in circles:
            self._circle(chain, span)
            self.circular.update(chain)
        for name in order:
            if name not in self.made:
                self._define(self.blocks[name])
        return tuple(self.made[name] for name in self.blocks if name in self.made)

    def resolve(self, word: s.Word) -> p.Function | None:
        """Return the definition of a name, None after a report."""
        name = word.text
        if name in self.open and name not in self.circular:
            self._circle([*self.open[self.open.index(name) :], name], word.span)
        elif name not in self.made and name in self.blocks and name not in self.circular:
            self._define(self.blocks[name])  # rare: a name that is that of a binder too
        return self.made.get(name)

    def _too_early(self, word: s.Word) -> p.Function | None:
        self.report.add(
            "E411",
            word.span,
            "a deck is fixed before the game: it can't ask a definition",
            mend="use numbers, enums and the names of this line",
        )
        return None

    def _circle(self, chain: list[str], span: Span) -> None:
        self.report.add(
            "E209",
            span,
            f"a definition can't ask itself: {shown(chain)}",
            second=(self.blocks[chain[0]].name.span, "it begins here"),
            mend="say it with `any`, `every`, `sum` or `for` instead",
        )

    def _depth(self, name: str) -> None:
        """Report a definition that is nested too deep, what it asks counted with it."""
        self.levels[name] = levels(self.made[name].body, self.levels)
        if self.levels[name] > MOST_LEVELS:
            self.report.add(
                "E108",
                self.blocks[name].name.span,
                f"`{name}` is more than {MOST_LEVELS} levels deep, counted with the definitions that it asks",
                mend="say it in fewer steps, or with `any`, `every` or `sum`",
            )
            self.levels[name] = 0

    def _define(self, block: s.Define) -> None:
        self.open.append(block.name.text)
        outer = self.scope.locals, self.scope.narrowed
        self.scope.locals, self.scope.narrowed = [{}], {}
        owner, self.scope.owner = self.scope.owner, block.name.text
        try:
            slots, types = [], []
            for group in block.fields:
                type = self.ask.declare.type(group.type)
                for word in group.names:
                    slot = self.scope.slot(word.text, type, "scratch")
                    self.scope.local(word, type, slot)
                    slots.append(slot)
                    types.append(type)
            if isinstance(block.best, s.AsIf):
                body = best_of(self.ask, block.name.text, block.best, self.made)
            elif block.best is not None:
                body = split_of(self.ask, block.name.text, block.best, self.made)
            else:
                body = self.ask.expr(block.value) if block.value is not None else self._cases(block)
        finally:
            self.open.pop()
            self.scope.owner = owner
            self.scope.locals, self.scope.narrowed = outer
        if body.type.form == "zone":
            body = p.Op(
                op="zone_set",
                args=(body,),
                type=p.Type(form="set", element=p.Type(form="piece", pieces=body.type.pieces)),
            )
        if isinstance(body, p.Op) and body.op == "range":
            body = body.model_copy(update={"op": "range_set"})
        self.made[block.name.text] = p.Function(
            name=block.name.text,
            parameters=tuple(slots),
            types=tuple(types),
            body=body,
            text="\n".join(t.text for t in block.texts),
            line=block.span.line,
        )
        self._depth(block.name.text)

    def _cases(self, block: s.Define) -> p.Expr:
        """Return the cases as one expression: each tested after those above it."""
        tests: list[tuple[p.Expr, p.Expr, s.Case]] = []
        before = dict(self.scope.narrowed)
        last: p.Expr | None = None
        want: p.Type | None = None
        for case in block.cases:
            if last is not None:
                self.report.add(
                    "E304",
                    case.span,
                    "no case can come after `otherwise`",
                    mend="move `otherwise` to the end",
                )
                break
            if case.condition is None:
                last = self.ask.expr(case.value, want)
                continue
            test = self.ask.condition(case.condition)
            yes, no = self.ask.facts(case.condition)
            value = self.ask.narrowed(yes, partial(self.ask.expr, case.value, want))
            want = want or (value.type if value.type.form == "enum" else None)
            tests.append((test, value, case))
            self.scope.narrowed.update(no)
        covered = last is not None or self._exhaustive(block, tests)
        self.scope.narrowed = before
        whole = self.scope.read_whole(block.span)
        if not block.cases:
            if whole:
                self.report.add(
                    "E304", block.span, f"`{block.name.text}` has no case", mend="write `when ...:` below it"
                )
            return self.ask.lost()
        if not covered and whole:
            self._uncovered(block)
        if last is None:
            last = tests.pop()[1] if tests else self.ask.lost()
        first, later = tests[0][1].type if tests else last.type, block.cases[-1]
        for test, value, case in reversed(tests):
            odd = later if join(first, last.type) is None else case  # if they do not go together
            last, later = self.ask.merge(odd.span, test, value, last, None), case
        return last

    def _exhaustive(self, block: s.Define, tests: list[tuple[p.Expr, p.Expr, s.Case]]) -> bool:
        """Return whether the cases without `otherwise` meet every card type or every value of an enum."""
        if any(t.form == "piece" and not t.pieces and not t.or_none for t in self.scope.narrowed.values()):
            return True
        return self._enum_left(tests) == []

    def _enum_left(self, tests: list[tuple[p.Expr, p.Expr, s.Case]]) -> list[str] | None:
        """Return the values of the one enum or flag asked about that no case meets; None if it is not so plain."""
        asked: set[int] = set()
        met: set[int] = set()
        type: p.Type | None = None
        for test, _, _ in tests:
            if not (isinstance(test, p.Op) and test.op == "eq" and isinstance(test.args[1], p.Const)):
                return None
            left = test.args[0]
            if not isinstance(left, p.Slot):
                return None
            asked.add(left.slot)
            type = left.type
            met.add(test.args[1].value)
        if len(asked) != 1 or type is None or type.form != "enum":
            return None
        labels = self.scope.enums[type.name].labels
        left_over = [x for i, x in enumerate(labels) if i not in met]
        return left_over + (["none"] if type.or_none and p.NONE not in met else [])

    def _uncovered(self, block: s.Define) -> None:
        missing = [n for type in self.scope.narrowed.values() for n in type.pieces]
        left = ""
        tests = [c.condition for c in block.cases if c.condition is not None]
        names: set[str] = set()
        for group in block.fields:
            type = self.ask.declare.type(group.type)
            if type.form == "piece":
                tested = {n for t in tests for n in _types_in(t, self.ask)}
                names |= {n for n in type.pieces if n not in tested} if tested else set()
        if names or missing:
            left = ": " + ", ".join(sorted(names)) if names else ""
        self.report.add(
            "E304",
            block.name.span,
            f"`{block.name.text}` does not say what holds in every case{left}",
            mend="add the missing cases, or `otherwise:` as the last",
        )


def _types_in(node: s.Expr, ask: Expressions) -> set[str]:
    """Return the card types that a test mentions."""
    if isinstance(node, s.Binary):
        if node.word == "is" and isinstance(node.right, s.TypeName):
            return set(ask.declare.piece_names(node.right.text) or ())
        return _types_in(node.left, ask) | _types_in(node.right, ask)
    return set()
