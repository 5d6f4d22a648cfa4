"""Who a connection is, and what it may see and do."""

from collections.abc import Container
from typing import Final

import msgspec

from croupier.floor.office.state import Device
from croupier.protocol.asking import Hello
from croupier.server.access import Access, Refusal, Session
from croupier.table import WHEEL, Actor
from croupier.table.actors import holds

AUDIENCES: Final = ("seat", "display", "console", "pit", "wheel")
_DEVICES: Final = {"terminal": "seat", "display": "display", "wheel": "wheel"}
"""What each kind of device is for."""

_UNKNOWN_DEVICE: Final = "This device is not known here, or not any more: enrol it with a code."
_UNKNOWN_SESSION: Final = (
    "You are signed out, because the server was started again or your session has ended: sign in."
)


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Why somebody does not get in."""

    code: str
    sentence: str
    again_seconds: int | None = None


class Admitted(msgspec.Struct, frozen=True, kw_only=True):
    """A connection that may listen, and perhaps give commands."""

    audience: str
    actor: Actor
    sender: str
    """Under which id its commands are numbered."""
    table: str | None
    seat: str | None
    commands: bool
    token: str
    is_device: bool = False


class Admission:
    """Judges hellos by the tokens that the office gave."""

    def __init__(self, access: Access, tables: Container[str]) -> None:
        self._access = access
        self._tables = tables

    def admit(self, hello: Hello, address: str) -> Admitted | Refused:
        """Whether a connection may be what it says."""
        if hello.audience not in AUDIENCES:
            return Refused(code="unknown-audience", sentence=f"An audience is one of {', '.join(AUDIENCES)}.")
        device = self._access.device(hello.token)
        if device is not None:
            return self._device(hello, device)
        # A screen that is left alone connects again by itself as well; it is used by commands.
        session = self._access.session(hello.token, is_use=False)
        if session is not None:
            return self._person(hello, session)
        return Refused(
            code="unknown-token", sentence=_UNKNOWN_SESSION if _is_staff(hello) else _UNKNOWN_DEVICE
        )

    def is_in_use(self, admitted: Admitted) -> bool:
        """Whether a person's session is still good; its use keeps it so. Revoked devices are cut off."""
        return admitted.audience in ("seat", "wheel") or self._access.session(admitted.token) is not None

    async def authorise(
        self, name: str, password: str, address: str, beside: str, what: str
    ) -> Actor | Refused:
        """Who a second person at a console is."""
        person = await self._access.authorise(name, password, address, beside=beside, what=what)
        return _refused(person) if isinstance(person, Refusal) else person

    def _device(self, hello: Hello, device: Device) -> Admitted | Refused:
        audience = _DEVICES.get(device.kind)
        if audience != hello.audience:
            sentence = f"A {device.kind} is not a {hello.audience}."
            return Refused(code="wrong-audience", sentence=sentence)
        if hello.table not in (None, device.table):
            return Refused(code="not-your-table", sentence=f"This device belongs to table {device.table}.")
        if device.table is None or device.table not in self._tables:
            sentence = f"Table {device.table} does not run here now."
            return Refused(code="table-not-running", sentence=sentence, again_seconds=5)
        position = {"seat": "player", "wheel": WHEEL}.get(audience, "player")
        seat = device.seat if audience == "seat" else None
        return Admitted(
            audience=audience,
            actor=Actor(id=device.id, position=position, seat=seat),
            sender=device.id,
            table=device.table,
            seat=seat,
            commands=audience != "display",
            token=hello.token,
            is_device=True,
        )

    def _person(self, hello: Hello, session: Session) -> Admitted | Refused:
        actor = session.actor
        if hello.audience in ("seat", "wheel"):
            sentence = f"A {hello.audience} is a device; enrol it."
            return Refused(code="wrong-audience", sentence=sentence)
        lowest = "pit-supervisor" if hello.audience == "pit" else "dealer"
        if not holds(actor, lowest):
            return Refused(code="not-allowed", sentence=f"This takes a {lowest.replace('-', ' ')}.")
        if hello.audience == "pit":
            return Admitted(
                audience="pit",
                actor=actor,
                sender=session.id,
                table=None,
                seat=None,
                commands=False,
                token=hello.token,
            )
        if hello.table is None or hello.table not in self._tables:
            unknown = "Name a table." if hello.table is None else f"There is no table {hello.table}."
            return Refused(code="unknown-table", sentence=unknown)
        return Admitted(
            audience=hello.audience,
            actor=actor,
            sender=session.id,
            table=hello.table,
            seat=None,
            commands=hello.audience == "console",
            token=hello.token,
        )


def _is_staff(hello: Hello) -> bool:
    """Whether a person sends this; a display names its table only where a person chose it."""
    return hello.audience in ("console", "pit") or (hello.audience == "display" and hello.table is not None)


def _refused(refusal: Refusal) -> Refused:
    return Refused(code=refusal.code, sentence=refusal.sentence)
