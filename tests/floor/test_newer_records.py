"""A journal that a newer version has written to is refused in a sentence that calls nothing damaged."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from cli.running import refusal, run
from croupier.floor.house.log import HouseLog, ServerStarted
from croupier.floor.loading import DamagedJournal, load_table
from croupier.floor.office.office import Office, Who
from croupier.floor.office.staff import add
from croupier.journal import Draft, link, open_store
from floor.audit_journal import write_journal
from floor.audit_scenes import roulette
from floor.sim_live import ManualClock
from table.rig import START_MS

NEWER = "a newer croupier may have written it"
LATER_MS = START_MS + 86_400_000


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """A table, the house's log and the office, as this version writes them."""
    path = write_journal(tmp_path / "floor.db", roulette())
    with closing(open_store(path)) as store:
        clock = ManualClock(LATER_MS)
        HouseLog(store, clock).note(ServerStarted(version="1", tables=("T1",)))
        office = Office(store, clock)
        office.write(Who("admin"), add("sue", "dealer", (), "a hash", is_one_time=False))
    return path


def write_as_newer(journal: str, stream: str, kind: str, version: int) -> int:
    """Has a newer version write one more record; gives its number."""
    with closing(open_store(journal)) as store:
        head, (*_, last) = store.head(stream), store.read(stream)
        payload = msgspec.json.decode(last.payload) | {"event": {"type": kind, "told": "something new"}}
        draft = Draft(LATER_MS, "system", "newer", 1, 0, kind, version, msgspec.json.encode(payload))
        store.append([*link(stream, head, [draft])], [])
    return head.sequence + 1


@pytest.mark.parametrize(
    ("stream", "kind", "version"),
    [
        ("T1", "table-blessed", 1),
        ("T1", "table-halted", 9),
        ("house", "house-blessed", 1),
        ("house", "server-started", 2),
        ("office", "badge-printed", 1),
        ("office", "staff-added", 2),
    ],
)
def test_every_command_says_that_a_newer_version_may_have_written_it(
    journal: str, stream: str, kind: str, version: int
) -> None:
    number = write_as_newer(journal, stream, kind, version)
    status, said, _ = run("verify", journal)
    assert status == 1
    assert f"table {stream}, record {number}: " in said
    assert NEWER in said
    told = refusal("events", journal)
    assert f"Record {number} of {stream} cannot be read: " in told
    assert NEWER in told


def test_a_table_with_such_a_record_is_not_opened(journal: str) -> None:
    write_as_newer(journal, "T1", "table-blessed", 1)
    with (
        closing(open_store(journal)) as store,
        pytest.raises(DamagedJournal, match="table-blessed, which this software does not know; a newer"),
    ):
        load_table(store, "T1")
    assert NEWER in refusal("report", journal, "--by", "table")
    assert NEWER in refusal("export", journal, "--table", "T1", "--what", "rounds")
