"""Tables that are verified at a time, each by a process of its own, are judged as they are one by one."""

import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.running import BOOKS
from croupier.cli.journals import find_books
from croupier.floor.verify import side_by_side
from croupier.floor.verify.evidence import SqliteEvidence, open_evidence
from croupier.floor.verify.journal import TableReport, verify_journal
from croupier.floor.verify.side_by_side import EVERYTHING
from croupier.journal import StoreError, open_store
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, write, write_journal
from floor.audit_play import RandomTable
from table.rig import Play, player

AMOUNT = 12_500


@pytest.fixture(scope="module")
def plays() -> list[Play]:
    """Four tables of three games; a voucher of the third is redeemed at the last, for too much."""
    issuing = Play().open(("1",), AMOUNT)
    issuing.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    redeeming = Play().open(("1",), 1_000)
    redeeming.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT + 1, voucher="V-1"))
    return [
        RandomTable(1).rounds(20),
        at_table("T2", RandomTable(2, "rws-roulette-000").rounds(20)),
        at_table("T3", issuing),
        at_table("T4", redeeming),
        at_table("T5", RandomTable(3, "rws-money-wheel").rounds(20)),
    ]


@pytest.fixture
def journal(plays: list[Play], tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", *plays)


def verified(
    address: str, processors: int, find_book: Callable[[str], Book] = load_book
) -> tuple[list[TableReport], bool]:
    """What was found, and whether several tables were read at a time."""
    told = []
    with closing(open_evidence(address)) as evidence:
        reports = verify_journal(
            evidence,
            find_book=find_book,
            progress=lambda what, done, total: told.append((what, done, total)),
            beside_from=200,
            processors=processors,
        )
    done = [done for what, done, _ in told if what == EVERYTHING]
    assert done == sorted(done)
    return reports, bool(done)


def both_ways(address: str, find_book: Callable[[str], Book] = load_book) -> list[TableReport]:
    """What was found side by side, which is what was found one by one."""
    one_by_one, at_a_time = verified(address, 1, find_book)
    assert not at_a_time
    for processors in (2, 9):
        assert verified(address, processors, find_book) == (one_by_one, True)
    return one_by_one


def misfits(reports: list[TableReport]) -> dict[str, str]:
    return {report.table: report.first_misfit.reason for report in reports if report.first_misfit}


def test_tables_side_by_side_are_judged_as_one_by_one(journal: str) -> None:
    reports = both_ways(journal)
    assert misfits(reports) == {"T4": "the voucher that it ends was issued for another amount"}
    assert [report.table for report in reports] == ["T1", "T2", "T3", "T4", "T5"]
    assert all(report.rounds >= 20 for report in reports if report.table in ("T1", "T2", "T5"))


def test_every_table_has_its_first_misfit(journal: str) -> None:
    change_file(journal, "UPDATE records SET at_ms = at_ms + 1 WHERE table_id = 'T1' AND sequence = 150")
    change_file(journal, "DELETE FROM records WHERE table_id = 'T5' AND sequence = 90")
    change_file(journal, "INSERT INTO claims VALUES ('voucher-issued/V-9', 'T2', 7)")
    assert {*misfits(both_ways(journal))} == {"T1", "T2", "T4", "T5"}


def test_a_database_is_read_by_several_processes_too(postgres_address: str, plays: list[Play]) -> None:
    with closing(open_store(postgres_address)) as store:
        write(store, *plays)
    assert {*misfits(both_ways(postgres_address))} == {"T4"}


def test_a_book_of_ones_own_is_asked_for_and_may_be_missing(plays: list[Play], tmp_path: Path) -> None:
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    file = tmp_path / "own.toml"
    file.write_text(text.replace('id = "mbs-roulette"', 'id = "own-game"'), encoding="utf-8")
    own_table = at_table("T9", RandomTable(4, str(file)).rounds(20))
    journal = write_journal(tmp_path / "own.db", plays[0], plays[1], own_table)

    found = both_ways(journal, find_books([str(file)]))
    assert misfits(found) == {}
    assert [report.missing_book for report in found] == [None, None, None]

    missing = both_ways(journal, find_books([]))
    assert [report.missing_book for report in missing] == [None, None, "own-game"]


def test_a_journal_that_was_written_to_meanwhile_is_read_by_one(journal: str) -> None:
    with closing(SqliteEvidence(journal)) as evidence:
        before = evidence.tables()
        with closing(open_store(journal)) as store:
            write(store, at_table("T6", Play().open(("1",), AMOUNT)))
        told: list[str] = []
        reports = verify_journal(
            evidence, progress=lambda what, done, total: told.append(what), beside_from=200, processors=2
        )
    assert [report.table for report in reports] == before
    assert EVERYTHING not in told
    assert [report.table for report in verified(journal, 2)[0]] == [*before, "T6"]


def test_one_long_table_beside_short_ones_is_not_left_to_one_process(
    plays: list[Play], tmp_path: Path
) -> None:
    journal = write_journal(tmp_path / "floor.db", plays[0], plays[2])
    assert verified(journal, 2)[1] is False


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list["subprocess.Popen[bytes]"]:
    """Every process that is started for a verification."""
    begun: list[subprocess.Popen[bytes]] = []
    start = side_by_side.started

    def started(program: str) -> "subprocess.Popen[bytes]":
        begun.append(start(program))
        return begun[-1]

    monkeypatch.setattr(side_by_side, "started", started)
    return begun


def test_no_process_outlives_the_verification(
    journal: str, processes: list["subprocess.Popen[bytes]"]
) -> None:
    assert verified(journal, 2)[1]
    assert len(processes) == 2
    assert None not in [process.returncode for process in processes]


def test_what_nobody_thought_of_ends_all_of_them(
    journal: str, processes: list["subprocess.Popen[bytes]"]
) -> None:
    def find_book(book_id: str) -> Book:
        raise ZeroDivisionError(book_id)

    with pytest.raises(ZeroDivisionError):
        verified(journal, 2, find_book)
    assert None not in [process.returncode for process in processes]


def test_a_process_that_is_ended_is_an_error_and_no_verdict(
    journal: str, processes: list["subprocess.Popen[bytes]"]
) -> None:
    def find_book(book_id: str) -> Book:
        for process in processes:
            process.kill()
        return load_book(book_id)

    with pytest.raises(StoreError, match="ended before it was done"):
        verified(journal, 2, find_book)


def test_half_of_what_a_process_tells_is_nothing(journal: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has ended amid it; the tables are read one after the other."""
    half = "import sys; sys.stdout.buffer.write(bytes(7) + b'\\x09' + b'[1')"
    monkeypatch.setattr(side_by_side, "_PROGRAM", half)
    assert verified(journal, 2) == (verified(journal, 1)[0], False)


def test_where_no_further_process_can_be_had_one_reads_all(
    journal: str, processes: list["subprocess.Popen[bytes]"], monkeypatch: pytest.MonkeyPatch
) -> None:
    start = side_by_side.started

    def started(program: str) -> "subprocess.Popen[bytes]":
        if processes:
            raise BlockingIOError("Resource temporarily unavailable")
        return start(program)

    monkeypatch.setattr(side_by_side, "started", started)
    assert verified(journal, 2) == (verified(journal, 1)[0], False)
    assert [process.returncode is None for process in processes] == [False]
