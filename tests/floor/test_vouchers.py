"""Vouchers: issued at a table, redeemed at another or paid at the cage, once."""

import datetime
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import DIGITS, is_voucher_number, masked, new_voucher_number
from croupier.floor.cage.ticket import _bars, amount_in_words, barcode_svg, ticket_text
from croupier.floor.cage.vouchers import DAY_MS, Asked, Voucher, find_voucher
from croupier.floor.live.projection import LiveProjection
from croupier.journal import Record, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.table import commands as c
from floor.voucher_rig import Vouchers, refusal
from table.rig import DEALER, START_MS, SUPERVISOR, player

SINGAPORE = ZoneInfo("Asia/Singapore")


@pytest.fixture
def vouchers(tmp_path: Path) -> Iterator[Vouchers]:
    given = Vouchers(tmp_path)
    yield given
    given.store.close()


@pytest.fixture
def projection(vouchers: Vouchers, tmp_path: Path) -> Iterator[LiveProjection]:
    with closing(LiveProjection(tmp_path / "live.db", vouchers.store)) as live:
        yield live


def test_a_voucher_is_found_with_what_it_stands_for(vouchers: Vouchers) -> None:
    found = vouchers.cage.find(vouchers.number)

    assert (found.cents, found.table, found.seat, found.status) == (12_345, "T1", "1", "outstanding")
    assert found.expires_ms == found.issued_ms + 30 * DAY_MS
    assert vouchers.cage.outstanding() == [found]


def test_a_voucher_is_paid_once(vouchers: Vouchers) -> None:
    paid = vouchers.cage.pay(vouchers.number, 12_345, DEALER)

    assert (paid.status, paid.ended_at, paid.ended_ms) == ("paid", "cage", START_MS)
    assert refusal(vouchers.cage.pay, vouchers.number, 12_345, DEALER) == "voucher-paid"
    assert refusal(vouchers.cage.void, vouchers.number, SUPERVISOR, "late") == "voucher-paid"
    assert vouchers.cage.outstanding() == []


WINDOW = Asked("window-2", 7)


class Forgetful(SqliteStore):
    """A store that loses its connection right after it has written."""

    is_lost = False

    def append(self, records: Sequence[Record], claims: Sequence[tuple[str, int]]) -> None:
        super().append(records, claims)
        if self.is_lost:
            self.is_lost = False
            raise StoreError("The connection was lost after the commit.")


def test_whoever_asks_again_gets_the_first_answer_again(vouchers: Vouchers, tmp_path: Path) -> None:
    store = Forgetful(tmp_path / "journal.db")
    cage = Cage(store, vouchers.clock)
    store.is_lost = True
    with pytest.raises(StoreError):
        cage.pay(vouchers.number, 12_345, DEALER, WINDOW)
    vouchers.clock.advance(60_000)

    paid = cage.pay(vouchers.number, 12_345, DEALER, WINDOW)

    assert (paid.status, paid.ended_at, paid.ended_ms) == ("paid", "cage", START_MS)
    assert cage.pay(vouchers.number, 12_345, DEALER, WINDOW) == paid
    assert store.head("cage").sequence == 1
    other = WINDOW._replace(number=8)
    assert refusal(cage.pay, vouchers.number, 12_345, DEALER, other) == "voucher-paid"
    store.close()


def test_a_voiding_asked_for_again_is_answered_again(vouchers: Vouchers) -> None:
    first = vouchers.cage.void(vouchers.number, SUPERVISOR, "torn", WINDOW)
    assert vouchers.cage.void(vouchers.number, SUPERVISOR, "torn", WINDOW) == first
    assert refusal(vouchers.cage.void, vouchers.number, SUPERVISOR, "wet", WINDOW) == "number-reused"
    assert vouchers.store.head("cage").sequence == 1


def test_a_number_of_a_cashier_is_for_one_thing(vouchers: Vouchers) -> None:
    vouchers.cage.pay(vouchers.number, 12_345, DEALER, WINDOW)
    assert refusal(vouchers.cage.pay, vouchers.number, 12_346, DEALER, WINDOW) == "number-reused"
    assert refusal(vouchers.cage.pay, vouchers.number, 12_345, SUPERVISOR, WINDOW) == "number-reused"
    assert refusal(vouchers.cage.void, vouchers.number, SUPERVISOR, "torn", WINDOW) == "number-reused"


