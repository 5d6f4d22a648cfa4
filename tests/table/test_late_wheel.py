"""What a wheel says late, or with a fault: it voids no round whose result stands, and nothing by itself."""

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.wheel_faults import WHEEL_FAULTS
from floor.audit_journal import MemoryEvidence, first_misfit
from table.rig import DEALER, SENSOR, Play
from table.scenes import BALL_GAMES, CLOSED, SPINNING, STAKE, Game, at, every_game, title

ball_games = pytest.mark.parametrize("game", BALL_GAMES, ids=title)
WRONG_LAUNCHES = (
    c.StartSpin(wheel_turning=False),
    c.StartSpin(ball="clockwise", wheel="clockwise", wheel_turning=True),
)
WRONG_ENDS = c.FinishSpin(revolutions=1), c.FinishSpin(at_rest=False)


def untouched(play: Play, game: Game) -> None:
    assert play.state.seats["1"].stakes == {game.bet: STAKE}
    assert first_misfit(MemoryEvidence(play)) is None


@ball_games
@pytest.mark.parametrize("launch", WRONG_LAUNCHES)
@pytest.mark.parametrize("before", [c.EnterResult, c.FinishSpin])
def test_a_launch_behind_the_end_of_the_spin_is_another_spin(
    game: Game, launch: c.StartSpin, before: type
) -> None:
    play = at(CLOSED, game)
    play.do(DEALER, c.StartSpin())
    play.do(
        DEALER, c.EnterResult(result=game.wins) if before is c.EnterResult else c.FinishSpin(revolutions=6)
    )
    assert play.refused(SENSOR, launch).code == "ball-rolling"
    untouched(play, game)


@every_game
@pytest.mark.parametrize("fault", WHEEL_FAULTS)
@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("registered", [False, True])
def test_what_a_wheel_with_a_fault_saw_of_the_end_voids_nothing(
    game: Game, fault: str, is_over: bool, registered: bool
) -> None:
    play = at(CLOSED, game)
    play.do(DEALER, c.StartSpin())
    play.do(SENSOR, c.ReportWheel(fault=fault))
    if is_over:
        play.do(SENSOR, c.ReportWheel(fault=None))
    if registered:
        play.do(DEALER, c.EnterResult(result=game.wins))
    for end in WRONG_ENDS:
        assert play.refused(SENSOR, end).code == "wheel-fault"
    untouched(play, game)


@ball_games
@pytest.mark.parametrize("launch", WRONG_LAUNCHES)
def test_what_a_wheel_with_a_fault_saw_of_the_launch_voids_nothing(game: Game, launch: c.StartSpin) -> None:
    play = at(CLOSED, game)
    play.do(SENSOR, c.ReportWheel(fault="line-garbled"))
    assert play.refused(SENSOR, launch).code == "wheel-fault"
    play.do(DEALER, c.StartSpin())
    assert play.refused(SENSOR, launch).code == "wheel-fault"
    play.do(SENSOR, c.ReportWheel(fault=None))
    assert play.refused(SENSOR, launch).code == "wheel-fault", "the fault fell into this spin"
    untouched(play, game)


@ball_games
def test_a_wheel_with_a_fault_may_be_the_first_to_say_that_the_ball_rolls(game: Game) -> None:
    play = at(CLOSED, game)
    play.do(SENSOR, c.ReportWheel(fault="wrong-order"))
    assert [type(event) for event in play.do(SENSOR, c.StartSpin())] == [e.SpinStarted]
    assert [type(event) for event in play.do(SENSOR, c.FinishSpin(revolutions=9))] == [e.SpinFinished]


@every_game
def test_a_person_who_sees_what_is_wrong_is_heard_though_the_wheel_has_a_fault(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(SENSOR, c.ReportWheel(fault="line-lost"))
    *_, voided = play.do(DEALER, c.FinishSpin(revolutions=1))
    assert isinstance(voided, e.RoundVoided)
