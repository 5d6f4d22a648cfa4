"""A table that another server runs: its state here, as it is in the journal, and what happens to it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from croupier.floor.loading import load_table
from croupier.floor.shared.complaining import Complaints
from croupier.floor.shared.messages import Told
from croupier.floor.writer import Published, entries_behind
from croupier.journal import Store, StoreError
from croupier.rulebook import Book
from croupier.table import Rules, State, evolve

LOG: Final = logging.getLogger("croupier.floor")

_EARLY: Final = 10_000
"""How many messages are kept while the journal is read; behind more of them it is read again."""
AGAIN_SECONDS: Final = 0.5
"""How long a journal that could not be read is left alone: messages come by the hundred a second."""


class Following:
    """Follows a table by what its owner tells, and by the journal where a message is missing."""

    rules: Rules
    state: State

    def __init__(
        self,
        store: Store,
        table: str,
        find_book: Callable[[str], Book],
        tell: Callable[[Sequence[Published]], None],
    ) -> None:
        """`tell` hears of all that happens, in order, with the state as it is behind the last of it."""
        self._store = store
        self._table = table
        self._find_book = find_book
        self._tell = tell
        self._parts: list[Published] = []
        """What was told of something that is to be seen together, so far."""
        self._early: list[Told] = []
        self._reading: asyncio.Task[None] | None = None
        self._broken_at: int | None = None
        """How far things were told when something could not be carried out; the state is wrong then."""
        self._stopped = False
        self._complaints = Complaints(table)

    @property
    def sequence(self) -> int:
        """How far it has come."""
        return self.state.sequence

    async def load(self, told_to: int | None = None) -> list[Published]:
        """Reads the table from the journal; gives what is behind `told_to` and is to be told."""
        loaded = await asyncio.to_thread(load_table, self._store, self._table, self._find_book)
        if loaded is None:
            raise StoreError(f"There is no table {self._table!r} in this journal.")
        missed: list[Published] = []
        if told_to is not None and told_to < loaded.state.sequence:
            missed = await self._read(told_to, loaded.state.sequence)
        self.rules, self.state = loaded.rules, loaded.state
        return missed

    def hear(self, told: Told) -> None:
        """The owner tells something."""
        if self._stopped:
            return
        if self._reading is not None:
            if len(self._early) < _EARLY:
                self._early.append(told)
            return
        self._take(told)

    async def catch_up(self) -> None:
        """Reads what is in the journal and was not told."""
        while self._reading is not None and not self._reading.done():
            await asyncio.wait((self._reading,))
        if not self._stopped:
            await asyncio.wait((self._begin_reading(),))

    def stop(self) -> None:
        """Lets go of the table; nothing is told any more."""
        self._stopped = True
        if self._reading is not None:
            self._reading.cancel()

    def _take(self, told: Told) -> None:
        heard_to = self._parts[-1].sequence if self._parts else self.sequence
        if told.first > heard_to + 1 or self._broken_at is not None:
            self._begin_reading()  # something was missed
            return
        if told.first + len(told.entries) <= heard_to:
            return  # it came again, perhaps between the parts of something new
        known = heard_to + 1 - told.first
        self._parts += [
            Published(number, entry) for number, entry in enumerate(told.entries[known:], start=heard_to + 1)
        ]
        if not told.more and self._parts:
            self._carry_out()

    def _carry_out(self) -> None:
        published, self._parts = self._parts, []
        before = self.sequence
        try:
            for _, entry in published:
                evolve(self.rules, self.state, entry)
        except Exception:
            # The state is neither here nor there now; the journal has the truth.
            LOG.exception("table %s: what was told cannot be followed", self._table)
            self._broken_at = before
            self._begin_reading()
            return
        self._tell(published)

    def _begin_reading(self) -> "asyncio.Task[None]":
        self._parts = []
        reading = self._read_on() if self._broken_at is None else self._load_anew(self._broken_at)
        self._reading = task = asyncio.create_task(reading, name=f"following {self._table}")
        return task

    async def _read_on(self) -> None:
        """Reads to the end of the journal, and takes what was told meanwhile."""
        try:
            missed = await self._read(self.sequence)
            self._complaints.over()
            if missed:
                self._parts = missed
                self._carry_out()
        except StoreError as error:
            self._complaints.warn(f"what was missed cannot be read yet: {error}")
            await self._pause()
        finally:
            if self._reading is asyncio.current_task():
                self._reading = None
        self._take_early()

    async def _load_anew(self, told_to: int) -> None:
        try:
            missed = await self.load(told_to)
            self._broken_at = None
            self._complaints.over()
            if missed:
                self._tell(missed)
        except StoreError as error:
            self._complaints.warn(f"it cannot be read: {error}")
            await self._pause()
        except Exception as error:  # the next message has it tried again, and whoever uses it is not held up
            if self._complaints.is_new(f"{error!r}"):
                LOG.exception("table %s: it cannot be read", self._table)
            await self._pause()
        finally:
            self._reading = None
        self._take_early()

    async def _pause(self) -> None:
        """Leaves the journal alone for a moment; the next message behind it has it tried again."""
        await asyncio.sleep(AGAIN_SECONDS)
        self._early.clear()

    def _take_early(self) -> None:
        early, self._early = self._early, []
        for told in early:
            self.hear(told)

    async def _read(self, after: int, until: int | None = None) -> list[Published]:
        return await asyncio.to_thread(entries_behind, self._store, self._table, after, until)
