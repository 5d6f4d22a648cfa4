"""The pit hears of every table: at once of what happened, and twice a second of how tables stand."""

import asyncio
from collections.abc import Callable
from typing import Final

from croupier.journal import StoreError
from croupier.protocol.telling import PitNews, Snapshot
from croupier.protocol.views import PitLine
from croupier.server.frames import frame_of
from croupier.server.hub import TableHub
from croupier.server.listening import Listener
from croupier.server.telling_soon import TellingSoon

NEWS_SECONDS: Final = 0.5


class PitHub:
    """The listeners of the pit."""

    def __init__(self, hubs: Callable[[], list[TableHub]]) -> None:
        self._hubs = hubs
        self._listeners: list[Listener] = []
        self._changed: set[TableHub] = set()
        self._news = TellingSoon("the pit", NEWS_SECONDS, self._tell)
        self._waiting: list[Listener] = []

    @property
    def count(self) -> int:
        """How many listen."""
        return len(self._listeners)

    def add(self, listener: Listener) -> None:
        """Lets somebody listen to all tables."""
        self._listeners.append(listener)
        for hub in self._hubs():
            hub.add(listener)
            self.table_changed(hub)  # it may have, while the snapshot was being made

    def remove(self, listener: Listener) -> None:
        """Lets somebody go."""
        if listener in self._listeners:
            self._listeners.remove(listener)
        for hub in self._hubs():
            hub.remove(listener)

    def schedule(self, listener: Listener) -> None:
        """Has a listener's messages sent before the loop turns again."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(listener)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for listener in waiting:
            listener.flush()

    async def snapshot(self) -> bytes:
        """How all tables stand, each as it is on the disk."""
        return frame_of(Snapshot(seq=0, pit=tuple([await _line(hub) for hub in self._hubs()])))

    def table_changed(self, hub: TableHub) -> None:
        """Something has happened at a table."""
        if not self._listeners:
            return
        self._changed.add(hub)
        self._news.touch()

    async def _tell(self) -> None:
        """Tells of the tables that have changed; one that cannot be read keeps no other one waiting."""
        changed, self._changed = self._changed, set()
        lines, unread = [], None
        for hub in changed:
            try:
                lines.append(await _line(hub))
            except StoreError as error:
                self._changed.add(hub)
                unread = error
        if lines:
            frame = frame_of(PitNews(lines=tuple(lines)))
            for listener in self._listeners:
                listener.tell(frame)
        if unread is not None:
            raise unread

    def stop(self) -> None:
        """Lets go of the timer."""
        self._news.stop()


async def _line(hub: TableHub) -> PitLine:
    await hub.consistent()
    return hub.pit_line()  # at once: a table does not stand still for long
