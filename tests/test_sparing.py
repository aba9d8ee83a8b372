"""What the compiler spares where it can tell that it may, and does not where it can't."""

from __future__ import annotations

import re

import pytest

from hoyle import __version__
from hoyle import program as p
from hoyle.compile import compile_program
from hoyle.compile.counting import counted_anew
from hoyle.compile.held import slots
from hoyle.program.liveness import Liveness
from hoyle.program.sizes import lone_sets
from hoyle.runtime.state import MOST_STEPS, STEPS
from hoyle.session import load_text
from lockstep import Both
from test_run import play

SPEC = """
hoyle 1

game "Sparing" for 2 players

components
  enum Suit = clubs, hearts, spades
  card Plain(suit: Suit, rank: 1..6)  "{rank} of {suit}"
  deck in stock
    1 Plain(s, r) for s in Suit, r in 1..6

zones
  stock:  pile, hidden
  played: pile, open
  hand:   pool, seen by owner, each player

state
  score = 0 for each player
  wanted: Suit
  n = 0

define worth(p: player) = sum of c.rank for c in p.hand

play
  shuffle stock
  deal 4 from stock to each hand
  repeat 6 times
    for p in players
      do turn(p)
  do ending

phase turn(p: player)
TURN

phase ending
  choose secretly each p in players
    option low
      p.score -= 1
    option high
      p.score += 1

result
  rank p by highest p.score
"""
PLAIN = """
  choose p
    option put(c in p.hand)
      wanted = c.suit
      move c to played
    option rest
"""


def module(turn: str, spec: str = SPEC) -> tuple[Both, str]:
    """Return both back ends of the game with such turns, which play the same, and the text of its module."""
    game = load_text(spec.replace("TURN", turn.strip("\n")))
    both = Both(game)
    for seed in range(4):
        both.play(2, seed)
        play(both, 2, seed, 400)
    return both, compile_program(game.program, __version__)


# ---- sets of one card -------------------------------------------------------------------------------------------


DRAWS = """
  choose p
    option draw
      move 1 from stock to p.hand as drawn
      for c in drawn where c.suit is not clubs
        p.score += c.rank
      for c in drawn
        wanted = c.suit
        move c to played
    option rest
"""


def test_the_one_card_that_is_drawn_is_asked_for() -> None:
    both, text = module(DRAWS)
    assert lone_sets(both.left.program)
    assert re.search(r"if drawn:.*\n *c = drawn\.bit_length\(\) - 1\n", text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("move 1 from", "move 2 from"),
        ("      for c in drawn\n", "      drawn = {c in p.hand}\n      for c in drawn\n"),
    ],
)
def test_a_set_that_may_hold_more_is_gone_through(before: str, after: str) -> None:
    turn = DRAWS.replace(before, after)
    if "drawn = " in after:
        turn = turn.replace("  choose p", "  let drawn = {}\n  choose p")
    both, text = module(turn)
    assert not lone_sets(both.left.program) and "drawn.bit_length() - 1" not in text


# ---- what a test and what follows ask ---------------------------------------------------------------------------


ASKS = """
  choose p
    option count
      if worth(p) > 12
        p.score += worth(p)
      else
        n = worth(p)
        move 1 from stock to p.hand
        p.score += worth(p)
    option rest
"""


def test_what_a_test_has_asked_is_known_where_nothing_has_changed() -> None:
    text = module(ASKS)[1].split("class Rules_", 1)[1]
    body = text.split("def run(", 1)[1]
    assert len(re.findall(r"\bworth_* = ", body)) == 1
    # Known to the test and to what is set first; asked anew when a card has been drawn.
    assert len(re.findall(r"(\+|=) worth_*  #", body)) == 2 and len(re.findall(r"sum\(map\(", body)) == 2


def test_it_is_asked_again_where_something_has_changed() -> None:
    turn = ASKS.replace("        n = worth(p)\n", "")
    body = module(turn)[1].split("def run(", 1)[1]
    assert len(re.findall(r"sum\(map\(", body)) == 2
    both, _ = module(
        turn.replace("        p.score += worth(p)\n      else", "        wanted = clubs\n      else")
    )
    assert both


# ---- passes of loops --------------------------------------------------------------------------------------------


LONG = f"""
  choose p
    option go
      n = 0
      repeat until n is {MOST_STEPS - 10}
        n += 1
    option rest
"""


