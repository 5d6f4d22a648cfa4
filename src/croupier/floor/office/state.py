"""The office as its records have it: staff, lock-outs, codes and devices."""

from typing import Final

import msgspec

from croupier.floor.office import records as r

FAILURES_KEPT_MS: Final = 24 * 60 * 60 * 1000
"""How long a failure can count against a name or an address; no policy looks back further."""

FAILURES_KEPT: Final = 1_000
"""How many of them, the latest, are kept for a name or an address; no policy counts further."""

_SWEEP_ABOVE: Final = 1_000
"""From how many names or addresses on the ones with old failures are dropped."""


class ImpossibleRecord(ValueError):
    """A record that cannot stand where it stands: half a sentence."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """A member of the staff."""

    name: str
    position: str
    duties: tuple[str, ...]
    password: str
    """The argon2id hash; it leaves the office only to be compared."""
    password_set_ms: int
    is_one_time: bool
    added_ms: int
    given_by: str
    """Who gave the latest password that the person has not chosen: that one knew it."""
    given_ms: int
    last_sign_in_ms: int | None = None
    retired_ms: int | None = None

    @property
    def is_active(self) -> bool:
        """Whether the person works here still."""
        return self.retired_ms is None


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal, a display, a wheel or a console that is, or was, ours."""

    id: str
    kind: str
    table: str | None
    seat: str | None
    enrolled_ms: int
    enrolled_by: str
    """Who issued the code that it was enrolled with."""
    address: str
    revoked_ms: int | None = None
    revoked_by: str | None = None
    revoked_because: str | None = None

    @property
    def is_active(self) -> bool:
        """Whether the device may come in."""
        return self.revoked_ms is None


class Code(msgspec.Struct, frozen=True, kw_only=True):
    """A code that enrols one device."""

    id: str
    digest: str
    kind: str
    table: str | None
    seat: str | None
    issued_by: str
    expires_ms: int
    used_ms: int | None = None


class OfficeState(msgspec.Struct, kw_only=True):
    """Everything that the office's records add up to; a copy is changed, so that readers see it whole."""

    staff: dict[str, Person] = {}
    failures: dict[str, tuple[int, ...]] = {}
    """By name, when somebody failed to get in since the last success, lock-out or clearing."""
    address_failures: dict[str, tuple[int, ...]] = {}
    locks: dict[str, int] = {}
    """By name, until when nobody gets in under it."""
    codes: dict[str, Code] = {}
    digests: dict[str, str] = {}
    """By the digest of a code, its id."""
    devices: dict[str, Device] = {}
    tokens: dict[str, str] = {}
    """By device, the SHA-256 of its token; only of those that may come in."""

    def copy(self) -> "OfficeState":
        """The same state, to be changed without anybody seeing it."""
        return OfficeState(**{name: dict(getattr(self, name)) for name in self.__struct_fields__})

    def locked_until(self, name: str, now_ms: int) -> int | None:
        """Until when a name is locked out; None where it is not."""
        until_ms = self.locks.get(name, 0)
        return until_ms if until_ms > now_ms else None

    def active_devices(self, table: str | None, kind: str, seat: str | None) -> list[Device]:
        """The devices that may come in, of a kind, at a table and a seat."""
        active = (self.devices[device] for device in self.tokens)
        return [one for one in active if (one.table, one.kind, one.seat) == (table, kind, seat)]


def fold(office: OfficeState, entry: r.OfficeEntry, at_ms: int) -> None:
    """Carries out what an entry says; refuses what cannot have happened."""
    match entry.event:
        case r.StaffAdded() as event:
            _add(office, entry, event, at_ms)
        case r.PositionSet() as event:
            _change(office, event.name, position=event.position, duties=event.duties)
        case r.PasswordSet() as event:
            given = {} if entry.actor == event.name else {"given_by": entry.actor, "given_ms": at_ms}
            _change(
                office,
                event.name,
                password=event.password,
                is_one_time=event.is_one_time,
                password_set_ms=at_ms,
                **given,
            )
        case r.PasswordRehashed() as event:
            _change(office, event.name, password=event.password)
        case r.StaffRetired() as event:
            _change(office, event.name, retired_ms=at_ms)
        case r.SignedIn() as event:
            _get_in(office, event.name, at_ms)
            _change(office, event.name, last_sign_in_ms=at_ms)
        case r.Authorised() as event:
            _get_in(office, event.name, at_ms)
        case r.SignInFailed() as event:
            _fail(office, entry, event, at_ms)
        case r.LockedOut() as event:
            office.locks[event.name] = event.until_ms
            office.failures.pop(event.name, None)
        case r.LockCleared() as event:
            office.locks.pop(event.name, None)
            office.failures.pop(event.name, None)
        case r.EnrolmentFailed():
            _count(office.address_failures, entry.address, at_ms)
        case r.CodeIssued() as event:
            _issue(office, entry, event)
        case r.DeviceEnrolled() as event:
            _enrol(office, entry, event, at_ms)
        case r.DeviceRevoked() as event:
            _revoke(office, entry, event, at_ms)
        case _:
            pass  # the rest is said for whoever reads the record


