"""The oracle for Moon does what the rule sheet says: its scenarios M-01 to M-39. Tiles are written `63`, as there."""

from __future__ import annotations

import pytest

from oracles import moon
from oracles.moon import MoonOracle, Refused, call

DEAL = (
    ["66", "65", "64", "55", "54", "44", "21"],
    ["63", "62", "53", "43", "33", "22", "11"],
    ["61", "52", "51", "42", "41", "32", "31"],
)


def face(short: str) -> str:
    """Return the face of a tile written as in the sheet."""
    return f"{short[0]}-{short[1]}"


def faces(short: str) -> list[str]:
    """Return the faces of several tiles, with spaces between."""
    return [face(tile) for tile in short.split()]


def dealt(first_bidder: int = 0, **settings: object) -> MoonOracle:
    """Return a match with the deal of M-28."""
    oracle = MoonOracle(first_bidder=first_bidder, **settings)  # type: ignore[arg-type]
    oracle.adopt_deal([[face(tile) for tile in hand] for hand in DEAL], "0-0")
    return oracle


def play(oracle: MoonOracle, *moves: str) -> MoonOracle:
    """Play several moves and return the match."""
    for move in moves:
        oracle.apply(move)
    return oracle


def scored(bid: int, before: list[int], tricks: list[int], bidder: int = 0, **settings: object) -> MoonOracle:
    """Return a match after the scoring of a hand."""
    oracle = MoonOracle(scores=list(before), **settings)  # type: ignore[arg-type]
    oracle.bid, oracle.bidder, oracle.tricks = bid, bidder, tricks
    oracle.score()
    return oracle


def test_m01_the_tiles() -> None:
    assert len(moon.deck()) == len(set(moon.deck())) == 22
    oracle = dealt()
    assert ([len(hand) for hand in oracle.hands], len(oracle.centre)) == ([7, 7, 7], 1)


def test_m02_m03_bids_rise() -> None:
    bids = {bid: call("bid", bid) for bid in moon.BIDS}
    assert play(dealt(), "pass", "bid(4)").legal() == {"pass", bids[5], bids[6], bids[7], bids[21]}
    assert play(dealt(), "bid(5)", "bid(7)").legal() == {"pass", bids[21]}


def test_m04_21_ends_the_bidding() -> None:
    oracle = play(dealt(), "bid(21)")
    assert (oracle.stage, oracle.turn, oracle.bid, oracle.centre) == ("lay away", 0, 21, [])
    assert len(oracle.hands[0]) == 8


def test_m05_nobody_speaks_twice() -> None:
    oracle = play(dealt(), "pass", "bid(4)", "pass")
    assert (oracle.stage, oracle.bidder, oracle.bid) == ("lay away", 1, 4)


def test_m06_all_pass() -> None:
    oracle = play(dealt(), "pass", "pass", "pass")
    assert (oracle.stage, oracle.first_bidder, oracle.scores) == ("deal", 1, [0, 0, 0])


def test_r_moon_03_the_last_to_speak_may_have_to_play() -> None:
    oracle = play(dealt(1, all_pass="force_last"), "pass", "pass", "pass")
    assert (oracle.stage, oracle.bidder, oracle.bid) == ("lay away", 0, 4)


def test_m09_lay_away_before_naming_trumps() -> None:
    oracle = play(dealt(), "pass", "bid(4)", "pass")
    with pytest.raises(Refused):
        oracle.apply("name(6)")
    assert len(play(oracle, "lay_away(0-0)").legal()) == 9


@pytest.mark.parametrize(
    ("trump", "trick", "winner"),
    [
        ("5", "63 64 51", 2),
        ("none", "54 65 55", 2),
        ("3", "64 63 66", 1),
        ("doubles", "64 65 63", 1),
        ("doubles", "11 66 00", 1),
        ("2", "00 66 55", 0),
        ("0", "66 61 00", 2),
        ("none", "11 61 51", 0),
        ("none", "54 52 55", 2),
    ],
)
def test_m10_to_m20_who_wins_a_trick(trump: str, trick: str, winner: int) -> None:
    assert moon.trick_winner(faces(trick), trump) == winner


@pytest.mark.parametrize(
    ("trump", "led", "hand", "legal"),
    [
        ("5", "63", "65 64 31 22 51", "64"),
        ("5", "63", "65 53 22 41", "65 53 22 41"),
        ("doubles", "64", "66 61 44 52", "61"),
        ("doubles", "64", "66 44 52 31", "66 44 52 31"),
        ("none", "65", "55 61 52", "61"),
        ("3", "31", "63 52 33", "63 33"),
        ("4", "21", "42 33 65", "42 33 65"),
    ],
)
def test_m21_to_m27_what_may_be_played(trump: str, led: str, hand: str, legal: str) -> None:
    oracle = MoonOracle(trump=trump, trick=[face(led)])
    assert oracle.playable(faces(hand)) == faces(legal)


def test_m28_a_whole_hand() -> None:
    oracle = play(dealt(1), "pass", "bid(4)", "bid(6)", "lay_away(2-1)", "name(6)")
    for tile in faces("66 65 64 55 54 44 00"):
        assert oracle.turn == 0
        play(oracle, call("play", tile))
        play(oracle, min(oracle.legal()))
        play(oracle, min(oracle.legal()))
    assert (oracle.scores, oracle.stage, oracle.first_bidder) == ([6, 0, 0], "deal", 2)


@pytest.mark.parametrize(
    ("bid", "before", "tricks", "bidder", "after", "winner"),
    [
        (21, [-8, 12, 20], [7, 0, 0], 0, [13, 12, 20], 0),
        (5, [3, 0, 0], [4, 2, 1], 0, [-2, 2, 1], None),
        (4, [17, 20, 10], [4, 2, 1], 0, [21, 22, 11], 1),
        (4, [17, 19, 5], [4, 2, 1], 0, [21, 21, 6], None),
        (4, [21, 21, 6], [3, 3, 1], 0, [17, 24, 7], 1),
        (7, [18, 19, 14], [0, 0, 7], 2, [18, 19, 21], 2),
        (21, [0, 0, 0], [6, 1, 0], 0, [-21, 1, 0], None),
    ],
)
def test_m30_to_m39_scores(
    bid: int, before: list[int], tricks: list[int], bidder: int, after: list[int], winner: int | None
) -> None:
    oracle = scored(bid, before, tricks, bidder)
    assert (oracle.scores, oracle.winner) == (after, winner)


def test_r_moon_05_a_made_21_may_be_worth_just_21() -> None:
    oracle = scored(21, [-8, 12, 20], [7, 0, 0], moon_wins=False)
    assert (oracle.scores, oracle.winner, oracle.first_bidder) == ([13, 12, 20], None, 1)
