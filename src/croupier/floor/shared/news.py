"""What has happened at a table of several servers: told once here, and by its owner to all of them."""

import functools
import logging
from collections.abc import Callable, Sequence
from typing import Final

from croupier.floor.announcing import Compose
from croupier.floor.shared.voice import Voice
from croupier.floor.writer import Published, entries_behind
from croupier.journal import Store

LOG: Final = logging.getLogger("croupier.floor")


class News:
    """Tells of one table, in order and without a gap."""

    def __init__(self, store: Store, table: str, compose: Compose, voice: Voice) -> None:
        self._store = store
        self._table = table
        self._compose = compose
        self._voice = voice
        self.told_to: int | None = None
        """How far it was told here; None before anybody listens."""

    def of_owner(self, published: Sequence[Published]) -> Callable[[], None]:
        """Makes the news of a batch while the state is what they tell of; what this gives sends them."""
        first = published[0].sequence
        if self.told_to is not None and first > self.told_to + 1:
            # A write that was said to have failed has succeeded after all, and nobody was told.
            published = [*entries_behind(self._store, self._table, self.told_to, first - 1), *published]
        return functools.partial(self._send, published, self._composed(published))

    def tell_rest(self, sequence: int) -> None:
        """Tells of what is on the disk and was not told, with the state as it is there."""
        if self.told_to is not None and sequence > self.told_to:
            missed = entries_behind(self._store, self._table, self.told_to, sequence)
            self._send(missed, self._composed(missed))

    def tell_here(self, published: Sequence[Published]) -> None:
        """Tells whoever listens here alone: the others know."""
        self.told_to = published[-1].sequence
        _send(self._table, self._composed(published))

    def _composed(self, published: Sequence[Published]) -> Callable[[], None]:
        try:
            return self._compose(published)
        except Exception:
            LOG.exception("table %s: the news could not be made", self._table)
            return _nothing

    def _send(self, published: Sequence[Published], send: Callable[[], None]) -> None:
        self.told_to = published[-1].sequence
        _send(self._table, send)
        self._voice.tell(published)


def _send(table: str, send: Callable[[], None]) -> None:
    try:
        send()
    except Exception:
        LOG.exception("table %s: publishing failed", table)


def _nothing() -> None:
    """There are no news."""
