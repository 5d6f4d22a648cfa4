"""Vouchers that expired by a clock that was ahead: a shift manager makes them payable again, at the cage."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.records import CLERK
from croupier.floor.cage.vouchers import DAY_MS, Asked, Voucher, outstanding_vouchers, why_not_taken
from croupier.floor.exports.projections import VouchersFold
from croupier.floor.live.projection import LiveProjection
from croupier.floor.significant.searching import EventQuery, search_journal
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.rulebook import BadInput
from floor.voucher_rig import Vouchers, refusal
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, START_MS, SUPERVISOR

WHY = "the clock was 40 days ahead"
MORNING_MS = START_MS + 12 * 3_600_000


class Morning(Vouchers):
    """In the evening the clock was 40 days ahead; in the morning it is right again."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.live = LiveProjection(path / "live.db", self.store)
        self.wrong = Cage(self.store, ManualClock(START_MS + 40 * DAY_MS))
        self.clock.advance(MORNING_MS - START_MS)
        self.let_expire()

    def let_expire(self) -> None:
        """The sweep by the wrong clock."""
        (ended,) = self.wrong.expire(CLERK, self.live)
        assert ended.status == "expired"

    def close(self) -> None:
        self.live.close()
        self.store.close()


@pytest.fixture
def morning(tmp_path: Path) -> Iterator[Morning]:
    given = Morning(tmp_path)
    yield given
    given.close()


def misfits(path: Path) -> list[object]:
    with closing(open_evidence(str(path / "journal.db"))) as evidence:
        return [report.first_misfit for report in verify_journal(evidence) if report.first_misfit]


def test_the_refusal_says_what_can_be_done(morning: Morning) -> None:
    with pytest.raises(BadInput) as refused:
        morning.cage.pay(morning.number, 12_345, DEALER)
    assert refused.value.code == "voucher-expired"
    assert "A shift manager can reinstate it." in str(refused.value)


def test_a_reinstated_voucher_is_outstanding_and_paid_once(morning: Morning, tmp_path: Path) -> None:
    found = morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY)
    assert (found.status, found.ended_at, found.ended_ms) == ("outstanding", None, None)
    assert morning.cage.outstanding() == [found]
    morning.live.catch_up()
    assert morning.live.outstanding(MORNING_MS, 30) == [found]

    paid = morning.cage.pay(morning.number, 12_345, DEALER)

    assert (paid.status, paid.ended_at, paid.ended_ms) == ("paid", "cage", MORNING_MS)
    assert refusal(morning.cage.pay, morning.number, 12_345, DEALER) == "voucher-paid"
    assert refusal(morning.cage.reinstate, morning.number, SHIFT_MANAGER, WHY) == "voucher-paid"
    morning.live.catch_up()
    assert morning.live.outstanding(MORNING_MS, 30) == outstanding_vouchers(morning.store, MORNING_MS) == []
    assert misfits(tmp_path) == []


def test_it_takes_a_shift_manager_and_a_reason(morning: Morning) -> None:
    for actor in (DEALER, SUPERVISOR, MANAGER):
        assert refusal(morning.cage.reinstate, morning.number, actor, WHY) == "not-allowed"
    assert refusal(morning.cage.reinstate, morning.number, SHIFT_MANAGER, " ") == "no-reason"
    assert morning.cage.find(morning.number).status == "expired"


def test_only_what_expired_too_early_is_reinstated(morning: Morning) -> None:
    end_ms = morning.cage.find(morning.number).expires_ms
    late = Cage(morning.store, ManualClock(end_ms))
    assert refusal(late.reinstate, morning.number, SHIFT_MANAGER, WHY) == "voucher-expired"
    in_time = Cage(morning.store, ManualClock(end_ms - 1))
    assert in_time.reinstate(morning.number, SHIFT_MANAGER, WHY).status == "outstanding"
    assert refusal(in_time.reinstate, morning.number, SHIFT_MANAGER, WHY) == "voucher-outstanding"
    in_time.void(morning.number, SUPERVISOR, "torn")
    assert refusal(in_time.reinstate, morning.number, SHIFT_MANAGER, WHY) == "voucher-voided"


