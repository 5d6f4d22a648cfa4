"""Technical interruptions in every phase: what was established is concluded, what was not is void."""

import pytest

from clauses import clause
from croupier.table import Actor, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    RWS_000,
    RWS_A,
    RWS_B,
    SETTLED,
    SPINNING,
    STAKE,
    Game,
    at,
    credits_of_all,
    every_game,
    title,
    valid_spin,
)

NO_OUTCOME = [
    pytest.param(MBS, "5.13.1", marks=clause("mbs-roulette:5.13", "mbs-roulette:5.13.1")),
    pytest.param(RWS_A, "5.1.2", marks=clause("rws-roulette-00:5.1", "rws-roulette-00:5.1.2")),
    pytest.param(RWS_B, "5.1.2", marks=clause("rws-roulette-00:5.1", "rws-roulette-00:5.1.2")),
    pytest.param(RWS_000, "5.1.2", marks=clause("rws-roulette-000:5.1", "rws-roulette-000:5.1.2")),
    pytest.param(MONEY_WHEEL, "5.3.2", marks=clause("rws-money-wheel:5.3", "rws-money-wheel:5.3.2")),
]
OUTCOME = [
    pytest.param(MBS, "5.13.2", marks=clause("mbs-roulette:5.13", "mbs-roulette:5.13.2")),
    pytest.param(RWS_A, "5.1.1", marks=clause("rws-roulette-00:5.1", "rws-roulette-00:5.1.1")),
    pytest.param(RWS_B, "5.1.1", marks=clause("rws-roulette-00:5.1", "rws-roulette-00:5.1.1")),
    pytest.param(RWS_000, "5.1.1", marks=clause("rws-roulette-000:5.1", "rws-roulette-000:5.1.1")),
    pytest.param(MONEY_WHEEL, "5.3.1", marks=clause("rws-money-wheel:5.3", "rws-money-wheel:5.3.1")),
]
no_outcome = pytest.mark.parametrize(("game", "number"), NO_OUTCOME, ids=title)
outcome = pytest.mark.parametrize(("game", "number"), OUTCOME, ids=title)
waiting = pytest.mark.parametrize("point", [SPINNING, FINISHED])


def interrupted(play: Play, seconds: float = 60) -> list[e.Event]:
    """Recovery reports an interruption that has lasted for some seconds."""
    began_ms = play.at_ms
    play.wait(seconds)
    return play.do(TIMER, c.Interrupt(began_ms=began_ms))


@pytest.mark.parametrize(
    ("point", "phase", "consequence"),
    [
        (IDLE, "idle", "none"),
        (BETTING, "betting", "void"),
        (CLOSED, "closed", "void"),
        (SPINNING, "spinning", "wait"),
        (FINISHED, "spinning", "wait"),
        (RESULTED, "resulted", "conclude"),
        (SETTLED, "idle", "none"),
    ],
)
@every_game
def test_what_follows_depends_on_how_far_the_round_had_come(
    game: Game, point: str, phase: str, consequence: str
) -> None:
    play = at(point, game)
    began_ms = play.at_ms

    event = only(e.TableInterrupted, interrupted(play))

    assert (event.phase, event.consequence) == (phase, consequence)
    assert event.round == (1 if phase != "idle" else None)
    assert (event.began_ms, event.ended_ms) == (began_ms, began_ms + 60_000)
    assert (event.notice, audience(event)) == ("Play is interrupted: please wait", "table")


@no_outcome
def test_an_interruption_with_bets_open_voids_the_round(game: Game, number: str) -> None:
    play = at(BETTING, game)

    events = interrupted(play)

    voided = only(e.RoundVoided, events)
    assert only(e.TableInterrupted, events).clause == voided.clause == game.cite(number)
    assert voided.cause == "interruption-no-outcome"
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}


@pytest.mark.parametrize(
    ("milliseconds", "consequence"),
    [(0, "continue"), (9_999, "continue"), (10_000, "void"), (10_001, "void")],
)
@every_game
def test_shorter_than_the_grace_period_leaves_open_bets_running(
    game: Game, milliseconds: int, consequence: str
) -> None:
    play = at(BETTING, game, grace_seconds=10)

    events = interrupted(play, milliseconds / 1000)

    event = only(e.TableInterrupted, events)
    assert event.consequence == consequence
    if consequence == "continue":
        assert (len(events), event.clause) == (1, None)
        play.bet("1", {game.bet: STAKE})
        assert play.state.seats["1"].stakes == {game.bet: 2 * STAKE}


@outcome
def test_a_registered_result_is_concluded_by_its_confirmation(game: Game, number: str) -> None:
    play = at(RESULTED, game)

    event = only(e.TableInterrupted, interrupted(play))
    play.do(DEALER, c.ConfirmResult(result=game.wins))

    assert event.clause == game.cite(number)
    assert credits_of_all(play) == {"1": 100_000 + STAKE * game.pays, "2": 99_000}


