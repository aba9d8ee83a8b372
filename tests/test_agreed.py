"""What the two back ends have once said differently, or where one of them broke: small games, one for each."""

from __future__ import annotations

import re

import pytest

from hoyle.session import load_text
from lockstep import Both
from test_run import play

HEAD = """
hoyle 1

game "Agreed" for PLAYERS players

components
  enum Suit = red, blue, gold
CARDS

zones
  stock: pile, hidden, refilled by shuffling pond
  pond:  pile, open
  line:  row, open
  hand:  pool, HANDS, each player
"""
FISH = """
  card Fish(suit: Suit, v: 1..4)  "{suit} {v}"
  deck in stock
    2 Fish(s, v) for s in Suit, v in 1..4
"""
ALONE = FISH.replace("    2 Fish", "    1 Fish")
THREE = """
  card Low(v: 1..3)  "low {v}"
  card Mid(v: 1..3)  "mid {v}"
  card High(v: 1..3)  "high {v}"
  deck in stock
    2 Low(v) for v in 1..3
    2 Mid(v) for v in 1..3
    2 High(v) for v in 1..3
"""
PLAY = """
play
  shuffle stock
  deal 4 from stock to each hand
  fill line to 3 from stock
  repeat 3 times
    for p in players
      choose p
OPTIONS
MORE
result
  rank p by lowest size of p.hand
"""
STATE = """
state
  kept: card or none
  bidder: player or none
  trump: Suit
  level: 2..5
  score = 0 for each player
"""
# name: what is defined, the options, what comes behind the play
GAMES: dict[str, tuple[str, str, str]] = {
    "a definition binds the name that it is asked about": (
        "define twin(d: card) = (count c in pond where c.v is d.v) > 0",
        """
option put(c in p.hand where twin(c))
  move c to pond
option any_(c in p.hand)
  move c to pond
""",
        "",
    ),
    "a zone is named in two ways": (
        "",
        """
option own(c in p.hand)
  move c to pond
option take(c in (left of p).hand)
  move c to p.hand
option other(c in p.hand where c.v > 2)
  move c to line
option no
""",
        "",
    ),
    "rows hang on two things in turn": (
        "",
        """
option a(c in p.hand where c.suit is trump)
  move c to pond
option b(c in p.hand where c.v < level)
  trump = c.suit
option d(c in p.hand where c.suit is not trump)
  move c to pond
option no
""",
        "",
    ),
    "a loop inside a scan": (
        "",
        """
option one(c in p.hand, t in line, q in others of p where c.v is t.v and any d in q.hand where d.v > 2)
  move c, t to pond
option two(a, b in p.hand, t in line, q in others of p where a.v + b.v is t.v and any d in q.hand where d.v is 1)
  move a, b, t to pond
option draw
  move 1 from stock to p.hand
  fill line to 3 from stock
""",
        "",
    ),
    "the best of a pile": (
        "define worth(c: card) = 2 if c.v > 2 else 1",
        """
option put(c in p.hand)
  move c to pond
  kept = highest d in pond by worth(d)
  if kept is not none
    p.score += kept.v
option low(c in p.hand)
  move c to pond
  kept = lowest d in pond where d.suit is (bottom of pond).suit by worth(d)
  if kept is not none
    p.score += kept.v
option no
""",
        "",
    ),
    "what may be none in a count": (
        "",
        """
option keep(c in p.hand)
  kept = c
option tell
  p.score += count c in p.hand where kept is not none and c.suit is kept.suit
""",
        "",
    ),
    "the first of what a count goes through": (
        "",
        """
option lay(c in p.hand)
  move c to pond
option tell
  p.score += count c in line where c.suit is (first of line).suit
  move all from line to pond
""",
        "",
    ),
    "a definition about what may be none": (
        "define wealth(p: player) = sum of c.v for c in p.hand",
        """
option put(c in p.hand) when bidder is not none and wealth(bidder) > 3
  move c to pond
option add when bidder is not none and wealth(bidder) < 9
  p.score += 1
option bid
  bidder = p
""",
        "",
    ),
    "a phase is given what may be none": (
        "",
        """
option a(c in p.hand)
  kept = c
  move c to pond
  do tell(p, kept)
option b
  do tell(p, kept)
option no
  kept = none
""",
        """
phase tell(p: player, c: card or none)
  if c is not none
    p.score += c.v
    if c.v > 2 and c.suit is red
      p.score += c.v
""",
    ),
    "a condition before the others lets none through": (
        "",
        """
option free(c in p.hand where not (kept is none or c.v is 1) and kept.v > 2)
  move c to line
option later(c in p.hand, d in line where not (kept is none or d.v is 1) and c.suit is kept.suit)
  move c to line
option keep(c in p.hand)
  kept = c
""",
        "",
    ),
}


