"""What the pit is told of each table beside what everybody sees there, and how it changes something."""

from pathlib import Path

from clauses import clause
from croupier.client import Connection
from croupier.protocol.asking import Second
from croupier.protocol.views import PitLine
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import PASSWORD, a_floor, done, refused
from table.rig import wide_limits

MONEY = "rws-money-wheel"


def _line(pit: Connection, table: str) -> PitLine | None:
    return pit.pit.get(table)


def _boxes(pit: Connection) -> list[tuple[str, int]] | None:
    line = _line(pit, "M1")
    return None if line is None else [(box.bet, box.excess_cents) for box in line.boxes]


@clause("rws-money-wheel:5.1")
@played
async def test_the_pit_sees_boxes_over_their_maximum_and_no_others(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        limits = wide_limits(Rules(load_book(MONEY)), 500, 10_000)
        await rig.open_table("M1", MONEY, limits=limits)
        async with await rig.pit() as pit:
            assert _boxes(pit) == []
            await rig.do("M1", c.OpenRound())
            await rig.do("M1", c.BuyCredits(seat="1", cents=50_000))
            under, full = c.Stake("symbol:10", 100), c.Stake("symbol:20", 10_000)
            await rig.do("M1", c.PlaceBets(seat="1", stakes=(under, full, c.Stake("symbol:5", 12_500))))
            await pit.until(lambda seen: _boxes(seen) == [("symbol:5", 2_500)])
            await rig.do("M1", c.RejectExcess(bet="symbol:5"))
            await pit.until(lambda seen: _boxes(seen) == [])


@played
async def test_the_pit_changes_limits_at_the_table_itself_and_is_told_of_them(tmp_path: Path) -> None:
    """It only watches; whoever sits there asks at the table, as any console does, and is judged like one."""
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        tight = wide_limits(live.runner.rules, 100, 20_000)
        change = c.ChangeLimits(limits=tight, reason="a quiet hour")
        beside = {"second": Second(name="dee", password=PASSWORD)}
        async with await rig.pit("max") as pit, await rig.console("max") as console:
            assert await refused(pit, change) == "only-watching"
            assert await refused(console, change) == "second-person"
            await done(console, c.OpenRound())
            assert await refused(console, change, **beside) == "round-running"
            await done(console, c.CloseBets())
            await done(console, c.CallNoSpin(reason="a test"))
            await done(console, change, **beside)
            await pit.until(
                lambda seen: (line := _line(seen, "R1")) is not None and line.view.limits == tight
            )
        async with await rig.seat("1") as seat:
            assert seat.table is not None
            assert seat.table.limits == tight
