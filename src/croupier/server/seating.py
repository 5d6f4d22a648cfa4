"""Which terminals are there: a seat whose terminal stays away is lost, and restored when it is back."""

import asyncio
import logging
from collections.abc import Callable, Collection
from typing import Final

from croupier.floor import Clock
from croupier.floor.insisting import AGAIN_MS, is_settled, submit_until_settled
from croupier.floor.tables import Table
from croupier.journal import StoreError
from croupier.table.commands import LoseSeat, RestoreSeat
from croupier.table.rules import PLACE

LOG: Final = logging.getLogger("croupier.server")

AWAY_SECONDS: Final = 10
"""How long a terminal may be away, as for a reload of its page, before its seat is lost."""


class Presence:
    """Follows the terminals of one table."""

    def __init__(
        self,
        runner: Table,
        clock: Clock,
        away_seconds: float = AWAY_SECONDS,
        elsewhere: Callable[[], Collection[str]] = tuple,
        decides: Callable[[], bool] = lambda: True,
    ) -> None:
        """`elsewhere` gives the seats whose terminals are connected to other servers of the floor.

        `decides` says whether the table runs here: the others leave it to that server what is lost.
        """
        self._runner = runner
        self._clock = clock
        self._away_seconds = away_seconds
        self._elsewhere = elsewhere
        self._decides = decides
        self._there: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._agreeing: set[str] = set()
        """Seats about which the table is being asked; what changes meanwhile is looked at behind that."""
        self._again: set[str] = set()

    def arrived(self, seat: str) -> None:
        """A seat's terminal has connected."""
        self._there[seat] = self._there.get(seat, 0) + 1
        self._start(seat)

    def left(self, seat: str) -> None:
        """A seat's terminal has gone."""
        self._there[seat] -= 1
        self._start(seat)

    def expect(self, seat: str) -> None:
        """A seat's terminal should be there: after a start of the server it has as long to come back."""
        self._start(seat)

    def _start(self, seat: str) -> None:
        if seat in self._agreeing:
            self._again.add(seat)
            return
        task = self._tasks.pop(seat, None)
        if task is not None:
            task.cancel()
        self._tasks[seat] = asyncio.create_task(self._see_to(seat))

    async def _see_to(self, seat: str) -> None:
        """Has the table know what is so, and does not end before it does."""
        again = True
        while again:
            if not self._is_there(seat):
                await self._clock.sleep_until(self._clock.now_ms() + int(1000 * self._away_seconds))
            self._again.discard(seat)
            self._agreeing.add(seat)
            try:
                agrees = await self._agree(seat)
            finally:
                self._agreeing.discard(seat)
            again = not agrees or seat in self._again

    async def _agree(self, seat: str) -> bool:
        """Tells the table what is so; says whether that is settled, or to be looked at again."""
        if not self._decides():
            return True
        try:
            state = await self._runner.consistent_state()
        except StoreError as error:
            LOG.warning("seat %s of %s: the table cannot be read: %s", seat, self._runner.table, error)
            await self._clock.sleep_until(self._clock.now_ms() + AGAIN_MS)
            return False
        known = state.seats.get(seat)
        is_there = self._is_there(seat)
        if known is None or not known.in_use or known.kind == PLACE or is_there != known.lost:
            return True
        reply = await submit_until_settled(
            self._runner,
            self._runner.as_system(RestoreSeat(seat=seat) if is_there else LoseSeat(seat=seat)),
            self._clock,
            is_wanted=lambda: self._decides() and self._is_there(seat) == is_there,
        )
        if reply.rejection is not None:
            LOG.warning("seat %s of %s: %s", seat, self._runner.table, reply.rejection.sentence)
        return is_settled(reply)

    def _is_there(self, seat: str) -> bool:
        return bool(self._there.get(seat)) or seat in self._elsewhere()

    def stop(self) -> None:
        """Lets go of the timers."""
        for task in self._tasks.values():
            task.cancel()
