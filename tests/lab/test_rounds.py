"""The net result of many rounds, against big whole numbers and against what must hold for any slip."""

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.lab import Session, Slip, net_distribution, place_slip, play_session, total_distribution
from croupier.lab.convolution import _Tilted
from croupier.lab.lattice import common_lattice
from croupier.lab.systems import flat
from croupier.rulebook import BadInput, load_book, shipped_books

MBS = load_book("mbs-roulette")
RED = place_slip(MBS, {"red": 100})


def ways(slip: Slip, rounds: int) -> dict[int, int]:
    """Of all runs of pockets, how many end in each net result: whole numbers, no rounding anywhere."""
    worst = min(slip.net_cents)
    step = math.gcd(*(net - worst for net in slip.net_cents)) or 1
    bits = 64 + rounds * slip.pockets.bit_length()
    one_round = sum(
        weight << bits * ((net - worst) // step)
        for net, weight in zip(slip.net_cents, slip.weights, strict=True)
    )
    packed, found, cell = one_round**rounds, {}, 0
    while packed:
        if count := packed & ((1 << bits) - 1):
            found[rounds * worst + cell * step] = count
        packed >>= bits
        cell += 1
    return found


SMALL_CASES = [
    ({"red": 100}, 1),
    ({"red": 100}, 1000),
    ({"straight:17": 100}, 700),
    ({"red": 1000, "straight:17": 500}, 200),
    ({"tiers": 100, "dozen:1": 300, "straight:5": 200}, 300),
    ({"straight:17": 100, "zero-spiel": 300, "split:1/2": 700}, 150),
    ({"straight:17": 123, "red": 77}, 9),
]


@pytest.mark.parametrize(("stakes", "rounds"), SMALL_CASES)
def test_every_chance_is_relatively_right_to_1e_12_in_the_tails_too(
    stakes: dict[str, int], rounds: int
) -> None:
    slip = place_slip(MBS, stakes)
    whole, runs = ways(slip, rounds), 37**rounds

    found = net_distribution(slip, rounds)

    for net, chance in zip(found.net_cents.tolist(), found.chances.tolist(), strict=True):
        exact = whole.get(net, 0) / runs
        if exact > 1e-250:
            assert chance == pytest.approx(exact, rel=1e-12)
        else:
            assert chance <= 1e-249
    assert sum(count for net, count in whole.items() if net < found.first_cents) / runs < 1e-40
    assert sum(count for net, count in whole.items() if net > found.net_cents[-1]) / runs < 1e-40


@pytest.mark.parametrize(("stakes", "rounds"), [case for case in SMALL_CASES if case[1] >= 150])
def test_tilting_alone_is_relatively_right_to_1e_12(stakes: dict[str, int], rounds: int) -> None:
    slip = place_slip(MBS, stakes)
    whole, runs = ways(slip, rounds), 37**rounds
    lattice = common_lattice([(slip, rounds)])

    first, width, chances = _Tilted(lattice).window(1e-60)

    assert width == 1
    for cell, chance in enumerate(chances.tolist(), first):
        exact = whole.get(lattice.first_cents + cell * lattice.step_cents, 0) / runs
        assert chance == pytest.approx(exact, rel=1e-12)


def log_factorial(number: int) -> Decimal:
    """Stirling's series, whose first term left out is under 1e-40 for the numbers used here."""
    n = Decimal(number)
    pi = Decimal("3.14159265358979323846264338327950288419716939937510")
    corrections = 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5) - 1 / (1680 * n**7)
    return n * n.ln() - n + (2 * pi * n).ln() / 2 + corrections


