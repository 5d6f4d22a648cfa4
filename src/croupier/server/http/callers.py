"""Who asks: nobody in particular, a device of ours, or somebody who is signed in."""

from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection

from croupier.server.access import Device, Session
from croupier.server.addresses import in_one_form
from croupier.server.floor import Floor
from croupier.server.http.refusing import refuse
from croupier.table import Actor

KEY: Final = "croupier.caller"
"""Where a request remembers its caller."""

UNATTENDED: Final = "Croupier-Unattended"
"""The header with which a screen says that it asks by itself: nobody has touched it since it asked last."""

_SCHEME: Final = "bearer "


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """Whoever is behind a request."""

    address: str
    token: str = ""
    device: Device | None = None
    session: Session | None = None

    @property
    def is_known(self) -> bool:
        """Whether a token says who it is."""
        return self.device is not None or self.session is not None

    @property
    def actor(self) -> Actor:
        """The person who is signed in."""
        return self.person.actor

    @property
    def person(self) -> Session:
        """The session of the person who is signed in."""
        if self.session is None:
            raise refuse("not-allowed", "This takes somebody who is signed in.")
        return self.session

    @property
    def terminal(self) -> Device:
        """The terminal at a seat that asks."""
        if self.device is None or self.device.seat is None:
            raise refuse("not-allowed", "This takes the terminal of a seat.")
        return self.device


async def find_caller(connection: ASGIConnection[Any, Any, Any, Any], floor: Floor) -> Caller:
    """The caller by the token in the header `Authorization`; cookies are never looked at."""
    address = in_one_form(connection.client.host) if connection.client is not None else "unknown"
    header = connection.headers.get("authorization", "")
    if not header.lower().startswith(_SCHEME):
        return Caller(address=address)
    token = header[len(_SCHEME) :].strip()
    is_use = UNATTENDED not in connection.headers
    caller = _known(address, token, floor, is_use)
    if not caller.is_known:
        await floor.access.refresh()  # a device may have been enrolled at another server, a moment ago
        caller = _known(address, token, floor, is_use)
    return caller


def _known(address: str, token: str, floor: Floor, is_use: bool) -> Caller:
    device = floor.access.device(token)
    session = None if device is not None else floor.access.session(token, is_use=is_use)
    return Caller(address=address, token=token, device=device, session=session)
