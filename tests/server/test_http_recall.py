"""Recall over HTTP: whole for the staff, a seat's own part for its terminal, and only of its visit."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor.exports.selection import entries_of
from croupier.floor.live import rows as live_rows
from croupier.floor.reports.calendar import ALL_DAYS, Calendar
from croupier.floor.verify.evidence import open_evidence
from croupier.journal import Record
from croupier.journal.sqlite import SqliteStore
from croupier.protocol.asking import CashOut
from croupier.server.http.remembering import Remembering
from croupier.table import commands as c
from croupier.table import recall_round
from server.floor_rig import done
from server.server_rig import LiveServer


class RefusingStore(SqliteStore):
    """A store that can be told not to hand out a table's history from its beginning."""

    refuses_beginning = False

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        assert after or not self.refuses_beginning, f"all of {table} is read"
        return super().read(table, after)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(
        tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette", "R2": "mbs-roulette"}
    ) as live:
        live.play("R1", {"1": {"red": 1_000, "straight:7": 500}, "2": {"black": 2_000}}, "7")

        async def pay_seat_1_out() -> None:
            async with await live.rig.seat("1") as seat:
                await done(seat, CashOut(seat="1"))

        live.run(pay_seat_1_out)
        for _ in range(12):
            live.play("R1", {"1": {"even": 1_000}, "2": {"odd": 300}}, "8")
        live.play("R1", {"2": {"odd": 300}}, "9")
        live.do("R1", c.CorrectResult(round=14, result="8", reason="misread"))
        yield live


