"""What has happened at a table. Every event carries its consequences and names its audience."""

from typing import ClassVar, Final

import msgspec

from croupier.table.actors import Actor
from croupier.table.ledger import Posting
from croupier.table.rejections import Rejection
from croupier.table.settings import Limits, Settings

TABLE: Final = "table"
"""Everybody at the table: seats, displays, console, pit."""
SEAT: Final = "seat"
"""One seat and the staff."""
STAFF: Final = "staff"
"""Console and pit."""


class TableCreated(msgspec.Struct, frozen=True, kw_only=True, tag="table-created"):
    """The first event of every table: which rules it plays by, and how it is set."""

    to: ClassVar[str] = STAFF
    settings: Settings
    book_sha256: str


class TableOpened(msgspec.Struct, frozen=True, kw_only=True, tag="table-opened"):
    """The table is open for play; the limits are shown."""

    to: ClassVar[str] = TABLE
    limits: Limits
    clause: str | None


class TableClosed(msgspec.Struct, frozen=True, kw_only=True, tag="table-closed"):
    """The table is closed."""

    to: ClassVar[str] = TABLE
    notice: str


class LastRoundAnnounced(msgspec.Struct, frozen=True, kw_only=True, tag="last-round-announced"):
    """Players were told that the table closes after `rounds_left` more rounds beside the one that runs."""

    to: ClassVar[str] = TABLE
    rounds_left: int
    notice: str


class TableHalted(msgspec.Struct, frozen=True, kw_only=True, tag="table-halted"):
    """Play has stopped because something is wrong with the table itself."""

    to: ClassVar[str] = TABLE
    reason: str
    notice: str


class TableResumed(msgspec.Struct, frozen=True, kw_only=True, tag="table-resumed"):
    """A halted table may play again."""

    to: ClassVar[str] = TABLE
    reason: str


class LimitsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="limits-changed"):
    """New limits are in force and shown."""

    to: ClassVar[str] = TABLE
    old: Limits
    new: Limits
    reason: str
    clause: str | None


class SeatOpened(msgspec.Struct, frozen=True, kw_only=True, tag="seat-opened"):
    """A terminal or a place at the layout is in use."""

    to: ClassVar[str] = SEAT
    seat: str
    kind: str


class SeatClosed(msgspec.Struct, frozen=True, kw_only=True, tag="seat-closed"):
    """A seat is out of use."""

    to: ClassVar[str] = SEAT
    seat: str


class SeatLost(msgspec.Struct, frozen=True, kw_only=True, tag="seat-lost"):
    """A terminal does not answer; its registered bets stand."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int | None
    clause: str | None


class SeatRestored(msgspec.Struct, frozen=True, kw_only=True, tag="seat-restored"):
    """A lost terminal is back."""

    to: ClassVar[str] = SEAT
    seat: str
    clause: str | None


class SeatLocked(msgspec.Struct, frozen=True, kw_only=True, tag="seat-locked"):
    """A seat waits for a pit employee: a large win, or a payment by hand."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int | None
    """The round that was won."""
    reason: str
    """`win` or `attendant-pay`."""
    cents: int


class SeatUnlocked(msgspec.Struct, frozen=True, kw_only=True, tag="seat-unlocked"):
    """A pit employee has released the seat."""

    to: ClassVar[str] = SEAT
    seat: str


class CreditsBought(msgspec.Struct, frozen=True, kw_only=True, tag="credits-bought"):
    """Credits were bought with cash or a voucher."""

    to: ClassVar[str] = SEAT
    seat: str
    cents: int
    voucher: str | None
    clause: str | None
    postings: tuple[Posting, ...]


class CreditsPaidOut(msgspec.Struct, frozen=True, kw_only=True, tag="credits-paid-out"):
    """All credits of a seat were paid out, as a voucher or by an attendant; the player's visit is over."""

    to: ClassVar[str] = SEAT
    seat: str
    cents: int
    voucher: str | None
    clause: str | None
    postings: tuple[Posting, ...]


class BetChange(msgspec.Struct, frozen=True):
    """How the stake on one bet changed."""

    bet: str
    cents: int
    """More on the bet where positive, less where negative."""
    announced: str | None = None
    """The announced bet that this is a piece of."""


class BetsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="bets-changed"):
    """A seat placed, raised, reduced, moved or cleared bets: they are registered."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    changes: tuple[BetChange, ...]
    placed_by: str
    """The position of whoever placed: a player, or a pit employee on a player's behalf."""
    clause: str | None
    postings: tuple[Posting, ...]


