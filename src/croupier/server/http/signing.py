"""Signing in and out, and one's own password."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from croupier.protocol.asking import LONGEST_PASSWORD
from croupier.server.access import Refusal, Session
from croupier.server.http.authority import RIGHTS
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse_access

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_PASSWORD)]
Password = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_PASSWORD)]


class SignIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name and a password; a password that was given for the first sign-in only with a new one."""

    name: Name
    password: Password
    new_password: Password | None = None


class SignedIn(msgspec.Struct, frozen=True, kw_only=True):
    """A session; the token is given out once."""

    token: str
    session: str
    name: str
    position: str
    duties: tuple[str, ...]
    expires_ms: int
    zone: str
    """The time zone of the house: its screens show times by the same clocks as its tickets."""


class ChangePassword(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The old password and the new one."""

    name: Name
    password: Password
    new_password: Password


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who a token belongs to, and what it is good for."""

    kind: str
    """`staff`, or the kind of the device."""
    id: str
    """The person's name or the device's id."""
    position: str | None
    duties: tuple[str, ...]
    table: str | None
    seat: str | None
    expires_ms: int | None
    may: tuple[str, ...]
    """The operations of this API that the caller may use."""


@post("/api/sign-in", name="sign-in", summary="Sign in", tags=["Staff"], status_code=200)
async def sign_in(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[SignIn]
) -> SignedIn:
    """Begins a session; every attempt is recorded, and after repeated failures the name is locked out."""
    floor = house.floor
    admitted = await floor.access.sign_in(data.name, data.password, caller.address, data.new_password)
    if isinstance(admitted, Refusal):
        floor.metrics.signed_in(admitted.code)
        raise refuse_access(admitted)
    floor.metrics.signed_in("done")
    return _signed_in(admitted.session, admitted.token.reveal(), house.zone)


@post("/api/sign-out", name="sign-out", summary="Sign out", tags=["Staff"], status_code=204)
async def sign_out(house: NamedDependency[House], caller: NamedDependency[Caller]) -> None:
    """Ends the session of the token; connections that use it are closed."""
    refusal = await house.floor.access.sign_out(caller.token)
    if refusal is not None:
        raise refuse_access(refusal)


@get("/api/session", name="session", summary="Who the token belongs to", tags=["Staff"], sync_to_thread=False)
def read_session(caller: NamedDependency[Caller]) -> Me:
    """The person or the device behind the token, and which operations it may use."""
    may = tuple(sorted(name for name, right in RIGHTS.items() if right.has(caller)))
    if caller.device is not None:
        device = caller.device
        return Me(
            kind=device.kind,
            id=device.id,
            position=None,
            duties=(),
            table=device.table,
            seat=device.seat,
            expires_ms=None,
            may=may,
        )
    person = caller.person
    return Me(
        kind="staff",
        id=person.name,
        position=person.position,
        duties=person.duties,
        table=None,
        seat=None,
        expires_ms=person.expires_ms,
        may=may,
    )


@post("/api/password", name="password", summary="Change one's password", tags=["Staff"], status_code=204)
async def change_password(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[ChangePassword]
) -> None:
    """Changes one's own password; that ends all sessions of the person."""
    refusal = await house.floor.access.change_password(
        data.name, data.password, data.new_password, caller.address
    )
    if refusal is not None:
        raise refuse_access(refusal)


HANDLERS: Sequence[HTTPRouteHandler] = (sign_in, sign_out, read_session, change_password)


def _signed_in(session: Session, token: str, zone: str) -> SignedIn:
    return SignedIn(
        token=token,
        session=session.id,
        name=session.name,
        position=session.position,
        duties=session.duties,
        expires_ms=session.expires_ms,
        zone=zone,
    )
