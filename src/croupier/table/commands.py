"""What a table can be asked to do. Time, identity and the wheel's facts come in here, as data."""

from typing import ClassVar

import msgspec

from croupier.table.actors import Actor
from croupier.table.calls import HELP
from croupier.table.settings import Limits, Whole


class Stake(msgspec.Struct, frozen=True, gc=False):
    """An amount on a bet, or on each piece of an announced bet."""

    bet: str
    cents: Whole


class NamedBet(msgspec.Struct, frozen=True):
    """One seat's bet."""

    seat: str
    bet: str


class OpenTable(msgspec.Struct, frozen=True, kw_only=True, tag="open-table"):
    """Opens the table for play."""

    action: ClassVar[str] = "open-table"


class CloseTable(msgspec.Struct, frozen=True, kw_only=True, tag="close-table"):
    """Closes the table; not while a round is running, and not without a notice of the last round."""

    action: ClassVar[str] = "close-table"


class AnnounceLastRound(msgspec.Struct, frozen=True, kw_only=True, tag="announce-last-round"):
    """Tells players that the table closes after one more round."""

    action: ClassVar[str] = "announce-last-round"


class HaltTable(msgspec.Struct, frozen=True, kw_only=True, tag="halt-table"):
    """Stops play because something is wrong with the table itself."""

    action: ClassVar[str] = "system:halt-table"
    reason: str


class ResumeTable(msgspec.Struct, frozen=True, kw_only=True, tag="resume-table"):
    """Lets a halted table play again after somebody has looked."""

    action: ClassVar[str] = "resume-table"
    reason: str


class ChangeLimits(msgspec.Struct, frozen=True, kw_only=True, tag="change-limits"):
    """Sets new limits between rounds."""

    action: ClassVar[str] = "change-limits"
    limits: Limits
    reason: str


class OpenSeat(msgspec.Struct, frozen=True, kw_only=True, tag="open-seat"):
    """Puts a terminal, or a place at the layout, into use."""

    action: ClassVar[str] = "manage-seats"
    seat: str
    kind: str


class CloseSeat(msgspec.Struct, frozen=True, kw_only=True, tag="close-seat"):
    """Takes an empty seat out of use."""

    action: ClassVar[str] = "manage-seats"
    seat: str


class LoseSeat(msgspec.Struct, frozen=True, kw_only=True, tag="lose-seat"):
    """A terminal does not answer any more."""

    action: ClassVar[str] = "system:lose-seat"
    seat: str


class RestoreSeat(msgspec.Struct, frozen=True, kw_only=True, tag="restore-seat"):
    """A lost terminal is back."""

    action: ClassVar[str] = "system:restore-seat"
    seat: str


class BuyCredits(msgspec.Struct, frozen=True, kw_only=True, tag="buy-credits"):
    """Buys credits with cash, or with a voucher where one is named."""

    action: ClassVar[str] = "buy-credits"
    seat: str
    cents: Whole
    voucher: str | None = None


class CashOut(msgspec.Struct, frozen=True, kw_only=True, tag="cash-out"):
    """Turns all credits of a seat into a voucher, or calls an attendant where they are above the limit."""

    action: ClassVar[str] = "cash-out"
    seat: str
    voucher: str


class PayByAttendant(msgspec.Struct, frozen=True, kw_only=True, tag="pay-by-attendant"):
    """An attendant pays out all credits of a seat by hand."""

    action: ClassVar[str] = "pay-by-attendant"
    seat: str


class ClearLockUp(msgspec.Struct, frozen=True, kw_only=True, tag="clear-lock-up"):
    """Releases a seat that a large win or a large cash-out has locked."""

    action: ClassVar[str] = "clear-lock-up"
    seat: str


class CallAttendant(msgspec.Struct, frozen=True, kw_only=True, tag="call-attendant"):
    """Calls an attendant to a seat, at any time."""

    action: ClassVar[str] = "floor:call-attendant"
    seat: str
    reason: str = HELP
    """A code of `croupier.table.calls`."""


class AnswerCall(msgspec.Struct, frozen=True, kw_only=True, tag="answer-call"):
    """Ends the call of a seat: an employee answers it, the player withdraws the own one."""

    action: ClassVar[str] = "floor:answer-call"
    seat: str


