"""Voids in reports: by dealer and the like, by their cause, by what the wheel did, and against the sensor."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from clauses import clause
from cli.running import run
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.figures import ReportRow, VoidsOf
from croupier.floor.reports.fold import ReportsFold
from croupier.floor.reports.report import Report, report_of
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import write_journal
from table.rig import DEALER, MANAGER, SUPERVISOR, Play

EVENING = Actor(id="dealer-2", position="dealer")


def stated(play: Play, wheel: str, *, against_sensor: bool = False) -> None:
    """Has the latest event, a void, say what the wheel did then."""
    last = play.entries[-1]
    assert isinstance(last.event, e.RoundVoided)
    said = msgspec.structs.replace(last.event, wheel=wheel, against_sensor=against_sensor)
    play.entries[-1] = msgspec.structs.replace(last, event=said)


def voided(
    play: Play, dealer: Actor, wheel: str, cause: str = "no-spin", *, against_sensor: bool = False
) -> None:
    """A round of a dealer that is void while the wheel does something."""
    play.do(dealer, c.OpenRound())
    play.bet("1", {"red": 1_000})
    if wheel != "not-spun":
        play.do(dealer, c.CloseBets())
        play.do(dealer, c.StartSpin())
    if wheel == "at-rest":
        play.do(dealer, c.FinishSpin())
    if cause == "no-spin":
        play.do(dealer, c.CallNoSpin(reason="x"))
    else:
        play.do(SUPERVISOR, c.DeclareIrregularity(cause=cause, note="x"))
    stated(play, wheel, against_sensor=against_sensor)


def an_evening() -> Play:
    """Two dealers with voids of several kinds, one of them of a round that was settled."""
    play = Play().open(("1",))
    voided(play, DEALER, "rolling")
    voided(play, DEALER, "rolling")
    voided(play, DEALER, "rolling", "too-few-revolutions", against_sensor=True)
    voided(play, EVENING, "at-rest", "no-compartment")
    voided(play, EVENING, "not-spun")
    return play


def report_by(play: Play, *by: str) -> Report:
    """A report of one table."""
    fold = ReportsFold(Calendar())
    for sequence, entry in enumerate(play.entries, start=1):
        fold.take(play.settings.table, sequence, entry)
    return report_of(fold, by)


def counts(row: ReportRow) -> dict[str, VoidsOf]:
    """The voids of a row by their cause."""
    wheel = row.voids_not_spun + row.voids_rolling + row.voids_at_rest + row.voids_settled
    assert row.voids == wheel == sum(map(of_wheel, row.voids_by_cause.values()))
    assert row.voids_against_sensor == sum(each.against_sensor for each in row.voids_by_cause.values())
    return row.voids_by_cause


def of_wheel(voids: VoidsOf) -> int:
    """How many there are in all."""
    return voids.not_spun + voids.rolling + voids.at_rest + voids.settled


@clause("mbs-roulette:5.15")
def test_voids_are_counted_by_dealer_cause_and_what_the_wheel_did() -> None:
    before, first, second = report_by(an_evening(), "dealer").rows
    assert (before.dealer, counts(before)) == ("", {})
    assert (first.dealer, counts(first)) == (
        "dealer-1",
        {"no-spin": VoidsOf(rolling=2), "too-few-revolutions": VoidsOf(rolling=1, against_sensor=1)},
    )
    assert (second.dealer, counts(second)) == (
        "dealer-2",
        {"no-compartment": VoidsOf(at_rest=1), "no-spin": VoidsOf(not_spun=1)},
    )
    assert (first.voids_rolling, first.voids_against_sensor, second.voids_against_sensor) == (3, 1, 0)


def test_every_way_to_group_them_has_the_same_sum() -> None:
    play = an_evening()
    whole = report_by(play, "table").totals[0]
    assert counts(whole) == {
        "no-compartment": VoidsOf(at_rest=1),
        "no-spin": VoidsOf(not_spun=1, rolling=2),
        "too-few-revolutions": VoidsOf(rolling=1, against_sensor=1),
    }
    for by in (("table",), ("day",), ("shift",), ("hour", "dealer"), ("dealer", "table")):
        rows: Sequence[ReportRow] = report_by(play, *by).rows
        summed: dict[str, VoidsOf] = {}
        for row in rows:
            for cause, voids in counts(row).items():
                summed.setdefault(cause, VoidsOf()).add(voids)
        assert summed == whole.voids_by_cause, by


@clause("rws-roulette-000:5.4")
def test_a_void_of_a_settled_round_has_no_wheel_that_could_say_anything() -> None:
    play = Play("rws-roulette-000").open(("1",))
    play.round({"1": {"red": 1_000}}, "17")
    play.do(DEALER, c.OpenRound())
    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,), note="x"), SUPERVISOR)
    settled = report_by(play, "dealer")
    (row,) = (each for each in settled.rows if each.dealer)
    assert counts(row)["ball-broken"].settled == 1
    (ruling,) = (each for each in settled.rulings if each.round == 1)
    assert (ruling.kind, ruling.wheel, ruling.against_sensor) == ("void", None, False)


def test_the_list_of_voids_says_what_the_wheel_did_and_who_it_was() -> None:
    rulings = report_by(an_evening(), "table").rulings
    assert [(each.actor, each.cause, each.wheel, each.against_sensor) for each in rulings] == [
        ("dealer-1", "no-spin", "rolling", False),
        ("dealer-1", "no-spin", "rolling", False),
        ("supervisor-1", "too-few-revolutions", "rolling", True),
        ("supervisor-1", "no-compartment", "at-rest", False),
        ("dealer-2", "no-spin", "not-spun", False),
    ]


def test_page_json_and_csv_have_them(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "floor.db", an_evening())
    printed = run("report", journal, "--by", "dealer").out
    assert VOIDS in printed
    assert "    x, wheel rolling, against the sensor; by supervisor-1\n" in printed.replace(
        "Ball made fewer than four revolutions: ", ""
    )
    first: dict[str, Any] = run("report", journal, "--by", "dealer", "--json").json["rows"][1]
    assert first["voids_by_cause"]["too-few-revolutions"] == {
        "not_spun": 0,
        "rolling": 1,
        "at_rest": 0,
        "settled": 0,
        "against_sensor": 1,
    }
    assert (first["voids"], first["voids_rolling"], first["voids_against_sensor"]) == (3, 3, 1)
    heads, _, line, *_ = run("report", journal, "--by", "dealer", "--csv").out.splitlines()
    assert ",voids_not_spun,voids_rolling,voids_at_rest,voids_settled,voids_against_sensor," in heads
    assert ",0,3,0,0,1," in line


VOIDS = """\
Voids by dealer, cause and what the wheel did

DEALER    CAUSE                NOT SPUN  ROLLING  AT REST  SETTLED  AGAINST SENSOR
dealer-1  no-spin                     0        2        0        0               0
dealer-1  too-few-revolutions         0        1        0        0               1
dealer-2  no-compartment              0        0        1        0               0
dealer-2  no-spin                     1        0        0        0               0
all       no-compartment              0        0        1        0               0
all       no-spin                     1        2        0        0               0
all       too-few-revolutions         0        1        0        0               1
"""


def test_a_report_without_voids_has_no_table_of_them(tmp_path: Path) -> None:
    play = Play().open(("1",))
    play.round({"1": {"red": 1_000}}, "17")
    printed = run("report", write_journal(tmp_path / "floor.db", play), "--by", "table").out
    assert "Voids by" not in printed
