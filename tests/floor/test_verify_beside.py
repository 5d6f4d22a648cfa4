"""However a journal is read, the same record is found for the same reason: by two processes or by one."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from croupier.floor.verify import beside, parcels
from croupier.floor.verify.beside import PORTION, Beside, Elsewhere, Errand, Portion, portions
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import TableReport, verify_journal
from croupier.floor.verify.parcels import started
from croupier.floor.verify.stream import Misfit
from croupier.journal import GENESIS, Record, StoreError
from croupier.rulebook import load_book
from floor.audit_journal import (
    Event,
    MemoryEvidence,
    edit,
    first_misfit,
    put_rows,
    records_of,
    relink,
    write_journal,
)
from floor.audit_play import RandomTable
from table.rig import Play

ALONE, TOGETHER = 10**9, 0

Change = Callable[[list[Record]], list[Record]]


@pytest.fixture(scope="module")
def evening() -> Play:
    """A table with more records than are told of at once."""
    return RandomTable(7).rounds(70)


@pytest.fixture(scope="module")
def kept(evening: Play, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal of that table that fits."""
    return write_journal(tmp_path_factory.mktemp("kept") / "floor.db", evening)


def reports(journal: str, beside_from: int) -> list[TableReport]:
    with closing(SqliteEvidence(journal)) as evidence:
        return verify_journal(evidence, beside_from=beside_from)


def put(path: Path, play: Play, rows: list[Record]) -> str:
    """A journal with other rows in place of a table's own, and the head that an attacker would give it."""
    journal = write_journal(path / "floor.db", play)
    put_rows(journal, rows)
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("UPDATE heads SET sequence = ?, hash = ?", (rows[-1].sequence, rows[-1].hash))
    return journal


def replaced(rows: list[Record], index: int, **columns: object) -> list[Record]:
    return [*rows[:index], rows[index]._replace(**columns), *rows[index + 1 :]]


def last_of(rows: list[Record], kind: str) -> int:
    return max(index for index, record in enumerate(rows) if record.kind == kind)


def another_payload(rows: list[Record]) -> list[Record]:
    index = last_of(rows, "bets-changed")
    return replaced(rows, index, payload=rows[index].payload.replace(b'"round":', b'"round": '))


def another_hash(rows: list[Record]) -> list[Record]:
    return replaced(rows, PORTION, previous=bytes(32))


def a_record_less(rows: list[Record]) -> list[Record]:
    return rows[:300] + rows[301:]


def a_cent_more(rows: list[Record]) -> list[Record]:
    index = last_of(rows, "seat-settled")
    payload = json.loads(rows[index].payload)
    payload["event"]["returned_cents"] += 1
    return relink(replaced(rows, index, payload=json.dumps(payload).encode()))


def another_actor(rows: list[Record]) -> list[Record]:
    return relink(replaced(rows, 200, actor="somebody"))


def another_part(rows: list[Record]) -> list[Record]:
    return relink(replaced(rows, 200, part=rows[200].part + 1))


def another_kind(rows: list[Record]) -> list[Record]:
    return relink(replaced(rows, last_of(rows, "bets-changed"), kind="box-marked"))


def another_version(rows: list[Record]) -> list[Record]:
    return relink(replaced(rows, 200, version=9))


def a_number_again(rows: list[Record]) -> list[Record]:
    first, again, *_ = (index for index, row in enumerate(rows) if row.kind == "bets-changed")
    return relink([*rows[: again + 1], rows[first], *rows[again + 1 :]])


def no_event(rows: list[Record]) -> list[Record]:
    return relink(replaced(rows, 200, payload=b"{}"))


def edited(rows: list[Record], index: int, change: Callable[[Event, Event], None]) -> list[Record]:
    return relink([*rows[:index], edit(rows[index], change), *rows[index + 1 :]])


def another_clause(rows: list[Record]) -> list[Record]:
    def change(event: Event, cause: Event) -> None:
        event["clause"] = "mbs-roulette:1.1"

    return edited(rows, last_of(rows, "bets-changed"), change)


