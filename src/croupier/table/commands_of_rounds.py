"""What a table can be asked in a round, and about one that is over."""

from typing import ClassVar

import msgspec

from croupier.table.events_of_settlement import RecalledSeat
from croupier.table.settings import Id, Limits, Whole, Words


class NamedBet(msgspec.Struct, frozen=True):
    """One seat's bet."""

    seat: Id
    bet: Id


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
    ball: Id | None = None
    """The ball's direction: clockwise or counter-clockwise."""
    wheel: Id | None = None
    """The wheel's direction: clockwise or counter-clockwise."""
    wheel_turning: bool | None = None
    rotor_tenths_rpm: Whole | None = None
    """How fast the wheel turns, in tenths of a revolution a minute."""


class FinishSpin(msgspec.Struct, frozen=True, kw_only=True, tag="finish-spin"):
    """The spin is over; what is not known is None."""

    action: ClassVar[str] = "spin"
    revolutions: Whole | None = None
    pocket: Id | None = None
    """Where the ball or the clapper rests, as a sensor saw it."""
    at_rest: bool = True
    """False where it rests in no compartment, or not clearly inside a segment."""
    rotor_tenths_rpm: Whole | None = None
    """How fast the wheel still turns, in tenths of a revolution a minute."""
    diamond: Whole | None = None
    """Which deflector the ball left the rim at, counted clockwise from 1."""
    round: Whole | None = None
    """Whose spin it was; None for the running round, or the latest one if none runs."""


class EnterResult(msgspec.Struct, frozen=True, kw_only=True, tag="enter-result"):
    """The result is registered on the console."""

    action: ClassVar[str] = "enter-result"
    result: Id


class ConfirmResult(msgspec.Struct, frozen=True, kw_only=True, tag="confirm-result"):
    """The registered result is confirmed, and with it that the spin was valid; the round is settled."""

    action: ClassVar[str] = "confirm-result"
    result: Id


class CallNoSpin(msgspec.Struct, frozen=True, kw_only=True, tag="call-no-spin"):
    """Announces "no spin": the round is void whatever the ball does."""

    action: ClassVar[str] = "call-no-spin"
    reason: Words


class DeclareIrregularity(msgspec.Struct, frozen=True, kw_only=True, tag="declare-irregularity"):
    """States that something of the book's list happened; it has the consequence the book gives it."""

    action: ClassVar[str] = "declare-irregularity"
    cause: Id
    rounds: tuple[Whole, ...] = ()
    """The rounds in which it happened, running or settled. None means the running one."""
    note: Words = ""


class CorrectResult(msgspec.Struct, frozen=True, kw_only=True, tag="correct-result"):
    """Puts a wrong result right, before or after settlement."""

    action: ClassVar[str] = "correct-result"
    round: Whole
    result: Id
    reason: Words


class SettleCarried(msgspec.Struct, frozen=True, kw_only=True, tag="settle-carried"):
    """Ends what a correction left open with a seat: unclaimed money, or a shortfall."""

    action: ClassVar[str] = "correct-settled-result"
    round: Whole
    seat: Id
    how: Id
    """One of paid, collected, written-off."""
    cents: Whole
    """The whole amount, as whoever asks believes it to be."""
    reason: Words


class Interrupt(msgspec.Struct, frozen=True, kw_only=True, tag="interrupt"):
    """A technical interruption of the table is over; recovery states when it began."""

    action: ClassVar[str] = "system:interrupt"
    began_ms: Whole
    length_known: bool = True
    """Whether that can be known: a clock that was set back meanwhile says nothing."""


class StateOutcome(msgspec.Struct, frozen=True, kw_only=True, tag="state-outcome"):
    """After an interruption: which valid outcome stands on the wheel, or None that there is none."""

    action: ClassVar[str] = "state-outcome"
    result: Id | None
    spun: bool = False
    """That the ball was spun, although no spin was on record when play stopped."""


class DeclareInterruption(msgspec.Struct, frozen=True, kw_only=True, tag="declare-interruption"):
    """A technical interruption that the server did not notice, such as hall lights or the wheel's motor."""

    action: ClassVar[str] = "declare-interruption"
    reason: Words
    spun: bool = False
    """That the ball was spun before it, although no spin is on record."""


class UpholdResult(msgspec.Struct, frozen=True, kw_only=True, tag="uphold-result"):
    """States that a registered result stands, although the wheel's sensor contradicts it."""

    action: ClassVar[str] = "correct-settled-result"
    round: Whole
    reason: Words


class Decide(msgspec.Struct, frozen=True, kw_only=True, tag="decide"):
    """The shift manager's decision on what no clause covers."""

    action: ClassVar[str] = "decide"
    ruling: Id
    """One of void, return-bets, none."""
    reason: Words
    round: Whole
    bets: tuple[NamedBet, ...] = ()


class RecallRound(msgspec.Struct, frozen=True, kw_only=True, tag="recall-round"):
    """Puts a round back into memory that the journal has and the table has let go of, to be corrected."""

    action: ClassVar[str] = "system:recall-round"
    round: Whole
    read_to: Whole
    """The last event that was read: whatever has changed a recalled round since is not known here."""
    phase: Id
    result: Id | None
    limits: Limits
    seats: tuple[RecalledSeat, ...]
    sensed: Id | None = None
    """What the wheel's sensor reported of its spin."""
