"""Reports over tables of several currencies: every row and total is of one."""

from pathlib import Path

import msgspec
import pytest

from cli.running import BOOKS, run
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.fold import ReportsFold
from croupier.floor.reports.report import report_of
from croupier.rulebook import Book, load_book
from floor.audit_journal import at_table, write_journal
from table.rig import Play


def euros_at_double_zero(book_id: str) -> Book:
    book = load_book(book_id)
    return msgspec.structs.replace(book, currency="EUR") if book_id == "rws-roulette-00" else book


def plays() -> list[Play]:
    """Two tables at one time with one dealer: 10.00 lost at one, 7.00 at the other."""
    one, other = Play().open(("1",), 5_000), at_table("T2", Play("rws-roulette-00", "A").open(("1",), 900))
    one.round({"1": {"red": 1_000}}, "2")
    other.round({"1": {"red": 700}}, "2")
    return [one, other]


@pytest.mark.parametrize("by", ["day", "dealer", "shift", "hour", "table"])
def test_amounts_of_several_currencies_are_never_added_up(by: str) -> None:
    fold = ReportsFold(Calendar(), euros_at_double_zero)
    for play in plays():
        for sequence, entry in enumerate(play.entries, start=1):
            fold.take(play.settings.table, sequence, entry)
    report = report_of(fold, [by])
    assert [(row.currency, row.drop_cents, row.win_cents) for row in report.totals] == [
        ("EUR", 900, 700),
        ("SGD", 5_000, 1_000),
    ]
    found = {row.currency: 0 for row in report.rows}
    for row in report.rows:
        found[row.currency] += row.win_cents
    assert found == {"EUR": 700, "SGD": 1_000}


def test_the_page_names_currencies_where_there_are_several(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "journal.db", *plays())
    edited = tmp_path / "rws-roulette-00.toml"
    edited.write_text((BOOKS / edited.name).read_text("utf-8") + "# Edited.\n", "utf-8")
    asked = ("report", journal, "--by", "day")

    alone = run(*asked).out
    assert [line.split()[:2] for line in alone.splitlines() if line.startswith("all")] == [
        ["all", "59.00"],
        ["all", "2"],
    ]
    beside = run(*asked, "--book", str(edited)).out
    assert [line.partition(" (")[0][:7].rstrip() for line in beside.splitlines() if line[:3] == "all"] == [
        "all",
        "all SGD",
    ] * 2
    assert "2023-11-14 (currency not known)" in beside
    lines = run(*asked, "--book", str(edited), "--csv").out.splitlines()
    assert [line.split(",")[:3] for line in lines] == [
        ["day", "currency", "drop"],
        ["2023-11-14", "", "9.00"],
        ["2023-11-14", "SGD", "50.00"],
    ]
