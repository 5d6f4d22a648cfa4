"""Journals with early results, bets on known outcomes, and outcomes without a spin are found."""

from collections.abc import Callable

import pytest

from clauses import clause
from croupier.table import Actor, Event
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import credits_of, move, stakes_of
from floor.forged_events import but, force, found_in, take_back
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import BETTING, CLOSED, MBS, ROLLING, RWS_000, RWS_A, SPINNING, Game, at, valid_spin

ANOTHER_SUPERVISOR = Actor(id="supervisor-2", position="pit-supervisor")
Scene = Callable[[], Play]


def reason(scene: Scene) -> str:
    misfit = found_in(scene())
    assert misfit is not None
    return misfit.reason


# A result before the ball rests, or against the sensor.


def seen(game: Game = RWS_A) -> Play:
    """A spin that the sensor sees."""
    play = at(CLOSED, game, spin_source="sensor")
    play.do(SENSOR, valid_spin(game))
    return play


def rested(game: Game = RWS_A) -> Play:
    """The same, over: the ball lies in the winning number."""
    play = seen(game)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket=game.wins))
    return play


def entered(
    play: Play, actor: Actor, result: str, *, second: Actor | None = None, stand: str | None = None
) -> Play:
    """A result is registered, and the sensor is said to stand to it as told."""
    event = e.ResultEntered(
        round=1,
        result=result,
        said_by=actor.position,
        clause=play.rules.cite("result") or play.rules.book.wheel.clause,
        sensor=stand,
    )
    return force(play, actor, event, second=second)


def a_dealer_alone_while_the_ball_rolls() -> Play:
    return entered(seen(), DEALER, "17", stand="agreed")


def two_people_while_the_ball_rolls() -> Play:
    return entered(seen(), SUPERVISOR, "17", second=MANAGER, stand="failed")


def the_sensor_itself_while_the_ball_rolls() -> Play:
    return entered(seen(), SENSOR, "17", stand="agreed")


def a_person_who_ends_the_spin_that_the_sensor_sees() -> Play:
    play = seen()
    told = c.FinishSpin(revolutions=8, pocket="17")
    play.do(SENSOR, told)
    (event,) = take_back(play, [play.entries[-1].event])
    return force(play, DEALER, *but([event], e.SpinFinished, said_by="dealer"))


def another_number_than_the_sensors_by_one_person() -> Play:
    return entered(rested(), SUPERVISOR, "17", stand="contradicted")


def another_number_by_two_people_without_a_supervisor() -> Play:
    another = Actor(id="dealer-2", position="dealer")
    return entered(rested(), DEALER, "17", second=another, stand="contradicted")


def another_number_as_if_it_were_the_sensors() -> Play:
    return entered(rested(), SUPERVISOR, "17", second=DEALER, stand="agreed")


def a_number_by_one_person_while_the_sensor_is_out_of_order() -> Play:
    play = seen()
    play.do(SENSOR, c.ReportWheel(fault="line-lost"))
    return entered(play, SUPERVISOR, "17", stand="failed")


def a_number_by_one_person_of_a_spin_that_no_sensor_saw() -> Play:
    play = at(SPINNING, RWS_A, spin_source="sensor")
    return entered(play, DEALER, "17", stand=None)


def a_correction_against_the_sensor_by_one_person() -> Play:
    play = rested()
    play.do(DEALER, c.EnterResult(result=RWS_A.wins))
    do = c.CorrectResult(round=1, result="17", reason="misread")
    events = take_back(play, play.do(DEALER, do, SUPERVISOR))
    return force(play, DEALER, *events)


def a_confirmation_as_if_the_sensor_had_not_spoken() -> Play:
    play = rested()
    play.do(DEALER, c.EnterResult(result="17"), SUPERVISOR)
    events = take_back(play, play.do(DEALER, c.ConfirmResult(result="17")))
    return force(play, DEALER, *but(events, e.ResultConfirmed, against_sensor=False))


