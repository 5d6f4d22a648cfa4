"""Durable bets against other ways to keep them, and long journals: one run, one disk.

    python bench/journal.py [--seconds 3] [--rounds 3] [--events 1000000] [--switch-interval 0.005] [--json]

A sender is a terminal that bets again as soon as it hears that its bet is durable: `submit_nowait`, one bet a
command, a runner on SQLite (write-ahead log, `synchronous = FULL`). The others do less for a bet: they insert
it and take it off a balance, without limits, history, chain or an answer that can be asked for again.

- (a) one SQLite transaction a bet, as durable as ours;
- (b) PostgreSQL by pgbench, prepared statements, 8 and 32 clients;
- (c) the eventsourcing package on SQLite, an aggregate a seat, kept in memory between bets;
- the bound: 256 senders who share a SQLite transaction as ours do, without anything else that ours do;
- the same with a chain and an index of the senders' numbers, as ours have, and still without any rules;
- our own runner, for which judging, encoding and chaining a bet take no time.

All take turns for several rounds; a figure is the median of its rounds. Then a round of 100,000 bets is
settled, here and in PostgreSQL by one statement, and a journal of a million events is opened and verified.
More bounds stand beside them: the records of the settlement hashed and written by themselves; a settlement
with one record for all seats, by the shortest loops in Python; the long journal read, hashed and decoded by
itself.
"""

import argparse
import json
import os
import platform
import sqlite3
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import journal_long
from journal_bets import Pace, pace, settling
from journal_eventsourcing import eventsourcing_bets
from journal_free import free_bets
from journal_peers import (
    Postgres,
    bare_bets,
    chained_bets,
    one_record_seconds,
    postgres,
    sqlite_bets,
    written_seconds,
)

T = TypeVar("T")

SENDERS: Final = (1, 8, 32, 256)
CLIENTS: Final = (8, 32)
SETTLED_BETS, SETTLED_SEATS = 100_000, 10_000
SHORTEST_WAIT_MS: Final = 10


class Row:
    """A figure, what it is compared to, and what it was to be."""

    def __init__(self, name: str, measured: str, aim: str = "", *, met: bool | None = None) -> None:
        self.name, self.measured, self.aim, self.met = name, measured, aim, met

    def __str__(self) -> str:
        verdict = "" if self.met is None else "met" if self.met else "MISSED"
        return f"{self.name:<44}  {self.measured:<46}  {self.aim:<22}  {verdict}".rstrip()


