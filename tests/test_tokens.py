"""Tokens: given as many as there are, capped, never lost; what the log and a scenario know of them; what can't be."""

from __future__ import annotations

from typing import Any

import pytest

from hoyle.interpret import Game
from hoyle.scenarios import run
from hoyle.session import load
from lockstep import module_of
from made_up_specs import checked

SPEC = """hoyle 1

game "Purse" for 2..3 players

parameters
  cap = 4 in 2..6

components
  token gem 9, 2 to each player, at most cap each
  token pin 6 worth 3

zones
  pot:   tokens
  stake: tokens, each player

state
  first_one: player

play
  for p in players
    choose p
      option take(n in 0..9)
        give n gem to p
      option stake(n in 0..9)
        give n gem from p to p.stake
      option pay_in
        give all gem from p to pot
      option hand_on(q in others of p)
        give up to 3 gem from p to q
      option owe
        give p.gem - 4 gem to p

result
  rank p by highest p.gem
"""


def program() -> Any:
    report, made = checked(SPEC)
    assert made is not None, report.errors
    return made


@pytest.fixture(params=["interpreted", "compiled"])
def game(request: pytest.FixtureRequest) -> Any:
    return Game(program()) if request.param == "interpreted" else module_of(program())


def told(table: Any, seat: int) -> list[str]:
    return [e["text"] for e in table.log(seat) if e["kind"] == "flow"]


def test_a_table_begins_with_what_is_said(game: Any) -> None:
    for players, left in ((2, 5), (3, 3)):
        state = game.start(players=players).view(0)["state"]
        assert state["gem"] == [2] * players and state["gem in supply"] == left
        assert (
            state["pin in supply"] == 6
            and state["gem in pot"] == 0
            and state["gem in stake"] == [0] * players
        )


def test_nobody_takes_more_than_the_cap_and_the_rest_stays(game: Any) -> None:
    table = game.start(players=2)
    table.play("take(9)")
    assert table.view(1)["state"]["gem"] == [4, 2] and table.view(1)["state"]["gem in supply"] == 3
    assert told(table, 1) == ["2 gem: supply -> player 1"]


def test_no_more_are_given_than_there_are(game: Any) -> None:
    table = game.start(players=2)
    table.play("stake(9)")
    assert table.view(0)["state"]["gem in stake"] == [2, 0]
    assert told(table, 0) == ["2 gem: player 1 -> player 1's stake"]
    table.play("pay_in")
    assert table.view(0)["state"]["gem in pot"] == 2 and told(table, 0)[-2:] == [
        "2 gem: player 2 -> pot",
        "the game is over",
    ]


def test_what_another_can_not_take_goes_to_the_supply(game: Any) -> None:
    table = game.start(players=2, cap=3)
    table.play("hand_on(player 2)")
    assert table.view(0)["state"]["gem"] == [0, 3] and table.view(0)["state"]["gem in supply"] == 6
    assert told(table, 0) == ["1 gem: player 1 -> player 2", "1 gem: player 1 -> supply"]


def test_fewer_than_none_are_a_fault(game: Any) -> None:
    table = game.start(players=2)
    with pytest.raises(Exception, match="one can't give -2 gem"):
        table.play("owe")


def test_saves_hold_tokens(game: Any) -> None:
    table = game.start(players=3)
    table.play("take(1)")
    again = game.restore(table.save())
    assert again.view(2) == table.view(2) and again.legal() == table.legal()


def test_a_scenario_can_not_give_more_than_there_are(tmp_path: Any) -> None:
    path = tmp_path / "purse.hoyle"
    text = SPEC + '\nscenario "much" for 3 players ann, bob, cid\n  given {}\n  then supply.gem is {}\n'
    for given, left, passes in (
        ("ann.gem = 4", 1, True),
        ("supply.gem = 1", 1, True),
        ("pot.gem = 3", 0, True),
    ):
        path.write_text(text.format(given, left), encoding="utf-8")
        assert all(r.passed for r in run(load(str(path)))) == passes
    path.write_text(text.format("pot.gem = 4", 0), encoding="utf-8")
    (result,) = run(load(str(path)))
    assert not result.passed and "more gem are given than the 9 that there are" in result.problems[0]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("token gem 9", "token gem 0", "E430"),
        ("token gem 9", "token gem 5", "E430"),
        ("token gem 9", "token gem nine", "E404"),
        ("2 to each player", "8 to each player", "E430"),
        ("2 to each player", "2 to each player, 1 to each player", "E430"),
        ("worth 3", "worth -3", "E430"),
        ("pot:   tokens", "pot:   tokens, hidden", "E407"),
        ("give n gem to p\n", "give n gme to p\n", "E201"),
        ("give n gem to p\n", "give n gem to pit\n", "E201"),
        ("give n gem to p\n", "give n gem to supply\n", "E431"),
        ("give n gem to p\n", "give n gem to 3\n", "E431"),
        ("give n gem to p\n", "give gem n to p\n", "E431"),
        ("give n gem to p\n", "give n first_one to p\n", "E431"),
        ("give n gem to p\n", "give -1 gem to p\n", "E301"),
        ("give n gem to p\n", "p.gem = 3\n", "E504"),
        ("rank p by highest p.gem", "rank p by highest p.gem + pot", "E431"),
        ("rank p by highest p.gem", "rank p by highest gem", "E211"),
        ("rank p by highest p.gem", "rank p by highest supply.gme", "E201"),
        ("token gem 9", "token wins 9", "E203"),
    ],
)
def test_a_slip_is_told_once(old: str, new: str, code: str) -> None:
    assert SPEC.count(old) == 1
    report, made = checked(SPEC.replace(old, new))
    codes = [d.code for d in report.errors]
    if code != "E203":  # where the name of a token is none, all that asks for the old one is told too
        assert codes == [code] and made is None
    assert code in codes and all(d.mend for d in report.errors)
