"""Secret choices, reactions and sets of cards: what is offered, what is told to whom and when."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Fault, Game, Table
from hoyle.runtime.chance import mix, pick
from hoyle.runtime.shape import ChoiceShape
from hoyle.runtime.state import BLOCK
from hoyle.scenarios import _Player
from hoyle.scenarios import run as run_scenarios
from hoyle.session import SpecError, load_text
from lockstep import module_of
from made_up_specs import accepted, specs
from specs_for_tests import counts, game, play_at_random

EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
HIDING = ["passing", "sealed"]


def choice(table: Table) -> ChoiceShape:
    """Return the choice at which a table stands."""
    return table._rules.shape.choices[table.state[BLOCK]]


def told(table: Table, seat: int | None) -> list[str]:
    return [x["text"] for x in table.log(seat)]


def known(table: Table, seat: int) -> tuple[Any, Any]:
    """Return all that a seat is told."""
    return table.view(seat), table.log(seat)


def batch(table: Table, seed: int) -> None:
    """Let everybody who is asked in secret answer at random."""
    seed = mix(seed, 2)
    begun = choice(table).secret
    while table.turn is not None and begun is not None and choice(table).secret == begun:
        legal = table.legal()
        seed, place = pick(seed, len(legal))
        table.step(legal[place])
        if table.turn == 0 and not choice(table).more:
            break


# ---- scenarios of the small specs ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["passing", "sealed", "dares"])
def test_the_scenarios_of_the_small_specs_pass(name: str) -> None:
    assert [x.problems for x in run_scenarios(game(name)) if not x.passed] == []


# ---- nothing is told before the last has answered -----------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(HIDING))
def test_an_answer_changes_nothing_for_the_others(name: str, players: int) -> None:
    """Whatever a player answers, and in how many picks, the others are told the same until the last has answered."""
    compared = 0
    for seed in range(12):
        table = game(name).start(players=players, seed=seed)
        for number in play_at_random(table, seed, most=60):
            compared += same_to_others(table, mix(seed, number))
    assert compared > 60


@settings(max_examples=EXAMPLES or 40, derandomize=not EXAMPLES, suppress_health_check=list(HealthCheck))
@given(specs(), st.integers(0, 1 << 32))
def test_an_answer_changes_nothing_for_the_others_in_made_up_specs(text: str, seed: int) -> None:
    made = Game(accepted(text))
    with suppress(Fault):
        table = made.start(players=made.counts[-1], seed=seed)
        for number in play_at_random(table, seed, most=16):
            same_to_others(table, mix(seed, number))


def same_to_others(table: Table, seed: int) -> int:
    """Let the player who is asked in secret answer in several ways; return how often the others were told the same."""
    who, here, compared = table.turn, choice(table), 0
    if who is None or here.secret is None or here.more:
        return 0
    ends = [answered(table, mix(seed, i), who) for i in range(4)]
    for one, other in pairwise([x for x in ends if x is not None]):
        assert one.turn == other.turn
        for seat in set(range(table.players)) - {who}:
            assert known(one, seat) == known(other, seat)
            compared += 1
    return compared


def answered(table: Table, seed: int, who: int) -> Table | None:
    """Return a copy of the table on which a player has answered at random; None if that was the last answer."""
    after, begun = table.copy(), choice(table).secret
    assert begun is not None
    while after.turn == who:
        legal = after.legal()
        seed, place = pick(seed, len(legal))
        after.step(legal[place])
        if (
            after.turn is None
            or choice(after).secret != begun
            or after.state[begun.asked] < table.state[begun.asked]
        ):
            return None
    return after


@pytest.mark.parametrize(("name", "players"), counts(HIDING))
def test_the_answerer_is_told_at_once_and_the_others_that_there_is_an_answer(name: str, players: int) -> None:
    table = game(name).start(players=players, seed=3)
    for _ in play_at_random(table, 3, most=30):
        here = choice(table)
        if here.secret is not None and not here.more and table.turn == 0:
            move = table.moves()[0]
            after = table.copy()
            after.play(move)
            assert told(after, 0)[-1] == f"player 1, unseen: {move.text}"
            complete = after.turn != 0
            assert (told(after, 1)[len(told(table, 1)) :] == ["player 1 has chosen"]) == complete
            return
    raise AssertionError("nobody was asked in secret")


@pytest.mark.parametrize(("name", "players"), counts(HIDING))
def test_picks_do_not_show_in_the_number_of_decisions(name: str, players: int) -> None:
    table = game(name).start(players=players, seed=5)
    for _ in play_at_random(table, 5):
        before, more = table.view(1)["decisions"], choice(table).more
        after = table.copy()
        after.step(table.legal()[0])
        assert after.view(1)["decisions"] == before + (0 if more else 1)


@pytest.mark.parametrize(("name", "players"), counts(HIDING))
def test_when_all_is_told_it_is_told_once_and_in_the_order_of_the_answers(name: str, players: int) -> None:
    """The lines of kind move are as many as moves begun; those of one batch come in the order of the seats."""
    for seed in range(4):
        table, begun = game(name).start(players=players, seed=seed), 0
        for _ in play_at_random(table, seed):
            begun += not choice(table).more
        for seat in range(players):
            moves = [x for x in table.log(seat) if x["kind"] == "move"]
            assert len(moves) == begun or name == "sealed"  # there a body may end the rest
            assert len(moves) <= begun


def test_what_is_passed_is_masked_for_those_who_do_not_see_it() -> None:
    table = game("passing").start(players=4, seed=1)
    batch(table, 1)
    for seat in range(4):
        lines = [x for x in told(table, seat) if ": pass(" in x and "unseen" not in x]
        assert len(lines) == 4
        for giver, line in enumerate(lines):
            seen = seat in (giver, (giver + 1) % 4)
            assert (line == f"player {giver + 1}: pass(3 cards)") != seen, (seat, line)


def test_cards_known_to_a_batch_are_there_in_the_shape() -> None:
    """What draws the answers of others anew finds where the asking began and where the answers lie."""
    table = game("sealed").start(players=3, seed=2)
    secret = choice(table).secret
    assert secret is not None
    table.play("bids 4")
    assert table.state[secret.answer] == 1 and table.state[secret.answer + 1] == 0
    place, reading = secret.arguments[0]
    assert (table.state[place], reading) == (4, ("number",))
    assert table.state[secret.choosers] == ((0,), (1,), (2,)) and table.state[secret.asked] == 2
    again = table.copy()
    again.state[secret.asked], again.state[BLOCK] = 0, secret.begin
    again._rules.advance(again.state)
    assert again.turn == 0 and choice(again).secret == secret


def test_answers_that_were_never_carried_out_are_forgotten_before_the_next_asking() -> None:
    text = CARDS.replace("  choose p\n    option take(BINDERS)\n      move cards to shown\n", ENDING)
    made = load_text(text.replace("      p.score += size of cards\n    option leave\n", ""))
    table = made.start(seed=1)
    secret = choice(table).secret
    assert secret is not None
    table.play("stop")
    table.play("stop")
    assert [table.state[secret.answer + seat] for seat in range(2)] == [0, 0]
    assert [x for x in told(table, 0) if x == "player 1: stop"] == ["player 1: stop"]


ENDING = """  repeat 2 times
    repeat
      choose secretly each q in players
        option stop
          end repeat
