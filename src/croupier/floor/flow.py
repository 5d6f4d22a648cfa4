"""From the queue to the disk: a batch is decided while the one before it is being written.

Commands are decided one after the other on the table's state, which is ahead of the disk while anything is on
its way. At most one batch is being written, and what is decided meanwhile makes the next one. Nothing is
answered or published before its own batch is on the disk, and batches land in their order, so nobody outside
ever sees what is only decided. Where a batch fails, whatever was decided behind it never happened: the table
is read from its journal, and those commands, which nobody has been told of, are decided anew.
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from croupier.floor.announcing import Announcer, no_news
from croupier.floor.archive import Archive
from croupier.floor.failing import Failing
from croupier.floor.refusals import CODES, answer
from croupier.floor.waiting import Waiting, answer_all, answer_soon
from croupier.floor.writer import Batch, BrokenInvariant, Writer
from croupier.journal import ClaimTaken, Fenced, Head, NumberUsed, StoreError

LOG: Final = logging.getLogger("croupier.floor")

_AT_A_TIME: Final = 64
"""How many commands are decided before the event loop turns: the disk and the senders are heard meanwhile."""

_WORTH_WRITING: Final = 256
"""With more than this to do, so many commands are decided before they are written."""


class _Flight(NamedTuple):
    """A batch on its way to the disk, and how its news are sent once it is there."""

    batch: Batch
    done: "asyncio.Future[Head]"
    send: Callable[[], None]


class Flow:
    """The one way to a table's writer, for everybody in order."""

    def __init__(
        self,
        writer: Writer,
        archive: Archive,
        *,
        announcer: Announcer,
        halting: Callable[[str], Waiting],
        let_go: Callable[[], None],
        trouble: Callable[[str], None] | None,
        batch_limit: int,
    ) -> None:
        self.table = writer.table
        self.stepped_down = False
        self.announcer = announcer
        self._writer = writer
        self._archive = archive
        self._halting = halting
        self._let_go = let_go
        self.failing = Failing(writer.table, trouble)
        self._batch_limit = batch_limit
        self._queue: deque[Waiting] = deque()
        self._ahead = Batch()
        """Decided behind what is being written."""
        self._flying: _Flight | None = None
        self._turn = asyncio.Lock()  # held by whoever uses the writer
        self._quiet_wanted = 0
        self._wake = asyncio.Event()
        self._taken = 0  # how many commands were ever put into the queue
        self._unwritten_halt: str | None = None

    @property
    def waiting(self) -> int:
        """How many commands wait for their batch to begin."""
        return len(self._queue) + len(self._ahead.waiting)

    @property
    def has_queue(self) -> bool:
        """Whether anybody would have to wait."""
        return bool(self._queue)

    @property
    def is_true(self) -> bool:
        """Whether the state is that of the disk or goes on from it; after a failure it is neither."""
        return self._flying is not None or self._writer.loaded

    def take(self, waiting: Waiting) -> None:
        """Puts a command into the queue."""
        self._queue.append(waiting)
        self._taken += 1
        if not self._wake.is_set():
            self._wake.set()

    @asynccontextmanager
    async def quiet(self) -> AsyncIterator[None]:
        """Waits until nothing is on its way, and keeps it so: the state is what is on the disk."""
        self._quiet_wanted += 1
        try:
            async with self._turn:
                yield
        finally:
            self._quiet_wanted -= 1

    async def past_all(self, *, is_served: Callable[[], bool]) -> None:
        """Waits until all that was asked before has landed."""
        taken = self._taken
        while self._taken - len(self._queue) < taken and is_served() and not self.stepped_down:
            await asyncio.sleep(0)
            async with self.quiet():
                pass

    def refuse_all(self, code: str) -> None:
        """Answers everybody in the queue alike, and empties it."""
        answer_all([*self._queue], code)
        self._queue.clear()

    async def serve(self, idle: Callable[[], Awaitable[None]]) -> None:
        """Carries out what comes, for ever; `idle` is awaited now and then, with nothing on its way."""
        while True:
            await self._woken()
            while self._queue:
                try:
                    async with self._turn:
                        await self._carry_out()
                    # Whoever waits for a quiet table has it now, before the next command.
                    await asyncio.sleep(0)
                    await idle()
                except Exception:  # without this task nobody would ever be answered again
                    self._call_for_help()

    async def _woken(self) -> None:
        await self._wake.wait()
        self._wake.clear()

    async def _carry_out(self) -> None:
        """Decides and writes until nothing is left or somebody wants it quiet; nothing is on its way then."""
        try:
            await self._decide_some()  # whoever wants it quiet all the time does not keep the others waiting
            while True:
                if self._flying is not None and self._flying.done.done():
                    await self._land(self._flying)
                if self._ahead.waiting and self._flying is None and self._is_worth_it():
                    await self._ship()
                if self._may_decide():
                    await asyncio.sleep(0)
                    await self._decide_some()
                elif self._flying is None:
                    return
                else:
                    await self._woken()
        except Exception:
            if self._flying is not None:  # the journal is read again once the disk is done with it
                await asyncio.wait((self._flying.done,))
            batch, self._ahead = self._ahead, Batch()
            answer_all(batch.waiting, "not-registered")  # decided anew, it might go wrong for ever
            raise
        finally:
            if self._flying is not None or self._ahead.waiting:  # it went wrong, or this task is being ended
                self._drop()

    def _is_worth_it(self) -> bool:
        """Whether to write now what was decided.

        What is written and told together costs less for each. A table with much to do writes as much at once
        as is worth it; one with less to do half of it, so that the disk works on one half beside the other.
        """
        decided, waiting = len(self._ahead.waiting), len(self._queue)
        enough = _WORTH_WRITING if decided + waiting > _WORTH_WRITING else waiting
        return decided >= enough or not self._may_decide()

    def _may_decide(self) -> bool:
        return bool(self._queue) and not self._quiet_wanted and len(self._ahead.waiting) < self._batch_limit

    async def _decide_some(self) -> None:
        size = min(len(self._queue), _AT_A_TIME, self._batch_limit - len(self._ahead.waiting))
        some = [self._queue.popleft() for _ in range(size)]
        if self._flying is None and not self._ahead.waiting and self._is_in_trouble():
            await self._commit(some)
            return
        try:
            self._writer.decide(self._ahead, some)
            if self._flying is not None:
                _let_the_writer_on()
        except Exception as error:
            # What is being written was whole; what was decided behind it is not written.
            batch, self._ahead = self._ahead, Batch()
            if self._flying is not None:
                await asyncio.wait((self._flying.done,))
                await self._land(self._flying)
            await self._failed(batch.waiting, error)

    def _is_in_trouble(self) -> bool:
        return self.stepped_down or not self._writer.loaded or self._unwritten_halt is not None

    async def _ship(self) -> None:
        """Begins to write what was decided; its news are made now, while the state is what they tell of."""
        batch, self._ahead = self._ahead, Batch()
        if not batch.published:  # all of it was answered before
            self.announcer.tell(batch, no_news)
            return
        send = self.announcer.composed(batch)
        try:
            done = self._writer.begin(batch)
        except Exception as error:
            self._take_back()
            await self._failed(batch.waiting, error)
            return
        done.add_done_callback(lambda _: self._wake.set())
        self._flying = _Flight(batch, done, send)
        _let_the_writer_on()

    async def _land(self, flight: _Flight) -> None:
        """A batch has come to the disk, or has not."""
        self._flying = None
        try:
            self._writer.landed(flight.done.result())
        except Exception as error:
            self._take_back()
            await self._failed(flight.batch.waiting, error)
        else:
            self._tell(flight.batch, flight.send)

    def _take_back(self) -> None:
        """What was decided behind a batch that failed is to be decided anew."""
        batch, self._ahead = self._ahead, Batch()
        self._queue.extendleft(reversed(batch.waiting))

    def _drop(self) -> None:
        """Lets go of what is on its way: whether it comes to the disk is for the journal to say."""
        flight, self._flying = self._flying, None
        if flight is not None:
            flight.done.add_done_callback(lambda done: done.cancelled() or done.exception())
            answer_all(flight.batch.waiting, "not-registered")
        self._take_back()
        self._writer.loaded = False

    async def _commit(self, waiting: list[Waiting]) -> None:
        """Decides and writes commands with nothing beside them; whatever fails, everybody gets an answer."""
        try:
            if self.stepped_down:
                answer_all(waiting, "stepped-down")
                return
            if not self._writer.loaded:
                await self.load()
            if self._unwritten_halt is not None:
                await self._write_halt(self._unwritten_halt)
            batch = Batch()
            self._writer.decide(batch, waiting)
            send = self.announcer.composed(batch)
            await self._writer.write(batch)
            self._tell(batch, send)
        except asyncio.CancelledError:  # the table stops amid it: whoever runs it next is asked
            answer_all(waiting, "table-down")
            raise
        except Exception as error:
            await self._failed(waiting, error)

    async def _failed(self, waiting: list[Waiting], error: Exception) -> None:
        """Deals with a batch that is not on the disk; everybody in it gets one answer, whatever happens."""
        self.announcer.changed.set()
        try:
            await self._deal_with(waiting, error)
        except Fenced:
            self._step_down(waiting)
        except StoreError as trouble:
            self.failing.failed(str(trouble), len(waiting))
            answer_all(waiting, self._unsettled)
        except Exception:
            self._call_for_help()
            answer_all(waiting, self._unsettled)

    def _tell(self, batch: Batch, send: Callable[[], None]) -> None:
        """Answers and publishes a batch that the journal has taken."""
        self.announcer.tell(batch, send)
        if batch.published:
            self.failing.over()

    async def _deal_with(self, waiting: list[Waiting], error: Exception) -> None:
        """Answers a batch that is not on the disk, as the last thing that it does; or raises."""
        if isinstance(error, ClaimTaken):
            await self._commit_one_by_one(waiting, error)
        elif isinstance(error, BrokenInvariant):
            await self._halt(waiting, str(error))
        elif isinstance(error, NumberUsed):
            await self._answer_from_journal(waiting)
        elif isinstance(error, StoreError):
            raise error
        else:
            # Something that nobody thought of; the journal has the truth.
            LOG.error("table %s: a batch failed", self.table, exc_info=error)
            self._writer.loaded = False
            await self._commit_apart(waiting)

    @property
    def _unsettled(self) -> str:
        """What is answered where nobody knows whether a command was written."""
        return "not-registered" if self._unwritten_halt is None else "table-down"

    async def _commit_apart(self, waiting: list[Waiting]) -> None:
        """One of the batch cannot be written down: only that one is not registered."""
        if len(waiting) == 1:
            answer_all(waiting, "not-registered")
            return
        for one in waiting:
            await self._commit([one])

    async def _answer_from_journal(self, waiting: list[Waiting]) -> None:
        """A number of the batch is in the journal already: that one gets its first answer again."""
        if len(waiting) > 1:
            await self._commit_apart(waiting)
            return
        command = waiting[0].command
        reply = await self._archive.first_answer(command.do, command.sender, command.number)
        answer_soon(waiting, [reply or answer("not-registered")])

    async def _commit_one_by_one(self, waiting: list[Waiting], taken: ClaimTaken) -> None:
        """One of the batch used something up twice: only that one is refused, and the refusal is recorded."""
        if len(waiting) > 1:
            await self._commit_apart(waiting)
            return
        await self.load()
        refused = await self._writer.write_refusal(waiting[0], "voucher-used", claim=taken.key)
        self.announcer.tell(refused, self.announcer.composed(refused))

    async def _halt(self, waiting: list[Waiting], reason: str) -> None:
        """Stops play: nothing of the batch is written, the journal stays readable, and somebody is called."""
        LOG.critical("table %s halted: %s", self.table, reason)
        self.announcer.ring(reason)
        self._unwritten_halt = reason
        try:
            await self.load()
            await self._write_halt(reason)
        except Fenced:
            raise
        except Exception as error:
            self._writer.loaded = False
            LOG.critical("table %s: the halt is not recorded yet: %s", self.table, error)
        answer_all(waiting, "table-down")

    async def _write_halt(self, reason: str) -> None:
        batch = Batch()
        self._writer.decide(batch, [self._halting(reason)])
        send = self.announcer.composed(batch)
        await self._writer.write(batch)
        self._unwritten_halt = None
        self.announcer.tell(batch, send)

    def step_down(self) -> None:
        """Another process writes to the table: this one lets go of it."""
        self._step_down([])

    def _step_down(self, waiting: list[Waiting]) -> None:
        LOG.error(
            "table %s: another process writes to it, or its journal lacks what was written; stepping down",
            self.table,
        )
        self.stepped_down = True
        self.announcer.ring(CODES["stepped-down"])
        answer_all([*waiting, *self._queue], "stepped-down")
        self._queue.clear()
        self._let_go()

    async def load(self) -> None:
        """Reads the table from its journal; nothing is on its way meanwhile.

        A write that was said to have failed may have succeeded after all: whoever listens hears of it now.
        """
        await self._writer.load()
        self.announcer.changed.set()
        told_to = self.announcer.told_to
        if told_to is not None and self._writer.state.sequence > told_to:
            batch = Batch()
            try:
                batch.published = await self._writer.missed(told_to)
            except Exception:
                self._writer.loaded = False  # so that it is tried again
                raise
            self.announcer.tell(batch, self.announcer.composed(batch))

    def _call_for_help(self) -> None:
        """Something was raised that nobody thought of; the table goes on from what its journal says."""
        LOG.critical("table %s: something that nobody thought of", self.table, exc_info=True)
        self._writer.loaded = False
        self.announcer.ring("Something went wrong that the software does not know; its log has it.")


def _let_the_writer_on() -> None:
    """Lets go of Python for a moment, for the thread that writes.

    Without it that thread waits for its turn, up to five milliseconds while there is something to decide:
    before it gives the disk something to do, and again before it can say that it is done.
    """
    time.sleep(0)
