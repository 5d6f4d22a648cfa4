"""What happens to a table as a whole."""

from typing import ClassVar

import msgspec

from croupier.table.audiences import STAFF, TABLE
from croupier.table.rejections import Rejection
from croupier.table.settings import Limits, Settings


class TableCreated(msgspec.Struct, frozen=True, kw_only=True, tag="table-created"):
    """The first event of every table: which rules it plays by, and how it is set."""

    to: ClassVar[str] = STAFF
    settings: Settings
    book_sha256: str


class TableOpened(msgspec.Struct, frozen=True, kw_only=True, tag="table-opened"):
    """The table is open for play; the limits are shown."""

    to: ClassVar[str] = TABLE
    limits: Limits
    clause: str | None


class TableClosed(msgspec.Struct, frozen=True, kw_only=True, tag="table-closed"):
    """The table is closed."""

    to: ClassVar[str] = TABLE
    notice: str


class LastRoundAnnounced(msgspec.Struct, frozen=True, kw_only=True, tag="last-round-announced"):
    """Players were told that the table closes after `rounds_left` more rounds beside the one that runs."""

    to: ClassVar[str] = TABLE
    rounds_left: int
    notice: str


class TableHalted(msgspec.Struct, frozen=True, kw_only=True, tag="table-halted"):
    """Play has stopped because something is wrong with the table itself."""

    to: ClassVar[str] = TABLE
    reason: str
    notice: str


class TableResumed(msgspec.Struct, frozen=True, kw_only=True, tag="table-resumed"):
    """A halted table may play again."""

    to: ClassVar[str] = TABLE
    reason: str


class LimitsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="limits-changed"):
    """New limits are in force and shown."""

    to: ClassVar[str] = TABLE
    old: Limits
    new: Limits
    reason: str
    clause: str | None


class TableInterrupted(msgspec.Struct, frozen=True, kw_only=True, tag="table-interrupted"):
    """A technical interruption, and what follows from it for the round that ran."""

    to: ClassVar[str] = TABLE
    round: int | None
    phase: str
    began_ms: int
    ended_ms: int
    consequence: str
    """`none`, `continue`, `void`, `conclude` or `wait`."""
    notice: str
    clause: str | None
    length_known: bool = True
    """Whether the times say how long it was: they do not where the clock was set back meanwhile."""
    declared: str | None = None
    """What a person saw who declared it; None if the system noticed it."""
    spun: bool = False
    """Whether that person stated a spin that is not on record."""


class DecisionRecorded(msgspec.Struct, frozen=True, kw_only=True, tag="decision-recorded"):
    """The shift manager decided what no clause covers."""

    to: ClassVar[str] = TABLE
    round: int
    ruling: str
    reason: str
    notice: str
    clause: str


class CommandRefused(msgspec.Struct, frozen=True, kw_only=True, tag="command-refused"):
    """A command was refused; the answer is kept so that a repeat gets the same."""

    to: ClassVar[str] = STAFF
    command: str
    rejection: Rejection
