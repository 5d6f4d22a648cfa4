"""The Money Wheel's boxes: limits over all players, marked by the system, sorted out by the dealer."""

from typing import Any

import pytest

from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Limits, Posting, Range, Rules, Stake, audience, house_results
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, Play, only, player, wide_limits
from table.scenes import BALL_GAMES, BETTING, CLOSED, MONEY_WHEEL, Game, at, table, title

BOX = "symbol:20"


def betting(minimum_cents: int = 1_000, maximum_cents: int = 100_000, **limits: Any) -> Play:
    """Three players at a Money Wheel whose boxes take 10.00 to 1,000.00."""
    rules = Rules(load_book("rws-money-wheel"))
    chosen = wide_limits(rules, minimum_cents, maximum_cents, **limits)
    play = table(MONEY_WHEEL, seats=("1", "2", "3"), cents=1_000_000, limits=chosen)
    play.do(DEALER, c.OpenRound())
    return play


def marks(events: list[e.Event]) -> list[tuple[str, int, int]]:
    return [
        (event.bet, event.total_cents, event.maximum_cents)
        for event in events
        if isinstance(event, e.BoxMarked)
    ]


def rejected(play: Play, bet: str = BOX) -> list[tuple[str, str, int]]:
    """Has the dealer reject the excess; gives seat, box and amount in order."""
    events = play.do(DEALER, c.RejectExcess(bet=bet))
    found = [event for event in events if isinstance(event, e.BetsRejected)]
    assert len(found) == len(events)
    for event in found:
        assert event.postings == (Posting(f"stakes/{event.seat}", f"credits/{event.seat}", event.cents),)
        assert event.clause == "rws-money-wheel:5.1"
    return [(event.seat, event.bet, event.cents) for event in found]


@clause("rws-money-wheel:3.4")
def test_the_system_takes_bets_outside_the_limits_because_they_are_the_players_affair() -> None:
    play = betting()

    play.bet("1", {BOX: 1, "symbol:1": 250_000})

    assert play.state.seats["1"].stakes == {BOX: 1, "symbol:1": 250_000}


def test_a_box_over_its_maximum_is_marked_for_the_staff_and_rejects_nothing_by_itself() -> None:
    play = betting()

    assert marks(play.bet("1", {BOX: 100_000})) == []
    events = play.bet("2", {BOX: 1, "symbol:5": 1_000})

    marked = only(e.BoxMarked, events)
    assert (marked.bet, marked.total_cents, marked.maximum_cents) == (BOX, 100_001, 100_000)
    assert (marked.clause, audience(marked)) == ("rws-money-wheel:5.1", "staff")
    assert play.state.seats["2"].stakes == {BOX: 1, "symbol:5": 1_000}


def test_every_box_and_the_table_as_a_whole_is_marked_and_only_when_something_is_put_on() -> None:
    play = betting(table_cents=150_000)

    first = play.bet("1", {BOX: 100_001, "symbol:5": 49_999})
    second = play.bet("2", {"symbol:5": 50_002})
    off = play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("symbol:5", 1),)))

    assert marks(first) == [(BOX, 100_001, 100_000)]
    assert marks(second) == [("symbol:5", 100_001, 100_000), ("table", 200_002, 150_000)]
    assert marks(off) == []


@clause("rws-money-wheel:3.5")
def test_another_player_may_take_up_the_balance_of_a_box() -> None:
    play = betting()
    play.bet("1", {BOX: 40_000})

    events = play.bet("2", {BOX: 60_000})

    assert marks(events) == []
    assert play.state.round is not None
    assert play.state.round.spots[BOX] == 100_000
    assert play.refused(DEALER, c.RejectExcess(bet=BOX)).code == "no-excess"


