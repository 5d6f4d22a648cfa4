"""A bar that shows how far something long has come."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TextIO

_WIDTH: Final = 30
_PAUSE_SECONDS: Final = 0.1


class Bar:
    """Draws on one line of a terminal, ten times a second at most, and takes itself away at the end."""

    def __init__(self, stream: TextIO, counted: str | None = None) -> None:
        """`counted` is what is counted, as in 3 of 10 records; without it the bar tells per cent."""
        self._stream = stream
        self._counted = counted
        self._drawn = 0
        self._next = 0.0

    def show(self, what: str, done: int, total: int) -> None:
        """Draws how much of something is done."""
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + _PAUSE_SECONDS
        share = min(1.0, done / total) if total else 1.0
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
        told = f"{100 * share:3.0f} %" if self._counted is None else f"{done:,} of {total:,} {self._counted}"
        line = f"[{bar}] {what}: {told}"
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def clear(self) -> None:
        """Leaves the line as it was."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
            self._drawn = 0


def bar_for(asked_for: bool, counted: str | None = None) -> Bar | None:
    """A bar on standard error, where somebody watches it or asked for it."""
    stream = sys.stderr
    return Bar(stream, counted) if stream is not None and (asked_for or stream.isatty()) else None


@contextmanager
def progress_bar(asked_for: bool, what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar for one long thing, to be told how much is done of how much there is; it is gone at the end."""
    bar = bar_for(asked_for)
    if bar is None:
        yield None
        return
    try:
        yield lambda done, total: bar.show(what, done, total)
    finally:
        bar.clear()
