"""The clocks: one that tests drive, and the machine's, which never goes back."""

import asyncio
import time

import pytest

from croupier.floor import ManualClock, SystemClock
from croupier.floor.clock import MEETING
from floor.sim_live import played


@played
async def test_a_manual_clock_wakes_in_the_order_of_time() -> None:
    clock, woken = ManualClock(1_000), []

    async def sleeper(at_ms: int) -> None:
        await clock.sleep_until(at_ms)
        woken.append(at_ms)

    sleeping = [asyncio.create_task(sleeper(at_ms)) for at_ms in (3_000, 1_500, 2_000, 9_000)]
    await asyncio.sleep(0)
    clock.advance(2_500)
    await asyncio.gather(*sleeping[:3])
    assert woken == [1_500, 2_000, 3_000]
    assert not sleeping[3].done()
    sleeping[3].cancel()


@played
async def test_a_manual_clock_does_not_wake_early_and_lets_pass_what_is_due() -> None:
    clock = ManualClock(1_000)
    await clock.sleep_until(1_000)
    await clock.sleep_until(1)
    sleeping = asyncio.create_task(clock.sleep_until(2_000))
    await asyncio.sleep(0)
    clock.advance(999)
    await asyncio.sleep(0)
    assert not sleeping.done()
    clock.advance(1)
    await sleeping
    assert clock.now_ms() == 2_000


@played
async def test_who_does_not_wait_any_more_is_not_woken() -> None:
    clock = ManualClock(0)
    sleeping = asyncio.create_task(clock.sleep_until(10))
    await asyncio.sleep(0)
    sleeping.cancel()
    await asyncio.gather(sleeping, return_exceptions=True)
    clock.advance(10)
    assert clock.now_ms() == 10


def test_the_system_clock_goes_on_by_itself_while_the_machine_is_set_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, machine_ns, counted_ns = SystemClock(), [5_000_000_000], [0]
    monkeypatch.setattr(time, "time_ns", lambda: machine_ns[0])
    monkeypatch.setattr(time, "monotonic_ns", lambda: counted_ns[0])

    def after(seconds: int) -> int:
        machine_ns[0] += seconds * 10**9
        counted_ns[0] += seconds * 10**9
        return clock.now_ms()

    assert clock.now_ms() == 5_000
    assert after(1) == 6_000
    assert clock.ahead_ms() == 0
    machine_ns[0] -= 60 * 10**9  # by a minute
    assert after(0) == 6_000
    assert clock.ahead_ms() == 60_000
    assert after(10) == 15_900  # a little slower than it is, so that the machine's catches up
    assert after(90) == 105_000
    # Of the minute it was ahead by, each second takes back a hundredth.
    assert after(5_900) == 5_946_000 == machine_ns[0] // 10**6
    assert clock.ahead_ms() == 0
    assert 60 * MEETING == 10 + 90 + 5_900
    assert after(7) == 5_953_000


@played
async def test_the_system_clock_sleeps_until_the_time_has_come() -> None:
    clock = SystemClock()
    due_ms = clock.now_ms() + 2
    await clock.sleep_until(due_ms)
    assert clock.now_ms() >= due_ms
    await clock.sleep_until(due_ms - 1_000_000)
