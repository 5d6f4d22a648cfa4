"""Reports: exact to the cent, the parts add up to the whole, and the whole is what the meters say."""

import csv
import io
import json
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.running import refusal, run
from croupier.floor.reports.calendar import Calendar, GamingDays
from croupier.floor.reports.figures import Figures, row_of
from croupier.floor.reports.fold import ReportsFold
from croupier.floor.reports.report import DIMENSIONS, Report, make_report, report_of
from croupier.rulebook import BadInput
from croupier.table import Actor, Meters
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import MemoryEvidence, at_table, write_journal
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import money_wheel, roulette, shortfall
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, player

HOUR_MS = 3_600_000
EVENING = Actor(id="dealer-2", position="dealer")
METERED = [name for name in Meters.__struct_fields__ if name in Figures.__struct_fields__]
VOIDED_GAMES = "games_played"
"""The meter from which a void takes back what it had counted; a report has both, each by itself."""


def followed(*plays: Play, calendar: Calendar | None = None) -> ReportsFold:
    """What was followed of tables, one after the other."""
    fold = ReportsFold(calendar or Calendar())
    for play in plays:
        for sequence, entry in enumerate(play.entries, start=1):
            fold.take(play.settings.table, sequence, entry)
    return fold


def total(fold: ReportsFold) -> Figures:
    """The figures of everything together."""
    whole = Figures()
    for figures in fold.cells.values():
        whole.add(figures)
    return whole


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=12)
def test_figures_are_what_the_meters_say(game: tuple[str, str], seed: int) -> None:
    play = RandomTable(seed, *game).rounds(12)
    found = total(followed(play))
    for name in METERED:
        taken_back = found.games_voided if name == VOIDED_GAMES else 0
        assert getattr(found, name) - taken_back == getattr(play.state.meters, name), name
    in_play = sum(seat.staked_cents for seat in play.state.seats.values())
    assert found.win_cents == play.state.balances.get("house", 0)
    kept_cents = found.turnover_cents - found.returned_cents - in_play
    assert found.win_cents == kept_cents - found.wins_cents - found.written_off_cents
    assert found.rounds == play.state.round_number


def test_every_money_meter_has_its_figure() -> None:
    assert [*METERED] == [*Meters.__struct_fields__]


@given(seed=st.integers(0, 10_000), hour=st.integers(0, 23), by=st.permutations(DIMENSIONS))
@settings(max_examples=25)
def test_the_parts_add_up_to_the_whole(seed: int, hour: int, by: list[str]) -> None:
    starts = [f"{hour:02}:00", f"{(hour + 8) % 24:02}:30", f"{(hour + 16) % 24:02}:15"]
    plays = [at_table(f"T{n}", long_night(seed + n)) for n in (1, 2)]
    fold = followed(*plays, calendar=Calendar("Asia/Singapore", starts))
    whole = report_of(fold, ["table"]).totals[0]
    for size in (1, 2, 3, 5):
        report = report_of(fold, by[:size])
        assert report.totals[0] == whole
        for name in whole.__struct_fields__:
            value = getattr(whole, name)
            if isinstance(value, int) and name != "average_bet_cents":
                assert sum(getattr(row, name) for row in report.rows) == value, name
        assert sum(Decimal(row.open_seconds) for row in report.rows) == Decimal(whole.open_seconds)
    by_day = report_of(fold, ["day"])
    for row in by_day.rows:
        assert row.day is not None
        assert report_of(fold, ["day"], GamingDays(row.day, row.day)).rows == (row,)


def long_night(seed: int) -> Play:
    """Rounds over two days, with two dealers in turn."""
    table = RandomTable(seed)
    for _ in range(4):
        table.rounds(2)
        table.play.wait(5 * 3600 + 1234)
        table.play.ask(EVENING, c.OpenRound())
        table.play.ask(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),)))
        table.play.wait(4 * 3600)
        table._end_round()
    return table.play


