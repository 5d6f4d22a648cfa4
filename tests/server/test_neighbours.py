"""Several servers of one floor: who is connected where, what is lost, and what each of them sees to."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.client import Connection, Ended
from croupier.floor.house.integrity import IntegrityReport
from croupier.floor.house.integrity_watch import IntegrityWatch
from croupier.floor.house.log import DeviceFound, DeviceLost, HouseLog, WheelSuspected
from croupier.server.http.health import _tables
from croupier.server.running import _see_to_table, _see_to_wheel
from croupier.server.serving import _drain
from croupier.server.suspecting import Suspecting, WheelsWatched
from croupier.server.watching import MachineWatch
from croupier.server.wheels import simulated_wheel
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import played
from server.floor_rig import done
from server.neighbours_rig import AWAY_SECONDS, OneOfSeveral, Several, several
from server.test_suspecting import spin

LONG = 3 * AWAY_SECONDS


async def two(floor: Several, **settings: Any) -> tuple[OneOfSeveral, OneOfSeveral]:
    """Two servers; the first one runs a table with seats."""
    a, b = await floor.server("a"), await floor.server("b", ())
    await a.rig.open_table(**settings)
    await b.floor.open_table("R1")
    await floor.until(lambda: b.floor.neighbours.can_take_over and a.floor.neighbours.can_take_over)
    assert (a.runs(), b.runs()) == (True, False)
    return a, b


def is_lost(server: OneOfSeveral, seat: str = "1") -> bool:
    return server.floor.tables["R1"].runner.state.seats[seat].lost


def is_connected(seen: Connection, seat: str = "1") -> bool:
    return seen.console is not None and any(
        line.seat == seat and line.connected for line in seen.console.seats
    )


@played
async def test_a_console_sees_whose_terminal_is_connected_to_another_server(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        async with await a.rig.console() as console, await a.rig.pit() as pit:
            assert not is_connected(console)
            assert pit.pit["R1"].seats_connected == 0
            seat = await floor.seat(b)
            await console.until(is_connected)
            await a.rig.do("R1", c.OpenRound())
            await pit.until(lambda seen: seen.pit["R1"].seats_connected == 1)
            async with await a.rig.console("dan") as later:
                assert is_connected(later)
            await seat.close()
            await console.until(lambda seen: not is_connected(seen))


@played
async def test_a_terminal_that_moves_to_another_server_keeps_its_seat(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        for first, second in ((a, b), (b, a)):
            before = await floor.seat(first)
            after = await floor.seat(second)
            with pytest.raises(Ended, match="another screen") as ended:
                await before.until(lambda seen: False)
            assert ended.value.code == "replaced"
            await floor.pass_seconds(LONG)
            assert after.is_connected
            await done(after, c.BuyCredits(seat="1", cents=1_000))
            await before.close()
            await after.close()
        assert floor.happened(e.SeatLost, e.SeatRestored, e.CommandRefused) == []


@played
async def test_a_seat_is_lost_once_when_its_terminal_is_nowhere_and_restored_once(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        seat = await floor.seat(b)
        await floor.pass_seconds(LONG)
        assert floor.happened(e.SeatLost) == []
        await seat.close()
        await floor.until(lambda: is_lost(a) and is_lost(b))
        await floor.pass_seconds(LONG)
        back = await floor.seat(b)
        await floor.until(lambda: not is_lost(a) and not is_lost(b))
        await floor.pass_seconds(LONG)
        assert floor.happened(e.SeatLost, e.SeatRestored, e.CommandRefused) == [e.SeatLost, e.SeatRestored]
        await back.close()


@played
async def test_a_terminal_whose_server_dies_is_lost_and_restored_elsewhere(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        seat = await floor.seat(b)
        await floor.until(lambda: "1" in a.floor.neighbours.seats_elsewhere("R1"))
        b.die()
        await floor.until(lambda: is_lost(a))
        await seat.close()
        back = await floor.seat(a)
        await floor.until(lambda: not is_lost(a))
        await a.floor.tables["R1"].runner.consistent_state()  # what is decided may be on its way
        assert floor.happened(e.SeatLost, e.SeatRestored, e.CommandRefused) == [e.SeatLost, e.SeatRestored]
        await back.close()


@played
async def test_a_terminal_of_an_owner_that_dies_is_lost_by_whoever_takes_the_table(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        seat, stays = await floor.seat(a), await floor.seat(b, "2")
        await floor.pass_seconds(1)
        a.die()
        await floor.until(b.runs)
        await floor.until(lambda: is_lost(b))
        await seat.close()
        back = await floor.seat(b)
        await floor.until(lambda: not is_lost(b))
        await floor.pass_seconds(LONG)
        assert not is_lost(b, "2")
        assert floor.happened(e.SeatLost, e.SeatRestored, e.CommandRefused) == [e.SeatLost, e.SeatRestored]
        for connection in (stays, back):
            await connection.close()


@pytest.mark.parametrize(
    ("dealt", "is_left_alone"),
    [
        ((), True),
        ((c.OpenRound(),), True),
        ((c.OpenRound(), c.CloseBets()), True),
        ((c.OpenRound(), c.CloseBets(), c.StartSpin()), False),
    ],
    ids=("between rounds", "with bets open", "with bets closed", "during the spin"),
)
@played
async def test_an_interruption_that_leaves_the_table_as_it_was_leaves_what_players_read(
    tmp_path: Path, dealt: tuple[Any, ...], *, is_left_alone: bool
) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        for do in dealt:
            await a.rig.do("R1", do)
        sequence = a.floor.tables["R1"].runner.state.sequence
        async with await b.rig.display() as display:
            await display.until(lambda seen: seen.sequence == sequence)
            assert display.table is not None
            said = display.table.notice
            a.die()
            await display.until(lambda seen: seen.sequence > sequence)
            assert floor.happened(e.TableInterrupted)[-1:]
            assert (display.table.notice == said) is is_left_alone


@played
async def test_a_terminal_that_comes_back_before_its_time_is_over_is_never_lost(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        seat = await floor.seat(b)
        await floor.pass_seconds(1)
        b.die()
        await seat.close()
        back = await floor.seat(a)
        await floor.pass_seconds(LONG)
        assert floor.happened(e.SeatLost, e.CommandRefused) == []
        await back.close()


@played
async def test_seats_are_restored_when_servers_hear_each_other_again(tmp_path: Path) -> None:
    """The bus was away for longer than a terminal may be: nothing was wrong with the terminal."""
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        seat = await floor.seat(b)
        await floor.pass_seconds(1)
        b.bus.is_up = False
        await floor.until(lambda: is_lost(a))
        b.bus.is_up = True
        await floor.until(lambda: not is_lost(a) and not is_lost(b))
        assert seat.is_connected
        await done(seat, c.BuyCredits(seat="1", cents=1_000))
        assert floor.happened(e.SeatLost, e.SeatRestored, e.CommandRefused) == [e.SeatLost, e.SeatRestored]
        await seat.close()


@played
async def test_a_display_that_moves_is_not_noted_as_lost(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        first = await floor.display(a)
        await first.close()
        second = await floor.display(b)
        await floor.pass_seconds(LONG)
        assert floor.noted(DeviceLost, DeviceFound) == []
        await second.close()
        await floor.until(lambda: floor.noted(DeviceLost, DeviceFound) == [DeviceLost])
        third = await floor.display(a)  # not where it was lost
        await floor.until(lambda: floor.noted(DeviceLost, DeviceFound) == [DeviceLost, DeviceFound])
        await floor.pass_seconds(LONG)
        assert floor.noted(DeviceLost, DeviceFound) == [DeviceLost, DeviceFound]
        await third.close()


@played
async def test_a_server_that_stops_hands_its_tables_over_when_their_round_is_over(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        await a.rig.do("R1", c.OpenRound())
        draining = asyncio.create_task(_drain(a.floor, asyncio.Event(), 60))
        await floor.pass_seconds(2)
        assert (a.runs(), b.runs()) == (True, False)  # the round is played where it began
        for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7")):
            await a.rig.do("R1", do)
        await draining
        await floor.until(b.runs)
        assert not a.runs()
        assert floor.happened(e.LastRoundAnnounced) == []
        await a.rig.do("R1", c.OpenRound())  # whoever is still connected there plays on


@played
async def test_a_server_that_stops_alone_announces_the_last_round(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a = await floor.server("a")
        live = await a.rig.open_table()
        await a.rig.do("R1", c.OpenRound())
        draining = asyncio.create_task(_drain(a.floor, asyncio.Event(), 60))
        await floor.until(lambda: live.runner.state.rounds_left is not None)
        for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7")):
            await a.rig.do("R1", do)
        await draining
        assert floor.happened(e.LastRoundAnnounced) == [e.LastRoundAnnounced]
        assert a.runs()


@played
async def test_software_that_is_not_as_recorded_halts_the_tables_of_its_own_server(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        await b.rig.floor.neighbours.stop()
        other = await floor.server("c", ("R2",))
        await other.rig.open_table("R2")
        await a.floor.open_table("R2")
        await a.floor.halt_tables("The software is not as recorded.")
        await floor.until(lambda: a.floor.tables["R1"].runner.state.halted is not None)
        assert a.floor.tables["R2"].runner.state.halted is None
        assert floor.happened(e.TableHalted, table="R2") == []


@played
async def test_a_server_whose_software_is_not_as_recorded_halts_what_it_takes_over(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        integrity = IntegrityWatch(lambda: IntegrityReport(digest="00", faults=("A file has changed.",)))
        log = HouseLog(floor.store, floor.clock)
        watch = MachineWatch(log, None, integrity=integrity, halt=b.floor.halt_tables)
        await watch.look()
        b.floor.tables["R1"].followers.append(watch.follow)
        await a.rig.do("R1", c.OpenRound())
        assert floor.happened(e.TableHalted) == []  # the server that runs it has nothing wrong with it
        a.die()
        await floor.until(lambda: b.runs() and b.floor.tables["R1"].runner.state.halted is not None)


@played
async def test_a_sensor_wheel_speaks_to_the_server_that_runs_its_table(tmp_path: Path) -> None:
    lines: list[asyncio.StreamWriter] = []
    open_lines: list[int] = []

    async def wheel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines.append(writer)
        open_lines.append(len(lines))
        number = len(lines)
        while await reader.read(100):
            pass
        open_lines.remove(number)
        writer.close()

    server = await asyncio.start_server(wheel, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with several(tmp_path) as floor:
        a, b = await two(floor, spin_source="sensor")
        table: Any = SimpleNamespace(id="R1", wheel_port=f"tcp://127.0.0.1:{port}", seats=())
        running: list[Any] = [SimpleNamespace(floor=one.floor, wheels={}) for one in (a, b)]
        clock: Any = floor.clock

        async def see_to_both() -> None:
            for one in running:
                await _see_to_wheel(one, table, clock, 1.0)

        await see_to_both()
        await see_to_both()
        assert [[*one.wheels] for one in running] == [["R1"], []]
        await floor.until(lambda: open_lines == [1])
        await a.floor.neighbours.hand_over("R1")
        await floor.until(b.runs)
        await see_to_both()
        assert [[*one.wheels] for one in running] == [[], ["R1"]]
        await floor.until(lambda: open_lines == [2])
        for one in running:
            for feed in one.wheels.values():
                await feed.stop()
    server.close()
    await server.wait_closed()


@played
async def test_a_simulated_wheel_that_has_stopped_does_not_listen_any_more(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, _ = await two(floor, spin_source="simulated")
        live = a.floor.tables["R1"]
        before = len(live.followers)
        for _ in range(3):
            wheel = simulated_wheel(live, floor.clock)
            assert len(live.followers) == before + 1
            await wheel.stop()
            assert len(live.followers) == before


@played
async def test_whoever_runs_a_new_table_first_opens_its_seats(tmp_path: Path) -> None:
    """No server is to take it at once, so that nobody runs it when they start."""
    async with several(tmp_path) as floor:
        a, b = await floor.server("a", ()), await floor.server("b", ())
        await a.rig.table()
        await b.floor.open_table("R1")
        kind = a.floor.tables["R1"].runner.rules.seat_kinds[0]
        seats = tuple(SimpleNamespace(id=seat, kind=kind, layout="main") for seat in ("1", "2"))
        table: Any = SimpleNamespace(id="R1", wheel_port=None, seats=seats)
        running: list[Any] = [SimpleNamespace(floor=one.floor, wheels={}) for one in (a, b)]
        clock: Any = floor.clock
        for one in running:
            await _see_to_table(one, table, clock, 1.0)
        assert floor.happened(e.SeatOpened) == []
        await floor.until(lambda: a.runs() or b.runs())
        for _ in range(2):
            for one in running:
                await _see_to_table(one, table, clock, 1.0)
        assert floor.happened(e.SeatOpened) == [e.SeatOpened] * 2


@played
async def test_readiness_says_which_server_runs_a_table(tmp_path: Path) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor)
        houses: list[Any] = [SimpleNamespace(floor=one.floor) for one in (a, b)]

        def said() -> list[tuple[bool, str]]:
            return [(check.ok, check.sentence) for house in houses for check in _tables(house)]

        runs, follows = "The table runs.", "Another server of the floor runs the table; this one follows it."
        assert said() == [(True, runs), (True, follows)]
        await a.floor.neighbours.hand_over("R1")
        await floor.until(b.runs)
        assert said() == [(True, follows), (True, runs)]
        a.leases.is_reachable = False
        b.die()
        await floor.until(lambda: not b.runs())
        await floor.pass_seconds(3)
        nobody = "Nobody is heard to run the table; this server takes it as soon as it can."
        assert said()[0] == (True, nobody)


@played
async def test_a_wheel_that_is_not_like_chance_is_written_down_by_one_server_and_shown_by_all(
    tmp_path: Path,
) -> None:
    async with several(tmp_path) as floor:
        a, b = await two(floor, wheel="wheel-1")
        watching = []
        for one in (a, b):
            watched = WheelsWatched(floor.store, 1_000, one.floor.find_book)
            machine = MachineWatch(HouseLog(floor.store, floor.clock), None)
            watching.append(asyncio.create_task(Suspecting(one.floor, watched, machine).run()))
        await spin(a.rig, "R1", ["17"] * 9)
        for one in (a, b):
            await floor.until(lambda one=one: one.floor.tables["R1"].hub.suspect == "wheel-1")  # type: ignore[misc]  # bound now
        await floor.until(lambda: floor.noted(WheelSuspected) == [WheelSuspected])
        await floor.pass_seconds(2)
        assert floor.noted(WheelSuspected) == [WheelSuspected]
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
