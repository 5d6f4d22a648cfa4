"""A journal of an older schema, brought forward before a floor opens: shown while it goes on."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final

from croupier.journal import Store, open_store

LOG: Final = logging.getLogger("croupier.server")

Progress = Callable[[int, int], None]
"""What is told how many records are done, and of how many."""
Showing = Callable[[], AbstractContextManager[Progress | None]]
"""What shows it for as long as the journal is being opened."""


def open_journal(address: str, showing: Showing) -> Store:
    """The journal of a floor; a stop that is asked for while it is brought forward leaves it as it was."""
    task = asyncio.current_task()
    with showing() as show:

        def tell(done: int, total: int) -> None:
            # The event loop stands still meanwhile, so that a stop would be heard when all is done.
            if task is not None and task.cancelling():
                raise asyncio.CancelledError
            if show is not None:
                show(done, total)

        return open_store(address, progress=tell)


@contextmanager
def in_the_log() -> Iterator[Progress]:
    """Says in the log that a journal is brought forward, how far it is with every tenth, and the end."""
    tenths: int | None = None

    def tell(done: int, total: int) -> None:
        nonlocal tenths
        if tenths is None:
            LOG.info("the journal is of an older schema and is brought forward: %d records", total)
        elif 10 * done // total > tenths and done < total:
            LOG.info("%d of %d records are brought forward", done, total)
        tenths = 10 * done // total
        if done == total:
            LOG.info("all records are brought forward and are written to the disk")

    yield tell
    if tenths is not None:
        LOG.info("the journal is brought forward")
