"""Faults, broken rules, spins of other rounds, and answers that do not come: what the feed makes of them."""

import asyncio
from pathlib import Path

import pytest

from clauses import clause
from croupier.floor import Ask
from croupier.floor.insisting import AGAIN_MS
from croupier.floor.refusals import CODES, answer
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.signals import Cleared, Fault, Irregular, Ready
from floor.sim_live import played, turns
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR
from table.scenes import BALL_GAMES, MBS, MONEY_WHEEL, RWS_000, RWS_A, Game, every_game, title
from wheel.wheel_rig import OnWheel, begin, on_wheel

ball_games = pytest.mark.parametrize("game", BALL_GAMES, ids=title)
LOST = Fault(at_ms=0, code="line-lost", detail="nothing heard for 2.0 s")


@ball_games
@played
async def test_a_fault_in_the_spin_leaves_the_result_to_the_dealer_though_it_is_over(
    tmp_path: Path, game: Game
) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    await on.say(LOST, Cleared(at_ms=0))
    await on.drop()
    await on.rest(None)
    reports = [(report.round, report.fault) for report in on.happened(e.WheelReported)]
    assert reports == [(1, "line-lost"), (1, None)]
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.happened(e.ResultEntered) == []
    await on.live.do(DEALER, c.EnterResult(result=game.wins), SUPERVISOR)
    await on.live.do(DEALER, c.ConfirmResult(result=game.wins))
    assert on.refusals() == []
    await on.live.stop()


