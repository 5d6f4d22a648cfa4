"""Spins by hand: the dealer's console runs a whole round, and no source says a word."""

import asyncio
from pathlib import Path

import pytest

from clauses import clause
from croupier.table import commands as c
from croupier.table import events as e
from croupier.wheel.feed import WheelFeed
from croupier.wheel.hand import HandSource
from floor.sim_live import played
from table.rig import DEALER
from table.scenes import MBS, MONEY_WHEEL, RWS_000, RWS_A, RWS_B, Game
from wheel.wheel_rig import on_wheel


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(MBS, marks=clause("mbs-roulette:3.6", "mbs-roulette:3.8")),
        pytest.param(RWS_A, marks=clause("rws-roulette-00:3.6", "rws-roulette-00:3.7")),
        pytest.param(RWS_B, marks=clause("rws-roulette-00:3.6", "rws-roulette-00:3.7")),
        pytest.param(RWS_000, marks=clause("rws-roulette-000:3.6", "rws-roulette-000:3.7")),
        pytest.param(MONEY_WHEEL, marks=clause("rws-money-wheel:3.7", "rws-money-wheel:3.8")),
    ],
)
@played
async def test_a_whole_round_by_hand_where_confirming_vouches_for_the_spin(
    tmp_path: Path, game: Game
) -> None:
    on = await on_wheel(tmp_path, game, spin_source="hand")
    source = HandSource()
    feed = asyncio.create_task(WheelFeed(on.live.run, source, on.live.clock).run())
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", game.bet, 1_000)
    steps = (c.CloseBets(), c.StartSpin(), c.EnterResult(result=game.wins), c.ConfirmResult(result=game.wins))
    for step in steps:
        await on.live.do(DEALER, step)

    (started,) = on.happened(e.SpinStarted)
    assert (started.ball, started.wheel, started.said_by) == (None, None, "dealer")
    assert on.happened(e.SpinFinished) == [], "revolutions nobody counted are in no record"
    assert on.happened(e.RoundSettled)[0].result == game.wins
    assert on.live.run.state.credits_cents("1") == 100_000 + 1_000 * game.pays
    await source.start_game()
    await source.close()
    await feed
    await on.live.stop()
