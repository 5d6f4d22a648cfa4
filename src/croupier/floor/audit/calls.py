"""Calls for an attendant, audited: one at a time, and each ended once by somebody who may."""

from typing import Final

from croupier.floor.audit.books import Books, refuse
from croupier.rulebook.vocabulary import POSITIONS
from croupier.table import events as e
from croupier.table.calls import ANSWERED, CALL_REASONS, WITHDRAWN

_ATTENDING: Final = ("manage-seats", "pay-by-attendant")
"""Whoever may do one of these may answer a call."""


def check_caller(books: Books, cause: e.Cause, event: e.AttendantCalled | e.CallEnded) -> None:
    """Finds a call made by no person, or answered by somebody whom the book lets attend to no seat."""
    if cause.actor.position == "player":
        return
    people = (cause.actor,) if cause.second is None else (cause.actor, cause.second)
    takes = "dealer"
    if isinstance(event, e.CallEnded):
        named = (books.book.authority.get(action) for action in _ATTENDING)
        takes = min((rule.position for rule in named if rule is not None), key=_rank, default=takes)
    ranks = [_rank(person.position) for person in people]
    if max(ranks) < _rank(takes) or min(ranks) < _rank("dealer"):
        refuse(f"it takes a {takes}, and {cause.actor.id} is a {cause.actor.position}")


def _rank(position: str) -> int:
    return POSITIONS.index(position) if position in POSITIONS else -1


def attendant_called(books: Books, cause: e.Cause, event: e.AttendantCalled) -> None:
    """An attendant is called to a seat where nobody waits for one yet, from the moment it was asked for."""
    seat = books.seat(event.seat)
    if event.reason not in CALL_REASONS:
        refuse(f"nobody calls an attendant for {event.reason!r}")
    if seat.called_ms is not None:
        refuse(f"an attendant is called to seat {event.seat} already")
    if event.since_ms != cause.at_ms:
        refuse(f"the call began at {cause.at_ms}, and it says {event.since_ms}")
    seat.called_ms = event.since_ms


def call_ended(books: Books, cause: e.Cause, event: e.CallEnded) -> None:
    """A call ends that was open: withdrawn by the player, answered by anybody else."""
    seat = books.seats.get(event.seat)
    if seat is None or seat.called_ms is None:
        refuse(f"no attendant was called to seat {event.seat}")
    if event.since_ms != seat.called_ms:
        refuse(f"the call began at {seat.called_ms}, and it says {event.since_ms}")
    how = WITHDRAWN if cause.actor.position == "player" else ANSWERED
    if event.how != how:
        refuse(f"it says that the call was {event.how}, and by a {cause.actor.position} it is {how}")
    if books.owed.pop(("call", event.seat), None) is None and not isinstance(books.began, e.CallEnded):
        refuse(f"the call of seat {event.seat} ends with something that was done at another seat")
    seat.called_ms = None


def owe_answer(books: Books, seat_id: str) -> None:
    """Whoever pays at a seat by hand, or takes it out of use, has answered its call in the same step."""
    if books.seats[seat_id].called_ms is not None:
        books.owed["call", seat_id] = f"the call of seat {seat_id} is not answered"
