"""The best assignment of wild cards: an exact optimum, with its witness.

Each wild card may count as one of some faces, or as nothing. The score is a sum over groups (or the highest of them);
what a group is worth follows from tallies of the cards in it: the values of its cards, how many they are. A face counts
in one group at most, so the only thing that ties the groups together is which of them uses a wild that could serve
several. For each group a table says what it is worth with any part of those (runtime/lanes.py joins the tables); inside
a group a wild with several faces to choose from is tried as each, and what is worked out is kept by tallies.

Wilds that can do the same are alike, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from hoyle.runtime.lanes import Lanes, lanes_for
from hoyle.runtime.tallies import AT_ONCE, NOTHING, Effect, Level, Tallies, Worth, fill

MOST_SCORES = 20_000  # scores kept before all are forgotten


class Wild(NamedTuple):
    """What alike wilds can do: the effects in each group; `free` if one of their faces counts nowhere."""

    effects: tuple[tuple[Effect, ...], ...]
    free: bool


class Bound(NamedTuple):
    """So many alike wilds with one group to go to, or that are free to choose among several effects in it."""

    effects: tuple[Effect, ...]
    idle: bool
    many: int


class Stock(NamedTuple):
    """Alike wilds that could serve several groups: how many, whether they may be nothing, effects in each group."""

    kind: int
    many: int
    idle: bool
    effects: tuple[tuple[Effect, ...], ...]


class Plan(NamedTuple):
    """What is known when the optimum is: enough to say which wild became what."""

    total: int
    states: list[int]
    stocks: list[Stock]
    bound: list[list[tuple[int, Bound]]]
    usage: Callable[[], list[list[int]]]  # for each group how many of each stock go to it
    winner: int = -1  # the one group that counts, if there is one


class Assigning:
    """The best assignment for one definition.

    `wilds` gives, when called, for each kind of wild card the faces that it may count as, in order.
    `feature(group, face)` gives what a face adds to the tallies of a group (see Tallies.effect),
    `value(group, tallies)` what a group is worth. With `nothing` a wild need not count as anything. With `highest` only
    the best group counts.
    `alike` says that `value` does not ask which group it is.
    """

    def __init__(
        self,
        wilds: Callable[[], dict[int, list[int]]],
        groups: Sequence[int],
        words: Sequence[str],
        feature: Callable[[int, int], Sequence[int | None]],
        value: Callable[..., int],
        nothing: bool = True,
        highest: bool = False,
        alike: bool = False,
    ) -> None:
        self.find_wilds, self.groups, self.nothing, self.highest = wilds, groups, nothing, highest
        self.tallies = Tallies(words)
        self.feature = feature
        self.effects: dict[int, list[tuple[int, int, int]]] = {}
        tallies = self.tallies
        worths = [Worth(lambda state, g=g: value(g, *tallies.values(state))) for g in groups]  # type: ignore[misc]
        self.worths = [worths[0]] * len(groups) if alike else worths
        self.levels: dict[tuple[int, tuple[Bound, ...]], dict[int, int]] = {}
        self.known: dict[tuple[int, ...], int] = {}
        self.wilds: dict[int, list[int]] = {}
        self.classes: list[Wild] = []
        self.class_of: dict[int, int] = {}

    def ready(self) -> None:
        """Find out what each wild can do; it is not done before somebody asks."""
        if self.class_of:
            return
        self.wilds = self.find_wilds()
        made: dict[Wild, int] = {}
        for kind, faces in self.wilds.items():
            wild = self._wild(faces)
            if wild not in made:
                made[wild] = len(self.classes)
                self.classes.append(wild)
            self.class_of[kind] = made[wild]

    def _wild(self, faces: Sequence[int]) -> Wild:
        found: list[dict[Effect, None]] = [{} for _ in self.groups]
        free = False
        for face in faces:
            there = self.effects_of(face)
            free = free or not there
            for group, sets, sums in there:
                found[group][sets, sums] = None
        return Wild(tuple(tuple(x) for x in found), free)

    def effects_of(self, kind: int) -> list[tuple[int, int, int]]:
        """Return (group, effect) for each group in which a face counts, the group by its place."""
        if kind not in self.effects:
            made = [(g, *self.tallies.effect(self.feature(x, kind))) for g, x in enumerate(self.groups)]
            self.effects[kind] = [x for x in made if x[1:] != NOTHING]
        return self.effects[kind]

    # ---- what is asked ----------------------------------------------------------------------

    def best(self, kinds: Iterable[int]) -> int:
        """Return the best score of some cards, given by their kinds."""
        key = tuple(sorted(kinds))
        total = self.known.get(key)
        if total is None:
            if len(self.known) > MOST_SCORES:
                self.known.clear()
            total = self.known[key] = self.plan(key).total
        return total

    def witness(self, kinds: Iterable[int]) -> list[tuple[int, int]]:
        """Return (wild, face) for each wild among the cards, by kind, always the same; the face is -1 for nothing."""
        key = tuple(sorted(kinds))
        plan = self.plan(key)
        chosen: dict[
            int, list[tuple[int, Effect]]
        ] = {}  # by class: the groups and effects that its wilds take
        usage = plan.usage()
        states = [self._walk(plan, group, usage[group], chosen) for group in range(len(self.groups))]
        found = []
        for kind in key:
            if kind in self.class_of:
                takes = chosen.get(self.class_of[kind])
                found.append(
                    (
                        kind,
                        self._face(kind, *takes.pop(0)) if takes else self._idle(kind, states, plan.winner),
                    )
                )
        return found

    def takes(self, kinds: Iterable[int], wild: int, face: int) -> bool:
        """Return whether a wild of that kind counts as that face in the witness."""
        return (wild, face) in self.witness(kinds)

    def _face(self, kind: int, group: int, effect: Effect) -> int:
        return next(x for x in self.wilds[kind] if (group, *effect) in self.effects_of(x))

    def _idle(self, kind: int, states: Sequence[int], winner: int) -> int:
        """Return what a wild is that serves no group: nothing, or else a face that makes no difference any more."""
        if self.nothing:
            return -1
        for face in self.wilds[kind]:
            changed = {g for g, sets, sums in self.effects_of(face) if (states[g] | sets) + sums != states[g]}
            if not changed or (winner >= 0 and winner not in changed):
                return face
        return -1

    # ---- the optimum ------------------------------------------------------------------------

    def plan(self, kinds: Sequence[int]) -> Plan:
        """Return the optimum for the cards of these kinds, ascending."""
        self.ready()
        states = [0] * len(self.groups)
        counts: dict[int, int] = {}
        for kind in kinds:
            if kind in self.class_of:
                number = self.class_of[kind]
                counts[number] = counts.get(number, 0) + 1
            else:
                for group, sets, sums in self.effects_of(kind):
                    states[group] = (states[group] | sets) + sums
        bound: list[list[tuple[int, Bound]]] = [[] for _ in self.groups]
        stocks: list[Stock] = []
        for number in sorted(counts):
            self._sorted_in(number, counts[number], states, bound, stocks)
        if self.highest:
            return self._highest(states, stocks, bound)
        if not stocks:
            levels = [self.level(g, [b for _, b in bound[g]]) for g in range(len(states))]
            total = sum(level[state] for level, state in zip(levels, states, strict=True))
            return Plan(total, states, stocks, bound, lambda: [[] for _ in states])
        return self._shared(states, stocks, bound)

    def _sorted_in(
        self,
        number: int,
        count: int,
        states: Sequence[int],
        bound: list[list[tuple[int, Bound]]],
        stocks: list[Stock],
    ) -> None:
        """Add alike wilds to those of one group, or to the stocks that several could use."""
        wild = self.classes[number]
        changing, idle = [], self.nothing or wild.free
        for state, effects in zip(states, wild.effects, strict=True):
            kept = tuple([e for e in effects if (state | e[0]) + e[1] != state])
            idle = idle or len(kept) < len(effects)
            changing.append(kept)
        useful = [g for g, effects in enumerate(changing) if effects]
        if len(useful) == 1:
            bound[useful[0]].append((number, Bound(changing[useful[0]], idle, count)))
        elif useful:
            stocks.append(Stock(number, count, idle, tuple(changing)))

    def level(self, group: int, bound: Sequence[Bound]) -> dict[int, int]:
        """Return the table of what states of a group are worth with the wilds that are bound to it."""
        worth = self.worths[group]
        key = (id(worth), tuple(bound))
        found = self.levels.get(key)
        if found is None:
            found = worth
            for effects, idle, count in bound:
                for _ in range(count):
                    found = Level(effects, idle, found)
            self.levels[key] = found
        return found

    def _ways(self, stocks: Sequence[Stock], group: int) -> tuple[list[int], list[int]]:
        """Return the stocks that have one thing to do in a group, and those that can choose there."""
        single = [i for i, stock in enumerate(stocks) if len(stock.effects[group]) == 1]
        return single, [i for i, stock in enumerate(stocks) if len(stock.effects[group]) > 1]

    def _table(
        self, group: int, state: int, stocks: Sequence[Stock], strides: Sequence[int], bound: Sequence[Bound]
    ) -> dict[int, int]:
        """Return what a group is worth with each part of the stocks that changes anything in it, by lane."""
        single, several = self._ways(stocks, group)
        lanes, states = [0], [state]
        for i in single:
            ((sets, sums),) = stocks[i].effects[group]
            lanes_now, states_now = lanes, states
            for n in range(1, stocks[i].many + 1):
                states_now = [(s | sets) + sums for s in states_now]
                lanes = lanes + [lane + n * strides[i] for lane in lanes_now]
                states = states + states_now
        uses: list[tuple[int, tuple[Bound, ...]]] = [(0, tuple(bound))]
        for i in several:
            stock = stocks[i]
            uses = [
                (lane + n * strides[i], (*more, Bound(stock.effects[group], stock.idle, n)) if n else more)
                for n in range(stock.many + 1)
                for lane, more in uses
            ]
        table: dict[int, int] = {}
        for first, more in uses:
            level = self.level(group, more)
            if len(states) > AT_ONCE and isinstance(level, Level) and (state, states[-1]) not in level.filled:
                fill(level, state, states[-1])
            table.update(zip([first + lane for lane in lanes], [level[s] for s in states], strict=True))
        return table

    def _shared(self, states: list[int], stocks: list[Stock], bound: list[list[tuple[int, Bound]]]) -> Plan:
        """Return the optimum where several groups could use some wilds."""
        most = tuple(stock.many for stock in stocks)
        strides, count = [], 1
        for n in most:
            strides.append(count)
            count *= n + 1
        tables = [
            self._table(g, states[g], stocks, strides, [b for _, b in bound[g]]) for g in range(len(states))
        ]
        # A wild that must be something is worth more than all else when it is.
        span = sum(max(t.values()) - min(t.values()) for t in tables)
        duty = [0 if stock.idle else span + 1 for stock in stocks]
        if any(duty):
            tables = [{lane: v + _used(lane, most, strides, duty) for lane, v in t.items()} for t in tables]
        least = [min(t.values()) for t in tables]
        top = sum(max(t.values()) - low for t, low in zip(tables, least, strict=True))
        lanes = lanes_for(most, top)
        packed = []
        for table, low in zip(tables, least, strict=True):
            values = [0] * count
            for lane, value in table.items():
                values[lane] = value - low
            packed.append(lanes.closed(lanes.pack(values)))
        joined = joined_best(lanes, packed)
        total = joined.total + sum(least)
        if any(duty):
            total -= _used(sum(usage_of(lanes, joined)), most, strides, duty)
        return Plan(total, states, stocks, bound, lambda: lanes.parts(usage_of(lanes, joined)))

    def _highest(self, states: list[int], stocks: list[Stock], bound: list[list[tuple[int, Bound]]]) -> Plan:
        """Return the optimum where only the best group counts: it has the first call on all wilds."""
        best: tuple[int, int] | None = None
        for g, state in enumerate(states):
            mine = [b for _, b in bound[g]]
            mine += [Bound(x.effects[g], True, x.many) for x in stocks if x.effects[g]]
            value = self.level(g, mine)[state]
            if best is None or value > best[0]:
                best = (value, g)
        assert best is not None
        usage = [[x.many if g == best[1] and x.effects[g] else 0 for x in stocks] for g in range(len(states))]
        return Plan(best[0], states, stocks, bound, lambda: usage, best[1])

    # ---- the witness ------------------------------------------------------------------------

    def _walk(
        self, plan: Plan, group: int, usage: list[int], chosen: dict[int, list[tuple[int, Effect]]]
    ) -> int:
        """Note which effects the wilds of a group take; return the state that they lead to."""
        state = plan.states[group]
        single, _ = self._ways(plan.stocks, group)
        steps = list(plan.bound[group])
        for i, stock in enumerate(plan.stocks):
            used = usage[i]
            if not used:
                continue
            if i in single and not self.highest:
                ((sets, sums),) = stock.effects[group]
                for _ in range(used):
                    state = (state | sets) + sums
                    chosen.setdefault(stock.kind, []).append((group, (sets, sums)))
            else:
                idle = stock.idle or self.highest
                steps.append((stock.kind, Bound(stock.effects[group], idle, used)))
        level = self.level(group, [b for _, b in steps])
        for number, (effects, idle, count) in reversed(steps):
            for _ in range(count):
                assert isinstance(level, Level)
                value, after = level[state], level.after
                if not (idle and after[state] == value):
                    sets, sums = next(e for e in effects if after[(state | e[0]) + e[1]] == value)
                    state = (state | sets) + sums
                    chosen.setdefault(number, []).append((group, (sets, sums)))
                level = after
        return state

    # ---- how much there can be -----------------------------------------------------------------

    def size(self, copies: dict[int, int], most: int) -> tuple[int, int]:
        """Return how many lanes, and states of one group, there can be with so many of each wild; `most` is enough."""
        self.ready()
        lanes, states = 1, 1
        counts: dict[int, int] = {}
        for kind, number in self.class_of.items():
            counts[number] = counts.get(number, 0) + copies.get(kind, 0)
        for number, count in counts.items():
            if sum(1 for effects in self.classes[number].effects if effects) > 1:
                lanes *= count + 1
        for group in range(len(self.groups)):
            there = {0}
            for number, count in counts.items():
                for _ in range(count):
                    new = {(s | e[0]) + e[1] for s in there for e in self.classes[number].effects[group]}
                    if new <= there or len(there) > most:
                        break
                    there |= new
            states = max(states, len(there))
        return lanes, states


def _used(lane: int, most: Sequence[int], strides: Sequence[int], worth: Sequence[int]) -> int:
    """Return the sum of what is used in a lane, each with its worth."""
    return sum(lane // s % (n + 1) * w for n, s, w in zip(most, strides, worth, strict=True))


def wilds_in(
    kind_of: Sequence[int], wilds: Sequence[bool], faces: Sequence[bool], fits: Callable[[int, int], object]
) -> dict[int, list[int]]:
    """Return for each kind of wild card in the game the faces that it may count as: those of cards in the game."""
    there = sorted(set(kind_of))
    return {w: [n for n in there if faces[n] and fits(w, n)] for w in there if wilds[w]}


class Joined(NamedTuple):
    """Tables that share stocks: the order of joining, the offers of each, and the table of sums before each join."""

    order: list[int]
    offers: list[list[tuple[int, int]]]
    sums: list[int]
    total: int


def joined_best(lanes: Lanes, tables: Sequence[int]) -> Joined:
    """Return the best sum of one lane of each table, together within the stocks.

    The two tables with the most offers are dear to join: one comes first, which costs nothing, the other last, where
    only one sum is wanted.
    """
    offers = [lanes.offers(t) for t in tables]
    order = sorted(range(len(tables)), key=lambda g: (-len(offers[g]), g))
    order.append(order.pop(1))
    sums = [tables[order[0]]]
    for g in order[1:-1]:
        sums.append(lanes.joined(sums[-1], offers[g]))
    values = lanes.unpack(sums[-1])
    whole = lanes.count - 1
    return Joined(order, offers, sums, max([values[whole - s] + v for s, v in offers[order[-1]]]))


def usage_of(lanes: Lanes, joined: Joined) -> list[int]:
    """Return for each table the lane that the best sum takes: the first that will do."""
    usage = [0] * len(joined.order)
    left, wanted = lanes.count - 1, joined.total
    for g, before in zip(reversed(joined.order[1:]), reversed(joined.sums), strict=True):
        values = lanes.unpack(before)
        usage[g] = next(
            s for s, v in joined.offers[g] if lanes.fits(s, left) and values[left - s] + v == wanted
        )
        left -= usage[g]
        wanted = values[left]
    first = joined.order[0]
    usage[first] = next(s for s, v in joined.offers[first] if v == wanted and lanes.fits(s, left))
    return usage
