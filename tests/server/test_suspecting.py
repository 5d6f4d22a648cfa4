"""A wheel whose results are not like chance is found while the floor runs, and the pit is told."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.house.log import HOUSE_STREAM, HouseLog, WheelSuspected, house_entry_of
from croupier.journal import Record, Store, StoreError
from croupier.server import suspecting
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

        def fail_once() -> None:
            if faults:
                raise faults.pop()
            catch_up()

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


class Counting:
    """The store of a floor, which counts the records that are read and has something done at one of them."""

    def __init__(self, store: Store, at: int, act: Callable[[], None]) -> None:
        self._store, self._at, self._act = store, at, act
        self.read_records = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in self._store.read(table, after):
            self.read_records += 1
            if self.read_records == self._at:
                self._act()
            yield record


@played
async def test_a_stop_waits_for_no_rounds_that_are_still_to_be_read(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", wheel="wheel-1")
        await spin(rig, "R1", ["17"] * 12)
        store = Counting(rig.floor.store, 5, lambda: watched.stop_reading())
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)  # type: ignore[arg-type]  # it is the store, counted
        with pytest.raises(StoreError, match="stops"):
            watched.catch_up()
        assert store.read_records == 5
        assert watched.raised() == ()


class Unsure:
    """The store of a floor, of which a test has single reads and appends fail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.failing_reads: list[str] = []
        """The streams of which the next read fails."""
        self.failing_appends = 0
        self.unreadable: set[str] = set()
        """The tables whose rounds no longer have a payload that can be read."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def read(self, stream: str, after: int = 0) -> Iterator[Record]:
        if stream in self.failing_reads:
            self.failing_reads.remove(stream)
            raise StoreError("No answer in time.")
        for record in self._store.read(stream, after):
            is_damaged = stream in self.unreadable and record.kind == "round-settled"
            yield record._replace(payload=b"{}") if is_damaged else record

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        if self.failing_appends:
            self.failing_appends -= 1
            raise StoreError("The disk is full.")
        self._store.append(records, claims)


def spins(watched: WheelsWatched) -> dict[str, int]:
    return {report.wheel: report.spins for report in watched.reports()}


@played
async def test_a_read_that_fails_loses_no_spin_of_any_wheel(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", wheel="wheel-1")
        await rig.open_table("R2", "rws-roulette-000", wheel="wheel-2")
        store = Unsure(rig.floor.store)
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)  # type: ignore[arg-type]  # it is one
        await spin(rig, "R1", ["17"] * 2)
        store.failing_reads = ["R2"]
        with pytest.raises(StoreError):
            watched.catch_up()
        assert spins(watched) == {"wheel-1": 2, "wheel-2": 0}
        await spin(rig, "R1", ["18"])
        await spin(rig, "R2", ["7"])
        store.failing_reads = ["R1", "R2"]
        for _ in range(2):
            with pytest.raises(StoreError):
                watched.reports()
        assert spins(watched) == {"wheel-1": 3, "wheel-2": 1}


@played
async def test_a_record_that_cannot_be_read_keeps_no_other_wheel_from_its_watch(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", wheel="wheel-1")
        await rig.open_table("R2", "rws-roulette-000", wheel="wheel-2")
        store = Unsure(rig.floor.store)
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)  # type: ignore[arg-type]  # it is one
        await spin(rig, "R1", ["17"])
        watched.catch_up()
        store.unreadable = {"R1"}
        for count in (1, 2):
            await spin(rig, "R1", ["17"])
            await spin(rig, "R2", ["7"])
            assert spins(watched) == {"wheel-1": 1, "wheel-2": count}
        assert caplog.text.count("table R1: not watched from record") == 1


@played
async def test_whoever_looks_at_the_wheels_first_takes_no_alarm_from_the_pit(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table("R1", wheel="wheel-1")
        store = rig.floor.store
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)
        machine = MachineWatch(HouseLog(store, rig.floor.clock), None)
        later = Suspecting(rig.floor, watched, machine)
        await spin(rig, "R1", ["17"] * 9)
        (report,) = watched.reports()
        assert report.alarm.raised is not None
        async with watching(later):
            await until(lambda: written(store) == ["wheel-1"])
        assert live.hub.suspect == "wheel-1"


@pytest.mark.parametrize("fault", ["the first look", "the record"])
@played
async def test_an_alarm_is_written_once_though_the_journal_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(suspecting, "AGAIN_SECONDS", 0.05)
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", wheel="wheel-1")
        await rig.open_table("R2", "rws-roulette-000", wheel="wheel-2")
        await spin(rig, "R1", ["17"] * 12)  # of an earlier life
        store: Any = Unsure(rig.floor.store)
        watched = WheelsWatched(store, 1_000, rig.floor.find_book)
        machine = MachineWatch(HouseLog(store, rig.floor.clock), None)
        if fault == "the first look":
            store.failing_reads = ["R2"]
        else:
            store.failing_appends = 1
        async with watching(Suspecting(rig.floor, watched, machine)):
            await spin(rig, "R2", ["7"] * 12)
            await until(lambda: written(store) != [])
            await spin(rig, "R2", ["7"])
            await until(lambda: spins(watched)["wheel-2"] == 13)
        assert (store.failing_reads, store.failing_appends) == ([], 0)
        assert written(store) == ["wheel-2"]


@asynccontextmanager
async def watching(one: Suspecting) -> AsyncIterator[None]:
    task = asyncio.create_task(one.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def written(store: Store) -> list[str]:
    """The wheels whose alarms are in the house's log."""
    events = [house_entry_of(record).event for record in store.read(HOUSE_STREAM)]
    return [event.wheel for event in events if isinstance(event, WheelSuspected)]


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():
            await asyncio.sleep(0.01)
