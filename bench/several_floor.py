"""A floor of several server processes for measuring, over a PostgreSQL and a NATS of its own."""

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from croupier.client.api import Api
from croupier.floor import SystemClock
from croupier.floor.office import staff as office_staff
from croupier.floor.office.office import Office, Who
from croupier.journal import open_store
from croupier.server.access import Access, AccessPolicy, HashCost, Refusal
from croupier.server.access.local import hash_password
from croupier.table import Actor
from server_client import Client, connect

TABLE = "R1"
SUPERVISOR = "supervisor"
BOSS = Actor(id="boss", position="shift-manager")
CREDITS_CENTS = 10**10
PATIENCE_SECONDS = 120
QUICK = AccessPolicy(hash_cost=HashCost(time=1, memory_kib=64, lanes=1))

_FILE = """\
[floor]
name = "Pit"
site = "Measured"
journal = "{journal}"
voucher_key = "../voucher.key"

[listen]
host = "127.0.0.1"
port = 0

[servers]
bus = "{bus}"
name = "{name}"

[input]
messages_a_second = 10000
messages_at_once = 100000

[[table]]
id = "{table}"
book = "mbs-roulette"
seats = {seats}
lock_up = 1000000000
voucher_limit = 1000000000

[table.limits]
every-bet = [1, 1000000000]
"""