def main() -> int:
    """Measures, prints, and is content: what is missed is said, and is no failure of the program."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=3, help="how long each pace is measured for")
    arguments.add_argument("--rounds", type=int, default=3, help="how many times each takes its turn")
    arguments.add_argument("--events", type=int, default=1_000_000, help="how long the long journal is")
    arguments.add_argument(
        "--switch-interval",
        type=float,
        help="after how many seconds Python's threads take turns (usually 0.005)",
    )
    arguments.add_argument("--json", action="store_true", help="the figures as JSON")
    asked = arguments.parse_args()
    if asked.switch_interval is not None:
        sys.setswitchinterval(asked.switch_interval)
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name, postgres() as server:
        python = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
        figures = {
            "machine": f"{os.cpu_count()} cores, {python}, PostgreSQL {server.version}",
            **bets(Path(name), server, asked.seconds, asked.rounds),
            **settlement(Path(name), server, asked.rounds),
            **long_journal(Path(name), asked.events),
        }
    if asked.json:
        print(json.dumps(figures, indent=2))
    else:
        print(figures["machine"])
        for row in rows(figures):
            print(row)
    return 0


def bets(directory: Path, server: Postgres, seconds: float, rounds: int) -> dict[str, Any]:
    """Bets a second by every means, in turns."""
    paces: dict[str, list[Pace]] = {}
    on_postgresql: list[Pace] = []
    peers: dict[str, list[float]] = {}
    for number in range(rounds):
        for senders in SENDERS:
            path = directory / f"table-{senders}-{number}.db"
            paces.setdefault(str(senders), []).append(
                told(f"{senders} senders", pace, path, senders, seconds)
            )
        database = server.database(f"table_{number}")
        many = SENDERS[-1]
        on_postgresql.append(told(f"{many} senders on PostgreSQL", pace, database, many, seconds))
        path = directory / f"sqlite-{number}.db"
        peers.setdefault("sqlite", []).append(told("SQLite", sqlite_bets, path, seconds))
        path = directory / f"bare-{number}.db"
        peers.setdefault("bare", []).append(told("shared transactions", bare_bets, path, seconds))
        path = directory / f"chained-{number}.db"
        peers.setdefault("chained", []).append(told("chained", chained_bets, path, seconds))
        path = directory / f"free-{number}.db"
        peers.setdefault("free", []).append(told("judged for nothing", free_bets, path, many, seconds))
        path = directory / f"eventsourcing-{number}.db"
        peers.setdefault("eventsourcing", []).append(told("eventsourcing", eventsourcing_bets, path, seconds))
        for clients in CLIENTS:
            pgbench = told("PostgreSQL", server.bets, clients, seconds, directory)
            peers.setdefault(f"postgresql_{clients}", []).append(pgbench)
    return {
        "senders": {senders: _middle(found) for senders, found in paces.items()},
        "on_postgresql": _middle(on_postgresql),
        "peers": {name: statistics.median(found) for name, found in peers.items()},
    }


def _middle(found: list[Pace]) -> dict[str, float]:
    return dict(zip(Pace._fields, map(statistics.median, zip(*found, strict=True)), strict=True))


def settlement(directory: Path, server: Postgres, rounds: int) -> dict[str, Any]:
    """Seconds in which a large round is settled."""
    ours, theirs, bound, one, forms = [], [], [], [], list[bytes]()
    for number in range(rounds):
        path = directory / f"settled-{number}.db"
        seconds, forms = told("a large round", settling, path, SETTLED_SEATS, SETTLED_BETS)
        ours.append(seconds)
        bound.append(told("its records alone", written_seconds, directory / f"forms-{number}.db", forms))
        path, stakes = directory / f"one-{number}.db", staked(SETTLED_SEATS, SETTLED_BETS)
        one.append(told("one record for all", one_record_seconds, path, stakes, {"straight:17": 36}))
        theirs.append(told("PostgreSQL", server.settling_seconds, SETTLED_SEATS, SETTLED_BETS))
    return {
        "settling": {
            "seconds": statistics.median(ours),
            "postgresql": statistics.median(theirs),
            "bound": statistics.median(bound),
            "one_record": statistics.median(one),
            "records": len(forms),
            "bytes": sum(map(len, forms)),
        }
    }


def staked(seats: int, bets: int) -> dict[str, dict[str, int]]:
    """What lies on the bets of each seat in the round that is settled."""
    return {
        str(seat): {f"straight:{(seat + turn) % 38}": 100 for turn in range(bets // seats)}
        for seat in range(seats)
    }


def long_journal(directory: Path, events: int) -> dict[str, Any]:
    """Seconds in which a long journal is opened and verified."""
    path = directory / "long.db"
    written = journal_long.make(path, events)
    from_snapshot = told("opening", journal_long.opening_seconds, path)
    verifying = told("verifying", journal_long.verifying_seconds, path)
    journal_long.forget_snapshots(path)
    from_scratch = told("opening from scratch", journal_long.opening_seconds, path)
    reading = told("reading alone", journal_long.reading_seconds, path)
    return {
        "long": {
            "events": written,
            "bytes": path.stat().st_size,
            "from_snapshot_seconds": from_snapshot,
            "from_scratch_seconds": from_scratch,
            "reading_seconds": reading,
            "verify_seconds": verifying,
        }
    }


def told(what: str, measure: Callable[..., T], *args: object) -> T:
    """What a measurement gives; says meanwhile what is being measured."""
    print(f"\r{what:<40}", end="", file=sys.stderr, flush=True)
    try:
        return measure(*args)
    finally:
        print(f"\r{' ' * 40}\r", end="", file=sys.stderr, flush=True)


def rows(figures: dict[str, Any]) -> list[Row]:
    """The figures against what was aimed at."""
    found = []
    for senders, measured in figures["senders"].items():
        spread = f"{measured['p50_ms']:.2f} ms, p99 {measured['p99_ms']:.2f} ms"
        is_many = senders == str(SENDERS[-1])
        found.append(
            Row(
                f"croupier, {senders} senders",
                f"{measured['bets_per_second']:>9,.0f} bets/s, {spread}",
                f"p99 under {SHORTEST_WAIT_MS} ms" if is_many else "",
                met=measured["p99_ms"] < SHORTEST_WAIT_MS if is_many else None,
            )
        )
    best = figures["senders"][str(SENDERS[-1])]["bets_per_second"]
    there = figures["on_postgresql"]
    spread = f"{there['p50_ms']:.2f} ms, p99 {there['p99_ms']:.2f} ms"
    name = f"croupier on PostgreSQL, {SENDERS[-1]} senders"
    found.append(Row(name, f"{there['bets_per_second']:>9,.0f} bets/s, {spread}", ""))
    for name, peer, aim in (
        ("(a) one SQLite transaction a bet", "sqlite", 20),
        ("(b) PostgreSQL, pgbench, 8 clients", "postgresql_8", None),
        ("(b) PostgreSQL, pgbench, 32 clients", "postgresql_32", 15),
        ("(c) eventsourcing on SQLite", "eventsourcing", 20),
        ("the bound: shared transactions alone", "bare", None),
        ("the bound: the same, chained, without rules", "chained", None),
        ("the bound: our queue, store and answers alone", "free", None),
    ):
        pace_, ratio = figures["peers"][peer], best / figures["peers"][peer]
        met = None if aim is None else ratio >= aim
        goal = "" if aim is None else f"{aim} times"
        found.append(Row(name, f"{pace_:>9,.0f} bets/s; we are at {ratio:.1f} times", goal, met=met))
    for name, bound in (("chained, without rules", "chained"), ("queue, store and answers", "free")):
        beside = ", ".join(
            f"{figures['peers'][bound] / figures['peers'][peer]:.1f} times {mark}"
            for mark, peer in (("(a)", "sqlite"), ("(b) with 32", "postgresql_32"))
        )
        found.append(Row(f"  {name}", f"{'':>9} would be at {beside}"))
    return [*found, *long_rows(figures)]


def long_rows(figures: dict[str, Any]) -> list[Row]:
    """Settlement, opening and verifying."""
    settling, long = figures["settling"], figures["long"]
    ratio = settling["postgresql"] / settling["seconds"]
    events = long["events"]
    scratch, verify = events / long["from_scratch_seconds"], events / long["verify_seconds"]
    reading, bound = events / long["reading_seconds"], settling["postgresql"] / settling["bound"]
    one = settling["postgresql"] / settling["one_record"]
    return [
        Row(
            f"settling a round of {SETTLED_BETS:,} bets",
            f"{settling['seconds']:.2f} s, PostgreSQL {settling['postgresql']:.2f} s: {ratio:.1f} times",
            "50 times",
            met=ratio >= 50,
        ),
        Row(
            f"the bound: its {settling['bytes'] / 1e6:.0f} MB hashed and written alone",
            f"{settling['bound']:.2f} s: {bound:.1f} times",
        ),
        Row(
            "the bound: one record, two accounts a seat",
            f"{settling['one_record']:.3f} s: {one:.1f} times",
        ),
        Row(
            f"opening {events:,} events from a snapshot",
            f"{long['from_snapshot_seconds']:.2f} s",
            "under 1 s",
            met=long["from_snapshot_seconds"] < 1,
        ),
        Row(
            f"opening {events:,} events from scratch",
            f"{scratch:>9,.0f} events/s",
            "200,000 events/s",
            met=scratch >= 200_000,
        ),
        Row("the bound: read, hashed and decoded alone", f"{reading:>9,.0f} events/s"),
        Row(
            f"croupier verify, {events:,} records",
            f"{verify:>9,.0f} records/s",
            "200,000 records/s",
            met=verify >= 200_000,
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
