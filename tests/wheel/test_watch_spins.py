"""Which spins the watch counts, for whom, and what becomes of those that are put right."""

from collections.abc import Iterable

import msgspec
import pytest

from croupier.table import Entry
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.watch_floor import FloorWatch
from croupier.wheel.watch_report import WheelReport
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play
from wheel.watch_rig import OTHER_DEALER, REASON, correct, play_round


def watched(entries: Iterable[Entry]) -> WheelReport:
    """What the watch says of one table."""
    floor = FloorWatch()
    for entry in entries:
        floor.take("T1", entry)
    (wheel,) = floor.wheels()
    return wheel.report()


def counted(report: WheelReport) -> dict[str, int]:
    """The results that were counted."""
    return {outcome.outcome: outcome.count for outcome in report.outcomes if outcome.count}


def dealt(report: WheelReport) -> dict[str, int]:
    """How many spins each dealer has."""
    return {dealer.dealer: dealer.spins for dealer in report.dealers}


@pytest.fixture
def play() -> Play:
    return Play().open()


def test_every_settled_result_counts(play: Play) -> None:
    for result in ("17", "0", "17"):
        play_round(play, result)
    report = watched(play.entries)
    assert counted(report) == {"17": 2, "0": 1}
    assert (report.spins, report.voided, report.disagreed) == (3, 0, 0)


def test_the_pockets_stand_in_the_order_of_the_wheel(play: Play) -> None:
    assert [row.outcome for row in watched(play.entries).outcomes] == [*play.rules.book.wheel.order]


def test_a_void_round_is_left_out(play: Play) -> None:
    play_round(play, "17")
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.CallNoSpin(reason=REASON))
    report = watched(play.entries)
    assert (counted(report), report.voided) == ({"17": 1}, 1)


def test_a_round_that_runs_is_not_counted_yet(play: Play) -> None:
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="17"))
    assert watched(play.entries).spins == 0
    play.do(DEALER, c.ConfirmResult(result="17"))
    assert watched(play.entries).spins == 1


def test_a_result_that_the_sensor_contradicts_is_left_out(play: Play) -> None:
    play_round(play, "17", sensed="17")
    play_round(play, "17", sensed="34")
    report = watched(play.entries)
    assert (counted(report), report.disagreed) == ({"17": 1}, 1)


def test_a_result_that_the_sensor_contradicts_late_is_left_out_too(play: Play) -> None:
    play_round(play, "17", sensed="17")
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="17"))
    play.do(DEALER, c.ConfirmResult(result="17"))
    play.do(SENSOR, c.FinishSpin(revolutions=9, pocket="34"))
    report = watched(play.entries)
    assert (counted(report), report.disagreed) == ({"17": 1}, 1)


def test_a_result_that_was_put_right_before_it_counted_counts_as_it_is(play: Play) -> None:
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="17"))
    play.do(SUPERVISOR, c.CorrectResult(round=1, result="18", reason=REASON))
    play.do(DEALER, c.ConfirmResult(result="18"))
    assert counted(watched(play.entries)) == {"18": 1}


def test_a_settled_result_that_is_put_right_counts_as_corrected(play: Play) -> None:
    number = play_round(play, "17")
    play_round(play, "0")
    correct(play, number, "18")
    report = watched(play.entries)
    assert (counted(report), dealt(report)) == ({"18": 1, "0": 1}, {"dealer-1": 2})


def test_a_correction_to_what_the_sensor_saw_ends_the_disagreement_and_one_away_begins_it(play: Play) -> None:
    first, second = play_round(play, "17", sensed="34"), play_round(play, "5", sensed="5")
    correct(play, first, "34")
    correct(play, second, "6")
    report = watched(play.entries)
    assert (counted(report), report.disagreed, report.voided) == ({"34": 1}, 1, 0)


def test_a_settled_round_that_is_voided_is_taken_out_again(play: Play) -> None:
    number = play_round(play, "17", diamond=3)
    play_round(play, "0")
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", round=number, reason=REASON))
    report = watched(play.entries)
    assert (counted(report), report.voided, report.without_dealer) == ({"0": 1}, 1, 0)
    assert report.drops is not None
    assert [(drop.spins, drop.scatter.spins) for drop in report.drops.diamonds if drop.scatter][2] == (1, 0)


def test_an_outcome_that_was_stated_after_an_interruption_counts(play: Play) -> None:
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.wait(60)
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms - 50_000))
    play.do(SUPERVISOR, c.StateOutcome(result="22"))
    assert counted(watched(play.entries)) == {"22": 1}


