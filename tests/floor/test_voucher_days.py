"""For how long a voucher is good is printed on it: what the floor sets later holds for later ones."""

from contextlib import closing
from pathlib import Path

from croupier.floor import Ask
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.cage.vouchers import DAY_MS, why_not_taken
from croupier.floor.live.projection import LiveProjection
from croupier.table import commands as c
from croupier.table import events as e
from floor.sim_live import Live, played
from table.rig import DEALER, START_MS, SUPERVISOR, player


@played
async def test_a_ticket_is_good_for_as_long_as_it_says_whatever_is_set_since(tmp_path: Path) -> None:
    live = await Live(tmp_path).start(voucher_days=30)
    await live.open("1")
    first, second = sorted((new_voucher_number(), new_voucher_number()))
    await live.do(player("1"), c.CashOut(seat="1", voucher=first))
    await live.run.stop()
    await live.start(voucher_days=7)
    await live.do(player("1"), c.BuyCredits(seat="1", cents=700))
    await live.do(player("1"), c.CashOut(seat="1", voucher=second))
    issued = [one.entry.event for one in live.published if isinstance(one.entry.event, e.CreditsPaidOut)]
    assert [event.expires_ms for event in issued] == [START_MS + 30 * DAY_MS, START_MS + 7 * DAY_MS]

    live.clock.advance(8 * DAY_MS)
    now_ms = live.clock.now_ms()
    with closing(LiveProjection(tmp_path / "live.db", live.store)) as projection:
        projection.catch_up()
        for days in (1, 7, 90):
            cage = Cage(live.store, live.clock, days)
            assert [(each.number, each.expires_ms) for each in cage.outstanding()] == [
                (first, START_MS + 30 * DAY_MS),
                (second, START_MS + 7 * DAY_MS),
            ]
            assert cage.find(second).status == "expired"
            assert projection.outstanding(now_ms, days) == cage.outstanding()
            assert projection.overdue(now_ms, days) == [cage.find(second)]
            assert why_not_taken(live.store, first, issued[0].cents, now_ms, days) is None
            assert why_not_taken(live.store, second, 700, now_ms, days) == "voucher-expired"
    assert Cage(live.store, live.clock, 7).pay(first, issued[0].cents, DEALER).status == "paid"
    await live.stop()


@played
async def test_a_cash_out_that_comes_again_is_the_same_whatever_is_set_since(tmp_path: Path) -> None:
    live = await Live(tmp_path).start(voucher_days=30)
    await live.open("1")
    paid_out = c.CashOut(seat="1", voucher=new_voucher_number())
    answer = await live.run.submit(Ask(player("1"), paid_out, "terminal", 99))
    await live.run.stop()
    await live.start(voucher_days=7)
    again = await live.run.submit(Ask(player("1"), paid_out, "terminal", 99))
    assert (again.rejection, again.first, again.repeated) == (None, answer.first, True)
    await live.stop()


@played
async def test_credits_that_an_attendant_pays_by_hand_expire_never(tmp_path: Path) -> None:
    live = await Live(tmp_path, voucher_limit_cents=100).start()
    await live.open("1")
    await live.do(player("1"), c.CashOut(seat="1", voucher=new_voucher_number()))
    await live.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    paid = await live.until(e.CreditsPaidOut)
    assert (paid.voucher, paid.expires_ms) == (None, None)
    await live.stop()
