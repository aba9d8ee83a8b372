"""Interpreter and module side by side: the same state, moves, views, logs and results at every step."""

from __future__ import annotations

import sys
import types
from itertools import count
from typing import Any

from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.interpret import Game
from hoyle.program import Program
from hoyle.program.liveness import Liveness
from hoyle.runtime.chance import mix, pick
from hoyle.runtime.game import BaseGame
from hoyle.runtime.state import BLOCK, HEAD, LOG

_numbers = count()


def module_of(program: Program) -> BaseGame:
    """Return the game of the module that is made of a program."""
    return played_by(compile_program(program, __version__))


def played_by(text: str) -> BaseGame:
    """Return the game of a module, by its text."""
    module = types.ModuleType(f"lockstep_{next(_numbers)}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(text, module.__name__, "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    game: BaseGame = module.__dict__["game"]
    return game


class Dead:
    """The places of a state that no decision to come needs: a module keeps them in Python, if at all."""

    def __init__(self, program: Program) -> None:
        self.liveness = Liveness(program)
        self.known: dict[tuple[int, ...], frozenset[int]] = {}
        self.backs = [x.back for x in program.phases if x.back >= 0]
        self.passing: list[tuple[int, int]] = []
        slot = 0
        for info in program.slots:
            if info.role != "state":
                self.passing.append((slot, info.size))
            slot += info.size

    def at(self, state: list[Any]) -> frozenset[int]:
        """Return those of a state that stands at a block, with phases around it that return where it says."""
        key = (state[BLOCK], *[state[HEAD + x] for x in self.backs])
        if key not in self.known:
            live = self.liveness.standing(state[BLOCK], lambda slot: int(state[HEAD + slot]))
            dead = [HEAD + s + i for s, size in self.passing if s not in live for i in range(size)]
            self.known[key] = frozenset([LOG, *dead])
        return self.known[key]


def told(fault: Exception) -> str:
    """Return a fault in words; a module has a class of its own for it. Any other exception is raised again."""
    if type(fault).__name__ != "Fault":
        raise fault
    return f"{fault} {fault.table}"  # type: ignore[attr-defined]


class Both:
    """One game played by both back ends with the same moves."""

    def __init__(self, game: Game) -> None:
        self.program = game.program
        self.left = game
        self.right = module_of(game.program)
        self.dead = Dead(game.program)

    def play(self, players: int, seed: int, every: int = 16, most: int = 3_000, **parameters: Any) -> str:
        """Play one random game, hold the two together at every step, and return how it ended.

        Views and texts are compared at each `every`-th decision and at the end, with the logs there: of all seats, or
        of one where `every` is large; drawn tables, for which all that a seat has been told is gone through, at a
        quarter as many decisions.
        """
        left, left_fault = self._start(self.left, players, seed, most, parameters)
        right, right_fault = self._start(self.right, players, seed, most, parameters)
        assert left_fault == right_fault
        if left is None or right is None:
            return "fault"
        choice = mix(seed, 1)
        while True:
            self._same(left, right)
            if left.turn is None:
                break
            moves, fault = self._legal(left)
            others, other_fault = self._legal(right)
            assert fault == other_fault
            if fault:
                return "fault"
            assert moves == others
            if left.decisions % every == 0:
                self._same_words(left, right)
            if left.decisions % (4 * every + 1) == 0:
                self._same_resamples(left, right)
            choice, place = pick(choice, len(moves))
            faults = [self._step(table, moves[place]) for table in (left, right)]
            assert faults[0] == faults[1]
            if faults[0]:
                return "fault"
        self._same_words(left, right)
        for seat in (*(range(players) if every <= 16 else (seed % players,)), None):
            assert left.log(seat) == right.log(seat)
        return str(left.outcome)

    def play_explicit(self, players: int, seed: int, most: int, **parameters: Any) -> None:
        """Play one random game with explicit chance, and hold the two together at every turn, that of chance too."""
        given = {"chance": "explicit", **parameters}
        left, left_fault = self._start(self.left, players, 0, 10_000, given)
        right, right_fault = self._start(self.right, players, 0, 10_000, given)
        assert left_fault == right_fault
        choice = mix(seed, 2)
        for step in range(most):
            if left is None or left.turn is None:
                break
            assert (left.turn, left.chances(), left.outcome) == (right.turn, right.chances(), right.outcome)
            if left.chances():
                assert sum(p for _, p, _ in left.chances()) == 1
            moves, fault = self._legal(left)
            assert (moves, fault) == self._legal(right)
            if fault:
                return
            if step % 8 == 0:
                self._same_told(left, right)
            choice, place = pick(choice, len(moves))
            faults = [self._step(table, moves[place]) for table in (left, right)]
            assert faults[0] == faults[1]
            if faults[0]:
                return
        if left is not None:
            self._same_told(left, right)

    def _same_told(self, left: Any, right: Any) -> None:
        """Hold views, logs and saves together; each goes on with what the other has saved."""
        for seat in range(left.players):
            assert left.view(seat) == right.view(seat) and left.log(seat) == right.log(seat)
        assert left.save() == right.save()
        for again in (self.left.restore(right.save()), self.right.restore(left.save())):
            assert (again.turn, again.legal(), again.log(None)) == (left.turn, left.legal(), left.log(None))
            assert [again.view(s) for s in range(left.players)] == [left.view(s) for s in range(left.players)]

    def _start(
        self, game: BaseGame, players: int, seed: int, most: int, parameters: dict[str, Any]
    ) -> tuple[Any, str]:
        try:
            return game.start(players, seed, most, **parameters), ""
        except Exception as fault:
            return None, told(fault)

    def _legal(self, table: Any) -> tuple[list[int], str]:
        try:
            return list(table.legal()), ""
        except Exception as fault:
            return [], told(fault)

    def _step(self, table: Any, number: int) -> str:
        try:
            table.step(number)
        except Exception as fault:
            return told(fault)
        return ""

    def _same(self, left: Any, right: Any) -> None:
        dead = self.dead.at(left.state)
        a = [x for i, x in enumerate(left.state) if i not in dead]
        b = [x for i, x in enumerate(right.state) if i not in dead]
        assert a == b
        assert (left.turn, left.outcome) == (right.turn, right.outcome)

    def _same_words(self, left: Any, right: Any) -> None:
        assert [tuple(m) for m in left.moves()] == [tuple(m) for m in right.moves()]
        assert left.ask == right.ask
        assert (left.scores, left.winners) == (right.scores, right.winners)
        for seat in range(left.players):
            assert left.view(seat) == right.view(seat)
        for asked in self._questions(left):
            assert left.why(asked) == right.why(asked)

    def _same_resamples(self, left: Any, right: Any) -> None:
        """One seat at a time: what it knows, and a table drawn for it."""
        seat = left.decisions % left.players
        assert left.knows(seat) == right.knows(seat)
        one, other = (table.resample(seat, left.decisions) for table in (left, right))
        self._same(one, other)
        assert one.view(seat) == left.view(seat)

    def _questions(self, table: Any) -> list[Any]:
        """Return moves to ask about: by number, by name and by face, other ones at each decision."""
        shape, space, at = table._rules.shape, self.left.space(table.players), table.decisions
        faces = [shape.faces[(at * 7 + i * 5) % len(shape.faces)] for i in range(2 if shape.faces else 0)]
        names = [o.name for c in shape.choices.values() for o in c.options]
        numbers = [(at * 31 + i * (space // 3 + 1)) % space for i in range(3)]
        return [*faces, names[at % len(names)], *numbers]
