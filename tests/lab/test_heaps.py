"""Large stakes beside small ones: results in heaps, in bins, few and far apart, or too many."""

import cmath
import math
from collections import defaultdict
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from cli.running import refusal, run
from croupier.lab import (
    Player,
    Slip,
    house_day,
    net_distribution,
    place_slip,
    total_distribution,
    transform,
    waves,
)
from croupier.lab.convolution import _round_by_round, _Tilted
from croupier.lab.lattice import Lattice, Part, common_lattice
from croupier.lab.transform import TiltedSum, _add_power
from croupier.lab.waves import NEGLIGIBLE, TiltedLaw, TooManyWaves, loud_frequencies
from croupier.rulebook import BadInput, load_book

MBS = load_book("mbs-roulette")
AWKWARD = place_slip(MBS, {"red": 10_000_001, "straight:17": 1, "dozen:1": 37})


def both_sides(rounds: int, large_cents: int, small_cents: int) -> tuple[float, float, float]:
    """The chances to be ahead, even and behind with so much on 17, which is black, and so much on red.

    Where 17 came k times, red came a binomial number of times in the rest.
    """
    wins = np.arange(rounds // 37 + 40 * math.isqrt(rounds))
    chances = stats.binom.pmf(wins, rounds, 1 / 37)
    wins, chances = wins[chances > 1e-60], chances[chances > 1e-60]
    needed = (large_cents + small_cents) * rounds - 36 * large_cents * wins
    whole, off = np.divmod(needed, 2 * small_cents)
    ahead = stats.binom.sf(whole, rounds - wins, 0.5)
    behind = stats.binom.cdf(whole - (off == 0), rounds - wins, 0.5)
    even = np.where(off == 0, stats.binom.pmf(whole, rounds - wins, 0.5), 0.0)
    return float(chances @ ahead), float(chances @ even), float(chances @ behind)


@pytest.mark.parametrize(
    ("rounds", "large_cents", "small_cents"),
    [
        (10_000, 100_000, 100),
        (100_000, 100_000, 100),
        (1_000_000, 100_000, 100),
        (1_000_000, 1000, 1),
        (1_000_000, 100, 1),
        (999_999, 100, 1),
    ],
)
def test_a_large_stake_beside_a_small_one_is_counted_to_the_cent(
    rounds: int, large_cents: int, small_cents: int
) -> None:
    after = net_distribution(place_slip(MBS, {"straight:17": large_cents, "red": small_cents}), rounds)

    ahead, even, behind = both_sides(rounds, large_cents, small_cents)
    assert after.step_cents > after.lattice_cents
    assert after.ahead == pytest.approx(ahead, rel=1e-9)
    assert after.behind == pytest.approx(behind, rel=1e-12)
    assert 1 - after.at_most(-1) == pytest.approx(ahead + even, rel=1e-7)
    assert after.at_least(0) == pytest.approx(ahead + even, rel=1e-9)
    assert after.chance(0) == pytest.approx(even, rel=1e-7, abs=1e-18)
    assert after.chances.sum() == pytest.approx(1.0, abs=1e-12)


def test_the_bins_of_heaps_hold_the_cells_they_cover() -> None:
    lattice = common_lattice([(place_slip(MBS, {"straight:17": 5000, "red": 100}), 500)])
    cells, tilted = _round_by_round(lattice), _Tilted(lattice)
    tilted._width = 64

    first, width, bins = tilted.window(1e-40)

    assert (first - lattice.above_zero) % width == 0
    padded = np.zeros(bins.size * width)
    begin, end = max(first, 0), min(first + padded.size, cells.size)
    padded[begin - first : end - first] = cells[begin:end]
    summed = padded.reshape(bins.size, width).sum(axis=1)
    np.testing.assert_allclose(bins, summed, rtol=1e-9, atol=1e-14 * summed.max())
    above, below = np.cumsum(summed[::-1]), np.cumsum(summed)
    seen = above > 1e-35
    np.testing.assert_allclose(np.cumsum(bins[::-1])[seen], above[seen], rtol=1e-11)
    # The lowest heap falls off steeply, and nothing lies under it: there only the noise is a bound.
    np.testing.assert_allclose(np.cumsum(bins), below, rtol=1e-11, atol=1e-15 * summed.max())


ALL_BUT_EVEN = place_slip(
    MBS,
    {**{f"straight:{number}": 200_000 for number in range(1, 36)}, "straight:36": 199_999, "straight:0": 1},
)
"""Nothing is won by 35 numbers, and the two others lose: 0 is the best there is."""


def test_nothing_won_may_be_the_best_or_the_worst_there_is() -> None:
    best = common_lattice([(ALL_BUT_EVEN, 40)])
    steps, chances = (0, 3, 7), (Fraction(1, 2), Fraction(1, 3), Fraction(1, 6))
    part, other = (
        Part(rounds=5, steps=steps, chances=chances),
        Part(rounds=2, steps=(0, 2), chances=chances[1:]),
    )
    worst = Lattice(first_cents=0, step_cents=1, parts=(part, other))

    assert best.first_cents + best.last_cell * best.step_cents == 0
    assert _Tilted(best).even() == pytest.approx((35 / 37) ** 40, rel=1e-14)
    assert _Tilted(worst).even() == pytest.approx((1 / 2) ** 5 * (1 / 3) ** 2, rel=1e-14)
    for first in (1, -best.last_cell * 3):
        beyond = Lattice(first_cents=first, step_cents=1, parts=worst.parts)
        assert _Tilted(beyond).even() == 0.0


def test_who_cannot_win_is_behind_unless_nothing_was_lost() -> None:
    after = net_distribution(ALL_BUT_EVEN, 40)

    assert (after.ahead, after.ahead_under) == (0.0, None)
    assert after.chance(0) == pytest.approx((35 / 37) ** 40, rel=1e-13)
    assert after.behind == pytest.approx(1 - (35 / 37) ** 40, rel=1e-11)
    assert after.at_most(0) <= 1.0
    assert after.at_least(after.worst_cents) <= 1.0


def test_where_no_result_is_0_a_small_loss_is_not_counted_among_larger_ones() -> None:
    large = 10_000_001
    slip = place_slip(MBS, {"straight:1": large, "straight:2": 35 * large + 5})

    after = net_distribution(slip, 1)

    assert (slip.law[1][0], after.lattice_cents) == (-5, 36)
    assert after.step_cents > after.lattice_cents
    assert after.behind == after.at_most(-5) == pytest.approx(36 / 37, rel=1e-15)
    for net in (-6, -20, -36, -37):
        assert after.at_most(net) == pytest.approx(35 / 37, rel=1e-15)
    for net in (1, 0, -4):
        assert after.at_least(net) == pytest.approx(1 / 37, rel=1e-15)


@pytest.mark.parametrize("rounds", [300, 20_000])
def test_no_frequency_of_weight_is_left_out(rounds: int) -> None:
    size = 1 << 18
    law = place_slip(MBS, {"straight:17": 900, "red": 7, "dozen:2": 20}).law
    steps = tuple(net - law[0][0] for net, _ in law)
    tilted = TiltedLaw(rounds, steps, tuple(chance for _, chance in law), 1)
    every = np.arange(size // 2 + 1)
    waves = np.exp(2j * np.pi / size * (np.outer(every, steps) % size)) @ tilted.shares
    loudness = rounds * np.log(np.maximum(np.abs(waves), 1e-300))

    found = loud_frequencies(size, [tilted], 10**8)

    assert found.tolist() == every[loudness >= NEGLIGIBLE].tolist()
    with pytest.raises(TooManyWaves):
        loud_frequencies(size, [tilted], found.size)


def test_too_many_frequencies_are_given_up_however_quickly_they_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    size, chances = 1 << 12, (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    law = TiltedLaw(1, (0, 1, 7), chances, Decimal(1))

    monkeypatch.setattr(waves, "_MOST_FOUND", size // 2)
    assert loud_frequencies(size, [law], 10**8).size == size // 2 + 1
    monkeypatch.setattr(waves, "_MOST_FOUND", size // 2 - 1)
    with pytest.raises(TooManyWaves):
        loud_frequencies(size, [law], 10**8)


def test_frequencies_in_portions_make_the_same_bins(monkeypatch: pytest.MonkeyPatch) -> None:
    lattice = common_lattice([(place_slip(MBS, {"straight:17": 5000, "red": 100}), 500)])
    at_once = TiltedSum(lattice, 1e-4, 1 << 16, 10**8)
    monkeypatch.setattr(transform, "_BLOCK", 1000)
    portions = TiltedSum(lattice, 1e-4, 1 << 16, 10**8)

    assert at_once.frequencies.size > 2000
    assert portions.cell(12_345) == pytest.approx(at_once.cell(12_345), rel=1e-12)
    np.testing.assert_allclose(portions.bins(8192, 16_383, 64), at_once.bins(8192, 16_383, 64), rtol=1e-10)


def test_a_large_step_turns_through_many_whole_turns_without_losing_a_digit() -> None:
    size, rounds, steps = 1 << 30, 60, (0, 1, 1_000_003)
    chances = (Fraction(18, 37), Fraction(18, 37), Fraction(1, 37))
    mean = rounds * sum(chance * step for chance, step in zip(chances, steps, strict=True))
    law = TiltedLaw(rounds, steps, chances, Decimal(1))
    frequencies = np.array([1, 12_345, 400_000_001, (1 << 29) - 3])
    loudness, phase = np.zeros(4), np.zeros(4)

    _add_power(frequencies, size, law.steps, law.shares, law.rests, float(rounds), loudness, phase)

    for place, frequency in enumerate(frequencies.tolist()):
        turned = [cmath.exp(2j * math.pi * (frequency * step % size) / size) for step in steps]
        wave = sum(float(chance) * turn for chance, turn in zip(chances, turned, strict=True)) ** rounds
        around = wave * cmath.exp(-2j * math.pi * float(mean * frequency / size % 1))
        assert abs(cmath.exp(complex(loudness[place], phase[place])) / around - 1) < 1e-12


def by_name(slip: Slip, rounds: int) -> dict[int, Fraction]:
    reached = {0: Fraction(1)}
    for _ in range(rounds):
        after: dict[int, Fraction] = defaultdict(Fraction)
        for net, chance in reached.items():
            for more, share in slip.law:
                after[net + more] += chance * share
        reached = after
    return reached


@pytest.mark.parametrize("rounds", [1, 2, 9])
def test_few_rounds_of_awkward_stakes_are_listed_one_by_one(rounds: int) -> None:
    exact = by_name(AWKWARD, rounds)

    after = net_distribution(AWKWARD, rounds)

    bins: dict[int, float] = defaultdict(float)
    for net, chance in exact.items():
        bins[(net - after.first_cents) // after.step_cents] += float(chance)
    assert after.step_cents <= after.deviation_cents / 5000
    assert np.flatnonzero(after.chances).tolist() == sorted(bins)
    for place, chance in bins.items():
        assert after.chances[place] == pytest.approx(chance, rel=1e-13)
    assert after.ahead == pytest.approx(float(sum(exact[net] for net in exact if net > 0)), rel=1e-13)
    assert after.behind == pytest.approx(float(sum(exact[net] for net in exact if net < 0)), rel=1e-13)


def test_few_results_far_apart_are_relatively_right_in_the_tails() -> None:
    slip, rounds = place_slip(MBS, {"straight:17": 100_000, "straight:18": 1}), 30
    exact = by_name(slip, rounds)

    after = net_distribution(slip, rounds)

    assert after.step_cents == after.lattice_cents
    reached = after.net_cents[after.chances > 0.0].tolist()
    assert reached == [net for net in sorted(exact) if reached[0] <= net <= reached[-1]]
    for net in reached:
        assert after.chance(net) == pytest.approx(float(exact[net]), rel=1e-13)
    assert sum(chance for net, chance in exact.items() if net > reached[-1]) < 1e-40
    for net in reached[-30:]:
        beyond = float(sum(chance for other, chance in exact.items() if other >= net))
        assert beyond < 1e-40 or after.at_least(net) == pytest.approx(beyond, rel=1e-13)


@pytest.mark.parametrize("rounds", [100, 1000, 100_000])
def test_results_in_too_many_heaps_are_refused(rounds: int) -> None:
    with pytest.raises(BadInput, match=r"deviation of [0-9.]+ make too fine a pattern") as problem:
        net_distribution(AWKWARD, rounds)

    assert problem.value.code == "lattice-too-fine"
    assert problem.value.right == "Play stakes that are whole multiples of a coarser amount."


def test_a_command_about_awkward_stakes_is_refused() -> None:
    words = ("lab", "odds", "mbs-roulette", "--bet", "red=100000.01", "straight:17=0.01", "dozen:1=0.37")
    said = refusal(*words, "--rounds", "1000")
    assert said.startswith("Net results 0.01 apart that spread over a deviation of ")


def test_a_command_says_that_its_results_are_in_bins() -> None:
    words = ("lab", "odds", "mbs-roulette", "--rounds", "100000", "--bet")
    facts = run(*words, "straight:17=1000", "red=1", "--json").json["after"]
    width = facts["figures"]["bin_cents"]
    assert width > 200
    for one, following in zip(facts["middle"], facts["middle"][1:], strict=False):
        assert following["from_cents"] - one["to_cents"] == 200
    assert "\nresults below in bins of " in run(*words, "straight:17=1000", "red=1").out
    assert "bin_cents" not in run(*words, "red=1", "--json").json["after"]["figures"]


def test_more_cents_than_can_be_counted_are_refused() -> None:
    every = place_slip(MBS, dict.fromkeys(MBS.layouts["main"].bets, 10**11))
    assert net_distribution(every, 1_000_000).chances.sum() == pytest.approx(1.0, abs=1e-12)

    with pytest.raises(BadInput, match="Play fewer rounds or smaller stakes") as problem:
        total_distribution([(every, 1_000_000), (every, 1_000_000)])

    assert problem.value.code == "rounds-out-of-range"


def test_tables_with_the_same_players_are_one_part_of_the_sum() -> None:
    player = Player(slip=place_slip(MBS, {"straight:17": 250, "red": 2000}), rounds=300, count=4)

    day = house_day([[player]] * 3)

    assert len(common_lattice(day.plays).parts) == 1
    alone = net_distribution(player.slip.times(4), 900)
    np.testing.assert_allclose(day.players.chances, alone.chances, rtol=1e-12)


def test_a_chance_under_the_floor_is_not_called_none() -> None:
    red, every = place_slip(MBS, {"red": 100}), place_slip(MBS, {f"straight:{n}": 100 for n in range(37)})
    after, sure = net_distribution(red, 1_000_000), net_distribution(every, 1000)
    coarser = net_distribution(red, 1_000_000, floor=1e-30)

    assert (after.ahead, after.ahead_under, after.behind_under) == (0.0, 1e-40, None)
    assert (after.worst_cents, after.best_cents) == (-100_000_000, 100_000_000)
    assert (coarser.ahead, coarser.ahead_under) == (0.0, 1e-30)
    assert (sure.ahead, sure.ahead_under, sure.behind_under) == (0.0, None, None)
    words = ("lab", "odds", "mbs-roulette", "--bet")
    assert (
        "\nahead                                 < 1e-40\n" in run(*words, "red=1", "--rounds", "1000000").out
    )
    asked = (*words, "red=1", "--rounds", "1000000")
    figures = run(*asked, "--json").json["after"]["figures"]
    assert figures["ahead"] == {"value": 0.0, "under": 1e-40}
    assert figures["behind"] == after.behind
    assert "\nafter_ahead,0.0,,1e-40\n" in run(*asked, "--csv").out
    straight = [f"straight:{number}=1" for number in range(37)]
    assert (
        "\nahead                               0.000000\n" in run(*words, *straight, "--rounds", "1000").out
    )