def test_a_seat_looks_back_without_the_whole_journal_being_read(
    server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports read every table from its beginning first, and hold whoever asks for another one up."""
    monkeypatch.setattr(live_rows, "CHECKPOINT_EVERY", 20)
    with closing(RefusingStore(server.journal, must_exist=True)) as store:
        projection = str(tmp_path / "live.projection")
        with closing(Remembering(store, projection, Calendar("UTC"), bytes(32))) as first:
            first.results("R1", 1)  # what an earlier life of the server has left beside the journal
        with closing(Remembering(store, projection, Calendar("UTC"), bytes(32))) as remembering:
            remembering.results("R1", 1)
            store.refuses_beginning = True
            with pytest.raises(AssertionError):
                remembering.report(("table",), ALL_DAYS, None, running=(), now_ms=0)
            found = remembering.rounds_of_visit("R1", "2")
    assert [recall.number for recall in found] == [*range(14, 4, -1)]


def test_the_staff_sees_a_round_whole(server: LiveServer) -> None:
    with server.client(server.staff_token("dealer")) as dealer:
        round_ = dealer.get("/api/tables/R1/rounds/1").raise_for_status().json()
    assert (round_["recall"], round_["label"][:6], round_["result"]) == (True, "RECALL", "7")
    seats = {seat["seat"]: seat for seat in round_["seats"]}
    assert (seats["1"]["credits_before_cents"], seats["1"]["credits_after_cents"]) == (1_500, 20_000)
    assert (seats["2"]["credits_before_cents"], seats["2"]["credits_after_cents"]) == (2_000, 0)
    kinds = [act["event"]["type"] for act in round_["acts"]]
    assert kinds[0] == "round-opened"
    assert kinds[-1] == "round-settled"
    assert kinds.count("seat-settled") == 2
    assert all(act["actor"] and act["what"] for act in round_["acts"])


def test_a_recall_says_what_the_journal_says(server: LiveServer) -> None:
    evidence = open_evidence(server.journal)
    try:
        recall = recall_round((entry for _, entry in entries_of(evidence, "R1")), 14)
    finally:
        evidence.close()
    assert recall is not None
    with server.client(server.staff_token("auditor")) as auditor:
        round_ = auditor.get("/api/tables/R1/rounds/14").raise_for_status().json()
    assert round_["result"] == recall.result == "8"
    assert len(round_["acts"]) == len(recall.entries)
    assert [act["at_ms"] for act in round_["acts"]] == [entry.cause.at_ms for entry in recall.entries]
    assert {
        seat["seat"]: seat["credits_after_cents"] for seat in round_["seats"]
    } == recall.credits_after_cents


def test_a_round_shows_what_moved_credits_since_the_round_before(server: LiveServer) -> None:
    with server.client(server.staff_token("dealer")) as dealer:
        second = dealer.get("/api/tables/R1/rounds/2").raise_for_status().json()
        third = dealer.get("/api/tables/R1/rounds/3").raise_for_status().json()
    (paid_out,) = second["between"]
    assert (paid_out["event"]["type"], paid_out["event"]["cents"]) == ("credits-paid-out", 20_000)
    assert "voucher" not in paid_out["event"], "which is between the printer and the player"
    assert paid_out["actor"]
    assert "200.00" in paid_out["what"]
    assert third["between"] == []
    assert second["after"] == []


def test_who_cashes_out_after_the_newest_round_is_found_with_it_at_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with LiveServer(tmp_path_factory.mktemp("after"), tables={"R1": "mbs-roulette"}) as live:
        live.play("R1", {"1": {"red": 1_000}, "2": {"red": 500}}, "1")

        async def pay_seat_1_out() -> str:
            async with await live.rig.seat("1") as seat:
                return str((await done(seat, CashOut(seat="1"))).voucher)

        number = live.run(pay_seat_1_out)
        with live.client(live.staff_token("pit-supervisor")) as staff:
            answer = staff.get("/api/tables/R1/rounds/1").raise_for_status()
        with live.client(live.device_token("terminal", "R1", "2")) as terminal:
            (seen,) = terminal.get("/api/seat/history").json()["rounds"]
        with live.client(live.device_token("terminal", "R1", "1")) as terminal:
            left = terminal.get("/api/seat/history").json()["rounds"]
    (paid_out,) = answer.json()["after"]
    assert (paid_out["event"]["type"], paid_out["event"]["cents"]) == ("credits-paid-out", 2_000)
    assert paid_out["actor"]
    assert "20.00" in paid_out["what"]
    assert number not in answer.text
    assert seen["after"] == []
    assert left == []


def test_a_seat_does_not_see_what_whoever_left_it_was_paid(server: LiveServer) -> None:
    async def come_and_go() -> None:
        async with await server.rig.seat("2", "R2") as seat:
            await done(seat, c.BuyCredits(seat="2", cents=700))
            await done(seat, CashOut(seat="2"))
            await done(seat, c.BuyCredits(seat="2", cents=900))

    server.run(come_and_go)
    server.play("R2", {"2": {"red": 500}}, "1")
    with server.client(server.device_token("terminal", "R2", "2")) as terminal:
        (round_,) = terminal.get("/api/seat/history").json()["rounds"]
    assert [act["event"]["cents"] for act in round_["between"]] == [900]
    assert round_["between"][0]["actor"] is None


def test_the_last_rounds_are_listed_newest_first(server: LiveServer) -> None:
    with server.client(server.staff_token("dealer")) as dealer:
        some = dealer.get("/api/tables/R1/rounds", params={"limit": 3}).json()
        every = dealer.get("/api/tables/R1/rounds").json()
    assert [(line["round"], line["result"]) for line in some["rounds"]] == [(14, "8"), (13, "8"), (12, "8")]
    assert len(every["rounds"]) == 14
    assert every["recall"] is True


def test_a_seat_looks_back_at_its_own_rounds_and_no_further_than_its_visit(server: LiveServer) -> None:
    with server.client(server.device_token("terminal", "R1", "1")) as terminal:
        history = terminal.get("/api/seat/history").raise_for_status().json()
        listed = terminal.get("/api/tables/R1/rounds").json()
        before_visit = terminal.get("/api/tables/R1/rounds/1")
        not_in_it = terminal.get("/api/tables/R1/rounds/14")
    assert [round_["round"] for round_ in history["rounds"]] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
    assert [line["round"] for line in listed["rounds"]] == [13, 12, 11, 10, 9, 8, 7, 6, 5, 4]
    assert history["recall"] is True
    for refused in (before_visit, not_in_it):
        assert (refused.status_code, refused.json()["code"]) == (404, "unknown-round")


def test_a_seat_sees_nothing_of_the_others(server: LiveServer) -> None:
    with server.client(server.device_token("terminal", "R1", "1")) as terminal:
        round_ = terminal.get("/api/tables/R1/rounds/13").raise_for_status().json()
    assert [seat["seat"] for seat in round_["seats"]] == ["1"]
    assert {act["event"].get("seat", "1") for act in round_["acts"]} == {"1"}
    assert all(act["actor"] is None and act["what"] is None for act in round_["acts"])
    assert "said_by" not in str(round_["acts"])


def test_a_terminal_of_another_table_sees_nothing(server: LiveServer) -> None:
    with server.client(server.device_token("terminal", "R2", "1")) as other:
        for path in ("/api/tables/R1/rounds", "/api/tables/R1/rounds/13"):
            answer = other.get(path)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-your-table")
        assert other.get("/api/seat/history").json()["rounds"] == []


@pytest.mark.parametrize("number", ["0", "15", "99999999999999999999", "-1", "x"])
def test_a_round_that_never_was_is_unknown(server: LiveServer, number: str) -> None:
    with server.client(server.staff_token("dealer")) as dealer:
        answer = dealer.get(f"/api/tables/R1/rounds/{number}")
    assert (answer.status_code, answer.json()["code"]) in ((404, "unknown-round"), (404, "not-found"))


@pytest.mark.parametrize("limit", ["0", "1001", "x", "-1"])
def test_a_list_has_one_to_a_thousand_rounds(server: LiveServer, limit: str) -> None:
    with server.client(server.staff_token("dealer")) as dealer:
        answer = dealer.get("/api/tables/R1/rounds", params={"limit": limit})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_recall_goes_on_while_the_table_is_halted(server: LiveServer) -> None:
    server.run(lambda: server.rig.floor.tables["R2"].runner.submit_as_system(c.HaltTable(reason="a test")))
    with server.client(server.staff_token("dealer")) as dealer:
        assert dealer.get("/api/tables/R2/rounds").status_code == 200
        assert dealer.get("/api/tables/R2").json()["halted"] is True


def test_no_recall_holds_the_whole_number_of_a_voucher(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A seat may be paid out while others play: what the round shows of it is the end of the number."""
    with LiveServer(tmp_path_factory.mktemp("paid"), tables={"R1": "mbs-roulette"}) as live:
        live.do("R1", c.OpenRound())

        async def pay_out() -> str:
            async with await live.rig.seat("1") as seat:
                await done(seat, c.BuyCredits(seat="1", cents=500))
                return str((await done(seat, CashOut(seat="1"))).voucher)

        number = live.run(pay_out)
        with live.client(live.staff_token("shift-manager")) as staff:
            text = staff.get("/api/tables/R1/rounds/1").raise_for_status().text
    assert "credits-paid-out" in text
    assert number not in text


def test_what_the_staff_writes_about_money_paid_by_hand_stays_with_the_staff(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    reason = "regular of the house; receipt 4711"
    with LiveServer(tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette"}) as server:
        server.play("R1", {"1": {"straight:17": 1_000}}, "17")
        spend = c.PlaceBets(seat="1", stakes=(c.Stake("straight:5", 36_000),))
        server.do("R1", c.OpenRound(), spend, c.CorrectResult(round=1, result="18", reason="misread"))
        server.do("R1", c.SettleCarried(round=1, seat="1", how="collected", cents=36_000, reason=reason))
        with server.client(server.device_token("terminal", "R1", "1")) as terminal:
            answers = [
                terminal.get(address).raise_for_status()
                for address in ("/api/seat/history", "/api/tables/R1/rounds/1")
            ]
        with server.client(server.staff_token("dealer")) as dealer:
            told = dealer.get("/api/tables/R1/rounds/1").raise_for_status().json()["acts"][-1]
    assert told["event"]["reason"] == reason
    (ended,) = [act for act in answers[1].json()["acts"] if act["event"]["type"] == "carried-settled"]
    assert set(ended["event"]) == {"type", "seat", "round", "how", "cents", "clause"}
    assert [reason in answer.text for answer in answers] == [False, False]
