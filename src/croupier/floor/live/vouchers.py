"""Vouchers in a live projection: the latest of a seat, and all that are still to be paid, without a search.

Where and how a voucher was issued is a row of the stream that issued it, and how it ended one of the stream
that ended it, so that each can be read before the other. Whether a voucher may be paid is never asked here:
that is decided by its claim in the journal.
"""

import sqlite3
from typing import Final

from croupier.floor.cage.records import ACTS, cage_event_of
from croupier.floor.cage.vouchers import DAY_MS, EXPIRED, OUTSTANDING, REDEEMED, REINSTATED, Voucher
from croupier.journal import Record
from croupier.table import Event
from croupier.table import events as e

SCHEMA: Final = """
    CREATE TABLE vouchers (
        number TEXT PRIMARY KEY,
        cents INTEGER NOT NULL,
        table_id TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        seat TEXT NOT NULL,
        issued_ms INTEGER NOT NULL,
        expires_ms INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX vouchers_by_seat ON vouchers (table_id, seat, sequence);
    CREATE TABLE voucher_ends (
        number TEXT PRIMARY KEY,
        table_id TEXT NOT NULL,
        status TEXT NOT NULL,
        ended_ms INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE open_vouchers (
        issued_ms INTEGER NOT NULL,
        number TEXT NOT NULL,
        PRIMARY KEY (issued_ms, number)
    ) WITHOUT ROWID;
    CREATE TRIGGER voucher_issued AFTER INSERT ON vouchers
        WHEN NOT EXISTS (SELECT 1 FROM voucher_ends WHERE number = NEW.number) BEGIN
        INSERT OR IGNORE INTO open_vouchers VALUES (NEW.issued_ms, NEW.number);
    END;
    CREATE TRIGGER voucher_ended AFTER INSERT ON voucher_ends BEGIN
        DELETE FROM open_vouchers WHERE number = NEW.number
            AND issued_ms = (SELECT issued_ms FROM vouchers WHERE number = NEW.number);
    END;
    CREATE TRIGGER voucher_forgotten AFTER DELETE ON vouchers BEGIN
        DELETE FROM open_vouchers WHERE issued_ms = OLD.issued_ms AND number = OLD.number;
    END;
    CREATE TRIGGER voucher_end_forgotten AFTER DELETE ON voucher_ends BEGIN
        INSERT OR IGNORE INTO open_vouchers SELECT issued_ms, number FROM vouchers WHERE number = OLD.number;
    END;
"""
"""Of `open_vouchers` the database itself takes care, whichever stream is read first or read again."""
TABLES: Final = ("vouchers", "voucher_ends")

_COLUMNS: Final = "number, cents, vouchers.table_id, sequence, seat, issued_ms, expires_ms"
_OPEN: Final = (
    f"SELECT {_COLUMNS}, NULL, NULL, NULL FROM open_vouchers JOIN vouchers USING (number, issued_ms)"
    "{where} ORDER BY issued_ms, number"
)
_IS_OVER: Final = " WHERE coalesce(expires_ms, issued_ms + ?) <= ?"
_ALL: Final = (
    f"SELECT {_COLUMNS}, status, voucher_ends.table_id, ended_ms"
    " FROM vouchers LEFT JOIN voucher_ends USING (number)"
)


_FORGOTTEN: Final = (
    "INSERT OR IGNORE INTO open_vouchers SELECT issued_ms, number FROM vouchers"
    " WHERE NOT EXISTS (SELECT 1 FROM voucher_ends WHERE voucher_ends.number = vouchers.number)"
)
_INVENTED: Final = (
    "DELETE FROM open_vouchers WHERE EXISTS"
    " (SELECT 1 FROM voucher_ends WHERE voucher_ends.number = open_vouchers.number) OR NOT EXISTS"
    " (SELECT 1 FROM vouchers WHERE (number, issued_ms) = (open_vouchers.number, open_vouchers.issued_ms))"
)


def set_right(connection: sqlite3.Connection) -> int:
    """Makes the list of open vouchers what the others say, if it is not; gives how many were wrong."""
    return sum(connection.execute(statement).rowcount for statement in (_INVENTED, _FORGOTTEN))


def note_event(connection: sqlite3.Connection, record: Record, event: Event) -> None:
    """Notes a voucher that a table issued or took."""
    if isinstance(event, e.CreditsPaidOut) and event.voucher is not None:
        connection.execute(
            "INSERT OR REPLACE INTO vouchers VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                event.voucher,
                event.cents,
                record.table,
                record.sequence,
                event.seat,
                record.at_ms,
                event.expires_ms,
            ),
        )
    elif isinstance(event, e.CreditsBought) and event.voucher is not None:
        _end(connection, event.voucher, record, REDEEMED)


def note_cage(connection: sqlite3.Connection, record: Record) -> None:
    """Notes a voucher that the cage paid, voided, let expire or reinstated."""
    number, act = cage_event_of(record).number, ACTS[record.kind]
    if act == REINSTATED:
        connection.execute("DELETE FROM voucher_ends WHERE number = ?", (number,))
    else:
        _end(connection, number, record, act)


def _end(connection: sqlite3.Connection, number: str, record: Record, status: str) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO voucher_ends VALUES (?, ?, ?, ?)",
        (number, record.table, status, record.at_ms),
    )


def outstanding(connection: sqlite3.Connection, now_ms: int, valid_days: int) -> list[Voucher]:
    """Every voucher without an end on record, oldest first; one whose time is over is there as expired."""
    rows = connection.execute(_OPEN.format(where=""))
    return [_voucher(row, now_ms, valid_days) for row in rows]


def overdue(connection: sqlite3.Connection, now_ms: int, valid_days: int) -> list[Voucher]:
    """Every voucher whose time is over and whose end is not on record, oldest first."""
    rows = connection.execute(_OPEN.format(where=_IS_OVER), (valid_days * DAY_MS, now_ms))
    return [_voucher(row, now_ms, valid_days) for row in rows]


def latest_of(
    connection: sqlite3.Connection, table: str, seat: str, count: int, now_ms: int, valid_days: int
) -> list[Voucher]:
    """The last vouchers that a seat was given, newest first, whatever became of them."""
    rows = connection.execute(
        f"{_ALL} WHERE vouchers.table_id = ? AND seat = ? ORDER BY sequence DESC LIMIT ?",
        (table, seat, count),
    )
    return [_voucher(row, now_ms, valid_days) for row in rows]


def _voucher(
    row: tuple[str, int, str, int, str, int, int | None, str | None, str | None, int | None],
    now_ms: int,
    days: int,
) -> Voucher:
    number, cents, table, sequence, seat, issued_ms, printed_ms, status, ended_at, ended_ms = row
    expires_ms = issued_ms + days * DAY_MS if printed_ms is None else printed_ms
    return Voucher(
        number=number,
        cents=cents,
        table=table,
        sequence=sequence,
        seat=seat,
        issued_ms=issued_ms,
        expires_ms=expires_ms,
        status=status or (EXPIRED if now_ms >= expires_ms else OUTSTANDING),
        ended_at=ended_at,
        ended_ms=ended_ms,
    )
