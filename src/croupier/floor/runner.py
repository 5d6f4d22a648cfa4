"""A live table: one queue, one writer, one transaction for all commands that wait."""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Final

from croupier.floor.announcing import Announcer, Compose
from croupier.floor.archive import Archive
from croupier.floor.cage.vouchers import VALID_DAYS
from croupier.floor.clock import TOLERANCE_MS, Clock
from croupier.floor.earlier_rounds import EarlierRounds
from croupier.floor.flow import Flow
from croupier.floor.refusals import answer
from croupier.floor.timekeeping import Timekeeper
from croupier.floor.timing import Due, next_due
from croupier.floor.waiting import Answered, Ask, Line, Lines, Waiting, resolve
from croupier.floor.writer import Published, Writer
from croupier.journal import Store, StoreError
from croupier.rulebook import Book, load_book
from croupier.table import (
    SYSTEM,
    Actor,
    Command,
    Do,
    Reply,
    Rules,
    State,
    may,
    recall_of,
    rounds_to_recall,
    with_rounds,
)
from croupier.table.commands import (
    BuyCredits,
    CashOut,
    CorrectResult,
    Decide,
    DeclareIrregularity,
    HaltTable,
    Interrupt,
    RecallRound,
)

LOG: Final = logging.getLogger("croupier.floor")

_NUMBERS: Final = range(2**63)
_LONGEST_ID: Final = 200
_NOT_THEIRS: Final = frozenset({"not-in-this-game", "not-allowed", "not-your-seat", "players-own-act"})
"""Refusals of those who may not do something, whatever goes on at the table."""

