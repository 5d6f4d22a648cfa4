"""Looks after the machine while a floor runs: its clock, its disk, its journal's file, its software."""

import asyncio
import logging
import shutil
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from croupier.floor import Published
from croupier.floor.clock import MEETING, TOLERANCE_MS
from croupier.floor.house.integrity import printable, reason_to_halt
from croupier.floor.house.integrity_watch import IntegrityWatch
from croupier.floor.house.log import (
    CheckFailed,
    CheckPassed,
    ClockStepped,
    DiskLow,
    HouseEvent,
    HouseLog,
    SoftwareChecked,
    WheelSuspected,
    tell_house,
)
from croupier.floor.house.watching import ClockWatch, DiskWatch
from croupier.journal import StoreError
from croupier.journal.known import Lost
from croupier.server.http.house import Check
from croupier.table.events import TableInterrupted, TableResumed

LOG: Final = logging.getLogger("croupier.server")

_BEGINS: Final = (TableResumed, TableInterrupted)

LOOK_SECONDS: Final = 5.0
LATE_SECONDS: Final = 120.0
"""From when on a watch that has not looked is a fault itself; the check of the software takes its time."""

_CLOCK, _DISK, _JOURNAL = "clock", "disk", "journal"
_MOVED: Final = "the journal's file is not in its place any more"
_OVERWRITTEN: Final = "the journal's file was overwritten and does not hold what was written"
_CUT: Final = "the journal does not hold any more what was written"
_LONGEST_REASON: Final = 900
"""A halt has room for no more than 1,000 characters."""
_TOOK_OVER: Final = (
    "a standby without the newest records took over, or a backup was put back; find out what they were "
    "before anybody plays, and start every server of the floor again"
)
_LOST: Final = {
    _MOVED: "what is written now is lost with this process; put it back",
    _OVERWRITTEN: "records are lost; copy the file and its log before anything else",
}


def _cut(lost: Sequence[Lost]) -> str | None:
    """Which records somebody has to look for elsewhere: on screens, on camera, among the tickets."""
    if not lost:
        return None
    told = [
        f"{table} has lost {now + 1} to {known}" if now < known else f"{table} has another record {known}"
        for table, known, now in lost
    ]
    return f"{_CUT}: {', '.join(told)}"[:_LONGEST_REASON]


_TO_BE_LOOKED_AT: Final = (CheckFailed, ClockStepped, DiskLow, WheelSuspected)


def _level(event: HouseEvent) -> int:
    """How loudly the log of the process says it; whoever waits for warnings hears of all that is wrong."""
    if isinstance(event, SoftwareChecked) and not event.ok:
        return logging.CRITICAL
    return logging.WARNING if isinstance(event, _TO_BE_LOOKED_AT) else logging.INFO


