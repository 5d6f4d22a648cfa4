"""Connections to a PostgreSQL server that come after one another: the one before must do nothing any more.

A connection that is lost here is not lost there at the same moment. Its process may still carry out what it
was asked, and where the network has swallowed the end as well it holds its locks for hours.
"""

from datetime import datetime
from typing import Final, NamedTuple

import psycopg
from psycopg.rows import TupleRow

_SESSION: Final = "SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()"
_END_SESSION: Final = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE pid = %s AND backend_start = %s AND pid <> pg_backend_pid()
"""


class Session(NamedTuple):
    """The process at the server that a connection is, or was, with."""

    process: int
    began: datetime


def session_after(on: psycopg.Connection[TupleRow], before: Session | None) -> Session:
    """Ends the session of a connection that was lost, and gives this one's.

    The server may still hold a statement of that one. Before anything is read or written here, it has either
    been carried out or never will be; and nothing is locked by it any more.
    """
    if before is not None:
        ended = on.execute(_END_SESSION, before).fetchone()
        if ended == (False,):
            raise psycopg.OperationalError("what was asked before has not ended")
    row = on.execute(_SESSION).fetchone()
    assert row is not None
    return Session(*row)
