"""Calls for an attendant: at any time, one at a time, and each ended once by somebody who may."""

from collections.abc import Callable

import msgspec
import pytest

from croupier.rulebook import load_book
from croupier.table import Actor, Do, Rules, State, audience, may, replay
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.calls import CALL_REASONS
from croupier.table.rejections import CODES
from croupier.table.state import Call, Seat
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, player
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    ONE_A_BOOK,
    RESULTED,
    SETTLED,
    SPINNING,
    Game,
    at,
    title,
)

ONE = player("1")
CALL = c.CallAttendant(seat="1")
ANSWER = c.AnswerCall(seat="1")
POINTS = [IDLE, BETTING, CLOSED, SPINNING, FINISHED, RESULTED, SETTLED]


def call_of(play: Play) -> Call | None:
    return play.state.seats["1"].call


@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
@pytest.mark.parametrize("point", POINTS)
def test_an_attendant_is_called_and_comes_in_every_phase(game: Game, point: str) -> None:
    play = at(point, game)
    round_before, credits = play.state.round, play.credits("1")
    called = play.do(ONE, CALL)
    assert called == [e.AttendantCalled(seat="1", reason="help", since_ms=play.at_ms)]
    assert call_of(play) == Call(reason="help", since_ms=play.at_ms)
    since_ms = play.at_ms

    play.wait(95)
    answered = play.do(DEALER, ANSWER)

    assert answered == [e.CallEnded(seat="1", how="answered", since_ms=since_ms)]
    assert call_of(play) is None
    assert (play.state.round, play.credits("1")) == (round_before, credits), "a call changes nothing else"


def _close(play: Play) -> None:
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "0")
    play.do(SUPERVISOR, c.CloseTable())


def _lock(play: Play) -> None:
    play.round({"1": {"straight:17": 1_000}}, "17")
    assert play.state.seats["1"].lock == "win"


def _await_outcome(play: Play) -> None:
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(TIMER, c.Interrupt(began_ms=0))
    assert play.state.awaits_outcome


TROUBLES: dict[str, Callable[[Play], object]] = {
    "closed": _close,
    "halted": lambda play: play.do(TIMER, c.HaltTable(reason="stuck")),
    "halted in a round": lambda play: (
        play.do(DEALER, c.OpenRound()),
        play.do(TIMER, c.HaltTable(reason="stuck")),
    ),
    "locked": _lock,
    "lost": lambda play: play.do(TIMER, c.LoseSeat(seat="1")),
    "awaiting an outcome": _await_outcome,
    "without credits": lambda play: play.do(ONE, c.CashOut(seat="1", voucher="V1")),
}


@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_trouble_keeps_an_attendant_from_being_called_and_from_coming(trouble: str) -> None:
    play = at(IDLE, lock_up_cents=1_000)
    TROUBLES[trouble](play)

    play.do(ONE, CALL)
    assert call_of(play) is not None
    play.do(DEALER, ANSWER)

    assert call_of(play) is None


@pytest.mark.parametrize("reason", CALL_REASONS)
def test_a_call_says_why(reason: str) -> None:
    play = at(IDLE)

    (called,) = play.do(ONE, c.CallAttendant(seat="1", reason=reason))

    assert called.reason == reason
    assert call_of(play) == Call(reason=reason, since_ms=play.at_ms)


@pytest.mark.parametrize("reason", ["", "Help", "come here, the drinks are late"])
def test_what_is_no_reason_is_refused_with_those_that_are(reason: str) -> None:
    play = at(IDLE)

    found = play.refused(ONE, c.CallAttendant(seat="1", reason=reason))

    assert (found.code, CODES[found.code].kind, found.facts) == (
        "unknown-reason",
        "malformed",
        {"reason": reason},
    )
    assert all(known in found.sentence for known in CALL_REASONS)


def test_a_second_call_is_refused_and_the_first_keeps_its_time_and_reason() -> None:
    play = at(IDLE)
    play.do(ONE, c.CallAttendant(seat="1", reason="payout"))
    first = call_of(play)
    play.wait(60)

    for actor in (ONE, DEALER):
        found = play.refused(actor, c.CallAttendant(seat="1", reason="terminal"))
        assert (found.code, CODES[found.code].kind) == ("attendant-called", "not-now")
        assert found.facts == {"seat": "1", "reason": "payout", "since_ms": START_MS}
    assert call_of(play) == first


def test_the_same_command_sent_twice_is_one_call() -> None:
    play = at(IDLE)
    command = play.command(ONE, CALL)
    play.submit(command)

    again = play.submit(command)

    assert (again.repeated, again.rejection, again.entries) == (True, None, ())


def test_seats_have_calls_of_their_own() -> None:
    play = at(IDLE)
    play.do(DEALER, c.OpenSeat(seat="9", kind="alfastreet"))
    play.do(ONE, CALL)
    play.do(player("9"), c.CallAttendant(seat="9", reason="buy-in"))

    play.do(DEALER, ANSWER)

    assert [(seat.id, seat.call) for seat in play.state.seats.values() if seat.call] == [
        ("9", Call(reason="buy-in", since_ms=play.at_ms))
    ]


def test_a_player_withdraws_the_own_call_and_may_call_again() -> None:
    play = at(IDLE)
    play.do(ONE, CALL)
    play.wait(5)

    withdrawn = play.do(ONE, ANSWER)

    assert withdrawn == [e.CallEnded(seat="1", how="withdrawn", since_ms=START_MS)]
    (again,) = play.do(ONE, CALL)
    assert again.since_ms == START_MS + 5_000


