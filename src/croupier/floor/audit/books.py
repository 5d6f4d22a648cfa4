"""What the auditor notes down: seats, rounds, accounts, and what a command has begun and not finished."""

import hashlib
from collections.abc import Iterable
from typing import Final, NoReturn

import msgspec

from croupier.floor.audit.clauses import Clauses
from croupier.floor.audit.payouts import Payouts
from croupier.rulebook import Book, Irregularity, get_layout, show_cents
from croupier.table.events import Event, Line
from croupier.table.ledger import CASH, HOUSE, SHORTFALL, UNCLAIMED, VOUCHERS, Posting
from croupier.table.settings import Limits, Settings

COMMON_ACCOUNTS: Final = (CASH, VOUCHERS, HOUSE, SHORTFALL, UNCLAIMED)

Move = tuple[str, str, int]
"""From which account to which, and how much; nothing where it is 0, the other way where it is below."""


class DoesNotFit(Exception):
    """Why a record cannot stand where it stands: half a sentence that follows its number."""


class SeatBooks(msgspec.Struct):
    """One seat as the auditor knows it."""

    id: str
    credits_account: str
    stakes_account: str
    layout: str
    kind: str = ""
    in_use: bool = True
    lost: bool = False
    locked: bool = False
    locked_for: set[int] = msgspec.field(default_factory=set)
    """The rounds whose large wins it waits for."""
    called_ms: int | None = None
    """Since when an attendant is called."""
    visit: int = 1
    fresh_from: int = 0
    """The first round of the money that is on it, after everything before was lost."""
    credits_cents: int = 0
    staked_cents: int = 0
    stakes: dict[str, int] = msgspec.field(default_factory=dict)

    @property
    def has_terminal(self) -> bool:
        """Whether the player has a terminal to ask at: it is there, and the seat is no place at a layout."""
        return not self.lost and self.kind != "place"


class Part(msgspec.Struct):
    """A seat's part in a settled round."""

    visit: int
    layout: str
    """The seat's layout in that round."""
    lines: tuple[Line, ...]
    returned_cents: int
    fresh_from: int = 0
    """The first round of the money that was on the seat then."""
    carried_cents: int = 0
    by_hand_cents: int = 0
    """What was paid by hand, less what was collected in cash."""
    written_off_cents: int = 0
    """What the house gave up of shortfalls."""
    kept_cents: int = 0
    """What the player had of the round then, what was given up included: so much stays."""
    clause: str | None = None
    """By which it was corrected last."""


class RoundBooks(msgspec.Struct, kw_only=True):
    """One round as the auditor knows it."""

    number: int
    limits: Limits
    opened_ms: int
    """From when on bets are open; earlier where the clock was set back since, by an interruption."""
    closes_ms: int | None
    betting: bool = True
    spun_by: str | None = None
    """Who told of the spin's beginning last: the wheel may tell of it behind a person."""
    spin_ended_by: str | None = None
    spun_in_halt: bool = False
    """Whether the spin began while play was stopped: it is not on record from before the interruption."""
    is_opposed: bool | None = None
    """Whether the wheel saw ball and wheel run in opposite directions; None if it did not say."""
    is_turning: bool | None = None
    """Whether it saw the wheel turn at the launch."""
    faulted: bool = False
    """Whether the wheel had a fault during the spin."""
    commitment: str | None = None
    opened: bool = False
    sensed: str | None = None
    """What the wheel itself reported."""
    sensed_late: bool = False
    """Whether the sensor told of the end only when a result was registered already."""
    entered: str | None = None
    confirmed: bool = False
    voided: bool = False
    void_cause: str | None = None
    total_cents: int = 0
    boxes: dict[str, int] = msgspec.field(default_factory=dict)
    """What lies in each box over all seats; on games that mark boxes."""
    placements: list[tuple[str, str, int]] = msgspec.field(default_factory=list)
    """Seat, bet and amount in time; on games that mark boxes."""
    advised: set[tuple[str, str]] = msgspec.field(default_factory=set)
    """Seats and bets of which the player was told of the minimum, and that are under it still."""
    over_table: bool = False
    """Whether more was in play than the table takes when the result was confirmed."""
    counted: dict[tuple[str, str], int] = msgspec.field(default_factory=dict)
    """What counts of a stake, where a box was over its maximum."""
    by_clause: dict[tuple[str, str], str | None] = msgspec.field(default_factory=dict)
    """By which clause it counts, where a box was outside its limits."""
    parts: dict[str, Part] = msgspec.field(default_factory=dict)

    @property
    def phase(self) -> str:
        """The phase by the name that events give it."""
        if self.betting:
            return "betting"
        if self.entered is not None:
            return "resulted"
        return "closed" if self.spun_by is None else "spinning"


