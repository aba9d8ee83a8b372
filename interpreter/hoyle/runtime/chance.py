"""Chance: one integer is the whole random state of a table.

The stream is the same in the interpreter, in a compiled module and in native code, on every version of
Python, which the standard library does not promise of its own shuffle. It is a 63-bit linear congruential
generator, its state a fraction of 2**63; up to four picks come out of one step. Multiplier and increment give
the full period of 2**63 (Hull and Dobell); the multiplier is one that L'Ecuyer (1999) lists for this modulus.

Neighbouring seeds of such a generator are correlated, so a seed is always hashed first (`seeded`, `mix`).
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from operator import itemgetter

MASK63 = (1 << 63) - 1
MASK64 = (1 << 64) - 1
MULTIPLIER = 3512401965023503517
INCREMENT = 1442695040888963407
PICKS_A_STEP = 4


def scramble(value: int) -> int:
    """Return 64 well-mixed bits for a 64-bit `value` (the finaliser of splitmix64)."""
    value = (value + 0x9E3779B97F4A7C15) & MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK64
    return value ^ (value >> 31)


def mix(seed: int, *parts: int) -> int:
    """Return a 63-bit seed made of `seed` and `parts`, such as the number of a game; order matters."""
    value = scramble(seed & MASK64)
    for part in parts:
        value = scramble((value + part) & MASK64)
    return value & MASK63


def seeded(seed: int) -> int:
    """Return the first state of chance for any integer `seed`."""
    # `scramble` of the seed, written out: every game begins here.
    value = (((seed & MASK64) ^ 0x686F796C65) + 0x9E3779B97F4A7C15) & MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK64
    return (value ^ (value >> 31)) & MASK63


def pick(state: int, count: int) -> tuple[int, int]:
    """Return the next state and a number from 0 to `count` - 1."""
    state = (state * MULTIPLIER + INCREMENT) & MASK63
    return state, (state * count) >> 63


@lru_cache(maxsize=256)
def fours(count: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return for so many pieces the steps of a shuffle, four picks each: how many orders, and the last three places."""
    tops = range(count, PICKS_A_STEP, -PICKS_A_STEP)
    return tuple((i * (i - 1) * (i - 2) * (i - 3), i - 1, i - 2, i - 3) for i in tops)


def _orders(count: int) -> tuple[Callable[[list[int]], tuple[int, ...]], ...]:
    """Return all orders of so many things, as what picks them, by the number whose digits are the picks from the end.

    The count of each pick is the base of its place: `count` for the last place, one less for the one before.
    """
    found = []
    for picks in product(*map(range, range(count, 1, -1))):
        order = list(range(count))
        for i, j in zip(range(count - 1, 0, -1), picks, strict=True):
            order[i], order[j] = order[j], order[i]
        found.append(itemgetter(*order))
    return tuple(found)


# For two to four pieces, which are shuffled in one step: how many orders, and what puts them so.
FEW = ((0, ()), (0, ()), *((len(x), x) for x in map(_orders, range(2, PICKS_A_STEP + 1))))


def shuffle(state: int, pieces: list[int]) -> int:
    """Shuffle `pieces` in place, each order equally likely, and return the next state."""
    i = len(pieces)
    for orders, a, b, c in fours(i) if i > PICKS_A_STEP else ():
        # Four picks at once: the digits of one number, the count of each pick being the base of its place.
        state = (state * MULTIPLIER + INCREMENT) & MASK63
        r = (state * orders) >> 63
        fourth = r % c
        r //= c
        third = r % b
        r //= b
        j = r // a
        pieces[a], pieces[j] = pieces[j], pieces[a]
        j = r % a
        pieces[b], pieces[j] = pieces[j], pieces[b]
        pieces[c], pieces[third] = pieces[third], pieces[c]
        i = c - 1
        pieces[i], pieces[fourth] = pieces[fourth], pieces[i]
    if i > 1:
        state = (state * MULTIPLIER + INCREMENT) & MASK63
        orders, ways = FEW[i]
        pieces[:i] = ways[(state * orders) >> 63](pieces)
    return state
