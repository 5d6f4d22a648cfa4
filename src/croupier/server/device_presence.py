"""Which displays and wheels are there: one that stays away is written down, and so is its return."""

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from croupier.floor import Clock
from croupier.floor.house.log import DeviceFound, DeviceLost, HouseEvent, HouseLog
from croupier.journal import StoreError
from croupier.server.admission import Admitted

LOG: Final = logging.getLogger("croupier.server")

_LOOK_MS: Final = 1_000
"""How often it is looked whether a device that was lost has come back to another server."""


class DevicePresence:
    """Follows the devices that belong to no seat; a seat's terminal is the table's business."""

    def __init__(
        self,
        log: HouseLog,
        clock: Clock,
        away_seconds: float,
        is_elsewhere: Callable[[str], bool] | None = None,
    ) -> None:
        """`is_elsewhere` says whether a device is connected to another server of the floor, if there are."""
        self._log = log
        self._is_elsewhere = is_elsewhere
        self._clock = clock
        self._away_seconds = away_seconds
        self._there: dict[str, int] = {}
        self._lost: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def arrived(self, admitted: Admitted) -> None:
        """A device has connected."""
        self._there[admitted.sender] = self._there.get(admitted.sender, 0) + 1
        self._see_to(admitted)

    def left(self, admitted: Admitted) -> None:
        """A device has gone."""
        self._there[admitted.sender] -= 1
        self._see_to(admitted)

    def _see_to(self, admitted: Admitted) -> None:
        before = self._tasks.pop(admitted.sender, None)
        if before is not None:
            before.cancel()
        self._tasks[admitted.sender] = asyncio.create_task(self._wait(admitted))

    async def _wait(self, admitted: Admitted) -> None:
        device, table = admitted.sender, admitted.table
        if self._there[device]:
            if device in self._lost:
                self._lost.remove(device)
                await self._note(DeviceFound(device=device, table=table))
            return
        await self._clock.sleep_until(self._clock.now_ms() + int(1000 * self._away_seconds))
        is_elsewhere = self._is_elsewhere
        if device not in self._lost and (is_elsewhere is None or not is_elsewhere(device)):
            self._lost.add(device)
            await self._note(DeviceLost(device=device, table=table))
        if is_elsewhere is None:
            return
        # It may come back to another server, which does not know that it was lost.
        while device in self._lost:
            await self._clock.sleep_until(self._clock.now_ms() + _LOOK_MS)
            if is_elsewhere(device):
                self._lost.remove(device)
                await self._note(DeviceFound(device=device, table=table))

    async def _note(self, event: HouseEvent) -> None:
        try:
            await asyncio.to_thread(self._log.note, event)
        except StoreError as error:
            LOG.error("not written down: %s", error)

    def stop(self) -> None:
        """Lets go of the timers."""
        for task in self._tasks.values():
            task.cancel()
