"""What a wheel says of itself, and what it binds itself to."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import STAFF, TABLE


class WheelReported(msgspec.Struct, frozen=True, kw_only=True, tag="wheel-reported"):
    """The wheel has a fault, or None: it is well again."""

    to: ClassVar[str] = STAFF
    round: int | None
    """The round that ran when it was reported."""
    fault: str | None
    detail: str


class SpinCommitted(msgspec.Struct, frozen=True, kw_only=True, tag="spin-committed"):
    """The wheel is bound to a result that nobody knows yet."""

    to: ClassVar[str] = TABLE
    round: int
    commitment: str


class CommitmentOpened(msgspec.Struct, frozen=True, kw_only=True, tag="commitment-opened"):
    """The round is over, and anybody can check what the wheel was bound to."""

    to: ClassVar[str] = TABLE
    round: int
    opening: str
