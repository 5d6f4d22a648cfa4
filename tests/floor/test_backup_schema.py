"""A journal whose tables somebody changed: its copy is kept as evidence, and is no success."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cli.running import refusal, run
from croupier.floor.backup.backup import LINES, make_backup
from croupier.floor.verify.evidence import open_evidence
from croupier.journal.postgres import PostgresStore
from floor.audit_journal import change_file, write, write_journal
from floor.audit_scenes import roulette

CHANGES = {
    "DROP TABLE claims": "the table claims is missing",
    "DROP TABLE snapshots": "the table snapshots is missing",
    "DROP TABLE sent": "the table sent is missing",
    "DROP TABLE beats": "the table beats is missing",
    "DROP TRIGGER append": "the trigger append is missing",
    "DROP VIEW appending": "the view appending is missing",
    "CREATE TABLE more (name)": "the table more was added",
    "CREATE INDEX by_key ON claims (sequence)": "the index by_key was added",
}


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette())


@pytest.mark.parametrize(("statement", "fault"), CHANGES.items())
@pytest.mark.parametrize("without_note", [True, False])
def test_a_copy_of_a_changed_journal_is_kept_and_is_no_success(
    journal: str, tmp_path: Path, statement: str, fault: str, without_note: bool
) -> None:
    change_file(journal, statement)
    copy = tmp_path / "copy.db"
    ran = run("backup", journal, str(copy), *(["--without-note"] if without_note else []))
    assert ran.status == 1
    assert f"The journal is not as croupier makes it: {fault}" in ran.err
    assert "'croupier restore' may refuse it" in ran.err
    with closing(open_evidence(journal)) as evidence, closing(open_evidence(str(copy))) as copied:
        assert [*copied.records("T1")] == [*evidence.records("T1")]


@pytest.mark.parametrize(("statement", "fault"), CHANGES.items())
def test_lines_of_a_changed_journal_are_restored_or_never_made(
    journal: str, tmp_path: Path, statement: str, fault: str
) -> None:
    change_file(journal, statement)
    copy, new = tmp_path / f"copy{LINES}", tmp_path / "new.db"
    if statement == "DROP TABLE claims":
        assert "no such table: claims" in refusal("backup", journal, str(copy), "--without-note")
        assert not copy.exists()
        return
    ran = run("backup", journal, str(copy), "--without-note", "--json")
    assert (ran.status, ran.err.count(fault)) == (1, 1)
    assert f'"{fault}' in ran.out
    assert run("restore", str(copy), str(new)).status == 0
    assert run("verify", str(new)).status == 0


def test_a_copy_without_claims_is_refused_in_a_sentence_when_it_is_restored(
    journal: str, tmp_path: Path
) -> None:
    change_file(journal, "DROP TABLE claims")
    make_backup(journal, tmp_path / "copy.db")
    said = refusal("restore", str(tmp_path / "copy.db"), str(tmp_path / "new.db"))
    assert "no such table: claims" in said
    assert not (tmp_path / "new.db").exists()


def spoil(journal: str, table: str) -> None:
    """Overwrites the first page of a table, as a bad disk does."""
    with closing(sqlite3.connect(journal)) as connection:
        name = (table,)
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", name).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with Path(journal).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 100)


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("claims", "its claims cannot be read to their end"),
        ("sent", "its index of senders' numbers cannot be read to its end"),
    ],
)
def test_what_cannot_be_read_beside_the_records_is_told(
    journal: str, tmp_path: Path, table: str, fault: str
) -> None:
    spoil(journal, table)
    made = make_backup(journal, tmp_path / "copy.db")
    assert [fault.partition(" (")[0] for fault in made.faults] == [fault]


def test_records_are_verified_also_where_the_index_beside_them_cannot_be_read(journal: str) -> None:
    spoil(journal, "sent")
    ran = run("verify", journal, "--json")
    found = json.loads(ran.out)
    assert ran.status == 1
    assert "its index of senders' numbers cannot be read to its end" in found["database"][0]
    assert [table["first_misfit"] for table in found["tables"]] == [None]


def test_a_backup_to_a_name_that_is_no_text_is_noted(journal: str, tmp_path: Path) -> None:
    copy = os.fsdecode(os.fsencode(tmp_path) + b"/copy-\x80.db")
    assert run("backup", journal, copy).status == 0
    with closing(open_evidence(journal)) as evidence:
        (noted,) = evidence.records("house")
    assert rb"copy-\\x80.db" in noted.payload


def test_a_sound_journal_has_no_faults(journal: str, tmp_path: Path) -> None:
    for name in ("copy.db", f"copy{LINES}"):
        assert make_backup(journal, tmp_path / name).faults == []
    assert run("backup", journal, str(tmp_path / "one.db"), "--json").json["database"] == []


def test_the_tables_in_postgresql_are_compared_as_well(postgres_address: str, tmp_path: Path) -> None:
    with closing(PostgresStore(postgres_address)) as store:
        write(store, roulette())
    assert make_backup(postgres_address, tmp_path / "sound.jsonl").faults == []
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("ALTER TABLE croupier.records DROP CONSTRAINT records_by_sender")
    ran = run("backup", postgres_address, str(tmp_path / "copy.jsonl"))
    assert ran.status == 1
    assert "the constraint records.records_by_sender is missing" in ran.err
    assert run("restore", str(tmp_path / "copy.jsonl"), str(tmp_path / "new.db")).status == 0
