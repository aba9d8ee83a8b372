"""Teams, the direction of play, who is out, and whose turn is next."""

from __future__ import annotations

import pytest

from hoyle import board, metrics
from hoyle.interpret import Game, Table
from hoyle.runtime.game import BaseGame
from hoyle.session import load_text
from hoyle.simulate import as_json, run
from hoyle.summary import text
from lockstep import module_of
from specs_for_tests import game

HEAD = """hoyle 1

game "Seats" for {players}

components
  card Plain(rank: 1..8)
  deck in stock
    3 Plain(r) for r in 1..8

zones
  stock:   pile, hidden, refilled by shuffling discard but its top
  discard: pile, open
  hand:    pool, seen by owner, each player
{zones}
state
  order = 0
  who: player
  score = 0 for each player
{state}
define worth(c: card) = c.rank

"""
TEAMS = "4 players in 2 teams"
Pair = tuple[BaseGame, BaseGame]


def both(body: str, players: str = "4 players", zones: str = "", state: str = "", result: str = "") -> Pair:
    """Return the game by both back ends."""
    head = HEAD.format(players=players, zones=zones, state=state)
    result = result or "result\n  rank p by highest p.score\n"
    made = load_text(head + body + "\n" + result)
    return made, module_of(made.program)


def ends(body: str, **more: str) -> Table:
    """Return the table of a game in which nobody chooses, the same by both back ends."""
    left, right = (g.start(seed=3) for g in both("play\n" + body, **more))
    assert left.outcome == right.outcome == "finished"
    assert left.view(0) == right.view(0)
    assert (left.scores, left.winners) == (right.scores, right.winners)
    return left


def order(body: str, **more: str) -> int:
    """Return the digits that a game without choices notes down in `order`."""
    shown: int = ends(body, **more).view(0)["state"]["order"]
    return shown


NOTE = "    order = order * 10 + seat(p)\n"
SEAT = "\ndefine seat(p: player) = p.place\n"
NUMBERED = "  place = 0 for each player\n"
COUNT = "  for p in everyone\n    p.place = 1 + (sum of 1 for q in everyone where q.place > 0)\n"


def noted(body: str, players: str = "5 players") -> int:
    """Return in which order a game names its players, counted from 1."""
    body = "play\n" + COUNT + body + SEAT
    left, right = (g.start(seed=3) for g in both(body, players, state=NUMBERED))
    assert left.view(0) == right.view(0)
    shown: int = left.view(0)["state"]["order"]
    return shown


# ---- elimination ---------------------------------------------------------------------------------

OUT = "  eliminate left of who\n"  # player 2


@pytest.mark.parametrize(
    ("loop", "seats"),
    [
        ("players", 1345),
        ("everyone", 12345),
        ("others of who", 345),
        ("seats from who", 1345),
        ("seats from left of who", 3451),
        ("others of right of who", 134),
        ("{q in players where q is not who}", 345),
        ("{q in everyone where q is out}", 2),
    ],
)
def test_those_who_are_out_are_left_out(loop: str, seats: int) -> None:
    assert noted(f"{OUT}  for p in {loop}\n{NOTE}") == seats


@pytest.mark.parametrize(
    ("ask", "seat"), [("left of who", 3), ("right of left of who", 1), ("next of who", 3)]
)
def test_neighbours_are_those_still_in(ask: str, seat: int) -> None:
    assert noted(f"{OUT}  let p = {ask}\n  order = seat(p)\n") == seat


def test_turns_skip_those_who_are_out_and_begin_with_the_next_still_in() -> None:
    body = f"{OUT}  turns p from who until order > 100000\n    if order is 13\n      eliminate right of p\n{NOTE}"
    assert noted(body) == 134514


def test_a_loop_that_goes_on_skips_who_is_eliminated_meanwhile() -> None:
    body = f"  for p in players\n    if order is 1\n      eliminate left of p\n{NOTE}"
    assert noted(body) == 1245


def test_a_loop_through_everyone_goes_on_with_those_who_were_out_before() -> None:
    body = f"{OUT}  for p in everyone\n    if order is 12\n      eliminate left of p\n{NOTE}"
    assert noted(body) == 1235


def test_the_eliminated_get_no_cards() -> None:
    table = ends(OUT + "  deal 2 from stock to each hand\n", players="3 players")
    assert [z["size"] for z in table.view(0)["zones"]["hand"]] == [2, 0, 2]
    assert table.view(0)["state"]["out"] == [1]
    assert any(x.split() == ["out", "player", "2"] for x in board.lines(table.view(0)))


def test_the_eliminated_draw_no_card_for_dealer() -> None:
    table = ends(OUT + "  shuffle stock\n  draw for who from stock by highest worth\n", players="2 players")
    assert table.view(0)["state"]["who"] == 0
    assert not any("player 2 draws" in e["text"] for e in table.log(0))


def test_all_are_ranked_also_who_is_out() -> None:
    assert ends("  (left of who).score = 5\n" + OUT).winners == (1,)


def test_to_ask_one_who_is_out_is_a_fault_with_its_line() -> None:
    body = "play\n  let p = left of who\n  eliminate p\n  choose p\n    option go\n"
    for made in both(body):
        with pytest.raises(Exception, match="player 2 is out of the game and can't choose") as told:
            made.start()
        assert told.value.line == 25  # type: ignore[attr-defined]


def test_no_game_without_elimination_pays_for_it() -> None:
    program = game("dos").program
    assert all(s.name not in ("out", "turns reversed", "next turn", "out before") for s in program.slots)


