"""Expressions as closures over the state, made once when a table is laid.

Operations are spelled by the table of primitives: a closure for `a + b` is made from its Python column, so that no call
stands between the operands and the operator. Costly expressions that ask only about faces and small values become
tables, filled as they are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, assert_never

from hoyle import program as p
from hoyle.interpret.layout import Layout
from hoyle.interpret.phrases import SEQUENCES, Ask, Phrases
from hoyle.interpret.scoring import Scoring
from hoyle.primitives import PURE
from hoyle.program.folding import fold
from hoyle.program.purity import Functions, costly, table_keys
from hoyle.runtime.asking import divided, ends, fresh, within
from hoyle.runtime.faults import Fault
from hoyle.runtime.paying import coins, excess, packed_sums, payable, settled
from hoyle.runtime.seats import next_in, still_in
from hoyle.runtime.sets import mask_of, may_be_in_set, members, range_set
from hoyle.runtime.state import HEAD, PLACE, State

NAMES = {"may_be_in_set": may_be_in_set, "range_set": range_set, "coins": coins, "excess": excess}


@cache
def factory(op: str, shapes: str) -> Callable[..., Ask]:
    """Return what makes closures for a primitive; a shape is `s` for a slot, `c` for a constant, `x` for a closure."""
    operands = [f"S[a{i}]" if s == "s" else f"a{i}" if s == "c" else f"a{i}(S)" for i, s in enumerate(shapes)]
    names = ", ".join(f"a{i}" for i in range(len(shapes)))
    made: Callable[..., Ask] = eval(
        f"lambda {names}: lambda S: {PURE[op].python.format(*operands)}", dict(NAMES)
    )
    return made


class Asking(Phrases):
    """Makes closures for the expressions of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.bodies: dict[str, Ask] = {}
        self.scoring = Scoring(self)
        self.folded = Functions(
            (
                f.model_copy(update={"body": fold(f.body, layout.parameters)})
                for f in layout.functions.values()
            ),
            layout.program.slots,
        )

    def ask(self, expr: p.Expr) -> Ask:
        """Return a closure for an expression as the checker gave it."""
        return self.closure(self.settled(expr))

    def settled(self, expr: p.Expr) -> p.Expr:
        """Return an expression with the parameters as constants."""
        return fold(expr, self.layout.parameters)

    # ---- dispatch -------------------------------------------------------------------------

    def closure(self, expr: p.Expr) -> Ask:
        """Return a closure for a folded expression, a table where one pays."""
        if costly(expr):
            keys = table_keys(expr, self.folded)
            if keys is not None and len(keys) <= 4:
                return self.table(expr, keys)
        return self.plain(expr)

    def plain(self, expr: p.Expr) -> Ask:
        """Return a closure that works the expression out each time."""
        match expr:
            case p.Const():
                value = expr.value
                return lambda S: value
            case p.Param():
                raise AssertionError(f"parameter {expr.name} is not settled")
            case p.Slot():
                slot = HEAD + expr.slot
                return lambda S: S[slot]
            case p.SlotAt():
                first, index = HEAD + expr.slot, self.closure(expr.index)
                return lambda S: S[first + index(S)]
            case p.ZoneAt():
                return self._zone(expr)
            case p.Attr():
                return self._attribute(expr)
            case p.TypeTest():
                of = self.closure(expr.of)
                fits = self.layout.of_types(expr.pieces)
                if expr.of.type.or_none:
                    return self._there(of, lambda x: fits[x])
                return lambda S: fits[of(S)]
            case p.Op():
                return self._op(expr)
            case p.Cond():
                test, yes, no = self.closure(expr.test), self.closure(expr.yes), self.closure(expr.no)
                return lambda S: yes(S) if test(S) else no(S)
            case p.Invoke():
                return self._invoke(expr)
            case p.Loop():
                return self.loop(expr)
            case p.Superlative():
                return self.superlative(expr)
            case p.AsIf():
                return self.scoring.as_if(expr)
            case p.Split():
                return self.scoring.split(expr)
            case _:
                assert_never(expr)

    @staticmethod
    def _there(of: Ask, test: Callable[[int], bool]) -> Ask:
        """Return a closure for a test of a piece that may be none, which passes no test."""

        def ask(S: State) -> bool:
            piece = of(S)
            return piece >= 0 and test(piece)

        return ask

    def _zone(self, expr: p.ZoneAt) -> Ask:
        first = self.layout.size + expr.zone
        if expr.index is None:
            return lambda S: first
        if isinstance(expr.index, p.Slot):
            slot = HEAD + expr.index.slot
            return lambda S: first + S[slot]
        index = self.closure(expr.index)
        return lambda S: first + index(S)

    def _attribute(self, expr: p.Attr) -> Ask:
        of = expr.of
        table = self.layout.kind_attributes if of.type.form == "kind" else self.layout.attributes
        values = table[expr.name]
        if isinstance(of, p.Slot):
            slot = HEAD + of.slot
            return lambda S: values[S[slot]]
        piece = self.closure(of)
        return lambda S: values[piece(S)]

    def _invoke(self, expr: p.Invoke) -> Ask:
        function = self.folded[expr.function]
        body = self.body(function)
        slots = [HEAD + s for s in function.parameters]
        args = [self.closure(a) for a in expr.args]
        if not slots:
            return body
        if len(slots) == 1:
            slot, arg = slots[0], args[0]

            def one(S: State) -> Any:
                S[slot] = arg(S)
                return body(S)

            return one

        def several(S: State) -> Any:
            values = [arg(S) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                S[slot] = value
            return body(S)

        return several

    def body(self, function: p.Function) -> Ask:
        """Return the closure of a definition's body, made once."""
        if function.name not in self.bodies:
            self.bodies[function.name] = self.closure(function.body)
        return self.bodies[function.name]

    # ---- tables ---------------------------------------------------------------------------

    def table(self, expr: p.Expr, keys: dict[int, p.Type]) -> Ask:
        """Return a closure that looks the value up by the faces and small values it depends on."""
        work = self.plain(expr)
        if not keys:
            kept: list[Any] = []

            def constant(S: State) -> Any:
                if not kept:
                    kept.append(work(S))
                return kept[0]

            return constant
        kind_of = self.layout.kind_of
        known: dict[Any, Any] = {}
        get = known.get
        pairs = [(HEAD + slot, type.form == "piece") for slot, type in keys.items()]
        if len(pairs) == 1:
            slot, piece = pairs[0]

            def by_one(S: State) -> Any:
                key = kind_of[S[slot]] if piece else S[slot]
                value = get(key)
                if value is None:
                    value = known[key] = work(S)
                return value

            return by_one

        def by_several(S: State) -> Any:
            key = tuple([kind_of[S[slot]] if piece else S[slot] for slot, piece in pairs])
            value = get(key)
            if value is None:
                value = known[key] = work(S)
            return value

        return by_several

    # ---- operations --------------------------------------------------------------------------

    def _op(self, expr: p.Op) -> Ask:
        args = expr.args
        match expr.op:
            case "and":
                a, b = map(self.closure, args)
                return lambda S: a(S) and b(S)
            case "or":
                a, b = map(self.closure, args)
                return lambda S: a(S) or b(S)
            case "div" | "mod":
                a, b = map(self.closure, args)
                line, rest = expr.line, expr.op == "mod"
                return lambda S: divided(a(S), b(S), line, rest)
            case "within":
                value, low, high = map(self.closure, args)
                line = expr.line
                return lambda S: within(value(S), low(S), high(S), line)
            case "convert" | "convert_set":
                return self._convert(expr)
            case _:
                return self._pure(expr) if expr.op in PURE else self._about(expr)

    def _pure(self, expr: p.Op) -> Ask:
        shapes, operands = "", []
        for arg in expr.args:
            if isinstance(arg, p.Slot):
                shapes += "s"
                operands.append(HEAD + arg.slot)
            elif isinstance(arg, p.Const):
                shapes += "c"
                operands.append(arg.value)
            else:
                shapes += "x"
                operands.append(self.closure(arg))  # type: ignore[arg-type]
        return factory(expr.op, shapes)(*operands)

    def _convert(self, expr: p.Op) -> Ask:
        value = self.closure(expr.args[0])
        low, *places = (a.value for a in expr.args[1:] if isinstance(a, p.Const))
        table = {low + i: place for i, place in enumerate(places)}
        if expr.op == "convert":
            table[p.NONE] = p.NONE
            get = table.get
            return lambda S: get(value(S), -1)

        def convert_set(S: State) -> int:
            mask = 0
            for element in members(value(S)):
                place = table.get(element, -1)
                if place >= 0:
                    mask |= 1 << place
            return mask

        return convert_set

    def _about(self, expr: p.Op) -> Ask:
        """Operations that ask about pieces, zones or seats."""
        args = [self.closure(a) for a in expr.args if not isinstance(a, p.Op) or a.op not in SEQUENCES]
        kind_of = self.layout.kind_of
        match expr.op:
            case "same":
                a, b = args
                none = any(x.type.or_none for x in expr.args)
                return self._same_or_none(a, b) if none else lambda S: kind_of[a(S)] == kind_of[b(S)]
            case "is_kind":
                a, b = args
                if expr.args[0].type.or_none:
                    return lambda S: (x := a(S)) >= 0 and kind_of[x] == b(S)
                return lambda S: kind_of[a(S)] == b(S)
            case "rises":
                a, b = args
                return lambda S: kind_of[a(S)] <= kind_of[b(S)]
            case "size_zone":
                (a,) = args
                return lambda S: len(S[a(S)])
            case "in_zone":
                a, b = args
                if expr.args[0].type.or_none:
                    return lambda S: a(S) >= 0 and S[PLACE][a(S)] == b(S)
                return lambda S: S[PLACE][a(S)] == b(S)
            case "zone_set":
                (a,) = args
                return lambda S: mask_of(S[a(S)])
            case "top" | "bottom":
                return self._end(expr, args[0])
            case "left" | "right":
                return self._beside(args, 1 if expr.op == "left" else -1)
            case "still_in":
                (a, b), line = args, expr.line
                return lambda S: still_in(a(S), b(S), line)
            case "seats_on":
                a, b = args
                n = self.layout.players
                return lambda S: (a(S) + b(S)) % n
            case "place_in":
                a, b = args
                return lambda S: S[b(S)].index(a(S))
            case "ends":
                taken = self.ends(expr)
                return lambda S: mask_of(taken(S))
            case "settled":
                (a, b), line = args, expr.line
                return lambda S: settled(a(S), b(S), line)
            case "packed_sums":
                a, b = args
                return lambda S: packed_sums(a(S), b(S))
            case "payable":
                a, b, c, d, e, f = args
                return lambda S: payable(kind_of, a(S), b(S), c(S), d(S), e(S), f(S))
            case "lies" | "lies_in_order":
                return self._lies(expr)
            case "in_sequence":
                a, run = self.closure(expr.args[0]), self.run(expr.args[1])
                return lambda S: a(S) in run(S)
            case "size_sequence":
                run = self.run(expr.args[0])
                return lambda S: len(list(run(S)))
            case "left_over":
                a, b = args
                return lambda S: b(S) < len(a(S))
            case "fresh":
                return self._fresh(expr, args)
            case "players" | "others" | "seats_from" | "members" | "range" | "begun":
                return self.run(expr)
            case other:
                raise AssertionError(f"no operation {other}")

    def _fresh(self, expr: p.Op, args: list[Ask]) -> Ask:
        first, many = args[:2]
        owned = args[2] if len(args) > 2 else lambda S: 0
        name = expr.args[0].name if isinstance(expr.args[0], p.ZoneAt) else ""
        line = expr.line
        return lambda S: fresh(S, first(S), many(S), name, line, owned(S))

    def ends(self, expr: p.Op) -> Callable[[State], list[int]]:
        """Return a closure for so many pieces from one end of a zone, in order."""
        zone, count, flags = map(self.closure, expr.args)
        line = expr.line
        return lambda S: ends(S[zone(S)], count(S), flags(S), line)

    def _beside(self, args: list[Ask], step: int) -> Ask:
        n = self.layout.players
        if len(args) == 1:
            (a,) = args
            return lambda S: (a(S) + step) % n
        a, out = args
        return lambda S: next_in(a(S), step, n, out(S))

    def _same_or_none(self, a: Ask, b: Ask) -> Ask:
        kind_of = self.layout.kind_of

        def same(S: State) -> bool:
            x, y = a(S), b(S)
            return bool(x == y if x < 0 or y < 0 else kind_of[x] == kind_of[y])

        return same

    def _end(self, expr: p.Op, zone: Ask) -> Ask:
        at = -1 if expr.op == "top" else 0
        line, names, word = expr.line, self.layout.shape.zone_name, self.layout.shape.piece_word

        def end(S: State) -> int:
            index = zone(S)
            pieces = S[index]
            if not pieces:
                raise Fault(f"`{names[index][0]}` is empty, so it has no {expr.op} {word}", line)
            piece: int = pieces[at]
            return piece

        return end

    def _lies(self, expr: p.Op) -> Ask:
        zone = self.closure(expr.args[0])
        kinds = [a.value for a in expr.args[1:] if isinstance(a, p.Const)]
        kind_of = self.layout.kind_of
        if expr.op == "lies_in_order":
            return lambda S: [kind_of[x] for x in S[zone(S)]] == kinds
        kinds.sort()
        return lambda S: sorted(kind_of[x] for x in S[zone(S)]) == kinds
