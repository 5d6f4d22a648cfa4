"""A live table under senders that bet again with every answer, in this process."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from croupier.floor import Ask, Runner, SystemClock, create_table
from croupier.journal import Store, open_store
from croupier.rulebook import load_book
from croupier.table import Actor, Limits, Range, Reply, Rules, Settings, Stake
from croupier.table import commands as c

BOOK: Final = "rws-roulette-000"
TABLE: Final = "T1"
DEALER: Final = Actor(id="dealer-1", position="dealer")
SUPERVISOR: Final = Actor(id="supervisor-1", position="pit-supervisor")
CREDITS_CENTS: Final = 10**11
PORTION: Final = 5_000
"""How many commands that are not measured are on their way at a time."""


class Pace(NamedTuple):
    """How many bets were durable in a second, and how long their senders waited."""

    bets_per_second: float
    p50_ms: float
    p99_ms: float


def rules_and_settings() -> tuple[Rules, Settings]:
    """A roulette table with limits that nothing here comes near."""
    rules = Rules(load_book(BOOK))
    limit = Range(minimum_cents=100, maximum_cents=10**9)
    kinds = sorted({bet.kind for bet in rules.bets.values()})
    settings = Settings(
        table=TABLE,
        book=rules.book.id,
        layouts=tuple(rules.layouts),
        limits=Limits(bets=dict.fromkeys(kinds, limit)),
        lock_up_cents=10**12,
        voucher_limit_cents=10**12,
    )
    return rules, settings


def player(seat: int) -> Actor:
    """Whoever sits at a seat."""
    return Actor(id=f"terminal-{seat}", position="player", seat=str(seat))


class Table:
    """A running table in a file, with its own number for everything that is asked of it."""

    def __init__(self, runner: Runner, store: Store, rules: Rules) -> None:
        self.runner = runner
        self.straights = [bet.id for bet in rules.bets.values() if bet.kind == "straight"]
        self._store = store
        self._number = 0

    async def do(self, actor: Actor, do: c.Do) -> Reply:
        """Has somebody do something that must be carried out."""
        self._number += 1
        return carried_out(await self.runner.submit(Ask(actor, do, actor.id, self._number)))

    async def open(self, seats: int) -> None:
        """Opens the table, seats with credits, and the first round."""
        kind = self.runner.rules.seat_kinds[0]
        await self.do(SUPERVISOR, c.OpenTable())
        for first in range(0, seats, PORTION):
            some = range(first, min(first + PORTION, seats))
            await asyncio.gather(*(self.do(DEALER, c.OpenSeat(seat=str(at), kind=kind)) for at in some))
            credits = (c.BuyCredits(seat=str(at), cents=CREDITS_CENTS) for at in some)
            await asyncio.gather(*map(self.do, map(player, some), credits))
        await self.do(DEALER, c.OpenRound())

    async def stop(self) -> None:
        """Lets go of the file."""
        await self.runner.stop()
        self._store.close()


def carried_out(reply: Reply) -> Reply:
    """An answer that is no refusal."""
    if reply.rejection is not None:
        raise SystemExit(f"the table refused: {reply.rejection.sentence}")
    return reply


async def run_table(journal: Path | str, seats: int) -> Table:
    """A table in a new journal, a file or a database, with bets open."""
    rules, settings = rules_and_settings()
    store, clock = open_store(str(journal)), SystemClock()
    create_table(store, rules, settings, clock.now_ms(), SUPERVISOR)
    table = Table(Runner(store, TABLE, clock), store, rules)
    await table.runner.start()
    await table.open(seats)
    return table


class Sender:
    """One terminal: sends a bet, waits until it is durable, and sends the next."""

    def __init__(self, table: Table, seat: int, go_on: Callable[[], bool]) -> None:
        self.waits: list[float] = []
        self._submit = table.runner.submit_nowait
        self._actor = player(seat)
        self._bets = [
            c.PlaceBets(seat=str(seat), stakes=(Stake(straight, 100),)) for straight in table.straights
        ]
        self._number = time.time_ns() // 10**6
        self._go_on = go_on
        self._sent = 0.0

    def send(self) -> None:
        """One bet."""
        self._number = max(self._number + 1, time.time_ns() // 1_000_000)
        bet = self._bets[self._number % len(self._bets)]
        self._sent = time.perf_counter()
        self._submit(Ask(self._actor, bet, self._actor.id, self._number), self._answered)

    def _answered(self, reply: Reply) -> None:
        self.waits.append(time.perf_counter() - self._sent)
        if reply.rejection is not None:
            raise SystemExit(f"the table refused: {reply.rejection.sentence}")
        if self._go_on():
            self.send()


async def _pace(journal: Path | str, senders: int, seconds: float) -> Pace:
    table = await run_table(journal, senders)
    over = asyncio.Event()
    left = senders

    def go_on() -> bool:
        nonlocal left
        if time.perf_counter() < until:
            return True
        left -= 1
        if left == 0:
            over.set()
        return False

    terminals = [Sender(table, seat, go_on) for seat in range(senders)]
    began = time.perf_counter()
    until = began + seconds
    for terminal in terminals:
        terminal.send()
    await over.wait()
    took = time.perf_counter() - began
    await table.stop()
    waits = sorted(wait for terminal in terminals for wait in terminal.waits)
    return Pace(len(waits) / took, 1e3 * waits[len(waits) // 2], 1e3 * waits[len(waits) * 99 // 100])


def pace(journal: Path | str, senders: int, seconds: float) -> Pace:
    """Durable bets a second of so many senders at one table."""
    return asyncio.run(_pace(journal, senders, seconds))


class Settling(NamedTuple):
    """How long a large round took to be settled, and which records that made."""

    seconds: float
    forms: list[bytes]
    """The bytes that were hashed and written, a record each."""


async def _settling(path: Path, seats: int, bets: int) -> Settling:
    table = await run_table(path, seats)
    await _place(table, seats, bets)
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="17")):
        await table.do(DEALER, do)
    before = (await table.runner.settled_state()).sequence
    seconds = await _timed(lambda: table.do(DEALER, c.ConfirmResult(result="17")))
    await table.stop()
    with closing(open_store(str(path))) as store:
        forms = [form for stretch in store.stretches(TABLE, before) for form in stretch.forms]
    return Settling(seconds, forms)


async def _place(table: Table, seats: int, bets: int) -> None:
    """Bets of all seats in turn, a few thousand on their way at a time."""
    actors, placed = [player(seat) for seat in range(seats)], 0
    while placed < bets:
        portion = range(placed, min(placed + PORTION, bets))
        await asyncio.gather(
            *(
                table.do(
                    actors[number % seats],
                    c.PlaceBets(
                        seat=str(number % seats),
                        stakes=(Stake(table.straights[(number + number // seats) % 38], 100),),
                    ),
                )
                for number in portion
            )
        )
        placed = portion.stop


async def _timed(act: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await act()
    return time.perf_counter() - began


def settling(path: Path, seats: int, bets: int) -> Settling:
    """From the confirmation of a result until every bet of the round is settled durably."""
    return asyncio.run(_settling(path, seats, bets))
