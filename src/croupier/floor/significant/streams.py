"""Significant events of a whole journal: of its tables, the cage, the office and the house."""

from collections.abc import Iterator
from typing import Final, get_args

import msgspec

from croupier.floor.cage.numbers import masked
from croupier.floor.cage.records import ACTS, CLERK, cage_event_of
from croupier.floor.cage.vouchers import CAGE, PAID
from croupier.floor.codec import KINDS, UnreadableRecord, entry_of
from croupier.floor.house.log import HOUSE_STREAM, HouseEvent, house_entry_of, tell_house
from croupier.floor.loading import DamagedJournal
from croupier.floor.office.records import OFFICE, OfficeEvent
from croupier.floor.office.rows import EVERYDAY, office_rows
from croupier.floor.significant.events import SIGNIFICANT, EventRow, event_rows
from croupier.floor.significant.full_stop import stopped
from croupier.journal import Record
from croupier.rulebook import show_cents
from croupier.table import SYSTEM

STREAMS: Final = (CAGE, HOUSE_STREAM, OFFICE)
"""What has significant events besides tables."""
REFUSED: Final = "command-refused"
"""The kind of refusals: there are so many that they are listed only where they are asked for."""

_PAID_OUT: Final = "credits-paid-out"
"""A payment is significant where an attendant made it, which only its payload says."""
_ENTERED: Final = "result-entered"
"""A result is significant if people registered it without the sensor or against it."""
_SETTLED: Final = "round-settled"
"""The end of a round is significant where more was in play than the table takes."""
_PAID: Final = f"voucher-{PAID}"
"""What the cage does all day."""

_OF_TABLES: Final = frozenset(
    {
        REFUSED,
        _PAID_OUT,
        _ENTERED,
        _SETTLED,
        *(str(kind.__struct_config__.tag) for kind in SIGNIFICANT),
    }
)
"""The kinds of a table's records that have to be looked into."""

CODES: Final = frozenset(
    {
        *_OF_TABLES,
        *(kind for kind in ACTS if kind != _PAID),
        *(str(kind.__struct_config__.tag) for kind in get_args(HouseEvent)),
        *(str(kind.__struct_config__.tag) for kind in get_args(OfficeEvent) if kind not in EVERYDAY),
    }
)
"""Every code that a significant event can have."""


class SignificantEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A significant event, and in which stream of the journal it stands."""

    time_ms: int
    table: str
    """The table; or `cage`, `house` or `office`."""
    sequence: int
    event: str
    """What it is, as a code."""
    round: int | None
    seat: str | None
    actor: str
    position: str
    second: str | None
    clause: str | None
    what: str


def significant_events(record: Record) -> Iterator[SignificantEvent]:
    """What is significant in a record, refusals included; nothing in most of them."""
    try:
        for row in _rows(record):
            yield SignificantEvent(table=record.table, **msgspec.structs.asdict(row))
    except UnreadableRecord as error:
        where = f"Record {record.sequence} of {record.table}"
        raise DamagedJournal(f"{where} {error.verdict}: {error}.") from error


def _rows(record: Record) -> Iterator[EventRow]:
    if record.table == CAGE:
        yield from _cage_rows(record)
    elif record.table == HOUSE_STREAM:
        yield _house_row(record)
    elif record.table == OFFICE:
        yield from office_rows([record])
    elif record.kind in _OF_TABLES or record.kind not in KINDS:  # a newer version's may be significant too
        yield from event_rows(record.sequence, entry_of(record), refusals=True)


def _cage_rows(record: Record) -> Iterator[EventRow]:
    """A voucher that was voided, expired or reinstated."""
    if record.kind != _PAID:
        event = cage_event_of(record)
        what = f"Voucher {masked(event.number)} for {show_cents(event.cents)} is {ACTS[record.kind]}"
        why = f": {event.reason}" if event.reason else ""
        yield _row(record, event.actor, SYSTEM if event.actor == CLERK.id else "", stopped(what + why))


def _house_row(record: Record) -> EventRow:
    entry = house_entry_of(record)
    position = SYSTEM if entry.actor == SYSTEM else ""
    row = _row(record, entry.actor, position, tell_house(entry.event))
    number, seat = getattr(entry.event, "round", None), getattr(entry.event, "seat", None)
    return msgspec.structs.replace(row, round=number, seat=seat)


def _row(record: Record, actor: str, position: str, what: str) -> EventRow:
    return EventRow(
        sequence=record.sequence,
        time_ms=record.at_ms,
        event=record.kind,
        round=None,
        seat=None,
        actor=actor,
        position=position,
        second=None,
        clause=None,
        what=what,
    )
