"""The network around a server breaks while terminals bet: every bet that was answered is there, once."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator
from pathlib import Path

from croupier.client.connection import Connection
from croupier.table import commands as c
from relay import Relay
from server.floor_rig import done
from server.several_players import Answered, Player, answered_and_written, answers_of, more_answers
from server.several_rig import ServerProcess, SeveralServers, console, enrol, until_runs

PATIENCE_SECONDS = 240


@contextlib.asynccontextmanager
async def playing(servers: list[ServerProcess]) -> AsyncIterator[list[Player]]:
    """A player at each server, and a dealer at the last one who opens a round wherever there is none."""
    sue = await console(servers[0], "T1", "sue")
    await done(sue, c.OpenTable())
    await sue.close()
    players = []
    for number, server in enumerate(servers, start=1):
        token = await enrol(server, "T1", str(number))
        url = server.base_url.replace("http", "ws") + "/ws"
        players.append(Player(url, token, "T1", str(number), random.Random(number)))
    dealer = await console(servers[-1], "T1")
    tasks = [asyncio.create_task(player.play()) for player in players]
    tasks.append(asyncio.create_task(_keep_round(dealer)))
    try:
        yield players
    finally:
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        await dealer.close()
        assert [str(error) for error in ended if not isinstance(error, asyncio.CancelledError)] == []


async def _keep_round(dealer: Connection) -> None:
    while True:
        await dealer.until(lambda seen: seen.table is not None and seen.table.round is None)
        await dealer.send(c.OpenRound())
        await asyncio.sleep(0.1)


async def until_said(what: str, server: ServerProcess) -> None:
    """Returns once the log of a server has something."""
    while what not in server.said:
        await asyncio.sleep(0.1)


def test_every_bet_that_was_answered_is_there_once_however_the_network_breaks(
    tmp_path: Path, postgres_address: str, nats_server: str
) -> None:
    answered: Answered = {}

    async def live() -> None:
        a = await floor.start("a", journal=journal.address, bus=bus.address)
        b = await floor.start("b")
        await until_runs("T1", a)
        async with playing([a, b]) as players:
            at_a, _ = players
            await more_answers(players, 5)
            bus.hold(back=False)  # it hears everybody, and nobody hears it
            await until_said("The connection to NATS is lost", a)
            await more_answers([at_a], 5)
            bus.forget()
            await until_said("The connection to NATS is back", a)
            await more_answers(players, 5)
            journal.hold()
            await until_runs("T1", b)
            assert not await a.runs("T1")
            journal.forget()
            await more_answers(players, 5)
            assert not await a.runs("T1")
        answered.update(answers_of(players))

    with (
        Relay(postgres_address) as journal,
        Relay(nats_server) as bus,
        SeveralServers(tmp_path, postgres_address, nats_server) as floor,
    ):
        asyncio.run(asyncio.wait_for(live(), PATIENCE_SECONDS))
    answered_and_written(postgres_address, answered)
