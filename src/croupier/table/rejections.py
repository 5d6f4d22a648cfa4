"""Refusals as values: a stable code, a sentence a person can act on, the facts, the clause."""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

MALFORMED: Final = "malformed"
"""The command names something that does not exist; it can never be carried out like this."""
ILLEGAL: Final = "illegal"
"""The rules or the limits do not allow it."""
NOT_NOW: Final = "not-now"
"""It may be allowed at another time."""


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    """Why a command was not carried out."""

    code: str
    sentence: str
    facts: Mapping[str, str | int] = {}
    clause: str | None = None


class Code(NamedTuple):
    """What a rejection code means."""

    kind: str
    meaning: str


CODES: Final[Mapping[str, Code]] = {
    # The order is the order of precedence: where several apply, the first one is given.
    "number-reused": Code(MALFORMED, "The sender used this number for another command."),
    "number-too-old": Code(MALFORMED, "The sender's number is so old that its answer is no longer kept."),
    "not-in-this-game": Code(MALFORMED, "The book of this table does not know the action."),
    "unknown-seat": Code(MALFORMED, "No such seat is in use."),
    "seat-malformed": Code(
        MALFORMED, "A seat's id is up to 40 characters that print, without blanks around."
    ),
    "seat-exists": Code(MALFORMED, "The seat is in use already."),
    "unknown-layout": Code(MALFORMED, "No seat of the table has such a layout."),
    "unknown-seat-kind": Code(MALFORMED, "The book has no such kind of seat for this layout."),
    "unknown-bet": Code(MALFORMED, "The layout has no such bet."),
    "unknown-result": Code(MALFORMED, "The wheel does not have such a result."),
    "unknown-cause": Code(MALFORMED, "The book lists no such irregularity that can be declared."),
    "unknown-round": Code(MALFORMED, "There was no such round."),
    "unknown-ruling": Code(MALFORMED, "A decision voids, returns bets, or changes nothing."),
    "unknown-way": Code(MALFORMED, "What a correction left open is paid, collected or written off."),
    "bad-time": Code(MALFORMED, "An interruption cannot end before it began."),
    "bad-amount": Code(MALFORMED, "Amounts are whole cents above zero, and no more than a billion dollars."),
    "no-voucher-number": Code(MALFORMED, "A voucher is named by its number."),
    "bad-spin": Code(MALFORMED, "The facts of the spin do not make sense."),
    "bad-commitment": Code(MALFORMED, "A commitment is 64 hexadecimal digits, and an opening is text."),
    "unknown-fault": Code(MALFORMED, "A wheel has no such fault."),
    "unknown-reason": Code(MALFORMED, "Nobody calls an attendant for such a reason."),
    "bad-limits": Code(MALFORMED, "The limits contradict themselves or leave a bet out."),
    "no-reason": Code(MALFORMED, "The record needs a reason."),
    "nothing-to-do": Code(MALFORMED, "The command names no bet."),
    "not-allowed": Code(ILLEGAL, "The position may not do this."),
    "not-your-seat": Code(ILLEGAL, "A player may only act for the own seat."),
    "players-own-act": Code(ILLEGAL, "Only the player at the seat does this, alone and at the terminal."),
    "second-person": Code(ILLEGAL, "The action takes two people."),
    "table-halted": Code(NOT_NOW, "The table is halted until a shift manager has looked."),
    "table-closed": Code(NOT_NOW, "The table is closed."),
    "table-open": Code(NOT_NOW, "The table is open already."),
    "not-halted": Code(NOT_NOW, "The table is not halted."),
    "outcome-awaited": Code(NOT_NOW, "After an interruption the outcome has to be stated first."),
    "another-round": Code(NOT_NOW, "The command was meant for another round."),
    "no-outcome-awaited": Code(NOT_NOW, "Nobody has asked for an outcome."),
    "round-running": Code(NOT_NOW, "A round is running."),
    "no-round": Code(NOT_NOW, "No round is running."),
    "last-round-played": Code(NOT_NOW, "The last round has been played."),
    "last-round-announced": Code(NOT_NOW, "The last round is announced already."),
    "no-last-round-notice": Code(NOT_NOW, "Players were not told that the table closes."),
    "last-round-not-played": Code(NOT_NOW, "The announced last round has not been played."),
    "bets-closed": Code(NOT_NOW, "Bets are closed."),
    "bets-open": Code(NOT_NOW, "Bets are still open."),
    "spin-committed": Code(NOT_NOW, "The spin of this round is committed already."),
    "ball-rolling": Code(NOT_NOW, "The spin has begun already."),
    "no-spin-yet": Code(NOT_NOW, "The spin has not begun."),
    "no-spin-recorded": Code(ILLEGAL, "No spin was on record when play stopped."),
    "not-at-rest": Code(NOT_NOW, "The sensor has not seen the spin end."),
    "spin-finished": Code(NOT_NOW, "The spin is over already."),
    "result-entered": Code(NOT_NOW, "A result is registered already."),
    "wheel-fault": Code(NOT_NOW, "The wheel had a fault: a person states the result."),
    "no-result": Code(NOT_NOW, "No result is registered."),
    "result-differs": Code(ILLEGAL, "The confirmation is for another result than the registered one."),
    "result-disagrees": Code(
        ILLEGAL, "Sensor and entry disagree: a pit supervisor and a second person read the wheel."
    ),
    "sensor-failed": Code(
        ILLEGAL, "The sensor gives no result: a pit supervisor and a second person read the wheel."
    ),
    "sensor-decides": Code(ILLEGAL, "The sensor works, and says itself when and how the spin ends."),
    "outcome-disputed": Code(ILLEGAL, "The sensor says otherwise: the statement waits for a shift manager."),
    "no-dispute": Code(NOT_NOW, "No sensor contradicts the round."),
    "same-result": Code(ILLEGAL, "The round has that result already."),
    "round-void": Code(ILLEGAL, "The round is void; it has no result to correct."),
    "round-stands": Code(ILLEGAL, "Settled rounds stand once the next one has begun."),
    "round-too-old": Code(ILLEGAL, "The round is further back than the table keeps rounds."),
    "round-not-recalled": Code(NOT_NOW, "The round has to be read from the journal first."),
    "recall-outdated": Code(NOT_NOW, "The round is in memory, or may have changed since it was read."),
    "nothing-carried": Code(NOT_NOW, "No correction has left anything open with the seat in that round."),
    "carried-otherwise": Code(ILLEGAL, "Unclaimed money is paid; a shortfall is collected or written off."),
    "carried-differs": Code(ILLEGAL, "The amount is not all that the correction left open."),
    "no-commitment": Code(ILLEGAL, "The round has no commitment."),
    "commitment-opened": Code(ILLEGAL, "The commitment is opened already."),
    "not-affected": Code(ILLEGAL, "Settled rounds stand: this cause voids the running round alone."),
    "same-report": Code(ILLEGAL, "The wheel has said so already."),
    "seat-lost": Code(NOT_NOW, "The terminal is lost."),
    "seat-not-lost": Code(NOT_NOW, "The terminal is not lost."),
    "seat-locked": Code(NOT_NOW, "The seat is locked and waits for a pit employee."),
    "seat-not-locked": Code(NOT_NOW, "The seat is not locked."),
    "attendant-called": Code(NOT_NOW, "An attendant is called to the seat already."),
    "no-call": Code(NOT_NOW, "No attendant is called to the seat."),
    "seat-has-money": Code(NOT_NOW, "The seat still has credits or stakes."),
    "stakes-in-play": Code(NOT_NOW, "No cash-out while stakes are in play."),
    "no-credits": Code(NOT_NOW, "The seat has no credits."),
    "cash-limit": Code(ILLEGAL, "A terminal takes no cash, or less at once; an employee sells credits."),
    "below-voucher-limit": Code(ILLEGAL, "Credits up to the limit are paid as a voucher."),
    "announced-not-offered": Code(ILLEGAL, "This kind of terminal does not offer the announced bet."),
    "not-on-bet": Code(ILLEGAL, "Less lies on the bet than is to be taken off."),
    "not-enough-credits": Code(ILLEGAL, "The stakes cost more than the credits."),
    "no-excess": Code(ILLEGAL, "The box is not over its maximum."),
    "not-below-minimum": Code(ILLEGAL, "The seat has no bet in the box that is under its minimum."),
    "not-advised": Code(ILLEGAL, "The player was not advised of the minimum, or the bet meets it now."),
    "below-minimum": Code(ILLEGAL, "The stake would be under the bet's minimum."),
    "above-maximum": Code(ILLEGAL, "The stake would be over the bet's maximum."),
    "seat-limit": Code(ILLEGAL, "The seat would have more in play than one seat may."),
    "spot-limit": Code(ILLEGAL, "All seats together would have more on the bet than is taken."),
    "table-limit": Code(ILLEGAL, "All seats together would have more in play than is taken."),
    "exposure-limit": Code(ILLEGAL, "The house would have to pay more on one result than it takes on."),
}
"""Every code there is, in order of precedence."""

_RANK: Final = {code: rank for rank, code in enumerate(CODES)}


def first_of(*found: Rejection | None) -> Rejection | None:
    """Of several rejections the one that takes precedence."""
    rejections = [rejection for rejection in found if rejection is not None]
    return min(rejections, key=lambda rejection: _RANK[rejection.code], default=None)
