"""A program as text for people: the page where one sees what a spec means, after all sugar is gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from hoyle.program.expressions import (
    NONE,
    AsIf,
    Attr,
    Bind,
    Cond,
    Const,
    Expr,
    Invoke,
    Loop,
    Op,
    Param,
    Slot,
    SlotAt,
    Split,
    Superlative,
    TypeTest,
    ZoneAt,
)
from hoyle.program.flow import (
    Argument,
    Branch,
    Break,
    Call,
    Choose,
    Collect,
    Deal,
    DrawFor,
    Exit,
    Fill,
    ForEach,
    Gather,
    Give,
    If,
    Jump,
    Learn,
    Mark,
    MovePieces,
    MoveSome,
    Note,
    Over,
    Perform,
    Pick,
    Repeat,
    Return,
    Set,
    SetAt,
    Show,
    ShowBest,
    Shuffle,
    Statement,
    Swap,
    Take,
    Tell,
)
from hoyle.program.game import Program, Zone
from hoyle.program.types import Type
from hoyle.runtime.sets import members

SIGNS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "mod": "mod",
    "wrap": "mod",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "is",
    "ne": "is not",
    "and": "and",
    "or": "or",
    "meets": "meets",
    "join": "with",
    "same": "looks like",
    "rises": "has no higher face than",
    "is_kind": "looks like",
    "in_set": "in",
    "may_be_in_set": "in",
    "in_zone": "lies in",
    "or_else": "or, if empty,",
    "in_sequence": "in",
    "range": "..",
    "range_set": "..",
}


def show(program: Program) -> str:
    """Return the program as text, a line a statement, with the line of the spec at the right."""
    return "\n".join(_Printer(program).lines()) + "\n"


def phrase(program: Program, node: Expr | Set | SetAt | MovePieces) -> str:
    """Return an expression, or a statement that sets or moves something, as text."""
    printer = _Printer(program)
    return printer._simple(node) if isinstance(node, Set | SetAt | MovePieces) else printer.expr(node)


class _Printer:
    def __init__(self, program: Program) -> None:
        self.program = program

    def lines(self) -> Iterator[str]:
        program = self.program
        teams = f" in {program.teams} teams" if program.teams else ""
        way = "" if program.direction == "clockwise" else f", {program.direction}"
        yield f'game "{program.name}" for {program.low}..{program.high} players{teams}{way}'
        yield ""
        for parameter in program.parameters:
            default = parameter.words[parameter.default] if parameter.words else str(parameter.default)
            yield f"parameter {parameter.name}: {self.type(parameter.type)} = {default}"
        for enum in program.enums:
            yield f"enum {enum.name} = {', '.join(enum.labels)}"
        for name, attributes in program.attributes.items():
            yield f"card {name}({', '.join(f'{a.name}: {self.type(a.type)}' for a in attributes)})"
        for line in program.deck:
            low, high = max(line.low, program.low), min(line.high, program.high)
            players = f" with {low}..{high} players" if (low, high) != (program.low, program.high) else ""
            zone = self.zone_named(line.zone).name
            yield f'deck {zone}: {line.copies} "{program.kinds[line.kind].face}"{players}'
        for place in program.zones:
            yield self._zone(place)
        for variable in program.variables:
            each = (
                " for each player" if variable.each_player else " for each team" if variable.each_team else ""
            )
            less = (
                "" if variable.less_each is None else f" less {self.expr(variable.less_each)} for each player"
            )
            start = self.expr(variable.start) + less
            yield f"variable {variable.name}: {self.type(variable.type)} = {start}{each}"
        for function in program.functions:
            names = [self._slot_name(x) for x in function.parameters]
            head = f"{function.name}({', '.join(names)})" if names else function.name
            yield f"define {head}: {self.type(function.body.type)} = {self.expr(function.body)}"
        yield from self._flow()
        if program.rank is not None:
            keys = ", then ".join(f"{k.extreme} {self.expr(k.value)}" for k in program.rank.keys)
            yield ""
            yield f"rank teams by {keys}" if program.rank.teams else f"rank by {keys}"

    def zone_named(self, number: int) -> Zone:
        return max((z for z in self.program.zones if z.number <= number), key=lambda z: z.number)

    def _zone(self, zone: Zone) -> str:
        each = ", each player" if zone.each_player else ", each team" if zone.each_team else ""
        refill = "" if zone.refill is None else f", refilled from {self.zone_named(zone.refill).name}"
        refill += " but its top" if zone.keeps_top else ""
        each += f", at most {zone.many} of them" if zone.many else ""
        return f"zone {zone.name}: {zone.form}, seen {zone.seen}{each}{refill}"

    def _slot_name(self, slot: int) -> str:
        place = 0
        for info in self.program.slots:
            if place <= slot < place + info.size:
                return info.name
            place += info.size
        return f"slot {slot}"

    # ---- flow -----------------------------------------------------------------------------

    def _flow(self) -> Iterator[str]:
        for phase in self.program.phases:
            yield ""
            names = ", ".join(self._slot_name(x) for x in phase.parameters)
            head = f"phase {phase.name}" + (f"({names})" if names else "")
            if phase.straight:
                yield f"{head}, without decisions"
                yield from self.statements(phase.body, "  ")
                continue
            yield f"{head}, from block {phase.entry}"
            for block in self.program.blocks:
                if block.phase == phase.name:
                    yield f"  block {block.number}"
                    yield from self.statements(block.body, "    ")
                    yield from self._exit(block.exit)

    def _exit(self, exit: Exit) -> Iterator[str]:
        match exit:
            case Jump():
                yield f"    -> {exit.to}" + (", again" if exit.back else "")
            case Branch():
                yield f"    if {self.expr(exit.test)} -> {exit.yes} else -> {exit.no}"
            case Call():
                yield f"    do {exit.phase}{self._args(exit.args)}, then -> {exit.back}"
            case Return():
                yield f"    end {exit.phase}"
            case Over():
                yield "    end game" + ("" if exit.winner is None else f", {self.expr(exit.winner)} wins")
            case Choose():
                how = "" if exit.secret is None else " secretly"
                yield f"    choose{how} {self.expr(exit.chooser)}"
                for option in exit.options:
                    part = "in part, " if option.part else ""
                    yield f"      {part}" + self._option(
                        option.name, option.arguments, option.when, option.where, option.to
                    )
            case _:
                assert_never(exit)

    def _argument(self, argument: Argument) -> str:
        if argument.low is None or argument.high is None:
            return self.bind(argument.bind)
        return f"{self.expr(argument.low)}..{self.expr(argument.high)} {self.bind(argument.bind)}"

    def _option(
        self, name: str, arguments: tuple[Argument, ...], when: Expr | None, where: Expr | None, to: int
    ) -> str:
        words = f"option {name}"
        if arguments:
            words += f"({', '.join(map(self._argument, arguments))}{self._where(where)})"
        if when is not None:
            words += f" when {self.expr(when)}"
        return f"{words} -> {to}"

    def _args(self, args: tuple[Expr, ...]) -> str:
        return f"({', '.join(map(self.expr, args))})" if args else ""

    def statements(self, body: tuple[Statement, ...], indent: str) -> Iterator[str]:
        for node in body:
            yield from self._statement(node, indent)

    def _statement(self, node: Statement, indent: str) -> Iterator[str]:
        match node:
            case If():
                yield f"{indent}if {self.expr(node.test)}"
                yield from self.statements(node.yes, indent + "  ")
                if node.no:
                    yield f"{indent}else"
                    yield from self.statements(node.no, indent + "  ")
            case Repeat():
                times = "" if node.times is None else f" at most {self.expr(node.times)} times"
                test = "" if node.test is None else f" while {self.expr(node.test)}"
                until = "" if node.until is None else f" until {self.expr(node.until)}"
                yield f"{indent}repeat{times}{test}{until}"
                yield from self.statements(node.body, indent + "  ")
            case ForEach():
                yield f"{indent}for {self._binders(node.binders, node.where)}{self._order(node)}"
                yield from self.statements(node.body, indent + "  ")
            case _:
                yield indent + self._simple(node)

    def _order(self, node: ForEach | Collect) -> str:
        return "" if node.key is None else f" ordered by {node.extreme} {self.expr(node.key)}"

    def _simple(self, node: Statement) -> str:
        ask = self.expr
        match node:
            case Set():
                return f"{node.name} = {ask(node.value)}{self._watch(node)}"
            case SetAt():
                return f"{node.name} of {ask(node.index)} = {ask(node.value)}{self._watch(node)}"
            case MovePieces():
                return f"move {', '.join(map(ask, node.pieces))} to {ask(node.target)}"
            case MoveSome():
                amount = "all" if node.amount is None else ask(node.amount)
                kept = "" if node.slot is None else f" as {self._slot_name(node.slot)}"
                return f"move {amount} from {ask(node.source)} to {ask(node.target)}{kept}"
            case Deal():
                first = "" if node.first is None else f" from {ask(node.first)}"
                return f"deal {ask(node.amount)} from {ask(node.source)} to each {node.name}{first}{self._but(node)}"
            case Fill():
                return f"fill {ask(node.target)} to {ask(node.amount)} from {ask(node.source)}"
            case Swap():
                return f"swap {ask(node.left)} with {ask(node.right)}"
            case Gather():
                what = " or ".join(node.pieces) or "piece"
                return f"gather every {what} into {ask(node.target)}" + (
                    ", shuffled" if node.shuffled else ""
                )
            case Shuffle():
                return f"shuffle {ask(node.zone)}"
            case Pick():
                return f"pick {self._slot_name(node.slot)} at random from {ask(node.source)}"
            case DrawFor():
                best = f"{node.extreme} {ask(node.key)}"
                return f"draw for {self._slot_name(node.slot)} from {ask(node.source)} by {best}{self._but(node)}"
            case Learn():
                links = " else ".join(map(ask, node.tests))
                return f"learn from {ask(node.piece)} of {ask(node.binder.source)} when {ask(node.when)}: {links}"
            case Collect():
                found = self._binders(node.binders, node.where)
                return f"{self._slot_name(node.slot)} = each {found}{self._order(node)}"
            case Take():
                return (
                    f"{', '.join(map(self._slot_name, node.targets))} = next of {self._slot_name(node.slot)}"
                )
            case Break():
                return "leave the loop"
            case Mark():
                return f"count {node.point}"
            case Perform():
                return f"do {node.phase}{self._args(node.args)}"
            case Tell():
                seat = ask(node.seat)
                if node.whole < 0:
                    return f"tell that {seat} has chosen"
                return f"tell that {seat} chose {self.program.wholes[node.whole].name}{self._args(node.args)}"
            case Show():
                seats = "all" if node.seats is None else ask(node.seats)
                return f"show {', '.join(map(ask, node.pieces))} to {seats}"
            case Give():
                amount = "all" if node.amount is None else ask(node.amount)
                most = "" if node.most is None else f", {ask(node.most)} at most"
                return f"give {amount} {node.token} from {ask(node.source)} to {ask(node.target)}{most}"
            case Note():
                return f"note {node.word} of {ask(node.seat)}"
            case ShowBest():
                seats = "all" if node.seats is None else ask(node.seats)
                return f"show {ask(node.way)} to {seats}"
            case If() | Repeat() | ForEach():
                raise AssertionError(node)
            case _:
                assert_never(node)

    def _but(self, node: Deal | DrawFor) -> str:
        return "" if node.out is None else f", but for {self.expr(node.out)}"

    def _watch(self, node: Set | SetAt) -> str:
        if node.low is None or node.high is None or (node.low < -(1 << 60) and node.high > 1 << 60):
            return ""
        return f", within {node.low}..{node.high}"

    # ---- expressions ------------------------------------------------------------------------

    def _binders(self, binders: tuple[Bind, ...], where: Expr | None) -> str:
        return ", ".join(map(self.bind, binders)) + self._where(where)

    def bind(self, bind: Bind) -> str:
        types = f"{'/'.join(bind.pieces)} " if bind.pieces else ""
        other = "another " if bind.rank else ""
        return f"{other}{types}{bind.name} in {self.expr(bind.source)}"

    def _where(self, where: Expr | None) -> str:
        return "" if where is None else f" where {self.expr(where)}"

    def expr(self, expr: Expr) -> str:
        """Return an expression with every bracket written."""
        match expr:
            case Const():
                return self._const(expr)
            case Param() | Slot():
                return expr.name
            case SlotAt():
                return f"{self.expr(expr.index)}.{expr.name}"
            case ZoneAt():
                return expr.name if expr.index is None else f"{self.expr(expr.index)}.{expr.name}"
            case Attr():
                return f"{self.expr(expr.of)}.{expr.name}"
            case TypeTest():
                return f"({self.expr(expr.of)} is {' or '.join(expr.pieces)})"
            case Op():
                return self._op(expr)
            case Cond():
                return f"({self.expr(expr.yes)} if {self.expr(expr.test)} else {self.expr(expr.no)})"
            case Invoke():
                return expr.function + self._args(expr.args)
            case Loop():
                value = "" if expr.value is None else f" of {self.expr(expr.value)} for"
                return f"({expr.word}{value} {self._binders(expr.binders, expr.where)})"
            case Superlative():
                sole = "sole " if expr.sole else ""
                where = self._where(expr.where)
                return f"({sole}{expr.word} {self.bind(expr.binder)}{where} by {self.expr(expr.key)})"
            case AsIf():
                return self._as_if(expr)
            case Split():
                return self._split(expr)
            case _:
                assert_never(expr)

    def _split(self, expr: Split) -> str:
        """Return the best split of some cards."""
        forms = []
        for form in expr.forms:
            marks = [f"the same {self.expr(x)}" for x in form.same]
            marks += [] if form.once is None else [f"each {self.expr(form.once)} once"]
            marks += [] if form.row is None else [f"{self.expr(form.row)} in a row"]
            size = f"{form.low}..{form.high}" if form.high else f"{form.low}+"
            forms.append(f"{form.name}: {size} {self.bind(form.card)} with {', '.join(marks)}")
        wild = "" if expr.wild is None else f", wild: {self._binders((expr.wild,), expr.is_wild)}"
        limit = (
            f", at most {expr.most_wild} in a meld" if expr.wild is not None and expr.most_wild >= 0 else ""
        )
        what = {"best": "the best", "melds": "the melds", "rest": "the rest", "witness": "all"}[expr.part]
        return (
            f"({what} of splitting {self.expr(expr.source)} into {'; '.join(forms)}{wild}{limit}:"
            f" {'least' if expr.least else 'most'} of {self.expr(expr.melded)} in melds"
            f" and {self.expr(expr.left)} in the rest, and {expr.extra})"
        )

    def _as_if(self, expr: AsIf) -> str:
        """Return the best that wild cards can do: a tally stands as it is written, with its name behind it."""
        told = [
            f"{t.word} of {self.expr(t.value)} for " if t.value is not None else f"{t.word} "
            for t in expr.tallies
        ]
        tallies = ", ".join(
            f"{t.result.name} = {words}{self._binders((t.card,), t.where)}"
            for t, words in zip(expr.tallies, told, strict=True)
        )
        what = {"best": "the best", "witness": "who is what in the best", "takes": "whether, in the best, "}[
            expr.part
        ]
        asked = " counts as ".join(map(self.expr, expr.asked))
        wild, face = self.bind(expr.wild), f"{'/'.join(expr.face.pieces)} {expr.face.name}"
        fits = "" if expr.fits is None else f" where {self.expr(expr.fits)}"
        sums = "highest" if expr.highest else "sum"
        return (
            f"({what}{asked} as if each {wild} were {face}{' or nothing' if expr.nothing else ''}{fits}:"
            f" {sums} of {self.expr(expr.value)} for {expr.group.name} of {len(expr.groups)} groups, {tallies})"
        )

    def _op(self, expr: Op) -> str:
        args = [self.expr(a) for a in expr.args]
        if expr.op in SIGNS and len(args) == 2:
            return f"({args[0]} {SIGNS[expr.op]} {args[1]})"
        match expr.op:
            case "unit":
                return "{" + args[0] + "}"
            case "ends":
                return f"{args[1]} at one end of {args[0]}"
            case "not":
                return f"(not {args[0]})"
            case "neg":
                return f"(-{args[0]})"
            case "convert" | "convert_set":
                return f"{args[0]} as {self.type(expr.type)}"
            case "zone_set":
                return f"the cards of {args[0]}"
            case "players":
                return f"players but for {args[0]}" if args else "players"
            case "left" | "right" | "others" | "seats_from" | "members":
                return self._seats(expr)
            case "lies" | "lies_in_order":
                return f"({args[0]} holds {', '.join(args[1:]) or 'nothing'})"
            case _:
                return f"{expr.op.replace('_', ' ')} of {', '.join(args)}"

    def _seats(self, expr: Op) -> str:
        """Return players in order; seats go up in the direction of play, and those who are out are left out."""
        word = expr.op
        if self.program.direction != "clockwise" and word in ("left", "right"):
            word = "left" if word == "right" else "right"
        args = [self.expr(a) for a in expr.args if a.type.form == "player" or a.type.form == "enum"]
        out = [self.expr(a) for a in expr.args if a.type.form == "set"]
        return f"{word.replace('_', ' ')} of {args[0]}" + (f" but for {out[0]}" if out else "")

    def _const(self, expr: Const) -> str:
        value, type = expr.value, expr.type
        if value == NONE:
            return "none"
        if type.form == "set":
            inner = type.element or Type(form="number")
            return "{" + ", ".join(self._word(inner, x) for x in members(value)) + "}"
        return self._word(type, value)

    def _word(self, type: Type, value: int) -> str:
        match type.form:
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return self.program.enum(type.name).labels[value]
            case "kind":
                return f'"{self.program.kinds[value].face}"'
            case "player":
                return f"player {value + 1}"
            case _:
                return str(value)

    def type(self, type: Type) -> str:
        """Return a type as the language writes it."""
        extra = " or none" if type.or_none else ""
        match type.form:
            case "number":
                return (
                    "number" if type.low is None or type.high is None else f"{type.low}..{type.high}"
                ) + extra
            case "enum":
                return type.name + extra
            case "piece":
                whole = set(type.pieces) == set(self.program.attributes)
                return ("card" if whole else "/".join(type.pieces)) + extra
            case "set" | "sequence":
                return f"set of {self.type(type.element) if type.element else 'nothing'}"
            case _:
                return type.form + extra
