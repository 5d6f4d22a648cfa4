"""Verifying a journal: every table of it, from its first record to its head."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from croupier.floor.audit import DoesNotFit
from croupier.floor.codec import UnreadableRecord
from croupier.floor.evidence import Addressed, Evidence, SqliteEvidence
from croupier.floor.house_log import HOUSE_STREAM
from croupier.floor.office_check import OfficeCheck
from croupier.floor.office_records import OFFICE
from croupier.floor.verify_cage import CageCheck
from croupier.floor.verify_house import HouseCheck
from croupier.floor.verify_numbers import NumbersCheck
from croupier.floor.verify_replay import REPLAY_ERRORS
from croupier.floor.verify_stream import Misfit, StreamCheck
from croupier.floor.verify_table import TableCheck
from croupier.floor.vouchers import CAGE
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
    numbered = evidence.numbered() if isinstance(evidence, SqliteEvidence) else []
    known = {*evidence.tables(), *claimed, *numbered, *(anchors or {})}
    chosen = sorted(known) if tables is None else list(tables)
    checks: dict[str, StreamCheck] = {}
    misfits: dict[str, Misfit | None] = {}
    for table in chosen:
        facts = table, claimed.get(table, {}), (anchors or {}).get(table, {})
        own = _OF_NO_TABLE.get(table)
        elsewhere = _elsewhere(evidence, table, beside_from)
        check = TableCheck(*facts, find_book, elsewhere) if own is None else own(*facts)
        try:
            checks[table], misfits[table] = check, _first_misfit(evidence, check, progress)
        finally:
            check.close()
    issued = {number: cents for check in checks.values() for number, cents in check.issued.items()}
    # Behind a misfit, or at tables that are not asked for, further vouchers may have been issued.
    is_whole = tables is None and not any(misfits.values())
    for table, check in checks.items():
        misfits[table] = _wrong_voucher(check, issued, misfits[table], is_whole=is_whole)
    return [_report(check, misfits[table]) for table, check in checks.items()]


def _elsewhere(evidence: Evidence, table: str, beside_from: int) -> tuple[str, int] | None:
    """Where another process finds a table, and how many records of it; None where one has to do."""
    if not isinstance(evidence, Addressed) or (os.cpu_count() or 1) < 2:
        return None
    rows = evidence.count(table)
    return (evidence.address, rows) if rows >= beside_from else None


def _first_misfit(evidence: Evidence, check: StreamCheck, progress: Progress) -> Misfit | None:
    promised = evidence.head(check.table)
    total = 0 if promised is None else promised.sequence
    sequence, numbers = 0, NumbersCheck(evidence, check.table)
    try:
        for record in evidence.everything(check.table):
            sequence = record.sequence
            check.take(record)
            numbers.take(record)
            if sequence % _TELL_EVERY == 0:
                progress(check.table, sequence, total)
        if (missing := check.missing(promised)) is not None:
            return missing
        check.finish()
    except (DoesNotFit, UnreadableRecord) as error:
        reason = str(error)
    except REPLAY_ERRORS as error:
        # The replay takes it for granted that what was decided could happen; this could not.
        reason = f"it cannot have happened ({type(error).__name__}: {error})"
    else:
        progress(check.table, sequence, total)
        return numbers.misfit()
    # A damaged file may hold something else for a number.
    return Misfit(sequence=sequence if isinstance(sequence, int) else check.head.sequence + 1, reason=reason)


def _wrong_voucher(
    check: StreamCheck, issued: Mapping[str, int], first: Misfit | None, *, is_whole: bool
) -> Misfit | None:
    """What comes first: the misfit that is known, or a voucher that ends for what it was not issued for."""
    for number, (sequence, cents) in check.used.items():
        if first is not None and sequence >= first.sequence:
            break
        if number not in issued and is_whole and check.table == CAGE:
            return Misfit(
                sequence=sequence, reason="no table of this journal issued the voucher that it ends"
            )
        if issued.get(number, cents) != cents:
            return Misfit(sequence=sequence, reason="the voucher that it ends was issued for another amount")
    return first


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
    )
