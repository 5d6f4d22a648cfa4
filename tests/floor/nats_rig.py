"""What the tests of the bus over NATS share."""

import asyncio
import contextlib
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import pytest
import uvloop

from croupier.floor.bus import Heard
from croupier.floor.nats_bus import NatsBus

PATIENCE_SECONDS = 60


def on_both_loops(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that lives on an event loop of its own, once of Python and once of uvloop."""

    def run(new_loop: Callable[[], asyncio.AbstractEventLoop], **fixtures: Any) -> None:
        async def within_patience() -> None:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await test(**fixtures)

        with asyncio.Runner(loop_factory=new_loop) as runner:
            runner.run(within_patience())

    functools.update_wrapper(run, test)
    wanted = inspect.signature(test).parameters.values()
    loop = inspect.Parameter("new_loop", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    vars(run)["__signature__"] = inspect.Signature([loop, *wanted])
    both = [asyncio.SelectorEventLoop, uvloop.new_event_loop]
    return pytest.mark.parametrize("new_loop", both, ids=["asyncio", "uvloop"])(run)


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
