"""Each round's commitment, close, opening and result, gathered from a table's records."""

from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.verify.evidence import Evidence
from croupier.journal import EMPTY, Head, Record, misfit
from croupier.table import events as e
from croupier.table.events import TableCreated

SETTLED: Final = "settled"
VOIDED: Final = "voided"
RUNNING: Final = "running"


class RoundFacts(msgspec.Struct, kw_only=True):
    """What the journal says of one round; numbers of records tell what came before what."""

    number: int
    ending: str = RUNNING
    """`settled`, `voided`, or `running` where neither has happened."""
    commitment: str | None = None
    committed_at: int | None = None
    """The record of the commitment."""
    closed_at: int | None = None
    """The record by which bets were closed."""
    ended_at: int | None = None
    opening: str | None = None
    opened_at: int | None = None
    result: str | None = None
    """The result that the round was last settled by."""
    replaced: tuple[str, ...] = ()
    """Results that were registered or settled and then corrected, in time."""
    cause: str | None = None
    """Why the round is void."""
    bets_before: int = 0
    """How many times bets were placed or changed before the commitment: whoever drew could have seen them."""
    commitments: int = 0
    openings: int = 0


_TELLING: Final = frozenset(
    {
        "table-created",
        "round-opened",
        "spin-committed",
        "bets-closed",
        "round-settled",
        "round-voided",
        "result-corrected",
        "commitment-opened",
    }
)
"""The kinds of records that bear on a commitment; the others are hashed with the chain and not decoded."""


def gather_rounds(evidence: Evidence, table: str) -> tuple[TableCreated | None, list[RoundFacts]]:
    """How the table was made, None where it is none, and its rounds in the order of their opening."""
    created: TableCreated | None = None
    rounds: dict[int, RoundFacts] = {}
    latest: RoundFacts | None = None
    for record in _chained(evidence, table):
        if record.kind == "bets-changed" and latest is not None and latest.commitment is None:
            latest.bets_before += 1
        if record.kind not in _TELLING:
            continue
        event = _event(record)
        if isinstance(event, TableCreated):
            created = event
        elif isinstance(event, e.RoundOpened):
            latest = rounds[event.round] = RoundFacts(number=event.round)
        elif (number := getattr(event, "round", None)) in rounds:
            _note(rounds[number], record.sequence, event)
    return created, [*rounds.values()]


def _chained(evidence: Evidence, table: str) -> Iterator[Record]:
    """A table's records; the chain has to hold, for it says what came first."""
    head = EMPTY
    for record in evidence.records(table):
        if (reason := misfit(record, head)) is not None:
            raise DamagedJournal(f"Record {record.sequence} of table {table} does not fit: {reason}.")
        head = Head(record.sequence, record.hash)
        yield record
    if head != evidence.head(table):
        raise DamagedJournal(f"The records of table {table} do not end where its head says.")


def _event(record: Record) -> e.Event:
    try:
        return entry_of(record).event
    except UnreadableRecord as error:
        sentence = f"Record {record.sequence} of table {record.table} {error.verdict}: {error}."
        raise DamagedJournal(sentence) from error


def _note(facts: RoundFacts, sequence: int, event: e.Event) -> None:
    match event:
        case e.SpinCommitted():
            facts.commitments += 1
            if facts.commitment is None:
                facts.commitment, facts.committed_at = event.commitment, sequence
        case e.CommitmentOpened():
            facts.openings += 1
            if facts.opening is None:
                facts.opening, facts.opened_at = event.opening, sequence
        case e.BetsClosed():
            facts.closed_at = facts.closed_at or sequence
        case e.RoundSettled():
            facts.ending, facts.result = SETTLED, event.result
            facts.ended_at = facts.ended_at or sequence
        case e.RoundVoided():
            facts.ending, facts.cause = VOIDED, event.cause
            facts.ended_at = facts.ended_at or sequence
        case e.ResultCorrected():
            _correct(facts, event)


def _correct(facts: RoundFacts, event: e.ResultCorrected) -> None:
    if event.old is not None:
        facts.replaced += (event.old,)
    if not event.settled:
        return
    facts.result = event.new
    facts.ending = VOIDED if event.new is None else SETTLED
    facts.cause = event.cause if event.new is None else None