@clause("rws-roulette-00:3.7", "mbs-roulette:1.1.5")
@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (a_dealer_alone_while_the_ball_rolls, "registered before the sensor saw the ball rest"),
        (two_people_while_the_ball_rolls, "registered before the sensor saw the ball rest"),
        (the_sensor_itself_while_the_ball_rolls, "registered before the sensor saw the ball rest"),
        (a_person_who_ends_the_spin_that_the_sensor_sees, "sees the spin of round 1, and the dealer ends it"),
        (another_number_than_the_sensors_by_one_person, "against the sensor's 00 takes two people"),
        (another_number_by_two_people_without_a_supervisor, "takes a pit-supervisor, and none has signed"),
        (another_number_as_if_it_were_the_sensors, "the sensor's stand to 17 is contradicted"),
        (a_number_by_one_person_while_the_sensor_is_out_of_order, "without the sensor takes two people"),
        (a_number_by_one_person_of_a_spin_that_no_sensor_saw, "without the sensor takes two people"),
        (a_correction_against_the_sensor_by_one_person, "against the sensor's 00 takes two people"),
        (a_confirmation_as_if_the_sensor_had_not_spoken, "17 is confirmed as if it did not matter"),
    ],
)
def test_a_result_before_the_ball_rests_or_against_the_sensor_is_found(scene: Scene, said: str) -> None:
    assert said in reason(scene)


# A bet that stands although its outcome could be known.


def bet(play: Play, *, seat: str = "1", bet: str = "straight:00", cents: int = 1_000) -> Play:
    """A player puts more on a bet, or takes some off, whatever the table would say."""
    event = e.BetsChanged(
        seat=seat,
        round=1,
        changes=(e.BetChange(bet, cents, None),),
        placed_by="player",
        clause=play.rules.place_clause,
        postings=move(credits_of(seat), stakes_of(seat), cents),
    )
    return force(play, player(seat), event)


def interrupted(play: Play, seconds: float) -> list[Event]:
    began_ms = play.at_ms
    play.wait(seconds)
    return play.do(TIMER, c.Interrupt(began_ms=began_ms))


def without(play: Play, events: list[Event], actor: Actor, kind: type) -> Play:
    """The latest command again, without one kind of what it led to."""
    kept = [event for event in take_back(play, events) if not isinstance(event, kind)]
    return force(play, actor, *kept)


def a_bet_after_an_interruption_that_left_bets_open() -> Play:
    play = at(ROLLING, RWS_A)
    return bet(without(play, interrupted(play, 8), TIMER, e.BetsClosed))


def a_bet_after_an_interruption_told_as_harmless() -> Play:
    play = at(ROLLING, RWS_A)
    told = only(e.TableInterrupted, take_back(play, interrupted(play, 8)))
    return bet(force(play, TIMER, *but([told], e.TableInterrupted, consequence="continue")))


def a_bet_after_a_declared_interruption_that_left_bets_open() -> Play:
    play = at(ROLLING, RWS_000)
    declared = play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall"))
    return bet(without(play, declared, SUPERVISOR, e.BetsClosed))


def a_bet_after_a_halt_that_left_bets_open() -> Play:
    play = at(ROLLING, RWS_A)
    halted = play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    return bet(without(play, halted, TIMER, e.BetsClosed))


def a_bet_at_a_halted_table() -> Play:
    play = at(BETTING, RWS_A)
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    return bet(play)


def a_bet_after_a_spin_that_began_during_a_halt() -> Play:
    play = at(BETTING, RWS_A)
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    return bet(without(play, play.do(SENSOR, c.StartSpin()), SENSOR, e.BetsClosed))


def a_round_that_runs_on_after_a_halt_during_its_spin() -> Play:
    play = at(SPINNING, RWS_A)
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    resumed = play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
    return bet(without(play, resumed, SHIFT_MANAGER, e.TableInterrupted))


