"""Who may ask for what: one table for all of HTTP, and the guard that goes by it."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.handlers.base import BaseRouteHandler

from croupier.floor.office.staff import AUDITOR, CAGE_DUTY, OPERATOR
from croupier.server.http.callers import KEY, Caller, find_caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse, refuse_closing
from croupier.table.actors import holds

DEALER, SUPERVISOR, MANAGER, SHIFT_MANAGER = "dealer", "pit-supervisor", "pit-manager", "shift-manager"
TERMINAL: Final = "terminal"


class Right(msgspec.Struct, frozen=True, kw_only=True):
    """Who has it: everybody, any member of the staff, or those of a position, a duty or a kind of device."""

    everybody: bool = False
    staff: bool = False
    devices: tuple[str, ...] = ()
    position: str | None = None
    """From this position upwards."""
    duties: tuple[str, ...] = ()

    def has(self, caller: Caller) -> bool:
        """Whether a caller may."""
        if self.everybody:
            return True
        if caller.device is not None:
            return caller.device.kind in self.devices
        session = caller.session
        if session is None:
            return False
        is_high_enough = self.position is not None and holds(session.actor, self.position)
        return self.staff or is_high_enough or any(duty in session.duties for duty in self.duties)

    @property
    def words(self) -> str:
        """Who may, in words."""
        if self.everybody:
            return "everybody"
        who = [f"a {' or a '.join(self.devices)}"] if self.devices else []
        if self.staff:
            who.append("any member of the staff")
        if self.position is not None:
            upwards = "" if self.position == SHIFT_MANAGER else " or somebody higher"
            who.append(f"a {self.position.replace('-', ' ')}{upwards}")
        if self.duties:
            who.append(f"somebody with the duty {' or '.join(self.duties)}")
        return ", or ".join(who) or "nobody"


EVERYBODY: Final = Right(everybody=True)
NOBODY: Final = Right()
"""What a handler has that was forgotten in the table."""
ANY_STAFF: Final = Right(staff=True)

RIGHTS: Final[Mapping[str, Right]] = {
    "health": EVERYBODY,
    "ready": EVERYBODY,
    "version": EVERYBODY,
    "metrics": ANY_STAFF,
    "openapi": EVERYBODY,
    "asyncapi": EVERYBODY,
    "reference": EVERYBODY,
    "reference-live": EVERYBODY,
    "style": EVERYBODY,
    "page": EVERYBODY,
    "asset": EVERYBODY,
    "icon": EVERYBODY,
    "demonstration": EVERYBODY,
    "demonstration-seat": EVERYBODY,
    "books": EVERYBODY,
    "book": EVERYBODY,
    "book-view": EVERYBODY,
    "tables": EVERYBODY,
    "table": EVERYBODY,
    "statistics": EVERYBODY,
    "sign-in": EVERYBODY,
    "password": EVERYBODY,
    "sign-out": ANY_STAFF,
    "session": Right(staff=True, devices=("terminal", "display", "wheel", "console")),
    "enrol": EVERYBODY,
    "device-code": Right(position=SUPERVISOR),
    "devices": Right(position=SUPERVISOR, duties=(OPERATOR, AUDITOR)),
    "device-revoke": Right(position=SUPERVISOR),
    "staff": Right(position=MANAGER, duties=(OPERATOR, AUDITOR)),
    "staff-add": Right(position=SHIFT_MANAGER, duties=(OPERATOR,)),
    "staff-change": Right(position=SHIFT_MANAGER, duties=(OPERATOR,)),
    "staff-password": Right(position=SHIFT_MANAGER, duties=(OPERATOR,)),
    "staff-retire": Right(position=SHIFT_MANAGER, duties=(OPERATOR,)),
    "staff-unlock": Right(position=SUPERVISOR),
    "staff-end-sessions": Right(position=SUPERVISOR),
    "vouchers": Right(position=SUPERVISOR, duties=(CAGE_DUTY, AUDITOR)),
    "seat-vouchers": Right(position=SUPERVISOR, duties=(CAGE_DUTY, AUDITOR)),
    "cage-report": Right(position=SHIFT_MANAGER, duties=(CAGE_DUTY, AUDITOR)),
    "cage-report-file": Right(position=SHIFT_MANAGER, duties=(CAGE_DUTY, AUDITOR)),
    "voucher": Right(duties=(CAGE_DUTY,)),
    "voucher-pay": Right(duties=(CAGE_DUTY,)),
    "voucher-void": Right(position=SUPERVISOR),
    "voucher-reinstate": Right(position=SHIFT_MANAGER),
    "ticket": Right(devices=(TERMINAL,), duties=(CAGE_DUTY,)),
    "ticket-page": Right(devices=(TERMINAL,), duties=(CAGE_DUTY,)),
    "rounds": Right(devices=(TERMINAL,), position=DEALER, duties=(AUDITOR,)),
    "round": Right(devices=(TERMINAL,), position=DEALER, duties=(AUDITOR,)),
    "correction": Right(position=DEALER),
    "foreseen": Right(position=DEALER),
    "seat-history": Right(devices=(TERMINAL,)),
    "meters": Right(position=SUPERVISOR, duties=(AUDITOR,)),
    "reports": Right(position=SUPERVISOR, duties=(OPERATOR, AUDITOR)),
    "report-file": Right(position=SUPERVISOR, duties=(OPERATOR, AUDITOR)),
    "software-check": Right(position=SHIFT_MANAGER, duties=(OPERATOR, AUDITOR)),
    "lab-systems": ANY_STAFF,
    "lab-slip": ANY_STAFF,
    "lab-session": ANY_STAFF,
    "wheels": Right(position=SUPERVISOR, duties=(OPERATOR, AUDITOR)),
    "events": Right(position=SUPERVISOR, duties=(OPERATOR, AUDITOR)),
    "export": Right(position=MANAGER, duties=(AUDITOR,)),
    "records": Right(position=SHIFT_MANAGER, duties=(AUDITOR,)),
    "bundle": Right(position=SHIFT_MANAGER, duties=(AUDITOR,)),
}
"""By operation, who may. Records and bundles hold whole numbers of vouchers, hence fewer people may."""

LOOPBACK_TOO: Final = frozenset({"metrics"})
"""What the machine itself may ask for without a token."""

WHILE_CLOSING: Final = frozenset({"health", "ready", "page", "asset", "icon"})
"""What is answered to the end: to whoever watches over the server, and to screens, which then wait."""

DEMONSTRATION_TOO: Final = frozenset({"lab-systems", "lab-slip", "lab-session"})
"""What everybody may ask for at a demonstration floor: it shows nobody's money and keeps a processor busy."""

