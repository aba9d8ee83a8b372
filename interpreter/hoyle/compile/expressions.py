"""Expressions as Python text.

A piece of which only the face matters is written as its kind, a set of such pieces as a set of kinds: then tables are
over kinds, and nothing is looked up twice.
"""

from __future__ import annotations

import re
from typing import assert_never

from hoyle import program as p
from hoyle.compile.best import Best
from hoyle.compile.conditions import OPPOSITE, Env, Local, bare, emptiness
from hoyle.compile.lists import filled_by
from hoyle.compile.names import Names
from hoyle.compile.passes import Pass
from hoyle.compile.rows import Rows
from hoyle.compile.scoring import Scoring
from hoyle.compile.told import Told
from hoyle.primitives import PURE
from hoyle.program.features import of_members
from hoyle.program.purity import (
    Functions,
    bound_inside,
    children,
    costly,
    free_slots,
    holds_pieces,
    reads_state,
    size_of,
    told_apart,
)
from hoyle.program.sizes import expected_sizes, lone_sets

__all__ = ["Emitter", "Env", "Local"]

SHORT = 24
ATOM = re.compile(r"\w+")
VALUED = (*OPPOSITE, "same", "is_kind", "meets")  # of these the opposite is a truth value too
SEQUENCES = ("players", "others", "seats_from", "members", "range", "begun")


