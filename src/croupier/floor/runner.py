"""A live table: one queue, one writer, one transaction for all commands that wait."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

import msgspec

from croupier.floor.clock import Clock
from croupier.floor.codec import drafts_of
from croupier.floor.loading import load_table, snapshot_of
from croupier.floor.refusals import CODES, answer
from croupier.floor.timing import next_due
from croupier.floor.watching import faults_after
from croupier.journal import EMPTY, ClaimTaken, Draft, Fenced, Head, Store, StoreError, link
from croupier.rulebook import Book, load_book
from croupier.table import SYSTEM, Actor, Command, Do, Entry, Rejection, Reply, State, evolve, submit
from croupier.table.commands import HaltTable, Interrupt
from croupier.table.events import Cause, CommandRefused

T = TypeVar("T")

LOG: Final = logging.getLogger("croupier.floor")

BEAT_SECONDS: Final = 1


class Published(NamedTuple):
    """An entry that is on the disk, with its place in the table's history."""

    sequence: int
    entry: Entry


class _Waiting(NamedTuple):
    command: Command
    answer: "asyncio.Future[Reply]"


class _BrokenInvariant(Exception):
    """Deciding a command led to a state that cannot be."""


class Runner:
    """Runs one table on its journal. Nobody else may write to that table.

    `state` is ahead of the disk while a batch is being written; `settled_state` waits until it is not.
    """

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
    ) -> None:
        self.table = table
        self.stepped_down = False
        self._store = store
        self._clock = clock
        self._publish = publish
        self._alarm = alarm
        self._find_book = find_book
        self._queue: deque[_Waiting] = deque()
        self._queue_limit = queue_limit
        self._batch_limit = batch_limit
        self._snapshot_every = snapshot_every
        self._snapshot_at = 0
        self._head: Head = EMPTY
        self._loaded = False
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._phase_changed = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"journal-{table}")
        self._tasks: list[asyncio.Task[None]] = []
        self._system = Actor(id=f"system/{table}", position=SYSTEM)

    @property
    def waiting(self) -> int:
        """How many commands wait in the queue."""
        return len(self._queue)

    async def start(self) -> None:
        """Opens the table, records the interruption that the stop was, and takes commands."""
        await self._load()
        beat_ms: int | None = await self._in_thread(self._store.last_beat, self.table)
        began_ms = max(self.state.at_ms, beat_ms or 0)
        self._tasks = [
            asyncio.create_task(run()) for run in (self._serve, self._keep_time, self._keep_beating)
        ]
        if self._head.sequence > 1:
            await self.submit_as_system(Interrupt(began_ms=min(began_ms, self._clock.now_ms())))

    async def stop(self) -> None:
        """Finishes what waits, keeps a snapshot, and lets go of the table."""
        if self._tasks and not self.stepped_down:
            await self._idle.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        while self._queue:
            self._queue.popleft().answer.set_result(answer("table-down"))
        if self._loaded and not self.stepped_down:
            with contextlib.suppress(StoreError):  # a snapshot is only a cache
                await self._in_thread(
                    self._store.save_snapshot, self.table, snapshot_of(self.state, self._head)
                )
        self._thread.shutdown()

    async def submit(
        self, actor: Actor, do: Do, sender: str, number: int, second: Actor | None = None
    ) -> Reply:
        """Has the table decide a command; the answer comes once it is on the disk."""
        if self.stepped_down:
            return answer("stepped-down")
        if not self._tasks:
            return answer("table-down")
        if len(self._queue) >= self._queue_limit:
            return answer("busy")
        command = Command(
            at_ms=self._clock.now_ms(), actor=actor, sender=sender, number=number, do=do, second=second
        )
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(command, future))
        self._idle.clear()
        self._wake.set()
        return await future

    async def submit_as_system(self, do: Do) -> Reply:
        """Has the table itself report something: timers, interruptions, lost terminals."""
        return await self.submit(self._system, do, self._system.id, self._next_system_number())

    async def settled_state(self) -> State:
        """The state with nothing on its way to the disk."""
        await self._idle.wait()
        return self.state

    def _next_system_number(self) -> int:
        known = self.state.answers.get(self._system.id, {})
        waiting = (item.command.number for item in self._queue if item.command.sender == self._system.id)
        return max(max(known, default=0), max(waiting, default=0)) + 1

    async def _serve(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                size = min(len(self._queue), self._batch_limit)
                await self._commit([self._queue.popleft() for _ in range(size)])
            self._idle.set()

    async def _commit(self, batch: list[_Waiting]) -> None:
        """Decides and writes a batch down; whatever fails, every sender gets an answer."""
        try:
            if not self._loaded:
                await self._load()
            await self._decide_and_write(batch)
        except Fenced:
            self._step_down(batch)
        except ClaimTaken as taken:
            await self._commit_one_by_one(batch, taken)
        except _BrokenInvariant as broken:
            await self._halt(batch, str(broken))
        except StoreError as error:
            LOG.error("table %s: %s", self.table, error)
            self._loaded = False  # the journal is read again before the next command
            self._answer_all(batch, "not-registered")

    async def _decide_and_write(self, batch: list[_Waiting]) -> None:
        replies, drafts, published = self._decide(batch)
        if drafts:
            records = list(link(self.table, self._head, drafts))
            claims = [
                (key, record.sequence)
                for draft, record in zip(drafts, records, strict=True)
                for key in draft.claims
            ]
            await self._in_thread(self._store.append, records, claims)
            self._head = Head(records[-1].sequence, records[-1].hash)
        for waiting, reply in zip(batch, replies, strict=True):
            if not waiting.answer.done():
                waiting.answer.set_result(reply)
        if published:
            self._publish(published)
            self._phase_changed.set()
        await self._keep_snapshot()

    def _decide(self, batch: list[_Waiting]) -> tuple[list[Reply], list[Draft], list[Published]]:
        """Decides every command on the state that the ones before it have led to."""
        rules, state = self.rules, self.state
        replies: list[Reply] = []
        drafts: list[Draft] = []
        published: list[Published] = []
        for waiting in batch:
            try:
                reply = submit(rules, state, waiting.command)
                for entry in reply.entries:
                    evolve(rules, state, entry)
                    published.append(Published(state.sequence, entry))
            except Exception as error:
                self._loaded = False
                raise _BrokenInvariant(f"{type(error).__name__}: {error}") from error
            if faults := faults_after(state, reply.entries):
                self._loaded = False
                raise _BrokenInvariant(" ".join(faults))
            replies.append(reply)
            drafts += drafts_of(reply.entries)
        return replies, drafts, published

    async def _commit_one_by_one(self, batch: list[_Waiting], taken: ClaimTaken) -> None:
        """One of the batch used something up twice: only that one is refused, and the refusal is recorded."""
        self._loaded = False
        if len(batch) > 1:
            for waiting in batch:
                await self._commit([waiting])
            return
        (waiting,) = batch
        try:
            await self._load()
            reply = await self._record_refusal(waiting.command, taken.key)
        except StoreError:
            self._loaded = False
            reply = answer("not-registered")
        waiting.answer.set_result(reply)

    async def _record_refusal(self, command: Command, key: str) -> Reply:
        refused = submit(self.rules, self.state, command)
        code = "voucher-used"
        rejection = Rejection(code=code, sentence=CODES[code], facts={"claim": key})
        tag = str(type(command.do).__struct_config__.tag)
        cause: Cause = refused.entries[0].cause
        entry = Entry(cause, CommandRefused(command=tag, rejection=rejection))
        records = list(link(self.table, self._head, drafts_of([entry])))
        await self._in_thread(self._store.append, records, [])
        evolve(self.rules, self.state, entry)
        self._head = Head(records[-1].sequence, records[-1].hash)
        self._publish([Published(self.state.sequence, entry)])
        return Reply(
            rejection=rejection, entries=(entry,), first=self.state.sequence, last=self.state.sequence
        )

    async def _halt(self, batch: list[_Waiting], reason: str) -> None:
        """Stops play: nothing of the batch is written, the journal stays readable, and somebody is called."""
        LOG.critical("table %s halted: %s", self.table, reason)
        self._alarm(self.table, reason)
        halt = Command(
            at_ms=self._clock.now_ms(),
            actor=self._system,
            sender=self._system.id,
            number=0,
            do=HaltTable(reason=reason),
        )
        try:
            await self._load()
            halt = msgspec.structs.replace(halt, number=self._next_system_number())
            await self._decide_and_write([_Waiting(halt, asyncio.get_running_loop().create_future())])
        except (StoreError, _BrokenInvariant) as error:
            LOG.critical("table %s: the halt could not be recorded: %s", self.table, error)
            self._loaded = False
        self._answer_all(batch, "table-down")

    def _step_down(self, batch: list[_Waiting]) -> None:
        LOG.error("table %s: another process writes to it; stepping down", self.table)
        self.stepped_down = True
        self._alarm(self.table, CODES["stepped-down"])
        self._answer_all([*batch, *self._queue], "stepped-down")
        self._queue.clear()
        for task in self._tasks[1:]:  # the first one is running this
            task.cancel()

    def _answer_all(self, batch: Sequence[_Waiting], code: str) -> None:
        for waiting in batch:
            if not waiting.answer.done():
                waiting.answer.set_result(answer(code))

    async def _load(self) -> None:
        loaded = await self._in_thread(load_table, self._store, self.table, self._find_book)
        if loaded is None:
            raise StoreError(f"There is no table {self.table!r} in this journal.")
        self.rules, self.state, self._head = loaded
        self._snapshot_at = self._head.sequence
        self._loaded = True

    async def _keep_snapshot(self) -> None:
        if self._head.sequence - self._snapshot_at >= self._snapshot_every:
            self._snapshot_at = self._head.sequence
            try:
                await self._in_thread(
                    self._store.save_snapshot, self.table, snapshot_of(self.state, self._head)
                )
            except StoreError as error:
                LOG.warning("table %s: no snapshot: %s", self.table, error)

    async def _keep_time(self) -> None:
        """Gives the commands that time gives: the warning and the close."""
        while True:
            self._phase_changed.clear()
            due = next_due(self.state)
            if due is None:
                await self._phase_changed.wait()
                continue
            sleeping = asyncio.ensure_future(self._clock.sleep_until(due.at_ms))
            changing = asyncio.ensure_future(self._phase_changed.wait())
            try:
                await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
            finally:
                sleeping.cancel()
                changing.cancel()
            if self._clock.now_ms() >= due.at_ms and next_due(self.state) == due:
                await self.submit_as_system(due.do)

    async def _keep_beating(self) -> None:
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + 1000 * BEAT_SECONDS)
            with contextlib.suppress(StoreError):  # only a hint for how long an interruption was
                await self._in_thread(self._store.beat, self.table, self._clock.now_ms())

    async def _in_thread(self, act: Callable[..., T], *args: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, act, *args)
