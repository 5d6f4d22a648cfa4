"""Servers of one floor are killed while terminals bet: every bet that was answered is there, once."""

import asyncio
import contextlib
import os
import random
from collections.abc import AsyncIterator
from pathlib import Path

from croupier.client.api import Api
from croupier.table import commands as c
from server.floor_rig import done
from server.several_players import Answered, Player, answered_and_written, answers_of, more_answers
from server.several_rig import TABLES, ServerProcess, SeveralServers, console, enrol

KILLS = int(os.environ.get("CROUPIER_SERVER_KILLS", "2"))
SEATS = ("1", "2", "3")
PATIENCE_SECONDS = 120 + 60 * KILLS


class Balancer:
    """What stands in front of several servers: sends each connection to one that is there."""

    def __init__(self, chance: random.Random) -> None:
        self.servers: list[ServerProcess] = []
        self._chance = chance
        self._tasks: set[asyncio.Task[None]] = set()
        self._listening: asyncio.Server | None = None

    async def open(self) -> str:
        """Begins to listen; the address of the terminals' socket."""
        self._listening = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        port = self._listening.sockets[0].getsockname()[1]
        return f"ws://127.0.0.1:{port}/ws"

    async def close(self) -> None:
        """Cuts everybody off."""
        assert self._listening is not None
        self._listening.close()
        for task in [*self._tasks]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(OSError, asyncio.CancelledError):
            host, port = self._chance.choice(self.servers).base_url.removeprefix("http://").split(":")
            inside, out = await asyncio.open_connection(host, int(port))
            await asyncio.wait(
                (asyncio.create_task(_pass(reader, out)), asyncio.create_task(_pass(inside, writer))),
                return_when=asyncio.FIRST_COMPLETED,
            )
            out.close()
        writer.close()
        self._tasks.discard(task)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while content := await reader.read(65_536):
            writer.write(content)
            await writer.drain()


class House:
    """Several servers, a table crew at whichever of them is alive, and somebody who kills."""

    def __init__(self, floor: SeveralServers, chance: random.Random) -> None:
        self.floor = floor
        self.chance = chance
        self.balancer = Balancer(chance)
        self._count = 0

    async def start(self) -> ServerProcess:
        """One more server."""
        self._count += 1
        server = await self.floor.start(f"s{self._count}")
        self.balancer.servers.append(server)
        return server

    async def kill(self) -> None:
        """Kills a server, whatever it does, and starts another one."""
        victim = self.chance.choice(self.balancer.servers)
        self.balancer.servers.remove(victim)
        victim.kill()
        await self.start()

    async def keep_rounds(self) -> None:
        """Whoever deals opens a round where an interruption has ended one."""
        while True:
            with contextlib.suppress(Exception):  # the server may be the one that is killed
                for table in TABLES:
                    await self._open_round(table)
            await asyncio.sleep(0.5)

    async def _open_round(self, table: str) -> None:
        server = self.chance.choice(self.balancer.servers)
        async with Api(server.base_url) as api, asyncio.timeout(60):
            view = await api.get(f"/api/tables/{table}")
        if view["round"] is None:
            dealer = await console(server, table)
            await dealer.send(c.OpenRound())
            await dealer.close()


@contextlib.asynccontextmanager
async def playing(house: House) -> AsyncIterator[list[Player]]:
    """Players at all seats of all tables, betting."""
    url, first = await house.balancer.open(), house.balancer.servers[0]
    players = []
    for table in TABLES:
        sue = await console(first, table, "sue")
        await done(sue, c.OpenTable())
        await sue.close()
        await house._open_round(table)
        for seat in SEATS:
            token = await enrol(first, table, seat)
            chance = random.Random(house.chance.random())
            players.append(Player(url, token, table, seat, chance))
    tasks = [asyncio.create_task(player.play()) for player in players]
    tasks.append(asyncio.create_task(house.keep_rounds()))
    try:
        yield players
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        await house.balancer.close()
        assert [str(error) for error in ended if not isinstance(error, asyncio.CancelledError)] == []


def test_every_bet_that_was_answered_is_there_once_however_often_servers_are_killed(
    tmp_path: Path, postgres_address: str, nats_server: str
) -> None:
    answered: Answered = {}

    async def live() -> None:
        house = House(floor, random.Random(7))
        for _ in range(3):
            await house.start()
        async with playing(house) as players:
            for _ in range(KILLS):
                await more_answers(players, 5)
                await house.kill()
            await more_answers(players, 5)
        answered.update(answers_of(players))

    with SeveralServers(tmp_path, postgres_address, nats_server) as floor:
        asyncio.run(asyncio.wait_for(live(), PATIENCE_SECONDS))
    assert all(len(bets) >= 15 * (KILLS + 1) for bets in answered.values())
    answered_and_written(postgres_address, answered)
