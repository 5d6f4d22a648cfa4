"""Unevenness, measures and scatter: against fractions, enumeration and what the textbook formulas give."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from croupier.lab.bias_counts import BY_CHI_SQUARE, BY_DRAWS, DRAWS, unevenness
from croupier.lab.bias_course import Course, scatter


def exact_p(counts: list[int], weights: list[int]) -> Fraction:
    """The chance of counts at least as uneven, over every sequence of results there is."""
    spins, places = sum(counts), sum(weights)

    def statistic(of: list[int]) -> Fraction:
        expected = [Fraction(spins * weight, places) for weight in weights]
        return sum(((c - x) ** 2 / x for c, x in zip(of, expected, strict=True)), Fraction(0))

    total = Fraction(0)
    for results in itertools.product(range(len(weights)), repeat=spins):
        if statistic([results.count(i) for i in range(len(weights))]) >= statistic(counts):
            total += math.prod((Fraction(weights[i], places) for i in results), start=Fraction(1))
    return total


@pytest.mark.parametrize(
    ("counts", "weights"),
    [([4, 1, 1], [1, 1, 1]), ([0, 3, 4], [1, 1, 1]), ([2, 2, 2], [3, 2, 1]), ([7, 0, 1], [3, 2, 1])],
)
def test_small_counts_have_the_p_that_enumeration_gives(counts: list[int], weights: list[int]) -> None:
    exact = float(exact_p(counts, weights))
    found = unevenness(counts, weights)
    assert found.method == BY_DRAWS
    assert found.p == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / DRAWS) + 1 / DRAWS)


def test_the_statistic_is_pearsons() -> None:
    counts, weights = [31, 17, 9, 3], [24, 15, 7, 4]
    expected = [60 * weight / 50 for weight in weights]
    pearson = sum((count - x) ** 2 / x for count, x in zip(counts, expected, strict=True))
    assert unevenness(counts, weights).statistic == pytest.approx(pearson, rel=1e-12)
    assert unevenness(counts, weights).degrees == 3


@pytest.mark.parametrize("counts", [[9, 0, 0, 1] * 5, [5] * 20, [7, 5, 5, 3] * 5])
def test_where_the_distribution_takes_over_both_ways_agree(counts: list[int]) -> None:
    more = [count * 2 for count in counts]
    drawn = np.random.default_rng(3).multinomial(sum(more), [1 / 20] * 20, size=20_000)
    shown = ((drawn - sum(more) / 20) ** 2).sum(axis=1) >= sum((c - sum(more) / 20) ** 2 for c in more)
    found = unevenness(more, [1] * 20)
    assert found.method == BY_CHI_SQUARE
    assert found.p == pytest.approx(shown.mean(), abs=0.015)


def test_small_counts_are_drawn_and_larger_ones_are_not() -> None:
    assert unevenness([5, 4, 5], [1, 1, 1]).method == BY_DRAWS
    assert unevenness([5, 5, 5], [1, 1, 1]).method == BY_CHI_SQUARE
    # 52 segments and 259 spins: under five are expected of the symbol that stands on one of them.
    assert unevenness([250, 9], [51, 1]).method == BY_DRAWS
    assert unevenness([250, 10], [51, 1]).method == BY_CHI_SQUARE


def test_nothing_counted_is_not_uneven() -> None:
    assert unevenness([0, 0, 0], [1, 1, 1]).p == 1.0


def test_the_least_p_of_drawn_wheels_is_not_nothing() -> None:
    assert unevenness([0] * 36 + [30], [1] * 37).p == 1 / (DRAWS + 1)


def test_a_course_measures_what_numpy_does() -> None:
    readings = np.random.default_rng(2).integers(200, 300, 500) + np.arange(500) // 10
    course = Course()
    for reading in readings.tolist():
        course.take(reading)
    measure = course.measure()
    assert measure is not None
    (slope, _), covariance = np.polyfit(np.arange(500), readings, 1, cov=True)
    assert (measure.readings, measure.least, measure.most) == (500, readings.min(), readings.max())
    assert measure.mean == pytest.approx(readings.mean())
    assert measure.spread == pytest.approx(readings.std(ddof=1))
    assert measure.drift == pytest.approx(1000 * slope)
    assert measure.drift_error == pytest.approx(1000 * math.sqrt(covariance[0, 0]))


def test_a_course_needs_readings() -> None:
    course = Course()
    assert course.measure() is None
    course.take(250)
    one = course.measure()
    assert one is not None
    assert (one.mean, one.spread, one.drift) == (250, None, None)
    course.take(260)
    two = course.measure()
    assert two is not None
    assert (two.drift, two.spread) == (None, pytest.approx(math.sqrt(50)))


def test_readings_far_from_nothing_lose_nothing() -> None:
    course = Course()
    for reading in (10**15, 10**15 + 1, 10**15 + 2) * 1000:
        course.take(reading)
    measure = course.measure()
    assert measure is not None
    assert measure.spread == pytest.approx(math.sqrt(2 / 3 * 3000 / 2999), rel=1e-12)


def test_results_around_a_pocket_have_it_for_a_centre() -> None:
    counts = [0] * 37
    counts[36], counts[0], counts[1] = 10, 30, 10
    found = scatter(counts)
    assert found.centre == 0
    assert found.closeness > 0.99
    assert found.p < 1e-12


@pytest.mark.parametrize("places", [[0], [0, 0], [0, 1], [0, 9], [5, 5, 5], [5, 5, 6], [5, 5, 14]])
def test_few_results_are_as_close_as_enumeration_says(places: list[int]) -> None:
    spins, pockets = len(places), 37
    around = [complex(math.cos(angle), math.sin(angle)) for angle in np.arange(37) * math.tau / 37]
    pull = abs(sum(around[place] for place in places)) - 1e-9
    as_close = sum(abs(sum(drawn)) >= pull for drawn in itertools.product(around, repeat=spins))
    exact = as_close / pockets**spins

    found = scatter([places.count(place) for place in range(pockets)]).p

    assert abs(found - exact) <= 4 * math.sqrt(exact * (1 - exact) / DRAWS) + 1 / DRAWS


def test_one_result_is_no_suspicion_of_a_centre() -> None:
    assert scatter([0, 0, 1, 0, 0]).p == 1.0


@pytest.mark.parametrize("spins", [9, 10, 40])
def test_scatter_raises_a_false_suspicion_as_often_as_it_says(spins: int) -> None:
    drawn = np.random.default_rng(4).multinomial(spins, [1 / 37] * 37, size=4_000)
    suspicious = sum(scatter(counts).p <= 0.05 for counts in drawn.tolist())
    assert abs(suspicious / 4_000 - 0.05) < 4 * math.sqrt(0.05 * 0.95 / 4_000)


def test_results_everywhere_alike_have_no_centre() -> None:
    assert scatter([3] * 37).centre is None
    assert scatter([0] * 37).p == 1.0
