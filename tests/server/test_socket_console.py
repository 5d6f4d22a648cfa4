"""What a console is shown beside what everybody sees."""

from pathlib import Path

from croupier.client import Connection
from croupier.protocol.views import SeatLine
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import a_floor, done


@played
async def test_a_console_sees_the_stakes_of_players_who_have_no_terminal(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("M1", "rws-money-wheel")
        async with await rig.console("dee", "M1") as console:
            await done(console, c.OpenRound())
            await done(console, c.BuyCredits(seat="1", cents=5000))
            await done(console, c.PlaceBets(seat="1", stakes=(c.Stake("symbol:5", 2500),)))
            await console.until(lambda seen: _stakes(seen, "1") == {"symbol:5": 2500})
            assert _stakes(console, "2") == {}
        async with await rig.console("dan", "M1") as other:
            assert _stakes(other, "1") == {"symbol:5": 2500}


@played
async def test_stakes_at_terminals_are_shown_as_sums_and_by_spot(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", "mbs-roulette")
        async with await rig.console("dee", "R1") as console, await rig.seat("1", "R1") as terminal:
            await done(console, c.OpenRound())
            await done(terminal, c.BuyCredits(seat="1", cents=5000))
            await done(terminal, c.PlaceBets(seat="1", stakes=(c.Stake("red", 2500),)))
            await console.until(lambda seen: _line(seen, "1").staked_cents == 2500)
            assert _stakes(console, "1") == {}
            assert console.console is not None
            assert console.console.stakes is not None
            assert dict(console.console.stakes.spots) == {"red": 2500}


def _line(console: Connection, seat: str) -> SeatLine:
    assert console.console is not None
    return next(line for line in console.console.seats if line.seat == seat)


def _stakes(console: Connection, seat: str) -> dict[str, int]:
    return dict(_line(console, seat).stakes)
