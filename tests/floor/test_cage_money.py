"""What is outstanding, each currency by itself: a voucher is money of the table that issued it."""

from itertools import permutations
from pathlib import Path

import msgspec
import pytest

from cli.running import BOOKS as SHIPPED
from cli.running import run
from croupier.floor.cage.money import VoucherMoney
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.cage.report import CageReport, CageRow
from croupier.floor.cage.vouchers import EXPIRED, PAID, REINSTATED, VOIDED
from croupier.floor.reports.calendar import ALL_DAYS, GamingDays
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from croupier.table.events import CreditsBought, CreditsPaidOut, Event, TableCreated
from floor.audit_journal import write_journal
from floor.sim_entries import SETTINGS
from table.rig import Play, player

MONDAY, TUESDAY = "2023-11-13", "2023-11-14"
BOOKS = {"S1": "mbs-roulette", "S2": "rws-roulette-00", "E1": "rws-money-wheel", "G1": "rws-roulette-000"}
"""By table; the wheel's is in euros, and that of G1 was replaced since."""


def find_book(book_id: str) -> Book:
    book = load_book(book_id)
    return msgspec.structs.replace(book, currency="EUR") if book_id == BOOKS["E1"] else book


def created(table: str) -> TableCreated:
    settings = msgspec.structs.replace(SETTINGS, table=table, book=BOOKS[table], pocket_order=())
    return TableCreated(
        settings=settings, book_sha256="00" if table == "G1" else load_book(BOOKS[table]).sha256
    )


def issued(number: str, cents: int) -> CreditsPaidOut:
    return CreditsPaidOut(seat="1", cents=cents, voucher=number, postings=(), clause="")


def redeemed(number: str, cents: int) -> CreditsBought:
    return CreditsBought(seat="1", cents=cents, voucher=number, postings=(), clause="")


def followed(streams: dict[str, list[tuple[str, Event]]]) -> VoucherMoney:
    money = VoucherMoney(find_book)
    for table, events in streams.items():
        money.follow(table, MONDAY, created(table))
        for day, event in events:
            money.follow(table, day, event)
    return money


@pytest.mark.parametrize("order", [*permutations(BOOKS)])
def test_a_voucher_ends_in_the_currency_of_its_issue_whichever_table_is_read_first(
    order: tuple[str, ...],
) -> None:
    streams: dict[str, list[tuple[str, Event]]] = {
        "S1": [(MONDAY, issued("1", 700)), (MONDAY, issued("2", 50)), (TUESDAY, redeemed("3", 900))],
        "S2": [(TUESDAY, redeemed("1", 700))],
        "E1": [(MONDAY, issued("4", 30_000))],
        # Its vouchers were taken for dollars while its book was at hand.
        "G1": [(MONDAY, issued("3", 900)), (TUESDAY, issued("5", 10))],
    }
    money = followed({table: streams[table] for table in order})
    assert money.outstanding_cents(GamingDays(last=MONDAY)) == {"": 900, "EUR": 30_000, "SGD": 750}
    assert money.outstanding_cents(ALL_DAYS) == {"": 10, "EUR": 30_000, "SGD": 50}


def test_what_the_cage_does_with_a_voucher_has_its_currency_however_often() -> None:
    money = followed({"S1": [(MONDAY, issued("1", 700))], "E1": [(MONDAY, issued("2", 300))]})
    acts = [("1", EXPIRED), ("2", VOIDED), ("1", REINSTATED), ("1", EXPIRED), ("1", REINSTATED), ("1", PAID)]
    found = [
        (money.end(number, act, TUESDAY, {"1": 700, "2": 300}[number]), money.outstanding_cents(ALL_DAYS))
        for number, act in acts
    ]
    assert [currency for currency, _ in found] == ["SGD", "EUR", "SGD", "SGD", "SGD", "SGD"]
    assert [left for _, left in found] == [{"EUR": 300}, {}, {"SGD": 700}, {}, {"SGD": 700}, {}]
    assert money.outstanding_cents(GamingDays(last=MONDAY)) == {"EUR": 300, "SGD": 700}


def test_a_page_names_currencies_where_there_are_several() -> None:
    from croupier.cli.report_cage import _page

    rows = tuple(CageRow(day=MONDAY, currency=money, paid_count=1, paid_cents=100) for money in ("", "SGD"))
    report = CageReport(
        by=("day",),
        zone="UTC",
        shifts=("06:00",),
        from_day=None,
        to_day=None,
        cashier=None,
        rows=rows,
        totals=rows,
        acts=(),
        outstanding_cents={"EUR": 500, "SGD": 250},
    )
    page = _page(report)
    assert f"{MONDAY} (currency not known)" in page
    assert "all SGD" in page
    assert "Outstanding: 5.00 EUR, 2.50 SGD." in page
    one = _page(msgspec.structs.replace(report, rows=rows[1:], totals=rows[1:], outstanding_cents={}))
    assert "SGD" not in one
    assert "Outstanding: 0.00." in one


def test_a_book_that_was_edited_tells_nothing_about_a_table_of_the_one_before(tmp_path: Path) -> None:
    number = new_voucher_number()
    play = Play().open(("1",), 500)
    play.do(player("1"), c.CashOut(seat="1", voucher=number))
    journal = write_journal(tmp_path / "journal.db", play)
    edited = tmp_path / "mbs-roulette.toml"
    edited.write_text((SHIPPED / edited.name).read_text("utf-8") + "# Edited.\n", "utf-8")
    asked = ("report", journal, "--cage", "--by", "day", "--json")
    assert run(*asked).json["outstanding"] == {"SGD": "5.00"}
    assert run(*asked, "--book", str(edited)).json["outstanding"] == {"": "5.00"}
