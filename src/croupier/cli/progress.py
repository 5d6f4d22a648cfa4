"""A bar that shows how far a long reading has come."""

import sys
import time
from typing import Final, TextIO

_WIDTH: Final = 30
_PAUSE_SECONDS: Final = 0.1


class Bar:
    """Draws on one line of a terminal, ten times a second at most, and takes itself away at the end."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._drawn = 0
        self._next = 0.0

    def show(self, table: str, done: int, total: int) -> None:
        """Draws how many records of a table are done."""
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + _PAUSE_SECONDS
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
        line = f"[{bar}] {table}: {done:,} of {total:,} records"
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        """Leaves the line as it was."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def bar_for(asked_for: bool) -> Bar | None:
    """A bar on standard error, where somebody watches it or asked for it."""
    stream = sys.stderr
    return Bar(stream) if stream is not None and (asked_for or stream.isatty()) else None
