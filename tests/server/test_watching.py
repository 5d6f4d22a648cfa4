"""What the server notices about its machine, and what follows."""

import asyncio
import gc
import logging
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.floor.house.integrity import IntegrityReport, measure
from croupier.floor.house.integrity_watch import IntegrityWatch
from croupier.floor.house.log import (
    HOUSE_STREAM,
    CheckFailed,
    CheckPassed,
    DeviceLost,
    DiskLow,
    DiskRecovered,
    HouseLog,
    house_entry_of,
)
from croupier.journal import StoreError, open_store, sqlite_place
from croupier.journal.known import Lost
from croupier.journal.sqlite import SqliteStore
from croupier.server import running, watching
from croupier.server.demonstration import demonstration_config
from croupier.server.running import RunningFloor
from croupier.server.watching import LOOK_SECONDS, MachineWatch
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor


@played
async def test_software_that_is_not_as_recorded_stops_play_at_every_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with a_floor(tmp_path) as rig:
        first, second = await rig.open_table("R1"), await rig.open_table("R2", "rws-roulette-000")
        faults = ("table/decide.py was changed.",)
        integrity = IntegrityWatch(lambda: IntegrityReport(digest="00", faults=faults))
        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, tmp_path / "journal.db", integrity=integrity, halt=rig.floor.halt_tables)
        await watch.look()
        for live in (first, second):
            state = await live.runner.consistent_state()
            assert state.halted == "the software is not as recorded: table/decide.py was changed"
        kinds = [record.kind for record in rig.floor.store.read(HOUSE_STREAM)]
        assert kinds == ["software-checked"]
        (grave,) = [line.getMessage() for line in caplog.records if line.levelname == "CRITICAL"]
        assert "is NOT as recorded: table/decide.py was changed." in grave

        first.followers.append(watch.follow)
        await rig.do("R1", c.ResumeTable(reason="Never mind."))
        while (await first.runner.consistent_state()).halted is None:  # it is halted again by itself
            await asyncio.sleep(0.01)


@played
async def test_software_as_recorded_is_noted_once_a_day_and_play_goes_on(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        integrity = IntegrityWatch(lambda: IntegrityReport(digest="00", faults=()))
        watch = MachineWatch(
            HouseLog(rig.floor.store, rig.floor.clock), None, integrity=integrity, halt=rig.floor.halt_tables
        )
        await watch.look()
        await watch.look()
        assert [record.kind for record in rig.floor.store.read(HOUSE_STREAM)] == ["software-checked"]
        asked = await watch.check_software()
        assert (asked.occasion, asked.ok) == ("demand", True)
        assert len([*rig.floor.store.read(HOUSE_STREAM)]) == 2
        assert live.runner.state.halted is None


def kinds(rig: FloorRig) -> list[str]:
    return [record.kind for record in rig.floor.store.read(HOUSE_STREAM)]


def faults(watch: MachineWatch) -> dict[str, str]:
    """By name, what the checks for /ready say that fail."""
    found = [check() for check in watch.checks]
    return {check.name: check.sentence for check in found if not check.ok}


@played
async def test_a_disk_that_cannot_be_looked_at_is_a_fault_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    async with a_floor(tmp_path / "floor") as rig:
        folder = tmp_path / "disk"
        folder.mkdir()
        integrity = IntegrityWatch(lambda: IntegrityReport(digest="00", faults=()))
        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, folder / "journal.db", integrity=integrity)
        folder.rmdir()
        await watch.look()
        await watch.look()
        assert kinds(rig) == ["check-failed", "software-checked"]
        assert "No such file or directory" in faults(watch)["disk"]
        folder.mkdir()
        await watch.look()
        assert kinds(rig) == ["check-failed", "software-checked", "check-passed"]
        assert faults(watch) == {}


@played
async def test_the_log_warns_of_what_somebody_has_to_look_at(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="croupier.server")
    async with a_floor(tmp_path) as rig:
        watch = MachineWatch(HouseLog(rig.floor.store, rig.floor.clock), None)
        await watch.note(DiskLow(free_bytes=5_000_000, low_bytes=10**9))
        await watch.note(DiskRecovered(free_bytes=2 * 10**9))
        await watch.note(CheckFailed(check="disk", reason="Permission denied"))
        await watch.note(CheckPassed(check="disk"))
    said = [record.levelname for record in caplog.records if record.name == watching.LOG.name]
    assert said == ["WARNING", "INFO", "WARNING", "INFO"]


@played
async def test_a_check_of_the_software_that_cannot_be_made_stops_play(tmp_path: Path) -> None:
    def look() -> IntegrityReport:
        raise PermissionError(13, "Permission denied")

    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, None, integrity=IntegrityWatch(look), halt=rig.floor.halt_tables)
        await watch.look()
        assert "Permission denied" in (await live.runner.consistent_state()).halted
        assert "Permission denied" in faults(watch)["software"]
        assert kinds(rig) == ["software-checked"]


