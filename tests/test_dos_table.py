"""Whole matches of specs/dos.hoyle, decision by decision, against the oracle in `oracles.dos`.

The table is seen as its players see it, through `view`. What they can't see, the order of the stock, is found
out on copies of the table, where everybody draws and adds; so it is known who must get which card. Where that
is not possible (after a reshuffle within a turn), the card drawn is read from the view of who got it.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import pytest

from hoyle import session
from hoyle.protocol import Game, Move, Table
from hoyle.runtime.faults import IllegalMove
from oracles.dos import CENTRE_SIZE, DECK_SIZE, DosOracle, Place, call, deck, parts, points

FEWEST_KNOWN = 6  # look on when fewer cards of the stock are known at the start of a turn
LOOK_AHEAD = 12
PATIENCE = {
    "even": 0,
    "lingering": 400,
    "reluctant": 200,
}  # decisions in which a style avoids the end of a round


# ---- what the players see


@dataclass(frozen=True)
class Sight:
    """What the players of a table see when they put their views together."""

    hands: list[list[str]]
    centre: list[str]
    matched: list[str]
    discard: list[str]
    stock_size: int
    scores: list[int]
    dealer: int

    @property
    def visible(self) -> Counter[str]:
        """All cards but those of the stock."""
        cards = Counter(self.centre + self.matched + self.discard)
        for hand in self.hands:
            cards.update(hand)
        return cards


def look(table: Table) -> Sight:
    """Put the views of all seats together, and check what each of them may see."""
    views = [table.view(seat) for seat in range(table.players)]
    first = views[0]["zones"]
    for seat, view in enumerate(views):
        assert (view["seat"], view["players"], view["turn"]) == (seat, table.players, table.turn)
        assert all(view["state"][name] == views[0]["state"][name] for name in ("score", "dealer"))
        zones = view["zones"]
        assert all(zones[name] == first[name] for name in ("stock", "discard", "centre", "matched"))
        assert zones["stock"]["cards"] == [None] * zones["stock"]["size"]
        for owner, hand in enumerate(zones["hand"]):
            assert len(hand["cards"]) == hand["size"]
            assert owner == seat or hand["cards"] == [None] * hand["size"], "a hand is its owner's secret"
            assert hand["size"] == first["hand"][owner]["size"]
    sight = Sight(
        hands=[list(view["zones"]["hand"][seat]["cards"]) for seat, view in enumerate(views)],
        centre=list(first["centre"]["cards"]),
        matched=list(first["matched"]["cards"]),
        discard=list(first["discard"]["cards"]),
        stock_size=first["stock"]["size"],
        scores=list(views[0]["state"]["score"]),
        dealer=views[0]["state"]["dealer"],
    )
    assert sight.visible.total() + sight.stock_size == DECK_SIZE
    assert sight.visible <= Counter(deck()), "a card was copied"
    return sight


def hand_of(table: Table, seat: int) -> Counter[str]:
    """Return the hand of a seat as its owner sees it."""
    return Counter(table.view(seat)["zones"]["hand"][seat]["cards"])


def top_of_stock(table: Table, count: int) -> list[str]:
    """Return the top cards of the stock at the beginning of a turn: on a copy, all draw and add what they drew."""
    copy = table.copy()
    cards: list[str] = []
    for _ in range(count):
        seat = copy.turn
        assert seat is not None
        before = hand_of(copy, seat)
        copy.play("draw")
        (card,) = (hand_of(copy, seat) - before).elements()
        cards.append(card)
        copy.play(call("add", card))
    return cards


# ---- how the matches are played


@dataclass(frozen=True)
class Case:
    """One match: its seed, its parameters, and how the players choose."""

    seed: int
    players: int
    target: int
    hand_size: int
    after_draw: str
    penalty_draw: str
    style: str

    def __str__(self) -> str:
        return "-".join(str(value) for value in vars(self).values())


def case(seed: int) -> Case:
    """Return the match of a seed; every combination of seats and switches comes up within twelve.

    The last ten are crowded, so that the stock runs out at every point of a turn.
    """
    crowded = seed >= 30
    return Case(
        seed=seed,
        players=4 if crowded else 2 + seed % 3,
        target=200 if seed % 8 == 7 and not crowded else 50,
        hand_size=12 if crowded else (7, 7, 3, 12)[seed // 5 % 4],
        after_draw=("anything", "drawn_card")[seed % 2],
        penalty_draw=("at_once", "at_turn_end")[seed // 2 % 2],
        style="sparing" if crowded else ("even", "eager", "lingering", "drawing", "reluctant")[seed % 5],
    )


CASES = [case(seed) for seed in range(40)]
pytestmark = pytest.mark.xdist_group("dos matches")  # each match is played once for all that looks at it


def wanted(style: str, oracle: DosOracle, decisions: int) -> list[str]:
    """Return the moves that a style chooses among.

    Eager players match whatever they can; drawing ones draw first. Lingering players keep three cards, until
    the stock has been renewed; reluctant ones match nothing, until nothing is left to draw. Sparing players keep
    the centre short and their hands long, so that the stock may run out while the centre is refilled.
    """
    moves = sorted(oracle.legal())
    hand = oracle.hands[oracle.turn or 0]
    matches = [move for move in moves if move.startswith(("single", "double"))]
    others = [move for move in moves if move not in matches]
    if style == "drawing":
        return ["draw"] if "draw" in moves else matches or moves
    if style == "sparing":
        longing = len(oracle.centre) <= 3 or len(hand) <= 6
        if "draw" in moves and longing and len(oracle.stock) > 2:
            return ["draw"]
        single = [move for move in matches if move.startswith("single")]
        return [move for move in single if move.endswith("no)")] or single or matches or moves
    if style == "eager":
        return matches or moves
    if decisions < PATIENCE[style] and (style == "reluctant" or len(hand) <= 3):
        return others or moves
    return moves


def tempting(oracle: DosOracle, chance: random.Random) -> str:
    """Return a move that looks possible, allowed or not."""
    card = chance.choice(oracle.hands[oracle.turn or 0])
    target = chance.choice(oracle.centre or [card])
    answer = chance.choice(["yes", "no"])
    return chance.choice(
        ["draw", "stop", call("add", card), call("place", card), call("single", card, target, answer)]
    )


# ---- keeping table and oracle in step


class Match:
    """A table and an oracle that play the same match."""

    def __init__(self, game: Game, case: Case) -> None:
        names = ("target", "hand_size", "after_draw", "penalty_draw")
        settings = {name: game.setting(name, str(getattr(case, name))) for name in names}
        self.case = case
        self.chance = random.Random(case.seed)
        self.table = game.start(players=case.players, seed=case.seed, **settings)
        self.sight = look(self.table)
        self.oracle = DosOracle(
            players=case.players,
            target=case.target,
            hand_size=case.hand_size,
            after_draw=case.after_draw,
            penalty_draw=case.penalty_draw,
            dealer=self.sight.dealer,
            shuffle=self.shuffle,
            pick=self.pick,
        )
        self.known = 0  # so many cards at the top of the oracle's stock are in the true order
        # Stand-ins for cards that the last move drew and no view shows, because the next round was dealt.
        self.unseen: list[str] = []
        self.moves: dict[str, Move] = {}  # by call form, at the decision that was compared last
        self.decisions = 0
        self.events = self.oracle.events

    def run(self) -> Counter[str]:
        """Play to the end, comparing at every decision; return how often what came up."""
        self.adopt_deal()
        while not self.oracle.finished:
            self.compare()
            self.look_ahead()
            if self.chance.random() < 0.1:
                self.try_what_is_refused()
            self.play(self.chance.choice(wanted(self.case.style, self.oracle, self.decisions)))
            if self.oracle.turn is None and not self.oracle.finished:
                self.adopt_deal()
        self.compare_end()
        return self.events

    def play(self, move: str) -> None:
        """Play a move on both sides."""
        option, arguments = parts(move)
        target = arguments[-2] if option in ("single", "double") else ""
        alike = self.oracle.centre.count(target) > 1
        scores = list(self.oracle.scores)
        pool = list(self.oracle.stock + self.oracle.discard)
        self.table.play(self.chance.choice([move, self.moves[move], self.moves[move].number]))
        self.sight = look(self.table)
        self.unseen = []
        self.oracle.apply(move)
        self.decisions += 1
        if self.unseen:
            self.trust_score(scores, pool)
        if alike and Counter(self.oracle.centre) == Counter(self.sight.centre):
            self.oracle.centre = list(self.sight.centre)  # which of two equal cards went is all the same

    def try_what_is_refused(self) -> None:
        """Try a move that the rules do not allow: it must change nothing."""
        move = tempting(self.oracle, self.chance)
        if move not in self.oracle.legal():
            with pytest.raises(IllegalMove):
                self.table.play(move)
            self.events["refused"] += 1
            assert look(self.table) == self.sight

    # ---- chance

    def shuffle(self, cards: list[str]) -> list[str]:
        """The oracle has renewed its stock: from now on its order is not known."""
        self.known = 0
        return cards

    def pick(self, stock: list[str], place: Place) -> str:
        """Return the card that the oracle is to draw: the top card if known, else what the players see."""
        if self.known:
            self.known -= 1
            self.events["known card"] += 1
            return stock[0]
        going_out = self.oracle.turn is not None and not self.oracle.hands[self.oracle.turn]
        if going_out and not self.table.outcome:
            self.unseen.append(stock[0])
            return stock[0]
        self.events["card read from a view"] += 1
        if isinstance(place, int):
            return newcomer(self.sight.hands[place], self.oracle.hands[place])
        return newcomer(self.sight.centre, self.oracle.centre)

    def look_ahead(self) -> None:
        """At the beginning of a turn, find out the next cards of the stock; eager players don't want to know."""
        oracle = self.oracle
        if self.case.style == "eager":
            return
        if "draw" not in oracle.legal() or len(oracle.centre) < CENTRE_SIZE or self.known >= FEWEST_KNOWN:
            return
        count = min(LOOK_AHEAD, len(oracle.stock))
        if count == self.known:
            return
        cards = top_of_stock(self.table, count)
        assert cards[: self.known] == oracle.stock[: self.known]
        rest = Counter(oracle.stock) - Counter(cards)
        assert rest.total() + count == len(oracle.stock), "the stock holds other cards"
        oracle.stock = cards + list(rest.elements())
        self.known = count
        assert look(self.table) == self.sight, "what happens to a copy is nothing to the table"

    def trust_score(self, scores: list[int], pool: list[str]) -> None:
        """Take over the score of a round whose last draws nobody saw, if some cards of the pool account for it."""
        out = self.oracle.went_out
        assert out is not None
        self.events["unseen card"] += len(self.unseen)
        certain = self.oracle.scores[out] - scores[out] - sum(map(points, self.unseen))
        gained = self.sight.scores[out] - scores[out]
        assert gained - certain in totals(pool, len(self.unseen))
        self.oracle.scores[out] = self.sight.scores[out]

    # ---- comparing

    def adopt_deal(self) -> None:
        """Take over the deal of a new round, which is up to chance, after checking its shape."""
        json.dumps(self.table.view(0))
        stock = Counter(deck()) - self.sight.visible
        assert stock.total() == self.sight.stock_size
        self.known = 0
        self.oracle.adopt_deal(self.sight.hands, self.sight.centre, list(stock.elements()))

    def compare(self) -> None:
        """Check that table and oracle agree on everything that can be seen, and on the moves."""
        table, oracle, sight = self.table, self.oracle, self.sight
        oracle.check_cards()
        assert (table.turn, table.outcome) == (oracle.turn, "")
        assert (table.decisions, sight.dealer, sight.scores) == (self.decisions, oracle.dealer, oracle.scores)
        assert [sorted(hand) for hand in sight.hands] == [sorted(hand) for hand in oracle.hands]
        assert sight.centre == oracle.centre
        assert sorted(sight.matched) == sorted(oracle.matched)
        assert sorted(sight.discard) == sorted(oracle.discard)
        assert sight.stock_size == len(oracle.stock)
        moves = table.moves()
        calls = [move.call for move in moves]
        self.moves = dict(zip(calls, moves))
        assert set(calls) == oracle.legal()
        assert len(calls) == len(set(calls)), "equal cards are one move"
        assert [move.option for move in moves] == [parts(each)[0] for each in calls]
        assert [move.number for move in moves] == sorted(table.legal())

    def compare_end(self) -> None:
        """Check the end: hands, scores, winner. What lies in the middle is no matter any more."""
        table, oracle, sight = self.table, self.oracle, self.sight
        assert (table.turn, table.outcome) == (None, "finished")
        assert [sorted(hand) for hand in sight.hands] == [sorted(hand) for hand in oracle.hands]
        assert sight.hands[oracle.went_out or 0] == []
        assert sight.scores == oracle.scores == list(table.scores)
        assert list(table.winners) == [oracle.winner] == [oracle.went_out]
        others = [score for seat, score in enumerate(table.scores) if seat != oracle.winner]
        assert max(others) < self.case.target <= max(table.scores)