def spec(name: str, cards: str = FISH) -> str:
    return written(*GAMES[name], cards)


def written(
    define: str, options: str, more: str, cards: str, hands: str = "open", players: str = "2..3"
) -> str:
    indented = "\n".join(" " * 8 + x for x in options.strip("\n").split("\n"))
    head = HEAD.replace("PLAYERS", players).replace("CARDS", cards.strip("\n")).replace("HANDS", hands)
    body = PLAY.replace("OPTIONS", indented).replace("MORE", more)
    return f"{head}{STATE}\n{define}\n{body}"


def assert_agreed(text: str, seeds: int = 5) -> None:
    both = Both(load_text(text))
    for players in both.left.counts:
        for seed in range(seeds):
            both.play(players, seed, 60)
            play(both, players, seed, 60)


@pytest.mark.parametrize("cards", [FISH, ALONE], ids=["alike", "alone"])
@pytest.mark.parametrize("name", GAMES)
def test_both_back_ends_agree(name: str, cards: str) -> None:
    assert_agreed(spec(name, cards))


def test_rows_are_joined_in_the_order_of_the_cards() -> None:
    options = """
option low(Low c in p.hand)
  move c to pond
option high(High c in p.hand)
  move c to pond
option mid(Mid c in p.hand)
  move c to pond
option no
"""
    text = written("", options, "", THREE, "seen by owner")
    assert_agreed(re.sub(r"\nstate\n.*?\n\n", "\n", text, flags=re.DOTALL))


# ---- what a seat knows ------------------------------------------------------------------------------------------


def knowing(zones: str, options: str, cards: str = FISH) -> str:
    head = HEAD.replace("PLAYERS", "2").replace("CARDS", cards.strip("\n")).replace("HANDS", "seen by owner")
    indented = "\n".join(" " * 8 + x for x in options.strip("\n").split("\n"))
    return head + zones + PLAY.replace("OPTIONS", indented).replace("MORE", "")


SWAPS = knowing(
    "  area:  pile, top open, each player\n",
    """
option swapped(q in others of p)
  swap p.hand with q.area
option more
  move 1 from stock to p.area
""",
)
ITSELF = knowing(
    "  heap:  pile, top open\n",
    """
option turn_
  move 3 from heap to heap
option more
  move 2 from stock to heap
option take
  move 1 from heap to p.hand
""",
)
PICKS = knowing("", "\noption take(any number of cs in p.hand)\n")
NETS = """
  card Fish(suit: Suit)  "{suit}"
  card Net(w: 1..3)  "net {w}"
  deck in stock
    2 Fish(s) for s in Suit
    2 Net(w) for w in 1..3
"""
PAYS = knowing(
    "",
    """
option buy(n in 1..3 where can pay(p, n))
  do pay(p, n)
option no
""",
    NETS,
).replace(
    "\nplay\n", "\npayment pay(p: player, price: number)\n  Net n in p.hand: worth n.w, to pond\n\nplay\n"
)


@pytest.mark.parametrize(
    "text", [SWAPS, ITSELF, PICKS, PAYS], ids=["swaps", "a pile to itself", "picks", "pays"]
)
def test_what_a_seat_knows_is_found_at_every_decision(text: str) -> None:
    both = Both(load_text(text))
    for seed in range(8):
        tables = [x.start(2, seed) for x in (both.left, both.right)]
        while tables[0].turn is not None and tables[0].decisions < 40:
            for seat in range(2):
                drawn = [x.resample(seat, seed) for x in tables]
                assert tables[0].knows(seat) == tables[1].knows(seat)
                assert drawn[0].legal() == drawn[1].legal() and min(drawn[0].legal()) >= 0
                assert drawn[0].view(seat) == drawn[1].view(seat) == tables[0].view(seat)
            moves = tables[0].legal()
            for x in tables:
                x.step(moves[(seed * 7 + x.decisions) % len(moves)])


def test_why_does_not_ask_behind_a_test_for_none() -> None:
    name = "a condition before the others lets none through"
    both = Both(load_text(spec(name)))
    for back_end in (both.left, both.right):
        table = back_end.start(2, 1)
        assert all(table.why(x) for x in ("free", "later"))