def test_a_voucher_that_is_reinstated_ends_by_its_date_as_well(morning: Morning, tmp_path: Path) -> None:
    morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY)
    morning.let_expire()
    morning.cage.reinstate(morning.number, SHIFT_MANAGER, "and once more")
    morning.clock.advance(31 * DAY_MS)
    assert morning.cage.find(morning.number).status == "expired"
    (ended,) = morning.cage.expire(CLERK, morning.live)
    assert (ended.status, ended.ended_ms) == ("expired", morning.clock.now_ms())
    assert morning.cage.expire(CLERK, morning.live) == []
    assert [record.kind.removeprefix("voucher-") for record in morning.store.read("cage")] == [
        "expired",
        "reinstated",
        "expired",
        "reinstated",
        "expired",
    ]
    assert misfits(tmp_path) == []


def test_of_many_who_reinstate_at_once_one_does(morning: Morning, tmp_path: Path) -> None:
    outcomes: list[str] = []

    def reinstate() -> None:
        try:
            outcomes.append(morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY).status)
        except BadInput as refused:
            outcomes.append(refused.code)

    threads = [threading.Thread(target=reinstate) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["outstanding"] + ["voucher-outstanding"] * 7
    assert morning.store.head("cage").sequence == 2
    assert misfits(tmp_path) == []


def test_whoever_asks_again_gets_the_first_answer_again(morning: Morning) -> None:
    asked = Asked("window-2", 7)
    first = morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY, asked)
    assert morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY, asked) == first
    assert refusal(morning.cage.void, morning.number, SUPERVISOR, WHY, asked) == "number-reused"


def test_a_table_sends_whoever_has_it_to_the_cage(morning: Morning) -> None:
    assert why_not_taken(morning.store, morning.number, 12_345, MORNING_MS) == "voucher-expired"
    morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY)
    assert why_not_taken(morning.store, morning.number, 12_345, MORNING_MS) == "voucher-expired"
    morning.cage.pay(morning.number, 12_345, DEALER)
    assert why_not_taken(morning.store, morning.number, 12_345, MORNING_MS) == "voucher-expired"


def test_projections_have_it_as_outstanding_again(morning: Morning) -> None:
    morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY)
    fold = VouchersFold()
    for record in morning.store.read("cage"):
        fold.take_cage(record)
    (row,) = fold.rows()
    assert (row.state, row.ended_table, row.ended_sequence, row.ended_ms) == ("outstanding", None, None, None)


def test_both_are_significant_events(morning: Morning, tmp_path: Path) -> None:
    morning.cage.reinstate(morning.number, SHIFT_MANAGER, WHY)
    with closing(open_evidence(str(tmp_path / "journal.db"))) as evidence:
        events = search_journal(evidence, EventQuery(table="cage", newest_first=False)).events
    said = {event.event: (event.actor, event.position, event.what.partition(" for ")[2]) for event in events}
    assert said == {
        "voucher-expired": ("system/cage", "system", "123.45 is expired."),
        "voucher-reinstated": ("shift-1", "", f"123.45 is reinstated: {WHY}."),
    }


def test_whoever_looked_before_another_reinstated_it_does_not_do_it_again(
    morning: Morning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, looks = Cage(morning.store, morning.clock), morning.cage.find

    def look(number: str) -> Voucher:
        found = looks(number)
        monkeypatch.undo()
        other.reinstate(number, SHIFT_MANAGER, WHY)
        return found

    monkeypatch.setattr(morning.cage, "find", look)
    assert refusal(morning.cage.reinstate, morning.number, SHIFT_MANAGER, WHY) == "voucher-outstanding"
    assert morning.store.head("cage").sequence == 2
    assert misfits(tmp_path) == []
