"""Whatever a well-typed spec says, it is accepted, it runs, and it ends in one of the ways in which a game can end."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Fault, Game, Playout, Table
from hoyle.parser.grammar import build
from hoyle.program import Program
from hoyle.runtime.chance import mix, pick
from hoyle.session import beside, resolve
from made_up_specs import accepted, checked, specs
from specs_for_tests import ALL, assert_conserved, essence, game, play_at_random

# EXAMPLES=2000 tries that many, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
MOST_DECISIONS = 40

made_up = settings(
    max_examples=EXAMPLES or 60, derandomize=not EXAMPLES, suppress_health_check=list(HealthCheck)
)


def test_the_grammar_holds_no_ambiguity() -> None:
    build(strict=True)


def told(table: Table) -> Any:
    """Return all that a table shows."""
    return [(table.view(seat), table.log(seat)) for seat in range(table.players)]


def played(made: Game, players: int, seed: int) -> tuple[list[int], Any]:
    """Return the moves of a random game and how it ended; pieces are counted on the way."""
    numbers: list[int] = []
    table: Table | None = None
    try:
        table = made.start(players=players, seed=seed, max_decisions=MOST_DECISIONS)
        for number in play_at_random(table, seed):
            assert_conserved(table)
            numbers.append(number)
    except Fault as fault:
        assert fault.line > 0 and fault.message and fault.table
        return numbers, (fault.message, fault.line, fault.table)
    assert table.outcome in ("finished", "stalled")
    assert_conserved(table)
    json.dumps(told(table))
    return numbers, (table.outcome, table.scores, table.winners, essence(table), told(table))


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_a_made_up_spec_runs_to_an_end_or_to_a_fault_with_its_line(text: str, seed: int) -> None:
    made = Game(accepted(text))
    for players in made.counts[:2]:
        played(made, players, seed)


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_a_made_up_spec_plays_the_same_game_again(text: str, seed: int) -> None:
    program = accepted(text)
    players = program.low + seed % (program.high - program.low + 1)
    assert played(Game(program), players, seed) == played(Game(program), players, seed)


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_a_made_up_spec_plays_out_as_it_plays_on_a_table(text: str, seed: int) -> None:
    """A playout gives a fault as an outcome, where a table raises it."""
    made = Game(accepted(text))
    (playout,) = made.playouts(1, seed=seed, max_decisions=MOST_DECISIONS)
    assert playout == by_hand(made, mix(seed, 0), mix(seed, 0, 1))


def by_hand(made: Game, seed: int, choice: int) -> Playout:
    """Return a playout as a driver would play it on a table."""
    choices = forced = 0
    table: Table | None = None
    try:
        table = made.start(seed=seed, max_decisions=MOST_DECISIONS)
        while table.turn is not None:
            legal = table.legal()
            choices, forced = choices + len(legal), forced + (len(legal) == 1)
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
    except Fault as fault:
        decisions = table.decisions if table is not None else 0
        nothing = (0,) * made.counts[0]
        return Playout(nothing, (), decisions, "fault", str(fault), choices, forced)
    return Playout(table.scores, table.winners, table.decisions, table.outcome, "", choices, forced)


@made_up
@given(specs())
def test_checking_a_made_up_spec_is_deterministic(text: str) -> None:
    assert checked(text) == checked(text)


@made_up
@given(specs())
def test_the_program_of_a_made_up_spec_comes_back_from_json(text: str) -> None:
    program = accepted(text)
    assert Program.model_validate_json(program.model_dump_json()) == program


@pytest.mark.parametrize("name", ALL)
def test_checking_a_spec_is_deterministic(name: str) -> None:
    path = resolve(game(name).program.path)
    text, tables = path.read_text(encoding="utf-8"), beside(path)
    report, program = checked(text, tables)
    assert program is not None and checked(text, tables) == (report, program)


@made_up
@given(specs(), st.data())
def test_a_line_lost_from_a_spec_never_breaks_the_checker(text: str, data: st.DataObject) -> None:
    """It may be a fault of the spec, told with its place; it is never one of the checker."""
    lines = text.split("\n")
    lost = data.draw(st.integers(0, len(lines) - 1))
    report, program = checked("\n".join(lines[:lost] + lines[lost + 1 :]))
    assert (program is None) == bool(report.errors)
    assert all(1 <= d.span.line <= len(lines) for d in report.diagnostics)


@made_up
@given(specs(), st.data())
def test_a_word_exchanged_in_a_spec_never_breaks_the_checker(text: str, data: st.DataObject) -> None:
    words = text.split(" ")
    one, other = (data.draw(st.integers(0, len(words) - 1)) for _ in range(2))
    words[one] = words[other]
    report, program = checked(" ".join(words))
    assert (program is None) == bool(report.errors)
