"""A long journal: how fast it opens with a snapshot and without, and how fast it is verified."""

import hashlib
import os
import sqlite3
import subprocess
import sys
import time
from itertools import count
from pathlib import Path
from typing import Final

from croupier.floor.codec import decode_entry, drafts_of_batch
from croupier.floor.loading import load_table, snapshot_of
from croupier.journal import EMPTY, Head, linked
from croupier.journal.sqlite import SqliteStore
from croupier.table import Actor, Command, Entry, Stake, create, evolve, submit
from croupier.table import commands as c
from journal_bets import CREDITS_CENTS, DEALER, SUPERVISOR, TABLE, carried_out, player, rules_and_settings

SEATS: Final = 20
BETS_A_SEAT: Final = 10
SNAPSHOT_EVERY: Final = 20_000
"""As often as a runner keeps one: an opening has at most so many records to read behind it."""


class Evening:
    """Rounds of 20 seats with ten bets each, written as a runner writes them, without waiting for senders."""

    def __init__(self, path: Path) -> None:
        self.rules, settings = rules_and_settings()
        self.at_ms = 1_700_000_000_000
        self.state, first = create(self.rules, settings, self.at_ms, SUPERVISOR)
        self.store = SqliteStore(path)
        self.head: Head = EMPTY
        self._waiting: list[tuple[Entry, ...]] = [(first,)]
        self._numbers: dict[str, int] = {}
        self._do(SUPERVISOR, c.OpenTable())
        self._players = [player(seat) for seat in range(SEATS)]
        for at in self._players:
            self._do(DEALER, c.OpenSeat(seat=str(at.seat), kind=self.rules.seat_kinds[0]))
            self._do(at, c.BuyCredits(seat=str(at.seat), cents=CREDITS_CENTS))
        self._turn = count()

    def _do(self, actor: Actor, do: c.Do) -> None:
        number = self._numbers[actor.id] = self._numbers.get(actor.id, 0) + 1
        command = Command(at_ms=self.at_ms, actor=actor, sender=actor.id, number=number, do=do)
        reply = carried_out(submit(self.rules, self.state, command))
        for entry in reply.entries:
            evolve(self.rules, self.state, entry)
        self._waiting.append(reply.entries)

    def play(self) -> None:
        """One round."""
        bets, order = [*self.rules.layout.bets], self.rules.book.wheel.order
        self.at_ms += 45_000
        self._do(DEALER, c.OpenRound())
        for _ in range(BETS_A_SEAT):
            for at in self._players:
                bet = bets[next(self._turn) * 7 % len(bets)]
                self._do(at, c.PlaceBets(seat=str(at.seat), stakes=(Stake(bet, 100),)))
        result = order[self.state.round_number % len(order)]
        for do in (
            c.CloseBets(),
            c.StartSpin(),
            c.EnterResult(result=result),
            c.ConfirmResult(result=result),
        ):
            self._do(DEALER, do)
        records = linked(TABLE, self.head, drafts_of_batch(self._waiting))
        self.store.append(records, [])
        self.head, self._waiting = Head(records[-1].sequence, records[-1].hash), []


def make(path: Path, events: int) -> int:
    """Writes a journal of about so many events, with a snapshot as far behind its end as it ever is."""
    evening = Evening(path)
    is_kept = False
    while evening.state.sequence < events:
        evening.play()
        if not is_kept and evening.state.sequence >= events - SNAPSHOT_EVERY:
            evening.store.save_snapshot(TABLE, snapshot_of(TABLE, evening.state, evening.head))
            is_kept = True
        if evening.state.round_number % 50 == 0:
            print(f"\r{evening.state.sequence:,} of {events:,} events", end="", file=sys.stderr, flush=True)
    print(f"\r{' ' * 40}\r", end="", file=sys.stderr)
    evening.store.close()
    return evening.state.sequence


def opening_seconds(path: Path) -> float:
    """How long a table takes to open as it is."""
    store = SqliteStore(path, must_exist=True)
    began = time.perf_counter()
    loaded = load_table(store, TABLE)
    seconds = time.perf_counter() - began
    store.close()
    if loaded is None:
        raise SystemExit("there is no table in the journal")
    return seconds


def reading_seconds(path: Path) -> float:
    """How long it takes to read the records, to hash them and to decode what they say, and nothing else."""
    store = SqliteStore(path, must_exist=True)
    began = time.perf_counter()
    for stretch in store.stretches(TABLE):
        for form in stretch.forms:
            hashlib.sha256(form).digest()
            decode_entry(form[form.rindex(b"\n") + 1 :])
    seconds = time.perf_counter() - began
    store.close()
    return seconds


def forget_snapshots(path: Path) -> None:
    """Leaves a journal with its records alone."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("DELETE FROM snapshots")
    connection.close()


def verifying_seconds(path: Path) -> float:
    """How long `croupier verify` takes, from its start as a program to its end."""
    began = time.perf_counter()
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    subprocess.run(
        [sys.executable, "-m", "croupier", "verify", str(path)],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
    )
    return time.perf_counter() - began