def test_a_spin_belongs_to_the_person_who_spun(play: Play) -> None:
    play_round(play, "17", spun_by=OTHER_DEALER)
    assert dealt(watched(play.entries)) == {"dealer-2": 1}


def test_where_the_sensor_says_so_a_spin_belongs_to_whoever_opened_the_round(play: Play) -> None:
    play_round(play, "17", spun_by=SENSOR, opened_by=OTHER_DEALER)
    assert dealt(watched(play.entries)) == {"dealer-2": 1}


def test_a_dealer_who_had_only_void_rounds_takes_no_share(play: Play) -> None:
    play.do(OTHER_DEALER, c.OpenRound())
    play.do(DEALER, c.CallNoSpin(reason=REASON))
    play_round(play, "17")
    assert dealt(watched(play.entries)) == {"dealer-1": 1}


def test_spin_times_and_rotor_speeds_are_those_of_every_spin_that_came_to_rest(play: Play) -> None:
    play_round(play, "17", sensed="34")
    play_round(play, "17")
    report = watched(play.entries)
    assert report.spin_ms is not None
    assert report.rotor_start_tenths_rpm is not None
    assert report.rotor_rest_tenths_rpm is not None
    assert (report.spin_ms.readings, report.spin_ms.mean) == (2, 16_000)
    assert (report.rotor_start_tenths_rpm.mean, report.rotor_rest_tenths_rpm.mean) == (250, 240)


def test_the_time_of_a_spin_across_an_interruption_is_not_known() -> None:
    # Where the ball may roll while bets are open, a short interruption leaves the round running.
    play = Play("rws-roulette-00").open()
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.StartSpin(rotor_tenths_rpm=250))
    play.wait(5)
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms - 2_000))
    play.do(SENSOR, c.FinishSpin(revolutions=9, pocket="22"))
    report = watched(play.entries)
    assert report.spin_ms is None
    assert report.rotor_start_tenths_rpm is not None


def test_where_machines_open_and_spin_a_round_belongs_to_whoever_closed_the_bets(play: Play) -> None:
    play_round(play, "17")
    opened, started = (
        next(n for n, entry in enumerate(play.entries) if isinstance(entry.event, kind))
        for kind in (e.RoundOpened, e.SpinStarted)
    )
    for number in (opened, started):
        entry = play.entries[number]
        play.entries[number] = Entry(msgspec.structs.replace(entry.cause, actor=TIMER), entry.event)
    assert dealt(watched(play.entries)) == {"dealer-1": 1}
    play.entries = [
        Entry(msgspec.structs.replace(entry.cause, actor=SENSOR), entry.event) for entry in play.entries
    ]
    report = watched(play.entries)
    assert (dealt(report), report.spins, report.without_dealer) == ({}, 1, 1)


def test_a_spin_that_rests_in_no_compartment_is_not_measured(play: Play) -> None:
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(SENSOR, c.FinishSpin(revolutions=9, at_rest=False))
    report = watched(play.entries)
    assert (report.spin_ms, report.voided) == (None, 1)


def test_drop_zones_show_how_the_results_of_a_diamond_lie(play: Play) -> None:
    order = play.rules.book.wheel.order
    for place in (36, 0, 1, 0, 0):
        play_round(play, order[place], diamond=5)
    play_round(play, order[18], diamond=2)
    drops = watched(play.entries).drops
    assert drops is not None
    assert [drop.spins for drop in drops.diamonds] == [0, 1, 0, 0, 5, 0, 0, 0]
    fifth = drops.diamonds[4]
    assert fifth.scatter is not None
    assert (fifth.centre, fifth.scatter.closeness > 0.9) == (order[0], True)


def test_without_diamonds_there_are_no_drop_zones(play: Play) -> None:
    play_round(play, "17")
    assert watched(play.entries).drops is None


def test_a_number_of_a_diamond_beyond_the_usual_is_listed_and_nothing_between(play: Play) -> None:
    play_round(play, "17", diamond=1_000_000_000)
    drops = watched(play.entries).drops
    assert drops is not None
    assert [drop.diamond for drop in drops.diamonds] == [1, 2, 3, 4, 5, 6, 7, 8, 1_000_000_000]


def test_a_correction_of_a_round_of_any_age_is_counted() -> None:
    play = Play(rounds_kept=3).open()
    for _ in range(20):
        play_round(play, "17")
    correct(play, 1, "18")
    assert counted(watched(play.entries)) == {"17": 19, "18": 1}
