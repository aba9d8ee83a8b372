"""Legal moves: which options a player has, with which arguments, by the numbers that the program gives them.

Arguments are tried in the order written; a guard is asked as soon as the names it speaks of are known. Pieces that
look alike are tried once, unless a guard tells them apart. A guard that asks only about faces becomes, for each choice
of the earlier arguments, a mask over the kinds that fit: the pieces of a zone are then sifted by one `and`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from hoyle import program as p
from hoyle.interpret.expressions import Asking
from hoyle.interpret.layout import Layout
from hoyle.interpret.phrases import Ask
from hoyle.program.folding import conjuncts, fold
from hoyle.program.numbering import Group, Numbered
from hoyle.program.purity import free_slots, in_written_order, may_fault, reads_table, told_apart
from hoyle.program.symmetry import symmetric
from hoyle.runtime.ranks import rank_of, sets_there
from hoyle.runtime.state import HEAD, State

Found = dict[int, tuple[int, tuple[int, ...]]]
Pieces = list[tuple[int, list[int]]]


Sources = dict[int, Any]
Step = Callable[[State, Sources, Found, int, tuple[int, ...]], None]


class Level(NamedTuple):
    """One argument: where its candidates are kept, which guards are asked at it, and its part of the number."""

    slot: int
    key: int
    collect: Callable[[State, Sources], Any] | None
    rank: int
    last_of_group: bool
    group: Group
    kinds: bool
    symmetric: bool
    fixed: bool
    tests: list[Ask]
    sieve: Sieve | None


class Shared:
    """Numbers for the sources of a choice, so that options with the same source collect its candidates once."""

    def __init__(self) -> None:
        self.keys: dict[Any, int] = {}

    def key(self, source: Any) -> int:
        """Return the number of a source, the same for equal ones."""
        return self.keys.setdefault(source, len(self.keys))


class Sieve:
    """A guard on faces: for the kinds and values of earlier arguments, the mask of the kinds that pass."""

    def __init__(self, test: Ask, earlier: list[tuple[int, bool]], slot: int, kind_of: list[int]) -> None:
        self.test = test
        self.earlier = earlier
        self.slot = slot
        self.known: dict[Any, list[int]] = {}
        self.key = _key(earlier, kind_of)

    def learn(self, S: State, unknown: int, candidates: Pieces, entry: list[int]) -> None:
        """Ask the guard about kinds not met before with these earlier arguments; each is asked once in a lifetime."""
        for kind, pieces in candidates:
            if unknown >> kind & 1:
                S[self.slot] = pieces[0]
                entry[0] |= 1 << kind
                if self.test(S):
                    entry[1] |= 1 << kind


def _key(earlier: list[tuple[int, bool]], kind_of: list[int]) -> Ask:
    """Return a closure for what a sieve is looked up by."""
    if len(earlier) == 1 and earlier[0][1]:
        slot = earlier[0][0]
        return lambda S: kind_of[S[slot]]
    if len(earlier) == 2 and earlier[0][1] and earlier[1][1]:
        first, second = earlier[0][0], earlier[1][0]
        return lambda S: kind_of[S[first]] << 16 | kind_of[S[second]]
    return lambda S: tuple([kind_of[S[slot]] if piece else S[slot] for slot, piece in earlier])


class OptionMoves:
    """Finds the moves of one option."""

    def __init__(
        self, layout: Layout, asking: Asking, option: p.Option, numbered: Numbered, place: int, shared: Shared
    ) -> None:
        self.shared = shared
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
        self.guards = in_written_order(conjuncts(where), asking.folded)
        when = None if option.when is None else fold(option.when, parameters)
        free = [g for g in self.guards if not self._mentioned(g)]
        self.guards = [g for g in self.guards if self._mentioned(g)]
        self.before = [asking.closure(g) for g in conjuncts(when) + free]
        self.apart = [self._told_apart(i) for i in range(len(option.arguments))]
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
        heads = [k for k in range(i + 1) if self.option.arguments[k].bind.rank == 0]
        head = heads[-1]
        kinds = piece and not any(self.apart[k] for k in self._group(head))
        sifting = [g for g in guards if kinds and self._by_faces(g)]
        sieve = None
        if sifting:
            test = sifting[0]
            for g in sifting[1:]:
                test = p.Op(op="and", args=(test, g), type=g.type)
            earlier = [k for k in self._mentioned(test) if k != i]
            keys = [(self.slots[k], self.option.arguments[k].domain.form == "piece") for k in earlier]
            sieve = Sieve(self.asking.plain(test), keys, self.slots[i], self.layout.kind_of)
        following = i + 1 < len(self.option.arguments) and self.option.arguments[i + 1].bind.rank > 0
        fixed = not self._mentioned(self.sources[head])
        source = (self.sources[head], self.option.arguments[head].bind.pieces, kinds)
        key = self.shared.key(source if fixed else (self.option.line, self.place, head))
        return Level(
            slot=self.slots[i],
            key=key,
            collect=None if argument.bind.rank else self._collector(head, kinds, key, fixed),
            rank=argument.bind.rank,
            last_of_group=not following,
            group=self.groups[len(heads) - 1],
            kinds=kinds,
            symmetric=self._symmetric(head),
            fixed=fixed,
            tests=[self.asking.closure(g) for g in guards if g not in sifting],
            sieve=sieve,
        )

    def _group(self, head: int) -> list[int]:
        """Return the places of the arguments that share the source of the one at `head`."""
        found = [head]
        while found[-1] + 1 < len(self.slots) and self.option.arguments[found[-1] + 1].bind.rank > 0:
            found.append(found[-1] + 1)
        return found

    def _symmetric(self, head: int) -> bool:
        """Return whether it does not matter which of the arguments of one source is which."""
        return symmetric(self.option, self._group(head), self.guards, self.asking.folded)

    def _told_apart(self, i: int) -> bool:
        """Return whether a guard or a later source tells apart pieces of an argument that look alike."""
        if self.option.arguments[i].domain.form != "piece":
            return False
        later = [*self.guards, *self.sources]
        return any(self.slots[i] - HEAD in told_apart(e, self.asking.folded) for e in later)

    def _by_faces(self, guard: p.Expr) -> bool:
        """Return whether a guard asks only about the faces of arguments, and small values of them."""
        functions = self.asking.folded
        names = {s - HEAD for s in self.slots}
        return (
            set(free_slots(guard)) <= names
            and not reads_table(guard, functions)
            and not told_apart(guard, functions)
            and not may_fault(guard, functions)
        )

    # ---- finding ----------------------------------------------------------------------------

    def finder(self) -> Callable[[State, Sources, Found], None]:
        """Return a closure that adds the option's moves to what was found: number -> (place of option, arguments)."""
        before, first, place, slots = self.before, self.first, self.place, self.slots
        if not self.levels:

            def bare(S: State, sources: Sources, found: Found) -> None:
                for test in before:
                    if not test(S):
                        return
                found[first] = (place, ())

            return bare

        def done(S: State, sources: Sources, found: Found, number: int, chosen: tuple[int, ...]) -> None:
            move = first + number
            if move not in found:
                found[move] = (place, tuple([S[slot] for slot in slots]))

        step: Step = done
        following: Level | None = None
        for level in reversed(self.levels):
            if level.group.subsets or self.option.arguments[self.slots.index(level.slot)].low is not None:
                step = self._sets(level, step)
            else:
                step = self._kinds(level, step, following) if level.kinds else self._values(level, step)
            following = level
        chain = step

        def find(S: State, sources: Sources, found: Found) -> None:
            for test in before:
                if not test(S):
                    return
            chain(S, sources, found, 0, ())

        return find

    def _collector(self, head: int, kinds: bool, key: int, fixed: bool) -> Callable[[State, Sources], Any]:
        """Return a closure for candidates: (mask of kinds, pieces by kind), or each value; asked once if `fixed`."""
        bind = self.option.arguments[head].bind
        run = self.asking.run(self.sources[head])
        fits = self.layout.of_types(bind.pieces) if bind.pieces else None
        kind_of = self.layout.kind_of
        piece = bind.type.form in ("piece", "set")

        def values(S: State) -> list[int]:
            if not piece:
                return sorted(run(S))
            return sorted([x for x in run(S) if fits is None or fits[x]], key=kind_of.__getitem__)

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

        make: Callable[[State], Any] = by_kind if kinds else values
        if not fixed:
            return lambda S, sources: make(S)

        def once(S: State, sources: Sources) -> Any:
            made = sources.get(key)
            if made is None:
                made = sources[key] = make(S)
            return made

        return once

    def _numbering(self, level: Level) -> Callable[[int, tuple[int, ...], int], int]:
        """Return how a value goes into the number: nothing until the last of its group, then the group's part."""
        group, kind_of = level.group, self.layout.kind_of
        pieces = bool(group.places)
        places, low, moves = group.places, group.low, group.moves
        if not level.last_of_group:
            return lambda number, chosen, value: number
        if group.many == 1:
            if pieces:
                return lambda number, chosen, value: number * moves + places[kind_of[value]]
            return lambda number, chosen, value: number * moves + value - low
        if group.many == 2 and pieces:
            steps = [place * (place + 1) // 2 for place in range(group.size)]

            def pair(number: int, chosen: tuple[int, ...], value: int) -> int:
                low, high = places[kind_of[chosen[0]]], places[kind_of[value]]
                return number * moves + (low + steps[high] if low <= high else high + steps[low])

            return pair

        def several(number: int, chosen: tuple[int, ...], value: int) -> int:
            values = [places[kind_of[v]] if pieces else v - low for v in (*chosen, value)]
            return number * moves + rank_of(values, pieces)

        return several

    def _ahead(self, level: Level, following: Level | None) -> tuple[Sieve, Level, int | None] | None:
        """Return the sieve of the next argument where it can be asked one argument early, most pairs failing there.

        That is where it depends on this argument and at most one before it, and where its candidates do not depend on
        this one; the third part is the slot of the one before.
        """
        if following is None or following.sieve is None or following.collect is None or not following.fixed:
            return None
        earlier = following.sieve.earlier
        if earlier == [(level.slot, True)]:
            return following.sieve, following, None
        if len(earlier) == 2 and earlier[0][1] and earlier[1] == (level.slot, True):
            return following.sieve, following, earlier[0][0]
        return None

    @staticmethod
    def _nothing(S: State, sources: Sources) -> Any:
        return 0, []

    def _kinds(self, level: Level, then: Step, following: Level | None) -> Step:
        """Pieces by kind: the first of each kind stands for all of it."""
        ahead = self._ahead(level, following)
        next_there: Callable[[State, Sources], Any] = self._nothing
        slot, head, collect, rank, last = (
            level.slot,
            level.key,
            level.collect,
            level.rank,
            level.last_of_group,
        )
        tests, sieve, in_order = level.tests, level.sieve, level.symmetric
        kind_of, number = self.layout.kind_of, self._numbering(level)
        if ahead is not None:
            known, before = ahead[0].known.get, ahead[2]
            next_there = ahead[1].collect or self._nothing

        def step(S: State, sources: Sources, found: Found, n: int, chosen: tuple[int, ...]) -> None:
            if collect is None:
                passing, candidates = sources[head]
            else:
                passing, candidates = sources[head] = collect(S, sources)
            if sieve is not None:
                key = sieve.key(S)
                entry = sieve.known.get(key)
                if entry is None:
                    entry = sieve.known[key] = [0, 0]
                unknown = passing & ~entry[0]
                if unknown:
                    sieve.learn(S, unknown, candidates, entry)
                passing &= entry[1]
                if not passing:
                    return
            lowest = kind_of[chosen[-1]] if rank and in_order else -1
            if ahead is not None:
                there, prefix = next_there(S, sources)[0], 0 if before is None else kind_of[S[before]] << 16
            for kind, pieces in candidates:
                if kind < lowest or not passing >> kind & 1:
                    continue
                if ahead is not None:
                    entry = known(prefix | kind)
                    if entry is not None and not there & (~entry[0] | entry[1]):
                        continue
                piece = pieces[0]
                if rank and (kind == lowest or not in_order):
                    used = sum([1 for x in chosen if kind_of[x] == kind])
                    if used >= len(pieces):
                        continue
                    piece = pieces[used]
                S[slot] = piece
                for test in tests:
                    if not test(S):
                        break
                else:
                    then(S, sources, found, number(n, chosen, piece), () if last else (*chosen, piece))

        return step

    def _sets(self, level: Level, then: Step) -> Step:
        """Sets of pieces: each of those that there can be is tried."""
        argument = self.option.arguments[self.slots.index(level.slot)]
        assert argument.low is not None and argument.high is not None
        low, high = self.asking.ask(argument.low), self.asking.ask(argument.high)
        slot, head, collect, tests = level.slot, level.key, level.collect, level.tests
        subsets, moves, kind_of = level.group.subsets, level.group.moves, self.layout.kind_of
        assert collect is not None

        def step(S: State, sources: Sources, found: Found, n: int, chosen: tuple[int, ...]) -> None:
            pieces = sources[head] = collect(S, sources)
            for place, mask in sets_there(kind_of, pieces, subsets, low(S), high(S)):
                S[slot] = mask
                for test in tests:
                    if not test(S):
                        break
                else:
                    then(S, sources, found, n * moves + place, ())

        return step

    def _values(self, level: Level, then: Step) -> Step:
        """Values, players, and pieces that a guard tells apart: each is tried."""
        slot, head, collect, rank, last = (
            level.slot,
            level.key,
            level.collect,
            level.rank,
            level.last_of_group,
        )
        tests, number, in_order = level.tests, self._numbering(level), level.symmetric

        def step(S: State, sources: Sources, found: Found, n: int, chosen: tuple[int, ...]) -> None:
            if collect is None:
                values = sources[head]
            else:
                values = sources[head] = collect(S, sources)
            if rank:
                after = values.index(chosen[-1]) + 1 if in_order else 0
                values = [x for x in values[after:] if x not in chosen]
            for value in values:
                S[slot] = value
                for test in tests:
                    if not test(S):
                        break
                else:
                    then(S, sources, found, number(n, chosen, value), () if last else (*chosen, value))

        return step
