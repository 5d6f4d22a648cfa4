"""What every store of journals has to do, whatever database is behind it: a suite that each store passes."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from croupier.journal import (
    EMPTY,
    Draft,
    Head,
    NewerSchema,
    Snapshot,
    Store,
    StoreError,
    link,
    linked,
    misfit,
    open_store,
)
from journal.drafts import any_drafts, draft, drafts, write

Opener = Callable[[], Store]


def assert_chain_holds(store: Store, table: str) -> None:
    head = EMPTY
    for record in store.read(table):
        assert misfit(record, head) is None
        head = Head(record.sequence, record.hash)
    assert head == store.head(table)


class StoreContract:
    """Subclasses say where an empty store is, and how to do to its database what a store never does."""

    @pytest.fixture
    def address(self) -> str:
        """Where there is room for a new store."""
        raise NotImplementedError

    def execute(self, address: str, statement: str) -> None:
        """Runs a statement behind the store's back."""
        raise NotImplementedError

    set_version: str
    """The statement that puts a schema of version 99 in place."""

    @pytest.fixture
    def opened(self, address: str) -> Iterator[Opener]:
        """Opens the store, as often as it is called; whatever is open at the end is closed."""
        stores: list[Store] = []

        def opener() -> Store:
            stores.append(open_store(address))
            return stores[-1]

        yield opener
        for store in stores:
            store.close()

    @pytest.fixture
    def store(self, opened: Opener) -> Store:
        return opened()


class ReadingContract(StoreContract):
    """What was appended is there, in order, and nothing else is."""

    def test_a_new_store_is_empty(self, store: Store) -> None:
        assert store.tables() == []
        assert store.head("wheel-1") == EMPTY
        assert list(store.read("wheel-1")) == []
        assert store.claimant("voucher/1") is None
        assert store.first_of("wheel-1", "console", 1) is None
        assert store.snapshot("wheel-1") is None
        assert store.last_beat("wheel-1") is None

    def test_records_come_back_as_they_were_written(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(3))
        written += write(store, "wheel-1", drafts(2, first=4))
        assert list(store.read("wheel-1")) == written
        assert [record.sequence for record in written] == [1, 2, 3, 4, 5]
        assert store.head("wheel-1") == Head(5, written[-1].hash)

    # Every example writes to a table of its own, so they can share a store; and every store runs this test.
    @settings(
        deadline=None,
        max_examples=30,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    )
    @given(batch=any_drafts(), second=any_drafts(min_size=0))
    def test_whatever_can_be_written_comes_back_to_the_byte(
        self, store: Store, batch: list[Draft], second: list[Draft]
    ) -> None:
        table = f"wheel-{len(store.tables())}"
        known = {(one.sender, one.number, one.part) for one in batch}
        written = write(store, table, batch)
        if fresh := [one for one in second if (one.sender, one.number, one.part) not in known]:
            written += write(store, table, fresh)
        read = list(store.read(table))
        assert read == written
        assert [tuple(map(type, record)) for record in read] == [
            (str, int, int, str, str, int, int, str, int, bytes, bytes, bytes)
        ] * len(read)
        assert_chain_holds(store, table)

    @pytest.mark.parametrize("count", [1, 3, 2_500])
    def test_records_that_were_chained_in_one_go_are_written_as_they_are(
        self, store: Store, count: int
    ) -> None:
        before = write(store, "wheel-1", drafts(2))[-1]
        run = linked("wheel-1", Head(before.sequence, before.hash), drafts(count, first=3))
        store.append(run, [("voucher/1", 3)])
        assert list(store.read("wheel-1", 2)) == [*run]
        assert store.claimant("voucher/1") == ("wheel-1", 3)
        found = store.first_of("wheel-1", run[-1].sender, run[-1].number)
        assert found is not None
        assert found.hash == run[-1].hash
        assert_chain_holds(store, "wheel-1")

    def test_reading_can_begin_behind_any_record(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(4))
        assert list(store.read("wheel-1", 2)) == written[2:]
        assert list(store.read("wheel-1", 4)) == []
        assert list(store.read("wheel-1", 9)) == []

    def test_tables_are_streams_of_their_own(self, store: Store) -> None:
        one = write(store, "wheel-1", drafts(2))
        other = write(store, "wheel-2", drafts(1))
        assert list(store.read("wheel-1")) == one
        assert list(store.read("wheel-2")) == other
        assert store.head("wheel-2") == Head(1, other[0].hash)

    def test_tables_are_listed_by_name(self, store: Store) -> None:
        names = ["wheel-2", "Wheel-3", "wheel-10", "wheel 1", "Ärger", "ärger", "zéro", "轮盘", "🎡", "_"]
        for name in names:
            write(store, name, drafts(1))
        assert store.tables() == sorted(names)

    def test_texts_of_every_script_come_back(self, store: Store) -> None:
        odd = "ß İı e\u0301 é 轮盘 🎡 \t\r\u2028 ' \" \\ % {} $1 \x7f"
        one = draft(actor=odd, sender=odd, kind=odd, payload=odd.encode(), claims=(odd,))
        (written,) = write(store, odd, [one])
        assert list(store.read(odd)) == [written]
        assert store.first_of(odd, odd, 1) == written
        assert store.claimant(odd) == (odd, 1)

    def test_a_large_batch_is_read_whole(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(12_000))
        assert list(store.read("wheel-1")) == written
        assert list(store.read("wheel-1", 5_000)) == written[5_000:]

    @pytest.mark.parametrize("count", [99, 100, 101, 5_099, 5_100, 5_101])
    def test_no_record_is_lost_where_a_portion_ends(self, store: Store, count: int) -> None:
        write(store, "wheel-1", drafts(count))
        assert [record.sequence for record in store.read("wheel-1")] == list(range(1, count + 1))

    def test_a_payload_may_be_large_and_anything(self, store: Store) -> None:
        payload = bytes(range(256)) * 4_000
        write(store, "wheel-1", [draft(payload=payload), draft(2, payload=b"")])
        assert [record.payload for record in store.read("wheel-1")] == [payload, b""]

    def test_reading_gives_what_was_there_when_it_began(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(6_000))
        reading = store.read("wheel-1")
        read = [next(reading)]
        write(store, "wheel-1", drafts(10, first=6_001))
        read += reading
        assert read == written

    def test_the_first_record_of_a_senders_number_is_found(self, store: Store) -> None:
        batch = [draft(7, part=1), draft(7, part=0), draft(8), draft(7, sender="seat-1")]
        written = write(store, "wheel-1", batch)
        assert store.first_of("wheel-1", "console", 7) == written[1]
        assert store.first_of("wheel-1", "seat-1", 7) == written[3]
        assert store.first_of("wheel-1", "seat-1", 8) is None
        assert store.first_of("wheel-2", "console", 7) is None

    def test_what_was_written_is_there_after_reopening(self, opened: Opener) -> None:
        store = opened()
        written = write(store, "wheel-1", [draft(claims=("voucher/1",)), draft(2)])
        store.save_snapshot("wheel-1", Snapshot(2, written[1].hash, "state/1", b"state"))
        store.beat("wheel-1", 5)
        store.close()
        again = opened()
        assert list(again.read("wheel-1")) == written
        assert again.claimant("voucher/1") == ("wheel-1", 1)
        assert again.snapshot("wheel-1") == Snapshot(2, written[1].hash, "state/1", b"state")
        assert again.last_beat("wheel-1") == 5

    def test_two_that_have_it_open_see_the_same(self, opened: Opener) -> None:
        one, other = opened(), opened()
        written = write(one, "wheel-1", drafts(2))
        assert list(other.read("wheel-1")) == written
        assert write(other, "wheel-1", drafts(1, first=3)) == list(one.read("wheel-1", 2))

    def test_the_latest_snapshot_is_kept(self, store: Store) -> None:
        store.save_snapshot("wheel-1", Snapshot(1, b"one", "state/1", b"older"))
        newer = Snapshot(2, b"two", "state/2", bytes(range(256)))
        store.save_snapshot("wheel-1", newer)
        store.save_snapshot("wheel-2", Snapshot(9, b"", "", b""))
        assert store.snapshot("wheel-1") == newer
        assert store.snapshot("wheel-2") == Snapshot(9, b"", "", b"")

    def test_the_latest_beat_is_kept(self, store: Store) -> None:
        store.beat("wheel-1", 1_700_000_000_000)
        store.beat("wheel-1", 1_700_000_001_000)
        store.beat("wheel-2", 3)
        assert store.last_beat("wheel-1") == 1_700_000_001_000
        assert store.last_beat("wheel-2") == 3

    def test_snapshots_and_beats_are_no_part_of_the_journal(self, store: Store) -> None:
        store.save_snapshot("wheel-1", Snapshot(1, b"", "state/1", b""))
        store.beat("wheel-1", 1)
        assert store.tables() == []
        assert store.head("wheel-1") == EMPTY


