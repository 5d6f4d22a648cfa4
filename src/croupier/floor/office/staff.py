"""Staff: added, given another position or a new password, retired; each decided on the latest records."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from croupier.floor.office import records as r
from croupier.floor.office.state import OfficeState, Person
from croupier.rulebook import BadInput
from croupier.rulebook.vocabulary import POSITIONS

NO_POSITION: Final = "none"
"""For those who work here and have nothing to do at the tables."""

STAFF_POSITIONS: Final = (NO_POSITION, *POSITIONS)
"""Every position but the player's, from the lowest to the highest."""

CAGE_DUTY, OPERATOR, AUDITOR = "cage", "operator", "auditor"
DUTIES: Final = (CAGE_DUTY, OPERATOR, AUDITOR)
"""What a person does beside a position: pays vouchers, runs the system, reads everything."""

NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*")
LONGEST_NAME: Final = 40

Decision = Callable[[OfficeState, int], Sequence[r.OfficeEvent]]
"""What to write down, given the latest state and the time."""


def is_name(text: str) -> bool:
    """Whether a text is written like a name of the staff.

    >>> is_name("tan.wei-ling"), is_name("Tan Wei Ling")
    (True, False)
    """
    return len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None


def add(name: str, position: str, duties: Iterable[str], password: str, *, is_one_time: bool) -> Decision:
    """Somebody begins to work here."""
    if not is_name(name):
        raise BadInput(
            "name-malformed",
            f"{name[:LONGEST_NAME]!r} is not a name for the staff.",
            f"Write up to {LONGEST_NAME} small letters and digits, with single dots or hyphens between, "
            "for example tan.weiling.",
        )
    known = _known_position(position), _known_duties(duties)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        if (there := office.staff.get(name)) is not None:
            what = "works here" if there.is_active else "worked here once"
            raise BadInput("name-taken", f"Somebody named {name} {what}.", "Every person has a name alone.")
        return [
            r.StaffAdded(
                name=name, position=known[0], duties=known[1], password=password, is_one_time=is_one_time
            )
        ]

    return decide


def set_position(name: str, position: str | None, duties: Iterable[str] | None) -> Decision:
    """Gives somebody another position or other duties; None leaves what is."""
    given = None if position is None else _known_position(position)
    duties_given = None if duties is None else _known_duties(duties)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        person = active_person(office, name)
        new = given or person.position, person.duties if duties_given is None else duties_given
        if new == (person.position, person.duties):
            raise BadInput("nothing-new", f"{name} has this position and these duties already.")
        return [
            r.PositionSet(
                name=name,
                position=new[0],
                duties=new[1],
                old_position=person.position,
                old_duties=person.duties,
            )
        ]

    return decide


def set_password(name: str, password: str, *, is_one_time: bool) -> Decision:
    """Gives somebody a new password; a lock-out stays what it is."""

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        active_person(office, name)
        return [r.PasswordSet(name=name, password=password, is_one_time=is_one_time)]

    return decide


def retire(name: str, reason: str) -> Decision:
    """Somebody does not work here any more."""
    _stated(reason)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        active_person(office, name)
        return [r.StaffRetired(name=name, reason=reason)]

    return decide


def unlock(name: str, reason: str) -> Decision:
    """Ends a lock-out before its time."""
    _stated(reason)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        if office.locked_until(name, now_ms) is None:
            raise BadInput("not-locked", f"{name} is not locked out.")
        return [r.LockCleared(name=name, reason=reason)]

    return decide


def end_sessions(name: str, reason: str) -> Decision:
    """Ends all sessions of a person, wherever they are."""
    _stated(reason)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        active_person(office, name)
        return [r.SessionsEnded(name=name, reason=reason)]

    return decide


def active_person(office: OfficeState, name: str) -> Person:
    """A person who works here."""
    person = office.staff.get(name)
    if person is None or not person.is_active:
        what = "does not work here any more" if person else "is not on the staff"
        raise BadInput("unknown-person", f"{name!r} {what}.", "'croupier admin staff list' names everybody.")
    return person


def _known_position(position: str) -> str:
    if position not in STAFF_POSITIONS:
        raise BadInput(
            "unknown-position",
            f"{position!r} is not a position of the staff.",
            f"Use one of {', '.join(STAFF_POSITIONS)}.",
        )
    return position


def _known_duties(duties: Iterable[str]) -> tuple[str, ...]:
    given = set(duties)
    for duty in sorted(given - set(DUTIES)):
        raise BadInput("unknown-duty", f"{duty!r} is not a duty.", f"Use one of {', '.join(DUTIES)}.")
    return tuple(duty for duty in DUTIES if duty in given)


def _stated(reason: str) -> None:
    if not reason.strip():
        raise BadInput("no-reason", "State the reason; it stays in the record.")
