"""The database as a whole is evidence too: keys and triggers that were taken away, and what came in then."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cli.running import Ran, run
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import database_faults
from croupier.journal.sqlite import SqliteStore
from floor.audit_journal import MemoryEvidence, at_table, change_file, write_journal, write_old_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette

TABLES = ("segments", "sent", "heads", "claims", "snapshots")
OLD_TABLES = ("records", "heads", "claims", "snapshots")


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette(), at_table("T2", RandomTable(7).rounds(2)))


@pytest.fixture
def old_journal(tmp_path: Path) -> str:
    return write_old_journal(tmp_path / "old.db", roulette(), at_table("T2", RandomTable(7).rounds(2)))


def without_keys(journal: str, *tables: str) -> None:
    """Takes the keys of tables away, so that they take whatever somebody puts into them."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER IF EXISTS append")
        for table in tables:
            connection.execute(f"CREATE TABLE other AS SELECT * FROM {table}")
            connection.execute(f"DROP TABLE {table}")
            connection.execute(f"ALTER TABLE other RENAME TO {table}")


def test_a_journal_as_it_is_made_has_no_faults(journal: str, old_journal: str) -> None:
    for address in (journal, old_journal):
        with closing(SqliteEvidence(address)) as evidence:
            assert database_faults(evidence) == []
    SqliteStore(old_journal).close()  # which brings it forward
    with closing(SqliteEvidence(old_journal)) as evidence:
        assert database_faults(evidence) == []
    assert database_faults(MemoryEvidence(roulette())) == []


def test_a_replaced_trigger_is_a_finding_about_the_database(journal: str) -> None:
    change_file(journal, "DROP TRIGGER append")
    change_file(journal, "CREATE TRIGGER append INSTEAD OF INSERT ON appending BEGIN SELECT 1; END")
    ran = run("verify", journal)
    assert (ran.status, ran.err) == (1, "")
    assert "\nThe database is not as croupier makes it: the trigger append is another one. " in ran.out
    assert "Everything fits" not in ran.out
    assert "\ntable " not in ran.out
    facts = json.loads(run("verify", journal, "--json").out)
    assert (facts["fits"], facts["database"]) == (False, ["the trigger append is another one"])


def test_a_database_that_cannot_be_read_for_it_is_a_finding_too(journal: str) -> None:
    change_file(journal, "DROP TABLE heads")
    ran = run("verify", journal)
    assert ran.status == 1
    assert ran.out.startswith("The database is not as croupier makes it: the table heads is missing. ")


def test_a_file_that_calls_itself_another_version_is_found(journal: str, old_journal: str) -> None:
    change_file(journal, "PRAGMA user_version = 1")
    change_file(old_journal, "PRAGMA user_version = 2")
    assert "the table records is missing" in run("verify", journal).out
    assert "the table segments is missing" in run("verify", old_journal).out


def told(journal: str) -> Ran:
    ran = run("verify", journal)
    assert (ran.status, ran.err) == (1, "")
    assert "The database is not as croupier makes it" in ran.out
    return ran


@pytest.mark.parametrize("is_old", [False, True])
def test_doubled_rows_and_whatever_no_key_would_take_are_judged_and_never_break_it(
    journal: str, old_journal: str, is_old: bool
) -> None:
    address, tables = (old_journal, OLD_TABLES) if is_old else (journal, TABLES)
    if not is_old:
        change_file(address, "INSERT INTO snapshots VALUES ('T1', 1, x'00', 'state', x'00')")
    without_keys(address, *tables)
    for table in tables:
        with closing(sqlite3.connect(address, isolation_level=None)) as connection:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            for value in (None, 1.5, "x", b"x", -1):
                connection.execute("BEGIN")
                marks = ", ".join("?" * len(columns))
                connection.execute(f"INSERT INTO {table} VALUES ({marks})", [value] * len(columns))
                connection.execute("COMMIT")
                told(address)
                connection.execute(f"DELETE FROM {table} WHERE rowid = (SELECT max(rowid) FROM {table})")
            for column in columns:
                connection.execute(f"UPDATE {table} SET {column} = NULL WHERE rowid = 1")
                told(address)
            connection.execute(f"INSERT INTO {table} SELECT * FROM {table}")
            told(address)


def test_a_number_that_is_noted_twice_is_found(journal: str) -> None:
    without_keys(journal, "sent")
    change_file(journal, "INSERT INTO sent SELECT * FROM sent WHERE sequence = 7 AND key < 'T2'")
    assert "\ntable T1, record 7: number " in told(journal).out


def test_a_number_of_a_row_without_a_segment_is_counted(journal: str) -> None:
    without_keys(journal, "segments")
    change_file(journal, "UPDATE segments SET content = NULL")
    assert "\ntable T1, record 1: " in told(journal).out
