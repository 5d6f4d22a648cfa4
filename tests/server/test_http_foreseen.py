"""What a decision or a void would do, over HTTP: for the staff at a console, by the table's own rules."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.protocol.asking import CashOut
from croupier.table import commands as c
from server.floor_rig import done
from server.server_rig import LiveServer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(tmp_path, tables={"R1": "rws-roulette-00"}) as live:
        live.play("R1", {"1": {"straight:17": 1_000}, "2": {"straight:18": 500}}, "17")
        yield live


def ask(server: LiveServer, do: dict[str, Any], who: str = "dealer", table: str = "R1") -> Any:
    with server.client(server.staff_token(who)) as client:
        return client.post(f"/api/tables/{table}/foreseen", json={"do": do})


def breaks(*rounds: int) -> dict[str, Any]:
    return {"type": "declare-irregularity", "cause": "ball-broken", "rounds": rounds}


def decide(ruling: str) -> dict[str, Any]:
    return {"type": "decide", "ruling": ruling, "round": 1, "reason": ""}


def test_voiding_earlier_rounds_is_foreseen_for_each_seat_and_round_and_not_done(server: LiveServer) -> None:
    async def leave() -> None:
        async with await server.rig.seat("2") as seat:
            await done(seat, c.BuyCredits(seat="2", cents=700))
            await done(seat, CashOut(seat="2"))
            await done(seat, c.BuyCredits(seat="2", cents=5_000))

    server.run(leave)
    server.do("R1", c.OpenRound(), c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),)))
    server.do("R1", c.CloseBets(), c.StartSpin())
    runner = server.rig.floor.tables["R1"].runner
    before = runner.state.sequence

    found = ask(server, breaks(1, 2)).raise_for_status().json()

    assert runner.state.sequence == before
    assert found["rounds"] == [
        {
            "round": 1,
            "registered": "17",
            "result": None,
            "house_before_cents": 1_500 - 36_000,
            "house_after_cents": 0,
        }
    ]
    assert [(seat["seat"], seat["before_cents"], seat["after_cents"]) for seat in found["seats"]] == [
        ("1", 35_500, 1_000),
        ("2", 5_000, 5_000),
    ]
    left = found["seats"][1]
    assert (left["unclaimed_cents"], left["shortfall_cents"], left["has_left"]) == (500, 0, True)
    server.do("R1", c.DeclareIrregularity(cause="ball-broken", rounds=(1, 2)))
    assert {seat["seat"]: seat["after_cents"] for seat in found["seats"]} == {
        seat: runner.state.credits_cents(seat) for seat in runner.state.seats
    }


def test_a_decision_is_foreseen_before_there_is_a_reason(server: LiveServer) -> None:
    bets = [{"seat": "1", "bet": "straight:17"}]
    empty = decide("return-bets") | {"bets": bets}
    absent = {name: value for name, value in empty.items() if name != "reason"}
    for do in (empty, absent):
        (seat,) = ask(server, do).raise_for_status().json()["seats"]
        assert (seat["seat"], seat["difference_cents"]) == ("1", -35_000)


@pytest.mark.parametrize(
    ("table", "do", "status", "code"),
    [
        ("R9", breaks(1), 404, "unknown-table"),
        ("R1", breaks(7), 404, "unknown-round"),
        ("R1", breaks(), 409, "no-round"),
        ("R1", breaks(1) | {"cause": "my-password"}, 400, "unknown-cause"),
        ("R1", breaks(1) | {"cause": "ball-dropped"}, 409, "not-affected"),
        ("R1", breaks(2**70), 400, "malformed"),
        ("R1", decide("my-password"), 400, "unknown-ruling"),
        ("R1", decide("return-bets"), 400, "nothing-to-do"),
        ("R1", decide("correct"), 400, "unknown-ruling"),
        ("R1", {"type": "open-round"}, 400, "malformed"),
        ("R1", breaks(1) | {"round": [1]}, 400, "malformed"),
        ("R1", decide("void") | {"results": "20"}, 400, "malformed"),
        ("R1", decide("return-bets") | {"bets": [{"seat": "1", "bet": "red", "all": 1}]}, 400, "malformed"),
    ],
)
def test_what_cannot_be_done_is_refused_and_not_repeated(
    server: LiveServer, table: str, do: dict[str, Any], status: int, code: str
) -> None:
    answer = ask(server, do, table=table)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert "my-password" not in answer.text
