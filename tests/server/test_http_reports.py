"""Reports, meters, significant events, exports and dispute bundles over HTTP."""

import csv
import datetime
import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from croupier.floor.exports.export import KINDS, as_lines, export_rows
from croupier.floor.exports.selection import Selection
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.report import make_report
from croupier.floor.verify.evidence import open_evidence
from croupier.journal import StoreError
from croupier.server.http.app import HANDLERS, describe
from croupier.server.http.queries import parameters_of
from croupier.table import commands as c
from server.server_rig import LiveServer

ZONE = "Asia/Singapore"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    tables = {"R1": "mbs-roulette", "M1": "rws-money-wheel"}
    path = tmp_path_factory.mktemp("floor")
    with LiveServer(
        path, tables=tables, app_options={"zone": ZONE, "projection": str(path / "live.db")}
    ) as live:
        for result in ("7", "8", "9"):
            live.play("R1", {"1": {"red": 1_000}, "2": {"black": 2_000}}, result)
        live.do("R1", c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="fell out"))
        yield live


def test_a_report_is_what_the_journal_adds_up_to(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        report = client.get("/api/reports", params={"by": "table"}).raise_for_status().json()
    evidence = open_evidence(server.journal)
    try:
        expected = make_report(evidence, ["table"], Calendar(ZONE))
    finally:
        evidence.close()
    assert report["totals"][0]["turnover_cents"] == expected.totals[0].turnover_cents == 9_000
    assert report["totals"][0]["win_cents"] == expected.totals[0].win_cents
    assert [row["table"] for row in report["rows"]] == ["M1", "R1"]
    assert (report["zone"], report["totals"][0]["voids"]) == (ZONE, 1)
    assert report["rulings"][0]["clause"].startswith("mbs-roulette:")


def test_a_report_by_hour_has_the_hours_of_the_houses_clocks(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        report = client.get("/api/reports", params={"by": "hour", "table": "R1"}).raise_for_status().json()
    now = datetime.datetime.now(ZoneInfo(ZONE))
    last = report["rows"][-1]
    assert last["hour"] in {f"{now.hour:02}:00", f"{(now.hour - 1) % 24:02}:00"}
    assert last["day"] is not None
    assert sum(row["rounds"] for row in report["rows"]) == report["totals"][0]["rounds"]


def test_a_report_has_what_was_played_since_the_last_one(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        before = client.get("/api/reports").json()["totals"][0]
        server.play("R1", {"1": {"red": 1_000}}, "7")
        after = client.get("/api/reports").json()["totals"][0]
    assert after["turnover_cents"] - before["turnover_cents"] == 1_000
    assert after["rounds"] - before["rounds"] == 1


def test_a_report_is_given_as_a_file(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        as_csv = client.get("/api/reports/file", params={"by": "table"})
        as_json = client.get("/api/reports/file", params={"by": "table", "form": "json"})
        rulings = client.get("/api/reports/file", params={"form": "rulings"})
    rows = [*csv.DictReader(io.StringIO(as_csv.text))]
    assert as_csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert as_csv.headers["content-disposition"] == 'attachment; filename="report.csv"'
    assert [row["turnover"] for row in rows] == [row["turnover"] for row in as_json.json()["rows"]]
    assert next(csv.DictReader(io.StringIO(rulings.text)))["kind"] == "void"


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({"by": "moon"}, 400, "bad-report"),
        ({"by": "day,day"}, 400, "bad-report"),
        ({"by": ""}, 400, "bad-report"),
        ({"from": "yesterday"}, 400, "bad-day"),
        ({"to": "20240531"}, 400, "bad-day"),
        ({"until": "2024-05-31"}, 400, "unknown-query"),
        ({"from": "2024-02-02", "to": "2024-02-01"}, 400, "bad-days"),
        ({"table": "Z"}, 404, "unknown-table"),
    ],
)
def test_a_report_that_cannot_be_is_refused(
    server: LiveServer, query: dict[str, str], status: int, code: str
) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        answer = client.get("/api/reports", params=query)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_meters_are_those_of_the_table(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        readings = client.get("/api/tables/R1/meters").raise_for_status().json()["readings"]
    whole, *seats = readings
    assert whole["seat"] is None
    assert [seat["seat"] for seat in seats] == ["1", "2"]
    for name in ("turnover_cents", "wins_cents", "cash_in_cents", "games_played"):
        assert whole["meters"][name] == sum(seat["meters"][name] for seat in seats)


def test_significant_events_are_searched_by_table_code_and_words(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-supervisor")) as client:
        voids = client.get("/api/events", params={"table": "R1", "code": "round-voided"}).json()
        words = client.get("/api/events", params={"text": "FELL OUT"}).json()
        none = client.get("/api/events", params={"until": "2001-01-01"}).json()
        signed_in = client.get("/api/events", params={"table": "office", "limit": 1}).json()
    assert [event["event"] for event in voids["events"]] == ["round-voided"]
    assert voids["events"][0] in words["events"]
    assert none == {"events": [], "next": None}
    assert len(signed_in["events"]) == 1


def test_a_search_at_a_table_that_is_none_is_refused(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        answers = [
            client.get("/api/events", params={"table": table})
            for table in ("nope", "cage", "house", "office")
        ]
        seat = client.get("/api/tables/R1/seats/nope/vouchers")
    assert [answer.status_code for answer in answers] == [404, 200, 200, 200]
    assert answers[0].json()["code"] == "unknown-table"
    assert (seat.status_code, seat.json()["code"]) == (404, "unknown-seat")


def of_journal(table: str) -> list[str]:
    """Everything that is read from the journal of one table."""
    return [
        f"/api/tables/{table}/rounds",
        f"/api/tables/{table}/rounds/1",
        f"/api/tables/{table}/rounds/1/bundle",
        f"/api/tables/{table}/export?kind=rounds",
        f"/api/tables/{table}/export?kind=meters",
        f"/api/reports?table={table}&by=table",
        f"/api/reports/file?table={table}&by=table",
        f"/api/events?table={table}",
    ]


def test_a_table_that_is_not_run_any_more_is_in_the_journal_all_the_same(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        before = [client.get(address).raise_for_status() for address in of_journal("R1")]
        gone = server.rig.floor.tables.pop("R1")
        after = [client.get(address) for address in of_journal("R1")]
        meters = client.get("/api/tables/R1/meters")
        server.rig.floor.tables["R1"] = gone
    assert [answer.status_code for answer in after] == [200] * len(before)
    # What a table adds up to depends on how long it was seen.
    assert [answer.content for answer in after[:5]] == [answer.content for answer in before[:5]]
    assert [row["table"] for row in after[5].json()["rows"]] == ["R1"]
    assert after[7].json()["events"] == before[7].json()["events"]
    assert meters.status_code == 404  # what it has now


@pytest.mark.parametrize("name", ["nope", "cage", "house", "office"])
def test_what_is_no_table_has_no_rounds_and_no_figures(server: LiveServer, name: str) -> None:
    with server.client(server.staff_token("auditor")) as client:
        answers = [client.get(address) for address in of_journal(name)[:-1]]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(404, "unknown-table")}


def test_events_come_page_by_page(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        every = client.get("/api/events", params={"table": "R1"}).json()["events"]
        found, after = [], None
        while True:
            query = {"table": "R1", "limit": 2} | ({} if after is None else {"after": after})
            page = client.get("/api/events", params=query).json()
            found += page["events"]
            after = page["next"]
            if after is None:
                break
    assert len(every) > 2
    assert found == every


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"from": "soon"}, "bad-moment"),
        ({"until": "20240531"}, "bad-moment"),
        ({"from": "2024-06-01", "until": "2024-05-31"}, "bad-days"),
        ({"to": "2024-05-31"}, "unknown-query"),
        ({"after": "nonsense"}, "bad-cursor"),
        ({"after": "9999999999999999999:1:x"}, "bad-cursor"),
        ({"code": "seat-locked,lockup"}, "unknown-event"),
        ({"actor": ["one", "another"]}, "repeated-query"),
        ({"limit": "0"}, "malformed"),
        ({"round": "x"}, "malformed"),
    ],
)
def test_a_search_that_cannot_be_is_refused(server: LiveServer, query: dict[str, Any], code: str) -> None:
    with server.client(server.staff_token("auditor")) as client:
        answer = client.get("/api/events", params=query)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_a_parameter_that_is_not_known_is_refused_with_those_that_are(server: LiveServer) -> None:
    with server.client(server.staff_token("auditor")) as client:
        events = client.get("/api/events", params={"limit": 1, "to": "secret-2024"})
        meters = client.get("/api/tables/R1/meters?day=2024-05-31")
        empty = client.get("/api/events?to")
        health = [client.get(f"/{name}?probe=1").status_code for name in ("health", "ready")]
    assert (events.status_code, events.json()) == (
        400,
        {
            "code": "unknown-query",
            "sentence": "The address has a parameter that is not known here; this takes from, until, table, "
            "code, seat, actor, round, text, refusals, newest_first, after, limit.",
        },
    )
    assert meters.json()["sentence"].endswith("this takes none.")
    assert (meters.status_code, empty.status_code) == (400, 400)
    assert health == [200, 200], "whoever watches a server may add what they like"


def test_who_may_not_ask_is_not_told_which_parameters_there_are(server: LiveServer) -> None:
    with server.client(None) as client:
        assert client.get("/api/events?to=2024-05-31").status_code == 401


def test_the_parameters_that_are_taken_are_those_that_are_described() -> None:
    described = {
        operation["operationId"]: {
            given["name"] for given in operation.get("parameters", []) if given["in"] == "query"
        }
        for path in describe()["paths"].values()
        for operation in path.values()
    }
    taken = {str(handler.name): {*parameters_of(handler)} for handler in HANDLERS}
    assert described == {name: taken[name] for name in described}
    assert described["reports"] == {"by", "from", "to", "table"}


CONTENT_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", CONTENT_TYPES)
def test_an_export_is_what_the_command_line_gives(server: LiveServer, kind: str, form: str) -> None:
    with server.client(server.staff_token("auditor")) as client:
        got = client.get("/api/tables/R1/export", params={"kind": kind, "form": form}).raise_for_status()
    evidence = open_evidence(server.journal)
    try:
        expected = "".join(as_lines(export_rows(evidence, "R1", kind, Selection()), form, kind))
    finally:
        evidence.close()
    assert got.text == expected
    assert got.headers["content-disposition"] == f'attachment; filename="{kind}.{form}"'
    assert got.headers["content-type"] == CONTENT_TYPES[form]
    assert got.headers["transfer-encoding"] == "chunked"


def test_an_export_is_of_a_day_or_of_a_round(server: LiveServer) -> None:
    with server.client(server.staff_token("pit-manager")) as client:
        one = client.get("/api/tables/R1/export", params={"kind": "bets", "round": 2}).text
        old = client.get("/api/tables/R1/export", params={"kind": "bets", "day": "2001-01-01"}).text
        both = client.get("/api/tables/R1/export", params={"kind": "bets", "round": 2, "day": "2001-01-01"})
        unknown = client.get("/api/tables/R1/export", params={"kind": "bets", "round": 99})
        bad_day = client.get("/api/tables/R1/export", params={"kind": "bets", "day": "x"})
        bad_kind = client.get("/api/tables/R1/export", params={"kind": "secrets"})
    assert {json.loads(line)["round"] for line in one.splitlines()} == {2}
    assert old == ""
    assert (both.status_code, both.json()["code"]) == (400, "bad-export")
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-round")
    assert (bad_day.status_code, bad_day.json()["code"]) == (400, "bad-day")
    assert (bad_kind.status_code, bad_kind.json()["code"]) == (400, "malformed")


def test_records_take_more_than_other_exports(server: LiveServer) -> None:
    """They hold whole numbers of vouchers."""
    for who, status in (("pit-manager", 403), ("shift-manager", 200), ("auditor", 200)):
        with server.client(server.staff_token(who)) as client:
            assert client.get("/api/tables/R1/export", params={"kind": "records"}).status_code == status
            assert client.get("/api/tables/R1/export", params={"kind": "rounds"}).status_code == 200


def test_a_dispute_bundle_proves_itself(server: LiveServer) -> None:
    with server.client(server.staff_token("shift-manager")) as client:
        answer = client.get("/api/tables/R1/rounds/2/bundle").raise_for_status()
        unknown = client.get("/api/tables/R1/rounds/99/bundle")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert {"round.txt", "chain.jsonl", "check.py", "proof.json"} <= {*archive.namelist()}
        assert json.loads(archive.read("proof.json"))["round"] == 2
    assert answer.headers["content-type"] == "application/zip"
    assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown-round")


def test_a_download_that_is_given_up_lets_go_of_its_place(server: LiveServer) -> None:
    """Only few exports run at once: one that nobody reads to its end must not keep the others waiting."""
    with server.client(server.staff_token("auditor")) as client:
        for _ in range(12):
            with client.stream("GET", "/api/tables/R1/export", params={"kind": "records"}) as answer:
                assert answer.status_code == 200
        assert client.get("/api/tables/R1/export", params={"kind": "rounds"}).status_code == 200


def test_a_journal_that_fails_is_not_explained_to_clients(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    number = "123456789012345672"

    def fail(number: str) -> None:
        raise StoreError("The journal '/secret/journal.db' did not do as asked: disk I/O error.")

    monkeypatch.setattr(server.rig.floor.cage, "find", fail)
    with server.client(server.staff_token("cage")) as client:
        answer = client.get(f"/api/vouchers/{number}")
    assert (answer.status_code, answer.json()["code"]) == (503, "journal-unavailable")
    assert "retry-after" in answer.headers
    assert "secret" not in answer.text
    assert "disk I/O error" in caplog.text
    assert number not in caplog.text
