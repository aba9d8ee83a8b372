"""The best split of a hand into melds against brute force, at the level of the run-time package."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle.runtime.faults import Fault
from hoyle.runtime.melding import Form, Marks, Melding
from made_up_specs import checked

MANY = int(os.environ.get("EXAMPLES", "300"))
SUITS, RANKS = 3, 6
JOKER = SUITS * RANKS


class Made:
    """A small game of melds, made up: kinds are suit and rank, with jokers, and perhaps deuces are wild too."""

    def __init__(self, seed: int) -> None:
        r = random.Random(seed)
        decks, jokers = r.randint(1, 2), r.randint(0, 3)
        missing = r.sample(range(JOKER), r.randint(0, 3))
        kinds = [k for k in range(JOKER) for _ in range(decks) if k not in missing] + [JOKER] * jokers
        self.kind_of = sorted(kinds)
        self.wilds = {JOKER, *([1, RANKS + 1] if r.random() < 0.3 else [])}
        self.most_wild = r.choice([-1, -1, 0, 1, 2])
        self.least = r.random() < 0.6
        self.points = {k: r.randint(0, 6) for k in range(JOKER + 1)}
        self.gain = r.choice([0, 0, 1])
        low = r.choice([2, 3, 3])
        self.forms = [
            Form("set", low, r.choice([0, 0, 4]), False, r.random() < 0.7, self.rank),
            Form("run", 3, r.choice([0, 0, 4]), True, False, self.suit),
        ][: r.choice([1, 2, 2, 2])]
        if r.random() < 0.2:
            self.forms.append(Form("rainbow", 3, 0, True, True, self.place))
        count = min(len(kinds), r.randint(0, 9))
        self.hand = sorted(r.sample(range(len(kinds)), count))

    def rank(self, kind: int) -> Marks | None:
        """Marks of a set: one rank, each suit once."""
        return None if kind == JOKER else ((kind % RANKS,), 0, kind // RANKS)

    def suit(self, kind: int) -> Marks | None:
        """Marks of a run: one suit, ranks in a row."""
        return None if kind == JOKER else ((kind // RANKS,), kind % RANKS, 0)

    def place(self, kind: int) -> Marks | None:
        """Marks of a run of which each card has a suit of its own."""
        return None if kind == JOKER else ((), kind % RANKS, kind // RANKS)

    def worth(self, kind: int, melded: bool) -> int:
        """Return what a card adds to the score."""
        return self.points[kind] * self.gain if melded else self.points[kind] * (1 if self.least else -1)

    def melding(self) -> Melding:
        """Return what is tested."""
        return Melding(
            self.kind_of, self.forms, lambda k: k in self.wilds, self.most_wild, self.worth, self.least, 7
        )

    # ---- brute force ------------------------------------------------------------------------

    def is_meld(self, form: Form, kinds: list[int]) -> bool:
        """Return whether cards make a meld, by trying each part of them as wilds and each face for those."""
        if len(kinds) < form.low or (form.high and len(kinds) > form.high):
            return False
        faces = sorted(set(self.kind_of) - {JOKER})
        return self._filled(form, kinds, [], faces, 0)

    def _filled(self, form: Form, left: list[int], taken: list[int], faces: list[int], wilds: int) -> bool:
        if not left:
            return wilds < len(taken) and self._whole(form, taken)
        head, *rest = left
        if form.marks(head) is not None and self._filled(form, rest, [*taken, head], faces, wilds):
            return True
        if head not in self.wilds or (0 <= self.most_wild <= wilds):
            return False
        return any(self._filled(form, rest, [*taken, face], faces, wilds + 1) for face in faces)

    def _whole(self, form: Form, kinds: list[int]) -> bool:
        marks = [form.marks(k) for k in kinds]
        same = {m[0] for m in marks if m is not None}
        places = sorted(m[1] for m in marks if m is not None)
        once = [m[2] for m in marks if m is not None]
        if len(same) != 1:
            return False
        if form.once and len(set(once)) < len(once):
            return False
        return not form.row or places == list(range(places[0], places[0] + len(places)))

    def ways(self, left: list[int], melds: list[list[int]]) -> Iterator[int]:
        """Yield the score of every way to put the cards into heaps, each heap a meld, or into the rest."""
        if not left:
            if all(any(self.is_meld(f, m) for f in self.forms) for m in melds):
                melded = [k for m in melds for k in m]
                yield 7 + sum(self.worth(k, True) for k in melded)
            return
        head, *rest = left
        for score in self.ways(rest, melds):
            yield score + self.worth(head, False)
        for i, meld in enumerate(melds):
            yield from self.ways(rest, [*melds[:i], [*meld, head], *melds[i + 1 :]])
        yield from self.ways(rest, [*melds, [head]])

    def best(self) -> int:
        """Return the best score there is."""
        kinds = [self.kind_of[x] for x in self.hand]
        return (min if self.least else max)(self.ways(kinds, []))


@settings(max_examples=MANY, deadline=None)
@given(st.integers(0, 2**32))
def test_no_split_is_better_than_the_one_that_is_found(seed: int) -> None:
    made = Made(seed)
    made.hand = made.hand[:7]
    assert made.melding().best(made.hand) == made.best()


@settings(max_examples=MANY * 3, deadline=None)
@given(st.integers(0, 2**32))
def test_the_split_that_is_told_is_made_of_melds_and_comes_to_the_score(seed: int) -> None:
    made = Made(seed)
    melding = made.melding()
    *melds, (_, rest) = melding.witness(made.hand)
    assert sorted([x for _, meld in melds for x in meld] + list(rest)) == made.hand
    forms = {f.name: f for f in made.forms}
    for name, meld in melds:
        assert made.is_meld(forms[name], [made.kind_of[x] for x in meld])
    score = 7 + sum(made.worth(made.kind_of[x], True) for _, meld in melds for x in meld)
    assert melding.best(made.hand) == score + sum(made.worth(made.kind_of[x], False) for x in rest)


# ---- many cards ---------------------------------------------------------------------------------


def standard(decks: int, jokers: int) -> Melding:
    """Return runs of a suit and sets of a rank from decks of 52 and jokers, one in a meld at most."""
    joker = 52
    kind_of = [k for k in range(joker) for _ in range(decks)] + [joker] * jokers
    forms = [
        Form("set", 3, 4, False, True, lambda k: None if k == joker else ((k % 13,), 0, k // 13)),
        Form("run", 3, 0, True, False, lambda k: None if k == joker else ((k // 13,), k % 13, 0)),
    ]
    return Melding(
        kind_of, forms, lambda k: k == joker, 1, lambda k, melded: 0 if melded else 1 + k % 13, True
    )


def test_a_whole_deck_and_any_hand_of_forty_can_be_split() -> None:
    melding = standard(1, 0)
    assert melding.best(range(52)) == 0
    assert len(melding.split(range(52)).melds) == 4
    r = random.Random(3)
    for decks, jokers in ((1, 0), (1, 2), (2, 4), (3, 0)):
        melding = standard(decks, jokers)
        for _ in range(6):
            hand = r.sample(range(len(melding.kind_of)), 40)
            *melds, (_, rest) = melding.witness(hand)
            assert sorted([x for _, meld in melds for x in meld] + list(rest)) == sorted(hand)


def test_too_many_cards_are_a_fault_within_a_moment() -> None:
    melding = standard(2, 4)
    with pytest.raises(Fault, match="too many ways to split"):
        melding.best(range(108))


# ---- what the checker sees ----------------------------------------------------------------------

LARGE = """hoyle 1

