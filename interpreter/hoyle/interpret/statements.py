"""Straight statements as closures. One that returns True leaves the loop around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from hoyle import program as p
from hoyle.interpret.expressions import Asking
from hoyle.interpret.layout import Layout
from hoyle.interpret.phrases import Ask
from hoyle.program.types import value_form
from hoyle.runtime.picking import log_pick, picked
from hoyle.runtime.pieces import MANY, Pieces
from hoyle.runtime.sets import mask_of, members
from hoyle.runtime.state import HEAD, LOG, State
from hoyle.runtime.watching import counted, counted_pass, counted_tokens, watched

Do = Callable[[State], bool | None]


class Doing:
    """Makes closures for the statements of one layout."""

    def __init__(self, layout: Layout, asking: Asking) -> None:
        self.layout = layout
        self.asking = asking
        self.ask = asking.ask
        self.pieces = Pieces(layout.shape)
        self.performed: dict[str, Do] = {}
        self.fired = [0] * len(layout.program.points)

    def body(self, statements: tuple[p.Statement, ...]) -> Do:
        """Return a closure for statements in a row."""
        made = [self.statement(s) for s in statements]
        if len(made) == 1:
            return made[0]

        def run(S: State) -> bool | None:
            for do in made:
                if do(S):
                    return True
            return None

        return run

    def statement(self, node: p.Statement) -> Do:
        """Return a closure for one statement."""
        match node:
            case p.Set() | p.SetAt():
                return self._set(node)
            case p.MovePieces():
                return self._move_pieces(node)
            case p.MoveSome():
                return self._move_some(node)
            case p.Deal():
                return self._deal(node)
            case p.Fill():
                return self._fill(node)
            case p.Swap():
                return self._swap(node)
            case p.Gather():
                return self._gather(node)
            case p.Shuffle():
                zone = self.ask(node.zone)
                return lambda S: self.pieces.shuffle(S, zone(S))
            case p.Pick():
                return self._pick(node)
            case p.DrawFor():
                return self._draw_for(node)
            case p.Learn():
                return self._learn(node)
            case p.If():
                return self._if(node)
            case p.Repeat():
                return self._repeat(node)
            case p.ForEach():
                return self._for_each(node)
            case p.Collect():
                collect, slot = self._collected(node), HEAD + node.slot

                def keep(S: State) -> None:
                    S[slot] = collect(S)

                return keep
            case p.Take():
                return self._take(node)
            case p.Tell():
                return self._tell(node)
            case p.Show():
                return self._show(node)
            case p.ShowBest():
                return self._show_best(node)
            case p.Give():
                return self._give(node)
            case p.Note():
                seat, word, note = self.ask(node.seat), node.word, self.pieces.note
                return lambda S: note(S, word, seat(S))
            case p.Mark():
                return self._mark(node.point)
            case p.Break():
                return lambda S: True
            case p.Perform():
                return self._perform(node)
            case _:
                assert_never(node)

    def _mark(self, point: int) -> Do:
        fired = self.fired

        def mark(S: State) -> None:
            fired[point] += 1

        return mark

    # ---- variables ------------------------------------------------------------------------

    def _set(self, node: p.Set | p.SetAt) -> Do:
        value, slot = self.ask(node.value), HEAD + node.slot
        if isinstance(node, p.SetAt):
            index = self.ask(node.index)
            if node.told:
                return self._set_told(node, index, value)
            if node.low is None or node.high is None:

                def set_at(S: State) -> None:
                    S[slot + index(S)] = value(S)

                return set_at
            return self._watched(node, value, lambda S: slot + index(S))
        if node.low is None or node.high is None:

            def set_plain(S: State) -> None:
                S[slot] = value(S)

            return set_plain
        return self._watched(node, value, lambda S: slot)

    def _set_told(self, node: p.SetAt, index: Ask, value: Ask) -> Do:
        """Return a closure that logs how the variable changes before it does."""
        slot, changes = HEAD + node.slot, self.pieces.changes
        change = self._set(node.model_copy(update={"told": False}))

        def set_told(S: State) -> None:
            if S[LOG] is not None:
                changes(S, slot + index(S), value(S))
            change(S)

        return set_told

    def _watched(self, node: p.Set | p.SetAt, value: Ask, place: Callable[[State], int]) -> Do:
        low, high, name, line = node.low, node.high, node.name, node.line
        assert low is not None and high is not None

        def set_in_range(S: State) -> None:
            at = place(S)
            S[at] = watched(value(S), low, high, name, line)

        return set_in_range

    # ---- pieces -----------------------------------------------------------------------------

    def _move_pieces(self, node: p.MovePieces) -> Do:
        target, put = self.ask(node.target), self.pieces.put
        pieces = self._listed(node.pieces)
        return lambda S: put(S, pieces(S), target(S))

    def _listed(self, exprs: tuple[p.Expr, ...]) -> Callable[[State], list[int]]:
        """Return a closure for the pieces of several expressions, in the order written."""
        parts: list[Callable[[State], list[int]]] = []
        for expr in exprs:
            ask = self.ask(expr)
            if isinstance(expr, p.Op) and expr.op == "ends":
                settled = self.asking.settled(expr)
                assert isinstance(settled, p.Op)
                parts.append(self.asking.ends(settled))
            elif expr.type.form == "piece":
                parts.append(lambda S, ask=ask: [ask(S)])  # type: ignore[misc]
            elif expr.type.form == "zone":
                parts.append(lambda S, ask=ask: S[ask(S)][:])  # type: ignore[misc]
            else:
                parts.append(lambda S, ask=ask: members(ask(S)))  # type: ignore[misc]
        if len(parts) == 1:
            return parts[0]
        return lambda S: [x for part in parts for x in part(S)]

    # ---- what is told -----------------------------------------------------------------------

    def _tell(self, node: p.Tell) -> Do:
        seat, whole, tell = self.ask(node.seat), node.whole, self.pieces.tell
        args = [self.ask(a) for a in node.args]
        return lambda S: tell(S, seat(S), whole, [arg(S) for arg in args])

    def _show(self, node: p.Show) -> Do:
        pieces, show, seats = self._listed(node.pieces), self.pieces.show, self._mask(node.seats)
        return lambda S: show(S, pieces(S), seats(S))

    def _mask(self, seats: p.Expr | None) -> Callable[[State], int]:
        """Return a closure for the players that are shown something, as a mask."""
        if seats is None:
            everyone = (1 << self.layout.players) - 1
            return lambda S: everyone
        if seats.type.form == "player":
            seat = self.ask(seats)
            return lambda S: 1 << seat(S)
        run = self.asking.run(self.asking.settled(seats))
        return lambda S: mask_of(run(S))

    def _show_best(self, node: p.ShowBest) -> Do:
        assert isinstance(node.way, p.AsIf | p.Split)
        best, witness = (self.ask(node.way.model_copy(update={"part": part})) for part in ("best", "witness"))
        name, seats, show = node.way.name, self._mask(node.seats), self.pieces.show_best
        args = [self.ask(a) for a in node.args]
        readings = [self.layout.program.read(a.type) for a in node.args]

        def show_best(S: State) -> None:
            there = None if S[LOG] is None else witness(S)
            show(S, seats(S), name, readings, [a(S) for a in args], best(S), there)

        return show_best

    def _give(self, node: p.Give) -> Do:
        source, target, give = self._place(node.source), self._place(node.target), self.pieces.give
        number = self.layout.token_number(node.token)
        amount = (lambda S: MANY) if node.amount is None else self.ask(node.amount)
        most = (lambda S: MANY) if node.most is None else self.ask(node.most)
        name, line = node.token, node.line

        def move_tokens(S: State) -> None:
            count = counted_tokens(amount(S), name, line)
            give(S, number, count, source(S), target(S), most(S))

        return move_tokens

    def _place(self, expr: p.Expr) -> Callable[[State], int]:
        """Return a closure for the place of a variable in the state."""
        if isinstance(expr, p.SlotAt):
            first, index = HEAD + expr.slot, self.ask(expr.index)
            return lambda S: first + index(S)
        assert isinstance(expr, p.Slot)
        slot = HEAD + expr.slot
        return lambda S: slot

    def _move_some(self, node: p.MoveSome) -> Do:
        source, target = self.ask(node.source), self.ask(node.target)
        slot = None if node.slot is None else HEAD + node.slot
        pieces = self.pieces
        if node.amount is None:

            def move_all(S: State) -> None:
                moved = pieces.move_all(S, source(S), target(S))
                if slot is not None:
                    S[slot] = mask_of(moved)

            return move_all
        amount, line = self.ask(node.amount), node.line

        def move(S: State) -> None:
            count = counted(amount(S), line, "move")
            a, b = source(S), target(S)
            drawn = pieces.draw(S, a, count)
            pieces.land(S, drawn, a, b)
            if slot is not None:
                S[slot] = mask_of(drawn)

        return move

    def _deal(self, node: p.Deal) -> Do:
        amount, source = self.ask(node.amount), self.ask(node.source)
        zone, line, pieces, out = self.layout.size + node.zone, node.line, self.pieces, self._out(node)
        first = (lambda S: 0) if node.first is None else self.ask(node.first)

        def deal(S: State) -> None:
            pieces.deal(S, counted(amount(S), line, "deal"), source(S), zone, out(S), first(S))

        return deal

    def _out(self, node: p.Deal | p.DrawFor) -> Ask:
        """Return a closure for the set of players who are left out."""
        return (lambda S: 0) if node.out is None else self.ask(node.out)

    def _fill(self, node: p.Fill) -> Do:
        target, amount, source = self.ask(node.target), self.ask(node.amount), self.ask(node.source)
        fill = self.pieces.fill
        return lambda S: fill(S, target(S), amount(S), source(S))

    def _swap(self, node: p.Swap) -> Do:
        left, right = self.ask(node.left), self.ask(node.right)
        swap = self.pieces.swap
        return lambda S: swap(S, left(S), right(S))

    def _gather(self, node: p.Gather) -> Do:
        target, shuffled, gather = self.ask(node.target), node.shuffled, self.pieces.gather
        fits = self.layout.of_types(node.pieces) if node.pieces else None
        return lambda S: gather(S, target(S), fits, shuffled)

    # ---- chance -------------------------------------------------------------------------------

    def _pick(self, node: p.Pick) -> Do:
        run, slot, line = self.asking.run(self.asking.settled(node.source)), HEAD + node.slot, node.line
        index = (lambda S: 0) if node.index is None else self.ask(node.index)
        name, form, low, high = node.name, value_form(node.source.type), node.low, node.high
        reading = self.layout.program.elements_read(node.source.type)

        def choose(S: State) -> None:
            at = slot + index(S)
            S[at] = picked(S, run(S), reading, line, low, high)
            log_pick(S, at, name, form)

        return choose

    def _draw_for(self, node: p.DrawFor) -> Do:
        source, key = self.ask(node.source), self.ask(node.key)
        card, slot, line, name = HEAD + node.binder.slot, HEAD + node.slot, node.line, node.name
        sign = 1 if node.extreme == "highest" else -1
        drawn_for, out = self.pieces.drawn_for, self._out(node)

        def draw_for(S: State) -> None:
            def worth(piece: int) -> int:
                S[card] = piece
                return sign * int(key(S))

            S[slot] = drawn_for(S, source(S), worth, line, out(S))
            log_pick(S, slot, name, "player")

        return draw_for

    def _learn(self, node: p.Learn) -> Do:
        when, piece, zone = self.ask(node.when), self.ask(node.piece), self.ask(node.binder.source)
        slot, fits = HEAD + node.binder.slot, self.layout.of_types(node.binder.type.pieces)
        tests = [self.ask(x) for x in node.tests]

        def asked(test: Ask) -> Callable[[State, int], bool]:
            def ask(S: State, x: int) -> bool:
                S[slot] = x
                return bool(test(S))

            return ask

        chain = [asked(test) for test in tests]

        def learn(S: State) -> None:
            if S[LOG] is not None and when(S):
                self.pieces.learn(S, piece(S), zone(S), fits, chain)

        return learn

    # ---- branches and loops -----------------------------------------------------------------------

    def _if(self, node: p.If) -> Do:
        test, yes = self.ask(node.test), self.body(node.yes)
        if not node.no:
            return lambda S: yes(S) if test(S) else None
        no = self.body(node.no)
        return lambda S: yes(S) if test(S) else no(S)

    def _repeat(self, node: p.Repeat) -> Do:
        body, line = self.body(node.body), node.line
        times = None if node.times is None else self.ask(node.times)
        test = None if node.test is None else self.ask(node.test)
        until = None if node.until is None else self.ask(node.until)

        def repeat(S: State) -> None:
            left = -1 if times is None else times(S)
            while left and (left > 0 or times is None):
                if test is not None and not test(S):
                    return
                counted_pass(S, line)
                if body(S) or (until is not None and until(S)):
                    return
                left -= 1

        return repeat

    def _collected(self, node: p.ForEach | p.Collect) -> Callable[[State], tuple[tuple[int, ...], ...]]:
        """Return a closure for what the binders of a loop hold when it begins."""
        binders = tuple(b.model_copy(update={"source": self.asking.settled(b.source)}) for b in node.binders)
        where = None if node.where is None else self.asking.settled(node.where)
        each = self.asking.combinations(binders, where)
        slots = [HEAD + b.slot for b in binders]
        if node.key is None:
            return lambda S: tuple([tuple([S[s] for s in slots]) for _ in each(S)])
        key, falling = self.ask(node.key), node.extreme == "highest"

        def ordered(S: State) -> tuple[tuple[int, ...], ...]:
            found = [(key(S), tuple(S[s] for s in slots)) for _ in each(S)]
            return tuple(x for _, x in sorted(found, key=lambda pair: pair[0], reverse=falling))

        return ordered

    def _for_each(self, node: p.ForEach) -> Do:
        collect, body = self._collected(node), self.body(node.body)
        slots = [HEAD + b.slot for b in node.binders]

        def each(S: State) -> None:
            for values in collect(S):
                for slot, value in zip(slots, values, strict=True):
                    S[slot] = value
                if body(S):
                    return

        return each

    def _take(self, node: p.Take) -> Do:
        slot, index, targets = HEAD + node.slot, HEAD + node.index, [HEAD + t for t in node.targets]

        def take(S: State) -> None:
            for target, value in zip(targets, S[slot][S[index]], strict=True):
                S[target] = value
            S[index] += 1

        return take

    def _perform(self, node: p.Perform) -> Do:
        phase = self.layout.program.phase(node.phase)
        slots = [HEAD + s for s in phase.parameters]
        args = [self.ask(a) for a in node.args]
        if node.phase not in self.performed:
            self.performed[node.phase] = self.body(phase.body)
        body = self.performed[node.phase]

        line, counted = node.line, node.counted

        def perform(S: State) -> None:
            if counted:
                counted_pass(S, line)
            values = [arg(S) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                S[slot] = value
            body(S)

        return perform
