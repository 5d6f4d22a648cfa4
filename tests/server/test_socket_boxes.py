"""What a seat is told about the betting boxes of its game: sums over all players, and nobody's own stakes."""

import json
from pathlib import Path

from websockets.asyncio.client import connect

from clauses import clause
from croupier.client import Connection
from croupier.protocol.asking import VERSION
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import a_floor, done

MONEY = "rws-money-wheel"


async def _bets(seat: Connection, bet: str, cents: int) -> None:
    assert seat.seat is not None
    await done(seat, c.BuyCredits(seat=seat.seat.seat, cents=cents))
    await done(seat, c.PlaceBets(seat=seat.seat.seat, stakes=(c.Stake(bet, cents),)))


def _boxes(seat: Connection) -> dict[str, int] | None:
    assert seat.seat is not None
    return None if seat.seat.boxes_cents is None else dict(seat.seat.boxes_cents)


@clause("rws-money-wheel:3.5", "rws-money-wheel:5.1")
@played
async def test_a_seat_sees_how_full_the_boxes_are_over_all_players(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("M1", MONEY)
        async with await rig.seat("1", "M1") as one, await rig.seat("2", "M1") as two:
            assert _boxes(one) is None
            await rig.do("M1", c.OpenRound())
            await _bets(one, "symbol:5", 2500)
            await _bets(two, "symbol:5", 1000)
            await _bets(two, "symbol:10", 500)
            both = {"symbol:5": 3500, "symbol:10": 500}
            await one.until(lambda seen: _boxes(seen) == both)
            await two.until(lambda seen: _boxes(seen) == both)
            assert one.seat is not None
            assert dict(one.seat.stakes) == {"symbol:5": 2500}
            await done(two, c.TakeBets(seat="2", stakes=(c.Stake("symbol:10", 500),)))
            await one.until(lambda seen: _boxes(seen) == {"symbol:5": 3500})


@played
async def test_the_boxes_are_empty_when_the_round_is_over(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("M1", MONEY)
        async with await rig.seat("1", "M1") as one, await rig.seat("2", "M1") as two:
            await rig.do("M1", c.OpenRound())
            await _bets(two, "symbol:5", 1000)
            await one.until(lambda seen: _boxes(seen) == {"symbol:5": 1000})
            for step in (
                c.CloseBets(),
                c.StartSpin(),
                c.EnterResult(result="10"),
                c.ConfirmResult(result="10"),
            ):
                await rig.do("M1", step)
            await one.until(lambda seen: _boxes(seen) is None)


@played
async def test_who_was_cut_off_hears_what_lies_in_the_boxes_now(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("M1", MONEY)
        async with await rig.seat("1", "M1") as one, await rig.seat("2", "M1") as two:
            await rig.do("M1", c.OpenRound())
            await one.until(lambda seen: _boxes(seen) == {})
            one._socket.transport.abort()
            await _bets(two, "symbol:5", 1000)
            await one.until(lambda seen: _boxes(seen) == {"symbol:5": 1000})
            assert one.welcome is not None
            assert one.welcome.resumed


@played
async def test_a_seat_is_never_told_whose_bets_lie_in_a_box(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("M1", MONEY)
        token = await rig.token("terminal", "M1", "1")
        hello = {"type": "hello", "version": VERSION, "token": token, "audience": "seat"}
        async with connect(rig.socket_url, compression=None) as one, await rig.seat("2", "M1") as two:
            await one.send(json.dumps(hello))
            await rig.do("M1", c.OpenRound())
            await _bets(two, "symbol:5", 1000)
            heard = []
            while not heard or heard[-1] != {"type": "boxes", "boxes_cents": {"symbol:5": 1000}}:
                heard.append(json.loads(await one.recv()))
        views = [message["seat"] for message in heard if isinstance(message.get("seat"), dict)]
        assert {(view["seat"], view["staked_cents"]) for view in views} == {("1", 0)}
        assert not [m for m in heard if m["type"] == "event" and m["event"]["type"] == "bets-changed"]


@played
async def test_a_game_without_boxes_tells_a_seat_nothing_of_other_players(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table("R1", "mbs-roulette")
        async with await rig.seat("1", "R1") as one, await rig.seat("2", "R1") as two:
            await rig.do("R1", c.OpenRound())
            await _bets(two, "red", 1000)
            await one.resync()
            await _bets(one, "red", 500)
            assert _boxes(one) is None
