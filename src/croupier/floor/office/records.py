"""What the office's records say: who came in, who was refused, who works here, and which devices are ours."""

from typing import Final, get_args

import msgspec

from croupier.floor.codec import UnknownRecord, UnreadableRecord
from croupier.journal import Draft, Record

OFFICE: Final = "office"
"""The name of the office's own stream in the journal, beside the cage's and those of the tables."""


class AccessOpened(msgspec.Struct, frozen=True, kw_only=True, tag="access-opened"):
    """A server began to let people and devices in; sessions that it had before are over."""

    version: str


class AccessClosed(msgspec.Struct, frozen=True, kw_only=True, tag="access-closed"):
    """A server stopped to let people and devices in."""


class StaffAdded(msgspec.Struct, frozen=True, kw_only=True, tag="staff-added"):
    """Somebody works here."""

    name: str
    position: str
    duties: tuple[str, ...]
    password: str
    """The argon2id hash, with its parameters and salt."""
    is_one_time: bool
    """Whether the password has to be changed at the first sign-in."""


class PositionSet(msgspec.Struct, frozen=True, kw_only=True, tag="position-set"):
    """Somebody's position or duties are others from now on."""

    name: str
    position: str
    duties: tuple[str, ...]
    old_position: str
    old_duties: tuple[str, ...]


class PasswordSet(msgspec.Struct, frozen=True, kw_only=True, tag="password-set"):
    """Somebody has a new password."""

    name: str
    password: str
    is_one_time: bool


class PasswordRehashed(msgspec.Struct, frozen=True, kw_only=True, tag="password-rehashed"):
    """The same password, hashed with the parameters that hold now."""

    name: str
    password: str


class StaffRetired(msgspec.Struct, frozen=True, kw_only=True, tag="staff-retired"):
    """Somebody does not work here any more; the name is never given again."""

    name: str
    reason: str


class SignedIn(msgspec.Struct, frozen=True, kw_only=True, tag="signed-in"):
    """Somebody proved who they are and has a session."""

    name: str
    session: str


class SignedOut(msgspec.Struct, frozen=True, kw_only=True, tag="signed-out"):
    """A session is over."""

    name: str
    session: str
    why: str
    """One of signed-out, idle, expired, replaced, unclaimed."""


class SessionsEnded(msgspec.Struct, frozen=True, kw_only=True, tag="sessions-ended"):
    """All sessions of a person were ended."""

    name: str
    reason: str


class Authorised(msgspec.Struct, frozen=True, kw_only=True, tag="authorised"):
    """A second person proved who they are, at somebody else's console."""

    name: str
    beside: str
    """Whose session it was."""
    what: str


class SignInFailed(msgspec.Struct, frozen=True, kw_only=True, tag="sign-in-failed"):
    """Somebody did not get in."""

    name: str
    """As it was typed, if it is written like a name; empty otherwise, for it may be a password."""
    why: str
    """One of unknown-name, wrong-password, retired, locked-out, must-change, one-time-over, password-from."""
    purpose: str
    """One of sign-in, authorise, change-password."""


class LockedOut(msgspec.Struct, frozen=True, kw_only=True, tag="locked-out"):
    """After too many failures nobody gets in under this name for a while."""

    name: str
    until_ms: int


class LockCleared(msgspec.Struct, frozen=True, kw_only=True, tag="lock-cleared"):
    """A lock-out was ended before its time."""

    name: str
    reason: str


class AttemptsRefused(msgspec.Struct, frozen=True, kw_only=True, tag="attempts-refused"):
    """Attempts that were not even looked at, because too many came: how many since the last such record."""

    attempts: int


class CodeIssued(msgspec.Struct, frozen=True, kw_only=True, tag="code-issued"):
    """A device may be enrolled with a code, once."""

    code: str
    """Its id; the code itself is shown once and kept nowhere."""
    digest: str
    """The argon2id hash of the code."""
    kind: str
    table: str | None
    seat: str | None
    expires_ms: int


class DeviceEnrolled(msgspec.Struct, frozen=True, kw_only=True, tag="device-enrolled"):
    """A device of ours, bound to its table and seat."""

    device: str
    code: str
    kind: str
    table: str | None
    seat: str | None
    token_sha256: str


class EnrolmentFailed(msgspec.Struct, frozen=True, kw_only=True, tag="enrolment-failed"):
    """Somebody tried a code that does not enrol anything."""

    why: str
    """One of unknown-code, code-used, code-expired."""


class DeviceRevoked(msgspec.Struct, frozen=True, kw_only=True, tag="device-revoked"):
    """A device is not ours any more."""

    device: str
    reason: str


OfficeEvent = (
    AccessOpened
    | AccessClosed
    | StaffAdded
    | PositionSet
    | PasswordSet
    | PasswordRehashed
    | StaffRetired
    | SignedIn
    | SignedOut
    | SessionsEnded
    | Authorised
    | SignInFailed
    | LockedOut
    | LockCleared
    | AttemptsRefused
    | CodeIssued
    | DeviceEnrolled
    | EnrolmentFailed
    | DeviceRevoked
)


class OfficeEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An event with who was behind it, and from where."""

    actor: str
    position: str
    """Empty where nobody has proved who they are."""
    address: str
    """Where on the network it came from; empty where it came from this machine's own command line."""
    event: OfficeEvent


_VERSION: Final = 1
_KINDS: Final = frozenset(str(event.__struct_config__.tag) for event in get_args(OfficeEvent))
_DECODER: Final = msgspec.json.Decoder(OfficeEntry, strict=True)


def office_kind(event: OfficeEvent) -> str:
    """The kind under which an event is recorded."""
    return str(type(event).__struct_config__.tag)


def office_claims(event: OfficeEvent) -> tuple[str, ...]:
    """What an event uses up once and for all, over all processes: a code enrols one device."""
    return (f"enrolment/{event.code}",) if isinstance(event, DeviceEnrolled) else ()


def office_draft(entry: OfficeEntry, at_ms: int, sequence: int) -> Draft:
    """The record that an entry is written as."""
    return Draft(
        at_ms,
        entry.actor,
        OFFICE,
        sequence,
        0,
        office_kind(entry.event),
        _VERSION,
        msgspec.json.encode(entry),
        office_claims(entry.event),
    )


def office_entry_of(record: Record) -> OfficeEntry:
    """What a record of the office holds."""
    if record.version != _VERSION or record.kind not in _KINDS:
        raise UnknownRecord(f"the office writes no {record.kind} of version {record.version}")
    try:
        entry = _DECODER.decode(record.payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UnreadableRecord(f"its payload is not a {record.kind}: {error}") from error
    if office_kind(entry.event) != record.kind:
        raise UnreadableRecord(f"its payload is a {office_kind(entry.event)}, not a {record.kind}")
    return entry
