"""A table whose wheel is emulated at the other end of a real line, step by step: nobody waits for a clock."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from croupier.floor import ManualClock
from croupier.table import Actor, Do
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.state import BETTING, CLOSED, RESULTED
from croupier.wheel.emulator import SPEAKS, USER_STARTS, EmulatedSpin, EmulatedWheel, Timing
from croupier.wheel.emulator_troubles import Chances
from croupier.wheel.emulator_wire import Wire
from croupier.wheel.feed import WheelFeed
from croupier.wheel.line import PLACE_BETS, LineBuffer
from croupier.wheel.line_source import REOPEN_MS, LineSource
from croupier.wheel.recording import LINE, LOST, OPENED, Heard
from croupier.wheel.signals import Signal
from floor.sim_live import Live
from table.rig import DEALER, SHIFT_MANAGER, START_MS, SUPERVISOR

QUICK = Timing(before=(2, 2), launching=(2, 3), in_rim=(6, 8), dropping=(5, 7), result=(3, 3))


class CountingSource(LineSource):
    """A source that knows how much it has heard and given away."""

    given = 0

    def _give(self, signals: list[Signal]) -> None:
        self.given += len(signals)
        super()._give(signals)


class Ended(NamedTuple):
    """How a round ended, as the journal has it."""

    result: str | None
    said_by: str | None
    void: str | None
    faults: tuple[str, ...]


class EmulatedTable:
    """Dealer and wheel take turns; a step is half a second of the wheel's life."""

    def __init__(self, live: Live, wire: Wire, wheel: EmulatedWheel) -> None:
        self.live, self.wire, self.wheel = live, wire, wheel
        self.clock = ManualClock(START_MS)
        self.heard: list[Heard] = []
        self.log: list[Heard | tuple[Actor, Do, Actor | None]] = []
        """What was heard and what people did, in the order in which it happened."""
        self._sent = self._heard_lines = self._opened = 0
        self._lines = LineBuffer()
        self._taken = 0
        self._moved = asyncio.Event()
        self.source = CountingSource(wire.address, live.rules.book.pockets, self.clock, note=self._note)
        self.feed = WheelFeed(live.run, self.source, live.clock)
        self._consuming = asyncio.create_task(self._consume())

    @classmethod
    async def begin(
        cls, path: Path, wire: Wire, book: str, rates: dict[str, float], seed: int, **chosen: Any
    ) -> "EmulatedTable":
        live = Live(path, book=book, betting_seconds=None, rounds_kept=2, **chosen)
        # A journal that survives a power cut is for other tests; here it would only cost time.
        live.store._connection.execute("PRAGMA synchronous = OFF")
        await live.start()
        await live.open("1")
        wheel = EmulatedWheel(
            live.rules.book.pockets,
            Random(seed),
            chances=Chances(rates),
            mode=SPEAKS | USER_STARTS,
            timing=QUICK,
        )
        waiting: list[EmulatedTable] = []

        def take(data: bytes) -> bytes:
            answer = wheel.take(data)
            for table in waiting:
                table._count(answer)
            return answer

        await wire.open(take)
        table = cls(live, wire, wheel)
        waiting.append(table)
        await table._until(lambda: bool(table.heard))
        return table

    def _note(self, heard: Heard) -> None:
        self.heard.append(heard)
        self.log.append(heard)
        self._heard_lines += heard.what == LINE
        self._opened += heard.what == OPENED
        self._moved.set()

    async def _consume(self) -> None:
        async for signal in self.source:
            await self.feed.take(signal)
            self._taken += 1
            self._moved.set()

    def _count(self, data: bytes) -> None:
        self._sent += len(self._lines.take(data))

    async def _until(self, is_so: Any) -> None:
        while not is_so():
            self._moved.clear()
            if self._consuming.done():
                self._consuming.result()
            await self._moved.wait()

    async def settle(self) -> None:
        """Waits until all that was sent is heard, and all that it means is at the table."""
        await self._until(lambda: self._heard_lines >= self._sent)
        await self._until(lambda: self._taken >= self.source.given)

    async def step(self) -> None:
        """Half a second: the wheel speaks, the table does what follows, and the dealer looks."""
        self.clock.advance(500)
        for piece in self.wheel.tick():
            self._count(piece)
            await self.wire.send(piece)
        await self.settle()
        if self.wheel.hangs_up:
            self.wheel.hangs_up = False
            await self._cut()
        await self._deal()

    async def _cut(self) -> None:
        """The line is cut and, a second later, open again."""
        opened = self._opened
        self._lines = LineBuffer()
        await self.wire.hang_up()
        await self._until(lambda: self.heard[-1].what == LOST)
        self.clock.advance(REOPEN_MS)
        await self._until(lambda: self._opened > opened)

    async def _deal(self) -> None:
        """What a dealer does who looks at the table and at the wheel."""
        state = self.live.run.state
        if state.halted is not None:
            await self._do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
        round_ = state.round
        if round_ is None:
            if self.wheel.state == PLACE_BETS:
                await self._open()
        elif round_.phase == RESULTED:
            await self._do(DEALER, c.ConfirmResult(result=str(round_.result)))
        elif self.wheel.state == PLACE_BETS and len(self.wheel.spins) == round_.number:
            await self._state_result(self.wheel.spins[-1])

    async def _open(self) -> None:
        await self._do(DEALER, c.OpenRound())
        if self.live.rules.closes_before_spin:
            await self._do(DEALER, c.CloseBets())
        assert await self.feed.start_game() is None

    async def _state_result(self, spin: EmulatedSpin) -> None:
        """The wheel has given no result that counts: the dealer states what lies in it."""
        round_ = self.live.run.state.round
        assert round_ is not None
        if self.live.run.state.awaits_outcome:
            lies = None if spin.trouble == "no-ball" else spin.pocket
            await self._do(SHIFT_MANAGER, c.StateOutcome(result=lies))
            return
        if round_.phase == BETTING:
            await self._do(DEALER, c.CloseBets())
        if round_.phase == CLOSED and round_.spin is None:
            await self._do(DEALER, c.StartSpin())
        if spin.trouble == "no-ball":
            await self._do(DEALER, c.DeclareIrregularity(cause="ball-out", note="on the floor"))
            return
        await self._do(DEALER, c.EnterResult(result=spin.pocket), SUPERVISOR)
        await self._do(DEALER, c.ConfirmResult(result=spin.pocket))

    async def _do(self, actor: Actor, do: Do, second: Actor | None = None) -> None:
        self.log.append((actor, do, second))
        await self.live.do(actor, do, second)

    async def rounds(self, count: int) -> None:
        """Plays so many rounds."""
        while self.live.run.state.round_number < count or self.live.run.state.round is not None:
            await self.step()

    async def end(self) -> None:
        await self.source.close()
        await self._consuming
        await self.wire.close()
        await self.live.stop()

    def ended(self) -> list[Ended]:
        """Every round by the journal's own records."""
        rounds: dict[int, dict[str, Any]] = {}
        for item in self.live.published:
            event = item.entry.event
            number = getattr(event, "round", None)
            if number is None:
                continue
            facts = rounds.setdefault(number, {"result": None, "said_by": None, "void": None, "faults": ()})
            match event:
                case e.ResultEntered():
                    facts["said_by"] = event.said_by
                case e.RoundSettled():
                    facts["result"] = event.result
                case e.RoundVoided():
                    facts["void"] = event.cause
                case e.WheelReported(fault=str(fault)):
                    facts["faults"] = (*facts["faults"], fault)
        return [Ended(**rounds[number]) for number in sorted(rounds)]
