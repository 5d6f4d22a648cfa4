"""The office's records, written in a thread of their own so that nobody else waits for the disk."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.office.office import Office, Who
from croupier.floor.office.records import AttemptsRefused, OfficeEntry, OfficeEvent
from croupier.floor.office.staff import Decision
from croupier.floor.office.state import OfficeState
from croupier.floor.streams import is_table
from croupier.journal import EMPTY, Store, StoreError
from croupier.rulebook import BadInput
from croupier.server.access.refusals import Refusal, refusal, refusal_of
from croupier.server.threads import Stopping, Threads

LOG: Final = logging.getLogger("croupier.server.access")

NOBODY: Final = "unknown"
"""Who is behind an attempt in which nobody has proved who they are, and no name was written like one."""
_ADDRESSES_COUNTED: Final = 1_000


def just(*events: OfficeEvent) -> Decision:
    """The decision to write something down whatever the office's state is."""
    return lambda office, now_ms: events


class OfficeThread:
    """The office as an event loop uses it."""

    def __init__(self, store: Store, clock: Clock, notice: Callable[[Sequence[OfficeEntry]], None]) -> None:
        """`notice` hears in the event loop of what anybody has written, before a writer here gets on."""
        self._store = store
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._thread = Threads(1, "journal-office")
        self._notice = notice
        self._office = Office(store, clock, self._hear)
        self._held_back: dict[str, int] = {}
        """By address, how many attempts were not looked at and are still to be written down."""

    def _hear(self, entries: Sequence[OfficeEntry]) -> None:
        self._loop.call_soon_threadsafe(self._notice, entries)

    @property
    def state(self) -> OfficeState:
        """What the records add up to, as far as they have been read."""
        return self._office.state

    def now_ms(self) -> int:
        """The time."""
        return self._clock.now_ms()

    async def begin(self) -> None:
        """Reads all that was written before; nobody is told of it."""
        told, self._office.tell = self._office.tell, lambda entries: None
        await self.catch_up()
        self._office.tell = told

    async def catch_up(self) -> None:
        """Reads what others have written."""
        await self._thread.begin(self._office.catch_up)

    async def write(self, who: Who, decide: Decision) -> Sequence[OfficeEvent]:
        """Writes down what is decided; raises `StoreError` where nothing is known to be written."""
        return await self._thread.begin(partial(self._office.write, who, decide))

    async def try_to(self, who: Who, decide: Decision) -> Refusal | None:
        """Writes down what is decided; a refusal where it is not, or must not be."""
        try:
            await self.write(who, decide)
        except BadInput as error:
            return refusal_of(error)
        except Stopping:
            return refusal("closing")
        except StoreError as error:
            LOG.error("the office did not write: %s", error)
            return refusal("not-recorded")
        return None

    async def has_table(self, table: str) -> bool:
        """Whether the journal has a table of that name."""
        if not is_table(table) or "\0" in table:
            return False
        return await self._thread.begin(partial(self._store.head, table)) != EMPTY

    def hold_back(self, address: str) -> None:
        """Counts an attempt that is not looked at; a flood must not become a flood of records."""
        is_new = address not in self._held_back
        key = "" if is_new and len(self._held_back) >= _ADDRESSES_COUNTED else address
        self._held_back[key] = self._held_back.get(key, 0) + 1

    async def write_held_back(self) -> None:
        """Writes down how many attempts were not looked at, a record for each address."""
        for address, attempts in list(self._held_back.items()):
            await self.write(Who(NOBODY, "", address), just(AttemptsRefused(attempts=attempts)))
            left = self._held_back[address] - attempts
            if left:
                self._held_back[address] = left
            else:
                del self._held_back[address]

    async def close(self) -> None:
        """Waits for what is being written and lets go of the thread."""
        await asyncio.to_thread(self._thread.close)
