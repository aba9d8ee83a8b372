"""Tables drawn for a seat: whole games, by both back ends; see `test_knowledge.py` for what is drawn how often."""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache
from itertools import permutations

import pytest

from hoyle.runtime.chance import mix, pick, seeded
from hoyle.runtime.game import BaseGame
from hoyle.runtime.resampling import as_chain, as_list
from hoyle.runtime.state import CHANCE, LOG, PLACE
from hoyle.runtime.table import Table
from hoyle.session import load_text
from lockstep import module_of
from specs_for_tests import game

HEAD = """hoyle 1

game "Passing" for 3 players

components
  card Number(value: 1..6)  "{value}"
  deck in stock
    1 Number(v) for v in 1..6

zones
  stock: pile, hidden
  shelf: row, open
  hand: pool, seen by owner, each player
  passed: pool, hidden, each player

state
  first_player: player
  memory: card or none

result
  rank p by highest size of p.hand
"""

PASSING = (
    HEAD
    + """
play
  shuffle stock
  deal 2 from stock to each hand
  for p in players
    choose p
      option give(c in p.hand)
        move c to p.passed
  for p in players
    move all from p.passed to (left of p).hand
  choose first_player
    option look(c in first_player.hand)
      memory = c
  choose first_player
    option done
"""
)


@cache
def passing() -> BaseGame:
    return load_text(PASSING)


@cache
def dos(back_end: str) -> BaseGame:
    return game("dos") if back_end == "interpreted" else module_of(game("dos").program)


def passed_on(seed: int) -> tuple[Table, str, str]:
    """Return a table after all have passed a card, the card that player 1 passed, and the one it got."""
    table = passing().start(seed=seed)
    given = table.moves()[seed % 2].arguments[0]
    kept = next(c for c in table.view(0)["zones"]["hand"][0]["cards"] if c != given)
    for which in (seed % 2, 0, 1):
        table.play(table.moves()[which])
    got = next(c for c in table.view(0)["zones"]["hand"][0]["cards"] if c != kept)
    return table, given, got


def hands(table: Table) -> tuple[tuple[str, ...], ...]:
    shape = table._rules.shape
    return tuple(
        tuple(shape.face(x) for x in table.state[shape.zones[2].first + seat])
        for seat in range(table.players)
    )


@pytest.mark.parametrize("seed", range(4))
def test_a_passed_card_is_known_at_the_neighbour_and_all_else_is_as_likely(seed: int) -> None:
    table, given, _ = passed_on(seed)
    own = hands(table)[0]
    rest = [c for c in "123456" if c not in (*own, given)]
    possible = {
        (own, tuple(sorted((given, order[0]))), tuple(sorted(order[1:]))) for order in permutations(rest)
    }
    found = Counter(hands(table.resample(0, s)) for s in range(1_200))
    assert set(found) == possible
    assert all(abs(n - 400) < 90 for n in found.values())


def test_what_a_seat_knows_is_told_in_words() -> None:
    table, given, _ = passed_on(2)
    there = table.knows(0)["hand"]
    assert there[1]["cards"] == [given, None] and there[2]["cards"] == [None, None]
    assert None not in there[0]["cards"]
    assert json.loads(json.dumps(table.knows(0))) == table.knows(0)
    with pytest.raises(ValueError, match="none of them"):
        table.knows(3)
    with pytest.raises(ValueError, match="none of them"):
        table.resample(-1, 0)


def test_a_variable_goes_with_the_card_it_holds() -> None:
    table, _, _ = passed_on(1)
    table.play(table.moves()[0])
    place = next(v.place for v in table._rules.shape.variables if v.name == "memory")
    held = set()
    for seed in range(60):
        own, other = table.resample(0, seed), table.resample(2, seed)
        assert own.state[place] == table.state[place]
        piece = other.state[place]
        assert other.state[PLACE][piece] == table.state[PLACE][table.state[place]]
        held.add(piece)
    assert len(held) > 1


