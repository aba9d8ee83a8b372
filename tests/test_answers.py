"""Conditions that the moves found so far answer: told where both ask for the same cards, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.session import SpecError, load_text
from lockstep import Both
from test_run import play

SPEC = """
hoyle 1

game "Answers" for 2 players

components
  enum Suit = clubs, hearts, spades
  enum Rank = ace, king, queen
  card Plain(suit: Suit, rank: Rank)  "{rank} of {suit}"
  card Joker  "joker"
  card Fool   "fool"
  deck in stock
    1 Plain(s, r) for s in Suit, r in Rank
    2 Joker
    2 Fool

zones
  stock:  pile, hidden
  played: pile, open
  hand:   pool, seen by owner, each player

state
  wanted: Suit
  liked: Rank
  score = 0 for each player

define fits(c: card) = c is Plain and (c.suit is wanted or c.rank is liked)
define other(p: player) = any c in p.hand where c is Fool
define good(p: player, s: Suit) = any c in p.hand where c is Plain and c.suit is s

play
  shuffle stock
  deal 4 from stock to each hand
  repeat 6 times
    for p in players
      choose p
OPTIONS
        option rest
          p.score -= 1

result
  rank p by highest p.score
"""
PUT = """        option put{n}({c} in p.hand{others}{where})
          move c to played
          wanted = {suit}
          liked = {rank}
"""
WHEN = """        option draw{n} when {when}
          move 1 from stock to p.hand
          p.score += {n}
"""
FOOL = """        option fool(Fool f in p.hand) when {when}
          move f to stock
"""
TELLS = re.compile(r"if [^#\n]*\bout\b")
# What an option asks of a card, with the type it must be of, and the same as a condition.
ASKED = {
    "Plain c where fits(c)": "fits(c)",
    "c where fits(c)": "fits(c)",
    "Plain c where c.suit is wanted or c.rank is liked": "c is Plain and (c.suit is wanted or c.rank is liked)",
    "Plain c where c.suit is wanted and c.rank is not ace": "c is Plain and c.rank is not ace and c.suit is wanted",
    "Plain c where c.suit is wanted": "c is Plain and c.suit is wanted",
    "Plain c where c.rank is liked": "c is Plain and c.rank is liked",
    "Plain c": "c is Plain",
    "Joker c": "c is Joker",
    "c where c is Joker": "c is Joker",
    "c where c is Joker or c is Fool": "c is Joker or c is Fool",
    "c where not (c is Fool)": "not (c is Fool)",
}


def put(n: int, asked: str, named: bool = False) -> str:
    """Return an option that puts a card; with `named` a suit is named as well."""
    card, _, where = asked.partition(" where ")
    plain = card.startswith("Plain")
    return PUT.format(
        n=n,
        c=card,
        others=", s in Suit" if named else "",
        where=f" where {where}" if where else "",
        suit="s" if named else "c.suit" if plain else "wanted",
        rank="c.rank" if plain else "liked",
    )


def spec(*options: str) -> str:
    return SPEC.replace("OPTIONS\n", "".join(options))


def finds(text: str) -> str:
    """Return the lines that find the moves of a spec, as compiled."""
    module = compile_program(load_text(text).program, __version__, alone=False)
    found = re.search(r"def \w+_moves\(.*?return out", module, re.S)
    assert found
    return found[0]


def agrees(text: str, games: int) -> None:
    ends = Both(load_text(text))
    for seed in range(games):
        ends.play(2, seed)
        play(ends, 2, seed, 300)


@pytest.mark.parametrize("asked", ASKED)
def test_whoever_can_put_nothing_is_known_by_the_moves(asked: str) -> None:
    text = spec(put(1, asked), WHEN.format(n=2, when=f"not any c in p.hand where {ASKED[asked]}"))
    assert "if not out:" in finds(text)
    agrees(text, 4)


@pytest.mark.parametrize(
    ("when", "tells"),
    [
        ("not good(p, wanted)", "if not out:"),
        ("not any d in p.hand where d is Plain and d.suit is wanted", "if not out:"),
        ("size of stock > 2 and not good(p, wanted)", "and (not out):"),
        ("p.score < 2 or good(p, wanted)", "or out:"),
        ("not any c in p.hand where c is Plain and c.suit is clubs", ""),
        ("not any c in played where c is Plain and c.suit is wanted", ""),
        ("not any c in (next of p).hand where c is Plain and c.suit is wanted", ""),
        ("not any c in p.hand where c is Plain and c.suit is wanted and c.rank is ace", ""),
        ("not any c in p.hand where c is Plain and (c.suit is wanted or c.rank is ace)", ""),
        ("not every c in p.hand where c is Plain and c.suit is wanted", ""),
        ("not any c in p.hand where c is not Plain", ""),
        ("not any c, d in p.hand where c is Plain and d is Plain and c.suit is wanted", ""),
    ],
)
def test_only_what_asks_for_the_same_cards_is_told(when: str, tells: str) -> None:
    text = spec(put(1, "Plain c where c.suit is wanted"), WHEN.format(n=2, when=when))
    assert bool(TELLS.search(finds(text))) == bool(tells)
    assert tells in finds(text)
    agrees(text, 6)


def test_options_that_ask_the_same_are_found_together_and_told_apart() -> None:
    not_fit = "not (any c in p.hand where fits(c) or c is Joker)"
    text = spec(
        put(1, "Plain c where fits(c)"),
        put(2, "Joker c", named=True),
        FOOL.format(when=not_fit),
        WHEN.format(n=3, when=f"{not_fit} and not other(p)"),
        WHEN.format(n=4, when="not other(p)"),
    )
    assert finds(text).count("if not out:") == 2
    agrees(text, 12)


def test_what_comes_after_a_move_that_hangs_on_more_is_asked() -> None:
    not_fit = "not any c in p.hand where fits(c)"
    text = spec(
        put(1, "Plain c where fits(c)"),
        WHEN.format(n=2, when="p.score < 2"),
        WHEN.format(n=3, when=not_fit),
    )
    assert not TELLS.search(finds(text))
    agrees(text, 6)


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(sorted(ASKED)), st.booleans()), min_size=1, max_size=3),
    st.lists(st.sampled_from(sorted(ASKED.values())), max_size=1),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_both_back_ends_agree_whatever_is_asked(
    options: list[tuple[str, bool]], more: list[str], turned: bool, random: object
) -> None:
    asked = list(dict.fromkeys([ASKED[x] for x, _ in options] + more))
    random.shuffle(asked)  # type: ignore[attr-defined]
    whole = " or ".join(f"({x})" for x in asked)
    when = f"{'' if turned else 'not '}(any c in p.hand where {whole})"
    text = spec(
        *[put(n, x, named) for n, (x, named) in enumerate(options)],
        FOOL.format(when=when),
        WHEN.format(n=8, when=f"{when} and not other(p)"),
    )
    try:
        load_text(text)
    except SpecError:
        reject()  # it asks for what can't be, which the checker refuses
    agrees(text, 3)