class PlaceBets(msgspec.Struct, frozen=True, kw_only=True, gc=False, tag="place-bets"):
    """Places bets or adds to them; all of them or none."""

    action: ClassVar[str] = "place-bets"
    seat: str
    stakes: tuple[Stake, ...]


class TakeBets(msgspec.Struct, frozen=True, kw_only=True, tag="take-bets"):
    """Takes stakes off again; all of them or none."""

    action: ClassVar[str] = "place-bets"
    seat: str
    stakes: tuple[Stake, ...]


class MoveBet(msgspec.Struct, frozen=True, kw_only=True, tag="move-bet"):
    """Moves a stake from one bet to another."""

    action: ClassVar[str] = "place-bets"
    seat: str
    source: str
    destination: str
    cents: Whole


class ClearBets(msgspec.Struct, frozen=True, kw_only=True, tag="clear-bets"):
    """Takes all stakes of a seat off."""

    action: ClassVar[str] = "place-bets"
    seat: str


class RejectExcess(msgspec.Struct, frozen=True, kw_only=True, tag="reject-excess"):
    """Rejects what a box holds above its maximum, latest bet first."""

    action: ClassVar[str] = "reject-bets"
    bet: str


class AdviseMinimum(msgspec.Struct, frozen=True, kw_only=True, tag="advise-minimum"):
    """Tells a player that a box is under its minimum: the bet has to be raised or withdrawn."""

    action: ClassVar[str] = "reject-bets"
    seat: str
    bet: str


class OpenRound(msgspec.Struct, frozen=True, kw_only=True, tag="open-round"):
    """Begins the next round: bets are open."""

    action: ClassVar[str] = "open-round"


class WarnClosing(msgspec.Struct, frozen=True, kw_only=True, tag="warn-closing"):
    """The betting time is almost over."""

    action: ClassVar[str] = "system:warn-closing"


class CloseBets(msgspec.Struct, frozen=True, kw_only=True, tag="close-bets"):
    """No more bets."""

    action: ClassVar[str] = "close-bets"


class StartSpin(msgspec.Struct, frozen=True, kw_only=True, tag="start-spin"):
    """The ball is spun, or the wheel that has no ball; what is not known is None."""

    action: ClassVar[str] = "spin"
    ball: str | None = None
    """The ball's direction: clockwise or counter-clockwise."""
    wheel: str | None = None
    """The wheel's direction: clockwise or counter-clockwise."""
    wheel_turning: bool | None = None
    rotor_tenths_rpm: Whole | None = None
    """How fast the wheel turns, in tenths of a revolution a minute."""


class FinishSpin(msgspec.Struct, frozen=True, kw_only=True, tag="finish-spin"):
    """The spin is over; what is not known is None."""

    action: ClassVar[str] = "spin"
    revolutions: Whole | None = None
    pocket: str | None = None
    """Where the ball or the clapper rests, as a sensor saw it."""
    at_rest: bool = True
    """False where it rests in no compartment, or not clearly inside a segment."""
    rotor_tenths_rpm: Whole | None = None
    """How fast the wheel still turns, in tenths of a revolution a minute."""
    diamond: Whole | None = None
    """Which deflector the ball left the rim at, counted clockwise from 1."""


class EnterResult(msgspec.Struct, frozen=True, kw_only=True, tag="enter-result"):
    """The result is registered on the console."""

    action: ClassVar[str] = "enter-result"
    result: str


class ConfirmResult(msgspec.Struct, frozen=True, kw_only=True, tag="confirm-result"):
    """The registered result is confirmed, and with it that the spin was valid; the round is settled."""

    action: ClassVar[str] = "confirm-result"
    result: str


class CallNoSpin(msgspec.Struct, frozen=True, kw_only=True, tag="call-no-spin"):
    """Announces "no spin": the round is void whatever the ball does."""

    action: ClassVar[str] = "call-no-spin"
    reason: str


class DeclareIrregularity(msgspec.Struct, frozen=True, kw_only=True, tag="declare-irregularity"):
    """States that something of the book's list happened; it has the consequence the book gives it."""

    action: ClassVar[str] = "declare-irregularity"
    cause: str
    rounds: tuple[Whole, ...] = ()
    """Earlier rounds that it affects as well, where the book voids all affected rounds."""
    note: str = ""


