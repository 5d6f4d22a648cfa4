"""Tests that run on the event loop of Python and on the one that the server has."""

import asyncio
import functools
import gc
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import uvloop

PATIENCE_SECONDS = 60


def on_both_loops(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that lives on an event loop of its own, once of Python and once of uvloop."""

    def run(new_loop: Callable[[], asyncio.AbstractEventLoop], **fixtures: Any) -> None:
        async def within_patience() -> None:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await test(**fixtures)

        try:
            with asyncio.Runner(loop_factory=new_loop) as runner:
                runner.run(within_patience())
        finally:
            gc.collect()  # what a failed test leaves behind is cleared here, and not while the next one runs

    functools.update_wrapper(run, test)
    wanted = inspect.signature(test).parameters.values()
    loop = inspect.Parameter("new_loop", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    vars(run)["__signature__"] = inspect.Signature([loop, *wanted])
    both = [asyncio.SelectorEventLoop, uvloop.new_event_loop]
    return pytest.mark.parametrize("new_loop", both, ids=["asyncio", "uvloop"])(run)
