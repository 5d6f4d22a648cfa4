"""Reports of what is recorded late: after a clock was set back, on an old round, for a player who is gone."""

from pathlib import Path

import pytest

from cli.running import run
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.figures import ReportRow
from croupier.floor.reports.fold import ReportsFold
from croupier.floor.reports.report import report_of
from croupier.floor.significant.telling import tell
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import write_journal
from table.rig import MANAGER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player

HOUR_MS = 3_600_000
EVENING = Actor(id="dealer-2", position="dealer")


def followed(play: Play) -> ReportsFold:
    fold = ReportsFold(Calendar())
    for sequence, entry in enumerate(play.entries, start=1):
        fold.take(play.settings.table, sequence, entry)
    return fold


def test_open_time_goes_on_where_the_clock_was_set_back() -> None:
    play = Play().open(("1",))
    play.wait(2 * 3600)
    play.round({}, "1")
    play.at_ms -= 2 * HOUR_MS
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms, length_known=False))
    play.wait(2 * 3600)
    play.round({}, "1")
    assert report_of(followed(play), ["table"]).totals[0].open_seconds == "14400.000"


def test_a_decision_counts_for_whoever_opened_the_round_whatever_its_age() -> None:
    play = Play(rounds_kept=5).open(("1",))
    play.do(EVENING, c.OpenRound())
    play.to_spinning()
    play.do(EVENING, c.EnterResult(result="1"))
    play.do(EVENING, c.ConfirmResult(result="1"))
    for _ in range(12):
        play.round({}, "1")
    for number in (1, 2, 13):
        play.do(SHIFT_MANAGER, c.Decide(ruling="none", reason="a complaint", round=number))
    fold = followed(play)
    assert [ruling.dealer for ruling in report_of(fold, ["dealer"]).rulings] == [
        "dealer-2",
        "dealer-1",
        "dealer-1",
    ]
    (table,) = fold._tables.values()
    assert table.openers == [(1, "dealer-2"), (2, "dealer-1")], "who opened them is kept by runs of rounds"


def stays(row: ReportRow) -> int:
    """What the house holds for others, by the figures of a report."""
    out_cents = row.vouchers_out_cents + row.attendant_pays_cents
    return row.drop_cents - out_cents - row.win_cents


def test_what_a_correction_owes_to_a_player_who_is_gone_is_a_figure() -> None:
    play = Play().open(("1",), 100_000)
    play.round({"1": {"red": 10_000}}, "2")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="camera"), second=SUPERVISOR)
    total = report_of(followed(play), ["day"]).totals[0]
    assert (total.unclaimed_out_cents, total.shortfall_in_cents) == (20_000, 0)
    assert stays(total) == total.unclaimed_out_cents


def short() -> Play:
    play = Play().open(("1",), 10_000)
    play.round({"1": {"red": 10_000}}, "1")
    play.round({"1": {"red": 20_000}}, "2")
    play.do(MANAGER, c.CorrectResult(round=1, result="2", reason="camera"), second=SUPERVISOR)
    return play


def test_what_a_correction_found_spent_is_a_figure() -> None:
    total = report_of(followed(short()), ["day"]).totals[0]
    assert (total.unclaimed_out_cents, total.shortfall_in_cents) == (0, 20_000)
    assert stays(total) == -total.shortfall_in_cents


def test_a_shortfall_that_is_taken_back_is_told_as_such() -> None:
    play = short()
    play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="camera again"), second=SUPERVISOR)
    raised = [tell(entry.event) for entry in play.entries if isinstance(entry.event, e.ShortfallRaised)]
    assert raised == [
        "Seat 1 was short of 200.00 in round 1.",
        "Seat 1 is neither short of anything nor owed anything in round 1 any more.",
    ]


def test_money_that_corrections_carried_is_printed_where_there_is_any(tmp_path: Path) -> None:
    page = run("report", write_journal(tmp_path / "short.db", short()), "--by", "table").out.splitlines()
    assert page[2].split("  ")[-3:] == ["SHORTFALL", "UNCLAIMED", "WRITTEN OFF"]
    assert page[3].split()[-3:] == ["200.00", "0.00", "0.00"]
    facts = run("report", str(tmp_path / "short.db"), "--by", "table", "--json").json["totals"][0]
    assert (facts["shortfall_in"], facts["unclaimed_out"]) == ("200.00", "0.00")


