"""What has happened at a table. Every event carries its consequences and names its audience."""

from typing import Final, get_args

import msgspec

from croupier.table.actors import Actor
from croupier.table.audiences import SEAT, STAFF, TABLE
from croupier.table.events_of_calls import AttendantCalled, CallEnded
from croupier.table.events_of_rounds import (
    BetsClosed,
    ClosingWarned,
    OutcomeStated,
    ResultConfirmed,
    ResultCorrected,
    ResultEntered,
    ResultUpheld,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SpinFinished,
    SpinReportedLate,
    SpinStarted,
)
from croupier.table.events_of_seats import (
    BetChange,
    BetsChanged,
    BetsRejected,
    BoxMarked,
    CreditsBought,
    CreditsPaidOut,
    MinimumAdvised,
    SeatClosed,
    SeatLocked,
    SeatLost,
    SeatOpened,
    SeatRestored,
    SeatUnlocked,
)
from croupier.table.events_of_settlement import (
    CarriedNetted,
    CarriedSettled,
    Line,
    RecalledSeat,
    RoundRecalled,
    SeatCorrected,
    SeatReturned,
    SeatSettled,
    ShortfallRaised,
)
from croupier.table.events_of_table import (
    CommandRefused,
    DecisionRecorded,
    LastRoundAnnounced,
    LimitsChanged,
    TableClosed,
    TableCreated,
    TableHalted,
    TableInterrupted,
    TableOpened,
    TableResumed,
)
from croupier.table.events_of_wheel import CommitmentOpened, SpinCommitted, WheelReported
from croupier.table.ledger import Posting

__all__ = [
    "SEAT",
    "STAFF",
    "TABLE",
    "AttendantCalled",
    "BetChange",
    "BetsChanged",
    "BetsClosed",
    "BetsRejected",
    "BoxMarked",
    "CallEnded",
    "CarriedNetted",
    "CarriedSettled",
    "Cause",
    "ClosingWarned",
    "CommandRefused",
    "CommitmentOpened",
    "CreditsBought",
    "CreditsPaidOut",
    "DecisionRecorded",
    "Entry",
    "Event",
    "LastRoundAnnounced",
    "LimitsChanged",
    "Line",
    "MinimumAdvised",
    "OutcomeStated",
    "RecalledSeat",
    "ResultConfirmed",
    "ResultCorrected",
    "ResultEntered",
    "ResultUpheld",
    "RoundOpened",
    "RoundRecalled",
    "RoundSettled",
    "RoundVoided",
    "SeatClosed",
    "SeatCorrected",
    "SeatLocked",
    "SeatLost",
    "SeatOpened",
    "SeatRestored",
    "SeatReturned",
    "SeatSettled",
    "SeatUnlocked",
    "ShortfallRaised",
    "SpinCommitted",
    "SpinFinished",
    "SpinReportedLate",
    "SpinStarted",
    "TableClosed",
    "TableCreated",
    "TableHalted",
    "TableInterrupted",
    "TableOpened",
    "TableResumed",
    "WheelReported",
    "audience",
    "claims",
    "hears",
    "postings",
    "voucher_issued",
    "voucher_used",
]

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
    | AttendantCalled
    | CallEnded
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
    | SpinReportedLate
    | ResultUpheld
    | SeatSettled
    | RoundSettled
    | SeatReturned
    | RoundVoided
    | ResultCorrected
    | SeatCorrected
    | ShortfallRaised
    | CarriedNetted
    | CarriedSettled
    | TableInterrupted
    | OutcomeStated
    | DecisionRecorded
    | RoundRecalled
    | WheelReported
    | SpinCommitted
    | CommitmentOpened
    | CommandRefused
)


class Cause(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Which command an event came from: who, when, and the sender's number with a mark of its content."""

    at_ms: int
    actor: Actor
    sender: str
    number: int
    fingerprint: str
    second: Actor | None = None


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One line of a table's history."""

    cause: Cause
    event: Event


def hears(event: Event) -> tuple[str, str]:
    """Who may see an event: the table, the staff, or the one seat it concerns, which is named then."""
    if event.to != SEAT:
        return event.to, ""
    if type(event) in (SeatCorrected, CarriedNetted) and event.has_left:  # type: ignore[union-attr]
        return STAFF, ""
    seat: str = event.seat  # type: ignore[union-attr]  # every event to a seat names it, by test
    return SEAT, seat


def audience(event: Event) -> str:
    """The same as one word: `table`, `staff`, or `seat/` with the seat.

    >>> audience(SeatUnlocked(seat="4"))
    'seat/4'
    """
    to, seat = hears(event)
    return f"seat/{seat}" if to == SEAT else to


MOVING: Final = frozenset(
    kind
    for kind in get_args(Event)
    if any(field.name == "postings" for field in msgspec.structs.fields(kind))
)
"""The kinds of events that move money."""


def postings(event: Event) -> tuple[Posting, ...]:
    """The movements of money in an event."""
    return getattr(event, "postings", ())


CLAIMING: Final = frozenset({CreditsBought, CreditsPaidOut})
"""The kinds of events that may use something up."""


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
