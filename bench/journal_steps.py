"""Where the time of a durable bet goes, and that of reading one again: microseconds a bet, step by step.

    python bench/journal_steps.py

A batch is one bet of each of 256 seats, as a runner takes it from its queue. Each figure is that of the
fastest of many batches, so that it says what the step takes and not what else the machine did; the steps of a
table that is busy are somewhat slower, because they take turns in the processor's caches.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from croupier.floor.codec import drafts_of_batch
from croupier.floor.reading import told_behind
from croupier.floor.watching import faults_after
from croupier.journal import EMPTY, Head, Run, linked
from croupier.journal.sqlite import SqliteStore
from croupier.table import Actor, Command, Entry, Reply, Stake, create, evolve, play
from croupier.table import commands as c
from journal_bets import CREDITS_CENTS, DEALER, SUPERVISOR, TABLE, carried_out, player, rules_and_settings

SEATS: Final = 256
BATCHES: Final = 150
START_MS: Final = 1_700_000_000_000

T = TypeVar("T")


class Steps:
    """The shortest time that each step took, for one bet."""

    def __init__(self) -> None:
        self.micros: dict[str, float] = {}

    def take(self, step: str, act: Callable[[], T]) -> T:
        """Does a step of a whole batch."""
        began = time.perf_counter()
        result = act()
        took = 1e6 * (time.perf_counter() - began) / SEATS
        self.micros[step] = min(took, self.micros.get(step, took))
        return result


class Table:
    """A table with bets open that does in steps what its runner does."""

    def __init__(self, path: Path) -> None:
        self.rules, settings = rules_and_settings()
        self.state, first = create(self.rules, settings, START_MS, SUPERVISOR)
        self.store = SqliteStore(path)
        self.head: Head = EMPTY
        self.players = [player(seat) for seat in range(SEATS)]
        self.straights = [bet.id for bet in self.rules.bets.values() if bet.kind == "straight"]
        self._number = 0
        entries = [(first,), *(self._do(who, do).entries for who, do in self._opening())]
        self._write(linked(TABLE, EMPTY, drafts_of_batch(entries)))

    def _opening(self) -> list[tuple[Actor, c.Do]]:
        kind = self.rules.seat_kinds[0]
        done: list[tuple[Actor, c.Do]] = [(SUPERVISOR, c.OpenTable())]
        for at in self.players:
            done.append((DEALER, c.OpenSeat(seat=str(at.seat), kind=kind)))
            done.append((at, c.BuyCredits(seat=str(at.seat), cents=CREDITS_CENTS)))
        return [*done, (DEALER, c.OpenRound())]

    def _do(self, actor: Actor, do: c.Do) -> Reply:
        self._number += 1
        command = Command(at_ms=START_MS, actor=actor, sender=actor.id, number=self._number, do=do)
        return carried_out(play(self.rules, self.state, command))

    def _write(self, records: Run) -> None:
        self.store.append(records, [])
        _, _, self.head = records.span

    def batch(self, steps: Steps) -> Run:
        """One bet of each seat, from the command to the disk."""
        self._number += 1
        stake = Stake(self.straights[self._number % len(self.straights)], 100)
        bets = [c.PlaceBets(seat=str(at.seat), stakes=(stake,)) for at in self.players]

        def commands() -> list[Command]:
            return [
                Command(at_ms=START_MS, actor=at, sender=at.id, number=self._number, do=bet)
                for at, bet in zip(self.players, bets, strict=True)
            ]

        asked = steps.take("take the command", commands)
        replies = steps.take("decide and do", lambda: [play(self.rules, self.state, ask) for ask in asked])
        steps.take("watch the money", lambda: [faults_after(self.state, reply.entries) for reply in replies])
        drafts = steps.take("encode", lambda: drafts_of_batch([reply.entries for reply in replies]))
        records = steps.take("hash", lambda: linked(TABLE, self.head, drafts))
        steps.take("write and sync", lambda: self._write(records))
        return records


def read_again(table: Table, records: Run, steps: Steps) -> None:
    """What opening a table does with the same records."""
    before = records[0].sequence - 1
    stretches = steps.take("read", lambda: list(table.store.stretches(TABLE, before)))
    head = Head(before, records[0].previous)
    told = steps.take("check and decode", lambda: [*told_behind(TABLE, head, stretches)])
    entries = [entry for passage in told for entry in passage.entries]
    steps.take("replay", lambda: _replay(table, entries))


def _replay(table: Table, entries: list[Entry]) -> None:
    for entry in entries:
        evolve(table.rules, table.state, entry)


@contextmanager
def _table() -> Any:
    with tempfile.TemporaryDirectory(prefix="croupier-bench-") as name:
        table = Table(Path(name) / "steps.db")
        yield table
        table.store.close()


def main() -> None:
    """Prints both."""
    writing, reading = Steps(), Steps()
    with _table() as table:
        for _ in range(BATCHES):
            records = table.batch(writing)
        for _ in range(BATCHES):
            read_again(table, records, reading)
    for name, steps in (("writing a bet", writing), ("reading a bet", reading)):
        whole = sum(steps.micros.values())
        print(f"{name:<20} {whole:>6.1f} us")
        for step, micros in steps.micros.items():
            print(f"  {step:<18} {micros:>6.1f} us")


if __name__ == "__main__":
    main()
