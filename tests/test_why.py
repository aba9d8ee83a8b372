"""What forbids a move is told with the words of the spec, by both back ends alike, and never by what is hidden."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from hoyle.program import Choose
from hoyle.runtime.why import Why
from hoyle.session import load_text
from lockstep import Both, module_of
from specs_for_tests import ALL, both, game, play_at_random


def asked(table: Any, move: Any) -> str:
    """Return what a table of either back end says of a move."""
    return str(table.why(move))


@pytest.fixture(params=["interpreted", "compiled"])
def dos(request: pytest.FixtureRequest) -> Any:
    """A table of DOS: player 2 is to move, with red 1, red 7, yellow 6, blue 4, blue 8, blue 9, yellow # in hand."""
    pair = both("dos")
    table = (pair.left if request.param == "interpreted" else pair.right).start(2, 1)
    assert table.view(1)["zones"]["centre"]["cards"] == ["blue 3", "yellow 7"] and table.turn == 1
    return table


WORDS = {
    "draw": "draw is allowed",
    "red 7": "red 7 is allowed: single(red 7, yellow 7, no)",
    'single("red 7")': 'single("red 7") is allowed: single(red 7, yellow 7, no)',
    "Yellow 6": "yellow 6 is allowed: double(red 1, yellow 6, yellow 7, no), double(yellow 6, yellow #, yellow 7, yes)",
    "red 5": "red 5 is not allowed:\n  red 5 is not in your hand (line 97)\n  red 5 is not in centre (line 97)",
    "single(red 7, blue 3)": (
        "single(red 7, blue 3) is not allowed:\n"
        "  single: `numbers(c) meets numbers(t)` does not hold when c is red 7, t is blue 3 (line 98)\n"
        "    > DOS-12, DOS-16: one card equal in number to a card of the centre row; yes if in colour too."
    ),
    "single(red 7, yellow 7, yes)": (
        "single(red 7, yellow 7, yes) is not allowed:\n"
        "  single: yes is not in `bonus({c, t})`: no (line 97)\n"
        "    > DOS-12, DOS-16: one card equal in number to a card of the centre row; yes if in colour too."
    ),
    "double(yellow 6, red 1)": ("double(yellow 6, red 1) is allowed: double(red 1, yellow 6, yellow 7, no)"),
    "double(red 7, red 7)": (
        "double(red 7, red 7) is not allowed:\n"
        "  double: there is no other red 7 in your hand (line 102)\n"
        "    > DOS-13, DOS-16: two cards that add up to a card of the centre row; yes if all are of one colour."
    ),
    "stop": (
        "stop is not allowed:\n"
        "  stop: `matched is not empty` does not hold (line 120)\n"
        "    > DOS-14: match as often as you like, each card of the centre row once."
    ),
    "puts red 7 in the centre row": (
        "puts red 7 in the centre row is not allowed:\n"
        "  add: `drew` does not hold (line 116)\n"
        "    > DOS-22: whoever drew and matched nothing adds a card to the centre row."
    ),
    "place(red 1)": (
        "place(red 1) is not allowed:\n"
        "  place: it is not the choice now, which is among single, double, draw, add, stop (line 130)\n"
        "    > DOS-17, DOS-25: a colour bonus: one more card from the hand, face up, to the centre row."
    ),
    "single(1, 2, 3, 4)": (
        "single(1, 2, 3, 4) is not allowed:\n"
        "  single: it takes c, t, colour (line 97)\n"
        "    > DOS-12, DOS-16: one card equal in number to a card of the centre row; yes if in colour too."
    ),
    "singel": "singel is not allowed:\n  there is no such move; did you mean single?",
    "": "",
}


@pytest.mark.parametrize("move", [m for m in WORDS if m])
def test_the_words(dos: Any, move: str) -> None:
    assert asked(dos, move) == WORDS[move]


def test_a_move_is_known_by_its_number_and_as_such(dos: Any) -> None:
    move = next(m for m in dos.moves() if m.option == "single")
    assert dos.why(move) == dos.why(move.number) == dos.why(str(move.number)) == dos.why(move.call)
    assert dos.why(74006).reasons == dos.why("stop").reasons
    assert "has the number 9999999" in asked(dos, 9_999_999) and "has the number -1" in asked(dos, -1)


def test_an_answer_is_ready_for_json(dos: Any) -> None:
    assert json.loads(json.dumps(dos.why("stop")))[1] is False
    assert dos.why("stop").reasons[0]._asdict()["line"] == 120


def test_to_ask_changes_nothing(dos: Any) -> None:
    before = dos.save()
    for move in WORDS:
        dos.why(move)
    dos.step(dos.legal()[0])
    other = both("dos").left.restore(before)
    other.step(other.legal()[0])
    assert dos.save() == other.save()


