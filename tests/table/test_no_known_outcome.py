"""No bet on a known outcome, and no outcome without a spin: interruptions and halts around a spin."""

import pytest

from clauses import clause
from croupier.table import Actor
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import MemoryEvidence, first_misfit
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BETTING,
    CLOSED,
    IDLE,
    MBS,
    MONEY_WHEEL,
    RESULTED,
    ROLLING,
    RWS_000,
    RWS_A,
    RWS_B,
    SPINNING,
    STAKE,
    Game,
    at,
    credits_of_all,
    every_book,
    every_game,
    title,
)

SPUN_WHILE_OPEN = [
    pytest.param(RWS_A, marks=clause("rws-roulette-00:3.5", "rws-roulette-00:3.7", "rws-roulette-00:5.1")),
    pytest.param(RWS_B, marks=clause("rws-roulette-00:3.5", "rws-roulette-00:5.1")),
    pytest.param(RWS_000, marks=clause("rws-roulette-000:3.5", "rws-roulette-000:5.1")),
    pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:3.6", "rws-money-wheel:5.3")),
]
spun_while_open = pytest.mark.parametrize("game", SPUN_WHILE_OPEN, ids=title)
any_length = pytest.mark.parametrize("seconds", [0, 0.02, 8, 30, 3600])
needs_spin = clause(
    "mbs-roulette:5.13.1", "rws-roulette-00:5.1.2", "rws-roulette-000:5.1.2", "rws-money-wheel:5.3.2"
)


def interrupted(play: Play, seconds: float) -> list[e.Event]:
    began_ms = play.at_ms
    play.wait(seconds)
    return play.do(TIMER, c.Interrupt(began_ms=began_ms))


def halt(play: Play) -> list[e.Event]:
    return play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))


def resume(play: Play) -> list[e.Event]:
    return play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))


def fits(play: Play) -> None:
    assert first_misfit(MemoryEvidence(play)) is None


@spun_while_open
@any_length
def test_an_interruption_during_the_spin_closes_open_bets_however_short(game: Game, seconds: float) -> None:
    play = at(ROLLING, game)

    told, closed = interrupted(play, seconds)

    assert isinstance(told, e.TableInterrupted)
    assert (told.phase, told.consequence) == ("betting", "wait")
    assert isinstance(closed, e.BetsClosed)
    assert closed.closed_by == "interruption"
    late = c.PlaceBets(seat="1", stakes=(c.Stake(game.bet, STAKE),))
    assert play.refused(player("1"), late).code == "bets-closed"
    play.do(SUPERVISOR, c.StateOutcome(result=game.wins))
    assert credits_of_all(play) == {"1": 100_000 + STAKE * game.pays, "2": 99_000}
    fits(play)


@spun_while_open
@any_length
def test_a_halt_during_the_spin_closes_open_bets_at_once(game: Game, seconds: float) -> None:
    play = at(ROLLING, game)

    halted, closed = halt(play)
    play.wait(seconds)
    resumed, told = resume(play)

    assert isinstance(halted, e.TableHalted)
    assert isinstance(closed, e.BetsClosed)
    assert isinstance(resumed, e.TableResumed)
    assert isinstance(told, e.TableInterrupted)
    assert (told.phase, told.consequence) == ("spinning", "wait")
    late = c.PlaceBets(seat="1", stakes=(c.Stake(game.bet, STAKE),))
    assert play.refused(player("1"), late).code == "bets-closed"
    fits(play)


@every_book
@pytest.mark.parametrize("stop", ["halt", "wait"])
def test_what_the_sensor_reports_meanwhile_is_evidence(game: Game, stop: str) -> None:
    play = at(SPINNING, game)
    halt(play) if stop == "halt" else interrupted(play, 1)

    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket=game.wins))

    spin = play.state.round.spin  # type: ignore[union-attr]
    assert spin is not None
    assert spin.sensed == game.wins
    if stop == "halt":
        assert only(e.TableInterrupted, resume(play)).consequence == "wait"
    entered = only(e.ResultEntered, play.do(SUPERVISOR, c.StateOutcome(result=game.wins)))
    assert entered.sensor == "agreed"
    fits(play)


