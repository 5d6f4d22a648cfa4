"""Between a table's entries and the journal's records; payloads are versioned."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple, get_args

import msgspec

from croupier.journal import Draft, Record, StoreError
from croupier.table import Entry, claims
from croupier.table.events import CLAIMING, Event

VERSIONS: Final[Mapping[str, int]] = {}
"""The version in which each kind of event is written now; 1 if it is not listed."""

UPCASTERS: Final[Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""By kind and version, how a payload becomes one of the next version. Formats begin at version 1."""

_ENCODER: Final = msgspec.json.Encoder()
decode_entry: Final = msgspec.json.Decoder(Entry).decode
_NAMES: Final[Mapping[type, str]] = {event: str(event.__struct_config__.tag) for event in get_args(Event)}
UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, LookupError, TypeError)
KINDS: Final = frozenset(_NAMES.values())
"""All kinds of events that a table records."""

_new: Final = tuple.__new__


class Written(NamedTuple):
    """How a kind of event is written now."""

    version: bytes
    event: type


WRITTEN: Final = {
    name.encode(): Written(b"%d" % VERSIONS.get(name, 1), event) for event, name in _NAMES.items()
}
"""By kind, as a record has it."""


_KINDS: Final = {event: (name, event in CLAIMING) for event, name in _NAMES.items()}
"""By the type of an event, its kind, and whether it may use something up."""
_HEADS: Final = {event: f"{name}\n{VERSIONS.get(name, 1)}\n" for event, name in _NAMES.items()}
"""By the type of an event, its kind and version as the form of a record has them."""


class UnreadableRecord(StoreError, ValueError):
    """A record whose payload is not what its kind and version promise.

    Whoever is prepared for a journal that cannot be read is prepared for a record that cannot.
    """

    verdict = "is damaged"
    """What is said of such a record."""


class UnknownRecord(UnreadableRecord):
    """A record of a kind or a version that this software does not know, which is no damage by itself."""

    verdict = "cannot be read"

    def __init__(self, told: str) -> None:
        super().__init__(f"{told}; a newer croupier may have written it")


def is_known(kind: str, version: int) -> bool:
    """Whether this software can read records of a kind and a version."""
    return kind in KINDS and 1 <= version <= VERSIONS.get(kind, 1)


def kind_of(event: object) -> str:
    """The kind under which an event of a table, or of another stream, is recorded."""
    return _NAMES.get(type(event)) or str(type(event).__struct_config__.tag)  # type: ignore[attr-defined]  # events are structs


def drafts_of(entries: Iterable[Entry]) -> list[Draft]:
    """The records that one command's entries are written as."""
    return drafts_of_batch([(*entries,)])


def drafts_of_batch(commands: Sequence[Sequence[Entry]]) -> list[Draft]:
    """The records that several commands' entries are written as, one command after the other."""
    payloads = iter(_ENCODER.encode_lines(list(chain.from_iterable(commands))).split(b"\n"))
    drafts, kinds = [], _KINDS
    for entries in commands:
        for part, entry in enumerate(entries):
            cause, event = entry.cause, entry.event
            kind, is_claiming = kinds[type(event)]
            drafts.append(
                _new(
                    Draft,
                    (
                        cause.at_ms,
                        cause.actor.id,
                        cause.sender,
                        cause.number,
                        part,
                        kind,
                        VERSIONS.get(kind, 1),
                        next(payloads),
                        claims(event) if is_claiming else (),
                    ),
                )
            )
    return drafts


def fields_told(table: str, sequence: int, part: int, entry: Entry) -> bytes:
    """What stands between the hash and the payload of a record that holds an entry and is written now."""
    cause = entry.cause
    return (
        f"{table}\n{sequence}\n{cause.at_ms}\n{cause.actor.id}\n{cause.sender}\n{cause.number}\n{part}\n"
        f"{_HEADS[type(entry.event)]}"
    ).encode()


def entry_written(kind: bytes, version: bytes, payload: bytes) -> Entry:
    """The entry of a record as it was hashed: most are of the version that is written now."""
    known = WRITTEN.get(kind)
    if known is None or version != known.version:
        return entry_from(*_named(kind, version), payload)
    try:
        entry = decode_entry(payload)
    except UNREADABLE as error:
        raise _unreadable(*_named(kind, version), error) from error
    if type(entry.event) is not known.event:
        raise UnreadableRecord(f"its payload is a {kind_of(entry.event)}, not a {_NAMES[known.event]}")
    return entry


def _named(kind: bytes, version: bytes) -> tuple[str, int]:
    try:
        name, number = kind.decode(), int(version)
    except ValueError as error:
        raise UnreadableRecord(f"it has no kind or no version: {error}") from error
    if b"%d" % number != version:
        raise UnreadableRecord(f"{version!r} is not how a version is written")
    return name, number


def _unreadable(kind: str, version: int, error: Exception) -> UnreadableRecord:
    return UnreadableRecord(f"its payload is not a {kind} of version {version}: {error}")


def entry_of(record: Record) -> Entry:
    """The entry that a record holds, brought up to the present version."""
    return entry_from(record.kind, record.version, record.payload)


def entry_from(kind: str, version: int, payload: bytes) -> Entry:
    """The entry that a payload of some kind and version holds."""
    if kind not in KINDS:
        raise UnknownRecord(f"it is a {kind}, which this software does not know")
    current = VERSIONS.get(kind, 1)
    try:
        if version == current:
            entry = decode_entry(payload)
        else:
            entry = msgspec.convert(_upcast(kind, version, payload, current), Entry)
    except UNREADABLE as error:
        raise _unreadable(kind, version, error) from error
    if _NAMES[type(entry.event)] != kind:
        raise UnreadableRecord(f"its payload is a {kind_of(entry.event)}, not a {kind}")
    return entry


def _upcast(kind: str, version: int, content: bytes, current: int) -> dict[str, Any]:
    if not 1 <= version <= current:
        raise UnknownRecord(f"it is version {version} of {kind}, and this software knows up to {current}")
    payload: dict[str, Any] = msgspec.json.decode(content)
    for each in range(version, current):
        payload["event"] = UPCASTERS[kind, each](payload["event"])
    return payload
