"""A table of a floor that has several servers: run here, or followed while another server runs it.

Whoever holds the table's lease runs it. The journal is the truth and its fence protects it; the bus only
makes things quick. Whoever uses this does not notice which of the two it is.
"""

import asyncio
import contextlib
import functools
import logging
from collections.abc import Callable, Sequence
from typing import Final

from croupier.floor.announcing import Compose
from croupier.floor.cage.vouchers import VALID_DAYS
from croupier.floor.clock import Clock
from croupier.floor.earlier_rounds import EarlierRounds
from croupier.floor.runner import Runner
from croupier.floor.shared.answers import Answers
from croupier.floor.shared.asking import MOVED_ON, Asking
from croupier.floor.shared.bus import Heard, Listening
from croupier.floor.shared.complaining import Complaints
from croupier.floor.shared.following import Following
from croupier.floor.shared.holding import is_held
from croupier.floor.shared.messages import MOST_BYTES
from croupier.floor.shared.news import News
from croupier.floor.shared.suspicion import Suspicion
from croupier.floor.shared.voice import Company, Voice
from croupier.floor.waiting import Answered, Ask, resolve
from croupier.floor.writer import Published, entries_behind
from croupier.journal import Store, StoreError
from croupier.rulebook import Book, load_book
from croupier.table import SYSTEM, Actor, Do, Reply, Rules, State, rounds_to_recall, with_rounds

LOG: Final = logging.getLogger("croupier.floor")

LOOK_MS: Final = 500
"""How often a server looks after a table: says how far it is, and whether it is still the owner."""
SILENT_MS: Final = 2_000
"""How long an owner may be silent before another server tries to get its table."""