class OpeningContract(StoreContract):
    """What can go wrong is said in a sentence, and never in an error of the database's own."""

    version: int
    """The version of the schema that the store knows."""

    def test_a_newer_schema_is_refused(self, opened: Opener, address: str) -> None:
        store = opened()
        written = write(store, "wheel-1", drafts(1))
        store.close()
        self.execute(address, self.set_version)
        known = f"version 99, and this one knows {self.version}. Install a newer croupier"
        with pytest.raises(NewerSchema, match=re.escape(known)):
            opened()
        self.execute(address, self.set_version.replace("99", str(self.version)))
        assert list(opened().read("wheel-1")) == written

    def test_where_a_journal_must_exist_none_is_made(self, address: str, opened: Opener) -> None:
        for _ in range(2):
            with pytest.raises(StoreError, match="no journal"):
                open_store(address, must_exist=True)
        opened()
        open_store(address, must_exist=True).close()

    def test_a_store_that_is_closed_says_so(self, store: Store) -> None:
        records = list(link("wheel-1", EMPTY, drafts(1)))
        reading = store.read("wheel-1")
        store.close()
        store.close()
        for act in (
            lambda: store.append(records, []),
            lambda: store.head("wheel-1"),
            lambda: next(reading),
            store.tables,
            lambda: store.claimant("voucher/1"),
            lambda: store.first_of("wheel-1", "console", 1),
            lambda: store.save_snapshot("wheel-1", Snapshot(1, b"", "state/1", b"")),
            lambda: store.snapshot("wheel-1"),
            lambda: store.beat("wheel-1", 1),
            lambda: store.last_beat("wheel-1"),
        ):
            with pytest.raises(StoreError, match=r"closed"):
                act()
