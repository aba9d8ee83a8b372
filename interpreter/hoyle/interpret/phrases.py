"""Collections as closures, and the phrases that let names run through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from hoyle import program as p
from hoyle.interpret.layout import Layout
from hoyle.program.types import rivals
from hoyle.runtime.asking import extreme, numbers_from
from hoyle.runtime.asking import superlative as best_of
from hoyle.runtime.seats import members_in, seats_after, seats_in
from hoyle.runtime.sets import longest_run, mask_of, members
from hoyle.runtime.state import HEAD, State

Ask = Callable[[State], Any]
MOST_SETS = 1_000
SEQUENCES = ("players", "others", "seats_from", "members", "range", "begun")


class Phrases:
    """The part of the closures that lets names run through collections."""

    layout: Layout

    if TYPE_CHECKING:

        def closure(self, expr: p.Expr) -> Ask: ...

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
                zone, many = args[:2]
                owned = args[2] if len(args) > 2 else lambda S: 0

                def begun(S: State) -> list[int]:
                    at, start = zone(S), owned(S)
                    return [i for i in range(start, start + many(S)) if S[at + i]]

                return begun
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

    def loop(self, expr: p.Loop) -> Ask:
        """Return a closure for a phrase with binders."""
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

    def superlative(self, expr: p.Superlative) -> Ask:
        """Return a closure for the one that is highest or lowest."""
        slot = HEAD + expr.binder.slot
        each = self.combinations((expr.binder,), expr.where)
        key, line, word, sole = self.closure(expr.key), expr.line, expr.word, expr.sole
        sign = 1 if word == "highest" else -1
        tied = rivals(expr.binder.type)
        return lambda S: best_of([(sign * key(S), S[slot]) for _ in each(S)], word, sole, tied, line)
