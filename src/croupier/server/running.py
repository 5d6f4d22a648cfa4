"""Runs a floor as its configuration has it: journal, tables, wheels, door, pages."""

import asyncio
import contextlib
import gc
import importlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio
from litestar import Litestar

from croupier.floor import Ask, SystemClock, create_table
from croupier.floor.house.integrity import compare, measure, read_manifest
from croupier.floor.house.integrity_watch import IntegrityWatch
from croupier.floor.house.log import HouseLog
from croupier.floor.house.watching import last_written_ms
from croupier.journal import EMPTY, Store, StoreError
from croupier.journal.known import Lost
from croupier.journal.opening import is_postgres
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.server.alone import refuse_another
from croupier.server.config import Config, TableConfig
from croupier.server.config_journal import compare_journal, missing_seats
from croupier.server.demonstration import add_staff, check_journal
from croupier.server.floor import Floor, LiveTable
from croupier.server.http import make_app
from croupier.server.joining import join
from croupier.server.older_journal import Showing, in_the_log, open_journal
from croupier.server.on_record import OnRecord
from croupier.server.serving import DRAIN_SECONDS, listen, serve, stop_signals
from croupier.server.voucher_key import check_key, is_missing, read_key
from croupier.server.watching import MachineWatch
from croupier.server.wheels import TableWheel, sensor_wheel, simulated_wheel
from croupier.table import Actor, table_rules
from croupier.table.commands import OpenSeat
from croupier.table.events import voucher_issued

if TYPE_CHECKING:
    from croupier.server.suspecting import WheelsWatched

LOG: Final = logging.getLogger("croupier.server")

OPERATOR: Final = Actor(id="configuration", position="shift-manager")
"""Who creates the tables that the configuration names, and opens their seats for the first time."""


_WHEELS_SECONDS: Final = 0.25
"""How often it is looked whether a wheel is where its table is."""


class RunningFloor:
    """A floor with everything around it, open."""

    def __init__(self, config: Config, floor: Floor, store: Store, wheels: dict[str, TableWheel]) -> None:
        self.config = config
        self.floor = floor
        self.store = store
        self.wheels = wheels
        self.port = 0

    @property
    def base_url(self) -> str:
        """Where people point their browsers."""
        scheme = "https" if self.config.tls is not None else "http"
        host = self.config.listen.host
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"


async def run(
    config: Config,
    *,
    ready: Callable[[RunningFloor], Awaitable[None]] | None = None,
    stop: asyncio.Event | None = None,
    wheel_speed: float = 1.0,
    drain_seconds: float = DRAIN_SECONDS,
    showing: Showing = in_the_log,
) -> None:
    """Opens everything, serves until it is stopped, and closes everything in good order.

    A journal of an older schema is brought forward first, which may take minutes: `showing` shows how far.
    """
    integrity = _integrity_of(config)
    await _load_ahead()
    async with AsyncExitStack() as stack:
        listener = listen(config.listen.host, config.listen.port)
        stack.callback(listener.close)
        clock = SystemClock()
        running = await _open_house(config, clock, showing, stack)
        running.port = listener.getsockname()[1]
        floor = running.floor
        watch = _machine_watch(running, clock, integrity)
        on_record = OnRecord(watch, "" if config.servers is None else config.servers.name)
        stack.push_async_exit(on_record.leave)
        stack.callback(listener.close)
        tasks = await _open_door(running, stack)
        wheels = _wheels_watched(running)
        app = _app_of(running, watch, wheels, stack)
        await _open_tables(running, clock, wheel_speed)
        stop, hurry = stop or asyncio.Event(), asyncio.Event()
        stack.enter_context(stop_signals(stop, hurry))  # from here on a stop is on the record like the start
        await on_record.arrive(tuple(floor.tables))
        await _begin_watch(floor, watch, tasks)
        if config.servers is not None:
            tasks.append(asyncio.create_task(_keep_wheels(running, clock, wheel_speed)))
        _watch_wheels(running, wheels, watch, tasks)

        async def announce() -> None:
            if ready is not None:
                await ready(running)

        await serve(
            floor,
            app,
            listener,
            ready=announce,
            stop=stop,
            hurry=hurry,
            drain_seconds=drain_seconds,
            tls=None if config.tls is None else (config.tls.certificate, config.tls.key),
        )


