"""The betting time: a warning, the close, and whoever is first."""

import asyncio
from pathlib import Path
from typing import Any, cast

from clauses import clause
from croupier.floor.timing import next_due
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, answers, played, turns
from table.rig import DEALER, SENSOR


async def betting(path: Path, **chosen: object) -> Live:
    """A table whose bets are open for thirty seconds, with a warning five before the end."""
    live = await Live(path, **{"betting_seconds": 30, "warning_seconds": 5, **chosen}).start()
    await live.open()
    await live.do(DEALER, c.OpenRound())
    return live


@played
async def test_the_warning_comes_before_the_close(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.clock.advance(25_000)
    warned = await live.until(e.ClosingWarned)
    assert warned.seconds == 5
    assert "bets-closed" not in live.kinds()
    live.clock.advance(5_000)
    assert (await live.until(e.BetsClosed)).closed_by == "timer"
    await live.stop()


@played
async def test_nothing_comes_early(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.clock.advance(24_999)
    await turns()
    assert live.kinds()[-1] == "round-opened"
    live.clock.advance(1)
    await live.until(e.ClosingWarned)
    live.clock.advance(4_999)
    await turns()
    assert live.kinds()[-1] == "closing-warned"
    await live.stop()


@played
async def test_a_table_without_a_warning_only_closes(tmp_path: Path) -> None:
    live = await betting(tmp_path, warning_seconds=0)
    live.clock.advance(30_000)
    await live.until(e.BetsClosed)
    assert "closing-warned" not in live.kinds()
    await live.stop()


@played
async def test_time_that_jumps_over_both_gives_both_once(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.clock.advance(300_000)
    await live.until(e.BetsClosed)
    assert live.kinds()[-2:] == ["closing-warned", "bets-closed"]
    await turns()
    assert live.kinds()[-2:] == ["closing-warned", "bets-closed"]
    await live.stop()


@played
async def test_a_round_that_the_dealer_closed_first_is_not_closed_again(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    await live.do(DEALER, c.CloseBets())
    live.clock.advance(60_000)
    await turns()
    assert live.kinds()[-1] == "bets-closed"
    await live.stop()


@played
async def test_a_round_that_the_wheel_closed_first_is_not_closed_again(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    await live.do(SENSOR, c.CloseBets())
    live.clock.advance(60_000)
    await turns()
    assert (await live.until(e.BetsClosed)).closed_by == "wheel"
    assert live.kinds()[-1] == "bets-closed"
    await live.stop()


@clause("mbs-roulette:5.12")
@played
async def test_a_bet_at_the_end_of_the_time_is_late_although_nobody_has_closed_yet(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    live.clock.advance(30_000)
    late = live.bet("1", "red", 1_000)
    live.store.let_through()
    assert await answers(late) == ["bets-closed"]
    await live.stop()


@played
async def test_a_bet_that_waited_in_time_counts_although_it_is_decided_after_the_time(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.store.hold()
    first = live.bet("1", "red", 1_000)
    await live.store.reached()
    in_time = live.bet("1", "red", 1_000)
    await asyncio.sleep(0)
    live.clock.advance(30_000)
    live.store.let_through()
    assert await answers(first, in_time) == [None, None]
    await live.until(e.BetsClosed)
    assert live.replayed().seats["1"].staked_cents == 2_000
    await live.stop()


@played
async def test_every_round_has_a_time_of_its_own(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.clock.advance(20_000)
    await live.do(DEALER, c.CallNoSpin(reason="the ball fell"))
    await live.do(DEALER, c.OpenRound())
    live.clock.advance(24_000)
    await turns()
    assert live.kinds()[-1] == "round-opened"
    live.clock.advance(6_000)
    assert (await live.until(e.BetsClosed)).round == 2
    await live.stop()


@played
async def test_a_table_without_a_betting_time_is_closed_by_people_only(tmp_path: Path) -> None:
    live = await betting(tmp_path, betting_seconds=None)
    live.clock.advance(86_400_000)
    await turns()
    assert live.kinds()[-1] == "round-opened"
    assert next_due(await live.run.settled_state()) is None
    await live.stop()


@played
async def test_a_short_stop_in_the_middle_of_the_betting_leaves_its_time_as_it_was(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    live.clock.advance(10_000)
    assert await answers(live.bet("1", "red", 100)) == [None]
    await live.run.stop()
    live.clock.advance(5_000)
    await live.start()
    live.clock.advance(9_999)
    await turns()
    assert live.kinds()[-1] == "table-interrupted"
    live.clock.advance(1)
    await live.until(e.ClosingWarned)
    live.clock.advance(5_000)
    await live.until(e.BetsClosed)
    await live.stop()


@played
async def test_a_short_stop_over_the_end_of_the_betting_closes_at_once(tmp_path: Path) -> None:
    live = await betting(tmp_path, grace_seconds=20)
    live.clock.advance(24_000)
    assert await answers(live.bet("1", "red", 100)) == [None]
    await live.run.stop()
    live.clock.advance(10_000)
    await live.start()
    await live.until(e.BetsClosed)
    assert live.kinds()[-3:] == ["table-interrupted", "closing-warned", "bets-closed"]
    await live.stop()


@played
async def test_a_busy_table_is_warned_once_and_closed_in_time(tmp_path: Path) -> None:
    live = await betting(tmp_path)
    for _ in range(20):
        assert await answers(live.bet("1", "red", 100)) == [None]
        live.clock.advance(1_000)
    live.clock.advance(10_000)
    await live.until(e.BetsClosed)
    assert live.kinds().count("closing-warned") == 1
    await live.stop()


@played
async def test_the_time_of_a_round_does_not_close_the_next_one(tmp_path: Path) -> None:
    """The dealer calls "no spin" and opens the next round in the very moment in which the time is up."""
    live = await betting(tmp_path, warning_seconds=0)
    due, run = next_due(live.run.state), cast(Any, live.run)
    sent = [live.send(DEALER, c.CallNoSpin(reason="the ball fell")), live.send(DEALER, c.OpenRound())]
    giving = asyncio.create_task(run._give(due))
    assert await answers(*sent) == [None, None]
    assert not await giving
    round_ = live.replayed().round
    assert round_ is not None
    assert (round_.number, round_.phase) == (2, "betting")
    await live.stop()
