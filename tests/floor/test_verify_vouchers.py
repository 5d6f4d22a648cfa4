"""Vouchers over tables and the cage: each is worth what it was issued for, and ends once."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from croupier.floor.verify.evidence import ClaimRow
from croupier.floor.verify.journal import verify_journal
from croupier.floor.verify.vouchers import LATE_MS
from croupier.journal import EMPTY, Draft, Head, Record, link
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from croupier.table.crediting import DAY_MS, MOST_VOUCHER_DAYS
from floor.audit_journal import MemoryEvidence, at_table, edit, records_of, relink
from table.rig import START_MS, SUPERVISOR, Play, player

AMOUNT = 12_500
LATER_MS = START_MS + 3_600_000


def issuing() -> Play:
    play = Play().open(("1", "2"), AMOUNT)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(player("2"), c.CashOut(seat="2", voucher="V-2"))
    return play


def redeeming(cents: int) -> Play:
    play = Play().open(("1",), 1_000)
    play.do(player("1"), c.BuyCredits(seat="1", cents=cents, voucher="V-1"))
    return at_table("T2", play)


def cage(*drafts: Draft) -> list[Record]:
    return [*link("cage", EMPTY, drafts)]


def paid(**facts: Any) -> Draft:
    """A voucher that a cashier paid, as the cage writes it down."""
    payload = {"number": "V-2", "cents": AMOUNT, "actor": "cashier-1", "reason": "", "asked": None}
    payload |= {name: facts.pop(name) for name in [*facts] if name in payload}
    draft = Draft(START_MS, "cashier-1", "cage", 1, 0, "voucher-paid", 1, json.dumps(payload).encode())
    return draft._replace(**{name.rstrip("_"): value for name, value in facts.items()})


def journal(redeemed_cents: int, cage_records: Sequence[Record]) -> MemoryEvidence:
    evidence = MemoryEvidence(issuing(), redeeming(redeemed_cents))
    evidence.rows["cage"] = [*cage_records]
    evidence.heads["cage"] = Head(cage_records[-1].sequence, cage_records[-1].hash)
    number = json.loads(cage_records[0].payload).get("number", "V-2")
    evidence.claimed.append(ClaimRow(f"voucher-redeemed/{number}", "cage", 1))
    return evidence


def misfits(
    evidence: MemoryEvidence, find_book: Callable[[str], Book] = load_book
) -> dict[str, tuple[int, str]]:
    reports = verify_journal(evidence, find_book=find_book)
    found = [(report.table, report.first_misfit) for report in reports]
    return {table: (misfit.sequence, misfit.reason) for table, misfit in found if misfit is not None}


def test_vouchers_from_one_table_end_at_another_and_at_the_cage() -> None:
    evidence = journal(AMOUNT, cage(paid()))
    assert misfits(evidence) == {}
    assert [(report.table, report.records) for report in verify_journal(evidence)] == [
        ("T1", 8),
        ("T2", 5),
        ("cage", 1),
    ]


def test_a_voucher_redeemed_for_more_is_found() -> None:
    expected = "the voucher that it ends was issued for another amount"
    assert misfits(journal(AMOUNT + 1, cage(paid()))) == {"T2": (5, expected)}
    assert misfits(journal(AMOUNT, cage(paid(cents=AMOUNT + 1)))) == {"cage": (1, expected)}


def test_a_voucher_redeemed_at_a_table_of_another_currency_is_found() -> None:
    def find_book(book_id: str) -> Book:
        book = load_book(book_id)
        return msgspec.structs.replace(book, currency="EUR") if book_id == "rws-money-wheel" else book

    wheel = Play("rws-money-wheel").open(("1",), 1_000)
    wheel.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT, voucher="V-1"))
    evidence = MemoryEvidence(issuing(), at_table("T2", wheel))
    assert misfits(evidence) == {}
    expected = "the voucher that it ends was issued in SGD, and the table plays in EUR"
    assert misfits(evidence, find_book) == {"T2": (5, expected)}


def test_the_cage_pays_vouchers_of_every_currency() -> None:
    def find_book(book_id: str) -> Book:
        return msgspec.structs.replace(load_book(book_id), currency="EUR")

    assert misfits(journal(AMOUNT, cage(paid())), find_book) == {}


def test_a_voucher_that_the_cage_paid_and_nobody_issued_is_found() -> None:
    expected = "no table of this journal issued the voucher that it ends"
    assert misfits(journal(AMOUNT, cage(paid(number="V-9")))) == {"cage": (1, expected)}


def test_the_cage_says_which_number_of_a_sender_it_answered_and_answers_none_twice() -> None:
    asked = paid(asked=["window-2", 7], sender="window-2", number_=7)
    assert misfits(journal(AMOUNT, cage(asked))) == {}
    evidence = journal(
        AMOUNT, cage(asked, paid(number="V-1", asked=["window-2", 7], sender="window-2", number_=7))
    )
    evidence.claimed.append(ClaimRow("voucher-redeemed/V-1", "cage", 2))
    assert misfits(evidence)["cage"] == (2, "number 7 of window-2 was used before")


def test_a_misfit_at_a_table_is_not_blamed_on_the_cage() -> None:
    evidence = journal(AMOUNT, cage(paid()))
    evidence.rows["T1"][3] = evidence.rows["T1"][3]._replace(actor="nobody")
    assert [*misfits(evidence)] == ["T1"]


def test_a_voucher_that_a_table_redeems_and_nobody_issued_is_found() -> None:
    """A floor takes none that its own journal did not issue (`voucher-unknown`), so no record can have."""
    evidence = MemoryEvidence(issuing(), redeeming_another("V-777"))
    expected = "no table of this journal issued the voucher that it ends"
    assert misfits(evidence) == {"T2": (5, expected)}


def redeeming_another(number: str) -> Play:
    play = Play().open(("1",), 1_000)
    play.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT, voucher=number))
    return at_table("T2", play)


def test_where_the_issue_cannot_be_seen_nothing_is_said_of_it() -> None:
    evidence = MemoryEvidence(issuing(), redeeming(AMOUNT))
    (report,) = verify_journal(evidence, ["T2"])
    assert report.first_misfit is None
    evidence.rows["T1"][3] = evidence.rows["T1"][3]._replace(actor="nobody")
    assert [*misfits(evidence)] == ["T1"]


def test_a_misfit_that_hides_no_issue_excuses_no_use() -> None:
    evidence = journal(AMOUNT, cage(paid(actor="cashier-2")._replace(actor="cashier-1")))
    evidence.rows["T2"] = MemoryEvidence(redeeming_another("V-777")).rows["T2"]
    evidence.heads["T2"] = Head(5, evidence.rows["T2"][-1].hash)
    evidence.claimed = [
        row if row.table != "T2" else ClaimRow("voucher-redeemed/V-777", "T2", 5) for row in evidence.claimed
    ]
    assert [*misfits(evidence)] == ["T2", "cage"]


def test_a_voucher_that_ends_at_a_table_and_at_the_cage_is_found_whatever_the_claims_say() -> None:
    evidence = journal(AMOUNT, cage(paid(number="V-1", at_ms=LATER_MS)))
    assert misfits(evidence) == {"cage": (1, "the voucher that it ends had ended already, by record 5 of T2")}
    evidence = journal(AMOUNT, cage(paid(number="V-1", at_ms=START_MS - 1)))
    assert misfits(evidence) == {"T2": (5, "the voucher that it ends had ended already, by record 1 of cage")}


def test_a_voucher_that_ends_twice_at_the_cage_is_found_whatever_the_claims_say() -> None:
    evidence = journal(AMOUNT, cage(paid(), paid()._replace(number=2)))
    evidence.claimed.append(ClaimRow("voucher-redeemed/V-2", "cage", 2))
    assert misfits(evidence) == {"cage": (2, "the voucher that it ends had ended already, by record 1")}


def test_a_number_that_two_tables_issue_is_found_whatever_the_claims_say() -> None:
    evidence = MemoryEvidence(issuing(), at_table("T2", issuing()))
    assert misfits(evidence) == {
        "T2": (7, "the voucher that it issues was issued already, by record 7 of T1")
    }


def test_what_is_wrong_with_a_record_itself_is_told_first() -> None:
    evidence = MemoryEvidence(issuing(), at_table("T2", issuing()))
    evidence.claimed = [row for row in evidence.claimed if row.table != "T2"]
    sequence, reason = misfits(evidence)["T2"]
    assert sequence == 7
    assert reason.startswith("its payload claims voucher-issued/V-1, and the journal holds nothing")


def test_a_number_that_one_table_issues_twice_is_found_whatever_the_claims_say() -> None:
    play = Play().open(("1", "2"), AMOUNT)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(player("2"), c.CashOut(seat="2", voucher="V-1"))
    assert misfits(MemoryEvidence(play)) == {
        "T1": (8, "the voucher that it issues was issued already, by record 7")
    }


def test_a_voucher_is_not_redeemed_before_the_same_table_issues_it() -> None:
    play = Play().open(("1", "2"), AMOUNT)
    play.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT, voucher="V-2"))
    play.do(player("2"), c.CashOut(seat="2", voucher="V-2"))
    assert misfits(MemoryEvidence(play)) == {
        "T1": (7, "the voucher that it ends is issued only later, by record 8 of T1")
    }


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"kind": "voucher-eaten"}, "the cage writes no voucher-eaten of version 1"),
        ({"version": 2}, "the cage writes no voucher-paid of version 2"),
        ({"payload": b"{}"}, "its payload is not a voucher-paid"),
        ({"sender": "T1"}, "its sender, number or part"),
        ({"number_": 7}, "its sender, number or part"),
        ({"part": 1}, "its sender, number or part"),
        ({"actor": "cashier-2"}, "its actor is not"),
        ({"cents": 0}, "it ends a voucher of 0 cents"),
    ],
)
def test_a_record_that_the_cage_does_not_write_is_found(facts: dict[str, Any], why: str) -> None:
    draft = paid(**{name: value for name, value in facts.items() if name == "cents"})
    columns = {name.rstrip("_"): value for name, value in facts.items() if name != "cents"}
    found = misfits(journal(AMOUNT, cage(draft._replace(**columns))))
    assert list(found) == ["cage"]
    sequence, reason = found["cage"]
    assert sequence == 1
    assert why in reason


def test_a_voucher_that_ends_twice_is_found() -> None:
    """The claims can hold a voucher's end once; the second end has no claim."""
    again = paid(number="V-2")._replace(number=2)
    evidence = journal(AMOUNT, cage(paid(), again))
    assert misfits(evidence)["cage"][0] == 2