def test_what_was_written_off_is_told_with_a_later_correction() -> None:
    play = short()
    end(play, "written-off")
    for result in ("1", "2"):
        play.do(MANAGER, c.CorrectResult(round=1, result=result, reason="again"), second=SUPERVISOR)
    told = [tell(entry.event) for entry in play.entries if isinstance(entry.event, e.SeatCorrected)]
    assert [each.partition(")")[2] for each in told] == [
        ".",
        "; 200.00 was written off before.",
        "; 200.00 stays written off.",
    ]


def end(play: Play, how: str) -> None:
    do = c.SettleCarried(round=1, seat="1", how=how, cents=20_000, reason="as agreed")
    play.do(MANAGER, do, second=SUPERVISOR)


@pytest.mark.parametrize("how", ["paid", "collected", "written-off"])
def test_how_it_ended_is_listed_and_every_change_of_the_win_with_it(how: str) -> None:
    play = short()
    if how == "paid":
        end(play, "collected")
        play.round({}, "1")
        play.do(player("1"), c.BuyCredits(seat="1", cents=1_000))
        play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="camera again"), second=SUPERVISOR)
    end(play, how)
    play.do(MANAGER, c.CorrectResult(round=1, result="3", reason="and again"), second=SUPERVISOR)

    report = report_of(followed(play), ["table"])

    ruling = report.rulings[-2]
    told = (ruling.kind, ruling.cause, ruling.carried_cents, ruling.reason, ruling.clause)
    assert told == ("carried", how, 20_000, "as agreed", "mbs-roulette:6.3")
    assert (ruling.actor, ruling.second) == (MANAGER.id, SUPERVISOR.id)
    assert ruling.win_change_cents == (-20_000 if how == "written-off" else 0)
    won = sum(
        sum(line.stake_cents - line.returned_cents for line in entry.event.lines)
        for entry in play.entries
        if isinstance(entry.event, e.SeatSettled)
    )
    assert report.totals[0].win_cents == won + sum(each.win_change_cents for each in report.rulings)


def test_what_was_written_off_is_a_figure_and_leaves_with_a_later_correction() -> None:
    play = short()
    end(play, "written-off")
    total = report_of(followed(play), ["day"]).totals[0]
    assert (total.shortfall_in_cents, total.written_off_cents, stays(total)) == (0, 20_000, 0)
    play.do(MANAGER, c.CorrectResult(round=1, result="1", reason="camera again"), second=SUPERVISOR)
    after = report_of(followed(play), ["day"]).totals[0]
    assert (after.written_off_cents, after.win_cents, stays(after)) == (0, total.win_cents, 0)


def test_what_was_written_off_is_printed(tmp_path: Path) -> None:
    play = short()
    end(play, "written-off")
    page = run("report", write_journal(tmp_path / "short.db", play), "--by", "table").out
    assert page.splitlines()[3].split()[-3:] == ["0.00", "0.00", "200.00"]
    assert "carried (written-off)" in page
    assert "as agreed, 200.00; by manager-1 with supervisor-1" in page


def voided_later(rounds: int) -> Play:
    """A large bet, rounds with small ones in the next shift, in which the first round is then void."""
    play = Play().open(("1",), 50_000)
    play.round({"1": {"red": 10_000}}, "2")
    play.wait(9 * 3600)
    for _ in range(rounds):
        play.round({"1": {"red": 200}}, "2")
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="the wheel was not level", round=1))
    return play


def test_the_average_bet_of_a_shift_is_that_of_its_own_settlements() -> None:
    play = voided_later(3)
    report = report_of(followed(play), ["shift"])
    found = [(row.games_played, row.games_voided, row.average_bet_cents) for row in report.rows]
    assert found == [(1, 0, 10_000), (3, 1, 200)]
    assert (
        report.totals[0].games_played - report.totals[0].games_voided == play.state.meters.games_played == 3
    )


def test_a_shift_that_only_voids_has_no_average_bet() -> None:
    *_, last = report_of(followed(voided_later(0)), ["shift"]).rows
    assert (last.games_played, last.games_voided, last.average_bet_cents) == (0, 1, None)
