"""What a wheel says of itself, and what that does to its own results; commitments and their openings."""

import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table import recall_round
from croupier.table.wheel_faults import WHEEL_FAULTS
from table.rig import DEALER, SENSOR, SUPERVISOR, TIMER, Play, only
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
    IDLE,
    MBS,
    POINTS,
    RESULTED,
    ROLLING,
    RWS_A,
    SPINNING,
    Game,
    at,
    every_game,
    valid_spin,
)

LOST, WELL = c.ReportWheel(fault="line-lost", detail="silent"), c.ReportWheel(fault=None)
HASH = "0a" * 32


def result_of(play: Play, game: Game) -> list[str | None]:
    """What the wheel is told when it reports where the ball rests, and when it registers that."""
    asked = (c.FinishSpin(pocket=game.wins), c.EnterResult(result=game.wins))
    replies = [play.ask(SENSOR, do).rejection for do in asked]
    return [None if found is None else found.code for found in replies]


@pytest.mark.parametrize("point", [point for point in POINTS if point != ROLLING])
@pytest.mark.parametrize("who", [SENSOR, TIMER], ids=["wheel", "system"])
def test_a_fault_is_reported_and_is_over_at_any_point_of_a_round(point: str, who: object) -> None:
    play = at(point)
    actor = SENSOR if who is SENSOR else TIMER
    number = None if play.state.round is None else 1

    (reported,) = play.do(actor, LOST)
    standing = play.state.wheel_fault
    (cleared,) = play.do(actor, WELL)

    assert reported == e.WheelReported(round=number, fault="line-lost", detail="silent")
    assert standing == "line-lost"
    assert cleared == e.WheelReported(round=number, fault=None, detail="")
    assert play.state.wheel_fault is None


def test_every_fault_has_a_sentence_and_can_be_reported() -> None:
    play = at(IDLE)
    for code, sentence in WHEEL_FAULTS.items():
        play.do(SENSOR, c.ReportWheel(fault=code))
        assert play.state.wheel_fault == code
        assert sentence.endswith(".")


def test_a_report_that_says_nothing_new_is_refused() -> None:
    play = at(IDLE)
    assert play.refused(SENSOR, WELL).code == "same-report"
    play.do(SENSOR, LOST)
    assert play.refused(TIMER, c.ReportWheel(fault="line-lost", detail="still")).code == "same-report"
    play.do(SENSOR, c.ReportWheel(fault="sensor-fault"))
    assert play.state.wheel_fault == "sensor-fault"


@every_game
def test_a_wheel_without_faults_gives_its_result(game: Game) -> None:
    assert result_of(at(SPINNING, game), game) == [None, None]


@every_game
def test_a_wheel_with_a_fault_gives_none_and_the_dealer_states_it(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(SENSOR, LOST)
    assert result_of(play, game) == ["wheel-fault", "wheel-fault"]
    play.do(DEALER, c.EnterResult(result=game.wins))
    play.do(DEALER, c.ConfirmResult(result=game.wins))


@every_game
def test_a_fault_during_the_spin_taints_it_though_it_is_over_before_the_end(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(SENSOR, LOST)
    play.do(SENSOR, WELL)
    assert result_of(play, game) == ["wheel-fault", "wheel-fault"]
    assert play.do(SENSOR, c.FinishSpin(revolutions=9)), "that it is over is told all the same"


def test_a_fault_that_stands_when_the_spin_begins_taints_it() -> None:
    play = at(CLOSED)
    play.do(SENSOR, LOST)
    play.do(SENSOR, valid_spin(MBS))
    play.do(SENSOR, WELL)
    assert result_of(play, MBS) == ["wheel-fault", "wheel-fault"]


@pytest.mark.parametrize("point", [IDLE, BETTING, CLOSED])
def test_a_fault_that_is_over_before_the_spin_says_nothing_about_it(point: str) -> None:
    play = at(point)
    play.do(SENSOR, LOST)
    play.do(SENSOR, WELL)
    if point == IDLE:
        play.do(DEALER, c.OpenRound())
    if point != CLOSED:
        play.do(DEALER, c.CloseBets())
    play.do(SENSOR, valid_spin(MBS))
    assert result_of(play, MBS) == [None, None]


def test_a_fault_after_the_end_of_the_spin_stops_the_wheel_from_registering() -> None:
    play = at(FINISHED)
    play.do(SENSOR, LOST)
    assert play.refused(SENSOR, c.EnterResult(result="17")).code == "wheel-fault"
    play.do(SENSOR, WELL)
    assert play.do(SENSOR, c.EnterResult(result="17"))


@every_game
def test_a_sensor_slower_than_the_dealer_is_heard_and_agrees(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.EnterResult(result=game.wins))
    finished = only(e.SpinFinished, play.do(SENSOR, c.FinishSpin(pocket=game.wins)))
    assert finished.pocket == game.wins
    assert play.do(DEALER, c.ConfirmResult(result=game.wins))


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:6.3")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.5")),
    ],
)
def test_a_sensor_slower_than_the_dealer_disagrees_and_the_supervisor_looks(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.EnterResult(result=game.loses))
    play.do(SENSOR, c.FinishSpin(pocket=game.wins))

    found = play.refused(DEALER, c.ConfirmResult(result=game.loses))

    assert (found.code, found.clause) == ("result-disagrees", game.cite("6.3" if game is MBS else "5.5"))
    assert found.facts == {"sensed": game.wins, "entered": game.loses}
    assert play.refused(SUPERVISOR, c.ConfirmResult(result=game.loses)).code == "second-person"
    confirmed = only(e.ResultConfirmed, play.do(SUPERVISOR, c.ConfirmResult(result=game.loses), DEALER))
    assert confirmed.against_sensor