def _add(office: OfficeState, entry: r.OfficeEntry, event: r.StaffAdded, at_ms: int) -> None:
    if event.name in office.staff:
        raise ImpossibleRecord(f"there is a {event.name} already")
    office.staff[event.name] = Person(
        name=event.name,
        position=event.position,
        duties=event.duties,
        password=event.password,
        password_set_ms=at_ms,
        is_one_time=event.is_one_time,
        added_ms=at_ms,
        given_by=entry.actor,
        given_ms=at_ms,
    )


def _active(office: OfficeState, name: str) -> Person:
    person = office.staff.get(name)
    if person is None or not person.is_active:
        raise ImpossibleRecord(f"nobody named {name} works here")
    return person


def _change(office: OfficeState, name: str, **changes: object) -> None:
    office.staff[name] = msgspec.structs.replace(_active(office, name), **changes)


def _get_in(office: OfficeState, name: str, at_ms: int) -> None:
    if _active(office, name).is_one_time:
        raise ImpossibleRecord(f"{name} has to change a one-time password first")
    if office.locked_until(name, at_ms) is not None:
        raise ImpossibleRecord(f"{name} is locked out")
    office.failures.pop(name, None)


COUNTED: Final = frozenset({"unknown-name", "wrong-password", "retired"})
"""Failures that count towards a lock-out: those in which somebody may have been guessing."""


def _fail(office: OfficeState, entry: r.OfficeEntry, event: r.SignInFailed, at_ms: int) -> None:
    if event.why in COUNTED:
        if event.name:
            _count(office.failures, event.name, at_ms)
        _count(office.address_failures, entry.address, at_ms)
    elif event.why == "locked-out":
        _count(office.address_failures, entry.address, at_ms)


def _count(failures: dict[str, tuple[int, ...]], key: str, at_ms: int) -> None:
    oldest = at_ms - FAILURES_KEPT_MS
    kept = failures.get(key, ())[1 - FAILURES_KEPT :]
    failures[key] = (*(time for time in kept if time > oldest), at_ms)
    if len(failures) > _SWEEP_ABOVE:
        for other in [other for other, times in failures.items() if times[-1] <= oldest]:
            del failures[other]


def _issue(office: OfficeState, entry: r.OfficeEntry, event: r.CodeIssued) -> None:
    if event.code in office.codes or event.digest in office.digests:
        raise ImpossibleRecord("the code was issued before")
    office.digests[event.digest] = event.code
    office.codes[event.code] = Code(
        id=event.code,
        digest=event.digest,
        kind=event.kind,
        table=event.table,
        seat=event.seat,
        issued_by=entry.actor,
        expires_ms=event.expires_ms,
    )


def _enrol(office: OfficeState, entry: r.OfficeEntry, event: r.DeviceEnrolled, at_ms: int) -> None:
    code = office.codes.get(event.code)
    if code is None or code.used_ms is not None or code.expires_ms <= at_ms:
        raise ImpossibleRecord("no code was open that enrols this device")
    if (code.kind, code.table, code.seat) != (event.kind, event.table, event.seat):
        raise ImpossibleRecord("the code enrols another kind of device, or one for another place")
    if event.device in office.devices:
        raise ImpossibleRecord(f"there is a device {event.device} already")
    office.codes[code.id] = msgspec.structs.replace(code, used_ms=at_ms)
    office.tokens[event.device] = event.token_sha256
    office.devices[event.device] = Device(
        id=event.device,
        kind=event.kind,
        table=event.table,
        seat=event.seat,
        enrolled_ms=at_ms,
        enrolled_by=code.issued_by,
        address=entry.address,
    )


def _revoke(office: OfficeState, entry: r.OfficeEntry, event: r.DeviceRevoked, at_ms: int) -> None:
    device = office.devices.get(event.device)
    if device is None or not device.is_active:
        raise ImpossibleRecord(f"there is no device {event.device} that may come in")
    office.devices[device.id] = msgspec.structs.replace(
        device, revoked_ms=at_ms, revoked_by=entry.actor, revoked_because=event.reason
    )
    del office.tokens[device.id]
