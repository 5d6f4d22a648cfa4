"""Servers that die and lose messages, by chance: what was answered is in the journal, once, for everybody."""

import asyncio
import os
import random
from pathlib import Path

import pytest

from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.floor.writer import entries_behind
from croupier.table import Reply
from croupier.table import commands as c
from croupier.table.state import BETTING, CLOSED, RESULTED, SPINNING
from floor.shared_rig import Server, SharedFloor, chance
from floor.sim_live import TABLE, played
from table.rig import DEALER, player

SEEDS = range(int(os.environ.get("CROUPIER_SHARED_SEEDS", "12")))
STEPS = 150
SEATS = ("1", "2", "3")


class Walk:
    """A floor of servers to which things happen."""

    def __init__(self, floor: SharedFloor, seed: int) -> None:
        self.floor = floor
        self.chance = random.Random(seed)
        self.alive: list[Server] = []
        self.sent: list[tuple[Server, str, int, asyncio.Future[Reply]]] = []
        self._count = 0

    async def start(self) -> Server:
        """One more server."""
        self._count += 1
        starting = asyncio.ensure_future(self.floor.server(f"s{self._count}"))
        await self.floor.until(starting.done)
        server = starting.result()
        self.alive.append(server)
        return server

    async def step(self) -> None:
        """Something happens."""
        act = self.chance.choices(
            (
                self._bet,
                self._deal,
                self._die,
                self._hang,
                self._lose_lease,
                self._cut_off,
                self._weather,
                self._fail,
                self._rest,
            ),
            (60, 25, 2, 1, 1, 2, 4, 3, 10),
        )[0]
        await act()
        for _ in range(self.chance.randrange(3)):
            await asyncio.sleep(0)
            self.floor.clock.advance(self.chance.randrange(120))

    async def _bet(self) -> None:
        seat = self.chance.choice(SEATS)
        bet, cents = self.chance.choice(("red", "black", "odd", "even")), 100 * self.chance.randrange(1, 9)
        change = c.TakeBets if self.chance.randrange(4) == 0 else c.PlaceBets
        self._send(player(seat), change(seat=seat, stakes=(c.Stake(bet, cents),)))

    async def _deal(self) -> None:
        server = self.chance.choice(self.alive)
        round_, result = server.table.state.round, str(self.chance.randrange(37))
        if round_ is None:
            self._send(DEALER, c.OpenRound(), server)
        elif server.table.state.awaits_outcome:
            pass
        elif round_.phase == BETTING:
            self._send(DEALER, c.CloseBets(), server)
        elif round_.phase == CLOSED:
            self._send(DEALER, c.StartSpin(), server)
        elif round_.phase == SPINNING:
            self._send(DEALER, c.EnterResult(result=result), server)
        elif round_.phase == RESULTED:
            self._send(DEALER, c.ConfirmResult(result=str(round_.result)), server)

    async def _die(self) -> None:
        victim = self.chance.choice(self.alive)
        victim.die()
        self.alive.remove(victim)
        if len(self.alive) < 3:
            await self.start()

    async def _hang(self) -> None:
        """One stands still and keeps what it holds, until another takes it away."""
        victim = self.chance.choice(self.alive)
        victim.hang()
        self.alive.remove(victim)
        if len(self.alive) < 3:
            await self.start()

    async def _fail(self) -> None:
        """The journal fails with nothing written, or with all of it written and nobody told."""
        if self.chance.randrange(2):
            self.floor.store.failures_before += 1
        else:
            self.floor.store.failures_after += 1

    async def _lose_lease(self) -> None:
        self.chance.choice(self.alive).leases.lose()

    async def _cut_off(self) -> None:
        server = self.chance.choice(self.alive)
        server.bus.is_up = not server.bus.is_up

    async def _weather(self) -> None:
        exchange = self.floor.exchange
        exchange.drop = chance(self.chance.randrange(2**32), self.chance.choice((2, 5, 20)))
        exchange.twice = chance(self.chance.randrange(2**32), self.chance.choice((2, 5, 20)))
        if self.chance.randrange(2):
            exchange.drop = lambda subject: False

    async def _rest(self) -> None:
        await asyncio.sleep(0.002)
        self.floor.clock.advance(self.chance.randrange(1_000))

    def _send(self, actor: object, do: object, server: Server | None = None) -> None:
        server = server or self.chance.choice(self.alive)
        number = self.floor.next_number(actor.id)  # type: ignore[attr-defined]  # it is an Actor
        self.sent.append((server, actor.id, number, server.send(actor, do, number)))  # type: ignore[attr-defined, arg-type]  # the same

    async def heal(self) -> None:
        """Everything works again, and everybody has come as far as the journal."""
        self.floor.exchange.drop = self.floor.exchange.twice = lambda subject: False
        self.floor.store.failures_before = self.floor.store.failures_after = 0
        for server in self.alive:
            server.bus.is_up = True
        waiting = [sent for server, _, _, sent in self.sent if server in self.alive]
        await self.floor.until(lambda: all(sent.done() for sent in waiting))
        await self.floor.until(lambda: sum(server.table.is_owner for server in self.alive) == 1)
        await self.floor.together(*self.alive)
        head = self.floor.store.head(TABLE).sequence
        await self.floor.until(
            lambda: all(max([server.first_told - 1, *server.sequences]) >= head for server in self.alive)
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_answered_is_in_the_journal_once_whatever_happens(tmp_path: Path, seed: int) -> None:
    @played
    async def walk() -> None:
        floor = SharedFloor(tmp_path)
        walk = Walk(floor, seed)
        first = await walk.start()
        await floor.open(first, *SEATS)
        await walk.start()
        await walk.start()
        for _ in range(STEPS):
            await walk.step()
        await walk.heal()
        for server in [*walk.alive]:  # whatever has happened, each of them is of use again
            assert (await floor.wait(server.bet("1", "red", 100))).last
        await walk.heal()
        history = entries_behind(floor.store, TABLE, 0)
        by_number: dict[tuple[str, int], list[int]] = {}
        for sequence, entry in history:
            by_number.setdefault((entry.cause.sender, entry.cause.number), []).append(sequence)
        answered = 0
        for _, sender, number, sent in walk.sent:
            if sent.done() and sent.result().last:
                reply = sent.result()
                answered += 1
                assert by_number[sender, number] == [*range(reply.first, reply.last + 1)], (sender, number)
        assert answered
        replayed = floor.replayed()
        for server in walk.alive:
            assert server.table.state == replayed, server.name
            told = [item for item, _ in server.news]
            assert told == history[server.first_told - 1 :], server.name
        await floor.stop()

    walk()
    evidence = open_evidence(str(tmp_path / "journal.db"))
    assert [report.first_misfit for report in verify_journal(evidence)] == [None]
    evidence.close()