@pytest.mark.parametrize("actor", [ONE, DEALER, SHIFT_MANAGER])
def test_what_was_ended_is_not_ended_again(actor: Actor) -> None:
    play = at(IDLE)
    assert play.refused(actor, ANSWER).code == "no-call"
    play.do(ONE, CALL)
    play.do(SUPERVISOR, ANSWER)

    found = play.refused(actor, ANSWER)

    assert (found.code, CODES[found.code].kind, found.facts) == ("no-call", "not-now", {"seat": "1"})


@pytest.mark.parametrize("game", [MBS, MONEY_WHEEL], ids=title)
def test_an_employee_calls_one_to_a_seat_that_cannot(game: Game) -> None:
    play = at(BETTING, game)

    play.do(DEALER, CALL)

    assert play.do(SUPERVISOR, ANSWER) == [e.CallEnded(seat="1", how="answered", since_ms=play.at_ms)]


@pytest.mark.parametrize("do", [CALL, ANSWER], ids=["call", "answer"])
@pytest.mark.parametrize("machine", [TIMER, SENSOR], ids=lambda actor: actor.position)
def test_machines_neither_call_nor_come(do: Do, machine: Actor) -> None:
    play = at(IDLE)
    if do is ANSWER:
        play.do(ONE, CALL)

    found = play.refused(machine, do)

    assert (found.code, found.facts) == ("not-allowed", {"action": do.action})
    assert "a person has to" in found.sentence


@pytest.mark.parametrize(
    ("manage", "pay", "lowest"),
    [
        ("dealer", "pit-supervisor", DEALER),
        ("pit-manager", "pit-supervisor", SUPERVISOR),
        ("pit-manager", "shift-manager", MANAGER),
    ],
)
def test_who_answers_is_whoever_the_book_lets_manage_seats_or_pay_by_hand(
    manage: str, pay: str, lowest: Actor
) -> None:
    play = at(IDLE)
    play.do(ONE, CALL)
    book = load_book("mbs-roulette")
    authority = {
        **book.authority,
        "manage-seats": msgspec.structs.replace(book.authority["manage-seats"], position=manage, people=2),
        "pay-by-attendant": msgspec.structs.replace(book.authority["pay-by-attendant"], position=pay),
    }
    rules = Rules(msgspec.structs.replace(book, authority=authority))

    found = {
        actor: may(rules, play.state, play.command(actor, ANSWER))
        for actor in (ONE, DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER)
    }

    staff = [DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER]
    allowed = {ONE, *staff[staff.index(lowest) :]}
    assert {actor for actor, refused in found.items() if refused is None} == allowed
    for actor in {*staff} - allowed:
        refused = found[actor]
        assert refused is not None
        expected = {"action": "floor:answer-call", "position": lowest.position}
        assert (refused.code, refused.facts, refused.clause) == ("not-allowed", expected, None)


def test_a_table_that_asks_for_two_people_everywhere_lets_one_answer() -> None:
    play = Play(two_people=("manage-seats", "pay-by-attendant", "clear-lock-up"))
    play.do(DEALER, c.OpenSeat(seat="1", kind="alfastreet"), second=SUPERVISOR)
    play.do(ONE, CALL)

    assert play.do(DEALER, ANSWER)


def test_whoever_pays_by_hand_has_answered() -> None:
    play = at(IDLE, voucher_limit_cents=1)
    play.do(ONE, c.CallAttendant(seat="1", reason="payout"))
    play.do(ONE, c.CashOut(seat="1", voucher="V1"))
    assert play.state.seats["1"].lock == "attendant-pay"

    paid = play.do(SUPERVISOR, c.PayByAttendant(seat="1"))

    assert [type(event) for event in paid] == [e.CreditsPaidOut, e.SeatUnlocked, e.CallEnded]
    assert paid[-1] == e.CallEnded(seat="1", how="answered", since_ms=START_MS)
    assert call_of(play) is None


def test_a_voucher_and_a_cleared_lock_up_leave_the_call_open() -> None:
    play = at(IDLE, lock_up_cents=1_000)
    _lock(play)
    play.do(ONE, CALL)

    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    assert call_of(play) is not None
    play.do(ONE, c.CashOut(seat="1", voucher="V1"))

    assert call_of(play) is not None, "the voucher may be the very thing that went wrong"


def test_a_seat_that_is_taken_out_of_use_waits_for_nobody() -> None:
    play = at(IDLE)
    play.do(ONE, c.CashOut(seat="1", voucher="V1"))
    play.do(ONE, CALL)

    closed = play.do(DEALER, c.CloseSeat(seat="1"))

    assert closed == [e.SeatClosed(seat="1"), e.CallEnded(seat="1", how="answered", since_ms=START_MS)]
    assert play.refused(ONE, CALL).code == "unknown-seat"
    assert play.refused(DEALER, ANSWER).code == "unknown-seat"
    play.do(DEALER, c.OpenSeat(seat="1", kind="alfastreet"))
    assert call_of(play) is None


def test_a_call_stays_through_a_lost_terminal_and_a_replay() -> None:
    play = at(IDLE)
    play.do(ONE, CALL)
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(TIMER, c.RestoreSeat(seat="1"))

    again = replay(play.rules, play.entries)

    assert again.seats["1"].call == Call(reason="help", since_ms=START_MS)
    assert again == play.state


def test_calls_are_between_the_seat_and_the_staff() -> None:
    play = at(IDLE)

    events = [*play.do(ONE, CALL), *play.do(DEALER, ANSWER)]

    assert [audience(event) for event in events] == ["seat/1", "seat/1"]


def test_a_state_from_before_there_were_calls_has_none() -> None:
    state = at(IDLE).state
    old = msgspec.to_builtins(state)
    for seat in old["seats"].values():
        del seat["call"]

    assert msgspec.convert(old, State) == state
    assert Seat(id="1", kind="place", layout="main").call is None
