"""One game for one player count and one setting of parameters, ready to run: blocks, choices, result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from hoyle import program as p
from hoyle.interpret.expressions import Asking
from hoyle.interpret.layout import Layout
from hoyle.interpret.moves import Found, OptionMoves, Shared, Sources
from hoyle.interpret.phrases import Ask
from hoyle.interpret.reasons import Reasons
from hoyle.interpret.statements import Do, Doing
from hoyle.program.numbering import numbering
from hoyle.program.order import chance_shape
from hoyle.runtime.asked import AskedShape
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER
from hoyle.runtime.explicit import ChanceShape
from hoyle.runtime.faults import Fault
from hoyle.runtime.saving import Setup
from hoyle.runtime.shape import Beginning
from hoyle.runtime.state import BLOCK, DECISIONS, HEAD, LOG, SEAT, STEPS, WINNER, State
from hoyle.runtime.view import Viewer
from hoyle.runtime.watching import counted_pass

Leave = Callable[[State], bool]


class Legal(list[int]):
    """The numbers of the legal moves, ascending, and what each means."""

    __slots__ = ("moves",)
    moves: Found


class Engine:
    """Runs states of one layout from decision to decision."""

    def __init__(self, program: p.Program, players: int, parameters: Mapping[str, int]) -> None:
        self.program = program
        self.layout = Layout(program, players, parameters)
        self.shape = self.layout.shape
        self.viewer = Viewer(self.shape)
        self.setup = Setup()
        self.beginning = Beginning(self.shape, program.start, self.layout.first_values())
        self.asking = Asking(self.layout)
        self.doing = Doing(self.layout, self.asking)
        self.phases = {x.name: x for x in program.phases}
        self.numbered, self.space = numbering(program)
        self.chooses: dict[int, p.Choose] = {}
        self.finders: dict[int, list[Callable[[State, Sources, Found], None]]] = {}
        self.targets: dict[int, list[tuple[int, list[int]]]] = {}
        self.blocks = [self._block(b) for b in program.blocks]
        self.keys = self._keys()
        self.reasons: Reasons | None = None
        self.chanced: ChanceShape | None = None

    # ---- making -----------------------------------------------------------------------------

    def _block(self, block: p.Block) -> tuple[list[Do], Leave]:
        return [self.doing.statement(s) for s in block.body], self._leave(block)

    def _leave(self, block: p.Block) -> Leave:
        """Return a closure for the way out of a block: it sets the next block, and says whether the game stands."""
        match block.exit:
            case p.Jump(to=to, back=back):
                if back:
                    line = self._line(to)

                    def jump_back(S: State) -> bool:
                        counted_pass(S, line)
                        S[BLOCK] = to
                        return False

                    return jump_back

                return self._jump(to)
            case p.Branch() as branch:
                test, yes, no = self.asking.ask(branch.test), branch.yes, branch.no

                def fork(S: State) -> bool:
                    S[BLOCK] = yes if test(S) else no
                    return False

                return fork
            case p.Call() as call:
                return self._call(call)
            case p.Return(phase=name):
                slot = self.phases[name].back
                if slot < 0:
                    return self._jump(self.program.only_back(name))
                back_slot = HEAD + slot

                def go_back(S: State) -> bool:
                    S[BLOCK] = S[back_slot]
                    return False

                return go_back
            case p.Over(winner=winner):
                who = None if winner is None else self.asking.ask(winner)

                def over(S: State) -> bool:
                    S[WINNER] = -1 if who is None else who(S)
                    S[SEAT] = -1
                    if S[LOG] is not None:
                        S[LOG] = (S[LOG], ("over",))
                    return True

                return over
            case p.Choose() as choose:
                return self._choose(block, choose)
            case _:
                assert_never(block.exit)

    def _line(self, block: int) -> int:
        """Return a line of the spec for a block, for a fault in a loop that begins there."""
        there = self.program.blocks[block]
        lines = [getattr(x, "line", 0) for x in (*there.body, there.exit)]
        return next((x for x in lines if x), 0)

    def _call(self, call: p.Call) -> Leave:
        phase = self.phases[call.phase]
        args = [self.asking.ask(a) for a in call.args]
        slots = [HEAD + s for s in phase.parameters]
        back_slot, back, entry = HEAD + phase.back, call.back, phase.entry
        line, counted, kept = call.line, call.counted, phase.back >= 0

        def begin(S: State) -> bool:
            if counted:
                counted_pass(S, line)
            values = [arg(S) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                S[slot] = value
            if kept:
                S[back_slot] = back
            S[BLOCK] = entry
            return False

        return begin

    def _jump(self, to: int) -> Leave:
        def jump(S: State) -> bool:
            S[BLOCK] = to
            return False

        return jump

    def _choose(self, block: p.Block, choose: p.Choose) -> Leave:
        self.chooses[block.number] = choose
        shared = Shared()
        self.finders[block.number] = [
            OptionMoves(
                self.layout, self.asking, option, self.numbered[block.number, place], place, shared
            ).finder()
            for place, option in enumerate(choose.options)
        ]
        self.targets[block.number] = [
            (option.to, [HEAD + a.bind.slot for a in option.arguments]) for option in choose.options
        ]
        chooser: Ask = self.asking.ask(choose.chooser)

        def stand(S: State) -> bool:
            S[SEAT] = chooser(S)
            return True

        return stand

    def _keys(self) -> list[tuple[int, int, Ask]]:
        """Return the keys of the result: slot of the player, sign, closure."""
        rank = self.program.rank
        if rank is None:
            return []
        slot = HEAD + rank.slot
        return [(slot, 1 if k.extreme == "highest" else -1, self.asking.ask(k.value)) for k in rank.keys]

    # ---- running ------------------------------------------------------------------------------

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""
        blocks = self.blocks
        while True:
            body, leave = blocks[S[BLOCK]]
            for do in body:
                do(S)
            if leave(S):
                S[STEPS] = 0
                return

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""
        return self.beginning.state(chance, log)

    def find(self, S: State) -> Legal:
        """Return the numbers of the legal moves, ascending. Raises Fault if there are none."""
        found: Found = {}
        sources: Sources = {}
        for find in self.finders[S[BLOCK]]:
            find(S, sources, found)
        if not found:
            choose = self.chooses[S[BLOCK]]
            names = ", ".join(o.name for o in choose.options)
            raise Fault(
                f"player {S[SEAT] + 1} must choose among {names}, and none of them is possible", choose.line
            )
        legal = Legal(sorted(found))
        legal.moves = found
        return legal

    def place(self, S: State, number: int, found: Legal) -> tuple[int, tuple[int, ...]]:
        """Return a legal move as the place of its option and its arguments."""
        return found.moves[number]

    def play(self, S: State, number: int, found: Legal) -> None:
        """Make a legal move and run on to the next decision or the end."""
        option, arguments = found.moves[number]
        to, slots = self.targets[S[BLOCK]][option]
        if S[LOG] is not None:
            self.doing.pieces.choosing(S, option, arguments)
        for slot, value in zip(slots, arguments, strict=True):
            S[slot] = value
        S[BLOCK] = to
        S[DECISIONS] += 1
        self.advance(S)

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by random choices, to its end or until `most` decisions have been made."""
        choices = forced = 0
        try:
            self.advance(S)
            while S[SEAT] >= 0 and S[DECISIONS] < most:
                found = self.find(S)
                count = len(found)
                choices += count
                forced += count == 1
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                self.play(S, found[(choice * count) >> 63], found)
        finally:
            counts[:] = choices, forced

    def chance_shape(self) -> ChanceShape:
        """Return what explicit chance must know of the program."""
        if self.chanced is None:
            self.chanced = chance_shape(self.program)
        return self.chanced

    # ---- why not --------------------------------------------------------------------------------

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""
        if self.reasons is None:
            self.reasons = Reasons(self.program, self.asking)
        return self.reasons.asked(block, option)

    def ask(self, S: State, block: int, option: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from behind the arguments on, a condition."""
        self.asked(block, option)
        assert self.reasons is not None
        return self.reasons.ask(S, block, option, part, values)

    # ---- result -------------------------------------------------------------------------------

    def key_values(self, S: State) -> list[list[int]]:
        """Return for each seat the values of the keys of the result, its team's where teams are ranked."""
        rank = self.program.rank
        teams = self.program.teams if rank is not None and rank.teams else 0
        rows = []
        for seat in range(self.layout.players):
            row = []
            for slot, _, ask in self.keys:
                S[slot] = seat % teams if teams else seat
                row.append(int(ask(S)))
            rows.append(row)
        return rows

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won, several after a shared victory."""
        if S[WINNER] >= 0:
            return self.shape.side(S[WINNER])
        if not self.keys:
            return ()
        rows = [[v * sign for v, (_, sign, _) in zip(r, self.keys, strict=True)] for r in self.key_values(S)]
        best = max(rows)
        return tuple(seat for seat, row in enumerate(rows) if row == best)

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value of the first key of the result; with no result 1 for who has won, else 0."""
        if not self.keys:
            side = self.shape.side(S[WINNER]) if S[WINNER] >= 0 else ()
            return tuple(int(seat in side) for seat in range(self.layout.players))
        return tuple(row[0] for row in self.key_values(S))
