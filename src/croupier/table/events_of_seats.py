"""What happens at a seat: its use, its credits, its bets."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import SEAT, STAFF
from croupier.table.ledger import Posting


class SeatOpened(msgspec.Struct, frozen=True, kw_only=True, tag="seat-opened"):
    """A terminal or a place at the layout is in use."""

    to: ClassVar[str] = SEAT
    seat: str
    kind: str
    layout: str | None = None
    """None at a table with one layout."""


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
    """A seat is released: by a pit employee, or because a correction took back the win that locked it."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int | None = None
    """The round whose win was taken back; None where a pit employee released the seat."""


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
    expires_ms: int | None = None
    """From when on the voucher is no longer taken, as it is printed on it; older records do not say."""
    occasion: str | None = None
    """Why an attendant paid: `lost-terminal`, `no-terminal`, `locked-seat` or `above-limit`."""


class BetChange(msgspec.Struct, frozen=True, gc=False):
    """How the stake on one bet changed."""

    bet: str
    cents: int
    """More on the bet where positive, less where negative."""
    announced: str | None = None
    """The announced bet that this is a piece of."""


class BetsChanged(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag="bets-changed"):
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
    """The dealer rejected a bet, or the part of it that was too much."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    bet: str
    cents: int
    clause: str
    postings: tuple[Posting, ...]
    cause: str = "box-over-maximum"
    """`box-over-maximum`, also of the table as a whole, or `box-under-minimum` after advice."""


class MinimumAdvised(msgspec.Struct, frozen=True, kw_only=True, tag="minimum-advised"):
    """A player was told to raise or withdraw a bet under the minimum."""

    to: ClassVar[str] = SEAT
    seat: str
    round: int
    bet: str
    minimum_cents: int
    clause: str
