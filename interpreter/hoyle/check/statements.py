"""Statements that do one thing, without decisions: setting, moving, chance."""

from __future__ import annotations

from typing import Literal

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.decisions import walk
from hoyle.check.expressions import Expressions
from hoyle.check.ranges import LARGEST, may_have_no_place
from hoyle.check.scope import CALLED, Noun
from hoyle.check.types import describe, element_of, fits, widest
from hoyle.program.types import FLAG, PLAYER, TEAM, UNKNOWN, number, set_of
from hoyle.source import Span

# What is done to a name that can't be set.
MENDS = {
    "zone": "cards are moved, with `move ... to ...`",
    "token": "tokens are given, as in `give 1 {} to p` and `give 1 {} from p to supply`",
}


class Statements:
    """Turns simple statements into those of a program."""

    def __init__(self, expressions: Expressions) -> None:
        self.ask = expressions
        self.report = expressions.report
        self.scope = expressions.scope
        self.phase: s.Phase | None = None
        self.cards: dict[int, int] = {}  # how many there are, by the number of players

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
                return [self.ask.seating.eliminate(self.ask.value(node.player, PLAYER), line)]
            case s.ReverseTurns():
                return [self.ask.seating.reverse(line)]
            case s.NextTurn():
                return [self.ask.seating.set_next(self.ask.value(node.player, PLAYER), line)]
            case _:
                raise AssertionError(node)

    def winner(self, node: s.Wins) -> p.Expr:
        """Return who wins: a player, or a team by the number of its first member, who has the same."""
        made = self.ask.expr(node.player)
        return made if made.type == TEAM else self.ask.value(node.player, PLAYER)

    # ---- variables ------------------------------------------------------------------------

    def _let(self, node: s.Let) -> list[p.Statement]:
        before = self.report.noted
        value = self.ask.expr(node.value)
        if self.report.noted > before:
            value = self.ask.lost()  # what kind of value it was to be is not known
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

    def _let_none(self, node: s.LetNone) -> list[p.Statement]:
        source = self.ask.collection(node.source)
        type = widest(element_of(source.type) or UNKNOWN)
        if node.or_none and type.form != "nothing":
            type = type.model_copy(update={"or_none": True})
        slot = self.scope.slot(node.name.text, type, "local")
        self.scope.local(node.name, type, slot).fixed = False
        first = p.Const(value=p.NONE if node.or_none else 0, type=type)
        return [p.Set(slot=slot, name=node.name.text, value=first, line=node.span.line)]

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
        return p.SetAt(
            slot=noun.slot, name=noun.name, index=index, value=value, low=low, high=high, line=line
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

    # ---- pieces -------------------------------------------------------------------------------

    def zone(self, node: s.Expr, *, filled: bool = False) -> p.Expr:
        """Return an expression as a zone; `filled` notes that pieces come to it."""
        made = self.ask.expr(node)
        if made.type.form != "zone":
            if isinstance(made, p.Op) and made.op == "begun" and isinstance(made.args[0], p.ZoneAt):
                name = made.args[0].name
                self.report.add(
                    "E303",
                    node.span,
                    f"there are several `{name}`: which one?",
                    mend=f"`new {name}` begins one; those there are have a name in `for m in {name}` and in options",
                )
            elif made.type.form != "nothing":
                self.report.add(
                    "E303",
                    node.span,
                    f"a zone is wanted here, not {describe(made.type)}",
                    mend="name one, such as `p.hand`",
                )
            return p.ZoneAt(zone=0, name="", type=p.Type(form="zone"))
        if filled:
            self._filled(made)
        return made

    def _filled(self, zone: p.Expr) -> None:
        if isinstance(zone, p.ZoneAt) and zone.name in self.scope.nouns:
            self.scope.nouns[zone.name].written = True
        elif isinstance(zone, p.Cond):
            self._filled(zone.yes)
            self._filled(zone.no)

    def _ordered(self, node: s.Expr) -> p.Expr:
        made = self.zone(node)
        noun = self.scope.nouns.get(made.name) if isinstance(made, p.ZoneAt) else None
        if noun is not None and noun.zone is not None and noun.zone.form == "pool":
            self.report.add(
                "E303",
                node.span,
                f"`{noun.name}` is a pool: it has no order to shuffle",
                second=(noun.span, "declared here"),
                mend="make it a pile or a row",
            )
        return made

    def _pile(self, node: s.Expr) -> p.Expr:
        """Return a zone that one can draw from: a pile, since it alone has a top."""
        made = self.zone(node)
        noun = self.scope.nouns.get(made.name) if isinstance(made, p.ZoneAt) else None
        if noun is not None and noun.zone is not None and noun.zone.form != "pile":
            form = noun.zone.form
            mend = (
                "say `move first of ...` or `move last of ...`"
                if form == "row"
                else "say which card, or `pick` one"
            )
            self.report.add(
                "E310",
                node.span,
                f"one draws from the top of a pile, and `{noun.name}` is a {form}",
                second=(noun.span, "declared here"),
                mend=mend + ", or make it a pile",
            )
        return made

    def _show(self, node: s.Show) -> list[p.Statement]:
        seats = None if node.seats is None else self.ask.expr(node.seats)
        if seats is not None:
            inner = element_of(seats.type) if seats.type.form != "player" else seats.type
            if seats.type.form != "nothing" and (inner is None or inner.form != "player" or inner.or_none):
                self.ask.mismatch(
                    node.seats.span if node.seats is not None else node.span, seats.type, PLAYER
                )
                return []
        return [p.Show(pieces=self._pieces(node.pieces), seats=seats, line=node.span.line)]

    def _move_these(self, node: s.MoveThese) -> list[p.Statement]:
        pieces = self._pieces(node.pieces)
        target = self.zone(node.target, filled=True)
        return [p.MovePieces(pieces=pieces, target=target, line=node.span.line)]

    def _pieces(self, nodes: tuple[s.Expr, ...]) -> tuple[p.Expr, ...]:
        """Return pieces, sets of pieces and zones; what is none of these is reported and left out."""
        pieces = []
        for item in nodes:
            made = self.ask.expr(item)
            inner = element_of(made.type) if made.type.form != "piece" else made.type
            if made.type.form == "nothing" or (made.type.form == "set" and inner is None):
                continue
            if inner is None or inner.form != "piece" or made.type.or_none:
                self.ask.mismatch(item.span, made.type, p.Type(form="piece", pieces=tuple(self.scope.pieces)))
                continue
            pieces.append(made)
        return tuple(pieces)

    def _move_some(self, node: s.MoveSome) -> list[p.Statement]:
        amount = None if node.amount is None else self._amount(node.amount)
        source = self.zone(node.source) if amount is None else self._pile(node.source)
        target = self.zone(node.target, filled=True)
        slot = None
        if node.name is not None:
            slot = self._moved_name(node.name)
        return [p.MoveSome(amount=amount, source=source, target=target, slot=slot, line=node.span.line)]

    def _amount(self, node: s.Expr) -> p.Expr:
        made = self.ask.number(node)
        if made.type.high is not None and made.type.high < 0:
            self.report.add(
                "E301", node.span, "one can't move fewer than no cards", mend="use a number from 0 up"
            )
        return made

    def _moved_name(self, word: s.Word) -> int | None:
        cards = set_of(p.Type(form="piece", pieces=tuple(self.scope.pieces)))
        noun = self.scope.find(word.text)
        if noun is None:
            slot = self.scope.slot(word.text, cards, "local")
            self.scope.local(word, cards, slot).fixed = False
            return slot
        if self._fixed(noun, word.span):
            return None
        if not fits(cards, noun.type) or noun.type.form != "set" or noun.owner:
            self.ask.mismatch(word.span, cards, noun.type)
            return None
        return noun.slot

    def _deal(self, node: s.Deal) -> list[p.Statement]:
        amount, source = self._amount(node.amount), self._pile(node.source)
        self._enough(node, amount)
        noun = self.scope.find(node.zone.text)
        if noun is None or noun.zone is None or not noun.each_player:
            own = [n for n, x in self.scope.nouns.items() if x.kind == "zone" and x.each_player]
            if noun is None:
                self.scope.unknown(node.zone, "zone of each player", own)
            else:
                self.report.add(
                    "E303",
                    node.zone.span,
                    f"`{node.zone.text}` is not a zone that each player has",
                    second=(noun.span, "declared here"),
                    mend="deal to a zone declared with `each player`: " + ", ".join(own),
                )
            return []
        noun.written = True
        return [
            p.Deal(
                amount=amount,
                source=source,
                zone=noun.zone.number,
                name=noun.name,
                out=self._out(),
                line=node.span.line,
            )
        ]

    def _enough(self, node: s.Deal, amount: p.Expr) -> None:
        """Warn of a deal that needs more cards than the whole deck holds."""
        made = self.ask.declare.made
        each = amount.value if isinstance(amount, p.Const) else None
        if isinstance(amount, p.Param):
            each = next((x.default for x in made.parameters if x.name == amount.name), None)
        if each is None or not self.ask.sure:
            return
        if not self.cards:
            self.cards = {
                n: sum(x.copies for x in self.ask.lines if x.low <= n <= x.high)
                for n in range(made.low, made.high + 1)
            }
        for players, there in self.cards.items():
            if each * players > there:
                self.report.add(
                    "W403",
                    node.amount.span,
                    f"with {players} players this deals {each * players} cards, and there are {there}",
                    mend="deal fewer, write more cards into the deck, or let fewer play",
                )
                return

    def _gather(self, node: s.Gather) -> list[p.Statement]:
        names: tuple[str, ...] = ()
        if node.type is not None:
            found = self.ask.declare.piece_names(node.type.text)
            if found is None:
                self.scope.unknown(node.type, "card type", [*self.scope.pieces, *self.scope.unions])
            names = found or ()
        target = self.zone(node.target, filled=True)
        if node.shuffled:
            self._ordered(node.target)
        return [p.Gather(pieces=names, target=target, shuffled=node.shuffled, line=node.span.line)]

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

    def _out(self) -> p.Expr | None:
        return next(iter(self.ask.seating.out()), None)


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
