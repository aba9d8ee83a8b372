"""DOS by hand: an oracle for the interpreter, written from the rule sheet alone (DOS-01 to R-DOS-22).

It knows nothing of hoyle but the spelling of moves: `single(blue 7, red 7, no)`. Cards are their faces. It
is deterministic; where chance is needed it asks: `shuffle` for the order of a stock made of the discard
pile, `start_round` for a shuffled deck, or `adopt_deal` for a deal that was made elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations

COLOURS = ("red", "yellow", "green", "blue")
WILD_DOS = "Wild DOS"
DECK_SIZE = 108
CENTRE_SIZE = 2

Place = int | str
"""Where a card drawn from the stock goes: a seat, or "centre"."""


class Refused(ValueError):
    """A move that the rules do not allow now; nothing was changed."""


def deck() -> list[str]:
    """Return the 108 faces of the deck in a fixed order (DOS-02, DOS-03)."""
    cards = [WILD_DOS] * 12
    for colour in COLOURS:
        cards += [f"{colour} {number}" for number in (1, 3, 4, 5)] * 3
        cards += [f"{colour} {number}" for number in range(6, 11)] * 2
        cards += [f"{colour} #"] * 2
    return cards


@cache
def rank(face: str) -> tuple[int, int, int]:
    """Return the key of the order in which faces are written in a move: type, colour, number."""
    if face == WILD_DOS:
        return (2, 0, 0)
    colour, mark = face.split()
    place = COLOURS.index(colour)
    return (1, place, 0) if mark == "#" else (0, place, int(mark))


@cache
def numbers(face: str) -> frozenset[int]:
    """Return the numbers a card can stand for (DOS-04, DOS-05, R-DOS-02, R-DOS-03)."""
    if face == WILD_DOS:
        return frozenset({2})
    mark = face.split()[1]
    return frozenset(range(1, 11)) if mark == "#" else frozenset({int(mark)})


@cache
def colours(face: str) -> frozenset[str]:
    """Return the colours a card can have (R-DOS-07)."""
    return frozenset(COLOURS) if face == WILD_DOS else frozenset({face.split()[0]})


def points(face: str) -> int:
    """Return what a card left in a hand is worth to the player who went out (DOS-29)."""
    if face == WILD_DOS:
        return 20
    mark = face.split()[1]
    return 40 if mark == "#" else int(mark)


def deal_worth(face: str) -> int:
    """Return what a card is worth in the draw for dealer: only numbers count (DOS-06, R-DOS-06)."""
    return 0 if face == WILD_DOS or face.endswith("#") else points(face)


def dealer_draw(drawn: Sequence[str]) -> list[int]:
    """Return who drew highest for the deal, several if they must draw again (DOS-06, R-DOS-05)."""
    worth = [deal_worth(face) for face in drawn]
    return [seat for seat, value in enumerate(worth) if value == max(worth)]


@cache
def matching(cards: tuple[str, ...], target: str) -> bool:
    """Return whether one or two hand cards match a centre card, in number alone (DOS-12, DOS-13, DOS-15)."""
    if len(cards) == 1:
        return bool(numbers(cards[0]) & numbers(target))
    first, second = cards
    return any(a + b in numbers(target) for a in numbers(first) for b in numbers(second))


@cache
def bonus_answers(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the answers that the colour question may get for all the cards of a match (R-DOS-07)."""
    if not frozenset.intersection(*map(colours, cards)):
        return ("no",)
    return ("yes", "no") if WILD_DOS in cards else ("yes",)


def call(option: str, *arguments: str) -> str:
    """Return a move in the form `option(argument, argument)`."""
    return f"{option}({', '.join(arguments)})" if arguments else option


def parts(move: str) -> tuple[str, tuple[str, ...]]:
    """Return the option and the arguments of a move in that form."""
    found = re.fullmatch(r"(\w+)(?:\((.+)\))?", move)
    if not found:
        raise Refused(f"not a move: {move}")
    return found[1], tuple(found[2].split(", ")) if found[2] else ()


def as_it_lies(cards: list[str]) -> list[str]:
    """Return the cards in the order they have: the shuffle of an oracle that was given no other."""
    return cards


def from_the_top(stock: list[str], place: Place) -> str:
    """Return the top card of the stock: the draw of an oracle that was given no other."""
    return stock[0]


