"""A live projection: kept beside a running journal, ready for recalls and searches at any age.

It reads the journal from where it stopped, so whoever runs tables calls `catch_up` now and then, or when
something was published, from any thread. Everything in its file follows from the journal; a file that does
not fit the journal, because a backup was put back for instance, is built again.
"""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from croupier.floor.cage.vouchers import Voucher
from croupier.floor.live import visits, vouchers
from croupier.floor.live.file import LOG, TABLES, is_damage, open_file, replace_file
from croupier.floor.live.recall import Recalls
from croupier.floor.live.rows import StreamRows, head_of
from croupier.floor.live.seal import SOURCES, Seals
from croupier.floor.significant.searching import (
    LIMIT,
    EventPage,
    EventQuery,
    check_limit,
    page_of,
    read_cursor,
)
from croupier.floor.significant.streams import REFUSED, SignificantEvent
from croupier.journal import EMPTY, Head, Store, StoreError
from croupier.table import RoundRecall

_AT_ONCE: Final = 5_000
"""How many records are taken in one transaction; the lock is free in between."""

_FIELDS: Final = SignificantEvent.__struct_fields__


class RoundResult(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over: its result, or none where it is void."""

    round: int
    opened_ms: int
    ended_ms: int
    state: str
    result: str | None


class LiveProjection:
    """Rounds, credits and significant events of a journal in a file; may be used from any thread."""

    def __init__(self, path: Path | str, store: Store, go_on: Callable[[], None] = lambda: None) -> None:
        self._path = path
        self._store = store
        self._go_on = go_on
        """Asked before each transaction; raises where nothing is to be read any more."""
        self._lock = threading.Lock()
        self._streams: dict[str, StreamRows] = {}
        self._recalls = Recalls()
        self._use(open_file(path))

    def _use(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._seals = Seals(connection, TABLES)
        self._seen: int | None = None
        """What the database said of others' changes when its rows were last looked over."""

    def close(self) -> None:
        """Lets go of the file."""
        with self._in_turn():
            self._connection.close()

    def look_over(self) -> None:
        """Finds out whether its rows are as they were left, which the first question would wait for."""
        with self._in_turn():
            self._look_over()

    def catch_up(self, stream: str | None = None) -> int:
        """Reads what was written since the last time, of one stream or of all; gives how many records."""
        return sum(map(self._follow, self._store.tables() if stream is None else [stream]))

    def recall(self, table: str, number: int) -> RoundRecall | None:
        """Any round of a table, whole, with what was done to it later; None where it never was."""
        self._follow(table)
        with self._in_turn():
            return self._recalls.find(self._connection, self._store, table, [number]).get(number)

    def rounds_of_visit(self, table: str, seat: str) -> list[RoundRecall]:
        """What whoever sits at a seat now may look back at, newest first, with that seat's part alone."""
        self._follow(table)
        with self._in_turn():
            numbers = visits.rounds_of_visit(self._connection, table, seat)
            found = self._recalls.find(self._connection, self._store, table, numbers)
        return [found[number].seen_by(seat, stayed=True) for number in numbers]

    def results(self, table: str, count: int) -> list[RoundResult]:
        """The last rounds of a table that are over, newest first."""
        rows = self._all(
            "SELECT round, opened_ms, ended_ms, state, result FROM rounds"
            " WHERE table_id = ? AND ended_ms IS NOT NULL ORDER BY round DESC LIMIT ?",
            (table, count),
        )
        names = RoundResult.__struct_fields__
        return [RoundResult(**dict(zip(names, row, strict=True))) for row in rows]

    def outstanding(self, now_ms: int, valid_days: int) -> list[Voucher]:
        """Every voucher without an end on record, oldest first, as it was when it last caught up."""
        with self._in_turn():
            return vouchers.outstanding(self._connection, now_ms, valid_days)

    def overdue(self, now_ms: int, valid_days: int) -> list[Voucher]:
        """Every voucher whose time is over without an end on record, as it was when it last caught up."""
        with self._in_turn():
            return vouchers.overdue(self._connection, now_ms, valid_days)

    def vouchers_of(self, table: str, seat: str, count: int, now_ms: int, valid_days: int) -> list[Voucher]:
        """The last vouchers that a seat was given, newest first, whatever became of them."""
        with self._in_turn():
            return vouchers.latest_of(self._connection, table, seat, count, now_ms, valid_days)

    def search(self, query: EventQuery, *, after: str | None = None, limit: int = LIMIT) -> EventPage:
        """A page of the significant events that are looked for, as they were when it last caught up."""
        check_limit(limit)
        conditions, values = _conditions(query, after)
        order = "DESC" if query.newest_first else "ASC"
        statement = (
            f"SELECT * FROM events WHERE {' AND '.join(conditions)}"
            f" ORDER BY time_ms {order}, table_id {order}, sequence {order}"
        )
        with self._in_turn():
            rows = self._connection.execute(statement, values)
            events = (SignificantEvent(**dict(zip(_FIELDS, row, strict=True))) for row in rows)
            return page_of([*islice(filter(query.matches, events), limit + 1)], limit)

    def _follow(self, stream: str) -> int:
        taken = 0
        while True:
            self._go_on()
            with self._in_turn():
                rows = self._rows_of(stream)
                with self._transaction():
                    more = rows.take(islice(self._store.read(stream, rows.head.sequence), _AT_ONCE))
            taken += more
            if more < _AT_ONCE:
                return taken

    def _rows_of(self, stream: str) -> StreamRows:
        self._look_over()
        rows = self._streams.get(stream)
        if rows is None:
            if not self._still_there(stream, head_of(self._connection, stream)):
                with self._transaction():
                    self._forget(stream)
            rows = self._streams[stream] = StreamRows(self._connection, stream, self._store, self._seals)
        return rows

    def _look_over(self) -> None:
        """Believes only rows that are as they were left: at the start, and after anybody else wrote here."""
        (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        if version == self._seen:
            return
        try:
            self._throw_out_others()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self._connection.close()
            self._use(replace_file(self._path))
        (self._seen,) = self._connection.execute("PRAGMA data_version").fetchone()

    def _throw_out_others(self) -> None:
        """Throws out the rows of every stream that do not bear its seal, or that the journal lacks."""
        self._streams.clear()
        self._recalls.forget()
        known = {*self._store.tables()}
        with self._transaction("IMMEDIATE"):
            found = self._seals.measure()
            kept = {
                stream
                for stream, *head, seal in self._connection.execute(f"SELECT * FROM {SOURCES}")
                if stream in known and seal == self._seals.seal(stream, Head(*head))
            }
            named = {row[0] for row in self._connection.execute(f"SELECT table_id FROM {SOURCES}")}
            for stream in (found | named) - kept:
                LOG.warning("the projection of %s is not as it was left: it is built again", stream)
                self._forget(stream)
            if vouchers.set_right(self._connection):
                LOG.warning("the projection's list of open vouchers was not as it was left: it is set right")

    @contextmanager
    def _transaction(self, kind: str = "") -> Iterator[None]:
        """Everything or nothing; where it is nothing, what is in memory is not believed any more."""
        self._connection.execute(f"BEGIN {kind}")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            self._seen = None  # what is in memory may be ahead of the file
            if self._connection.in_transaction:  # a full disk, or damage, has ended it by itself
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _in_turn(self) -> Iterator[None]:
        """One thread at a time uses the file; whatever the database refuses is a `StoreError`."""
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                sentence = f"The projection {str(self._path)!r} did not do as asked: {error}."
                raise StoreError(sentence) from error

    def _forget(self, stream: str) -> None:
        self._recalls.forget()
        for name in TABLES:
            self._connection.execute(f"DELETE FROM {name} WHERE table_id = ?", (stream,))

    def _still_there(self, stream: str, head: Head) -> bool:
        """Whether the journal still holds the record that the rows end with."""
        if head == EMPTY:
            return True
        record = next(self._store.read(stream, head.sequence - 1), None)
        return record is not None and (record.sequence, record.hash) == head

    def _all(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        with self._in_turn():
            return self._connection.execute(statement, values).fetchall()


def _conditions(query: EventQuery, after: str | None) -> tuple[list[str], list[Any]]:
    """What the database sorts out; the words of the sentence, and whatever else, are for `query.matches`."""
    conditions, values = ["1"], list[Any]()

    def ask(condition: str, *given: object) -> None:
        conditions.append(condition)
        values.extend(given)

    if query.from_ms is not None:
        ask("time_ms >= ?", query.from_ms)
    if query.until_ms is not None:
        ask("time_ms < ?", query.until_ms)
    if query.table is not None:
        ask("table_id = ?", query.table)
    if query.codes:
        ask(f"event IN ({', '.join('?' * len(query.codes))})", *query.codes)
    elif not query.refusals:
        ask("event <> ?", REFUSED)
    if query.seat is not None:
        ask("seat = ?", query.seat)
    if query.round is not None:
        ask("round = ?", query.round)
    if after is not None:
        ask(
            f"(time_ms, table_id, sequence) {'<' if query.newest_first else '>'} (?, ?, ?)",
            *read_cursor(after),
        )
    return conditions, values
