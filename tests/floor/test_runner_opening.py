"""Opening a table: from its snapshot where that fits the chain, from its first record where not."""

from pathlib import Path

import msgspec
import pytest

from croupier.floor import Ask, DamagedJournal, load_table
from croupier.journal import Snapshot, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from floor.audit_journal import change_file
from floor.sim_live import Live, answers, played
from table.rig import DEALER, player


async def played_table(path: Path, **options: object) -> Live:
    """A table with a settled round and another one running."""
    live = await Live(path).start(**options)
    await live.open("1", "2")
    for result in ("7", None):
        await live.do(DEALER, c.OpenRound())
        assert await answers(live.bet("1", "straight:7", 1_000), live.bet("2", "red", 500)) == [None, None]
        if result is not None:
            await live.do(DEALER, c.CloseBets())
            await live.do(DEALER, c.StartSpin())
            await live.do(DEALER, c.EnterResult(result=result))
            await live.do(DEALER, c.ConfirmResult(result=result))
    return live


async def stopped(path: Path) -> Live:
    """The same table, stopped with a snapshot, its file still open."""
    live = await played_table(path)
    await live.run.stop()
    return live


class CountingStore(SqliteStore):
    """Counts how many records are read."""

    read_records = 0

    def read(self, table: str, after: int = 0):  # type: ignore[no-untyped-def]
        for record in super().read(table, after):
            self.read_records += 1
            yield record


@played
async def test_a_stopped_table_opens_from_its_snapshot_as_it_was(tmp_path: Path) -> None:
    live = await stopped(tmp_path)
    replayed = live.replayed()
    live.store.close()
    store = CountingStore(tmp_path / "journal.db")
    loaded = load_table(store, "T1")
    assert loaded is not None
    assert store.read_records == 2  # the creation, and the record that the snapshot stands behind
    assert loaded.state == replayed
    assert loaded.head == store.head("T1")
    store.close()


@played
async def test_what_came_after_the_snapshot_is_replayed(tmp_path: Path) -> None:
    live = await played_table(tmp_path, snapshot_every=5)
    assert live.store.snapshots >= 2
    kept = live.store.snapshot("T1")
    assert kept is not None
    assert await answers(live.bet("1", "black", 1_000)) == [None]
    assert kept.sequence < live.store.head("T1").sequence
    loaded = load_table(live.store, "T1")
    assert loaded is not None
    assert loaded.state == live.replayed() == await live.run.settled_state()
    await live.stop()


