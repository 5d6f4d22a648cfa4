"""A round of long ago out of a long journal: how long `croupier export` takes, from either store.

    python bench/journal_rounds.py [--events 1000000]

The round is one from the middle. Its rows and its bundle are asked for, and the meters as they stood behind
it, for which a table is replayed from its beginning. Each figure is the fastest of three, and starting the
program is a part of it.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Final

import psycopg

from croupier.journal import Store, open_store
from journal_bets import TABLE
from journal_long import BETS_A_SEAT, SEATS, make
from journal_peers import postgres

_RECORDS_A_ROUND: Final = SEATS * (BETS_A_SEAT + 1) + 7
"""Every bet, every seat's settlement, and what the dealer does."""
_AT_ONCE: Final = 1_000
_TIMES: Final = 3
_ASKED: Final = {
    "that there is no such round": ("--what", "rounds", "--round", "999999999"),
    "rows of its bets": ("--what", "bets", "--round"),
    "its bundle": ("--bundle",),
    "meters behind it": ("--what", "meters", "--round"),
}


def main() -> int:
    """Measures and prints."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--events", type=int, default=1_000_000, help="how long the journal is")
    events = arguments.parse_args().events
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name, postgres() as server:
        path = Path(name) / "long.db"
        written = make(path, events)
        database = server.database("long")
        _copy(open_store(str(path)), open_store(database))
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("ANALYZE")  # as the server does by itself, a minute after so much is new
        number = written // _RECORDS_A_ROUND // 2
        print(f"{os.cpu_count()} cores, SQLite {sqlite3.sqlite_version}, PostgreSQL {server.version}")
        print(f"round {number:,} of a journal of {written:,} events, seconds{'SQLite':>17}{'PostgreSQL':>13}")
        for what, words in _ASKED.items():
            seconds = [
                min(_seconds(address, number, words, Path(name)) for _ in range(_TIMES))
                for address in (str(path), database)
            ]
            print(f"{what:<54}" + "".join(f"{each:>13.2f}" for each in seconds))
    return 0


def _copy(source: Store, target: Store) -> None:
    records = source.read(TABLE)
    while together := [*islice(records, _AT_ONCE)]:
        target.append(together, [])
    source.close()
    target.close()


def _seconds(address: str, number: int, words: tuple[str, ...], folder: Path) -> float:
    round_ = () if words[-1].isdigit() else (str(number),)
    command = (sys.executable, "-m", "croupier", "export", address, "--table", TABLE, *words, *round_)
    began = time.perf_counter()
    ran = subprocess.run([*command, "--out", str(folder / "out.zip")], capture_output=True, check=False)
    seconds = time.perf_counter() - began
    if ran.returncode != (0 if round_ else 2):
        raise SystemExit(ran.stderr.decode())
    return seconds


if __name__ == "__main__":
    sys.exit(main())
