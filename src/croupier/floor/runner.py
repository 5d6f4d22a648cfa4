"""A live table: one queue, one writer, one transaction for all commands that wait."""

import asyncio
import contextlib
import functools
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final

from croupier.floor.archive import Archive
from croupier.floor.clock import Clock
from croupier.floor.refusals import CODES, answer
from croupier.floor.timing import next_due
from croupier.floor.waiting import Answered, Line, Lines, Waiting, answer_all, answer_soon, resolve
from croupier.floor.writer import BrokenInvariant, Published, Writer, Written
from croupier.journal import ClaimTaken, Fenced, NumberUsed, Store, StoreError
from croupier.journal.faults import point
from croupier.rulebook import Book, load_book
from croupier.table import SYSTEM, Actor, Command, Do, Reply, Rules, State
from croupier.table.commands import BuyCredits, HaltTable, Interrupt

LOG: Final = logging.getLogger("croupier.floor")

BEAT_SECONDS: Final = 1
RETRY_SECONDS: Final = 1
_NUMBERS: Final = range(2**63)
_LONGEST_ID: Final = 200
_BUSY_SNAPSHOTS: Final = 4
"""How many times as much may happen between two snapshots of a table that is never idle."""
_new: Final = tuple.__new__


class Runner:
    """Runs one table on its journal. Nobody else may write to that table."""

    def __init__(
        self,
        store: Store,
        table: str,
        clock: Clock,
        *,
        publish: Callable[[Sequence[Published]], None] = lambda published: None,
        alarm: Callable[[str, str], None] = lambda table, reason: None,
        find_book: Callable[[str], Book] = load_book,
        queue_limit: int = 10_000,
        batch_limit: int = 2_000,
        snapshot_every: int = 20_000,
        executor: Executor | None = None,
    ) -> None:
        self.table = table
        self.stepped_down = False
        self._store = store
        self._clock = clock
        self._publish = publish
        self._alarm = alarm
        self._queue: deque[Waiting] = deque()
        self._queue_limit = queue_limit
        self._batch_limit = batch_limit
        self._snapshot_every = snapshot_every
        self._own_thread = None if executor else ThreadPoolExecutor(1, thread_name_prefix=f"journal-{table}")
        self._writer = Writer(store, table, executor or self._threads(), find_book)
        self._archive = Archive(self._writer, store)
        self._turn = asyncio.Lock()  # held by whoever uses the writer
        self._wake = asyncio.Event()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._asked: set[asyncio.Task[None]] = set()
        self._system = Actor(id=f"system/{table}", position=SYSTEM)
        self._system_number = 0
        self._asking = 0
        self._lines = Lines()
        self._taken = 0  # how many commands were ever put into the queue
        self._unwritten_halt: str | None = None

    @property
    def waiting(self) -> int:
        """How many commands wait in the queue."""
        return len(self._queue)

    @property
    def state(self) -> State:
        """The table's state; ahead of the disk while a batch is being written."""
        return self._writer.state

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""
        return self._writer.rules

    async def start(self) -> None:
        """Opens the table, records the interruption that the stop was, and takes commands."""
        await self._writer.load()
        beat_ms: int | None = await self._writer.in_thread(self._store.last_beat, self.table)
        began_ms = min(max(self.state.at_ms, beat_ms or 0), self._clock.now_ms())
        self._tasks = [asyncio.create_task(self._serve())]
        if not self._writer.is_new:
            reply = await self.submit_as_system(Interrupt(began_ms=began_ms))
            if reply.rejection is not None:
                await self.stop()
                raise StoreError(f"Table {self.table} was not opened: {reply.rejection.sentence}")
        self._tasks += [asyncio.create_task(run()) for run in (self._keep_time, self._keep_beating)]

    async def stop(self) -> None:
        """Finishes what waits, keeps a snapshot, and lets go of the table."""
        if self._tasks and not self.stepped_down:
            with contextlib.suppress(StoreError):  # what waited has been answered either way
                await self.settled_state()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        answer_all([*self._queue], "table-down")
        self._queue.clear()
        if self._writer.loaded and not self.stepped_down:
            self._snapshot_every = 1
            await self._keep_snapshot()
        if self._own_thread is not None:
            self._own_thread.shutdown()

    async def submit(
        self, actor: Actor, do: Do, sender: str, number: int, second: Actor | None = None
    ) -> Reply:
        """Has the table decide a command; the answer comes once it is on the disk."""
        refused = self._not_taken(actor, sender, number, second)
        if refused is not None:
            return refused
        if sender in self._lines or self._asks_the_journal(do, sender):
            return await self._submit_in_line(self._lines.join(sender), actor, do, sender, number, second)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._take(actor, do, sender, number, second, functools.partial(resolve, future))
        return await future

    async def _submit_in_line(
        self, line: Line, actor: Actor, do: Do, sender: str, number: int, second: Actor | None
    ) -> Reply:
        """Takes a command behind those of the same sender, for which the journal is asked one by one."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        async with self._lines.turn(sender, line):
            refused = None
            if self._asks_the_journal(do, sender):
                self._asking += 1
                try:
                    refused = await self._archive.answer(do, sender, number, knows_sender=self._knows(sender))
                finally:
                    self._asking -= 1
            refused = refused or self._not_taken(actor, sender, number, second)
            if refused is None:
                self._take(actor, do, sender, number, second, functools.partial(resolve, future))
        return refused or await future

    def submit_nowait(
        self,
        actor: Actor,
        do: Do,
        sender: str,
        number: int,
        second: Actor | None,
        answered: Answered,
    ) -> None:
        """Has the table decide a command; `answered` is called in the event loop once it is on the disk.

        It is never called before this returns, and costs no task and no future where the table itself can
        answer.
        """
        refused = self._not_taken(actor, sender, number, second)
        if refused is not None:
            asyncio.get_running_loop().call_soon(answered, refused)
        elif sender in self._lines or self._asks_the_journal(do, sender):
            line = self._lines.join(sender)
            submitted = self._submit_in_line(line, actor, do, sender, number, second)
            task = asyncio.ensure_future(self._answer(answered, submitted))
            self._asked.add(task)
            task.add_done_callback(self._asked.discard)
        else:
            self._take(actor, do, sender, number, second, answered)

    async def _answer(self, answered: Answered, submitted: Awaitable[Reply]) -> None:
        answered(await submitted)

    def _take(
        self, actor: Actor, do: Do, sender: str, number: int, second: Actor | None, answered: Answered
    ) -> None:
        """Puts a command into the queue, with the time at which it came."""
        command = Command(
            at_ms=self._clock.now_ms(), actor=actor, sender=sender, number=number, do=do, second=second
        )
        self._queue.append(_new(Waiting, (command, answered)))
        self._taken += 1
        if not self._wake.is_set():
            self._wake.set()

    async def consistent_state(self) -> State:
        """The state as it is on the disk: between two batches, however much waits."""
        async with self._turn:
            if not self._writer.loaded:
                await self._writer.load()
            return self.state

    def _asks_the_journal(self, do: Do, sender: str) -> bool:
        """Whether the table alone cannot answer: a voucher of another table, or a sender it does not know."""
        return not self._knows(sender) or (type(do) is BuyCredits and do.voucher is not None)

    def _knows(self, sender: str) -> bool:
        return sender in self._writer.state.answers or sender == self._system.id

    async def submit_as_system(self, do: Do) -> Reply:
        """Has the table itself report something: timers, interruptions, lost terminals."""
        known = self.state.answers.get(self._system.id, {})
        self._system_number = max(self._system_number, *known, self.state.sequence) + 1
        return await self.submit(self._system, do, self._system.id, self._system_number)

    async def settled_state(self) -> State:
        """The state with all that was asked before, and nothing on its way to the disk."""
        taken = self._taken
        while self._taken - len(self._queue) < taken and self._tasks and not self.stepped_down:
            await asyncio.sleep(0)
            async with self._turn:
                pass
        return await self.consistent_state()

    def _not_taken(self, actor: Actor, sender: str, number: int, second: Actor | None) -> Reply | None:
        """What is answered at once: no table, too much to do, or nothing that could be written down."""
        if self.stepped_down:
            return answer("stepped-down")
        if not self._tasks:
            return answer("table-down")
        if len(self._queue) + self._asking >= self._queue_limit:
            return answer("busy")
        ids = (sender, actor.id) if second is None else (sender, actor.id, second.id)
        if number not in _NUMBERS:
            return answer("bad-command")
        for text in ids:
            if not text.isprintable() or len(text) > _LONGEST_ID:
                return answer("bad-command")
        return None

    async def _serve(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                async with self._turn:
                    size = min(len(self._queue), self._batch_limit)
                    await self._commit([self._queue.popleft() for _ in range(size)])
                # Whoever was answered is told now, and what that leads to goes into the next batch.
                await asyncio.sleep(0)
                await self._keep_snapshot()

    async def _commit(self, batch: list[Waiting]) -> None:
        """Decides and writes a batch down; whatever fails, every sender gets an answer."""
        try:
            if self.stepped_down:
                answer_all(batch, "stepped-down")
                return
            if not self._writer.loaded:
                await self._writer.load()
            if self._unwritten_halt is not None:
                await self._write_halt(self._unwritten_halt)
            self._tell(batch, await self._writer.write([waiting.command for waiting in batch]))
        except Fenced:
            self._step_down(batch)
        except ClaimTaken as taken:
            await self._commit_one_by_one(batch, taken)
        except BrokenInvariant as broken:
            await self._halt(batch, str(broken))
        except NumberUsed:
            await self._answer_from_journal(batch)
        except StoreError as error:
            LOG.error("table %s: %s", self.table, error)
            answer_all(batch, "not-registered" if self._unwritten_halt is None else "table-down")
        except Exception:
            # Nobody waits for ever because of something that nobody thought of; the journal has the truth.
            LOG.exception("table %s: a batch failed", self.table)
            self._writer.loaded = False
            answer_all(batch, "not-registered")

    async def _answer_from_journal(self, batch: list[Waiting]) -> None:
        """A number of the batch is in the journal already: that one gets its first answer again."""
        if len(batch) > 1:
            for waiting in batch:
                await self._commit([waiting])
            return
        command = batch[0].command
        reply = await self._archive.first_answer(command.do, command.sender, command.number)
        answer_soon(batch, [reply or answer("not-registered")])

    def _tell(self, batch: Sequence[Waiting], written: Written) -> None:
        point("batch-durable")
        answer_soon(batch, written.replies)
        point("batch-answered")
        if written.published:
            self._changed.set()
            try:
                self._publish(written.published)
            except Exception:
                LOG.exception("table %s: publishing failed", self.table)
        point("batch-published")

    async def _commit_one_by_one(self, batch: list[Waiting], taken: ClaimTaken) -> None:
        """One of the batch used something up twice: only that one is refused, and the refusal is recorded."""
        if len(batch) > 1:
            for waiting in batch:
                await self._commit([waiting])
            return
        try:
            await self._writer.load()
            written = await self._writer.write_refusal(batch[0].command, "voucher-used", claim=taken.key)
            self._tell(batch, written)
        except Fenced:
            self._step_down(batch)
        except StoreError as error:
            LOG.error("table %s: %s", self.table, error)
            answer_all(batch, "not-registered")

    async def _halt(self, batch: list[Waiting], reason: str) -> None:
        """Stops play: nothing of the batch is written, the journal stays readable, and somebody is called."""
        LOG.critical("table %s halted: %s", self.table, reason)
        self._ring(reason)
        self._unwritten_halt = reason
        try:
            await self._writer.load()
            await self._write_halt(reason)
        except Fenced:
            self._step_down(batch)
        except (StoreError, BrokenInvariant) as error:
            LOG.critical("table %s: the halt is not recorded yet: %s", self.table, error)
        answer_all(batch, "table-down")

    async def _write_halt(self, reason: str) -> None:
        known = self.state.answers.get(self._system.id, {})
        self._system_number = max(self._system_number, *known, self.state.sequence) + 1
        halt = Command(
            at_ms=self._clock.now_ms(),
            actor=self._system,
            sender=self._system.id,
            number=self._system_number,
            do=HaltTable(reason=reason),
        )
        written = await self._writer.write([halt])
        self._unwritten_halt = None
        self._tell([], Written([], written.published))

    def _step_down(self, batch: list[Waiting]) -> None:
        LOG.error("table %s: another process writes to it; stepping down", self.table)
        self.stepped_down = True
        self._ring(CODES["stepped-down"])
        answer_all([*batch, *self._queue], "stepped-down")
        self._queue.clear()
        for task in self._tasks[1:]:  # the first one is running this
            task.cancel()

    def _ring(self, reason: str) -> None:
        try:
            self._alarm(self.table, reason)
        except Exception:
            LOG.exception("table %s: the alarm failed", self.table)

    async def _keep_snapshot(self) -> None:
        """Keeps a snapshot now and then; later where somebody would have to wait for it."""
        every = self._snapshot_every * (_BUSY_SNAPSHOTS if self._queue else 1)
        async with self._turn:
            if self._writer.loaded:
                try:
                    await self._writer.keep_snapshot(every)
                except StoreError as error:
                    LOG.warning("table %s: no snapshot: %s", self.table, error)
                except Exception:  # a snapshot is only a cache: play goes on without it, whatever is wrong
                    LOG.exception("table %s: no snapshot", self.table)

    async def _keep_time(self) -> None:
        """Gives the commands that time gives: the warning and the close."""
        while True:
            self._changed.clear()
            try:
                due = next_due(await self.consistent_state())
            except StoreError:
                await self._clock.sleep_until(self._clock.now_ms() + 1000 * RETRY_SECONDS)
                continue
            if due is None:
                await self._changed.wait()
                continue
            await self._wait_until(due.at_ms)
            if self._clock.now_ms() >= due.at_ms and next_due(self.state) == due:
                reply = await self.submit_as_system(due.do)
                if reply.rejection is not None:
                    await self._clock.sleep_until(self._clock.now_ms() + 1000 * RETRY_SECONDS)

    async def _wait_until(self, at_ms: int) -> None:
        """Waits for a time, or for anything to happen at the table."""
        sleeping = asyncio.ensure_future(self._clock.sleep_until(at_ms))
        changing = asyncio.ensure_future(self._changed.wait())
        try:
            await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            changing.cancel()

    async def _keep_beating(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + 1000 * BEAT_SECONDS)
            with contextlib.suppress(StoreError):  # only a hint for how long an interruption was
                async with self._turn:
                    if await self._writer.is_replaced():
                        self._step_down([])
                        return
                await self._writer.in_thread(self._store.beat, self.table, self._clock.now_ms())

    def _threads(self) -> Executor:
        if self._own_thread is None:
            raise RuntimeError("a runner with an executor of somebody else has no thread of its own")
        return self._own_thread
