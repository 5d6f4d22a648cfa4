"""The other servers of a floor: who runs which table, and who is connected where."""

import hashlib
import logging
import secrets
from collections.abc import Callable, Collection
from typing import Final

from croupier.floor import Clock, Runner
from croupier.floor.announcing import Compose
from croupier.floor.shared.bus import Bus
from croupier.floor.shared.messages import Subjects
from croupier.floor.shared.roll import Roll, Terminal
from croupier.floor.shared.sealing import Seal
from croupier.floor.shared.table import SharedTable
from croupier.floor.shared.voice import Company
from croupier.floor.tables import Table
from croupier.journal import Store
from croupier.journal.leases import Leases
from croupier.rulebook import Book
from croupier.server.admission import Admitted

LOG: Final = logging.getLogger("croupier.server")

Alarm = Callable[[str, str], None]


class Neighbours:
    """A server that is alone: it runs all tables, and nobody is connected anywhere else."""

    async def start(
        self,
        came: Callable[[Terminal], None],
        gone: Callable[[Terminal], None],
        replaced: Callable[[Terminal], None],
    ) -> None:
        """Begins to hear of terminals that come to other servers, go from them, or have moved to them."""

    async def stop(self) -> None:
        """Says that this server is gone."""

    async def run_table(
        self,
        store: Store,
        table: str,
        clock: Clock,
        *,
        compose: Compose,
        alarm: Alarm,
        find_book: Callable[[str], Book],
        voucher_days: int,
        moved: Callable[[str], None],
    ) -> Table:
        """Runs a table here; `moved` hears of it when that has changed."""
        runner = Runner(
            store,
            table,
            clock,
            compose=compose,
            alarm=alarm,
            find_book=find_book,
            voucher_days=voucher_days,
        )
        await runner.start()
        return runner

    def runs_here(self, table: str) -> bool:
        """Whether this server runs a table."""
        return True

    def is_heard(self, table: str) -> bool:
        """Whether a table that does not run here is heard to run at another server."""
        return False

    @property
    def bus_fault(self) -> str | None:
        """What is wrong with the way to the other servers; None where nothing is, or there are none."""
        return None

    @property
    def can_take_over(self) -> bool:
        """Whether there is another server that would run the tables of this one."""
        return False

    async def hand_over(self, table: str) -> None:
        """Lets another server have a table, where there is one."""

    def arrived(self, admitted: Admitted) -> None:
        """Somebody has connected here."""

    def left(self, admitted: Admitted) -> None:
        """Somebody has gone from here."""

    def seats_elsewhere(self, table: str) -> Collection[str]:
        """The seats whose terminals are connected to other servers."""
        return ()

    def is_elsewhere(self, device: str) -> bool:
        """Whether a device is connected to another server."""
        return False


class SharingNeighbours(Neighbours):
    """A server among others: each table runs at one of them, and the others follow it."""

    def __init__(
        self, name: str, bus: Bus, leases: Leases, floor_key: bytes, clock: Clock, first: Collection[str]
    ) -> None:
        """`first` are the tables that this server takes at once where nobody has them."""
        # Servers with another key are another floor, and do not even hear of this one.
        floor = hashlib.blake2b(floor_key, digest_size=8, person=b"croupier floor").hexdigest()
        self._company = Company(
            name=name,
            id=f"{name}-{secrets.token_hex(4)}",
            bus=bus,
            leases=leases,
            seal=Seal(floor_key, clock),
            subjects=Subjects(floor),
        )
        self._clock = clock
        self._first = frozenset(first)
        self._tables: dict[str, SharedTable] = {}
        self._roll: Roll | None = None

    async def start(
        self,
        came: Callable[[Terminal], None],
        gone: Callable[[Terminal], None],
        replaced: Callable[[Terminal], None],
    ) -> None:
        """Begins to hear of terminals that come to other servers, go from them, or have moved to them."""
        self._roll = Roll(
            self._company, self._clock, came_elsewhere=came, gone_elsewhere=gone, replaced=replaced
        )
        await self._roll.start()

    async def stop(self) -> None:
        """Says that this server is gone."""
        if self._roll is not None:
            await self._roll.stop()

    async def run_table(
        self,
        store: Store,
        table: str,
        clock: Clock,
        *,
        compose: Compose,
        alarm: Alarm,
        find_book: Callable[[str], Book],
        voucher_days: int,
        moved: Callable[[str], None],
    ) -> Table:
        """Runs a table here, or follows it; `moved` hears of it when that has changed."""
        shared = SharedTable(
            store,
            table,
            clock,
            self._company,
            compose=compose,
            alarm=alarm,
            find_book=find_book,
            takes_first=table in self._first,
            voucher_days=voucher_days,
            moved=lambda is_owner: moved(table),
        )
        self._tables[table] = shared
        await shared.start()
        return shared

    def runs_here(self, table: str) -> bool:
        """Whether this server runs a table."""
        return table in self._tables and self._tables[table].is_owner

    def is_heard(self, table: str) -> bool:
        """Whether a table that does not run here is heard to run at another server."""
        return table in self._tables and not self._tables[table].is_silent()

    @property
    def bus_fault(self) -> str | None:
        """What is wrong with the way to the other servers, where tables run at them."""
        if self._company.bus.is_up or all(table.is_owner for table in self._tables.values()):
            return None
        return "The bus to the other servers is down, and tables run there."

    @property
    def can_take_over(self) -> bool:
        """Whether there is another server that would run the tables of this one."""
        return self._roll is not None and self._roll.has_others

    async def hand_over(self, table: str) -> None:
        """Lets another server have a table, where there is one, and follows it from now on."""
        if self.can_take_over:
            await self._tables[table].hand_over()

    def arrived(self, admitted: Admitted) -> None:
        """Somebody has connected here."""
        if self._roll is not None and (admitted.seat is not None or admitted.is_device):
            self._roll.arrived(admitted.table, admitted.seat, admitted.sender)

    def left(self, admitted: Admitted) -> None:
        """Somebody has gone from here."""
        if self._roll is not None and (admitted.seat is not None or admitted.is_device):
            self._roll.left(admitted.table, admitted.seat, admitted.sender)

    def seats_elsewhere(self, table: str) -> Collection[str]:
        """The seats whose terminals are connected to other servers."""
        return () if self._roll is None else self._roll.seats_elsewhere(table)

    def is_elsewhere(self, device: str) -> bool:
        """Whether a device is connected to another server."""
        return self._roll is not None and self._roll.is_elsewhere(device)
