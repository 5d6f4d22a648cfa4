"""Reports of tables at which nothing is recorded: time counts all the same."""

from contextlib import closing
from pathlib import Path

import pytest

from cli.running import run
from croupier.floor.reports.calendar import Calendar, GamingDays
from croupier.floor.reports.fold import ReportsFold
from croupier.floor.reports.report import make_report, report_of
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from floor.audit_journal import MemoryEvidence, at_table, change_file, write_journal
from table.rig import DEALER, SUPERVISOR, TIMER, Play

HOUR_MS = 3_600_000


def followed(*plays: Play) -> ReportsFold:
    fold = ReportsFold(Calendar())
    for play in plays:
        for sequence, entry in enumerate(play.entries, start=1):
            fold.take(play.settings.table, sequence, entry)
    return fold


def idle() -> Play:
    """A table with a round at 06:13 UTC, which stays open."""
    play = Play()
    play.wait(8 * 3600)
    play.open(("1",), 50_000)
    play.round({"1": {"red": 1_000}}, "2")
    return play


def shifts(fold: ReportsFold, **seen_ms: int) -> dict[str, tuple[str, str | None]]:
    report = report_of(fold, ["shift"], seen_ms=seen_ms)
    return {str(row.shift): (row.open_seconds, row.rounds_an_hour) for row in report.rows}


def test_a_shift_that_is_over_has_all_its_open_time_before_anything_else_is_recorded() -> None:
    play = idle()
    fold = followed(play)
    play.wait(9 * 3600)  # it is 15:13, and the shift was over at 14:00
    early = shifts(fold, T1=play.at_ms)
    assert early["06:00-14:00"] == ("28000.000", "0.1")
    assert early["14:00-22:00"] == ("4400.000", "0.0")
    assert shifts(fold, T1=play.at_ms) == early, "a report changes nothing"
    play.do(DEALER, c.OpenRound())
    assert shifts(followed(play), T1=play.at_ms)["06:00-14:00"] == early["06:00-14:00"]


def test_time_counts_for_whoever_stands_at_the_table_and_in_its_hour() -> None:
    play = idle()
    report = report_of(followed(play), ["dealer", "hour"], seen_ms={"T1": play.at_ms + HOUR_MS})
    found = [(row.dealer, row.hour, row.open_seconds) for row in report.rows if row.dealer]
    assert found == [("dealer-1", "06:00", "2800.000"), ("dealer-1", "07:00", "800.000")]
    assert (
        report_of(followed(play), ["day"], GamingDays(last="2023-11-13"), seen_ms={"T1": play.at_ms}).rows
        == ()
    )


def test_no_time_counts_where_a_table_is_closed_or_nobody_saw_it() -> None:
    play = idle()
    counted = report_of(followed(play), ["table"]).totals[0].open_seconds
    assert (
        report_of(followed(play), ["table"], seen_ms={"T2": play.at_ms + HOUR_MS}).totals[0].open_seconds
        == counted
    )
    assert (
        report_of(followed(play), ["table"], seen_ms={"T1": play.at_ms - HOUR_MS}).totals[0].open_seconds
        == counted
    )
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "2")
    play.do(SUPERVISOR, c.CloseTable())
    seen = {"T1": play.at_ms + HOUR_MS}
    closed = followed(play)
    assert report_of(closed, ["table"], seen_ms=seen) == report_of(closed, ["table"])


def test_a_journal_is_open_up_to_the_last_sign_of_life() -> None:
    one, two = idle(), at_table("T2", idle())
    evidence = MemoryEvidence(one, two)
    evidence.beats["T1"] = one.at_ms + HOUR_MS
    made = make_report(evidence, ["table"], Calendar())
    assert [row.open_seconds for row in made.rows] == ["3600.000", "0.000"]
    assert made == report_of(followed(one, two), ["table"], seen_ms=evidence.beats)


def test_the_interruption_that_a_start_records_changes_nothing_of_a_shift_that_is_over() -> None:
    play = idle()
    evidence = MemoryEvidence(play)
    evidence.beats["T1"] = beat_ms = play.at_ms + 9 * HOUR_MS
    before = make_report(evidence, ["shift"], Calendar())
    play.wait(12 * 3600)
    play.do(TIMER, c.Interrupt(began_ms=beat_ms))
    after = make_report(MemoryEvidence(play), ["shift"], Calendar())
    assert after.rows[:2] == before.rows[:2]


@pytest.mark.parametrize("beat", ["9e15", "'soon'", "-5"])
def test_a_sign_of_life_is_no_evidence(tmp_path: Path, beat: str) -> None:
    """Whoever can write to the file can write anything; a report is made all the same."""
    journal = write_journal(tmp_path / "floor.db", idle())
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        store.beat("T1", 1)
    change_file(journal, f"UPDATE beats SET at_ms = {beat}")
    assert run("report", journal, "--by", "table", "--json").json["totals"][0]["rounds"] == 1


def test_the_command_counts_up_to_the_last_sign_of_life(tmp_path: Path) -> None:
    play = idle()
    journal = write_journal(tmp_path / "floor.db", play)
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        store.beat("T1", play.at_ms + 1_500)
    assert run("report", journal, "--by", "table", "--json").json["totals"][0]["open_seconds"] == "1.500"
