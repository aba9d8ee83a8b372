"""Zones that begin in play for each player or team, and as arguments: what is told of them, and slips."""

from __future__ import annotations

from typing import Any

import pytest

from hoyle.board import lines
from hoyle.interpret import Game
from hoyle.runtime.faults import Fault
from hoyle.scenarios import run
from lockstep import Both, module_of
from made_up_specs import checked
from specs_for_tests import FOLDER, game
from test_language import accepted

TEXT = (FOLDER / "own_melds.hoyle").read_text(encoding="utf-8")


def laid(back_end: Any) -> Any:
    """Return a table at which both players have begun melds and stashes."""
    table = back_end.start(players=2, seed=4)
    for option in ("hide", "lay", "hide", "lay", "hand_on", "hide"):
        moves = [m for m in table.moves() if m.option == option]
        table.play(moves[0] if moves else next(m for m in table.moves() if m.option in ("draw", "hide")))
    return table


@pytest.mark.parametrize("compiled", [False, True])
def test_a_view_holds_the_zones_of_each_player(compiled: bool) -> None:
    table = laid(module_of(game("own_melds").program) if compiled else game("own_melds"))
    for seat in (0, 1):
        zones = table.view(seat)["zones"]
        assert [len(zones[name]) for name in ("melds", "stash")] == [2, 2]
        for owner, there in enumerate(zones["stash"]):
            for one in there:
                assert (None in one["cards"]) == (owner != seat)


def test_a_log_and_a_board_tell_whose_a_zone_is_and_which() -> None:
    table = laid(game("own_melds"))
    told = [e["text"] for e in table.log(0)]
    assert any("-> player 1's stash 1" in x for x in told) and any("player 2's stash 1" in x for x in told)
    shown = "\n".join(lines(table.view(0)))
    assert "player 1 (you), 1  " in shown and "player 2, 1  " in shown


UNCOVERED = """hoyle 1

game "Covers" for 2 players

components
  card Number(value: 1..8)
  card Back
  deck in stock
    1 Number(n) for n in 1..8
  deck in box
    4 Back

zones
  stock: pile, hidden
  box:   pile, open
  own:   piles, top open, each player, at most 2
  heap:  pile, top open

play
  for p in players
    repeat 2 times
      move top of stock to new p.own
  for p in players
    for s in p.own
      move top of box to s
  move top of stock to heap
  move top of stock to heap
  for p in players
    choose p
      option flip(s in p.own where top of s is Back)
        move top of s to box
      option sink(s in p.own where top of s is Back)
        move bottom of s to heap
  move 1 from heap to box

result
  rank p by highest size of p.own
"""


@pytest.mark.parametrize("compiled", [False, True])
def test_a_log_tells_all_what_a_move_uncovers(compiled: bool) -> None:
    program = accepted(UNCOVERED)
    table: Any = (module_of(program) if compiled else Game(program)).start(players=2, seed=1)
    table.play("flip(2)")
    table.play("sink(1)")
    for seat in (0, 1, None):
        told = [e["text"] for e in table.log(seat)]
        found = [(told[n - 1], x) for n, x in enumerate(told) if "now on top" in x]
        moved = ("Back: player 1's own 2 -> box", "7: now on top of player 1's own 2")
        below = ("6: heap -> box", "3: now on top of heap")
        assert found == [moved, below], told


def test_more_than_a_player_can_have_is_a_fault_of_that_player() -> None:
    text = TEXT.replace(" when size of p.stash < 2", "")
    for back_end in (Game(accepted(text)), module_of(accepted(text))):
        table: Any = back_end.start(players=2, seed=1)
        with pytest.raises(Exception, match="there can be no more than 2 of `stash`") as fault:
            for _ in range(9):
                table.play(next(m for m in table.moves() if m.option == "hide"))
        assert type(fault.value).__name__ == Fault.__name__