def foreign(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(format="state/0")


def of_another_chain(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(hash=bytes(32))


def of_the_future(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(sequence=snapshot.sequence + 1)


def of_the_past(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(sequence=snapshot.sequence - 1)


def of_nothing(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(sequence=0)


def cut_short(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(content=snapshot.content[:-1])


def emptied(snapshot: Snapshot) -> Snapshot:
    return snapshot._replace(content=b"")


def richer(snapshot: Snapshot) -> Snapshot:
    """A player has more credits in it, and all of it can be read."""
    state = msgspec.msgpack.decode(snapshot.content)
    state["balances"]["credits/1"] += 1_000_000
    return snapshot._replace(content=msgspec.msgpack.encode(state))


def of_another_table(snapshot: Snapshot) -> Snapshot:
    """Its settings are another table's."""
    state = msgspec.msgpack.decode(snapshot.content)
    state["settings"]["lock_up_cents"] = 1
    return snapshot._replace(content=msgspec.msgpack.encode(state))


DAMAGES = (
    *(foreign, of_another_chain, of_the_future, of_the_past, of_nothing),
    *(cut_short, emptied, richer, of_another_table),
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@played
async def test_a_snapshot_that_does_not_fit_is_not_used(tmp_path: Path, damage: object) -> None:
    live = await stopped(tmp_path)
    kept = live.store.snapshot("T1")
    assert kept is not None
    assert callable(damage)
    live.store.save_snapshot("T1", damage(kept))
    loaded = load_table(live.store, "T1")
    assert loaded is not None
    assert loaded.state == live.replayed()
    assert loaded.head == live.store.head("T1")
    live.store.close()


@played
async def test_no_bit_of_a_snapshot_can_turn_over_unnoticed(tmp_path: Path) -> None:
    live = await stopped(tmp_path)
    kept, expected = live.store.snapshot("T1"), live.replayed()
    assert kept is not None
    for place in range(0, len(kept.content), 7):
        content = bytearray(kept.content)
        content[place] ^= 1 << (place % 8)
        live.store.save_snapshot("T1", kept._replace(content=bytes(content)))
        loaded = load_table(live.store, "T1")
        assert loaded is not None
        assert loaded.state == expected, place
    live.store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET payload = replace(payload, '1000', '9000') WHERE kind = 'bets-changed'",
        "UPDATE records SET at_ms = at_ms + 1 WHERE sequence = 5",
        "UPDATE records SET actor = 'somebody' WHERE sequence = 5",
        "UPDATE records SET previous = zeroblob(32) WHERE sequence = 5",
        "UPDATE records SET hash = zeroblob(32) WHERE sequence = 5",
        "DELETE FROM records WHERE sequence = 5",
        "DELETE FROM records WHERE sequence = (SELECT max(sequence) FROM records)",
        "UPDATE heads SET sequence = sequence + 1",
        "UPDATE heads SET hash = zeroblob(32)",
        "UPDATE heads SET sequence = sequence - 1",
    ],
)
@played
async def test_a_damaged_journal_is_not_opened(tmp_path: Path, statement: str) -> None:
    live = await stopped(tmp_path)
    change_file(str(tmp_path / "journal.db"), "DELETE FROM snapshots")
    change_file(str(tmp_path / "journal.db"), statement)
    with pytest.raises(DamagedJournal):
        load_table(live.store, "T1")
    runner = live.runner()
    with pytest.raises(DamagedJournal):
        await runner.start()
    await runner.stop()
    live.store.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET payload = 'no json' WHERE sequence = 1",
        "UPDATE records SET payload = replace(payload, 'mbs-roulette', 'ybs-roulette') WHERE sequence = 1",
        "UPDATE records SET kind = 'table-opened' WHERE sequence = 1",
        "UPDATE records SET version = 99 WHERE sequence = 1",
        "DELETE FROM records WHERE sequence = 1",
        "DELETE FROM records",
    ],
)
@played
async def test_a_damaged_beginning_is_found_even_behind_a_snapshot(tmp_path: Path, statement: str) -> None:
    live = await stopped(tmp_path)
    change_file(str(tmp_path / "journal.db"), statement)
    with pytest.raises(StoreError):
        load_table(live.store, "T1")
    live.store.close()


@played
async def test_a_book_that_has_changed_since_the_table_was_created_is_refused(tmp_path: Path) -> None:
    live = await stopped(tmp_path)

    def changed_book(book_id: str) -> Book:
        return msgspec.structs.replace(load_book(book_id), sha256="0" * 64)

    runner = live.runner(find_book=changed_book)
    with pytest.raises(StoreError, match="another version of the book mbs-roulette"):
        await runner.start()
    await runner.stop()
    live.store.close()


@played
async def test_a_table_is_created_once(tmp_path: Path) -> None:
    from croupier.floor import create_table
    from table.rig import START_MS, SUPERVISOR

    live = Live(tmp_path)
    with pytest.raises(StoreError, match="There is a table 'T1' in this journal already"):
        create_table(live.store, live.rules, live.settings, START_MS, SUPERVISOR)
    assert live.kinds() == ["table-created"]
    live.store.close()


@played
async def test_senders_go_on_with_their_numbers_after_a_stop(tmp_path: Path) -> None:
    live = await played_table(tmp_path)
    bet = c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))
    first = await live.run.submit(Ask(player("1"), bet, "terminal", 7))
    await live.run.stop()
    await live.start()
    again = await live.run.submit(Ask(player("1"), bet, "terminal", 7))
    assert (again.repeated, again.first) == (True, first.first)
    await live.stop()


@pytest.mark.parametrize("how", ["a store that fails", "a process that is dropped"])
@played
async def test_snapshots_are_kept_however_often_the_table_is_read_again(tmp_path: Path, how: str) -> None:
    """Otherwise opening it would take longer every time."""
    live = await Live(tmp_path).start(snapshot_every=10)
    await live.open("1")
    await live.do(DEALER, c.OpenRound())
    for _ in range(5):
        assert await answers(*(live.bet("1", "red", 100) for _ in range(6))) == [None] * 6
        if how == "a store that fails":
            live.store.failures_before = 1
            assert await answers(live.bet("1", "red", 100)) == ["not-registered"]
        else:
            for task in live.run._tasks:
                task.cancel()
            await live.start(snapshot_every=10)
    kept = live.store.snapshot("T1")
    assert kept is not None
    assert kept.sequence >= 20
    await live.stop()
