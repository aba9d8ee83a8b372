"""Statements that do one thing, without decisions: setting, chance and all that moves no pieces (see `moving`)."""

from __future__ import annotations

from typing import Literal

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.coerce import converted
from hoyle.check.decisions import walk
from hoyle.check.moving import Moving
from hoyle.check.ranges import LARGEST, may_have_no_place
from hoyle.check.scope import CALLED, Noun
from hoyle.check.types import element_of, fits, widest
from hoyle.program.types import FLAG, PLAYER, TEAM, UNKNOWN, number, set_of
from hoyle.source import Span

# What is done to a name that can't be set.
MENDS = {
    "zone": "cards are moved, with `move ... to ...`",
    "token": "tokens are given, as in `give 1 {} to p` and `give 1 {} from p to supply`",
}


class Statements(Moving):
    """Turns simple statements into those of a program."""

    def simple(self, node: s.Statement) -> list[p.Statement]:
        """Return the straight statements for a simple one; empty after a fault."""
        line = node.span.line
        match node:
            case s.Let():
                return self._let(node)
            case s.LetNone():
                return self._let_none(node)
            case s.Learn():
                return self._learn(node)
            case s.Assign():
                return self._assign(node)
            case s.MoveThese():
                return self._move_these(node)
            case s.MoveSome():
                return self._move_some(node)
            case s.Deal():
                return self._deal(node)
            case s.Fill():
                target, source = self.zone(node.target, filled=True), self._pile(node.source)
                return [p.Fill(target=target, amount=self.ask.number(node.amount), source=source, line=line)]
            case s.Swap():
                left, right = self.zone(node.left, filled=True), self.zone(node.right, filled=True)
                return [p.Swap(left=left, right=right, line=line)]
            case s.Gather():
                return self._gather(node)
            case s.Show():
                return self._show(node)
            case s.Give():
                return self.ask.declare.tokens.give(node, self.ask)
            case s.Shuffle():
                return [p.Shuffle(zone=self._ordered(node.zone), line=line)]
            case s.Pick():
                return self._pick(node)
            case s.DrawFor():
                return self._draw_for(node)
            case s.Eliminate():
                player = self.ask.value(node.player, PLAYER)
                return [
                    p.Note(word="out", seat=player, line=line),
                    self.ask.seating.eliminate(player, line),
                ]
            case s.Note():
                seat = self.ask.value(node.player, PLAYER)
                return [p.Note(word=node.word, seat=seat, line=line)]  # type: ignore[arg-type]
            case s.ReverseTurns():
                return [self.ask.seating.reverse(line)]
            case s.NextTurn():
                return [self.ask.seating.set_next(self.ask.value(node.player, PLAYER), line)]
            case _:
                raise AssertionError(node)

    def winner(self, node: s.Wins) -> p.Expr:
        """Return who wins: a player, or a team by the number of its first member, who has the same."""
        if isinstance(node.player, s.Name) and node.player.text == "nobody":
            self.report.add(
                "E201",
                node.player.span,
                "`nobody` is no player who could win",
                mend="a game that nobody may win has no `result`: say `p wins` where it is won, `end game` elsewhere",
            )
            return self.ask.lost(PLAYER)
        made = self.ask.expr(node.player)
        return made if made.type == TEAM else self.ask.value(node.player, PLAYER)

    # ---- variables ------------------------------------------------------------------------

    def _let(self, node: s.Let) -> list[p.Statement]:
        before = self.report.noted
        want = UNKNOWN if node.type is None else self.ask.declare.type(node.type)
        value = self.ask.expr(node.value)
        if node.type is not None and self.report.noted == before:
            value = self._as(node.value, value, want)
        if self.report.noted > before:
            value = self.ask.lost(want)  # what kind of value it was to be may not be known
        type = widest(value.type)
        if (
            type.form == "zone"
            or type.form == "sequence"
            or (isinstance(value, p.Op) and value.op == "range")
        ):
            value, type = self._kept(node, value)
        if type.form == "set" and type.element is None:
            type = self._set_named(node)
        if type.form == "none":
            self.report.add(
                "E409", node.span, "what kind of value is this to be?", mend="declare it under `state`"
            )
            type = UNKNOWN
        slot = self.scope.slot(node.name.text, type, "local")
        noun = self.scope.local(node.name, type, slot)
        noun.fixed = False
        return [self._set(slot, noun, value, node.span.line)]

    def _as(self, node: s.Expr, value: p.Expr, want: p.Type) -> p.Expr:
        """Return a value as one of the type wanted, or report that it can't be one."""
        fitted = converted(value, want, self.scope)
        if fitted is None:
            self.ask.mismatch(node.span, value.type, want)
        return value if fitted is None else fitted

    def _let_none(self, node: s.LetNone) -> list[p.Statement]:
        source = self.ask.collection(node.source)
        type = widest(element_of(source.type) or UNKNOWN)
        if node.or_none and type.form != "nothing":
            type = type.model_copy(update={"or_none": True})
        slot = self.scope.slot(node.name.text, type, "state" if node.shown else "local")
        self.scope.local(node.name, type, slot).fixed = False
        if node.shown:
            self._show_always(node.name.text, slot, type)
        first = p.Const(value=p.NONE if node.or_none else 0, type=type)
        return [p.Set(slot=slot, name=node.name.text, value=first, line=node.span.line)]

    def _show_always(self, name: str, slot: int, type: p.Type) -> None:
        """Make a name part of every view; where several phases have one of that name, all but the first say whose."""
        shown = self.ask.declare.seating.variables
        if any(v.name == name for v in shown):
            name = f"{name} of {self.scope.owner}"
        start = p.Const(value=p.NONE, type=type)
        shown.append(p.Variable(name=name, slot=slot, type=type, each_player=False, start=start))

    def _learn(self, node: s.Learn) -> list[p.Statement]:
        when = self.ask.condition(node.when)
        piece = self.ask.expr(node.piece)
        zone = self.ask.expr(node.zone)
        if zone.type.form != "zone":
            return []
        type = p.Type(form="piece", pieces=zone.type.pieces)
        self.scope.locals.append({})
        slot = self.scope.slot(node.name.text, type, "scratch")
        self.scope.local(node.name, type, slot)
        tests = tuple(self.ask.condition(x) for x in node.tests)
        self.scope.locals.pop()
        bind = p.Bind(slot=slot, name=node.name.text, source=zone, type=type)
        return [p.Learn(when=when, piece=piece, binder=bind, tests=tests, line=node.span.line)]

    def _kept(self, node: s.Let, value: p.Expr) -> tuple[p.Expr, p.Type]:
        """Return a collection as a value that can be kept: the set of what it holds now."""
        inner = element_of(value.type)
        if value.type.form == "zone" and inner is not None:
            return p.Op(op="zone_set", args=(value,), type=set_of(inner)), set_of(inner)
        if isinstance(value, p.Op) and value.op == "range":
            return value.model_copy(update={"op": "range_set"}), value.type
        self.report.add(
            "E305",
            node.value.span,
            "players in order can't be kept under a name",
            mend="use them in `for` or `turns`",
        )
        return self.ask.lost(), UNKNOWN

    def _set_named(self, node: s.Let) -> p.Type:
        """Return what a set that begins empty will hold: the cards of a `move ... as NAME` in this phase."""
        for statement in walk(self.phase.body) if self.phase else []:
            if isinstance(statement, s.MoveSome) and statement.name and statement.name.text == node.name.text:
                return set_of(p.Type(form="piece", pieces=tuple(self.scope.pieces)))
        self.report.add(
            "E409",
            node.span,
            f"what is the set `{node.name.text}` to hold?",
            mend="declare it under `state` with a type, such as `: set of card`",
        )
        return UNKNOWN

    def _assign(self, node: s.Assign) -> list[p.Statement]:
        found = self.target(node.target)
        if found is None:
            self.ask.expr(node.value)
            return []
        noun, index = found
        if node.word == "=":
            value = self.ask.value(node.value, noun.type if noun.type.form != "number" else _loose(noun.type))
        else:
            old = self._old(noun, index)
            if noun.type.form != "number" or noun.type.or_none:
                self.ask.mismatch(node.target.span, noun.type, number())
                return []
            op = "add" if node.word == "+=" else "sub"
            value = p.Op(op=op, args=(old, self.ask.number(node.value)), type=number())
        self.scope.forget({noun.name})
        return [self._store(noun, index, value, node.span.line)]

    def _old(self, noun: Noun, index: p.Expr | None) -> p.Expr:
        if index is None:
            return p.Slot(slot=noun.slot, name=noun.name, type=noun.type)
        return p.SlotAt(slot=noun.slot, name=noun.name, index=index, type=noun.type)

    def _store(self, noun: Noun, index: p.Expr | None, value: p.Expr, line: int) -> p.Statement:
        if index is None:
            return self._set(noun.slot, noun, value, line)
        low, high = _range(noun, value)
        told = noun.name in self.ask.ranked
        return p.SetAt(
            slot=noun.slot, name=noun.name, index=index, value=value, low=low, high=high, told=told, line=line
        )

    def _set(self, slot: int, noun: Noun, value: p.Expr, line: int) -> p.Set:
        low, high = _range(noun, value)
        return p.Set(slot=slot, name=noun.name, value=value, low=low, high=high, line=line)

    def target(self, node: s.Expr) -> tuple[Noun, p.Expr | None] | None:
        """Return the variable that is set, and whose it is; None after a report."""
        if isinstance(node, s.Name):
            noun = self.scope.find(node.text)
            if noun is None:
                self.scope.unknown(s.Word(node.span, node.text), "variable")
                return None
            if noun.owner:
                self.ask.noun(noun, s.Word(node.span, node.text))
                return None
            return None if self._fixed(noun, node.span) else (noun, None)
        if isinstance(node, s.Attribute):
            base = self.ask.expr(node.base)
            noun = self.scope.nouns.get(node.name.text)
            owner = "team" if base.type == TEAM else "player" if base.type == PLAYER else ""
            if owner and noun is not None and noun.owner == owner:
                noun.used = True
                return None if self._fixed(noun, node.span) else (noun, base)
            if base.type.plain() in (PLAYER, TEAM):
                self.ask.attribute(node)
                return None
            if base.type.form == "piece":
                self.report.add(
                    "E504",
                    node.span,
                    "what is printed on a card never changes",
                    mend="keep it in a variable under `state`",
                )
                return None
            if base.type.form == "nothing":
                return None
        self.report.add(
            "E504", node.span, "only a variable can be set", mend="declare one under `state` or with `let`"
        )
        return None

    def _fixed(self, noun: Noun, span: Span) -> bool:
        """Report a name that can't be set; return whether it is one."""
        if noun.kind == "variable" or (noun.kind == "local" and not noun.fixed):
            noun.written = True
            return False
        mend = MENDS.get(noun.kind, "set a variable of its own").replace("{}", noun.name)
        what = "what runs through a loop or choice" if noun.kind == "local" else CALLED[noun.kind]
        self.report.add(
            "E504",
            span,
            f"`{noun.name}` is {what} and can't be set",
            second=(noun.span, "declared here"),
            mend=mend,
        )
        return True

    # ---- chance ---------------------------------------------------------------------------------

    def _pick(self, node: s.Pick) -> list[p.Statement]:
        source = self.ask.collection(node.source)
        inner = element_of(source.type) or UNKNOWN
        line = node.span.line
        if isinstance(node.target, s.Name) and self.scope.find(node.target.text) is None:
            word = s.Word(node.target.span, node.target.text)
            slot = self.scope.slot(word.text, inner, "local")
            self.scope.local(word, inner, slot).fixed = False
            return [p.Pick(slot=slot, name=word.text, source=source, line=line)]
        found = self.target(node.target)
        if found is None:
            return []
        noun, index = found
        if not fits(inner, noun.type):
            self.ask.mismatch(node.source.span, inner, noun.type)
        low, high = picked_range(noun, inner)
        return [
            p.Pick(slot=noun.slot, name=noun.name, index=index, source=source, low=low, high=high, line=line)
        ]

    def _draw_for(self, node: s.DrawFor) -> list[p.Statement]:
        found = self.target(node.target)
        source = self._pile(node.source)
        function = self.ask.function(node.key)
        if found is None or function is None:
            return []
        noun, index = found
        if function.body.type.form == "nothing":
            return []
        if noun.type.plain() != PLAYER or index is not None:
            self.ask.mismatch(node.target.span, noun.type, PLAYER)
            return []
        card = p.Type(form="piece", pieces=source.type.pieces)
        slot = self.scope.slot(f"card drawn for {noun.name}", card, "scratch")
        bind = p.Bind(slot=slot, name="card", source=source, type=card)
        if (
            len(function.types) != 1
            or function.types[0].form != "piece"
            or function.body.type.form != "number"
        ):
            self.report.add(
                "E208",
                node.key.span,
                f"`{function.name}` does not give a number for a card",
                mend="name a definition with one card and a number as its value",
            )
            return []
        key = p.Invoke(
            function=function.name, args=(p.Slot(slot=slot, name="card", type=card),), type=function.body.type
        )
        extreme: Literal["highest", "lowest"] = "highest" if node.extreme == "highest" else "lowest"
        return [
            p.DrawFor(
                slot=noun.slot,
                name=noun.name,
                source=source,
                extreme=extreme,
                binder=bind,
                key=key,
                out=self._out(),
                line=node.span.line,
            )
        ]


def _loose(type: p.Type) -> p.Type:
    """Return the type without bounds: whether a number is in range is seen when it is set."""
    return number().model_copy(update={"or_none": type.or_none})


def picked_range(noun: Noun, inner: p.Type) -> tuple[int | None, int | None]:
    """Return the range to be watched when a number is picked; none where it can't be left."""
    if noun.type.form != "number" or noun.low is None or noun.high is None:
        return None, None
    inside = (
        inner.low is not None and inner.high is not None and noun.low <= inner.low and inner.high <= noun.high
    )
    return (None, None) if inside else (noun.low, noun.high)


def _range(noun: Noun, value: p.Expr) -> tuple[int | None, int | None]:
    """Return the range to be watched when a number is set; none where it can't be left."""
    if noun.type.form == "enum" and may_have_no_place(value):
        return 0, LARGEST
    if noun.type.form != "number" or noun.type.or_none or value.type.form == "flag" or noun.type == FLAG:
        return None, None
    low = noun.low if noun.low is not None else -LARGEST
    high = noun.high if noun.high is not None else LARGEST
    if (
        value.type.low is not None
        and value.type.high is not None
        and low <= value.type.low
        and value.type.high <= high
    ):
        return None, None
    return low, high