class CorrectResult(msgspec.Struct, frozen=True, kw_only=True, tag="correct-result"):
    """Puts a wrong result right, before or after settlement."""

    action: ClassVar[str] = "correct-result"
    round: Whole
    result: str
    reason: str


class SettleCarried(msgspec.Struct, frozen=True, kw_only=True, tag="settle-carried"):
    """Ends what a correction left open with a seat: unclaimed money, or a shortfall."""

    action: ClassVar[str] = "correct-settled-result"
    round: Whole
    seat: str
    how: str
    """One of paid, collected, written-off."""
    cents: Whole
    """The whole amount, as whoever asks believes it to be."""
    reason: str


class Interrupt(msgspec.Struct, frozen=True, kw_only=True, tag="interrupt"):
    """A technical interruption of the table is over; recovery states when it began."""

    action: ClassVar[str] = "system:interrupt"
    began_ms: Whole
    length_known: bool = True
    """Whether that can be known: a clock that was set back meanwhile says nothing."""


class StateOutcome(msgspec.Struct, frozen=True, kw_only=True, tag="state-outcome"):
    """After an interruption: which valid outcome stands on the wheel, or None that there is none."""

    action: ClassVar[str] = "state-outcome"
    result: str | None


class Decide(msgspec.Struct, frozen=True, kw_only=True, tag="decide"):
    """The shift manager's decision on what no clause covers."""

    action: ClassVar[str] = "decide"
    ruling: str
    """One of void, correct, return-bets, none."""
    reason: str
    round: Whole
    result: str | None = None
    bets: tuple[NamedBet, ...] = ()


class ReportWheel(msgspec.Struct, frozen=True, kw_only=True, tag="report-wheel"):
    """What the wheel says of itself: a fault, or None that it is well again."""

    action: ClassVar[str] = "machine:report-wheel"
    fault: str | None
    """A code of `croupier.table.wheel_faults`."""
    detail: str = ""


class CommitSpin(msgspec.Struct, frozen=True, kw_only=True, tag="commit-spin"):
    """Binds the wheel to a result that is drawn already, while bets are open and without telling it."""

    action: ClassVar[str] = "wheel:commit-spin"
    commitment: str
    """A hash as 64 hexadecimal digits."""


class OpenCommitment(msgspec.Struct, frozen=True, kw_only=True, tag="open-commitment"):
    """Tells what a commitment stood for, once its round is over."""

    action: ClassVar[str] = "wheel:open-commitment"
    round: Whole
    opening: str


Do = (
    OpenTable
    | CloseTable
    | AnnounceLastRound
    | HaltTable
    | ResumeTable
    | ChangeLimits
    | OpenSeat
    | CloseSeat
    | LoseSeat
    | RestoreSeat
    | BuyCredits
    | CashOut
    | PayByAttendant
    | ClearLockUp
    | CallAttendant
    | AnswerCall
    | PlaceBets
    | TakeBets
    | MoveBet
    | ClearBets
    | RejectExcess
    | AdviseMinimum
    | OpenRound
    | WarnClosing
    | CloseBets
    | StartSpin
    | FinishSpin
    | EnterResult
    | ConfirmResult
    | CallNoSpin
    | DeclareIrregularity
    | CorrectResult
    | SettleCarried
    | Interrupt
    | StateOutcome
    | Decide
    | ReportWheel
    | CommitSpin
    | OpenCommitment
)


class Command(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Something to do, with who asks, when, and the sender's own number for it."""

    at_ms: int
    """Milliseconds since 1970, UTC."""
    actor: Actor
    sender: str
    """The device or session that sent it; its numbers grow."""
    number: int
    do: Do
    second: Actor | None = None
    """The second person, where two are asked for."""
    round: int | None = None
    """The last round that the sender knew of. Where another one has begun since, the command comes too late
    and is refused; it is no part of what a repeated number has to come with."""
    voucher_days: int | None = None
    """For how long a voucher is good that follows from it. The floor says so and not the sender, so that a
    command that comes again is still the same."""
