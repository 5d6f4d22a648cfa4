"""The wheel decides the result: what people may register, declare and confirm beside a working sensor."""

import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.state import Dispute
from floor.audit_journal import MemoryEvidence, first_misfit
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, Play, only
from table.scenes import BALL_GAMES, MBS, RWS_A, Game, at, every_book, title

ball_games = pytest.mark.parametrize("game", BALL_GAMES, ids=title)
decides = clause(
    "mbs-roulette:1.1.5",
    "mbs-roulette:3.8",
    "rws-roulette-00:3.7",
    "rws-roulette-000:3.7",
    "rws-money-wheel:3.8",
)


def rolling(game: Game, **settings: str) -> Play:
    """A sensor table whose sensor has seen the spin begin; bets are closed."""
    play = at("closed", game, spin_source="sensor", **settings)
    has_ball = game in BALL_GAMES
    launch = c.StartSpin(
        ball="clockwise" if has_ball else None, wheel="counter-clockwise", wheel_turning=True
    )
    play.do(SENSOR, launch)
    return play


def resting(game: Game, pocket: str | None = None) -> Play:
    play = rolling(game)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket=pocket or game.wins))
    return play


def fits(play: Play) -> None:
    assert first_misfit(MemoryEvidence(play)) is None


@decides
@every_book
@pytest.mark.parametrize("actor", [DEALER, SUPERVISOR, SHIFT_MANAGER])
def test_nobody_registers_a_result_while_the_sensor_sees_the_ball_roll(game: Game, actor) -> None:
    play = rolling(game)
    play.wait(1)

    found = play.refused(actor, c.EnterResult(result=game.wins), MANAGER)

    assert found.code == "not-at-rest"
    assert play.refused(SENSOR, c.EnterResult(result=game.wins)).code == "not-at-rest"
    fits(play)


@decides
@every_book
def test_at_rest_the_dealer_registers_the_number_of_the_sensor_and_no_other(game: Game) -> None:
    play = resting(game)

    assert play.refused(DEALER, c.EnterResult(result=game.loses)).code == "result-disagrees"

    entered = only(e.ResultEntered, play.do(DEALER, c.EnterResult(result=game.wins)))
    assert entered.sensor == "agreed"
    assert play.do(DEALER, c.ConfirmResult(result=game.wins))
    assert play.state.disputes == {}
    fits(play)


@decides
@every_book
def test_another_number_takes_a_supervisor_and_a_second_person_and_raises_an_alarm(game: Game) -> None:
    play = resting(game)
    other = c.EnterResult(result=game.loses)

    assert play.refused(SUPERVISOR, other).code == "second-person"
    assert play.refused(SUPERVISOR, other, SUPERVISOR).code == "second-person"
    entered = only(e.ResultEntered, play.do(DEALER, other, SUPERVISOR))
    play.do(DEALER, c.ConfirmResult(result=game.loses))

    assert entered.sensor == "contradicted"
    assert play.state.disputes == {1: Dispute(registered=game.loses, sensed=game.wins)}
    fits(play)


@decides
@every_book
@pytest.mark.parametrize("how", ["fault", "no number", "unseen"])
def test_without_a_sensor_that_works_two_people_read_the_wheel(game: Game, how: str) -> None:
    if how == "unseen":
        play = at("closed", game, spin_source="sensor")
        play.do(DEALER, c.StartSpin())
    else:
        play = rolling(game)
        play.do(SENSOR, c.ReportWheel(fault="line-lost") if how == "fault" else c.FinishSpin(revolutions=8))

    assert play.refused(DEALER, c.EnterResult(result=game.wins)).code == "sensor-failed"
    assert play.refused(SUPERVISOR, c.EnterResult(result=game.wins)).code == "second-person"

    entered = only(e.ResultEntered, play.do(SUPERVISOR, c.EnterResult(result=game.wins), DEALER))
    assert entered.sensor == "failed"
    correction = c.CorrectResult(round=1, result=game.loses, reason="misread")
    assert play.refused(DEALER, correction).code == "sensor-failed"
    corrected = only(e.ResultCorrected, play.do(DEALER, correction, SUPERVISOR))
    assert corrected.sensor == "failed"
    play.do(DEALER, c.ConfirmResult(result=game.loses))
    fits(play)