class SharedTable:
    """One table of several servers; it has the surface of a `Runner`."""

    def __init__(
        self,
        store: Store,
        table: str,
        clock: Clock,
        company: Company,
        *,
        compose: Compose,
        alarm: Callable[[str, str], None] = lambda table, reason: None,
        find_book: Callable[[str], Book] = load_book,
        takes_first: bool = True,
        voucher_days: int = VALID_DAYS,
        moved: Callable[[bool], None] = lambda is_owner: None,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """`takes_first` says whether it takes a table that has no owner at once; `moved` hears of changes."""
        self.table = table
        self._store = store
        self._clock = clock
        self._company = company
        self._alarm = alarm
        self._find_book = find_book
        self._takes_first = takes_first
        self._voucher_days = voucher_days
        self._moved = moved
        self._runner: Runner | None = None
        self._following: Following | None = None
        self._last: Runner | None = None
        """Who ran the table here, until it can be followed."""
        self._opening: list[Published] | None = None
        """What happens while the table is being taken over, and nobody has been told yet."""
        self._heard_ms: int | None = clock.now_ms()
        self._earlier = EarlierRounds(store, table, find_book)
        self._voice = Voice(company, table, clock, most_bytes)
        self._news = News(store, table, compose, self._voice)
        self._answers = Answers(store, table, lambda: self._following, lambda: self._news.told_to or 0)
        self._asking = Asking(
            company.bus, company.seal, clock, company.subjects, table, company.id, self._answers.came
        )
        self._listening: list[Listening] = []
        self._hears_asks: Listening | None = None
        self._looking: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()  # held by whoever changes from owner to follower or back
        self._system = Actor(id=f"system/{table}", position=SYSTEM)
        self._system_number = 0
        self._suspicion = Suspicion(store, table, clock)
        self._failures = 0
        """How often the table could not be followed."""
        self._stopping = self._leaves = False
        self._complaints = Complaints(table)

    # What a Runner has

    @property
    def is_owner(self) -> bool:
        """Whether the table runs here."""
        return self._runner is not None

    def is_silent(self) -> bool:
        """Whether nothing was heard of an owner elsewhere for some time."""
        return self._heard_ms is None or self._clock.now_ms() - self._heard_ms >= SILENT_MS

    @property
    def stepped_down(self) -> bool:
        """A shared table is never lost: another server runs it."""
        return False

    @property
    def waiting(self) -> int:
        """How many commands wait here."""
        return self._asking.waiting + (0 if self._runner is None else self._runner.waiting)

    @property
    def state(self) -> State:
        """The table's state; at the owner it may be ahead of the disk."""
        return self._present().state

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""
        return self._present().rules

    async def start(self) -> None:
        """Opens the table, or follows whoever has it open."""
        company = self._company
        self._listening.append(await company.bus.listen(company.subjects.told(self.table), self._hear_told))
        await self._asking.start()
        if not (self._takes_first and await self._try_to_own()):
            await self._follow()
        self._looking = asyncio.create_task(self._look_on(), name=f"shared table {self.table}")

    async def stop(self) -> None:
        """Finishes what waits here and lets go of the table; another server takes it."""
        self._stopping = True
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        if (runner := self._runner or self._last) is not None:  # letting go of it may have been cut short
            await self._let_go(runner)
        if self._following is not None:
            self._following.stop()
        await self._asking.stop()
        for listening in self._listening:
            await listening.stop()
        await self._answers.stop()
        await self._give_back()  # it may have been taken in the very moment

    async def submit(self, ask: Ask) -> Reply:
        """Has the table decide a command; the answer comes once it is on the disk."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.submit_nowait(ask, functools.partial(resolve, future))
        return await future

    def submit_nowait(self, ask: Ask, answered: Answered) -> None:
        """The same; `answered` is called in the event loop, and never before this returns."""
        if self._runner is None:
            self._asking.ask(ask, answered)
        else:
            self._ask_here(self._runner, ask, answered)

    def as_system(self, do: Do) -> Ask:
        """What the table itself reports, with a number of its own."""
        # Each server counts for itself, so that a command that is sent again is the same one.
        self._system_number = max(self._system_number + 1, self._clock.now_ms())
        sender = f"{self._system.id}/{self._company.name}"
        return Ask(self._system, do, sender, self._system_number)

    async def submit_as_system(self, do: Do) -> Reply:
        """Has the table itself report something, once."""
        return await self.submit(self.as_system(do))

    async def consistent_state(self) -> State:
        """The state as it is on the disk."""
        if self._runner is None and self._following is None:
            failures = self._failures
            async with self._turn:  # who ran it here may have been ahead of the disk
                if self._failures > failures:  # while this waited, and it would be so for everybody in turn
                    raise StoreError(f"Table {self.table} cannot be read yet.")
                if self._runner is None and self._following is None:
                    await self._follow()
        runner = self._runner
        try:
            return self.state if runner is None else await runner.consistent_state()
        except Exception:
            if self._runner is runner:
                raise
        return await self.consistent_state()  # it was let go of meanwhile

    async def state_with(self, do: Do) -> State:
        """The state as it is on the disk, with the earlier rounds that a command names beside the latest."""
        state = await self.consistent_state()
        found = await self._earlier.find(state, rounds_to_recall(state, do))
        return with_rounds(state, tuple(earlier.round for earlier in found))

    async def settled_state(self) -> State:
        """The state with all that was asked here before, and nothing on its way to the disk."""
        await self._asking.past_all()
        await self._answers.past_all()
        runner = self._runner
        return await (self.consistent_state() if runner is None else runner.settled_state())

    def _present(self) -> Runner | Following:
        present = self._runner or self._following or self._last
        if present is None:
            raise RuntimeError(f"table {self.table} was not started")
        return present

    def _ask_here(self, runner: Runner, ask: Ask, answered: Answered) -> None:
        def own(reply: Reply) -> None:
            if reply.rejection is not None and reply.rejection.code in MOVED_ON and not self._stopping:
                self._asking.ask(ask, answered)  # the table was lost in this moment; whoever has it answers
            else:
                answered(reply)

        runner.submit_nowait(ask, own)

    async def hand_over(self) -> None:
        """Lets another server have the table, and does not take it again."""
        self._leaves = True
        async with self._turn:
            if self._runner is not None:
                await self._let_go(self._runner)
                with contextlib.suppress(StoreError):  # it is tried again until it succeeds
                    await self._follow()

    # The owner

    async def _try_to_own(self) -> bool:
        """Takes the table over, where nobody else has it."""
        leases = self._company.leases
        try:
            if not await asyncio.to_thread(leases.take, self.table):
                if self.is_silent():
                    await self._suspect_owner()
                return False
        except StoreError as error:
            self._suspicion.begin_anew()
            self._complaints.warn(f"nobody can say who runs it: {error}")
            return False
        try:
            await self._own()
        except BaseException as error:
            await self._give_back()
            if not isinstance(error, StoreError):
                raise
            self._complaints.warn(f"it cannot be taken over: {error}")
            return False
        return True

    async def _suspect_owner(self) -> None:
        """Takes the table from an owner that hangs, so that it can be had."""
        if await self._suspicion.is_confirmed():
            self._complaints.warn("the server that has it hangs; it is taken from it")
            await asyncio.to_thread(self._company.leases.evict, self.table)
        else:
            self._complaints.warn("another server has it and is not heard: is it on the same bus?")

    async def _own(self) -> None:
        self._opening = []
        runner = Runner(
            self._store,
            self.table,
            self._clock,
            compose=self._composed,
            alarm=self._alarm,
            trouble=self._in_trouble,
            find_book=self._find_book,
            voucher_days=self._voucher_days,
        )
        try:
            await runner.start()
            missed = await self._missed(runner)
            await runner.consistent_state()
        except BaseException:
            self._opening = None
            await runner.stop()
            raise
        # From here on nothing else happens before all is done: whoever listens hears of everything once, also
        # of what was followed until now.
        told_to = runner.state.sequence if self._news.told_to is None else self._news.told_to
        news = [item for item in (*missed, *self._opening) if item.sequence > told_to]
        self._opening = None
        if self._following is not None:
            self._following.stop()
        self._runner, self._following, self._last = runner, None, None
        if news:
            self._news.tell_here(news)
        self._news.told_to = runner.state.sequence
        self._complaints.over()
        LOG.info("table %s: it runs at this server (%s)", self.table, self._company.name)
        self._answers.give_all()
        self._moved(True)
        self._voice.tell_how_far(runner.state.sequence)
        for ask, answered in self._asking.take_all():
            self._ask_here(runner, ask, answered)
        company = self._company
        self._hears_asks = await company.bus.listen(company.subjects.ask(self.table), self._hear_ask)

    async def _missed(self, runner: Runner) -> list[Published]:
        """What the journal has between what was told here and what the table has done since."""
        told_to = self._news.told_to
        until = self._opening[0].sequence - 1 if self._opening else runner.state.sequence
        if told_to is None or until <= told_to:
            return []
        return await asyncio.to_thread(entries_behind, self._store, self.table, told_to, until)

    def _composed(self, published: Sequence[Published]) -> Callable[[], None]:
        """What the owner's own runner asks for: the news for whoever listens here, and for the others."""
        if self._opening is not None:
            return functools.partial(self._opening.extend, published)
        return self._news.of_owner(published)

    def _hear_ask(self, heard: Heard) -> None:
        ask, runner = self._voice.asked(heard), self._runner
        if ask is not None and runner is not None:
            answered = functools.partial(self._voice.answer, heard.reply_to)
            runner.submit_nowait(ask, answered)

    async def _let_go(self, runner: Runner, *, is_lost: bool = False) -> None:
        """Stops running the table; whoever waits is asked for elsewhere."""
        # At once: what is on its way to the disk may take long, and the wheel is wanted at another server.
        self._runner, self._last = None, runner
        if self._hears_asks is not None:
            await self._hears_asks.stop()
            self._hears_asks = None
        await runner.stop(is_lost=is_lost)
        await self._give_back()
        self._voice.tell_how_far(self._news.told_to or 0, leaving=True)

    async def _give_back(self) -> None:
        with contextlib.suppress(StoreError):  # it was lost with the connection then
            await asyncio.to_thread(self._company.leases.give_back, self.table)

    # The followers

    async def _follow(self) -> None:
        following = Following(self._store, self.table, self._find_book, self._followed)
        self._failures += 1  # unless it succeeds
        missed = await following.load(self._news.told_to)
        self._failures -= 1
        self._following, self._last = following, None
        if missed:  # with the state that belongs to it, and not with that of who ran the table here
            self._followed(missed)
        self._news.told_to = following.sequence
        self._heard_ms = self._clock.now_ms()
        self._moved(False)

    def _followed(self, published: Sequence[Published]) -> None:
        self._news.tell_here(published)
        self._answers.followed(published[-1].sequence)

    def _hear_told(self, heard: Heard) -> None:
        news = self._voice.told(heard)
        if news is None:
            return
        if self._voice.is_new(heard, news):
            self._heard_ms = None if news.leaving else self._clock.now_ms()
            if self._following is not None:  # while the journal cannot be read, all is not well
                self._complaints.over()
        if self._following is not None:
            self._following.hear(news)

    # Both

    async def _look_on(self) -> None:
        """Looks after the table, for ever."""
        while True:
            await self._clock.sleep_until(self._clock.now_ms() + LOOK_MS)
            try:
                async with self._turn:
                    await self._look()
            except StoreError as error:
                self._complaints.warn(f"it cannot be looked after: {error}")
            except Exception as error:
                if self._complaints.is_new(f"{error!r}"):
                    LOG.exception("table %s: it could not be looked after", self.table)

    async def _look(self) -> None:
        runner = self._runner
        if runner is None:
            if self._following is None:
                await self._follow()
            if self.is_silent() and not self._leaves:
                await self._try_to_own()
        elif runner.stepped_down or not await is_held(self._company.leases, self.table):
            LOG.error("table %s: another server runs it, or will; following it", self.table)
            await self._let_go(runner, is_lost=True)
            await self._follow()
        else:
            if runner.state.sequence > (self._news.told_to or 0):
                # The table plays on as soon as it can be written; until then it is looked after all the same.
                with contextlib.suppress(StoreError, TimeoutError):
                    async with asyncio.timeout(LOOK_MS / 1_000):
                        self._news.tell_rest((await runner.consistent_state()).sequence)
            self._voice.tell_how_far(self._news.told_to or 0)

    def _in_trouble(self, what: str) -> None:
        """The disk has failed; while the table is being taken over it is tried again and again."""
        if self._opening is None:
            LOG.error("table %s: %s", self.table, what)
        else:
            self._complaints.warn(what)