DAYS = 30
END_MS = START_MS + DAYS * DAY_MS


def issued_for_days() -> Play:
    """A table that prints on its vouchers until when they are good."""
    play = Play().open(("1",), AMOUNT)
    cash_out = play.command(player("1"), c.CashOut(seat="1", voucher="V-2"))
    play.submit(msgspec.structs.replace(cash_out, voucher_days=DAYS))
    return play


def ended(kind: str, at_ms: int) -> str | None:
    """What is found where the cage ends such a voucher at a time; None where nothing is."""
    evidence = MemoryEvidence(issued_for_days())
    (record,) = evidence.rows["cage"] = cage(paid(kind=kind, at_ms=at_ms))
    evidence.heads["cage"] = Head(1, record.hash)
    evidence.claimed.append(ClaimRow("voucher-redeemed/V-2", "cage", 1))
    found = misfits(evidence)
    return found["cage"][1] if found else None


def test_a_voucher_is_over_when_it_says_so() -> None:
    assert ended("voucher-expired", END_MS) is None
    assert ended("voucher-expired", END_MS - 1) == "the time of the voucher that it ends was not over"


@pytest.mark.parametrize("ending", ["paid", "voided"])
def test_a_voucher_that_is_over_is_not_taken(ending: str) -> None:
    late = END_MS + LATE_MS
    assert [ended(f"voucher-{ending}", at_ms) for at_ms in (END_MS - 1, late - 1)] == [None, None]
    assert ended(f"voucher-{ending}", late) == f"the time of the voucher that is {ending} was over"


