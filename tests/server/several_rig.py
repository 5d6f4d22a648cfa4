"""Several servers of one floor, each a process of its own, over a real PostgreSQL and a real NATS."""

import asyncio
import os
import secrets
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import httpx

from croupier.client.api import Api
from croupier.client.connection import Connection
from croupier.floor import SystemClock
from croupier.floor.office import staff as office_staff
from croupier.floor.office.office import Office, Who
from croupier.journal import open_store
from croupier.server.access import HashCost
from croupier.server.access.hashing import Hasher
from server.access_rig import PASSWORD

TABLES = ("T1", "T2")
STAFF = {"dee": "dealer", "sue": "pit-supervisor", "shi": "shift-manager"}

_FLOOR = """\
[floor]
name = "Pit"
site = "Example"
journal = "{journal}"
voucher_key = "../voucher.key"

[listen]
host = "127.0.0.1"
port = 0

[servers]
bus = "{bus}"
name = "{name}"
tables = [{tables}]
"""

_TABLE = """
[[table]]
id = "{id}"
book = "mbs-roulette"
seats = 3
lock_up = 100000
voucher_limit = 500

[table.limits]
every-bet = [1, 1000]
"""


class ServerProcess:
    """`croupier serve` with a file of its own."""

    def __init__(self, folder: Path, file: Path, name: str) -> None:
        self.name = name
        self.file = file
        self._log = (folder / f"{name}.log").open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "croupier", "serve", str(file)],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.base_url = ""

    async def serving(self) -> "ServerProcess":
        """Returns once it serves."""
        assert self._process.stdout is not None
        line = (await asyncio.to_thread(self._process.stdout.readline)).decode()
        assert " at http" in line, f"{self.name} said {line!r}: {Path(self._log.name).read_text()}"
        self.base_url = line.rpartition(" ")[2].strip()
        return self

    def kill(self) -> None:
        """Ends it without a word."""
        self._process.kill()
        self._end()

    def hang(self) -> None:
        """Has it stand still."""
        os.kill(self._process.pid, signal.SIGSTOP)

    def wake(self) -> None:
        """Has it go on as if nothing had happened."""
        os.kill(self._process.pid, signal.SIGCONT)

    async def stop(self) -> int:
        """Asks it to stop, and waits for it; its status."""
        self._process.terminate()
        status = await asyncio.to_thread(self._process.wait)
        self._end()
        return status

    def _end(self) -> None:
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()

    @property
    def said(self) -> str:
        """Its log."""
        return Path(self._log.name).read_text()

    async def ready(self) -> tuple[int, dict[str, str]]:
        """What `/ready` says: its status, and the sentence of each check."""
        async with httpx.AsyncClient(base_url=self.base_url, trust_env=False, timeout=30) as http:
            answer = await http.get("/ready")
        return answer.status_code, {check["name"]: check["sentence"] for check in answer.json()["checks"]}

    async def runs(self, table: str) -> bool:
        """Whether it says that it runs a table."""
        _, said = await self.ready()
        return said[f"table {table}"] == "The table runs."


class SeveralServers:
    """A floor, as a context; what is still running at its end is killed."""

    def __init__(self, folder: Path, journal: str, bus: str) -> None:
        self._folder = folder
        self.journal = journal
        self._bus = bus
        self.servers: list[ServerProcess] = []
        (folder / "voucher.key").write_bytes(secrets.token_bytes(32))

    def __enter__(self) -> "SeveralServers":
        store, hasher = open_store(self.journal), Hasher(HashCost(time=1, memory_kib=8, lanes=1), 1, 10)
        office = Office(store, SystemClock())
        hashed = asyncio.run(hasher.hash(PASSWORD))
        for name, position in STAFF.items():
            office.write(Who("system"), office_staff.add(name, position, (), hashed, is_one_time=False))
        hasher.close()
        store.close()
        return self

    def __exit__(self, *exception: object) -> None:
        for server in self.servers:
            server.kill()

    async def start(
        self, name: str, first: Sequence[str] = TABLES, *, journal: str = "", bus: str = ""
    ) -> ServerProcess:
        """Starts a server, which may reach the journal and the bus by a way of its own."""
        file = self.file(name, first, journal=journal, bus=bus)
        server = ServerProcess(file.parent, file, name)
        self.servers.append(server)
        return await server.serving()

    def file(self, name: str, first: Sequence[str] = TABLES, *, journal: str = "", bus: str = "") -> Path:
        """The configuration of a server."""
        folder = self._folder / name
        folder.mkdir(exist_ok=True)
        tables = ", ".join(f'"{table}"' for table in first)
        content = _FLOOR.format(
            journal=journal or self.journal, bus=bus or self._bus, name=name, tables=tables
        )
        content += "".join(_TABLE.format(id=table) for table in TABLES)
        (folder / "croupier.toml").write_text(content)
        return folder / "croupier.toml"


async def console(server: ServerProcess, table: str, name: str = "dee") -> Connection:
    """Somebody of the staff at the console of a table."""
    async with Api(server.base_url) as api:
        token = await api.sign_in(name, PASSWORD)
        return await Connection(api.socket_url, token, "console", table).__aenter__()


async def enrol(server: ServerProcess, table: str, seat: str) -> str:
    """The token of a new terminal."""
    async with Api(server.base_url) as nobody:
        token = await nobody.sign_in("sue", PASSWORD)
        async with nobody.with_token(token) as api:
            code = await api.post("/api/devices/code", kind="terminal", table=table, seat=seat)
        return await nobody.enrol(code["code"])


async def terminal(server: ServerProcess, table: str, token: str) -> Connection:
    """A terminal that is connected to a server."""
    async with Api(server.base_url) as api:
        return await Connection(api.socket_url, token, "seat", table).__aenter__()


async def until_runs(table: str, server: ServerProcess) -> None:
    """Returns once a server runs a table."""
    while not await server.runs(table):
        await asyncio.sleep(0.05)