@waiting
@outcome
def test_an_outcome_that_stands_on_the_wheel_concludes_the_round(game: Game, number: str, point: str) -> None:
    play = at(point, game)
    interrupted(play)

    events = play.do(SUPERVISOR, c.StateOutcome(result=game.wins))

    assert [type(event) for event in events] == [
        e.OutcomeStated,
        e.ResultEntered,
        e.ResultConfirmed,
        e.SeatSettled,
        e.SeatSettled,
        e.RoundSettled,
    ]
    stated, entered, confirmed = events[:3]
    sensed = game.wins if point == FINISHED else None
    assert stated == e.OutcomeStated(round=1, result=game.wins, clause=game.cite(number), sensed=sensed)
    assert isinstance(entered, e.ResultEntered)
    assert (entered.said_by, entered.sensor) == ("pit-supervisor", "agreed" if sensed else None)
    assert isinstance(confirmed, e.ResultConfirmed)
    assert confirmed.clause == game.cite(number)
    assert credits_of_all(play) == {"1": 100_000 + STAKE * game.pays, "2": 99_000}


@waiting
@no_outcome
def test_where_no_outcome_stands_on_the_wheel_the_round_is_void(game: Game, number: str, point: str) -> None:
    play = at(point, game)
    interrupted(play)

    signs = SHIFT_MANAGER if point == FINISHED else SUPERVISOR  # the sensor has seen a number
    stated, *_, voided = play.do(signs, c.StateOutcome(result=None))

    sensed = game.wins if point == FINISHED else None
    assert stated == e.OutcomeStated(round=1, result=None, clause=game.cite(number), sensed=sensed)
    assert isinstance(voided, e.RoundVoided)
    assert (voided.cause, voided.clause) == ("interruption-no-outcome", game.cite(number))
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}


@waiting
@every_game
def test_while_the_outcome_is_awaited_the_round_does_not_go_on(game: Game, point: str) -> None:
    play = at(point, game)
    interrupted(play)

    for actor, do in (
        (DEALER, c.OpenRound()),
        (DEALER, c.CloseBets()),
        (DEALER, valid_spin(game)),
        (DEALER, c.FinishSpin(revolutions=8)),
        (SENSOR, c.EnterResult(result=game.wins)),
        (DEALER, c.EnterResult(result=game.wins)),
        (DEALER, c.ConfirmResult(result=game.wins)),
        (TIMER, c.WarnClosing()),
    ):
        assert play.refused(actor, do).code == "outcome-awaited"
    assert play.refused(DEALER, c.StateOutcome(result=None)).code == "not-allowed"
    assert play.refused(SUPERVISOR, c.StateOutcome(result="40")).code == "unknown-result"
    assert play.refused(player("1"), c.ClearBets(seat="1")).code == "bets-closed"


@pytest.mark.parametrize("point", [IDLE, BETTING, CLOSED, RESULTED, SETTLED])
def test_nobody_states_an_outcome_that_is_not_awaited(point: str) -> None:
    assert at(point).refused(SUPERVISOR, c.StateOutcome(result="17")).code == "no-outcome-awaited"


@pytest.mark.parametrize(
    ("actor", "do"),
    [
        (DEALER, c.CallNoSpin(reason="nobody knows")),
        (SHIFT_MANAGER, c.Decide(ruling="void", reason="nobody knows", round=1)),
    ],
)
def test_a_round_that_is_voided_otherwise_awaits_nothing_any_more(actor: Actor, do: c.Do) -> None:
    play = at(SPINNING)
    interrupted(play)

    play.do(actor, do)

    assert play.refused(SUPERVISOR, c.StateOutcome(result="17")).code == "no-outcome-awaited"
    assert play.do(DEALER, c.OpenRound())


def test_a_second_interruption_changes_nothing_about_what_is_awaited() -> None:
    play = at(SPINNING)
    interrupted(play)

    assert only(e.TableInterrupted, interrupted(play, 1)).consequence == "wait"
    assert play.do(SUPERVISOR, c.StateOutcome(result="17"))


def test_settled_rounds_are_not_touched_by_an_interruption() -> None:
    play = at(SETTLED)
    play.do(DEALER, c.OpenRound())

    interrupted(play)

    assert play.state.kept[1].phase == "settled"
    assert credits_of_all(play) == {"1": 135_000, "2": 99_000}


def test_an_interruption_does_not_end_before_it_began() -> None:
    play = at(BETTING)

    found = play.refused(TIMER, c.Interrupt(began_ms=play.at_ms + 1))

    assert (found.code, found.facts) == ("bad-time", {"began_ms": play.at_ms + 1})
    assert play.do(TIMER, c.Interrupt(began_ms=play.at_ms))


def test_recovery_reports_at_a_halted_and_at_a_closed_table_too() -> None:
    play = Play()
    interrupted(play)
    play.do(TIMER, c.HaltTable(reason="the books do not balance"))

    assert only(e.TableInterrupted, interrupted(play)).consequence == "none"