@pytest.mark.parametrize("sender", ["cage", "a\nb", "x" * 201])
def test_a_sender_that_cannot_be_written_down_is_refused(vouchers: Vouchers, sender: str) -> None:
    asked = Asked(sender, 1)
    assert refusal(vouchers.cage.pay, vouchers.number, 12_345, DEALER, asked) == "bad-command"
    assert vouchers.cage.find(vouchers.number).status == "outstanding"


def test_the_same_question_at_once_is_answered_alike(vouchers: Vouchers) -> None:
    outcomes: list[tuple[str, bool]] = []

    def pay() -> None:
        voucher, is_first = vouchers.cage.pay_once(vouchers.number, 12_345, DEALER, WINDOW)
        outcomes.append((voucher.status, is_first))

    windows = [threading.Thread(target=pay) for _ in range(8)]
    for window in windows:
        window.start()
    for window in windows:
        window.join()

    assert sorted(outcomes) == [("paid", False)] * 7 + [("paid", True)]
    assert vouchers.store.head("cage").sequence == 1


def test_a_voucher_of_another_amount_is_not_paid(vouchers: Vouchers) -> None:
    assert refusal(vouchers.cage.pay, vouchers.number, 12_346, DEALER) == "voucher-amount"
    assert vouchers.cage.find(vouchers.number).status == "outstanding"


def test_a_voucher_redeemed_at_a_table_is_not_paid_at_the_cage(vouchers: Vouchers) -> None:
    vouchers.play.do(player("1"), c.BuyCredits(seat="1", cents=12_345, voucher=vouchers.number))
    vouchers.write()

    assert vouchers.cage.find(vouchers.number).status == "redeemed"
    assert vouchers.cage.find(vouchers.number).ended_at == "T1"
    assert refusal(vouchers.cage.pay, vouchers.number, 12_345, DEALER) == "voucher-redeemed"


def test_voiding_takes_a_supervisor_and_a_reason(vouchers: Vouchers) -> None:
    assert refusal(vouchers.cage.void, vouchers.number, DEALER, "torn") == "not-allowed"
    assert refusal(vouchers.cage.void, vouchers.number, SUPERVISOR, " ") == "no-reason"
    assert vouchers.cage.void(vouchers.number, SUPERVISOR, "torn").status == "voided"


def test_a_voucher_expires_after_thirty_days(vouchers: Vouchers, projection: LiveProjection) -> None:
    issued_ms = vouchers.cage.find(vouchers.number).issued_ms
    vouchers.clock.advance(issued_ms + 30 * DAY_MS - 1 - START_MS)
    assert vouchers.cage.find(vouchers.number).status == "outstanding"
    assert vouchers.cage.expire(SUPERVISOR, projection) == []

    vouchers.clock.advance(1)

    assert vouchers.cage.find(vouchers.number).status == "expired"
    assert refusal(vouchers.cage.pay, vouchers.number, 12_345, DEALER) == "voucher-expired"
    assert [(each.number, each.status) for each in vouchers.cage.outstanding()] == [
        (vouchers.number, "expired")
    ], "nothing on record ends it yet"
    (expired,) = vouchers.cage.expire(SUPERVISOR, projection)
    assert (expired.number, expired.status, expired.ended_at) == (vouchers.number, "expired", "cage")
    assert vouchers.cage.outstanding() == []
    assert vouchers.cage.expire(SUPERVISOR, projection) == []


class Behind(LiveProjection):
    """A projection that does not hear of what happens meanwhile."""

    def catch_up(self, stream: str | None = None) -> int:
        return 0


