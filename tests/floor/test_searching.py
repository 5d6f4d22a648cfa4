"""Significant events: found by date, table, code, seat, person, round and words, in file and index alike."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.running import refusal, run
from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.clock import SystemClock
from croupier.floor.house.log import (
    HOUSE_STREAM,
    BackupMade,
    CheckFailed,
    CheckPassed,
    ClockStepped,
    DeviceFound,
    DeviceLost,
    DiskLow,
    DiskRecovered,
    HouseEvent,
    HouseLog,
    ServerStarted,
    ServerStopped,
    SoftwareChecked,
    WheelSuspected,
    house_entry_of,
    tell_house,
)
from croupier.floor.live.projection import LiveProjection
from croupier.floor.office.office import Office, Who
from croupier.floor.office.records import SignInFailed
from croupier.floor.significant.searching import EventPage, EventQuery, read_moment, read_span, search_journal
from croupier.floor.significant.streams import SignificantEvent
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import EMPTY, Draft, link
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, write, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import interrupted, roulette
from table.rig import START_MS, SUPERVISOR, Play, player

HOUSE_EVENTS: list[HouseEvent] = [
    ServerStarted(version="1.0", tables=("T1", "T2")),
    ClockStepped(by_ms=5_000),
    DiskLow(free_bytes=10_000_000, low_bytes=1_000_000_000),
    DiskRecovered(free_bytes=2_000_000_000),
    SoftwareChecked(occasion="daily", digest="ab" * 32, ok=False, faults=("table/decide.py was changed.",)),
    CheckFailed(check="disk", reason="No such file or directory"),
    CheckPassed(check="disk"),
    DeviceLost(device="wheel-1", table="T1"),
    DeviceFound(device="terminal-4", table="T1", seat="4"),
    BackupMade(name="night.db", heads={"T1": 12}),
    WheelSuspected(wheel="wheel-1", table="T1", round=900, spins=880, one_in=10_000),
    ServerStopped(reason="asked to"),
]


def cashed_out(number: str) -> Play:
    play = Play().open(("1",), 500)
    play.do(player("1"), c.CashOut(seat="1", voucher=number))
    return play


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A floor on which everything has happened: tables, cage, house and office."""
    path = tmp_path_factory.mktemp("floor") / "floor.db"
    number, clock = new_voucher_number(), ManualClock(START_MS + 60_000)
    with closing(SqliteStore(path)) as store:
        plays = [roulette(), at_table("T2", interrupted()), at_table("T3", RandomTable(4).rounds(30))]
        write(store, *plays, at_table("T4", cashed_out(number)))
        Cage(store, clock).void(number, SUPERVISOR, "torn")
        log = HouseLog(store, clock)
        for event in HOUSE_EVENTS:
            clock.advance(1_000)
            log.note(event)
        office = Office(store, clock)
        office.write(
            Who("mallory", address="127.0.0.1"),
            lambda state, now_ms: [SignInFailed(name="mallory", why="wrong-password", purpose="sign-in")],
        )
    return str(path)


@pytest.fixture(scope="module")
def index(journal: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveProjection]:
    with closing(SqliteStore(journal)) as store:
        projection = LiveProjection(tmp_path_factory.mktemp("live") / "live.db", store)
        projection.catch_up()
        yield projection
        projection.close()


def found(journal: str, query: EventQuery, **options: Any) -> EventPage:
    with closing(open_evidence(journal)) as evidence:
        return search_journal(evidence, query, **options)


def everything(journal: str) -> list[SignificantEvent]:
    query = EventQuery(refusals=True, newest_first=False)
    return [*found(journal, query, limit=10_000).events]


def test_every_kind_of_trouble_has_its_row(journal: str) -> None:
    kinds = {event.event for event in everything(journal)}
    assert kinds >= {
        "table-interrupted",
        "seat-locked",
        "result-corrected",
        "round-voided",
        "sign-in-failed",
        "seat-lost",
        "table-halted",
        "voucher-voided",
        "device-lost",
        "clock-stepped",
        "disk-low",
        "check-failed",
        "software-checked",
        "command-refused",
        "backup-made",
    }


