"""The watch over wheels: the same live as from the journal and as the rounds' own rows, and its alarm."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from croupier.floor.exports.projections import RoundsFold
from croupier.floor.verify.evidence import open_evidence
from croupier.lab.bias import BiasTest
from croupier.lab.bias_alarm import STANDARD_LEVEL, alarm_at
from croupier.lab.bias_simulation import biased_chances, evidence_course
from croupier.rulebook import BadInput, load_book
from croupier.table import Entry
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.watch import WheelWatch
from croupier.wheel.watch_floor import FloorWatch, watch_journal
from floor.audit_journal import MemoryEvidence, at_table, write_journal
from floor.audit_play import GAMES, RandomTable
from table.american import AMERICAN
from table.rig import DEALER, SHIFT_MANAGER, Play
from wheel.watch_rig import REASON, correct, play_round, told

ORDER = load_book("mbs-roulette").wheel.order


def feed(floor: FloorWatch, table: str, entries: list[Entry]) -> None:
    for entry in entries:
        floor.take(table, entry)


def one_wheel(results: list[str], level: float = STANDARD_LEVEL, dealers: int = 1) -> WheelWatch:
    floor = FloorWatch(level)
    feed(floor, "T1", [*told(results, dealers=dealers)])
    (wheel,) = floor.wheels()
    return wheel


def drawn(spins: int, seed: int, biased: tuple[int, ...] = (), bias: float = 0.0) -> list[str]:
    """Results of a wheel, fair or with a bias on some places of it."""
    chances = biased_chances([1] * 37, biased, bias) if biased else [1 / 37] * 37
    return [ORDER[place] for place in np.random.default_rng(seed).choice(37, spins, p=chances)]


@pytest.mark.parametrize(("book", "layout"), GAMES)
def test_the_counts_are_those_of_the_rounds_however_a_table_is_played(book: str, layout: str) -> None:
    table = RandomTable(11, book, layout)
    entries = table.rounds(60).entries
    fold, sensed = RoundsFold(), {}
    rows = []
    for entry in entries:
        if isinstance(entry.event, e.SpinFinished):
            sensed[entry.event.round] = entry.event.pocket
        rows += [row.row for row in [fold.take(entry)] if row is not None]
    rows = [row for row in [*rows, *(left.row for left in fold.rest())] if row.ended_ms is not None]
    agreed = [row for row in rows if row.result and sensed.get(row.round) in (None, row.result)]
    floor = FloorWatch()
    feed(floor, "T1", entries)
    (report,) = [wheel.report() for wheel in floor.wheels()]
    assert {row.outcome: row.count for row in report.outcomes} == {
        outcome: sum(row.result == outcome for row in agreed) for outcome in table.results
    }
    assert report.voided == sum(row.result is None for row in rows) > 0
    assert report.disagreed == len(rows) - len(agreed) - report.voided
    assert report.spins == sum(dealer.spins for dealer in report.dealers) + report.without_dealer
    assert sum(row.corrections for row in rows) > 0


def test_live_and_from_the_journal_the_numbers_are_the_same(tmp_path: Path) -> None:
    plays = [
        at_table(name, RandomTable(seed, *game).rounds(25))
        for seed, (name, game) in enumerate(
            zip(("T1", "T2", "T3"), (GAMES[0], GAMES[4], GAMES[0]), strict=True)
        )
    ]
    floor = FloorWatch()
    together = sorted(
        ((entry.cause.at_ms, play.settings.table, entry) for play in plays for entry in play.entries),
        key=lambda row: row[:2],
    )
    for _, table, entry in together:
        floor.take(table, entry)
    evidence = open_evidence(write_journal(tmp_path / "journal.db", *plays))
    try:
        offline = watch_journal(evidence)
    finally:
        evidence.close()
    assert offline == [wheel.report() for wheel in floor.wheels()]
    assert [report.wheel for report in offline] == ["T1", "T2", "T3"]


def test_what_a_wheel_says_is_worked_out_once_for_all_who_ask_before_there_is_news() -> None:
    """A wheel of few spins is compared with thousands of fair ones, and screens ask again and again."""
    asked_often, asked_once = FloorWatch(), FloorWatch()
    played = [("T1", entry) for entry in RandomTable(11, *GAMES[0]).rounds(20).entries]
    shared = [(table, entry) for table in ("T2", "T3") for entry in told(["5"], table=table, wheel="W-9")]
    for table, entry in [*played, *shared]:
        asked_once.take(table, entry)
        asked_often.take(table, entry)
        for wheel in asked_often.wheels():
            assert wheel.report() is wheel.report()
    found = [wheel.report() for wheel in asked_often.wheels()]
    assert found == [wheel.report() for wheel in asked_once.wheels()]
    assert found[-1].tables == ("T2", "T3")


def test_the_watch_says_when_there_is_something_new() -> None:
    floor = FloorWatch()
    new = [type(entry.event) for entry in told(["17", "0"]) if floor.take("T1", entry) is not None]
    assert new == [e.RoundSettled, e.RoundSettled]


def test_tables_that_name_a_wheel_share_it_and_one_that_names_none_has_its_own() -> None:
    floor = FloorWatch()
    for table, wheel in (("T1", "W-9"), ("T2", ""), ("T3", "W-9")):
        feed(floor, table, [*told(["17"], table=table, wheel=wheel)])
    found = [(report.wheel, report.tables, report.spins) for report in (w.report() for w in floor.wheels())]
    assert found == [("T2", ("T2",), 1), ("W-9", ("T1", "T3"), 2)]


def test_a_wheel_with_other_pockets_is_another_wheel_whatever_its_id() -> None:
    floor = FloorWatch()
    feed(floor, "T1", [*told(["17"], wheel="W-9")])
    feed(floor, "T2", [*told(["00"], wheel="W-9", book="rws-roulette-00", table="T2")])
    assert [(wheel.wheel, wheel.spins) for wheel in floor.wheels()] == [("W-9", 1), ("W-9", 1)]


def test_a_wheel_is_watched_in_the_order_of_its_table() -> None:
    play = Play("rws-roulette-00", pocket_order=AMERICAN, wheel="W-9").open()
    play_round(play, "00")
    floor = FloorWatch()
    feed(floor, "T1", play.entries)
    (wheel,) = floor.wheels()

    assert [each.outcome for each in wheel.report().outcomes] == [*AMERICAN]


def test_one_wheel_is_one_wherever_its_order_is_begun() -> None:
    floor = FloorWatch()
    for table, order in (("T1", AMERICAN), ("T2", (*AMERICAN[5:], *AMERICAN[:5]))):
        play = at_table(table, Play("rws-roulette-00", pocket_order=order, wheel="W-9").open())
        play_round(play, "00")
        feed(floor, table, play.entries)

    assert [(wheel.wheel, wheel.spins) for wheel in floor.wheels()] == [("W-9", 2)]


def test_tables_that_share_a_wheel_are_read_in_the_order_of_time() -> None:
    late, early = Play(wheel="W-9").open(), at_table("T2", Play(wheel="W-9").open())
    late.wait(10_000)
    play_round(early, "5")
    play_round(late, "17")
    (report,) = watch_journal(MemoryEvidence(late, early))
    assert report.alarm.highest is not None
    assert report.spins == 2
    first_alone = one_wheel(["5"]).report().alarm.log10_e
    in_order = FloorWatch()
    feed(in_order, "T2", early.entries)
    assert in_order.wheels()[0].report().alarm.log10_e == pytest.approx(first_alone)
    feed(in_order, "T1", late.entries)
    assert in_order.wheels()[0].report().alarm == report.alarm


def test_the_evidence_is_that_of_the_course_made_bet_by_bet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.wheel.watch.STRETCH_SPINS", 70)
    results = drawn(200, seed=3)
    report = one_wheel(results, dealers=3).report()
    numbers = np.arange(200)
    places = np.array([ORDER.index(result) for result in results])
    course = evidence_course(BiasTest([1] * 37, neighbours=True), places, numbers // 70, numbers % 3)
    assert report.alarm.log10_e == pytest.approx(math.log10(course[-1]), abs=1e-10)
    assert report.alarm.highest is not None
    assert report.alarm.highest.log10_e == pytest.approx(math.log10(course.max()), abs=1e-10)
    assert report.alarm.highest.spins == course.argmax() + 1
    assert [stretch.spins for stretch in report.stretches] == [70, 70, 60]


def test_a_biased_wheel_raises_the_alarm_at_the_first_spin_that_is_enough_and_it_stays() -> None:
    results = drawn(1_500, seed=4, biased=(3, 4, 5, 6, 7, 8), bias=1.0) + drawn(400, seed=5)
    course = evidence_course(
        BiasTest([1] * 37, neighbours=True),
        np.array([ORDER.index(result) for result in results]),
        np.zeros(1_900, np.int64),
        np.zeros(1_900, np.int64),
    )
    wheel = one_wheel(results)
    enough = int(np.flatnonzero(course >= alarm_at(STANDARD_LEVEL))[0]) + 1
    assert wheel.raised is not None
    assert (wheel.raised.table, wheel.raised.round, wheel.raised.spins) == ("T1", enough, enough)
    assert wheel.report().alarm.raised == wheel.raised
    sector = wheel.report().parts[1].suspect
    assert sector is not None
    assert {ORDER[4], ORDER[5], ORDER[6], ORDER[7]} <= {*sector.outcomes}


def test_a_stricter_level_takes_more_evidence() -> None:
    results = drawn(1_500, seed=4, biased=(3, 4, 5, 6, 7, 8), bias=1.0)
    early, late = one_wheel(results, level=0.1).raised, one_wheel(results, level=1e-9).raised
    assert early is not None
    assert late is not None
    assert early.spins < late.spins


def test_a_dealer_who_aims_is_named() -> None:
    fair, aimed = iter(drawn(1_200, seed=6)), iter(drawn(600, seed=7, biased=(20, 21, 22, 23, 24), bias=1.0))
    results = [next(aimed) if number % 3 == 1 else next(fair) for number in range(1_800)]
    report = one_wheel(results, dealers=3).report()
    strongest = max(report.dealers, key=lambda dealer: dealer.log10_e)
    assert strongest.dealer == "dealer-1"
    assert strongest.log10_e > 4
    assert strongest.suspect is not None
    assert {*strongest.suspect.outcomes} & {*ORDER[20:25]}
    assert report.alarm.raised is not None


def test_a_correction_leaves_what_would_be_if_it_had_been_right_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.wheel.watch.STRETCH_SPINS", 2)
    wrong, right = Play().open(), Play().open()
    for result in ("17", "0", "5", "32", "9"):
        play_round(wrong, "17")
        play_round(right, result)
    for number, result in enumerate(("0", "5", "32", "9"), 2):
        correct(wrong, number, result)
    first, second = (watch_journal(MemoryEvidence(play))[0] for play in (wrong, right))
    assert first.outcomes == second.outcomes
    assert first.stretches == second.stretches
    assert first.alarm.log10_e == pytest.approx(second.alarm.log10_e, abs=1e-12)
    # What was seen before the corrections was seen, and stays in the record.
    assert first.alarm.highest is not None
    assert second.alarm.highest is not None
    assert first.alarm.highest.log10_e > second.alarm.highest.log10_e


def test_a_settled_round_that_is_voided_leaves_what_would_be_without_it() -> None:
    voided, without = Play().open(), Play().open()
    for play in (voided, without):
        play_round(play, "17")
    number = play_round(voided, "17")
    voided.do(SHIFT_MANAGER, c.Decide(ruling="void", round=number, reason=REASON))
    first, second = (watch_journal(MemoryEvidence(play))[0] for play in (voided, without))
    assert first.alarm.log10_e == pytest.approx(second.alarm.log10_e, abs=1e-12)
    assert first.dealers == second.dealers


def test_a_stretch_is_made_of_counted_spins_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.wheel.watch.STRETCH_SPINS", 2)
    play = Play().open()
    for sensed in (None, "34", "34", None, None):
        play_round(play, "17", sensed=sensed)
    (report,) = watch_journal(MemoryEvidence(play))
    assert [stretch.spins for stretch in report.stretches] == [2, 1]


def test_the_money_wheel_is_counted_by_symbol_and_has_no_sectors() -> None:
    book = load_book("rws-money-wheel")
    symbols = [*itertools.chain(*(([symbol] * places) for symbol, places in book.wheel.outcomes.items()))]
    floor = FloorWatch()
    feed(floor, "T1", [*told(symbols * 5, book=book.id)])
    report = floor.wheels()[0].report()
    assert [(row.outcome, row.places) for row in report.outcomes] == [*book.wheel.outcomes.items()]
    assert all(row.count == pytest.approx(row.expected) for row in report.outcomes)
    assert (report.unevenness.statistic, report.unevenness.degrees) == (0, len(book.wheel.outcomes) - 1)
    assert [part.part for part in report.parts] == ["pocket", "whole"]


def test_a_table_without_spins_has_nothing_against_it() -> None:
    play = Play().open()
    play.do(DEALER, c.OpenRound())
    (report,) = watch_journal(MemoryEvidence(play))
    assert (report.spins, report.alarm.log10_e, report.alarm.highest, report.unevenness.p) == (
        0,
        0.0,
        None,
        1.0,
    )
    assert (report.dealers, report.stretches, report.parts[0].suspect) == ((), (), None)


def test_a_level_that_is_none_is_refused_before_any_table() -> None:
    with pytest.raises(BadInput):
        FloorWatch(0.7)
