"""The close of betting: who brings it, when it comes, and that nothing changes after it."""

import pytest

from clauses import clause
from croupier.table import Actor, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, SENSOR, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, only, player
from table.scenes import (
    BETTING,
    CLOSED,
    FINISHED,
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
    every_game,
    finish,
    table,
    title,
    valid_spin,
)


def placing(bet: str, cents: int = STAKE) -> c.PlaceBets:
    return c.PlaceBets(seat="1", stakes=(c.Stake(bet, cents),))


@pytest.mark.parametrize(
    ("game", "notice"),
    [
        pytest.param(MBS, "No more bets", marks=clause("mbs-roulette:3.2", "mbs-roulette:5.12")),
        pytest.param(RWS_A, "No More Bets", marks=clause("rws-roulette-00:3.5")),
        pytest.param(RWS_000, "No More Bets", marks=clause("rws-roulette-000:3.5")),
        pytest.param(MONEY_WHEEL, "No more Bets", marks=clause("rws-money-wheel:3.6", "rws-money-wheel:5.6")),
    ],
    ids=title,
)
@pytest.mark.parametrize("closer", [DEALER, TIMER, SENSOR], ids=lambda actor: actor.position)
def test_after_the_closing_notice_nothing_is_placed_or_raised(game: Game, notice: str, closer: Actor) -> None:
    play = at(BETTING, game)

    closed = only(e.BetsClosed, play.do(closer, c.CloseBets()))
    new, raised = (play.refused(player("1"), placing(bet)) for bet in (game.other, game.bet))

    by = {"dealer": "dealer", "system": "timer", "wheel": "wheel"}[closer.position]
    assert (closed.notice, closed.closed_by, audience(closed)) == (notice, by, "table")
    late = game.cite({MBS: "5.12", MONEY_WHEEL: "5.6"}.get(game, "3.5"))
    assert [(found.code, found.clause) for found in (new, raised)] == [("bets-closed", late)] * 2
    assert notice in new.sentence
    assert play.state.seats["1"].stakes == {game.bet: STAKE}


@pytest.mark.parametrize(
    ("game", "late"),
    [
        pytest.param(MBS, "5.11", marks=clause("mbs-roulette:5.11")),
        pytest.param(RWS_A, "5.7", marks=clause("rws-roulette-00:5.7")),
        pytest.param(RWS_000, "5.7", marks=clause("rws-roulette-000:5.7")),
        pytest.param(MONEY_WHEEL, "5.6", marks=clause("rws-money-wheel:5.6", "rws-money-wheel:5.8")),
    ],
    ids=title,
)
@pytest.mark.parametrize("point", [CLOSED, SPINNING, FINISHED, RESULTED])
def test_after_the_close_stakes_stand_as_they_lie_and_are_settled_so(
    game: Game, late: str, point: str
) -> None:
    play = at(point, game)
    stakes = (c.Stake(game.bet, 100),)

    (closed,) = (entry.event for entry in play.entries if isinstance(entry.event, e.BetsClosed))
    assert closed.stakes_clause == game.cite("5.8" if game is MONEY_WHEEL else late)
    for do in (
        c.TakeBets(seat="1", stakes=stakes),
        c.MoveBet(seat="1", source=game.bet, destination=game.other, cents=STAKE),
        c.ClearBets(seat="1"),
    ):
        found = play.refused(player("1"), do)
        assert (found.code, found.clause) == ("bets-closed", game.cite(late))

    finish(play, game, point, game.wins)
    assert play.credits("1") == 100_000 + STAKE * game.pays


@clause("mbs-roulette:3.7")
def test_mbs_shows_no_more_bets_before_the_ball_is_spun() -> None:
    play = at(BETTING, MBS)

    early = play.refused(DEALER, valid_spin(MBS))
    play.do(DEALER, c.CloseBets())
    play.do(DEALER, valid_spin(MBS))

    assert (early.code, early.clause) == ("bets-open", "mbs-roulette:3.7")
    assert play.state.round is not None
    assert play.state.round.phase == "spinning"


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(RWS_A, marks=clause("rws-roulette-00:3.5")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:3.5")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:3.5")),
        pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:3.6")),
    ],
    ids=title,
)
def test_rws_takes_bets_while_the_wheel_is_spun_until_the_notice(game: Game) -> None:
    play = at(ROLLING, game)

    play.bet("1", {game.bet: 500})
    early = play.refused(DEALER, c.EnterResult(result=game.wins))
    play.do(DEALER, c.CloseBets())
    late = play.refused(player("1"), placing(game.bet))

    assert early.code == "bets-open"
    assert late.code == "bets-closed"
    assert play.state.seats["1"].stakes == {game.bet: STAKE + 500}


@pytest.mark.parametrize("game", [RWS_A, RWS_000, MONEY_WHEEL], ids=title)
def test_bets_that_nobody_closed_close_when_the_wheel_has_come_to_rest(game: Game) -> None:
    play = at(ROLLING, game)

    closed, finished = play.do(SENSOR, c.FinishSpin(revolutions=9, pocket=game.wins))

    assert isinstance(closed, e.BetsClosed)
    assert closed.closed_by == "wheel"
    assert isinstance(finished, e.SpinFinished)


@every_game
def test_the_betting_time_counts_before_anybody_has_closed(game: Game) -> None:
    play = table(game, betting_seconds=30)
    opened = only(e.RoundOpened, play.do(DEALER, c.OpenRound()))
    assert opened.closes_ms == START_MS + 30_000

    play.wait(29.999)
    play.bet("1", {game.bet: STAKE})
    play.wait(0.001)

    for do in (
        placing(game.bet),
        c.ClearBets(seat="1"),
        c.TakeBets(seat="1", stakes=(c.Stake(game.bet, 1),)),
    ):
        assert play.refused(player("1"), do).code == "bets-closed"
    assert only(e.BetsClosed, play.do(TIMER, c.CloseBets())).closed_by == "timer"


@every_game
def test_without_a_betting_time_bets_stay_open_until_somebody_closes_them(game: Game) -> None:
    play = table(game, betting_seconds=None)
    opened = only(e.RoundOpened, play.do(DEALER, c.OpenRound()))

    play.wait(3600)

    assert opened.closes_ms is None
    assert play.bet("1", {game.bet: STAKE})


def test_players_are_warned_before_the_betting_time_is_over() -> None:
    play = at(BETTING, betting_seconds=30, warning_seconds=7)
    play.wait(23)

    warned = only(e.ClosingWarned, play.do(TIMER, c.WarnClosing()))

    assert (warned.seconds, warned.notice, audience(warned)) == (7, "Last bets: 7 seconds", "table")
    play.do(DEALER, c.CloseBets())
    assert play.refused(TIMER, c.WarnClosing()).code == "bets-closed"


def test_a_table_closes_behind_its_last_round_also_where_an_earlier_one_becomes_void() -> None:
    play = Play().open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "2")
    play.do(DEALER, c.AnnounceLastRound())
    play.round({"1": {"red": 1_000}}, "2")
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="on camera", round=1), SUPERVISOR)
    play.do(SUPERVISOR, c.CloseTable())
    assert not play.state.open