def test_rows_say_where_who_and_what(journal: str) -> None:
    (voided,) = found(journal, EventQuery(codes=("voucher-voided",))).events
    assert (voided.table, voided.actor) == ("cage", "supervisor-1")
    assert voided.what.startswith("Voucher ··············")
    assert voided.what.endswith(" for 5.00 is voided: torn.")
    (failed,) = found(journal, EventQuery(table="office")).events
    assert failed.what == "mallory could not sign in: the password was not right, from 127.0.0.1."
    (device,) = found(journal, EventQuery(codes=("device-found",))).events
    assert (device.table, device.seat, device.position) == ("house", "4", "system")
    (suspected,) = found(journal, EventQuery(round=900)).events
    assert (suspected.event, suspected.table) == ("wheel-suspected", "house")


def test_no_voucher_number_is_shown_whole(journal: str) -> None:
    for event in everything(journal):
        assert not any(word.isdigit() and len(word) == 18 for word in event.what.split())


@pytest.mark.parametrize(
    "query",
    [
        EventQuery(),
        EventQuery(refusals=True),
        EventQuery(table="T3", round=3, refusals=True),
        EventQuery(seat="2"),
        EventQuery(actor="supervisor-1"),
        EventQuery(actor="timer", codes=("table-interrupted", "seat-lost")),
        EventQuery(text="CAMERA"),
        EventQuery(text="ball", table="T1"),
        EventQuery(from_ms=START_MS + 5_000, until_ms=START_MS + 90_000),
        EventQuery(codes=("command-refused",), seat="1"),
        EventQuery(codes=("nothing",)),
        EventQuery(table="nowhere"),
    ],
)
@pytest.mark.parametrize("newest_first", [True, False])
def test_each_query_finds_exactly_what_it_says(
    journal: str, index: LiveProjection, query: EventQuery, newest_first: bool
) -> None:
    query = msgspec.structs.replace(query, newest_first=newest_first)
    expected = [event for event in everything(journal) if wanted(query, event)]
    expected.sort(key=lambda event: (event.time_ms, event.table, event.sequence), reverse=newest_first)
    assert [*found(journal, query, limit=10_000).events] == expected
    assert [*index.search(query, limit=10_000).events] == expected


def wanted(query: EventQuery, event: SignificantEvent) -> bool:
    """The meaning of a query, written out once more."""
    if query.codes:
        if event.event not in query.codes:
            return False
    elif event.event == "command-refused" and not query.refusals:
        return False
    if query.actor is not None and query.actor != event.actor and query.actor != event.second:
        return False
    for name in ("table", "seat", "round"):
        if getattr(query, name) is not None and getattr(query, name) != getattr(event, name):
            return False
    if query.from_ms is not None and event.time_ms < query.from_ms:
        return False
    if query.until_ms is not None and event.time_ms >= query.until_ms:
        return False
    return query.text.lower() in event.what.lower()


@given(limit=st.integers(1, 40), newest_first=st.booleans(), text=st.sampled_from(["", "seat", "round"]))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_pages_one_behind_the_other_give_everything_once(
    journal: str, index: LiveProjection, limit: int, newest_first: bool, text: str
) -> None:
    query = EventQuery(text=text, newest_first=newest_first)
    whole = [*found(journal, query, limit=10_000).events]
    gathered: list[SignificantEvent] = []
    after = None
    while True:
        page = index.search(query, after=after, limit=limit)
        assert page == found(journal, query, after=after, limit=limit)
        gathered += page.events
        if page.next is None:
            break
        assert len(page.events) == limit
        after = page.next
    assert gathered == whole


@pytest.mark.parametrize(
    "cursor",
    ["", "1", "1:2", "a:1:T1", "1:2:", "1;2;T1", f"{2**63}:1:T1", f"{-(2**63) - 1}:1:T1", f"1:{2**63}:T1"],
)
def test_a_place_that_is_none_is_refused(journal: str, index: LiveProjection, cursor: str) -> None:
    for search in (
        lambda: found(journal, EventQuery(), after=cursor),
        lambda: index.search(EventQuery(), after=cursor),
    ):
        with pytest.raises(BadInput) as refused:
            search()
        assert refused.value.code == "bad-cursor"


