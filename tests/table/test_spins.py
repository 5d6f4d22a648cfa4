"""What is known of a spin decides whether it counts: directions, rotation, revolutions, and where it ends."""

from itertools import product

import pytest

from clauses import clause
from croupier.table import Actor, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SENSOR, SUPERVISOR, only, player
from table.scenes import (
    BALL_GAMES,
    CLOSED,
    FINISHED,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    RWS_000,
    RWS_A,
    RWS_B,
    SPINNING,
    STAKE,
    Game,
    at,
    every_game,
    title,
    valid_spin,
)

CLOCKWISE, COUNTER = "clockwise", "counter-clockwise"

ball_games = pytest.mark.parametrize("game", BALL_GAMES, ids=title)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:3.6", "mbs-roulette:1.1.5")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:3.6", "rws-roulette-00:1.10")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:3.6", "rws-roulette-00:1.10")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:3.6", "rws-roulette-000:1.10")),
        pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:3.7", "rws-money-wheel:1.9")),
    ],
    ids=title,
)
def test_the_dealer_begins_a_valid_spin_and_it_ends_in_the_winning_place(game: Game) -> None:
    play = at(CLOSED, game)

    by_player = play.refused(player("1"), valid_spin(game))
    started = only(e.SpinStarted, play.do(DEALER, valid_spin(game)))
    finished = only(e.SpinFinished, play.do(DEALER, c.FinishSpin(revolutions=4, pocket=game.wins)))

    assert by_player.code == "not-allowed"
    assert (started.said_by, audience(started)) == ("dealer", "table")
    assert (finished.revolutions, finished.pocket, finished.at_rest) == (4, game.wins, True)
    assert play.refused(DEALER, valid_spin(game)).code == "ball-rolling"
    assert play.refused(DEALER, c.FinishSpin(revolutions=9)).code == "spin-finished"
    play.do(DEALER, c.EnterResult(result=game.wins))
    assert only(e.RoundSettled, play.do(DEALER, c.ConfirmResult(result=game.wins))).result == game.wins


@pytest.mark.parametrize(
    ("game", "still", "same"),
    [
        pytest.param(MBS, "5.9", "5.1", marks=clause("mbs-roulette:5.9", "mbs-roulette:5.1")),
        pytest.param(RWS_A, "5.3.5", "5.3.6", marks=clause("rws-roulette-00:5.3.5", "rws-roulette-00:5.3.6")),
        pytest.param(RWS_B, "5.3.5", "5.3.6", marks=clause("rws-roulette-00:5.3.5", "rws-roulette-00:5.3.6")),
        pytest.param(
            RWS_000, "5.3.5", "5.3.6", marks=clause("rws-roulette-000:5.3.5", "rws-roulette-000:5.3.6")
        ),
    ],
    ids=title,
)
def test_every_combination_of_directions_and_rotation(game: Game, still: str, same: str) -> None:
    for ball, wheel, turning in product(
        (None, CLOCKWISE, COUNTER), (None, CLOCKWISE, COUNTER), (None, True, False)
    ):
        play = at(CLOSED, game)

        happened = play.do(DEALER, c.StartSpin(ball=ball, wheel=wheel, wheel_turning=turning))

        cause = None
        if turning is False:
            cause = ("wheel-still", game.cite(still))
        elif (ball, wheel) in ((CLOCKWISE, CLOCKWISE), (COUNTER, COUNTER)):
            cause = ("same-direction", game.cite(same))
        started = only(e.SpinStarted, happened)
        assert (started.ball, started.wheel, started.wheel_turning) == (ball, wheel, turning)
        voided = [(event.cause, event.clause) for event in happened if isinstance(event, e.RoundVoided)]
        assert voided == ([] if cause is None else [cause]), (ball, wheel, turning)
        assert play.credits("1") == (99_000 if cause is None else 100_000)