def test_hours_are_those_of_the_clocks_and_of_their_gaming_day() -> None:
    play = Play().open(("1",), 50_000)  # at 22:13:20 UTC
    play.round({"1": {"red": 1_000}}, "2")
    play.wait(2 * 3600)
    play.round({"1": {"red": 2_000}}, "2")
    play.round({"1": {"red": 2_000}}, "1")
    fold = followed(play, calendar=Calendar("Asia/Kolkata", ["05:30"]))
    report = report_of(fold, ["hour"])
    # 22:13 UTC is 03:43 in Kolkata, and the gaming day of the 15th begins at 05:30.
    assert [(row.day, row.hour, row.rounds, row.turnover_cents, row.open_seconds) for row in report.rows] == [
        ("2023-11-14", "03:00", 1, 1_000, "1000.000"),
        ("2023-11-14", "04:00", 0, 0, "3600.000"),
        ("2023-11-14", "05:00 again", 0, 0, "1800.000"),
        ("2023-11-15", "05:00", 2, 4_000, "800.000"),
    ]
    assert [row.rounds_an_hour for row in report.rows] == ["3.6", "0.0", "0.0", "9.0"]
    assert [row.hour for row in report_of(fold, ["hour"], GamingDays("2023-11-15")).rows] == ["05:00"]


def test_a_day_is_what_the_meters_moved_by() -> None:
    play = Play().open(("1",), 50_000)
    play.round({"1": {"red": 1_000}}, "2")
    first = meters(play)
    play.wait(24 * 3600)
    play.round({"1": {"red": 3_000}}, "1")
    play.do(MANAGER, c.CorrectResult(round=2, result="2", reason="seen"), second=SUPERVISOR)
    named = (c.NamedBet("1", "red"),)
    play.do(SHIFT_MANAGER, c.Decide(round=2, ruling="return-bets", bets=named, reason="unclear"))
    play.do(DEALER, c.OpenRound())
    play.do(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),)))
    play.do(SHIFT_MANAGER, c.Decide(round=3, ruling="return-bets", bets=named, reason="before it ends"))
    assert play.state.meters.corrections == 2
    fold = followed(play)
    one, two = report_of(fold, ["day"]).rows
    for name in ("turnover_cents", "wins_cents", "cash_in_cents", "corrections", "games_played"):
        assert getattr(one, name) == first[name]
        assert getattr(two, name) == getattr(play.state.meters, name) - first[name]


def meters(play: Play) -> dict[str, int]:
    return {name: getattr(play.state.meters, name) for name in Meters.__struct_fields__}


def test_a_correction_counts_when_it_is_made_and_for_whoever_opened_the_round() -> None:
    play = Play().open(("1",), 50_000)
    play.round({"1": {"red": 1_000}}, "2")
    play.wait(24 * 3600)
    play.do(EVENING, c.OpenRound())
    play.to_spinning()
    play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="seen on camera"), second=SUPERVISOR)
    fold = followed(play)
    rows = {(row.day, row.dealer): row for row in report_of(fold, ["day", "dealer"]).rows}
    assert {key: row.win_cents for key, row in rows.items()} == {
        ("2023-11-14", ""): 0,
        ("2023-11-14", "dealer-1"): 1_000,
        ("2023-11-15", "dealer-1"): -2_000,
        ("2023-11-15", "dealer-2"): 0,
    }
    (ruling,) = report_of(fold, ["day"]).rulings
    assert (ruling.dealer, ruling.actor, ruling.second) == ("dealer-1", "manager-1", "supervisor-1")
    assert (ruling.kind, ruling.round, ruling.old, ruling.new) == ("correction", 1, "2", "1")
    assert (ruling.clause, ruling.reason) == ("mbs-roulette:6.3", "seen on camera")
    assert ruling.win_change_cents == -2_000


