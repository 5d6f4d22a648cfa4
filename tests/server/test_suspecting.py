"""A wheel whose results are not like chance is found while the floor runs, and the pit is told."""

import asyncio
from pathlib import Path

import pytest

from croupier.floor.house_log import HOUSE_STREAM, HouseLog, WheelSuspected, house_entry_of
from croupier.server.suspecting import Suspecting, WheelsWatched
from croupier.server.watching import MachineWatch
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor


async def spin(rig: FloorRig, table: str, results: list[str]) -> None:
    for result in results:
        for do in (c.OpenRound(), c.CloseBets(), c.StartSpin()):
            await rig.do(table, do)
        await rig.do(table, c.EnterResult(result=result))
        await rig.do(table, c.ConfirmResult(result=result))


@played
async def test_the_pit_is_told_once_of_a_wheel_that_is_not_like_chance(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table("R1", wheel="wheel-1")
        await rig.open_table("R2", "rws-roulette-000", wheel="wheel-2")
        store = rig.floor.store
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)
        machine = MachineWatch(HouseLog(store, rig.floor.clock), None)
        watching = asyncio.create_task(Suspecting(rig.floor, watched, machine).run())
        async with await rig.pit() as pit:
            assert pit.pit["R1"].suspect is None
            await spin(rig, "R2", ["7", "22", "00"])
            await spin(rig, "R1", ["17"] * 9)
            await pit.until(lambda seen: seen.pit["R1"].suspect == "wheel-1")
            assert pit.pit["R2"].suspect is None
        await spin(rig, "R1", ["17"])
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

        events = [house_entry_of(record).event for record in store.read(HOUSE_STREAM)]
        assert [type(event) for event in events] == [WheelSuspected]
        assert events[0].wheel == "wheel-1"
        reports = {report.wheel: report for report in watched.reports()}
        assert (reports["wheel-1"].spins, reports["wheel-2"].spins) == (10, 3)
        assert live.runner.state.halted is None


@played
async def test_an_alarm_of_an_earlier_life_is_shown_and_not_written_again(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table("R1", wheel="wheel-1")
        await spin(rig, "R1", ["17"] * 12)
        store = rig.floor.store
        machine = MachineWatch(HouseLog(store, rig.floor.clock), None)
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)
        watching = asyncio.create_task(Suspecting(rig.floor, watched, machine).run())
        while live.hub.suspect is None:
            await asyncio.sleep(0.01)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        assert [*store.read(HOUSE_STREAM)] == []


@played
async def test_the_watch_goes_on_after_a_fault_that_nobody_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table("R1", wheel="wheel-1")
        store = rig.floor.store
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)
        faults, catch_up = [RuntimeError("nobody expected this")], watched.catch_up

        def fail_once() -> list[WheelSuspected]:
            if faults:
                raise faults.pop()
            return catch_up()

        monkeypatch.setattr(watched, "catch_up", fail_once)
        machine = MachineWatch(HouseLog(store, rig.floor.clock), None)
        watching = asyncio.create_task(Suspecting(rig.floor, watched, machine).run())
        await spin(rig, "R1", ["17"] * 12)
        while live.hub.suspect is None and not watching.done():
            await asyncio.sleep(0.01)
        assert live.hub.suspect == "wheel-1"
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    assert "nobody expected this" in caplog.text
