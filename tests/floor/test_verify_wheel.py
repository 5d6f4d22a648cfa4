"""What a wheel reports of itself is verified like everything else: forged reports and results are found."""

from collections.abc import Callable
from typing import Any

import pytest

from croupier.table import Actor
from croupier.table import commands as c
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, records_of, relink
from table.rig import DEALER, SENSOR, SUPERVISOR, TIMER, Play

HASH = "5e" * 32
Change = Callable[[Event, Event], None]


def reported() -> Play:
    """Round 1 has a commitment and a fault; in round 2 the sensor is later than the dealer and disagrees."""
    play = Play().open()
    play.do(DEALER, c.OpenRound())
    play.do(SENSOR, c.CommitSpin(commitment=HASH))
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    play.do(SENSOR, c.ReportWheel(fault="line-lost", detail="silent"))
    play.do(TIMER, c.ReportWheel(fault=None))
    play.do(SENSOR, c.FinishSpin(rotor_tenths_rpm=240))
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))
    play.do(SENSOR, c.OpenCommitment(round=1, opening="1"))
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="20"))
    play.do(SENSOR, c.FinishSpin(pocket="17", diamond=3))
    play.do(SUPERVISOR, c.ConfirmResult(result="20"), DEALER)
    play.do(SENSOR, c.ReportWheel(fault="ball-missing"))
    return play


def put(**facts: Any) -> Change:
    return lambda event, cause: event.update(facts)


def by(actor: str, position: str) -> Change:
    return lambda event, cause: cause.update(actor={"id": actor, "position": position, "seat": None})


def said_by_wheel(event: Event, cause: Event) -> None:
    event["said_by"] = "wheel"
    by("wheel-1", "wheel")(event, cause)


def nth(kind: str, number: int) -> int:
    found = [record.sequence for record in records_of(reported()) if record.kind == kind]
    return found[number]


def misfit(kind: str, number: int, change: Change | None, drop: bool = False) -> tuple[int, str] | None:
    """What is found after a record was changed or dropped and the chain made anew."""
    play, place = reported(), nth(kind, number)
    records = [
        edit(record, change) if record.sequence == place and change is not None else record
        for record in records_of(play)
        if not (drop and record.sequence == place)
    ]
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    found = first_misfit(evidence)
    return None if found is None else (found.sequence, found.reason)


def test_the_untouched_journal_fits() -> None:
    evidence = MemoryEvidence(reported())
    assert first_misfit(evidence) is None


@pytest.mark.parametrize(
    ("kind", "number", "change", "why"),
    [
        ("wheel-reported", 0, put(fault="rain"), "a wheel has no fault 'rain'"),
        ("wheel-reported", 0, put(round=2), "which does not run"),
        ("wheel-reported", 0, by("dealer-1", "dealer"), "only the wheel itself reports this"),
        ("wheel-reported", 0, put(fault=None), "the wheel's fault is None already"),
        ("wheel-reported", 2, put(fault=None), "the wheel's fault is None already"),
        ("spin-committed", 0, by("system/T1", "system"), "only the wheel itself reports this"),
        ("commitment-opened", 0, put(round=2), "has no commitment that can be opened here"),
        ("commitment-opened", 0, by("dealer-1", "dealer"), "only the wheel itself reports this"),
        ("result-entered", 0, said_by_wheel, "the wheel had a fault in round 1"),
        ("result-entered", 0, put(sensor="agreed"), "and it says agreed"),
        ("result-confirmed", 1, put(against_sensor=False), "as if it did not matter"),
        ("spin-finished", 0, put(pocket="1"), "the wheel had a fault in round 1"),
        ("spin-finished", 1, put(pocket=None), "cannot end here"),
        ("round-settled", 1, by("dealer-1", "dealer"), "part before it is missing"),
    ],
)
def test_a_forged_report_is_found(kind: str, number: int, change: Change, why: str) -> None:
    found = misfit(kind, number, change)
    assert found is not None
    assert found[0] == nth(kind, number)
    assert why in found[1]


def test_a_confirmation_against_a_late_sensor_takes_a_supervisor() -> None:
    play, place = reported(), nth("result-confirmed", 1)

    def by_dealer(event: Event, cause: Event) -> None:
        by("dealer-1", "dealer")(event, cause)

    records = [edit(record, by_dealer) if record.sequence >= place else record for record in records_of(play)]
    evidence = MemoryEvidence(play)
    evidence.put(relink(records[: place + 1]))
    found = first_misfit(evidence)
    assert found is not None
    assert "20 against the sensor's 17 takes" in found.reason


def test_a_commitment_that_was_taken_out_is_missed_by_its_opening() -> None:
    found = misfit("spin-committed", 0, None, drop=True)
    assert found is not None
    assert "has no commitment that can be opened here" in found[1]


ENTERED = c.EnterResult(result="1")
SEEN = {"spin-started": c.StartSpin(wheel_turning=False), "spin-finished": c.FinishSpin(revolutions=1)}


def spun_by_hand() -> Play:
    play = Play().open()
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.do(DEALER, c.CloseBets())
    play.do(DEALER, c.StartSpin())
    return play


def voided_behind(kind: str, *done: tuple[Actor, c.Do]) -> str | None:
    """What is found where the wheel voids the round by what it saw, behind what was done before."""
    play, other = spun_by_hand(), spun_by_hand()
    begun = len(play.entries)
    play.do(SENSOR, SEEN[kind])
    for actor, do in done:
        other.do(actor, do)
    void = [edit(record, lambda event, cause: cause.update(number=99)) for record in records_of(play)[begun:]]
    evidence = MemoryEvidence(other)
    evidence.put(relink([*records_of(other), *void]))
    found = first_misfit(evidence)
    return None if found is None else found.reason


@pytest.mark.parametrize("kind", SEEN)
def test_what_the_wheel_saw_behind_the_dealer_voids_the_round(kind: str) -> None:
    assert voided_behind(kind) is None


@pytest.mark.parametrize("kind", SEEN)
@pytest.mark.parametrize("is_over", [False, True])
def test_what_a_wheel_with_a_fault_saw_late_voids_nothing(kind: str, is_over: bool) -> None:
    reports = [(SENSOR, c.ReportWheel(fault="line-lost")), (TIMER, c.ReportWheel(fault=None))][: 1 + is_over]
    entered = [] if kind == "spin-started" else [(DEALER, ENTERED)]
    reason = voided_behind(kind, *reports, *entered)
    assert reason is not None
    assert "the wheel had a fault in round 1" in reason


@pytest.mark.parametrize("do", [ENTERED, c.FinishSpin()])
def test_a_launch_behind_the_end_of_the_spin_is_found(do: c.Do) -> None:
    reason = voided_behind("spin-started", (DEALER, do))
    assert reason == "the spin of round 1 has begun already"
