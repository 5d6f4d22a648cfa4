"""What the house wrote down about other streams: one that is shorter now was cut off."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.running import run
from croupier.floor.backup.restore import restore
from croupier.floor.clock import SystemClock
from croupier.floor.house.log import HouseLog, ServerStarted
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import verify_journal
from croupier.floor.verify.stream import Misfit
from croupier.journal import canonical, open_store
from croupier.journal.segment import pack
from floor.audit_journal import at_table, records_of, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from table.rig import Play


def evening() -> Play:
    return at_table("T2", RandomTable(6).rounds(5))


@pytest.fixture
def journal(tmp_path: Path) -> str:
    address = write_journal(tmp_path / "floor.db", roulette(), evening())
    with closing(open_store(address)) as store:
        HouseLog(store, SystemClock()).note(ServerStarted(version="1", tables=("T1", "T2")))
    return address


def misfits(journal: str, *tables: str) -> dict[str, Misfit]:
    with closing(SqliteEvidence(journal)) as evidence:
        reports = verify_journal(evidence, tables or None)
    return {each.table: each.first_misfit for each in reports if each.first_misfit is not None}


def cut(journal: str, table: str, kept: int) -> None:
    """Cuts a table's records off behind one, with everything that would tell."""
    with closing(SqliteEvidence(journal)) as evidence:
        records = [*evidence.records(table)][:kept]
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        for rows in ("segments", "heads"):
            connection.execute(f"DELETE FROM {rows} WHERE table_id = ?", (table,))
        connection.execute("DELETE FROM claims WHERE table_id = ? AND sequence > ?", (table, kept))
        connection.execute("DELETE FROM sent WHERE key LIKE ? AND sequence > ?", (f"{table}\n%", kept))
        if records:
            packed = pack([canonical(record) for record in records])
            connection.execute(
                "INSERT INTO segments VALUES (?, 1, ?, ?, ?)", (table, *packed, records[-1].hash)
            )
            connection.execute("INSERT INTO heads VALUES (?, ?, ?)", (table, kept, records[-1].hash))


def before_the_last_command() -> int:
    return max(record.sequence for record in records_of(evening()) if record.part == 0) - 1


def test_a_tail_that_a_backup_has_seen_cannot_be_cut_off(journal: str, tmp_path: Path) -> None:
    kept, total = before_the_last_command(), len(records_of(evening()))
    assert run("backup", journal, str(tmp_path / "copy.db")).status == 0
    with closing(open_store(journal)) as store:
        HouseLog(store, SystemClock()).note(ServerStarted(version="1", tables=("T1", "T2")))
    assert misfits(journal) == {}
    cut(journal, "T2", kept)
    reason = (
        f"it is not there, and the stream had at least {total} records when a backup was made "
        "(record 2 of house)"
    )
    assert misfits(journal) == {"T2": Misfit(sequence=kept + 1, reason=reason)}
    assert misfits(journal, "house", "T2") == {"T2": Misfit(sequence=kept + 1, reason=reason)}
    assert run("verify", journal).status == 1


def test_a_tail_that_nobody_has_seen_can_be(journal: str) -> None:
    cut(journal, "T2", before_the_last_command())
    assert misfits(journal) == {}


def test_a_table_that_a_server_ran_cannot_be_taken_out(journal: str) -> None:
    cut(journal, "T2", 0)
    reason = (
        "it is not there, and the stream had at least 1 record when a server started with it "
        "(record 1 of house)"
    )
    assert misfits(journal) == {"T2": Misfit(sequence=1, reason=reason)}
    assert misfits(journal, "house", "T1") == {}


def test_a_stream_that_does_not_fit_says_why_itself(journal: str, tmp_path: Path) -> None:
    run("backup", journal, str(tmp_path / "copy.db"))
    cut(journal, "T2", before_the_last_command())
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("DELETE FROM heads WHERE table_id = 'T2'")
    assert "no head says so" in misfits(journal)["T2"].reason


@pytest.mark.parametrize("suffix", [".db", ".jsonl"])
def test_a_journal_from_an_older_backup_fits(journal: str, tmp_path: Path, suffix: str) -> None:
    """What its house knows was cut at the same moment as its tables."""
    for name in ("one", "two", "three"):
        assert run("backup", journal, str(tmp_path / f"{name}{suffix}")).status == 0
    for name in ("one", "two", "three"):
        restored = str(tmp_path / f"{name}-restored.db")
        restore(tmp_path / f"{name}{suffix}", restored)
        assert misfits(restored) == {}
