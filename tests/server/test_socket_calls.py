"""A call for an attendant over the wire: the seat, the console and the pit see it, and nobody else does."""

from pathlib import Path

import msgspec

from croupier.client import Connection
from croupier.protocol.views import AttendantCall, SeatCall
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import Heard, a_floor, done, refused


def call_of(seat: Connection) -> AttendantCall | None:
    assert seat.seat is not None
    return seat.seat.call


def on_console(console: Connection, seat: str) -> AttendantCall | None:
    assert console.console is not None
    return next(line.call for line in console.console.seats if line.seat == seat)


def in_pit(pit: Connection, table: str = "R1") -> tuple[SeatCall, ...]:
    return next(line.calls for line in pit.pit.values() if line.view.table == table)


@played
async def test_a_call_is_seen_by_the_seat_the_console_and_the_pit_until_it_is_answered(
    tmp_path: Path,
) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with (
            await rig.seat("1") as one,
            await rig.console("dee") as console,
            await rig.pit() as pit,
        ):
            assert call_of(one) is None
            await done(one, c.CallAttendant(seat="1", reason="payout"))
            await one.until(lambda seen: call_of(seen) is not None)
            call = call_of(one)
            assert call is not None
            assert call.reason == "payout"
            await console.until(lambda seen: on_console(seen, "1") == call)
            told = SeatCall(seat="1", reason="payout", since_ms=call.since_ms)
            await pit.until(lambda seen: in_pit(seen) == (told,))
            assert on_console(console, "2") is None

            assert await refused(one, c.CallAttendant(seat="1")) == "attendant-called"
            await done(console, c.AnswerCall(seat="1"))
            await one.until(lambda seen: call_of(seen) is None)
            await console.until(lambda seen: on_console(seen, "1") is None)
            await pit.until(lambda seen: in_pit(seen) == ())
            assert await refused(console, c.AnswerCall(seat="1")) == "no-call"


@played
async def test_another_seat_and_a_display_hear_nothing_of_it(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        heard, shown, own, staff = Heard(), Heard(), Heard(), Heard()
        async with (
            await rig.seat("1", told=own) as one,
            await rig.seat("2", told=heard) as two,
            await rig.display(told=shown) as display,
            await rig.console("dee", told=staff) as console,
        ):
            await done(one, c.CallAttendant(seat="1", reason="terminal"))
            await done(console, c.AnswerCall(seat="1"))
            await done(one, c.CallAttendant(seat="1", reason="terminal"))
            # What everybody is told comes after it: whoever has heard this has heard all before it.
            await done(console, c.OpenRound())
            for seen in (one, two, display, console):
                await seen.until(lambda seen: seen.table is not None and seen.table.round is not None)
            calls = ["attendant-called", "call-ended", "attendant-called"]
            for told in (own, staff):
                assert [kind for kind in told.kinds if "call" in kind] == calls
            for told in (heard, shown):
                assert [kind for kind in told.kinds if "call" in kind] == []
            assert call_of(two) is None
        async with await rig.seat("2") as two, await rig.display() as display:
            assert call_of(two) is None
            for shown_there in (two.table, two.seat, display.table, display.seat):
                assert b"since_ms" not in msgspec.json.encode(shown_there)


@played
async def test_the_pit_lists_the_longest_waiting_first_and_a_reload_keeps_a_call(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        async with await rig.seat("2") as two:
            await done(two, c.CallAttendant(seat="2"))
        async with await rig.seat("1") as one:
            await done(one, c.CallAttendant(seat="1", reason="buy-in"))
        async with await rig.seat("2") as two, await rig.console("dee") as console, await rig.pit() as pit:
            call = call_of(two)
            assert call is not None
            assert on_console(console, "2") == call
            assert [(each.seat, each.reason) for each in in_pit(pit)] == [("2", "help"), ("1", "buy-in")]
            await done(two, c.AnswerCall(seat="2"))
            await pit.until(lambda seen: [each.seat for each in in_pit(seen)] == ["1"])