@played
async def test_a_watch_goes_on_whatever_happens_and_one_that_does_not_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_floor(tmp_path) as rig:
        looks = 0

        async def halt(reason: str) -> None:
            nonlocal looks
            looks += 1
            raise RuntimeError("nobody expected this")

        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, None, 0.001, in_place=lambda: False, halt=halt)
        running = asyncio.create_task(watch.run())
        while looks < 3:
            await asyncio.sleep(0.001)
        assert not running.done()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

        watch = MachineWatch(log, None)
        await watch.look()
        assert faults(watch) == {}
        monkeypatch.setattr(watching, "LATE_SECONDS", -LOOK_SECONDS)  # as if so much time had gone by
        assert "Nobody has looked" in faults(watch)["watch"]


@played
async def test_a_journal_whose_file_is_gone_stops_play_until_it_is_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "journal.db"
    with closing(SqliteStore(file)) as store:
        async with a_floor(tmp_path, store=store) as rig:
            live = await rig.open_table()
            log = HouseLog(rig.floor.store, rig.floor.clock)
            watch = MachineWatch(log, file, in_place=store.is_in_place, halt=rig.floor.halt_tables)
            live.followers.append(watch.follow)
            await watch.look()
            assert (faults(watch), kinds(rig)) == ({}, [])

            file.rename(tmp_path / "away.db")
            assert "moved or removed" in faults(watch)["journal file"]  # before the watch has looked
            await watch.look()
            await watch.look()
            assert kinds(rig) == ["check-failed"]
            assert [record.levelname for record in caplog.records].count("CRITICAL") == 1
            reason = "the journal's file is not in its place any more"
            assert (await live.runner.consistent_state()).halted == reason
            await rig.do("R1", c.ResumeTable(reason="Never mind."))
            while (await live.runner.consistent_state()).halted is None:  # it is halted again by itself
                await asyncio.sleep(0.01)

            (tmp_path / "away.db").rename(file)
            await watch.look()
            assert faults(watch) == {}
            assert kinds(rig) == ["check-failed", "check-passed"]
            await rig.do("R1", c.ResumeTable(reason="The journal is back."))
            await watch.look()
            assert (await live.runner.consistent_state()).halted is None


@played
async def test_a_journal_whose_file_is_overwritten_stops_play(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_place, "_PAUSE_SECONDS", 0)
    file, night = tmp_path / "journal.db", tmp_path / "night.db"
    with closing(SqliteStore(file)) as store:
        async with a_floor(tmp_path, store=store) as rig:
            live = await rig.open_table()
            log = HouseLog(rig.floor.store, rig.floor.clock)
            watch = MachineWatch(
                log,
                file,
                in_place=store.is_in_place,
                is_whole=store.holds_what_was_written,
                halt=rig.floor.halt_tables,
            )
            with closing(sqlite3.connect(file)) as one, closing(sqlite3.connect(night)) as other:
                one.backup(other)
            for _ in range(4):
                log.note(DeviceLost(device="display-1"))
            await watch.look()
            assert faults(watch) == {}
            with closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

            shutil.copyfile(night, file)
            await watch.look()
            await watch.look()
            assert "was overwritten" in faults(watch)["journal file"]
            assert [record.levelname for record in caplog.records].count("CRITICAL") == 1
            halted = (await live.runner.consistent_state()).halted
            assert halted == "the journal's file was overwritten and does not hold what was written"


@played
async def test_a_database_that_lacks_what_was_written_stops_play_and_says_what_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lost: list[Lost] = []
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, None, lost=lambda: lost, halt=rig.floor.halt_tables)
        live.followers.append(watch.follow)
        await watch.look()
        assert faults(watch) == {}
        lost += [Lost("R1", known=38, now=33), Lost("office", known=7, now=9)]
        await watch.look()
        await watch.look()
        reason = (
            "the journal does not hold any more what was written: "
            "R1 has lost 34 to 38, office has another record 7"
        )
        assert faults(watch)["records"] == f"T{reason[1:]}."
        (grave,) = [line.getMessage() for line in caplog.records if line.levelname == "CRITICAL"]
        assert grave.startswith(f"{reason}: a standby without the newest records took over")
        (failed,) = [house_entry_of(record).event for record in rig.floor.store.read(HOUSE_STREAM)]
        assert failed == CheckFailed(check="journal", reason=reason)
        assert (await live.runner.consistent_state()).halted == reason
        await rig.do("R1", c.ResumeTable(reason="Never mind."))
        while (await live.runner.consistent_state()).halted is None:  # it is halted again by itself
            await asyncio.sleep(0.01)


