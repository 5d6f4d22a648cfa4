"""A floor: its tables with their runners and listeners, its office and its cage, in one process."""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from croupier.floor import Clock, Published
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.vouchers import VALID_DAYS
from croupier.floor.house.log import HouseLog
from croupier.floor.loading import currency_of
from croupier.floor.shared.roll import Terminal
from croupier.floor.tables import Table
from croupier.journal import Store
from croupier.protocol.asking import VERSION
from croupier.rulebook import Book, load_book
from croupier.server.access import Access, AccessPolicy, HashCost
from croupier.server.addresses import in_either_form
from croupier.server.admission import Admission, Admitted
from croupier.server.device_presence import DevicePresence
from croupier.server.hub import TableHub
from croupier.server.input_limits import InputLimits
from croupier.server.metrics import Metrics
from croupier.server.neighbours import Neighbours
from croupier.server.pit import PitHub
from croupier.server.seating import AWAY_SECONDS, Presence
from croupier.server.timed_store import TimedStore
from croupier.server.vouchers import voucher_number
from croupier.table import State
from croupier.table.commands import HaltTable
from croupier.table.events import voucher_issued

LOG: Final = logging.getLogger("croupier.server")

Ending = Callable[[str, str, int | None, int], None]
"""Ends a connection: with a code, a sentence, when to come back, and the code for the socket."""


class LiveTable:
    """One table that runs: its writer, and whoever listens."""

    def __init__(self, runner: Table, hub: TableHub, presence: Presence) -> None:
        self.runner = runner
        self.hub = hub
        self.presence = presence
        self.followers: list[Callable[[Sequence[Published]], None]] = []
        """Who else hears what has happened, beside the listeners: a simulated wheel, a watch on the wheel."""


