"""Verifying a journal: every table of it, from its first record to its head."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from croupier.floor.house.log import HOUSE_STREAM
from croupier.floor.verify.checking import OF_NO_TABLE, Checked, FindBook, Progress, Stream, check_stream
from croupier.floor.verify.evidence import Addressed, Evidence, Inspected
from croupier.floor.verify.house import cut_off
from croupier.floor.verify.numbers import index_faults, tables_numbered
from croupier.floor.verify.side_by_side import check_side_by_side
from croupier.floor.verify.stream import Misfit, Seen
from croupier.floor.verify.vouchers import voucher_misfits
from croupier.journal import EMPTY, Head
from croupier.rulebook import load_book

BESIDE_FROM: Final = 20_000
"""From how many records on a second process is worth its start."""

_SHARED_BY_TWO: Final = 1.6
"""How many times as fast a table is checked by two processes as by one."""


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
    find_book: FindBook = load_book,
    anchors: Mapping[str, Mapping[int, bytes]] | None = None,
    progress: Progress = _in_silence,
    beside_from: int = BESIDE_FROM,
    processors: int | None = None,
) -> list[TableReport]:
    """What was found in every table, or in those that are named; the journal is only read.

    Where other processes can read the evidence too, they share the work, as far as there are processors: a
    process for each of several tables that have at least `beside_from` records together, or two for one that
    has so many.
    """
    claimed: dict[str, dict[int, set[str]]] = {}
    for claim in evidence.claims():
        claimed.setdefault(claim.table, {}).setdefault(claim.sequence, set()).add(claim.key)
    numbered = tables_numbered(evidence)
    known = {*evidence.tables(), *claimed, *numbered, *(anchors or {})}
    chosen = sorted(known) if tables is None else list(tables)
    streams = [
        Stream(
            name,
            evidence.head(name),
            claimed.get(name, {}),
            (anchors or {}).get(name, {}),
            evidence.snapshot(name),
        )
        for name in chosen
    ]
    available = processors or os.cpu_count() or 1
    found = _side_by_side(evidence, streams, find_book, progress, beside_from, available) or {
        stream.name: check_stream(evidence, stream, find_book, progress, beside_from) for stream in streams
    }
    seen = {name: found[name].seen for name in chosen}
    misfits = {name: found[name].misfit for name in chosen}
    _look_for_cuts(seen, misfits, is_whole=tables is None)
    # Behind a table's misfit, or at tables that are not asked for, further vouchers may have been issued.
    is_whole = tables is None and not any(misfits[table] for table in seen if table not in OF_NO_TABLE)
    misfits |= voucher_misfits(seen, misfits, is_whole=is_whole)
    in_order = sorted(seen) if tables is None else chosen
    return [_report(seen[table], misfits[table]) for table in in_order]


def _side_by_side(
    evidence: Evidence,
    streams: Sequence[Stream],
    find_book: FindBook,
    progress: Progress,
    beside_from: int,
    available: int,
) -> dict[str, Checked] | None:
    """What was found in each stream by a process for each; None where that is not worth it, or cannot be."""
    lengths = [stream.length for stream in streams]
    total, longest = sum(lengths), max(lengths, default=0)
    processes = min(available, sum(length > 0 for length in lengths))
    if (
        not isinstance(evidence, Addressed)
        or processes < 2
        or total < beside_from
        or longest * _SHARED_BY_TWO > total
    ):
        return None
    beside = beside_from if available >= 2 * processes else None
    address = evidence.address
    return check_side_by_side(evidence, address, streams, find_book, progress, processes, beside)


def database_faults(evidence: Evidence) -> list[str]:
    """What of the database that holds a journal is not as croupier makes it, as half a sentence each."""
    faults = evidence.schema_faults() if isinstance(evidence, Inspected) else []
    return faults or index_faults(evidence)


def _look_for_cuts(seen: dict[str, Seen], misfits: dict[str, Misfit | None], *, is_whole: bool) -> None:
    """Adds what is missing of streams that had more records once, as the house knows."""
    house = seen.get(HOUSE_STREAM)
    for stream, told in ({} if house is None else house.told).items():
        if stream not in seen and is_whole:
            seen[stream], misfits[stream] = Seen(stream, EMPTY), None
        if stream in seen and misfits[stream] is None:
            misfits[stream] = cut_off(told, seen[stream])


def _report(seen: Seen, misfit: Misfit | None) -> TableReport:
    fitting = seen.head.sequence if misfit is None else min(seen.head.sequence, max(0, misfit.sequence - 1))
    return TableReport(
        table=seen.table,
        records=fitting,
        rounds=seen.rounds,
        settlements=seen.worked_out,
        head=seen.head,
        first_misfit=misfit,
        missing_book=seen.missing_book,
    )
