"""Scenarios: tables laid as given, moves made, claims held against what is there.

A scenario that names zones has just the pieces it names in play. One that starts at a phase stands where the game would
stand had it just come to that phase at the first place that runs it, with every phase around it already running.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple, assert_never

from hoyle import program as p
from hoyle.check import check_companion
from hoyle.diagnostics import Report
from hoyle.interpret import Game, Table
from hoyle.interpret.laying import Laying
from hoyle.parser import parse
from hoyle.program.folding import fold
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.state import BLOCK
from hoyle.session import SpecError, checked, read, resolve


class Result(NamedTuple):
    """One scenario: whether it passed, and if not what was otherwise, each with its line."""

    title: str
    path: str
    line: int
    passed: bool
    problems: list[str]


def run(game: Game, extra_paths: list[str] | None = None) -> list[Result]:
    """Return the results of the spec's own scenarios and those of companion files.

    Without `extra_paths` the companion is scenarios/NAME.hoyle beside the spec, if there is one. Raises SpecError for a
    companion with errors, NoSuchSpec for one that is not there.
    """
    paths = [Path(x) for x in extra_paths] if extra_paths else _beside(Path(game.program.path))
    game, found = with_companions(game, paths)
    return [play(game, scenario) for scenario in found]


def _beside(path: Path) -> list[Path]:
    near = path.parent / "scenarios" / path.name
    return [near] if near.is_file() else []


def with_companions(game: Game, paths: list[Path]) -> tuple[Game, list[p.Scenario]]:
    """Return the game and all scenarios: its own and those of companion files. Raises SpecError, NoSuchSpec.

    The claims of companions have names of their own, so the game returned has more slots than the one given; it plays
    the same.
    """
    told = list(game.program.scenarios)
    if not paths:
        return game, told
    _, made = checked(game.program.path)
    for path in paths:
        report = Report()
        source = read(resolve(str(path)), report)
        if source is None or made.scenarios is None or made.program is None:
            raise SpecError(report)
        parsed = parse(source, report)
        told += check_companion(parsed.file, source, report, made.scenarios)
        if report.errors:
            raise SpecError(report)
    assert made.scenarios is not None
    slots = tuple(made.scenarios.scope.slots)
    return Game(game.program.model_copy(update={"slots": slots})), told


def play(game: Game, scenario: p.Scenario) -> Result:
    """Return how one scenario went: it stops at the first move that can't be made, and tells every claim that fails."""
    player = _Player(game, scenario)
    try:
        player.run()
    except _Stop:
        pass
    except Fault as fault:
        player.problems.append(f"{scenario.path}:{player.line}: the game broke: {fault}")
    except ValueError as wrong:
        player.problems.append(f"{scenario.path}:{player.line}: {wrong}")
    return Result(scenario.title, scenario.path, scenario.line, not player.problems, player.problems)


class _Stop(Exception):
    """The scenario can't go on."""