def an_earlier_bet(rows: list[Record]) -> list[Record]:
    def change(event: Event, cause: Event) -> None:
        cause["at_ms"] -= 3_600_000

    return edited(rows, last_of(rows, "bets-changed"), change)


def a_tail_cut_off(rows: list[Record]) -> list[Record]:
    return rows[: last_of(rows, "seat-settled")]


CHANGES = (
    another_payload,
    another_hash,
    a_record_less,
    a_cent_more,
    another_actor,
    another_part,
    another_kind,
    another_version,
    a_number_again,
    no_event,
    another_clause,
    an_earlier_bet,
    a_tail_cut_off,
)


def test_a_journal_that_fits_fits_both_ways(kept: str) -> None:
    together = reports(kept, TOGETHER)
    assert together == reports(kept, ALONE)
    assert together[0].first_misfit is None
    assert together[0].records > PORTION


@pytest.mark.parametrize("change", CHANGES)
def test_two_processes_find_what_one_finds(evening: Play, tmp_path: Path, change: Change) -> None:
    rows = change(records_of(evening))
    journal = put(tmp_path, evening, rows)
    alone = reports(journal, ALONE)
    assert alone[0].first_misfit is not None
    assert reports(journal, TOGETHER) == alone
    one_by_one = MemoryEvidence(evening)
    one_by_one.put(rows)
    assert first_misfit(one_by_one) == alone[0].first_misfit


def test_payloads_over_several_lines_say_the_same(evening: Play, tmp_path: Path) -> None:
    rows = [
        record._replace(payload=json.dumps(json.loads(record.payload), indent=1).encode())
        for record in records_of(evening)
    ]
    assert b"\n" in rows[-1].payload
    journal = put(tmp_path, evening, relink(rows))
    assert [report.first_misfit for report in reports(journal, TOGETHER)] == [None]


def a_null_character(rows: list[Record]) -> list[Record]:
    def change(event: Event, cause: Event) -> None:
        cause["actor"]["id"] += "\0"

    index = last_of(rows, "bets-changed")
    return [*rows[:index], edit(rows[index], change), *rows[index + 1 :]]


def another_spelling(rows: list[Record]) -> list[Record]:
    return replaced(rows, 200, number=f"0{rows[200].number}")


def chained(rows: list[Record]) -> list[Record]:
    """The hashes that an attacker would give them, who does not mind what a record may hold."""
    made, previous = list[Record](), GENESIS
    for row in rows:
        fields = "".join(f"{field}\n" for field in row[:9]).encode()
        own = hashlib.sha256(previous + fields + row.payload).digest()
        made.append(row._replace(previous=previous, hash=own))
        previous = own
    return made


@pytest.mark.parametrize("change", [a_null_character, another_spelling])
def test_bytes_that_are_of_no_record_fit_neither_way(evening: Play, tmp_path: Path, change: Change) -> None:
    """They are on the chain, and what they say is what their payload says."""
    journal = put(tmp_path, evening, chained(change(records_of(evening))))
    (alone,) = reports(journal, ALONE)
    assert alone.first_misfit is not None
    assert alone.first_misfit.reason == "it holds what no record can hold"
    assert reports(journal, TOGETHER) == [alone]


def test_an_amount_of_whatever_length_is_judged_both_ways(evening: Play, tmp_path: Path) -> None:
    """Records hold numbers of any length, and whoever forges one may write what no message can carry."""

    def change(event: Event, cause: Event) -> None:
        event["cents"] = event["postings"][0]["cents"] = 10**30

    rows = records_of(evening)
    first = next(index for index, row in enumerate(rows) if row.kind == "credits-bought")
    journal = put(tmp_path, evening, edited(rows, first, change))
    assert reports(journal, TOGETHER) == reports(journal, ALONE)


def test_of_bytes_that_are_of_no_record_and_off_the_chain_both_ways_say_the_same(
    evening: Play, tmp_path: Path
) -> None:
    rows = another_spelling(records_of(evening))
    (alone,) = reports(put(tmp_path, evening, rows), ALONE)
    assert alone.first_misfit == Misfit(sequence=201, reason="its hash is not the hash of its content")
    assert reports(str(tmp_path / "floor.db"), TOGETHER) == [alone]