class Emitter(Best):
    """Writes the expressions of one program."""

    def __init__(self, program: p.Program, names: Names, without: frozenset[Pass], told: Told) -> None:
        super().__init__(program, names, without, told)
        self.functions = Functions(program.functions, program.slots)
        self.partial: dict[str, bool] = {}
        self.looks = {f.name: self._looks(f) for f in program.functions}
        self.methods = {f.name for f in program.functions if self._is_method(f)}
        self.settled = {f.name for f in program.functions if self._is_settled(f)}
        self.tabled = {f.name for f in program.functions if self._is_table(f)}
        self.sizes, self.lone = expected_sizes(program), lone_sets(program)
        self.alike: dict[str, tuple[str, list[p.Expr]]] = {}
        for function in program.functions:
            self._note_alike(function)
        self.conversions: dict[tuple[int, ...], str] = {}
        self.scoring = Scoring(self)
        self.rows = Rows(self)

    # ---- definitions ------------------------------------------------------------------------

    def _looks(self, function: p.Function) -> list[bool]:
        """Return for each parameter whether only faces matter to the definition."""
        apart = self.functions.told_apart(function.name, False)
        return [
            holds_pieces(type) and not type.or_none and slot not in apart
            for slot, type in zip(function.parameters, function.types, strict=True)
        ]

    def _is_method(self, function: p.Function) -> bool:
        """Return whether a definition asks the table or a parameter, and so is a method."""
        return self.functions.reads_table(function.name)

    def _is_settled(self, function: p.Function) -> bool:
        """Return whether a method asks parameters alone, and so no state."""
        slots = set(free_slots(function.body)) - set(function.parameters)
        return function.name in self.methods and not slots and not reads_state(function.body, self.functions)

    def _is_table(self, function: p.Function) -> bool:
        """Return whether a definition is a table over kinds: it asks the face of one piece, and can't fail."""
        pure = function.name not in self.methods and "tables" not in self.without
        of_a_face = self.looks[function.name] == [True] and function.types[0].form == "piece"
        return pure and of_a_face and not self._partial(function.body)

    def _partial(self, expr: p.Expr) -> bool:
        if isinstance(expr, p.Op) and expr.op in ("div", "mod", "within", "settled"):
            return True
        if isinstance(expr, p.Invoke):
            name = expr.function
            if name not in self.partial:
                self.partial[name] = self._partial(self.functions[name].body)
            if self.partial[name]:
                return True
        if isinstance(expr, p.Superlative) or (
            isinstance(expr, p.Loop) and expr.word in ("highest", "lowest")
        ):
            return True
        return any(self._partial(c) for c in children(expr))

    def remembered(self, function: p.Function) -> bool:
        """Return whether what a definition says is kept, since asking again costs more than looking it up."""
        small = all(t.form != "number" or t.low is not None for t in function.types)
        plain = function.name not in self.methods | self.tabled and "keeping" not in self.without
        return plain and costly(function.body) and small and bool(function.parameters)

    def _note_alike(self, function: p.Function) -> None:
        """Note what a definition that is kept asks of the members of its one set, so that few sets are kept."""
        if len(function.parameters) == 1 and function.types[0].form == "set" and self.remembered(function):
            asked = of_members(function.body, function.parameters[0], self.functions, self.tabled)
            if asked is not None and self.looks[function.name] == [True]:
                self.alike[function.name] = (self.names.give(f"{function.name.upper()}_ALIKE"), asked)

    def alike_table(self, name: str) -> str:
        """Return the line that makes the table of which kinds are alike to a definition, after those it asks."""
        table, asked = self.alike[name]
        texts = []
        for x in asked:
            slot = next(iter(free_slots(x)))
            texts.append(self.e(x, {slot: Local("k", kind=True)}))
        key = f"({', '.join(texts)},)" if texts else "()"
        return f"{table} = alike([{key} for k in range(len(FACES))])"

    # ---- dispatch -----------------------------------------------------------------------------

    def e(self, expr: p.Expr, env: Env, look: bool = False) -> str:
        """Return Python text for an expression; with `look` for the kind of a piece, the kinds of a set of pieces."""
        if expr in self.given:
            return self.given[expr]
        match expr:
            case p.Const():
                return "NONE" if expr.value == p.NONE else str(expr.value)
            case p.Param():
                return f"self.{self.names.parameters[expr.name]}"
            case p.Slot():
                return self._slot(expr, env, look)
            case p.SlotAt():
                value = f"S[{self.names.slots[expr.slot]} + {self.e(expr.index, env)}]"
                return self._looked(value, expr.type, look)
            case p.ZoneAt():
                zone = self.names.zones[expr.zone]
                return zone if expr.index is None else f"{zone} + {self.e(expr.index, env)}"
            case p.Attr():
                return f"{self.names.attributes[expr.name]}[{self.e(expr.of, env, True)}]"
            case p.TypeTest():
                return self._type_test(expr, env)
            case p.Op():
                return self._op(expr, env, look)
            case p.Cond():
                yes, no = (
                    self._where(expr.test, way, x, env, look)
                    for way, x in ((True, expr.yes), (False, expr.no))
                )
                return f"({yes} if {self.truth(expr.test, env)} else {no})"
            case p.Invoke():
                return self._looked(self._invoke(expr, env), expr.type, look)
            case p.Loop():
                return self._looked(self._loop(expr, env), expr.type, look)
            case p.Superlative():
                return self._looked(self.superlative(expr, env), expr.type, look)
            case p.AsIf():
                return self.scoring.as_if(expr, env)
            case p.Split():
                return self._looked(self.scoring.split(expr, env), expr.type, look)
            case _:
                assert_never(expr)

    def _where(self, test: p.Expr, holds: bool, expr: p.Expr, env: Env, look: bool) -> str:
        """Return text for an expression where a condition is known to hold, or not to."""
        before, self.filled = self.filled, self.filled | filled_by(test, holds)
        try:
            return self.e(expr, env, look)
        finally:
            self.filled = before

    def _looked(self, text: str, type: p.Type, look: bool) -> str:
        """Return a piece, or a set of pieces, as its kind or kinds if those are wanted."""
        if not look or not holds_pieces(type) or self.unique:
            return text
        if type.form == "piece":
            return f"kind_or_none(self.kind_of, {text})" if type.or_none else f"self.kind_of[{text}]"
        return f"kinds_of(self.kind_of, {text})"

    def _slot(self, expr: p.Slot, env: Env, look: bool) -> str:
        local = env.get(expr.slot)
        if local is None:
            return self._looked(f"S[{self.names.slots[expr.slot]}]", expr.type, look)
        if local.kind:
            assert look or not holds_pieces(expr.type), f"{expr.name} is known by its face alone"
            return local.name
        return self._looked(local.name, expr.type, look)

    def _type_test(self, expr: p.TypeTest, env: Env) -> str:
        table = self.names.type_table(expr.pieces)
        kind = self.e(expr.of, env, True)
        return f"passes({table}, {kind})" if expr.of.type.or_none else f"{table}[{kind}]"

    def _invoke(self, expr: p.Invoke, env: Env) -> str:
        name = expr.function
        args = [bare(self.e(a, env, look)) for a, look in zip(expr.args, self.looks[name], strict=True)]
        if name in self.methods and (text := self._in_place(expr, args)):
            return text
        if name in self.methods:
            state = [] if name in self.settled else ["S"]
            return f"self.{self.names.functions[name]}({', '.join([*state, *args])})"
        if name in self.tabled:
            return f"{self.names.tables[name]}[{args[0]}]"
        if name in self.alike and (few := self._as_alike(expr.args[0], self.alike[name][0], env)):
            args = [bare(few)]
        return f"{self.names.functions[name]}({', '.join(args)})"

    def some(self, expr: p.Expr, env: Env) -> str:
        """Return text that is true where a condition holds, for some that are shorter so."""
        if isinstance(expr, p.Invoke) and expr.function in self.methods:
            looks = zip(expr.args, self.looks[expr.function], strict=True)
            return self._in_place(expr, [bare(self.e(a, env, x)) for a, x in looks], truth=True)
        return super().some(expr, env)

    def _in_place(self, expr: p.Invoke, args: list[str], truth: bool = False) -> str:
        """Return text for what a short definition says, written out where it is asked; nothing for a longer one."""
        function = self.functions[expr.function]
        whole = not isinstance(function.body, p.Cond | p.Loop) and size_of(function.body) <= SHORT
        hides = {self.names.locals[x] for x in bound_inside(function.body)} & set(args)
        if not whole or self.plain or hides or not all(ATOM.fullmatch(x) for x in args):
            return ""
        looks = zip(function.parameters, args, self.looks[function.name], strict=True)
        inner = {slot: Local(x, look) for slot, x, look in looks}
        return self.truth(function.body, inner) if truth else self.e(function.body, inner)

    def _as_alike(self, expr: p.Expr, table: str, env: Env) -> str:
        """Return text for a set written out piece by piece, each as the first kind that is alike; else nothing."""
        if isinstance(expr, p.Op) and expr.op == "unit" and not expr.args[0].type.or_none:
            return f"{table}[{bare(self.e(expr.args[0], env, True))}]"
        if isinstance(expr, p.Op) and expr.op == "join":
            parts = [self._as_alike(x, table, env) for x in expr.args]
            return f"({' | '.join(parts)})" if all(parts) else ""
        return ""

    # ---- operations -----------------------------------------------------------------------------

    def _op(self, expr: p.Op, env: Env, look: bool) -> str:
        op, args = expr.op, expr.args
        if op in ("and", "or"):
            return "(" + f" {op} ".join(self.e(a, env) for a in args) + ")"
        if op in ("unit", "join", "or_else"):
            return PURE[op].python.format(*(self.e(a, env, look) for a in args))
        if op in ("div", "mod") and isinstance(args[1], p.Const) and args[1].value:
            return f"({self.e(args[0], env)} {'%' if op == 'mod' else '//'} {args[1].value})"
        if op in ("div", "mod"):
            return f"divided({bare(self.e(args[0], env))}, {bare(self.e(args[1], env))}, {expr.line}, {op == 'mod'})"
        if op == "within":
            return f"within({', '.join(bare(self.e(a, env)) for a in args)}, {expr.line})"
        if op == "not":
            compared = isinstance(args[0], p.Op) and args[0].op in VALUED and not emptiness(args[0])
            return f"({bare(self.no(args[0], env))})" if compared else f"(not {self.truth(args[0], env)})"
        if op in PURE:
            called = PURE[op].python[0] not in "({-"
            return PURE[op].python.format(*(bare(self.e(a, env)) if called else self.e(a, env) for a in args))
        if op in ("convert", "convert_set"):
            return self._convert(expr, env)
        return self._about(expr, env, look)

    def _convert(self, expr: p.Op, env: Env) -> str:
        numbers = tuple(a.value for a in expr.args[1:] if isinstance(a, p.Const))
        name = self.conversions.setdefault(numbers, f"CONVERTED_{len(self.conversions) + 1}")
        value = self.e(expr.args[0], env)
        if expr.op == "convert_set":
            return f"converted_set({name}, {value})"
        return f"{name}.get({value}, -1)"

    def conversion_table(self, numbers: tuple[int, ...]) -> dict[int, int]:
        """Return the table behind a conversion; none stays none."""
        low, *places = numbers
        return {**{low + i: place for i, place in enumerate(places)}, p.NONE: p.NONE}

    def _about(self, expr: p.Op, env: Env, look: bool) -> str:
        op, args = expr.op, expr.args
        match op:
            case "same" | "is_kind":
                a, b = (self.e(x, env, True) for x in args)
                return f"({a} == {b})"
            case "rises":
                a, b = (self.e(x, env, True) for x in args)
                return f"({a} <= {b})"
            case "size_zone":
                return f"len(S[{self.e(args[0], env)}])"
            case "in_zone":
                return f"self.is_in(S, {self.e(args[0], env)}, {bare(self.e(args[1], env))})"
            case "zone_set":
                return self._looked(f"mask_of(S[{self.e(args[0], env)}])", expr.type, look)
            case "top" | "bottom":
                if self.has_end(expr) and not self.plain:
                    end = f"S[{self.e(args[0], env)}][{-1 if op == 'top' else 0}]"
                    return self._looked(end, expr.type, look)
                zone = self.e(args[0], env)
                end = f"self.end_piece(S, {zone}, {op == 'top'}, {expr.line})"
                if not self.plain:  # the method is for the fault alone
                    end = f"(S[{zone}] or [{end}])[{-1 if op == 'top' else 0}]"
                return self._looked(end, expr.type, look)
            case "seats_on":
                return f"(({self.e(args[0], env)} + {self.e(args[1], env)}) % {self.seats_there})"
            case "place_in":
                return f"S[{self.e(args[1], env)}].index({bare(self.e(args[0], env))})"
            case "left" | "right":
                return self._beside(expr, env)
            case "still_in":
                return f"still_in({self.e(args[0], env)}, {self.e(args[1], env)}, {expr.line})"
            case "ends":
                return self._looked(f"mask_of({self.ends(expr, env)})", expr.type, look)
            case "settled" | "packed_sums" | "payable":
                return self._paid(expr, env, look)
            case "lies" | "lies_in_order":
                kinds = [str(a.value) for a in args[1:] if isinstance(a, p.Const)]
                return f"self.lies(S, {self.e(args[0], env)}, [{', '.join(kinds)}], {op == 'lies_in_order'})"
            case "in_sequence" | "size_sequence":
                run = self.run(args[-1], env)
                return f"len({run})" if op == "size_sequence" else f"({self.e(args[0], env)} in {run})"
            case "left_over":
                return f"({self.e(args[1], env)} < len({self.e(args[0], env)}))"
            case "fresh":
                first, many, *low = (self.e(a, env) for a in args)
                name = getattr(args[0], "name", "")
                return f"fresh({', '.join(['S', first, many, repr(name), str(expr.line), *low])})"
            case "players" | "others" | "seats_from" | "members" | "range" | "begun":
                return self.run(expr, env)
            case other:
                raise AssertionError(f"no operation {other}")

    def ends(self, expr: p.Op, env: Env) -> str:
        """Return text for so many pieces from one end of a zone, in order."""
        zone, count, flags = (bare(self.e(a, env)) for a in expr.args)
        return f"ends(S[{zone}], {count}, {flags}, {expr.line})"

    def _paid(self, expr: p.Op, env: Env, look: bool) -> str:
        """Return text for an operation that payments are made of."""
        args = [bare(self.e(a, env)) for a in expr.args]
        if expr.op == "settled":
            return f"settled({', '.join(args)}, {expr.line})"
        if expr.op == "payable":
            return self._looked(f"payable(self.kind_of, {', '.join(args)})", expr.type, look)
        return f"packed_sums({', '.join(args)})"

    def _beside(self, expr: p.Op, env: Env) -> str:
        sign, seat = "+" if expr.op == "left" else "-", self.e(expr.args[0], env)
        if len(expr.args) == 1:
            table = self.table_beside(expr.op)
            return f"{table}[{bare(seat)}]" if table else f"(({seat} {sign} 1) % {self.seats_there})"
        return f"next_in({seat}, {sign}1, {self.seats_there}, {self.e(expr.args[1], env)})"

    # ---- collections ----------------------------------------------------------------------------

    def run(self, expr: p.Expr, env: Env, look: bool = False, once: bool = False) -> str:
        """Return text for the elements of a collection in the order in which names run through them.

        With `look` for the kinds of pieces; of a set each kind `once`, or as often as there are pieces of it.
        """
        if isinstance(expr, p.Op) and expr.op in SEQUENCES:
            return self._sequence(expr, env)
        if expr.type.form == "zone" and expr in self.held and not self._may_be_pile(expr):
            text = self.held[expr]
            return f"map(self.kind_of.__getitem__, {text})" if look and not self.unique else text
        if expr.type.form == "zone":
            text = (
                f"self.in_order(S, {self.e(expr, env)})"
                if self._may_be_pile(expr)
                else f"S[{self.e(expr, env)}]"
            )
            return f"map(self.kind_of.__getitem__, {text})" if look and not self.unique else text
        element = expr.type.element
        if expr.type.form == "sequence":
            return self.e(expr, env)
        if element is not None and element.form == "piece":
            if expr in self.held:
                return self.held[expr]
            if pieces := self.as_list(expr, env):
                pieces = bare(pieces)
                return f"map(self.kind_of.__getitem__, {pieces})" if look and not self.unique else pieces
            if look and not once and not self.unique:
                return f"map(self.kind_of.__getitem__, members({bare(self.e(expr, env))}))"
            return f"members({bare(self.e(expr, env, look))})"
        return f"ELEMENTS[{bare(self.e(expr, env))}]"

    def _sequence(self, expr: p.Op, env: Env) -> str:
        """Return text for players in order, or for a range."""
        args = [self.e(a, env) for a in expr.args]
        out = args[-1] if args and expr.args[-1].type.form == "set" else ""
        match expr.op:
            case "players":
                return f"seats_in({self.seats_there}, {out})" if out else f"range({self.seats_there})"
            case "others" | "seats_from":
                first = int(expr.op == "others")
                return (
                    f"seats_after({args[0]}, {first}, {self.seats_there}, {out})"
                    if out
                    else f"self.seats({args[0]}, {first})"
                )
            case "members":
                return (
                    f"members_in({args[0]}, {args[1]}, {self.seats_there}, {out})"
                    if out
                    else f"range({args[0]}, {self.seats_there}, {args[1]})"
                )
            case "begun":
                zone, many, *low = args
                return f"[i for i in range({', '.join([*low, ' + '.join([*low, many])])}) if S[{zone} + i]]"
            case _:
                if all(isinstance(a, p.Const) for a in expr.args):
                    return f"range({args[0]}, {args[1]} + 1)"
                return f"numbers_from({args[0]}, {args[1]}, {expr.line})"

    def _may_be_pile(self, expr: p.Expr) -> bool:
        if not isinstance(expr, p.ZoneAt):
            return True
        return self.form(expr) == "pile"

    def clauses(
        self,
        binders: tuple[p.Bind, ...],
        where: p.Expr | None,
        env: Env,
        rest: list[p.Expr],
        once: bool = False,
    ) -> tuple[str, Env]:
        """Return the `for` and `if` clauses of a comprehension, and the names inside it.

        A piece of which the condition and the expressions in `rest` ask the face alone is run through as its kind; with
        `once` it does not matter how many pieces of a kind there are.
        """
        inner = dict(env)
        text = ""
        asked = [*rest, *([where] if where is not None else []), *(b.source for b in binders)]
        apart = {s for x in asked for s in told_apart(x, self.functions)}
        grouped = {b.slot for b in binders if b.rank}
        for place, bind in enumerate(binders):
            name = self.names.locals[bind.slot]
            paired = bind.rank > 0 or (place + 1 < len(binders) and binders[place + 1].rank > 0)
            look = (
                bind.type.form == "piece"
                and bind.slot not in apart
                and not paired
                and bind.slot not in grouped
            )
            source = self.run(bind.source, inner, look, once)
            if place == len(binders) - 1 and (only := self.only_kind(bind, where, paired)):
                text += f" for {name} in (({only},) if {only} in {source} else ())"
                inner[bind.slot] = Local(name, look)
                return text, inner
            if bind.rank:
                before = inner[binders[place - 1].slot].name
                text += f" for at_{name}, {name} in enumerate({source}) if at_{name} > at_{before}"
            elif paired:
                text += f" for at_{name}, {name} in enumerate({source})"
            else:
                text += f" for {name} in {source}"
            inner[bind.slot] = Local(name, look)
            if bind.pieces:
                kind = name if look else self.kind(name)
                text += f" if {self.names.type_table(bind.pieces)}[{kind}]"
        if where is not None:
            fixed = self.fixed(where, {b.slot for b in binders}) if len(binders) == 1 else []
            outer = dict(self.given)
            for place, part in enumerate(fixed):
                name = f"fixed_{place + 1}" if place else "fixed"
                text = f" for {name} in ({bare(self.e(part, env))},){text}"
                self.given[part] = name
            known, self.filled = self.filled, self.filled | {b.source for b in binders}
            text += f" if {bare(self.truth(where, inner))}"
            self.given, self.filled = outer, known
        return text, inner

    # ---- phrases ----------------------------------------------------------------------------------

    def _loop(self, expr: p.Loop, env: Env) -> str:
        if rows := self.rows.phrase(expr, env):
            return rows
        rest = [] if expr.value is None else [expr.value]
        if expr.word in ("any", "every"):
            where = [] if expr.where is None else [expr.where]
            clauses, inner = self.clauses(expr.binders, None, env, where, once=True)
            test = "True" if expr.where is None else bare(self.truth(expr.where, inner))
            return f"{'any' if expr.word == 'any' else 'all'}({test}{clauses})"
        if above := self.above(expr, env):
            return above
        clauses, inner = self.clauses(expr.binders, expr.where, env, rest)
        if expr.word == "count":
            return f"sum(1{clauses})"
        value = bare(self.e(rest[0], inner))
        match expr.word:
            case "sum":
                return f"sum({value}{clauses})"
            case "run":
                return f"longest_run(mask_of({value}{clauses}))"
            case "set":
                return f"mask_of({value}{clauses})"
            case "list":
                return f"[{value}{clauses}]"
            case _:
                return f'extreme([{value}{clauses}], "{expr.word}", {expr.line})'
