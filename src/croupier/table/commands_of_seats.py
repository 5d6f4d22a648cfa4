"""What a table can be asked for a seat: its use, its credits, its bets."""

from typing import ClassVar

import msgspec

from croupier.table.calls import HELP
from croupier.table.settings import Id, Whole


class Stake(msgspec.Struct, frozen=True, gc=False):
    """An amount on a bet, or on each piece of an announced bet."""

    bet: Id
    cents: Whole


class OpenSeat(msgspec.Struct, frozen=True, kw_only=True, tag="open-seat"):
    """Puts a terminal, or a place at the layout, into use."""

    action: ClassVar[str] = "manage-seats"
    seat: Id
    kind: Id
    layout: Id | None = None
    """One of the table's; None for the first that such a seat may have."""


class CloseSeat(msgspec.Struct, frozen=True, kw_only=True, tag="close-seat"):
    """Takes an empty seat out of use."""

    action: ClassVar[str] = "manage-seats"
    seat: Id


class LoseSeat(msgspec.Struct, frozen=True, kw_only=True, tag="lose-seat"):
    """A terminal does not answer any more."""

    action: ClassVar[str] = "system:lose-seat"
    seat: Id


class RestoreSeat(msgspec.Struct, frozen=True, kw_only=True, tag="restore-seat"):
    """A lost terminal is back."""

    action: ClassVar[str] = "system:restore-seat"
    seat: Id


class BuyCredits(msgspec.Struct, frozen=True, kw_only=True, tag="buy-credits"):
    """Buys credits with cash, or with a voucher where one is named."""

    action: ClassVar[str] = "buy-credits"
    seat: Id
    cents: Whole
    voucher: Id | None = None


class CashOut(msgspec.Struct, frozen=True, kw_only=True, tag="cash-out"):
    """Turns all credits of a seat into a voucher, or calls an attendant where they are above the limit."""

    action: ClassVar[str] = "cash-out"
    seat: Id
    voucher: Id


class PayByAttendant(msgspec.Struct, frozen=True, kw_only=True, tag="pay-by-attendant"):
    """An attendant pays out all credits of a seat by hand."""

    action: ClassVar[str] = "pay-by-attendant"
    seat: Id


class ClearLockUp(msgspec.Struct, frozen=True, kw_only=True, tag="clear-lock-up"):
    """Releases a seat that a large win or a large cash-out has locked."""

    action: ClassVar[str] = "clear-lock-up"
    seat: Id


class CallAttendant(msgspec.Struct, frozen=True, kw_only=True, tag="call-attendant"):
    """Calls an attendant to a seat, at any time."""

    action: ClassVar[str] = "floor:call-attendant"
    seat: Id
    reason: Id = HELP
    """A code of `croupier.table.calls`."""


class AnswerCall(msgspec.Struct, frozen=True, kw_only=True, tag="answer-call"):
    """Ends the call of a seat: an employee answers it, the player withdraws the own one."""

    action: ClassVar[str] = "floor:answer-call"
    seat: Id


class PlaceBets(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag="place-bets"):
    """Places bets or adds to them; all of them or none."""

    action: ClassVar[str] = "place-bets"
    seat: Id
    stakes: tuple[Stake, ...]


class TakeBets(msgspec.Struct, frozen=True, kw_only=True, tag="take-bets"):
    """Takes stakes off again; all of them or none."""

    action: ClassVar[str] = "place-bets"
    seat: Id
    stakes: tuple[Stake, ...]


class MoveBet(msgspec.Struct, frozen=True, kw_only=True, tag="move-bet"):
    """Moves a stake from one bet to another."""

    action: ClassVar[str] = "place-bets"
    seat: Id
    source: Id
    destination: Id
    cents: Whole


class ClearBets(msgspec.Struct, frozen=True, kw_only=True, tag="clear-bets"):
    """Takes all stakes of a seat off."""

    action: ClassVar[str] = "place-bets"
    seat: Id


class RejectExcess(msgspec.Struct, frozen=True, kw_only=True, tag="reject-excess"):
    """Rejects what a box holds above its maximum, latest bet first."""

    action: ClassVar[str] = "reject-bets"
    bet: Id


class AdviseMinimum(msgspec.Struct, frozen=True, kw_only=True, tag="advise-minimum"):
    """Tells a player that a bet is under the box's minimum and has to be raised or withdrawn."""

    action: ClassVar[str] = "reject-bets"
    seat: Id
    bet: Id


class RejectAdvised(msgspec.Struct, frozen=True, kw_only=True, tag="reject-advised"):
    """Rejects a bet under the minimum whose player was advised and has left it so."""

    action: ClassVar[str] = "reject-bets"
    seat: Id
    bet: Id