@clause("mbs-roulette:5.3", "rws-roulette-00:5.3.2", "rws-roulette-000:5.3.2", "rws-money-wheel:5.4.3")
@every_book
@pytest.mark.parametrize("stop", ["halt", "wait"])
def test_too_few_revolutions_void_the_round_under_their_own_clause(game: Game, stop: str) -> None:
    play = at(SPINNING, game)
    halt(play) if stop == "halt" else interrupted(play, 1)

    *_, voided = play.do(SENSOR, c.FinishSpin(revolutions=1, pocket=game.wins))

    few = play.rules.book.irregularities["too-few-revolutions"]
    assert isinstance(voided, e.RoundVoided)
    assert (voided.cause, voided.clause, voided.wheel) == (few.cause, few.clause, "at-rest")
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    fits(play)


@every_book
def test_a_wheel_with_a_fault_gives_no_evidence(game: Game) -> None:
    play = at(SPINNING, game)
    halt(play)
    play.do(SENSOR, c.ReportWheel(fault="line-garbled"))

    found = play.refused(SENSOR, c.FinishSpin(revolutions=1))

    assert found.code == "wheel-fault"
    fits(play)


@every_game
def test_a_spin_that_begins_during_a_halt_takes_no_more_bets(game: Game) -> None:
    play = at(BETTING, game)
    halt(play)
    play.wait(1)

    started, closed = play.do(SENSOR, c.StartSpin())

    assert isinstance(started, e.SpinStarted)
    assert isinstance(closed, e.BetsClosed)
    assert only(e.TableInterrupted, resume(play)).consequence == "wait"
    found = play.refused(SUPERVISOR, c.StateOutcome(result=game.wins))
    assert found.code == "no-spin-recorded", "it was not on record from before"
    fits(play)


@needs_spin
@every_game
@pytest.mark.parametrize("stop", ["halt", "interruption"])
def test_bets_closed_and_no_spin_after_a_short_interruption_the_ball_is_spun(game: Game, stop: str) -> None:
    play = at(CLOSED, game, grace_seconds=10)

    if stop == "halt":
        halt(play)
        play.wait(9.999)
        assert [type(event) for event in resume(play)] == [e.TableResumed]
    else:
        (told,) = interrupted(play, 9.999)
        assert isinstance(told, e.TableInterrupted)
        assert told.consequence == "continue"

    assert play.refused(SUPERVISOR, c.StateOutcome(result=game.wins)).code == "no-outcome-awaited"
    assert only(e.SpinStarted, play.do(DEALER, c.StartSpin()))
    fits(play)


@needs_spin
@every_game
@pytest.mark.parametrize("stop", ["halt", "interruption"])
def test_bets_closed_and_no_spin_after_a_long_interruption_the_round_is_void(game: Game, stop: str) -> None:
    play = at(CLOSED, game, grace_seconds=10)

    if stop == "halt":
        halt(play)
        play.wait(10)
        events = resume(play)
    else:
        events = interrupted(play, 10)

    voided = only(e.RoundVoided, events)
    assert (voided.cause, voided.wheel) == ("interruption-no-outcome", "not-spun")
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    fits(play)


@needs_spin
@every_game
@pytest.mark.parametrize("point", [BETTING, CLOSED])
def test_an_outcome_without_a_recorded_spin_takes_the_statement_and_a_pit_manager(
    game: Game, point: str
) -> None:
    play = at(point, game)
    declared = play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall", spun=True))
    assert only(e.TableInterrupted, declared).consequence == "wait"
    plain, spun = c.StateOutcome(result=game.wins), c.StateOutcome(result=game.wins, spun=True)

    assert play.refused(SUPERVISOR, plain).code == "no-spin-recorded"
    assert play.refused(SHIFT_MANAGER, plain, MANAGER).code == "no-spin-recorded"
    for second in (None, SUPERVISOR, DEALER, Actor(id="supervisor-2", position="pit-supervisor")):
        assert play.refused(SUPERVISOR, spun, second).code == "second-person"

    stated = only(e.OutcomeStated, play.do(SUPERVISOR, spun, MANAGER))
    assert (stated.result, stated.spun) == (game.wins, True)
    fits(play)