class Books:
    """Everything the auditor knows of one table."""

    def __init__(self, book: Book, settings: Settings) -> None:
        self.book = book
        self.layouts = {name: get_layout(book, name) for name in settings.layouts}
        self.settings = settings
        self.limits = settings.limits
        self.payouts = {name: Payouts(layout) for name, layout in self.layouts.items()}
        self.kinds_of_boxes = {
            bet.id: bet.kind for layout in self.layouts.values() for bet in layout.bets.values()
        }
        """By bet of any layout: the same bet of two layouts is one box."""
        self.clauses = Clauses(book, tuple(self.layouts.values()))
        self.citable = {None, *book.clauses, *(f"assumption:{name}" for name in book.assumptions)}
        """What an event may cite."""
        self.seat_kinds = {
            name: [
                terminal.id
                for terminal in book.terminals.values()
                if any(offer.layout == name for offer in terminal.offers)
            ]
            or ["place"]
            for name in self.layouts
        }
        """The kinds of seats that may have each layout."""
        self.marks_boxes = book.limits.value == "mark-box"
        self.open = False
        self.halted = False
        self.halted_ms = 0
        """Since when it is, where it is."""
        self.rounds_left: int | None = None
        """How many more rounds may be opened, once the last one is announced."""
        self.at_ms = self.before_ms = 0
        """When the command at hand was given, and the one before it."""
        self.awaits_outcome = False
        self.wheel_fault: str | None = None
        self.disputes: dict[int, tuple[str | None, str | None]] = {}
        """By round, what is registered and what the sensor says against it."""
        self.seats: dict[str, SeatBooks] = {}
        self.accounts = dict.fromkeys(COMMON_ACCOUNTS, 0)
        self.rounds = 0
        self.round: RoundBooks | None = None
        self.kept: dict[int, RoundBooks] = {}
        self.owing: dict[int, RoundBooks] = {}
        """Rounds that are no longer kept and have left money open, or were recalled."""
        self.past: dict[int, bytes] = {}
        """What is known of every other round that is over, as a mark of it."""
        self.allowed: set[tuple[str, str]] = set()
        """Actions and the positions that were found to be allowed them alone."""
        self.worked_out = 0
        """How many settlements, returns and corrections were worked out again."""
        self.began: Event | None = None
        """What the command at hand began with; None before the first command."""
        self.owed: dict[tuple[object, ...], str] = {}
        """What the command at hand has to bring yet, and the sentence for where it does not."""
        self.void_cause: str | None = None
        self.returned_by: str | None = None
        """The clause by which stakes of a void round went back."""
        self.corrected_by: str | None = None
        """The clause by which a result was corrected, or a decision made."""
        self.corrected_for: str | None = None
        """The cause for which a result was corrected, or a round declared void."""
        self.named: tuple[int, ...] | None = None
        """The rounds that were named with an irregularity; None before its first record."""
        self.rejections: list[dict[tuple[str, str], int]] | None = None
        self.outcome: str | None = None
        """What was stated to stand on the wheel after an interruption."""
        self.decision: tuple[int, str] | None = None
        """The round and the ruling of the decision at hand."""

    def seat(self, seat_id: str) -> SeatBooks:
        """A seat that is in use."""
        seat = self.seats.get(seat_id)
        if seat is None or not seat.in_use:
            refuse(f"seat {seat_id} is not in use")
        return seat

    def free_seat(self, seat_id: str) -> SeatBooks:
        """A seat that is in use, there, and not locked."""
        seat = self.seats.get(seat_id)
        if seat is None or not seat.in_use:
            refuse(f"seat {seat_id} is not in use")
        if seat.lost or seat.locked:
            refuse(f"seat {seat_id} is {'lost' if seat.lost else 'locked'}")
        return seat

    def running(self, number: int) -> RoundBooks:
        """The round that runs, which an event has to name."""
        round_ = self.round
        if round_ is None:
            refuse(f"it is of round {number}, and no round is running")
        if round_.number != number:
            refuse(f"it is of round {number}, and round {round_.number} is running")
        return round_

    def irregularity(self, cause: str, clause: str) -> Irregularity:
        """What the book says about a cause; the event has to cite its clause."""
        found = self.book.irregularities.get(cause)
        if found is None:
            refuse(f"the book knows no irregularity {cause!r}")
        if found.clause != clause:
            refuse(f"{cause} falls under {found.clause}, and it cites {clause}")
        return found

    def result(self, result: str) -> str:
        """A result that is on the wheel."""
        if result not in self.book.wheel.outcomes:
            refuse(f"{result!r} is not on the wheel")
        return result


