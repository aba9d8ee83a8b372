"""Three-Player Moon by hand: an oracle for the interpreter, written from the rule sheet alone (MOON-01 to R-MOON-18).

It knows nothing of hoyle but the spelling of moves: `bid(4)`, `name(doubles)`, `play(6-3)`. Tiles are their faces, the
higher number first. It is deterministic: a deal that was made elsewhere is taken over by `adopt_deal`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

PLAYERS = 3
TRICKS = 7
BIDS = (4, 5, 6, 7, 21)
DOUBLES = "doubles"
NONE = "none"
TRUMPS = ("0", "1", "2", "3", "4", "5", "6", DOUBLES)


class Refused(ValueError):
    """A move that the rules do not allow now; nothing was changed."""


def deck() -> list[str]:
    """Return the faces of the 22 tiles (MOON-03)."""
    return ["0-0"] + [f"{high}-{low}" for high in range(1, 7) for low in range(1, high + 1)]


def ends(tile: str) -> tuple[int, int]:
    """Return the two numbers of a tile, the higher first."""
    high, low = tile.split("-")
    return int(high), int(low)


def is_double(tile: str) -> bool:
    """Return whether both numbers are the same."""
    high, low = ends(tile)
    return high == low


def is_trump(tile: str, trump: str) -> bool:
    """Return whether a tile is a trump, and so of no other suit (MOON-09, MOON-20)."""
    if trump == DOUBLES:
        return is_double(tile)
    return trump in tile.split("-")


def led_suit(tile: str, trump: str) -> str:
    """Return the suit that the others have to follow: "trump", or a number (MOON-23, MOON-24, R-MOON-08)."""
    return "trump" if is_trump(tile, trump) else str(ends(tile)[0])


def follows(tile: str, suit: str, trump: str) -> bool:
    """Return whether a tile is of the suit led (R-MOON-08, R-MOON-09)."""
    if suit == "trump":
        return is_trump(tile, trump)
    return suit in tile.split("-") and not is_trump(tile, trump)


def trump_rank(tile: str, trump: str) -> int:
    """Return the rank of a trump: by its number among doubles, else as in any suit (R-MOON-10)."""
    return ends(tile)[0] if trump == DOUBLES else suit_rank(tile, int(trump))


def suit_rank(tile: str, number: int) -> int:
    """Return the rank of a tile within the suit of a number: the double is highest (MOON-08)."""
    high, low = ends(tile)
    if high == low:
        return 7
    return low if high == number else high


def trick_winner(trick: Sequence[str], trump: str) -> int:
    """Return which tile of a trick wins it, by its place from the leader on (MOON-25)."""
    suit = led_suit(trick[0], trump)
    values = []
    for tile in trick:
        if is_trump(tile, trump):
            values.append((2, trump_rank(tile, trump)))
        elif suit != "trump" and follows(tile, suit, trump):
            values.append((1, suit_rank(tile, int(suit))))
        else:
            values.append((0, 0))
    best = max(values)
    assert values.count(best) == 1, "no two tiles are equally high"
    return values.index(best)


def call(option: str, argument: object) -> str:
    """Return a move in the form `option(argument)`."""
    return f"{option}({argument})"


def parts(move: str) -> tuple[str, str]:
    """Return the option and the argument of a move in that form; "" if it has none."""
    found = re.fullmatch(r"(\w+)(?:\((.+)\))?", move)
    if not found:
        raise Refused(move)
    return found.group(1), found.group(2) or ""


@dataclass
class MoonOracle:
    """A match.

    `stage` is what the seat `turn` is asked for: "bid", "lay away", "name", "play", or "deal" for nobody.
    """

    target: int = 21
    all_pass: str = "redeal"
    moon_wins: bool = True
    first_bidder: int = 0
    scores: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    stage: str = "deal"
    turn: int | None = None
    hands: list[list[str]] = field(default_factory=lambda: [[] for _ in range(PLAYERS)])
    centre: list[str] = field(default_factory=list)
    spoken: int = 0
    bidder: int | None = None
    bid: int | None = None
    trump: str = NONE
    trick: list[str] = field(default_factory=list)
    leader: int = 0
    won: list[list[str]] = field(default_factory=lambda: [[] for _ in range(PLAYERS)])
    tricks: list[int] = field(default_factory=lambda: [0] * PLAYERS)
    winner: int | None = None
    hands_played: int = 0
    events: Counter[str] = field(default_factory=Counter)

    # ---- deals

    def adopt_deal(self, hands: Sequence[Sequence[str]], centre: str) -> None:
        """Take over a deal (MOON-04); raise AssertionError if it is none."""
        assert self.stage == "deal" and self.winner is None
        assert [len(hand) for hand in hands] == [7] * PLAYERS
        assert sorted([*hands[0], *hands[1], *hands[2], centre]) == sorted(deck())
        self.hands, self.centre = [list(hand) for hand in hands], [centre]
        self.won, self.trick, self.tricks = [[] for _ in range(PLAYERS)], [], [0] * PLAYERS
        self.spoken, self.bidder, self.bid, self.trump = 0, None, None, NONE
        self.stage, self.turn = "bid", self.first_bidder

    def check_tiles(self) -> None:
        """Raise AssertionError unless every tile is in exactly one place."""
        there = self.centre + self.trick
        for tiles in (*self.hands, *self.won):
            there = there + tiles
        assert sorted(there) == sorted(deck()), "tiles were lost or copied"

    # ---- moves

    def legal(self) -> set[str]:
        """Return the moves that are allowed now."""
        if self.turn is None:
            return set()
        hand = self.hands[self.turn]
        if self.stage == "bid":
            return {"pass"} | {call("bid", b) for b in BIDS if self.bid is None or b > self.bid}
        if self.stage == "lay away":
            return {call("lay_away", tile) for tile in hand}
        if self.stage == "name":
            return {"no_trumps"} | {call("name", trump) for trump in TRUMPS}
        return {call("play", tile) for tile in self.playable(hand)}

    def playable(self, hand: list[str]) -> list[str]:
        """Return the tiles of a hand that may be played (MOON-22 to MOON-24)."""
        if not self.trick:
            return hand
        suit = led_suit(self.trick[0], self.trump)
        return [tile for tile in hand if follows(tile, suit, self.trump)] or hand

    def apply(self, move: str) -> None:
        """Play a move with all that follows from it; raise Refused if it is not allowed."""
        if move not in self.legal():
            raise Refused(move)
        option, argument = parts(move)
        assert self.turn is not None
        if option in ("bid", "pass"):
            self.speak(int(argument) if argument else None)
        elif option == "lay_away":
            self.hands[self.turn].remove(argument)
            self.centre.append(argument)
            self.stage = "name"
        elif option in ("name", "no_trumps"):
            self.trump = argument or NONE
            self.events[f"trumps {self.trump}"] += 1
            self.stage, self.leader = "play", self.turn  # MOON-21
        else:
            self.put(argument)

    # ---- bidding

    def speak(self, bid: int | None) -> None:
        """Note a bid or a pass; after three, or a 21, the bidding is over (MOON-11, MOON-14, MOON-16)."""
        assert self.turn is not None
        self.spoken += 1
        if bid is not None:
            self.bid, self.bidder = bid, self.turn
        if self.spoken == PLAYERS or bid == 21:
            self.events[f"{self.spoken} spoke"] += 1
            self.end_bidding()
        else:
            self.turn = (self.turn + 1) % PLAYERS

    def end_bidding(self) -> None:
        """Give the centre tile to whoever has won the bidding, or throw the hand in (MOON-17, MOON-18, R-MOON-03)."""
        if self.bidder is None:
            self.events[f"all pass, {self.all_pass}"] += 1
            if self.all_pass == "redeal":
                self.next_hand()
                return
            self.bid, self.bidder = 4, (self.first_bidder + 2) % PLAYERS
        self.hands[self.bidder] += self.centre
        self.centre = []
        self.stage, self.turn = "lay away", self.bidder

    # ---- play

    def put(self, tile: str) -> None:
        """Play a tile; the third of a trick ends it (MOON-25, MOON-26)."""
        assert self.turn is not None
        self.hands[self.turn].remove(tile)
        if self.trick:
            suit = led_suit(self.trick[0], self.trump)
            self.events["follows" if follows(tile, suit, self.trump) else "can't follow"] += 1
        self.trick.append(tile)
        self.turn = (self.turn + 1) % PLAYERS
        if len(self.trick) < PLAYERS:
            return
        taker = (self.leader + trick_winner(self.trick, self.trump)) % PLAYERS
        self.tricks[taker] += 1
        self.won[taker] += self.trick
        self.trick, self.leader, self.turn = [], taker, taker
        if sum(self.tricks) == TRICKS:
            self.score()

    def score(self) -> None:
        """Score a hand and see whether the match is over (MOON-27 to MOON-33)."""
        assert self.bidder is not None and self.bid is not None
        made = self.tricks[self.bidder] >= min(self.bid, TRICKS)
        self.events[f"{self.bid} {'made' if made else 'failed'}"] += 1
        self.scores[self.bidder] += self.bid if made else -self.bid
        if self.bid == 21 and made and self.moon_wins:
            self.winner = self.bidder  # R-MOON-05: whatever the scores, and nobody else scores
            self.stage, self.turn = "over", None
            return
        for seat in range(PLAYERS):
            if seat != self.bidder:
                self.scores[seat] += self.tricks[seat]
        best = max(self.scores)
        if best >= self.target and self.scores.count(best) == 1:
            self.winner = self.scores.index(best)
            self.events[f"won by {'the bidder' if self.winner == self.bidder else 'another'}"] += 1
            self.stage, self.turn = "over", None
            return
        self.events["tie at the top"] += best >= self.target
        self.next_hand()

    def next_hand(self) -> None:
        """Pass on the role of the first bidder (MOON-10, R-MOON-18)."""
        self.first_bidder = (self.first_bidder + 1) % PLAYERS
        self.hands_played += 1
        self.stage, self.turn = "deal", None
