"""A floor whose journal is of an older schema: brought forward before it opens, and seen to be."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from croupier.journal import open_store
from croupier.server.demonstration import demonstration_config
from croupier.server.older_journal import Progress, in_the_log, open_journal
from croupier.server.running import run
from floor.audit_journal import at_table, records_of, write_old_journal
from floor.audit_play import RandomTable
from floor.sim_live import played
from table.rig import Play


@pytest.fixture(scope="module")
def long_play() -> Play:
    play = at_table("T1", RandomTable(8).rounds(160))
    assert len(play.entries) > 2_000
    return play


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


@played
async def test_the_log_says_that_it_goes_on_and_when_it_is_over(
    tmp_path: Path, long_play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "journal.db"
    write_old_journal(path, long_play)
    count = len(long_play.entries)
    with caplog.at_level(logging.INFO, "croupier.server"):
        with closing(open_journal(str(path), in_the_log)) as store:
            assert [*store.read("T1")] == records_of(long_play)
        lines = caplog.messages.copy()
        open_journal(str(path), in_the_log).close()
    assert lines[0] == f"the journal is of an older schema and is brought forward: {count} records"
    assert lines[1] == f"1000 of {count} records are brought forward"
    assert lines[-2:] == [
        "all records are brought forward and are written to the disk",
        "the journal is brought forward",
    ]
    assert caplog.messages == lines, "the second time there is nothing to say"


@pytest.mark.parametrize(("total", "step"), [(1_000_000, 1_000), (25, 1), (3, 1), (1, 1)])
def test_the_log_has_a_line_for_every_tenth_at_most(
    total: int, step: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "croupier.server"), in_the_log() as tell:
        for done in range(0, total + 1, step):
            tell(done, total)
    assert len(caplog.messages) == 1 + min(9, total - 1) + 2


@played
async def test_a_stop_that_is_asked_for_meanwhile_leaves_the_journal_as_it_was(
    tmp_path: Path, long_play: Play
) -> None:
    config = demonstration_config(tmp_path, 0)
    path = Path(config.journal)
    write_old_journal(path, long_play)
    told: list[int] = []

    @contextmanager
    def showing() -> Iterator[Progress]:
        def tell(done: int, total: int) -> None:
            told.append(done)
            serving.cancel()

        yield tell

    serving = asyncio.create_task(run(config, showing=showing))
    with pytest.raises(asyncio.CancelledError):
        await serving

    assert told == [0]
    assert version_of(path) == 1
    with closing(open_store(str(path))) as store:
        assert [*store.read("T1")] == records_of(long_play)
