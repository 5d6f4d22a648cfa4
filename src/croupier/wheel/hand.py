"""Spins by hand: nothing is sensed, and the dealer's console says it all."""

import asyncio
from collections.abc import AsyncIterator

from croupier.wheel.signals import Signal


class HandSource:
    """A wheel without sensors: it never says anything, so the table waits for the dealer.

    The dealer states the spin and the result, and confirms with the result that the ball was spun against the
    wheel and made its revolutions.
    """

    def __init__(self) -> None:
        self._closed = asyncio.Event()

    async def __aiter__(self) -> AsyncIterator[Signal]:
        """Waits until the source is closed."""
        await self._closed.wait()
        nothing: tuple[Signal, ...] = ()
        for signal in nothing:
            yield signal

    async def start_game(self) -> None:
        """Does nothing: the dealer spins the ball."""

    async def close(self) -> None:
        """Ends it."""
        self._closed.set()
