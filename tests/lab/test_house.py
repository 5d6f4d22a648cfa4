"""The operator's side: a day's win, reserves, exposure, and limits that change."""

import math

import numpy as np
import pytest

from croupier.lab import (
    BetLimits,
    Player,
    adjustment_rate,
    change_limits,
    exposure_cents,
    house_day,
    join_slips,
    net_distribution,
    place_slip,
)
from croupier.rulebook import BadInput, load_book

MBS = load_book("mbs-roulette")
WHEEL = load_book("rws-money-wheel")
BOXES = {"symbol": BetLimits(minimum_cents=100, maximum_cents=50_000)}
RED = place_slip(MBS, {"red": 1000})
BLACK = place_slip(MBS, {"black": 1000})
SEVENTEEN = place_slip(MBS, {"straight:17": 500})


def limits(minimum_cents: int, maximum_cents: int) -> dict[str, BetLimits]:
    kinds = {bet.kind for bet in MBS.layouts["main"].bets.values()}
    return {kind: BetLimits(minimum_cents=minimum_cents, maximum_cents=maximum_cents) for kind in kinds}


def test_players_of_one_table_share_its_spins() -> None:
    day = house_day([[Player(slip=RED, rounds=100), Player(slip=BLACK, rounds=100)]])

    # Whatever comes, one of them pays the other, but for the zero that takes from both.
    assert day.players.net_cents[day.players.chances > 0].max() == 0
    assert day.expected_win_cents == pytest.approx(100 * 2000 / 37)
    assert day.losing == 0.0
    assert day.reserve_cents(0.999) == 0


def test_players_of_two_tables_do_not() -> None:
    day = house_day([[Player(slip=RED, rounds=100)], [Player(slip=BLACK, rounds=100)]])

    assert day.losing == pytest.approx(net_distribution(RED, 200).ahead, rel=1e-12)
    assert day.expected_win_cents == pytest.approx(100 * 2000 / 37)


def test_a_table_is_cut_where_somebody_leaves() -> None:
    day = house_day([[Player(slip=RED, rounds=50, count=2), Player(slip=SEVENTEEN, rounds=80)]])

    together, alone = day.plays
    assert together[0].net_cents == join_slips([(RED, 2), (SEVENTEEN, 1)]).net_cents
    assert (together[1], alone[1]) == (50, 30)
    assert alone[0].net_cents == SEVENTEEN.net_cents
    assert day.staked_cents == 50 * 2000 + 80 * 500


def test_the_reserve_is_the_smallest_that_is_safe() -> None:
    day = house_day([[Player(slip=RED, rounds=400)]])

    reserve = day.reserve_cents(0.9999)

    assert day.players.at_least(reserve + 1) <= 1e-4 < day.players.at_least(reserve)
    assert day.win_quantile(0.0001) == -reserve
    assert day.worst_round_cents == 1000


def test_the_lasting_reserve_covers_every_moment() -> None:
    day = house_day([[Player(slip=RED, rounds=400)]])

    reserve = day.lasting_reserve_cents(0.999)

    # The classical chance of ever being up by k units on red is (18/19)**k.
    assert (18 / 19) ** (reserve / 1000) <= 0.001 < (18 / 19) ** (reserve / 1000 - 1)
    assert reserve >= day.reserve_cents(0.999)


def test_the_rate_of_a_slip_makes_its_gain_fair() -> None:
    rate = adjustment_rate(SEVENTEEN)

    assert math.fsum(float(chance) * math.exp(rate * net) for net, chance in SEVENTEEN.law) == pytest.approx(
        1.0, abs=1e-12
    )


def test_exposure_is_the_sum_of_all_bets_that_win_together() -> None:
    costs = exposure_cents(MBS, limits(100, 1000), seats=2)

    # 17 wins with 1 straight, 4 splits, 1 street, 4 corners, 2 six lines, column, dozen, low, odd and black.
    multiples = 35 + 4 * 17 + 11 + 4 * 8 + 2 * 5 + 2 + 2 + 3
    assert costs["17"] == 2 * 1000 * multiples
    assert costs["0"] == 2 * 1000 * (35 + 3 * 17 + 2 * 11 + 8)


