"""Expressions as closures over the state, made once when a table is laid.

Operations are spelled by the table of primitives: a closure for `a + b` is made from its Python column, so that no call
stands between the operands and the operator. Costly expressions that ask only about faces and small values become
tables, filled as they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, assert_never

from hoyle import program as p
from hoyle.interpret.layout import Layout
from hoyle.primitives import PURE
from hoyle.program.folding import fold
from hoyle.program.purity import Functions, costly, table_keys
from hoyle.program.types import rivals
from hoyle.runtime.asking import divided, ends, extreme, fresh, numbers_from, superlative, within
from hoyle.runtime.faults import Fault
from hoyle.runtime.paying import coins, excess, packed_sums, payable, settled
from hoyle.runtime.seats import members_in, next_in, seats_after, seats_in, still_in
from hoyle.runtime.sets import longest_run, mask_of, may_be_in_set, members, range_set
from hoyle.runtime.state import HEAD, PLACE, State

Ask = Callable[[State], Any]
MOST_SETS = 1_000
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


class Asking:
    """Makes closures for the expressions of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.bodies: dict[str, Ask] = {}
        self.folded = Functions(
            f.model_copy(update={"body": fold(f.body, layout.parameters)}) for f in layout.functions.values()
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
                return self._loop(expr)
            case p.Superlative():
                return self._superlative(expr)
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
        first, many = args
        name = expr.args[0].name if isinstance(expr.args[0], p.ZoneAt) else ""
        line = expr.line
        return lambda S: fresh(S, first(S), many(S), name, line)

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
        line, names = expr.line, self.layout.shape.zone_name

        def end(S: State) -> int:
            index = zone(S)
            pieces = S[index]
            if not pieces:
                raise Fault(f"`{names[index][0]}` is empty, so it has no {expr.op} card", line)
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

    # ---- collections ---------------------------------------------------------------------------

    def run(self, expr: p.Expr) -> Callable[[State], Iterable[int]]:
        """Return a closure for the elements of a collection in the order in which names run through them."""
        if isinstance(expr, p.Op) and expr.op in SEQUENCES:
            return self._sequence(expr)
        value = self.closure(expr)
        if expr.type.form == "zone":
            is_pile = self.layout.shape.is_pile

            def pieces(S: State) -> Iterable[int]:
                index = value(S)
                found: list[int] = S[index]
                return found[::-1] if is_pile[index] else found

            return pieces
        if expr.type.form == "sequence":
            return value
        if isinstance(expr, p.Const):
            fixed = members(expr.value)
            return lambda S: fixed
        if expr.type.element is not None and expr.type.element.form == "piece":
            return lambda S: members(value(S))
        kept: dict[int, list[int]] = {}

        def elements(S: State) -> list[int]:
            mask = value(S)
            found = kept.get(mask)
            if found is None:
                if len(kept) > MOST_SETS:
                    kept.clear()
                found = kept[mask] = members(mask)
            return found

        return elements

    def _sequence(self, expr: p.Op) -> Callable[[State], Iterable[int]]:
        """Return a closure for players in order, or for a range."""
        n, args = self.layout.players, [self.closure(a) for a in expr.args]
        out: Ask = args[-1] if expr.args and expr.args[-1].type.form == "set" else lambda S: 0
        match expr.op:
            case "players" if not args:
                everyone = range(n)
                return lambda S: everyone
            case "players":
                return lambda S: seats_in(n, out(S))
            case "others" | "seats_from":
                a, first = args[0], int(expr.op == "others")
                return lambda S: seats_after(a(S), first, n, out(S))
            case "members":
                team, teams = args[:2]
                return lambda S: members_in(team(S), teams(S), n, out(S))
            case "begun":
                zone, many = args
                return lambda S: [i for i in range(many(S)) if S[zone(S) + i]]
            case _:
                low, high = args
                line = expr.line
                return lambda S: numbers_from(low(S), high(S), line)

    def combinations(
        self, binders: tuple[p.Bind, ...], where: p.Expr | None
    ) -> Callable[[State], Iterable[None]]:
        """Return a closure that steps through the combinations that hold; the slots of the binders are set at each."""
        test = None if where is None else self.closure(where)
        levels = [(HEAD + b.slot, self.run(b.source), self._filter(b), b.rank) for b in binders]
        last = len(levels)

        def at(S: State, level: int, before: int) -> Iterable[None]:
            if level == last:
                if test is None or test(S):
                    yield
                return
            slot, run, fits, rank = levels[level]
            elements = run(S)
            if fits is not None:
                elements = [x for x in elements if fits[x]]
            for place, element in enumerate(elements):
                if rank and place <= before:
                    continue
                S[slot] = element
                yield from at(S, level + 1, place)

        return lambda S: at(S, 0, -1)

    def _filter(self, bind: p.Bind) -> list[bool] | None:
        return self.layout.of_types(bind.pieces) if bind.pieces else None

    # ---- phrases ---------------------------------------------------------------------------------

    def _loop(self, expr: p.Loop) -> Ask:
        if len(expr.binders) == 1 and expr.word in ("any", "every") and expr.where is not None:
            return self._single(expr)
        each = self.combinations(expr.binders, expr.where if expr.word != "every" else None)
        match expr.word:
            case "any":
                return lambda S: any(True for _ in each(S))
            case "every":
                test = self.closure(expr.where) if expr.where is not None else lambda S: True
                return lambda S: all(test(S) for _ in each(S))
            case "count":
                return lambda S: sum(1 for _ in each(S))
            case _:
                return self._aggregate(expr, each)

    def _single(self, expr: p.Loop) -> Ask:
        """`any` and `every` over one name, the commonest phrase."""
        bind = expr.binders[0]
        slot, run, fits = HEAD + bind.slot, self.run(bind.source), self._filter(bind)
        assert expr.where is not None
        test = self.closure(expr.where)
        wanted = expr.word == "any"

        def ask(S: State) -> bool:
            for element in run(S):
                if fits is not None and not fits[element]:
                    continue
                S[slot] = element
                if bool(test(S)) == wanted:
                    return wanted
            return not wanted

        return ask

    def _aggregate(self, expr: p.Loop, each: Callable[[State], Iterable[None]]) -> Ask:
        assert expr.value is not None
        value, line = self.closure(expr.value), expr.line
        if len(expr.binders) == 1:
            found = self._values(expr.binders[0], expr.where, value)
        else:

            def found(S: State) -> list[int]:
                return [value(S) for _ in each(S)]

        match expr.word:
            case "sum":
                return lambda S: sum(found(S))
            case "run":
                return lambda S: longest_run(mask_of(found(S)))
            case "set":
                return lambda S: mask_of(found(S))
            case "list":
                return found
            case _:
                word = expr.word
                return lambda S: extreme(found(S), word, line)

    def _values(self, bind: p.Bind, where: p.Expr | None, value: Ask) -> Callable[[State], list[int]]:
        """Return a closure for the values over one name, the commonest phrase."""
        slot, run, fits = HEAD + bind.slot, self.run(bind.source), self._filter(bind)
        test = None if where is None else self.closure(where)

        def values(S: State) -> list[int]:
            found = []
            for element in run(S):
                if fits is None or fits[element]:
                    S[slot] = element
                    if test is None or test(S):
                        found.append(value(S))
            return found

        return values

    def _superlative(self, expr: p.Superlative) -> Ask:
        slot = HEAD + expr.binder.slot
        each = self.combinations((expr.binder,), expr.where)
        key, line, word, sole = self.closure(expr.key), expr.line, expr.word, expr.sole
        sign = 1 if word == "highest" else -1
        tied = rivals(expr.binder.type)
        return lambda S: superlative([(sign * key(S), S[slot]) for _ in each(S)], word, sole, tied, line)


SEQUENCES = ("players", "others", "seats_from", "members", "range", "begun")
