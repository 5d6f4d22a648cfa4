"""What the tests of the bus over NATS share."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from croupier.floor.shared.bus import Heard
from croupier.floor.shared.nats_bus import NatsBus


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def connected(address: str, **options: Any) -> AsyncIterator[NatsBus]:
    bus = await NatsBus.connect(address, **options)
    try:
        yield bus
    finally:
        await bus.close()


class Ear:
    """Keeps what is heard."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def __call__(self, heard: Heard) -> None:
        self.heard.append(heard)

    @property
    def data(self) -> list[bytes]:
        return [heard.data for heard in self.heard]

    async def until(self, data: bytes) -> None:
        await until(lambda: any(heard.data == data for heard in reversed(self.heard)))
