"""Calls for an attendant are verified like everything else: forged calls and answers are found."""

from collections.abc import Callable
from typing import Any

import pytest

from croupier.table import commands as c
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, records_of, relink
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player

Change = Callable[[Event, Event], None]
ONE, TWO = player("1"), player("2")


def called() -> Play:
    """Calls answered, withdrawn, paid by hand, answered at a halted table, and closed with a seat."""
    play = Play(voucher_limit_cents=5_000).open(("1", "2"), 10_000)
    play.do(ONE, c.CallAttendant(seat="1", reason="buy-in"))
    play.wait(30)
    play.do(DEALER, c.AnswerCall(seat="1"))
    play.do(TWO, c.CallAttendant(seat="2"))
    play.do(TWO, c.AnswerCall(seat="2"))
    play.do(DEALER, c.CallAttendant(seat="1", reason="payout"))
    play.do(ONE, c.CashOut(seat="1", voucher="V-1"))
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    play.do(TIMER, c.HaltTable(reason="stuck"))
    play.do(TWO, c.CallAttendant(seat="2", reason="terminal"))
    play.do(DEALER, c.AnswerCall(seat="2"))
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked"))
    play.do(ONE, c.CallAttendant(seat="1"))
    play.wait(10)
    play.do(DEALER, c.CloseSeat(seat="1"))
    return play


def put(**facts: Any) -> Change:
    return lambda event, cause: event.update(facts)


def by(who: str, position: str, seat: str | None = None) -> Change:
    return lambda event, cause: cause["actor"].update(id=who, position=position, seat=seat)


def nth(kind: str, number: int) -> int:
    return [record.sequence for record in records_of(called()) if record.kind == kind][number]


def misfit(kind: str, number: int, change: Change | None) -> tuple[int, str] | None:
    """Where and why a journal does not fit in which one record is changed, or left out."""
    play, place = called(), nth(kind, number)
    records = [
        edit(record, change) if record.sequence == place and change is not None else record
        for record in records_of(play)
        if record.sequence != place or change is not None
    ]
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    found = first_misfit(evidence)
    return None if found is None else (found.sequence, found.reason)


def test_the_untouched_journal_fits() -> None:
    assert first_misfit(MemoryEvidence(called())) is None


@pytest.mark.parametrize(
    ("kind", "number", "change", "why"),
    [
        ("attendant-called", 0, put(reason="gossip"), "nobody calls an attendant for 'gossip'"),
        ("attendant-called", 0, put(since_ms=12), "and it says 12"),
        ("attendant-called", 2, put(seat="7"), "seat 7 is not in use"),
        ("attendant-called", 0, put(seat="2"), "is a player at seat 1 and acts for seat 2"),
        ("attendant-called", 0, by("system/T1", "system"), "it takes a dealer, and system/T1 is a system"),
        ("attendant-called", 2, by("guest-1", "guest"), "it takes a dealer, and guest-1 is a guest"),
        ("call-ended", 0, put(since_ms=12), "and it says 12"),
        ("call-ended", 0, put(how="withdrawn"), "by a dealer it is answered"),
        ("call-ended", 0, by("terminal-1", "player", "1"), "by a player it is withdrawn"),
        ("call-ended", 0, by("terminal-2", "player", "2"), "acts for seat 1"),
        ("call-ended", 0, by("wheel-1", "wheel"), "it takes a dealer, and wheel-1 is a wheel"),
        ("call-ended", 0, put(seat="2"), "no attendant was called to seat 2"),
        ("call-ended", 1, put(how="answered"), "by a player it is withdrawn"),
    ],
)
def test_a_forged_call_is_found(kind: str, number: int, change: Change, why: str) -> None:
    found = misfit(kind, number, change)
    assert found is not None
    assert found[0] == nth(kind, number)
    assert why in found[1]


def test_a_call_that_was_taken_out_is_missed_by_its_end() -> None:
    found = misfit("attendant-called", 0, None)
    assert found is not None
    assert "no attendant was called to seat 1" in found[1]


def test_an_answer_that_was_taken_out_is_missed_by_the_next_call() -> None:
    found = misfit("call-ended", 0, None)
    assert found is not None
    assert "an attendant is called to seat 1 already" in found[1]


@pytest.mark.parametrize("number", [2, 4], ids=["paid by hand", "seat closed"])
def test_who_pays_by_hand_or_takes_a_seat_out_of_use_has_answered_its_call(number: int) -> None:
    found = misfit("call-ended", number, None)
    assert found is not None
    assert "the call of seat 1 is not answered" in found[1]