@dataclass
class DosOracle:
    """A table of DOS. Piles are lists, top card first; the centre row runs from left to right.

    `turn` is None while a round has not begun. `shuffle` gives the order of a new stock made of the discard
    pile; `pick` says which card of a stock is drawn for a place, for a stock whose order is not known.
    """

    players: int
    target: int = 200
    hand_size: int = 7
    after_draw: str = "anything"
    penalty_draw: str = "at_once"
    dealer: int = 0
    turn: int | None = None
    hands: list[list[str]] = field(default_factory=list)
    centre: list[str] = field(default_factory=list)
    matched: list[str] = field(default_factory=list)
    stock: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    scores: list[int] = field(default_factory=list)
    drew: bool = False
    drawn: str | None = None  # the card drawn this turn, as long as it is in the hand
    owed: int = 0  # colour bonuses earned this turn and not yet placed
    penalties: int = 0  # double colour bonuses whose draws wait for the end of the turn
    placing: bool = False  # the matches are over, bonus cards are being placed
    went_out: int | None = None  # who ended the round, until the next begins
    shuffle: Callable[[list[str]], list[str]] = as_it_lies
    pick: Callable[[list[str], Place], str] = from_the_top
    events: Counter[str] = field(default_factory=Counter)  # what came up so far, for tests of coverage

    def __post_init__(self) -> None:
        self.hands = self.hands or [[] for _ in range(self.players)]
        self.scores = self.scores or [0] * self.players

    # ---- rounds

    def start_round(self, order: Sequence[str]) -> None:
        """Deal a round from a shuffled deck, top card first (DOS-07, DOS-08)."""
        cards = list(order)
        hands = [[cards.pop(0) for _ in range(self.hand_size)] for _ in range(self.players)]
        self.adopt_deal(hands, cards[:CENTRE_SIZE], cards[CENTRE_SIZE:])

    def adopt_deal(self, hands: Sequence[Sequence[str]], centre: Sequence[str], stock: Sequence[str]) -> None:
        """Begin a round with a deal that was made elsewhere, left of the dealer to move (DOS-10)."""
        self.hands = [list(hand) for hand in hands]
        self.centre, self.stock = list(centre), list(stock)
        self.matched, self.discard = [], []
        if self.went_out is not None:
            self.dealer = self.left_of(self.dealer)  # DOS-09
        self.went_out = None
        self.check_deal()
        self._begin_turn(self.left_of(self.dealer))

    def check_deal(self) -> None:
        """Raise AssertionError unless this is the beginning of a round (DOS-07, DOS-08)."""
        assert [len(hand) for hand in self.hands] == [self.hand_size] * self.players
        assert len(self.centre) == CENTRE_SIZE
        self.check_cards()

    def check_cards(self) -> None:
        """Raise AssertionError unless every card of the deck is in exactly one place."""
        there = Counter(self.centre + self.matched + self.stock + self.discard)
        for hand in self.hands:
            there.update(hand)
        assert there == Counter(deck()), "cards were lost or copied"

    def left_of(self, seat: int) -> int:
        """Return the seat that follows clockwise."""
        return (seat + 1) % self.players

    @property
    def finished(self) -> bool:
        """Whether somebody has reached the target (DOS-30)."""
        return max(self.scores) >= self.target

    @property
    def winner(self) -> int | None:
        """Who won; nobody yet if None. Two can't reach the target together (R-DOS-18)."""
        return self.scores.index(max(self.scores)) if self.finished else None

    # ---- moves

    def legal(self) -> set[str]:
        """Return the moves that are allowed now; equal cards make one move."""
        if self.turn is None or self.finished:
            return set()
        hand = self.hands[self.turn]
        if self.placing:
            return {call("place", face) for face in hand}
        moves = set(self._matches(sorted(hand, key=rank)))
        if self.matched:
            moves.add("stop")
        elif self.drew:
            moves.update(call("add", face) for face in hand)  # R-DOS-12
        else:
            moves.add("draw")  # R-DOS-10
        return moves

    def _matches(self, hand: list[str]) -> Iterator[str]:
        """Yield the matches of a sorted hand; what was matched has left the centre (DOS-14, R-DOS-17)."""
        played: set[tuple[str, ...]] = {(face,) for face in hand}
        played.update(combinations(hand, 2))
        for cards in played:
            if self.drew and self.after_draw == "drawn_card" and self.drawn not in cards:
                continue  # R-DOS-11, the literal reading
            for target in set(self.centre):
                if matching(cards, target):
                    option = "single" if len(cards) == 1 else "double"
                    for answer in bonus_answers((*cards, target)):
                        yield call(option, *cards, target, answer)

    def apply(self, move: str) -> None:
        """Play a move with all that follows from it; raise Refused if it is not allowed."""
        if move not in self.legal():
            raise Refused(move)
        option, arguments = parts(move)
        self.events[call(option, arguments[-1]) if option in ("single", "double") else option] += 1
        match option:
            case "single" | "double":
                self._match(arguments[:-2], arguments[-2], arguments[-1] == "yes")
            case "draw":
                self.drew = True
                self.drawn = self._draw(self._mover)
            case "add":
                self._to_centre(arguments[0], option)
                self._end_turn()
            case "stop":
                self._end_matches()
            case _:
                self.owed -= 1
                self._to_centre(arguments[0], option)
                self._place_or_end()

    @property
    def _mover(self) -> int:
        assert self.turn is not None
        return self.turn

    def _match(self, cards: tuple[str, ...], target: str, colour: bool) -> None:
        """Match one or two cards with a centre card, and give the double colour bonus (DOS-16 to DOS-18)."""
        hand = self.hands[self._mover]
        for face in cards:
            hand.remove(face)
        if self.drawn in cards:
            self.drawn = None
        self.centre.remove(target)
        self.matched += [target, *cards]
        if colour:
            self.owed += 1
            if len(cards) == 2:
                self.penalties += 1
        if self.penalty_draw == "at_once":
            self._others_draw()
        if not hand:
            self._others_draw()  # DOS-28
            self._end_round("match")

    def _to_centre(self, face: str, how: str) -> None:
        """Move a hand card to the right end of the centre row; an empty hand ends the round (R-DOS-15)."""
        hand = self.hands[self._mover]
        hand.remove(face)
        self.centre.append(face)
        if not hand:
            self._end_round(how)

    def _others_draw(self) -> None:
        """Let the others draw for double colour bonuses, clockwise from the mover's left (R-DOS-09)."""
        for _ in range(self.penalties):
            for step in range(1, self.players):
                self._draw((self._mover + step) % self.players)
        self.penalties = 0

    # ---- the end of a turn and of a round

    def _end_matches(self) -> None:
        """Discard what was matched, refill, go on to the bonus cards (DOS-23 to DOS-25, R-DOS-16).

        With `at_turn_end` the others draw first: the sheet leaves the place open, the sketch has it so.
        """
        self._others_draw()
        self.discard = self.matched[::-1] + self.discard
        self.matched = []
        self._refill()
        self._place_or_end()

    def _place_or_end(self) -> None:
        """Ask for the next bonus card, or pass the turn if none is owed (R-DOS-08)."""
        if self.turn is not None:
            self.placing = self.owed > 0
            if not self.placing:
                self._begin_turn(self.left_of(self.turn))

    def _end_turn(self) -> None:
        """End a turn without a match (DOS-22, DOS-24)."""
        if self.turn is not None:
            self._refill()
            self._begin_turn(self.left_of(self.turn))

    def _begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.drew, self.drawn = False, None
        self.owed, self.penalties, self.placing = 0, 0, False

    def _end_round(self, how: str) -> None:
        """Score the round for the mover, who has gone out; what is still owed lapses (R-DOS-15, R-DOS-18)."""
        self.events[f"out by {how}"] += 1
        self.went_out = self._mover
        self.scores[self.went_out] += sum(points(face) for hand in self.hands for face in hand)
        self.turn = None
        self.owed, self.placing = 0, False

    # ---- the stock

    def _refill(self) -> None:
        """Fill the centre row up to two cards, as far as there are any (DOS-24, R-DOS-14)."""
        while len(self.centre) < CENTRE_SIZE and self._draw("centre"):
            pass

    def _draw(self, place: Place) -> str | None:
        """Move a card from the stock to a place; return None if even the discard pile is empty (R-DOS-13)."""
        if not self.stock and self.discard:
            self.events["reshuffle for the centre" if place == "centre" else "reshuffle for a hand"] += 1
            self.stock = self.shuffle(list(self.discard))
            self.discard = []
        if not self.stock:
            self.events["nothing to draw"] += 1
            return None
        face = self.pick(self.stock, place)
        self.stock.remove(face)
        (self.hands[place] if isinstance(place, int) else self.centre).append(face)
        return face