def test_credits_bought_count_for_whoever_stands_at_the_table() -> None:
    play = Play().open(("1",), 100)
    play.round({}, "1")
    play.do(player("1"), c.BuyCredits(seat="1", cents=700))
    play.do(EVENING, c.OpenRound())
    play.do(player("1"), c.BuyCredits(seat="1", cents=50))
    rows = report_of(followed(play), ["dealer"]).rows
    assert [(row.dealer, row.drop_cents) for row in rows] == [("", 100), ("dealer-1", 700), ("dealer-2", 50)]


def test_voids_and_corrections_are_listed_with_what_they_moved() -> None:
    report = report_of(followed(roulette(), at_table("T2", shortfall())), ["table"])
    found = [
        (r.table, r.round, r.kind, r.cause, r.clause, r.win_change_cents, r.returned_cents)
        for r in report.rulings
    ]
    assert found == [
        ("T1", 1, "correction", "wrong-result", "mbs-roulette:6.3", -2_000 + 18_000 + 4_000, 0),
        ("T2", 1, "correction", "wrong-result", "mbs-roulette:6.3", 72_000, 0),
        ("T2", 2, "decision", "return-bets", "mbs-roulette:6.1", -40_000, 0),
        ("T1", 2, "void", "no-spin", "mbs-roulette:5.15", 0, 500),
    ]


def test_hold_average_and_rate_follow_from_the_figures() -> None:
    row = row_of(
        Figures(
            cash_in_cents=90_000,
            vouchers_in_cents=10_000,
            turnover_cents=300_000,
            win_cents=15_789,
            settled_cents=299_995,
            games_played=40,
            rounds=50,
            open_ms=90 * 60_000,
        ),
        "SGD",
    )
    assert (row.drop_cents, row.hold_percent, row.hold_of_turnover_percent) == (100_000, "15.79", "5.26")
    assert (row.average_bet_cents, row.rounds_an_hour, row.open_seconds) == (7_500, "33.3", "5400.000")


def test_where_nothing_was_played_nothing_is_divided() -> None:
    row = row_of(Figures(), "SGD")
    assert (row.hold_percent, row.hold_of_turnover_percent) == (None, None)
    assert (row.average_bet_cents, row.rounds_an_hour) == (None, None)


def test_time_counts_while_the_table_is_open_and_not_interrupted() -> None:
    play = Play().open(("1",), 1_000)
    play.wait(3_600)
    play.round({}, "1")
    play.wait(1_800)
    began = play.at_ms
    play.wait(8 * 3600)
    play.do(Actor(id="timer", position="system"), c.Interrupt(began_ms=began))
    play.do(DEALER, c.AnnounceLastRound())
    play.round({}, "2")
    play.do(SUPERVISOR, c.CloseTable())
    play.wait(7_200)
    play.do(SUPERVISOR, c.OpenTable())
    assert report_of(followed(play), ["table"]).totals[0].open_seconds == "5400.000"


def test_open_time_is_split_where_a_shift_ends() -> None:
    play = Play()
    play.do(SUPERVISOR, c.OpenTable())
    play.wait(20 * 3600)
    play.do(SUPERVISOR, c.OpenSeat(seat="1", kind=play.rules.seat_kinds[0]))
    rows = report_of(followed(play), ["shift"]).rows
    # The table opens at 22:13:20 UTC.
    assert [(row.day, row.shift, row.open_seconds) for row in rows] == [
        ("2023-11-14", "22:00-06:00", "28000.000"),
        ("2023-11-15", "06:00-14:00", "28800.000"),
        ("2023-11-15", "14:00-22:00", "15200.000"),
    ]


@pytest.mark.parametrize("by", [[], ["seat"], ["table", "table"]])
def test_a_report_by_anything_else_is_refused(by: list[str]) -> None:
    with pytest.raises(BadInput) as refused:
        report_of(ReportsFold(Calendar()), by)
    assert refused.value.code == "bad-report"


