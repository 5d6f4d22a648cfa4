"""The staff: who works here with which privileges; added, changed, given a new password, retired, unlocked.

Nobody changes what they may do themselves, nobody but an operator gives a position above their own, and only
an operator makes operators and auditors.
"""

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec
from litestar import get, patch, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from croupier.floor.office import staff as office_staff
from croupier.floor.office.office import Who
from croupier.floor.office.records import OfficeEvent
from croupier.floor.office.staff import AUDITOR, DUTIES, OPERATOR, STAFF_POSITIONS
from croupier.floor.office.state import OfficeState, Person
from croupier.server.access import StaffRow
from croupier.server.access.passwords import new_password
from croupier.server.http.callers import Caller
from croupier.server.http.devices import Id, Reason
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse, refuse_access

Duties = Annotated[tuple[str, ...], msgspec.Meta(max_length=len(DUTIES))]


class Users(msgspec.Struct, frozen=True, kw_only=True):
    """The report of users and privileges."""

    at_ms: int
    staff: tuple[StaffRow, ...]


class AddStaff(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who begins to work here."""

    name: Id
    position: Id
    duties: Duties = ()


class ChangeStaff(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another position or other duties; what is left out stays."""

    position: Id | None = None
    duties: Duties | None = None


class OneTimePassword(msgspec.Struct, frozen=True, kw_only=True):
    """A password for the first sign-in, at which it has to be changed; it is shown here and nowhere again."""

    name: str
    password: str


@get("/api/staff", name="staff", summary="Users and privileges", tags=["Staff"], sync_to_thread=False)
def list_staff(house: NamedDependency[House]) -> Users:
    """Everybody who works here or did: position, duties, last sign-in, lock-out."""
    return Users(at_ms=house.floor.clock.now_ms(), staff=tuple(house.floor.access.staff()))


@post("/api/staff", name="staff-add", summary="Add somebody", tags=["Staff"], status_code=200)
async def add(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[AddStaff]
) -> OneTimePassword:
    """Adds somebody to the staff, with a password for the first sign-in."""
    password = new_password()
    hashed = await house.hasher.hash(password)
    await _write(
        house,
        caller,
        lambda: office_staff.add(data.name, data.position, data.duties, hashed, is_one_time=True),
        lambda office: _check_privileges(caller, data.name, data.position, data.duties),
    )
    return OneTimePassword(name=data.name, password=password)


@patch(
    "/api/staff/{name:str}", name="staff-change", summary="Change privileges", tags=["Staff"], status_code=204
)
async def change(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    name: FromPath[str],
    data: JSONBody[ChangeStaff],
) -> None:
    """Gives somebody another position or other duties; their sessions end."""

    def check(office: OfficeState) -> None:
        before = _check_person(caller, office, name)
        _check_privileges(caller, name, data.position or before.position, data.duties or ())

    await _write(house, caller, lambda: office_staff.set_position(name, data.position, data.duties), check)


@post(
    "/api/staff/{name:str}/password",
    name="staff-password",
    summary="A new password",
    tags=["Staff"],
    status_code=200,
)
async def reset_password(
    house: NamedDependency[House], caller: NamedDependency[Caller], name: FromPath[str]
) -> OneTimePassword:
    """A new password for somebody who has forgotten theirs, to be changed at the next sign-in."""
    password = new_password()
    hashed = await house.hasher.hash(password)
    await _write(
        house,
        caller,
        lambda: office_staff.set_password(name, hashed, is_one_time=True),
        lambda office: _check_person(caller, office, name),
    )
    return OneTimePassword(name=name, password=password)


@post(
    "/api/staff/{name:str}/retire",
    name="staff-retire",
    summary="Retire somebody",
    tags=["Staff"],
    status_code=204,
)
async def retire(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    name: FromPath[str],
    data: JSONBody[Reason],
) -> None:
    """Somebody does not work here any more; the name is never given again."""
    await _write(
        house,
        caller,
        lambda: office_staff.retire(name, data.reason),
        lambda office: _check_person(caller, office, name),
    )


@post(
    "/api/staff/{name:str}/unlock",
    name="staff-unlock",
    summary="End a lock-out",
    tags=["Staff"],
    status_code=204,
)
async def unlock(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    name: FromPath[str],
    data: JSONBody[Reason],
) -> None:
    """Ends a lock-out before its time."""
    refusal = await house.floor.access.unlock(caller.actor, name, data.reason, caller.address)
    if refusal is not None:
        raise refuse_access(refusal)


@post(
    "/api/staff/{name:str}/end-sessions",
    name="staff-end-sessions",
    summary="End somebody's sessions",
    tags=["Staff"],
    status_code=204,
)
async def end_sessions(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    name: FromPath[str],
    data: JSONBody[Reason],
) -> None:
    """Ends all sessions of a person, wherever they are."""
    refusal = await house.floor.access.end_sessions(caller.actor, name, data.reason, caller.address)
    if refusal is not None:
        raise refuse_access(refusal)


HANDLERS: Sequence[HTTPRouteHandler] = (
    list_staff,
    add,
    change,
    reset_password,
    retire,
    unlock,
    end_sessions,
)


def _check_person(caller: Caller, office: OfficeState, name: str) -> Person:
    """Somebody on the staff, whom the caller may change as they are now."""
    person = office.staff.get(name)
    if person is None:
        raise refuse("unknown-person", f"{name[:80]!r} is not on the staff.")
    _check_privileges(caller, name, person.position, person.duties)
    return person


def _check_privileges(caller: Caller, name: str, position: str, duties: Sequence[str]) -> None:
    """Refuses whoever would change themselves, or reach above what they are."""
    person = caller.person
    if name == person.name:
        raise refuse("not-allowed", "Somebody else has to change what you may do.")
    if OPERATOR in person.duties:
        return
    if {OPERATOR, AUDITOR} & {*duties}:
        raise refuse("not-allowed", "Operators and auditors are an operator's business.")
    ranks = {known: rank for rank, known in enumerate(STAFF_POSITIONS)}
    if ranks.get(position, 0) > ranks.get(person.position, 0):
        raise refuse("not-allowed", "This position is above your own.")


def _check_caller(caller: Caller, office: OfficeState) -> None:
    """Refuses whoever is not any more what they signed in as, also where that was written elsewhere."""
    session = caller.person
    person = office.staff.get(session.name)
    is_same = person is not None and (person.position, person.duties) == (session.position, session.duties)
    if person is None or not person.is_active or not is_same:
        raise refuse("not-signed-in", "What you may do has changed; sign in again.")


async def _write(
    house: House,
    caller: Caller,
    make: Callable[[], office_staff.Decision],
    check: Callable[[OfficeState], object],
) -> None:
    """Writes a decision down; `check` refuses by the very records that it is written behind."""

    def checked() -> office_staff.Decision:
        decision = make()

        def decide(office: OfficeState, now_ms: int) -> Sequence[OfficeEvent]:
            _check_caller(caller, office)
            check(office)
            return decision(office, now_ms)

        return decide

    who = Who(caller.person.name, caller.person.position, caller.address)
    await house.run(house.desk.write, who, checked)
    await house.floor.access.tend()  # so that it counts at this server at once
