"""Recovery: a table that was gone does in every phase what the rules on technical interruption say."""

import asyncio
from pathlib import Path

import pytest

from clauses import clause
from croupier.floor import Ask
from croupier.table import State
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, answers, played, turns
from table.rig import DEALER, SHIFT_MANAGER, START_MS, SUPERVISOR, player

GRACE_MS = 10_000
LONG_MS, SHORT_MS = 60_000, 3_000


async def in_phase(path: Path, phase: str, **chosen: object) -> Live:
    """A table that has come to a phase of its second round, with a bet in it."""
    live = await Live(path, **{"betting_seconds": None, "grace_seconds": GRACE_MS // 1000, **chosen}).start()
    await live.open("1")
    await live.do(DEALER, c.OpenRound())
    await live.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="practice", round=1))
    steps = [
        ("betting", c.OpenRound()),
        ("closed", c.CloseBets()),
        ("spinning", c.StartSpin()),
        ("resulted", c.EnterResult(result="7")),
        ("settled", c.ConfirmResult(result="7")),
    ]
    for reached, step in steps if phase != "idle" else []:
        await live.do(DEALER, step)
        if reached == "betting":
            assert await answers(live.bet("1", "straight:7", 1_000)) == [None]
        if reached == phase:
            break
    return live


async def gone_for(live: Live, ms: int, *, in_order: bool = True) -> e.TableInterrupted:
    """Stops the table and starts it some time later; gives what was recorded about it."""
    if in_order:
        await live.run.stop()
    else:
        drop(live)
    live.clock.advance(ms)
    await live.start()
    interrupted: e.TableInterrupted = await live.until(e.TableInterrupted)
    return interrupted


def drop(live: Live) -> None:
    """Leaves the process as a kill does: nothing is finished and nothing is kept."""
    for task in live.run._tasks:
        task.cancel()


async def state_of(live: Live) -> State:
    """The table as its screens and its journal have it."""
    state = await live.run.settled_state()
    assert state == live.replayed()
    return state


@pytest.mark.parametrize("phase", ["idle", "settled"])
@played
async def test_between_rounds_nothing_follows(tmp_path: Path, phase: str) -> None:
    live = await in_phase(tmp_path, phase)
    interrupted = await gone_for(live, LONG_MS)
    assert (interrupted.phase, interrupted.consequence) == ("idle", "none")
    await live.do(DEALER, c.OpenRound())
    await live.stop()


@played
async def test_a_short_interruption_leaves_open_bets_running(tmp_path: Path) -> None:
    live = await in_phase(tmp_path, "betting")
    interrupted = await gone_for(live, SHORT_MS)
    assert (interrupted.phase, interrupted.consequence) == ("betting", "continue")
    assert await answers(live.bet("1", "straight:7", 1_000)) == [None]
    assert (await state_of(live)).seats["1"].stakes == {"straight:7": 2_000}
    await live.stop()


@clause("mbs-roulette:5.13.1")
@played
async def test_a_long_interruption_with_open_bets_voids_the_round(tmp_path: Path) -> None:
    live = await in_phase(tmp_path, "betting")
    interrupted = await gone_for(live, LONG_MS)
    assert (interrupted.consequence, interrupted.clause) == ("void", "mbs-roulette:5.13.1")
    state = await state_of(live)
    assert state.round is None
    assert state.credits_cents("1") == 100_000
    assert live.kinds()[-3:] == ["table-interrupted", "seat-returned", "round-voided"]
    await live.stop()


@pytest.mark.parametrize(("ms", "consequence"), [(GRACE_MS - 1, "continue"), (GRACE_MS, "void")])
@played
async def test_the_grace_period_is_the_border(tmp_path: Path, ms: int, consequence: str) -> None:
    live = await in_phase(tmp_path, "betting")
    assert (await gone_for(live, ms)).consequence == consequence
    await live.stop()


@clause("mbs-roulette:5.13.2")
@pytest.mark.parametrize("ms", [SHORT_MS, LONG_MS])
@played
async def test_a_registered_result_is_concluded(tmp_path: Path, ms: int) -> None:
    live = await in_phase(tmp_path, "resulted")
    interrupted = await gone_for(live, ms)
    assert (interrupted.consequence, interrupted.clause) == ("conclude", "mbs-roulette:5.13.2")
    await live.do(DEALER, c.ConfirmResult(result="7"))
    assert (await state_of(live)).credits_cents("1") == 100_000 + 35_000
    await live.stop()


@clause("mbs-roulette:5.13.1", "mbs-roulette:5.13.2")
@pytest.mark.parametrize("ms", [SHORT_MS, LONG_MS])
@pytest.mark.parametrize(("outcome", "credits_cents"), [("7", 135_000), ("8", 99_000), (None, 100_000)])
@played
async def test_a_spin_without_a_result_waits_for_a_supervisor(
    tmp_path: Path, ms: int, outcome: str | None, credits_cents: int
) -> None:
    live = await in_phase(tmp_path, "spinning")
    interrupted = await gone_for(live, ms)
    assert (interrupted.phase, interrupted.consequence) == ("spinning", "wait")
    assert await live.refused(DEALER, c.EnterResult(result="7")) == "outcome-awaited"
    assert await live.refused(DEALER, c.StateOutcome(result=outcome)) == "not-allowed"
    await live.do(SUPERVISOR, c.StateOutcome(result=outcome))
    state = await state_of(live)
    assert (state.round, state.credits_cents("1")) == (None, credits_cents)
    await live.stop()