@pytest.mark.parametrize(
    ("game", "least", "few", "nowhere"),
    [
        pytest.param(
            MBS, 4, "5.3", "5.5", marks=clause("mbs-roulette:5.3", "mbs-roulette:5.5", "mbs-roulette:1.1.3")
        ),
        pytest.param(
            RWS_A,
            4,
            "5.3.2",
            "5.3.3",
            marks=clause("rws-roulette-00:5.3.2", "rws-roulette-00:5.3.3", "rws-roulette-00:1.8"),
        ),
        pytest.param(
            RWS_000,
            4,
            "5.3.2",
            "5.3.3",
            marks=clause("rws-roulette-000:5.3.2", "rws-roulette-000:5.3.3", "rws-roulette-000:1.8"),
        ),
        pytest.param(
            MONEY_WHEEL,
            3,
            "5.4.3",
            "5.4.2",
            marks=clause("rws-money-wheel:5.4.3", "rws-money-wheel:5.4.2", "rws-money-wheel:1.7"),
        ),
    ],
    ids=title,
)
@pytest.mark.parametrize("reporter", [DEALER, SENSOR], ids=lambda actor: actor.position)
def test_revolutions_are_counted_and_the_ball_or_clapper_has_to_rest_in_one_place(
    game: Game, least: int, few: str, nowhere: str, reporter: Actor
) -> None:
    for revolutions, at_rest in product((None, *range(least + 3)), (True, False)):
        play = at(SPINNING, game)
        pocket = game.wins if at_rest else None

        happened = play.do(reporter, c.FinishSpin(revolutions=revolutions, pocket=pocket, at_rest=at_rest))

        cause = None
        if revolutions is not None and revolutions < least:
            cause = ("too-few-revolutions", game.cite(few))
        elif not at_rest:
            cause = ("no-compartment", game.cite(nowhere))
        voided = [(event.cause, event.clause) for event in happened if isinstance(event, e.RoundVoided)]
        assert voided == ([] if cause is None else [cause]), (revolutions, at_rest)
        assert play.credits("1") == (99_000 if cause is None else 100_000)


def test_the_money_wheel_has_no_ball_and_no_rule_on_direction_or_rotation() -> None:
    play = at(CLOSED, MONEY_WHEEL)

    with_ball = play.refused(DEALER, c.StartSpin(ball=CLOCKWISE, wheel=COUNTER))
    (started,) = play.do(DEALER, c.StartSpin(wheel=CLOCKWISE))

    assert (with_ball.code, with_ball.sentence) == ("bad-spin", "This wheel has no ball.")
    assert isinstance(started, e.SpinStarted)
    assert started.notice == "The wheel is turning"


@every_game
@pytest.mark.parametrize(
    ("do", "code"),
    [
        (c.StartSpin(wheel="left"), "bad-spin"),
        (c.StartSpin(ball="left"), "bad-spin"),
        (c.FinishSpin(revolutions=-1), "bad-spin"),
        (c.FinishSpin(pocket="5", at_rest=False), "bad-spin"),
        (c.FinishSpin(pocket="37"), "unknown-result"),
        (c.EnterResult(result="37"), "unknown-result"),
        (c.ConfirmResult(result="37"), "unknown-result"),
    ],
)
def test_facts_that_make_no_sense_are_refused(game: Game, do: c.Do, code: str) -> None:
    assert at(SPINNING, game).refused(DEALER, do).code == code


@pytest.mark.parametrize(
    ("game", "result"), [(MBS, "00"), (MBS, "000"), (RWS_A, "000"), (RWS_B, "000"), (MONEY_WHEEL, "0")]
)
def test_a_zero_that_the_wheel_does_not_have_is_no_result(game: Game, result: str) -> None:
    assert at(SPINNING, game).refused(DEALER, c.EnterResult(result=result)).code == "unknown-result"


@every_game
def test_the_end_of_a_spin_cannot_come_before_its_start(game: Game) -> None:
    play = at(CLOSED, game)

    found = play.refused(SENSOR, c.FinishSpin(revolutions=6, pocket=game.wins))

    assert found.code == "no-spin-yet"
    assert found.clause == game.cite({MBS: "3.6", MONEY_WHEEL: "3.7"}.get(game, "3.6"))


@every_game
def test_of_a_spin_whose_result_is_registered_nothing_is_reported_that_changes_nothing(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.EnterResult(result=game.wins))

    assert play.refused(SENSOR, c.FinishSpin(revolutions=9)).code == "spin-finished"
    assert play.refused(DEALER, c.FinishSpin(at_rest=False)).code == "spin-finished"
    assert play.state.seats["1"].stakes == {game.bet: STAKE}


@pytest.mark.parametrize("game", [MBS, RWS_A, RWS_B, RWS_000, MONEY_WHEEL], ids=title)
@pytest.mark.parametrize("ended_by_dealer", [False, True])
@pytest.mark.parametrize("registered", [False, True])
def test_a_spin_that_does_not_count_by_the_sensor_voids_the_round_however_quick_the_dealer_was(
    game: Game, ended_by_dealer: bool, registered: bool
) -> None:
    for seen, cause in (
        (c.FinishSpin(at_rest=False), "no-compartment"),
        (c.FinishSpin(revolutions=2), "too-few-revolutions"),
    ):
        play = at(SPINNING, game)
        if ended_by_dealer:
            play.do(DEALER, c.FinishSpin(pocket=game.wins))
        if registered:
            play.do(DEALER, c.EnterResult(result=game.wins))
        *_, voided = play.do(SENSOR, seen)
        assert isinstance(voided, e.RoundVoided)
        assert voided.cause == cause
        assert play.state.seats["1"].stakes == {}


