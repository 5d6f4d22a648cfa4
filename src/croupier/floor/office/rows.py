"""What of the office belongs into the log of significant events, a row and a sentence for each."""

from collections.abc import Iterable, Iterator
from typing import Final

from croupier.floor.office import records as r
from croupier.floor.significant.events import EventRow
from croupier.floor.significant.full_stop import stopped
from croupier.journal import Record

EVERYDAY: Final = (r.SignedIn, r.SignedOut, r.Authorised, r.PasswordRehashed)
"""What happens all day; listed only where everything is asked for."""

_WHY: Final = {
    "unknown-name": "nobody has that name",
    "wrong-password": "the password was not right",
    "retired": "the person does not work here any more",
    "locked-out": "the name was locked out",
    "must-change": "the one-time password was not changed",
    "one-time-over": "the one-time password was too old",
    "password-from": "one of the two gave the other a password",
    "unknown-code": "there is no such code",
    "code-used": "the code was used before",
    "code-expired": "the code was too old",
}
_PURPOSES: Final = {
    "sign-in": "sign in",
    "authorise": "authorise as a second person",
    "change-password": "change the password",
}


def office_rows(records: Iterable[Record], *, everything: bool = False) -> Iterator[EventRow]:
    """The significant events among the office's records; all of them where everything is asked for."""
    for record in records:
        entry = r.office_entry_of(record)
        if everything or not isinstance(entry.event, EVERYDAY):
            yield EventRow(
                sequence=record.sequence,
                time_ms=record.at_ms,
                event=record.kind,
                round=None,
                seat=getattr(entry.event, "seat", None),
                actor=entry.actor,
                position=entry.position,
                second=None,
                clause=None,
                what=tell_office(entry),
            )


def tell_office(entry: r.OfficeEntry) -> str:
    """What happened, as a sentence, with where it came from."""
    sentence = _sentence(entry.event)
    return f"{sentence[:-1]}, from {entry.address}." if entry.address else sentence


def _sentence(event: r.OfficeEvent) -> str:
    match event:
        case r.AccessOpened():
            return f"The server, version {event.version}, began to let people and devices in."
        case r.AccessClosed():
            return "The server lets nobody in any more."
        case r.CodeIssued():
            return f"A code for {_device(event.kind, event.table, event.seat)} was issued."
        case r.DeviceEnrolled():
            return f"{event.device} was enrolled as {_device(event.kind, event.table, event.seat)}."
        case r.EnrolmentFailed():
            return f"An enrolment failed: {_WHY.get(event.why, event.why)}."
        case r.DeviceRevoked():
            return stopped(f"{event.device} was revoked: {event.reason}")
        case r.AttemptsRefused():
            return f"{event.attempts} attempts to get in were not looked at: there were too many."
        case _:
            return _of_person(event)


def _of_person(event: r.OfficeEvent) -> str:
    match event:
        case r.StaffAdded():
            return f"{event.name} was added: {_work(event.position, event.duties)}."
        case r.PositionSet():
            was = _work(event.old_position, event.old_duties)
            return f"{event.name} is now {_work(event.position, event.duties)}; before: {was}."
        case r.PasswordSet():
            kind = "a one-time password" if event.is_one_time else "a new password"
            return f"{event.name} has {kind}."
        case r.PasswordRehashed():
            return f"The password of {event.name} was hashed anew."
        case r.StaffRetired():
            return stopped(f"{event.name} was retired: {event.reason}")
        case r.SignedIn():
            return f"{event.name} signed in ({event.session})."
        case r.SignedOut():
            return f"{event.name} is signed out ({event.session}): {event.why}."
        case r.SessionsEnded():
            return stopped(f"All sessions of {event.name} were ended: {event.reason}")
        case r.Authorised():
            beside = f" beside {event.beside}" if event.beside else ""
            return f"{event.name} authorised {event.what or 'something'}{beside}."
        case r.SignInFailed():
            who, why = event.name or "Somebody", _WHY.get(event.why, event.why)
            return f"{who} could not {_PURPOSES.get(event.purpose, event.purpose)}: {why}."
        case r.LockedOut():
            return f"{event.name} is locked out."
        case r.LockCleared():
            return stopped(f"The lock-out of {event.name} was cleared: {event.reason}")
        case _:
            raise TypeError(f"{type(event).__name__} has no sentence")


def _device(kind: str, table: str | None, seat: str | None) -> str:
    at_table = f" of table {table}" if table is not None else ""
    at_seat = f", seat {seat}" if seat is not None else ""
    return f"a {kind}{at_table}{at_seat}"


def _work(position: str, duties: tuple[str, ...]) -> str:
    return " and ".join([position.replace("-", " "), *duties]) if duties else position.replace("-", " ")