"""


# ---- sets of cards ------------------------------------------------------------------------------------------

CARDS = """hoyle 1

game "Sets" for 2 players

components
  enum Colour = red, blue
  card Number(colour: Colour, value: 1..6)  "{colour} {value}"
  card Joker
  deck in stock
    2 Number(k, v) for k in Colour, v in 1..6
    2 Joker

zones
  stock: pile, hidden
  shown: row, open
  hand:  pool, seen by owner, each player

parameters
  least = 2 in 0..3

define value_of(c: card)
  when c is Number: c.value
  otherwise: 0

play
  do act(left of left of first_one)

state
  first_one: player
  score = 0 for each player

result
  rank p by highest p.score

phase act(p: player)
  shuffle stock
  move 5 from stock to p.hand
  choose p
    option take(BINDERS)
      move cards to shown
      p.score += size of cards
    option leave
"""


def laid(binders: str, hand: str, **settings: int) -> list[str]:
    """Return the arguments of all the sets that can be taken from a hand, however they are taken."""
    text = CARDS.replace("BINDERS", binders).replace("  shuffle stock\n  move 5 from stock to p.hand\n", "")
    given = "".join(f"  given {k} = {v}\n" for k, v in settings.items())
    scenario = (
        f'\nscenario "x" for 2 players ann, bob\n{given}  given ann.hand = "{hand}"\n  start at act(ann)\n'
    )
    made = load_text(text + scenario + "  then next is ann\n")
    player = _Player(made, made.program.scenarios[0])
    player.run()
    assert player.table is not None and not player.problems
    return sorted(wholes(player.table))


def wholes(table: Table) -> list[str]:
    """Return the sets that the picks from here lead to, as the faces laid in the open."""
    found = []
    for move in table.moves():
        after = table.copy()
        after.play(move)
        if after.turn is None:
            taken = after.view(0)["zones"]["shown"]["cards"]
            found += [", ".join(taken)] if move.option != "leave" else []
        else:
            found += wholes(after)
    return found


def listed(hand: str, low: int, high: int) -> list[str]:
    """Return every set of so many cards of a hand, each once."""
    faces = hand.split(", ")
    sets = {tuple(x) for size in range(low, high + 1) for x in combinations(faces, size)}
    return sorted(", ".join(x) for x in sets)


HAND = "red 1, red 1, red 4, blue 2, blue 5, Joker"  # in the order of the faces


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        ("1", 1, 1),
        ("2", 2, 2),
        ("3", 3, 3),
        ("1..2", 1, 2),
        ("2..4", 2, 4),
        ("up to 1", 0, 1),
        ("up to 3", 0, 3),
        ("any number of", 0, 6),
        ("6", 6, 6),
        ("least", 2, 2),
        ("least..4", 2, 4),
        ("up to least", 0, 2),
    ],
)
def test_every_set_can_be_taken_once_in_either_form(count: str, low: int, high: int) -> None:
    assert laid(f"{count} cards in p.hand", HAND) == listed(HAND, low, high)


@pytest.mark.parametrize("least", [0, 1, 3])
@pytest.mark.parametrize("count", ["least", "least..4", "up to least"])
def test_a_parameter_says_how_many(count: str, least: int) -> None:
    low, high = {"least": (least, least), "least..4": (least, 4), "up to least": (0, least)}[count]
    assert laid(f"{count} cards in p.hand", HAND, least=least) == listed(HAND, low, high)


@pytest.mark.parametrize("count", ["2", "3", "up to 3", "2..4"])
def test_a_condition_on_each_card_sifts_them(count: str) -> None:
    low, high = {"2": (2, 2), "3": (3, 3), "up to 3": (0, 3), "2..4": (2, 4)}[count]
    big = "red 4, blue 2, blue 5"
    wanted = listed(big, low, high)
    assert laid(f"{count} cards in p.hand where every c in cards where value_of(c) > 1", HAND) == wanted
    assert laid(f"{count} cards in {{c in p.hand where value_of(c) > 1}}", HAND) == wanted


def test_a_type_sifts_them() -> None:
    assert laid("3 Number cards in p.hand", HAND) == listed(HAND.removesuffix(", Joker"), 3, 3)


def test_a_set_can_be_asked_about_as_a_whole_where_there_are_few() -> None:
    found = laid("2 cards in p.hand where (sum of value_of(c) for c in cards) is 6", HAND)
    assert found == ["red 1, blue 5", "red 4, blue 2"]


def test_equal_cards_of_a_set_count_each() -> None:
    assert laid("2 cards in p.hand where (sum of value_of(c) for c in cards) is 2", HAND) == sorted(
        ["red 1, red 1", "blue 2, Joker"]
    )


@pytest.mark.parametrize(("count", "few"), [("2", True), ("3", False), ("up to 2", True), ("2..3", False)])
def test_few_sets_are_one_move_each_and_many_are_picked(count: str, few: bool) -> None:
    table = load_text(CARDS.replace("BINDERS", f"{count} cards in p.hand")).start(seed=3)
    first = next(m for m in table.moves() if m.option == "take" and "nothing" not in m.call)
    table.play(first)
    assert (table.turn is None) == few


def test_an_option_with_too_few_cards_is_not_offered() -> None:
    for count in ("2", "4", "4..6"):
        assert laid(f"{count} cards in p.hand", "red 1") == []


def test_picks_rise_and_one_may_stop_only_when_there_are_enough() -> None:
    table = load_text(CARDS.replace("BINDERS", "2..4 cards in p.hand")).start(seed=8)
    table.play(next(m for m in table.moves() if m.option == "take"))
    assert "done" not in [m.call for m in table.moves()]
    table.play(table.moves()[0])
    assert "done" in [m.call for m in table.moves()]
    before = table.scores
    table.play("done")
    assert sum(table.scores) == sum(before) + 2


def test_the_form_does_not_depend_on_the_table() -> None:
    """A hand of two gives few sets, but the deck could give many: numbers of moves are the same in every game."""
    table = load_text(CARDS.replace("BINDERS", "3 cards in p.hand").replace("move 5", "move 3")).start(seed=1)
    offered = [m for m in table.moves() if m.option == "take"]
    assert [len(m.arguments) for m in offered] == [1] and "," not in offered[0].call


@pytest.mark.parametrize(
    ("binders", "code"),
    [
        ("3 cards in p.hand where (sum of value_of(c) for c in cards) is 6", "E611"),
        ("3 cards in p.hand, c in {d in shown where size of cards > 2}", "E611"),
        ("2 a, b in p.hand", "E612"),
        ("2 q in players", "E612"),
        ("2 cards in p.hand, 2 others_too in shown", "E612"),
        ("27 cards in p.hand", "E613"),
        ("0 cards in p.hand", "E613"),
        ("3..2 cards in p.hand", "E613"),
        ("3 cards in p.hand where every c in {d in p.hand} where c is Joker", ""),
    ],
)
def test_what_can_not_be_said_is_told_with_its_own_code(binders: str, code: str) -> None:
    text = CARDS.replace("BINDERS", binders)
    if " cards in p.hand" not in binders:
        text = text.replace("      move cards to shown\n      p.score += size of cards\n", "")
    try:
        load_text(text)
        found = ""
    except SpecError as wrong:
        found = next((d.code for d in wrong.report.errors), "")
    assert found == code


def test_a_count_stands_in_options_only() -> None:
    text = CARDS.replace("BINDERS", "2 cards in p.hand").replace(
        "  shuffle stock\n", "  for 2 c in p.hand\n    shuffle stock\n"
    )
    with pytest.raises(SpecError) as wrong:
        load_text(text)
    assert [d.code for d in wrong.value.report.errors] == ["E612"]


def test_a_set_that_lands_in_the_open_is_named_to_all() -> None:
    for count in ("2", "3"):
        table = load_text(CARDS.replace("BINDERS", f"{count} cards in p.hand")).start(seed=4)
        while table.turn is not None:
            table.play(next(m for m in table.moves() if m.option == "take"))
        (line,) = [x["text"] for x in table.log(1) if x["kind"] == "move"]
        assert "a card" not in line and line.count(",") == int(count) - 1


# ---- reactions ----------------------------------------------------------------------------------------------


def test_a_reaction_asks_in_order_and_ends_with_the_first_who_does_not_pass() -> None:
    table = game("dares").start(players=4, seed=1)
    table.play(table.moves()[0])
    asked = []
    for move in ("pass", "pass", "challenge"):
        asked.append(table.turn)
        table.play(move)
    assert asked == [1, 2, 3] and "take" in table.ask


def test_a_pass_is_offered_where_none_is_written_and_written_once_otherwise() -> None:
    table = game("dares").start(players=3, seed=1)
    table.play(table.moves()[0])
    assert [m.call for m in table.moves()].count("pass") == 1
    table.play("challenge")
    assert [m.call for m in table.moves()] == ["take", "pass"]


# ---- showing ------------------------------------------------------------------------------------------------


def test_cards_are_shown_to_those_named_and_lie_where_they_lay() -> None:
    text = CARDS.replace(
        "    option take(BINDERS)\n      move cards to shown\n      p.score += size of cards\n", ""
    )
    shown = "  show p.hand to TO\n  show top of stock, {c in p.hand where c is Joker} to all\n  choose p\n"
    for to, sees in (("p", [0]), ("others of p", [1]), ("left of p", [1]), ("all", [0, 1]), ("{p}", [0])):
        made = load_text(text.replace("  choose p\n", shown.replace("TO", to)))
        for table in (made.start(seed=6), module_of(made.program).start(seed=6)):
            hand = table.view(0)["zones"]["hand"][0]["cards"]
            for seat in range(2):
                line = next(x for x in told(table, seat) if "player 1's hand, shown to" in x)
                faces = ", ".join(hand)
                assert line.startswith(faces if seat in sees or seat == 0 else "5 cards:")
                assert table.view(seat)["zones"]["hand"][0]["cards"] == (hand if seat == 0 else [None] * 5)


def test_what_is_shown_must_be_cards_and_to_players() -> None:
    for line in ("show p to all", "show p.hand to 3", "show 4 to p", "show p.hand to p.hand"):
        with pytest.raises(SpecError) as wrong:
            load_text(
                CARDS.replace("BINDERS", "2 cards in p.hand").replace("  shuffle stock\n", f"  {line}\n")
            )
        assert wrong.value.report.errors[0].code == "E301"