def a_bet_while_an_outcome_is_awaited() -> Play:
    play = at(ROLLING, RWS_A)
    interrupted(play, 0.02)
    return bet(play)


def a_bet_taken_off_while_an_outcome_is_awaited() -> Play:
    play = at(ROLLING, RWS_A)
    interrupted(play, 0.02)
    return bet(play, bet=RWS_A.bet, cents=-1_000)


def a_bet_after_the_ball_came_to_rest() -> Play:
    play = at(ROLLING, RWS_A)
    finished = play.do(SENSOR, c.FinishSpin(revolutions=8, pocket="00"))
    return bet(without(play, finished, SENSOR, e.BetsClosed))


def a_bet_after_the_spin_where_bets_close_first() -> Play:
    play = at(CLOSED, MBS)
    play.do(DEALER, valid_spin(MBS))
    return bet(play, bet="red")


@clause("rws-roulette-00:3.5", "rws-roulette-00:5.1", "rws-roulette-000:3.5", "mbs-roulette:3.7")
@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (a_bet_after_an_interruption_that_left_bets_open, "the outcome is awaited, and bets of round 1 stay"),
        (a_bet_after_an_interruption_told_as_harmless, "from which follows wait, and not continue"),
        (a_bet_after_a_declared_interruption_that_left_bets_open, "the outcome is awaited, and bets of"),
        (
            a_bet_after_a_halt_that_left_bets_open,
            "play stopped during the spin, and bets of round 1 stay open",
        ),
        (a_bet_at_a_halted_table, "it happens at a halted table"),
        (a_bet_after_a_spin_that_began_during_a_halt, "play stopped during the spin, and bets of round 1"),
        (a_round_that_runs_on_after_a_halt_during_its_spin, "what the halt did to round 1 is not told"),
        (a_bet_while_an_outcome_is_awaited, "bets of round 1 are closed"),
        (a_bet_taken_off_while_an_outcome_is_awaited, "bets of round 1 are closed"),
        (a_bet_after_the_ball_came_to_rest, "the spin of round 1 cannot end here"),
        (a_bet_after_the_spin_where_bets_close_first, "bets of round 1 are closed"),
    ],
)
def test_a_bet_on_an_outcome_that_could_be_known_is_found(scene: Scene, said: str) -> None:
    assert said in reason(scene)


# An outcome without a spin.


def awaiting(point: str = CLOSED) -> Play:
    """Somebody says that a ball was spun of which nothing is on record."""
    play = at(point, RWS_A)
    play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall", spun=True))
    return play


def stated(
    play: Play, actor: Actor, result: str | None = "00", *, second: Actor | None = None, spun: bool = True
) -> Play:
    """An outcome is stated, and the round concluded with it: in itself all that follows fits."""
    events = take_back(
        play, play.do(SUPERVISOR, c.StateOutcome(result=result, spun=True), second=SHIFT_MANAGER)
    )
    events = but(events, e.ResultEntered, said_by=actor.position)
    return force(play, actor, *but(events, e.OutcomeStated, spun=spun), second=second)


def an_outcome_of_one_supervisor() -> Play:
    return stated(awaiting(), SUPERVISOR)


def an_outcome_of_two_supervisors() -> Play:
    return stated(awaiting(), SUPERVISOR, second=ANOTHER_SUPERVISOR)


def an_outcome_of_one_shift_manager() -> Play:
    return stated(awaiting(), SHIFT_MANAGER)


def an_outcome_as_if_its_spin_were_on_record() -> Play:
    return stated(awaiting(), SUPERVISOR, second=MANAGER, spun=False)


def an_outcome_of_a_spin_during_the_halt_by_one_supervisor() -> Play:
    play = at(CLOSED, RWS_A)
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    play.do(SENSOR, c.StartSpin())
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))
    return stated(play, SUPERVISOR)