_IDS_KEPT: Final = 10_000
_BUSY_SNAPSHOTS: Final = 4
"""How many times as much may happen between two snapshots of a table that is never idle."""
_LOST_SECONDS: Final = 1
"""What a table that is lost may take to finish: a journal that hangs keeps everybody waiting for nothing."""
_NAMING_ROUNDS: Final = frozenset({CorrectResult, Decide, DeclareIrregularity})
"""The commands that may be about a round that the table has let go of."""
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
        compose: Compose | None = None,
        alarm: Callable[[str, str], None] = lambda table, reason: None,
        trouble: Callable[[str], None] | None = None,
        find_book: Callable[[str], Book] = load_book,
        queue_limit: int = 10_000,
        batch_limit: int = 2_000,
        snapshot_every: int = 20_000,
        voucher_days: int = VALID_DAYS,
        executor: Executor | None = None,
    ) -> None:
        self.table = table
        self._store = store
        self._clock = clock
        self._queue_limit = queue_limit
        self._snapshot_every = snapshot_every
        self._own_thread = None if executor else ThreadPoolExecutor(1, thread_name_prefix=f"journal-{table}")
        self._writer = Writer(store, table, executor or self._threads(), find_book)
        self._voucher_days = voucher_days
        self._earlier = EarlierRounds(store, table, find_book, executor)
        self._archive = Archive(self._writer, store, clock, voucher_days)
        self._flow = Flow(
            self._writer,
            self._archive,
            announcer=Announcer(
                table, compose or (lambda published: functools.partial(publish, published)), alarm
            ),
            halting=self._halting,
            trouble=trouble,
            let_go=self._let_go,
            batch_limit=batch_limit,
        )
        self._times = Timekeeper(clock, self._flow.announcer.changed, self._due, self._give, self._beat)
        self._tasks: list[asyncio.Task[None]] = []
        self._asked: set[asyncio.Task[None]] = set()
        self._system = Actor(id=f"system/{table}", position=SYSTEM)
        self._system_number = 0
        self._asking = 0
        self._lines = Lines()
        self._good_ids: set[tuple[str, ...]] = set()

    @property
    def stepped_down(self) -> bool:
        """Whether another process writes to the table, so that this one has let go of it."""
        return self._flow.stepped_down

    @property
    def waiting(self) -> int:
        """How many commands wait for their batch to begin."""
        return self._flow.waiting

    @property
    def state(self) -> State:
        """The table's state; ahead of the disk while anything is on its way there."""
        return self._writer.state

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""
        return self._writer.rules

    async def start(self) -> None:
        """Opens the table, records the interruption that the stop was, and takes commands."""
        await self._writer.load()
        self._flow.announcer.told_to = self.state.sequence
        beat_ms: int | None = await self._writer.in_thread(self._store.last_beat, self.table)
        began_ms, now_ms = max(self.state.at_ms, beat_ms or 0), self._clock.now_ms()
        # Clocks of two machines are a little apart; one that was set back says nothing about how long it was.
        interrupt = Interrupt(began_ms=min(began_ms, now_ms), length_known=began_ms - now_ms <= TOLERANCE_MS)
        self._tasks = [asyncio.create_task(self._flow.serve(self._keep_snapshot))]
        if not self._writer.is_new:
            reply = await self.submit_as_system(interrupt)
            if reply.rejection is not None:
                await self.stop()
                raise StoreError(f"Table {self.table} was not opened: {reply.rejection.sentence}")
        self._tasks += [
            asyncio.create_task(run()) for run in (self._times.keep_time, self._times.keep_beating)
        ]

    async def stop(self, *, is_lost: bool = False) -> None:
        """Finishes what waits, keeps a snapshot, and lets go of the table.

        Where another process may run it by now, only what is finished in a moment is finished here.
        """
        if self._tasks and not self.stepped_down:
            with contextlib.suppress(StoreError, TimeoutError):  # what waited is answered either way
                async with asyncio.timeout(_LOST_SECONDS if is_lost else None):
                    await self.settled_state()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        self._flow.refuse_all("table-down")
        if self._writer.loaded and not self.stepped_down and not is_lost:
            self._snapshot_every = 1
            await self._keep_snapshot()
        await asyncio.gather(*self._asked, return_exceptions=True)  # the journal is asked in that thread
        if self._own_thread is not None:  # it may be waiting for a database; nobody else waits with it
            await asyncio.to_thread(self._own_thread.shutdown)

    async def submit(self, ask: Ask) -> Reply:
        """Has the table decide a command; the answer comes once it is on the disk."""
        refused = self._not_taken(ask)
        if refused is not None:
            return refused
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        answered = functools.partial(resolve, future)
        if ask.sender in self._lines.of or self._asks_the_journal(ask) or self._needs_recall(ask):
            await self._submit_in_line(self._lines.join(ask.sender), ask, answered)
        else:
            self._take(ask, answered)
        return await future

    async def _submit_in_line(self, line: Line, ask: Ask, answered: Answered) -> None:
        """Takes a command behind those of the same sender, for which the journal is asked one by one."""
        async with self._lines.turn(ask.sender, line):
            refused = self._not_taken(ask)  # the table may be down by now
            if refused is None and self._asks_the_journal(ask):
                refused = await self._answer_of_journal(ask) or self._not_taken(ask)
            recalls: list[RecallRound] = []
            if refused is None and self._needs_recall(ask):
                recalled = await self._recalls(ask)
                if isinstance(recalled, Reply):
                    refused = recalled
                else:
                    recalls, refused = recalled, self._not_taken(ask)
            if refused is None:
                for recall in recalls:  # nothing comes between these and the command
                    self._take(self.as_system(recall), lambda reply: None)
                self._take(ask, answered)
        if refused is not None:
            answered(refused)

    async def _answer_of_journal(self, ask: Ask) -> Reply | None:
        self._asking += 1
        try:
            knows = self._knows(ask.sender)
            return await self._archive.answer(
                ask.do, ask.sender, ask.number, knows_sender=knows, may_ask=self._may_ask(ask)
            )
        except StoreError as error:
            self._flow.failing.failed(str(error), 1)
            return answer("not-registered")
        except Exception:  # whoever asks is answered, whatever is wrong with the journal
            LOG.exception("table %s: its journal could not be asked", self.table)
            return answer("not-registered")
        finally:
            self._asking -= 1

    async def _recalls(self, ask: Ask) -> list[RecallRound] | Reply:
        """What puts the rounds back into memory that a command needs, or the answer where that fails."""
        self._asking += 1
        try:
            state = await self.consistent_state()
            found = await self._earlier.find(state, rounds_to_recall(state, ask.do))
            return [recall_of(round_, read_to) for round_, read_to in found]
        except StoreError as error:
            self._flow.failing.failed(str(error), 1)
            return answer("not-registered")
        except Exception:  # whoever asks is answered, whatever is wrong with the journal
            LOG.exception("table %s: an earlier round could not be read", self.table)
            return answer("not-registered")
        finally:
            self._asking -= 1

    def _needs_recall(self, ask: Ask) -> bool:
        """Whether nothing but an earlier round is missing to carry a command out."""
        if type(ask.do) not in _NAMING_ROUNDS or not rounds_to_recall(self.state, ask.do):
            return False
        why_not = may(self.rules, self.state, self._command(ask))
        return why_not is not None and why_not.code == "round-not-recalled"

    def submit_nowait(self, ask: Ask, answered: Answered) -> None:
        """Has the table decide a command; `answered` is called in the event loop once it is on the disk.

        It is never called before this returns, and costs no task and no future where the table itself can
        answer.
        """
        refused = self._not_taken(ask)
        if refused is not None:
            asyncio.get_running_loop().call_soon(answered, refused)
        elif ask.sender in self._lines.of or self._asks_the_journal(ask) or self._needs_recall(ask):
            line = self._lines.join(ask.sender)
            task = asyncio.create_task(self._submit_in_line(line, ask, answered))
            self._asked.add(task)
            task.add_done_callback(self._asked.discard)
        else:
            self._take(ask, answered)

    def _take(self, ask: Ask, answered: Answered) -> None:
        """Puts a command into the queue, with the time at which it came."""
        self._flow.take(_new(Waiting, (self._command(ask), answered)))

    def _command(self, ask: Ask) -> Command:
        do = ask.do
        return Command(
            at_ms=self._clock.now_ms(),
            actor=ask.actor,
            sender=ask.sender,
            number=ask.number,
            do=do,
            second=ask.second,
            round=ask.round,
            voucher_days=self._voucher_days if type(do) is CashOut else None,
        )

    async def consistent_state(self) -> State:
        """The state as it is on the disk: between two batches, however much waits."""
        async with self._flow.quiet():
            if not self._writer.loaded:
                await self._flow.load()
            return self.state

    async def state_with(self, do: Do) -> State:
        """The state as it is on the disk, with the earlier rounds that a command names beside the latest."""
        state = await self.consistent_state()
        found = await self._earlier.find(state, rounds_to_recall(state, do))
        return with_rounds(state, tuple(earlier.round for earlier in found))

    def _asks_the_journal(self, ask: Ask) -> bool:
        """Whether the table alone cannot answer: a voucher of another table, or a sender it does not know."""
        do = ask.do
        return not self._knows(ask.sender) or (type(do) is BuyCredits and do.voucher is not None)

    def _may_ask(self, ask: Ask) -> bool:
        """Whether the table lets this person do this at all, whatever goes on at it."""
        command = Command(
            at_ms=self._clock.now_ms(),
            actor=ask.actor,
            sender=ask.sender,
            number=ask.number,
            do=ask.do,
            second=ask.second,
        )
        refused = may(self._writer.rules, self._writer.state, command)
        return refused is None or refused.code not in _NOT_THEIRS

    def _knows(self, sender: str) -> bool:
        return sender in self._writer.state.answers or sender == self._system.id

    def as_system(self, do: Do) -> Ask:
        """What the table itself reports, with a number of its own: interruptions, lost terminals."""
        return Ask(self._system, do, self._system.id, self._next_number())

    async def submit_as_system(self, do: Do) -> Reply:
        """Has the table itself report something, once."""
        return await self.submit(self.as_system(do))

    async def settled_state(self) -> State:
        """The state with all that was asked before, and nothing on its way to the disk."""
        await self._flow.past_all(is_served=lambda: bool(self._tasks))
        return await self.consistent_state()

    def _not_taken(self, ask: Ask) -> Reply | None:
        """What is answered at once: no table, too much to do, or nothing that could be written down."""
        if self.stepped_down:
            return answer("stepped-down")
        if not self._tasks:
            return answer("table-down")
        if self._flow.waiting + self._asking >= self._queue_limit:
            return answer("busy")
        sender, actor, second = ask.sender, ask.actor, ask.second
        ids = (sender, actor.id) if second is None else (sender, actor.id, second.id)
        if ask.number not in _NUMBERS or (ids not in self._good_ids and not self._are_good(ids)):
            return answer("bad-command")
        return None

    def _are_good(self, ids: tuple[str, ...]) -> bool:
        """Whether a journal can keep these names; the ones seen lately are remembered."""
        if not all(text.isprintable() and len(text) <= _LONGEST_ID for text in ids):
            return False
        if len(self._good_ids) >= _IDS_KEPT:
            self._good_ids.clear()
        self._good_ids.add(ids)
        return True

    def _halting(self, reason: str) -> Waiting:
        """The command by which the table itself stops play; nobody waits for its answer."""
        command = Command(
            at_ms=self._clock.now_ms(),
            actor=self._system,
            sender=self._system.id,
            number=self._next_number(),
            do=HaltTable(reason=reason),
        )
        return Waiting(command, lambda reply: None)

    def _next_number(self) -> int:
        known = self.state.answers.get(self._system.id, {})
        self._system_number = max(self._system_number, *known, self.state.sequence) + 1
        return self._system_number

    def _let_go(self) -> None:
        for task in self._tasks[1:]:  # the first one is running this, or is about to find nothing to do
            task.cancel()

    async def _keep_snapshot(self) -> None:
        """Keeps a snapshot now and then; later where somebody would have to wait for it."""
        every = self._snapshot_every * (_BUSY_SNAPSHOTS if self._flow.has_queue else 1)
        if not self._writer.wants_snapshot(every):
            return
        async with self._flow.quiet():
            if self._writer.loaded:
                try:
                    await self._writer.keep_snapshot()
                except StoreError as error:
                    LOG.warning("table %s: no snapshot: %s", self.table, error)
                except Exception:  # a snapshot is only a cache: play goes on without it, whatever is wrong
                    LOG.exception("table %s: no snapshot", self.table)

    async def _due(self) -> Due | None:
        """What time asks of the table next."""
        return next_due(self.state if self._flow.is_true else await self.consistent_state())

    async def _give(self, due: Due) -> bool:
        """Has the table do what time asks for, unless something else has happened meanwhile."""
        if next_due(self.state) != due:
            return True
        system = self._system
        reply = await self.submit(Ask(system, due.do, system.id, self._next_number(), round=due.round))
        return reply.rejection is None

    async def _beat(self) -> None:
        """Notes that this process is alive, and looks whether another one has taken the table."""
        with contextlib.suppress(StoreError):  # only a hint for how long an interruption was
            async with self._flow.quiet():
                if await self._writer.is_replaced():
                    self._flow.step_down()
                    return
            await self._writer.in_thread(self._store.beat, self.table, self._clock.now_ms())

    def _threads(self) -> Executor:
        if self._own_thread is None:
            raise RuntimeError("a runner with an executor of somebody else has no thread of its own")
        return self._own_thread
