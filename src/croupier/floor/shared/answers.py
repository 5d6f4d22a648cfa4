"""Answers from another server: each is given once this one knows what it rests on."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec

from croupier.floor.shared.following import Following
from croupier.floor.shared.messages import Answer
from croupier.floor.waiting import Answered
from croupier.floor.writer import Published, entries_behind
from croupier.journal import Store, StoreError
from croupier.table import Reply

LOG: Final = logging.getLogger("croupier.floor")

BEHIND_SECONDS: Final = 0.5
"""How long an answer waits for what it rests on before the journal is asked for it."""


class Answers:
    """Answers that have come, in the order in which they can be given."""

    def __init__(
        self,
        store: Store,
        table: str,
        following: Callable[[], Following | None],
        told_to: Callable[[], int],
    ) -> None:
        """`following` gives what follows the table here, if anything does; `told_to` how far it was told."""
        self._store = store
        self._table = table
        self._following = following
        self._told_to = told_to
        self._behind: list[tuple[Reply, Answered]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def came(self, found: Answer, answered: Answered) -> None:
        """An answer has come; screens hear of what has happened before they hear the answer."""
        if found.entries is None:
            self._run(self._with_entries(found, answered))
            return
        reply = Reply(
            rejection=found.rejection,
            entries=found.entries,
            first=found.first,
            last=found.last,
            repeated=found.repeated,
        )
        if reply.last <= self._told_to():
            give(answered, reply)
            return
        self._behind.append((reply, answered))
        if len(self._behind) == 1:
            self._run(self._catch_up())

    async def past_all(self) -> None:
        """Waits until all that has come by now was given."""
        now = [*self._behind]
        while any(item in self._behind for item in now):
            await asyncio.sleep(BEHIND_SECONDS / 50)

    def followed(self, sequence: int) -> None:
        """The table was followed so far."""
        if self._behind:
            ready = [item for item in self._behind if item[0].last <= sequence]
            self._behind = [item for item in self._behind if item[0].last > sequence]
            _give(ready)

    def give_all(self) -> None:
        """Gives what has come: all of it is on the disk, whether it was followed or not."""
        behind, self._behind = self._behind, []
        _give(behind)

    async def stop(self) -> None:
        """Gives what has come, and waits for nothing more."""
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.give_all()

    async def _with_entries(self, found: Answer, answered: Answered) -> None:
        """An answer whose entries are too many for a message: they are in the journal."""
        read: list[Published] = []
        try:
            read = await asyncio.to_thread(
                entries_behind, self._store, self._table, found.first - 1, found.last
            )
        except StoreError as error:
            LOG.warning("table %s: what an answer tells of cannot be read: %s", self._table, error)
        self.came(msgspec.structs.replace(found, entries=tuple(entry for _, entry in read)), answered)

    async def _catch_up(self) -> None:
        """What an answer rests on should have been told by now; the journal has it in any case."""
        await asyncio.sleep(BEHIND_SECONDS)
        following = self._following()
        if self._behind and following is not None:
            await following.catch_up()
        self.give_all()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _give(behind: list[tuple[Reply, Answered]]) -> None:
    for reply, answered in behind:
        give(answered, reply)


def give(answered: Answered, reply: Reply) -> None:
    """Gives one answer; that it cannot be given keeps nobody else from theirs."""
    try:
        answered(reply)
    except Exception:
        LOG.exception("an answer could not be given")
