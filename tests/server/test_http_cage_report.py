"""What the cage paid, by gaming day, shift and cashier, over HTTP and on the command line."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.running import refusal, run
from croupier.floor import ManualClock
from croupier.protocol.asking import CashOut
from croupier.rulebook import Book, load_book
from croupier.table.commands import BuyCredits
from server.floor_rig import done
from server.server_rig import LiveServer
from server.vouchers_rig import a_voucher

MORNING_MS = 1_700_000_000_000
"""06:13 in Singapore: the first shift of 2023-11-15."""
SHIFT_MS = 8 * 3_600_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(MORNING_MS)


@pytest.fixture
def server(tmp_path: Path, clock: ManualClock) -> Iterator[LiveServer]:
    """A floor on whose clock two were paid in one shift, one in the next, one voided, one left over."""
    zone: dict[str, Any] = {"zone": "Asia/Singapore"}
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock, app_options=zone) as live:
        with live.client(live.staff_token("cage")) as cage:
            for cents in (12_300, 5_000):
                pay(cage, a_voucher(live, cents), cents)
            clock.advance(SHIFT_MS)
            with live.client(live.staff_token("pit-supervisor")) as supervisor:
                voided = a_voucher(live, 700)
                assert supervisor.post(f"/api/vouchers/{voided}/void", json={"reason": "torn"}).is_success
        with live.client(live.staff_token("cage")) as cage:
            pay(cage, a_voucher(live, 100), 100)
        a_voucher(live, 3_300)
        yield live


def pay(cage: Any, number: str, cents: int) -> None:
    assert cage.post(f"/api/vouchers/{number}/pay", json={"cents": cents}).status_code == 200


def asked(server: LiveServer, who: str, **query: str) -> Any:
    with server.client(server.staff_token(who)) as client:
        return client.get("/api/cage/report", params=query)


def test_a_shift_manager_sees_who_paid_what_in_which_shift(server: LiveServer) -> None:
    report = asked(server, "shift-manager").json()
    assert (report["from_day"], report["to_day"], report["shift"]) == ("2023-11-15",) * 2 + ("14:00-22:00",)
    rows = {(row["shift"], row["cashier"]): row for row in report["rows"]}
    assert [
        (key, row["paid_count"], row["paid_cents"], row["voided_cents"]) for key, row in rows.items()
    ] == [
        (("06:00-14:00", "cash"), 2, 17_300, 0),
        (("14:00-22:00", "cash"), 1, 100, 0),
        (("14:00-22:00", "sue"), 0, 0, 700),
    ]
    (total,) = report["totals"]
    assert (total["paid_count"], total["paid_cents"], total["voided_count"], total["voided_cents"]) == (
        3,
        17_400,
        1,
        700,
    )
    assert report["outstanding_cents"] == {"SGD": 3_300}
    assert [(act["act"], act["cents"], act["reason"]) for act in report["acts"]] == [
        ("paid", 12_300, ""),
        ("paid", 5_000, ""),
        ("voided", 700, "torn"),
        ("paid", 100, ""),
    ]
    assert [sum(map(str.isdigit, act["number"])) for act in report["acts"]] == [4] * 4


def test_a_cashier_balances_the_own_drawer_and_no_other(server: LiveServer) -> None:
    report = asked(server, "cage", by="shift").json()
    assert report["cashier"] == "cash"
    assert [(row["shift"], row["paid_cents"], row["voided_cents"]) for row in report["rows"]] == [
        ("06:00-14:00", 17_300, 0),
        ("14:00-22:00", 100, 0),
    ]
    assert asked(server, "cage", cashier="sue").json()["code"] == "not-allowed"
    assert asked(server, "auditor", cashier="sue").json()["totals"][0]["voided_cents"] == 700


def test_a_cashier_who_is_none_is_told_so_and_not_that_nothing_was_paid(server: LiveServer) -> None:
    answers = [asked(server, "auditor", cashier=name) for name in ("nobody", "opal", "system/cage")]
    assert [answer.status_code for answer in answers] == [404, 200, 200]
    assert answers[0].json()["code"] == "unknown-person"
    assert [answer.json()["acts"] for answer in answers[1:]] == [[], []]


def test_days_are_gaming_days_of_the_house(server: LiveServer) -> None:
    before = asked(server, "auditor", by="day", to="2023-11-14").json()
    assert (before["rows"], before["totals"], before["outstanding_cents"]) == ([], [], {})
    assert asked(server, "auditor", by="day", **{"from": "2023-11-15"}).json()["rows"][0]["paid_count"] == 3
    for query in ({"by": "table"}, {"from": "2023-11-16", "to": "2023-11-15"}):
        assert asked(server, "auditor", **query).status_code == 400


def test_it_is_given_away_as_csv(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        figures = client.get("/api/cage/report/file", params={"by": "cashier"})
        acts = client.get("/api/cage/report/file", params={"form": "acts"})
    assert figures.headers["content-type"].startswith("text/csv")
    head, *rows = figures.text.splitlines()
    assert head.startswith("cashier,currency,paid_count,paid,voided_count,voided,")
    assert rows[0].startswith("cash,SGD,3,174.00,0,0.00")
    assert len(acts.text.splitlines()) == 5


def test_the_command_line_says_the_same(server: LiveServer) -> None:
    journal = server.journal
    told = ("--cage", "--by", "shift,cashier", "--zone", "Asia/Singapore")
    facts = run("report", journal, *told, "--json").json
    assert [(total["currency"], total["paid_count"], total["paid"]) for total in facts["totals"]] == [
        ("SGD", 3, "174.00")
    ]
    assert facts["outstanding"] == {"SGD": "33.00"}
    page = run("report", journal, *told).out
    assert "2023-11-15 06:00-14:00 cash" in page
    assert "173.00" in page
    assert "Outstanding: 33.00." in page
    assert "torn" in run("report", journal, *told, "--acts").out
    assert refusal("report", journal, "--by", "day", "--acts") == (
        "--acts are those of the cage. Take --cage with it."
    )
    assert "no table" in refusal("report", journal, *told, "--table", "R1")


def euros_at_double_zero(book_id: str) -> Book:
    book = load_book(book_id)
    return msgspec.structs.replace(book, currency="EUR") if book_id == "rws-roulette-00" else book


def test_amounts_of_several_currencies_are_never_added_up(tmp_path: Path) -> None:
    tables = {"R1": "mbs-roulette", "R2": "rws-roulette-00"}
    with LiveServer(tmp_path, tables=tables, find_book=euros_at_double_zero) as server:

        async def cash_out() -> str:
            async with await server.rig.seat("1", "R2") as terminal:
                await done(terminal, BuyCredits(seat="1", cents=30_000))
                return str((await done(terminal, CashOut(seat="1"))).voucher)

        paid, _ = server.run(cash_out), server.run(cash_out)
        with server.client(server.staff_token("cage")) as cage:
            pay(cage, paid, 30_000)
            pay(cage, a_voucher(server, 100), 100)
            a_voucher(server, 250)
            outstanding = cage.get("/api/vouchers").json()["totals_cents"]
        report = asked(server, "auditor", by="cashier").json()
        journal = server.journal
        facts = run("report", journal, "--cage", "--by", "cashier", "--json").json

    of_cashier = [(row["cashier"], row["currency"], row["paid_cents"]) for row in report["rows"]]
    assert of_cashier == [("cash", "EUR", 30_000), ("cash", "SGD", 100)]
    assert [(row["currency"], row["paid_cents"]) for row in report["totals"]] == [
        ("EUR", 30_000),
        ("SGD", 100),
    ]
    assert [(act["currency"], act["cents"]) for act in report["acts"]] == [("EUR", 30_000), ("SGD", 100)]
    assert report["outstanding_cents"] == outstanding == {"EUR": 30_000, "SGD": 250}
    # By the books that come along R2 plays in dollars too.
    assert [(row["currency"], row["paid"]) for row in facts["totals"]] == [("SGD", "301.00")]
