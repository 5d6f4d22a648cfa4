"""What a correction would do, over HTTP: for the staff at a console, by the table's own rules, and undone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.protocol.asking import CashOut
from croupier.server.http.app import make_app
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import done
from server.neighbours_rig import several
from server.server_rig import LiveServer

WON = {
    "seat": "1",
    "before_cents": 36_000,
    "due_cents": 0,
    "difference_cents": -36_000,
    "credits_after_cents": 0,
    "shortfall_cents": 0,
    "unclaimed_cents": 0,
    "netted_cents": 0,
    "written_off_cents": 0,
    "has_left": False,
}
"""Seat 1 after 10.00 on 17, were the result corrected to one on which it loses."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}) as live:
        live.play("R1", {"1": {"straight:17": 1_000}, "2": {"straight:20": 500}}, "17")
        yield live


def ask(server: LiveServer, result: str, number: int = 1, who: str = "dealer", table: str = "R1") -> Any:
    with server.client(server.staff_token(who)) as client:
        return client.get(f"/api/tables/{table}/rounds/{number}/correction", params={"result": result})


def sequence(server: LiveServer) -> int:
    return server.rig.floor.tables["R1"].runner.state.sequence


def test_it_says_what_the_correction_then_does_and_does_nothing(server: LiveServer) -> None:
    before = sequence(server)
    found = ask(server, "20").raise_for_status().json()
    assert sequence(server) == before
    assert (found["round"], found["registered"], found["result"]) == (1, "17", "20")
    assert (found["house_before_cents"], found["house_after_cents"]) == (1_500 - 36_000, 1_500 - 18_000)
    assert found["seats"][0] == WON
    second = found["seats"][1]
    assert (second["seat"], second["due_cents"], second["credits_after_cents"]) == ("2", 18_000, 18_000)
    server.do("R1", c.CorrectResult(round=1, result="20", reason="misread"))
    state = server.rig.floor.tables["R1"].runner.state
    assert {seat["seat"]: seat["credits_after_cents"] for seat in found["seats"]} == {
        seat: state.credits_cents(seat) for seat in state.seats
    }


def test_a_player_who_has_left_is_owed_and_whoever_came_is_not_touched(server: LiveServer) -> None:
    async def leave() -> None:
        async with await server.rig.seat("1") as seat:
            await done(seat, CashOut(seat="1"))
            await done(seat, c.BuyCredits(seat="1", cents=5_000))

    server.run(leave)
    lost = ask(server, "20").json()["seats"][0]
    assert lost == WON | {"credits_after_cents": 5_000, "shortfall_cents": 36_000, "has_left": True}
    server.do("R1", c.CorrectResult(round=1, result="20", reason="misread"))
    back = ask(server, "17").json()["seats"][0]
    assert (back["credits_after_cents"], back["shortfall_cents"], back["unclaimed_cents"]) == (5_000, 0, 0)


@pytest.mark.parametrize(
    ("table", "number", "result", "status", "code"),
    [
        ("R9", 1, "20", 404, "unknown-table"),
        ("R1", 0, "20", 404, "unknown-round"),
        ("R1", 2, "20", 404, "unknown-round"),
        ("R1", 2**70, "20", 404, "unknown-round"),
        ("R1", 1, "17", 409, "same-result"),
        ("R1", 1, "37", 400, "unknown-result"),
        ("R1", 1, "", 400, "unknown-result"),
        ("R1", 1, "x" * 100, 400, "malformed"),
    ],
)
def test_what_cannot_be_corrected_is_refused(
    server: LiveServer, table: str, number: int, result: str, status: int, code: str
) -> None:
    answer = ask(server, result, number, table=table)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert len(result) < 3 or result not in answer.text


def test_a_void_round_a_running_one_and_a_halted_table_are_refused(server: LiveServer) -> None:
    server.do("R1", c.Decide(ruling="void", reason="disturbed", round=1), c.OpenRound())
    server.do("R1", c.CloseBets(), c.StartSpin())
    found = [ask(server, "20"), ask(server, "20", 2)]
    server.do("R1", c.EnterResult(result="17"))
    found.append(ask(server, "20", 2))
    server.run(lambda: server.rig.floor.tables["R1"].runner.submit_as_system(c.HaltTable(reason="power")))
    found.append(ask(server, "20", 2))
    assert [(answer.status_code, answer.json()["code"]) for answer in found] == [
        (409, "round-void"),
        (409, "no-result"),
        (409, "round-running"),
        (409, "table-halted"),
    ]


def test_no_result_is_asked_for_again(server: LiveServer) -> None:
    with server.client(server.staff_token("dealer")) as client:
        answer = client.get("/api/tables/R1/rounds/1/correction")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@played
async def test_a_server_that_follows_a_table_says_the_same(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        journal = str(tmp_path / "journal.db")
        a = await floor.server("a", app=lambda made: make_app(made, journal))
        b = await floor.server("b", (), app=lambda made: make_app(made, journal))
        await a.rig.open_table()
        await b.floor.open_table("R1")
        assert (a.runs(), b.runs()) == (True, False)
        buy = c.BuyCredits(seat="1", cents=5_000)
        bet = c.PlaceBets(seat="1", stakes=(c.Stake("straight:17", 1_000),))
        play = (c.OpenRound(), buy, bet, c.CloseBets(), c.StartSpin())
        for do in (*play, c.EnterResult(result="17"), c.ConfirmResult(result="17")):
            await a.rig.do("R1", do)
        await floor.until(lambda: 1 in b.floor.tables["R1"].runner.state.kept)
        for server in (a, b):
            headers = {"Authorization": f"Bearer {await server.rig.sign_in('dee')}"}
            async with httpx.AsyncClient(
                base_url=server.rig.base_url, headers=headers, trust_env=False
            ) as client:
                answer = await client.get("/api/tables/R1/rounds/1/correction", params={"result": "20"})
            assert answer.raise_for_status().json()["seats"] == [WON | {"credits_after_cents": 4_000}]
