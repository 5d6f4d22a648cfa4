"""Vouchers in the live projection are the vouchers of the claims, without a search through all of them."""

from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path

import pytest

from croupier.floor import ManualClock
from croupier.floor.cage import Cage
from croupier.floor.live_projection import LiveProjection
from croupier.floor.simulation import simulate
from croupier.floor.voucher_numbers import new_voucher_number
from croupier.floor.vouchers import DAY_MS, VALID_DAYS, find_voucher, outstanding_vouchers
from croupier.journal import Store, open_store
from croupier.table import commands as c
from croupier.table.events import voucher_issued
from floor.test_vouchers import Vouchers
from table.rig import DEALER, SUPERVISOR, player


def compared(store: Store, live: LiveProjection, now_ms: int) -> int:
    """Compares every list with what the claims say; gives how many vouchers there are."""
    numbers = [key.partition("/")[2] for key in store.claims(voucher_issued(""))]
    every = [find_voucher(store, number, now_ms) for number in numbers]
    assert live.outstanding(now_ms, VALID_DAYS) == outstanding_vouchers(store, now_ms)
    every.sort(key=lambda voucher: (voucher.table, voucher.seat, -voucher.sequence))
    for (table, seat), of_seat in groupby(every, key=lambda voucher: (voucher.table, voucher.seat)):
        expected = [*of_seat]
        assert live.vouchers_of(table, seat, 1_000, now_ms, VALID_DAYS) == expected
        assert live.vouchers_of(table, seat, 2, now_ms, VALID_DAYS) == expected[:2]
    return len(numbers)


@pytest.mark.parametrize("seed", [3, 4, 11])
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
        Cage(store, ManualClock(clock.now_ms())).expire(SUPERVISOR)
        assert states() == ["voided", "redeemed", "expired", "paid"]
        assert live.vouchers_of("T1", "2", 35, clock.now_ms(), VALID_DAYS) == []