def test_a_lower_maximum_cuts_what_players_stake_and_what_is_at_risk() -> None:
    tables = [[Player(slip=RED, rounds=300, count=3), Player(slip=SEVENTEEN, rounds=300)]]

    change = change_limits(MBS, tables, limits(100, 2000), limits(600, 800))

    # Red is cut from 10 to 8, and 5 on a number is now under the minimum.
    assert change.before.plays[0][0].staked_cents == 3 * 1000 + 500
    assert change.after.plays[0][0].staked_cents == 3 * 800
    assert change.win_change_cents == pytest.approx(300 * (2400 - 3500) / 37)
    assert change.exposure_after_cents * 2000 == change.exposure_before_cents * 800
    assert change.reserve_change_cents(0.999) < 0


def test_a_full_table_costs_what_its_players_together_can_win() -> None:
    tables = [[Player(slip=SEVENTEEN, rounds=5)], [Player(slip=SEVENTEEN, rounds=1, count=7)]]

    change = change_limits(MBS, tables, limits(100, 500), limits(100, 400))

    assert change.before.worst_round_cents == 7 * 500 * 35 < change.exposure_before_cents
    assert change.exposure_before_cents == max(exposure_cents(MBS, limits(100, 500), seats=7).values())
    assert change.exposure_after_cents == max(exposure_cents(MBS, limits(100, 400), seats=7).values())


def test_rws_money_wheel_3_5_a_box_has_one_maximum_for_all_seats() -> None:
    # Three people with the maximum in one box: the table pays its maximum once, whoever gets it.
    costs = exposure_cents(WHEEL, BOXES, seats=3)

    assert costs["crockfords"] == 45 * 50_000
    assert costs == exposure_cents(WHEEL, BOXES, seats=1)


def test_rws_money_wheel_5_1_1_what_a_box_holds_above_its_maximum_does_not_count() -> None:
    crockfords = place_slip(WHEEL, {"symbol:crockfords": 30_000})
    tables = [[Player(slip=crockfords, rounds=2, count=2), Player(slip=crockfords, rounds=5)]]

    change = change_limits(
        WHEEL, tables, BOXES, {"symbol": BetLimits(minimum_cents=40_000, maximum_cents=80_000)}
    )

    # Two leave after two rounds; who stays has 300 in the box, less than the minimum of 400.
    assert [(slip.staked_cents, rounds) for slip, rounds in change.before.plays] == [(50_000, 2), (30_000, 3)]
    assert [(slip.staked_cents, rounds) for slip, rounds in change.after.plays] == [(80_000, 2)]
    assert change.before.worst_round_cents == change.exposure_before_cents == 45 * 50_000
    assert change.after.worst_round_cents == change.exposure_after_cents == 45 * 80_000


def test_the_day_agrees_with_rounds_drawn_at_random() -> None:
    players = [Player(slip=RED, rounds=60, count=2), Player(slip=SEVENTEEN, rounds=90)]
    day = house_day([players])
    rng = np.random.default_rng(12)
    spins = rng.integers(0, 37, (20_000, 90))

    wins = -(
        2 * np.array(RED.net_cents)[spins[:, :60]].sum(axis=1)
        + np.array(SEVENTEEN.net_cents)[spins].sum(axis=1)
    )

    error = day.deviation_cents / math.sqrt(20_000)
    assert abs(wins.mean() - day.expected_win_cents) < 5 * error
    losing = (wins < 0).mean()
    assert abs(losing - day.losing) < 5 * math.sqrt(day.losing * (1 - day.losing) / 20_000)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: house_day([]),
        lambda: house_day([[]]),
        lambda: house_day([[Player(slip=RED, rounds=10, count=0)]]),
        lambda: house_day([[Player(slip=RED, rounds=0)]]),
        lambda: house_day([[Player(slip=RED, rounds=10)]]).lasting_reserve_cents(1.0),
        lambda: exposure_cents(MBS, {}),
        lambda: exposure_cents(MBS, limits(500, 100)),
        lambda: exposure_cents(MBS, limits(100, 500), seats=0),
        lambda: change_limits(MBS, [], limits(100, 500), limits(100, 500)),
        lambda: change_limits(MBS, [[Player(slip=RED, rounds=9)]], limits(100, 500), limits(2000, 2000)),
    ],
)
def test_a_day_that_cannot_be_is_refused(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(BadInput):
        ask()