@played
async def test_a_halt_has_room_for_its_reason_however_many_tables_have_lost_records(tmp_path: Path) -> None:
    lost = [Lost(f"table-{number}", known=9, now=3) for number in range(100)]
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        log = HouseLog(rig.floor.store, rig.floor.clock)
        await MachineWatch(log, None, lost=lambda: lost, halt=rig.floor.halt_tables).look()
        halted = (await live.runner.consistent_state()).halted
        assert halted is not None
        assert len(halted) == 900


@played
async def test_a_journal_that_cannot_be_looked_at_is_logged_and_play_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def cannot() -> bool:
        raise StoreError("The journal cannot be looked at: too many files are open.")

    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        watch = MachineWatch(
            HouseLog(rig.floor.store, rig.floor.clock),
            None,
            in_place=lambda: True,
            is_whole=cannot,
            halt=rig.floor.halt_tables,
        )
        await watch.look()
        assert "too many files are open" in caplog.text
        assert (await live.runner.consistent_state()).halted is None


@played
async def test_a_floor_whose_clock_is_ahead_of_the_machines_is_not_ready(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        ahead_ms = [1_000]
        log = HouseLog(rig.floor.store, rig.floor.clock)
        watch = MachineWatch(log, None, ahead_ms=lambda: ahead_ms[0])
        assert faults(watch) == {}  # clocks of two machines are no more apart
        ahead_ms[0] = 8 * 3_600_000
        sentence = faults(watch)["clock"]
        assert "28800 seconds ahead" in sentence
        assert "in about 800.0 hours" in sentence
        assert "between two rounds" in sentence


@played
async def test_a_clock_that_cannot_be_looked_at_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_floor(tmp_path) as rig:
        watch = MachineWatch(HouseLog(rig.floor.store, rig.floor.clock), None)

        def fail() -> None:
            raise OSError(5, "Input/output error")

        monkeypatch.setitem(watch._looks, "clock", fail)
        await watch.look()
        assert kinds(rig) == ["check-failed"]
        assert "Input/output error" in faults(watch)["clock"]


@played
async def test_a_journal_that_is_no_file_has_no_place(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        watch = MachineWatch(HouseLog(rig.floor.store, rig.floor.clock), None)
        await watch.look()
        assert [check().name for check in watch.checks] == ["clock", "disk", "software", "watch"]
        assert kinds(rig) == []


@played
async def test_of_tables_that_are_resumed_in_one_moment_none_is_forgotten(tmp_path: Path) -> None:
    """Python lets go of a task that nobody keeps, in the middle of its work."""
    begun: list[str] = []
    let_go: list[str] = []

    async def halt(reason: str) -> None:
        begun.append(reason)
        try:
            await asyncio.get_running_loop().create_future()  # whatever it waits for, nobody else knows of it
        except GeneratorExit:
            let_go.append(reason)
            raise

    async with a_floor(tmp_path) as rig:
        watch = MachineWatch(
            HouseLog(rig.floor.store, rig.floor.clock), None, in_place=lambda: False, halt=halt
        )
        looking = asyncio.create_task(watch.look())
        while not begun:
            await asyncio.sleep(0.001)
        for table in ("R1", "R2"):
            live = await rig.open_table(table)
            live.followers.append(watch.follow)
            await live.runner.submit_as_system(c.HaltTable(reason="a test"))
            await rig.do(table, c.ResumeTable(reason="Never mind."))
        while len(begun) < 3:
            await asyncio.sleep(0.001)
        gc.collect()
        assert let_go == []
        looking.cancel()


@played
async def test_a_table_that_cannot_be_halted_does_not_keep_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_floor(tmp_path) as rig:
        first, second = await rig.open_table("R1"), await rig.open_table("R2", "rws-roulette-000")

        async def fail(do: object) -> None:
            raise StoreError("The disk does not answer.")

        monkeypatch.setattr(first.runner, "submit_as_system", fail)
        await rig.floor.halt_tables("a reason")
        assert (await second.runner.consistent_state()).halted == "a reason"


@played
async def test_a_floor_notes_its_start_its_check_and_its_stop(tmp_path: Path) -> None:
    record = tmp_path / "integrity.json"
    record.write_bytes(msgspec.json.encode(measure()))
    config = msgspec.structs.replace(demonstration_config(tmp_path / "data", 0), integrity=str(record))
    stop = asyncio.Event()
    seen: list[RunningFloor] = []

    async def ready(floor: RunningFloor) -> None:
        seen.append(floor)
        stop.set()

    await running.run(config, ready=ready, stop=stop, drain_seconds=0)
    store = open_store(config.journal)
    entries = [house_entry_of(record) for record in store.read(HOUSE_STREAM)]
    store.close()
    assert len(seen[0].floor.tables) == 4
    assert [type(entry.event).__name__ for entry in entries] == [
        "ServerStarted",
        "SoftwareChecked",
        "ServerStopped",
    ]
