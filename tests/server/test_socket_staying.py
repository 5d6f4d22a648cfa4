"""Connections come and go; nobody loses or doubles anything by it."""

import asyncio
import json
import socket as plain
from collections.abc import Callable
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from croupier.client import Connection, Ended
from croupier.client.bot import Bot
from croupier.floor.house.log import HOUSE_STREAM
from croupier.journal import StoreError, open_store
from croupier.protocol.asking import VERSION
from croupier.server import hub, socket
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import SHIFT, FloorRig, Heard, a_floor, done, refused


@played
async def test_a_lost_connection_resumes_where_it_stopped(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat(told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            seat._socket.transport.abort()
            await rig.do("R1", c.OpenRound())
            await rig.do("R1", c.CloseBets())
            await seat.until(lambda seen: seen.table.round and seen.table.round.phase == "closed")
            assert seat.welcome.resumed
            assert heard.kinds == ["credits-bought", "round-opened", "bets-closed"]


@played
async def test_who_was_away_too_long_gets_a_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "KEPT_FOR_RESUMING", 1)
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard = Heard()
        async with await rig.seat(told=heard) as seat:
            await done(seat, c.BuyCredits(seat="1", cents=100_00))
            seat._socket.transport.abort()
            await rig.do("R1", c.OpenRound())
            await rig.do("R1", c.CloseBets())
            await seat.until(lambda seen: seen.table.round and seen.table.round.phase == "closed")
            assert not seat.welcome.resumed
            assert heard.kinds == ["credits-bought"]
            assert seat.seat.credits_cents == 100_00


@played
async def test_a_gap_is_closed_by_a_new_snapshot(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat() as seat:
            seat.seat = None
            await seat.resync()
            await seat.until(lambda seen: seen.seat is not None)


@played
async def test_a_command_under_way_when_the_line_breaks_is_carried_out_once(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        async with await rig.seat() as seat:
            for _ in range(10):
                sending = asyncio.create_task(seat.send(c.BuyCredits(seat="1", cents=1_00)))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                if seat._socket is not None:
                    seat._socket.transport.abort()
                assert (await sending).refused is None
            assert live.runner.state.credits_cents("1") == 10_00
            assert seat.reconnects == 10


@played
async def test_a_slow_client_is_told_a_snapshot_and_holds_nobody_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "MOST_WAITING_BYTES", 20_000)
    async with a_floor(tmp_path, send_buffer=4096) as rig:
        live = await rig.open_table()
        slow = plain.socket()
        slow.setsockopt(plain.SOL_SOCKET, plain.SO_RCVBUF, 4096)
        slow.setblocking(False)
        port = int(rig.base_url.rpartition(":")[2])
        await asyncio.get_running_loop().sock_connect(slow, ("127.0.0.1", port))
        async with connect(rig.socket_url, sock=slow, max_queue=1, compression=None) as idle:
            token = await rig.token("display", "R1")
            hello = {"type": "hello", "version": VERSION, "token": token, "audience": "display"}
            await idle.send(json.dumps(hello))
            async with await rig.seat() as quick:
                reason = "Long enough to fill what waits for a client that does not read. " * 20
                while not any(listener.is_behind for listener in live.hub.displays):
                    await rig.do("R1", c.ChangeLimits(limits=live.runner.state.limits, reason=reason))
                await rig.do("R1", c.OpenRound())
                await quick.until(lambda seen: seen.table.round is not None)
            kind, seen = "", 0
            while seen < live.hub.sequence:  # now it reads, and is brought up to date at once
                message = json.loads(await idle.recv())
                kind, seen = message["type"], message.get("seq", seen)
            assert kind == "snapshot"
            assert message["table"]["round"]["number"] == 1


@played
async def test_a_revoked_device_is_cut_off_at_once(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("1") as seat, await rig.seat("2") as other:
            device = next(d for d in rig.floor.access.devices() if d.seat == "1")
            assert await rig.floor.access.revoke(SHIFT, device.id, "It was stolen.") is None
            with pytest.raises(Ended, match="signed-out"):
                await seat.until(lambda seen: False)
            assert other.is_connected
            with pytest.raises(Ended, match="unknown-token"):
                async with await rig.seat("1"):
                    pass


@played
async def test_nobody_plays_on_where_it_cannot_be_known_who_was_sent_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The office may be out of reach while the tables, at another server, are not."""

    async def unreadable() -> None:
        raise StoreError("It cannot be reached.")

    monkeypatch.setattr("croupier.server.access.access._UNREAD_SECONDS", 0.2)
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        access = rig.floor.access
        async with await rig.seat("1") as seat, await rig.console() as console:
            with monkeypatch.context() as broken:
                broken.setattr(access._office, "catch_up", unreadable)
                with pytest.raises(StoreError):
                    await access.tend()
                assert access.is_current, "for a moment"
                await until(lambda: not access.is_current)
                assert await refused(seat, c.CallAttendant(seat="1")) == "office-unread"
                assert await refused(console, c.OpenRound()) == "office-unread"
                await until(lambda: "no commands are taken" in caplog.text)
            await until(lambda: access.is_current)
            await done(seat, c.CallAttendant(seat="1"))


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.02)


@played
async def test_who_signs_out_is_cut_off_at_once(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        token = await rig.sign_in("dee")
        async with Connection(rig.socket_url, token, "console", "R1") as console:
            await rig.floor.access.sign_out(token)
            with pytest.raises(Ended, match="signed-out"):
                await console.until(lambda seen: False)


@played
async def test_a_seat_has_one_screen_and_it_is_the_latest(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat() as first, await rig.seat() as second:
            with pytest.raises(Ended, match="replaced"):
                await first.until(lambda seen: False)
            await done(second, c.BuyCredits(seat="1", cents=100))


@played
async def test_a_terminal_that_stays_away_loses_its_seat_until_it_is_back(tmp_path: Path) -> None:
    async with a_floor(tmp_path, away_seconds=0.05) as rig:
        live = await rig.open_table()
        async with await rig.seat():
            pass
        async with await rig.console() as console:
            await console.until(
                lambda seen: any(line.seat == "1" and line.lost for line in seen.console.seats)
            )
            async with await rig.seat() as seat:
                await seat.until(lambda seen: not seen.seat.lost)
                await console.until(
                    lambda seen: any(
                        line.seat == "1" and not line.lost and line.connected for line in seen.console.seats
                    )
                )
        assert not live.runner.state.seats["2"].lost


@played
async def test_a_device_waits_for_a_table_that_does_not_run_yet(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "journal.db"))
    async with a_floor(tmp_path, store=store) as rig:
        await rig.open_table()
        token = await rig.token()
    async with a_floor(tmp_path, store=store) as rig:
        seat = Connection(rig.socket_url, token, "seat")
        coming = asyncio.create_task(seat.__aenter__())
        await eventually(lambda: seat.reconnects > 0)
        await rig.floor.open_table("R1")
        await coming
        assert seat.seat.seat == "1"
        await seat.close()
    store.close()


@played
async def test_a_display_that_stays_away_is_written_down_and_so_is_its_return(tmp_path: Path) -> None:
    async with a_floor(tmp_path, away_seconds=0.05) as rig:
        await rig.open_table()

        def noted() -> list[str]:
            return [record.kind for record in rig.floor.store.read(HOUSE_STREAM)]

        async with await rig.display():
            pass
        await eventually(lambda: noted() == ["device-lost"])
        async with await rig.display():
            await eventually(lambda: noted() == ["device-lost", "device-found"])


@played
async def test_a_restart_under_load_loses_nothing(tmp_path: Path) -> None:
    """Players bet, the server stops and starts again under them, and every ledger agrees with the journal."""
    store = open_store(str(tmp_path / "journal.db"))
    try:
        async with a_floor(tmp_path, store=store) as rig:
            live = await rig.open_table(seats=8)
            port = int(rig.base_url.rpartition(":")[2])
            bets = list(live.runner.rules.layout.bets.values())
            bots = [
                Bot(rig.socket_url, await rig.token(seat=str(n)), str(n), bets, seed=n, think_seconds=0)
                for n in range(1, 9)
            ]
            playing = [asyncio.create_task(bot.play()) for bot in bots]
            await _rounds(rig, 3)
            await rig.do("R1", c.OpenRound())
            await _until_bets(rig, 2)
        numbers = rig._number
        async with a_floor(tmp_path, store=store, port=port) as rig:
            rig._number = numbers
            live = await rig.floor.open_table("R1")
            await _until_bets(rig, 1)
            if live.runner.state.awaits_outcome:
                raise AssertionError("a short interruption leaves bets open")
            await _until_connected(rig, 8)
            for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="0"), c.ConfirmResult(result="0")):
                await rig.do("R1", do)
            await _rounds(rig, 3)
            state = await live.runner.consistent_state()
            await eventually(lambda: all(bot.books_cents == state.credits_cents(bot.seat) for bot in bots))
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            for bot in bots:
                assert bot.connection.reconnects >= 1
                assert bot.bets_registered > 0
    finally:
        store.close()


async def eventually(holds: Callable[[], bool]) -> None:
    """Waits for what other tasks still have to do; the test's patience ends it."""
    while not holds():
        await asyncio.sleep(0.01)


async def _rounds(rig: FloorRig, count: int) -> None:
    for _ in range(count):
        await rig.do("R1", c.OpenRound())
        await _until_bets(rig, 8)
        for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17")):
            await rig.do("R1", do)


async def _until_bets(rig: FloorRig, seats: int) -> None:
    runner = rig.floor.tables["R1"].runner
    while runner.state.round is None or len(runner.state.round.playing) < seats:
        await asyncio.sleep(0.01)


async def _until_connected(rig: FloorRig, seats: int) -> None:
    while len(rig.floor.tables["R1"].hub.seats) < seats:
        await asyncio.sleep(0.01)


@played
async def test_a_stop_tells_everybody_and_rounds_that_run_may_end(tmp_path: Path) -> None:
    heard = Heard()
    async with a_floor(tmp_path, drain_seconds=5) as rig:
        await rig.open_table()
        seat = await rig.seat(told=heard)
        await seat.__aenter__()
        for do in (c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="17")):
            await rig.do("R1", do)
        rig.stop.set()
        await seat.until(lambda seen: seen.table.rounds_left is not None)
        await rig.do("R1", c.ConfirmResult(result="17"))
        await seat.until(lambda seen: not seen.is_connected)
        await seat.close()
    assert "last-round-announced" in heard.kinds
    assert heard.kinds[-1] == "round-settled"
