"""Recall: rounds as they were. The staff sees them whole; a seat its own part, and only of its visit."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec
from litestar import get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from croupier.floor.cage.numbers import masked
from croupier.floor.significant.telling import tell
from croupier.protocol.facts import FACTS, facts_of
from croupier.server.access import Device
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import NotDone, refuse
from croupier.table import Entry, RoundRecall
from croupier.table import events as e
from croupier.table.events import Line

LABEL: Final = "RECALL: a round that is over, or what has happened of one that runs."
MOST_ROUNDS: Final = 1_000


class RecalledLine(msgspec.Struct, frozen=True, kw_only=True):
    """A round in a list of rounds that are over."""

    round: int
    opened_ms: int
    ended_ms: int
    state: str
    """`settled` or `voided`."""
    result: str | None


class RecalledRounds(msgspec.Struct, frozen=True, kw_only=True):
    """The last rounds of a table, newest first."""

    recall: bool
    """Always true: screens mark what they show of this as recall."""
    label: str
    table: str
    rounds: tuple[RecalledLine, ...]


class RecalledNotice(msgspec.Struct, frozen=True, kw_only=True):
    """What players read, and when."""

    at_ms: int
    text: str


class RecalledSeat(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's part in a round."""

    seat: str
    layout: str | None
    """Whose bets it had; None before they were settled or went back, and at a table with one layout."""
    credits_before_cents: int
    """Before its first bet of the round."""
    credits_after_cents: int
    """When the round ended, or now while it runs; a later correction has the credits behind it itself."""
    lines: tuple[Line, ...]
    """How its bets ended, after the last correction."""


