"""Which rounds whoever sits at a seat may look back at: the last ones with bets of the seat in this visit."""

import sqlite3
from typing import Final

from croupier.table import events as e
from croupier.table.recall import SEAT_ROUNDS

SCHEMA: Final = """
    CREATE TABLE visits (
        table_id TEXT NOT NULL,
        seat TEXT NOT NULL,
        round INTEGER NOT NULL,
        is_over INTEGER NOT NULL,
        PRIMARY KEY (table_id, seat, round)
    ) WITHOUT ROWID;
"""
"""A round stays here when the visit is over: who comes next may bet in it, and does not look back at it."""
TABLES: Final = ("visits",)

_OF_SEAT: Final = "table_id = ? AND seat = ?"
_FORGET: Final = (
    f"DELETE FROM visits WHERE {_OF_SEAT} AND round NOT IN"
    f" (SELECT round FROM visits WHERE {_OF_SEAT} ORDER BY round DESC LIMIT {SEAT_ROUNDS})"
)


def note_event(connection: sqlite3.Connection, table: str, event: e.Event) -> None:
    """What an event changes: a seat's first bet in a round, or the end of a visit."""
    if isinstance(event, e.BetsChanged):
        key = table, event.seat
        joined = connection.execute("INSERT OR IGNORE INTO visits VALUES (?, ?, ?, 0)", (*key, event.round))
        if joined.rowcount:
            connection.execute(_FORGET, (*key, *key))
    elif isinstance(event, e.CreditsPaidOut | e.SeatClosed):
        connection.execute(f"UPDATE visits SET is_over = 1 WHERE {_OF_SEAT}", (table, event.seat))


def rounds_of_visit(connection: sqlite3.Connection, table: str, seat: str) -> list[int]:
    """The rounds of the visit, newest first."""
    rows = connection.execute(
        f"SELECT round FROM visits WHERE {_OF_SEAT} AND NOT is_over ORDER BY round DESC", (table, seat)
    )
    return [row[0] for row in rows]