@decides
@every_book
def test_no_person_ends_a_spin_that_the_sensor_watches(game: Game) -> None:
    play = rolling(game)

    for end in (c.FinishSpin(revolutions=1), c.FinishSpin(pocket=game.wins), c.FinishSpin(at_rest=False)):
        assert play.refused(SHIFT_MANAGER, end).code == "sensor-decides"


@decides
def test_a_table_whose_spins_are_reported_by_hand_has_no_sensor_to_wait_for() -> None:
    play = at("spinning", MBS)

    assert only(e.ResultEntered, play.do(DEALER, c.EnterResult(result="17"))).sensor is None


def late(play: Play, game: Game, **end) -> e.SpinReportedLate:
    return only(e.SpinReportedLate, play.do(SENSOR, c.FinishSpin(**end)))


def settled_without_sensor(game: Game) -> Play:
    """The sensor did not see the launch; two people registered the winning number."""
    play = at("closed", game, spin_source="sensor")
    play.do(DEALER, c.StartSpin())
    play.do(DEALER, c.EnterResult(result=game.wins), SUPERVISOR)
    play.do(DEALER, c.ConfirmResult(result=game.wins))
    return play


@clause("rws-roulette-00:5.5", "rws-roulette-000:5.5", "mbs-roulette:6.3")
@ball_games
def test_a_late_report_that_disagrees_raises_an_alarm_until_it_is_corrected(game: Game) -> None:
    play = settled_without_sensor(game)

    told = late(play, game, revolutions=9, pocket=game.loses)

    assert (told.disagrees, told.registered, told.pocket) == (True, game.wins, game.loses)
    assert play.state.disputes == {1: Dispute(registered=game.wins, sensed=game.loses)}
    again = play.refused(SENSOR, c.FinishSpin(revolutions=9, pocket=game.wins))
    assert again.code == "spin-finished"
    play.do(MANAGER, c.CorrectResult(round=1, result=game.loses, reason="as the sensor says"), SUPERVISOR)
    assert play.state.disputes == {}
    fits(play)


@every_book
def test_a_late_report_that_agrees_is_evidence_and_no_alarm(game: Game) -> None:
    play = settled_without_sensor(game)

    assert not late(play, game, revolutions=9, pocket=game.wins).disagrees

    assert play.state.disputes == {}
    fits(play)


@every_book
def test_a_late_report_of_the_round_before_is_told_apart_from_the_next_one(game: Game) -> None:
    play = settled_without_sensor(game)
    play.do(DEALER, c.OpenRound())

    assert play.refused(SENSOR, c.FinishSpin(revolutions=9, pocket=game.loses)).code == "no-spin-yet"
    assert late(play, game, revolutions=9, pocket=game.loses, round=1).disagrees
    fits(play)


@every_book
def test_a_report_of_a_round_too_far_back_says_nothing_of_the_one_that_runs(game: Game) -> None:
    play = rolling(game, rounds_kept=1)
    play.do(DEALER, c.DeclareIrregularity(cause="interference"))
    for _ in range(2):
        play.do(DEALER, c.OpenRound())
        play.do(DEALER, c.CloseBets())
        play.do(SENSOR, c.StartSpin())
        if play.state.round_number == 2:
            play.do(DEALER, c.DeclareIrregularity(cause="interference"))

    report = c.FinishSpin(revolutions=8, pocket=game.loses, round=1)
    assert play.refused(SENSOR, report).code == "another-round"
    assert play.refused(DEALER, report).code == "another-round"
    assert play.refused(SENSOR, c.FinishSpin(round=4)).code == "another-round"
    fits(play)


@ball_games
@pytest.mark.parametrize("cause", ["same-direction", "wheel-still"])
def test_a_late_number_says_nothing_of_the_launch_for_which_two_people_voided(game: Game, cause: str) -> None:
    play = rolling(game)
    play.do(DEALER, c.DeclareIrregularity(cause=cause), SUPERVISOR)

    assert not late(play, game, revolutions=9, pocket=game.wins).disagrees

    assert play.state.disputes == {}
    fits(play)


