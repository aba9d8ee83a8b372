"""A module plays on in one function while nobody looks at the state: the same games, whenever somebody looks."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.compile import compile_program
from hoyle.compile.seating import noted_late, seats_in
from hoyle.interpret import Game
from hoyle.runtime.chance import mix, pick
from hoyle.runtime.running import CompiledTable
from hoyle.runtime.state import CHANCE, LOG, PLACE, SEAT
from hoyle.session import load_text
from lockstep import Both, told
from made_up_specs import specs
from specs_for_tests import ALL, SHORT, SPECS, both, counts, game
from test_language import accepted
from test_lockstep import made_up


def play(both: Both, players: int, seed: int, most: int, **parameters: object) -> str:
    """Play one game twice in the module, with one table looked at all the time, the other one seldom."""
    try:
        looked = both.right.start(players, seed, most, **parameters)
    except Exception as fault:
        with pytest.raises(type(fault)) as other:
            both.right.start(players, seed, most, **parameters)
        assert told(fault) == told(other.value)
        return "fault"
    seldom = both.right.start(players, seed, most, **parameters)
    choice = mix(seed, 1)
    while True:
        assert looked.state  # whoever has read the state makes the next move without the function
        assert (looked.turn, looked.outcome) == (seldom.turn, seldom.outcome)  # which looks at no state
        choice, look = pick(choice, 9)
        if look == 0 or looked.turn is None:
            assert looked.state == seldom.state
        if looked.turn is None:
            assert (looked.scores, looked.winners) == (seldom.scores, seldom.winners)
            return str(looked.outcome)
        answers = [_answer(table.legal) for table in (looked, seldom)]
        assert answers[0] == answers[1]
        if isinstance(answers[0], str):
            assert_broken(looked, seldom)
            return "fault"
        choice, place = pick(choice, len(answers[0]))
        number = answers[0][place]
        answers = [_answer(partial(table.step, number)) for table in (looked, seldom)]
        assert answers[0] == answers[1]
        if answers[0]:
            assert_broken(looked, seldom)
            return "fault"


def assert_broken(looked: CompiledTable, seldom: CompiledTable) -> None:
    """Two tables broke off at the same point, and the seat that they tell is that of the state."""
    for table in (looked, seldom):
        assert table.turn == (None if table.state[SEAT] < 0 else table.state[SEAT])
    assert (looked.turn, looked.outcome, looked.state) == (seldom.turn, seldom.outcome, seldom.state)


def _answer(ask):  # type: ignore[no-untyped-def]
    """Return what a table answers, or the fault it ends with, in words."""
    try:
        return ask()
    except Exception as fault:
        return told(fault)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_whoever_looks_sees_the_same_game(name: str, players: int) -> None:
    seeds, most = (12, 20_000) if name in SPECS else (8, 1_000)
    for seed in range(seeds):
        play(both(name), players, seed, most, **SHORT.get(name, {}))


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_whoever_looks_sees_the_same_made_up_game(text: str, seed: int) -> None:
    made = Both(Game(accepted(text)))
    for players in made.left.counts[:2]:
        play(made, players, seed, 60)


@pytest.mark.parametrize("name", ALL)
def test_every_spec_has_the_function(name: str) -> None:
    assert "    def run(self, S: State" in compile_program(game(name).program, "0")


def _dos() -> CompiledTable:
    table = both("dos").right.start(3, 5)
    for _ in range(40):
        table.step(table.legal()[0])
    assert table._run is not None
    return table


def test_a_move_that_is_not_legal_changes_nothing() -> None:
    table, other = _dos(), _dos()
    with pytest.raises(ValueError, match="is not possible now"):
        table.step(-1)
    assert (table.legal(), table.state) == (other.legal(), other.state)


def test_a_copy_and_its_table_go_their_own_ways() -> None:
    table, other = _dos(), _dos()
    twin = table.copy()
    for _ in range(40):
        twin.step(twin.legal()[-1])
    assert table.state == other.state
    assert twin.decisions == 80 and twin.state != table.state


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("back_end", ["left", "right"])
def test_python_copies_a_table_as_the_table_does(how: Callable[[Any], Any], back_end: str) -> None:
    table = getattr(both("dos"), back_end).start(3, 5)
    for _ in range(9):
        table.step(table.legal()[0])
    other = how(table)
    other.step(other.legal()[-1])
    assert (table.decisions, other.decisions) == (9, 10)
    assert table.state != other.state and table.log(0) == other.log(0)[: len(table.log(0))]


def test_the_log_and_the_save_of_a_table_in_the_function() -> None:
    table, other = _dos(), _dos()
    assert other.state
    assert (table.log(0), table.save()) == (other.log(0), other.save())
    table.step(table.legal()[0])
    other.step(other.legal()[0])
    assert (table.view(1), table.decisions) == (other.view(1), 41)


def test_too_many_decisions_stall_a_game() -> None:
    table = both("dos").right.start(2, 1, max_decisions=25)
    while table.turn is not None:
        table.step(table.legal()[0])
    assert (table.outcome, table.decisions, table.winners, table.legal()) == ("stalled", 25, (), [])


def test_a_stalled_game_stays_one() -> None:
    for made in (both("dos").left, both("dos").right):
        table = made.start(2, 1, max_decisions=25)
        while table.turn is not None:
            table.step(table.legal()[0])
        others = (table.copy(), copy.deepcopy(table), made.restore(table.save()), table.resample(0, 5))
        assert [(x.turn, x.outcome, x.legal()) for x in others] == [(None, "stalled", [])] * 4


def test_a_game_of_no_decisions_at_all_stalls_after_the_first_in_both_back_ends() -> None:
    for made in (both("dos").left, both("dos").right):
        table = made.start(2, 1, max_decisions=0)
        assert table.turn is not None and table.outcome == ""
        table.step(table.legal()[0])
        assert (table.turn, table.outcome, table.decisions) == (None, "stalled", 1)


def test_whose_turn_it_is_goes_with_the_table_wherever_it_comes_from() -> None:
    table = _dos()
    seat, moves = table.turn, table.legal()
    for other in (table.copy(), both("dos").right.restore(table.save()), table.resample(0, 5)):
        assert (other.turn, other.state[SEAT]) == (seat, seat)
    table.step(moves[0])
    assert table.turn == table.state[SEAT] != seat


def test_a_table_that_was_stopped_in_the_middle_of_a_move_is_as_its_state_says() -> None:
    def stopped() -> Generator[list[int], int, None]:
        yield []
        raise KeyboardInterrupt

    table, other = _dos(), _dos()
    moves = table.legal()
    table._run = stopped()  # the other one is dropped, and writes the state
    next(table._run)
    with pytest.raises(KeyboardInterrupt):
        table.step(moves[0])
    assert (table.turn, table.legal(), table.state) == (other.turn, moves, other.state)
    table.step(moves[0])
    other.step(moves[0])
    assert (table.turn, table.state) == (other.turn, other.state)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_games_share_nothing_of_how_they_begin(name: str, players: int) -> None:
    for made in (both(name).left, both(name).right):
        rules = made.rules(players, {})
        state, logged = rules.first(7, False), rules.first(7, True)
        assert (state[CHANCE], state[LOG], logged[LOG]) == (7, None, ())
        assert len(state[PLACE]) == sum(len(x) for x in state[rules.shape.size :])
        for at, value in enumerate(state):
            if isinstance(value, list):
                value += [99]
            else:
                state[at] = 99
        assert rules.first(7, True) == logged
    assert both(name).left.rules(players, {}).first(7, True) == logged


def test_a_game_is_started_for_the_players_and_the_chance_it_knows_alone() -> None:
    made = both("dos").right
    assert made.start(2, 3).legal() == made.start(seed=3).legal()
    for players in (9, [2], "2", 0):
        with pytest.raises(ValueError, match="is for 2 to 4 players, not"):
            made.start(players)
    with pytest.raises(ValueError, match="chance is seeded or explicit, not loaded"):
        made.start(2, chance="loaded")


CLASH = """hoyle 1

