"""What a wheel says of itself, and of a result that it is bound to."""

from typing import ClassVar

import msgspec

from croupier.table.settings import Id, Whole, Words


class ReportWheel(msgspec.Struct, frozen=True, kw_only=True, tag="report-wheel"):
    """What the wheel says of itself: a fault, or None that it is well again."""

    action: ClassVar[str] = "machine:report-wheel"
    fault: Id | None
    """A code of `croupier.table.wheel_faults`."""
    detail: Words = ""


class CommitSpin(msgspec.Struct, frozen=True, kw_only=True, tag="commit-spin"):
    """Binds the wheel to a result that is drawn already, while bets are open and without telling it."""

    action: ClassVar[str] = "wheel:commit-spin"
    commitment: Id
    """A hash as 64 hexadecimal digits."""


class OpenCommitment(msgspec.Struct, frozen=True, kw_only=True, tag="open-commitment"):
    """Tells what a commitment stood for, once its round is over."""

    action: ClassVar[str] = "wheel:open-commitment"
    round: Whole
    opening: Words
