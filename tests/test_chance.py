"""Chance: the stream is fixed for ever, it is even, and the games made of it are the same on every Python.

When the rules of DOS or the numbers of its moves change on purpose, print the hashes anew with
`python tests/test_chance.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, permutations
from math import gcd
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.metrics import chi_square, chi_square_p
from hoyle.runtime import chance
from hoyle.runtime.chance import INCREMENT, MASK63, MASK64, MULTIPLIER, mix, pick, scramble, seeded, shuffle
from hoyle.session import load
from specs_for_tests import dos_hash

MODULUS = 1 << 63
# Chance is fixed by seeds, so these tests are not: a p below this means that the stream is not even.
LEAST_P = 1e-4

# ---- the stream, number by number ---------------------------------------------------------------------

FIRST_STATES = {
    0: 2431943120709311036,
    1: 8948618453762221310,
    2: 3084436499345880913,
    -1: 2712995375601981110,
    10**30: 3916274137762991928,
}
FIRST_MIXES = {
    (0,): 7070836379803831727,
    (1,): 1227844342346046657,
    (1, 0): 6791897765849424158,
    (1, 1): 492860026476015107,
    (1, 0, 1): 7806873273932414515,
    (-3, 8): 6865509158398364679,
}
FIRST_PICKS = {
    0: [0, 0, 4, 5, 2, 1, 5, 1, 0, 3, 4, 0],
    1: [4, 2, 1, 1, 5, 2, 3, 2, 2, 3, 5, 2],
    -1: [2, 1, 0, 2, 1, 0, 5, 2, 1, 0, 3, 5],
}
FIRST_SHUFFLES = {
    0: [6, 2, 1, 4, 3, 9, 8, 7, 5, 0],
    1: [1, 5, 4, 3, 0, 6, 2, 9, 8, 7],
    -1: [9, 2, 0, 5, 8, 6, 1, 7, 4, 3],
    10**30: [0, 5, 2, 1, 4, 9, 6, 8, 7, 3],
}
# Hashes of games of DOS by the number of players and the seed.
HASHES = {
    (2, 0): "6352cec39414fa5a",
    (2, 1): "551e17ceab0bde0f",
    (2, 2): "c3efbe0b001030d3",
    (3, 0): "bc9a795e60be5dc0",
    (3, 1): "5ab8a8308146d9c0",
    (3, 2): "e307fed604edbbb7",
    (4, 0): "1804d7d2ddf1d1c6",
    (4, 1): "2a87f411efcf54ca",
    (4, 2): "dd2d97199dd5f344",
}


@pytest.mark.parametrize("seed", FIRST_STATES)
def test_a_seed_gives_the_first_state_it_always_gave(seed: int) -> None:
    assert seeded(seed) == FIRST_STATES[seed]


@pytest.mark.parametrize("parts", FIRST_MIXES)
def test_mixed_seeds_are_what_they_always_were(parts: tuple[int, ...]) -> None:
    assert mix(*parts) == FIRST_MIXES[parts]


@pytest.mark.parametrize("seed", FIRST_PICKS)
def test_picks_are_what_they_always_were(seed: int) -> None:
    assert picks(seed, 6, 12) == FIRST_PICKS[seed]


@pytest.mark.parametrize("seed", FIRST_SHUFFLES)
def test_a_shuffle_is_what_it_always_was(seed: int) -> None:
    assert shuffled(seed, 10) == FIRST_SHUFFLES[seed]


def picks(seed: int, count: int, many: int) -> list[int]:
    """Return the first picks from 0 to count - 1 after a seed."""
    state, found = seeded(seed), []
    for _ in range(many):
        state, value = pick(state, count)
        found.append(value)
    return found


def shuffled(seed: int, size: int) -> list[int]:
    """Return so many pieces shuffled by the first state after a seed."""
    pieces = list(range(size))
    shuffle(seeded(seed), pieces)
    return pieces


# ---- the constants ----------------------------------------------------------------------------------------


def test_the_generator_has_its_full_period() -> None:
    """The conditions of Hull and Dobell for a modulus that is a power of two."""
    assert gcd(INCREMENT, MODULUS) == 1 and MULTIPLIER % 4 == 1


def test_the_generator_has_its_full_period_with_few_bits() -> None:
    """The low bits form such a generator of their own: all 2**12 states come before the first comes again."""
    state, seen = 0, set()
    while state not in seen:
        seen.add(state)
        state = (state * MULTIPLIER + INCREMENT) % (1 << 12)
    assert len(seen) == 1 << 12


@given(st.integers(0, MASK63), st.integers(1, 1 << 20))
def test_a_pick_is_within_its_bounds(state: int, count: int) -> None:
    after, value = pick(state, count)
    assert 0 <= value < count and 0 <= after <= MASK63


@given(st.integers(0, MASK63), st.lists(st.integers(), max_size=130))
def test_a_shuffle_keeps_the_pieces(state: int, pieces: list[int]) -> None:
    before = list(pieces)
    after = shuffle(state, pieces)
    assert sorted(pieces) == sorted(before) and 0 <= after <= MASK63


@given(st.integers(0, MASK63), st.integers(2, 60))
def test_a_shuffle_is_the_one_that_its_description_gives(state: int, size: int) -> None:
    """From the last place down, four picks a step: the fraction r / 2**63 times n is a place and a new fraction."""
    pieces, expected = list(range(size)), list(range(size))
    after, fraction = state, 0
    for turn, place in enumerate(range(size - 1, 0, -1)):
        if turn % 4 == 0:
            after = (after * MULTIPLIER + INCREMENT) % MODULUS
            fraction = after
        other, fraction = divmod(fraction * (place + 1), MODULUS)
        expected[place], expected[other] = expected[other], expected[place]
    assert shuffle(state, pieces) == after and pieces == expected


# ---- seeds ------------------------------------------------------------------------------------------------

SEEDS = [0, 1, -1, 7, -7, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63), (1 << 64) - 1, 10**30, -(10**30)]


@pytest.mark.parametrize("seed", SEEDS)
def test_any_integer_is_a_seed(seed: int) -> None:
    assert 0 <= seeded(seed) <= MASK63 and 0 <= mix(seed, seed) <= MASK63


@given(st.integers(), st.integers())
def test_seeds_that_differ_in_their_last_64_bits_give_different_mixed_seeds(one: int, other: int) -> None:
    same = one % (1 << 64) == other % (1 << 64)
    assert (chance.scramble(one % (1 << 64)) == chance.scramble(other % (1 << 64))) is same


def test_the_order_of_parts_matters() -> None:
    assert len({mix(*parts) for parts in permutations((1, 2, 3))}) == 6


@given(st.integers())
def test_a_seed_is_scrambled_with_the_mark_of_chance(seed: int) -> None:
    assert seeded(seed) == scramble((seed & MASK64) ^ 0x686F796C65) & MASK63


def test_a_part_more_makes_another_seed() -> None:
    assert len({mix(5), mix(5, 0), mix(5, 0, 0), mix(5, 1)}) == 4


def test_a_game_may_have_any_integer_as_its_seed() -> None:
    assert all(load("dos").start(seed=seed).turn is not None for seed in SEEDS)


# ---- how even it is ------------------------------------------------------------------------------------------


def p_even(observed: Counter[object], kinds: int) -> float:
    """Return the p of the claim that so many kinds are equally likely."""
    many = sum(observed.values())
    found = list(observed.values()) + [0] * (kinds - len(observed))
    return chi_square_p(chi_square(found, [many / kinds] * kinds), kinds - 1)


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_every_order_of_a_few_pieces_is_as_likely(size: int) -> None:
    orders = Counter(tuple(shuffled(seed, size)) for seed in range(12_000))
    kinds = len(list(permutations(range(size))))
    assert len(orders) == kinds and p_even(Counter(orders), kinds) > LEAST_P


def test_every_order_is_as_likely_along_one_stream() -> None:
    state, orders = seeded(3), Counter[object]()
    for _ in range(12_000):
        pieces = [0, 1, 2, 3, 4]
        state = shuffle(state, pieces)
        orders[tuple(pieces)] += 1
    assert p_even(orders, 120) > LEAST_P


@pytest.mark.parametrize("piece", [0, 1, 25, 26, 50, 51])
def test_a_piece_of_52_is_as_likely_in_every_place(piece: int) -> None:
    places = Counter[object](order.index(piece) for order in decks(52, 2_000))
    assert p_even(places, 52) > LEAST_P


@pytest.mark.parametrize("place", [0, 1, 2, 25, 47, 48, 49, 50, 51])
def test_every_piece_is_as_likely_in_a_place_of_52(place: int) -> None:
    pieces = Counter[object](order[place] for order in decks(52, 2_000))
    assert p_even(pieces, 52) > LEAST_P


@pytest.mark.parametrize("first", [0, 24, 49, 50])
def test_two_neighbours_of_52_are_as_likely_in_either_order(first: int) -> None:
    orders = Counter[object](order[first] < order[first + 1] for order in decks(52, 4_000))
    assert p_even(orders, 2) > LEAST_P


@pytest.mark.parametrize("count", [2, 3, 6, 10, 48])
def test_picks_are_even(count: int) -> None:
    assert p_even(Counter[object](picks(11, count, 20_000)), count) > LEAST_P


def test_two_picks_in_a_row_have_nothing_to_do_with_each_other() -> None:
    found = picks(12, 6, 40_001)
    assert p_even(Counter[object](pairwise(found)), 36) > LEAST_P


def test_neighbouring_seeds_have_nothing_to_do_with_each_other() -> None:
    pairs = Counter[object]((picks(seed, 6, 1)[0], picks(seed + 1, 6, 1)[0]) for seed in range(0, 40_000, 2))
    assert p_even(pairs, 36) > LEAST_P


def test_the_games_of_a_simulation_have_nothing_to_do_with_each_other() -> None:
    def first(game: int) -> int:
        return pick(seeded(mix(1, game)), 6)[1]

    pairs = Counter[object]((first(game), first(game + 1)) for game in range(0, 40_000, 2))
    assert p_even(pairs, 36) > LEAST_P


def test_the_choices_of_a_game_have_nothing_to_do_with_its_chance() -> None:
    pairs = Counter[object]((pick(seeded(mix(1, i)), 6)[1], pick(mix(1, i, 1), 6)[1]) for i in range(20_000))
    assert p_even(pairs, 36) > LEAST_P


def decks(size: int, many: int) -> Iterator[list[int]]:
    return (shuffled(seed, size) for seed in range(many))


# ---- whole games ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed"), HASHES)
def test_a_game_of_dos_is_the_one_it_always_was(players: int, seed: int) -> None:
    assert dos_hash(players, seed) == HASHES[players, seed]


def other_pythons() -> list[str]:
    """Return the other versions of Python that a PATH leads to, by their names."""
    others = [f"python3.{minor}" for minor in range(11, 20) if minor != sys.version_info.minor]
    return [python for python in others if shutil.which(python)]


def run_elsewhere(python: str, code: str) -> str:
    """Return what a piece of code prints under another Python; skips the test where it can't run."""
    folder = Path(chance.__file__).parents[2]
    # pyenv offers a version only when it is asked for.
    asked = {"PYENV_VERSION": python.removeprefix("python"), "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [python, "-B", "-c", code], capture_output=True, text=True, env={**os.environ, **asked}, timeout=120
    )
    if done.returncode and ("ModuleNotFoundError" in done.stderr or "pyenv" in done.stderr):
        pytest.skip(f"{python} can't run hoyle: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("python", other_pythons())
def test_the_stream_is_the_same_on_another_python(python: str) -> None:
    """`chance` needs the standard library only, so this needs no package there."""
    code = (
        "import importlib.util as u, json\n"
        f"spec = u.spec_from_file_location('chance', {chance.__file__!r})\n"
        "c = u.module_from_spec(spec)\n"
        "spec.loader.exec_module(c)\n"
        "pieces = list(range(200))\n"
        "found = [c.seeded(-5), c.mix(3, 4, -1), c.pick(c.seeded(9), 48), c.shuffle(c.seeded(1), pieces), pieces]\n"
        "print(json.dumps(found))"
    )
    pieces = list(range(200))
    here = [seeded(-5), mix(3, 4, -1), list(pick(seeded(9), 48)), shuffle(seeded(1), pieces), pieces]
    assert json.loads(run_elsewhere(python, code)) == here


@pytest.mark.parametrize("python", other_pythons())
def test_dos_is_the_same_on_another_python(python: str) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from specs_for_tests import dos_hash\n"
        f"print([dos_hash(*key) for key in {list(HASHES)}])"
    )
    assert run_elsewhere(python, code).strip() == str(list(HASHES.values()))


def print_pins() -> None:
    """Print what this version of hoyle gives, to be pasted above."""
    print("FIRST_STATES =", {seed: seeded(seed) for seed in (0, 1, 2, -1, 10**30)})
    print("FIRST_MIXES =", {parts: mix(*parts) for parts in [(0,), (1,), (1, 0), (1, 1), (1, 0, 1), (-3, 8)]})
    print("FIRST_PICKS =", {seed: picks(seed, 6, 12) for seed in (0, 1, -1)})
    print("FIRST_SHUFFLES =", {seed: shuffled(seed, 10) for seed in (0, 1, -1, 10**30)})
    print("HASHES =", {(n, seed): dos_hash(n, seed) for n in (2, 3, 4) for seed in (0, 1, 2)})


if __name__ == "__main__":
    print_pins()
