"""Calls for an attendant: made at a seat, and ended by whoever comes or by the player."""

from typing import Final

from croupier.rulebook import Authority
from croupier.rulebook.vocabulary import POSITIONS
from croupier.table import commands as c
from croupier.table.asking import Ask, refuse, unknown_seat
from croupier.table.calls import ANSWERED, CALL_REASONS, WITHDRAWN
from croupier.table.events import AttendantCalled, CallEnded, Event
from croupier.table.rejections import Rejection

CALL_ACTIONS: Final = frozenset({c.CallAttendant.action, c.AnswerCall.action})
"""Matters of the floor, which no book speaks of."""

_ATTENDING: Final = ("manage-seats", "pay-by-attendant")


def form_call(ask: Ask, do: c.CallAttendant) -> Rejection | None:
    """Refuses unknown seats, and reasons that nobody has a word for."""
    if (found := unknown_seat(ask, do.seat)) is not None:
        return found
    if do.reason not in CALL_REASONS:
        reasons = ", ".join(CALL_REASONS)
        sentence = f"{do.reason!r} is not a reason to call an attendant; use {reasons}."
        return refuse("unknown-reason", sentence, reason=do.reason)
    return None


def guard_call(ask: Ask, do: c.CallAttendant) -> Rejection | None:
    """Refuses a second call, so that the first one keeps its time and the record one line for each change."""
    call = ask.seat(do.seat).call
    if call is not None:
        sentence = f"An attendant is called to seat {do.seat} already; withdraw the call to make another."
        return refuse("attendant-called", sentence, seat=do.seat, reason=call.reason, since_ms=call.since_ms)
    return None


def make_call(ask: Ask, do: c.CallAttendant) -> tuple[Event, ...]:
    """Calls an attendant to the seat."""
    return (AttendantCalled(seat=do.seat, reason=do.reason, since_ms=ask.at_ms),)


def form_answer(ask: Ask, do: c.AnswerCall) -> Rejection | None:
    """Refuses unknown seats."""
    return unknown_seat(ask, do.seat)


def guard_answer(ask: Ask, do: c.AnswerCall) -> Rejection | None:
    """Refuses where nobody has called, or somebody else has been there first."""
    if ask.seat(do.seat).call is None:
        return refuse("no-call", f"Nobody at seat {do.seat} waits for an attendant.", seat=do.seat)
    return None


def make_answer(ask: Ask, do: c.AnswerCall) -> tuple[Event, ...]:
    """Ends the call: a player withdraws it, an employee answers it."""
    return ended(ask, do.seat, WITHDRAWN if ask.actor.position == "player" else ANSWERED)


def ended(ask: Ask, seat_id: str, how: str = ANSWERED) -> tuple[Event, ...]:
    """The end of a seat's call; nothing where there is none."""
    call = ask.seat(seat_id).call
    return () if call is None else (CallEnded(seat=seat_id, how=how, since_ms=call.since_ms),)


def rule_of_call(ask: Ask, action: str) -> Authority:
    """From which position on an employee makes or ends a call.

    No rule text speaks of calls, and a book stays word for word what its tables were created with: so this
    stands beside the books. A player calls and ends the own call, any employee calls, and of the staff a call
    is answered by whoever may manage seats or pay by hand, whichever the book gives to the lower position.
    """
    lowest = "dealer"
    if action == c.AnswerCall.action:
        authority = ask.rules.book.authority
        attending = [authority[name].position for name in _ATTENDING if name in authority]
        lowest = min(attending, key=POSITIONS.index, default="dealer")
    return Authority(action=action, position=lowest, people=1, source="assumption:authority")
