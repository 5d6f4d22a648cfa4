"""A large win locks the seat until a pit employee has come."""

import msgspec
import pytest

from croupier.table import Stake, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, Play, only, player
from table.scenes import IDLE, MBS, RESULTED, SETTLED, STAKE, Game, at, correct, every_game


def locks(events: list[e.Event]) -> list[tuple[str, str, int]]:
    return [(event.seat, event.reason, event.cents) for event in events if isinstance(event, e.SeatLocked)]


def resulted(game: Game, lock_up_cents: int) -> Play:
    return at(RESULTED, game, lock_up_cents=lock_up_cents)


@every_game
def test_a_win_at_the_threshold_locks_and_a_cent_less_does_not(game: Game) -> None:
    won = STAKE * game.pays
    confirm = c.ConfirmResult(result=game.wins)

    assert locks(resulted(game, won).do(DEALER, confirm)) == [("1", "win", won)]
    assert locks(resulted(game, won + 1).do(DEALER, confirm)) == []


def test_a_win_is_what_winning_bets_pay_beyond_their_stakes_in_one_round() -> None:
    play = at("idle", lock_up_cents=37_000)

    first = play.round({"1": {"straight:17": 1_000, "black": 1_000, "red": 50_000}}, "17")
    second = play.round({"2": {"straight:17": 1_000, "black": 2_000}}, "17")

    assert locks(first) == []
    assert locks(second) == [("2", "win", 37_000)], "what other bets lose does not make a win smaller"


def test_the_lock_comes_with_its_seats_settlement_and_only_the_seat_and_the_staff_are_told() -> None:
    play = resulted(MBS, 1_000)

    happened = play.do(DEALER, c.ConfirmResult(result="17"))

    kinds = [type(event).__name__ for event in happened]
    assert kinds == ["ResultConfirmed", "SeatSettled", "SeatLocked", "SeatSettled", "RoundSettled"]
    assert audience(happened[2]) == "seat/1"


@pytest.mark.parametrize(
    "do",
    [
        c.PlaceBets(seat="1", stakes=(Stake("red", 500),)),
        c.BuyCredits(seat="1", cents=100),
        c.CashOut(seat="1", voucher="V1"),
    ],
)
def test_a_locked_seat_waits_and_its_money_does_not_move(do: c.Do) -> None:
    play = at(SETTLED, lock_up_cents=1_000)
    play.do(DEALER, c.OpenRound())

    found = play.refused(player("1"), do)

    assert (found.code, found.facts) == ("seat-locked", {"seat": "1", "reason": "win"})
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    assert play.do(player("1"), do)


def test_others_play_on_while_a_seat_is_locked() -> None:
    play = at(SETTLED, lock_up_cents=1_000)

    assert play.round({"2": {"red": 500}}, "1")


def test_a_pit_employee_clears_the_lock_once() -> None:
    play = at(SETTLED, lock_up_cents=1_000)

    assert play.refused(player("1"), c.ClearLockUp(seat="1")).code == "not-allowed"
    assert play.refused(DEALER, c.ClearLockUp(seat="1")).code == "not-allowed"
    assert play.do(SUPERVISOR, c.ClearLockUp(seat="1")) == [e.SeatUnlocked(seat="1")]
    assert play.refused(SUPERVISOR, c.ClearLockUp(seat="1")).code == "seat-not-locked"


def test_a_lock_is_cleared_at_a_closed_table_too() -> None:
    play = at(SETTLED, lock_up_cents=1_000)
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())

    assert play.do(SUPERVISOR, c.ClearLockUp(seat="1"))


def test_a_lock_for_an_attendant_can_be_cleared_and_the_player_plays_on() -> None:
    play = at("idle", voucher_limit_cents=1_000)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))

    assert play.round({"1": {"red": 500}}, "1")


def test_a_win_that_is_paid_by_hand_releases_the_seat() -> None:
    play = at(SETTLED, lock_up_cents=1_000)

    paid, unlocked = play.do(SUPERVISOR, c.PayByAttendant(seat="1"))

    assert isinstance(paid, e.CreditsPaidOut)
    assert unlocked == e.SeatUnlocked(seat="1")


def test_a_correction_that_makes_a_large_win_locks_the_seat() -> None:
    play = at(SETTLED, lock_up_cents=35_000)
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))

    assert locks(correct(play, 1, "20")) == [("2", "win", 35_000)]


def test_a_correction_does_not_lock_a_seat_that_waits_already() -> None:
    play = at("idle", lock_up_cents=35_000)
    play.round({"1": {"straight:17": 1_000, "straight:20": 1_000}}, "17")

    assert locks(correct(play, 1, "20")) == []
    assert play.state.seats["1"].lock == "win"


def test_a_correction_does_not_lock_a_seat_whose_player_has_left() -> None:
    play = at("idle", lock_up_cents=35_000)
    play.round({"1": {"straight:17": 1_000}}, "20")
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    assert locks(correct(play, 1, "17")) == []


def test_returning_another_bet_does_not_lock_again_for_a_win_that_was_cleared() -> None:
    play = at("idle", lock_up_cents=35_000)
    play.round({"1": {"straight:17": 1_000, "red": 500}}, "17")
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    bets = (c.NamedBet("1", "red"),)

    events = play.do(
        SHIFT_MANAGER, c.Decide(ruling="return-bets", reason="a stuck screen", round=1, bets=bets)
    )

    assert only(e.SeatCorrected, events).returned_cents == 36_500
    assert locks(events) == []


def test_paying_by_hand_takes_the_position_that_releasing_the_seat_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play = at(IDLE, lock_up_cents=30_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    assert play.state.seats["1"].lock is not None
    released = play.rules.book.authority["clear-lock-up"]
    stricter = msgspec.structs.replace(released, position="shift-manager")
    authority = {**play.rules.book.authority, "clear-lock-up": stricter}
    monkeypatch.setattr(play.rules, "book", msgspec.structs.replace(play.rules.book, authority=authority))

    assert play.refused(SUPERVISOR, c.PayByAttendant(seat="1")).code == "not-allowed"
    assert play.do(SHIFT_MANAGER, c.PayByAttendant(seat="1"))


def test_a_seat_that_is_locked_waits_for_a_large_win_by_a_correction_too() -> None:
    play = Play(lock_up_cents=3_000).open(("1",), 10_000)
    play.round({"1": {"straight:17": 100, "red": 100}}, "2")
    play.round({"1": {"straight:17": 100}}, "17")
    before = play.state.seats["1"].lock
    assert before is not None
    assert only(e.SeatLocked, correct(play, 1, "17")).round == 1
    assert play.state.seats["1"].lock == before
