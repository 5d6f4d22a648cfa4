"""How a round ends for each seat, and how that is put right."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import SEAT, STAFF
from croupier.table.events_of_seats import BetChange
from croupier.table.ledger import Posting


class Line(msgspec.Struct, frozen=True, gc=False):
    """How one bet of a seat was settled."""

    bet: str
    stake_cents: int
    counted_cents: int
    """The part of the stake that took part; less than the stake only where a box was apportioned."""
    won: bool
    returned_cents: int
    clause: str | None = None
    """The clause by which not simply the whole stake took part."""


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
