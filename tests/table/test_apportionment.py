"""Money Wheel 5.1.1 and 5.1.2: what counts of each stake in a box whose excess nobody rejected."""

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.settling import apportion
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, wide_limits
from table.scenes import MONEY_WHEEL, correct, table

BOX = "symbol:20"


@pytest.mark.parametrize(
    ("stakes", "minimum", "maximum", "counted"),
    [
        pytest.param((80_000, 60_000, 500), 1_000, 100_000, (56_939, 42_704, 500), id="the worked example"),
        pytest.param((60_000, 40_000), 1_000, 100_000, (60_000, 40_000), id="exactly at the maximum"),
        pytest.param((60_000, 40_001), 1_000, 100_000, (59_999, 40_000), id="one cent over"),
        pytest.param((200_000,), 1_000, 100_000, (100_000,), id="one player alone"),
        pytest.param((1, 1, 1), 1, 2, (1, 1, 1), id="never below the minimum"),
        pytest.param(
            (99_000, 1_000), 1_000, 50_000, (49_500, 1_000), id="a share under the minimum is raised"
        ),
        pytest.param(
            (99_001, 999), 1_000, 50_000, (49_500, 999), id="a stake under the minimum is left alone"
        ),
        pytest.param((99_000, 1_000, 999), 1_000, 50_000, (49_010, 1_000, 999), id="both at once"),
        pytest.param((10, 10, 10), 1, 20, (6, 6, 6), id="rounded down to the cent"),
        pytest.param((500, 600), 1_000, 1_000, (500, 600), id="everybody under the minimum"),
        pytest.param((), 1_000, 100_000, (), id="an empty box"),
    ],
)
@clause("rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2")
def test_what_counts_of_each_stake(
    stakes: tuple[int, ...], minimum: int, maximum: int, counted: tuple[int, ...]
) -> None:
    by_seat = {str(seat): cents for seat, cents in enumerate(stakes)}

    assert tuple(apportion(by_seat, minimum, maximum).values()) == counted


def betting(maximum_cents: int = 100_000) -> Play:
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, maximum_cents)
    play = table(MONEY_WHEEL, seats=("1", "2", "3"), cents=1_000_000, limits=limits)
    play.do(DEALER, c.OpenRound())
    return play


def conclude(play: Play, result: str) -> dict[str, tuple[e.Line, ...]]:
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    events = play.do(DEALER, c.ConfirmResult(result=result))
    return {event.seat: event.lines for event in events if isinstance(event, e.SeatSettled)}


@clause("rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2")
def test_winners_win_on_what_counts_and_get_the_rest_back() -> None:
    play = betting()
    for seat, cents in (("1", 80_000), ("2", 60_000), ("3", 500)):
        play.bet(seat, {BOX: cents})

    lines = conclude(play, "20")

    assert lines == {
        "1": (e.Line(BOX, 80_000, 56_939, True, 80_000 + 20 * 56_939, "rws-money-wheel:5.1.1"),),
        "2": (e.Line(BOX, 60_000, 42_704, True, 60_000 + 20 * 42_704, "rws-money-wheel:5.1.1"),),
        "3": (e.Line(BOX, 500, 500, True, 500 + 20 * 500, "rws-money-wheel:5.1.2"),),
    }
    assert [play.credits(seat) - 1_000_000 for seat in ("1", "2", "3")] == [1_138_780, 854_080, 10_000]


@clause("rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2")
def test_only_a_stake_under_the_minimum_is_left_out_and_one_of_the_minimum_is_held_to_it() -> None:
    play = betting()
    for seat, cents in (("1", 150_000), ("2", 1_000), ("3", 999)):
        play.bet(seat, {BOX: cents})

    lines = conclude(play, "20")

    assert {seat: (line.counted_cents, line.clause) for seat, (line,) in lines.items()} == {
        "1": (98_684, "rws-money-wheel:5.1.1"),
        "2": (1_000, "rws-money-wheel:5.1.1"),
        "3": (999, "rws-money-wheel:5.1.2"),
    }


@clause("rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2")
def test_losers_lose_what_counts_and_get_the_rest_back() -> None:
    play = betting()
    for seat, cents in (("1", 80_000), ("2", 60_000), ("3", 500)):
        play.bet(seat, {BOX: cents})

    lines = conclude(play, "1")

    assert {seat: line[0].returned_cents for seat, line in lines.items()} == {
        "1": 23_061,
        "2": 17_296,
        "3": 0,
    }
    meters = play.state.meters
    assert (meters.turnover_cents, meters.wins_cents, meters.returned_cents) == (140_500, 0, 40_357)
    assert play.state.balances["house"] == 56_939 + 42_704 + 500


def test_each_box_is_apportioned_for_itself_and_only_where_it_is_over() -> None:
    play = betting()
    play.bet("1", {BOX: 150_000, "symbol:1": 50_000})
    play.bet("2", {BOX: 50_000, "symbol:1": 50_000})

    lines = conclude(play, "1")

    assert [(line.bet, line.counted_cents) for line in lines["1"]] == [(BOX, 75_000), ("symbol:1", 50_000)]
    assert [(line.bet, line.counted_cents) for line in lines["2"]] == [(BOX, 25_000), ("symbol:1", 50_000)]
    assert [line.clause for line in lines["1"]] == ["rws-money-wheel:5.1.1", None]


def test_what_the_dealer_rejected_in_time_is_not_apportioned_any_more() -> None:
    play = betting()
    play.bet("1", {BOX: 80_000})
    play.bet("2", {BOX: 60_000})
    play.do(DEALER, c.RejectExcess(bet=BOX))

    lines = conclude(play, "20")

    assert [line.counted_cents for (line,) in lines.values()] == [80_000, 20_000]


def test_a_correction_apportions_by_the_limits_that_the_round_was_played_under() -> None:
    play = betting()
    play.bet("1", {BOX: 80_000})
    play.bet("2", {BOX: 60_000})
    conclude(play, "1")
    wider = c.ChangeLimits(limits=wide_limits(play.rules, 1_000, 500_000), reason="a busy evening")
    play.do(MANAGER, wider, second=SUPERVISOR)

    events = correct(play, 1, "20")

    lines = [event.lines[0] for event in events if isinstance(event, e.SeatCorrected)]
    assert [line.counted_cents for line in lines] == [57_142, 42_857]


@pytest.mark.parametrize(
    ("cents", "clause_id"), [(999, "rws-money-wheel:5.2.1"), (1_000, None), (1_001, None)]
)
def test_a_bet_cites_the_minimum_only_where_the_box_is_under_it(cents: int, clause_id: str | None) -> None:
    play = betting()
    play.bet("1", {BOX: cents})

    lines = conclude(play, "20")

    assert [(line.counted_cents, line.clause) for line in lines["1"]] == [(cents, clause_id)]
