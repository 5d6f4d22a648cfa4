"""What every store has to do with writers: all of an append or nothing, and one writer for each table."""

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from croupier.journal import EMPTY, ClaimTaken, Fenced, Head, Record, Store, StoreError, link
from journal.contract import Opener, StoreContract, assert_chain_holds
from journal.drafts import draft, drafts, write, write_behind


class WritingContract(StoreContract):
    """All of an append or nothing, one writer a table, and every claim once."""

    def assert_unchanged(self, store: Store, table: str, written: list[Record]) -> None:
        assert list(store.read(table)) == written
        assert store.head(table) == (Head(len(written), written[-1].hash) if written else EMPTY)

    def test_a_claim_names_its_record(self, store: Store) -> None:
        write(store, "wheel-1", [draft(1), draft(2, claims=("voucher/1", "voucher/2")), draft(3)])
        write(store, "wheel-2", [draft(claims=("voucher/3",))])
        assert store.claimant("voucher/1") == ("wheel-1", 2)
        assert store.claimant("voucher/2") == ("wheel-1", 2)
        assert store.claimant("voucher/3") == ("wheel-2", 1)

    def test_claims_are_listed_by_how_they_begin(self, store: Store) -> None:
        write(
            store, "wheel-1", [draft(1, claims=("voucher/2", "voucher/10")), draft(2, claims=("vouches/1",))]
        )
        write(store, "wheel-2", [draft(claims=("voucher/3", "Voucher/4", "voucher"))])
        assert store.claims("voucher/") == ["voucher/10", "voucher/2", "voucher/3"]
        assert store.claims("nothing") == []
        assert len(store.claims("")) == 6

    def test_what_one_table_has_claimed_no_other_gets(self, store: Store) -> None:
        write(store, "wheel-1", [draft(claims=("voucher/1",))])
        written = write(store, "wheel-2", drafts(1))
        with pytest.raises(ClaimTaken) as taken:
            write(store, "wheel-2", [draft(2, claims=("voucher/0",)), draft(3, claims=("voucher/1",))])
        assert taken.value.key == "voucher/1"
        self.assert_unchanged(store, "wheel-2", written)
        assert store.claimant("voucher/0") is None
        assert store.claimant("voucher/1") == ("wheel-1", 1)

    def test_the_first_claim_that_is_taken_is_named(self, store: Store) -> None:
        write(store, "wheel-1", [draft(claims=("a", "z"))])
        with pytest.raises(ClaimTaken) as taken:
            write(store, "wheel-2", [draft(claims=("m", "z", "a"))])
        assert taken.value.key == "z"

    def test_a_batch_that_claims_something_twice_is_refused(self, store: Store) -> None:
        with pytest.raises(ClaimTaken) as taken:
            write(store, "wheel-1", [draft(1, claims=("a", "b")), draft(2, claims=("b", "a"))])
        assert taken.value.key == "b"
        self.assert_unchanged(store, "wheel-1", [])
        assert store.claimant("a") is None

    def test_after_a_refusal_the_store_goes_on(self, store: Store) -> None:
        write(store, "wheel-1", [draft(claims=("voucher/1",))])
        with pytest.raises(ClaimTaken):
            write(store, "wheel-1", [draft(2, claims=("voucher/1",))])
        write(store, "wheel-1", [draft(2, claims=("voucher/2",))])
        assert store.claimant("voucher/2") == ("wheel-1", 2)
        assert_chain_holds(store, "wheel-1")

    @pytest.mark.parametrize("behind", [0, 1, 2])
    def test_a_writer_whose_head_is_not_the_last_is_fenced(self, store: Store, behind: int) -> None:
        written = write(store, "wheel-1", drafts(3))
        stale = Head(behind, written[behind - 1].hash) if behind else EMPTY
        with pytest.raises(Fenced, match="wheel-1"):
            write_behind(store, "wheel-1", stale, [draft(10, claims=("voucher/1",)), *drafts(4, first=11)])
        self.assert_unchanged(store, "wheel-1", written)
        assert store.claimant("voucher/1") is None

    def test_a_writer_of_another_history_is_fenced(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(3))
        for head in (Head(3, b"x" * 32), Head(4, written[-1].hash)):
            with pytest.raises(Fenced):
                write_behind(store, "wheel-1", head, drafts(1, first=4))
        self.assert_unchanged(store, "wheel-1", written)

    def test_a_writer_that_is_ahead_of_the_store_is_fenced(self, store: Store) -> None:
        # The database was put back to an earlier day under a table that is running.
        written = write(store, "wheel-1", drafts(3))
        with pytest.raises(Fenced):
            write_behind(store, "wheel-1", Head(5, b"x" * 32), drafts(1, first=6))
        with pytest.raises(Fenced):
            write_behind(store, "wheel-2", Head(5, b"x" * 32), drafts(1, first=6))
        self.assert_unchanged(store, "wheel-1", written)
        self.assert_unchanged(store, "wheel-2", [])

    def test_a_first_record_has_nothing_before_it(self, store: Store) -> None:
        with pytest.raises(Fenced):
            write_behind(store, "wheel-1", Head(0, b"x" * 32), drafts(1))
        self.assert_unchanged(store, "wheel-1", [])

    def test_being_fenced_counts_more_than_a_claim_that_is_taken(self, store: Store) -> None:
        # Whoever is not the writer any more must not go on as if only its claim were wrong.
        written = write(store, "wheel-1", [draft(claims=("voucher/1",)), draft(2)])
        with pytest.raises(Fenced):
            write_behind(store, "wheel-1", EMPTY, [draft(3, claims=("voucher/1",))])
        self.assert_unchanged(store, "wheel-1", written)

    def test_a_sequence_is_unique_even_where_the_head_says_otherwise(
        self, store: Store, address: str
    ) -> None:
        write(store, "wheel-1", drafts(1))
        self.execute(address, self.forget_heads)
        with pytest.raises(Fenced):
            write_behind(store, "wheel-1", EMPTY, [draft(9, claims=("voucher/1",))])
        assert store.claimant("voucher/1") is None

    forget_heads: str
    """The statement that takes every head away."""

    def test_what_a_senders_number_led_to_is_written_once(self, store: Store) -> None:
        written = write(store, "wheel-1", [draft(1, part=0), draft(1, part=1)])
        with pytest.raises(StoreError, match="same sender, number and part") as refused:
            write(store, "wheel-1", [draft(2, claims=("voucher/1",)), draft(1, part=1)])
        assert not isinstance(refused.value, Fenced | ClaimTaken)
        self.assert_unchanged(store, "wheel-1", written)
        assert store.claimant("voucher/1") is None
        write(store, "wheel-2", [draft(1, part=1)])

    def test_a_taken_claim_counts_more_than_a_repeated_number(self, store: Store) -> None:
        write(store, "wheel-1", [draft(1, claims=("voucher/1",))])
        with pytest.raises(ClaimTaken):
            write(store, "wheel-1", [draft(1, claims=("voucher/1",))])

    def test_a_number_that_no_column_holds_is_an_error_of_the_store(self, store: Store) -> None:
        written = write(store, "wheel-1", drafts(1))
        with pytest.raises(StoreError):
            write(store, "wheel-1", [draft(2, claims=("voucher/1",)), draft(2**63)])
        self.assert_unchanged(store, "wheel-1", written)
        assert store.claimant("voucher/1") is None

    def test_only_a_run_of_one_tables_records_can_be_appended(self, store: Store) -> None:
        one, two, three = link("wheel-1", EMPTY, drafts(3))
        (other,) = link("wheel-2", Head(1, one.hash), drafts(1))
        for batch in ([], [one, three], [two, one], [one, other], [one, two._replace(previous=three.hash)]):
            with pytest.raises(ValueError, match=r"nothing to append|does not follow"):
                store.append(batch, [])
        assert store.tables() == []

    def test_a_claim_may_not_hold_what_a_database_cannot_keep(self, store: Store) -> None:
        with pytest.raises(ValueError, match="null character"):
            write(store, "wheel-1", [draft(claims=("voucher/\0",))])
        assert store.tables() == []


