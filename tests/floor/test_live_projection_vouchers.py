"""Vouchers in the live projection are the vouchers of the claims, without a search through all of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest

from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.cage.vouchers import DAY_MS, VALID_DAYS, find_voucher, outstanding_vouchers
from croupier.floor.live.projection import LiveProjection
from croupier.floor.simulation import simulate
from croupier.journal import Record, Store, open_store
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from croupier.table.events import voucher_issued
from floor.test_vouchers import Vouchers
from table.rig import DEALER, SUPERVISOR, player


def compared(store: Store, live: LiveProjection, now_ms: int) -> int:
    """Compares every list with what the claims say; gives how many vouchers there are."""
    numbers = [key.partition("/")[2] for key in store.claims(voucher_issued(""))]
    every = [find_voucher(store, number, now_ms) for number in numbers]
    assert live.outstanding(now_ms, VALID_DAYS) == outstanding_vouchers(store, now_ms)
    overdue = [voucher for voucher in every if voucher.status == "expired" and voucher.ended_at is None]
    overdue.sort(key=lambda voucher: (voucher.issued_ms, voucher.number))
    assert live.overdue(now_ms, VALID_DAYS) == overdue
    every.sort(key=lambda voucher: (voucher.table, voucher.seat, -voucher.sequence))
    for (table, seat), of_seat in groupby(every, key=lambda voucher: (voucher.table, voucher.seat)):
        expected = [*of_seat]
        assert live.vouchers_of(table, seat, 1_000, now_ms, VALID_DAYS) == expected
        assert live.vouchers_of(table, seat, 2, now_ms, VALID_DAYS) == expected[:2]
    return len(numbers)


@pytest.mark.parametrize("seed", [3, 4])
def test_lists_are_what_the_claims_say_whichever_stream_is_read_first(tmp_path: Path, seed: int) -> None:
    simulate(seed, tmp_path / "journal.db")
    with closing(open_store(str(tmp_path / "journal.db"))) as store:
        now_ms = max(record.at_ms for table in store.tables() for record in store.read(table))
        for order in (store.tables(), store.tables()[::-1]):
            with closing(LiveProjection(tmp_path / f"{order[0]}.db", store)) as live:
                for stream in order:
                    live.catch_up(stream)
                assert compared(store, live, now_ms) > 0
                compared(store, live, now_ms + 100 * DAY_MS)


def test_lists_are_right_when_streams_are_read_again_one_by_one(tmp_path: Path) -> None:
    """A stream that does not fit the file any more is thrown out of it, with the others still in it."""
    simulate(4, tmp_path / "journal.db")
    with closing(open_store(str(tmp_path / "journal.db"))) as store:
        now_ms = max(record.at_ms for table in store.tables() for record in store.read(table))
        for stream in store.tables():
            with closing(LiveProjection(tmp_path / "live.db", store)) as live:
                live.catch_up()
            with closing(sqlite3.connect(tmp_path / "live.db")) as connection, connection:
                forged = "UPDATE sources SET hash = x'00' WHERE table_id = ?"
                assert connection.execute(forged, (stream,)).rowcount == 1
            with closing(LiveProjection(tmp_path / "live.db", store)) as live:
                assert live.catch_up(stream) > 0
                assert compared(store, live, now_ms) > 0
                compared(store, live, now_ms + 100 * DAY_MS)


class CountingStore(SqliteStore):
    """A store that counts what it is asked for: records, and who holds a claim."""

    asked = 0

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().read(table, after):
            self.asked += 1
            yield record

    def claimant(self, key: str) -> tuple[str, int] | None:
        self.asked += 1
        return super().claimant(key)

    def claims(self, prefix: str) -> list[str]:
        found = super().claims(prefix)
        self.asked += len(found)
        return found


def cost_of_expiring(path: Path, paid: int, due: int) -> tuple[int, int]:
    """What is read where so many vouchers were paid before some expire: of the journal, and in the file."""
    path.mkdir()
    given = Vouchers(path)
    numbers = [given.number]
    for _ in range(paid + due - 1):
        given.play.do(player("1"), c.BuyCredits(seat="1", cents=12_345))
        numbers.append(new_voucher_number())
        given.play.do(player("1"), c.CashOut(seat="1", voucher=numbers[-1]))
    given.write()
    for number in numbers[:paid]:
        given.cage.pay(number, 12_345, DEALER)
    given.store.close()
    given.clock.advance(VALID_DAYS * DAY_MS + 1)
    store = CountingStore(path / "journal.db")
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with closing(store), closing(LiveProjection(path / "live.db", store)) as live:
        live.catch_up()
        store.asked = 0
        live._connection.set_progress_handler(count, 1)  # with every step that the database takes
        expired = Cage(store, given.clock).expire(SUPERVISOR, live)
        live._connection.set_progress_handler(None, 1)
        assert {voucher.number for voucher in expired} == {*numbers[paid:]}
        return store.asked, steps


def test_letting_vouchers_expire_costs_what_is_outstanding_and_not_what_was_ever_issued(
    tmp_path: Path,
) -> None:
    few = cost_of_expiring(tmp_path / "few", paid=3, due=2)
    many = cost_of_expiring(tmp_path / "many", paid=90, due=2)
    more_due = cost_of_expiring(tmp_path / "due", paid=3, due=8)
    assert few == many
    assert more_due > few


@pytest.fixture
def vouchers(tmp_path: Path) -> Iterator[Vouchers]:
    given = Vouchers(tmp_path)
    yield given
    given.store.close()


def test_a_voucher_is_followed_to_its_end(vouchers: Vouchers, tmp_path: Path) -> None:
    store, clock, now_ms = vouchers.store, vouchers.clock, vouchers.clock.now_ms()
    with closing(LiveProjection(tmp_path / "live.db", store)) as live:

        def states() -> list[str]:
            live.catch_up()
            compared(store, live, clock.now_ms())
            return [voucher.status for voucher in live.vouchers_of("T1", "1", 35, clock.now_ms(), VALID_DAYS)]

        assert states() == ["outstanding"]
        vouchers.cage.pay(vouchers.number, 12_345, DEALER)
        assert states() == ["paid"]
        for cents in (100, 200, 300):
            vouchers.play.do(player("1"), c.BuyCredits(seat="1", cents=cents))
            vouchers.play.do(player("1"), c.CashOut(seat="1", voucher=new_voucher_number()))
        vouchers.write()
        assert states() == ["outstanding", "outstanding", "outstanding", "paid"]
        voided = live.vouchers_of("T1", "1", 1, now_ms, VALID_DAYS)[0]
        vouchers.cage.void(voided.number, SUPERVISOR, "torn")
        assert states() == ["voided", "outstanding", "outstanding", "paid"]
        second = live.vouchers_of("T1", "1", 2, now_ms, VALID_DAYS)[1]
        vouchers.play.do(player("1"), c.BuyCredits(seat="1", cents=200, voucher=second.number))
        vouchers.write()
        assert states() == ["voided", "redeemed", "outstanding", "paid"]
        clock.advance(VALID_DAYS * DAY_MS)
        assert states() == ["voided", "redeemed", "expired", "paid"]
        Cage(store, ManualClock(clock.now_ms())).expire(SUPERVISOR, live)
        assert states() == ["voided", "redeemed", "expired", "paid"]
        assert live.vouchers_of("T1", "2", 35, clock.now_ms(), VALID_DAYS) == []
