"""A source of spins that fails or comes at the wrong time, and commands of a wheel that come too late."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.feed import WheelFeed
from croupier.wheel.signals import BallInRim, Ready, Signal
from floor.sim_live import played, turns
from table.rig import DEALER
from table.scenes import MBS, RWS_A
from wheel.wheel_rig import SeenClock, begin, on_wheel


@pytest.mark.parametrize("failure", ["failures_before", "failures_after"])
@played
async def test_a_command_that_was_not_registered_is_sent_again_with_its_number(
    tmp_path: Path, failure: str
) -> None:
    on = await on_wheel(tmp_path, MBS)
    await begin(on)
    await on.drop()
    setattr(on.live.store, failure, 1)
    resting = asyncio.create_task(on.rest("17"))
    while not resting.done():
        await turns(5)
        on.live.clock.advance(500)
    (entered,) = on.happened(e.ResultEntered) or [None]
    assert on.live.run.state.round is not None
    assert on.live.run.state.round.result == "17"
    assert on.live.kinds().count("spin-finished") == 1
    assert on.live.kinds().count("result-entered") == 1
    assert entered is None or entered.result == "17"
    await on.live.stop()


@played
async def test_what_was_meant_for_a_round_is_not_sent_into_the_next(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, RWS_A)
    await begin(on)
    await on.drop()
    on.live.store.failures_before = 1
    resting = asyncio.create_task(on.rest("17"))
    await turns()
    assert not resting.done()
    await on.live.do(DEALER, c.DeclareIrregularity(cause="interference"))
    await on.live.do(DEALER, c.OpenRound())
    await on.live.do(DEALER, c.CloseBets())
    await on.live.do(DEALER, c.StartSpin())
    on.live.clock.advance(500)
    await resting
    running = on.live.run.state.round
    assert running is not None
    assert (running.number, running.phase, running.result) == (2, "spinning", None)
    assert running.spin is not None
    assert running.spin.finished_by is None
    await on.live.stop()


@played
async def test_a_game_is_started_where_the_table_would_take_a_spin(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    started: list[str] = []

    async def start() -> None:
        started.append("game")

    on.source.start_game = start  # type: ignore[method-assign]  # the wheel only notes that it was asked
    for do, code in ((None, "no-round"), (c.OpenRound(), "bets-open")):
        if do is not None:
            await on.live.do(DEALER, do)
        found = await on.feed.start_game()
        assert found is not None
        assert found.code == code
    await on.live.do(DEALER, c.CloseBets())
    assert await on.feed.start_game() is None
    assert started == ["game"]
    await on.live.stop()


class _Breaks:
    async def __aiter__(self) -> AsyncIterator[Signal]:
        yield Ready(at_ms=0, pockets=37)
        yield BallInRim(at_ms=0)
        raise RuntimeError("a bug")

    async def start_game(self) -> None: ...

    async def close(self) -> None: ...


@played
async def test_a_source_that_breaks_leaves_the_table_with_a_fault(tmp_path: Path) -> None:
    on = await on_wheel(tmp_path, MBS)
    with pytest.raises(RuntimeError, match="a bug"):
        await WheelFeed(on.live.run, _Breaks(), on.live.clock).run()
    assert on.live.run.state.wheel_fault == "source-failed"
    await on.live.stop()


class _FailsThrice:
    """A source that fails at once, again, after it has waited for a spin, and then not any more."""

    def __init__(self) -> None:
        self.began = 0
        self._closed = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[Signal]:
        self.began += 1
        if self.began < 3:
            raise RuntimeError("a bug")
        yield Ready(at_ms=0, pockets=37)
        if self.began == 3:
            raise RuntimeError("another bug")
        await self._closed.wait()

    async def start_game(self) -> None: ...

    async def close(self) -> None:
        self._closed.set()


@played
async def test_a_source_that_has_failed_is_listened_to_again_each_time_a_little_later(tmp_path: Path) -> None:
    on, source, clock = await on_wheel(tmp_path, MBS), _FailsThrice(), SeenClock(0)
    running = asyncio.create_task(WheelFeed(on.live.run, source, clock).keep_running())
    for count, pause_ms in enumerate((1_000, 2_000, 4_000), 1):
        await clock.step(pause_ms)
        assert source.began == count
    while len(on.happened(e.WheelReported)) < 4:
        await turns()
    faults = [report.fault for report in on.happened(e.WheelReported)]
    assert faults == ["source-failed", None, "source-failed", None]
    await source.close()
    await running
    await on.live.stop()
