"""A demonstration and a real floor never share a journal."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor import ManualClock
from croupier.floor.office.office import Office
from croupier.floor.office.records import OFFICE
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import open_store
from croupier.rulebook import BadInput
from croupier.server import running as running_floors
from croupier.server.demonstration import STAFF, check_journal, demonstration_config
from croupier.server.running import RunningFloor, run
from floor.sim_live import played
from server.floor_rig import a_floor


async def demonstrate(folder: Path, *, demonstration: bool = True) -> list[str]:
    """Runs the demonstration floor for a moment; who works there."""
    config = msgspec.structs.replace(demonstration_config(folder, 0), demonstration=demonstration)
    stop = asyncio.Event()
    people: list[str] = []

    async def ready(running: RunningFloor) -> None:
        people.extend(row.name for row in running.floor.access.staff())
        stop.set()

    await run(config, ready=ready, stop=stop, drain_seconds=0)
    return people


@played
async def test_a_demonstration_can_be_run_again_and_no_real_floor_on_its_journal(tmp_path: Path) -> None:
    assert set(await demonstrate(tmp_path)) == set(STAFF)
    assert set(await demonstrate(tmp_path)) == set(STAFF)
    with pytest.raises(BadInput, match="passwords are public"):
        await demonstrate(tmp_path, demonstration=False)


@played
async def test_a_crew_that_an_earlier_version_hired_gets_the_position_that_its_work_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was a pit supervisor once, and a round that a stop left behind is void by a shift manager alone."""
    with monkeypatch.context() as earlier:
        earlier.setitem(STAFF, "crew-supervisor", ("pit-supervisor", ()))
        await demonstrate(tmp_path)
    await demonstrate(tmp_path)
    await demonstrate(tmp_path)
    with closing(open_store(str(tmp_path / "journal.db"))) as store:
        office = Office(store, ManualClock())
        office.catch_up()
        assert [record.kind for record in store.read(OFFICE)].count("position-set") == 1
    assert office.state.staff["crew-supervisor"].position == "shift-manager"
    with closing(open_evidence(str(tmp_path / "journal.db"))) as evidence:
        assert [report.first_misfit for report in verify_journal(evidence, [OFFICE])] == [None]


@played
async def test_a_demonstration_that_ended_while_its_tables_were_made_can_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Ended(Exception):
        pass

    made: list[str] = []
    create_table = running_floors.create_table

    def ends_at_the_second(*arguments: Any) -> Any:
        if made:
            raise Ended
        made.append("one")
        return create_table(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(running_floors, "create_table", ends_at_the_second)
        with pytest.raises(Ended):
            await demonstrate(tmp_path)
    assert set(await demonstrate(tmp_path)) == set(STAFF)


@played
async def test_a_demonstration_is_refused_on_a_real_floors_journal(tmp_path: Path) -> None:
    async with a_floor(tmp_path):
        pass
    with pytest.raises(BadInput, match="a real floor's"):
        await demonstrate(tmp_path)


@played
async def test_a_journal_with_tables_and_nobody_yet_is_a_real_floors_too(tmp_path: Path) -> None:
    async with a_floor(tmp_path / "other") as rig:
        await rig.table()
        records = [*rig.floor.store.read("R1")]
    store = open_store(str(tmp_path / "journal.db"))
    store.append(records, [])
    with pytest.raises(BadInput, match="a real floor's"):
        check_journal(store, demonstration=True)
    check_journal(store, demonstration=False)
    store.close()
