"""Legal moves: which options a player has, with which arguments, by the numbers that the program gives them.

Arguments are tried in the order written; a guard is asked as soon as the names it speaks of are known. Pieces that look
alike are tried once, unless a guard tells them apart. A guard that asks only about faces becomes, for each choice of the
earlier arguments, a mask over the kinds that fit: the pieces of a zone are then sifted by one `and`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hoyle import program as p
from hoyle.interpret.expressions import Ask, Asking
from hoyle.interpret.layout import HEAD, Layout, State
from hoyle.program.folding import conjuncts, fold
from hoyle.program.numbering import Group, Numbered, rank_of
from hoyle.program.purity import free_slots, reads_table, told_apart

Found = dict[int, tuple[int, tuple[int, ...]]]
Pieces = list[tuple[int, list[int]]]


class Level(NamedTuple):
    """One argument: how its candidates come, which guards are asked at it, and its part of the number."""

    slot: int
    source: int
    rank: int
    last_of_group: bool
    group: Group
    piece: bool
    apart: bool
    tests: list[Ask]
    sieve: Sieve | None


class Sieve:
    """A guard on faces: for the kinds and values of earlier arguments, the mask of the kinds that pass."""

    def __init__(self, test: Ask, earlier: list[tuple[int, bool]], slot: int, kind_of: list[int]) -> None:
        self.test = test
        self.earlier = earlier
        self.slot = slot
        self.kind_of = kind_of
        self.known: dict[Any, list[int]] = {}

    def passing(self, S: State, there: int, candidates: Pieces) -> int:
        """Return which of the kinds in the mask `there` pass; each pair of faces is asked once in a lifetime."""
        kind_of, earlier = self.kind_of, self.earlier
        if len(earlier) == 1:
            slot, piece = earlier[0]
            key: Any = kind_of[S[slot]] if piece else S[slot]
        else:
            key = tuple([kind_of[S[slot]] if piece else S[slot] for slot, piece in earlier])
        entry = self.known.get(key)
        if entry is None:
            entry = self.known[key] = [0, 0]
        unknown = there & ~entry[0]
        if unknown:
            self._ask(S, unknown, candidates, entry)
        return there & entry[1]

    def _ask(self, S: State, unknown: int, candidates: Pieces, entry: list[int]) -> None:
        for kind, pieces in candidates:
            if unknown >> kind & 1:
                S[self.slot] = pieces[0]
                entry[0] |= 1 << kind
                if self.test(S):
                    entry[1] |= 1 << kind


class OptionMoves:
    """Finds the moves of one option."""

    def __init__(self, layout: Layout, asking: Asking, option: p.Option, numbered: Numbered, place: int) -> None:
        self.layout = layout
        self.asking = asking
        self.option = option
        self.place = place
        self.first = numbered.first
        self.groups = numbered.groups
        parameters = layout.parameters
        self.slots = [HEAD + a.bind.slot for a in option.arguments]
        self.sources = [fold(a.bind.source, parameters) for a in option.arguments]
        where = None if option.where is None else fold(option.where, parameters)
        self.guards = [*conjuncts(where)]
        when = None if option.when is None else fold(option.when, parameters)
        free = [g for g in self.guards if not self._mentioned(g)]
        self.guards = [g for g in self.guards if self._mentioned(g)]
        self.before = [asking.closure(g) for g in conjuncts(when) + free]
        self.levels = [self._level(i) for i in range(len(option.arguments))]

    # ---- making -----------------------------------------------------------------------------

    def _mentioned(self, expr: p.Expr) -> list[int]:
        """Return the places of the arguments that an expression speaks of."""
        free = free_slots(expr)
        return [i for i, slot in enumerate(self.slots) if slot - HEAD in free]

    def _level(self, i: int) -> Level:
        argument = self.option.arguments[i]
        guards = [g for g in self.guards if max(self._mentioned(g)) == i]
        piece = argument.domain.form == "piece"
        later = [*self.guards, *(s for s in self.sources)]
        apart = piece and any(self.slots[i] - HEAD in told_apart(e, self.asking.folded) for e in later)
        sifting = [g for g in guards if piece and not apart and self._by_faces(g, i)]
        sieve = None
        if sifting:
            test = sifting[0]
            for g in sifting[1:]:
                test = p.Op(op="and", args=(test, g), type=g.type)
            earlier = [k for k in self._mentioned(test) if k != i]
            keys = [(self.slots[k], self.option.arguments[k].domain.form == "piece") for k in earlier]
            sieve = Sieve(self.asking.plain(test), keys, self.slots[i], self.layout.kind_of)
        same = [k for k in range(i + 1) if self.option.arguments[k].bind.rank == 0]
        following = i + 1 < len(self.option.arguments) and self.option.arguments[i + 1].bind.rank > 0
        return Level(
            slot=self.slots[i],
            source=same[-1],
            rank=argument.bind.rank,
            last_of_group=not following,
            group=self.groups[len(same) - 1],
            piece=piece,
            apart=apart,
            tests=[self.asking.closure(g) for g in guards if g not in sifting],
            sieve=sieve,
        )

    def _by_faces(self, guard: p.Expr, i: int) -> bool:
        """Return whether a guard asks only about the faces of arguments, and small values of them."""
        functions = self.asking.folded
        names = {s - HEAD for s in self.slots}
        return (
            set(free_slots(guard)) <= names
            and not reads_table(guard, functions)
            and not told_apart(guard, functions)
        )

    # ---- finding ----------------------------------------------------------------------------

    def finder(self) -> Callable[[State, Found], None]:
        """Return a closure that adds the option's moves to what was found: number -> (place of option, arguments)."""
        before, first, place = self.before, self.first, self.place
        if not self.levels:

            def bare(S: State, found: Found) -> None:
                for test in before:
                    if not test(S):
                        return
                found[first] = (place, ())

            return bare
        fixed = [k for k in range(len(self.levels)) if self._fixed(k)]
        collects = {k: self._collector(k) for k in range(len(self.levels)) if self.levels[k].rank == 0}
        chain = self._chain(fixed, collects)

        def find(S: State, found: Found) -> None:
            for test in before:
                if not test(S):
                    return
            chain(S, {k: collects[k](S) for k in fixed}, found)

        return find

    def _fixed(self, k: int) -> bool:
        """Return whether the source of an argument does not depend on the arguments before it."""
        return self.levels[k].rank == 0 and not self._mentioned(self.sources[k])

    def _collector(self, k: int) -> Callable[[State], Any]:
        """Return a closure for the candidates of an argument: (mask of kinds, pieces by kind), pieces, or values."""
        level, bind = self.levels[k], self.option.arguments[k].bind
        run = self.asking.run(self.sources[k])
        fits = self.layout.of_types(bind.pieces) if bind.pieces else None
        kind_of = self.layout.kind_of
        apart = any(x.apart for x in self.levels if x.source == k)
        if not level.piece:
            return lambda S: list(run(S))
        if apart:
            return lambda S: sorted(x for x in run(S) if fits is None or fits[x])

        def by_kind(S: State) -> tuple[int, Pieces]:
            there: dict[int, list[int]] = {}
            mask = 0
            for x in run(S):
                if fits is None or fits[x]:
                    kind = kind_of[x]
                    if kind in there:
                        there[kind].append(x)
                    else:
                        there[kind] = [x]
                        mask |= 1 << kind
            return mask, sorted(there.items())

        return by_kind

    def _chain(self, fixed: list[int], collects: dict[int, Callable[[State], Any]]) -> Callable[..., None]:
        """Return the closure of the first argument, which calls that of the second, and so on."""
        first, option_place, slots = self.first, self.place, self.slots

        def done(S: State, sources: dict[int, Any], found: Found, number: int, chosen: tuple[int, ...]) -> None:
            move = first + number
            if move not in found:
                found[move] = (option_place, tuple([S[slot] for slot in slots]))

        step: Callable[..., None] = done
        for k in reversed(range(len(self.levels))):
            step = self._step(k, step, k in fixed, collects)
        return lambda S, sources, found: step(S, sources, found, 0, ())

    def _step(
        self, k: int, then: Callable[..., None], fixed: bool, collects: dict[int, Callable[[State], Any]]
    ) -> Callable[..., None]:
        level = self.levels[k]
        collect = None if fixed or level.rank else collects[k]
        apart = any(x.apart for x in self.levels if x.source == level.source)
        number = self._numbering(level)
        if level.piece and not apart:
            return self._kinds(level, then, collect, number)
        return self._values(level, then, collect, number)

    def _numbering(self, level: Level) -> Callable[[int, tuple[int, ...], int], int]:
        """Return how a value goes into the number: nothing until the last of its group, then the group's part."""
        group, kind_of = level.group, self.layout.kind_of
        repeats = bool(group.places)
        places, low, moves = group.places, group.low, group.moves
        if not level.last_of_group:
            return lambda number, chosen, value: number
        if group.count == 1:
            if repeats:
                return lambda number, chosen, value: number * moves + places[kind_of[value]]
            return lambda number, chosen, value: number * moves + value - low

        def several(number: int, chosen: tuple[int, ...], value: int) -> int:
            values = [places[kind_of[v]] if repeats else v - low for v in (*chosen, value)]
            return number * moves + rank_of(sorted(values), repeats)

        return several

    def _kinds(
        self, level: Level, then: Callable[..., None], collect: Callable[[State], Any] | None, number: Any
    ) -> Callable[..., None]:
        """Pieces by kind: the first of each kind stands for all of it."""
        slot, source, rank, last = level.slot, level.source, level.rank, level.last_of_group
        tests, sieve = level.tests, level.sieve
        kind_of = self.layout.kind_of

        def step(S: State, sources: dict[int, Any], found: Found, n: int, chosen: tuple[int, ...]) -> None:
            if collect is not None:
                sources[source] = collect(S)
            there, candidates = sources[source]
            if sieve is not None:
                passing = sieve.passing(S, there, candidates)
                if not passing:
                    return
            else:
                passing = there
            lowest = kind_of[chosen[-1]] if rank else -1
            for kind, pieces in candidates:
                if kind < lowest or not passing >> kind & 1:
                    continue
                used = 0
                if kind == lowest:
                    used = sum(1 for x in chosen if kind_of[x] == kind)
                    if used >= len(pieces):
                        continue
                piece = S[slot] = pieces[used]
                for test in tests:
                    if not test(S):
                        break
                else:
                    then(S, sources, found, number(n, chosen, piece), () if last else (*chosen, piece))

        return step

    def _values(
        self, level: Level, then: Callable[..., None], collect: Callable[[State], Any] | None, number: Any
    ) -> Callable[..., None]:
        """Values, players, and pieces that a guard tells apart: each is tried."""
        slot, source, rank, last, tests = level.slot, level.source, level.rank, level.last_of_group, level.tests

        def step(S: State, sources: dict[int, Any], found: Found, n: int, chosen: tuple[int, ...]) -> None:
            if collect is not None:
                sources[source] = collect(S)
            lowest = chosen[-1] if rank else None
            for value in sources[source]:
                if lowest is not None and value <= lowest:
                    continue
                S[slot] = value
                for test in tests:
                    if not test(S):
                        break
                else:
                    then(S, sources, found, number(n, chosen, value), () if last else (*chosen, value))

        return step
