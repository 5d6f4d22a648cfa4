"""Whoever changes a journal without making the chain anew is found by the chain, at that record."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor.audit import DoesNotFit
from croupier.floor.verify.evidence import ClaimRow, SqliteEvidence
from croupier.floor.verify.journal import Misfit, verify_journal
from croupier.floor.verify.table import TableCheck
from croupier.journal import Head, Record, canonical
from croupier.rulebook import load_book
from floor.audit_journal import (
    MemoryEvidence,
    at_table,
    first_misfit,
    records_of,
    relink,
    write_journal,
    write_old_journal,
)
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from table.rig import Play

BITS = [1 << bit for bit in range(8)]


def flips(content: bytes) -> Iterator[bytes]:
    """Every way to change one byte by one bit, and each byte turned over."""
    for index, byte in enumerate(content):
        for mask in (*BITS, 0xFF):
            yield content[:index] + bytes([byte ^ mask]) + content[index + 1 :]


def test_every_bit_of_every_payload_and_hash_counts() -> None:
    play, tried = roulette(), 0
    check = TableCheck("T1", {}, {}, load_book)
    records = records_of(play)[:-2]  # the last two claim a voucher
    for record in records:
        changed = [record._replace(payload=payload) for payload in flips(record.payload)]
        changed += [record._replace(previous=previous) for previous in flips(record.previous)]
        changed += [record._replace(hash=digest) for digest in flips(record.hash)]
        for other in changed:
            with pytest.raises(DoesNotFit):
                check.take(other)
        tried += len(changed)
        check.take(record)
    assert check.head == Head(records[-1].sequence, records[-1].hash)
    assert tried > 9 * 400 * len(records)


SAMPLE = (1, 12, 40)
"""The creation, a bet, and a settlement."""


def column_changes(record: Record, start: int, row: dict[str, bytes]) -> Iterator[tuple[str, str, object]]:
    """Changes of every byte of a record in its segment: a column, what SQL makes of the value, and the value.

    Its form begins at `start` of the segment's content.
    """
    for index in range(len(record.table)):
        for mask in (0x01, 0x80):
            content = bytearray(record.table.encode())
            content[index] ^= mask
            yield "table_id", "CAST(? AS TEXT)", bytes(content)
    for bit in range(62):
        yield "first", "?", 1 ^ (1 << bit)
    content, sizes = row["content"], row["sizes"]
    for index in range(start, start + len(canonical(record))):
        yield "content", "?", content[:index] + bytes([content[index] ^ 0x01]) + content[index + 1 :]
    for index in range(4 * (record.sequence - 1), 4 * record.sequence):
        for mask in BITS:
            yield "sizes", "?", sizes[:index] + bytes([sizes[index] ^ mask]) + sizes[index + 1 :]
    for changed in flips(row["hash"]):
        yield "hash", "?", changed
    yield "content", "CAST(? AS TEXT)", content
    yield "content", "?", content + b"{}"
    yield "content", "?", content[:-1]
    yield "content", "?", b""
    yield "sizes", "?", sizes[:-4]
    yield "sizes", "?", sizes[:-1]
    yield "sizes", "?", b""
    yield "hash", "?", row["hash"].hex()
    yield "first", "?", "eleven"
    yield "table_id", "?", b"T1"


@pytest.mark.parametrize("sequence", SAMPLE)
def test_every_byte_of_every_column_in_the_file_counts(tmp_path: Path, sequence: int) -> None:
    play = evening()
    records = records_of(play)
    record, journal = records[sequence - 1], write_journal(tmp_path / "floor.db", play)
    connection = sqlite3.connect(journal, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")  # only what is read counts here
    columns = ("table_id", "first", "sizes", "content", "hash")
    ((*whole,),) = connection.execute("SELECT * FROM segments").fetchall()
    assert len(records) > 200
    start, tried = sum(len(canonical(one)) for one in records[: sequence - 1]), 0
    for column, marker, value in column_changes(record, start, dict(zip(columns, whole, strict=True))):
        connection.execute(f"UPDATE segments SET {column} = {marker}", (value,))

        found = verify(journal)

        assert "T1" in found, (column, value)
        if column == "content" and len(value) == len(whole[3]) and marker == "?":
            # Its hash stands where the next one begins, so that a change of that is found here.
            assert found["T1"].sequence in (sequence - 1, sequence, sequence + 1), value
        connection.execute("DELETE FROM segments")
        connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?, ?)", whole)
        tried += 1
    assert verify(journal) == {}
    assert tried > 600
    connection.close()


@pytest.mark.parametrize("beside_from", [0, 10**9])
def test_a_file_of_the_first_version_is_verified_as_it_is(tmp_path: Path, beside_from: int) -> None:
    journal = write_old_journal(tmp_path / "old.db", evening(), at_table("T2", roulette()))
    before = Path(journal).read_bytes()

    def found() -> dict[str, Misfit]:
        with closing(SqliteEvidence(journal)) as evidence:
            reports = verify_journal(evidence, beside_from=beside_from)
        return {each.table: each.first_misfit for each in reports if each.first_misfit is not None}

    assert found() == {}
    assert Path(journal).read_bytes() == before
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("UPDATE records SET actor = 'mallory' WHERE table_id = 'T1' AND sequence = 40")
    assert found()["T1"].sequence == 40


def evening() -> Play:
    """A table with a few hundred records."""
    return RandomTable(7).rounds(15)


def verify(journal: str) -> dict[str, Misfit]:
    evidence = SqliteEvidence(journal)
    try:
        reports = verify_journal(evidence)
    finally:
        evidence.close()
    return {report.table: report.first_misfit for report in reports if report.first_misfit is not None}


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return records_of(roulette())


def found_in(rows: list[Record]) -> Misfit:
    evidence = MemoryEvidence(roulette())
    evidence.rows["T1"] = rows
    misfit = first_misfit(evidence)
    assert misfit is not None
    return misfit


def test_every_deleted_record_is_missed(records: list[Record]) -> None:
    for index in range(len(records)):
        rest = records[:index] + records[index + 1 :]
        expected = index + 1 if index == len(records) - 1 else index + 2
        assert found_in(rest).sequence == expected


def test_every_two_swapped_records_are_found(records: list[Record]) -> None:
    for index in range(len(records) - 1):
        one, two = records[index : index + 2]
        as_they_stand = [*records[:index], two, one, *records[index + 2 :]]
        renumbered = [
            *records[:index],
            two._replace(sequence=one.sequence),
            one._replace(sequence=two.sequence),
            *records[index + 2 :],
        ]
        assert found_in(as_they_stand).sequence == two.sequence
        assert found_in(renumbered).sequence == one.sequence


def test_every_inserted_and_doubled_record_is_found(records: list[Record]) -> None:
    for index in range(len(records)):
        doubled = [*records[: index + 1], records[index], *records[index + 1 :]]
        assert found_in(doubled).sequence == records[index].sequence
        shifted = [record._replace(sequence=record.sequence + 1) for record in records[index:]]
        assert found_in([*records[: index + 1], *shifted]).sequence == index + 2


def test_every_cut_is_found_by_the_head(records: list[Record]) -> None:
    for length in range(len(records)):
        misfit = found_in(records[:length])
        assert misfit.sequence == length + 1
        assert f"the head says {len(records)} with {records[-1].hash.hex()}" in misfit.reason


def test_a_cut_with_a_head_to_match_is_found_within_a_command(records: list[Record]) -> None:
    evidence = MemoryEvidence(roulette())
    evidence.claimed = []
    for length in range(1, len(records) - 2):
        evidence.put(records[:length])
        misfit = first_misfit(evidence)
        if records[length].part == 0:  # between two commands only an anchor shows it
            assert misfit is None
        else:
            assert misfit is not None
            assert misfit.sequence == length
            assert "the journal ends with it" in misfit.reason


def test_a_cut_between_two_commands_takes_an_anchor(records: list[Record]) -> None:
    evidence, last = MemoryEvidence(roulette()), records[-1]
    evidence.put(records[:-1])

    assert first_misfit(evidence) is None
    misfit = first_misfit(evidence, anchors={"T1": {last.sequence: last.hash}})

    assert misfit == Misfit(sequence=last.sequence, reason="it is not there, and its hash was noted down")


def test_every_byte_of_the_heads_counts(records: list[Record]) -> None:
    evidence, last = MemoryEvidence(roulette()), records[-1]
    for head in [Head(last.sequence, digest) for digest in flips(last.hash)] + [
        Head(last.sequence ^ (1 << bit), last.hash) for bit in range(63)
    ]:
        evidence.heads["T1"] = head
        assert first_misfit(evidence) is not None
    del evidence.heads["T1"]
    assert first_misfit(evidence) == Misfit(
        sequence=last.sequence, reason="the records end with it, and no head says so"
    )


def test_a_head_of_a_table_without_records_is_found() -> None:
    evidence = MemoryEvidence(roulette())
    evidence.heads["T2"] = evidence.heads["T1"]
    reports = verify_journal(evidence)
    assert [report.table for report in reports if report.first_misfit is not None] == ["T2"]


def test_records_behind_the_head_are_found(records: list[Record]) -> None:
    evidence = MemoryEvidence(roulette())
    evidence.heads["T1"] = Head(records[-2].sequence, records[-2].hash)
    misfit = first_misfit(evidence)
    assert misfit is not None
    assert misfit.sequence == records[-1].sequence


def test_claims_are_compared_in_both_directions() -> None:
    (claim,) = MemoryEvidence(roulette()).claimed
    assert claim.key == "voucher-issued/V-1"
    more = ClaimRow("voucher-redeemed/V-9", "T1", 5)
    changed: list[tuple[list[ClaimRow], int]] = [
        ([], claim.sequence),
        ([claim, more], 5),
        ([claim._replace(sequence=5)], 5),
        ([claim._replace(key="voucher-issued/V-9")], claim.sequence),
        ([claim, more._replace(sequence=999)], 999),
        ([claim, more._replace(table="T9")], 0),
        ([claim._replace(table="T9")], claim.sequence),
    ]
    for rows, sequence in changed:
        evidence = MemoryEvidence(roulette())
        evidence.claimed = rows
        misfits = [report.first_misfit for report in verify_journal(evidence) if report.first_misfit]
        assert misfits[0].sequence == sequence, rows


def test_a_record_of_another_table_is_found(records: list[Record]) -> None:
    other = records_of(at_table("T2", roulette()))
    for index in range(len(records)):
        moved = [*records[:index], other[index], *records[index + 1 :]]
        assert found_in(moved).sequence == index + 1


def test_a_whole_history_under_another_name_is_found() -> None:
    evidence = MemoryEvidence(roulette())
    evidence.put(relink(records_of(at_table("T2", roulette()))))
    misfit = first_misfit(evidence)
    assert misfit == Misfit(sequence=1, reason="it creates table 'T2'")