@pytest.mark.parametrize("back_end", ["interpreted", "compiled"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_of_dos(back_end: str, players: int) -> None:
    table, choice = dos(back_end).start(players, 11, target=50), seeded(3)
    while table.turn is not None:
        for seat in range(players):
            drawn = table.resample(seat, table.decisions)
            assert drawn.view(seat) == table.view(seat)
            assert not table._telling.recollection.kept[seat][2].lost
            conserved(drawn, table)
            if seat == table.turn:
                assert drawn.moves() == table.moves()
        choice, which = pick(choice, len(table.legal()))
        table.step(table.legal()[which])
    for seat in range(players):
        assert table.resample(seat, 1).log(seat) == table.log(seat)


def conserved(drawn: Table, table: Table) -> None:
    """Hold that a drawn table has the same cards in zones of the same sizes, pools sorted, places right."""
    shape, state = drawn._rules.shape, drawn.state
    pieces = [x for zone in shape.lists for x in state[zone]]
    assert sorted(pieces) == list(range(len(shape.kind_of)))
    for zone in shape.lists:
        assert len(state[zone]) == len(table.state[zone])
        assert all(state[PLACE][x] == zone for x in state[zone])
        assert not shape.is_pool[zone] or state[zone] == sorted(state[zone])


@pytest.mark.parametrize("back_end", ["interpreted", "compiled"])
def test_a_drawn_table_is_played_to_the_end_and_copied_and_drawn_from_again(back_end: str) -> None:
    table, choice = dos(back_end).start(3, 5, target=50), seeded(8)
    for _ in range(40):
        choice, which = pick(choice, len(table.legal()))
        table.step(table.legal()[which])
    before, state = table.log(1), table._rules.shape.copy(table.state)
    drawn = table.resample(1, 77)
    again = drawn.copy()
    while drawn.turn is not None:
        choice, which = pick(choice, len(drawn.legal()))
        number = drawn.legal()[which]
        drawn.step(number)
        again.step(number)
        if drawn.decisions % 20 == 0:
            for seat in range(3):
                more = drawn.resample(seat, 3)
                assert more.view(seat) == drawn.view(seat)
                assert more.log(seat) == drawn.log(seat)
    assert drawn.outcome == "finished" and drawn.scores == again.scores
    assert drawn.log(1) == again.log(1)
    assert drawn.log(1)[: len(before)] == before
    assert table.state == state and table.log(1) == before


def test_the_future_of_a_drawn_table_is_another() -> None:
    table = dos("interpreted").start(2, 5)
    chances = {table.resample(0, seed).state[CHANCE] for seed in range(20)}
    assert len(chances) == 20 and table.state[CHANCE] not in chances
    assert table.resample(0, 4).state == table.resample(0, 4).state


def test_no_log_of_a_drawn_table_tells_what_the_seat_was_not_told() -> None:
    """The bot that holds it may ask for the log of any seat, and of one who sees every card."""
    table, given, got = passed_on(3)
    drawn = table.resample(0, 5)
    own = {*hands(table)[0], given, got}
    told = [x["text"] for who in (0, 1, 2, None) for x in drawn.log(who)]
    plain = re.sub(r"player \d|\d cards?\b", "", " ".join(told))
    assert set(re.findall(r"\d", plain)) <= own
    assert "give(a card)" in " ".join(told)
    kept = json.dumps(drawn._telling.before)
    assert kept and drawn._retold()[LOG]


def test_guessing_from_drawn_tables_is_no_better_than_chance() -> None:
    """A card of the left neighbour's hand, which was dealt and not passed: one of the three that are left."""
    right, tried = 0, 1_500
    for seed in range(tried):
        table = passing().start(seed=mix(seed, 5))
        guesses = Counter(c for s in range(5) for c in hands(table.resample(0, s))[1])
        right += guesses.most_common(1)[0][0] in hands(table)[1]
    # Two of the four cards that the seat does not see are there.
    assert abs(right - tried / 2) < 4 * (tried / 4) ** 0.5


def test_a_seat_that_has_just_come_knows_what_it_sees() -> None:
    table = dos("interpreted").start(2, 9)
    fresh = Table(table._rules, table._rules.shape.copy(table.state), begun=True)
    drawn = fresh.resample(0, 1)
    assert drawn.view(0) == fresh.view(0)
    assert drawn.log(0) == []
    assert fresh.knows(0)["hand"][1]["cards"] == [None] * 7


def test_whoever_is_to_move_can_move() -> None:
    text = HEAD.replace("first_player: player", "first_player: player\n  second: player") + (
        "\nplay\n  shuffle stock\n  deal 2 from stock to each hand\n"
        "  second = left of first_player\n  if any c in second.hand where c.value >= 5\n"
        "    choose second\n      option high(c in second.hand where c.value >= 5)\n        move c to shelf\n"
    )
    made, told = load_text(text), 0
    for seed in range(30):
        table = made.start(seed=seed)
        if table.turn is not None:
            for s in range(10):
                assert table.resample(0, s).legal()
                told += 1
    assert told > 50


@pytest.mark.parametrize("seat", range(3))
def test_what_a_drawn_table_was_told_before_can_be_written_as_json_and_read(seat: int) -> None:
    """A drawn table is its state, what was told before it began, and the moves since then."""
    table = dos("interpreted").start(3, 5, target=50)
    for _ in range(30):
        table.step(table.legal()[-1])
    drawn = table.resample(1, 4)
    text = json.dumps(as_list(drawn._telling.before))
    read = Table(drawn._rules, drawn._rules.shape.copy(drawn.state), begun=True)
    read._telling.before = as_chain(json.loads(text))
    for one in (drawn, read):
        one.step(one.legal()[0])
    assert read.log(seat) == drawn.log(seat)
    assert read.knows(seat) == drawn.knows(seat)
    one, other = read.resample(seat, 2), drawn.resample(seat, 2)
    assert [one.state[i] for i in one._rules.shape.lists] == [other.state[i] for i in one._rules.shape.lists]
