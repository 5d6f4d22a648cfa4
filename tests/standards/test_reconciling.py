"""Credits that do not fit the meters are neither played nor paid out: the table stops and calls somebody."""

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.table import State, check
from croupier.table import commands as c
from floor.sim_live import Live, played
from table.rig import DEALER, SUPERVISOR, player


def credits_appear(state: State) -> None:
    """A cent too many in memory, balanced so that only the meters can tell."""
    state.balances["credits/1"] += 1
    state.balances["cash"] -= 1


def a_meter_runs_on(state: State) -> None:
    state.seats["1"].meters.wins_cents += 1


def a_stake_grows(state: State) -> None:
    state.seats["1"].stakes["red"] += 1


DAMAGES = [credits_appear, a_meter_runs_on]


async def halted_without_a_trace(live: Live, records: list[str]) -> None:
    """The table has stopped, and its journal holds nothing but that."""
    state = await live.run.settled_state()
    assert state.halted is not None
    assert live.kinds() == [*records, "table-halted"]
    assert check(state) == []
    assert len(live.alarms) == 1


@pytest.mark.parametrize("damage", DAMAGES)
@played
async def test_no_bet_is_taken_on_credits_that_the_meters_do_not_give(
    tmp_path: Path, damage: Callable[[State], None]
) -> None:
    live = await Live(tmp_path).start()
    await live.open("1", "2")
    await live.do(DEALER, c.OpenRound())
    records = live.kinds()
    damage(await live.run.settled_state())
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),))
    assert await live.refused(player("1"), bet) == "table-down"
    await halted_without_a_trace(live, records)
    assert await live.refused(player("2"), c.BuyCredits(seat="2", cents=100)) == "table-halted"
    await live.stop()


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("by", ["voucher", "attendant"])
@played
async def test_no_money_leaves_on_credits_that_the_meters_do_not_give(
    tmp_path: Path, damage: Callable[[State], None], by: str
) -> None:
    live = await Live(tmp_path).start()
    await live.open("1", cents=100_000 if by == "voucher" else 500_001)
    records = live.kinds()
    damage(await live.run.settled_state())
    if by == "voucher":
        refused = await live.refused(player("1"), c.CashOut(seat="1", voucher="1"))
    else:
        refused = await live.refused(SUPERVISOR, c.PayByAttendant(seat="1"))
    assert refused == "table-down"
    await halted_without_a_trace(live, records)
    assert live.replayed().seats["1"].meters.credits_cents == live.replayed().credits_cents("1")
    await live.stop()


@pytest.mark.parametrize("damage", [*DAMAGES, a_stake_grows])
@played
async def test_no_round_is_settled_on_books_that_do_not_fit(
    tmp_path: Path, damage: Callable[[State], None]
) -> None:
    live = await Live(tmp_path).start()
    await live.open("1")
    await live.do(DEALER, c.OpenRound())
    await live.do(player("1"), c.PlaceBets(seat="1", stakes=(c.Stake("red", 1_000),)))
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="7")):
        await live.do(DEALER, do)
    records = live.kinds()
    damage(await live.run.settled_state())
    assert await live.refused(DEALER, c.ConfirmResult(result="7")) == "table-down"
    await halted_without_a_trace(live, records)
    await live.stop()
