"""What happens in a round, from its opening to its end."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import STAFF, TABLE


class RoundOpened(msgspec.Struct, frozen=True, kw_only=True, tag="round-opened"):
    """A round has begun: bets are open."""

    to: ClassVar[str] = TABLE
    round: int
    closes_ms: int | None
    notice: str
    clause: str


class ClosingWarned(msgspec.Struct, frozen=True, kw_only=True, tag="closing-warned"):
    """The betting time is almost over."""

    to: ClassVar[str] = TABLE
    round: int
    seconds: int
    notice: str


class BetsClosed(msgspec.Struct, frozen=True, kw_only=True, tag="bets-closed"):
    """No more bets; stakes stand as they lie."""

    to: ClassVar[str] = TABLE
    round: int
    closed_by: str
    """`dealer`, `timer` or `wheel`; `interruption` if play stopped after the spin had begun."""
    notice: str
    clause: str
    stakes_clause: str | None
    """The clause by which stakes stand as they lie."""


class SpinStarted(msgspec.Struct, frozen=True, kw_only=True, tag="spin-started"):
    """The ball was spun, or the wheel that has no ball."""

    to: ClassVar[str] = TABLE
    round: int
    ball: str | None
    wheel: str | None
    wheel_turning: bool | None
    rotor_tenths_rpm: int | None = None
    said_by: str
    notice: str
    clause: str


class SpinFinished(msgspec.Struct, frozen=True, kw_only=True, tag="spin-finished"):
    """The spin is over, and this is what is known of it."""

    to: ClassVar[str] = TABLE
    round: int
    revolutions: int | None
    pocket: str | None
    at_rest: bool
    rotor_tenths_rpm: int | None = None
    diamond: int | None = None
    said_by: str
    clause: str


class ResultEntered(msgspec.Struct, frozen=True, kw_only=True, tag="result-entered"):
    """A result is registered on the console and waits for its confirmation."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    said_by: str
    clause: str
    sensor: str | None = None
    """`agreed`, `contradicted` or `failed`: how the wheel's sensor stood to it; None without a sensor."""


class ResultConfirmed(msgspec.Struct, frozen=True, kw_only=True, tag="result-confirmed"):
    """The result counts: the winning number is shown on the terminals."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    notice: str
    clause: str
    against_sensor: bool = False
    """Whether two people confirmed it although the sensor has contradicted it since."""


class RoundSettled(msgspec.Struct, frozen=True, kw_only=True, tag="round-settled"):
    """All bets of a round were settled: the round is over."""

    to: ClassVar[str] = TABLE
    round: int
    result: str
    notice: str
    clause: str
    excess_clause: str | None = None
    """By what bets count that were over the table's maximum together, and not rejected."""


class RoundVoided(msgspec.Struct, frozen=True, kw_only=True, tag="round-voided"):
    """A round has no result: every bet of it went back."""

    to: ClassVar[str] = TABLE
    round: int
    cause: str
    reason: str
    notice: str
    clause: str
    wheel: str = "not-spun"
    """Where the ball or the wheel was: `not-spun`, `rolling` or `at-rest`."""
    against_sensor: bool = False
    """Whether the sensor contradicts the cause."""
    named_rounds: tuple[int, ...] = ()
    """The rounds that were named with the irregularity; none if the running one was meant."""


class ResultCorrected(msgspec.Struct, frozen=True, kw_only=True, tag="result-corrected"):
    """A wrong result was put right; `new` is None where a settled round was voided."""

    to: ClassVar[str] = TABLE
    round: int
    old: str | None
    new: str | None
    settled: bool
    """Whether the round had been settled already: each seat in it is settled again."""
    cause: str
    reason: str
    notice: str | None
    """None before the confirmation: players were told no result yet, and there is nothing to put right."""
    clause: str
    sensor: str | None = None
    """Before the confirmation, how the wheel's sensor stands to the new result."""
    named_rounds: tuple[int, ...] = ()
    """The rounds that were named with the irregularity; none for a correction or a decision."""


class OutcomeStated(msgspec.Struct, frozen=True, kw_only=True, tag="outcome-stated"):
    """After an interruption somebody stated from the wheel which outcome stands, or that there is none."""

    to: ClassVar[str] = TABLE
    round: int
    result: str | None
    clause: str
    spun: bool = False
    """Whether they stated the spin as well, because none was on record when play stopped."""
    sensed: str | None = None
    """What the wheel's sensor said meanwhile."""


class SpinReportedLate(msgspec.Struct, frozen=True, kw_only=True, tag="spin-reported-late"):
    """The wheel reported a spin whose round was over already; it is evidence and changes nothing."""

    to: ClassVar[str] = STAFF
    round: int
    revolutions: int | None
    pocket: str | None
    at_rest: bool
    registered: str | None
    """The result that counts; None if the round is void."""
    disagrees: bool
    irregularity: str | None
    """Why the spin does not count by what the wheel saw; None if it does."""
    clause: str


class ResultUpheld(msgspec.Struct, frozen=True, kw_only=True, tag="result-upheld"):
    """Two people decided that a result stands, although the wheel's sensor contradicts it."""

    to: ClassVar[str] = STAFF
    round: int
    result: str | None
    sensed: str | None
    reason: str
    clause: str
