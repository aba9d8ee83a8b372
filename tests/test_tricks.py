"""Tricks as the log, views and scenarios tell them, and deals that begin with another player."""

from __future__ import annotations

import pytest

from hoyle import scenarios
from hoyle.interpret import Game
from hoyle.session import SpecError, load_text
from lockstep import module_of

SPEC = """hoyle 1

game "Tricky" for 3 players

components
  enum Suit = red, blue
  card Card(suit: Suit, rank: 1..8)  "{suit} {rank}"
  deck in stock
    1 Card(s, r) for s in Suit, r in 1..8

zones
  stock: pile, hidden
  trick: row, open
  hand:  pool, seen by owner, each player
  won:   pile, open, each player

state
  dealer: player
  score = 0 for each player
  early = no

play
  gather every card into stock, shuffled
  dealer = left of dealer
  if early
    winner of last trick wins
  deal 7 from stock to each hand from left of dealer
  do some_tricks
  for p in players
    p.score += tricks won by p

tricks some_tricks
  leader: left of dealer
  until: any p in players where tricks won by p is 3

result
  rank p by highest p.score
"""


def game(text: str = SPEC) -> Game:
    return load_text(text)


def results(steps: str) -> list[str]:
    """Return what is wrong in a scenario of ann, bob and cid."""
    scenario = 'scenario "one" for 3 players ann, bob, cid\n' + "".join(
        f"  {x}\n" for x in steps.splitlines()
    )
    return [x for one in scenarios.run(game(f"{SPEC}\n{scenario}")) for x in one.problems]


def refused(steps: str) -> list[str]:
    with pytest.raises(SpecError) as wrong:
        results(steps)
    return [f"{d.code} {d.message}" for d in wrong.value.report.diagnostics]


@pytest.mark.parametrize("back_end", [game(), module_of(game().program)], ids=["interpreted", "compiled"])
def test_a_deal_can_begin_with_any_player(back_end: Game) -> None:
    # 16 cards among three: the one who is dealt to first, left of player 2, has one more than the others.
    table = back_end.start(seed=1)
    assert [zone["size"] for zone in table.view(0)["zones"]["hand"]] == [5, 5, 6]
    dealt = [e["text"].split(" -> ")[1] for e in table.log(0) if "stock -> player" in e["text"]]
    assert dealt == ["player 3's hand", "player 1's hand", "player 2's hand"]


def test_all_are_told_who_wins_a_trick_and_how_scores_change() -> None:
    for back_end in (game(), module_of(game().program)):
        table = back_end.start(seed=1)
        while table.turn is not None:
            table.play(table.moves()[0])
        told = [e["text"] for e in table.log(0)]
        tricks = [x for x in told if x.endswith("wins the trick")]
        assert len(tricks) == sum(table.scores)
        for seat, score in enumerate(table.scores):
            assert tricks.count(f"player {seat + 1} wins the trick") == score
            changed = f"player {seat + 1}'s score goes from 0 to {score}"
            assert (changed in told) == (score > 0), "a score that stays as it is is not told"


def test_a_view_knows_no_winner_of_the_last_trick_before_there_was_one() -> None:
    for back_end in (game(), module_of(game().program)):
        table = back_end.start(seed=1)
        assert table.view(0)["state"]["winner of last trick"] == "none"
        for _ in range(3):
            table.play(table.moves()[0])
        winner = table.view(0)["state"]["tricks won"].index(1)
        assert table.view(0)["state"]["winner of last trick"] == winner


def test_before_a_trick_was_won_the_first_player_is_the_winner_of_the_last() -> None:
    early = game(SPEC.replace("early = no", "early = yes"))
    for back_end in (early, module_of(early.program)):
        assert back_end.start(seed=1).winners == (0,)


# ---- scenarios ---------------------------------------------------------------------------------------

TWO_WON = """given tricks won by ann = 2
given dealer = cid
given ann.hand = "red 7, red 8"
given bob.hand = "red 3, red 4"
given cid.hand = "blue 1"
start at some_tricks
"""
ONE_TRICK = """ann: play("red 7")
bob: play("red 3")
cid: play("blue 1")
"""


def test_a_scenario_that_starts_at_tricks_keeps_those_that_are_given() -> None:
    assert results(TWO_WON + "then tricks won by ann is 2\n" + ONE_TRICK + "then ann.score is 3") == []
    fewer = TWO_WON.replace("= 2\n", "= 1\n", 1)
    assert results(fewer + ONE_TRICK + "then tricks won by ann is 2\nthen next is ann") == []


def test_the_rest_of_the_deck_may_lie_in_a_hand() -> None:
    given = 'given ann.hand = "red 7"\ngiven the rest in bob.hand\n'
    assert results(given + "then size of bob.hand is 15 and size of ann.hand is 1 and stock is empty") == []


def test_the_rest_is_dealt_in_turn_where_several_places_are_named() -> None:
    given = 'given stock = "red 7"\ngiven the rest in ann.hand, bob.hand, stock\n'
    sizes = "then size of ann.hand is 5 and size of bob.hand is 5 and size of stock is 6"
    assert results(given + sizes) == []


def test_the_rest_lies_below_what_is_named_in_a_pile() -> None:
    assert results('given stock = "red 7"\ngiven the rest in stock\nthen top of stock is "red 7"') == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("given the rest in hand", ["E211 each player has a `hand` of their own"]),
        ("given the rest in 3", ["E303 a zone is wanted here, not the number 3"]),
        ("given the rest in ann.score", ["E303 a zone is wanted here, not a number"]),
        (
            "given the rest in stock\n  given the rest in ann.hand",
            ["E702 nothing is left: the rest of the cards lies elsewhere already"],
        ),
    ],
)
def test_what_is_wrong_with_the_rest_is_told_once(line: str, told: list[str]) -> None:
    assert refused(line.replace("\n  ", "\n")) == told


def test_a_deal_begins_with_a_player() -> None:
    with pytest.raises(SpecError) as wrong:
        game(SPEC.replace("from left of dealer\n  do", "from score\n  do"))
    assert [d.code for d in wrong.value.report.diagnostics] == ["E211"]
