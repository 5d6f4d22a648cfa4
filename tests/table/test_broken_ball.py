"""A broken ball voids every round it affected at RWS, settled ones by reversal."""

import pytest

from clauses import clause
from croupier.table import Rejection
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, only, player
from table.scenes import (
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    RWS_B,
    SPINNING,
    STAKE,
    Game,
    advance,
    credits_of_all,
    table,
    title,
)

RWS = [
    pytest.param(RWS_A, marks=clause("rws-roulette-00:5.4")),
    pytest.param(RWS_B, marks=clause("rws-roulette-00:5.4")),
    pytest.param(RWS_000, marks=clause("rws-roulette-000:5.4")),
]
rws = pytest.mark.parametrize("game", RWS, ids=title)


def broken(*rounds: int) -> c.DeclareIrregularity:
    return c.DeclareIrregularity(cause="ball-broken", rounds=rounds, note="found in halves")


def played(game: Game, results: int = 3) -> Play:
    """A table where seat 1 has won and seat 2 has lost a stake in each of some rounds."""
    play = table(game)
    for _ in range(results):
        play.round({"1": {game.bet: STAKE}, "2": {game.other: STAKE}}, game.wins)
    return play


@rws
def test_all_affected_rounds_are_void_the_running_one_and_settled_ones(game: Game) -> None:
    play = played(game, 2)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {game.bet: STAKE})
    advance(play, SPINNING, game)

    happened = play.do(MANAGER, broken(1, 2, 3), second=SUPERVISOR)

    corrected = [event for event in happened if isinstance(event, e.ResultCorrected)]
    assert [(event.round, event.old, event.new, event.settled) for event in corrected] == [
        (1, game.wins, None, True),
        (2, game.wins, None, True),
    ]
    assert only(e.RoundVoided, happened).round == 3
    assert {event.clause for event in corrected} == {game.cite("5.4")}
    assert {event.cause for event in corrected} == {"ball-broken"}
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert [play.state.kept[number].phase for number in (1, 2, 3)] == ["voided"] * 3
    assert [play.state.kept[number].result for number in (1, 2, 3)] == [None] * 3


@rws
def test_a_settled_round_is_reversed_and_every_bet_of_it_returned(game: Game) -> None:
    play = played(game, 1)

    happened = play.do(MANAGER, broken(1), second=SUPERVISOR)

    seats = [event for event in happened if isinstance(event, e.SeatCorrected)]
    assert [(event.seat, event.result, event.reversed, event.lines) for event in seats] == [
        (
            "1",
            None,
            (e.Line(game.bet, STAKE, STAKE, True, STAKE * (game.pays + 1)),),
            (e.Line(game.bet, STAKE, 0, False, STAKE),),
        ),
        (
            "2",
            None,
            (e.Line(game.other, STAKE, STAKE, False, 0),),
            (e.Line(game.other, STAKE, 0, False, STAKE),),
        ),
    ]
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
    assert play.state.balances["house"] == 0
    meters = play.state.meters
    assert (meters.games_played, meters.voids, meters.wins_cents, meters.returned_cents) == (
        0,
        1,
        0,
        2 * STAKE,
    )


@rws
def test_rounds_that_are_not_named_stand(game: Game) -> None:
    play = played(game, 3)

    play.do(MANAGER, broken(2), second=SUPERVISOR)

    assert [play.state.kept[number].phase for number in (1, 2, 3)] == ["settled", "voided", "settled"]
    assert play.credits("1") == 100_000 + 2 * STAKE * game.pays


@rws
def test_a_round_is_named_once_whoever_lists_it_twice(game: Game) -> None:
    play = played(game, 1)

    happened = play.do(MANAGER, broken(1, 1), second=SUPERVISOR)

    assert len([event for event in happened if isinstance(event, e.ResultCorrected)]) == 1
    assert play.credits("1") == 100_000


@rws
def test_the_settled_rounds_take_two_people_and_the_running_one_does_not(game: Game) -> None:
    play = played(game, 1)
    play.do(DEALER, c.OpenRound())
    advance(play, SPINNING, game)

    assert play.refused(DEALER, broken(1)).code == "not-allowed"
    assert play.refused(MANAGER, broken(1)).code == "second-person"
    assert play.refused(SHIFT_MANAGER, broken(1)).code == "second-person"
    assert play.do(DEALER, broken())


@pytest.mark.parametrize(
    ("rounds", "code"),
    [((4,), "unknown-round"), ((0,), "unknown-round"), ((2,), "round-void")],
)
def test_only_rounds_that_are_settled_can_be_affected(rounds: tuple[int, ...], code: str) -> None:
    play = table(RWS_A, rounds_kept=2)
    play.round({"1": {"red": STAKE}}, "1")
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, broken())
    play.round({"1": {"red": STAKE}}, "1")

    assert refuse(play, *rounds).code == code


def refuse(play: Play, *rounds: int) -> Rejection:
    return play.refused(MANAGER, broken(*rounds), second=SUPERVISOR)


def test_the_money_wheel_has_no_ball_to_break() -> None:
    play = played(MONEY_WHEEL, 1)

    assert refuse(play, 1).code == "unknown-cause"


@rws
def test_a_win_that_was_paid_out_before_its_round_was_voided_is_a_shortfall(game: Game) -> None:
    play = played(game, 1)
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))

    raised = only(e.ShortfallRaised, play.do(MANAGER, broken(1), second=SUPERVISOR))

    assert (raised.seat, raised.carried_cents) == ("1", -STAKE * game.pays)
    assert play.credits("1") == 0


@rws
def test_several_rounds_are_taken_back_from_the_same_credits_and_never_below_zero(game: Game) -> None:
    play = played(game, 2)
    won = 2 * STAKE * game.pays
    play.round({"1": {"red": play.credits("1") - 1_500}}, "2")

    happened = play.do(MANAGER, broken(1, 2), second=SUPERVISOR)

    raised = [event.carried_cents for event in happened if isinstance(event, e.ShortfallRaised)]
    assert sum(raised) == 1_500 - won
    assert play.credits("1") == 0
    assert play.state.balances["shortfall"] == 1_500 - won


@rws
def test_stakes_that_come_back_from_the_running_round_count_for_the_earlier_ones(game: Game) -> None:
    play = played(game, 1)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": play.credits("1")})
    play.to_spinning()

    happened = play.do(MANAGER, broken(1, 2), second=SUPERVISOR)

    assert not [event for event in happened if isinstance(event, e.ShortfallRaised)]
    assert credits_of_all(play) == {"1": 100_000, "2": 100_000}
