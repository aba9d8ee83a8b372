"""Hands of specs/moon.hoyle, decision by decision, against the oracle in `oracles.moon`.

The table is seen as its players see it, through `view`. Each deal is read from the views of all seats; the tile that
none of them sees is the one in the middle. Bots who bid at random lose far more than they win, so a match is broken off
after some hands, and some players bid and play with more sense.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from functools import cache

import pytest

from hoyle import session
from hoyle.protocol import Game, Table
from hoyle.runtime.faults import IllegalMove
from oracles import moon
from oracles.moon import PLAYERS, MoonOracle, call, deck, ends, parts

MOST_HANDS = 25


@dataclass(frozen=True)
class Case:
    """One match: its seed, its parameters, and how the players choose."""

    seed: int
    target: int
    all_pass: str
    moon_wins: bool
    style: str

    def __str__(self) -> str:
        return "-".join(str(value) for value in vars(self).values())


def case(seed: int) -> Case:
    """Return the match of a seed; every combination of switches and styles comes up."""
    return Case(
        seed=seed,
        target=(21, 7, 10)[seed // 4 % 3],
        all_pass=("redeal", "force_last")[seed % 2],
        moon_wins=seed // 2 % 2 == 0,
        style=("even", "bold", "shy", "sure", "yielding")[seed % 5],
    )


CASES = [case(seed) for seed in range(90)]
pytestmark = pytest.mark.xdist_group("moon matches")  # each match is played once for all that looks at it


# ---- what the players see


@dataclass(frozen=True)
class Sight:
    """What the players of a table see when they put their views together; what nobody sees are sizes."""

    hands: list[list[str]]
    trick: list[str]
    won: list[list[str]]
    middle: int
    scores: list[int]
    first_bidder: int
    tricks: list[int]


def look(table: Table) -> Sight:
    """Put the views of all seats together, and check what each of them may see."""
    views = [table.view(seat) for seat in range(PLAYERS)]
    first = views[0]
    for seat, view in enumerate(views):
        assert view["state"] == first["state"] and view["turn"] == table.turn
        assert all(
            view["zones"][name] == first["zones"][name] for name in ("trick", "won", "middle", "stock")
        )
        assert view["zones"]["middle"]["cards"] == [None] * view["zones"]["middle"]["size"]
        for owner, hand in enumerate(view["zones"]["hand"]):
            assert owner == seat or hand["cards"] == [None] * hand["size"], "a hand is its owner's secret"
    return Sight(
        hands=[list(view["zones"]["hand"][seat]["cards"]) for seat, view in enumerate(views)],
        trick=list(first["zones"]["trick"]["cards"]),
        won=[list(pile["cards"]) for pile in first["zones"]["won"]],
        middle=first["zones"]["middle"]["size"],
        scores=list(first["state"]["score"]),
        first_bidder=first["state"]["first_bidder"],
        tricks=list(first["state"]["tricks won"]),
    )


# ---- how the matches are played


def strong(hand: list[str]) -> str:
    """Return the trumps that suit a hand best."""
    return max(
        moon.TRUMPS, key=lambda trump: sum(1 + moon.is_double(t) for t in hand if moon.is_trump(t, trump))
    )


def value(tile: str, trump: str) -> tuple[bool, int]:
    """Return how good a tile seems to somebody who does not think long."""
    if moon.is_trump(tile, trump):
        return True, moon.trump_rank(tile, trump)
    return False, moon.suit_rank(tile, ends(tile)[0])


def speaking(style: str, moves: list[str], chance: random.Random) -> list[str]:
    """Return the bids, or the pass, among which a style chooses."""
    if style == "bold":
        return ["bid(21)"] if chance.random() < 0.5 else moves
    if style == "shy":
        return ["pass"] if chance.random() < 0.7 else moves
    if style in ("sure", "yielding") and "bid(4)" in moves:
        return (
            ["pass", "bid(4)", "bid(5)", "bid(7)", "bid(21)"] if style == "yielding" else ["pass", "bid(4)"]
        )
    return ["pass"] if style == "sure" else moves


def wanted(style: str, oracle: MoonOracle, chance: random.Random) -> list[str]:
    """Return the moves that a style chooses among.

    Sure players bid little and take what they can; bold ones bid 21. To yielding players the bidder is a friend: they
    play their lowest tiles, so that even a 21 is made now and then.
    """
    moves = sorted(oracle.legal())
    assert oracle.turn is not None
    hand = oracle.hands[oracle.turn]
    if oracle.stage == "bid":
        return speaking(style, moves, chance)
    if style in ("even", "shy"):
        return moves
    if oracle.stage == "lay away":
        return [call("lay_away", min(hand, key=lambda tile: value(tile, strong(hand))))]
    if oracle.stage == "name":
        return [call("name", strong(hand))] if chance.random() < 0.8 else moves
    tiles = sorted((parts(move)[1] for move in moves), key=lambda tile: value(tile, oracle.trump))
    low = style == "yielding" and oracle.turn != oracle.bidder
    return [call("play", tiles[0] if low else tiles[-1])]


def tempting(oracle: MoonOracle, chance: random.Random) -> str:
    """Return a move that looks possible, allowed or not."""
    hand = oracle.hands[oracle.turn or 0]
    tile = chance.choice(hand if chance.random() < 0.8 else deck())
    bid = call("bid", chance.choice([3, 4, 5, 6, 7, 8, 20, 21]))
    name = call("name", chance.choice(moon.TRUMPS))
    return chance.choice([bid, "pass", call("lay_away", tile), name, "no_trumps", *[call("play", tile)] * 3])


# ---- keeping table and oracle in step


class Match:
    """A table and an oracle that play the same match."""

    def __init__(self, game: Game, case: Case) -> None:
        names = {"target": case.target, "all_pass": case.all_pass, "moon_wins": case.moon_wins}
        self.case = case
        self.chance = random.Random(case.seed)
        self.table = game.start(players=PLAYERS, seed=case.seed, **names)
        self.sight = look(self.table)
        self.oracle = MoonOracle(**names, first_bidder=self.sight.first_bidder)  # type: ignore[arg-type]
        self.decisions = 0

    def run(self) -> Counter[str]:
        """Play some hands, comparing at every decision; return how often what came up."""
        oracle = self.oracle
        while oracle.winner is None and oracle.hands_played < MOST_HANDS:
            if oracle.stage == "deal":
                self.adopt_deal()
            self.compare()
            if self.chance.random() < 0.1:
                self.try_what_is_refused()
            move = self.chance.choice(wanted(self.case.style, oracle, self.chance))
            self.table.play(move)
            oracle.apply(move)
            self.sight = look(self.table)
            self.decisions += 1
        if oracle.winner is not None:
            self.compare_end()
        return oracle.events

    def adopt_deal(self) -> None:
        """Take over the deal of a new hand, which is up to chance."""
        (middle,) = set(deck()) - {tile for hand in self.sight.hands for tile in hand}
        assert self.sight.middle == 1
        self.oracle.adopt_deal(self.sight.hands, middle)

    def try_what_is_refused(self) -> None:
        """Try a move that the rules do not allow: it must change nothing."""
        move = tempting(self.oracle, self.chance)
        if move not in self.oracle.legal():
            with pytest.raises(IllegalMove):
                self.table.play(move)
            self.oracle.events["refused"] += 1
            assert look(self.table) == self.sight

    def compare(self) -> None:
        """Check that table and oracle agree on everything that can be seen, and on the moves."""
        table, oracle, sight = self.table, self.oracle, self.sight
        oracle.check_tiles()
        assert (table.turn, table.outcome, table.decisions) == (oracle.turn, "", self.decisions)
        assert (sight.scores, sight.first_bidder) == (oracle.scores, oracle.first_bidder)
        assert [sorted(hand) for hand in sight.hands] == [sorted(hand) for hand in oracle.hands]
        assert (sight.trick, sight.middle) == (oracle.trick, len(oracle.centre))
        assert [pile[::-1] for pile in sight.won] == oracle.won
        if oracle.stage == "play":
            assert sight.tricks == oracle.tricks
        calls = [move.call for move in table.moves()]
        assert set(calls) == oracle.legal()
        assert len(calls) == len(set(calls))

    def compare_end(self) -> None:
        """Check the end: scores and the winner."""
        assert (self.table.turn, self.table.outcome) == (None, "finished")
        assert list(self.table.scores) == self.sight.scores == self.oracle.scores
        assert list(self.table.winners) == [self.oracle.winner]


# ---- the tests


@cache
def game() -> Game:
    """Return the game of specs/moon.hoyle."""
    return session.load("moon")


@cache
def played(case: Case) -> Counter[str]:
    """Play a match once; return how often what came up."""
    return Match(game(), case).run()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_match_goes_as_the_oracle_says(case: Case) -> None:
    assert played(case).total() > 0


def test_the_matches_bring_up_everything() -> None:
    events = sum(map(played, CASES), Counter[str]())
    bids = {f"{bid} {how}" for bid in moon.BIDS for how in ("made", "failed")}
    trumps = {f"trumps {trump}" for trump in (*moon.TRUMPS, moon.NONE)}
    passes = {"all pass, redeal", "all pass, force_last", "1 spoke", "2 spoke", "3 spoke"}
    ends_ = {"won by the bidder", "won by another", "tie at the top"}
    plays = {"follows", "can't follow", "refused"}
    assert bids | trumps | passes | ends_ | plays <= set(events)


def test_seats_and_parameters_are_those_of_the_sheet() -> None:
    defaults = {"target": "21", "all_pass": "redeal", "moon_wins": "yes"}
    assert tuple(game().counts) == (PLAYERS,)
    assert {name: parameter.default for name, parameter in game().parameters.items()} == defaults