@pytest.mark.parametrize("limit", [0, -1, 10_001])
def test_a_page_without_end_is_refused(journal: str, index: LiveProjection, limit: int) -> None:
    for search in (
        lambda: found(journal, EventQuery(), limit=limit),
        lambda: index.search(EventQuery(), limit=limit),
    ):
        with pytest.raises(BadInput) as refused:
            search()
        assert refused.value.code == "bad-limit"


def test_moments_are_by_the_clocks_of_a_zone() -> None:
    assert read_moment("2023-11-15", "Asia/Singapore") == read_moment("2023-11-14T16:00:00Z", "UTC")
    assert read_moment("2023-11-15T06:00", "+08:00") == read_moment("2023-11-14T22:00:00", "UTC")
    assert read_moment("2023-11-15 06:00:30.5+08:00", "UTC") % 60_000 == 30_500
    for text in ("", "tomorrow", "2023-13-01", "9999-12-31", "2023-11-15T99:00"):
        with pytest.raises(BadInput):
            read_moment(text, "UTC", end=True)


def test_a_span_that_ends_before_it_begins_is_refused(journal: str) -> None:
    for begin, end in (("2023-11-15", "2023-11-14"), ("2023-11-15T06:00", "2023-11-15T06:00")):
        right = f"Nothing is from {begin} to {end}. Name the earlier one first."
        assert refusal("events", journal, "--from", begin, "--to", end) == right
    assert read_span("2023-11-15", "2023-11-15", "UTC") == (1_700_006_400_000, 1_700_092_800_000)


@pytest.mark.parametrize(
    "text", ["20231114", "2023-W46-2", "2023W462", "20231114T221320", "2023-11-14T22", "2023-11-1"]
)
def test_moments_are_written_in_one_way_only(journal: str, text: str) -> None:
    """A day in short form would be taken for its first moment, and a search up to it would leave it out."""
    right = f"{text!r} is no day and no moment. Write it as in 2024-05-31 or 2024-05-31T18:30:00."
    for word in ("--from", "--to"):
        assert refusal("events", journal, word, text) == right


# The command


def test_the_command_shows_events_and_where_to_go_on(journal: str) -> None:
    ran = run(
        "events", journal, "--table", "T2", "--oldest-first", "--limit", "4", "--code", "table-interrupted"
    )
    assert (ran.status, ran.err) == (0, "")
    assert "An interruption of 20.0 seconds met the phase betting" in " ".join(ran.out.split())
    ran = run("events", journal, "--limit", "2")
    assert ran.status == 0
    assert ran.err.startswith("croupier: There are more; go on with --after ")
    after = ran.err.split()[-1]
    page = run("events", journal, "--limit", "2", "--after", after, "--json").json
    newest = [*reversed([event for event in everything(journal) if event.event != "command-refused"])]
    assert [event["what"] for event in page["events"]] == [event.what for event in newest[2:4]]
    assert (
        run("events", journal, "--code", "backup-made", "--text", "no such words").out
        == "No event was found.\n"
    )
    assert refusal("events", journal, "--code", "lockup") == (
        "No significant event has the code 'lockup'. Near it are locked-out, clock-stepped, seat-locked."
    )


def test_the_command_prints_thousands_apart(tmp_path: Path) -> None:
    play = Play(lock_up_cents=100_000).open(("1",), cents=100_000)
    play.round({"1": {"straight:17": 10_000}}, "17")
    journal = write_journal(tmp_path / "locked.db", play)
    words = ("events", journal, "--code", "seat-locked")
    assert "3,500.00" in run(*words).out
    assert "3500.00" in run(*words, "--json").json["events"][0]["what"]
    assert "3500.00" in run(*words, "--csv").out


def test_the_command_takes_days_people_and_words(journal: str) -> None:
    words = ("--from", "2023-11-14", "--to", "2023-11-14", "--actor", "manager-1", "--text", "corrected")
    facts = run("events", journal, "--table", "T1", *words, "--json").json
    assert [event["event"] for event in facts["events"]] == ["result-corrected"]
    assert facts["next"] is None
    assert run("events", journal, "--to", "2023-11-13", "--json").json["events"] == []
    lines = run("events", journal, "--table", "house", "--oldest-first", "--csv").out
    rows = [*csv.DictReader(io.StringIO(lines))]
    assert [row["what"] for row in rows] == [tell_house(event) for event in HOUSE_EVENTS]
    assert [*rows[0]][:4] == ["time", "table", "sequence", "event"]