def test_a_voucher_that_somebody_else_ended_meanwhile_does_not_expire(
    vouchers: Vouchers, projection: LiveProjection, tmp_path: Path
) -> None:
    other = new_voucher_number()
    vouchers.play.do(player("1"), c.BuyCredits(seat="1", cents=100))
    vouchers.play.do(player("1"), c.CashOut(seat="1", voucher=other))
    vouchers.write()
    projection.catch_up()
    with closing(Behind(tmp_path / "live.db", vouchers.store)) as behind:
        vouchers.cage.void(other, SUPERVISOR, "torn")
        vouchers.clock.advance(31 * DAY_MS)

        ended = vouchers.cage.expire(SUPERVISOR, behind)

        assert [voucher.number for voucher in ended] == [vouchers.number]
        assert vouchers.cage.find(other).status == "voided"
        assert vouchers.cage.expire(SUPERVISOR, behind) == [], "though it still lists both"


def test_of_two_who_let_vouchers_expire_at_once_one_does(
    vouchers: Vouchers, projection: LiveProjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    vouchers.clock.advance(31 * DAY_MS)
    first, second = Cage(vouchers.store, vouchers.clock), vouchers.cage
    find = second.find

    def find_before_the_other(number: str) -> Voucher:
        found = find(number)
        monkeypatch.undo()
        assert len(first.expire(SUPERVISOR, projection)) == 1
        return found

    monkeypatch.setattr(second, "find", find_before_the_other)

    assert second.expire(SUPERVISOR, projection) == []
    assert vouchers.store.head("cage").sequence == 1


def test_numbers_that_were_never_issued_and_numbers_that_are_none_are_told_apart(vouchers: Vouchers) -> None:
    swapped = vouchers.number[:-1] + str((int(vouchers.number[-1]) + 1) % 10)

    assert refusal(vouchers.cage.find, new_voucher_number()) == "voucher-unknown"
    assert refusal(vouchers.cage.find, swapped) == "voucher-malformed"
    assert refusal(vouchers.cage.find, "") == "voucher-malformed"


def test_of_many_cashiers_one_pays(vouchers: Vouchers) -> None:
    outcomes: list[str] = []

    def pay() -> None:
        try:
            outcomes.append(vouchers.cage.pay(vouchers.number, 12_345, DEALER).status)
        except BadInput as refused:
            outcomes.append(refused.code)

    cashiers = [threading.Thread(target=pay) for _ in range(8)]
    for cashier in cashiers:
        cashier.start()
    for cashier in cashiers:
        cashier.join()

    assert sorted(outcomes) == ["paid"] + ["voucher-paid"] * 7


def test_numbers_do_not_repeat_and_check() -> None:
    numbers = {new_voucher_number() for _ in range(1_000)}

    assert len(numbers) == 1_000
    assert all(is_voucher_number(number) for number in numbers)


@given(
    st.text("0123456789", min_size=DIGITS - 1, max_size=DIGITS - 1),
    st.integers(0, DIGITS - 1),
    st.integers(1, 9),
)
def test_every_wrong_digit_and_every_swap_is_noticed(digits: str, place: int, off: int) -> None:
    (number,) = [digits + last for last in "0123456789" if is_voucher_number(digits + last)]
    wrong = str((int(number[place]) + off) % 10)
    assert not is_voucher_number(number[:place] + wrong + number[place + 1 :])
    if place and number[place - 1] != number[place]:
        swapped = number[: place - 1] + number[place] + number[place - 1] + number[place + 1 :]
        assert not is_voucher_number(swapped)


@given(st.text() | st.text("0123456789\u00b2\u0663", min_size=DIGITS, max_size=DIGITS))
def test_no_text_breaks_the_check_and_only_plain_digits_pass_it(text: str) -> None:
    assert not is_voucher_number(text) or re.fullmatch(f"[0-9]{{{DIGITS}}}", text)


def test_a_number_that_is_unpaid_is_shown_by_its_last_digits() -> None:
    assert masked("123456789012345672") == "··············5672"


def test_a_ticket_shows_what_it_has_to(vouchers: Vouchers) -> None:
    voucher = find_voucher(vouchers.store, vouchers.number, START_MS)

    lines = ticket_text(voucher, "Example House", SINGAPORE, "SGD").splitlines()

    assert lines[0] == "Example House"
    assert lines[2].replace(" ", "") == f"Validation{vouchers.number}"
    assert lines[3:5] == ["SGD 123.45", "one hundred twenty-three dollars and forty-five cents"]
    assert lines[5] == "Issued 2023-11-15 06:13:20 at table T1, seat 1"
    assert lines[6] == f"Ticket T1-{voucher.sequence}"
    assert lines[7] == "Void after 2023-12-15 06:13:20"


@pytest.mark.parametrize(
    ("zone", "issued", "shown"),
    [
        ("Europe/Berlin", "2026-10-25T00:30Z", "2026-10-25 02:30:00 GMT+2"),
        ("Europe/Berlin", "2026-10-25T01:30Z", "2026-10-25 02:30:00 GMT+1"),
        ("Europe/Berlin", "2026-10-25T02:00Z", "2026-10-25 03:00:00"),
        ("Europe/Berlin", "2026-03-29T01:00Z", "2026-03-29 03:00:00"),
        ("Europe/London", "2026-10-25T01:30Z", "2026-10-25 01:30:00 GMT+0"),
        ("Africa/Cairo", "2026-10-29T21:30Z", "2026-10-29 23:30:00 GMT+2"),
        ("Australia/Lord_Howe", "2026-04-04T15:00Z", "2026-04-05 01:30:00 GMT+10:30"),
        ("America/New_York", "2026-11-01T06:30Z", "2026-11-01 01:30:00 GMT-5"),
    ],
)
def test_a_time_that_clocks_show_twice_says_which_of_the_two_it_is(
    vouchers: Vouchers, zone: str, issued: str, shown: str
) -> None:
    moment = datetime.datetime.fromisoformat(issued)
    voucher = msgspec.structs.replace(
        find_voucher(vouchers.store, vouchers.number, START_MS), issued_ms=round(moment.timestamp() * 1000)
    )
    lines = ticket_text(voucher, "Example House", ZoneInfo(zone), "SGD").splitlines()
    assert lines[5] == f"Issued {shown} at table T1, seat 1"


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "zero dollars"),
        (1, "zero dollars and one cent"),
        (100, "one dollar"),
        (1_999, "nineteen dollars and ninety-nine cents"),
        (2_000_00, "two thousand dollars"),
        (1_000_001_10, "one million one dollars and ten cents"),
        (340_015_80, "three hundred forty thousand fifteen dollars and eighty cents"),
    ],
)
def test_amounts_in_words(cents: int, words: str) -> None:
    assert amount_in_words(cents, "SGD") == words


