"""A snapshot is what a server opens a table with: one that the records do not lead to is found."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from cli.running import run
from croupier.floor.loading import load_table, snapshot_of
from croupier.floor.verify.evidence import Evidence, SqliteEvidence, open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.floor.verify.stream import Misfit
from croupier.journal import Head, Record, Snapshot, open_store
from croupier.journal.postgres import PostgresStore
from croupier.rulebook import load_book
from croupier.table import Entry, Rules, State, evolve
from croupier.table.state import check, new_state
from floor.audit_journal import (
    MemoryEvidence,
    change_file,
    first_misfit,
    records_of,
    relink,
    write,
    write_journal,
    write_old_journal,
)
from floor.audit_play import RandomTable
from table.rig import Play

ALONE, TOGETHER = 10**9, 0
BEHIND = 400
STRAYS = Misfit(
    sequence=BEHIND,
    reason="the snapshot that is kept behind it, a cache, is not the state that the records lead to",
)


@pytest.fixture(scope="module")
def evening() -> Play:
    return RandomTable(7).rounds(40)


@pytest.fixture(scope="module")
def records(evening: Play) -> list[Record]:
    return records_of(evening)


def state_behind(play: Play, sequence: int) -> State:
    """The table as it was behind a record."""
    entries: list[Entry] = play.entries[:sequence]
    rules, state = Rules(load_book(play.settings.book), play.settings.layouts), new_state(play.settings)
    for entry in entries:
        evolve(rules, state, entry)
    return state


def right(play: Play, records: list[Record]) -> Snapshot:
    """A snapshot as a server keeps it."""
    return snapshot_of("T1", state_behind(play, BEHIND), Head(BEHIND, records[BEHIND - 1].hash))


def forged(play: Play, records: list[Record]) -> Snapshot:
    """A million more on a seat, from the house, and with meters that say so."""
    state = state_behind(play, BEHIND)
    state.balances["credits/1"] += 100_000_000
    state.balances["house"] -= 100_000_000
    state.seats["1"].meters.wins_cents += 100_000_000
    assert check(state) == []
    return snapshot_of("T1", state, Head(BEHIND, records[BEHIND - 1].hash))


def found(evidence: Evidence, beside_from: int) -> Misfit | None:
    (report,) = verify_journal(evidence, beside_from=beside_from)
    return report.first_misfit


@pytest.fixture
def journal(evening: Play, tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", evening)


def keep(journal: str, snapshot: Snapshot) -> None:
    with closing(open_store(journal)) as store:
        store.save_snapshot("T1", snapshot)


@pytest.mark.parametrize("beside_from", [ALONE, TOGETHER])
def test_a_forged_snapshot_is_found_and_a_right_one_fits(
    evening: Play, records: list[Record], journal: str, beside_from: int
) -> None:
    keep(journal, forged(evening, records))
    with closing(open_store(journal)) as store:
        loaded = load_table(store, "T1")
    assert loaded is not None
    assert loaded.kept == BEHIND  # a server would believe it
    assert loaded.state.credits_cents("1") > 100_000_000
    with closing(SqliteEvidence(journal)) as evidence:
        assert found(evidence, beside_from) == STRAYS
    keep(journal, right(evening, records))
    with closing(SqliteEvidence(journal)) as evidence:
        assert found(evidence, beside_from) is None


def test_record_by_record_it_is_found_as_well(evening: Play, records: list[Record]) -> None:
    evidence = MemoryEvidence(evening)
    evidence.snapshots["T1"] = forged(evening, records)
    assert first_misfit(evidence) == STRAYS
    evidence.snapshots["T1"] = right(evening, records)
    assert first_misfit(evidence) is None


def test_the_order_in_which_a_state_lists_things_means_nothing(evening: Play, records: list[Record]) -> None:
    state = state_behind(evening, BEHIND)
    state.balances = dict(reversed(state.balances.items()))
    evidence = MemoryEvidence(evening)
    evidence.snapshots["T1"] = snapshot_of("T1", state, Head(BEHIND, records[BEHIND - 1].hash))
    assert evidence.snapshots["T1"] != right(evening, records)
    assert first_misfit(evidence) is None


def another_format(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(format=snapshot.format.replace("state/", "state/9"))


def another_hash(snapshot: Snapshot) -> Snapshot:
    return snapshot_of("T1", msgspec.msgpack.decode(snapshot.content, type=State), Head(BEHIND, bytes(32)))


def another_content(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(content=snapshot.content + b"\0")


def another_place(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(sequence=BEHIND + 1)


@pytest.mark.parametrize("change", [another_format, another_hash, another_content, another_place])
@pytest.mark.parametrize("beside_from", [ALONE, TOGETHER])
def test_a_snapshot_that_no_server_would_use_is_nothing(
    evening: Play,
    records: list[Record],
    journal: str,
    beside_from: int,
    change: Callable[[Snapshot], Snapshot],
) -> None:
    keep(journal, change(forged(evening, records)))
    with closing(open_store(journal)) as store:
        loaded = load_table(store, "T1")
    assert loaded is not None
    assert loaded.kept == 0
    with closing(SqliteEvidence(journal)) as evidence:
        assert found(evidence, beside_from) is None


@pytest.mark.parametrize("column", ["sequence", "hash", "format", "content"])
@pytest.mark.parametrize("value", ["'x'", "x'00'", "7.5", "-1", "0"])
def test_whatever_stands_in_its_place_is_read(journal: str, column: str, value: str) -> None:
    values = {"sequence": "1", "hash": "x'00'", "format": "'state/9'", "content": "x'00'"} | {column: value}
    change_file(journal, f"INSERT INTO snapshots VALUES ('T1', {', '.join(values.values())})")
    assert run("verify", journal).status == 0
    with closing(open_store(journal)) as store:
        loaded = load_table(store, "T1")
    assert loaded is not None
    assert loaded.kept == 0


def test_a_misfit_before_it_comes_first(evening: Play, records: list[Record]) -> None:
    evidence = MemoryEvidence(evening)
    evidence.put(relink([*records[:200], records[200]._replace(actor="somebody"), *records[201:]]))
    evidence.snapshots["T1"] = forged(evening, evidence.rows["T1"])
    misfit = first_misfit(evidence)
    assert misfit is not None
    assert misfit.sequence == 201


def test_it_is_found_in_a_journal_of_the_first_version(
    evening: Play, records: list[Record], tmp_path: Path
) -> None:
    journal = write_old_journal(tmp_path / "floor.db", evening)
    snapshot = forged(evening, records)
    marks = f"{snapshot.sequence}, x'{snapshot.hash.hex()}', '{snapshot.format}', x'{snapshot.content.hex()}'"
    change_file(journal, f"INSERT INTO snapshots VALUES ('T1', {marks})")
    with closing(SqliteEvidence(journal)) as evidence:
        assert not evidence.has_stretches
        assert found(evidence, ALONE) == STRAYS


@pytest.mark.parametrize("beside_from", [ALONE, TOGETHER])
def test_it_is_found_in_postgresql(
    evening: Play, records: list[Record], postgres_address: str, beside_from: int
) -> None:
    with closing(PostgresStore(postgres_address)) as store:
        write(store, evening)
        store.save_snapshot("T1", forged(evening, records))
    with closing(open_evidence(postgres_address)) as evidence:
        assert found(evidence, beside_from) == STRAYS
