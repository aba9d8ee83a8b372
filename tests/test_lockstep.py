"""The first law: interpreter and module give the same moves, views and results, seed for seed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Game
from hoyle.replay import Reading, deal
from lockstep import Both
from made_up_specs import specs
from specs_for_tests import ALL, SHORT, SPECS, both, counts
from test_language import accepted

GOLDEN = Path(__file__).parent / "playthroughs"
SEEDS = 200
# A whole game of Crazy Eights can be read; where only one card is drawn, games are short in decisions, not in lines.
TOLD = {**SHORT, "crazy_eights": {}}
# In every other game words are compared at each 64th decision; EVERY=16 compares as many in all.
EVERY = int(os.environ.get("EVERY", "64"))
LONGEST = 100_000  # decisions: random players of Moon need thousands now and then


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_the_two_agree_in_random_games(name: str, players: int) -> None:
    seeds, most = (SEEDS, LONGEST) if name in SPECS else (40, 3_000)
    short = SHORT.get(name, {})
    outcomes = {
        both(name).play(players, seed, every=EVERY if seed % 2 else 16, most=most, **short)
        for seed in range(seeds)
    }
    assert outcomes <= {"finished", "stalled", "fault"}
    if name in SPECS:
        assert outcomes == {"finished"}


@pytest.mark.parametrize("after_draw", ["anything", "drawn_card"])
@pytest.mark.parametrize("penalty_draw", ["at_once", "at_turn_end"])
def test_the_two_agree_for_every_setting_of_dos(after_draw: str, penalty_draw: str) -> None:
    game = both("dos")
    for seed in range(20):
        game.play(
            2 + seed % 3, seed, after_draw=after_draw, penalty_draw=penalty_draw, target=100, hand_size=5
        )


# EXAMPLES=2000 tries that many made-up specs, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))


made_up = settings(
    max_examples=EXAMPLES or 40,
    derandomize=not EXAMPLES,
    phases=[Phase.generate],  # a spec that fails is read as it is; to make it smaller takes for ever
    suppress_health_check=list(HealthCheck),
)


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_the_two_agree_on_made_up_specs(text: str, seed: int) -> None:
    made = Both(Game(accepted(text)))
    for players in made.left.counts[:2]:
        made.play(players, seed, every=4, most=40)
        made.play_explicit(players, seed, most=40)


@pytest.mark.parametrize("name", ALL)
def test_playouts_are_the_same_games(name: str) -> None:
    game = both(name)
    for players in game.left.counts[:2]:
        left = list(game.left.playouts(5, players, seed=3, max_decisions=3_000))
        assert left == list(game.right.playouts(5, players, seed=3, max_decisions=3_000))


def test_a_copy_goes_on_alike_in_both() -> None:
    game = both("dos")
    left, right = game.left.start(3, 5), game.right.start(3, 5)
    for _ in range(60):
        move = left.legal()[-1]
        left.step(move)
        right.step(move)
    one, other = left.copy(seed=9), right.copy(seed=9)
    while one.turn is not None:
        move = one.legal()[0]
        one.step(move)
        other.step(move)
        assert one.view(0) == other.view(0)
    assert one.log(1) == other.log(1)
    assert left.view(2) == right.view(2)


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("back_end", ["interpreted", "compiled"])
def test_golden_playthroughs(name: str, back_end: str) -> None:
    """A game written down once reads the same for ever; HOYLE_UPDATE=1 writes it anew, to be read by a person."""
    game = both(name).left if back_end == "interpreted" else both(name).right
    lines = [f"{game.name}, {game.counts[-1]} players, seed 1, game 0"]
    lines += Reading(*deal(game, game.counts[-1], 1, 0, TOLD.get(name, {}))).lines()
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("HOYLE_UPDATE") and back_end == "interpreted":
        golden.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == "\n".join(lines) + "\n"