class _Player:
    """Plays one scenario."""

    def __init__(self, game: Game, scenario: p.Scenario) -> None:
        self.game = game
        self.scenario = scenario
        self.problems: list[str] = []
        self.line = scenario.line
        self.table: Table | None = None
        self.laying: Laying | None = None

    def run(self) -> None:
        """Lay the table with what is given, then take the steps one by one."""
        steps = self.scenario.steps
        start = next((x for x in steps if isinstance(x, p.StartAt)), None)
        given = [x for x in steps if isinstance(x, p.Given | p.GivenRest)]
        rest = [x for x in steps if not isinstance(x, p.Given | p.GivenRest | p.StartAt)]
        self._lay(given, start)
        for step in rest:
            self.line = step.line
            self._step(step)

    def _lay(self, given: list[Any], start: p.StartAt | None) -> None:
        parameters: dict[str, Any] = {}
        seed = 0
        for step in given:
            self.line = step.line
            value = fold(step.value, {}) if isinstance(step, p.Given) and step.value is not None else None
            if isinstance(step, p.Given) and isinstance(value, p.Const):
                if step.what == "parameter":
                    parameters[step.name] = self._setting(step.name, value.value)
                elif step.what == "seed":
                    seed = value.value
        engine = self.game.engine(len(self.scenario.seats), parameters)
        self.laying = Laying(engine, seed)
        for step in given:
            self.line = step.line
            if isinstance(step, p.Given) and step.what == "zone" and step.faces is not None:
                self.laying.put(step.target, step.seat, step.faces.kinds)
            elif isinstance(step, p.Given) and step.what == "variable" and step.value is not None:
                self.laying.set(step.target, step.seat, step.value)
        self.laying.supplies()
        for step in given:
            if isinstance(step, p.GivenRest):
                self.laying.rest(step.zones)
        self.line = start.line if start else self.scenario.line
        claims_only = start is None and any(
            isinstance(x, p.GivenRest) or (isinstance(x, p.Given) and x.what in ("zone", "variable"))
            for x in given
        )
        state = self.laying.begin(
            start.phase if start else None, start.args if start else (), stand=claims_only
        )
        self.table = Table(engine, state, begun=True)

    def _setting(self, name: str, value: int) -> Any:
        parameter = next(x for x in self.game.program.parameters if x.name == name)
        return parameter.words[value] if parameter.words else value

    # ---- steps ----------------------------------------------------------------------------

    def _step(self, step: p.Step) -> None:
        if isinstance(step, p.Made | p.May | p.NextIs | p.Winners) and self.laying and self.laying.standing:
            self._fail(
                "nobody is asked anything here; begin with `start at PHASE`, a phase that asks somebody"
            )
            raise _Stop
        match step:
            case p.Made():
                self._made(step)
            case p.May():
                self._may(step)
            case p.Holds():
                self._holds(step)
            case p.OneOf():
                self._one_of(step)
            case p.NextIs():
                turn = self._table().turn
                if turn != (step.seat if step.seat >= 0 else None):
                    self._fail(
                        f"{self._who(turn)} is next, not {self._who(step.seat if step.seat >= 0 else None)}"
                    )
            case p.Winners():
                won = self._table().winners
                if self._table().turn is not None:
                    self._fail(f"the game is not over yet: {self._who(self._table().turn)} is to move")
                elif set(won) != set(step.seats):
                    names = " and ".join(map(self._who, won)) or "nobody"
                    self._fail(f"{names} won, not {' and '.join(map(self._who, step.seats))}")
            case p.Given() | p.GivenRest() | p.StartAt():
                raise AssertionError(step)
            case _:
                assert_never(step)

    def _fail(self, words: str) -> None:
        self.problems.append(f"{self.scenario.path}:{self.line}: {words}")

    def _who(self, seat: int | None) -> str:
        return "nobody" if seat is None else self.scenario.seats[seat]

    def _table(self) -> Table:
        assert self.table is not None
        return self.table

    def _matches(self, seat: int, move: p.MoveText) -> list[str]:
        """Return the calls of the legal moves that a move as written means; the last arguments may be left out."""
        table = self._table()
        if table.turn != seat:
            return []
        if move.whole:
            return self._paid(move)
        wanted = Counter(move.args)
        found = []
        for legal in table.moves():
            if legal.option != move.option:
                continue
            shown = legal.arguments[: len(move.args)]
            if shown == move.args or (self._unordered(legal.option) and Counter(shown) == wanted):
                found.append(legal.call)
        return [call for call in found if self._completed(call, move)] if move.more else found

    def _paid(self, move: p.MoveText) -> list[str]:
        """Return the first step of a payment; of one that is not said, every step that there is."""
        table = self._table()
        if not move.bare:
            first = set(table._paid(move.option, move.args)[:1])
        else:
            asked = table._rules.shape.choices[table.state[BLOCK]].payment == move.option
            first = set(table.legal()) if asked else set()
        return [m.call for m in table.moves() if m.number in first]

    def _completed(self, call: str, move: p.MoveText) -> Table | None:
        """Return the table after a move that is made pick by pick, all of it; None if it can't be made so."""
        table = self._table().copy()
        more = [*move.more]
        while True:
            table.play(call)
            ready = table.turn is None or not table._rules.shape.choices[table.state[BLOCK]].more
            if ready or not more:
                break
            call = f"{move.option}({more.pop(0)})"
            if call not in [m.call for m in table.moves()]:
                return None
        if not ready and "done" in [m.call for m in table.moves()]:
            table.play("done")
            ready = True
        return table if ready and not more else None

    def _unordered(self, name: str) -> bool:
        """Return whether an option takes several pieces from one source, so that their order means nothing."""
        for block in self.game.program.blocks:
            if isinstance(block.exit, p.Choose):
                for option in block.exit.options:
                    if option.name == name and any(a.bind.rank for a in option.arguments):
                        return True
        return False

    def _made(self, step: p.Made) -> None:
        found = self._matches(step.seat, step.move)
        written = _written(step.move)
        if step.refused:
            if found:
                self._fail(f"{self._who(step.seat)}: {written} should be refused, but it is possible")
            return
        table = self._table()
        if table.turn != step.seat:
            self._fail(f"{self._who(table.turn)} is to move, not {self._who(step.seat)}")
            raise _Stop
        if not found:
            there = "; possible: " + ", ".join(m.call for m in table.moves()[:12])
            self._fail(f"{written} is not possible{there}")
            raise _Stop
        if len(found) > 1:
            self._fail(f"{written} could mean " + " or ".join(found[:4]) + "; write the rest of it")
            raise _Stop
        if step.move.more:
            self.table = self._completed(found[0], step.move)
            return
        steps = (
            table._paid(step.move.option, step.move.args) if step.move.whole and not step.move.bare else []
        )
        for number in steps:
            table.step(number)
        if steps:
            return
        try:
            table.play(found[0])
        except IllegalMove as wrong:
            self._fail(str(wrong))
            raise _Stop from None

    def _may(self, step: p.May) -> None:
        table = self._table()
        name = self._who(step.seat)
        if step.form == "may not":
            for move in step.moves:
                if self._matches(step.seat, move):
                    self._fail(f"{name} may {_written(move)}, but should not")
            return
        for move in step.moves:
            if not self._matches(step.seat, move):
                self._fail(f"{name} may not {_written(move)}, but should")
        if step.form == "may only":
            allowed = {call for move in step.moves for call in self._matches(step.seat, move)}
            others = (
                [m.call for m in table.moves() if m.call not in allowed] if table.turn == step.seat else []
            )
            if others:
                self._fail(f"{name} may also " + ", ".join(others[:8]))

    def _holds(self, step: p.Holds) -> None:
        assert self.laying is not None
        table = self._table()
        if self.laying.value(table.state, step.condition):
            return
        # Of several conditions that are joined only the first is told that does not hold: others may ask on.
        parts = (x for x in step.parts if not self.laying.value(table.state, x.condition))
        step = next(parts, step)
        sides = [self.laying.words(table.state, x) for x in step.sides]
        shown = f"; there: {' and '.join(sides)}" if sides else ""
        self._fail(f"it does not hold that {step.written}{shown}")

    def _one_of(self, step: p.OneOf) -> None:
        assert self.laying is not None
        state = self._table().state
        value = self.laying.words(state, step.value)
        if value not in [self.laying.words(state, x) for x in step.choices]:
            self._fail(f"it does not hold that {step.written.removeprefix('then ')}; there: {value}")


def _written(move: p.MoveText) -> str:
    words = [*move.args[:1], *move.more, *move.args[1:]]
    if move.whole and words:
        return f'{move.option}("{", ".join(words)}")'
    return f"{move.option}({', '.join(words)})" if words else move.option