@every_book
def test_a_late_report_of_too_few_revolutions_disagrees_with_any_result(game: Game) -> None:
    play = settled_without_sensor(game)

    told = late(play, game, revolutions=1, pocket=game.wins)

    assert (told.disagrees, told.irregularity) == (True, "too-few-revolutions")
    assert play.state.disputes == {1: Dispute(registered=game.wins, sensed=None)}
    fits(play)


@ball_games
def test_two_people_of_the_pit_uphold_a_result_against_the_sensor(game: Game) -> None:
    play = settled_without_sensor(game)
    late(play, game, revolutions=9, pocket=game.loses)
    uphold = c.UpholdResult(round=1, reason="the film shows the ball")

    assert play.refused(SUPERVISOR, uphold, DEALER).code == "not-allowed"
    assert play.refused(MANAGER, uphold).code == "second-person"
    upheld = only(e.ResultUpheld, play.do(MANAGER, uphold, SUPERVISOR))

    assert (upheld.result, upheld.sensed) == (game.wins, game.loses)
    assert play.state.disputes == {}
    assert play.refused(MANAGER, uphold, SUPERVISOR).code == "no-dispute"
    fits(play)


@ball_games
def test_a_settled_result_that_is_corrected_away_from_the_sensor_is_a_dispute(game: Game) -> None:
    play = resting(game)
    play.do(DEALER, c.EnterResult(result=game.wins))
    play.do(DEALER, c.ConfirmResult(result=game.wins))

    play.do(MANAGER, c.CorrectResult(round=1, result=game.loses, reason="as we saw it"), SUPERVISOR)

    assert play.state.disputes == {1: Dispute(registered=game.loses, sensed=game.wins)}
    fits(play)


DENIED = ["too-few-revolutions", "no-compartment"]


@clause("mbs-roulette:5.3", "rws-roulette-00:5.3.2", "rws-roulette-000:5.3.2", "rws-money-wheel:5.4.3")
@pytest.mark.parametrize("cause", DENIED)
@every_book
def test_a_cause_that_the_sensor_contradicts_takes_a_second_person(game: Game, cause: str) -> None:
    play = resting(game)

    assert play.refused(DEALER, c.DeclareIrregularity(cause=cause)).code == "second-person"
    voided = only(e.RoundVoided, play.do(DEALER, c.DeclareIrregularity(cause=cause), SUPERVISOR))

    assert (voided.wheel, voided.against_sensor) == ("at-rest", True)
    fits(play)


@ball_games
@pytest.mark.parametrize("cause", ["same-direction", "wheel-still"])
def test_a_launch_that_the_sensor_saw_is_not_called_wrong_by_one_person(game: Game, cause: str) -> None:
    play = rolling(game)

    assert play.refused(DEALER, c.DeclareIrregularity(cause=cause)).code == "second-person"
    voided = only(e.RoundVoided, play.do(DEALER, c.DeclareIrregularity(cause=cause), SUPERVISOR))

    assert (voided.wheel, voided.against_sensor) == ("rolling", True)
    fits(play)


@ball_games
def test_what_no_sensor_sees_is_declared_by_one_person(game: Game) -> None:
    play = resting(game)

    voided = only(e.RoundVoided, play.do(DEALER, c.DeclareIrregularity(cause="interference")))

    assert (voided.wheel, voided.against_sensor) == ("at-rest", False)
    fits(play)


@clause("mbs-roulette:5.15")
@pytest.mark.parametrize(("point", "wheel"), [("betting", "not-spun"), ("rolling", "rolling")])
def test_no_spin_stays_the_dealers_own_and_tells_where_the_wheel_was(point: str, wheel: str) -> None:
    play = rolling(MBS) if point == "rolling" else at(point, MBS, spin_source="sensor")

    voided = only(e.RoundVoided, play.do(DEALER, c.CallNoSpin(reason="a hand over the wheel")))

    assert (voided.wheel, voided.against_sensor) == (wheel, False)
    fits(play)


def test_a_valid_number_that_comes_late_contradicts_a_void_for_too_few_revolutions() -> None:
    play = rolling(RWS_A)
    play.do(DEALER, c.DeclareIrregularity(cause="too-few-revolutions"))

    assert late(play, RWS_A, revolutions=9, pocket="17").disagrees

    assert play.state.disputes == {1: Dispute(registered=None, sensed="17")}
    fits(play)