class Floor:
    """Everything that one server process runs."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        voucher_key: bytes,
        name: str = "croupier",
        zone: str = "UTC",
        demonstration: bool = False,
        input_limits: InputLimits | None = None,
        origins: Sequence[str] = (),
        proxies: Sequence[str] = (),
        voucher_days: int = VALID_DAYS,
        find_book: Callable[[str], Book] = load_book,
        away_seconds: float = AWAY_SECONDS,
        neighbours: Neighbours | None = None,
    ) -> None:
        self.metrics = Metrics()
        self.store: Store = TimedStore(store, self.metrics)
        self.clock = clock
        self.name = name
        self.zone = zone
        """By which clocks people see times."""
        self.demonstration = demonstration
        self.epoch = secrets.token_hex(8)
        self.version = VERSION
        self.input_limits = input_limits or InputLimits()
        self.tables: dict[str, LiveTable] = {}
        self.cage = Cage(store, clock, voucher_days)
        self.pit = PitHub(lambda: [table.hub for table in self.tables.values()])
        self.find_book = find_book
        self.takes_connections = True
        self.is_closing = False
        """Whether it was told to stop: rounds that run may still end, and whoever can goes elsewhere."""
        self.readers: list[Callable[[], None]] = []
        """Ends whatever reads much of the journal: a stop waits for none of it."""
        self._key = voucher_key
        self._origins = frozenset(origins)
        self.proxies = frozenset(in_either_form(proxies))
        """Whose word about a client's address is taken."""
        self._away_seconds = away_seconds
        self.neighbours = neighbours or Neighbours()
        """The other servers of the floor, where there are any."""
        self._devices = DevicePresence(
            HouseLog(self.store, clock),
            clock,
            away_seconds,
            None if neighbours is None else neighbours.is_elsewhere,
        )
        self._sessions: dict[str, list[Ending]] = {}
        self.access: Access
        self.hash_cost: HashCost
        self.admission: Admission

    async def open(self, policy: AccessPolicy | None = None) -> None:
        """Opens the door; tables are opened one by one."""
        policy = policy or AccessPolicy()
        self.hash_cost = policy.hash_cost
        self.access = await Access.open(
            self.store,
            self.clock,
            policy,
            on_session_end=lambda session, why: self._ended(session.id),
            on_device_end=lambda device, why: self._ended(device.id),
        )
        self.admission = Admission(self.access, self.tables)
        await self.neighbours.start(self._seen_elsewhere, self._seen_elsewhere, self._replaced)

    async def open_table(self, table: str) -> LiveTable:
        """Runs a table of the journal."""
        live: LiveTable | None = None

        def compose(published: Sequence[Published]) -> Callable[[], None]:
            if live is None:  # what recovery does on opening is in the first snapshots already
                return lambda: None
            with self.metrics.composing.time():
                send = live.hub.compose(published)
            return partial(self._publish, table, live, published, send)

        runner = await self.neighbours.run_table(
            self.store,
            table,
            self.clock,
            compose=compose,
            alarm=self._alarm,
            find_book=self.find_book,
            voucher_days=self.cage.valid_days,
            moved=self._moved,
        )
        state = await runner.consistent_state()
        elsewhere = partial(self.neighbours.seats_elsewhere, table)
        decides = partial(self.neighbours.runs_here, table)
        hub = TableHub(
            lambda: runner.rules,
            lambda: runner.state,
            self.clock.now_ms,
            runner.consistent_state,
            self.pit.table_changed,
            elsewhere,
        )
        live = LiveTable(runner, hub, Presence(runner, self.clock, self._away_seconds, elsewhere, decides))
        self.tables[table] = live
        self.metrics.watch_queue(table, lambda: runner.waiting)
        if self.neighbours.runs_here(table):
            self._expect_terminals(table, live, state)
        return live

    def _moved(self, table: str) -> None:
        """A table runs at another server than before: if that is this one, it waits for the terminals."""
        live = self.tables.get(table)
        if live is not None and self.neighbours.runs_here(table):
            self._expect_terminals(table, live, live.runner.state)

    def _publish(
        self, table: str, live: LiveTable, published: Sequence[Published], send: Callable[[], None]
    ) -> None:
        """What has happened is on the disk: everybody hears of it."""
        with self.metrics.broadcast.time():
            send()
        self.metrics.published(table, published)
        for follow in live.followers:
            follow(published)

    def _expect_terminals(self, table: str, live: LiveTable, state: State) -> None:
        for device in self.access.devices():
            if device.is_active and device.table == table and device.seat in state.seats:
                live.presence.expect(device.seat)

    async def stop(self) -> None:
        """Tells everybody, and lets go of the tables; rounds that run are left as recovery expects."""
        if not self.takes_connections:
            return
        self.takes_connections = False
        self.is_closing = True
        for stop_reading in self.readers:
            stop_reading()
        for endings in [*self._sessions.values()]:
            for ending in [*endings]:
                ending("closing", "The floor closes; come back soon.", 2, 1001)
        self.pit.stop()
        self._devices.stop()
        for live in self.tables.values():
            live.presence.stop()
            live.hub.stop()
        await asyncio.gather(*(live.runner.stop() for live in self.tables.values()))
        await self.neighbours.stop()
        await self.access.close()

    async def halt_tables(self, reason: str) -> None:
        """Stops play at every table that plays here; one that cannot be halted does not keep the others."""
        for table, live in self.tables.items():
            if live.runner.state.halted is None and self.neighbours.runs_here(table):
                try:
                    reply = await live.runner.submit_as_system(HaltTable(reason=reason))
                except Exception:
                    LOG.exception("table %s: it could not be halted", table, extra={"table": table})
                    continue
                if reply.rejection is not None:
                    self._alarm(table, f"it was not halted: {reply.rejection.sentence}")

    def _alarm(self, table: str, reason: str) -> None:
        LOG.critical("table %s: %s", table, reason, extra={"table": table})

    # Connections

    def connected(self, end: Ending, admitted: Admitted) -> None:
        """Somebody has come in; a seat has one screen, and the latest one it is."""
        endings = self._sessions.setdefault(admitted.sender, [])
        if admitted.seat is not None:
            for ending in [*endings]:
                ending("replaced", "This seat was opened on another screen.", None, 1008)
        self._sessions.setdefault(admitted.sender, []).append(end)
        self.metrics.connected.labels(admitted.audience).inc()
        self.neighbours.arrived(admitted)
        if admitted.seat is not None and admitted.table is not None:
            self.tables[admitted.table].presence.arrived(admitted.seat)
        elif admitted.is_device:
            self._devices.arrived(admitted)

    def disconnected(self, end: Ending, admitted: Admitted) -> None:
        """Somebody has gone."""
        endings = self._sessions.get(admitted.sender, [])
        if end not in endings:
            return
        endings.remove(end)
        if not endings:
            del self._sessions[admitted.sender]
        self.metrics.connected.labels(admitted.audience).dec()
        self.neighbours.left(admitted)
        if admitted.seat is not None and admitted.table is not None:
            self.tables[admitted.table].presence.left(admitted.seat)
        elif admitted.is_device and self.takes_connections:
            self._devices.left(admitted)

    def _replaced(self, terminal: Terminal) -> None:
        """A seat was opened at another server: it has one screen, and the latest one it is."""
        for ending in [*self._sessions.get(terminal.device, ())]:
            ending("replaced", "This seat was opened on another screen.", None, 1008)

    def _seen_elsewhere(self, terminal: Terminal) -> None:
        """A seat's terminal has come to another server, or gone from it: then it has time to come back."""
        live = self.tables.get(terminal.table)
        if live is not None and self.takes_connections:
            live.hub.seat_elsewhere(terminal.seat)
            live.presence.expect(terminal.seat)

    def _ended(self, holder: str) -> None:
        """A session is over or a device was revoked: its connections end at once."""
        for ending in [*self._sessions.get(holder, ())]:
            ending("signed-out", "This session or device is no longer admitted.", None, 1008)

    def is_own_origin(self, origin: str, host: str | None) -> bool:
        """Whether a page that wants to connect is one of ours."""
        return origin in self._origins or origin in (f"http://{host}", f"https://{host}")

    @property
    def figures_key(self) -> bytes:
        """A key for kept figures alone: what it seals says nothing about the floor's other secrets."""
        return hashlib.blake2b(self._key, digest_size=32, person=b"croupier figures").digest()

    # Vouchers

    def voucher_number(self, table: str, sender: str, number: int) -> str:
        """The number of the voucher that a cash-out gives."""
        return voucher_number(self._key, table, sender, number)

    def currency_of(self, table: str) -> str:
        """What a table plays in, one included that does not run any more; "" where nobody can tell."""
        live = self.tables.get(table)
        if live is not None:
            return live.runner.rules.book.currency
        return currency_of(self.store, table, self.find_book)

    async def was_issued(self, voucher: str) -> bool:
        """Whether a voucher with this number was issued."""
        return await asyncio.to_thread(self.store.claimant, voucher_issued(voucher)) is not None