class Server:
    """`croupier serve` in a process of its own."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._log = (folder / "log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "croupier", "serve", str(folder / "croupier.toml")],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._base_url = ""

    async def ready(self) -> "Server":
        """Returns once it serves."""
        assert self._process.stdout is not None
        line = (await asyncio.to_thread(self._process.stdout.readline)).decode()
        if " at http" not in line:
            raise SystemExit(f"server {self.name} did not start: {Path(self._log.name).read_text()}")
        self._base_url = line.rpartition(" ")[2].strip()
        return self

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._base_url.rpartition(":")[2])

    def signal(self, signum: signal.Signals) -> None:
        """Gives it a signal."""
        self._process.send_signal(signum)

    async def end(self) -> None:
        """Waits until it has ended."""
        await asyncio.to_thread(self._process.wait)
        self._close()

    def kill(self) -> None:
        """Ends it, wherever it is."""
        self._process.kill()
        self._process.wait()
        self._close()

    def _close(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()

    async def runs(self) -> bool:
        """Whether it says that it runs the table."""
        async with Api(self._base_url) as api:
            ready = await api.get("/ready")
        return any(
            check["name"] == f"table {TABLE}" and check["sentence"] == "The table runs."
            for check in ready["checks"]
        )

    async def sign_in(self, password: str) -> str:
        """The token of a new session of the supervisor."""
        async with Api(self._base_url) as api:
            return await api.sign_in(SUPERVISOR, password)


class Seat:
    """A client that waits for the answer to each of its commands."""

    def __init__(self, seat: str) -> None:
        self.seat = seat
        self._shown = asyncio.Event()
        self._number = 0
        self._answer: asyncio.Future[bytes] | None = None
        self._client: Client | None = None

    async def open(self, server: Server, hello: dict[str, Any]) -> "Seat":
        """Connects to a server, and returns once it shows the table."""
        self._client = await connect(server.port, self._told)
        self._client.send(json.dumps({"type": "hello", "version": 1, **hello}).encode())
        async with asyncio.timeout(PATIENCE_SECONDS):
            await self._shown.wait()
        return self

    async def say(self, do: dict[str, Any]) -> None:
        """Gives a command, and returns once its answer is there; one that nobody knows of is sent again."""
        assert self._client is not None
        self._number += 1
        order = json.dumps({"type": "command", "number": self._number, "do": do}).encode()
        while True:
            self._answer = asyncio.get_running_loop().create_future()
            self._client.send(order)
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await self._answer
            if b'"refused"' not in answer:
                return
            if b'"not-registered"' not in answer:
                raise SystemExit(f"seat {self.seat} was refused: {answer.decode()}")

    async def bet(self) -> None:
        """Places a bet of a dollar."""
        spot = f"straight:{self._number % 37}"
        await self.say(
            {"type": "place-bets", "seat": self.seat, "stakes": [{"bet": spot, "cents": 100}]},
        )

    async def buy(self, cents: int = 100) -> None:
        """Buys credits, which is possible between rounds, too."""
        await self.say({"type": "buy-credits", "seat": self.seat, "cents": cents})

    def close(self) -> None:
        """Hangs up."""
        assert self._client is not None
        self._client.transport.close()

    def _told(self, client: Client, message: bytes) -> None:
        if message.startswith(b'{"type":"answer"') and self._answer is not None and not self._answer.done():
            self._answer.set_result(message)
        elif message.startswith(b'{"type":"welcome"'):
            self._number = max(int(json.loads(message)["last_number"] or 0), self._number)
        elif message.startswith(b'{"type":"snapshot"'):
            self._shown.set()
        elif message.startswith(b'{"type":"bye"'):
            raise SystemExit(f"seat {self.seat} was sent away: {message.decode()}")


class Floor:
    """The servers of a floor with one table."""

    def __init__(self, folder: Path, journal: str, bus: str, seats: int) -> None:
        self._folder = folder
        self._journal = journal
        self._bus = bus
        self._password = secrets.token_urlsafe(20)
        self._seats = seats
        self._tokens: list[str] = []
        self.servers: dict[str, Server] = {}

    async def prepare(self) -> None:
        """Makes what all servers share: the key, and a supervisor."""
        (self._folder / "voucher.key").write_bytes(secrets.token_bytes(32))
        store, clock = open_store(self._journal), SystemClock()
        hashed = await hash_password(self._password, QUICK)
        person = office_staff.add(SUPERVISOR, "shift-manager", (), hashed, is_one_time=False)
        Office(store, clock).write(Who("system"), person)
        store.close()

    async def enrol(self) -> None:
        """Makes a terminal for each seat of the table, which has to be there; all servers hear of it."""
        store, clock = open_store(self._journal), SystemClock()
        access = await Access.open(store, clock, QUICK)
        for seat in range(1, self._seats + 1):
            code = await access.issue_code(BOSS, "terminal", TABLE, str(seat))
            if isinstance(code, Refusal):
                raise RuntimeError(code.sentence)
            enrolled = await access.enrol(code.code.reveal(), f"127.0.{seat // 256}.{seat % 256}")
            if isinstance(enrolled, Refusal):
                raise RuntimeError(enrolled.sentence)
            self._tokens.append(enrolled.token.reveal())
        await access.close()
        store.close()

    async def start(self, name: str) -> Server:
        """Starts a server; it takes the table if nobody has it."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        file = _FILE.format(journal=self._journal, bus=self._bus, name=name, table=TABLE, seats=self._seats)
        (folder / "croupier.toml").write_text(file)
        server = self.servers[name] = Server(folder, name)
        return await server.ready()

    async def owner(self) -> Server:
        """The server that runs the table."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for server in self.servers.values():
                    if await server.runs():
                        return server
                await asyncio.sleep(0.05)

    async def follower(self) -> Server:
        """One that does not."""
        owner = await self.owner()
        return next(server for server in self.servers.values() if server is not owner)

    async def console(self, server: Server) -> Seat:
        """The console of the table."""
        token = await server.sign_in(self._password)
        return await Seat("console").open(server, {"token": token, "audience": "console", "table": TABLE})

    async def seat(self, server: Server, number: int) -> Seat:
        """The terminal of a seat, which counts from 1."""
        hello = {"token": self._tokens[number - 1], "audience": "seat"}
        return await Seat(str(number)).open(server, hello)

    def end(self) -> None:
        """Ends what still runs."""
        for server in self.servers.values():
            server.kill()


@contextmanager
def servers_of(folder: Path, journal: str, bus: str, seats: int) -> Iterator[Floor]:
    """A floor whose processes end with the block."""
    floor = Floor(folder, journal, bus, seats)
    try:
        yield floor
    finally:
        floor.end()