@pytest.mark.parametrize("wins", [480_600, 484_000, 486_486, 493_000])
def test_a_million_rounds_keep_their_digits(wins: int) -> None:
    rounds = 1_000_000
    with localcontext(Context(prec=60)):
        log_ways = log_factorial(rounds) - log_factorial(wins) - log_factorial(rounds - wins)
        log_run = wins * Decimal(18).ln() + (rounds - wins) * Decimal(19).ln() - rounds * Decimal(37).ln()
        exact = float((log_ways + log_run).exp())

    after = net_distribution(RED, rounds)

    assert after.chance(100 * (2 * wins - rounds)) == pytest.approx(exact, rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_chances_sum_to_one_and_moments_are_those_of_single_rounds(data: st.DataObject) -> None:
    book = load_book(data.draw(st.sampled_from(shipped_books())))
    layout = next(iter(book.layouts.values()))
    stakes = data.draw(
        st.dictionaries(st.sampled_from(list(layout.bets)), st.integers(1, 30), min_size=1, max_size=4)
    )
    rounds = data.draw(st.integers(1, 300))

    after = net_distribution(place_slip(book, stakes), rounds)

    scale = float(after.deviation_cents) or 1.0
    offsets = (after.net_cents - float(after.mean_cents)) / scale
    assert after.chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert offsets @ after.chances == pytest.approx(0.0, abs=1e-12)
    if after.variance_cents:
        assert offsets**2 @ after.chances == pytest.approx(1.0, abs=1e-12)


def test_two_games_add_up_like_one_convolved_with_the_other() -> None:
    star = place_slip(load_book("rws-money-wheel"), {"symbol:5": 100})
    alone, other = net_distribution(RED, 40), net_distribution(star, 30)

    both = total_distribution([(RED, 40), (star, 30)])

    assert both.first_cents == alone.first_cents + other.first_cents
    assert both.step_cents == math.gcd(alone.step_cents, other.step_cents) == 200
    spread = np.zeros(3 * (other.chances.size - 1) + 1)
    spread[::3] = other.chances
    np.testing.assert_allclose(both.chances, np.convolve(alone.chances, spread), rtol=1e-12)


def test_tails_quantiles_and_shortfall_follow_from_the_chances() -> None:
    after = net_distribution(RED, 10)

    assert after.at_least(-1000) == pytest.approx(1.0, rel=1e-14)
    assert after.at_most(-1000) == pytest.approx((19 / 37) ** 10, rel=1e-13)
    assert after.at_least(1000) == pytest.approx((18 / 37) ** 10, rel=1e-13)
    assert (after.at_most(-1001), after.at_least(1001)) == (0.0, 0.0)
    assert after.ahead == after.at_least(200)
    assert after.ahead + after.chance(0) + after.at_most(-1) == pytest.approx(1.0, rel=1e-14)
    assert after.quantile(after.at_most(-200)) == -200
    assert after.quantile(0.5) == 0
    assert after.quantile(1 - 1e-9) == 1000
    worst = after.chance(-1000)
    assert after.shortfall(worst / 2) == pytest.approx(-1000, rel=1e-14)
    two_worst = worst + after.chance(-800)
    assert after.shortfall(two_worst) == pytest.approx(
        (-1000 * worst - 800 * after.chance(-800)) / two_worst, rel=1e-12
    )


HALVES = place_slip(
    load_book("rws-roulette-00"), {"corner:5/6/8/9": 5, "odd": 100, "split:33/36": 5, "split:28/31": 1}
)
"""Half of the wheel loses 0.66 or more, the other half less; in floats the lower half is a little less."""


def test_a_quantile_that_is_reached_exactly_is_not_rounded_away() -> None:
    after = net_distribution(HALVES, 1)

    assert sum(chance for net, chance in HALVES.law if net <= -66) == Fraction(1, 2)
    assert after.quantile(0.5) == -66
    for reached in range(1, len(HALVES.law)):
        chance = sum(share for _, share in HALVES.law[:reached])
        assert after.quantile(float(chance)) == HALVES.law[reached - 1][0]
        assert after.quantile(float(chance) + 1e-9) == HALVES.law[reached][0]


def test_a_quantile_of_a_session_that_is_reached_exactly_is_not_rounded_away() -> None:
    result = play_session(Session(system=flat(HALVES), bankroll_cents=1000, rounds=1))

    assert result.quantile(0.5) == 1000 - 66
    assert result.quantile(0.5 + 1e-9) == 1000 - 21


def test_what_never_varies_has_one_cell() -> None:
    every = place_slip(MBS, {f"straight:{number}": 100 for number in range(37)})

    after = net_distribution(every, 1000)

    assert after.net_cents.tolist() == [-100_000]
    assert after.chances.tolist() == [1.0]


@pytest.mark.parametrize("rounds", [0, -1, 10_000_000, True, 2.5])
def test_a_number_of_rounds_out_of_range_is_refused(rounds: int) -> None:
    with pytest.raises(BadInput, match="from 1 to 1000000"):
        net_distribution(RED, rounds)


ODD = place_slip(MBS, {"tiers": 100, "dozen:1": 333, "straight:5": 201, "red": 1725, "corner:1/2/4/5": 137})


def test_a_lattice_too_fine_to_be_listed_is_summed_up_in_bins() -> None:
    after = net_distribution(ODD, 1_000_000)

    assert after.lattice_cents == 3
    assert after.step_cents < after.deviation_cents / 5000
    offsets = (after.net_cents + after.step_cents / 2 - float(after.mean_cents)) / after.deviation_cents
    assert after.chances.sum() == pytest.approx(1.0, abs=1e-12)
    assert offsets @ after.chances == pytest.approx(0.0, abs=1e-6)
    assert offsets**2 @ after.chances == pytest.approx(1.0, abs=1e-6)
    low = after.quantile(1e-12)
    assert after.at_most(low - after.step_cents) < 1e-12 <= after.at_most(low)
    with pytest.raises(BadInput, match="bins"):
        after.chance(3)


def test_bins_hold_the_cells_they_cover() -> None:
    lattice = common_lattice([(ODD, 20_000)])
    fine, coarse = _Tilted(lattice), _Tilted(lattice)
    coarse._width = 1024

    first, _, cells = fine.window(1e-40)
    bin_first, width, bins = coarse.window(1e-40)

    begin = bin_first + -((bin_first - first) // width) * width
    whole = (first + cells.size - begin) // width
    summed = cells[begin - first :][: whole * width].reshape(whole, width).sum(axis=1)
    offset = (begin - bin_first) // width
    np.testing.assert_allclose(bins[offset : offset + whole], summed, rtol=1e-11)


@pytest.mark.parametrize("chance", [0.0, 1.0, -0.1])
def test_a_quantile_needs_a_chance(chance: float) -> None:
    with pytest.raises(BadInput):
        net_distribution(RED, 10).quantile(chance)
