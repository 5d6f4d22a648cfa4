"""The pit hears of every table: at once of what happened, and twice a second of how tables stand."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from croupier.protocol.telling import PitNews, Snapshot
from croupier.protocol.views import PitLine
from croupier.server.frames import frame_of
from croupier.server.hub import TableHub
from croupier.server.listening import Listener

NEWS_SECONDS: Final = 0.5


class PitHub:
    """The listeners of the pit."""

    def __init__(self, hubs: Callable[[], list[TableHub]]) -> None:
        self._hubs = hubs
        self._listeners: list[Listener] = []
        self._changed: set[TableHub] = set()
        self._news: asyncio.Task[None] | None = None
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
        return frame_of(Snapshot(seq=0, pit=await _lines(self._hubs())))

    def table_changed(self, hub: TableHub) -> None:
        """Something has happened at a table."""
        if not self._listeners:
            return
        self._changed.add(hub)
        if self._news is None:
            self._news = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(NEWS_SECONDS)
        changed, self._changed, self._news = self._changed, set(), None
        frame = frame_of(PitNews(lines=await _lines(changed)))
        for listener in self._listeners:
            listener.tell(frame)

    def stop(self) -> None:
        """Lets go of the timer."""
        if self._news is not None:
            self._news.cancel()


async def _lines(hubs: Iterable[TableHub]) -> tuple[PitLine, ...]:
    lines = []
    for hub in hubs:
        await hub.consistent()
        lines.append(hub.pit_line())  # at once: a table does not stand still for long
    return tuple(lines)