class BoxMarked(msgspec.Struct, frozen=True, kw_only=True, tag="box-marked"):
    """A betting box holds more than its maximum: the dealer may reject the excess while bets are open."""

    to: ClassVar[str] = STAFF
    round: int
    bet: str
    total_cents: int
    maximum_cents: int
    clause: str


class BetsRejected(msgspec.Struct, frozen=True, kw_only=True, tag="bets-rejected"):
    """The dealer rejected the part of a bet that was above the box's maximum."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    bet: str
    cents: int
    clause: str
    postings: tuple[Posting, ...]


class MinimumAdvised(msgspec.Struct, frozen=True, kw_only=True, tag="minimum-advised"):
    """A player was told to raise or withdraw a bet under the minimum."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    bet: str
    minimum_cents: int
    clause: str


class RoundOpened(msgspec.Struct, frozen=True, kw_only=True, tag="round-opened"):
    """A round has begun: bets are open."""

    to: ClassVar[str] = TABLE
    round: int
    closes_ms: int | None
    notice: str
    clause: str


class ClosingWarned(msgspec.Struct, frozen=True, kw_only=True, tag="closing-warned"):
    """The betting time is almost over."""

    to: ClassVar[str] = TABLE
    round: int
    seconds: int
    notice: str


class BetsClosed(msgspec.Struct, frozen=True, kw_only=True, tag="bets-closed"):
    """No more bets; stakes stand as they lie."""

    to: ClassVar[str] = TABLE
    round: int
    closed_by: str
    """`dealer`, `timer` or `wheel`."""
    notice: str
    clause: str
    stakes_clause: str | None
    """The clause by which stakes stand as they lie."""


class SpinStarted(msgspec.Struct, frozen=True, kw_only=True, tag="spin-started"):
    """The ball was spun, or the wheel that has no ball."""

    to: ClassVar[str] = TABLE
    round: int
    ball: str | None
    wheel: str | None
    wheel_turning: bool | None
    said_by: str
    notice: str
    clause: str


class SpinFinished(msgspec.Struct, frozen=True, kw_only=True, tag="spin-finished"):
    """The spin is over, and this is what is known of it."""

    to: ClassVar[str] = TABLE
    round: int
    revolutions: int | None
    pocket: str | None
    at_rest: bool
    said_by: str
    clause: str


class ResultEntered(msgspec.Struct, frozen=True, kw_only=True, tag="result-entered"):
    """A result is registered on the console and waits for its confirmation."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    said_by: str
    clause: str


class ResultConfirmed(msgspec.Struct, frozen=True, kw_only=True, tag="result-confirmed"):
    """The result counts: the winning number is shown on the terminals."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    notice: str
    clause: str


class Line(msgspec.Struct, frozen=True):
    """How one bet of a seat was settled."""

    bet: str
    stake_cents: int
    counted_cents: int
    """The part of the stake that took part; less than the stake only where a box was apportioned."""
    won: bool
    returned_cents: int
    clause: str | None = None
    """The clause by which not simply the whole stake took part."""


class SeatSettled(msgspec.Struct, frozen=True, kw_only=True, tag="seat-settled"):
    """A seat's bets were settled."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    lines: tuple[Line, ...]
    staked_cents: int
    returned_cents: int
    clause: str
    postings: tuple[Posting, ...]


class RoundSettled(msgspec.Struct, frozen=True, kw_only=True, tag="round-settled"):
    """All bets of a round were settled: the round is over."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    notice: str
    clause: str


class SeatReturned(msgspec.Struct, frozen=True, kw_only=True, tag="seat-returned"):
    """Stakes in play went back to a seat, because the round is void or the shift manager decided so."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    bets: tuple[BetChange, ...]
    cents: int
    void: bool
    """Whether the whole round is void, or only these bets go back."""
    clause: str
    postings: tuple[Posting, ...]


class RoundVoided(msgspec.Struct, frozen=True, kw_only=True, tag="round-voided"):
    """A round has no result: every bet of it went back."""

    to: ClassVar[str] = TABLE
    round: int
    cause: str
    reason: str
    notice: str
    clause: str


class ResultCorrected(msgspec.Struct, frozen=True, kw_only=True, tag="result-corrected"):
    """A wrong result was put right; `new` is None where a settled round was voided."""

    to: ClassVar[str] = TABLE
    round: int
    old: str | None
    new: str | None
    settled: bool
    """Whether the round had been settled already: each seat in it is settled again."""
    cause: str
    reason: str
    notice: str
    clause: str


class SeatCorrected(msgspec.Struct, frozen=True, kw_only=True, tag="seat-corrected"):
    """A seat's settlement was reversed and made again."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    result: str | None
    """None where the round was voided."""
    reversed: tuple[Line, ...]
    lines: tuple[Line, ...]
    returned_before_cents: int
    returned_cents: int
    carried_cents: int
    """What the seat's credits could not take for this round, in all: a shortfall where negative, unclaimed
    money of a player who has left where positive."""
    has_left: bool
    """Whether the player has left: whoever sits there now is not told."""
    clause: str
    postings: tuple[Posting, ...]


