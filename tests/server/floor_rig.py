"""A floor on real sockets for tests: a journal in a file, staff, devices, tables of any book."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar

from croupier.client import Connection
from croupier.floor import Ask, SystemClock, create_table
from croupier.floor.clock import Clock
from croupier.journal import Store, open_store
from croupier.protocol.asking import Do
from croupier.protocol.telling import Answer, Told
from croupier.rulebook import load_book, with_order
from croupier.server.access import AccessPolicy, HashCost, LockOutPolicy, Refusal
from croupier.server.access.hashing import Hasher
from croupier.server.floor import Floor, LiveTable
from croupier.server.input_limits import InputLimits
from croupier.server.serving import listen, serve
from croupier.table import Actor, Rules, Settings
from croupier.table import commands as c
from table.rig import Layouts, wide_limits

QUICK = AccessPolicy(hash_cost=HashCost(time=1, memory_kib=64, lanes=1), lock_out=LockOutPolicy())
PASSWORD = "correct horse battery"
SHIFT = Actor(id="shift", position="shift-manager")
OWN_ACTS = (c.PlaceBets, c.TakeBets, c.MoveBet, c.ClearBets, c.CashOut)
BESIDE = Actor(id="beside", position="dealer")
PEOPLE = {
    "dee": "dealer",
    "dan": "dealer",
    "sue": "pit-supervisor",
    "max": "pit-manager",
    "shi": "shift-manager",
}


class FloorRig:
    """A floor that serves, and ways to come in."""

    def __init__(self, floor: Floor, port: int, stop: asyncio.Event) -> None:
        self.floor = floor
        self.stop = stop
        self.base_url = f"http://127.0.0.1:{port}"
        self.socket_url = f"ws://127.0.0.1:{port}/ws"
        self._number = 0
        self._tokens: dict[tuple[str, str, str | None], str] = {}

    @property
    def origin(self) -> str:
        return self.base_url

    async def table(
        self, table: str = "R1", book: str = "mbs-roulette", layout: Layouts = None, **settings: Any
    ) -> LiveTable:
        """A new table, not open for play yet."""
        rules = Rules(with_order(load_book(book), settings.get("pocket_order", ())), layout)
        given: dict[str, Any] = {
            "limits": wide_limits(rules),
            "lock_up_cents": 10_000_000,
            "voucher_limit_cents": 1_000_000,
            **settings,
        }
        made = Settings(table=table, book=book, layouts=tuple(rules.layouts), **given)
        create_table(self.floor.store, rules, made, self.floor.clock.now_ms(), SHIFT)
        return await self.floor.open_table(table)

    async def open_table(
        self, table: str = "R1", book: str = "mbs-roulette", seats: int = 2, **settings: Any
    ) -> LiveTable:
        """A new table that is open, with seats "1", "2", ..."""
        live = await self.table(table, book, **settings)
        await self.do(table, c.OpenTable())
        for number in range(1, seats + 1):
            await self.do(table, c.OpenSeat(seat=str(number), kind=live.runner.rules.seat_kinds[0]))
        return live

    async def do(self, table: str, do: Any) -> None:
        """Has the shift manager do something, or the player what only a player does, past all sockets."""
        self._number += 1
        actor: Actor = SHIFT
        second: Actor | None = BESIDE
        if isinstance(do, OWN_ACTS) or (isinstance(do, c.BuyCredits) and do.voucher is not None):
            actor, second = Actor(id=f"player-{do.seat}", position="player", seat=do.seat), None
        reply = await self.floor.tables[table].runner.submit(Ask(actor, do, actor.id, self._number, second))
        assert reply.rejection is None, reply.rejection

    async def token(self, kind: str = "terminal", table: str = "R1", seat: str | None = "1") -> str:
        """The token of a device, the same one each time."""
        key = kind, table, seat if kind == "terminal" else None
        if key not in self._tokens:
            code = await self.floor.access.issue_code(SHIFT, kind, table, key[2])
            assert not isinstance(code, Refusal), code
            enrolled = await self.floor.access.enrol(code.code.reveal(), "127.0.0.1")
            assert not isinstance(enrolled, Refusal), enrolled
            self._tokens[key] = enrolled.token.reveal()
        return self._tokens[key]

    async def sign_in(self, name: str) -> str:
        """The token of a new session."""
        admitted = await self.floor.access.sign_in(name, PASSWORD, "127.0.0.1")
        assert not isinstance(admitted, Refusal), admitted
        return admitted.token.reveal()

    async def seat(self, seat: str = "1", table: str = "R1", **options: Any) -> Connection:
        """A terminal; not connected yet."""
        return Connection(self.socket_url, await self.token("terminal", table, seat), "seat", **options)

    async def console(self, name: str = "dee", table: str = "R1", **options: Any) -> Connection:
        """A console; not connected yet."""
        return Connection(self.socket_url, await self.sign_in(name), "console", table, **options)

    async def display(self, table: str = "R1", **options: Any) -> Connection:
        """A display; not connected yet."""
        return Connection(self.socket_url, await self.token("display", table, None), "display", **options)

    async def pit(self, name: str = "sue") -> Connection:
        """The pit's screen; not connected yet."""
        return Connection(self.socket_url, await self.sign_in(name), "pit")


