"""Agram by hand: an oracle for the interpreter, written from the rules alone.

It knows nothing of hoyle but the spelling of cards and moves: `play(10 of spades)`. A deal is taken over from
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("3", "4", "5", "6", "7", "8", "9", "10", "ace")
CARDS_EACH = 6


def deck() -> list[str]:
    """Return the 35 faces: there is no ace of spades."""
    cards = [f"{rank} of {suit}" for suit in SUITS for rank in RANKS]
    cards.remove("ace of spades")
    return cards


def suit(card: str) -> str:
    """Return the suit of a card."""
    return card.split(" of ")[1]


def rank(card: str) -> int:
    """Return how high a card is within its suit; aces are high."""
    return RANKS.index(card.split(" of ")[0])


@dataclass
class AgramOracle:
    """A game from the deal on. `turn` is the seat to move, None when the game is over and `winner` has won."""

    hands: list[list[str]]
    turn: int | None
    trick: list[str] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    winner: int | None = None

    def __post_init__(self) -> None:
        assert all(len(hand) == CARDS_EACH for hand in self.hands)
        self.tricks = [0] * len(self.hands)

    def playable(self) -> list[str]:
        """Return the cards that may be played: of the suit led if there is one."""
        if self.turn is None:
            return []
        hand = self.hands[self.turn]
        same = [card for card in hand if self.trick and suit(card) == suit(self.trick[0])]
        return same or hand

    def put(self, card: str) -> None:
        """Play a card; the last of a trick ends it, and the last trick the game."""
        assert self.turn is not None and card in self.playable()
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.turn = (self.turn + 1) % len(self.hands)
        if len(self.trick) < len(self.hands):
            return
        taker = (self.turn + self.best(self.trick)) % len(self.hands)
        self.tricks[taker] += 1
        self.trick, self.turn = [], taker
        if sum(self.tricks) == CARDS_EACH:
            self.winner, self.turn = taker, None

    def best(self, trick: Sequence[str]) -> int:
        """Return which card wins, by its place from the leader on: the highest of the suit led."""
        return max(
            (place for place, card in enumerate(trick) if suit(card) == suit(trick[0])),
            key=lambda place: rank(trick[place]),
        )