@played
async def test_even_a_source_that_is_sure_of_itself_gives_no_result_after_a_fault(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.say(LOST, Cleared(at_ms=0))
    await on.drop()
    await on.rest("17")
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.happened(e.ResultEntered) == []
    await on.live.stop()


@played
async def test_a_wheel_that_waits_with_a_fault_still_has_it(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.say(LOST)
    await on.ready()
    assert on.live.run.state.wheel_fault == "line-lost"
    await on.say(Cleared(at_ms=0))
    assert on.live.run.state.wheel_fault is None
    await on.live.stop()


@played
async def test_the_same_fault_is_reported_once_and_another_one_after_it(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.say(LOST, LOST, Fault(at_ms=0, code="line-garbled"), Cleared(at_ms=0), Cleared(at_ms=0))
    faults = [report.fault for report in on.happened(e.WheelReported)]
    assert faults == ["line-lost", "line-garbled", None]
    assert on.refusals() == []
    await on.live.stop()


@pytest.mark.parametrize(
    ("game", "cause", "cited"),
    [
        pytest.param(MBS, "same-direction", "5.1", marks=clause("mbs-roulette:5.1")),
        pytest.param(MBS, "too-few-revolutions", "5.3", marks=clause("mbs-roulette:5.3")),
        pytest.param(MBS, "ball-out", "5.6", marks=clause("mbs-roulette:5.6")),
        pytest.param(RWS_A, "same-direction", "5.3.6", marks=clause("rws-roulette-00:5.3.6")),
        pytest.param(RWS_A, "too-few-revolutions", "5.3.2", marks=clause("rws-roulette-00:5.3.2")),
        pytest.param(RWS_000, "ball-out", "5.3.4", marks=clause("rws-roulette-000:5.3.4")),
    ],
)
@played
async def test_what_breaks_a_rule_voids_the_round_by_its_clause(
    tmp_path: Path, game: Game, cause: str, cited: str
) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    await on.say(Irregular(at_ms=0, cause=cause, note="flag"))
    (voided,) = on.happened(e.RoundVoided)
    assert (voided.cause, voided.clause) == (cause, game.cite(cited))
    assert on.live.run.state.credits_cents("1") == 100_000
    await on.live.stop()


@played
async def test_what_breaks_a_rule_outside_of_a_round_or_not_of_this_book_voids_nothing(
    tmp_path: Path,
) -> None:
    on = await on_wheel(tmp_path, MONEY_WHEEL)
    await on.say(Irregular(at_ms=0, cause="interference"))
    await begin(on)
    await on.say(Irregular(at_ms=0, cause="ball-out"))
    assert on.happened(e.RoundVoided) == []
    assert on.refusals() == []
    await on.live.stop()


@played
async def test_what_is_left_of_a_void_spin_does_not_touch_the_next_round(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, RWS_A)
    await begin(on)
    await on.live.do(DEALER, c.DeclareIrregularity(cause="interference"))
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", "red", 1_000)
    await on.drop()
    await on.say(Irregular(at_ms=0, cause="ball-out"))
    await on.rest("17")
    running = on.live.run.state.round
    assert running is not None
    assert (running.number, running.phase, running.spin) == (2, "betting", None)
    await on.live.stop()


@played
async def test_the_end_of_an_old_spin_is_not_taken_for_that_of_the_next(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, RWS_A)
    await begin(on)
    await on.live.do(DEALER, c.DeclareIrregularity(cause="interference"))
    for do in (c.OpenRound(), c.CloseBets(), c.StartSpin()):
        await on.live.do(DEALER, do)
    await on.drop()
    await on.say(Irregular(at_ms=0, cause="ball-out"))
    await on.rest("17")
    running = on.live.run.state.round
    assert running is not None
    assert running.spin is not None
    assert (running.number, running.phase, running.spin.finished_by) == (2, "spinning", None)
    await on.live.stop()


@played
async def test_a_second_ball_in_a_round_whose_first_spin_had_a_fault_gives_no_result(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.say(Fault(at_ms=0, code="restarted"), Cleared(at_ms=0))
    await on.ready()
    await on.launch()
    await on.drop()
    await on.rest("17")
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.happened(e.ResultEntered) == []
    assert on.refusals() == []
    await on.live.stop()


@played
async def test_a_wheel_first_heard_when_the_ball_drops_closes_the_bets(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, RWS_A)
    await on.live.do(DEALER, c.OpenRound())
    await on.say(Fault(at_ms=0, code="wrong-order"))
    await on.drop()
    assert [closed.closed_by for closed in on.happened(e.BetsClosed)] == ["wheel"]
    await on.rest(None)
    assert on.happened(e.SpinFinished) == []
    await on.live.stop()


@played
async def test_a_sensor_out_of_order_halts_the_table(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    fault = Fault(at_ms=0, code="sensor-fault", detail="flag 4: sensor or motor", stops_table=True)
    await on.say(fault)
    (halted,) = on.happened(e.TableHalted)
    assert halted.reason == "A sensor or the motor of the wheel is out of order (flag 4: sensor or motor)"
    await on.drop()
    await on.rest(None)
    await on.say(Cleared(at_ms=0))
    assert on.live.run.state.wheel_fault is None
    await on.live.do(SHIFT_MANAGER, c.ResumeTable(reason="cleaned"))
    assert await on.live.refused(DEALER, c.EnterResult(result="17")) == "outcome-awaited"
    await on.live.do(SHIFT_MANAGER, c.StateOutcome(result="17"))
    await on.live.stop()


@pytest.mark.parametrize("failure", ["failures_before", "failures_after"])
@played
async def test_a_table_that_has_to_stop_is_halted_though_the_disk_fails(tmp_path: Path, failure: str) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.say(Fault(at_ms=0, code="sensor-fault"))  # told before, so that the halt is what fails
    setattr(on.live.store, failure, 1)
    failing = asyncio.create_task(on.say(Fault(at_ms=0, code="sensor-fault", stops_table=True)))
    while not failing.done():
        await turns(5)
        on.live.clock.advance(AGAIN_MS)
    await failing
    assert on.live.kinds().count("table-halted") == 1
    assert on.live.replayed().halted == "A sensor or the motor of the wheel is out of order"
    await on.live.stop()


@played
async def test_a_table_that_has_to_stop_is_halted_though_nothing_can_be_read_for_a_while(
    tmp_path: Path,
) -> None:
    """What was decided and not written is not taken for a halt, neither this one nor one before it."""
    on = await on_wheel(tmp_path, MBS)
    await on.say(Fault(at_ms=0, code="sensor-fault"))
    on.live.store.failures_before, on.live.store.failing_reads = 1, True
    reply = await on.live.run.submit_as_system(c.HaltTable(reason="another fault"))
    assert reply.rejection is not None
    failing = asyncio.create_task(on.say(Fault(at_ms=0, code="sensor-fault", stops_table=True)))
    for _ in range(3):
        await turns(5)
        on.live.clock.advance(AGAIN_MS)
    on.live.store.failing_reads = False
    while not failing.done():
        await turns(5)
        on.live.clock.advance(AGAIN_MS)
    await failing
    assert on.live.replayed().halted == "A sensor or the motor of the wheel is out of order"
    await on.live.stop()


@played
async def test_a_halt_that_is_refused_calls_somebody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    on = await on_wheel(tmp_path, MBS)
    submit = on.live.run.submit

    async def refuse_halts(ask: Ask) -> Reply:
        return answer("stepped-down") if isinstance(ask.do, c.HaltTable) else await submit(ask)

    monkeypatch.setattr(on.live.run, "submit", refuse_halts)
    await on.say(Fault(at_ms=0, code="sensor-fault", stops_table=True))
    (called,) = [record for record in caplog.records if record.levelname == "CRITICAL"]
    assert called.getMessage() == f"table T1: it was not halted: {CODES['stepped-down']}"
    await on.live.stop()


@played
async def test_a_wheel_with_another_number_of_pockets_gives_no_result(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.live.do(DEALER, c.OpenRound())
    await on.say(Ready(at_ms=0, pockets=38))
    (report,) = on.happened(e.WheelReported)
    assert (report.fault, report.detail) == ("wrong-wheel", "it has 38 pockets, and mbs-roulette has 37")
    await on.live.do(DEALER, c.CloseBets())
    await on.launch()
    await on.drop()
    await on.rest("17")
    assert on.happened(e.ResultEntered) == []
    await on.live.stop()


@played
async def test_a_pocket_that_is_not_on_the_wheel_is_a_fault_and_no_result(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.drop()
    await on.rest("00")
    assert on.live.run.state.wheel_fault == "wrong-wheel"
    assert on.happened(e.SpinFinished)[0].pocket is None
    assert on.refusals() == []
    await on.live.stop()


@every_game
@played
async def test_a_spin_that_ends_nowhere_voids_the_round(tmp_path: Path, game: Game) -> None:
    on = await on_wheel(tmp_path, game)
    await begin(on)
    await on.drop()
    await on.rest(None, at_rest=False)
    assert [voided.cause for voided in on.happened(e.RoundVoided)] == ["no-compartment"]
    await on.live.stop()


@played
async def test_a_fault_from_before_a_restart_is_over_when_the_wheel_waits(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    await on.say(LOST)
    fresh = OnWheel(on.live, MBS)
    await fresh.ready()
    assert on.live.run.state.wheel_fault is None
    assert on.refusals() == []
    await on.live.stop()