@clause("rws-money-wheel:5.1")
def test_the_excess_of_the_latest_bet_is_rejected_in_part() -> None:
    play = betting()
    play.bet("1", {BOX: 80_000})
    play.bet("2", {BOX: 60_000})

    assert rejected(play) == [("2", BOX, 40_000)]
    assert play.state.seats["1"].stakes == {BOX: 80_000}
    assert play.state.seats["2"].stakes == {BOX: 20_000}
    assert play.credits("2") == 980_000
    assert play.refused(DEALER, c.RejectExcess(bet=BOX)).code == "no-excess"


@clause("rws-money-wheel:5.1")
def test_the_excess_is_rejected_latest_first_over_several_bets_and_players() -> None:
    play = betting()
    for seat, cents in (("1", 50_000), ("2", 30_000), ("1", 40_000), ("3", 20_000), ("2", 10_000)):
        play.bet(seat, {BOX: cents})

    assert rejected(play) == [("2", BOX, 10_000), ("3", BOX, 20_000), ("1", BOX, 20_000)]
    assert [play.state.seats[seat].stakes[BOX] for seat in ("1", "2")] == [70_000, 30_000]
    assert play.state.seats["3"].stakes == {}


@clause("rws-money-wheel:5.1")
def test_what_a_player_took_off_again_came_off_the_own_latest_bets() -> None:
    play = betting()
    play.bet("1", {BOX: 50_000})
    play.bet("2", {BOX: 40_000})
    play.bet("1", {BOX: 30_000})
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake(BOX, 30_000),)))
    play.bet("3", {BOX: 20_000})
    play.do(player("3"), c.TakeBets(seat="3", stakes=(Stake(BOX, 5_000),)))

    assert rejected(play) == [("3", BOX, 5_000)]
    play.bet("1", {BOX: 25_000})
    assert rejected(play) == [("1", BOX, 25_000)]


def test_a_stake_that_is_moved_into_a_box_counts_from_then() -> None:
    play = betting()
    play.bet("1", {"symbol:5": 30_000})
    play.bet("2", {BOX: 90_000})
    play.do(player("1"), c.MoveBet(seat="1", source="symbol:5", destination=BOX, cents=30_000))

    assert rejected(play) == [("1", BOX, 20_000)]


@clause("rws-money-wheel:5.1")
def test_the_excess_of_the_whole_table_is_rejected_latest_first_whatever_the_box() -> None:
    play = betting(table_cents=100_000)
    play.bet("1", {BOX: 60_000})
    play.bet("2", {"symbol:5": 50_000})
    play.bet("1", {"symbol:1": 10_000})

    assert rejected(play, "table") == [("1", "symbol:1", 10_000), ("2", "symbol:5", 10_000)]
    assert play.refused(DEALER, c.RejectExcess(bet="table")).code == "no-excess"


def test_where_the_table_as_a_whole_has_no_maximum_there_is_no_excess() -> None:
    play = betting()
    play.bet("1", {BOX: 900_000})

    assert play.refused(DEALER, c.RejectExcess(bet="table")).code == "no-excess"


def test_a_box_with_a_maximum_of_its_own_is_held_to_that() -> None:
    rules = Rules(load_book("rws-money-wheel"))
    own = {**wide_limits(rules).bets, BOX: Range(minimum_cents=100, maximum_cents=2_000)}
    play = table(MONEY_WHEEL, limits=Limits(bets=own))
    play.do(DEALER, c.OpenRound())

    assert marks(play.bet("1", {BOX: 2_500, "symbol:10": 2_500})) == [(BOX, 2_500, 2_000)]
    assert rejected(play) == [("1", BOX, 500)]


