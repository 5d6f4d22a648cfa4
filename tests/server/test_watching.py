"""What the server notices about its machine, and what follows."""

import asyncio
from pathlib import Path

import msgspec

from croupier.floor.house_log import HOUSE_STREAM, HouseLog, house_entry_of
from croupier.floor.integrity import IntegrityReport, measure
from croupier.floor.integrity_watch import IntegrityWatch
from croupier.journal import open_store
from croupier.server import running
from croupier.server.demonstration import demonstration_config
from croupier.server.running import RunningFloor
from croupier.server.watching import MachineWatch
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import a_floor


@played
async def test_software_that_is_not_as_recorded_stops_play_at_every_table(tmp_path: Path) -> None:
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
    assert len(seen[0].floor.tables) == 5
    assert [type(entry.event).__name__ for entry in entries] == [
        "ServerStarted",
        "SoftwareChecked",
        "ServerStopped",
    ]