def mark_of(round_: RoundBooks) -> bytes:
    """A mark by which a round that is over is known again; the auditor does not keep whole rounds."""
    parts = [
        (
            seat,
            part.visit,
            part.layout,
            part.fresh_from,
            part.lines,
            part.returned_cents,
            part.carried_cents,
            part.by_hand_cents,
            part.written_off_cents,
            part.kept_cents,
        )
        for seat, part in sorted(round_.parts.items())
    ]
    result = None if round_.voided else round_.entered
    content = msgspec.msgpack.encode((round_.number, result, round_.sensed, round_.limits, parts))
    return hashlib.blake2b(content, digest_size=16).digest()


def refuse(reason: str) -> NoReturn:
    """Finds that a record does not fit."""
    raise DoesNotFit(reason)


def expect_clause(cited: str | None, wanted: str | None) -> None:
    """Finds an event that cites another clause than it rests on."""
    if cited != wanted:
        refuse(f"it cites {cited or 'no clause'}, and it rests on {wanted or 'none'}")


def told_layout(books: Books, told: str | None) -> str:
    """The layout that an event tells of; where the table has several it has to name one of them."""
    only, *others = books.layouts
    if told is None and not others:
        return only
    if told is None or not others or told not in books.layouts:
        has = " and ".join(books.layouts)
        refuse(f"it names {'no layout' if told is None else f'layout {told!r}'}, and the table has {has}")
    return told


def expect_layout(books: Books, seat: SeatBooks, told: str | None) -> None:
    """Finds an event that tells of another layout than the seat has."""
    if told_layout(books, told) != seat.layout:
        refuse(f"it tells of layout {told}, and seat {seat.id} has layout {seat.layout}")


def expect_amount(what: str, is_cents: int, should_be_cents: int) -> None:
    """Finds an amount that is not what it has to be."""
    if is_cents != should_be_cents:
        refuse(f"{what} is {show_cents(is_cents)}, and it has to be {show_cents(should_be_cents)}")


def expect_postings(postings: Iterable[Posting], *moves: Move) -> None:
    """Finds postings that are not those that have to be, in whatever order."""
    wanted = []
    for source, destination, cents in moves:
        if cents > 0:
            wanted.append((source, destination, cents))
        elif cents < 0:
            wanted.append((destination, source, -cents))
    found = [(posting.source, posting.destination, posting.cents) for posting in postings]
    if found != wanted and sorted(found) != sorted(wanted):
        refuse(f"its postings are {_told(found)}, and they have to be {_told(wanted)}")


def _told(moves: list[Move]) -> str:
    told = (f"{show_cents(cents)} from {source} to {destination}" for source, destination, cents in moves)
    return "; ".join(told) or "none"