@clause("rws-money-wheel:5.2")
def test_the_dealer_advises_a_player_under_the_minimum_who_then_raises_or_withdraws() -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.bet("2", {"symbol:5": 400})

    advised = only(e.MinimumAdvised, play.do(DEALER, c.AdviseMinimum(seat="1", bet=BOX)))
    play.do(DEALER, c.AdviseMinimum(seat="2", bet="symbol:5"))

    assert (advised.minimum_cents, advised.clause) == (1_000, "rws-money-wheel:5.2")
    assert audience(advised) == "seat/1"
    play.bet("1", {BOX: 500})
    play.do(player("2"), c.ClearBets(seat="2"))
    assert play.refused(DEALER, c.AdviseMinimum(seat="1", bet=BOX)).code == "not-below-minimum"
    assert play.refused(DEALER, c.AdviseMinimum(seat="2", bet="symbol:5")).code == "not-below-minimum"


@clause("rws-money-wheel:5.2")
def test_a_bet_that_meets_the_minimum_needs_no_advice() -> None:
    play = betting()
    play.bet("1", {BOX: 1_000})
    play.bet("2", {BOX: 400})

    found = play.refused(DEALER, c.AdviseMinimum(seat="1", bet=BOX))

    assert (found.code, found.clause) == ("not-below-minimum", "rws-money-wheel:5.2")


@clause("rws-money-wheel:5.2.1")
@pytest.mark.parametrize(("result", "credits_cents"), [("20", 1_000_000 + 20 * 500), ("1", 1_000_000 - 500)])
def test_a_bet_under_the_minimum_that_nobody_saw_wins_or_loses_as_it_stands(
    result: str, credits_cents: int
) -> None:
    play = betting()
    play.bet("1", {BOX: 500})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result=result))
    settled = only(e.SeatSettled, play.do(DEALER, c.ConfirmResult(result=result)))

    assert [(line.counted_cents, line.clause) for line in settled.lines] == [(500, "rws-money-wheel:5.2.1")]
    assert play.credits("1") == credits_cents


@pytest.mark.parametrize("do", [c.RejectExcess(bet=BOX), c.AdviseMinimum(seat="2", bet="symbol:5")])
def test_what_was_not_noticed_before_the_close_is_not_sorted_out_after_it(do: c.Do) -> None:
    play = betting(maximum_cents=10_000)
    play.bet("1", {BOX: 20_000})
    play.bet("2", {"symbol:5": 400})
    play.wait(30)

    assert play.refused(DEALER, do).code == "bets-closed", "the betting time is over"
    play.do(DEALER, c.CloseBets())
    assert play.refused(DEALER, do).code == "bets-closed"


def test_a_box_that_the_layout_does_not_have_is_unknown() -> None:
    play = at(BETTING, MONEY_WHEEL)

    assert play.refused(DEALER, c.RejectExcess(bet="symbol:2")).code == "unknown-bet"
    assert play.refused(DEALER, c.AdviseMinimum(seat="1", bet="red")).code == "unknown-bet"
    assert play.refused(DEALER, c.AdviseMinimum(seat="9", bet=BOX)).code == "unknown-seat"


@pytest.mark.parametrize("game", BALL_GAMES, ids=title)
def test_roulette_refuses_and_has_no_boxes_to_sort_out(game: Game) -> None:
    play = at(CLOSED, game)

    for do in (c.RejectExcess(bet="red"), c.AdviseMinimum(seat="1", bet="red")):
        found = play.refused(DEALER, do)
        assert (found.code, found.facts) == ("not-in-this-game", {"action": "reject-bets"})


def test_what_the_house_would_win_counts_what_will_count_of_a_box() -> None:
    play = betting()
    play.bet("1", {BOX: 300_000})
    play.bet("2", {BOX: 100_000, "symbol:5": 1_000})
    round_ = play.state.round
    assert round_ is not None
    told = house_results(play.rules, play.state)
    for result in play.rules.book.wheel.outcomes:
        other = betting()
        other.bet("1", {BOX: 300_000})
        other.bet("2", {BOX: 100_000, "symbol:5": 1_000})
        other.to_spinning()
        other.do(DEALER, c.EnterResult(result=result))
        other.do(DEALER, c.ConfirmResult(result=result))
        assert other.state.balances.get("house", 0) == told[result]
