"""A terminal that comes and goes in the very moment in which the table is told of it."""

import asyncio
from types import SimpleNamespace
from typing import Any

from croupier.floor import ManualClock
from croupier.server.seating import Presence
from croupier.table import Do, Reply
from croupier.table.commands import LoseSeat, RestoreSeat
from floor.sim_live import played


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

    async def submit_as_system(self, do: Do) -> Reply:
        self.taken.append(type(do))
        self._under_way.append(asyncio.ensure_future(self._carry_out(type(do) is LoseSeat)))
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