def newcomer(now: Iterable[str], before: Iterable[str]) -> str:
    """Return the first card that is there now and was not before."""
    left = Counter(before)
    for face in now:
        if not left[face]:
            return face
        left[face] -= 1
    raise AssertionError("the table has drawn no card here")


def totals(cards: list[str], count: int) -> set[int]:
    """Return the points that `count` of these cards can have together."""
    reached: list[set[int]] = [{0}] + [set() for _ in range(count)]
    for face in cards:
        for taken in range(count, 0, -1):
            reached[taken] |= {total + points(face) for total in reached[taken - 1]}
    return reached[count]


# ---- the tests


@cache
def dos() -> Game:
    """Return the game of specs/dos.hoyle."""
    return session.load("dos")


@cache
def played(case: Case) -> Counter[str]:
    """Play a match once; return how often what came up."""
    return Match(dos(), case).run()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_match_goes_as_the_oracle_says(case: Case) -> None:
    events = played(case)
    assert sum(count for event, count in events.items() if event.startswith("out by")) > 0


@pytest.mark.parametrize("after_draw", ["anything", "drawn_card"])
@pytest.mark.parametrize("penalty_draw", ["at_once", "at_turn_end"])
def test_the_matches_bring_up_every_option(after_draw: str, penalty_draw: str) -> None:
    events: Counter[str] = Counter()
    for each in CASES:
        if (each.after_draw, each.penalty_draw) == (after_draw, penalty_draw):
            events += played(each)
    options = {"single(yes)", "single(no)", "double(yes)", "double(no)", "draw", "add", "stop", "place"}
    assert options | {"out by match", "out by place", "refused", "known card"} <= set(events)


def test_the_matches_bring_up_what_is_rare() -> None:
    events = sum(map(played, CASES), Counter[str]())
    assert {"reshuffle for a hand", "reshuffle for the centre", "nothing to draw"} <= set(events)
    assert events["known card"] > events["card read from a view"] > 0


def test_the_points_that_unseen_cards_can_have() -> None:
    assert totals(["red 1", "red 3", "Wild DOS"], 2) == {4, 21, 23}


def test_seats_and_parameters_are_those_of_the_sheet() -> None:
    defaults = {
        "target": "200",
        "hand_size": "7",
        "after_draw": "anything",
        "penalty_draw": "at_once",
        "call_dos": "no",
    }
    assert tuple(dos().counts) == (2, 3, 4)
    assert {name: parameter.default for name, parameter in dos().parameters.items()} == defaults


def test_the_same_seed_is_the_same_match() -> None:
    first, second = (look(dos().start(players=3, seed=11)) for _ in range(2))
    assert first == second
    assert first != look(dos().start(players=3, seed=12))