class ShortfallRaised(msgspec.Struct, frozen=True, kw_only=True, tag="shortfall-raised"):
    """A correction found credits already spent, or a player gone: the shift manager is told."""

    to: ClassVar[str] = STAFF
    seat: str
    round: int
    carried_cents: int
    clause: str


class TableInterrupted(msgspec.Struct, frozen=True, kw_only=True, tag="table-interrupted"):
    """A technical interruption, and what follows from it for the round that ran."""

    to: ClassVar[str] = TABLE
    round: int | None
    phase: str
    began_ms: int
    ended_ms: int
    consequence: str
    """`none`, `continue`, `void`, `conclude` or `wait`."""
    notice: str
    clause: str | None


class OutcomeStated(msgspec.Struct, frozen=True, kw_only=True, tag="outcome-stated"):
    """After an interruption somebody stated from the wheel which outcome stands, or that there is none."""

    to: ClassVar[str] = TABLE
    round: int
    result: str | None
    clause: str


class DecisionRecorded(msgspec.Struct, frozen=True, kw_only=True, tag="decision-recorded"):
    """The shift manager decided what no clause covers."""

    to: ClassVar[str] = TABLE
    round: int
    ruling: str
    reason: str
    notice: str
    clause: str


class CommandRefused(msgspec.Struct, frozen=True, kw_only=True, tag="command-refused"):
    """A command was refused; the answer is kept so that a repeat gets the same."""

    to: ClassVar[str] = STAFF
    command: str
    rejection: Rejection


Event = (
    TableCreated
    | TableOpened
    | TableClosed
    | LastRoundAnnounced
    | TableHalted
    | TableResumed
    | LimitsChanged
    | SeatOpened
    | SeatClosed
    | SeatLost
    | SeatRestored
    | SeatLocked
    | SeatUnlocked
    | CreditsBought
    | CreditsPaidOut
    | BetsChanged
    | BoxMarked
    | BetsRejected
    | MinimumAdvised
    | RoundOpened
    | ClosingWarned
    | BetsClosed
    | SpinStarted
    | SpinFinished
    | ResultEntered
    | ResultConfirmed
    | SeatSettled
    | RoundSettled
    | SeatReturned
    | RoundVoided
    | ResultCorrected
    | SeatCorrected
    | ShortfallRaised
    | TableInterrupted
    | OutcomeStated
    | DecisionRecorded
    | CommandRefused
)


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """Which command an event came from: who, when, and the sender's number with a mark of its content."""

    at_ms: int
    actor: Actor
    sender: str
    number: int
    fingerprint: str
    second: Actor | None = None


class Entry(msgspec.Struct, frozen=True):
    """One line of a table's history."""

    cause: Cause
    event: Event


def audience(event: Event) -> str:
    """Who may see an event: `table`, `staff`, or `seat/` with the one seat it concerns.

    >>> audience(SeatUnlocked(seat="4"))
    'seat/4'
    """
    if isinstance(event, SeatCorrected) and event.has_left:
        return STAFF
    if event.to == SEAT:
        return f"seat/{event.seat}"  # type: ignore[union-attr]  # every event to a seat names it, by test
    return event.to


def postings(event: Event) -> tuple[Posting, ...]:
    """The movements of money in an event."""
    return getattr(event, "postings", ())


def claims(event: Event) -> tuple[str, ...]:
    """What an event uses up once and for all: a voucher can be issued once and redeemed once."""
    if isinstance(event, CreditsBought) and event.voucher is not None:
        return (voucher_used(event.voucher),)
    if isinstance(event, CreditsPaidOut) and event.voucher is not None:
        return (voucher_issued(event.voucher),)
    return ()


def voucher_issued(number: str) -> str:
    """The claim that issuing a voucher makes."""
    return f"voucher-issued/{number}"


def voucher_used(number: str) -> str:
    """The claim that ends a voucher: whoever redeems, pays, voids or expires it makes it first."""
    return f"voucher-redeemed/{number}"
