"""Journals that a table did write fit, also at the very edge of a rule."""

from collections.abc import Callable

import msgspec
import pytest

from croupier.rulebook import load_book
from croupier.table import Range, Rules
from croupier.table import commands as c
from floor.forged_events import a_play, betting, found_in
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player, wide_limits


def correct(play: Play, result: str, round_: int = 1) -> None:
    do = c.CorrectResult(round=round_, result=result, reason="on camera")
    play.do(MANAGER, do, second=SUPERVISOR)


def a_win_of_exactly_the_threshold() -> Play:
    play = a_play(lock_up_cents=3_500)
    play.round({"1": {"straight:17": 100}}, "17")
    assert play.state.seats["1"].lock
    return play


def a_voucher_of_exactly_the_limit() -> Play:
    play = a_play(voucher_limit_cents=10_000)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    return play


def a_box_with_limits_of_its_own() -> Play:
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 1_000, 100_000)
    own = {**limits.bets, "symbol:20": Range(minimum_cents=500, maximum_cents=2_000)}
    play = Play("rws-money-wheel", limits=msgspec.structs.replace(limits, bets=own))
    play.open(("1",), 100_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"symbol:20": 3_000})
    return play


def a_table_without_a_betting_time() -> Play:
    play = a_play(betting_seconds=None)
    play.round({"1": {"red": 1_000}}, "2")
    return play


def the_last_round_announced_while_the_ball_rolls() -> Play:
    play = betting()
    play.to_spinning()
    play.do(DEALER, c.AnnounceLastRound())
    return play


def an_earlier_round_void_behind_the_last() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000}}, "2")
    play.do(DEALER, c.AnnounceLastRound())
    play.round({"1": {"red": 1_000}}, "2")
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="x", round=1), second=SUPERVISOR)
    play.do(SUPERVISOR, c.CloseTable())
    return play


def a_shortfall_repaid_by_a_second_correction() -> Play:
    play = a_play()
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.round({"1": {"red": 40_000}}, "2")
    correct(play, "18")
    correct(play, "17")
    return play


def a_large_correction_at_a_locked_seat() -> Play:
    play = a_play(lock_up_cents=3_000)
    play.round({"1": {"straight:17": 100, "red": 100}}, "2")
    play.round({"1": {"straight:17": 100}}, "17")
    correct(play, "17")
    assert [type(entry.event).__name__ for entry in play.entries].count("SeatLocked") == 2
    return play


def a_correction_of_a_round_with_a_returned_bet() -> Play:
    play = a_play()
    play.round({"1": {"red": 1_000, "black": 500}}, "2")
    named = (c.NamedBet("1", "black"),)
    play.do(SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="x", round=1, bets=named), second=SUPERVISOR)
    correct(play, "1")
    return play


def an_interruption_of_exactly_the_grace() -> Play:
    play = betting()
    began_ms = play.at_ms
    play.wait(play.settings.grace_seconds)
    play.do(TIMER, c.Interrupt(began_ms=began_ms))
    return play


SOUND = (
    a_win_of_exactly_the_threshold,
    a_voucher_of_exactly_the_limit,
    a_box_with_limits_of_its_own,
    a_table_without_a_betting_time,
    the_last_round_announced_while_the_ball_rolls,
    an_earlier_round_void_behind_the_last,
    a_shortfall_repaid_by_a_second_correction,
    a_large_correction_at_a_locked_seat,
    a_correction_of_a_round_with_a_returned_bet,
    an_interruption_of_exactly_the_grace,
)


@pytest.mark.parametrize("scene", SOUND, ids=lambda scene: scene.__name__)
def test_it_fits(scene: Callable[[], Play]) -> None:
    assert found_in(scene()) is None
