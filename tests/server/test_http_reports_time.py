"""Reports over HTTP by a clock that tests move: open time between records, and what a day is."""

from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

from croupier.floor import ManualClock
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.report import make_report
from croupier.floor.verify.evidence import open_evidence
from croupier.journal.sqlite import SqliteStore
from floor.audit_journal import at_table, write_journal
from server.server_rig import LiveServer
from table.rig import START_MS, Play

HOUR_MS = 3_600_000


def later(clock: ManualClock, ms: int) -> Callable[[], Awaitable[None]]:
    async def wait() -> None:
        clock.advance(ms)

    return wait


def open_seconds(server: LiveServer, **query: str) -> dict[tuple[str, str], str]:
    with server.client(server.staff_token("pit-supervisor")) as client:
        report = client.get("/api/reports", params={"by": "shift,table"} | query).raise_for_status().json()
    return {(row["shift"], row["table"]): row["open_seconds"] for row in report["rows"]}


def test_a_report_has_the_time_that_nothing_was_recorded_in(tmp_path: Path) -> None:
    """A table that this floor does not run was open until its own server was last seen."""
    left = at_table("OLD", Play().open(("1",)))
    journal = write_journal(tmp_path / "journal.db", left)
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        store.beat("OLD", left.at_ms + 5_000)
    clock = ManualClock(START_MS + 8 * HOUR_MS)  # 06:13:20 UTC
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock) as server:
        server.run(later(clock, 9 * HOUR_MS))
        found = open_seconds(server)
        assert found == open_seconds(server), "a report changes nothing"
        assert found[("06:00-14:00", "R1")] == "28000.000"
        assert found[("14:00-22:00", "R1")] == "4400.000"
        assert {key: text for key, text in found.items() if key[1] == "OLD"} == {
            ("22:00-06:00", "OLD"): "5.000"
        }
        server.run(later(clock, HOUR_MS))
        server.play("R1", {"1": {"red": 1_000}}, "7")
        assert open_seconds(server)[("06:00-14:00", "R1")] == "28000.000"
        live = open_seconds(server)
        server.rig.floor.store.beat("R1", clock.now_ms())
        with closing(open_evidence(journal)) as evidence:
            rows = make_report(evidence, ["shift", "table"], Calendar()).rows
        assert {(row.shift, row.table): row.open_seconds for row in rows} == live


def test_a_day_is_the_same_in_exports_and_in_reports(tmp_path: Path) -> None:
    clock = ManualClock(START_MS)  # 22:13:20 UTC, 23:13:20 in Berlin
    options = {"zone": "Europe/Berlin", "shifts": ("03:30", "15:00")}
    with LiveServer(tmp_path, tables={"R1": "mbs-roulette"}, clock=clock, app_options=options) as server:
        for _ in range(3):
            server.play("R1", {"1": {"red": 1_000}}, "7")
            server.run(later(clock, 2 * HOUR_MS))
        server.play("R1", {"1": {"red": 1_000}}, "7")
        with server.client(server.staff_token("auditor")) as client:
            for day, rounds in (("2023-11-13", 0), ("2023-11-14", 3), ("2023-11-15", 1)):
                of_day = {"by": "day", "from": day, "to": day}
                report = client.get("/api/reports", params=of_day).raise_for_status().json()
                asked = {"kind": "rounds", "day": day}
                export = client.get("/api/tables/R1/export", params=asked).raise_for_status().text
                played = sum(total["rounds"] for total in report["totals"])
                assert (played, len(export.splitlines())) == (rounds, rounds)
