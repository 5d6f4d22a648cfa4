"""From signals to the table's record: what counts, what is left to people, and what voids a round."""

from pathlib import Path

import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.signals import BallInRim, Irregular, Ready
from floor.sim_live import played
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR
from table.scenes import BALL_GAMES, MBS, RWS_000, RWS_A, Game, title
from wheel.wheel_rig import begin, on_wheel

ball_games = pytest.mark.parametrize("game", BALL_GAMES, ids=title)


@ball_games
@played
async def test_a_spin_seen_whole_gives_its_result_and_the_dealer_confirms(tmp_path: Path, game: Game) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    await on.drop()
    await on.rest(game.wins)

    started, finished = on.happened(e.SpinStarted)[0], on.happened(e.SpinFinished)[0]
    assert (started.wheel, started.rotor_tenths_rpm, started.said_by) == ("clockwise", 251, "wheel")
    assert (finished.pocket, finished.rotor_tenths_rpm) == (game.wins, 243)
    (entered,) = on.happened(e.ResultEntered)
    assert (entered.result, entered.said_by) == (game.wins, "wheel")
    await on.live.do(DEALER, c.ConfirmResult(result=game.wins))
    assert on.refusals() == []
    await on.live.stop()


@pytest.mark.parametrize(
    ("game", "closed_by"),
    [
        pytest.param(MBS, "dealer", marks=clause("mbs-roulette:3.7")),
        pytest.param(RWS_A, "wheel", marks=clause("rws-roulette-00:3.5")),
        pytest.param(RWS_000, "wheel", marks=clause("rws-roulette-000:3.5")),
    ],
)
@played
async def test_bets_close_before_the_spin_or_with_the_drop_as_the_book_says(
    tmp_path: Path, game: Game, closed_by: str
) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    assert bool(on.happened(e.BetsClosed)) == (closed_by == "dealer")
    await on.drop()
    assert [closed.closed_by for closed in on.happened(e.BetsClosed)] == [closed_by]
    await on.live.stop()


