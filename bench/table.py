"""What one bet costs a table, early and late, with few seats and with many.

Run it with `make bench` or `python bench/table.py`. A bet is one straight of one seat: `submit`, which
decides it and looks for a repeated number, and `evolve` for every event that came of it. It prints

- microseconds a bet and bets a second at a table after 1 round and at one after 100,000 rounds, both with
  10 seats, and their ratio;
- the same at a table with 10 seats and at one with 10,000, where the bets come from all seats in turn;
- how fast a round with 100,000 bets is settled: the confirmation of its result and all that follows.

The late table gets there by real commands, six or more a round. Batches at the two tables of a pair take
turns, so that whatever else the machine does hits both alike; each figure is the median of all batches.
Both ratios have to stay under 1.5.
"""

import sys
from collections import Counter
from itertools import cycle, islice
from statistics import median
from time import perf_counter
from typing import Final

from croupier.rulebook import load_book
from croupier.table import Actor, Command, Do, Limits, Range, Rules, Settings, Stake, create, evolve, submit
from croupier.table import commands as c

BOOK: Final = "rws-roulette-000"
ROUNDS: Final = 100_000
FEW, MANY = 10, 10_000
BATCH: Final = 2_000
REPEATS: Final = 31
RATIO_LIMIT: Final = 1.5
SETTLED_BETS: Final = 100_000

DEALER: Final = Actor(id="dealer-1", position="dealer")
SUPERVISOR: Final = Actor(id="supervisor-1", position="pit-supervisor")


class Table:
    """A table with seats that have bought credits, and senders that number their commands."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        limit = Range(minimum_cents=100, maximum_cents=10**9)
        kinds = sorted({bet.kind for bet in rules.bets.values()})
        settings = Settings(
            table="T1",
            book=rules.book.id,
            layouts=tuple(rules.layouts),
            limits=Limits(bets=dict.fromkeys(kinds, limit)),
            lock_up_cents=10**12,
            voucher_limit_cents=10**12,
        )
        self.at_ms = 1_700_000_000_000
        self.state, _ = create(rules, settings, self.at_ms, SUPERVISOR)
        self.numbers: Counter[str] = Counter()
        self.players = [
            Actor(id=f"terminal-{seat}", position="player", seat=str(seat)) for seat in range(1, seats + 1)
        ]
        self.turn = cycle(self.players)
        self.straights = cycle(bet.id for bet in rules.bets.values() if bet.kind == "straight")
        self.do(SUPERVISOR, c.OpenTable())
        for player in self.players:
            self.do(DEALER, c.OpenSeat(seat=str(player.seat), kind=rules.seat_kinds[0]))
            self.do(player, c.BuyCredits(seat=str(player.seat), cents=10**11))

    def command(self, actor: Actor, do: Do) -> Command:
        """A command with the sender's next number."""
        self.numbers[actor.id] += 1
        return Command(at_ms=self.at_ms, actor=actor, sender=actor.id, number=self.numbers[actor.id], do=do)

    def carry_out(self, command: Command) -> None:
        """What a table does with a command; this is what is measured."""
        reply = submit(self.rules, self.state, command)
        for entry in reply.entries:
            evolve(self.rules, self.state, entry)
        if reply.rejection is not None:
            raise SystemExit(f"the table refused {command.do}: {reply.rejection.sentence}")

    def do(self, actor: Actor, do: Do) -> None:
        """Has somebody do something."""
        self.carry_out(self.command(actor, do))

    def bets(self, count: int) -> list[Command]:
        """One straight each from the next seats in turn."""
        return [
            self.command(
                player, c.PlaceBets(seat=str(player.seat), stakes=(Stake(next(self.straights), 100),))
            )
            for player in islice(self.turn, count)
        ]

    def finish_round(self, result: str) -> None:
        """From the close to the settlement."""
        for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result=result)):
            self.do(DEALER, do)
        self.do(DEALER, c.ConfirmResult(result=result))

    def play(self, rounds: int) -> None:
        """Plays whole rounds with two bets each, and says how far it is."""
        results = cycle(self.rules.book.wheel.order)
        for played in range(1, rounds + 1):
            self.at_ms += 45_000
            self.do(DEALER, c.OpenRound())
            for bet in self.bets(2):
                self.carry_out(bet)
            self.finish_round(next(results))
            if played % 1_000 == 0:
                print(f"\r{played:,} of {rounds:,} rounds", end="", file=sys.stderr, flush=True)
        print(f"\r{' ' * 40}\r", end="", file=sys.stderr)

    def batch_seconds(self) -> float:
        """The time of one batch of bets; afterwards the table is as it was before it."""
        bets = self.bets(BATCH)
        start = perf_counter()
        for bet in bets:
            self.carry_out(bet)
        seconds = perf_counter() - start
        for player in {bet.actor.id: bet.actor for bet in bets}.values():
            self.do(player, c.ClearBets(seat=str(player.seat)))
        return seconds


def with_open_bets(table: Table, warm_up: int) -> Table:
    """A table with bets open, where every sender has sent as much as a table remembers of it."""
    table.do(DEALER, c.OpenRound())
    for _ in range(warm_up):
        table.batch_seconds()
    return table


def compare(names: tuple[str, str], tables: tuple[Table, Table]) -> float:
    """Prints what a bet costs at two tables, and gives the ratio of the second to the first."""
    times = [(tables[0].batch_seconds(), tables[1].batch_seconds()) for _ in range(REPEATS)]
    medians = [median(column) / BATCH for column in zip(*times, strict=True)]
    for name, seconds in zip(names, medians, strict=True):
        print(f"{name:>24}  {1e6 * seconds:>7.1f} us a bet  {1 / seconds:>9,.0f} bets a second")
    ratio: float = medians[1] / medians[0]
    print(f"{'ratio':>24}  {ratio:>7.2f}")
    return ratio


def settle_many(rules: Rules) -> None:
    """Prints how fast a round with many bets is settled."""
    table = Table(rules, MANY)
    table.do(DEALER, c.OpenRound())
    for bet in table.bets(SETTLED_BETS):
        table.carry_out(bet)
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="17")):
        table.do(DEALER, do)
    start = perf_counter()
    table.do(DEALER, c.ConfirmResult(result="17"))
    seconds = perf_counter() - start
    rate = SETTLED_BETS / seconds
    print(f"{SETTLED_BETS:,} bets of {MANY:,} seats settled in {seconds:.2f} s: {rate:,.0f} bets a second")


def main() -> int:
    rules = Rules(load_book(BOOK))
    print(f"one straight on {BOOK}, median of {REPEATS} batches of {BATCH:,}")
    early, late = Table(rules, FEW), Table(rules, FEW)
    early.play(1)
    late.play(ROUNDS)
    with_open_bets(early, 3)
    with_open_bets(late, 3)
    by_rounds = compare(("after 1 round", f"after {ROUNDS:,} rounds"), (early, late))
    many = Table(rules, MANY)
    with_open_bets(many, 34 * MANY // BATCH)
    by_seats = compare((f"{FEW} seats", f"{MANY:,} seats"), (early, many))
    settle_many(rules)
    print(f"largest ratio {max(by_rounds, by_seats):.2f}, to stay under {RATIO_LIMIT}")
    return 0 if max(by_rounds, by_seats) < RATIO_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
