"""That the bench runs and tells all it measures. How fast anything is, is never tested."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import bench
import ways
from measuring import FEWEST, FIRST_SEED, MOST, Figure, Rounds, figure, measure, warmed

GAMES = ["kuhn_poker", "leduc_poker"]


@pytest.fixture(scope="module")
def found() -> Iterator[bench.Findings]:
    yield bench.findings(GAMES, rounds=2, seconds=0.001, passes=ways.PLAYOUTS)


def test_every_way_of_ours_is_measured(found: bench.Findings) -> None:
    ours = {ways.INTERPRETER, ways.WORDS, ways.STEPPING, ways.METHODS, ways.PLAYOUTS}
    for name in GAMES:
        assert ours <= set(found.rounds[name].taken)
        assert found.rounds[name].figure(ways.STEPPING).median > 0


def test_what_can_not_be_had_is_told(found: bench.Findings, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(ways, "import_module", absent)
    monkeypatch.setattr(ways.native, "compiler", lambda: None)
    _, missing = ways.rivals("uno")
    assert {x.way for x in missing} == {ways.RLCARD, ways.IN_C}
    text = bench.tables(found._replace(missing=missing))
    assert "RLCard: not installed" in text and "C: there is no C compiler" in text


def test_passes_that_a_module_makes_use_of_are_measured(found: bench.Findings) -> None:
    assert "function" in found.passes["kuhn_poker"] and "kinds" not in found.passes["kuhn_poker"]


def test_a_pass_gains_nothing_if_no_game_is_slower_without_it(found: bench.Findings) -> None:
    gains = {"kuhn_poker": {"function": Figure(1.5, 1.3, 1.6), "single": Figure(1.01, 0.9, 1.2)}}
    idle = bench.idle(found._replace(passes=gains))
    assert "single" in idle and "kinds" in idle and "function" not in idle


def test_json_has_what_the_tables_have(found: bench.Findings) -> None:
    told = json.loads(json.dumps(bench.as_json(found, 2, 0.001)))
    assert set(told["us_a_decision"]) == set(GAMES) == set(told["without_pass"])
    assert told["us_a_decision"]["kuhn_poker"]["stepping"]["median"] > 0
    assert bench.tables(found).startswith("µs a decision")


def test_bars_are_ratios_of_one_round() -> None:
    rounds = {"kuhn_poker": Rounds({ways.STEPPING: [1, 2, 4], ways.OPENSPIEL: [2, 2, 8]})}
    (bar, ratio), *rest = bench.bars(bench.Findings(1, rounds, None, [], {}, []))
    assert not rest and bar.game == "kuhn_poker"
    assert ratio.median == 2 >= bar.times


def test_ways_take_turns_and_play_something_each_round() -> None:
    played: list[str] = []

    def way(name: str) -> ways.Way:
        def play(games: int, seed: int) -> int:
            if seed:
                played.append(name)
            return sum(range(20_000)) and games

        return play

    assert len(measure({"a": way("a"), "b": way("b")}, 2, 0.0001).taken["a"]) == 2
    assert played == ["a", "b", "b", "a"]


def test_a_way_is_warm_when_it_becomes_no_faster() -> None:
    left = 2 * FEWEST  # so many times it is slow
    played: list[int] = []

    def way(games: int, seed: int) -> int:
        nonlocal left
        left -= 1
        played.append(seed)
        return sum(range(400_000 if left >= 0 else 40_000)) and 1

    warmed(way, 1, 0.001)
    assert left <= -FEWEST and len(played) == len(set(played)) and min(played) >= FIRST_SEED


def test_a_way_that_becomes_ever_faster_is_warm_at_last() -> None:
    played: list[int] = []

    def way(games: int, seed: int) -> int:
        played.append(seed)
        return len(played) ** 3

    warmed(way, 1, 0.001)
    assert len(played) == 2 * MOST - FEWEST


def test_a_figure_is_a_median_with_quartiles() -> None:
    assert figure([5, 1, 4, 2, 3]) == Figure(3, 2, 4)