def test_a_spec_may_have_a_variable_called_reversed() -> None:
    body = "play\n  reverse turns\n  reversed += 3\n  choose who\n    option go\n"
    for made in both(body, state="  reversed = 4\n"):
        shown = made.start().view(0)["state"]
        assert (shown["reversed"], shown["turns reversed"]) == (7, True)


# ---- direction ------------------------------------------------------------------------------------


def test_counter_clockwise_only_left_and_right_change_places() -> None:
    way = "3 players\n  direction: counter-clockwise"
    assert noted(f"  for p in seats from right of who\n{NOTE}", way) == 231
    assert noted(f"  turns p from left of who until order > 100\n{NOTE}", way) == 312


def test_reversed_turns_go_the_other_way_and_loops_do_not() -> None:
    body = f"  reverse turns\n  turns p from who until order > 100\n{NOTE}  order = 0\n  for p in players\n{NOTE}"
    assert noted(body, "3 players") == 123
    assert noted(f"  reverse turns\n  turns p from who until order > 100\n{NOTE}", "3 players") == 132
    assert (
        noted(f"  reverse turns\n  reverse turns\n  turns p from who until order > 100\n{NOTE}", "3 players")
        == 123
    )
    assert noted("  reverse turns\n  let p = next of who\n  order = seat(p)\n", "5 players") == 5


def test_next_turn_is_who_is_named_once() -> None:
    body = f"  turns p from who until order > 10000\n    if order is 0\n      next turn is right of p\n{NOTE}"
    assert noted(body, "4 players") == 14123
    body = f"  turns p from who until order > 10000\n    if order is 1\n      next turn is p\n{NOTE}"
    assert noted(body, "4 players") == 12234


# ---- teams ------------------------------------------------------------------------------------------

WON = "  won: pile, open, each team\n"
POINTS = "  points = 2 for each team\n  side: team\n"


def test_seats_belong_to_the_teams_in_turn() -> None:
    body = "  let p = who\n  (team of p).points += 1\n  side = team of left of p\n"
    table = ends(body, players=TEAMS, state=POINTS)
    view = table.view(1)
    assert view["state"]["points"] == [3, 2] and view["state"]["side"] == "team 2"
    assert view["teams"] == [[0, 2], [1, 3]] and view["by_team"] == ["points"]
    assert any(x.split()[:5] == ["points", "team", "1:", "3,", "team"] for x in board.lines(view))


def test_partners_and_members() -> None:
    assert noted("  let p = partner of left of who\n  order = seat(p)\n", TEAMS) == 4
    assert noted(f"  for t in teams\n    for p in members of t\n  {NOTE}", "6 players in 2 teams") == 135246
    assert noted(f"  for t in teams\n    for p in members of t\n  {NOTE}", "6 players in 3 teams") == 142536


def test_a_team_has_its_own_pile() -> None:
    body = "  move 3 from stock to (team of left of who).won\n"
    table = ends(body, players=TEAMS, zones=WON)
    assert [z["size"] for z in table.view(0)["zones"]["won"]] == [0, 3]
    assert any("stock -> team 2's won" in e["text"] for e in table.log(0))


def test_a_hand_seen_by_the_team() -> None:
    body = "  deal 1 from stock to each kept\n"
    table = ends(body, players=TEAMS, zones="  kept: pool, seen by team, each player\n")
    shown = [z["cards"][0] is not None for z in table.view(2)["zones"]["kept"]]
    assert shown == [True, False, True, False]


def test_a_ranked_team_wins_whole() -> None:
    result = "result\n  rank t in teams by highest t.points\n"
    table = ends("  (team of left of who).points = 9\n", players=TEAMS, state=POINTS, result=result)
    assert table.scores == (2, 9, 2, 9) and table.winners == (1, 3)


def test_who_wins_in_a_game_of_teams_wins_with_their_team() -> None:
    for who in ("right of who", "team of left of who"):
        for made in both(f"play\n  ({who}) wins\n", TEAMS):
            assert made.start().winners == (1, 3)


def test_a_tie_between_teams_is_a_fault() -> None:
    body = "play\n  side = highest t in teams by t.points\n"
    for made in both(body, TEAMS, state=POINTS):
        with pytest.raises(Exception, match="2 teams tie for the highest"):
            made.start()


def test_partners_share_no_tie() -> None:
    made = game("partners")
    assert isinstance(made, Game) and made.teams == 2
    tally = run(made, 4, 60, 1, {})
    assert tally.ties < 20 and sum(tally.wins) == tally.decided
    assert as_json(tally)["balance"]["p"] == metrics.balance_p(tally.wins)
    assert any("team balance" in line for line in text(tally, "Partners", 1))
    assert metrics.margin((5, 2, 5, 2), (0, 2), 2) == 3


# ---- piles refilled but for their top -----------------------------------------------------------------


def test_the_top_of_the_discards_stays() -> None:
    body = "  move 23 from stock to discard\n  let t = top of discard\n  move 2 from stock to who.hand\n"
    table = ends(body + "  order = 1 if top of discard is t and size of discard is 1 else 0\n")
    view = table.view(0)
    assert view["state"]["order"] == 1
    assert (view["zones"]["stock"]["size"], view["zones"]["hand"][0]["size"]) == (21, 2)
    assert any(e["text"] == "discard but its top becomes the new stock" for e in table.log(0))


def test_a_lone_top_is_not_shuffled_in() -> None:
    body = (
        "  move 23 from stock to who.hand\n  move 1 from stock to discard\n  move 1 from stock to who.hand\n"
    )
    assert ends(body).view(0)["zones"]["discard"]["size"] == 1
