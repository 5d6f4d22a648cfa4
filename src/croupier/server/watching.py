"""Looks after the machine while a floor runs: its clock, its disk, its software."""

import asyncio
import logging
import shutil
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from croupier.floor import Published
from croupier.floor.house_log import HouseEvent, HouseLog, SoftwareChecked, tell_house
from croupier.floor.house_watching import ClockWatch, DiskWatch
from croupier.floor.integrity import reason_to_halt
from croupier.floor.integrity_watch import IntegrityWatch
from croupier.journal import StoreError
from croupier.server.http.house import Check
from croupier.table.events import TableInterrupted, TableResumed

LOG: Final = logging.getLogger("croupier.server")

_BEGINS: Final = (TableResumed, TableInterrupted)

LOOK_SECONDS: Final = 5.0


class MachineWatch:
    """Writes down what is out of the ordinary, once for each time that it is."""

    def __init__(
        self,
        log: HouseLog,
        journal: Path | None,
        look_seconds: float = LOOK_SECONDS,
        *,
        integrity: IntegrityWatch | None = None,
        halt: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._log = log
        self._integrity = integrity
        self._software: SoftwareChecked | None = None
        self._halting: asyncio.Task[None] | None = None
        self._halt = halt
        """Stops play at every table, with the reason."""
        self._look_seconds = look_seconds
        clock = ClockWatch(lambda: time.time_ns() // 1_000_000, lambda: time.monotonic_ns() // 1_000_000)
        self._looks: list[Callable[[], HouseEvent | None]] = [clock.tick]
        if journal is not None:
            folder = journal.resolve().parent
            self.disk: DiskWatch | None = DiskWatch(lambda: shutil.disk_usage(folder).free)
            self._looks.append(self.disk.tick)
        else:
            self.disk = None

    @property
    def checks(self) -> list[Callable[[], Check]]:
        """What has to be right before people can play."""
        return [self._disk_check, self._software_check]

    def _disk_check(self) -> Check:
        is_low = self.disk is not None and self.disk.is_low
        sentence = (
            "There is little room left for the journal." if is_low else "There is room for the journal."
        )
        return Check(name="disk", ok=not is_low, sentence=sentence)

    def _software_check(self) -> Check:
        if self._software is None:
            return Check(
                name="software", ok=True, sentence="No record is named to compare the software with."
            )
        if self._software.ok:
            return Check(name="software", ok=True, sentence="The software is as recorded.")
        return Check(name="software", ok=False, sentence=" ".join(self._software.faults))

    async def run(self) -> None:
        """Looks now and then until it is cancelled."""
        while True:
            await asyncio.sleep(self._look_seconds)
            await self.look()

    async def look(self) -> None:
        """Looks once."""
        for look in self._looks:
            event = look()
            if event is not None:
                await self.note(event)
        if self._integrity is not None:
            await self._check_software(self._integrity)

    async def _check_software(self, integrity: IntegrityWatch) -> None:
        now_ms = time.time_ns() // 1_000_000
        checked = await asyncio.to_thread(integrity.tick, now_ms)
        if checked is not None:
            await self._found(checked)

    async def check_software(self) -> SoftwareChecked | None:
        """Compares the software with its record because somebody asks; None where no record is named."""
        if self._integrity is None:
            return None
        checked = await asyncio.to_thread(self._integrity.check, time.time_ns() // 1_000_000)
        await self._found(checked)
        return checked

    def follow(self, published: Sequence[Published]) -> None:
        """Nobody plays on with software that is not as recorded: a table that is resumed is halted again.

        So is one that this server has taken over from another, which begins with the interruption.
        """
        is_wrong = self._software is not None and not self._software.ok
        if is_wrong and any(isinstance(item.entry.event, _BEGINS) for item in published):
            self._halting = asyncio.create_task(self._halt_where_wrong())

    async def _halt_where_wrong(self) -> None:
        reason = None if self._software is None else reason_to_halt(self._software.faults)
        if reason is not None and self._halt is not None:
            await self._halt(reason)

    async def _found(self, checked: SoftwareChecked) -> None:
        self._software = checked
        await self.note(checked)
        await self._halt_where_wrong()

    async def note(self, event: HouseEvent) -> None:
        """Writes down what happened; where even that fails, the log of the process has it."""
        LOG.info("%s", tell_house(event))
        try:
            await asyncio.to_thread(self._log.note, event)
        except StoreError as error:
            LOG.error("not written down: %s", error)
