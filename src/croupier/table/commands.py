"""What a table can be asked to do. Time, identity and the wheel's facts come in here, as data."""

from typing import ClassVar

import msgspec

from croupier.table.actors import Actor
from croupier.table.commands_of_rounds import (
    CallNoSpin,
    CloseBets,
    ConfirmResult,
    CorrectResult,
    Decide,
    DeclareInterruption,
    DeclareIrregularity,
    EnterResult,
    FinishSpin,
    Interrupt,
    NamedBet,
    OpenRound,
    RecallRound,
    SettleCarried,
    StartSpin,
    StateOutcome,
    UpholdResult,
    WarnClosing,
)
from croupier.table.commands_of_seats import (
    AdviseMinimum,
    AnswerCall,
    BuyCredits,
    CallAttendant,
    CashOut,
    ClearBets,
    ClearLockUp,
    CloseSeat,
    LoseSeat,
    MoveBet,
    OpenSeat,
    PayByAttendant,
    PlaceBets,
    RejectAdvised,
    RejectExcess,
    RestoreSeat,
    Stake,
    TakeBets,
)
from croupier.table.commands_of_wheel import (
    CommitSpin,
    OpenCommitment,
    ReportWheel,
)
from croupier.table.settings import Limits, Words

__all__ = [
    "AdviseMinimum",
    "AnnounceLastRound",
    "AnswerCall",
    "BuyCredits",
    "CallAttendant",
    "CallNoSpin",
    "CashOut",
    "ChangeLimits",
    "ClearBets",
    "ClearLockUp",
    "CloseBets",
    "CloseSeat",
    "CloseTable",
    "Command",
    "CommitSpin",
    "ConfirmResult",
    "CorrectResult",
    "Decide",
    "DeclareInterruption",
    "DeclareIrregularity",
    "Do",
    "EnterResult",
    "FinishSpin",
    "HaltTable",
    "Interrupt",
    "LoseSeat",
    "MoveBet",
    "NamedBet",
    "OpenCommitment",
    "OpenRound",
    "OpenSeat",
    "OpenTable",
    "PayByAttendant",
    "PlaceBets",
    "RecallRound",
    "RejectAdvised",
    "RejectExcess",
    "ReportWheel",
    "RestoreSeat",
    "ResumeTable",
    "SettleCarried",
    "Stake",
    "StartSpin",
    "StateOutcome",
    "TakeBets",
    "UpholdResult",
    "WarnClosing",
]


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
    reason: Words


class ResumeTable(msgspec.Struct, frozen=True, kw_only=True, tag="resume-table"):
    """Lets a halted table play again after somebody has looked."""

    action: ClassVar[str] = "resume-table"
    reason: Words


class ChangeLimits(msgspec.Struct, frozen=True, kw_only=True, tag="change-limits"):
    """Sets new limits between rounds."""

    action: ClassVar[str] = "change-limits"
    limits: Limits
    reason: Words


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
    | RejectAdvised
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
    | DeclareInterruption
    | StateOutcome
    | UpholdResult
    | Decide
    | RecallRound
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
