"""The test for bias: the same as fractions worked out by hand, and a martingale on a fair wheel."""

import functools
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.lab.bias import CONCENTRATIONS, SHARES, BiasTest, biases_of, log_sum, sector_sizes
from croupier.lab.bias_alarm import ALL, DEALERS, SHARED, STRETCHES, alarm_at, log_joined, share_of
from croupier.lab.bias_simulation import evidence_course
from croupier.rulebook import BadInput

WHEELS = [
    pytest.param((1, 1, 1, 1, 1, 1), True, id="six-pockets"),
    pytest.param((1, 1, 1), True, id="three-pockets"),
    pytest.param((3, 2, 1), False, id="six-segments"),
    pytest.param((9, 1), False, id="one-segment-of-ten"),
]


@functools.cache
def fair_bet(chance: Fraction, hits: int, spins: int) -> Fraction:
    """What a unit becomes that is spread over the biases of something with this chance."""
    total = Fraction(0)
    for bias, share in biases_of(chance).items():
        grown = chance * (1 + bias)
        total += share * (grown / chance) ** hits * ((1 - grown) / (1 - chance)) ** (spins - hits)
    return total


def whole_bet(weights: Sequence[int], results: Sequence[int]) -> Fraction:
    """What a unit becomes that bets each spin on what came before, result by result."""
    total = Fraction(0)
    for concentration in CONCENTRATIONS:
        unit = Fraction(1, len(CONCENTRATIONS))
        for spin, result in enumerate(results):
            seen = concentration * weights[result] + results[:spin].count(result)
            believed = Fraction(seen, concentration * sum(weights) + spin)
            unit *= believed / Fraction(weights[result], sum(weights))
        total += unit
    return total


def exact_e(weights: Sequence[int], neighbours: bool, results: Sequence[int]) -> Fraction:
    """The e-value from its definition, in fractions."""
    pockets, spins = len(weights), len(results)
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    parts = {
        "pocket": sum(fair_bet(chances[i], results.count(i), spins) for i in range(pockets)) / pockets,
        "whole": whole_bet(weights, results),
    }
    sizes = sector_sizes(pockets) if neighbours else ()
    if sizes:
        sectors = [
            [(first + step) % pockets for step in range(size)] for size in sizes for first in range(pockets)
        ]
        parts["sector"] = sum(
            fair_bet(sum(chances[i] for i in members), sum(map(results.count, members)), spins)
            for members in sectors
        ) / len(sectors)
    total = sum(SHARES[part] for part in parts)
    return sum(SHARES[part] / total * value for part, value in parts.items())


def counts_of(results: Sequence[int], pockets: int) -> np.ndarray:
    return np.array([results.count(pocket) for pocket in range(pockets)])


@pytest.mark.parametrize(("weights", "neighbours"), WHEELS)
def test_after_any_results_the_evidence_is_what_fractions_give(
    weights: tuple[int, ...], neighbours: bool
) -> None:
    test = BiasTest(weights, neighbours=neighbours)
    for results in itertools.product(range(len(weights)), repeat=4):
        expected = exact_e(weights, neighbours, results)
        found = math.exp(test.log_e(counts_of(results, len(weights))))
        assert found == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize(("weights", "neighbours"), WHEELS)
def test_on_a_fair_wheel_the_evidence_stays_one_on_average_whatever_came_before(
    weights: tuple[int, ...], neighbours: bool
) -> None:
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    for before in itertools.chain.from_iterable(
        itertools.product(range(len(weights)), repeat=spins) for spins in range(3)
    ):
        after = sum(
            chance * exact_e(weights, neighbours, (*before, result)) for result, chance in enumerate(chances)
        )
        assert after == exact_e(weights, neighbours, before)


def test_before_the_first_spin_there_is_no_evidence() -> None:
    assert BiasTest([1] * 37, neighbours=True).log_e(np.zeros(37, np.int64)) == pytest.approx(0, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 36), max_size=40))
def test_a_wheel_of_37_pockets_agrees_with_fractions_too(results: list[int]) -> None:
    found = BiasTest([1] * 37, neighbours=True).log_e(counts_of(results, 37))
    assert math.exp(found) == pytest.approx(float(exact_e([1] * 37, True, results)), rel=1e-11)


def test_a_million_spins_of_one_pocket_stay_within_the_numbers() -> None:
    test = BiasTest([1] * 37, neighbours=True)
    counts = np.zeros(37, np.int64)
    counts[17] = 1_000_000
    # The whole wheel's mixture learns it: all but certain, so nearly 37 to one on each spin.
    assert test.log_e(counts) == pytest.approx(1_000_000 * math.log(37), rel=1e-3)
    counts[17], counts[:] = 0, 1_000_000
    # A million spins of every pocket: each part has lost, and none has become nothing or less.
    assert -200 < test.log_e(counts) < -5
    assert np.isfinite(test.log_windows(counts)).all()


