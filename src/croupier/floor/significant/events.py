"""Significant events: what a pit manager or a regulator asks about, a row for each."""

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.floor.codec import kind_of
from croupier.floor.significant.telling import tell
from croupier.table import Entry, Event
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
        e.CarriedNetted,
        e.CarriedSettled,
        e.TableInterrupted,
        e.OutcomeStated,
        e.DecisionRecorded,
        e.WheelReported,
        e.SpinReportedLate,
        e.ResultUpheld,
    }
)
"""Beside these, some are of which not every one is, and a refusal where refusals are asked for."""


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


def _is_significant(event: Event) -> bool:
    match event:
        case e.CreditsPaidOut():
            return event.voucher is None
        case e.RoundSettled():
            return event.excess_clause is not None
        case e.ResultEntered():
            return event.sensor in ("contradicted", "failed")
    return type(event) in SIGNIFICANT


def event_rows(sequence: int, entry: Entry, *, refusals: bool = False) -> Iterator[EventRow]:
    """The row of an entry that is significant; none otherwise."""
    event, cause = entry.event, entry.cause
    if isinstance(event, e.CommandRefused):
        is_asked_for, clause = refusals, event.rejection.clause
    else:
        is_asked_for, clause = _is_significant(event), getattr(event, "clause", None)
        if isinstance(event, e.RoundSettled):
            clause = event.excess_clause
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
