"""The first law: interpreter and module give the same moves, views and results, seed for seed."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Game
from hoyle.replay import Reading, deal
from hoyle.resources import folder
from hoyle.session import interpreted
from lockstep import Both, module_of
from made_up_specs import specs
from specs_for_tests import SHORT
from test_language import accepted

SMALL = Path(__file__).parent / "small_specs"
GOLDEN = Path(__file__).parent / "playthroughs"
SPECS = sorted(Path(str(f)) for f in folder("specs").iterdir() if f.name.endswith(".hoyle"))
ALL = [*SPECS, *sorted(SMALL.glob("*.hoyle"))]
SEEDS = 200
LONGEST = 100_000  # decisions: random players of Moon need thousands now and then


def program_of(path: Path):  # type: ignore[no-untyped-def]
    return interpreted(str(path)).program


@cache
def both(path: Path) -> Both:
    return Both(program_of(path))


def counts() -> list[object]:
    return [
        pytest.param(path, n, id=f"{path.stem}-{n}") for path in ALL for n in Game(program_of(path)).counts
    ]


@pytest.mark.parametrize(("path", "players"), counts())
def test_the_two_agree_in_random_games(path: Path, players: int) -> None:
    seeds, most = (SEEDS, LONGEST) if path in SPECS else (40, 3_000)
    short = SHORT.get(path.stem, {})
    outcomes = {
        both(path).play(players, seed, every=64 if seed % 4 else 16, most=most, **short)
        for seed in range(seeds)
    }
    assert outcomes <= {"finished", "stalled", "fault"}
    if path in SPECS:
        assert outcomes == {"finished"}


@pytest.mark.parametrize("after_draw", ["anything", "drawn_card"])
@pytest.mark.parametrize("penalty_draw", ["at_once", "at_turn_end"])
def test_the_two_agree_for_every_setting_of_dos(after_draw: str, penalty_draw: str) -> None:
    game = both(next(p for p in SPECS if p.stem == "dos"))
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
    made = Both(accepted(text))
    for players in made.left.counts[:2]:
        made.play(players, seed, every=4, most=40)
        made.play_explicit(players, seed, most=40)


@pytest.mark.parametrize("path", ALL, ids=lambda p: p.stem)
def test_playouts_are_the_same_games(path: Path) -> None:
    game = both(path)
    for players in game.left.counts[:2]:
        left = list(game.left.playouts(5, players, seed=3, max_decisions=3_000))
        assert left == list(game.right.playouts(5, players, seed=3, max_decisions=3_000))


def test_a_copy_goes_on_alike_in_both() -> None:
    game = both(next(p for p in SPECS if p.stem == "dos"))
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


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
@pytest.mark.parametrize("back_end", ["interpreted", "compiled"])
def test_golden_playthroughs(path: Path, back_end: str) -> None:
    """A game written down once reads the same for ever; HOYLE_UPDATE=1 writes it anew, to be read by a person."""
    program = program_of(path)
    game = Game(program) if back_end == "interpreted" else module_of(program)
    lines = [f"{program.name}, {game.counts[-1]} players, seed 1, game 0"]
    lines += Reading(*deal(game, game.counts[-1], 1, 0, SHORT.get(path.stem, {}))).lines()
    golden = GOLDEN / f"{path.stem}.txt"
    if os.environ.get("HOYLE_UPDATE") and back_end == "interpreted":
        golden.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == "\n".join(lines) + "\n"