def test_a_wheel_turned_round_has_the_same_evidence() -> None:
    test = BiasTest([1] * 38, neighbours=True)
    counts = np.random.default_rng(5).integers(0, 90, 38)
    turned = [float(test.log_e(np.roll(counts, places))) for places in range(38)]
    assert turned == pytest.approx([turned[0]] * 38, rel=1e-12)


def test_many_wheels_at_once_give_what_each_gives() -> None:
    test = BiasTest([1] * 37, neighbours=True)
    many = np.random.default_rng(6).multinomial(500, [1 / 37] * 37, size=(3, 2))
    together = test.log_parts(many)
    assert together.shape == (3, 2, 3)
    assert together[2, 1] == pytest.approx(test.log_parts(many[2, 1]), rel=1e-12)


def test_the_evidence_of_a_window_is_of_the_window_that_is_named() -> None:
    test = BiasTest([1] * 37, neighbours=True)
    counts = np.full(37, 50)
    counts[[35, 36, 0]] = 90
    windows = test.log_windows(counts)
    assert test.windows[int(windows.argmax())] == (35, 3)


def test_a_bias_that_cannot_be_is_not_bet_on_and_its_share_goes_to_the_others() -> None:
    biases = biases_of(Fraction(9, 10))
    assert set(biases) == {b for b in biases_of(Fraction(1, 100)) if Fraction(9, 10) * (1 + b) < 1}
    assert max(biases) == Fraction(10, 100)
    assert sum(biases.values()) == 1


@pytest.mark.parametrize(("weights", "neighbours"), [((5,), False), ((1, 0), False), ((2, 1, 1), True)])
def test_what_is_no_wheel_is_refused(weights: tuple[int, ...], neighbours: bool) -> None:
    with pytest.raises(ValueError, match="a wheel has"):
        BiasTest(weights, neighbours=neighbours)


@pytest.mark.parametrize(("weights", "neighbours"), WHEELS)
def test_the_course_made_bet_by_bet_ends_where_the_counts_do(
    weights: tuple[int, ...], neighbours: bool
) -> None:
    test = BiasTest(weights, neighbours=neighbours)
    random = np.random.default_rng(8)
    results = random.integers(0, len(weights), 400)
    dealers = np.minimum(random.integers(0, 3, 400), np.arange(400))  # number 0 comes first
    stretches = np.arange(400) // 150
    assert [*dict.fromkeys(dealers.tolist())] == [0, 1, 2]
    course = evidence_course(test, results, stretches, dealers)

    def logs(spins: int, by: np.ndarray) -> list[float]:
        parts = [results[:spins][by[:spins] == number] for number in range(3)]
        return [float(test.log_e(np.bincount(part, minlength=len(weights)))) for part in parts]

    for spins in (1, 2, 7, 8, 9, 150, 151, 399, 400):
        of_all = float(test.log_e(np.bincount(results[:spins], minlength=len(weights))))
        joined = log_joined(of_all, logs(spins, stretches), logs(spins, dealers))
        assert math.log(course[spins - 1]) == pytest.approx(joined, abs=1e-10)


def test_the_shares_of_the_alarm_add_up_to_one_however_many_come() -> None:
    assert sum(SHARED.values()) == 1
    for come in (0, 1, 5, 200):
        seen = sum(share_of(order) for order in range(1, come + 1))
        assert seen + Fraction(1, come + 1) == 1
        assert log_joined(0.0, [0.0] * come, [0.0] * come) == pytest.approx(0, abs=1e-12)


def test_a_stretch_and_a_dealer_add_by_the_share_of_coming() -> None:
    found = math.exp(log_joined(math.log(2), [math.log(3)], [math.log(5), math.log(7)]))
    stretches = SHARED[STRETCHES] * (Fraction(3, 2) + Fraction(1, 2))
    dealers = SHARED[DEALERS] * (Fraction(5, 2) + Fraction(7, 6) + Fraction(1, 3))
    assert found == pytest.approx(float(2 * SHARED[ALL] + stretches + dealers))


@pytest.mark.parametrize("level", [0.0, -1.0, 0.2, 1.0, math.nan, math.inf, 1e-13])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(BadInput) as refused:
        alarm_at(level)
    assert refused.value.code == "bad-alarm-level"


def test_sums_of_logarithms_do_not_leave_them() -> None:
    assert log_sum(np.array([-1e5, -1e5])) == pytest.approx(-1e5 + math.log(2))
    assert log_sum(np.array([1e5, -np.inf])) == pytest.approx(1e5)
