"""A halt is a technical interruption of the round that it met: what follows is done at its end."""

import pytest

from clauses import clause
from croupier.table import audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BETTING,
    IDLE,
    MONEY_WHEEL,
    RESULTED,
    SETTLED,
    STAKE,
    Game,
    at,
    credits_of_all,
    every_book,
    every_game,
)
from table.test_interruptions import no_outcome, outcome, waiting


def halt(play: Play) -> None:
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))


def resume(play: Play) -> list[e.Event]:
    return play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked at"))


def halted(play: Play, seconds: float = 60) -> list[e.Event]:
    """The table is halted for some seconds; gives what its end led to."""
    halt(play)
    play.wait(seconds)
    return resume(play)


@no_outcome
def test_a_halt_with_bets_open_voids_the_round(game: Game, number: str) -> None:
    play = at(BETTING, game)
    began_ms = play.at_ms

    resumed, told, *returned, voided = halted(play)

    assert isinstance(resumed, e.TableResumed)
    assert isinstance(told, e.TableInterrupted)
    assert (told.round, told.phase, told.consequence, told.clause) == (1, BETTING, "void", game.cite(number))
    assert (told.began_ms, told.ended_ms, told.length_known) == (began_ms, play.at_ms, True)
    assert (told.notice, audience(told)) == ("Play is interrupted: please wait", "table")
    assert [type(event) for event in returned] == [e.SeatReturned, e.SeatReturned]
    assert isinstance(voided, e.RoundVoided)
    assert (voided.cause, voided.clause) == ("interruption-no-outcome", game.cite(number))
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert play.do(DEALER, c.OpenRound())


@every_game
def test_a_halt_shorter_than_the_grace_period_leaves_open_bets_running(game: Game) -> None:
    play = at(BETTING, game, grace_seconds=10)

    assert [type(event) for event in halted(play, 9.999)] == [e.TableResumed]

    assert play.bet("1", {game.bet: STAKE})
    assert only(e.TableInterrupted, halted(play, 10)).consequence == "void"


@no_outcome
@waiting
def test_after_a_halt_behind_the_close_it_is_said_what_stands_on_the_wheel(
    game: Game, number: str, point: str
) -> None:
    play = at(point, game)

    told = only(e.TableInterrupted, halted(play, 0))

    assert (told.consequence, told.clause) == ("wait", None)
    assert play.refused(DEALER, c.EnterResult(result=game.wins)).code == "outcome-awaited"
    assert play.refused(DEALER, c.StateOutcome(result=game.wins)).code == "not-allowed"
    signs = SHIFT_MANAGER if point == "finished" else SUPERVISOR
    voided = only(e.RoundVoided, play.do(signs, c.StateOutcome(result=None)))
    assert voided.clause == game.cite(number)
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}


@outcome
@waiting
def test_an_outcome_that_stands_on_the_wheel_after_a_halt_concludes_the_round(
    game: Game, number: str, point: str
) -> None:
    play = at(point, game)
    halted(play)

    confirmed = only(e.ResultConfirmed, play.do(SHIFT_MANAGER, c.StateOutcome(result=game.wins)))

    assert (confirmed.result, confirmed.clause) == (game.wins, game.cite(number))
    assert play.state.kept[1].phase == "settled"


@outcome
def test_a_result_that_was_registered_before_a_halt_is_concluded(game: Game, number: str) -> None:
    play = at(RESULTED, game)

    told = only(e.TableInterrupted, halted(play))

    assert (told.phase, told.consequence, told.clause) == (RESULTED, "conclude", game.cite(number))
    assert only(e.RoundSettled, play.do(DEALER, c.ConfirmResult(result=game.wins)))


@every_book
@pytest.mark.parametrize("point", [IDLE, SETTLED])
def test_a_halt_between_rounds_interrupts_none(game: Game, point: str) -> None:
    play = at(point, game)
    before = credits_of_all(play)

    assert [type(event) for event in halted(play)] == [e.TableResumed]

    assert credits_of_all(play) == before
    assert play.do(DEALER, c.OpenRound())


def test_a_table_that_is_halted_once_more_has_stood_still_from_the_first_time() -> None:
    play = at(BETTING, grace_seconds=10)
    halt(play)
    play.wait(6)
    halt(play)
    play.wait(6)

    assert only(e.TableInterrupted, resume(play)).consequence == "void"


def test_halts_that_are_over_do_not_add_up() -> None:
    play = at(BETTING, grace_seconds=10)

    for _ in range(3):
        assert [type(event) for event in halted(play, 6)] == [e.TableResumed]
        assert play.bet("1", {"red": STAKE})


def test_a_halt_of_which_nobody_knows_the_length_voids_open_bets() -> None:
    play = at(BETTING)

    (told,) = [event for event in halted(play, -60) if isinstance(event, e.TableInterrupted)]

    assert (told.consequence, told.length_known, told.began_ms) == ("void", False, play.at_ms)


def test_what_recovery_has_done_during_a_halt_is_not_done_again() -> None:
    play = at(BETTING, MONEY_WHEEL)
    began_ms = play.at_ms
    halt(play)
    play.wait(60)
    assert only(e.RoundVoided, play.do(TIMER, c.Interrupt(began_ms=began_ms))).round == 1

    assert [type(event) for event in resume(play)] == [e.TableResumed]


def test_a_short_stop_of_the_server_does_not_shorten_the_halt_around_it() -> None:
    play = at(BETTING)
    halt(play)
    play.wait(30)
    assert (
        only(e.TableInterrupted, play.do(TIMER, c.Interrupt(began_ms=play.at_ms))).consequence == "continue"
    )
    play.wait(1)

    assert only(e.TableInterrupted, resume(play)).consequence == "void"


@clause("mbs-roulette:5.15")
def test_no_spin_is_called_although_the_outcome_is_awaited_after_a_halt() -> None:
    play = at("spinning")
    halted(play)

    voided = only(e.RoundVoided, play.do(DEALER, c.CallNoSpin(reason="nobody saw the ball")))

    assert voided.clause == "mbs-roulette:5.15"
    assert play.refused(SUPERVISOR, c.StateOutcome(result=None)).code == "no-outcome-awaited"
    assert play.refused(player("1"), c.ClearBets(seat="1")).code == "no-round"