class RacingContract(StoreContract):
    """Several at once: threads with one store, and writers that do not know of each other."""

    def test_of_two_writers_that_race_one_wins_and_the_other_is_fenced(self, opened: Opener) -> None:
        stores = opened(), opened()
        together = threading.Barrier(2)

        def compete(writer: int) -> list[str]:
            outcomes = []
            for number in range(30):
                head = stores[writer].head("wheel-1")
                together.wait()
                batch = [draft(3 * number + k, sender=f"writer-{writer}") for k in range(3)]
                try:
                    write_behind(stores[writer], "wheel-1", head, batch)
                    outcomes.append("won")
                except Fenced:
                    outcomes.append("fenced")
                together.wait()
            return outcomes

        with ThreadPoolExecutor(2) as threads:
            one, other = threads.map(compete, range(2))
        assert [sorted(pair) for pair in zip(one, other, strict=True)] == [["fenced", "won"]] * 30
        assert stores[0].head("wheel-1").sequence == 90
        assert_chain_holds(stores[0], "wheel-1")

    def test_of_tables_that_race_for_a_claim_one_gets_it(self, opened: Opener) -> None:
        stores = [opened() for _ in range(4)]
        together = threading.Barrier(4)

        def compete(writer: int) -> list[int]:
            won = []
            for number in range(20):
                # In opposite orders, so that writers would wait for each other if nothing kept them from it.
                keys = [f"voucher/{number}/{part}" for part in range(5)][:: 1 if writer % 2 else -1]
                together.wait()
                with contextlib.suppress(ClaimTaken):
                    write(stores[writer], f"wheel-{writer}", [draft(number, claims=tuple(keys))])
                    won.append(number)
            return won

        with ThreadPoolExecutor(4) as threads:
            outcomes = list(threads.map(compete, range(4)))
        assert sorted(number for won in outcomes for number in won) == list(range(20))
        for writer, won in enumerate(outcomes):
            table = f"wheel-{writer}"
            assert [record.number for record in stores[0].read(table)] == won
            assert_chain_holds(stores[0], table)
            for place, number in enumerate(won, start=1):
                assert stores[0].claimant(f"voucher/{number}/0") == (table, place)

    def test_threads_share_a_store(self, store: Store) -> None:
        def play(table: str) -> None:
            for number in range(20):
                write(store, table, [draft(number)])
                assert store.head(table).sequence == number + 1

        with ThreadPoolExecutor(4) as threads:
            list(threads.map(play, ["wheel-1", "wheel-2", "wheel-3", "wheel-4"]))
        for table in store.tables():
            assert [record.number for record in store.read(table)] == list(range(20))
            assert_chain_holds(store, table)

    def test_readers_see_whole_batches_while_a_writer_writes(self, opened: Opener) -> None:
        writer, reader = opened(), opened()
        done = threading.Event()

        def keep_writing() -> None:
            try:
                for number in range(0, 200, 5):
                    write(writer, "wheel-1", drafts(5, first=number))
            finally:
                done.set()

        with ThreadPoolExecutor(1) as threads:
            writing = threads.submit(keep_writing)
            sizes: list[int] = []
            while not done.is_set() or not sizes:
                records = list(reader.read("wheel-1"))
                sizes.append(len(records))
                assert [record.sequence for record in records] == list(range(1, len(records) + 1))
            writing.result()
        assert [size for size in sizes if size % 5] == []
        assert sizes == sorted(sizes)
        assert len(list(reader.read("wheel-1"))) == 200

    def test_many_can_open_a_new_store_at_once(self, opened: Opener) -> None:
        together = threading.Barrier(8)

        def arrive(number: int) -> None:
            together.wait()
            write(opened(), f"wheel-{number}", drafts(1))

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(arrive, range(8)))
        assert opened().tables() == [f"wheel-{number}" for number in range(8)]