async def _open_house(
    config: Config, clock: SystemClock, showing: Showing, stack: AsyncExitStack
) -> RunningFloor:
    """Opens the journal, and joins the other servers where there are any; no table runs yet."""
    file = _journal_file(config)
    if file is not None:
        _make_folder(file.parent)
    if config.servers is not None:
        check_key(Path(config.voucher_key))
    is_new = is_missing(Path(config.voucher_key))
    voucher_key = read_key(Path(config.voucher_key))
    store = open_journal(config.journal, showing)
    stack.callback(store.close)
    if config.servers is None:
        await refuse_another(store, [table.id for table in config.tables], clock)
    if is_new:
        _warn_of_lost_key(store, config.voucher_key)
    check_journal(store, demonstration=config.demonstration)
    if config.demonstration:
        # Before the first table: its people are what a demonstration's journal is known by.
        await add_staff(store, clock, config.access.hash_cost)
    company = None if config.servers is None else await join(config, config.servers, voucher_key, clock)
    if company is not None:
        stack.push_async_callback(company.leave)
    floor = Floor(
        store,
        clock,
        voucher_key=voucher_key,
        name=config.name,
        zone=config.time_zone,
        demonstration=config.demonstration,
        input_limits=config.input,
        origins=config.listen.origins,
        proxies=config.listen.proxies,
        voucher_days=config.voucher_days,
        find_book=config.find_book,
        neighbours=None if company is None else company.neighbours,
    )
    return RunningFloor(config, floor, store, {})


def _warn_of_lost_key(store: Store, path: str) -> None:
    """A key that was made where vouchers were issued before is another one than theirs."""
    if store.claims(voucher_issued("")):
        LOG.critical(
            "There was no voucher key at %s, and one was made, though vouchers were issued with another: "
            "stop the server, and put the floor's own key back from the backup.",
            path,
        )


def _journal_file(config: Config) -> Path | None:
    """Where the journal lies; None where a database has it."""
    return None if is_postgres(config.journal) else Path(config.journal)


def _machine_watch(
    running: RunningFloor, clock: SystemClock, integrity: IntegrityWatch | None
) -> MachineWatch:
    store = running.store
    file = store if isinstance(store, SqliteStore) else None
    return MachineWatch(
        HouseLog(store, clock),
        _journal_file(running.config),
        in_place=None if file is None else file.is_in_place,
        is_whole=None if file is None else file.holds_what_was_written,
        lost=_lost(store),
        integrity=integrity,
        halt=running.floor.halt_tables,
        written_ms=last_written_ms(store),
        ahead_ms=clock.ahead_ms,
    )


def _lost(store: Store) -> Callable[[], Sequence[Lost]] | None:
    """What says which chains a database does not hold any more."""
    if isinstance(store, SqliteStore):
        return None
    from croupier.journal.postgres import PostgresStore  # its driver is an extra

    return store.lost if isinstance(store, PostgresStore) else None


async def _open_door(running: RunningFloor, stack: AsyncExitStack) -> list[asyncio.Task[None]]:
    """Opens the door; what is put into the list that this gives ends before wheels, tables and door."""
    stack.push_async_callback(_stop_floor, running.floor)
    stack.push_async_callback(_stop_wheels, running)
    tasks: list[asyncio.Task[None]] = []
    stack.push_async_callback(_end, tasks)
    await running.floor.open(running.config.access)
    return tasks


async def _begin_watch(floor: Floor, watch: MachineWatch, tasks: list[asyncio.Task[None]]) -> None:
    """Looks after the machine for the first time before anybody plays, and from then on."""
    for live in floor.tables.values():
        live.followers.append(watch.follow)
    await watch.look()
    tasks.append(asyncio.create_task(watch.run()))


def _app_of(
    running: RunningFloor, watch: MachineWatch, wheels: "WheelsWatched | None", stack: AsyncExitStack
) -> Litestar:
    """Composes all that is asked over HTTP, while this server has no table yet.

    It takes up to a second in which nothing else is done, as does the collector's look at all of it.
    """
    config, file = running.config, _journal_file(running.config)
    app = make_app(
        running.floor,
        config.journal,
        zone=config.time_zone,
        shifts=config.shifts,
        checks=watch.checks,
        check_software=watch.check_software,
        projection=":memory:" if file is None else f"{file}.projection",
        site=config.site,
        wheels=wheels,
    )
    stack.callback(app.state["house"].close)
    gc.collect()
    return app


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _stop_wheels(running: RunningFloor) -> None:
    for wheel in running.wheels.values():
        await wheel.stop()


async def _stop_floor(floor: Floor) -> None:
    if hasattr(floor, "access"):  # it was opened
        await floor.stop()


