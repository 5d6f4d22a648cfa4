"""Verifying a journal: every table of it, from its first record to its head."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from croupier.floor.audit import DoesNotFit
from croupier.floor.cage.vouchers import CAGE
from croupier.floor.codec import UnreadableRecord
from croupier.floor.house.log import HOUSE_STREAM
from croupier.floor.office.check import OfficeCheck
from croupier.floor.office.records import OFFICE
from croupier.floor.verify.cage import CageCheck
from croupier.floor.verify.evidence import Addressed, Evidence, Inspected, SqliteEvidence
from croupier.floor.verify.house import HouseCheck, cut_off
from croupier.floor.verify.numbers import NumbersCheck, index_faults, tables_numbered
from croupier.floor.verify.replay import REPLAY_ERRORS
from croupier.floor.verify.stream import Misfit, StreamCheck
from croupier.floor.verify.table import TableCheck
from croupier.floor.verify.vouchers import voucher_misfits
from croupier.journal import Head
from croupier.rulebook import Book, load_book

Progress = Callable[[str, int, int], None]
"""Told now and then which table is being read, how many of its records are done, and of how many."""

_TELL_EVERY = 500

BESIDE_FROM: Final = 20_000
"""From how many records on a second process is worth its start."""

_OF_NO_TABLE: Mapping[str, type[StreamCheck]] = {
    CAGE: CageCheck,
    HOUSE_STREAM: HouseCheck,
    OFFICE: OfficeCheck,
}
"""How the streams are checked that are of no table."""


def _in_silence(table: str, done: int, total: int) -> None:
    """Tells nobody."""


class TableReport(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in one table's journal."""

    table: str
    records: int
    """How many records fit, from the first on."""
    rounds: int
    settlements: int
    """How many settlements, returns and corrections were worked out again and agree."""
    head: Head
    """How far the chain was followed: what to note down outside, as an anchor."""
    first_misfit: Misfit | None
    missing_book: str | None = None
    """The book that the table was made with, where it is not at hand: then the chain was followed, columns,
    claims and vouchers were compared, and nothing was replayed or settled again."""


def verify_journal(
    evidence: Evidence,
    tables: Iterable[str] | None = None,
    *,
    find_book: Callable[[str], Book] = load_book,
    anchors: Mapping[str, Mapping[int, bytes]] | None = None,
    progress: Progress = _in_silence,
    beside_from: int = BESIDE_FROM,
) -> list[TableReport]:
    """What was found in every table, or in those that are named; the journal is only read.

    Where another process can read the evidence too, one shares the work on a table that has at least
    `beside_from` records.
    """
    claimed: dict[str, dict[int, set[str]]] = {}
    for claim in evidence.claims():
        claimed.setdefault(claim.table, {}).setdefault(claim.sequence, set()).add(claim.key)
    numbered = tables_numbered(evidence)
    known = {*evidence.tables(), *claimed, *numbered, *(anchors or {})}
    chosen = sorted(known) if tables is None else list(tables)
    checks: dict[str, StreamCheck] = {}
    misfits: dict[str, Misfit | None] = {}
    for table in chosen:
        facts = table, claimed.get(table, {}), (anchors or {}).get(table, {})
        own = _OF_NO_TABLE.get(table)
        elsewhere = _elsewhere(evidence, table, beside_from)
        check = (
            TableCheck(*facts, find_book, elsewhere, evidence.snapshot(table)) if own is None else own(*facts)
        )
        try:
            checks[table], misfits[table] = check, _first_misfit(evidence, check, progress)
        finally:
            check.close()
    _look_for_cuts(checks, misfits, is_whole=tables is None)
    # Behind a table's misfit, or at tables that are not asked for, further vouchers may have been issued.
    is_whole = tables is None and not any(misfits[table] for table in checks if table not in _OF_NO_TABLE)
    misfits |= voucher_misfits(checks, misfits, is_whole=is_whole)
    in_order = sorted(checks) if tables is None else chosen
    return [_report(checks[table], misfits[table]) for table in in_order]


def database_faults(evidence: Evidence) -> list[str]:
    """What of the database that holds a journal is not as croupier makes it, as half a sentence each."""
    faults = evidence.schema_faults() if isinstance(evidence, Inspected) else []
    return faults or index_faults(evidence)


def _look_for_cuts(
    checks: dict[str, StreamCheck], misfits: dict[str, Misfit | None], *, is_whole: bool
) -> None:
    """Adds what is missing of streams that had more records once, as the house knows."""
    house = checks.get(HOUSE_STREAM)
    for stream, told in house.told.items() if isinstance(house, HouseCheck) else ():
        if stream not in checks and is_whole:
            checks[stream], misfits[stream] = StreamCheck(stream, {}, {}), None
        if stream in checks and misfits[stream] is None:
            misfits[stream] = cut_off(told, checks[stream])


def _elsewhere(evidence: Evidence, table: str, beside_from: int) -> tuple[str, int] | None:
    """Where another process finds a table, and how many records of it; None where one has to do."""
    if not isinstance(evidence, Addressed) or (os.cpu_count() or 1) < 2:
        return None
    rows = evidence.count(table)
    return (evidence.address, rows) if rows >= beside_from else None


def _first_misfit(evidence: Evidence, check: StreamCheck, progress: Progress) -> Misfit | None:
    promised = evidence.head(check.table)
    total = 0 if promised is None else promised.sequence
    numbers = NumbersCheck(evidence, check.table)
    try:
        for done in _taken(evidence, check, numbers):
            progress(check.table, done, total)
        if (missing := check.missing(promised)) is not None:
            return missing
        check.finish()
    except (DoesNotFit, UnreadableRecord) as error:
        reason = str(error)
    except REPLAY_ERRORS as error:
        # The replay takes it for granted that what was decided could happen; this could not.
        reason = f"it cannot have happened ({type(error).__name__}: {error})"
    else:
        progress(check.table, check.head.sequence, total)
        return numbers.misfit()
    # A damaged file may hold something else for a number.
    return Misfit(sequence=check.at if isinstance(check.at, int) else check.head.sequence + 1, reason=reason)


def _taken(evidence: Evidence, check: StreamCheck, numbers: NumbersCheck) -> Iterator[int]:
    """Has every record checked, as it was hashed where a table's are kept so; tells now and then how far."""
    if isinstance(check, TableCheck) and isinstance(evidence, SqliteEvidence) and evidence.has_stretches:
        for stretch in evidence.stretches(check.table):
            check.take_stretch(stretch, numbers.take)
            yield check.head.sequence
        return
    for record in evidence.everything(check.table):
        check.take(record)
        numbers.take(record.sequence, record.sender, record.number, record.part)
        if record.sequence % _TELL_EVERY == 0:
            yield record.sequence


def _report(check: StreamCheck, misfit: Misfit | None) -> TableReport:
    fitting = check.head.sequence if misfit is None else min(check.head.sequence, max(0, misfit.sequence - 1))
    rounds, worked_out = check.counts()
    return TableReport(
        table=check.table,
        records=fitting,
        rounds=rounds,
        settlements=worked_out,
        head=check.head,
        first_misfit=misfit,
        missing_book=check.missing_book,
    )
