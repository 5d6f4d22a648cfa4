"""Devices: codes for them, their enrolment, and their end."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody

from croupier.server.access import Device, Refusal
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse_access

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ReasonText = Annotated[str, msgspec.Meta(min_length=1, max_length=500)]


class AskForCode(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which device is to be enrolled: a terminal at a seat; a display, a wheel or a console at a table."""

    kind: Id
    table: Id | None = None
    seat: Id | None = None


class CodeForDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A code to be typed at the device, once; it is shown here and nowhere again."""

    code: str
    kind: str
    table: str | None
    seat: str | None
    layout: str | None
    """The seat's, of a terminal whose seat is in use."""
    expires_ms: int


class Enrol(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A code as it was typed."""

    code: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class EnrolledDevice(msgspec.Struct, frozen=True, kw_only=True):
    """A device of ours; the token is given out once."""

    token: str
    device: str
    kind: str
    table: str | None
    seat: str | None
    layout: str | None
    """The seat's, of a terminal whose seat is in use."""
    replaced: tuple[str, ...]
    """The devices whose place it takes; they are revoked."""


class Reason(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why; it stays in the record."""

    reason: ReasonText


def layout_at(house: House, table: str | None, seat: str | None) -> str | None:
    """The layout that the bets of a terminal at a seat are of; None where no such seat is in use."""
    live = house.floor.tables.get(table or "")
    found = None if live is None else live.runner.state.seats.get(seat or "")
    return found.layout if found is not None and found.in_use else None


@post(
    "/api/devices/code", name="device-code", summary="A code for a device", tags=["Devices"], status_code=200
)
async def issue_code(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[AskForCode]
) -> CodeForDevice:
    """A code that enrols one device within a quarter of an hour."""
    issued = await house.floor.access.issue_code(
        caller.actor, data.kind, data.table, data.seat, caller.address
    )
    if isinstance(issued, Refusal):
        raise refuse_access(issued)
    return CodeForDevice(
        code=issued.code.reveal(),
        kind=issued.kind,
        table=issued.table,
        seat=issued.seat,
        layout=layout_at(house, issued.table, issued.seat),
        expires_ms=issued.expires_ms,
    )


@post("/api/devices/enrol", name="enrol", summary="Enrol a device", tags=["Devices"], status_code=200)
async def enrol(
    house: NamedDependency[House], caller: NamedDependency[Caller], data: JSONBody[Enrol]
) -> EnrolledDevice:
    """Turns a code into a device with a token; the device that had its place is revoked."""
    enrolled = await house.floor.access.enrol(data.code, caller.address)
    if isinstance(enrolled, Refusal):
        raise refuse_access(enrolled)
    device = enrolled.device
    return EnrolledDevice(
        token=enrolled.token.reveal(),
        device=device.id,
        kind=device.kind,
        table=device.table,
        seat=device.seat,
        layout=layout_at(house, device.table, device.seat),
        replaced=enrolled.replaced,
    )


@get("/api/devices", name="devices", summary="The devices", tags=["Devices"], sync_to_thread=False)
def list_devices(house: NamedDependency[House]) -> list[Device]:
    """Every device that is ours or was, by table and seat."""
    return house.floor.access.devices()


@post(
    "/api/devices/{device:str}/revoke",
    name="device-revoke",
    summary="Revoke a device",
    tags=["Devices"],
    status_code=204,
)
async def revoke(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    device: FromPath[str],
    data: JSONBody[Reason],
) -> None:
    """A device is not let in any more; its connections are closed at once."""
    refusal = await house.floor.access.revoke(caller.actor, device, data.reason, caller.address)
    if refusal is not None:
        raise refuse_access(refusal)


HANDLERS: Sequence[HTTPRouteHandler] = (issue_code, enrol, list_devices, revoke)