class RecalledAct(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened."""

    at_ms: int
    event: dict[str, Any]
    """Its kind under `type`, and the facts that the caller may see."""
    what: str | None
    """In words; for the staff, like the people behind it."""
    actor: str | None
    position: str | None
    second: str | None
    credits_cents: int | None = None
    """The seat's credits behind it, where it is a correction that moved them."""


class RecalledRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round from its first act to its last, in order."""

    recall: bool
    """Always true: screens mark what they show of this as recall."""
    label: str
    table: str
    round: int
    result: str | None
    """The result that counts; None while there is none, and of a void round."""
    notices: tuple[RecalledNotice, ...]
    seats: tuple[RecalledSeat, ...]
    between: tuple[RecalledAct, ...]
    """What moved credits between the round before and this one: bought, paid out, corrected."""
    acts: tuple[RecalledAct, ...]
    """Among them what moved credits while the round ran because another one was corrected."""
    after: tuple[RecalledAct, ...]
    """What else moved credits since the round ended, up to the next one."""


class SeatHistory(msgspec.Struct, frozen=True, kw_only=True):
    """The last rounds of whoever sits at a seat, newest first; nothing from before the last payout."""

    recall: bool
    label: str
    table: str
    seat: str
    rounds: tuple[RecalledRound, ...]


@get("/api/tables/{table:str}/rounds", name="rounds", summary="The last rounds", tags=["Recall"])
async def list_rounds(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    table: FromPath[str],
    limit: Annotated[int, QueryParameter(ge=1, le=MOST_ROUNDS, description="How many at most.")] = 20,
) -> RecalledRounds:
    """The rounds of a table that are over, newest first; for a terminal those of its visit."""
    await house.recorded_table(table)
    results = await house.run(house.remembering.results, table, MOST_ROUNDS)
    if caller.device is not None:
        seen = await _rounds_of_visit(house, caller.device, table)
        results = [result for result in results if any(result.round == recall.number for recall in seen)]
    lines = (
        RecalledLine(
            round=result.round,
            opened_ms=result.opened_ms,
            ended_ms=result.ended_ms,
            state=result.state,
            result=result.result,
        )
        for result in results[:limit]
    )
    return RecalledRounds(recall=True, label=LABEL, table=table, rounds=tuple(lines))


@get("/api/tables/{table:str}/rounds/{number:int}", name="round", summary="A round", tags=["Recall"])
async def read_round(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    table: FromPath[str],
    number: FromPath[int],
) -> RecalledRound:
    """A round as it was, with what was done to it later: whole, or for a terminal its own part of it."""
    await house.recorded_table(table)
    if caller.device is not None:
        for recall in await _rounds_of_visit(house, caller.device, table):
            if recall.number == number:
                return _recalled(table, recall, staff=False)
        raise _unknown(table, number)
    found = await house.run(house.remembering.recall, table, number) if 0 < number < 2**63 else None
    if found is None:
        raise _unknown(table, number)
    return _recalled(table, found, staff=True)


@get("/api/seat/history", name="seat-history", summary="A seat's own rounds", tags=["Recall"])
async def read_history(house: NamedDependency[House], caller: NamedDependency[Caller]) -> SeatHistory:
    """The last rounds of the terminal's seat, whole; nothing from before the last payout."""
    terminal = caller.terminal
    table = str(terminal.table)
    house.table(table)
    recalls = await _rounds_of_visit(house, terminal, table)
    return SeatHistory(
        recall=True,
        label=LABEL,
        table=table,
        seat=str(terminal.seat),
        rounds=tuple(_recalled(table, recall, staff=False) for recall in recalls),
    )


HANDLERS: Sequence[HTTPRouteHandler] = (list_rounds, read_round, read_history)


async def _rounds_of_visit(house: House, terminal: Device, table: str) -> list[RoundRecall]:
    if terminal.table != table:
        raise refuse("not-your-table", f"This terminal belongs to table {terminal.table}.")
    return await house.run(house.remembering.rounds_of_visit, table, str(terminal.seat))


def _unknown(table: str, number: int) -> NotDone:
    return refuse("unknown-round", f"There is no round {number} at table {table} that can be shown.")


def _recalled(table: str, recall: RoundRecall, *, staff: bool) -> RecalledRound:
    return RecalledRound(
        recall=True,
        label=LABEL,
        table=table,
        round=recall.number,
        result=recall.result,
        notices=tuple(RecalledNotice(at_ms=at_ms, text=text) for at_ms, text in recall.notices),
        seats=tuple(
            RecalledSeat(
                seat=seat,
                layout=recall.layout(seat),
                credits_before_cents=before_cents,
                credits_after_cents=recall.credits_after_cents.get(seat, before_cents),
                lines=recall.settlement(seat),
            )
            for seat, before_cents in recall.credits_before_cents.items()
        ),
        between=_acts(recall.between, staff=staff),
        acts=_acts(recall.entries, staff=staff, corrected=recall.credits_corrected_cents),
        after=_acts(recall.after, staff=staff),
    )


def _acts(
    entries: Iterable[Entry], *, staff: bool, corrected: Mapping[int, int] | None = None
) -> tuple[RecalledAct, ...]:
    """`corrected` has the credits behind corrections, by their places."""
    credits_cents = corrected or {}
    return tuple(
        _act(entry, credits_cents.get(place), staff=staff)
        for place, entry in enumerate(entries)
        if staff or type(entry.event) in FACTS
    )


def _act(entry: Entry, credits_cents: int | None, *, staff: bool) -> RecalledAct:
    cause, event = entry.cause, entry.event
    return RecalledAct(
        at_ms=cause.at_ms,
        event=_facts(event, staff=staff),
        what=tell(event) if staff else None,
        actor=cause.actor.id if staff else None,
        position=cause.actor.position if staff else None,
        second=cause.second.id if staff and cause.second is not None else None,
        credits_cents=credits_cents,
    )


def _facts(event: e.Event, *, staff: bool) -> dict[str, Any]:
    if type(event) not in FACTS:
        return {"type": str(type(event).__struct_config__.tag)}
    facts = facts_of(event, staff=staff)
    if isinstance(facts.get("voucher"), str):
        facts["voucher"] = masked(facts["voucher"])
    return facts
