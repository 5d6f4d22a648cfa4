"""The rows that a table's records add to a live projection: rounds and where they stand, credits, events."""

import sqlite3
from collections.abc import Iterable
from typing import Final

import msgspec

from croupier.floor.cage.vouchers import CAGE
from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.live import visits, vouchers
from croupier.floor.live.seal import Seals
from croupier.floor.loading import DamagedJournal
from croupier.floor.significant.streams import significant_events
from croupier.floor.streams import is_table
from croupier.journal import EMPTY, Head, Record, Store, misfit
from croupier.table import Entry, postings
from croupier.table import events as e
from croupier.table.ledger import post

CHECKPOINT_EVERY: Final = 2_000
"""How many records stand between two notes of all credits: what a recall reads at most before its round."""

_CREDITS: Final = "credits/"
_BALANCES: Final = msgspec.msgpack.Decoder(dict[str, int])


class StreamRows:
    """Follows one stream of the journal from where its rows end, and writes the rows of what comes."""

    def __init__(self, connection: sqlite3.Connection, stream: str, store: Store, seals: Seals) -> None:
        self._connection = connection
        self._seals = seals
        self.stream = stream
        self.head = head_of(connection, stream)
        self._balances: dict[str, int] = {}
        self._running: int | None = None
        self._checkpoint = 0
        if self.head != EMPTY and is_table(stream):
            self._resume(store)

    def _resume(self, store: Store) -> None:
        """Knows again what is in play: the round that runs, and all credits."""
        row = self._connection.execute(
            "SELECT max(round) FROM spans WHERE table_id = ? AND last IS NULL", (self.stream,)
        ).fetchone()
        self._running = row[0]
        self._checkpoint, self._balances = credits_before(
            self._connection, self.stream, self.head.sequence + 1
        )
        for record in store.read(self.stream, self._checkpoint):
            if record.sequence > self.head.sequence:
                break
            post(self._balances, postings(read_entry(record).event))

    def take(self, records: Iterable[Record]) -> int:
        """Writes the rows of the next records, all in one transaction; gives how many there were."""
        taken = 0
        for record in records:
            if (reason := misfit(record, self.head)) is not None:
                raise DamagedJournal(f"Record {record.sequence} of {self.stream} does not fit: {reason}.")
            self._take(record)
            self.head = Head(record.sequence, record.hash)
            taken += 1
        if taken:
            self._connection.execute(
                "INSERT OR REPLACE INTO sources VALUES (?, ?, ?, ?)",
                (self.stream, *self.head, self._seals.seal(self.stream, self.head)),
            )
        return taken

    def _take(self, record: Record) -> None:
        for event in significant_events(record):
            self._connection.execute(
                "INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                msgspec.structs.astuple(event),
            )
        if is_table(self.stream):
            entry = read_entry(record)
            post(self._balances, postings(entry.event))
            self._follow_round(record.sequence, entry)
            visits.note_event(self._connection, self.stream, entry.event)
            vouchers.note_event(self._connection, record, entry.event)
            if record.sequence - self._checkpoint >= CHECKPOINT_EVERY:
                self._note_credits(record.sequence)
        elif self.stream == CAGE:
            vouchers.note_cage(self._connection, record)

    def _follow_round(self, sequence: int, entry: Entry) -> None:
        event, at_ms, run = entry.event, entry.cause.at_ms, self._connection.execute
        number: int | None = getattr(event, "round", None)
        match event:
            case e.RoundOpened():
                key = self.stream, event.round
                run("INSERT INTO rounds VALUES (?, ?, ?, NULL, 'running', NULL)", (*key, at_ms))
                run("INSERT INTO spans VALUES (?, ?, ?, NULL)", (*key, sequence))
                self._running = event.round
            case e.RoundSettled():
                self._end_round(event.round, "settled", event.result, at_ms, sequence)
            case e.RoundVoided():
                self._end_round(event.round, "voided", None, at_ms, sequence)
            case _:
                if isinstance(event, e.ResultCorrected) and event.settled:
                    self._set_round(event.round, "voided" if event.new is None else "settled", event.new)
                if number is not None and number != self._running:
                    self._lengthen(number, sequence)

    def _end_round(self, number: int, state: str, result: str | None, at_ms: int, sequence: int) -> None:
        self._set_round(number, state, result)
        of_round = "WHERE table_id = ? AND round = ?"
        key = self.stream, number
        self._connection.execute(f"UPDATE rounds SET ended_ms = ? {of_round}", (at_ms, *key))
        self._connection.execute(f"UPDATE spans SET last = ? {of_round} AND last IS NULL", (sequence, *key))
        self._running = None

    def _set_round(self, number: int, state: str, result: str | None) -> None:
        self._connection.execute(
            "UPDATE rounds SET state = ?, result = ? WHERE table_id = ? AND round = ?",
            (state, result, self.stream, number),
        )

    def _lengthen(self, number: int, sequence: int) -> None:
        """A record about a round that is over: another span, or one more record of the last one."""
        key = self.stream, number
        longer = self._connection.execute(
            "UPDATE spans SET last = ? WHERE table_id = ? AND round = ? AND last = ?",
            (sequence, *key, sequence - 1),
        )
        if longer.rowcount == 0:
            self._connection.execute("INSERT INTO spans VALUES (?, ?, ?, ?)", (*key, sequence, sequence))

    def _note_credits(self, sequence: int) -> None:
        held = {
            account: cents
            for account, cents in self._balances.items()
            if cents and account.startswith(_CREDITS)
        }
        self._connection.execute(
            "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)",
            (self.stream, sequence, msgspec.msgpack.encode(held, order="deterministic")),
        )
        self._checkpoint = sequence


def credits_before(connection: sqlite3.Connection, table: str, sequence: int) -> tuple[int, dict[str, int]]:
    """The last note of all credits before a record: behind which one it was made, and what it says."""
    row = connection.execute(
        "SELECT sequence, credits FROM checkpoints WHERE table_id = ? AND sequence < ?"
        " ORDER BY sequence DESC LIMIT 1",
        (table, sequence),
    ).fetchone()
    return (0, {}) if row is None else (row[0], _BALANCES.decode(row[1]))


def read_entry(record: Record) -> Entry:
    """What a table's record holds."""
    try:
        return entry_of(record)
    except UnreadableRecord as error:
        where = f"Record {record.sequence} of table {record.table}"
        raise DamagedJournal(f"{where} {error.verdict}: {error}.") from error


def head_of(connection: sqlite3.Connection, stream: str) -> Head:
    """Up to which record a stream's rows are there."""
    row = connection.execute("SELECT sequence, hash FROM sources WHERE table_id = ?", (stream,)).fetchone()
    return EMPTY if row is None else Head(*row)