@clause("mbs-roulette:3.7", "mbs-roulette:5.15")
@played
async def test_a_ball_spun_while_bets_are_open_closes_them_and_gives_no_result(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", "red", 1_000)
    await on.ready()
    await on.launch()
    assert on.by_wheel() == ["bets-closed", "wheel-reported"]
    assert on.live.run.state.wheel_fault == "spun-before-close"
    await on.drop()
    await on.rest("17")
    assert on.by_wheel() == ["bets-closed", "wheel-reported"]
    await on.live.do(DEALER, c.CallNoSpin(reason="the ball was spun too early"))
    await on.ready()
    assert on.live.run.state.wheel_fault is None
    assert on.refusals() == []
    await on.live.stop()


@ball_games
@played
async def test_a_spin_that_began_before_the_round_is_left_to_the_dealer(tmp_path: Path, game: Game) -> None:
    on = await on_wheel(tmp_path, game)
    await on.ready()
    await on.live.do(DEALER, c.OpenRound())
    await on.live.do(DEALER, c.CloseBets())
    await on.launch()
    assert on.live.run.state.wheel_fault == "wrong-order"
    await on.drop()
    await on.rest(game.wins)
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.happened(e.ResultEntered) == []
    await on.live.do(DEALER, c.EnterResult(result=game.loses), SUPERVISOR)
    await on.live.do(DEALER, c.ConfirmResult(result=game.loses))
    await on.ready()
    assert on.live.run.state.wheel_fault is None
    await on.live.stop()


@played
async def test_a_wheel_that_waits_until_it_launches_may_have_said_so_before_the_round(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.say(Ready(at_ms=0, pockets=37))
    await on.live.do(DEALER, c.OpenRound())
    await on.live.do(DEALER, c.CloseBets())
    await on.launch()
    await on.drop()
    await on.rest("17")
    assert on.happened(e.ResultEntered)[0].result == "17"
    await on.live.stop()


@played
async def test_a_spin_without_a_drop_is_left_to_the_dealer(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.rest("17")
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.happened(e.ResultEntered) == []
    await on.live.stop()


@ball_games
@played
async def test_a_spin_outside_of_any_round_says_nothing(tmp_path: Path, game: Game) -> None:
    on = await on_wheel(tmp_path, game)
    await on.ready()
    await on.launch()
    await on.drop()
    await on.rest(game.wins)
    assert on.by_wheel() == []
    await on.live.stop()


@played
async def test_nobody_registers_a_result_before_the_ball_rests(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.drop()
    for actor in (DEALER, SUPERVISOR):
        assert await on.live.refused(actor, c.EnterResult(result="17"), SHIFT_MANAGER) == "not-at-rest"
    await on.rest("17")
    await on.live.do(DEALER, c.ConfirmResult(result="17"))
    await on.live.stop()


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:6.3")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:5.5", "rws-roulette-00:5.8")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:5.5", "rws-roulette-000:5.8")),
    ],
)
@played
async def test_a_dealer_and_a_sensor_that_disagree_need_two_people(tmp_path: Path, game: Game) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    await on.drop()
    await on.rest(game.wins)
    wrong = c.CorrectResult(round=1, result=game.loses, reason="as the ball lies")
    assert await on.live.refused(DEALER, wrong) == "result-disagrees"
    assert await on.live.refused(SUPERVISOR, wrong) == "second-person"
    await on.live.do(SUPERVISOR, wrong, DEALER)
    await on.live.do(DEALER, c.ConfirmResult(result=game.loses))
    await on.live.stop()


@played
async def test_a_spin_that_the_dealer_stated_first_is_still_the_sensors(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.live.do(DEALER, c.OpenRound())
    await on.ready()
    await on.live.do(DEALER, c.CloseBets())
    await on.live.do(DEALER, c.StartSpin())
    await on.launch()
    await on.drop()
    await on.rest("17")
    assert on.happened(e.ResultEntered)[0].said_by == "wheel"
    assert on.refusals() == []
    await on.live.stop()


@pytest.mark.parametrize("how", ["registered", "ended"])
@pytest.mark.parametrize(("turning", "revolutions"), [(True, 8), (True, 2), (False, 8)])
@played
async def test_a_ball_launched_behind_the_end_of_a_spin_is_of_the_next_one(
    tmp_path: Path, how: str, turning: bool, revolutions: int
) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", "straight:17", 1_000)
    await on.live.do(DEALER, c.CloseBets())
    await on.live.do(DEALER, c.StartSpin())
    await on.live.do(DEALER, c.EnterResult(result="17") if how == "registered" else c.FinishSpin(pocket="17"))
    await on.ready()
    await on.say(BallInRim(at_ms=0, ball="clockwise", wheel="counter-clockwise", wheel_turning=turning))
    await on.say(Irregular(at_ms=0, cause="ball-out"))
    await on.drop()
    await on.rest("5", revolutions=revolutions)
    assert on.by_wheel() == []
    if how == "ended":
        await on.live.do(DEALER, c.EnterResult(result="17"), SUPERVISOR)
    await on.live.do(DEALER, c.ConfirmResult(result="17"))
    assert on.refusals() == []
    await on.live.stop()


@pytest.mark.parametrize("by_dealer", [False, True])
@played
async def test_of_a_spin_that_the_round_did_not_see_begin_only_that_it_rolls_is_told(
    tmp_path: Path, by_dealer: bool
) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.live.do(DEALER, c.OpenRound())
    await on.live.do(DEALER, c.CloseBets())
    if by_dealer:
        await on.live.do(DEALER, c.StartSpin())
    await on.say(BallInRim(at_ms=0, ball="clockwise", wheel="clockwise", wheel_turning=False))
    assert on.by_wheel() == (["wheel-reported"] if by_dealer else ["wheel-reported", "spin-started"])
    assert on.happened(e.RoundVoided) == on.refusals() == []
    await on.live.stop()
