"""Who is connected where: terminals move, servers fall silent, leave, and share a name by mistake."""

import asyncio
from collections.abc import Callable

import pytest

from croupier.floor import ManualClock
from croupier.floor.shared.messages import Subjects
from croupier.floor.shared.roll import SHEET_MS, SILENT_MS, Roll, Terminal
from croupier.floor.shared.sealing import Seal
from croupier.floor.shared.voice import Company
from floor.shared_rig import KEY, Exchange, Holders, LocalBus, LocalLeases
from floor.sim_live import played

START_MS = 1_800_000_000_000
SEAT = Terminal("T1", "1", "terminal-1")


class Hall:
    """Servers that only say who is connected to them."""

    def __init__(self) -> None:
        self.clock = ManualClock(START_MS)
        self.exchange = Exchange()
        self.holders = Holders()
        self.desks: list[Desk] = []

    async def desk(self, name: str) -> "Desk":
        """One more server."""
        desk = Desk(self, name)
        self.desks.append(desk)
        await desk.roll.start()
        await self.pass_ms(0)
        return desk

    async def pass_ms(self, ms: int) -> None:
        """Lets time pass, and everybody hear what is said."""
        for _ in range(20):
            await asyncio.sleep(0)
        for _ in range(ms // 100):
            self.clock.advance(100)
            for _ in range(20):
                await asyncio.sleep(0)

    async def stop(self) -> None:
        for desk in self.desks:
            await desk.roll.stop()


class Desk:
    """One server's roll, and what it was told."""

    def __init__(self, hall: Hall, name: str) -> None:
        self.bus: LocalBus = hall.exchange.bus()
        self.heard: list[tuple[str, Terminal]] = []
        self.fails = False
        company = Company(
            name=name,
            id=f"{name}-{len(hall.desks)}",
            bus=self.bus,
            leases=LocalLeases(hall.holders),
            seal=Seal(KEY, hall.clock),
            subjects=Subjects("test"),
        )
        self.roll = Roll(
            company,
            hall.clock,
            came_elsewhere=self._hears("came"),
            gone_elsewhere=self._hears("gone"),
            replaced=self._hears("replaced"),
        )

    def _hears(self, what: str) -> Callable[[Terminal], None]:
        def hear(terminal: Terminal) -> None:
            self.heard.append((what, terminal))
            if self.fails:
                raise RuntimeError("whoever listens has failed")

        return hear

    def arrive(self, terminal: Terminal = SEAT) -> None:
        self.roll.arrived(terminal.table, terminal.seat, terminal.device)

    def leave(self, terminal: Terminal = SEAT) -> None:
        self.roll.left(terminal.table, terminal.seat, terminal.device)


@played
async def test_others_hear_at_once_of_a_terminal_that_comes_and_goes() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    assert not b.roll.seats_elsewhere("T1")
    a.arrive()
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT)]
    assert (b.roll.seats_elsewhere("T1"), b.roll.seats_elsewhere("T2")) == ({"1"}, set())
    assert b.roll.is_elsewhere("terminal-1")
    assert a.roll.seats_elsewhere("T1") == set()
    assert not a.roll.is_elsewhere("terminal-1")
    a.leave()
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT), ("gone", SEAT)]
    assert a.heard == []
    await hall.stop()


@played
async def test_a_terminal_that_moves_is_never_gone_and_replaces_its_first_screen() -> None:
    hall = Hall()
    a, b, c = [await hall.desk(name) for name in "abc"]
    a.arrive()
    await hall.pass_ms(100)
    b.arrive()
    await hall.pass_ms(0)
    assert ("replaced", SEAT) in a.heard
    assert ("replaced", SEAT) not in b.heard
    a.leave()
    await hall.pass_ms(3 * SHEET_MS)
    assert [what for what, _ in c.heard] == ["came"]
    assert c.roll.seats_elsewhere("T1") == {"1"}
    assert b.roll.seats_elsewhere("T1") == set()
    await hall.stop()


@played
async def test_the_later_screen_stays_whichever_server_is_heard_first() -> None:
    """The first server's list comes late, after the terminal has gone on to the second one."""
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    hall.exchange.drop = lambda subject: True
    a.arrive()  # it is cut off there without anybody noticing, and moves on
    await hall.pass_ms(500)
    b.arrive()
    await hall.pass_ms(500)
    hall.exchange.drop = lambda subject: False
    await hall.pass_ms(2 * SHEET_MS)
    assert ("replaced", SEAT) in a.heard
    assert ("replaced", SEAT) not in b.heard
    await hall.stop()