def test_what_cannot_be_searched_is_refused(journal: str) -> None:
    assert "no table 'T9'" in refusal("events", journal, "--table", "T9")
    assert "is no day" in refusal("events", journal, "--from", "soon")
    assert "is no place" in refusal("events", journal, "--after", "x")
    assert "A page has" in refusal("events", journal, "--limit", "0")
    assert "both given" in refusal("events", journal, "--json", "--csv")


# The house's own stream


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(tmp_path / "journal.db")) as given:
        yield given


def test_the_house_keeps_a_log_that_verifies(journal: str) -> None:
    with closing(open_evidence(journal)) as evidence:
        reports = {report.table: report for report in verify_journal(evidence, [HOUSE_STREAM, "cage"])}
        entries = [house_entry_of(record) for record in evidence.records(HOUSE_STREAM)]
    assert reports[HOUSE_STREAM].first_misfit is None
    assert reports[HOUSE_STREAM].records == len(HOUSE_EVENTS)
    assert [entry.event for entry in entries] == HOUSE_EVENTS
    assert {entry.actor for entry in entries} == {"system"}


def test_two_pens_write_one_behind_the_other(store: SqliteStore) -> None:
    one, two = HouseLog(store, SystemClock()), HouseLog(store, SystemClock())
    for log in (one, two, one, two):
        log.note(ServerStopped(reason="done"), actor="somebody")
    assert [record.sequence for record in store.read(HOUSE_STREAM)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("actor", "mallory", "its actor is not the one"),
        ("sender", "T1", "not what the house writes"),
        ("number", 7, "not what the house writes"),
        ("part", 1, "not what the house writes"),
        ("kind", "disk-low", "its payload is a server-stopped"),
        ("version", 2, "the house writes no"),
        ("payload", b"{}", "its payload is not a"),
    ],
)
def test_a_forged_record_of_the_house_does_not_fit(
    store: SqliteStore, tmp_path: Path, field: str, value: object, reason: str
) -> None:
    record = HouseLog(store, ManualClock(START_MS)).note(ServerStopped(reason="done"))
    forged = record._replace(**{field: value})
    draft = [*forged[2:10]]
    (relinked,) = link(HOUSE_STREAM, EMPTY, [Draft(*draft)])
    change_file(str(tmp_path / "journal.db"), "DELETE FROM records")
    change_file(str(tmp_path / "journal.db"), "DELETE FROM heads")
    change_file(str(tmp_path / "journal.db"), "DELETE FROM sent")
    store.append([relinked], [])
    with closing(open_evidence(str(tmp_path / "journal.db"))) as evidence:
        (report,) = verify_journal(evidence)
    assert report.first_misfit is not None
    assert reason in report.first_misfit.reason


def test_projections_and_exports_take_a_house_for_what_it_is(journal: str, tmp_path: Path) -> None:
    assert run("project", journal, "--out", str(tmp_path / "out.db")).status == 0
    lines = run("export", journal, "--table", "house").out.splitlines()
    assert [json.loads(line)["kind"] for line in lines][:2] == ["server-started", "clock-stepped"]
    assert refusal("export", journal, "--table", "house", "--what", "rounds") == (
        "The house has records and no rounds. Write --what records."
    )


@pytest.mark.parametrize("stream", ["cage", "house", "office"])
def test_what_plays_no_rounds_has_no_bundle_and_no_figures(journal: str, tmp_path: Path, stream: str) -> None:
    out = tmp_path / "round.zip"
    assert refusal("export", journal, "--table", stream, "--bundle", "1", "--out", str(out)) == (
        f"The {stream} has records and no rounds. Name a table that plays; --what records gives what is here."
    )
    assert not out.exists()
    assert refusal("report", journal, "--by", "day", "--table", stream) == (
        f"The {stream} has records and no rounds. "
        + ("Take --cage for what it paid." if stream == "cage" else "Name a table that plays.")
    )
