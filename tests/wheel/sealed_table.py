"""A running table with a simulated wheel: feed, commitments and openings, on a clock that a test moves."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from croupier.floor import Published
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.table import Event
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.fair_check import Verdict, check_journal
from croupier.wheel.feed import WheelFeed
from croupier.wheel.signals import Signal
from croupier.wheel.simulated import SimulatedSource
from croupier.wheel.simulated_play import SimulatedPlay
from croupier.wheel.simulated_trouble import Troubles
from croupier.wheel.uniform import ChanceOf, seeded
from floor.sim_live import TABLE, Live
from table.rig import DEALER

SPEED = 100
STEP_MS = 20
_TURNS = 20


class NotedFeed(WheelFeed):
    """A feed that says whether it is at work."""

    is_at_work = False

    async def take(self, signal: Signal) -> None:
        """Does what a signal asks for."""
        self.is_at_work = True
        await super().take(signal)
        self.is_at_work = False


class NotedPlay(SimulatedPlay):
    """A play that says whether it is at work."""

    is_at_work = False

    async def _follow(self, event: Event) -> None:
        self.is_at_work = True
        await super()._follow(event)
        self.is_at_work = False


class SealedTable:
    """A live table whose spins are simulated."""

    def __init__(self, path: Path, book: str = "mbs-roulette", **settings: Any) -> None:
        self.path = path
        self.live = Live(path, book=book, spin_source="simulated", **settings)
        self.book = self.live.rules.book
        self.tasks: list[asyncio.Task[None]] = []

    async def start(self, chance: ChanceOf | None = None) -> Self:
        """Runs the table and its wheel."""
        self.told: list[Event] = []
        heard: list[Callable[[Sequence[Published]], None]] = [self._note]
        await self.live.start(publish=lambda published: [hear(published) for hear in heard])
        self.source = SimulatedSource(
            TABLE, self.book, self.live.clock, chance or seeded(1), speed=SPEED, troubles=Troubles(self.book)
        )
        self.play = NotedPlay(self.live.run, self.source, self.live.clock)
        heard.append(self.play.tell)
        self.feed = NotedFeed(self.live.run, self.source, self.live.clock)
        self.tasks = [asyncio.create_task(run()) for run in (self.play.run, self.feed.run)]
        return self

    async def leave(self) -> None:
        """Ends the wheel and the table's runner, and keeps the file."""
        await self.source.close()
        for task in self.tasks:
            task.cancel()
        for ended in await asyncio.gather(*self.tasks, return_exceptions=True):
            assert ended is None or isinstance(ended, asyncio.CancelledError), ended
        await self.live.run.stop()

    async def stop(self) -> None:
        """Ends everything."""
        await self.leave()
        self.live.store.close()

    async def until(self, condition: Callable[[], object], step_ms: int = STEP_MS) -> None:
        """Moves the clock until something is the case; time only passes while everybody waits for it."""
        await self._rest()
        while not condition():
            self.live.clock.advance(step_ms)
            await self._rest()

    async def _rest(self) -> None:
        """Lets everybody go on until there is nothing to do but to wait for the clock."""
        for _ in range(_TURNS):
            for _ in range(10):
                await asyncio.sleep(0)
            await self.live.run.settled_state()
            for task in self.tasks:
                assert not task.done() or task.cancelled() or task.exception() is None, task.exception()
            if not (self.feed.is_at_work or self.play.is_at_work or self.source.waiting):
                break

    def happened(self, kind: type, number: int) -> bool:
        """Whether an event of a kind was told for a round."""
        return any(isinstance(event, kind) and event.round == number for event in self.told)

    def one(self, kind: type, number: int) -> Any:
        """The one event of a kind for a round."""
        (found,) = [event for event in self.told if isinstance(event, kind) and event.round == number]
        return found

    def place_of(self, kind: type, number: int) -> int:
        """Where in the history an event of a kind stands for a round."""
        return self.told.index(self.one(kind, number))

    async def begin(self, bet: bool = True) -> int:
        """Opens a round that is committed to, with a bet; gives its number."""
        await self.live.do(DEALER, c.OpenRound())
        number = self.live.run.state.round_number
        await self.until(lambda: self.happened(e.SpinCommitted, number))
        if bet:
            first = next(iter(self.live.rules.layout.bets))
            assert (await self.live.bet("1", first, 1_000)).rejection is None
        return number

    async def close(self) -> None:
        """The dealer closes the bets, and the wheel is spun."""
        await self.live.do(DEALER, c.CloseBets())

    async def spun(self, number: int) -> None:
        """Moves on until the wheel is ready again after a round's spin, and the table knows all of it."""
        await self.until(lambda: (shown := self.source.whole()) is not None and shown.round == number)
        await self.until(self.is_quiet)

    def is_quiet(self) -> bool:
        """Whether the wheel has nothing to say that the table does not know."""
        return not (self.source.is_spinning or self.source.waiting or self.feed.is_at_work)

    async def until_ready(self, number: int) -> None:
        """Moves on until the round is opened and the wheel has finished with it."""
        await self.until(lambda: self.happened(e.CommitmentOpened, number) and self.is_quiet())

    async def well_round(self) -> str:
        """A round in which nothing goes wrong; gives its result."""
        number = await self.begin()
        await self.close()
        await self.until(lambda: self.happened(e.ResultEntered, number))
        result: str = self.one(e.ResultEntered, number).result
        await self.live.do(DEALER, c.ConfirmResult(result=result))
        await self.until_ready(number)
        return result

    def verdicts(self) -> list[Verdict]:
        """What the journal shows about every round that is over."""
        evidence = SqliteEvidence(str(self.path / "journal.db"))
        try:
            return check_journal(evidence, TABLE)
        finally:
            evidence.close()

    def _note(self, published: Sequence[Published]) -> None:
        self.told += (item.entry.event for item in published)
