"""Events and evidence weeks later: at hand, found by date, component and code, and provable."""

import io
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import ManualClock
from croupier.table import commands as c
from server.server_rig import LiveServer

BEGAN_MS = int(datetime(2024, 3, 1, 12, tzinfo=UTC).timestamp() * 1000)
DAY_MS = 24 * 3_600_000


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Something is wrong at two tables on the first of March, once more on the 20th; now it is 1 April."""
    clock = ManualClock(BEGAN_MS)
    tables = {"R1": "mbs-roulette", "R2": "mbs-roulette"}

    async def pass_days(days: int) -> None:
        clock.advance(days * DAY_MS)

    with LiveServer(tmp_path_factory.mktemp("floor"), tables=tables, clock=clock) as live:
        live.play("R1", {"1": {"red": 1_000}, "2": {"straight:8": 500}}, "7")
        for table in tables:
            live.do(table, c.OpenRound(), c.CloseBets(), c.StartSpin())
            live.do(table, c.DeclareIrregularity(cause="foreign-object"))
        live.run(lambda: pass_days(19))
        live.do("R1", c.BuyCredits(seat="1", cents=20_000_00), c.PayByAttendant(seat="1"))
        with live.client() as nobody:
            nobody.post("/api/sign-in", json={"name": "dee", "password": "a guess"})
        live.run(lambda: pass_days(12))
        yield live


def found(floor: LiveServer, **query: str) -> list[tuple[str, str, int]]:
    """Table, code and day of the month of what a search finds, oldest first."""
    with floor.client(floor.staff_token("auditor")) as auditor:
        page: dict[str, Any] = (
            auditor.get("/api/events", params={"newest_first": "false", **query}).raise_for_status().json()
        )
    assert page["next"] is None
    return [
        (event["table"], event["event"], datetime.fromtimestamp(event["time_ms"] / 1000, UTC).day)
        for event in page["events"]
    ]


def test_events_of_thirty_days_ago_are_found_by_date_component_and_code(floor: LiveServer) -> None:
    voids = found(floor, code="round-voided")
    assert voids == [("R1", "round-voided", 1), ("R2", "round-voided", 1)]
    assert found(floor, code="round-voided", table="R2") == [("R2", "round-voided", 1)]
    assert found(floor, code="round-voided", **{"from": "2024-03-02"}) == []
    assert found(floor, table="R1", **{"from": "2024-03-20", "until": "2024-03-20"}) == [
        ("R1", "credits-paid-out", 20)
    ]
    assert found(floor, table="office", code="sign-in-failed") == [("office", "sign-in-failed", 20)]


def test_a_round_of_a_month_ago_is_recalled_and_its_evidence_proves_itself(
    floor: LiveServer, tmp_path: Path
) -> None:
    with floor.client(floor.staff_token("auditor")) as auditor:
        recalled = auditor.get("/api/tables/R1/rounds/1").raise_for_status().json()
        bundle = auditor.get("/api/tables/R1/rounds/1/bundle").raise_for_status().content
    assert recalled["result"] == "7"
    assert {seat["seat"]: seat["credits_after_cents"] for seat in recalled["seats"]} == {"1": 2_000, "2": 0}
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        archive.extractall(tmp_path)
    (check,) = tmp_path.rglob("check.py")
    ran = subprocess.run([sys.executable, check.name], cwd=check.parent, capture_output=True, check=False)
    assert ran.returncode == 0, ran.stderr