_ONLY_READ: Final = frozenset({"GET", "OPTIONS"})
"""Methods that change nothing; HEAD is answered as GET."""

_LOOPBACK: Final = frozenset({"127.0.0.1", "::1"})
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip")


async def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Lets a request through to its handler, or refuses it."""
    house: House = connection.app.state.house
    if not house.floor.takes_connections:
        if str(handler.name) in WHILE_CLOSING:
            return
        raise refuse_closing()  # before the office is asked who it is: that is closed as well
    _refuse_other_sites(connection, house)
    caller = await find_caller(connection, house.floor)
    connection.scope["state"][KEY] = caller
    if connection.scope.get("method") == "OPTIONS":
        return  # which methods an address takes is no secret
    name = str(handler.name)
    right = RIGHTS.get(name, NOBODY)
    if right.has(caller) or (name in LOOPBACK_TOO and _is_this_machine(connection, caller)):
        return
    if name in DEMONSTRATION_TOO and house.floor.demonstration:
        return
    if not caller.is_known:
        if not house.floor.takes_connections:
            raise refuse_closing()  # all sessions end with the server, in the middle of this request too
        raise refuse("not-signed-in", "Send a valid token: sign in, or enrol the device.")
    raise refuse("not-allowed", f"This takes {right.words}.", operation=name)


def _refuse_other_sites(connection: ASGIConnection[Any, Any, Any, Any], house: House) -> None:
    """Refuses what a page of another site has the browser of somebody here send.

    It would hear no answer, but attempts to sign in count, and lock out the name and the address.
    """
    if connection.scope.get("method") in _ONLY_READ:
        return
    host = connection.headers.get("host")
    if not all(house.floor.is_own_origin(origin, host) for origin in connection.headers.getall("origin", [])):
        raise refuse("other-site", "Pages of other sites may not ask for this.")


def _is_this_machine(connection: ASGIConnection[Any, Any, Any, Any], caller: Caller) -> bool:
    """Whether the request was made on this machine; what a proxy here passes on was not."""
    return caller.address in _LOOPBACK and not any(name in connection.headers for name in _FORWARDED)
