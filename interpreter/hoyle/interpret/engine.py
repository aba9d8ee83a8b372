"""One game for one player count and one setting of parameters, ready to run: blocks, choices, result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from hoyle import program as p
from hoyle.interpret.expressions import Ask, Asking
from hoyle.interpret.layout import BLOCK, DECISIONS, HEAD, LOG, SEAT, STEPS, WINNER, Layout, State
from hoyle.interpret.moves import Found, OptionMoves, Shared, Sources
from hoyle.interpret.statements import Do, Doing, step
from hoyle.program.numbering import Numbered, numbering
from hoyle.runtime.faults import Fault

Leave = Callable[[State], bool]


class Engine:
    """Runs states of one layout from decision to decision."""

    def __init__(self, program: p.Program, players: int, parameters: Mapping[str, int]) -> None:
        self.program = program
        self.layout = Layout(program, players, parameters)
        self.asking = Asking(self.layout)
        self.doing = Doing(self.layout, self.asking)
        self.phases = {x.name: x for x in program.phases}
        self.numbered, self.space = numbering(program, players)
        self.chooses: dict[int, p.Choose] = {}
        self.finders: dict[int, list[Callable[[State, Sources, Found], None]]] = {}
        self.targets: dict[int, list[tuple[int, list[int]]]] = {}
        self.blocks = [self._block(b) for b in program.blocks]
        self.keys = self._keys()
        self.option_at = self._option_at()

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
                        step(S, line)
                        S[BLOCK] = to
                        return False

                    return jump_back

                def jump(S: State) -> bool:
                    S[BLOCK] = to
                    return False

                return jump
            case p.Branch() as branch:
                test, yes, no = self.asking.ask(branch.test), branch.yes, branch.no

                def fork(S: State) -> bool:
                    S[BLOCK] = yes if test(S) else no
                    return False

                return fork
            case p.Call() as call:
                return self._call(call)
            case p.Return(phase=name):
                back_slot = HEAD + self.phases[name].back

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

        def begin(S: State) -> bool:
            values = [arg(S) for arg in args]
            for slot, value in zip(slots, values, strict=True):
                S[slot] = value
            S[back_slot] = back
            S[BLOCK] = entry
            return False

        return begin

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

    def _option_at(self) -> list[tuple[Numbered, int, p.Option]]:
        """Return the options by their first number, ascending, with the block they belong to."""
        found = []
        for (block, place), numbered in self.numbered.items():
            found.append((numbered, block, self.chooses[block].options[place]))
        return sorted(found, key=lambda x: x[0].first)

    # ---- running ------------------------------------------------------------------------------

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""
        blocks = self.blocks
        S[STEPS] = 0
        while True:
            body, leave = blocks[S[BLOCK]]
            for do in body:
                do(S)
            if leave(S):
                return

    def legal(self, S: State) -> Found:
        """Return the legal moves: number -> (place of the option, arguments). Raises Fault if there are none."""
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
        return found

    def play(self, S: State, option: int, arguments: tuple[int, ...]) -> None:
        """Carry out a legal move and run on to the next decision or the end."""
        to, slots = self.targets[S[BLOCK]][option]
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("choose", S[SEAT], S[BLOCK], option, arguments))
        for slot, value in zip(slots, arguments, strict=True):
            S[slot] = value
        S[BLOCK] = to
        S[DECISIONS] += 1
        self.advance(S)

    # ---- result -------------------------------------------------------------------------------

    def key_values(self, S: State) -> list[list[int]]:
        """Return for each seat the values of the keys of the result."""
        rows = []
        for seat in range(self.layout.players):
            row = []
            for slot, _, ask in self.keys:
                S[slot] = seat
                row.append(int(ask(S)))
            rows.append(row)
        return rows

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won, several after a shared victory."""
        if S[WINNER] >= 0:
            return (S[WINNER],)
        rows = [[v * sign for v, (_, sign, _) in zip(r, self.keys, strict=True)] for r in self.key_values(S)]
        best = max(rows)
        return tuple(seat for seat, row in enumerate(rows) if row == best)

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value of the first key of the result; with no result 1 for who has won, else 0."""
        if not self.keys:
            return tuple(int(seat == S[WINNER]) for seat in range(self.layout.players))
        return tuple(row[0] for row in self.key_values(S))


def settle(program: p.Program, given: Mapping[str, Any]) -> dict[str, int]:
    """Return all parameters as numbers; ValueError in words for an unknown one or a value out of range."""
    import difflib

    made = {x.name: x.default for x in program.parameters}
    known = {x.name: x for x in program.parameters}
    for name, value in given.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"; did you mean `{near[0]}`?" if near else f"; there are: {', '.join(known) or 'none'}"
            raise ValueError(f"{program.name} has no parameter `{name}`{hint}")
        made[name] = _setting(known[name], value)
    return made


def _setting(parameter: p.Parameter, value: Any) -> int:
    name, words = parameter.name, parameter.words
    if words:
        if value in words:
            return words.index(value)
        raise ValueError(f"{name} is one of {', '.join(words)}, not {value}")
    if parameter.type.form == "flag":
        answers = {"yes": 1, "no": 0, "true": 1, "false": 0, True: 1, False: 0}
        key = value.lower() if isinstance(value, str) else value
        if key not in answers:
            raise ValueError(f"{name} is yes or no, not {value}")
        return answers[key]
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is a number, not {value}") from None
    low, high = parameter.type.low, parameter.type.high
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name} goes from {low} to {high}, and {number} is outside")
    return number
