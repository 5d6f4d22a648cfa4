"""What no table writes is found by the auditor, also where chain, numbers and replay say nothing of it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import CASH, HOUSE, VOUCHERS, credits_of, move, stakes_of
from floor.forged_events import CREDITS_CENTS, a_play, betting, but, force, found_in, resulted, take_back
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player, wide_limits

ONE = player("1")
LOCKED = {"lock_up_cents": 3_000}


def correction(play: Play, result: str = "17") -> list[e.Event]:
    do = c.CorrectResult(round=1, result=result, reason="on camera")
    return take_back(play, play.do(MANAGER, do, second=SUPERVISOR))


def locked_up() -> Play:
    play = a_play(**LOCKED)
    play.round({"1": {"straight:17": 100}}, "17")
    assert play.state.seats["1"].lock
    return play


def paid_out(play: Play, cents: int) -> e.CreditsPaidOut:
    return e.CreditsPaidOut(
        seat="1",
        cents=cents,
        voucher="V-1",
        clause=play.rules.cite("credits"),
        postings=move(credits_of("1"), VOUCHERS, cents),
    )


def bets_at_a_halted_table() -> Play:
    play = betting()
    bet = take_back(play, [play.entries[-1].event])
    force(play, TIMER, e.TableHalted(reason="x", notice="n"))
    return force(play, ONE, *bet)


def closed_while_a_round_runs() -> Play:
    play = a_play()
    play.do(DEALER, c.AnnounceLastRound())
    play.do(DEALER, c.OpenRound())
    return force(play, SUPERVISOR, e.TableClosed(notice="closed"))


def resumed_though_not_halted() -> Play:
    return force(a_play(), SHIFT_MANAGER, e.TableResumed(reason="x"))


def limits_changed(play: Play) -> list[e.Event]:
    do = c.ChangeLimits(limits=wide_limits(play.rules, 100, 500_000), reason="x")
    return play.do(SUPERVISOR, do, second=SHIFT_MANAGER)


def limits_changed_under_bets() -> Play:
    return force(betting(), SUPERVISOR, *limits_changed(a_play()), second=SHIFT_MANAGER)


def limits_that_were_not_in_force() -> Play:
    play = a_play()
    events = take_back(play, limits_changed(play))
    wrong = but(events, e.LimitsChanged, old=wide_limits(play.rules, 100, 500_000))
    return force(play, SUPERVISOR, *wrong, second=SHIFT_MANAGER)


def a_lost_seat_bets() -> Play:
    play, elsewhere = betting(), a_play()
    bet = take_back(play, [play.entries[-1].event])
    elsewhere.do(DEALER, c.OpenRound())
    force(play, TIMER, *elsewhere.do(TIMER, c.LoseSeat(seat="1")))
    return force(play, ONE, *bet)


def a_locked_seat_bets() -> Play:
    play, elsewhere = locked_up(), a_play()
    elsewhere.round({"1": {"straight:17": 100}}, "17")
    elsewhere.do(DEALER, c.OpenRound())
    bet = elsewhere.bet("1", {"red": 1_000})
    play.do(DEALER, c.OpenRound())
    return force(play, ONE, *bet)


def a_locked_seat_gets_a_voucher() -> Play:
    play = locked_up()
    return force(play, ONE, paid_out(play, play.credits("1")), e.SeatUnlocked(seat="1"))


def a_voucher_above_the_limit() -> Play:
    play = a_play(voucher_limit_cents=5_000)
    return force(play, ONE, paid_out(play, play.credits("1")))


def a_round_at_a_closed_table() -> Play:
    play, elsewhere = a_play(), a_play()
    elsewhere.round({"1": {"red": 1_000}}, "2")
    play.do(DEALER, c.AnnounceLastRound())
    play.round({"1": {"red": 1_000}}, "2")
    play.do(SUPERVISOR, c.CloseTable())
    return force(play, DEALER, *elsewhere.do(DEALER, c.OpenRound()))


def a_winning_bet_left_out_of_a_correction() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000, "straight:17": 100}}, "2")
    events = correction(play)
    (settled,) = (event for event in events if isinstance(event, e.SeatCorrected))
    lines = tuple(line for line in settled.lines if line.bet != "straight:17")
    returned_cents = sum(line.returned_cents for line in lines)
    postings = (
        *move(HOUSE, credits_of("1"), returned_cents),
        *move(credits_of("1"), HOUSE, settled.returned_before_cents),
    )
    facts: dict[str, Any] = {"lines": lines, "returned_cents": returned_cents, "postings": postings}
    return force(play, MANAGER, *but(events, e.SeatCorrected, **facts), second=SUPERVISOR)


def a_decision_that_returns_nothing() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000}}, "2")
    named = (c.NamedBet("1", "red"),)
    do = c.Decide(ruling="return-bets", reason="x", round=1, bets=named)
    events = take_back(play, play.do(SHIFT_MANAGER, do, second=SUPERVISOR))
    (settled,) = (event for event in events if isinstance(event, e.SeatCorrected))
    cents = settled.returned_before_cents
    facts: dict[str, Any] = {
        "lines": settled.reversed,
        "returned_cents": cents,
        "postings": (*move(HOUSE, credits_of("1"), cents), *move(credits_of("1"), HOUSE, cents)),
    }
    return force(play, SHIFT_MANAGER, *but(events, e.SeatCorrected, **facts), second=SUPERVISOR)


def a_dealer_corrects_against_the_sensor() -> Play:
    play = betting()
    play.do(DEALER, c.CloseBets())
    play.do(SENSOR, c.StartSpin())
    play.do(SENSOR, c.FinishSpin(pocket="17"))
    play.do(DEALER, c.EnterResult(result="17"))
    events = play.do(SUPERVISOR, c.CorrectResult(round=1, result="18", reason="x"), DEALER)
    return force(play, DEALER, *take_back(play, events))


def a_seat_closed_with_money_on_it() -> Play:
    elsewhere = Play()
    elsewhere.do(SUPERVISOR, c.OpenTable())
    elsewhere.do(DEALER, c.OpenSeat(seat="1", kind=elsewhere.rules.seat_kinds[0]))
    return force(a_play(), DEALER, *elsewhere.do(DEALER, c.CloseSeat(seat="1")))


def less_than_nothing_is_bought() -> Play:
    play = a_play()
    bought = e.CreditsBought(
        seat="1",
        cents=-500,
        voucher=None,
        clause=play.rules.cite("credits"),
        postings=move(CASH, credits_of("1"), -500),
    )
    return force(play, ONE, bought)


def a_round_corrected_that_stands() -> Play:
    play, elsewhere = a_play("rws-money-wheel"), a_play("rws-money-wheel")
    for each in (play, elsewhere):
        each.round({"1": {"symbol:20": 1_000}}, "20")
    do = c.CorrectResult(round=1, result="1", reason="x")
    events = elsewhere.do(MANAGER, do, second=SUPERVISOR)
    play.round({"2": {"symbol:20": 1_000}}, "20")
    return force(play, MANAGER, *events, second=SUPERVISOR)


def no_spin() -> tuple[Play, list[e.Event]]:
    play = betting()
    play.to_spinning()
    return play, take_back(play, play.do(DEALER, c.CallNoSpin(reason="x")))


def void_by_what_voids_nothing() -> Play:
    play, events = no_spin()
    clause = play.rules.book.irregularities["wrong-result"].clause
    events = but(events, e.RoundVoided, cause="wrong-result", clause=clause)
    if not play.rules.cite("void-returns"):
        events = but(events, e.SeatReturned, clause=clause)
    return force(play, SUPERVISOR, *events, second=SHIFT_MANAGER)


def void_for_a_spin_before_it() -> Play:
    elsewhere = betting()
    elsewhere.to_spinning()
    do = c.DeclareIrregularity(cause="same-direction")
    return force(betting(), SUPERVISOR, *elsewhere.do(SUPERVISOR, do, second=SHIFT_MANAGER))


def bets_changed_without_a_change() -> Play:
    play = a_play()
    play.do(DEALER, c.OpenRound())
    clause = play.rules.place_clause
    changed = e.BetsChanged(seat="1", round=1, changes=(), placed_by="player", clause=clause, postings=())
    return force(play, ONE, changed)


def warned_behind_the_close() -> Play:
    play = betting()
    warned = take_back(play, play.do(TIMER, c.WarnClosing()))
    play.do(DEALER, c.CloseBets())
    return force(play, TIMER, *warned)


def lost_twice() -> Play:
    play = a_play()
    return force(play, TIMER, *play.do(TIMER, c.LoseSeat(seat="1")))


def lost_in_another_round() -> Play:
    play = a_play()
    lost = take_back(play, play.do(TIMER, c.LoseSeat(seat="1")))
    play.do(DEALER, c.OpenRound())
    return force(play, TIMER, *lost)


def restored_though_not_lost() -> Play:
    play = a_play()
    play.do(TIMER, c.LoseSeat(seat="1"))
    return force(play, TIMER, *play.do(TIMER, c.RestoreSeat(seat="1")))


def a_result_corrected_that_nobody_entered() -> Play:
    play, elsewhere = resulted("17"), resulted("18")
    corrected = play.do(SUPERVISOR, c.CorrectResult(round=1, result="18", reason="x"))
    del play.entries[-len(corrected) - 1 :]
    force(play, SUPERVISOR, *but(corrected, e.ResultCorrected, old=None))
    return force(play, DEALER, *elsewhere.do(DEALER, c.ConfirmResult(result="18")))


def a_spin_committed_twice() -> Play:
    play = a_play()
    play.do(DEALER, c.OpenRound())
    return force(play, SENSOR, *play.do(SENSOR, c.CommitSpin(commitment="0" * 64)))


def a_commitment_opened_twice() -> Play:
    play = a_play()
    play.do(DEALER, c.OpenRound())
    play.do(SENSOR, c.CommitSpin(commitment="0" * 64))
    play.do(DEALER, c.CallNoSpin(reason="x"))
    return force(play, SENSOR, *play.do(SENSOR, c.OpenCommitment(round=1, opening="0:00")))


def one_person_where_the_table_wants_two() -> Play:
    play = betting(two_people=("call-no-spin",))
    play.to_spinning()
    events = take_back(play, play.do(DEALER, c.CallNoSpin(reason="x"), second=SUPERVISOR))
    return force(play, DEALER, *events)


def the_second_person_is_the_first() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000}}, "2")
    return force(play, MANAGER, *correction(play, "1"), second=MANAGER)


def a_bet_in_the_moment_of_the_close() -> Play:
    play = betting()
    bet = take_back(play, [play.entries[-1].event])
    assert play.state.round is not None
    assert play.state.round.closes_ms is not None
    play.at_ms = play.state.round.closes_ms
    return force(play, ONE, *bet)


def credits_bought_at_a_seat_out_of_use() -> Play:
    play, elsewhere = a_play(), a_play()
    for each in (play, elsewhere):
        each.do(ONE, c.CashOut(seat="1", voucher="V-1"))
    play.do(DEALER, c.CloseSeat(seat="1"))
    return force(play, ONE, *elsewhere.do(ONE, c.BuyCredits(seat="1", cents=500)))


def locked_below_the_voucher_limit() -> Play:
    play = a_play()
    return force(
        play, ONE, e.SeatLocked(seat="1", round=None, reason="attendant-pay", cents=play.credits("1"))
    )


def a_dealer_tells_of_the_spin_behind_the_result() -> Play:
    play = resulted()
    finished = e.SpinFinished(
        round=1,
        revolutions=None,
        pocket="3",
        at_rest=True,
        rotor_tenths_rpm=None,
        diamond=None,
        said_by="dealer",
        clause=play.rules.book.wheel.clause,
    )
    return force(play, DEALER, finished)


FORGED: dict[Callable[[], Play], str] = {
    bets_at_a_halted_table: "happens at a halted table",
    closed_while_a_round_runs: "the table cannot close here",
    resumed_though_not_halted: "was not halted",
    limits_changed_under_bets: "limits change under the bets",
    limits_that_were_not_in_force: "were not in force",
    a_lost_seat_bets: "seat 1 is lost",
    a_locked_seat_bets: "seat 1 is locked",
    a_locked_seat_gets_a_voucher: "only an attendant may pay",
    a_voucher_above_the_limit: "only an attendant may pay",
    a_round_at_a_closed_table: "begins at a closed table",
    a_winning_bet_left_out_of_a_correction: "is not settled again",
    a_decision_that_returns_nothing: "the decision returns no bet",
    a_dealer_corrects_against_the_sensor: "against the sensor's 17 takes two people",
    a_seat_closed_with_money_on_it: "with money on it",
    less_than_nothing_is_bought: "are bought",
    a_round_corrected_that_stands: "because the next one has begun",
    void_by_what_voids_nothing: "does not void a round",
    void_for_a_spin_before_it: "cannot have happened yet",
    bets_changed_without_a_change: "changes no bet",
    warned_behind_the_close: "are closed",
    lost_twice: "is lost already",
    lost_in_another_round: "is not the one that is running",
    restored_though_not_lost: "was not lost",
    a_result_corrected_that_nobody_entered: "has no result that could be corrected",
    a_spin_committed_twice: "cannot be committed here",
    a_commitment_opened_twice: "has no commitment that can be opened here",
    one_person_where_the_table_wants_two: "takes two people",
    the_second_person_is_the_first: "takes two people",
    a_bet_in_the_moment_of_the_close: "betting time",
    credits_bought_at_a_seat_out_of_use: "is not in use",
    locked_below_the_voucher_limit: "nothing asks for a lock-up of seat 1",
    a_dealer_tells_of_the_spin_behind_the_result: "cannot end here",
}
"""What is forged, and a part of what the verifier says."""


@pytest.mark.parametrize("scene", FORGED, ids=lambda scene: scene.__name__)
def test_it_is_found_at_the_forged_record(scene: Callable[[], Play]) -> None:
    play = scene()
    last = play.entries[-1].cause
    first_forged = next(
        place for place, entry in enumerate(play.entries, start=1) if entry.cause.fingerprint == "0" * 16
    )
    misfit = found_in(play)
    assert misfit is not None, last
    assert misfit.sequence >= first_forged
    assert FORGED[scene] in misfit.reason


def test_stakes_and_credits_of_a_forged_settlement_are_added_up() -> None:
    """A bet that is left out of a settlement, with everything else made to fit."""
    play = a_play()
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000, "black": 1_000})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    events = take_back(play, play.do(DEALER, c.ConfirmResult(result="2")))
    (settled,) = (event for event in events if isinstance(event, e.SeatSettled))
    lines = settled.lines[1:]
    staked, returned = (
        sum(line.stake_cents for line in lines),
        sum(line.returned_cents for line in lines),
    )
    postings = (*move(stakes_of("1"), HOUSE, staked), *move(HOUSE, credits_of("1"), returned))
    short = msgspec.structs.replace(
        settled, lines=lines, staked_cents=staked, returned_cents=returned, postings=postings
    )
    force(play, DEALER, *(short if event is settled else event for event in events))
    misfit = found_in(play)
    assert misfit is not None
    assert "is not settled" in misfit.reason


def test_more_cash_than_a_terminal_takes_at_once() -> None:
    play = a_play(cash_limit_cents=CREDITS_CENTS)
    bought = e.CreditsBought(
        seat="1",
        cents=CREDITS_CENTS + 1,
        voucher=None,
        clause=play.rules.cite("credits"),
        postings=move(CASH, credits_of("1"), CREDITS_CENTS + 1),
    )
    assert found_in(force(a_play(cash_limit_cents=CREDITS_CENTS), DEALER, bought)) is None
    misfit = found_in(force(play, ONE, bought))
    assert misfit is not None
    assert misfit.reason == "a terminal takes 100.01 in cash, and its limit is 100.00"
