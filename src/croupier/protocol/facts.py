"""Which facts of an event leave the house, for each audience; what is not listed here is never sent."""

from typing import Any, Final

import msgspec

from croupier.table import Event
from croupier.table import events as e

SEAT, STAFF, TABLE = e.SEAT, e.STAFF, e.TABLE

FACTS: Final[dict[type[msgspec.Struct], tuple[str, ...]]] = {
    e.TableCreated: ("settings", "book_sha256"),
    e.TableOpened: ("limits", "clause"),
    e.TableClosed: ("notice",),
    e.LastRoundAnnounced: ("rounds_left", "notice"),
    e.TableHalted: ("notice",),
    e.TableResumed: (),
    e.LimitsChanged: ("old", "new", "reason", "clause"),
    e.SeatOpened: ("seat", "kind", "layout"),
    e.SeatClosed: ("seat",),
    e.SeatLost: ("seat", "round", "clause"),
    e.SeatRestored: ("seat", "clause"),
    e.SeatLocked: ("seat", "round", "reason", "cents"),
    e.SeatUnlocked: ("seat", "round"),
    e.AttendantCalled: ("seat", "reason", "since_ms"),
    e.CallEnded: ("seat", "how", "since_ms"),
    e.CreditsBought: ("seat", "cents", "clause"),
    e.CreditsPaidOut: ("seat", "cents", "voucher", "occasion", "clause"),
    e.BetsChanged: ("seat", "round", "changes", "placed_by", "clause"),
    e.BoxMarked: ("round", "bet", "total_cents", "maximum_cents", "clause"),
    e.BetsRejected: ("seat", "round", "bet", "cents", "cause", "clause"),
    e.MinimumAdvised: ("seat", "round", "bet", "minimum_cents", "clause"),
    e.RoundOpened: ("round", "closes_ms", "notice", "clause"),
    e.ClosingWarned: ("round", "seconds", "notice"),
    e.BetsClosed: ("round", "closed_by", "notice", "clause", "stakes_clause"),
    e.SpinStarted: ("round", "ball", "wheel", "wheel_turning", "notice", "clause"),
    e.SpinFinished: ("round", "revolutions", "pocket", "at_rest", "clause"),
    e.ResultEntered: ("round", "result", "clause"),
    e.ResultConfirmed: ("round", "result", "notice", "clause"),
    e.SpinReportedLate: (
        "round",
        "revolutions",
        "pocket",
        "at_rest",
        "registered",
        "disagrees",
        "irregularity",
        "clause",
    ),
    e.ResultUpheld: ("round", "result", "sensed", "reason", "clause"),
    e.SeatSettled: ("seat", "round", "lines", "staked_cents", "returned_cents", "clause"),
    e.RoundSettled: ("round", "result", "notice", "clause", "excess_clause"),
    e.SeatReturned: ("seat", "round", "bets", "cents", "void", "clause"),
    e.RoundVoided: ("round", "cause", "reason", "notice", "clause"),
    e.ResultCorrected: ("round", "old", "new", "settled", "cause", "reason", "notice", "clause"),
    e.SeatCorrected: (
        "seat",
        "round",
        "result",
        "lines",
        "returned_before_cents",
        "returned_cents",
        "carried_cents",
        "moved_cents",
        "given_up_cents",
        "clause",
    ),
    e.ShortfallRaised: ("seat", "round", "carried_cents", "clause"),
    e.CarriedNetted: (
        "seat",
        "round",
        "against",
        "cents",
        "carried_cents",
        "against_carried_cents",
        "clause",
    ),
    e.CarriedSettled: ("seat", "round", "how", "cents", "clause"),
    e.TableInterrupted: (
        "round",
        "phase",
        "began_ms",
        "ended_ms",
        "consequence",
        "notice",
        "clause",
        "length_known",
    ),
    e.OutcomeStated: ("round", "result", "clause"),
    e.DecisionRecorded: ("round", "ruling", "reason", "notice", "clause"),
    e.RoundRecalled: ("round", "phase", "result"),
    e.CommandRefused: ("command", "rejection"),
    e.WheelReported: ("round", "fault", "detail"),
    e.SpinCommitted: ("round", "commitment"),
    e.CommitmentOpened: ("round", "opening"),
}
"""By event, what its own audience sees. Movements between accounts are the house's business."""

STAFF_MORE: Final[dict[type[msgspec.Struct], tuple[str, ...]]] = {
    e.TableHalted: ("reason",),
    e.TableResumed: ("reason",),
    e.SpinStarted: ("said_by", "rotor_tenths_rpm"),
    e.SpinFinished: ("said_by", "rotor_tenths_rpm", "diamond"),
    e.ResultEntered: ("said_by", "sensor"),
    e.ResultConfirmed: ("against_sensor",),
    e.RoundVoided: ("wheel", "against_sensor"),
    e.ResultCorrected: ("sensor",),
    e.TableInterrupted: ("declared", "spun"),
    e.OutcomeStated: ("spun", "sensed"),
    e.SeatCorrected: ("reversed", "has_left"),
    e.CarriedNetted: ("has_left",),
    e.CarriedSettled: ("reason",),
}
"""What the console and the pit see beside that."""

STAFF_LESS: Final[dict[type[msgspec.Struct], tuple[str, ...]]] = {
    e.CreditsPaidOut: ("voucher",),
}
"""What is between the printer and the player alone: an unpaid voucher's number is as good as its money."""

ONCE_SETTLED: Final[dict[type[msgspec.Struct], tuple[str, ...]]] = {
    e.ResultCorrected: ("reason",),
}
"""What players see of settled rounds alone: before, they were told no result that would need a word."""


def facts_of(event: Event, *, staff: bool) -> dict[str, Any]:
    """The facts of an event that its audience, or the staff, may see."""
    kind = type(event)
    names = _STAFF_FACTS[kind] if staff else FACTS[kind]
    facts: dict[str, Any] = {"type": kind.__struct_config__.tag}
    for name in names:
        facts[name] = getattr(event, name)
    if not staff and kind in ONCE_SETTLED and not facts["settled"]:
        for name in ONCE_SETTLED[kind]:
            del facts[name]
    return facts


_STAFF_FACTS: Final = {
    kind: tuple(name for name in (*names, *STAFF_MORE.get(kind, ())) if name not in STAFF_LESS.get(kind, ()))
    for kind, names in FACTS.items()
}


def shapes() -> dict[str, type[msgspec.Struct]]:
    """A type for each event as a client may see it, for documents and for clients in other languages."""
    return {str(kind.__struct_config__.tag): _shape(kind) for kind in FACTS}


def _shape(kind: type[msgspec.Struct]) -> type[msgspec.Struct]:
    own = {field.name: field for field in msgspec.structs.fields(kind)}
    unset = msgspec.UNSET
    fields: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    always = set(FACTS[kind]).difference(STAFF_LESS.get(kind, ()), ONCE_SETTLED.get(kind, ()))
    for name in (*FACTS[kind], *STAFF_MORE.get(kind, ())):
        if name in always:
            fields.append((name, own[name].type))
        else:
            fields.append((name, own[name].type | msgspec.UnsetType, unset))
    return msgspec.defstruct(
        f"{kind.__name__}Told",
        fields,
        tag=kind.__struct_config__.tag,
        kw_only=True,
        namespace={"__doc__": kind.__doc__},
    )