@pytest.mark.parametrize(
    ("cents", "currency", "words"),
    [
        (300_00, "EUR", "three hundred euros"),
        (1_01, "EUR", "one euro and one cent"),
        (1_01, "GBP", "one pound and one penny"),
        (2_02, "GBP", "two pounds and two pence"),
        (5_00, "USD", "five dollars"),
        (300_00, "XYZ", "three hundred and 00/100 XYZ"),
        (1_05, "JPY", "one and 05/100 JPY"),
        (1_05, "", "one and 05/100"),
    ],
)
def test_the_words_of_an_amount_name_its_currency(cents: int, currency: str, words: str) -> None:
    assert amount_in_words(cents, currency) == words


def test_a_barcode_has_two_wide_lines_of_five_for_each_digit() -> None:
    """Read back as a scanner does: bars carry the first digit of each pair, spaces the second."""
    widths = _bars("123456789012345672")
    patterns = {
        "nnwwn": "0", "wnnnw": "1", "nwnnw": "2", "wwnnn": "3", "nnwnw": "4",
        "wnwnn": "5", "nwwnn": "6", "nnnww": "7", "wnnwn": "8", "nwnwn": "9",
    }  # fmt: skip
    assert widths[:4] == [1, 1, 1, 1]
    assert widths[-3:] == [3, 1, 1]
    read = ""
    for start in range(4, len(widths) - 3, 10):
        pair = widths[start : start + 10]
        for lines in (pair[::2], pair[1::2]):
            read += patterns["".join("w" if width == 3 else "n" for width in lines)]
    assert read == "123456789012345672"
    assert barcode_svg(read).count("<rect") == (len(widths) + 1) // 2
    with pytest.raises(ValueError, match="pairs of digits"):
        barcode_svg("123")