def test_a_journal_gives_what_following_gives() -> None:
    plays = [roulette(), at_table("T2", RandomTable(5).rounds(8))]
    calendar = Calendar("Asia/Singapore")
    for size in (1, 2):
        for by in combinations(DIMENSIONS, size):
            made = make_report(MemoryEvidence(*plays), by, Calendar("Asia/Singapore"))
            assert made == report_of(followed(*plays, calendar=calendar), by)
    alone = make_report(MemoryEvidence(*plays), ["table"], calendar, table="T2")
    assert [row.table for row in alone.rows] == ["T2"]
    assert {ruling.table for ruling in alone.rulings} == {"T2"}


def voided_while(play: Play, wheel: str, *, against_sensor: bool = False) -> Play:
    """A play whose void rounds say what the wheel did then."""
    play.entries = [
        msgspec.structs.replace(
            entry, event=msgspec.structs.replace(entry.event, wheel=wheel, against_sensor=against_sensor)
        )
        if isinstance(entry.event, e.RoundVoided)
        else entry
        for entry in play.entries
    ]
    return play


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(
        tmp_path / "floor.db", voided_while(roulette(), "rolling"), at_table("T2", money_wheel())
    )


def test_the_command_prints_money_play_rulings_and_refusals(journal: str) -> None:
    ran = run("report", journal, "--by", "table")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == PAGE


PAGE = """\
Money by table

TABLE      DROP  VOUCHERS OUT  BY HAND  TURNOVER         WIN   HOLD %  OF TURNOVER %
T1     1,000.00        505.00     0.00     60.00     -345.00   -34.50        -575.00
T2     6,000.00          0.00     0.00  1,405.00  -20,028.60  -333.81       -1425.52
all    7,000.00        505.00     0.00  1,465.00  -20,373.60  -291.05       -1390.69

Play by table

TABLE  ROUNDS  AN HOUR  AVERAGE BET  VOIDS  CORRECTIONS  REFUSALS
T1          3   1080.0        18.33      1            1         1
T2          1        -       333.81      0            0         0
all         4   1440.0       176.07      1            1         1

Voids by table, cause and what the wheel did

TABLE  CAUSE    NOT SPUN  ROLLING  AT REST  SETTLED  AGAINST SENSOR
T1     no-spin         0        1        0        0               0
all    no-spin         0        1        0        0               0

Voids, corrections and decisions

TIME                      TABLE  ROUND  WHAT                       CLAUSE             WIN CHANGES BY
2023-11-14T22:13:20.000Z  T1         1  correction (wrong-result)  mbs-roulette:6.3           200.00
    seen on camera, 17 to 16; by manager-1 with supervisor-1
2023-11-14T22:13:25.000Z  T1         2  void (no-spin)             mbs-roulette:5.15            0.00
    seen on camera, wheel rolling; by dealer-1

Refusals: no-credits 1.
"""


def test_a_reason_with_a_full_stop_goes_on_in_the_list_of_rulings(tmp_path: Path) -> None:
    play = Play().open(("1",))
    play.round({"1": {"red": 1_000}}, "17")
    play.do(MANAGER, c.CorrectResult(round=1, result="16", reason="Seen on camera."), SUPERVISOR)
    printed = run("report", write_journal(tmp_path / "one.db", play), "--by", "table", "--rulings").out
    assert "    Seen on camera, 17 to 16; by manager-1 with supervisor-1\n" in printed


def test_both_forms_of_the_command_are_written_out() -> None:
    written = run("report", "--help").out
    assert "\n       croupier report JOURNAL --cage --by day|shift|cashier " in written
    assert "of the cage day, shift, cashier" in " ".join(written.split())
    said = refusal("report", "x.db", "--by", "day", "--by", "table")
    assert said.startswith("--by is given twice, and takes one value. Write croupier report JOURNAL --by ")
    assert "[--json | --csv], or croupier report JOURNAL --cage --by " in said


