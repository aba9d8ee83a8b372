"""The formulas of a simulation's report, on cases whose answers are known."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle import metrics
from hoyle.metrics import Running


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),  # these four: Newcombe (1998), table I
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (5, 10, 0.2366, 0.7634),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, n: int, low: float, high: float) -> None:
    assert metrics.wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing_is_everything() -> None:
    assert metrics.wilson(0, 0) == (0.0, 1.0)


def test_wilson_of_all_ends_at_one() -> None:
    assert metrics.wilson(20, 20)[1] == 1.0


def test_wilson_takes_shared_wins() -> None:
    low, high = metrics.wilson(12.5, 50)
    assert metrics.wilson(12, 50)[0] < low < 0.25 < high < metrics.wilson(13, 50)[1]


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_wilson_holds_the_share(n: int, share: float) -> None:
    low, high = metrics.wilson(share * n, n)
    assert 0 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1


@pytest.mark.parametrize(("n", "points"), [(100, 9.8), (1000, 3.1), (10_000, 0.98)])
def test_margin_of_error_at_a_half(n: int, points: float) -> None:
    assert 100 * metrics.margin_of_error(n) == pytest.approx(points, abs=0.005 * points)


def test_margin_of_error_of_no_games_is_the_whole() -> None:
    assert metrics.margin_of_error(0) == 1.0


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),  # the usual table of critical values
        (6.634897, 1, 0.01),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (11.344867, 3, 0.01),
        (18.307038, 10, 0.05),
        (2.705543, 1, 0.10),
        (0.003932, 1, 0.95),
        (124.342113, 100, 0.05),
        (0.0, 4, 1.0),
    ],
)
def test_chi_square_p_agrees_with_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert metrics.chi_square_p(statistic, freedom) == pytest.approx(p, abs=1e-5)


@given(st.floats(0, 200))
def test_two_degrees_of_freedom_are_an_exponential(x: float) -> None:
    assert metrics.chi_square_p(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-9, abs=1e-15)


@given(st.floats(0, 200))
def test_one_degree_of_freedom_is_a_normal_squared(x: float) -> None:
    assert metrics.chi_square_p(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-7, abs=1e-13)


@given(st.integers(1, 40), st.floats(0, 100))
def test_upper_gamma_of_a_whole_number_is_a_poisson_sum(a: int, x: float) -> None:
    poisson = math.fsum(math.exp(-x) * x**k / math.factorial(k) for k in range(a))
    assert metrics.upper_gamma(a, x) == pytest.approx(poisson, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize(("a", "x"), [(0, 1), (-1, 1), (1, -1)])
def test_upper_gamma_refuses_what_has_no_value(a: float, x: float) -> None:
    with pytest.raises(ValueError, match="needs a > 0"):
        metrics.upper_gamma(a, x)


def test_chi_square_of_a_die() -> None:
    assert metrics.chi_square([5, 8, 9, 8, 10, 20], [10] * 6) == pytest.approx(13.4)
    assert metrics.balance_p([5, 8, 9, 8, 10, 20]) == pytest.approx(0.0199, abs=1e-4)


@pytest.mark.parametrize("wins", [[30.0], [4.0, 5.0], [0.0, 0.0]])
def test_balance_is_unknown_with_one_seat_or_few_games(wins: list[float]) -> None:
    assert metrics.balance_p(wins) is None


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [
        ([15, 20, 35, 40, 50], 0.05, 15),  # the textbook case of the nearest rank
        ([15, 20, 35, 40, 50], 0.30, 20),
        ([15, 20, 35, 40, 50], 0.40, 20),
        ([15, 20, 35, 40, 50], 0.50, 35),
        ([15, 20, 35, 40, 50], 1.00, 50),
        (range(1, 101), 0.05, 5),
        (range(1, 101), 0.95, 95),
        (range(1, 21), 0.95, 19),
        ([7], 0.0, 7),
    ],
)
def test_percentile_takes_the_nearest_rank(values: list[int], share: float, expected: int) -> None:
    assert metrics.percentile(Counter(values), share) == expected


def test_percentile_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        metrics.percentile({}, 0.5)


def test_running_knows_mean_and_deviation() -> None:
    running = Running()
    for value in (2, 4, 4, 4, 5, 5, 7, 9):
        running.add(value)
    assert running.mean == 5
    assert running.variance == pytest.approx(32 / 7)
    assert (running.least, running.greatest, running.n) == (2, 9, 8)


def test_running_stays_exact_far_from_zero() -> None:
    running = Running()
    for value in (1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16):
        running.add(value)
    assert running.variance == 30


def test_the_interval_of_a_mean() -> None:
    running = Running()
    for value in (0, 1) * 50:
        running.add(value)
    low, high = running.interval()
    assert (high - low) / 2 == pytest.approx(1.959964 * math.sqrt(25 / 99) / 10)


def test_running_of_one_value_does_not_vary() -> None:
    running = Running()
    running.add(3)
    assert running.variance == 0 and running.interval() == (3, 3)


@pytest.mark.parametrize(
    ("scores", "winners", "gap"),
    [
        ((10, 7, 3), (0,), 3),
        ((10, 7, 3), (2,), 4),  # the lowest score wins
        ((10, 10, 3), (0, 1), 0),
        ((10, 10), (0,), 0),  # decided by something else
        ((10,), (0,), None),
        ((10, 3), (), None),
    ],
)
def test_margin_is_the_distance_to_the_nearest_other(
    scores: tuple[int, ...], winners: tuple[int, ...], gap: int | None
) -> None:
    assert metrics.margin(scores, winners) == gap


def test_spread() -> None:
    assert metrics.spread((4, -2, 1)) == 6
