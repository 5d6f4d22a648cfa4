"""A table to play at in tests: every command is submitted, recorded and checked as a runner would."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from croupier.rulebook import load_book, with_order
from croupier.table import (
    SYSTEM,
    WHEEL,
    Actor,
    Entry,
    Event,
    Limits,
    Range,
    Rejection,
    Reply,
    Rules,
    Settings,
    State,
    check,
    create,
    evolve,
    may,
    recall_of,
    replay,
    rounds_over,
    rounds_to_recall,
    submit,
)
from croupier.table import commands as c

Layouts = str | tuple[str, ...] | None
"""The layout of a table, or all of them; the first of the book where none is named."""

START_MS = 1_700_000_000_000

SUPERVISOR = Actor(id="supervisor-1", position="pit-supervisor")
MANAGER = Actor(id="manager-1", position="pit-manager")
SHIFT_MANAGER = Actor(id="shift-1", position="shift-manager")
DEALER = Actor(id="dealer-1", position="dealer")
TIMER = Actor(id="timer", position=SYSTEM)
SENSOR = Actor(id="wheel-1", position=WHEEL)


def player(seat: str) -> Actor:
    """Whoever sits at a seat."""
    return Actor(id=f"terminal-{seat}", position="player", seat=seat)


def wide_limits(
    rules: Rules, minimum_cents: int = 100, maximum_cents: int = 1_000_000, **more: Any
) -> Limits:
    """The same limits for every kind of bet, and whatever else a test asks for."""
    limit = Range(minimum_cents=minimum_cents, maximum_cents=maximum_cents)
    kinds = {bet.kind for bet in rules.bets.values()}
    return Limits(bets=dict.fromkeys(sorted(kinds), limit), **more)


class Play:
    """A table with its history. What is refused is returned; what breaks an invariant fails the test."""

    def __init__(self, book: str = "mbs-roulette", layout: Layouts = None, **settings: Any) -> None:
        self.rules = Rules(with_order(load_book(book), settings.get("pocket_order", ())), layout)
        chosen = {
            "limits": wide_limits(self.rules),
            "lock_up_cents": 100_000_000,
            "voucher_limit_cents": 500_000,
            "betting_seconds": 30,
            **settings,
        }
        self.settings = Settings(
            table="T1", book=self.rules.book.id, layouts=tuple(self.rules.layouts), **chosen
        )
        self.at_ms = START_MS
        self.numbers: dict[str, int] = {}
        self.state, first = create(self.rules, self.settings, self.at_ms, SUPERVISOR)
        self.entries: list[Entry] = [first]

    def command(self, actor: Actor, do: c.Do, second: Actor | None = None) -> c.Command:
        """A command with the sender's next number, at the table's present time."""
        number = self.numbers[actor.id] = self.numbers.get(actor.id, 0) + 1
        return c.Command(at_ms=self.at_ms, actor=actor, sender=actor.id, number=number, do=do, second=second)

    def submit(self, command: c.Command) -> Reply:
        """Submits a command behind the recalls that it needs, as a runner does."""
        why_not = may(self.rules, self.state, command)
        if why_not is not None and why_not.code == "round-not-recalled":
            numbers = rounds_to_recall(self.state, command.do)
            for round_ in rounds_over(self.rules, self.entries, numbers).values():
                self._submit(self.command(TIMER, recall_of(round_, self.state.sequence)))
        return self._submit(command)

    def _submit(self, command: c.Command) -> Reply:
        """Submits a command and carries its entries out, checking the books after each."""
        reply = submit(self.rules, self.state, command)
        for entry in reply.entries:
            evolve(self.rules, self.state, entry)
            self.entries.append(entry)
            assert check(self.state) == [], entry
        return reply

    def ask(self, actor: Actor, do: c.Do, second: Actor | None = None) -> Reply:
        """Has an actor ask for something; it may be refused."""
        return self.submit(self.command(actor, do, second))

    def do(self, actor: Actor, do: c.Do, second: Actor | None = None) -> list[Event]:
        """Has an actor do something that must be carried out; gives what happened."""
        reply = self.ask(actor, do, second)
        assert reply.rejection is None, reply.rejection
        return [entry.event for entry in reply.entries]

    def refused(self, actor: Actor, do: c.Do, second: Actor | None = None) -> Rejection:
        """Has an actor ask for something that must be refused; nothing but the refusal is recorded."""
        before = self.state_without_memory()
        reply = self.ask(actor, do, second)
        assert reply.rejection is not None, [entry.event for entry in reply.entries]
        assert self.state_without_memory() == before
        return reply.rejection

    def state_without_memory(self) -> State:
        """The table as it is, leaving out what it remembers of answers."""
        copy = replay(self.rules, self.entries)
        copy.answers, copy.sequence, copy.at_ms, copy.recalled_at = {}, 0, 0, 0
        copy.owing = {number: round_ for number, round_ in copy.owing.items() if round_.owes}
        return copy

    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        self.at_ms += round(1000 * seconds)

    def credits(self, seat: str) -> int:
        """The credits of a seat in cents."""
        return self.state.credits_cents(seat)

    def open(
        self,
        seats: tuple[str, ...] = ("1",),
        cents: int = 100_000,
        kind: str | None = None,
        layouts: Mapping[str, str] = MappingProxyType({}),
    ) -> "Play":
        """Opens the table with seats that have bought credits, some of them with a layout by name."""
        self.do(SUPERVISOR, c.OpenTable())
        for seat in seats:
            opening = c.OpenSeat(seat=seat, kind=kind or self.rules.seat_kinds[0], layout=layouts.get(seat))
            self.do(DEALER, opening)
            self.do(player(seat), c.BuyCredits(seat=seat, cents=cents))
        return self

    def bet(self, seat: str, stakes: dict[str, int]) -> list[Event]:
        """Places bets by id or announced name."""
        placed = tuple(c.Stake(bet, cents) for bet, cents in stakes.items())
        return self.do(player(seat), c.PlaceBets(seat=seat, stakes=placed))

    def to_spinning(self) -> None:
        """Closes the bets and spins, as the dealer does."""
        self.do(DEALER, c.CloseBets())
        self.do(DEALER, c.StartSpin())

    def round(self, stakes: dict[str, dict[str, int]], result: str) -> list[Event]:
        """Plays a whole round: stakes by seat, then the result; gives what the confirmation led to."""
        self.do(DEALER, c.OpenRound())
        for seat, bets in stakes.items():
            self.bet(seat, bets)
        self.to_spinning()
        self.do(DEALER, c.EnterResult(result=result))
        return self.do(DEALER, c.ConfirmResult(result=result))


def only(kind: type, events: list[Event]) -> Any:
    """The one event of a kind among several."""
    (found,) = [event for event in events if isinstance(event, kind)]
    return found