def test_json_and_csv_hold_the_same_figures(journal: str) -> None:
    facts = run("report", journal, "--by", "shift", "--zone", "Asia/Singapore", "--json").json
    (row,) = facts["rows"]
    assert (row["day"], row["shift"], row["drop"]) == ("2023-11-15", "06:00-14:00", "7000.00")
    assert (facts["zone"], facts["shifts"]) == ("Asia/Singapore", ["06:00", "14:00", "22:00"])
    assert {name: value for name, value in row.items() if name not in ("day", "shift")} == facts["totals"][0]
    (line,) = rows_of(run("report", journal, "--by", "shift", "--zone", "Asia/Singapore", "--csv").out)
    assert {name: str(value or "") for name, value in row.items() if not isinstance(value, dict | int)} == {
        name: line[name] for name, value in row.items() if not isinstance(value, dict | int)
    }
    assert json.loads(line["refusals_by_code"]) == row["refusals_by_code"] == {"no-credits": 1}
    rulings = rows_of(run("report", journal, "--by", "table", "--rulings", "--csv").out)
    assert [ruling["clause"] for ruling in rulings] == [
        ruling["clause"] for ruling in facts["voids_and_corrections"]
    ]
    assert rulings[0]["win_change"] == "200.00"


def test_the_command_lists_hours_with_their_day(journal: str) -> None:
    lines = run("report", journal, "--by", "table,hour", "--zone", "Asia/Singapore").out.splitlines()
    assert lines[2].startswith("TABLE, HOUR ")
    assert lines[3].startswith("T1 2023-11-15 06:00 ")
    (line, *_) = rows_of(run("report", journal, "--by", "hour", "--csv").out)
    assert (line["day"], line["hour"], "shift" in line) == ("2023-11-14", "22:00", False)


def rows_of(text: str) -> list[dict[str, Any]]:
    return [*csv.DictReader(io.StringIO(text))]


def test_days_are_chosen_and_both_are_included(journal: str) -> None:
    for words, drop in (
        (("--from", "2023-11-14"), ["7000.00"]),
        (("--to", "2023-11-13"), []),
        (("--from", "2023-11-15"), []),
        (("--from", "2023-11-14", "--to", "2023-11-14"), ["7000.00"]),
    ):
        totals = run("report", journal, "--by", "day", "--json", *words).json["totals"]
        assert [total["drop"] for total in totals] == drop


def test_what_cannot_be_reported_is_refused(journal: str, tmp_path: Path) -> None:
    assert refusal("report", journal, "--by", "moon").startswith("A report is not by moon.")
    assert refusal("report", journal, "--by", "day", "--from", "May").startswith("'May' is not a day.")
    assert "is before" in refusal(
        "report", journal, "--by", "day", "--from", "2024-01-02", "--to", "2024-01-01"
    )
    assert "no table 'T9'" in refusal("report", journal, "--by", "day", "--table", "T9")
    assert "no time zone" in refusal("report", journal, "--by", "day", "--zone", "Moon")
    assert "not a time of day" in refusal("report", journal, "--by", "day", "--shifts", "6")
    assert "both given" in refusal("report", journal, "--by", "day", "--json", "--csv")
    assert "There is no journal" in refusal("report", str(tmp_path / "none.db"), "--by", "day")


def test_an_empty_journal_has_an_empty_report(tmp_path: Path) -> None:
    report: Report = make_report(MemoryEvidence(), ["day"], Calendar())
    assert (report.rows, report.rulings) == ((), ())
    assert run("report", write_journal(tmp_path / "empty.db"), "--by", "day").status == 0


def test_a_time_that_no_calendar_has_is_damage(tmp_path: Path) -> None:
    play = Play()
    play.wait(10**15)
    play.do(SUPERVISOR, c.OpenTable())
    journal = write_journal(tmp_path / "floor.db", play)
    assert "does not fit together" in refusal("report", journal, "--by", "day")
    assert "a time that no calendar has" in refusal("events", journal)
    assert run("backup", journal, str(tmp_path / "copy.db"), "--without-note").status == 0