def test_when_the_game_is_over_nothing_is_allowed() -> None:
    table = game("dos").start(2, 1, target=50)
    for _ in play_at_random(table, 1):
        pass
    assert "the game is over" in asked(table, "draw")


@pytest.mark.parametrize("name", ALL)
def test_a_number_is_allowed_exactly_if_it_is_legal(name: str) -> None:
    table = game(name).start(seed=3)
    space = game(name).space(table.players)
    for _ in play_at_random(table, 3, most=12):
        legal = table.legal()
        for number in {*legal[:20], *range(0, space, max(1, space // 60))}:
            why = table.why(number)
            assert why.allowed == (number in legal) and bool(why.reasons) != why.allowed


@pytest.mark.parametrize("name", ALL)
def test_every_condition_of_a_legal_move_holds(name: str) -> None:
    """What is asked part by part is the guard: where a move is legal no part fails, or reads what is hidden."""
    table = game(name).start(seed=5)
    rules: Any = table._rules
    for number in play_at_random(table, 5, most=40):
        place, values = rules.place(table.state, number, table._legal())
        exit = game(name).program.blocks[table.state[0]].exit
        assert isinstance(exit, Choose)
        for part in range(len(exit.options[place].conditions)):
            state = rules.shape.copy(table.state)
            assert rules.ask(state, table.state[0], place, len(values) + part, values)


# ---- what is hidden -------------------------------------------------------------------------------------------

PEEK = """hoyle 1

game "Peek" for 2 players

components
  card Number(value: 1..9)
  deck in stock
    1 Number(n) for n in 1..9

zones
  stock: pile, hidden
  hand:  pool, seen by owner, each player
  row:   row, open

state
  hoard: set of Number
  lead: player

play
  shuffle stock
  deal 3 from stock to each hand
  hoard = {c in lead.hand where c.value > 4}
  turns p from lead until size of row > 3
    do take_turn(p)

phase take_turn(p: player)
  let q = left of p
  let best = sum of c.value for c in q.hand
  let mine = size of p.hand
  let flat = yes
  for c in q.hand
    if c.value > 4
      flat = no
  choose p
    option high(c in p.hand where c.value > 3 and c.value > best)
      move c to row
    option above(c in p.hand where every d in q.hand where d.value < c.value)
      move c to row
    option round(c in p.hand where flat and c.value > 2)
      move c to row
    option hoarded(c in p.hand where size of hoard > 1)
      move c to row
    option theirs(c in q.hand where c.value > 99)
      move c to row
    option few(c in p.hand where mine > 3 and size of q.hand > 3)
      move c to row
    option any_card(c in p.hand)
      move c to row

result
  rank p by lowest size of p.hand
"""


@pytest.fixture(scope="module")
def peek() -> Both:
    return Both(load_text(PEEK))


def reasons(why: Why) -> list[str]:
    return [reason.text for reason in why.reasons]


HIDDEN = {
    "high": "`c.value > best` asks about cards that you do not see",
    "above": "`every d in q.hand where d.value < c.value` asks about cards that you do not see",
    "round": "`flat` asks about cards that you do not see",
    "theirs": "you do not see all of `q.hand`",
}


@pytest.mark.parametrize("option", HIDDEN)
def test_a_condition_on_hidden_cards_is_named_and_not_asked(peek: Both, option: str) -> None:
    told = set()
    for seed in range(40):
        for back_end in (peek.left, peek.right):
            why = back_end.start(seed=seed).why(option)
            if not why.allowed:
                told |= {text for text in reasons(why) if "does not hold" not in text}
                assert all("best" not in t and "flat" not in t for t in reasons(why) if "does not hold" in t)
    assert told == {HIDDEN[option]}


def test_remembered_cards_are_asked_about_where_they_are_seen(peek: Both) -> None:
    said = set()
    for seed in range(40):
        table = peek.left.start(seed=seed)
        for _ in range(2):
            why = table.why("hoarded")
            said |= {(table.turn == 0, text) for text in reasons(why)}
            table.play(next(m for m in table.moves() if m.option == "any_card"))
    own, other = (
        "`size of hoard > 1` does not hold",
        "`size of hoard > 1` asks about cards that you do not see",
    )
    assert {(True, own), (False, other)} <= said and (True, other) not in said


def test_sizes_are_no_secret(peek: Both) -> None:
    for back_end in (peek.left, peek.right):
        said = reasons(back_end.start(seed=1).why("few"))
        assert said == ["`mine > 3` does not hold", "`size of q.hand > 3` does not hold"]


def test_the_two_agree_in_peeking(peek: Both) -> None:
    for seed in range(30):
        peek.play(2, seed, every=1)


# ---- at the terminal ------------------------------------------------------------------------------------------


def test_a_refused_move_is_told_with_its_reason() -> None:
    from test_terminal import own_cards, play

    card = next(c for c in range(1, 10) if c not in own_cards())
    text = play(f"play card {card}", f"why play card {card}", "why draw", "why", "why 1", "quit")
    assert text.count(f"play: card {card} is not in your hand (line 7)\n    > Play a card.") == 2
    assert text.count("draw is allowed") == 2 and "Type `why` and a move or a card." in text


# ---- tricks, and several cards at once ----------------------------------------------------------------------

SETS = """hoyle 1

game "Sets" for 2 players

components
  card Fish(weight: 1..4)  "fish {weight}"
  card Net
  deck in stock
    2 Fish(w) for w in 1..4
    4 Net

zones
  stock: pile, hidden
  pond: row, open
  hand: pool, seen by owner, each player

play
  shuffle stock
  deal 6 from stock to each hand
  repeat 3 times
    for p in players
      choose p
        option trade(2..3 Fish fish in p.hand, q in others of p where (sum of c.weight for c in fish) > 6)
          > Trade heavy fish.
          move fish to pond
        option nets(up to 2 Net nets in p.hand)  "throws {nets}"
          move nets to pond
        option heavy(1..2 Fish many in p.hand where every f in many where f.weight > 2)
          move many to pond

result
  rank p by highest size of p.hand
"""


@cache
def sets() -> tuple[Any, Any]:
    made = load_text(SETS)
    return made, module_of(made.program)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("trade(fish 1)", "it takes `2..3 Fish fish in p.hand`"),
        (
            "trade(fish 1)",
            "`(sum of c.weight for c in fish) > 6` does not hold when fish is fish 1",
        ),
        (
            "trade(fish 2, fish 1)",
            "`(sum of c.weight for c in fish) > 6` does not hold when fish is fish 1, fish 2",
        ),
        ("trade(fish 4, fish 3, player 2)", "fish 4 is not in your hand"),
        ("trade(fish 2, fish 2, fish 2)", "there is no other fish 2 in your hand"),
        ("nets(fish 1)", "fish 1 is no card for `nets`"),
        ("throws Net, Net", "there is no other Net in your hand"),
        ("heavy(fish 3, fish 1)", "fish 1 does not fit `every f in many where f.weight > 2`"),
    ],
)
def test_of_several_cards_it_is_told_which_does_not_do(asked: str, told: str) -> None:
    for back_end in sets():
        table = back_end.start(seed=2)
        assert table.view(0)["zones"]["hand"][0]["cards"] == [
            *("fish 1", "fish 2", "fish 2", "fish 3", "fish 3", "Net")
        ]
        why = table.why(asked)
        assert not why.allowed
        assert told in [reason.text for reason in why.reasons]


def test_cards_that_are_picked_one_by_one_are_named_one_by_one() -> None:
    table: Any = game("hearts").start(seed=1)
    hand = table.view(0)["zones"]["hand"][0]["cards"]
    (reason,) = table.why(f"pass({hand[0]}, {hand[1]}, {hand[2]})").reasons
    assert reason.text == f"its cards are chosen one at a time, beginning with pass({hand[0]})"
    (reason,) = table.why(f"passes {hand[0]}, 2 of clubs").reasons
    assert reason.text == "2 of clubs is not in your hand"


def refusals(name: str, seed: int = 1) -> set[tuple[str, str]]:
    """Return what is told, with its rule text, of all cards that some hand holds and that may not be played."""
    told: set[tuple[str, str]] = set()
    table: Any = both(name).left.start(seed=seed)
    other: Any = both(name).right.start(seed=seed)
    while table.turn is not None and table.decisions < 300:
        moves = table.moves()
        if moves[0].option == "play":
            legal = {move.arguments[0] for move in moves}
            for face in table.view(table.turn)["zones"]["hand"][table.turn]["cards"]:
                if face not in legal:
                    why = table.why(face)
                    assert str(why) == str(other.why(face)), "the back ends agree"
                    told |= {(r.text, r.rule.split(".")[0]) for r in why.reasons}
        move = moves[table.decisions * 7 % len(moves)]
        table.play(move)
        other.play(move.number)
    return told


def test_a_card_that_does_not_follow_is_told_which_link_forbids_it() -> None:
    lead, follow = (
        "The first card of a deal is the two of clubs",
        "Follow suit if you can; otherwise any card will do",
    )
    assert set().union(*(refusals("hearts", seed) for seed in range(1, 9))) == {
        ("one must be led for which `c is Card(clubs, 2)` holds, since there is one", lead),
        ("one must be led for which `hearts_broken or c.suit is not hearts` holds, since there is one", lead),
        ("one must be played for which `c.suit is led.suit` holds, since there is one", follow),
        (
            "one must be played for which `led is not Card(clubs, 2) or points(c) is 0` holds, since there is one",
            follow,
        ),
    }


def test_where_nothing_is_said_of_following_one_must_follow_suit() -> None:
    told = {text for seed in range(5) for text, _ in refusals("contract", seed)}
    assert "one must follow suit, and there is a card of the suit led" in told
