"""What follows a batch that is on the disk: its answers, its news, and a bell where something is wrong."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from croupier.floor.waiting import answer_soon
from croupier.floor.writer import Batch, Published
from croupier.journal.faults import point

LOG: Final = logging.getLogger("croupier.floor")

Compose = Callable[[Sequence[Published]], Callable[[], None]]
"""Makes the news of what a batch led to, with the state as the batch leaves it; what it gives sends them."""


class Announcer:
    """Whom a table tells. Nobody who listens badly keeps it from going on."""

    def __init__(self, table: str, compose: Compose, alarm: Callable[[str, str], None]) -> None:
        self.table = table
        self.changed = asyncio.Event()
        """Set whenever something has happened at the table, or was taken back."""
        self.told_to: int | None = None
        """How far whoever listens was told; None before anybody can listen."""
        self._compose = compose
        self._alarm = alarm

    def composed(self, batch: Batch) -> Callable[[], None]:
        """The news of a batch, made while the state is what they tell of; called, it sends them."""
        if not batch.published:
            return no_news
        try:
            return self._compose(batch.published)
        except Exception:
            LOG.exception("table %s: the news could not be made", self.table)
            return no_news

    def tell(self, batch: Batch, send: Callable[[], None]) -> None:
        """Answers and publishes a batch that is on the disk."""
        point("batch-durable")
        answer_soon(batch.waiting, batch.replies)
        point("batch-answered")
        if batch.published:
            self.changed.set()
            self.told_to = batch.published[-1].sequence
            try:
                send()
            except Exception:
                LOG.exception("table %s: publishing failed", self.table)
        point("batch-published")

    def ring(self, reason: str) -> None:
        """Calls somebody."""
        try:
            self._alarm(self.table, reason)
        except Exception:
            LOG.exception("table %s: the alarm failed", self.table)


def no_news() -> None:
    """There are no news."""