def test_the_dealer_may_correct_the_entry_to_what_the_sensor_saw() -> None:
    play = at(SPINNING)
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(SENSOR, c.FinishSpin(pocket="17"))
    play.do(DEALER, c.CorrectResult(round=1, result="17", reason="the wheel is right"))
    assert play.do(DEALER, c.ConfirmResult(result="17"))


def test_of_a_registered_result_only_the_wheel_says_more_and_only_where_the_ball_rests() -> None:
    play = at(RESULTED)
    assert play.refused(SENSOR, c.FinishSpin(pocket="17")).code == "spin-finished", "it was told before"
    play = at(SPINNING)
    play.do(DEALER, c.EnterResult(result="17"))
    assert play.refused(DEALER, c.FinishSpin(pocket="17")).code == "spin-finished"
    assert play.refused(SENSOR, c.FinishSpin(revolutions=9)).code == "spin-finished"


@pytest.mark.parametrize(
    "do",
    [
        c.StartSpin(rotor_tenths_rpm=-1),
        c.FinishSpin(rotor_tenths_rpm=-1),
        c.FinishSpin(diamond=0),
    ],
)
def test_speeds_have_no_sign_and_deflectors_count_from_one(do: c.Do) -> None:
    assert at(SPINNING).refused(SENSOR, do).code == "bad-spin"


def test_a_wheel_without_a_ball_has_no_deflector() -> None:
    play = Play("rws-money-wheel").open()
    assert play.refused(SENSOR, c.FinishSpin(diamond=1)).code == "bad-spin"


@pytest.mark.parametrize("commitment", ["", "0" * 63, "0" * 65, "0A" * 32, "0g" * 32, "0" * 63 + "\n"])
def test_a_commitment_is_a_hash(commitment: str) -> None:
    play = at(BETTING)
    assert play.refused(SENSOR, c.CommitSpin(commitment=commitment)).code == "bad-commitment"
    play.do(SENSOR, c.CommitSpin(commitment=HASH))
    assert play.state.round is not None
    assert play.state.round.commitment == HASH


@pytest.mark.parametrize("opening", ["", "a\nb", "x" * 2001])
def test_an_opening_is_text(opening: str) -> None:
    play = at(BETTING)
    play.do(SENSOR, c.CommitSpin(commitment=HASH))
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    found = play.refused(SENSOR, c.OpenCommitment(round=1, opening=opening))
    assert found.code == "bad-commitment"
    play.do(SENSOR, c.OpenCommitment(round=1, opening="x" * 2000))
    assert play.state.kept[1].opening == "x" * 2000


def test_a_round_that_is_no_longer_kept_is_not_opened() -> None:
    play = at(BETTING, rounds_kept=1)
    play.do(SENSOR, c.CommitSpin(commitment=HASH))
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    play.round({}, "0")
    assert play.refused(SENSOR, c.OpenCommitment(round=1, opening="x")).code == "round-too-old"


def test_the_last_round_a_seat_took_part_in_shows_what_the_wheel_was_bound_to() -> None:
    play = at(BETTING)
    play.do(SENSOR, c.CommitSpin(commitment=HASH))
    play.do(DEALER, c.CallNoSpin(reason="a test"))
    play.do(SENSOR, c.OpenCommitment(round=1, opening="17 and a nonce"))
    recalled = recall_round(play.entries, 1)
    assert recalled is not None
    shown = [type(entry.event) for entry in recalled.seen_by("1").entries]
    assert e.SpinCommitted in shown
    assert shown[-1] is e.CommitmentOpened
