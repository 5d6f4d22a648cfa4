"""The index of senders' numbers is part of the evidence: what is missing or too much in it is found."""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import verify_journal
from croupier.floor.verify.stream import Misfit
from croupier.journal import Record
from floor.audit_journal import at_table, change_file, records_of, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from table.rig import Play


def misfits(journal: str, beside_from: int = 10**9) -> dict[str, Misfit]:
    with closing(SqliteEvidence(journal)) as evidence:
        reports = verify_journal(evidence, beside_from=beside_from)
    return {each.table: each.first_misfit for each in reports if each.first_misfit is not None}


def key_of(record: Record) -> str:
    return "\n".join((record.table, str(record.number), record.sender, str(record.part)))


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", evening(), at_table("T2", roulette()))


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return records_of(evening())


def evening() -> Play:
    return RandomTable(7).rounds(3)


def test_every_record_has_its_number_in_the_index(journal: str, records: list[Record]) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        rows = connection.execute("SELECT key, sequence FROM sent WHERE key < 'T2' ORDER BY sequence")
        assert [*rows] == [(key_of(record), record.sequence) for record in records]
    assert misfits(journal) == {}


@pytest.mark.parametrize("beside_from", [0, 10**9])
def test_a_number_that_was_taken_out_is_missed_at_its_record(
    journal: str, records: list[Record], beside_from: int
) -> None:
    for record in (records[0], records[len(records) // 2], records[-1]):
        change_file(journal, f"DELETE FROM sent WHERE key = '{key_of(record)}'")
        missed = Misfit(sequence=record.sequence, reason=not_noted(record))
        assert misfits(journal, beside_from) == {"T1": missed}
        change_file(journal, f"INSERT INTO sent VALUES ('{key_of(record)}', {record.sequence})")
    assert misfits(journal, beside_from) == {}


def not_noted(record: Record) -> str:
    return f"number {record.number} of {record.sender} is not noted as used by it"


def test_a_number_that_stands_for_another_record_is_found(journal: str, records: list[Record]) -> None:
    change_file(journal, f"UPDATE sent SET sequence = 3 WHERE key = '{key_of(records[4])}'")

    assert misfits(journal) == {"T1": Misfit(sequence=5, reason=not_noted(records[4]))}


def test_no_number_of_a_record_hides_another_one(journal: str, records: list[Record]) -> None:
    """Python gives two whole numbers the same hash that are 2**61 - 1 apart, in every run."""
    change_file(journal, f"UPDATE sent SET sequence = sequence + {2**61 - 1} WHERE key < 'T2'")

    assert misfits(journal) == {"T1": Misfit(sequence=1, reason=not_noted(records[0]))}


def test_a_text_is_no_number_of_a_record(journal: str, records: list[Record]) -> None:
    change_file(journal, f"UPDATE sent SET sequence = CAST('5' AS BLOB) WHERE key = '{key_of(records[4])}'")

    assert misfits(journal) == {"T1": Misfit(sequence=5, reason=not_noted(records[4]))}


def test_a_number_that_no_record_used_is_found(journal: str) -> None:
    change_file(journal, "INSERT INTO sent VALUES ('T1\n99\nmallory\n0', 7)")

    reason = "number 99 of mallory is noted as used by it, and it has not used that"
    assert misfits(journal) == {"T1": Misfit(sequence=7, reason=reason)}


@pytest.mark.parametrize("key", ["T3\n99\nmallory\n0", "T3", ""])
def test_a_number_of_a_table_that_is_not_there_is_found(journal: str, key: str) -> None:
    change_file(journal, f"INSERT INTO sent VALUES ('{key}', 7)")

    assert list(misfits(journal)) == [key.partition("\n")[0]]


def test_a_key_that_is_no_text_is_found(journal: str) -> None:
    change_file(journal, "INSERT INTO sent VALUES (x'5431', 7)")
    change_file(journal, "INSERT INTO sent VALUES (x'5432', 7)")

    assert list(misfits(journal)) == ["b'T1'"]


@pytest.mark.parametrize("value", ["'seven'", "x'07'", "7.5"])
def test_whatever_stands_in_the_index_is_judged(journal: str, value: str) -> None:
    change_file(journal, f"INSERT INTO sent VALUES ('T1\n9\nx\n0', {value})")

    assert list(misfits(journal)) == ["T1"]


def test_a_size_that_says_more_than_there_is_is_found(journal: str) -> None:
    with closing(sqlite3.connect(journal)) as connection:
        row = connection.execute("SELECT sizes FROM segments WHERE table_id = 'T2' AND first = 1").fetchone()
    sizes = [*struct.unpack(f"<{len(row[0]) // 4}I", row[0])]
    longer = struct.pack(f"<{len(sizes)}I", *sizes[:-1], sizes[-1] + 1_000)
    change_file(journal, f"UPDATE segments SET sizes = x'{longer.hex()}' WHERE table_id = 'T2' AND first = 1")
    assert misfits(journal)["T2"].sequence == len(sizes)
