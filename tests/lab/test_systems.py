"""What each betting system asks for, spin by spin."""

from fractions import Fraction

import numpy as np
import pytest

from croupier.lab import LEAVE, NO_OUTCOME, SYSTEMS, Slip, System, make_system, place_slip
from croupier.lab import systems as s
from croupier.rulebook import BadInput, load_book

MBS = load_book("mbs-roulette")
RED = place_slip(MBS, {"red": 100})


def asks(system: System, wins_and_losses: str) -> list[int]:
    """What a system asks for before the first spin and after each of a run of wins, losses and pushes."""
    memory = np.array(system.start, np.int64)
    asked = [int(system.step(memory, 0, NO_OUTCOME))]
    for result in wins_and_losses:
        sign = {"W": 1, "L": -1, "-": 0}[result]
        asked.append(int(system.step(memory, sign * system.slips[0].staked_cents, 0)))
    return asked


@pytest.mark.parametrize(
    ("system", "results", "stakes"),
    [
        (s.flat(RED, 3), "WLL", [3, 3, 3, 3]),
        (s.martingale(RED), "LLL-WL", [1, 2, 4, 8, 8, 1, 2]),
        (s.martingale(RED, most=4), "LLLLW", [1, 2, 4, 4, 4, 1]),
        (s.grand_martingale(RED), "LLLW", [1, 3, 7, 15, 1]),
        (s.anti_martingale(RED), "WWWWLWL", [1, 2, 4, 1, 2, 1, 2, 1]),
        (s.dalembert(RED), "LLWLWWWW", [1, 2, 3, 2, 3, 2, 1, 1, 1]),
        (s.fibonacci(RED), "LLLLLLWLWWWW", [1, 1, 2, 3, 5, 8, 13, 5, 8, 3, 1, 1, 1]),
        (s.fibonacci(RED, most=5), "LLLLLLW", [1, 1, 2, 3, 5, 5, 5, 2]),
        (s.one_three_two_six(RED), "WWWWWLWWL", [1, 3, 2, 6, 1, 3, 1, 3, 2, 1]),
        # 1234, 12345, 123456, 2345, 34, done.
        (s.labouchere(RED), "LLWWWL", [5, 6, 7, 7, 7, 5, 6]),
        (s.labouchere(RED, (1, 1, 1)), "WWLW", [2, 1, 2, 3, 2]),
        # Down 3 with a stake of 1, a unit more after each win, at last only what is missing.
        (s.oscars_grind(RED), "LLLWWWL", [1, 1, 1, 1, 2, 1, 1, 1]),
        (s.oscars_grind(RED), "LLLLLWWWW", [1, 1, 1, 1, 1, 1, 2, 3, 1, 1]),
    ],
)
def test_a_system_asks_for_what_it_is_known_for(system: System, results: str, stakes: list[int]) -> None:
    assert asks(system, results) == stakes


def test_the_grind_ends_every_cycle_with_exactly_one_unit() -> None:
    rng = np.random.default_rng(8)
    system = s.oscars_grind(RED)
    memory = np.array(system.start, np.int64)
    stake, profit = int(system.step(memory, 0, NO_OUTCOME)), 0
    cycles = 0
    for won in rng.random(5000) < 18 / 37:
        profit += stake if won else -stake
        stake = int(system.step(memory, 100 if won else -100, 0))
        if profit == 1:
            assert stake == 1
            profit, cycles = 0, cycles + 1
        assert profit < 1
    assert cycles > 50


def test_a_line_that_grows_too_long_is_given_up() -> None:
    asked = asks(s.labouchere(RED), "L" * (s.lines.LONGEST - 3))

    assert asked[-1] == LEAVE
    assert asked[-2] == s.lines.LONGEST + 1


def test_james_bond_covers_twenty_five_numbers_with_twenty_chips() -> None:
    slip = s.james_bond(MBS, 100).slips[0]

    assert slip.staked_cents == 2000
    assert slip.law == (
        (-2000, Fraction(12, 37)),
        (800, Fraction(18, 37)),
        (1000, Fraction(6, 37)),
        (1600, Fraction(1, 37)),
    )


def test_tracking_backs_the_number_that_came_first_most_often() -> None:
    system = s.andrucci(MBS, 100, watch=4, bets=2)
    memory = np.array(system.start, np.int64)
    steps = [(0, NO_OUTCOME), (0, 5), (0, 9), (0, 9), (0, 5), (-100, 7), (-100, 7), (0, 1)]

    asked = [(int(system.step(memory, net, outcome)), int(memory[0])) for net, outcome in steps]

    assert asked[:4] == [(0, 0), (0, 5), (0, 5), (0, 9)]
    assert asked[4:6] == [(1, 9), (1, 9)]
    assert asked[6:] == [(0, 0), (0, 1)]
    assert system.slips[9].stakes_cents == {f"straight:{list(MBS.wheel.outcomes)[9]}": 100}


def test_kelly_stakes_the_believed_advantage_over_the_odds() -> None:
    dozen = place_slip(MBS, {"dozen:1": 100})

    assert asks(s.kelly(RED, Fraction(51, 100)), "WL") == [20_000] * 3
    assert asks(s.kelly(dozen, Fraction(2, 5), Fraction(1, 2)), "") == [50_000]


@pytest.mark.parametrize(
    ("slip", "belief", "share"),
    [
        (RED, Fraction(18, 37), Fraction(1)),
        (RED, Fraction(1), Fraction(1)),
        (RED, Fraction(51, 100), Fraction(0)),
        (place_slip(MBS, {"red": 100, "straight:1": 100}), Fraction(3, 4), Fraction(1)),
    ],
)
def test_kelly_without_a_belief_in_an_advantage_is_refused(
    slip: Slip, belief: Fraction, share: Fraction
) -> None:
    with pytest.raises(BadInput):
        s.kelly(slip, belief, share)


def test_the_catalogue_has_every_system_with_a_sentence() -> None:
    assert len(SYSTEMS) >= 12
    for name, entry in SYSTEMS.items():
        assert make_system(name, MBS, 500).name == name
        assert entry.summary.endswith(".")


@pytest.mark.parametrize("name", ["james-bond", "andrucci"])
def test_systems_that_need_numbers_refuse_the_money_wheel(name: str) -> None:
    with pytest.raises(BadInput, match="roulette"):
        make_system(name, load_book("rws-money-wheel"), 100)


@pytest.mark.parametrize(
    "build",
    [
        lambda: make_system("luck", MBS, 100),
        lambda: s.labouchere(RED, ()),
        lambda: s.labouchere(RED, (0, 1)),
        lambda: s.martingale(RED, most=0),
        lambda: s.andrucci(MBS, 100, watch=0),
    ],
)
def test_a_system_that_cannot_be_is_refused(build: object) -> None:
    assert callable(build)
    with pytest.raises(BadInput):
        build()
