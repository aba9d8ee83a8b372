"""Straight statements as lines of Python, with the line of the spec beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from hoyle import program as p
from hoyle.compile.conditions import OPPOSITE, bare
from hoyle.compile.expressions import Emitter, Env, Local
from hoyle.compile.lists import filled_after
from hoyle.program.intervals import may_leave
from hoyle.program.purity import asks, costly, holds_pieces, may_fault, told_apart
from hoyle.program.sizes import inside
from hoyle.program.types import value_form

Lines = Iterator[str]
INDENT = "    "
ALONE = re.compile(r"\[\((\w+),\) for \1 in (range\([\w.]+\)|numbers_from\([\w., ]*\))\]")
WHOLE = re.compile(r"\[(\w+) for \1 in (?:(members\([^()]*\)|self\.in_order\([^()]*\))|(S\[[\w+ ]*\]))\]")


def noted(text: str, line: int) -> str:
    """Return a line of code with the line of the spec behind it."""
    return f"{text}  # {line}" if line else text


def counted_pass(line: int) -> list[str]:
    """Return the lines that count a pass of a loop, or a run of a phase, and stop one too many."""
    return ["S[STEPS] += 1", "if S[STEPS] > MOST_STEPS:", f"{INDENT}raise endless({line})"]


class Lying(NamedTuple):
    """Where a piece is known to lie: the variable that holds the list, the zone, and its place among the arguments."""

    name: str
    zone: int
    head: int


class StatementEmitter:
    """Writes the statements of one program. What a statement sets lives in the state, unless `env` has it in Python."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.names = emitter.names
        self.program = emitter.program
        self.count = 0
        self.lying: dict[int, Lying] = {}

    def body(self, statements: Sequence[p.Statement], env: Env) -> list[str]:
        """Return the lines of statements in a row; `pass` for none."""
        made = [line for node in statements for line in self.statement(node, env)]
        return made or ["pass"]

    def indented(self, lines: Sequence[str]) -> list[str]:
        """Return lines one level deeper."""
        return [INDENT + line for line in lines]

    def target(self, slot: int, env: Env) -> str:
        """Return what is assigned to for a slot."""
        return env[slot].name if slot in env else f"S[{self.names.slots[slot]}]"

    def statement(self, node: p.Statement, env: Env) -> Lines:
        """Yield the lines of one statement, and forget where pieces lie when it may move any."""
        if isinstance(node, p.Repeat | p.ForEach):
            self.lying = {}
            self.emitter.filled = frozenset()
        with self.emitter.told.at(getattr(node, "line", 0)):
            yield from self._statement(node, env)
        self.emitter.filled = filled_after(node, self.emitter.filled)
        if isinstance(node, p.Set):
            self.lying.pop(node.slot, None)
        elif not isinstance(node, p.SetAt | p.If | p.Learn | p.Tell | p.Show | p.Give | p.Mark):
            self.lying = {}

    def _statement(self, node: p.Statement, env: Env) -> Lines:
        e = self.emitter.e
        match node:
            case p.Set() | p.SetAt():
                yield from self._set(node, env)
            case p.MovePieces():
                yield from self._move_pieces(node, env)
            case p.MoveSome():
                yield from self._move_some(node, env)
            case p.Deal():
                amount = e(node.amount, env)
                if not (isinstance(node.amount, p.Const) and node.amount.value >= 0):
                    amount = f'counted({amount}, {node.line}, "deal")'
                zones = f"{e(node.source, env)}, {self.names.zones[node.zone]}"
                who = f"{self._out(node, env)}{self._first(node, env)}"
                yield noted(f"self.deal(S, {amount}, {zones}{who})", node.line)
            case p.Fill():
                zones = f"{e(node.target, env)}, {e(node.amount, env)}, {e(node.source, env)}"
                if isinstance(node.amount, p.Const) and not may_fault(node.source, self.emitter.functions):
                    yield noted(f"if len(S[{e(node.target, env)}]) < {node.amount.value}:", node.line)
                    yield f"{INDENT}self.fill(S, {zones})"
                else:
                    yield noted(f"self.fill(S, {zones})", node.line)
            case p.Swap():
                yield noted(f"self.swap(S, {e(node.left, env)}, {e(node.right, env)})", node.line)
            case p.Gather():
                fits = f"self.of_types({self.names.type_table(node.pieces)})" if node.pieces else "None"
                yield noted(f"self.gather(S, {e(node.target, env)}, {fits}, {node.shuffled})", node.line)
            case p.Shuffle():
                yield noted(f"self.shuffle(S, {e(node.zone, env)})", node.line)
            case p.Pick():
                yield from self._pick(node, env)
            case p.DrawFor():
                yield from self._draw_for(node, env)
            case p.Learn():
                yield from self._learn(node, env)
            case p.If():
                yield from self._if(node, env)
            case p.Repeat():
                yield from self._repeat(node, env)
            case p.ForEach():
                yield from self._for_each(node, env)
            case p.Collect():
                found, _ = self._collected(node, env, apart=True)
                if each := ALONE.fullmatch(found):
                    found = f"zip({each[2]})"
                yield noted(f"S[{self.names.slots[node.slot]}] = tuple({found})", node.line)
            case p.Take():
                targets = ", ".join(self.target(t, env) for t in node.targets)
                items, index = self.names.slots[node.slot], self.names.slots[node.index]
                comma = "," if len(node.targets) == 1 else ""
                yield f"{targets}{comma} = S[{items}][S[{index}]]"
                yield f"S[{index}] += 1"
            case p.Tell():
                told = "".join(f"{e(a, env)}, " for a in node.args).strip()
                yield noted(f"self.tell(S, {bare(e(node.seat, env))}, {node.whole}, ({told}))", node.line)
            case p.Show():
                pieces = self._pieces(node.pieces, env)
                yield noted(f"self.show(S, {pieces}, {self._mask(node.seats, env)})", node.line)
            case p.Give():
                yield self._give(node, env)
            case p.Note():
                yield noted(f'self.note(S, "{node.word}", {bare(e(node.seat, env))})', node.line)
            case p.ShowBest():
                yield from self._show_best(node, env)
            case p.Mark():
                yield f"self.fired[{node.point}] += 1"
            case p.Break():
                yield noted("break", node.line)
            case p.Perform():
                args = [e(a, env) for a in node.args]
                yield from counted_pass(node.line) if node.counted else []
                yield noted(f"self.{self.names.phases[node.phase]}({', '.join(['S', *args])})", node.line)
            case _:
                assert_never(node)

    # ---- variables ------------------------------------------------------------------------

    def _set(self, node: p.Set | p.SetAt, env: Env) -> Lines:
        best = self._best(node.value, env)
        if best is not None:
            yield from best[1]
            self.emitter.given[best[0]] = "best"
        try:
            yield from self._set_to(node, env)
        finally:
            if best is not None:
                del self.emitter.given[best[0]]

    def _best(self, expr: p.Expr, env: Env) -> tuple[p.Expr, list[str]] | None:
        """Return what in a value is the best piece of a zone, and the lines that find it; None where nothing is."""
        if isinstance(expr, p.Superlative):
            lines = self.emitter.best_found(expr, env)
            return (expr, lines) if lines else None
        if not isinstance(expr, p.Op) or expr.op in ("and", "or", "or_else"):
            return None
        return next((found for x in expr.args if (found := self._best(x, env))), None)

    def _set_to(self, node: p.Set | p.SetAt, env: Env) -> Lines:
        self.emitter.sure_of_seats = _goes_round(node.value)
        value = self.emitter.e(node.value, env)
        self.emitter.sure_of_seats = False
        if isinstance(node, p.SetAt):
            place = f"{self.names.slots[node.slot]} + {self.emitter.e(node.index, env)}"
            target = f"S[{place}]"
            if node.told:
                yield noted("if S[LOG] is not None:", node.line)
                yield f"{INDENT}self.changes(S, {place}, {bare(value)})"
        else:
            target = self.target(node.slot, env)
        gives = noted(f"{target} = {bare(value)}", node.line)
        if isinstance(node, p.SetAt) and (more := _added(node)) is not None:
            gives = noted(f"{target} {more[0]}= {bare(self.emitter.e(more[1], env))}", node.line)
        if node.low is not None and node.high is not None:
            ends = may_leave(node.value, node.slot, node.low, node.high)
            if ends == (False, False):
                yield gives
                return
            yield noted(f"value = {bare(value)}", node.line)
            tests = [f"value < {node.low}"] * ends[0] + [f"value > {node.high}"] * ends[1]
            yield f"if {' or '.join(tests)}:"
            yield f'{INDENT}raise outside(value, {node.low}, {node.high}, "{node.name}", {node.line})'
            yield f"{target} = value"
            return
        yield gives

    # ---- pieces ---------------------------------------------------------------------------------

    def _pieces(self, exprs: Sequence[p.Expr], env: Env) -> str:
        """Return text for the pieces of several expressions in order."""
        e = self.emitter.e
        if all(x.type.form == "piece" for x in exprs):
            names = ", ".join(e(x, env) for x in exprs)
            return f"({names},)" if len(exprs) == 1 else f"({names})"
        parts = []
        for expr in exprs:
            if expr.type.form == "piece":
                parts.append(f"[{e(expr, env)}]")
            elif expr.type.form == "zone":
                parts.append(f"S[{e(expr, env)}][:]")
            elif isinstance(expr, p.Op) and expr.op == "ends":
                parts.append(self.emitter.ends(expr, env))
            else:
                parts.append(f"members({e(expr, env)})")
        return " + ".join(parts)

    def _move_pieces(self, node: p.MovePieces, env: Env) -> Lines:
        """Yield the lines of a move: straight from list to list where it is known where each piece lies."""
        names, target = self._pieces(node.pieces, env), bare(self.emitter.e(node.target, env))
        slots = [x.slot for x in node.pieces if isinstance(x, p.Slot) and x.slot in self.lying]
        there = [self.lying[s] for s in slots]
        different = len(set(slots)) == len(slots) and all(
            a.zone != b.zone or a.head == b.head for a in there for b in there
        )
        tops = any(z.seen == "top" for z in self.emitter.program.zones)  # what lies on top then is logged too
        if len(slots) < len(node.pieces) or not different or not isinstance(node.target, p.ZoneAt):
            yield noted(f"self.put(S, {names}, {target})", node.line)
            return
        self.emitter.told.note("lying", node)
        if "+" in target:
            yield f"to = {target}"
            target = "to"
        yield noted("if S[LOG] is not None:", node.line)
        yield f"{INDENT}self.log_put(S, {names}, {target})"
        pieces = [self.emitter.e(x, env) for x in node.pieces]
        for piece, lying in zip(pieces, there, strict=True):
            yield f"{lying.name}.remove({piece})"
        if self.emitter.form(node.target) == "pool":
            yield from (f"insort(S[{target}], {piece})" for piece in pieces)
        else:
            yield f"S[{target}] += {names}" if len(pieces) > 1 else f"S[{target}].append({pieces[0]})"
        yield " = ".join([*[f"S[PLACE][{piece}]" for piece in pieces], target])
        if tops:
            yield "if S[LOG] is not None:"
            yield f"{INDENT}self.log_tops(S)"

    def _give(self, node: p.Give, env: Env) -> str:
        """Return the line that moves tokens from one place of the state to another."""
        e = self.emitter.e
        amount = "MANY" if node.amount is None else bare(e(node.amount, env))
        if node.amount is not None and (node.amount.type.low is None or node.amount.type.low < 0):
            amount = f"counted_tokens({amount}, {node.token!r}, {node.line})"
        most = "" if node.most is None else f", {bare(e(node.most, env))}"
        number = [t.name for t in self.program.tokens].index(node.token)
        places = ", ".join(self._place(x, env) for x in (node.source, node.target))
        return noted(f"self.give(S, {number}, {amount}, {places}{most})", node.line)

    def _place(self, expr: p.Expr, env: Env) -> str:
        """Return text for the place of a variable in the state."""
        if isinstance(expr, p.SlotAt):
            return f"{self.names.slots[expr.slot]} + {self.emitter.e(expr.index, env)}"
        assert isinstance(expr, p.Slot)
        return self.names.slots[expr.slot]

    def _mask(self, seats: p.Expr | None, env: Env) -> str:
        """Return text for the players that are shown something, as a mask."""
        if seats is None:
            return f"(1 << {self.emitter.seats_there}) - 1"
        if seats.type.form == "player":
            return f"1 << {self.emitter.e(seats, env)}"
        return f"mask_of({self.emitter.run(seats, env)})"

    def _show_best(self, node: p.ShowBest, env: Env) -> Lines:
        assert isinstance(node.way, p.AsIf | p.Split)
        best, witness = (
            self.emitter.e(node.way.model_copy(update={"part": part}), env) for part in ("best", "witness")
        )
        readings = "".join(f"{self.program.read(a.type)!r}, " for a in node.args).strip()
        args = "".join(f"{self.emitter.e(a, env)}, " for a in node.args).strip()
        shown = f"{node.way.name!r}, ({readings}), ({args}), {best}, None if S[LOG] is None else {witness}"
        yield noted(f"self.show_best(S, {self._mask(node.seats, env)}, {shown})", node.line)

    def _move_some(self, node: p.MoveSome, env: Env) -> Lines:
        e = self.emitter.e
        keep = "" if node.slot is None else f"{self.target(node.slot, env)} = "
        if node.amount is None:
            call = f"self.move_all(S, {e(node.source, env)}, {e(node.target, env)})"
            if not keep and not may_fault(node.target, self.emitter.functions):
                yield noted(f"if S[{e(node.source, env)}]:", node.line)
                yield INDENT + call
                return
        else:
            amount = e(node.amount, env)
            if amount == "1":
                call = f"self.move_top(S, {e(node.source, env)}, {e(node.target, env)})"
                yield noted(f"{keep}{call}", node.line)
                return
            if not isinstance(node.amount, p.Const):
                amount = f'counted({amount}, {node.line}, "move")'
            call = f"self.move(S, {amount}, {e(node.source, env)}, {e(node.target, env)})"
        yield noted(f"{keep}mask_of({call})" if keep else call, node.line)

    # ---- chance -----------------------------------------------------------------------------------

    def _pick(self, node: p.Pick, env: Env) -> Lines:
        run, form = self.emitter.run(node.source, env), value_form(node.source.type)
        low, high = node.low, node.high
        found = (
            f"picked(S, {run}, {self.program.elements_read(node.source.type)!r}, {node.line}, {low}, {high})"
        )
        if node.slot in env:
            yield noted(f"{env[node.slot].name} = {found}", node.line)
            yield f'log_value(S, {node.name!r}, "{form}", {env[node.slot].name})'
            return
        place = self.names.slots[node.slot]
        if node.index is not None:
            place += f" + {self.emitter.e(node.index, env)}"
        yield noted(f"S[{place}] = {found}", node.line)
        yield f'log_pick(S, {place}, {node.name!r}, "{form}")'

    def _draw_for(self, node: p.DrawFor, env: Env) -> Lines:
        card = self.names.locals[node.binder.slot]
        look = node.binder.slot not in told_apart(node.key, self.emitter.functions)
        inner = {**env, node.binder.slot: Local(self.emitter.kind(card) if look else card, look)}
        sign = "" if node.extreme == "highest" else "-"
        key = f"lambda {card}: {sign}{self.emitter.e(node.key, inner)}"
        found = (
            f"self.drawn_for(S, {self.emitter.e(node.source, env)}, {key}, {node.line}{self._out(node, env)})"
        )
        yield noted(f"{self.target(node.slot, env)} = {found}", node.line)
        if node.slot in env:
            yield f'log_value(S, {node.name!r}, "player", {env[node.slot].name})'
        else:
            yield f'log_pick(S, {self.names.slots[node.slot]}, {node.name!r}, "player")'

    def _learn(self, node: p.Learn, env: Env) -> Lines:
        e, card = self.emitter.e, self.names.locals[node.binder.slot]
        inner = {**env, node.binder.slot: Local(card)}
        tests = ", ".join(f"lambda S, {card}: {bare(e(x, inner))}" for x in node.tests)
        fits = f"self.of_types({self.names.type_table(node.binder.type.pieces)})"
        zone = e(node.binder.source, env)
        yield noted("if S[LOG] is not None:", node.line)
        yield noted(f"{INDENT}if {bare(self.emitter.truth(node.when, env))}:", node.line)
        yield f"{INDENT * 2}self.learn(S, {e(node.piece, env)}, {zone}, {fits}, [{tests}])"

    def _out(self, node: p.Deal | p.DrawFor, env: Env) -> str:
        return "" if node.out is None else f", {self.emitter.e(node.out, env)}"

    def _first(self, node: p.Deal, env: Env) -> str:
        return "" if node.first is None else f", first={self.emitter.e(node.first, env)}"

    # ---- branches and loops -------------------------------------------------------------------------

    def _if(self, node: p.If, env: Env) -> Lines:
        again, given = self._asked_again(node), self.emitter.given
        if again is not None:
            word = re.sub(r"\W", "_", again.function) if isinstance(again, p.Invoke) else "many"
            known = self.names.temporary(word, set())
            yield noted(f"{known} = {bare(self.emitter.e(again, env))}", node.line)
            self.emitter.given = {**given, again: known}
        yield noted(f"if {bare(self.emitter.truth(node.test, env))}:", node.line)
        before, filled = dict(self.lying), self.emitter.filled
        with_given = self.emitter.given
        yield from self.indented(self._begun(node.yes, env, given))
        after, self.lying = self.lying, before
        self.emitter.filled, self.emitter.given = filled, with_given
        if node.no:
            yield "else:"
            yield from self.indented(self._begun(node.no, env, given))
        self.emitter.given = given
        self.lying = {s: x for s, x in self.lying.items() if s in after}

    def _begun(self, body: Sequence[p.Statement], env: Env, given: dict[p.Expr, str]) -> list[str]:
        """Return the lines of a branch; what a test has asked is known where it sets something first, no longer."""
        if not body or not isinstance(body[0], p.Set | p.SetAt):
            self.emitter.given = given
            return self.body(body, env)
        first = list(self.statement(body[0], env))
        self.emitter.given = given
        return [*first, *[line for node in body[1:] for line in self.statement(node, env)]]

    def _asked_again(self, node: p.If) -> p.Expr | None:
        """Return what a test compares that costs much, and that what is set first in a branch asks again."""
        if (
            not isinstance(node.test, p.Op)
            or node.test.op not in OPPOSITE
            or "asking" in self.emitter.without
        ):
            return None
        first = [x[0].value for x in (node.yes, node.no) if x and isinstance(x[0], p.Set | p.SetAt)]
        asked = node.test.args[0]
        if holds_pieces(asked.type):
            return None  # of a piece it may be the face alone that is asked for
        again = costly(asked) and asked not in self.emitter.given and any(asks(x, asked) for x in first)
        if again:
            self.emitter.told.note("asking", asked)
        return asked if again else None

    def _repeat(self, node: p.Repeat, env: Env) -> Lines:
        e = self.emitter.e
        if node.times is not None:
            self.count += 1
            yield noted(f"for _pass_{self.count} in range({e(node.times, env)}):", node.line)
        else:
            yield noted(
                "while True:" if node.test is None else f"while {bare(self.emitter.truth(node.test, env))}:",
                node.line,
            )
        if node.times is not None and node.test is not None:
            yield f"{INDENT}if {bare(self.emitter.no(node.test, env))}:"
            yield f"{INDENT * 2}break"
        yield from self.indented(counted_pass(node.line))
        yield from self.indented([x for s in node.body for x in self.statement(s, env)])
        if node.until is not None:
            yield f"{INDENT}if {bare(self.emitter.truth(node.until, env))}:"
            yield f"{INDENT * 2}break"

    def _collected(self, node: p.ForEach | p.Collect, env: Env, apart: bool) -> tuple[str, Env]:
        """Return text for the list of what the binders of a loop hold when it begins, and the names in it."""
        binds: list[p.Expr] = [p.Slot(slot=b.slot, name=b.name, type=b.type) for b in node.binders]
        key = [] if node.key is None else [node.key]
        clauses, inner = self.emitter.clauses(node.binders, node.where, env, [*binds, *key])
        names = [inner[b.slot].name for b in node.binders]
        item = f"({', '.join(names)},)" if apart or len(names) > 1 else names[0]
        if node.key is None:
            return f"[{item}{clauses}]", inner
        pairs = f"[({self.emitter.e(node.key, inner)}, {item}){clauses}]"
        return f'ordered({pairs}, "{node.extreme}")', inner

    def _for_each(self, node: p.ForEach, env: Env) -> Lines:
        found, _ = self._collected(node, env, apart=False)
        bind = node.binders[0]
        if len(node.binders) == 1 and node.where is None and node.key is None and bind.type.form == "player":
            found = bare(self.emitter.run(bind.source, env))  # those who play are a list of their own
        if whole := WHOLE.fullmatch(found):
            found = whole[2] or f"{whole[3]}[:]"  # a list of its own as it is
        names = ", ".join(self.target(b.slot, env) for b in node.binders)
        if found.startswith("members(") and self._holds_one(bind.source, node.body):
            one = found[len("members(") : -1]
            yield noted(f"if {one}:", node.line)
            yield f"{INDENT}{names} = {one}.bit_length() - 1"
            yield from self.indented(self.body(node.body, env))
            return
        if len(node.binders) > 1:
            # The names inside the list are those of the loop too, which a linter takes for a slip in one statement.
            yield f"rows_{node.line} = {found}"
            found = f"rows_{node.line}"
        yield noted(f"for {names} in {found}:", node.line)
        yield from self.indented(self.body(node.body, env))

    def _holds_one(self, source: p.Expr, body: Sequence[p.Statement]) -> bool:
        """Return whether what is gone through is a set of one card at most, and nothing leaves the loop."""
        lone = isinstance(source, p.Slot) and source.slot in self.emitter.lone
        if not lone or "ones" in self.emitter.without or any(isinstance(x, p.Break) for x in inside(body)):
            return False
        self.emitter.told.note("ones", source)
        return True


def _added(node: p.SetAt) -> tuple[str, p.Expr] | None:
    """Return the sign and the value of what one of many values is changed by, if that is all that happens to it."""
    match node.value:
        case p.Op(op="add" | "sub" as op, args=(p.SlotAt(slot=node.slot, index=index), more)):
            return ("+" if op == "add" else "-", more) if index == node.index else None
        case _:
            return None


def _goes_round(value: p.Expr) -> bool:
    """Return whether a value is the seat beside one that a variable holds, whichever way it goes."""
    match value:
        case p.Op(op="left" | "right", args=(p.Slot() as seat,)):
            return not seat.type.or_none
        case p.Cond(test=p.Slot(), yes=yes, no=no):
            return _goes_round(yes) and _goes_round(no)
        case _:
            return False
