"""How long a PostgreSQL server may take to answer: a connection to one that hangs is cut.

Keep-alives find a machine that is gone. A server that hangs on a machine that is well answers them, and a
statement would wait for it without end.
"""

import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psycopg

ANSWER_SECONDS: Final = 8
"""How long a statement may take; locks are waited for less long."""
_LOOK_SECONDS: Final = 0.5


_LINES: Final[weakref.WeakKeyDictionary[psycopg.Connection[Any], int]] = weakref.WeakKeyDictionary()
"""A second handle of each connection's socket: whatever closes the first, nobody else's is ever cut."""


class _Waiting:
    """Somebody who waits for an answer."""

    __slots__ = ("connection", "is_cut", "line", "until")

    def __init__(self, connection: psycopg.Connection[Any], seconds: float) -> None:
        self.connection = connection
        self.line = _line_of(connection)
        self.until = time.monotonic() + seconds
        self.is_cut = False

    def cut(self) -> None:
        self.is_cut = True
        with suppress(OSError):  # it is cut already
            line = socket.socket(fileno=self.line)
            try:
                line.shutdown(socket.SHUT_RDWR)
            finally:
                line.detach()


def _line_of(connection: psycopg.Connection[Any]) -> int:
    line = _LINES.get(connection)
    if line is None:
        line = _LINES[connection] = os.dup(connection.fileno())
        weakref.finalize(connection, os.close, line)
    return line


class _Watch:
    """Looks after everybody who waits, in one thread for the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: set[_Waiting] = set()
        self._thread: threading.Thread | None = None

    def add(self, waiting: _Waiting) -> None:
        with self._lock:
            self._waiting.add(waiting)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look_on, name="journal-limit", daemon=True)
                self._thread.start()

    def remove(self, waiting: _Waiting) -> None:
        with self._lock:
            self._waiting.discard(waiting)

    def _look_on(self) -> None:
        while True:
            time.sleep(_LOOK_SECONDS)
            with self._lock:
                for waiting in self._waiting:
                    if not waiting.is_cut and time.monotonic() >= waiting.until:
                        waiting.cut()


_WATCH: Final = _Watch()


@contextmanager
def answered_within(connection: psycopg.Connection[Any], seconds: float = ANSWER_SECONDS) -> Iterator[None]:
    """Cuts the connection where what is done in this context takes longer; whoever waits has an error then.

    Whether a statement that was cut off was carried out is not known, as with every connection that is lost.
    """
    waiting = _Waiting(connection, seconds)
    _WATCH.add(waiting)
    try:
        yield
    except psycopg.Error:
        if waiting.is_cut:
            raise psycopg.OperationalError(f"it has not answered in {seconds:g} seconds") from None
        raise
    finally:
        _WATCH.remove(waiting)
        if waiting.is_cut:
            connection.close()
