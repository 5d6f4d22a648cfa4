"""Drawn pockets are even and independent, by seed and from the operating system; the tests catch what is not.

Levels: a seed's row passes each test at 99 percent; the p-values of many seeds are themselves even, which a
lucky seed cannot arrange. Rows from the operating system differ on every run, so they are refused only under
one in a thousand million: sixteen such tests give a false alarm in one run of sixty million.
"""

import secrets

import pytest
import scipy.stats

from croupier.rulebook import load_book
from croupier.wheel.fair import draw
from croupier.wheel.physics_ball import BallSpin
from croupier.wheel.signals import AtRest
from croupier.wheel.simulated_script import plan_spin, script_of
from croupier.wheel.uniform import Chance, SeededChance, SystemChance, between, from_system, seeded
from wheel.physics_rig import BOOKS
from wheel.uniformity import TESTS, gaps_p, pairs_p, pockets_p, runs_p

SEED = 1
SEEDED_LEVEL = 0.01
SYSTEM_LEVEL = 1e-9
SIZES = (37, 38, 39, 52)


def row(chance: Chance, pockets: int, count: int) -> list[int]:
    return [chance.below(pockets) for _ in range(count)]


@pytest.mark.parametrize("pockets", SIZES)
def test_a_seeded_row_is_even_and_independent(pockets: int) -> None:
    drawn = row(SeededChance(SEED, "uniformity"), pockets, 20 * pockets**2)
    for name, test in TESTS.items():
        assert test(drawn, pockets) > SEEDED_LEVEL, name


@pytest.fixture(scope="module")
def rows_of_seeds() -> list[list[int]]:
    return [row(SeededChance(seed), 37, 7_400) for seed in range(100)]


@pytest.mark.parametrize("name", TESTS)
def test_over_many_seeds_the_p_values_are_even(name: str, rows_of_seeds: list[list[int]]) -> None:
    found = [TESTS[name](drawn, 37) for drawn in rows_of_seeds]
    assert scipy.stats.kstest(found, "uniform").pvalue > SEEDED_LEVEL
    assert sum(p < 0.01 for p in found) <= scipy.stats.binom(100, 0.01).ppf(0.9999)


@pytest.mark.parametrize("pockets", SIZES)
def test_the_operating_systems_row_is_even_and_independent(pockets: int) -> None:
    drawn = row(SystemChance(), pockets, 20 * pockets**2)
    for name, test in TESTS.items():
        assert test(drawn, pockets) > SYSTEM_LEVEL, name


@pytest.mark.parametrize("chance_of", [seeded(3), from_system()])
def test_what_rounds_draw_is_even_and_independent(chance_of: object) -> None:
    drawn = [draw(37, chance_of("T1", number)).pocket for number in range(1, 20_001)]
    for name, test in TESTS.items():
        assert test(drawn, 37) > SYSTEM_LEVEL, name


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_wheels_say_is_even_over_pockets_and_motion_has_no_part_in_it(book_id: str) -> None:
    book = load_book(book_id)
    rests: list[int] = []
    for number in range(1, 40 * book.pockets):
        chance = SeededChance(SEED, f"{book_id}/{number}")
        pocket = draw(book.pockets, chance).pocket
        spin = plan_spin(book.wheel, pocket, chance)
        (rest,) = [
            cue.signal for cue in script_of(book.wheel, spin, chance) if isinstance(cue.signal, AtRest)
        ]
        assert rest.pocket == book.wheel.order[pocket]
        rests.append(pocket)
    assert pockets_p(rests, book.pockets) > SEEDED_LEVEL


def test_deflectors_and_launch_angles_say_nothing_about_the_pocket() -> None:
    wheel = load_book("mbs-roulette").wheel
    table = [[0] * 4 for _ in range(8)]
    turned = [[0] * 4 for _ in range(8)]
    for number in range(4_000):
        chance = SeededChance(SEED, f"independence/{number}")
        pocket = draw(37, chance).pocket
        if pocket == 36:
            continue
        spin = plan_spin(wheel, pocket, chance)
        assert isinstance(spin, BallSpin)
        table[spin.diamond - 1][pocket // 9] += 1
        turned[int(8 * spin.rotor.angle)][pocket // 9] += 1
    assert scipy.stats.chi2_contingency(table).pvalue > SEEDED_LEVEL
    assert scipy.stats.chi2_contingency(turned).pvalue > SEEDED_LEVEL


@pytest.mark.parametrize("pockets", SIZES)
def test_a_remainder_of_random_bits_would_be_caught(pockets: int) -> None:
    biased = [SeededChance(SEED, str(number)).below(128) % pockets for number in range(20 * pockets**2)]
    assert pockets_p(biased, pockets) < SYSTEM_LEVEL


def test_dependence_would_be_caught() -> None:
    chance = SeededChance(SEED, "dependence")
    sticky, swinging = [chance.below(37)], [chance.below(37)]
    for _ in range(27_000):
        sticky.append(sticky[-1] if chance.below(10) == 0 else chance.below(37))
        again = chance.below(37)
        is_same_half = (again < 18) == (swinging[-1] < 18)
        swinging.append(chance.below(37) if is_same_half else again)
    assert pairs_p(sticky, 37) < SYSTEM_LEVEL
    assert gaps_p(sticky, 37) < SYSTEM_LEVEL
    assert runs_p(swinging, 37) < SYSTEM_LEVEL


@pytest.mark.parametrize("count", [1, 2, 3, 37, 38, 39, 52, 64, 65, 1000])
def test_a_seeded_draw_stays_below_its_bound_and_reaches_every_number(count: int) -> None:
    drawn = row(SeededChance(SEED), count, 20 * count)
    assert set(drawn) == set(range(count))


def test_what_does_not_fit_is_drawn_again_and_never_reduced() -> None:
    """A draw below 37 is the first of the six-bit draws that is below 37; a remainder would differ."""
    thrown = 0
    for label in range(200):
        bits = SeededChance(SEED, str(label))
        while (drawn := bits.below(64)) >= 37:
            thrown += 1
        assert SeededChance(SEED, str(label)).below(37) == drawn
    assert thrown > 50


def test_seeds_labels_and_rounds_are_different_rows() -> None:
    rows = [
        tuple(row(chance, 37, 12))
        for chance in (
            SeededChance(1, "a"),
            SeededChance(2, "a"),
            SeededChance(1, "b"),
            seeded(1)("T1", 1),
            seeded(1)("T1", 2),
            seeded(1)("T2", 1),
            seeded(1)("T1", 11),
        )
    ]
    assert len(set(rows)) == len(rows)
    assert row(seeded(1)("T1", 2), 37, 12) == list(rows[4])


@pytest.mark.parametrize("count", [0, -1, 2**256 + 1])
def test_a_bound_that_nothing_fits_under_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=r"no number|more than"):
        SeededChance(SEED).below(count)


def test_numbers_between_two_others_fill_the_distance() -> None:
    chance = SeededChance(SEED)
    drawn = [between(chance, 2.0, 5.0) for _ in range(2_000)]
    assert scipy.stats.kstest(drawn, scipy.stats.uniform(2, 3).cdf).pvalue > SEEDED_LEVEL


def test_the_system_draws_with_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "randbelow", lambda count: count - 1)
    monkeypatch.setattr(secrets, "token_bytes", lambda count: b"n" * count)
    chance = from_system()("T1", 5)
    assert (chance.below(37), chance.nonce()) == (36, b"n" * 32)