def errand(journal: str, play: Play, last_stretch: object = None) -> Errand:
    """To read as far as the stretch that begins with a number, or everything."""
    where = Elsewhere(journal, last_stretch=last_stretch)
    return Errand(where, "T1", load_book(play.settings.book), play.settings)


def told(portion: Iterator[Portion]) -> Portion:
    *_, last = portion
    return last


def test_what_cannot_have_happened_is_told(evening: Play, tmp_path: Path) -> None:
    rows = records_of(evening)
    index = next(index for index, record in enumerate(rows) if record.kind == "bets-changed")
    seat = json.loads(rows[index].payload)["event"]["seat"].encode()
    nobody = rows[index].payload.replace(b'"seat":"%b","round"' % seat, b'"seat":"nobody","round"')
    assert nobody != rows[index].payload
    journal = put(tmp_path, evening, relink(replaced(rows, index, payload=nobody)))
    last = told(portions(errand(journal, evening)))
    assert last.impossible == "it cannot have happened (KeyError: 'nobody')"
    assert len(last.readings) == index


def test_what_is_written_meanwhile_is_left_alone(evening: Play, tmp_path: Path) -> None:
    rows = records_of(evening)
    journal = put(tmp_path, evening, rows[:100])
    with closing(SqliteEvidence(journal)) as evidence:
        seen = errand(journal, evening, evidence.last_stretch("T1"))
    put_rows(journal, rows)
    assert sum(len(portion.readings) for portion in portions(seen)) == 100
    assert sum(len(portion.readings) for portion in portions(errand(journal, evening))) == len(rows)


def test_whatever_stands_for_the_last_stretch_of_a_damaged_file_the_records_before_it_are_checked(
    evening: Play, tmp_path: Path
) -> None:
    rows = records_of(evening)
    journal = put(tmp_path, evening, rows)
    with closing(sqlite3.connect(journal, isolation_level=None)) as connection:
        connection.execute("UPDATE segments SET first = 'the last' WHERE first = ?", (len(rows),))
    found = reports(journal, TOGETHER)
    assert found == reports(journal, ALONE)
    assert found[0].records == len(rows) - 1
    assert found[0].first_misfit is not None


def test_a_process_that_ends_early_is_an_error_and_no_verdict(evening: Play, tmp_path: Path) -> None:
    beside = Beside(errand(str(tmp_path / "gone.db"), evening))
    with pytest.raises(StoreError, match="ended before the journal"):
        beside.off_chain()
    beside.close()


def test_a_process_that_ends_amid_what_it_tells_is_an_error_and_no_verdict(
    kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    half = "import sys; sys.stdin.buffer.read(); sys.stdout.buffer.write(bytes(7) + b'\\x09[1')"
    monkeypatch.setattr(beside, "_PROGRAM", half)
    with pytest.raises(StoreError, match="ended before the journal"):
        reports(kept, TOGETHER)


def test_a_process_that_does_not_listen_is_an_error_and_no_verdict(
    evening: Play, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "_PROGRAM", "import os; os.close(0)")
    much = msgspec.structs.replace(errand(kept, evening), table="T" * 5_000_000)
    with pytest.raises(StoreError, match="ended before the journal"):
        Beside(much)


def test_a_process_whose_asker_is_gone_ends_without_a_word(capfd: pytest.CaptureFixture[str]) -> None:
    """Ctrl-C ends the one that asks while it hands over what is asked."""
    process = started(beside._PROGRAM)
    process.communicate(bytes(7) + b"\x09[1")
    assert (process.returncode, capfd.readouterr().err) == (0, "")


def test_where_pipes_cannot_be_wide_two_processes_verify_all_the_same(
    kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parcels, "_PIPE", 2**31 - 1)  # wider than any system has them
    assert [report.first_misfit for report in reports(kept, TOGETHER)] == [None]


def test_nothing_beside_the_evidence_is_carried_out(
    kept: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever verifies a journal may stand in a folder that somebody else has filled."""
    (tmp_path / "msgspec.py").write_text("raise SystemExit('carried out')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert [report.first_misfit for report in reports(kept, TOGETHER)] == [None]
