"""A correction that takes a large win back also releases the seat that the win has locked."""

import pytest

from clauses import clause
from croupier.table import audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import MANAGER, SUPERVISOR, Play, only, player
from table.scenes import MBS, RWS_000, Game, correct, title

LARGE = 30_000
GAMES = [
    pytest.param(MBS, marks=clause("mbs-roulette:6.3")),
    pytest.param(RWS_000, marks=clause("rws-roulette-000:5.5")),
]


def locked(game: Game = RWS_000) -> Play:
    """Seat 1 has won 350.00 in round 1 and waits for a pit employee."""
    play = Play(game.book, game.layout, lock_up_cents=LARGE).open(("1",), 100_000)
    play.round({"1": {"straight:17": 1_000, "straight:20": 900, "split:17/18": 100}}, "17")
    assert play.state.seats["1"].lock == "win"
    return play


@pytest.mark.parametrize("game", GAMES, ids=title)
def test_a_seat_is_released_with_the_win_that_locked_it(game: Game) -> None:
    play = locked(game)

    released = only(e.SeatUnlocked, correct(play, 1, "18"))

    assert (released.seat, released.round, audience(released)) == ("1", 1, "seat/1")
    assert play.state.seats["1"].lock is None
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))


def test_a_void_of_the_round_releases_it_too() -> None:
    play = locked()

    events = play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,)), SUPERVISOR)

    assert only(e.SeatUnlocked, events).round == 1


def test_a_win_that_is_still_large_goes_on_waiting() -> None:
    play = locked()

    events = correct(play, 1, "20")

    assert not [event for event in events if isinstance(event, e.SeatLocked | e.SeatUnlocked)]
    assert play.state.seats["1"].lock == "win"


def test_a_correction_of_another_round_releases_nothing() -> None:
    play = Play(RWS_000.book, lock_up_cents=LARGE).open(("1",), 100_000)
    play.round({"1": {"straight:17": 100}}, "17")
    play.round({"1": {"straight:17": 1_000}}, "17")

    correct(play, 1, "20")

    assert play.state.seats["1"].lock == "win"


def test_a_seat_that_waits_for_two_wins_is_released_with_the_second() -> None:
    play = Play(RWS_000.book, lock_up_cents=LARGE).open(("1",), 100_000)
    play.round({"1": {"straight:20": 1_000}}, "17")
    play.round({"1": {"straight:17": 1_000}}, "17")
    correct(play, 1, "20")
    assert play.state.seats["1"].locked_for == (2, 1)

    first = correct(play, 2, "0")
    second = correct(play, 1, "0")

    assert not [event for event in first if isinstance(event, e.SeatUnlocked)]
    assert only(e.SeatUnlocked, second).round == 1


@pytest.mark.parametrize("rounds", [(1, 2), (2, 1)])
def test_both_wins_are_taken_back_at_once(rounds: tuple[int, ...]) -> None:
    play = Play(RWS_000.book, lock_up_cents=LARGE).open(("1",), 100_000)
    play.round({"1": {"straight:20": 1_000}}, "17")
    play.round({"1": {"straight:17": 1_000}}, "17")
    correct(play, 1, "20")

    events = play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=rounds), SUPERVISOR)

    assert only(e.SeatUnlocked, events).seat == "1"
    assert (play.state.seats["1"].lock, play.state.seats["1"].locked_for) == (None, ())


def test_what_a_pit_employee_has_released_is_not_released_again() -> None:
    play = locked()
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))

    assert not [event for event in correct(play, 1, "18") if isinstance(event, e.SeatUnlocked)]


def test_a_seat_that_waits_to_be_paid_by_hand_goes_on_waiting() -> None:
    play = Play(RWS_000.book, lock_up_cents=LARGE, voucher_limit_cents=1_000).open(("1",), 100_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    assert play.state.seats["1"].lock == "attendant-pay"

    correct(play, 1, "18")

    assert play.state.seats["1"].lock == "attendant-pay"