def _make_folder(folder: Path) -> None:
    """Makes the folder of the journal where there is none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(
            "journal-folder",
            f"The folder {str(folder)!r} of the journal cannot be made: {error.strerror}.",
            "Name a journal in a folder that the server may write to.",
        ) from error


async def _load_ahead() -> None:
    """Loads what the watch on wheels and the way to serve need, while this server has no table yet.

    It takes seconds in which nothing else is done: a table that ran by then would stand still, and another
    server would take it as from one that hangs.
    """
    with contextlib.suppress(ImportError):  # the extra is not installed; the watch says so
        importlib.import_module("croupier.server.suspecting")
    importlib.import_module("uvicorn.lifespan.on")
    async with anyio.create_task_group():  # the first one loads what is behind all of them
        pass


def _wheels_watched(running: RunningFloor) -> "WheelsWatched | None":
    """What adds up the results of the wheels, where the mathematics for it is installed."""
    try:
        from croupier.server.suspecting import WheelsWatched
    except ImportError:
        LOG.info("wheels are not watched: that takes the extra 'lab'")
        return None
    config = running.config
    return WheelsWatched(running.floor.store, config.wheel_alarm_one_in, config.find_book)


def _watch_wheels(
    running: RunningFloor,
    wheels: "WheelsWatched | None",
    machine: MachineWatch,
    tasks: list[asyncio.Task[None]],
) -> None:
    """Looks at the wheels of all tables from now on."""
    if wheels is not None:
        from croupier.server.suspecting import Suspecting

        tasks.append(asyncio.create_task(Suspecting(running.floor, wheels, machine).run()))


def _integrity_of(config: Config) -> IntegrityWatch | None:
    """What compares the installed software with its record, where the configuration names one."""
    if config.integrity is None:
        return None
    recorded = read_manifest(Path(config.integrity))
    books = [Path(name) for name in config.book_files]
    return IntegrityWatch(lambda: compare(recorded, measure(books=books)))


async def _open_tables(running: RunningFloor, clock: SystemClock, wheel_speed: float) -> None:
    config, floor = running.config, running.floor
    compared = await asyncio.to_thread(compare_journal, config, running.store)
    for table in compared.to_create:
        rules = table_rules(config.find_book(table.settings.book), table.settings)
        try:
            create_table(running.store, rules, table.settings, clock.now_ms(), OPERATOR)
        except StoreError:
            if running.store.head(table.id) == EMPTY:
                raise
            LOG.info("table %s: another server has created it at this moment", table.id)
    for warning in compared.warnings():
        LOG.warning("%s", warning)
    for table in config.tables:
        await floor.open_table(table.id)
        await _see_to_table(running, table, clock, wheel_speed)


async def _see_to_table(running: RunningFloor, table: TableConfig, clock: SystemClock, speed: float) -> None:
    """Whoever runs a new table first opens its seats, and its wheel speaks to that server."""
    live = running.floor.tables[table.id]
    if running.floor.neighbours.runs_here(table.id) and not live.runner.state.seats:
        await _open_seats(table, live)
    await _see_to_wheel(running, table, clock, speed)


async def _see_to_wheel(running: RunningFloor, table: TableConfig, clock: SystemClock, speed: float) -> None:
    """A wheel speaks to the server that runs its table, and to no other."""
    if not running.floor.neighbours.runs_here(table.id):
        if table.id in running.wheels:
            await running.wheels.pop(table.id).stop()
    elif table.id not in running.wheels:
        wheel = _wheel_of(table, running.floor.tables[table.id], clock, speed)
        if wheel is not None:
            running.wheels[table.id] = wheel


async def _keep_wheels(running: RunningFloor, clock: SystemClock, speed: float) -> None:
    """Follows the tables from one server to another, for ever."""
    while True:
        await asyncio.sleep(_WHEELS_SECONDS)
        for table in running.config.tables:
            try:
                await _see_to_table(running, table, clock, speed)
            except Exception:  # the other tables have wheels too, and this one may be right the next time
                LOG.exception("table %s: its wheel could not be seen to", table.id)


async def _open_seats(table: TableConfig, live: LiveTable) -> None:
    """Opens the seats of a new table; later they are opened and closed at its console."""
    state = await live.runner.consistent_state()
    if state.seats:
        return
    answered = max(state.answers.get(OPERATOR.id, {0: None}))
    for number, seat in enumerate(missing_seats(table, state), answered + 1):
        reply = await live.runner.submit(
            Ask(OPERATOR, OpenSeat(seat=seat.id, kind=seat.kind, layout=seat.layout), OPERATOR.id, number)
        )
        if reply.rejection is not None:
            raise StoreError(f"Seat {seat.id} of {table.id} was not opened: {reply.rejection.sentence}")


def _wheel_of(table: TableConfig, live: LiveTable, clock: SystemClock, speed: float) -> TableWheel | None:
    source = live.runner.state.settings.spin_source
    if source == "simulated":
        return simulated_wheel(live, clock, speed=speed)
    if source == "sensor":
        if table.wheel_port is None:
            raise BadInput("no-wheel-port", f"Table {table.id} has a sensor wheel and no port for it.")
        return sensor_wheel(live, clock, table.wheel_port)
    return None
