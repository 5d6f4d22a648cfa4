"""Joining the other servers of a floor, as the configuration has it."""

import asyncio
from typing import NamedTuple

from croupier.floor import Clock
from croupier.floor.shared.bus import Bus, BusError
from croupier.floor.shared.nats_bus import NatsBus
from croupier.journal import StoreError
from croupier.journal.leases import Leases
from croupier.rulebook import BadInput
from croupier.server.config import Config, Servers
from croupier.server.neighbours import SharingNeighbours


class Joined(NamedTuple):
    """What a server has while it is among others."""

    neighbours: SharingNeighbours
    bus: Bus
    leases: Leases

    async def leave(self) -> None:
        """Lets go of it."""
        await self.bus.close()
        await asyncio.to_thread(self.leases.close)


async def join(config: Config, servers: Servers, floor_key: bytes, clock: Clock) -> Joined:
    """Connects to the bus and to the database that says who runs which table."""
    try:
        from croupier.journal.postgres_leases import PostgresLeases
    except ImportError as error:
        raise StoreError("PostgreSQL needs an extra: install croupier[postgres].") from error
    try:
        bus = await NatsBus.connect(servers.bus, name=f"croupier {servers.name}")
    except BusError as error:
        raise BadInput("no-bus", str(error), "Start NATS, or look at 'bus' in the configuration.") from error
    try:
        leases = await asyncio.to_thread(PostgresLeases, config.journal)
    except StoreError:
        await bus.close()
        raise
    neighbours = SharingNeighbours(servers.name, bus, leases, floor_key, clock, servers.tables)
    return Joined(neighbours, bus, leases)