@clause("mbs-roulette:5.13.1")
@pytest.mark.parametrize(("ms", "consequence"), [(SHORT_MS, "continue"), (LONG_MS, "void")])
@played
async def test_closed_bets_without_a_spin_go_on_or_are_void(
    tmp_path: Path, ms: int, consequence: str
) -> None:
    live = await in_phase(tmp_path, "closed")
    interrupted = await gone_for(live, ms)
    assert (interrupted.phase, interrupted.consequence) == ("closed", consequence)
    assert await live.refused(SUPERVISOR, c.StateOutcome(result="7")) == "no-outcome-awaited"
    await live.stop()


@played
async def test_a_second_interruption_still_waits_for_the_outcome(tmp_path: Path) -> None:
    live = await in_phase(tmp_path, "spinning")
    await gone_for(live, SHORT_MS)
    interrupted = await gone_for(live, LONG_MS)
    assert interrupted.consequence == "wait"
    await live.do(SUPERVISOR, c.StateOutcome(result="7"))
    assert (await state_of(live)).credits_cents("1") == 135_000
    await live.stop()


@clause("rws-roulette-000:3.5", "rws-roulette-000:5.1")
@pytest.mark.parametrize("ms", [SHORT_MS, LONG_MS])
@played
async def test_a_ball_that_rolls_while_bets_are_open_closes_them(tmp_path: Path, ms: int) -> None:
    live = await in_phase(tmp_path, "betting", book="rws-roulette-000")
    await live.do(DEALER, c.StartSpin())
    interrupted = await gone_for(live, ms)
    assert (interrupted.phase, interrupted.consequence) == ("betting", "wait")
    assert await answers(live.bet("1", "straight:7", 1_000)) == ["bets-closed"]
    await live.stop()


@pytest.mark.parametrize("in_order", [True, False], ids=["stopped", "dropped"])
@played
async def test_the_interruption_has_its_length(tmp_path: Path, in_order: bool) -> None:
    live = await in_phase(tmp_path, "betting")
    live.clock.advance(500)
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    interrupted = await gone_for(live, 7_000, in_order=in_order)
    assert interrupted.began_ms == START_MS + 500
    assert interrupted.ended_ms == START_MS + 7_500
    await live.stop()


@played
async def test_the_heartbeat_tells_how_long_a_silent_table_was_really_gone(tmp_path: Path) -> None:
    """Nobody bet for a minute, and then it was gone for three seconds: the round goes on."""
    live = await in_phase(tmp_path, "betting")
    live.clock.advance(60_000)
    while live.store.last_beat("T1") != START_MS + 60_000:
        await turns(1)
    interrupted = await gone_for(live, 3_000, in_order=False)
    assert (interrupted.began_ms, interrupted.ended_ms) == (START_MS + 60_000, START_MS + 63_000)
    assert interrupted.consequence == "continue"
    await live.stop()


@played
async def test_a_table_that_was_never_used_was_not_interrupted(tmp_path: Path) -> None:
    live = await Live(tmp_path).start()
    await live.run.stop()
    live.clock.advance(LONG_MS)
    await live.start()
    assert live.kinds() == ["table-created"]
    await live.stop()


@pytest.mark.parametrize("sender", ["terminal-1", "a new terminal"])
@played
async def test_commands_come_after_the_interruption_however_early_they_are_sent(
    tmp_path: Path, sender: str
) -> None:
    live = await in_phase(tmp_path, "betting")
    await live.run.stop()
    live.clock.advance(SHORT_MS)
    live.run = live.runner()
    starting = asyncio.create_task(live.run.start())
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))
    while True:
        reply = await live.run.submit(Ask(player("1"), bet, sender, 99))
        if reply.rejection is None or reply.rejection.code != "table-down":
            break
        await asyncio.sleep(0)
    await starting
    assert live.kinds()[-2:] == ["table-interrupted", "bets-changed"]
    await live.stop()


@played
async def test_a_clock_that_was_set_back_says_nothing_about_the_length_of_an_interruption(
    tmp_path: Path,
) -> None:
    live = await in_phase(tmp_path, "betting")
    live.clock.advance(5_000)
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.run.stop()
    live.clock.advance(-4_000)
    await live.start()
    interrupted = await live.until(e.TableInterrupted)
    assert interrupted.began_ms == interrupted.ended_ms
    assert not interrupted.length_known
    # Nobody can say that it was shorter than the time of grace, and what was to close bets is far off.
    assert interrupted.consequence == "void"
    assert live.run.state.round is None
    await live.stop()


@played
async def test_a_machine_whose_clock_is_a_little_behind_goes_on_with_the_round(tmp_path: Path) -> None:
    live = await in_phase(tmp_path, "betting")
    live.clock.advance(5_000)
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.run.stop()
    live.clock.advance(-500)
    await live.start()
    interrupted = await live.until(e.TableInterrupted)
    assert interrupted.began_ms == interrupted.ended_ms
    assert interrupted.length_known
    assert interrupted.consequence == "continue"
    await live.stop()


@played
async def test_a_clock_that_was_put_right_once_tells_how_long_the_next_one_is(
    tmp_path: Path,
) -> None:
    live = await Live(tmp_path).start()
    await live.open("1")
    await live.run.stop()
    live.clock.advance(-3_600_000)
    await live.start()
    live.clock.advance(600_000)
    await live.do(DEALER, c.OpenRound())
    assert await answers(live.bet("1", "red", 1_000)) == [None]
    await live.run.stop()
    live.clock.advance(SHORT_MS)
    await live.start()
    interrupted = [
        each.entry.event for each in live.published if type(each.entry.event) is e.TableInterrupted
    ]
    assert [each.length_known for each in interrupted] == [False, True]
    assert interrupted[1].ended_ms - interrupted[1].began_ms == SHORT_MS
    assert interrupted[1].consequence == "continue"
    assert live.run.state.round is not None
    await live.stop()
