"""Modules compiled without one of the passes play the same games: a pass makes a module faster, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.compile.passes import PASSES, Pass
from hoyle.program import Program
from hoyle.runtime.chance import mix, pick
from hoyle.session import load_text
from lockstep import played_by
from specs_for_tests import ALL, SHORT, SPECS, game

PLAYOUTS = 6
STEPPED = 2
# The values of the last argument are settled by the card before it, from a hand that is not sorted: no game of specs/
# has such a choice.
KINGS = """
hoyle 1

game "Kings" for 2 players

components
  enum Suit = clubs, hearts, spades
  enum Rank = ace, king, queen
  card Plain(suit: Suit, rank: Rank)  "{rank} of {suit}"
  deck in stock
    2 Plain(s, r) for s in Suit, r in Rank

zones
  stock: pile, hidden
  played: pile, open
  hand:  row, seen by owner, each player

state
  wanted: Suit
  score = 0 for each player

play
  shuffle stock
  deal 6 from stock to each hand
  repeat 6 times
    for p in players
      choose p
        option put(c in p.hand, s in (Suit if c.rank is king else {c.suit}))
          move c to played
          if s is wanted
            p.score += 1
          wanted = s

result
  rank p by highest p.score
"""


def text(program: Program, *without: Pass) -> str:
    """Return a module that runs in this process, compiled without some passes."""
    return compile_program(program, __version__, alone=False, without=frozenset(without))


def games_of(playable: Any, players: int, given: dict[str, Any]) -> tuple[Any, ...]:
    """Return some random games, played in one go and move by move."""
    whole = [
        tuple(x) for x in playable.playouts(PLAYOUTS, players=players, seed=5, max_decisions=200, **given)
    ]
    return whole, [stepped(playable, players, seed, given) for seed in range(STEPPED)]


def stepped(playable: Any, players: int, seed: int, given: dict[str, Any]) -> list[Any]:
    """Return the legal moves of a random game at each decision, and how it ended; or its fault."""
    told: list[Any] = []
    try:
        table = playable.start(players=players, seed=seed, max_decisions=100, **given)
        choice = mix(seed, 1)
        while table.turn is not None:
            legal = table.legal()
            told.append((table.turn, legal))
            if table.decisions % 7 == 3:
                told.append(
                    list(table.state[:3])
                )  # who looks is carried on by the methods, not by the function
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
        told.append((table.outcome, table.scores, table.winners))
    except RuntimeError as fault:
        told.append(str(fault))
    return told


def programs(name: str) -> Program:
    """Return a program by its name."""
    return load_text(KINGS).program if name == "kings" else game(name).program


# What no game of specs/ has stands in the last three.
@pytest.mark.parametrize("name", [*SPECS, "sums", "market", "kings"])
def test_without_any_one_pass_the_games_are_the_same(name: str) -> None:
    program = programs(name)
    players = program.high
    given = SHORT.get(name, {})
    whole = text(program)
    expected = games_of(played_by(whole), players, given)
    for left_out in PASSES:
        made = text(program, left_out)
        if made != whole:
            assert games_of(played_by(made), players, given) == expected, left_out


def test_without_all_passes_the_games_are_the_same() -> None:
    for name in SPECS:
        program, players = game(name).program, game(name).counts[0]
        given = SHORT.get(name, {})
        bare = played_by(text(program, *PASSES))
        assert games_of(bare, players, given) == games_of(played_by(text(program)), players, given), name


def test_every_pass_changes_some_module() -> None:
    idle = set(PASSES)
    for name in [*ALL, "kings"]:
        program = programs(name)
        whole = text(program)
        idle -= {x for x in idle if text(program, x) != whole}
    assert not idle


def test_a_module_is_the_same_text_with_no_pass_left_out() -> None:
    program = game("hearts").program
    assert text(program) == compile_program(program, __version__, alone=False)
