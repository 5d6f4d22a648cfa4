"""A bar that shows how far a simulation has come."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from croupier.lab.chunks import Progress

_WIDTH: Final = 30


@contextmanager
def progress_bar(asked_for: bool, what: str) -> Iterator["Progress | None"]:
    """A bar on standard error, where somebody watches it or asked for it; it is gone at the end."""
    stream = sys.stderr
    if stream is None or not (asked_for or stream.isatty()):
        yield None
        return
    drawn = ""

    def show(done: int, total: int) -> None:
        nonlocal drawn
        share = done / total
        bar = ("#" * round(share * _WIDTH)).ljust(_WIDTH, ".")
        line = f"\r[{bar}] {what}: {100 * share:3.0f} %"
        if line != drawn:  # a run has many more chunks than a bar has states
            stream.write(line)
            stream.flush()
            drawn = line

    try:
        yield show
    finally:
        if drawn:
            stream.write("\r" + " " * len(drawn) + "\r")
            stream.flush()