@asynccontextmanager
async def a_floor(
    path: Path,
    *,
    clock: Clock | None = None,
    store: Store | None = None,
    app: Any = None,
    input_limits: InputLimits | None = None,
    drain_seconds: float = 0,
    policy: AccessPolicy = QUICK,
    host: str = "127.0.0.1",
    port: int = 0,
    send_buffer: int | None = None,
    **options: Any,
) -> AsyncIterator[FloorRig]:
    """A floor with its staff, serving on a port of its own."""
    own = store is None
    path.mkdir(exist_ok=True)
    store = store or open_store(str(path / "journal.db"))
    floor = Floor(
        store,
        clock or SystemClock(),
        voucher_key=b"a key for tests",
        input_limits=input_limits,
        **{"away_seconds": 60, **options},
    )
    await floor.open(policy)
    await _add_staff(floor)
    listener = listen(host, port)
    if send_buffer is not None:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, send_buffer)
    stop = asyncio.Event()
    made = app(floor) if app is not None else Litestar([], logging_config=None, openapi_config=None)
    serving = asyncio.create_task(serve(floor, made, listener, stop=stop, drain_seconds=drain_seconds))
    rig = FloorRig(floor, listener.getsockname()[1], stop)
    try:
        yield rig
    finally:
        stop.set()
        await serving
        if own:
            store.close()


async def _add_staff(floor: Floor) -> None:
    known = {row.name for row in floor.access.staff()}
    hasher = Hasher(QUICK.hash_cost, 1, 10)
    for name, position in PEOPLE.items():
        if name not in known:
            await add_person(floor, hasher, name, position)
    hasher.close()


async def add_person(
    floor: Floor, hasher: Hasher, name: str, position: str, duties: tuple[str, ...] = ()
) -> None:
    """Somebody who works here, with the password of the tests."""
    from croupier.floor.office import staff as office_staff
    from croupier.floor.office.office import Office, Who

    hashed = await hasher.hash(PASSWORD)
    office = Office(floor.store, floor.clock)
    office.write(Who("system"), office_staff.add(name, position, duties, hashed, is_one_time=False))


async def done(connection: Connection, do: Do, **options: Any) -> Answer:
    """Gives a command that has to be carried out, and waits until the screen shows it."""
    answer = await connection.send(do, **options)
    assert answer.refused is None, answer.refused
    await connection.until(lambda seen: seen.sequence >= answer.seq or seen.console is not None)
    return answer


async def refused(connection: Connection, do: Do, **options: Any) -> str:
    """Gives a command that has to be refused; the code."""
    answer = await connection.send(do, **options)
    assert answer.refused is not None
    assert answer.refused.sentence.endswith(".")
    return answer.refused.code


class Heard:
    """What a connection was told, for tests to look at."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def __call__(self, told: Told) -> None:
        self.told.append(told)

    @property
    def kinds(self) -> list[str]:
        return [told.event["type"] for told in self.told]