def acts(*done: tuple[str, int, dict[str, Any]]) -> str | None:
    """What is found where the cage does one thing after the other to such a voucher; None where nothing."""
    drafts = [
        paid(kind=f"voucher-{act}", at_ms=at_ms, number_=number, **{"reason": "a wrong clock", **facts})
        for number, (act, at_ms, facts) in enumerate(done, start=1)
    ]
    evidence = MemoryEvidence(issued_for_days())
    evidence.rows["cage"] = cage(*drafts)
    evidence.heads["cage"] = Head(len(done), evidence.rows["cage"][-1].hash)
    times = 0
    for sequence, (act, _, _) in enumerate(done, start=1):
        times += act == "reinstated"
        end = f"voucher-redeemed/V-2/{times}" if times else "voucher-redeemed/V-2"
        key = f"voucher-reinstated/V-2/{times}" if act == "reinstated" else end
        evidence.claimed.append(ClaimRow(key, "cage", sequence))
    found = misfits(evidence)
    assert [*found] in ([], ["cage"])
    return f"{found['cage'][0]}: {found['cage'][1]}" if found else None


EARLY = ("expired", END_MS + DAY_MS, {})
BACK = ("reinstated", START_MS + DAY_MS, {})


def test_a_voucher_that_expired_by_a_wrong_clock_is_reinstated_and_ends_once_more() -> None:
    assert acts(EARLY, BACK) is None
    assert acts(EARLY, BACK, ("paid", END_MS - 1, {})) is None
    assert acts(EARLY, BACK, EARLY, BACK, ("voided", END_MS - 1, {})) is None