@every_game
def test_a_dealer_who_tells_of_the_end_does_not_silence_the_sensor(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.FinishSpin(pocket=game.wins))
    finished = only(e.SpinFinished, play.do(SENSOR, c.FinishSpin(revolutions=9, pocket=game.loses)))
    assert finished.pocket == game.loses
    assert play.refused(DEALER, c.EnterResult(result=game.wins)).code == "result-disagrees"
    assert play.refused(SENSOR, c.FinishSpin(pocket=game.wins)).code == "spin-finished"


@pytest.mark.parametrize("game", [MBS, RWS_A, RWS_000], ids=title)
@pytest.mark.parametrize(
    ("launch", "cause"),
    [
        (c.StartSpin(wheel_turning=False), "wheel-still"),
        (c.StartSpin(ball="clockwise", wheel="clockwise", wheel_turning=True), "same-direction"),
    ],
)
def test_what_the_wheel_saw_of_the_launch_counts_where_the_dealer_was_first(
    game: Game, launch: c.StartSpin, cause: str
) -> None:
    play = at(CLOSED, game)
    play.do(DEALER, c.StartSpin())
    *_, voided = play.do(SENSOR, launch)
    assert isinstance(voided, e.RoundVoided)
    assert voided.cause == cause


@every_game
def test_the_wheel_tells_of_a_launch_once(game: Game) -> None:
    play = at(CLOSED, game)
    play.do(DEALER, c.StartSpin())
    play.do(SENSOR, valid_spin(game))
    assert play.refused(SENSOR, valid_spin(game)).code == "ball-rolling"
    assert play.refused(DEALER, valid_spin(game)).code == "ball-rolling"
    assert play.state.round is not None
    assert play.state.round.phase == "spinning"


@pytest.mark.parametrize(
    ("game", "clause_number"),
    [(MBS, "6.3"), (RWS_A, "5.5"), (RWS_000, "5.5"), (MONEY_WHEEL, "3.8")],
    ids=title,
)
def test_a_result_that_the_sensor_contradicts_takes_a_supervisor_and_another(
    game: Game, clause_number: str
) -> None:
    play = at(FINISHED, game)
    entry = c.EnterResult(result=game.loses)

    by_dealer, by_wheel = play.refused(DEALER, entry), play.refused(SENSOR, entry)
    entered = only(e.ResultEntered, play.do(SUPERVISOR, entry, DEALER))

    for found in (by_dealer, by_wheel):
        assert (found.code, found.clause) == ("result-disagrees", game.cite(clause_number))
        assert found.facts == {"sensed": game.wins, "entered": game.loses}
    assert (entered.result, entered.said_by) == (game.loses, "pit-supervisor")


def test_a_dealer_enters_it_with_a_pit_supervisor_as_the_second_person() -> None:
    play = at(FINISHED)

    assert play.do(DEALER, c.EnterResult(result="20"), second=SUPERVISOR)


def test_a_correction_before_confirmation_against_the_sensor_takes_a_pit_supervisor_too() -> None:
    play = at(RESULTED)
    do = c.CorrectResult(round=1, result="20", reason="it lies in 20")

    assert play.refused(DEALER, do).code == "result-disagrees"
    assert only(e.ResultCorrected, play.do(SUPERVISOR, do, DEALER)).new == "20"


def test_the_sensor_may_enter_what_it_saw_and_the_dealer_confirms_it() -> None:
    play = at(FINISHED)

    play.do(SENSOR, c.EnterResult(result="17"))

    assert play.refused(SENSOR, c.ConfirmResult(result="17")).code == "not-allowed"
    assert only(e.ResultConfirmed, play.do(DEALER, c.ConfirmResult(result="17"))).result == "17"


@ball_games
def test_a_sensor_that_saw_no_start_in_this_round_has_no_say(game: Game) -> None:
    play = at(SPINNING, game)
    play.do(DEALER, c.DeclareIrregularity(cause="ball-out"))
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.CloseBets())

    for do in (c.FinishSpin(revolutions=8, pocket=game.wins), c.EnterResult(result=game.wins)):
        assert play.refused(SENSOR, do).code == "no-spin-yet"