@played
async def test_of_two_screens_that_come_at_once_exactly_one_stays() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    b.arrive()
    await hall.pass_ms(0)
    assert sorted(("replaced", SEAT) in desk.heard for desk in (a, b)) == [False, True]
    await hall.stop()


@played
async def test_a_server_that_falls_silent_has_nobody_any_more_and_has_them_again_when_heard() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    a.roll.arrived("T1", None, "display-1")
    await hall.pass_ms(SILENT_MS)
    assert b.roll.has_others
    assert b.heard == [("came", SEAT)]
    a.bus.is_up = False
    await hall.pass_ms(SILENT_MS - SHEET_MS)
    assert b.heard == [("came", SEAT)]
    await hall.pass_ms(2 * SHEET_MS + 200)
    assert b.heard == [("came", SEAT), ("gone", SEAT)]
    assert not b.roll.has_others
    assert not b.roll.is_elsewhere("display-1")
    a.bus.is_up = True
    await hall.pass_ms(SHEET_MS)
    assert b.heard == [("came", SEAT), ("gone", SEAT), ("came", SEAT)]
    assert b.roll.is_elsewhere("display-1")
    await hall.stop()


@played
async def test_a_server_that_stops_is_gone_at_once_and_an_old_list_does_not_bring_it_back() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    await hall.pass_ms(0)
    await a.roll.stop()
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT), ("gone", SEAT)]
    assert not b.roll.has_others
    for subject, data in [*hall.exchange.passed]:
        a.bus.send(subject, data)  # overheard, and said again
    await hall.pass_ms(0)
    assert not b.roll.has_others
    assert b.heard == [("came", SEAT), ("gone", SEAT)]
    await b.roll.stop()


@played
async def test_a_terminal_with_two_connections_is_there_until_the_last_one_ends() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    a.arrive()
    a.leave()
    await hall.pass_ms(SHEET_MS)
    assert b.heard == [("came", SEAT)]
    a.leave()
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT), ("gone", SEAT)]
    await hall.stop()


@played
async def test_two_servers_with_one_name_are_told_and_both_counted(caplog: pytest.LogCaptureFixture) -> None:
    hall = Hall()
    a, b, c = await hall.desk("a"), await hall.desk("a"), await hall.desk("c")
    a.arrive()
    other = Terminal("T1", "2", "terminal-2")
    b.arrive(other)
    await hall.pass_ms(SHEET_MS)
    assert "two servers of this floor have the name a" in caplog.text
    assert c.roll.seats_elsewhere("T1") == {"1", "2"}
    b.bus.is_up = False
    await hall.pass_ms(SILENT_MS + 2 * SHEET_MS)
    assert c.roll.seats_elsewhere("T1") == {"1"}
    await hall.stop()


@played
async def test_a_server_that_is_started_again_counts_as_another_one() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    await hall.pass_ms(0)
    a.bus.is_up = False
    again = await hall.desk("a")
    await hall.pass_ms(SILENT_MS + 2 * SHEET_MS)
    assert b.roll.seats_elsewhere("T1") == set()
    again.arrive()
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT), ("gone", SEAT), ("came", SEAT)]
    await hall.stop()


@played
async def test_lists_that_nobody_of_the_floor_has_sealed_are_not_believed() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    await hall.pass_ms(0)
    subject, genuine = hall.exchange.passed[-1]
    for forged in (b"", b"x" * 200, genuine[:-1], genuine[:40] + genuine[41:]):
        hall.exchange.bus().send(subject, forged)
    hall.clock.advance(1)
    stranger = Seal(b"another floor", hall.clock)
    hall.exchange.bus().send(subject, stranger.close(subject, genuine[40:]))
    await hall.pass_ms(0)
    assert b.heard == [("came", SEAT)]
    await hall.stop()


@played
async def test_whoever_listens_may_fail_and_the_list_is_told_all_the_same() -> None:
    hall = Hall()
    a, b = await hall.desk("a"), await hall.desk("b")
    a.arrive()
    await hall.pass_ms(0)
    b.fails = True
    a.bus.is_up = False
    await hall.pass_ms(SILENT_MS + 2 * SHEET_MS)
    assert ("gone", SEAT) in b.heard
    b.fails = False
    before = len(hall.exchange.passed)
    await hall.pass_ms(2 * SHEET_MS)
    assert len(hall.exchange.passed) > before  # it goes on to say who is there
    await hall.stop()
