"""What the alarm promises, by simulation: how often it is false, and how soon a biased wheel is caught."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from croupier.lab.bias import BiasTest
from croupier.lab.bias_alarm import STANDARD_LEVEL, STRETCH_SPINS, alarm_at, log_joined
from croupier.lab.bias_simulation import biased_chances, highest_evidence, spins_to_alarm
from croupier.rulebook import load_book

PAGE = Path(__file__).parents[2] / "docs" / "wheel-watch.md"
ROULETTE = BiasTest([1] * 37, neighbours=True)
MONEY_WEIGHTS = [*load_book("rws-money-wheel").wheel.outcomes.values()]

CAUGHT = {
    "one pocket, 10 %": (1, 0.10, 2_000),
    "one pocket, 25 %": (1, 0.25, 500),
    "one pocket, 50 %": (1, 0.50, 100),
    "5 neighbours, 20 %": (5, 0.20, 100),
    "9 neighbours, 50 %": (9, 0.50, 20),
}
"""Pockets that are biased, by how much, and after how many spins the simulation looks again."""
WHEELS = 200


def false_alarms_at_most(level: float, wheels: int) -> float:
    """What chance allows where the true rate is the level: three standard deviations above it."""
    return level * wheels + 3 * math.sqrt(level * (1 - level) * wheels)


def test_fair_wheels_looked_at_after_every_spin_raise_no_more_alarms_than_the_level() -> None:
    wheels = 2_000
    highest = highest_evidence(
        ROULETTE, [1 / 37] * 37, wheels=wheels, spins=2_000, seed=37, dealers=3, stretch=500
    )
    for level in (0.1, 0.05, 0.01, 0.001):
        assert (highest >= alarm_at(level)).sum() <= false_alarms_at_most(level, wheels), level
    # The bound is not kept by never saying anything, and the page states how often it was reached.
    shown = re.search(
        r"([0-9]+) ever\s+came to an e-value of 10, ([0-9]+) to 20, ([0-9]+) to 100;", PAGE.read_text("utf-8")
    )
    assert shown is not None
    reached = [int((highest >= e_value).sum()) for e_value in (10, 20, 100)]
    assert [int(count) for count in shown.groups()] == pytest.approx(reached, abs=2)


def test_fair_money_wheels_raise_no_more_alarms_than_the_level() -> None:
    chances = [weight / sum(MONEY_WEIGHTS) for weight in MONEY_WEIGHTS]
    test = BiasTest(MONEY_WEIGHTS, neighbours=False)
    highest = highest_evidence(test, chances, wheels=1_000, spins=2_000, seed=52, dealers=2, stretch=700)
    for level in (0.1, 0.05, 0.01):
        assert (highest >= alarm_at(level)).sum() <= false_alarms_at_most(level, 1_000), level


def stated() -> dict[str, tuple[int, int]]:
    """The spins that the page states for half of the wheels and for nine in ten."""
    rows = re.findall(
        r"^\| (.+?) \| ([0-9,]+) \| ([0-9,]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE
    )
    return {what: (int(half.replace(",", "")), int(most.replace(",", ""))) for what, half, most in rows}


def test_the_page_states_every_bias_that_is_simulated() -> None:
    assert set(stated()) == set(CAUGHT)


@pytest.mark.parametrize("what", CAUGHT)
def test_biased_wheels_are_caught_within_the_spins_that_the_page_states(what: str) -> None:
    pockets, bias, every = CAUGHT[what]
    half, most = stated()[what]
    alarms = spins_to_alarm(
        ROULETTE,
        biased_chances([1] * 37, range(pockets), bias),
        wheels=WHEELS,
        most=2 * most,
        every=every,
        level=STANDARD_LEVEL,
        seed=1_000 * pockets + round(100 * bias),
    )
    caught = np.where(alarms == 0, 2 * most, alarms)
    assert np.quantile(caught, 0.5) == pytest.approx(half, rel=0.05)
    assert np.quantile(caught, 0.9) == pytest.approx(most, rel=0.05)


def test_a_money_wheel_with_a_heavy_segment_is_caught() -> None:
    test = BiasTest(MONEY_WEIGHTS, neighbours=False)
    rarest = MONEY_WEIGHTS.index(min(MONEY_WEIGHTS))
    chances = biased_chances(MONEY_WEIGHTS, [rarest], 0.5)
    alarms = spins_to_alarm(test, chances, wheels=100, most=20_000, every=100, level=STANDARD_LEVEL, seed=5)
    assert (alarms > 0).mean() >= 0.9


def test_a_bias_that_begins_late_is_caught_by_the_stretch_it_falls_into() -> None:
    random = np.random.default_rng(9)
    fair, biased = [1 / 37] * 37, biased_chances([1] * 37, [17], 0.5)
    stretches = random.multinomial(STRETCH_SPINS, fair, size=(5, 40))
    before = stretches.sum(axis=0)
    since = random.multinomial(STRETCH_SPINS, biased, size=40)
    needed = math.log(alarm_at(STANDARD_LEVEL))
    caught = 0
    for wheel in range(40):
        ended = [float(ROULETTE.log_e(counts[wheel])) for counts in stretches]
        of_all = float(ROULETTE.log_e(before[wheel] + since[wheel]))
        caught += log_joined(of_all, [*ended, float(ROULETTE.log_e(since[wheel]))], []) >= needed
    assert caught >= 36
