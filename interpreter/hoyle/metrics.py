"""Formulas for what a simulation reports. Pure functions and small accumulators; standard library only.

Every figure has its formula here and a known answer in `tests/test_metrics.py`. The accumulators stream:
their size does not grow with the number of games.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Z95 = 1.959964  # the standard normal lies within +-Z95 with probability 0.95
SMALLEST_EXPECTED = 5.0  # Cochran's rule: below this expectation the chi-square distribution is a bad guide
TINY = 1e-300
ACCURACY = 1e-15


def wilson(successes: float, n: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's score interval for a share, as (low, high) within 0..1; (0, 1) when `n` is 0.

    With p = successes / n:  (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    `successes` may be fractional: a win shared by k seats counts 1/k for each. Such a count varies less than
    whole wins would, so that the interval is then rather too wide than too narrow.
    """
    if n <= 0:
        return 0.0, 1.0
    share = successes / n
    scale = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * math.sqrt(max(0.0, share * (1 - share) / n) + z * z / (4 * n * n)) / scale
    low = 0.0 if successes <= 0 else max(0.0, centre - half)
    high = 1.0 if successes >= n else min(1.0, centre + half)
    return low, high


def margin_of_error(n: int, share: float = 0.5, z: float = Z95) -> float:
    """Return half the width of the usual interval of a share: z·sqrt(share·(1-share)/n); 1.0 when `n` is 0.

    At a share of a half: 0.098 for 100 games, 0.031 for 1,000, 0.0098 for 10,000.
    """
    return z * math.sqrt(share * (1 - share) / n) if n > 0 else 1.0


def chi_square(observed: Sequence[float], expected: Sequence[float]) -> float:
    """Return Pearson's statistic, the sum of (observed - expected)² / expected."""
    return math.fsum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def chi_square_p(statistic: float, freedom: int) -> float:
    """Return the chance of a chi-square value at least this large: Q(freedom / 2, statistic / 2)."""
    return upper_gamma(freedom / 2, statistic / 2)


def balance_p(wins: Sequence[float]) -> float | None:
    """Return the p-value of the seats' wins against equal shares.

    None when it would mean nothing: a single seat, or fewer than five wins expected a seat.
    """
    seats = len(wins)
    total = math.fsum(wins)
    if seats < 2 or total / seats < SMALLEST_EXPECTED:
        return None
    return chi_square_p(chi_square(wins, [total / seats] * seats), seats - 1)


def upper_gamma(a: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function Q(a, x) = Γ(a, x) / Γ(a), for a > 0 and x >= 0.

    A power series for P = 1 - Q where x < a + 1, else a continued fraction for Q (Numerical Recipes, 6.2).
    """
    if a <= 0 or x < 0:
        raise ValueError(f"Q(a, x) needs a > 0 and x >= 0, not a = {a}, x = {x}")
    if x == 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        return min(1.0, max(0.0, 1.0 - front * _lower_series(a, x)))
    return min(1.0, max(0.0, front * _upper_fraction(a, x)))


def _lower_series(a: float, x: float) -> float:
    """Return the sum over n >= 0 of xⁿ / (a (a+1) … (a+n)); its terms shrink, as x < a + 1."""
    term = total = 1 / a
    n = a
    while abs(term) > abs(total) * ACCURACY:
        n += 1
        term *= x / n
        total += term
    return total


def _upper_fraction(a: float, x: float) -> float:
    """Return the continued fraction of Γ(a, x)·eˣ·x⁻ᵃ by Lentz's method."""
    b = x + 1 - a
    c = 1 / TINY
    d = 1 / b
    value = d
    step = 0.0
    i = 0
    while abs(step - 1) > ACCURACY and i < 10_000:  # a handful of rounds in practice; the bound is for safety
        i += 1
        numerator = -i * (i - a)
        b += 2
        d = 1 / _not_zero(numerator * d + b)
        c = _not_zero(b + numerator / c)
        step = d * c
        value *= step
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def percentile(counts: Mapping[int, int], share: float) -> int:
    """Return the nearest-rank percentile: the smallest value that at least `share` of all do not exceed.

    `counts` says how often each value came up; it must not be empty. `share` is within 0..1.
    """
    total = sum(counts.values())
    if total <= 0:
        raise ValueError("a percentile needs at least one value")
    rank = max(1, math.ceil(share * total - 1e-9))  # 0.95 * 20 is a hair above 19 in binary
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= rank:
            break
    return value


class Running:
    """Mean, standard deviation, least and greatest of numbers met one by one (Welford's method).

    After each value x:  n += 1;  d = x - mean;  mean += d / n;  squares += d·(x - mean).
    """

    __slots__ = ("greatest", "least", "mean", "n", "squares")

    def __init__(self) -> None:
        self.n = 0
        self.mean = 0.0
        self.squares = 0.0
        self.least = math.inf
        self.greatest = -math.inf

    def add(self, value: float) -> None:
        """Take one more value."""
        self.n += 1
        delta = value - self.mean
        self.mean += delta / self.n
        self.squares += delta * (value - self.mean)
        self.least = min(self.least, value)
        self.greatest = max(self.greatest, value)

    @property
    def variance(self) -> float:
        """The sample variance, squares / (n - 1); 0 for fewer than two values."""
        return self.squares / (self.n - 1) if self.n > 1 else 0.0

    @property
    def deviation(self) -> float:
        """The sample standard deviation."""
        return math.sqrt(self.variance)

    def interval(self, z: float = Z95) -> tuple[float, float]:
        """Return the interval of the mean, mean ± z·deviation / sqrt(n)."""
        half = z * self.deviation / math.sqrt(self.n) if self.n else 0.0
        return self.mean - half, self.mean + half


def spread(scores: Sequence[int]) -> int:
    """Return the highest score minus the lowest."""
    return max(scores) - min(scores)


def margin(scores: Sequence[int], winners: Sequence[int], teams: int = 0) -> int | None:
    """Return how far the winner's score is from the nearest other one, whether high or low scores win.

    In `teams`, seat s is in team s modulo their number, and those of one team share no win.
    0 when the win is shared; None when nobody won or nobody lost to compare with.
    """
    sides = {seat % teams if teams else seat for seat in winners}
    if len(sides) > 1:
        return 0
    others = [score for seat, score in enumerate(scores) if (seat % teams if teams else seat) not in sides]
    if not winners or not others:
        return None
    return min(abs(scores[winners[0]] - other) for other in others)
