"""Devices: enrolled with a code that works once, bound to a table and a seat, revoked at once."""

from collections.abc import Sequence
from typing import Final

from croupier.floor.office import records as r
from croupier.floor.office.staff import Decision
from croupier.floor.office.state import OfficeState
from croupier.rulebook import BadInput

TERMINAL, DISPLAY, WHEEL_DEVICE, CONSOLE = "terminal", "display", "wheel", "console"
KINDS_OF_DEVICES: Final = (TERMINAL, DISPLAY, WHEEL_DEVICE, CONSOLE)

CODE_MINUTES: Final = 15
_LONGEST_SEAT: Final = 40


def check_place(kind: str, table: str | None, seat: str | None) -> None:
    """Refuses a device that cannot stand where it is said to."""
    if kind not in KINDS_OF_DEVICES:
        raise BadInput(
            "unknown-device-kind",
            f"{kind!r} is not a kind of device.",
            f"Use one of {', '.join(KINDS_OF_DEVICES)}.",
        )
    if table is None and kind != CONSOLE:
        raise BadInput("no-table", f"A {kind} belongs to a table.", "Name the table.")
    if (seat is not None) != (kind == TERMINAL):
        right = "Name the seat." if kind == TERMINAL else "Leave the seat out."
        raise BadInput("seat-of-device", "Terminals belong to a seat, and other devices do not.", right)
    if seat is not None and not (seat.isprintable() and 0 < len(seat) <= _LONGEST_SEAT):
        raise BadInput("seat-malformed", f"A seat's id is up to {_LONGEST_SEAT} characters that print.")


def issue_code(
    code: str, digest: str, kind: str, table: str | None, seat: str | None, valid_minutes: int
) -> Decision:
    """A code for one device; its digest finds it again."""
    check_place(kind, table, seat)

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        expires_ms = now_ms + valid_minutes * 60_000
        return [
            r.CodeIssued(code=code, digest=digest, kind=kind, table=table, seat=seat, expires_ms=expires_ms)
        ]

    return decide


def enrol(digest: str, device: str, token_sha256: str) -> Decision:
    """Turns a code into a device; what stood in its place before is revoked in the same breath."""

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        code = office.codes.get(office.digests.get(digest, ""))
        if code is None:
            return [r.EnrolmentFailed(why="unknown-code")]
        if code.used_ms is not None:
            return [r.EnrolmentFailed(why="code-used")]
        if code.expires_ms <= now_ms:
            return [r.EnrolmentFailed(why="code-expired")]
        replaced = (
            office.active_devices(code.table, code.kind, code.seat)
            if code.kind in (TERMINAL, WHEEL_DEVICE)
            else []
        )
        return [
            *(r.DeviceRevoked(device=old.id, reason=f"replaced by {device}") for old in replaced),
            r.DeviceEnrolled(
                device=device,
                code=code.id,
                kind=code.kind,
                table=code.table,
                seat=code.seat,
                token_sha256=token_sha256,
            ),
        ]

    return decide


def revoke(device: str, reason: str) -> Decision:
    """A device is not let in any more."""
    if not reason.strip():
        raise BadInput("no-reason", "State the reason; it stays in the record.")

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        known = office.devices.get(device)
        if known is None:
            raise BadInput(
                "unknown-device",
                f"There is no device {device!r}.",
                "'croupier admin devices list' names them all.",
            )
        if not known.is_active:
            raise BadInput("device-revoked", f"The device {device} was revoked before.")
        return [r.DeviceRevoked(device=device, reason=reason)]

    return decide
