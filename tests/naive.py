"""A second, slow interpreter of expressions and choices, written from what the nodes of a program say.

It walks the tree of each expression and tries every combination of arguments. Nothing here is taken from the
expressions or moves of `hoyle.interpret`; only the layout of a state is shared.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product, takewhile
from typing import Any

from hoyle import program as p
from hoyle.interpret.layout import Layout
from hoyle.runtime.faults import Fault
from hoyle.runtime.paying import NEVER, PACKED
from hoyle.runtime.state import BLOCK, HEAD, State

Env = dict[int, int]
# An option by its place, and for each group of arguments the values, faces for pieces, sorted.
Call = tuple[int, tuple[tuple[Any, ...], ...]]


def bits(mask: int) -> list[int]:
    """Return the elements of a set, ascending."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def with_all(sums: set[int], worths: list[int]) -> set[int]:
    """Return the sums that can be made of some and any of these."""
    for worth in worths:
        sums = sums | {x + worth for x in sums}
    return sums


def over(sums: set[int], due: int) -> int:
    """Return by how little a sum is too much."""
    return min((x - due for x in sums if x >= due), default=NEVER) if due > 0 else -due


def mask(elements: list[int]) -> int:
    """Return a set of elements."""
    return sum(1 << x for x in set(elements))


class Naive:
    """Answers expressions and finds moves on states of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        self.players = layout.players
        self.functions = {f.name: f for f in self.program.functions}
        self.known: dict[tuple[str, tuple[int, ...]], int] = {}  # what definitions answered, for one state
        self.melds: dict[tuple[str | int, ...], bool] = {}  # whether kinds make a meld of a definition

    # ---- expressions --------------------------------------------------------------------------

    def value(self, e: p.Expr, S: State, env: Env) -> int:
        """Return the value of an expression; conditions give 0 or 1."""
        kind_of, kinds = self.layout.kind_of, self.program.kinds
        match e:
            case p.Const():
                return e.value
            case p.Param():
                return self.layout.parameters[e.name]
            case p.Slot():
                return int(env[e.slot] if e.slot in env else S[HEAD + e.slot])
            case p.SlotAt():
                return int(S[HEAD + e.slot + self.value(e.index, S, env)])
            case p.ZoneAt():
                seat = 0 if e.index is None else self.value(e.index, S, env)
                return self.layout.size + e.zone + seat
            case p.Attr():
                of = self.value(e.of, S, env)
                kind = kinds[of if e.of.type.form == "kind" else kind_of[of]]
                names = [a.name for a in self.program.attributes[kind.type]]
                return kind.values[names.index(e.name)]
            case p.TypeTest():
                return int(kinds[kind_of[self.value(e.of, S, env)]].type in e.pieces)
            case p.Cond():
                return self.value(e.yes if self.value(e.test, S, env) else e.no, S, env)
            case p.Invoke():
                function = self.functions[e.function]
                values = tuple(self.value(a, S, env) for a in e.args)
                key = (e.function, values)
                if key not in self.known:
                    inner = dict(zip(function.parameters, values, strict=True))
                    self.known[key] = self.value(function.body, S, inner)
                return self.known[key]
            case p.Op():
                return int(self.operation(e, S, env))
            case p.Loop():
                return self.phrase(e, S, env)
            case p.Superlative():
                return self.superlative(e, S, env)
            case p.AsIf():
                assert e.part == "best"
                return self.as_if(e, S, env)
            case p.Split():
                assert e.part == "best"
                return self.split(e, S, env)

    def split(self, e: p.Split, S: State, env: Env) -> int:
        """Return the score of the best split: of every choice of melds, of all there could be, that share no card."""
        cards = self.elements(e.source, S, env)
        worth = {x: [self.value(y, S, {e.card.slot: x}) for y in (e.melded, e.left)] for x in cards}
        kind_of = self.layout.kind_of
        found = []
        for meld in (m for n in range(1, len(cards) + 1) for m in combinations(cards, n)):
            key = (e.name, *sorted(kind_of[x] for x in meld))
            if key not in self.melds:
                self.melds[key] = self.is_meld(e, meld, S)
            if self.melds[key]:
                found.append(meld)
        chosen = max if not e.least else min
        known: dict[frozenset[int], int] = {}

        def best(left: frozenset[int]) -> int:
            if left not in known:
                scores = [sum(worth[x][1] for x in left)]
                if left:
                    head = min(left)
                    scores = [worth[head][1] + best(left - {head})]
                    for m in found:
                        if head in m and left.issuperset(m):
                            scores.append(sum(worth[x][0] for x in m) + best(left - set(m)))
                known[left] = chosen(scores)
            return known[left]

        return e.extra + best(frozenset(cards))

    def is_meld(self, e: p.Split, cards: tuple[int, ...], S: State) -> bool:
        """Return whether cards make a meld of some form, by trying each part of them as wilds."""
        wilds = [
            x
            for x in cards
            if e.wild is not None
            and self.fits(e.wild, x)
            and (e.is_wild is None or self.value(e.is_wild, S, {e.wild.slot: x}))
        ]
        most = len(wilds) if e.most_wild < 0 else min(e.most_wild, len(wilds))
        for form in e.forms:
            if len(cards) < form.low or (form.high and len(cards) > form.high):
                continue
            for n in range(min(most, len(cards) - 1) + 1):
                for used in combinations(wilds, n):
                    if self.whole(form, [x for x in cards if x not in used], n, S):
                        return True
        return False

    def whole(self, form: p.MeldForm, cards: list[int], gaps: int, S: State) -> bool:
        """Return whether cards make a meld with so many faces of the game added."""
        if not all(self.fits(form.card, x) for x in cards):
            return False
        first = {k: x for x, k in reversed(list(enumerate(self.layout.kind_of)))}
        faces = [x for x in first.values() if self.fits(form.card, x)]

        def of(expr: p.Expr, x: int) -> int:
            return self.value(expr, S, {form.card.slot: x})

        same = [of(y, cards[0]) for y in form.same]
        if any([of(y, x) for y in form.same] != same for x in cards):
            return False
        faces = [x for x in faces if [of(y, x) for y in form.same] == same]
        for added in combinations_with_replacement(faces, gaps):
            whole = [*cards, *added]
            if form.once is not None and len({of(form.once, x) for x in whole}) < len(whole):
                continue
            if form.row is not None:
                row = sorted(of(form.row, x) for x in whole)
                if row != list(range(row[0], row[0] + len(row))):
                    continue
            return True
        return False

    def as_if(self, e: p.AsIf, S: State, env: Env) -> int:
        """Return the best score of a zone over all that its wild cards can be, tried one by one."""
        first = {k: x for x, k in reversed(list(enumerate(self.layout.kind_of)))}
        cards = S[self.value(e.zone, S, env)]
        wilds = [x for x in cards if self.fits(e.wild, x)]
        plain = [x for x in cards if not self.fits(e.wild, x)]
        faces = [x for x in first.values() if self.fits(e.face, x)]
        ways: list[list[int | None]] = []
        for w in wilds:
            asked = {e.wild.slot: w}
            can = [n for n in faces if e.fits is None or self.value(e.fits, S, {**asked, e.face.slot: n})]
            ways.append([*can, *([None] if e.nothing or not can else [])])
        scores = (self.score(e, [*plain, *(x for x in way if x is not None)], S) for way in product(*ways))
        return max(scores)

    def score(self, e: p.AsIf, cards: list[int], S: State) -> int:
        """Return the score of cards that all count as what they are."""
        worth = []
        for group in e.groups:
            env: Env = {e.group.slot: group}
            for t in e.tallies:
                there = [{**env, t.card.slot: x} for x in cards if self.fits(t.card, x)]
                holds = [t.where is None or bool(self.value(t.where, S, x)) for x in there]
                values = [
                    1 if t.value is None else self.value(t.value, S, x)
                    for x, h in zip(there, holds, strict=True)
                    if h
                ]
                env[t.result.slot] = self.gathered(t.word, values) if t.word != "every" else int(all(holds))
            worth.append(self.value(e.value, S, env))
        return max(worth) if e.highest else sum(worth)

    def operation(self, e: p.Op, S: State, env: Env) -> int:
        """Return the value of a primitive."""
        if e.op == "and":
            return int(all(self.value(a, S, env) for a in e.args))
        if e.op == "or":
            return int(any(self.value(a, S, env) for a in e.args))
        if e.op in ("in_sequence", "size_sequence"):
            run = self.elements(e.args[-1], S, env)
            return len(run) if e.op == "size_sequence" else int(self.value(e.args[0], S, env) in run)
        if e.op == "left_over":
            raise AssertionError("left_over stands in the flow only")
        if e.op in ("coins", "excess", "packed_sums", "payable", "settled"):
            return self.paid(e, S, env)
        a, *rest = [self.value(x, S, env) for x in e.args]
        b = rest[0] if rest else 0
        kind = self.layout.kind_of
        match e.op:
            case "add":
                return a + b
            case "sub":
                return a - b
            case "mul":
                return a * b
            case "div" | "mod":
                if b == 0:
                    raise Fault("a number is divided by 0", e.line)
                return a // b if e.op == "div" else a % b
            case "within":
                if not b <= a <= rest[1]:
                    raise Fault(f"{a} is outside {b}..{rest[1]}", e.line)
                return a
            case "wrap":
                return a % b
            case "still_in":
                if a in bits(b):
                    raise Fault(f"player {a + 1} is out", e.line)
                return a
            case "neg":
                return -a
            case "lt":
                return int(a < b)
            case "le":
                return int(a <= b)
            case "gt":
                return int(a > b)
            case "ge":
                return int(a >= b)
            case "eq":
                return int(a == b)
            case "ne":
                return int(a != b)
            case "not":
                return int(not a)
            case "in_set" | "may_be_in_set":
                return int(a in bits(b))
            case "meets":
                return int(bool(set(bits(a)) & set(bits(b))))
            case "size_set":
                return len(bits(a))
            case "unit":
                return mask([a])
            case "join":
                return mask(bits(a) + bits(b))
            case "range_set":
                return mask(list(range(a, b + 1)))
            case "convert":
                return p.NONE if a == p.NONE else rest[1 + a - b] if 0 <= a - b < len(rest) - 1 else -1
            case "convert_set":
                places = [rest[1 + x - b] for x in bits(a) if 0 <= x - b < len(rest) - 1]
                return mask([x for x in places if x >= 0])
            case "same":
                return int(a == b if p.NONE in (a, b) else kind[a] == kind[b])
            case "is_kind":
                return int(kind[a] == b)
            case "rises":
                return int(kind[a] <= kind[b])
            case "size_zone":
                return len(S[a])
            case "in_zone":
                return int(a in S[b])
            case "zone_set":
                return mask(S[a])
            case "top" | "bottom":
                if not S[a]:
                    raise Fault(f"this zone is empty, so it has no {e.op} card", e.line)
                return int(S[a][-1 if e.op == "top" else 0])
            case "left" | "right":
                step = 1 if e.op == "left" else self.players - 1
                round_ = [(a + step * i) % self.players for i in range(1, self.players + 1)]
                return next((x for x in round_ if not rest or x not in bits(rest[0])), a)
            case "or_else":
                return a or b
            case "ends":
                if b < 0:
                    raise Fault(f"there are never {b} cards", e.line)
                return mask(list(S[a])[::-1][:b] if rest[1] % 2 else list(S[a])[:b])
            case "fresh":
                free = [i for i in range(sum(rest[1:]), sum(rest)) if not S[a + i]]
                if not free:
                    raise Fault("there can be no more of them", e.line)
                return free[0]
            case "place_in":
                return list(S[b]).index(a)
            case "seats_on":
                return (a + b) % self.players
            case "lies_in_order":
                return int([kind[x] for x in S[a]] == rest)
            case "lies":
                return int(sorted(kind[x] for x in S[a]) == sorted(rest))
            case other:
                raise AssertionError(f"no operation {other}")

    def paid(self, e: p.Op, S: State, env: Env) -> int:
        """Return the value of an operation that payments are made of; sums are sets of numbers."""
        listed = [x for x in e.args if isinstance(x, p.Loop)]
        rest = [0 if x in listed else self.value(x, S, env) for x in e.args]
        things = [divmod(x, PACKED) for x in self.values(listed[0], S, env)] if listed else []
        worths = [(piece, max(0, worth - PACKED // 2)) for piece, worth in things]
        match e.op:
            case "settled":
                if not rest[1]:
                    raise Fault(f"{rest[0]} is to be paid, and can't be", e.line)
                return rest[0]
            case "coins":
                handfuls = range(rest[2] + 1) if rest[1] > 0 else range(1)
                return mask(sorted({x + rest[1] * n for x in bits(rest[0]) for n in handfuls}))
            case "excess":
                return over(set(bits(rest[0])), rest[1])
            case "packed_sums":
                return mask(sorted(with_all(set(bits(rest[0])), [w for _, w in worths])))
        last, due, least, sums, exact = rest[1:]
        kind, allowed = self.layout.kind_of, []
        worths.sort(key=lambda pair: -kind[pair[0]])
        for at, (piece, worth) in enumerate(worths):
            later = with_all(set(bits(sums)), [w for _, w in worths[:at]])
            if worth > 0 and (last < 0 or kind[piece] >= kind[last]):
                too_much = over(later, due - worth)
                if too_much == 0 or (not exact and too_much < min(least, worth)):
                    allowed.append(piece)
        return mask(sorted(allowed))

    def elements(self, e: p.Expr, S: State, env: Env) -> list[int]:
        """Return what a name runs through, in order: piles from the top, the others as they lie."""
        if isinstance(e, p.Op) and e.op == "begun":
            first, many, *owned = (self.value(a, S, env) for a in e.args)
            there = range(sum(owned), sum(owned) + many)
            return [i for i in there if S[first + i]]
        if isinstance(e, p.Op) and e.op in ("players", "others", "seats_from", "members", "range"):
            values = [self.value(a, S, env) for a in e.args]
            n = self.players
            out = bits(values[-1]) if e.args and e.args[-1].type.form == "set" else []
            match e.op:
                case "players":
                    return [x for x in range(n) if x not in out]
                case "others" | "seats_from":
                    round_ = [(values[0] + i) % n for i in range(n)]
                    return [x for x in round_[e.op == "others" :] if x not in out]
                case "members":
                    return [x for x in range(n) if x % values[1] == values[0] and x not in out]
                case _:
                    return list(range(values[0], values[1] + 1))
        value = self.value(e, S, env)
        if e.type.form == "zone":
            pieces = list(S[value])
            return pieces[::-1] if self.layout.shape.is_pile[value] else pieces
        return bits(value)

    def fits(self, bind: p.Bind, value: int) -> bool:
        """Return whether a piece is of a card type that the binder lets through."""
        return not bind.pieces or self.program.kinds[self.layout.kind_of[value]].type in bind.pieces

    def settings(self, binders: tuple[p.Bind, ...], S: State, env: Env) -> Iterator[Env]:
        """Yield every way to set the names of a phrase; names that share a source stand in its order."""
        if not binders:
            yield env
            return
        head = binders[0]
        size = 1 + sum(1 for _ in takewhile(lambda b: b.rank, binders[1:]))
        run = [x for x in self.elements(head.source, S, env) if self.fits(head, x)]
        for chosen in combinations(run, size):
            inner = {**env, **{b.slot: x for b, x in zip(binders[:size], chosen, strict=True)}}
            yield from self.settings(binders[size:], S, inner)

    def phrase(self, e: p.Loop, S: State, env: Env) -> int:
        """Return the value of any, every, count, sum, highest, lowest, run or set."""
        envs = list(self.settings(e.binders, S, env))
        holds = [e.where is None or bool(self.value(e.where, S, x)) for x in envs]
        if e.word == "every":
            return int(all(holds))
        if e.word in ("any", "count"):
            return int(any(holds)) if e.word == "any" else sum(holds)
        values = self.values(e, S, env)
        if e.word not in ("highest", "lowest"):
            return self.gathered(e.word, values)
        if not values:
            raise Fault(f"there is nothing to take the {e.word} of", e.line)
        return max(values) if e.word == "highest" else min(values)

    @staticmethod
    def gathered(word: str, values: list[int]) -> int:
        """Return what a phrase makes of the values that it finds."""
        match word:
            case "any":
                return int(bool(values))
            case "count":
                return len(values)
            case "sum":
                return sum(values)
            case "set":
                return mask(values)
            case _:
                there = set(values)
                return max(
                    (n for v in there for n in range(1, 64) if there >= set(range(v, v + n))), default=0
                )

    def values(self, e: p.Loop, S: State, env: Env) -> list[int]:
        """Return the values that a phrase makes one of, or that it lists."""
        assert e.value is not None
        envs = self.settings(e.binders, S, env)
        return [self.value(e.value, S, x) for x in envs if e.where is None or self.value(e.where, S, x)]

    def superlative(self, e: p.Superlative, S: State, env: Env) -> int:
        """Return the element with the highest or lowest key."""
        envs = list(self.settings((e.binder,), S, env))
        if e.where is not None:
            envs = [x for x in envs if self.value(e.where, S, x)]
        keys = [self.value(e.key, S, x) for x in envs]
        if not keys and not e.sole:
            raise Fault(f"there is nothing to take the {e.word} of", e.line)
        best = [
            x for x, k in zip(envs, keys, strict=True) if k == (max if e.word == "highest" else min)(keys)
        ]
        if len(best) != 1 and e.sole:
            return p.NONE
        if len(best) > 1 and (e.binder.type.form == "player" or e.binder.type.name == "team"):
            raise Fault("players tie", e.line)
        return best[0][e.binder.slot]

    # ---- choices ----------------------------------------------------------------------------------

    def moves(self, S: State) -> set[Call]:
        """Return all moves that the choice at hand allows, by trying everything."""
        choose = self.program.blocks[S[BLOCK]].exit
        assert isinstance(choose, p.Choose)
        self.known.clear()
        found: set[Call] = set()
        for place, option in enumerate(choose.options):
            if option.when is not None and not self.value(option.when, S, {}):
                continue
            for env in self.arguments(option.arguments, S, {}):
                if option.where is None or self.value(option.where, S, env):
                    values = [env[a.bind.slot] for a in option.arguments]
                    found.add((place, self.call(option, values)))
        return found

    def arguments(self, arguments: tuple[p.Argument, ...], S: State, env: Env) -> Iterator[Env]:
        """Yield every way to set the arguments of an option; those that share a source are different, in any order."""
        if not arguments:
            yield env
            return
        head = arguments[0].bind
        size = 1 + sum(1 for _ in takewhile(lambda a: a.bind.rank, arguments[1:]))
        run = sorted({x for x in self.elements(head.source, S, env) if self.fits(head, x)})
        if arguments[0].low is not None:
            for one in self.sets(arguments[0], run, S, env):
                yield from self.arguments(arguments[1:], S, {**env, head.slot: mask(one)})
            return
        for chosen in permutations(run, size):
            inner = {**env, **{a.bind.slot: x for a, x in zip(arguments[:size], chosen, strict=True)}}
            yield from self.arguments(arguments[size:], S, inner)

    def sets(self, argument: p.Argument, run: list[int], S: State, env: Env) -> Iterator[list[int]]:
        """Yield the sets of so many pieces that an argument can be."""
        assert argument.low is not None and argument.high is not None
        low, high = self.value(argument.low, S, env), self.value(argument.high, S, env)
        for size in range(max(low, 0), min(high, len(run)) + 1):
            yield from map(list, combinations(run, size))

    def call(self, option: p.Option, values: list[int] | tuple[int, ...]) -> tuple[tuple[Any, ...], ...]:
        """Return arguments as what makes moves equal: faces or values, in no order within a group."""
        groups: list[list[Any]] = []
        for argument, value in zip(option.arguments, values, strict=True):
            if argument.bind.rank == 0:
                groups.append([])
            faces, kind_of = self.layout.faces, self.layout.kind_of
            if argument.low is not None:
                groups[-1] += sorted(faces[kind_of[x]] for x in bits(value))
                continue
            pieces = argument.domain.form == "piece"
            groups[-1].append(faces[kind_of[value]] if pieces else value)
        return tuple(tuple(sorted(g)) for g in groups)