game "Names" for 2 players

components
  card Card(rank: 1..4)  "card {rank}"
  deck in ZONE
    3 Card(rank) for rank in 1..4

zones
  ZONE: pile, hidden
  row: row, open
  hand: pool, seen by owner, each player

state
  VARIABLE = 0
  opener: player
  score = 0 for each player

play
  gather every card into ZONE, shuffled
  deal 5 from ZONE to each hand
  turns p from opener until p.hand is empty
    do move_on(p)

result
  rank p by highest p.score

phase move_on(p: player)
  VARIABLE = p.score + 1
  choose p
    option lay(ARGUMENT in p.hand)
      move ARGUMENT to row
      p.score += ARGUMENT.rank + VARIABLE
    option add(b in 1..2) when VARIABLE < 9
      p.score += b
"""


WORDS = """most choice totals choices forced wanders steps made decisions block n total faces zones variables
whole settings seat dealt at"""


@pytest.mark.parametrize("role", ["ZONE", "VARIABLE", "ARGUMENT"])
@pytest.mark.parametrize("word", WORDS.split())
def test_names_of_the_function_are_free_for_specs(word: str, role: str) -> None:
    text = CLASH
    for place in ("ZONE", "VARIABLE", "ARGUMENT"):
        text = text.replace(place, word if place == role else place.lower())
    made = Both(load_text(text))
    for seed in range(10):
        assert play(made, 2, seed, 200) == "finished"
        assert made.play(2, seed, every=4) == "finished"


STUCK = """
hoyle 1

game "Stuck" for 3 players

components
  card Number(value: 1..9)  "{value}"
  deck in stock
    1 Number(v) for v in 1..9

zones
  stock: pile, hidden
  heap:  pile, open
  hand:  pool, seen by owner, each player

state
  started: player

play
  shuffle stock
  deal 2 from stock to each hand
  turns p from started until size of heap is 6
    choose p
      option lay(c in p.hand where heap is empty or c.value > (top of heap).value)
        move c to heap

result
  rank p by lowest size of p.hand
"""


def test_who_has_no_move_is_named_whoever_chooses() -> None:
    ends = Both(load_text(STUCK))
    named = set()
    for seed in range(30):
        [left], [right] = [
            [str(x.fault) for x in made.playouts(1, players=3, seed=seed)] for made in (ends.left, ends.right)
        ]
        assert left == right
        named.add(left.partition("must")[0].rpartition(" ")[0])
    assert len(named) == 3  # each of the players, in one game or another


def test_a_seat_is_noted_late_only_where_one_variable_always_has_it() -> None:
    one = ["if at == 3:", "    S[SEAT] = mover  # 7", "    at, block = ~4, 4", "    continue"]
    other = [x.replace("mover", "p") for x in one]
    made = ["if at == 3:", "    S[SEAT] = LEFT[mover]", "    at, block = ~4, 4", "    continue"]
    assert seats_in([one, one], ["mover", "p"]) == {4: "mover"}
    for branches in ([one, other], [one, made], [one, ["    at, block = ~4, 4"]], [other]):
        assert seats_in(branches, ["mover"]) == {}
    assert [x for x in noted_late(one, {4: "mover"}) if "SEAT" in x] == []
    assert list(noted_late(one, {})) == one
