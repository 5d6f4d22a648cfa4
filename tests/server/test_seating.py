"""A terminal that comes and goes while the table is told of it, or cannot be told of it."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest

from croupier.floor import Ask, ManualClock
from croupier.floor.insisting import AGAIN_MS
from croupier.floor.refusals import answer
from croupier.server.seating import Presence
from croupier.table import SYSTEM, Actor, Do, Reply
from croupier.table import commands as c
from croupier.table.commands import LoseSeat, RestoreSeat
from floor import sim_live
from floor.sim_live import Live, played
from table.rig import DEALER, START_MS
from wheel.wheel_rig import SeenClock


class SlowTable:
    """A table with one seat that takes its time."""

    table = "R1"

    def __init__(self) -> None:
        self.seat = SimpleNamespace(in_use=True, kind="terminal", lost=False)
        self.taken: list[type[Do]] = []
        self.let_through = asyncio.Event()
        self.let_through.set()
        self._under_way: list[asyncio.Future[None]] = []

    async def consistent_state(self) -> Any:
        return SimpleNamespace(seats={"1": self.seat})

    def as_system(self, do: Do) -> Ask:
        return Ask(Actor(id="system/R1", position=SYSTEM), do, "system/R1", len(self.taken))

    async def submit(self, ask: Ask) -> Reply:
        self.taken.append(type(ask.do))
        self._under_way.append(asyncio.ensure_future(self._carry_out(type(ask.do) is LoseSeat)))
        await self.let_through.wait()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return Reply(rejection=None, entries=(), first=1, last=1)

    async def _carry_out(self, lost: bool) -> None:
        """What was asked happens, whether whoever has asked waits for it or not."""
        await self.let_through.wait()
        self.seat.lost = lost


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def present(table: Any, **options: Any) -> tuple[Presence, ManualClock]:
    clock = ManualClock(1_000)
    return Presence(table, clock, 10, **options), clock


@played
async def test_a_terminal_that_comes_back_while_its_seat_is_being_lost_has_it_again() -> None:
    table = SlowTable()
    presence, clock = present(table)
    presence.arrived("1")
    await turns()
    table.let_through.clear()
    presence.left("1")
    await turns()
    clock.advance(10_000)
    await turns()
    assert table.taken == [LoseSeat]
    presence.arrived("1")
    await turns()
    table.let_through.set()
    await turns()
    assert table.taken == [LoseSeat, RestoreSeat]
    assert not table.seat.lost
    presence.stop()


@played
async def test_a_terminal_that_goes_while_its_seat_is_being_restored_has_its_time_again() -> None:
    table = SlowTable()
    table.seat.lost = True
    presence, clock = present(table)
    table.let_through.clear()
    presence.arrived("1")
    await turns()
    presence.left("1")
    table.let_through.set()
    await turns()
    assert not table.seat.lost
    clock.advance(9_999)
    await turns()
    assert table.taken == [RestoreSeat]
    clock.advance(1)
    await turns()
    assert table.taken == [RestoreSeat, LoseSeat]
    presence.stop()


@played
async def test_a_server_that_does_not_run_the_table_leaves_it_to_the_one_that_does() -> None:
    table = SlowTable()
    runs_here = False
    presence, clock = present(table, decides=lambda: runs_here)
    presence.arrived("1")
    await turns()
    presence.left("1")
    await turns()
    clock.advance(10_000)
    await turns()
    assert table.taken == []
    runs_here = True
    presence.expect("1")
    await turns()
    clock.advance(10_000)
    await turns()
    assert table.taken == [LoseSeat]
    presence.stop()


@played
async def test_a_terminal_at_another_server_is_there() -> None:
    table = SlowTable()
    elsewhere = {"1"}
    presence, clock = present(table, elsewhere=lambda: elsewhere)
    table.seat.lost = True
    presence.expect("1")
    await turns()
    assert table.taken == [RestoreSeat]
    presence.arrived("1")
    presence.left("1")
    await turns()
    clock.advance(100_000)
    await turns()
    assert table.taken == [RestoreSeat]
    elsewhere.clear()
    presence.expect("1")
    await turns()
    clock.advance(10_000)
    await turns()
    assert table.taken == [RestoreSeat, LoseSeat]
    presence.stop()


class Sat:
    """A table with one terminal, which is there."""

    def __init__(self, live: Live) -> None:
        self.live, self.store = live, live.store
        self.clock = live.clock = SeenClock(START_MS)

    async def start(self) -> Self:
        await (await self.live.start()).open("1")
        self.presence = Presence(self.live.run, self.clock, 10)
        self.presence.arrived("1")
        return self

    async def leave(self) -> None:
        """Goes, and stays away for as long as it may."""
        self.presence.left("1")
        await self.clock.step(10_000)

    @property
    def is_lost(self) -> bool:
        return self.live.replayed().seats["1"].lost

    async def until(self, *, is_lost: bool) -> None:
        """Lets time pass until the journal has it."""
        while self.is_lost != is_lost:
            await sim_live.turns(5)
            self.clock.advance(100)

    async def stop(self) -> None:
        self.presence.stop()
        await self.live.stop()


@pytest.mark.parametrize("failure", ["failures_before", "failures_after"])
@played
async def test_a_seat_is_lost_and_restored_once_though_the_disk_fails(tmp_path: Path, failure: str) -> None:
    sat = await Sat(Live(tmp_path)).start()
    setattr(sat.store, failure, 1)
    await sat.leave()
    await sat.until(is_lost=True)
    setattr(sat.store, failure, 1)
    sat.presence.arrived("1")
    await sat.until(is_lost=False)
    kinds = [kind for kind in sat.live.kinds() if kind in ("seat-lost", "seat-restored")]
    assert kinds == ["seat-lost", "seat-restored"]
    await sat.stop()


@played
async def test_a_seat_is_restored_though_the_table_cannot_be_read_for_a_while(tmp_path: Path) -> None:
    sat = await Sat(Live(tmp_path)).start()
    await sat.leave()
    await sat.until(is_lost=True)
    sat.store.failures_before, sat.store.failing_reads = 1, True
    assert await sat.live.refused(DEALER, c.OpenRound()) == "not-registered"
    sat.presence.arrived("1")
    for _ in range(3):
        await sim_live.turns()
        sat.clock.advance(AGAIN_MS)
    sat.store.failing_reads = False
    await sat.until(is_lost=False)
    await sat.stop()


@played
async def test_a_terminal_that_goes_again_before_its_return_is_written_has_its_time_again(
    tmp_path: Path,
) -> None:
    sat = await Sat(Live(tmp_path)).start()
    await sat.leave()
    while not sat.is_lost:
        await sim_live.turns(1)
    sat.store.failures_after = 1  # the return is written, and nobody knows it
    sat.presence.arrived("1")
    while sat.store.failures_after:
        await sim_live.turns(1)
    sat.presence.left("1")
    await sat.clock.step(AGAIN_MS)
    await sat.clock.step(10_000)
    assert not sat.is_lost
    await sat.until(is_lost=True)
    await sat.stop()


@played
async def test_a_refusal_of_the_table_is_not_asked_for_again(tmp_path: Path) -> None:
    sat = await Sat(Live(tmp_path)).start()
    asked: list[Ask] = []

    async def refuse(ask: Ask) -> Reply:
        asked.append(ask)
        return answer("stepped-down")

    sat.live.run.submit = refuse  # type: ignore[method-assign]  # another process has it, in this very moment
    await sat.leave()
    for _ in range(5):
        await sim_live.turns()
        sat.clock.advance(10_000)
    assert [type(ask.do) for ask in asked] == [LoseSeat]
    await sat.stop()