def test_a_voucher_is_reinstated_only_where_it_had_expired_too_early() -> None:
    not_expired = "the voucher that it reinstates had not expired"
    assert acts(BACK) == f"1: {not_expired}"
    assert acts(("paid", START_MS, {}), BACK) == f"2: {not_expired}"
    assert acts(EARLY, BACK, BACK) == f"3: {not_expired}"
    assert acts(EARLY, BACK, ("paid", START_MS, {}), BACK) == f"4: {not_expired}"
    late = ("reinstated", END_MS + LATE_MS, {})
    assert acts(EARLY, late) == "2: the time of the voucher that is reinstated was over"
    nameless = ("reinstated", START_MS, {"reason": " "})
    assert acts(EARLY, nameless) == "2: it reinstates a voucher without a reason"


def test_a_reinstated_voucher_is_worth_what_it_was_and_ends_in_time_and_once() -> None:
    more = {"cents": AMOUNT + 1}
    assert acts(EARLY, ("reinstated", START_MS, more)) == (
        "2: the voucher that it reinstates was issued for another amount"
    )
    assert acts(EARLY, BACK, ("paid", START_MS, more)) == (
        "3: the voucher that it ends was issued for another amount"
    )
    assert acts(EARLY, BACK, ("paid", END_MS + LATE_MS, {})) == (
        "3: the time of the voucher that is paid was over"
    )
    assert acts(EARLY, BACK, ("expired", END_MS - 1, {})) == (
        "3: the time of the voucher that it ends was not over"
    )
    assert acts(EARLY, BACK, ("paid", START_MS, {}), ("paid", START_MS, {})) == (
        "4: the voucher that it ends had ended already, by record 3"
    )


def test_no_table_takes_a_voucher_that_was_reinstated() -> None:
    play = Play().open(("1",), 1_000)
    play.at_ms = END_MS - 1
    play.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT, voucher="V-2"))
    evidence = MemoryEvidence(issued_for_days(), at_table("T2", play))
    drafts = [
        paid(kind="voucher-expired", at_ms=END_MS - 2),
        paid(kind="voucher-reinstated", at_ms=START_MS, number_=2, reason="a wrong clock"),
    ]
    evidence.rows["cage"] = cage(*drafts)
    evidence.heads["cage"] = Head(2, evidence.rows["cage"][-1].hash)
    evidence.claimed.append(ClaimRow("voucher-redeemed/V-2", "cage", 1))
    evidence.claimed.append(ClaimRow("voucher-reinstated/V-2/1", "cage", 2))
    assert "had ended already, by record 1 of cage" in misfits(evidence)["T2"][1]


@pytest.mark.parametrize("is_late", [False, True])
def test_a_table_takes_no_voucher_that_is_over(is_late: bool) -> None:
    play = Play().open(("1",), 1_000)
    play.at_ms = END_MS + LATE_MS if is_late else END_MS - 1
    play.do(player("1"), c.BuyCredits(seat="1", cents=AMOUNT, voucher="V-2"))
    found = misfits(MemoryEvidence(issued_for_days(), at_table("T2", play)))
    assert found == ({"T2": (5, "the time of the voucher that is redeemed was over")} if is_late else {})


@pytest.mark.parametrize(
    ("good_ms", "is_right"),
    [
        (1, False),
        (0, False),
        (-DAY_MS, False),
        (DAY_MS, True),
        (DAY_MS + 1, False),
        (MOST_VOUCHER_DAYS * DAY_MS, True),
        ((MOST_VOUCHER_DAYS + 1) * DAY_MS, False),
    ],
)
def test_a_voucher_is_good_for_as_many_days_as_a_floor_may_be_set_to(good_ms: int, is_right: bool) -> None:
    play = issued_for_days()
    records = [
        edit(record, lambda event, cause: event.update(expires_ms=cause["at_ms"] + good_ms))
        if record.kind == "credits-paid-out"
        else record
        for record in records_of(play)
    ]
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    found = misfits(evidence)
    assert (found == {}) is is_right
    assert is_right or "not for whole days from 1 to 3650" in found["T1"][1]


def test_no_voucher_is_good_where_there_is_none() -> None:
    play = Play(voucher_limit_cents=1_000).open(("1",), AMOUNT)
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    *before, record = records_of(play)
    evidence = MemoryEvidence(play)
    evidence.put(relink([*before, edit(record, lambda event, cause: event.update(expires_ms=END_MS))]))
    assert misfits(evidence)["T1"][1] == "it says until when a voucher is good, and there is none"
