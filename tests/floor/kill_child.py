"""The process that is killed: it runs a table, and passes on each answer once the runner has given it."""

import asyncio
import logging
from multiprocessing.connection import Connection
from typing import NamedTuple

from croupier.floor import Ask, Runner, SystemClock
from croupier.journal.faults import armed
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import load_book
from croupier.table import Actor, Do, Reply

TABLE = "T1"
BOOK = "mbs-roulette"
SNAPSHOT_EVERY = 25

load_book(BOOK)  # here, so that it is read once for all processes that are forked from this module


class Order(NamedTuple):
    """A command on its way to the child."""

    actor: Actor
    do: Do
    sender: str
    number: int


class Told(NamedTuple):
    """An answer on its way to the parent."""

    sender: str
    number: int
    reply: Reply


class AheadClock(SystemClock):
    """The machine's clock, set ahead: how a test lets time pass while no process lives."""

    def __init__(self, ahead_ms: int) -> None:
        super().__init__()
        self._ahead_ms = ahead_ms

    def now_ms(self) -> int:
        """The time."""
        return super().now_ms() + self._ahead_ms

    async def sleep_until(self, at_ms: int) -> None:
        """Returns once the time has come."""
        while (left_ms := at_ms - self.now_ms()) > 0:
            await asyncio.sleep(left_ms / 1000)


def live(connection: Connection, path: str, ahead_ms: int, fault: tuple[str, int] | None) -> None:
    """Runs the table until the process is killed, or until it passes an armed fault point."""
    logging.disable(logging.CRITICAL)
    if fault is not None:
        armed[fault[0]] = fault[1]
    asyncio.run(_serve(connection, path, ahead_ms))


async def _serve(connection: Connection, path: str, ahead_ms: int) -> None:
    runner = Runner(SqliteStore(path), TABLE, AheadClock(ahead_ms), snapshot_every=SNAPSHOT_EVERY)
    await runner.start()
    connection.send(None)  # the table is open
    orders: asyncio.Queue[Order] = asyncio.Queue()

    def take() -> None:
        while connection.poll():
            orders.put_nowait(connection.recv())

    asyncio.get_running_loop().add_reader(connection.fileno(), take)
    answering: set[asyncio.Task[None]] = set()
    while True:
        order = await orders.get()
        task = asyncio.create_task(_answer(runner, connection, order))
        answering.add(task)
        task.add_done_callback(answering.discard)


async def _answer(runner: Runner, connection: Connection, order: Order) -> None:
    reply = await runner.submit(Ask(order.actor, order.do, order.sender, order.number))
    connection.send(Told(order.sender, order.number, reply))