TEAMS = """hoyle 1

game "Canasta" for 4 players in 2 teams

components
  card Num(value: 1..3, mark: 1..4)
  deck in stock
    2 Num(v, m) for v in 1..3, m in 1..4

zones
  stock: pile, hidden
  hand:  pool, seen by owner, each player
  melds: rows, open, each team, at most 6
  plans: pools, seen by team, each player, at most 2

play
  shuffle stock
  deal 6 from stock to each hand
  turns p from first_one until p.hand is empty
    choose p
      option lay(a, b in p.hand where a.value is b.value)
        move a, b to new (team of p).melds
      option add(c in p.hand, m in (team of p).melds where (first of m).value is c.value)
        do put_there(c, m)
      option plan(c in p.hand) when size of p.plans < 2
        move c to new p.plans
      option give_up
        end game

state
  first_one: player

phase put_there(c: card, m: melds)
  move c to m

result
  rank t in teams by highest size of t.melds

scenario "melds of a team" for 4 players ann, bob, cid, dee
  given (team of bob).melds = "1 1, 1 2"
  given dee.hand = "1 3, 2 1"
  given first_one = dee
  then size of (team of dee).melds is 1 and size of (team of cid).melds is 0
"""


def test_teams_have_such_zones_too() -> None:
    program = accepted(TEAMS)
    assert [r.problems for r in run(Game(program))] == [[]]
    both = Both(Game(program))
    assert {both.play(4, seed, every=4, most=300) for seed in range(8)} == {"finished"}
    table = Game(program).start(players=4, seed=1)
    table.play(next(m for m in table.moves() if m.option == "lay"))
    assert any("-> team 1's melds 1" in e["text"] for e in table.log(2))


@pytest.mark.parametrize(
    ("old", "new", "code", "mend"),
    [
        ("m: melds)", "m: hand)", "E405", "say whose it is, `p: player`, and then `p.hand`"),
        ("m: melds)", "m: stock)", "E405", "leave this out, and write `stock`"),
        ("m: melds)", "m: meld)", "E201", "did you mean `melds`?"),
        ("phase put_there(c: card, m: melds)", "phase put_there(c: card, m: heaps)", "E301", "m in heaps"),
        ("m in q.melds", "m in melds", "E211", "say whose, as in `p.melds`"),
        ("to new p.melds", "to new melds", "E211", "say whose, as in `p.melds`"),
        (
            "to new p.melds",
            "to p.melds",
            "E303",
            "name one of them, as in `m in melds`, or begin one with `new`",
        ),
        ("to new p.melds", "to new p.hand", "E303", "declare it as `piles`, `rows` or `pools`"),
        ("do put_there(c, m)", "do put_there(c, p.melds)", "E301", "name one of them, as in `m in melds`"),
        ("  starter: player\n", "  starter: player\n  best: melds\n", "E111", "write `number`, a range such"),
        ("each hand", "each melds", "E303", "deal to a zone declared with `each player`: hand"),
        (
            "hidden, at most 3",
            "hidden, refilled by shuffling stock",
            "E407",
            "leave out `refilled by shuffling`",
        ),
    ],
)
def test_a_slip_with_zones_that_begin_in_play_is_told_with_a_mend(
    old: str, new: str, code: str, mend: str
) -> None:
    assert old in TEXT
    report, _ = checked(TEXT.replace(old, new, 1))
    found = [(d.code, d.mend) for d in report.errors]
    assert found[0][0] == code and mend in found[0][1]
    assert {c for c, _ in found} == {code}


def test_a_definition_that_is_to_choose_a_zone_is_told_what_to_do() -> None:
    text = TEXT.replace("  move c to m\n  if size", "  move c to place_of(c)\n  if size")
    text += "\ndefine place_of(c: card)\n  when c.value is 1: stock\n  otherwise: players_own\n"
    report, _ = checked(text.replace("players_own", "stock"))
    (error,) = report.errors
    assert error.code == "E303" and "let `piles` begin in play" in error.mend


def test_who_wins_is_not_asked_before_the_end() -> None:
    steps = """
scenario "too early" for 2 players ann, bob
  then ann wins
"""
    (result,) = run(Game(accepted(UNCOVERED + steps)))
    (problem,) = result.problems
    assert problem.endswith("the game is not over yet: ann is to move")
