"""What can be used once: of several who use it, one gets it and the others hear that it is gone."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from croupier.floor import Ask
from croupier.floor.cage.vouchers import DAY_MS, VALID_DAYS
from croupier.journal import ClaimTaken
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from floor.sim_live import Live, answers, played
from table.rig import DEALER, player

WORTH_CENTS = 5_000


def redeem(seat: str, cents: int = WORTH_CENTS) -> c.BuyCredits:
    """Buys credits with the voucher."""
    return c.BuyCredits(seat=seat, cents=cents, voucher="V1")


async def with_voucher(path: Path, *seats: str) -> Live:
    """A table at which somebody who sits at no other seat has cashed a voucher out."""
    live = await Live(path).start()
    await live.open(*seats)
    await live.do(DEALER, c.OpenSeat(seat="9", kind=live.rules.seat_kinds[0]))
    await live.do(player("9"), c.BuyCredits(seat="9", cents=WORTH_CENTS))
    await live.do(player("9"), c.CashOut(seat="9", voucher="V1"))
    return live


@played
async def test_a_voucher_is_redeemed_once(tmp_path: Path) -> None:
    live = await with_voucher(tmp_path, "1", "2")
    await live.do(player("1"), redeem("1"))
    assert await live.refused(player("2"), redeem("2")) == "voucher-used"
    state = await live.run.settled_state()
    assert (state.credits_cents("1"), state.credits_cents("2")) == (100_000 + WORTH_CENTS, 100_000)
    assert state == live.replayed()
    await live.stop()


@played
async def test_in_a_batch_only_the_second_use_is_refused(tmp_path: Path) -> None:
    live = await with_voucher(tmp_path, "1", "2", "3")
    live.store.hold()
    first = live.send(player("3"), c.BuyCredits(seat="3", cents=100))
    await live.store.reached()
    batch = [
        live.send(player("1"), c.BuyCredits(seat="1", cents=100)),
        live.send(player("1"), redeem("1")),
        live.send(player("2"), redeem("2")),
        live.send(player("2"), c.BuyCredits(seat="2", cents=100)),
    ]
    live.store.let_through()
    assert await answers(first, *batch) == [None, None, None, "voucher-used", None]
    state = await live.run.settled_state()
    assert [state.credits_cents(seat) for seat in "123"] == [100_100 + WORTH_CENTS, 100_100, 100_100]
    assert state == live.replayed()
    await live.stop()


@played
async def test_the_refusal_is_recorded_published_and_repeated(tmp_path: Path) -> None:
    live = await with_voucher(tmp_path, "1", "2")
    await live.do(player("1"), redeem("1"))
    first = await live.run.submit(Ask(player("2"), redeem("2"), "terminal", 7))
    assert live.kinds()[-1] == "command-refused"
    assert live.published[-1].sequence == first.first == live.store.head("T1").sequence
    again = await live.run.submit(Ask(player("2"), redeem("2"), "terminal", 7))
    assert (again.rejection, again.first, again.repeated) == (first.rejection, first.first, True)
    await live.stop()


@played
async def test_a_voucher_from_one_table_is_redeemed_at_another(tmp_path: Path) -> None:
    one = await with_voucher(tmp_path, "1")
    other = await Live(tmp_path, store=one.store, table="T2", book="rws-money-wheel").start()
    await other.open("4")
    await other.do(player("4"), redeem("4"))
    assert await one.refused(player("1"), redeem("1")) == "voucher-used"
    states = [await live.run.settled_state() for live in (one, other)]
    assert sum(state.balances["vouchers"] for state in states) == 0
    await other.run.stop()
    await one.stop()


def euros_at_the_money_wheel(book_id: str) -> Book:
    """The books that come along, one of which is of a casino with another currency."""
    book = load_book(book_id)
    return msgspec.structs.replace(book, currency="EUR") if book_id == "rws-money-wheel" else book


@played
async def test_a_voucher_of_a_table_with_another_currency_is_refused(tmp_path: Path) -> None:
    one = await with_voucher(tmp_path, "1")
    other = Live(tmp_path, store=one.store, table="T2", book="rws-money-wheel")
    await other.start(find_book=euros_at_the_money_wheel)
    await other.open("4")
    assert await other.refused(player("4"), redeem("4")) == "voucher-currency"
    assert (await other.run.settled_state()).credits_cents("4") == 100_000
    await one.do(player("1"), redeem("1"))
    await other.run.stop()
    await one.stop()


def of_a_book_that_is_gone(book_id: str) -> Book:
    return load_book(book_id if book_id == "rws-money-wheel" else "a-book-that-is-gone")


def of_a_book_that_was_replaced(book_id: str) -> Book:
    book = load_book(book_id)
    return book if book_id == "rws-money-wheel" else msgspec.structs.replace(book, sha256="0" * 64)


@pytest.mark.parametrize("find_book", [of_a_book_that_is_gone, of_a_book_that_was_replaced])
@played
async def test_a_voucher_whose_currency_nobody_can_tell_is_refused_and_not_said_to_be_in_another(
    tmp_path: Path, find_book: Callable[[str], Book]
) -> None:
    one = await with_voucher(tmp_path, "1")
    other = Live(tmp_path, store=one.store, table="T2", book="rws-money-wheel")
    await other.start(find_book=find_book)
    await other.open("4")
    rejection = (await other.run.submit(Ask(player("4"), redeem("4"), "terminal", 7))).rejection
    assert rejection is not None
    assert rejection.code == "voucher-currency"
    assert rejection.sentence == "This voucher is not known to be in this table's currency; ask at the cage."
    await other.run.stop()
    await one.stop()


@played
async def test_a_voucher_that_was_taken_for_other_money_is_answered_again_as_it_was(tmp_path: Path) -> None:
    one = await with_voucher(tmp_path, "1")
    other = await Live(tmp_path, store=one.store, table="T2", book="rws-money-wheel").start()
    await other.open("4")
    first = await other.run.submit(Ask(player("4"), redeem("4"), "terminal", 7))
    await other.run.stop()
    await other.start(find_book=euros_at_the_money_wheel)
    again = await other.run.submit(Ask(player("4"), redeem("4"), "terminal", 7))
    assert (again.rejection, again.repeated, again.first) == (None, True, first.first)
    await other.run.stop()
    await one.stop()


@played
async def test_two_tables_that_redeem_the_same_voucher_at_once_do_it_once(tmp_path: Path) -> None:
    one = await with_voucher(tmp_path, "1")
    other = await Live(tmp_path, store=one.store, table="T2").start()
    await other.open("1")
    codes = await answers(*(live.send(player("1"), redeem("1")) for live in (one, other)))
    assert sorted(codes, key=str) == [None, "voucher-used"]
    await other.run.stop()
    await one.stop()


@pytest.mark.parametrize(
    ("do", "code"),
    [
        (c.BuyCredits(seat="1", cents=5_000, voucher="V2"), "voucher-unknown"),
        (redeem("1", WORTH_CENTS + 1), "voucher-amount"),
    ],
    ids=["never issued", "another amount"],
)
@played
async def test_a_voucher_that_was_not_issued_like_this_is_refused(
    tmp_path: Path, do: c.BuyCredits, code: str
) -> None:
    live = await with_voucher(tmp_path, "1")
    assert await live.refused(player("1"), do) == code
    assert (await live.run.settled_state()).credits_cents("1") == 100_000
    await live.do(player("1"), redeem("1"))
    await live.stop()


@played
async def test_a_voucher_whose_time_is_over_is_refused_and_one_that_was_used_in_time_is_not(
    tmp_path: Path,
) -> None:
    live = await with_voucher(tmp_path, "1")
    await live.do(player("1"), c.CashOut(seat="1", voucher="V2"))
    first = await live.run.submit(Ask(player("1"), redeem("1"), "terminal", 7))
    assert first.rejection is None
    live.clock.advance(VALID_DAYS * DAY_MS)
    late = c.BuyCredits(seat="1", cents=100_000, voucher="V2")
    assert await live.refused(player("1"), late) == "voucher-expired"
    again = await live.run.submit(Ask(player("1"), redeem("1"), "terminal", 7))
    assert (again.rejection, again.repeated, again.first) == (None, True, first.first)
    assert await live.refused(player("1"), redeem("1")) == "voucher-used"
    await live.stop()


@played
async def test_a_voucher_number_is_issued_once(tmp_path: Path) -> None:
    live = await Live(tmp_path).start()
    await live.open("1", "2")
    await live.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    assert await live.refused(player("2"), c.CashOut(seat="2", voucher="V1")) == "voucher-used"
    assert (await live.run.settled_state()).credits_cents("2") == 100_000
    await live.stop()


@played
async def test_a_store_that_fails_while_the_refusal_is_written_leaves_it_open(tmp_path: Path) -> None:
    live = await with_voucher(tmp_path, "1", "2")
    await live.do(player("1"), redeem("1"))
    whole = live.store.append

    def fails_to_record_the_refusal(records: list, claims: list) -> None:  # type: ignore[type-arg]
        try:
            whole(records, claims)
        except ClaimTaken:
            live.store.failures_before = 1
            raise

    live.store.append = fails_to_record_the_refusal  # type: ignore[method-assign]
    unsure = await live.run.submit(Ask(player("2"), redeem("2"), "terminal", 7))
    assert unsure.rejection is not None
    assert unsure.rejection.code == "not-registered"
    live.store.append = whole  # type: ignore[method-assign]
    again = await live.run.submit(Ask(player("2"), redeem("2"), "terminal", 7))
    assert again.rejection is not None
    assert again.rejection.code == "voucher-used"
    assert await live.run.settled_state() == live.replayed()
    await live.stop()


@pytest.mark.parametrize("others", [0, 2], ids=["alone", "in a batch"])
@played
async def test_who_goes_away_while_a_voucher_turns_out_to_be_used_disturbs_nobody(
    tmp_path: Path, others: int
) -> None:
    live = await with_voucher(tmp_path, "1", "2")
    await live.do(player("1"), redeem("1"))
    live.store.hold()
    leaving = live.send(player("2"), redeem("2"))
    staying = [live.send(player("1"), c.BuyCredits(seat="1", cents=100)) for _ in range(others)]
    await live.store.reached()
    leaving.cancel()
    await asyncio.sleep(0)
    live.store.let_through()
    assert await answers(*staying) == [None] * others
    assert await answers(live.send(player("2"), c.BuyCredits(seat="2", cents=100))) == [None]
    await live.stop()
