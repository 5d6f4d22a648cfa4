"""Questions while people play: on either database they are answered, and find what was played."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.server_rig import LiveServer

ROUNDS = 15


@pytest.fixture(params=["sqlite", "postgres"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LiveServer]:
    address = request.getfixturevalue("postgres_address") if request.param == "postgres" else None
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, address=address) as live:
        yield live


PATHS = (
    "/api/tables/R1",
    "/api/tables/R1/statistics",
    "/api/tables/R1/rounds",
    "/api/tables/R1/meters",
    "/api/reports?by=table",
    "/api/events?table=R1",
    "/api/tables/R1/export?kind=bets",
    "/api/tables/R1/export?kind=records",
    "/ready",
)


def test_whatever_is_asked_while_rounds_are_played_is_answered(server: LiveServer) -> None:
    token, over = server.staff_token("shift-manager"), threading.Event()
    answers: list[tuple[str, int]] = []

    def ask() -> None:
        with server.client(token) as client:
            while not over.is_set():
                answers.extend((path, client.get(path).status_code) for path in PATHS)

    asking = [threading.Thread(target=ask) for _ in range(3)]
    for thread in asking:
        thread.start()
    try:
        for _ in range(ROUNDS):
            server.play("R1", {"1": {"red": 1_000}, "2": {"straight:7": 500}}, "7")
    finally:
        over.set()
        for thread in asking:
            thread.join()
    assert {path for path, _ in answers} == {*PATHS}
    assert {status for _, status in answers} <= {
        200,
        503,
    }  # too many long questions at once is an answer, too
    assert [status for path, status in answers if path == "/api/tables/R1"] == [200] * (
        len(answers) // len(PATHS)
    )
    with server.client(token) as client:
        report = client.get("/api/reports?by=table").json()["totals"][0]
        bets = client.get("/api/tables/R1/export?kind=bets").text.splitlines()
        last = client.get(f"/api/tables/R1/rounds/{ROUNDS}").json()
        bundle = client.get(f"/api/tables/R1/rounds/{ROUNDS}/bundle")
    assert (report["rounds"], report["turnover_cents"]) == (ROUNDS, ROUNDS * 1_500)
    assert len(bets) == 2 * ROUNDS
    assert last["result"] == "7"
    assert bundle.content.startswith(b"PK")
