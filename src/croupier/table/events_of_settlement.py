"""How a round ends for each seat, and how that is put right."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import SEAT, STAFF
from croupier.table.events_of_seats import BetChange
from croupier.table.ledger import Posting
from croupier.table.settings import Limits


class Line(msgspec.Struct, frozen=True, gc=False):
    """How one bet of a seat was settled."""

    bet: str
    stake_cents: int
    counted_cents: int
    """The part of the stake that took part; less than the stake only where a box was apportioned."""
    won: bool
    returned_cents: int
    clause: str | None = None
    """The clause by which it counted so, if the bet or its box was outside the limits."""


def won_cents(lines: tuple[Line, ...]) -> int:
    """What a seat has won with its bets, beside the stakes of the winning ones."""
    return sum([line.returned_cents - line.stake_cents for line in lines if line.won])


class SeatSettled(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag="seat-settled"):
    """A seat's bets were settled."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    lines: tuple[Line, ...]
    staked_cents: int
    returned_cents: int
    clause: str
    """The pay table of the seat's layout."""
    postings: tuple[Posting, ...]
    layout: str | None = None
    """Whose bets these are; None at a table with one layout."""


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
    layout: str | None = None
    """Whose bets these are; None at a table with one layout."""


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
    moved_cents: int
    """What the seat's credits grew by, or shrank by where negative."""
    given_up_cents: int
    """By how much more, or less, the player keeps of what was written off, beside what the round gives back:
    where it gives more again, that is not given a second time."""
    has_left: bool
    """Whether the player has left, or may have, as the credits are new: they are left alone, and whoever sits
    there is told only while the visit of the round goes on."""
    clause: str
    postings: tuple[Posting, ...]


class ShortfallRaised(msgspec.Struct, frozen=True, kw_only=True, tag="shortfall-raised"):
    """A correction found credits already spent, or a player gone: the shift manager is told."""

    to: ClassVar[str] = STAFF
    seat: str
    round: int
    carried_cents: int
    clause: str


class CarriedNetted(msgspec.Struct, frozen=True, kw_only=True, tag="carried-netted"):
    """What a seat is short of in one round was covered by what a correction of another round gave back."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    """The round that had the shortfall."""
    against: int
    """The round that gave something back."""
    cents: int
    carried_cents: int
    """What the round is still short of; zero or below."""
    against_carried_cents: int
    """What of the other round is still unclaimed; zero or above."""
    has_left: bool
    """Whether the player has left, or may have: then it is covered by unclaimed money, and not by credits."""
    clause: str
    postings: tuple[Posting, ...]


class RecalledSeat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's part in a round that was read from the journal. Nothing of it is carried."""

    seat: str
    visit: int
    layout: str
    fresh_from: int
    """The first round of the money that was on the seat."""
    lines: tuple[Line, ...]
    returned_cents: int
    written_off_cents: int
    """What the house has given up of shortfalls."""
    written_off_at_cents: int
    """What the round gave back then."""
    by_hand_cents: int
    """What was paid by hand, less what was collected in cash."""


class RoundRecalled(msgspec.Struct, frozen=True, kw_only=True, tag="round-recalled"):
    """A round that the table had let go of was read from the journal, so that it can be corrected."""

    to: ClassVar[str] = STAFF
    round: int
    phase: str
    result: str | None
    """None where the round is void."""
    limits: Limits
    seats: tuple[RecalledSeat, ...]
    sensed: str | None = None
    """What the wheel's sensor reported of its spin."""


class CarriedSettled(msgspec.Struct, frozen=True, kw_only=True, tag="carried-settled"):
    """What a correction left open with a seat was paid by hand, collected in cash, or written off."""

    to: ClassVar[str] = STAFF
    seat: str
    round: int
    how: str
    """`paid` of unclaimed money; `collected` or `written-off` of a shortfall."""
    cents: int
    """The whole of what was carried."""
    reason: str
    clause: str
    """The clause of the correction that carried it."""
    postings: tuple[Posting, ...]