game "Large" for 2 players

components
  enum Suit = clubs, diamonds, hearts, spades
  card Playing(suit: Suit, rank: 1..13)
  card Joker
  deck in stock
    2 Playing(s, r) for s in Suit, r in 1..13
    4 Joker

zones
  stock: pile, hidden
  hand: pool, seen by owner, each player

state
  dealer: player

define loose(p: player)
  split p.hand into melds, rest
  meld set: 3+ Playing c with the same c.rank
  meld run: 3+ Playing c with the same c.suit, c.rank in a row
  wild: Joker j, at most 1 in a meld
  least: size of rest

play
  {play}
  for p in players
    show loose(p) to all

result
  rank p by lowest loose(p)
"""


@pytest.mark.parametrize(
    ("play", "line"),
    [
        ("deal 13 from stock to each hand", ""),
        ("deal 40 from stock to each hand", ""),
        ("move 100 from stock to dealer.hand", "move 100 from stock to dealer.hand"),
        ("gather every card into dealer.hand", "gather every card into dealer.hand"),
        ("move all from stock to dealer.hand", "move all from stock to dealer.hand"),
        ("fill dealer.hand to 105 from stock", "fill dealer.hand to 105 from stock"),
    ],
)
def test_the_checker_refuses_a_split_where_it_sees_too_many_cards_come(play: str, line: str) -> None:
    text = LARGE.format(play=play)
    report, program = checked(text)
    assert (program is None) == bool(line) == bool(report.errors)
    for error in report.errors:
        assert error.code == "E335" and error.second is not None
        lines = text.split("\n")
        assert lines[error.span.line - 1].strip() == "split p.hand into melds, rest"
        assert lines[error.second.span.line - 1].strip() == line
