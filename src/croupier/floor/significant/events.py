"""Significant events: what a pit manager or a regulator asks about, a row for each."""

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.floor.codec import kind_of
from croupier.floor.significant.telling import tell
from croupier.table import Entry
from croupier.table import events as e

SIGNIFICANT: Final = frozenset(
    {
        e.TableCreated,
        e.TableOpened,
        e.TableClosed,
        e.LastRoundAnnounced,
        e.TableHalted,
        e.TableResumed,
        e.LimitsChanged,
        e.SeatOpened,
        e.SeatClosed,
        e.SeatLost,
        e.SeatRestored,
        e.SeatLocked,
        e.SeatUnlocked,
        e.BetsRejected,
        e.RoundVoided,
        e.ResultCorrected,
        e.SeatCorrected,
        e.ShortfallRaised,
        e.CarriedSettled,
        e.TableInterrupted,
        e.OutcomeStated,
        e.DecisionRecorded,
        e.WheelReported,
        e.SpinReportedLate,
        e.ResultUpheld,
    }
)
"""Beside these, a payment by an attendant is one, a result without the sensor or against it, and a refusal
if refusals are asked for."""

_OVERRULED: Final = ("contradicted", "failed")


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """A significant event with who was behind it."""

    sequence: int
    time_ms: int
    event: str
    round: int | None
    seat: str | None
    actor: str
    position: str
    second: str | None
    clause: str | None
    what: str


def event_rows(sequence: int, entry: Entry, *, refusals: bool = False) -> Iterator[EventRow]:
    """The row of an entry that is significant; none otherwise."""
    event, cause = entry.event, entry.cause
    if isinstance(event, e.CommandRefused):
        is_asked_for, clause = refusals, event.rejection.clause
    else:
        is_paid_by_hand = isinstance(event, e.CreditsPaidOut) and event.voucher is None
        is_overruled = isinstance(event, e.ResultEntered) and event.sensor in _OVERRULED
        is_asked_for = type(event) in SIGNIFICANT or is_paid_by_hand or is_overruled
        clause = getattr(event, "clause", None)
    if is_asked_for:
        yield EventRow(
            sequence=sequence,
            time_ms=cause.at_ms,
            event=kind_of(event),
            round=getattr(event, "round", None),
            seat=getattr(event, "seat", None),
            actor=cause.actor.id,
            position=cause.actor.position,
            second=None if cause.second is None else cause.second.id,
            clause=clause,
            what=tell(event),
        )
