"""Searching significant events: by time, table, code, seat, person, round and words, a page at a time."""

import datetime
import heapq
import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple

import msgspec

from croupier.floor.exports.selection import DAY, read_zone
from croupier.floor.significant.streams import CODES, REFUSED, SignificantEvent, significant_events
from croupier.floor.verify.evidence import Evidence
from croupier.rulebook import BadInput

LIMIT: Final = 100
MOST: Final = 10_000
"""How many events a page may have."""

_MOMENT: Final = re.compile(
    DAY.pattern + r"[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?(Z|[+-][0-9]{2}:[0-9]{2})?"
)
_CURSOR: Final = re.compile(r"(-?[0-9]{1,19}):([0-9]{1,19}):(.+)", re.DOTALL)
_WHOLE: Final = range(-(2**63), 2**63)
"""The times and numbers that a record may have."""


class Cursor(NamedTuple):
    """The place of an event among all: by time, then table, then number."""

    time_ms: int
    table: str
    sequence: int

    def __str__(self) -> str:
        return f"{self.time_ms}:{self.sequence}:{self.table}"


class EventQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What is looked for; everything but refusals where nothing is said."""

    from_ms: int | None = None
    until_ms: int | None = None
    """The first moment that is too late."""
    table: str | None = None
    codes: tuple[str, ...] = ()
    """The codes of events, any of them; refusals are found by `command-refused`."""
    seat: str | None = None
    actor: str | None = None
    """Whoever did it, or was the second person."""
    round: int | None = None
    text: str = ""
    """Words in the sentence, whatever their case."""
    refusals: bool = False
    """Whether refused commands are listed where no code is named."""
    newest_first: bool = True

    def matches(self, event: SignificantEvent) -> bool:
        """Whether an event is one of those looked for."""
        return (
            (self.from_ms is None or event.time_ms >= self.from_ms)
            and (self.until_ms is None or event.time_ms < self.until_ms)
            and self.table in (None, event.table)
            and self._takes_code(event.event)
            and self.seat in (None, event.seat)
            and self.actor in (None, event.actor, event.second)
            and self.round in (None, event.round)
            and self.text.casefold() in event.what.casefold()
        )

    def _takes_code(self, code: str) -> bool:
        return code in self.codes if self.codes else self.refusals or code != REFUSED

    def is_behind(self, place: Cursor, after: Cursor | None) -> bool:
        """Whether a place comes behind another one in the order that is asked for."""
        return after is None or (place < after if self.newest_first else place > after)


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """Some of what was found, in order, and where to go on; None where that was all."""

    events: tuple[SignificantEvent, ...]
    next: str | None


def place_of(event: SignificantEvent) -> Cursor:
    """The place of an event among all."""
    return Cursor(event.time_ms, event.table, event.sequence)


def page_of(found: list[SignificantEvent], limit: int) -> EventPage:
    """A page from one more event than it holds, where there is one."""
    events = tuple(found[:limit])
    return EventPage(events=events, next=str(place_of(events[-1])) if len(found) > limit else None)


def search_journal(
    evidence: Evidence, query: EventQuery, *, after: str | None = None, limit: int = LIMIT
) -> EventPage:
    """A page of what is looked for, from the journal itself; no more than a page is held in memory."""
    check_limit(limit)
    start = None if after is None else read_cursor(after)
    choose = heapq.nlargest if query.newest_first else heapq.nsmallest
    return page_of(choose(limit + 1, _matching(evidence, query, start), key=place_of), limit)


def _matching(evidence: Evidence, query: EventQuery, after: Cursor | None) -> Iterator[SignificantEvent]:
    streams = evidence.tables() if query.table is None else [query.table]
    for stream in streams:
        for record in evidence.records(stream):
            if query.is_behind(Cursor(record.at_ms, stream, record.sequence), after):
                yield from filter(query.matches, significant_events(record))


def check_limit(limit: int) -> None:
    """Refuses pages without events and endless ones."""
    if not 1 <= limit <= MOST:
        raise BadInput("bad-limit", f"A page has 1 to {MOST} events, not {limit}.")


def read_codes(codes: Iterable[str]) -> tuple[str, ...]:
    """Codes of significant events; one that no event has is refused, as it would find nothing for ever.

    >>> read_codes(["seat-locked"])
    ('seat-locked',)
    """
    named = tuple(codes)
    for code in named:
        if code not in CODES:
            near = get_close_matches(code, sorted(CODES), 3, 0.4) or sorted(CODES)
            raise BadInput(
                "unknown-event",
                f"No significant event has the code {code!r}.",
                f"Near it are {', '.join(near)}." if len(near) <= 3 else f"Use one of {', '.join(near)}.",
            )
    return named


def read_cursor(text: str) -> Cursor:
    """A place as a page gave it.

    >>> read_cursor("1700000000000:12:T1")
    Cursor(time_ms=1700000000000, table='T1', sequence=12)
    """
    match = _CURSOR.fullmatch(text)
    if match is None or int(match[1]) not in _WHOLE or int(match[2]) not in _WHOLE:
        raise BadInput("bad-cursor", f"{text!r} is no place among events.", "Give back what a page gave.")
    return Cursor(int(match[1]), match[3], int(match[2]))


def read_span(begin: str | None, end: str | None, zone: str) -> tuple[int | None, int | None]:
    """From when to when, each a day or a moment, or open; nothing would be between them the other way round.

    >>> read_span("2023-11-14T22:13:20", None, "UTC")
    (1700000000000, None)
    """
    from_ms = None if begin is None else read_moment(begin, zone)
    until_ms = None if end is None else read_moment(end, zone, end=True)
    if from_ms is not None and until_ms is not None and until_ms <= from_ms:
        raise BadInput("bad-days", f"Nothing is from {begin} to {end}.", "Name the earlier one first.")
    return from_ms, until_ms


def read_moment(text: str, zone: str, *, end: bool = False) -> int:
    """A day or a moment by the clocks of a zone, in milliseconds; of a day its beginning, or its end.

    >>> read_moment("2023-11-14T22:13:20", "UTC")
    1700000000000
    >>> read_moment("2023-11-14", "UTC", end=True) - read_moment("2023-11-14", "UTC")
    86400000
    """
    clock = read_zone(zone)
    try:
        if DAY.fullmatch(text) is not None:
            day = datetime.date.fromisoformat(text) + datetime.timedelta(days=int(end))
            moment = datetime.datetime.combine(day, datetime.time(), clock)
        elif _MOMENT.fullmatch(text) is not None:
            moment = datetime.datetime.fromisoformat(text)
            moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=clock)
        else:  # such as 20240531, which others would take for its first moment, although --to includes a day
            raise ValueError(text)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise BadInput(
            "bad-moment",
            f"{text!r} is no day and no moment.",
            "Write it as in 2024-05-31 or 2024-05-31T18:30:00.",
        ) from error
