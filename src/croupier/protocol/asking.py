"""What a client may send: a hello, commands, and signs of life."""

import json
from typing import Annotated, Final

import msgspec

from croupier.floor.refusals import UNSETTLED
from croupier.table import commands as c
from croupier.table.settings import Whole

VERSION: Final = 1
"""Grows when a client that knows an older one could misunderstand."""

LONGEST_PASSWORD: Final = 200


class CashOut(msgspec.Struct, frozen=True, kw_only=True, tag="cash-out"):
    """Turns all credits of a seat into a voucher; the floor gives it its number."""

    seat: str


Do = (
    c.OpenTable
    | c.CloseTable
    | c.AnnounceLastRound
    | c.ResumeTable
    | c.ChangeLimits
    | c.OpenSeat
    | c.CloseSeat
    | c.BuyCredits
    | CashOut
    | c.PayByAttendant
    | c.ClearLockUp
    | c.CallAttendant
    | c.AnswerCall
    | c.PlaceBets
    | c.TakeBets
    | c.MoveBet
    | c.ClearBets
    | c.RejectExcess
    | c.AdviseMinimum
    | c.RejectAdvised
    | c.OpenRound
    | c.CloseBets
    | c.StartSpin
    | c.FinishSpin
    | c.EnterResult
    | c.ConfirmResult
    | c.CallNoSpin
    | c.DeclareIrregularity
    | c.CorrectResult
    | c.SettleCarried
    | c.DeclareInterruption
    | c.StateOutcome
    | c.UpholdResult
    | c.Decide
    | c.ReportWheel
    | c.CommitSpin
    | c.OpenCommitment
)
"""Every command that a client may give; what only the system itself reports is not among them."""

OF_ITS_ROUND: Final = (
    c.PlaceBets,
    c.TakeBets,
    c.MoveBet,
    c.ClearBets,
    c.RejectExcess,
    c.AdviseMinimum,
    c.RejectAdvised,
    c.OpenRound,
    c.CloseBets,
    c.StartSpin,
    c.FinishSpin,
    c.EnterResult,
    c.ConfirmResult,
    c.CallNoSpin,
    c.DeclareIrregularity,
    c.DeclareInterruption,
    c.StateOutcome,
    c.CommitSpin,
)
"""What is meant for the round it was given in, and for no other: a bet that did not arrive in time was never
registered, and nobody wants it in the next round. Money, seats and the table's own state go on regardless."""

SENT_AGAIN: Final = UNSETTLED | {"office-unread", "stepped-down", "too-fast"}
"""Refusals that judge nothing: whether the command was carried out is open, or nobody has looked at it.
A client sends it again under the same number, which tells."""


class Second(msgspec.Struct, frozen=True, kw_only=True):
    """The second person, who authorises at the same console."""

    name: str
    password: str


class Resume(msgspec.Struct, frozen=True, kw_only=True):
    """Where a client stopped listening."""

    epoch: str
    """The server's life in which it listened; another one leads to a snapshot."""
    seq: int


class Hello(msgspec.Struct, frozen=True, kw_only=True, tag="hello", tag_field="type"):
    """The first message of a connection: who is there, and what it wants to see."""

    version: int
    token: str
    """A device's token, or that of a signed-in employee's session."""
    audience: str
    """`seat`, `display`, `console`, `pit` or `wheel`."""
    table: str | None = None
    """Which table; devices are bound to one, and the pit sees all."""
    resume: Resume | None = None


class Order(msgspec.Struct, frozen=True, kw_only=True, tag="command", tag_field="type"):
    """A command to the table, under the sender's own growing number."""

    number: Annotated[int, msgspec.Meta(ge=0, le=2**53)]
    do: Do
    second: Second | None = None
    round: Whole | None = None
    """The number of the last round that the sender knows of. Where another one has begun by the time the
    command is decided, it is refused (`another-round`)."""


class Resync(msgspec.Struct, frozen=True, kw_only=True, tag="resync", tag_field="type"):
    """Asks for a new snapshot: the client has noticed a gap."""


class Alive(msgspec.Struct, frozen=True, kw_only=True, tag="alive", tag_field="type"):
    """Answers `beat`: the client is there."""

    at_ms: int = 0
    """The time of the beat that it answers."""


Asked = Hello | Order | Resync | Alive


class _Numbered(msgspec.Struct, frozen=True, kw_only=True, tag="command", tag_field="type"):
    number: int


_DECODER: Final[msgspec.json.Decoder[Asked]] = msgspec.json.Decoder(Asked)
_NUMBERED: Final[msgspec.json.Decoder[_Numbered]] = msgspec.json.Decoder(_Numbered)


def read_asked(raw: bytes | str) -> Asked:
    """A message from a client; raises `msgspec.ValidationError` or `msgspec.DecodeError`."""
    return _DECODER.decode(raw)


def number_in(raw: bytes | str) -> int | None:
    """The number of a command that cannot be read as a whole; None where not even that can be read."""
    try:
        return _NUMBERED.decode(raw).number
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _number_anyhow(raw)


def _number_anyhow(raw: bytes | str) -> int | None:
    """The same from JSON with half a character somewhere, which a browser sends and the decoder refuses."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    number = found.get("number") if isinstance(found, dict) and found.get("type") == "command" else None
    return number if type(number) is int else None