def an_outcome_of_a_spin_that_came_only_after_the_interruption() -> Play:
    play = awaiting()
    play.do(SENSOR, c.StartSpin())
    return stated(play, SUPERVISOR)


def an_outcome_that_nobody_awaits() -> Play:
    play = awaiting()
    events = take_back(play, play.do(SUPERVISOR, c.StateOutcome(result="00", spun=True), second=MANAGER))
    other = at(CLOSED, RWS_A)
    return force(other, SUPERVISOR, *events, second=MANAGER)


def an_interruption_that_waits_for_the_outcome_of_no_spin() -> Play:
    play = at(CLOSED, RWS_A)
    told = only(e.TableInterrupted, take_back(play, interrupted(play, 0.02) or []))
    force(play, TIMER, *but([told], e.TableInterrupted, consequence="wait"))
    return play


def an_interruption_in_which_the_server_states_a_spin() -> Play:
    play = at(CLOSED, RWS_A)
    told = only(e.TableInterrupted, take_back(play, interrupted(play, 0.02)))
    return force(play, TIMER, *but([told], e.TableInterrupted, consequence="wait", spun=True))


def an_outcome_against_the_sensor_without_a_shift_manager() -> Play:
    play = at(SPINNING, RWS_A)
    interrupted(play, 1)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket="17"))
    return stated(play, SUPERVISOR, second=MANAGER, spun=False)


def no_outcome_against_the_sensor_without_a_shift_manager() -> Play:
    play = at(SPINNING, RWS_A)
    interrupted(play, 1)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket="17"))
    return stated(play, SUPERVISOR, None, second=MANAGER, spun=False)


def an_outcome_as_if_the_sensor_had_not_spoken() -> Play:
    play = at(SPINNING, RWS_A)
    interrupted(play, 1)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket="17"))
    events = take_back(play, play.do(SHIFT_MANAGER, c.StateOutcome(result="00")))
    return force(play, SHIFT_MANAGER, *but(events, e.OutcomeStated, sensed=None))


def a_result_without_any_spin() -> Play:
    return entered(at(CLOSED, RWS_A), DEALER, "00")


@clause("rws-roulette-00:5.1.1", "rws-roulette-00:5.1.2", "rws-roulette-00:3.6")
@pytest.mark.parametrize(
    ("scene", "said"),
    [
        (an_outcome_of_one_supervisor, "00 without a spin on record takes two people"),
        (an_outcome_of_two_supervisors, "00 without a spin on record takes a pit-manager"),
        (an_outcome_of_one_shift_manager, "00 without a spin on record takes two people"),
        (an_outcome_as_if_its_spin_were_on_record, "whether round 1 had its spin"),
        (an_outcome_of_a_spin_during_the_halt_by_one_supervisor, "00 without a spin on record takes two"),
        (an_outcome_of_a_spin_that_came_only_after_the_interruption, "00 without a spin on record takes two"),
        (an_outcome_that_nobody_awaits, "nobody has asked for an outcome"),
        (an_interruption_that_waits_for_the_outcome_of_no_spin, "from which follows continue, and not wait"),
        (an_interruption_in_which_the_server_states_a_spin, "nobody declared the interruption"),
        (an_outcome_against_the_sensor_without_a_shift_manager, "no shift manager has signed 00"),
        (no_outcome_against_the_sensor_without_a_shift_manager, "no shift manager has signed None"),
        (an_outcome_as_if_the_sensor_had_not_spoken, "the sensor said 17, and it says None"),
        (a_result_without_any_spin, "round 1 has a result and no spin"),
    ],
)
def test_an_outcome_without_a_spin_or_against_the_sensor_is_found(scene: Scene, said: str) -> None:
    assert said in reason(scene)


@pytest.mark.parametrize("scene", [seen, rested, awaiting])
def test_where_the_forgeries_begin_everything_fits(scene: Scene) -> None:
    assert found_in(scene()) is None