def test_passes_are_counted_from_decision_to_decision() -> None:
    game = load_text(SPEC.replace("TURN", LONG.strip("\n")))
    both = Both(game)
    for back_end in (both.left, both.right):
        table = back_end.start(2, 1)
        for place in (0, 1, 0, 0):
            table.step(table.legal()[place])
            assert table.state[STEPS] == 0


def test_a_loop_that_goes_on_for_ever_ends_both_alike() -> None:
    game = load_text(
        SPEC.replace("TURN", LONG.replace(f"is {MOST_STEPS - 10}", f"is {MOST_STEPS + 10}").strip("\n"))
    )
    both = Both(game)
    words = set()
    for back_end in (both.left, both.right):
        table = back_end.start(2, 1)
        table.step(table.legal()[1])
        with pytest.raises(Exception, match="without a decision") as fault:
            table.step(table.legal()[0])
        words.add(str(fault.value))
    assert len(words) == 1


def test_the_count_is_set_back_only_where_something_is_counted() -> None:
    def lines(*inside: str) -> list[str]:
        return list(
            counted_anew(
                ["if at == ~1:", "    for made in decisions:", *(" " * 8 + x for x in inside)], "steps"
            )
        )

    begin = ("out = self.found(S)", "if wanders:", "    n = out[0]")
    assert "steps = 0" not in "\n".join(lines(*begin, "x += 1", "continue"))
    counted = lines(*begin, "if x:", "    steps += 1", "    continue", "continue")
    assert [x.strip() for x in counted[-5:]] == ["if x:", "steps += 1", "steps = 0", "continue", "continue"]
    looped = lines(*begin, "for x in y:", "    if x:", "        break", "    steps += 1", "continue")
    assert [x.strip() for x in looped[-2:]] == ["steps = 0", "continue"]
    onward = lines(*begin, "steps += 1", "at = 3", "break")
    assert [x.strip() for x in onward[-2:]] == ["at = 3", "break"]
    other = lines(*begin, "steps += 1", "at, block = ~4, 4", "break")
    assert [x.strip() for x in other[-3:]] == ["at, block = ~4, 4", "steps = 0", "break"]
    block = list(counted_anew(["if at == 2:", "    at, block = ~4, 4", "    continue"], "S[STEPS]"))
    assert block[2] == "    S[STEPS] = 0"


# ---- where phases return to -------------------------------------------------------------------------------------


def test_where_a_phase_returns_to_is_kept_if_several_places_run_it() -> None:
    once = load_text(SPEC.replace("TURN", PLAIN.strip("\n"))).program
    assert "after turn" not in [x.name for x in once.slots]
    text = SPEC.replace("  do ending\n", "  for p in players\n    do turn(p)\n  do ending\n").replace(
        "TURN", PLAIN.strip("\n")
    )
    twice = load_text(text)
    assert [x.name for x in twice.program.slots].count("after turn") == 1
    both = Both(twice)
    for seed in range(6):
        both.play(2, seed)
        play(both, 2, seed, 400)


FIRST = """
phase ask(p: player)
  choose p
    option low
      p.score -= 1
    option high
      p.score += 1

"""


def test_what_is_needed_behind_a_phase_is_kept_wherever_that_stands_in_the_text() -> None:
    turn = """
  let before = size of p.hand
  choose p
    option wait
    option take
      move 1 from stock to p.hand
  do ask(p)
  if before is 4
    p.score += before
    move 1 from p.hand to played
"""
    text = SPEC.replace("\nplay\n", f"{FIRST}play\n", 1).replace("TURN", turn.strip("\n"))
    text = text.replace("hand:   pool", "hand:   pile")
    both = Both(load_text(text))
    program = both.left.program
    assert program.phases[0].name == "ask"
    before = next(slot for slot, info in slots(program) if info.name == "before")
    choices = [b.number for b in program.blocks if isinstance(b.exit, p.Choose) and b.phase == "turn"]
    assert [before in Liveness(program).at(number) for number in choices] == [True]
    for seed in range(6):
        both.play(2, seed)
        play(both, 2, seed, 400)


def test_what_is_added_to_one_of_many_is_added() -> None:
    text = module(PLAIN)[1]
    assert re.search(r"S\[SCORE \+ .*\] \+= 1", text) and re.search(r"S\[SCORE \+ .*\] -= 1", text)
    assert "] = S[SCORE" not in text
