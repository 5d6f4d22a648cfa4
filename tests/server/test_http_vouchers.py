"""Vouchers over HTTP: found, paid once, voided, listed, and printed for the seat that was given them."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import voucher_number_of
from croupier.floor.cage.records import CLERK
from croupier.floor.cage.vouchers import CAGE, DAY_MS, VALID_DAYS
from croupier.floor.house.clock_doubt import ClockDoubt
from croupier.floor.live.projection import LiveProjection
from croupier.floor.live.seal import Seals
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.protocol.asking import CashOut
from croupier.rulebook import Book, load_book
from croupier.server.http.house import EXPIRY_MS
from croupier.server.http.remembering import Remembering
from croupier.table.commands import BuyCredits
from croupier.table.events import voucher_used
from server.floor_rig import done
from server.server_rig import LiveServer
from server.vouchers_rig import a_voucher


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    tables = {"R1": "mbs-roulette", "R2": "rws-roulette-00"}
    with LiveServer(tmp_path, tables=tables, app_options={"site": "Example House"}) as live:
        yield live


@pytest.fixture
def cage(server: LiveServer) -> Iterator[httpx.Client]:
    with server.client(server.staff_token("cage")) as client:
        yield client


def test_the_end_of_a_voucher_whose_time_is_over_is_written_down(tmp_path: Path) -> None:
    clock = ManualClock(1_700_000_000_000)
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock) as server:
        number = a_voucher(server)
        store = server.rig.floor.store
        server.run(later(clock, VALID_DAYS * DAY_MS))
        while not (ended := [record.kind for record in store.read(CAGE)]):
            server.run(later(clock, EXPIRY_MS))
        assert ended == ["voucher-expired"]
        assert store.claimant(voucher_used(number)) == (CAGE, 1)
    evidence = open_evidence(str(tmp_path / "journal.db"))
    assert [report.first_misfit for report in verify_journal(evidence) if report.first_misfit] == []
    evidence.close()


def test_a_clock_that_jumped_ends_no_voucher_for_good(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[object] = []
    is_doubted = ClockDoubt.is_doubted

    def note(doubt: ClockDoubt) -> bool:
        swept.append(found := is_doubted(doubt))
        return found

    monkeypatch.setattr(ClockDoubt, "is_doubted", note)
    clock = ManualClock(1_700_000_000_000)
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock) as server:
        number, store = a_voucher(server), server.rig.floor.store
        server.run(later(clock, 40 * DAY_MS))
        while len(swept) < 5:
            server.run(later(clock, EXPIRY_MS))
        with server.client(server.staff_token("cage")) as cage:
            found = cage.get(f"/api/vouchers/{number}").json()
            assert (found["status"], found["reinstatable"]) == ("expired", False)
            listed = cage.get("/api/vouchers").json()
            assert [(line["cents"], line["expires_ms"] < clock.now_ms()) for line in listed["vouchers"]] == [
                (123405, True)
            ], "the journal has it as outstanding still"
            assert (listed["totals_cents"], listed["now_ms"]) == ({"SGD": 123405}, clock.now_ms())
        assert (swept[:5], [*store.read(CAGE)]) == ([True] * 5, [])


def test_a_shift_manager_reinstates_what_expired_by_a_wrong_clock(
    server: LiveServer, cage: httpx.Client
) -> None:
    number, floor = a_voucher(server), server.rig.floor
    wrong = Cage(floor.store, ManualClock(floor.clock.now_ms() + 40 * DAY_MS))
    with closing(LiveProjection(":memory:", floor.store)) as live:
        assert len(wrong.expire(CLERK, live)) == 1
    refused = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}).json()
    assert (refused["code"], "can reinstate it" in str(refused)) == ("voucher-expired", True)
    assert cage.get(f"/api/vouchers/{number}").json()["reinstatable"] is True
    address, why = f"/api/vouchers/{number}/reinstate", {"reason": "the clock was ahead"}
    assert cage.post(address, json=why).status_code == 403
    with server.client(server.staff_token("shift-manager")) as manager:
        assert manager.post(address, json={"reason": ""}).status_code == 400
        back = manager.post(address, json=why).raise_for_status().json()
        assert (back["status"], back["reinstatable"]) == ("outstanding", False)
        again = manager.post(address, json=why)
    assert (again.status_code, again.json()["code"]) == (409, "voucher-outstanding")
    assert [line["cents"] for line in cage.get("/api/vouchers").json()["vouchers"]] == [123405]
    paid = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}).raise_for_status().json()
    assert paid["voucher"]["status"] == "paid"


def test_vouchers_expire_also_after_a_fault_that_nobody_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[Exception] = [RuntimeError("nobody expected this")]
    let_expire = Remembering.let_expire

    def fail_once(*given: Any) -> object:
        if faults:
            raise faults.pop()
        return let_expire(*given)

    monkeypatch.setattr(Remembering, "let_expire", fail_once)
    clock = ManualClock(1_700_000_000_000)
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock) as server:
        a_voucher(server)
        store = server.rig.floor.store
        server.run(later(clock, VALID_DAYS * DAY_MS))
        for _ in range(1_000):
            server.run(later(clock, EXPIRY_MS))
            if store.tables().count(CAGE):
                break
        assert [record.kind for record in store.read(CAGE)] == ["voucher-expired"]
    assert "nobody expected this" in caplog.text


def test_a_journal_that_cannot_be_read_ahead_is_in_the_log_whatever_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    read = threading.Event()

    def fail(remembering: Remembering) -> None:
        read.set()
        raise RuntimeError("nobody expected this")

    monkeypatch.setattr(Remembering, "read_ahead", fail)
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}):
        read.wait()
    assert "nobody expected this" in caplog.text


def test_the_cage_does_not_wait_until_the_rows_of_its_list_were_looked_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured, measure = threading.Event(), Seals.measure

    def tell(seals: Seals) -> set[str]:
        found = measure(seals)
        measured.set()
        return found

    monkeypatch.setattr(Seals, "measure", tell)
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}):
        assert measured.wait(timeout=30)  # although nobody has asked for anything


def later(clock: ManualClock, ms: int) -> Callable[[], Awaitable[None]]:
    """Lets time pass, in the thread of the server."""

    async def advance() -> None:
        clock.advance(ms)
        await asyncio.sleep(0.01)

    return advance


def test_a_voucher_is_found_and_paid_once(server: LiveServer, cage: httpx.Client) -> None:
    number = a_voucher(server)
    found = cage.get(f"/api/vouchers/{number}").json()
    assert (found["cents"], found["status"], found["table"], found["seat"]) == (
        123405,
        "outstanding",
        "R1",
        "1",
    )
    paid = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}).json()
    assert (paid["voucher"]["status"], paid["repeated"]) == ("paid", False)
    again = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405})
    assert (again.status_code, again.json()["code"]) == (409, "voucher-paid")
    facts = again.json()["facts"]
    assert (facts["ended_at"], facts["ended_ms"] > 0) == ("cage", True)
    assert again.json()["sentence"] == "This voucher is paid at the cage. Do not pay it."


def test_a_repeated_payment_with_its_key_is_answered_as_the_first(
    server: LiveServer, cage: httpx.Client
) -> None:
    number, other = a_voucher(server), a_voucher(server, 500)
    key = {"Idempotency-Key": "window-3/17"}
    first = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}, headers=key)
    second = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}, headers=key)
    assert (first.json()["repeated"], second.json()["repeated"]) == (False, True)
    assert second.json()["voucher"] == first.json()["voucher"]
    wrong = cage.post(f"/api/vouchers/{other}/pay", json={"cents": 500}, headers=key)
    assert (wrong.status_code, wrong.json()["code"]) == (409, "key-used")
    fresh = cage.post(
        f"/api/vouchers/{number}/pay", json={"cents": 123405}, headers={"Idempotency-Key": "18"}
    )
    assert fresh.status_code == 409
    with server.client(server.staff_token("cage")) as same_cashier:
        repeated = same_cashier.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}, headers=key)
    assert repeated.json()["repeated"] is True


def test_of_many_cashiers_at_once_one_pays(server: LiveServer) -> None:
    number, token = a_voucher(server), server.staff_token("cage")
    statuses: list[int] = []

    def pay(key: str | None) -> None:
        headers = {} if key is None else {"Idempotency-Key": key}
        with server.client(token) as client:
            answer = client.post(f"/api/vouchers/{number}/pay", json={"cents": 123405}, headers=headers)
        statuses.append(answer.status_code)

    threads = [threading.Thread(target=pay, args=(None if n % 2 else str(n),)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409, 409, 409, 409, 409]


def test_another_amount_than_the_tickets_is_not_paid(server: LiveServer, cage: httpx.Client) -> None:
    number = a_voucher(server)
    answer = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123406})
    assert (answer.status_code, answer.json()["code"]) == (422, "voucher-amount")
    assert cage.get(f"/api/vouchers/{number}").json()["status"] == "outstanding"


@pytest.mark.parametrize("cents", [0, -1, "12", 1.5, None, 2**60])
def test_an_amount_is_whole_cents_above_zero(server: LiveServer, cage: httpx.Client, cents: object) -> None:
    answer = cage.post(f"/api/vouchers/{voucher_number_of(5)}/pay", json={"cents": cents})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_a_mistyped_number_and_one_never_issued_are_told_apart(cage: httpx.Client) -> None:
    mistyped, unknown = cage.get("/api/vouchers/12345"), cage.get(f"/api/vouchers/{voucher_number_of(5)}")
    assert (mistyped.status_code, mistyped.json()["code"]) == (400, "voucher-malformed")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "voucher-unknown")


def test_a_supervisor_voids_with_a_reason(server: LiveServer, cage: httpx.Client) -> None:
    number = a_voucher(server)
    assert cage.post(f"/api/vouchers/{number}/void", json={"reason": "torn"}).status_code == 403
    with server.client(server.staff_token("pit-supervisor")) as supervisor:
        assert supervisor.post(f"/api/vouchers/{number}/void", json={"reason": ""}).status_code == 400
        assert supervisor.post(f"/api/vouchers/{number}/void", json={"reason": " "}).status_code == 400
        voided = supervisor.post(f"/api/vouchers/{number}/void", json={"reason": "torn"}).json()
        assert voided["status"] == "voided"
    answer = cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405})
    assert (answer.status_code, answer.json()["code"]) == (409, "voucher-voided")


def test_the_list_of_outstanding_vouchers_shows_no_whole_number(
    server: LiveServer, cage: httpx.Client
) -> None:
    numbers = [a_voucher(server, cents) for cents in (100, 250)]
    cage.post(f"/api/vouchers/{numbers[0]}/pay", json={"cents": 100})
    listed = cage.get("/api/vouchers")
    (line,) = listed.json()["vouchers"]
    assert (line["cents"], listed.json()["totals_cents"]) == (250, {"SGD": 250})
    assert line["number"].endswith(numbers[1][-4:])
    assert numbers[1] not in listed.text


def test_amounts_of_different_currencies_are_never_added_up(tmp_path: Path) -> None:
    """A journal of an earlier version may have tables of several; a file with such tables is refused now."""

    def find_book(book_id: str) -> Book:
        book = load_book(book_id)
        return msgspec.structs.replace(book, currency="EUR") if book_id == "rws-roulette-00" else book

    tables = {"R1": "mbs-roulette", "R2": "rws-roulette-00"}
    with LiveServer(tmp_path, tables=tables, find_book=find_book) as server:

        async def cash_out() -> str:
            async with await server.rig.seat("1", "R2") as terminal:
                await done(terminal, BuyCredits(seat="1", cents=30_000))
                answer = await done(terminal, CashOut(seat="1"))
                assert answer.voucher is not None
                return answer.voucher

        euros = server.run(cash_out)
        for cents in (100, 250):
            a_voucher(server, cents)
        with server.client(server.staff_token("cage")) as cage:
            listed = cage.get("/api/vouchers").json()
            found = cage.get(f"/api/vouchers/{euros}").json()
            ticket = cage.get(f"/api/vouchers/{euros}/ticket").json()
            del server.rig.floor.tables["R2"]  # a table that is not run any more keeps its currency
            later = cage.get(f"/api/vouchers/{euros}/ticket").json()
            paid = cage.post(f"/api/vouchers/{euros}/pay", json={"cents": 30_000}).json()
    assert listed["totals_cents"] == {"EUR": 30_000, "SGD": 350}
    assert [line["currency"] for line in listed["vouchers"]] == ["EUR", "SGD", "SGD"]
    assert (found["currency"], paid["voucher"]["currency"]) == ("EUR", "EUR")
    assert (ticket["currency"], ticket["words"]) == ("EUR", "three hundred euros")
    assert "EUR 300.00" in ticket["lines"]
    assert later == ticket


def test_a_ticket_shows_what_a_ticket_has_to(server: LiveServer) -> None:
    number = a_voucher(server)
    with server.client(server.device_token("terminal", "R1", "1")) as terminal:
        ticket = terminal.get(f"/api/vouchers/{number}/ticket").json()
        page = terminal.get(f"/api/vouchers/{number}/ticket.html")
    assert (ticket["site"], ticket["figures"], ticket["currency"]) == ("Example House", "1234.05", "SGD")
    assert ticket["words"] == "one thousand two hundred thirty-four dollars and five cents"
    assert ticket["expires_ms"] - ticket["issued_ms"] == 30 * 24 * 3_600_000
    assert page.headers["content-type"].startswith("text/html")
    for shown in (
        ticket["words"],
        "Example House",
        "SGD",
        "table R1, seat 1",
        "Void after",
        ticket["barcode_svg"],
    ):
        assert shown in page.text
    assert "<script" not in page.text
    assert "style=" not in page.text


@pytest.mark.parametrize(("table", "seat"), [("R1", "2"), ("R2", "1")])
def test_a_ticket_is_for_the_seat_that_was_given_it(server: LiveServer, table: str, seat: str) -> None:
    number = a_voucher(server)
    with server.client(server.device_token("terminal", table, seat)) as other:
        guessed, unknown = (
            other.get(f"/api/vouchers/{one}/ticket") for one in (number, voucher_number_of(5))
        )
    assert (guessed.status_code, guessed.json()["code"]) == (404, "voucher-unknown")
    assert guessed.json() == unknown.json()


def test_no_position_of_the_house_is_shown_a_ticket_or_given_a_number(tmp_path: Path) -> None:
    tables = {"R1": "mbs-roulette", "M1": "rws-money-wheel"}
    with LiveServer(tmp_path, tables=tables) as server:

        async def cash_out() -> list[tuple[str, str | None]]:
            found = []
            for table in tables:
                async with await server.rig.console(table=table) as console:
                    await done(console, BuyCredits(seat="1", cents=5_000))
                    answer = await console.send(CashOut(seat="1"))
                    assert answer.refused is not None
                    found.append((answer.refused.code, answer.voucher))
            return found

        assert server.run(cash_out) == [("players-own-act", None)] * 2
        number = a_voucher(server)
        for position in ("dealer", "pit-supervisor", "shift-manager"):
            with server.client(server.staff_token(position)) as staff:
                assert staff.get(f"/api/vouchers/{number}/ticket").status_code == 403
                assert staff.get(f"/api/vouchers/{number}/ticket.html").status_code == 403


def test_a_paid_voucher_is_not_printed_again(server: LiveServer, cage: httpx.Client) -> None:
    number = a_voucher(server)
    cage.post(f"/api/vouchers/{number}/pay", json={"cents": 123405})
    with server.client(server.device_token("terminal", "R1", "1")) as terminal:
        answer = terminal.get(f"/api/vouchers/{number}/ticket.html")
    assert (answer.status_code, answer.json()["code"]) == (409, "voucher-paid")


def test_the_last_vouchers_of_a_seat_show_what_became_of_them_and_no_whole_number(
    server: LiveServer, cage: httpx.Client
) -> None:
    numbers = [a_voucher(server, cents) for cents in (100, 250, 375)]
    other = a_voucher(server, 999, seat="2")
    cage.post(f"/api/vouchers/{numbers[1]}/pay", json={"cents": 250})
    answer = cage.get("/api/tables/R1/seats/1/vouchers")
    found = answer.json()["vouchers"]
    assert [(line["cents"], line["status"], line["ended_at"]) for line in found] == [
        (375, "outstanding", None),
        (250, "paid", "cage"),
        (100, "outstanding", None),
    ]
    assert [line["number"][-4:] for line in found] == [number[-4:] for number in reversed(numbers)]
    assert not any(number in answer.text for number in [*numbers, other])
    assert cage.get("/api/tables/R9/seats/1/vouchers").status_code == 404
    assert cage.get("/api/tables/R2/seats/1/vouchers").json()["vouchers"] == []


def test_of_a_seats_vouchers_the_last_thirty_five_are_shown(server: LiveServer, cage: httpx.Client) -> None:
    for cents in range(1, 38):
        a_voucher(server, 100 * cents)
    found = cage.get("/api/tables/R1/seats/1/vouchers").json()["vouchers"]
    assert [line["cents"] for line in found] == [100 * cents for cents in range(37, 2, -1)]