@needs_spin
@every_game
def test_a_spin_that_the_sensor_sees_only_then_is_not_on_record_from_before(game: Game) -> None:
    play = at(CLOSED, game)
    play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall", spun=True))
    play.do(SENSOR, c.StartSpin())

    assert play.refused(SUPERVISOR, c.StateOutcome(result=game.wins)).code == "no-spin-recorded"
    stated = only(e.OutcomeStated, play.do(SUPERVISOR, c.StateOutcome(result=game.wins, spun=True), MANAGER))
    assert stated.spun
    fits(play)


@needs_spin
@every_game
def test_no_outcome_needs_no_second_person(game: Game) -> None:
    play = at(CLOSED, game)
    play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall", spun=True))

    voided = only(e.RoundVoided, play.do(SUPERVISOR, c.StateOutcome(result=None)))

    assert voided.cause == "interruption-no-outcome"
    fits(play)


@every_book
@pytest.mark.parametrize("says", ["another number", "no outcome"])
def test_a_statement_that_the_sensor_contradicts_waits_for_the_shift_manager(game: Game, says: str) -> None:
    play = at(SPINNING, game)
    interrupted(play, 1)
    play.do(SENSOR, c.FinishSpin(revolutions=8, pocket=game.wins))
    do = c.StateOutcome(result=None if says == "no outcome" else game.loses)

    found = play.refused(MANAGER, do, SUPERVISOR)
    assert (found.code, found.facts["sensed"]) == ("outcome-disputed", game.wins)

    stated = only(e.OutcomeStated, play.do(SUPERVISOR, do, SHIFT_MANAGER))
    assert stated.sensed == game.wins
    if says == "no outcome":
        assert play.state.disputes == {}
    else:
        assert play.state.disputes[1].sensed == game.wins
    fits(play)


@clause("mbs-roulette:5.15")
@pytest.mark.parametrize("point", [BETTING, CLOSED, SPINNING, RESULTED])
def test_no_spin_is_called_during_a_halt(point: str) -> None:
    play = at(point, MBS)
    halt(play)

    voided = only(e.RoundVoided, play.do(DEALER, c.CallNoSpin(reason="the wheel was hit")))

    assert voided.cause == "no-spin"
    assert [type(event) for event in resume(play)] == [e.TableResumed]
    fits(play)


DECLARED = [
    pytest.param(MBS, marks=clause("mbs-roulette:5.13", "mbs-roulette:5.13.1", "mbs-roulette:5.13.2")),
    pytest.param(RWS_A, marks=clause("rws-roulette-00:5.1", "rws-roulette-00:5.1.2")),
    pytest.param(RWS_000, marks=clause("rws-roulette-000:5.1", "rws-roulette-000:5.1.2")),
    pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:5.3", "rws-money-wheel:5.3.2")),
]


@pytest.mark.parametrize("game", DECLARED, ids=title)
@pytest.mark.parametrize(
    ("point", "consequence"),
    [(BETTING, "void"), (CLOSED, "void"), (SPINNING, "wait"), (RESULTED, "conclude")],
)
def test_an_interruption_that_the_server_does_not_notice_is_declared(
    game: Game, point: str, consequence: str
) -> None:
    play = at(point, game)
    do = c.DeclareInterruption(reason="the wheel's motor stands still")

    assert play.refused(DEALER, do).code == "not-allowed"
    told = only(e.TableInterrupted, play.do(SUPERVISOR, do))

    assert (told.consequence, told.declared) == (consequence, do.reason)
    assert (told.began_ms, told.ended_ms) == (play.at_ms, play.at_ms)
    cause = {"void": "interruption-no-outcome", "conclude": "interruption-outcome"}.get(consequence)
    assert told.clause == (None if cause is None else play.rules.clause_of(cause))
    fits(play)


@spun_while_open
def test_a_declared_interruption_during_the_spin_closes_open_bets(game: Game) -> None:
    play = at(ROLLING, game)

    told, closed = play.do(SUPERVISOR, c.DeclareInterruption(reason="no light in the hall"))

    assert isinstance(told, e.TableInterrupted)
    assert isinstance(closed, e.BetsClosed)
    fits(play)


@every_book
def test_nothing_is_declared_without_a_round_or_a_reason(game: Game) -> None:
    play = at(IDLE, game)

    assert play.refused(SUPERVISOR, c.DeclareInterruption(reason="no light")).code == "no-round"
    assert play.refused(SUPERVISOR, c.DeclareInterruption(reason=" ")).code == "no-reason"