class MachineWatch:
    """Writes down what is out of the ordinary, once for each time that it is."""

    def __init__(
        self,
        log: HouseLog,
        journal: Path | None,
        look_seconds: float = LOOK_SECONDS,
        *,
        in_place: Callable[[], bool] | None = None,
        is_whole: Callable[[], bool] | None = None,
        lost: Callable[[], Sequence[Lost]] | None = None,
        integrity: IntegrityWatch | None = None,
        halt: Callable[[str], Awaitable[None]] | None = None,
        written_ms: int | None = None,
        ahead_ms: Callable[[], int] = lambda: 0,
    ) -> None:
        """`written_ms` is the time of the latest record when the server starts.

        `ahead_ms` is by how much the floor's clock is ahead of the machine's.
        """
        self._log = log
        self._in_place = in_place
        """Whether the journal's name leads to the file that is written to; None where it is no file."""
        self._is_whole = is_whole
        """Whether that file holds what was written to it, which takes longer to find out."""
        self._lost = lost
        """Which chains a database does not hold any more; None where the journal is a file."""
        self._integrity = integrity
        self._software: SoftwareChecked | None = None
        self._halting: set[asyncio.Task[None]] = set()
        self._halt = halt
        """Stops play at every table, with the reason."""
        self._ahead_ms = ahead_ms
        self._look_seconds = look_seconds
        self._looked_at: float | None = None
        self._failing: dict[str, str] = {}
        """By check, why it fails or cannot be made."""
        clock = ClockWatch(
            lambda: time.time_ns() // 1_000_000,
            lambda: time.monotonic_ns() // 1_000_000,
            written_ms=written_ms,
        )
        self._looks: dict[str, Callable[[], HouseEvent | None]] = {_CLOCK: clock.tick}
        if journal is not None:
            folder = journal.resolve().parent
            self.disk: DiskWatch | None = DiskWatch(lambda: shutil.disk_usage(folder).free)
            self._looks[_DISK] = self.disk.tick
        else:
            self.disk = None

    @property
    def checks(self) -> list[Callable[[], Check]]:
        """What has to be right before people can play."""
        place = [] if self._in_place is None else [self._place_check]
        whole = [] if self._lost is None else [self._whole_check]
        return [self._clock_check, self._disk_check, *place, *whole, self._software_check, self._watch_check]

    def _clock_check(self) -> Check:
        if _CLOCK in self._failing:
            sentence = f"It is not known whether the machine's clock was set: {self._failing[_CLOCK]}."
        elif (ahead_ms := self._ahead_ms()) > TOLERANCE_MS:
            hours = ahead_ms * MEETING / 3_600_000
            sentence = (
                f"The floor's clock is {ahead_ms / 1000:.0f} seconds ahead of the machine's, "
                f"which was set back. It goes a little slower until they meet, in about {hours:.1f} hours; "
                "or start the server again between two rounds: one with open bets would be void."
            )
        else:
            return Check(name=_CLOCK, ok=True, sentence="The floor's clock goes with the machine's.")
        return Check(name=_CLOCK, ok=False, sentence=sentence)

    def _disk_check(self) -> Check:
        if _DISK in self._failing:
            sentence = f"It is not known what room there is for the journal: {self._failing[_DISK]}."
            return Check(name=_DISK, ok=False, sentence=sentence)
        is_low = self.disk is not None and self.disk.is_low
        sentence = (
            "There is little room left for the journal." if is_low else "There is room for the journal."
        )
        return Check(name=_DISK, ok=not is_low, sentence=sentence)

    def _place_check(self) -> Check:
        """Looks by itself, so that whoever asks hears of it at once."""
        if not self._is_in_place():
            sentence = (
                "The journal's file was moved or removed: what is written now is lost with this process."
            )
        elif self._failing.get(_JOURNAL) == _OVERWRITTEN:
            sentence = "The journal's file was overwritten: records that were written are not in it any more."
        else:
            return Check(name="journal file", ok=True, sentence="The journal's file is in its place.")
        return Check(name="journal file", ok=False, sentence=sentence)

    def _whole_check(self) -> Check:
        if (fault := self._failing.get(_JOURNAL)) is not None:
            return Check(name="records", ok=False, sentence=f"{fault[:1].upper()}{fault[1:]}.")
        return Check(name="records", ok=True, sentence="The journal holds what was written.")

    def _software_check(self) -> Check:
        if self._software is None:
            return Check(
                name="software", ok=True, sentence="No record is named to compare the software with."
            )
        if self._software.ok:
            return Check(name="software", ok=True, sentence="The software is as recorded.")
        return Check(name="software", ok=False, sentence=" ".join(self._software.faults))

    def _watch_check(self) -> Check:
        late = 0.0 if self._looked_at is None else time.monotonic() - self._looked_at - self._look_seconds
        if late < LATE_SECONDS:
            return Check(name="watch", ok=True, sentence="The machine is looked after.")
        sentence = f"Nobody has looked after the machine for {late + self._look_seconds:.0f} seconds."
        return Check(name="watch", ok=False, sentence=sentence)

    async def run(self) -> None:
        """Looks now and then until it is cancelled; whatever goes wrong, it looks again."""
        while True:
            await asyncio.sleep(self._look_seconds)
            try:
                await self.look()
            except Exception:  # a watch that ends would be one that finds nothing
                LOG.exception("the machine could not be looked after")

    async def look(self) -> None:
        """Looks once; what cannot be looked at is a fault, and keeps nobody from looking at the rest."""
        for name, look in self._looks.items():
            await self._look(name, look)
        fault = await self._journal_fault()
        if fault is not None and fault != self._failing.get(_JOURNAL):
            LOG.critical("%s: %s", fault, _LOST.get(fault, _TOOK_OVER))
        await self._tell(_JOURNAL, fault)
        await self._halt_where_wrong()
        if self._integrity is not None:
            await self._check_software(self._integrity)
        self._looked_at = time.monotonic()

    async def _look(self, name: str, look: Callable[[], HouseEvent | None]) -> None:
        try:
            event = look()
        except Exception as error:  # whatever it is, it is not known how things are
            if name not in self._failing:
                LOG.exception("the %s could not be looked at", name)
            await self._tell(name, printable(getattr(error, "strerror", None) or str(error)) or "unknown")
            return
        await self._tell(name, None)
        if event is not None:
            await self.note(event)

    async def _tell(self, check: str, fault: str | None) -> None:
        """Notes that a check fails, and that it does not any more; once each."""
        known = self._failing.pop(check, None)
        if fault is not None:
            self._failing[check] = fault
            if known is None:
                await self.note(CheckFailed(check=check, reason=fault))
        elif known is not None:
            await self.note(CheckPassed(check=check))

    async def _journal_fault(self) -> str | None:
        if not self._is_in_place():
            return _MOVED
        try:
            if self._lost is not None:
                return _cut(await asyncio.to_thread(self._lost))
            is_whole = self._is_whole is None or await asyncio.to_thread(self._is_whole)
        except StoreError as error:  # nothing new is known of it
            LOG.error("%s", error)
            return self._failing.get(_JOURNAL)
        return None if is_whole else _OVERWRITTEN

    def _is_in_place(self) -> bool:
        return self._in_place is None or self._in_place()

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
        """Nobody plays on while something is wrong that stops play: a table that is resumed is halted again.

        So is one that this server has taken over from another, which begins with the interruption.
        """
        if self._reason() is not None and any(isinstance(item.entry.event, _BEGINS) for item in published):
            task = asyncio.create_task(self._halt_where_wrong())
            self._halting.add(task)
            task.add_done_callback(self._halting.discard)

    def _reason(self) -> str | None:
        """Why play has to stop; None where it has not."""
        if _JOURNAL in self._failing:
            return self._failing[_JOURNAL]
        return None if self._software is None else reason_to_halt(self._software.faults)

    async def _halt_where_wrong(self) -> None:
        reason = self._reason()
        if reason is not None and self._halt is not None:
            await self._halt(reason)

    async def _found(self, checked: SoftwareChecked) -> None:
        self._software = checked
        await self.note(checked)
        await self._halt_where_wrong()

    async def note(self, event: HouseEvent) -> bool:
        """Writes down what happened; where even that fails, the log of the process has it, and it says no."""
        LOG.log(_level(event), "%s", tell_house(event))
        try:
            await asyncio.to_thread(self._log.note, event)
        except Exception as error:  # the store's, or a text that cannot be written: the watch goes on
            LOG.error("not written down: %s", error)
            return False
        return True
