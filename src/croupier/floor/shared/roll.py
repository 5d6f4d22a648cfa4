"""Which terminals and devices are connected to which server of the floor."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple

from croupier.floor.clock import Clock
from croupier.floor.shared.bus import Heard, Listening
from croupier.floor.shared.complaining import Unread
from croupier.floor.shared.messages import UNREADABLE, Sheet, decode_sheet, encode
from croupier.floor.shared.sealing import BadSeal
from croupier.floor.shared.voice import Company

LOG: Final = logging.getLogger("croupier.floor")

SHEET_MS: Final = 1_000
"""How often a server says who is connected to it."""
SILENT_MS: Final = 4_000
"""How long a server may be silent before whoever was connected to it counts as gone."""


class Terminal(NamedTuple):
    """A seat's screen."""

    table: str
    seat: str
    device: str


class Roll:
    """Says who is connected here, and knows who is connected elsewhere."""

    def __init__(
        self,
        company: Company,
        clock: Clock,
        *,
        came_elsewhere: Callable[[Terminal], None],
        gone_elsewhere: Callable[[Terminal], None],
        replaced: Callable[[Terminal], None],
    ) -> None:
        """The callbacks hear of terminals that have come to another server, or are at none any more.

        `replaced` hears of those that are here and have come to another server since.
        """
        self._company = company
        self._clock = clock
        self._unread = Unread(clock, "a list of who is connected cannot be read")
        self._came = came_elsewhere
        self._gone = gone_elsewhere
        self._replaced = replaced
        self._here: Counter[Terminal] = Counter()
        self._since: dict[Terminal, int] = {}
        """When each of those that are here has come for the last time."""
        self._devices: Counter[str] = Counter()
        self._sheets: dict[str, tuple[int, Sheet]] = {}
        """By process, its last sheet and when it was heard."""
        self._heard_to: dict[str, int] = {}
        """The same, when its last sheet was made: what comes again later is of no use to anybody."""
        self._listening: Listening | None = None
        self._telling: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._told_ms = 0

    async def start(self) -> None:
        """Begins to tell and to hear."""
        company = self._company
        self._listening = await company.bus.listen(company.subjects.roll, self._hear)
        self._telling = asyncio.create_task(self._tell_on(), name="roll")

    async def stop(self) -> None:
        """Says that everybody here is gone."""
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        if self._listening is not None:
            await self._listening.stop()
        self._here.clear()
        self._since.clear()
        self._devices.clear()
        self._tell(leaving=True)

    def arrived(self, table: str | None, seat: str | None, device: str) -> None:
        """Somebody has connected here."""
        self._count(table, seat, device, 1)

    def left(self, table: str | None, seat: str | None, device: str) -> None:
        """Somebody has gone from here."""
        self._count(table, seat, device, -1)

    @property
    def has_others(self) -> bool:
        """Whether other servers are there."""
        return bool(self._sheets)

    def seats_elsewhere(self, table: str) -> set[str]:
        """The seats of a table whose terminals are connected to other servers."""
        return {terminal.seat for terminal in self._elsewhere() if terminal.table == table}

    def is_elsewhere(self, device: str) -> bool:
        """Whether a device is connected to another server."""
        return any(
            device in sheet.devices or any(device == known for _, _, known, _ in sheet.terminals)
            for _, sheet in self._sheets.values()
        )

    def _count(self, table: str | None, seat: str | None, device: str, more: int) -> None:
        if table is not None and seat is not None:
            terminal = Terminal(table, seat, device)
            self._here[terminal] += more
            if more > 0:
                # Behind whatever is known of it, also where the other server's clock is ahead.
                self._since[terminal] = max(self._clock.now_ms(), self._elsewhere_since(terminal) + 1)
            if not self._here[terminal]:
                del self._here[terminal], self._since[terminal]
        else:
            self._devices[device] += more
            if not self._devices[device]:
                del self._devices[device]
        self._changed.set()

    def _elsewhere_since(self, terminal: Terminal) -> int:
        """When a terminal came to another server for the last time; 0 where it is at none."""
        return max(
            (
                since_ms
                for _, sheet in self._sheets.values()
                for *known, since_ms in sheet.terminals
                if tuple(known) == terminal
            ),
            default=0,
        )

    def _elsewhere(self) -> set[Terminal]:
        return {
            Terminal(table, seat, device)
            for _, sheet in self._sheets.values()
            for table, seat, device, _ in sheet.terminals
        }

    async def _tell_on(self) -> None:
        while True:
            self._changed.clear()
            try:
                self._tell()
                self._forget_silent()
            except Exception:
                LOG.exception("the list of who is connected could not be told")
            sleeping = asyncio.ensure_future(self._clock.sleep_until(self._clock.now_ms() + SHEET_MS))
            changing = asyncio.ensure_future(self._changed.wait())
            try:
                await asyncio.wait((sleeping, changing), return_when=asyncio.FIRST_COMPLETED)
            finally:
                sleeping.cancel()
                changing.cancel()
            await asyncio.sleep(0)  # those who come together are told of together

    def _tell(self, *, leaving: bool = False) -> None:
        company, subject = self._company, self._company.subjects.roll
        self._told_ms = max(self._told_ms + 1, self._clock.now_ms())
        sheet = Sheet(
            server=company.name,
            process=company.id,
            at_ms=self._told_ms,
            terminals=tuple((*terminal, since_ms) for terminal, since_ms in self._since.items()),
            devices=tuple(self._devices),
            leaving=leaving,
        )
        company.bus.send(subject, company.seal.close(subject, encode(sheet)))

    def _hear(self, heard: Heard) -> None:
        company = self._company
        try:
            sheet = decode_sheet(company.seal.open(heard.subject, heard.data))
        except (BadSeal, *UNREADABLE) as error:
            self._unread.warn(error)
            return
        if sheet.process == company.id:
            return
        before = self._elsewhere()
        if sheet.at_ms <= self._heard_to.get(sheet.process, 0):
            return
        self._heard_to[sheet.process] = sheet.at_ms
        if sheet.process not in self._sheets and sheet.server == company.name and not sheet.leaving:
            LOG.error("two servers of this floor have the name %s: give each its own", company.name)
        if sheet.leaving:
            self._sheets.pop(sheet.process, None)
        else:
            self._sheets[sheet.process] = self._clock.now_ms(), sheet
        self._compare(before)
        self._replace(sheet)

    def _replace(self, sheet: Sheet) -> None:
        """A terminal is where it came last; of two that came at once, all servers choose the same."""
        for table, seat, device, since_ms in sheet.terminals:
            terminal = Terminal(table, seat, device)
            here = self._since.get(terminal)
            if here is not None and (here, self._company.id) < (since_ms, sheet.process):
                self._replaced(terminal)

    def _forget_silent(self) -> None:
        """A server that says nothing any more has nobody connected to it."""
        before, now_ms = self._elsewhere(), self._clock.now_ms()
        silent = [process for process, (at_ms, _) in self._sheets.items() if now_ms - at_ms > SILENT_MS]
        for process in silent:
            LOG.warning("server %s says nothing any more", self._sheets.pop(process)[1].server)
        if silent:
            self._compare(before)

    def _compare(self, before: set[Terminal]) -> None:
        after = self._elsewhere()
        for terminal in sorted(after - before):
            self._came(terminal)
        for terminal in sorted(before - after):
            self._gone(terminal)
