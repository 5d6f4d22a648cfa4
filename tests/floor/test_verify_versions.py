"""What earlier versions of this software did and newer ones do not: it fits in their journals alone."""

from pathlib import Path

import pytest

from croupier.floor.audit.auditor import NEWER
from croupier.floor.codec import VERSIONS
from croupier.floor.loading import load_table
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import Record
from croupier.journal.sqlite import SqliteStore
from croupier.table import commands as c
from floor.audit_journal import Event, edit, of_kind, records_of, relink
from floor.test_verify_facts import judged
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player

NEWER_KINDS = {str(kind.__struct_config__.tag): version for kind, version in NEWER.items()}
versions = pytest.mark.parametrize("is_newer", [False, True], ids=["earlier", "newer"])


def as_before(records: list[Record]) -> list[Record]:
    """Records as the version before wrote them."""
    older = (*NEWER_KINDS, "seat-corrected", "table-resumed")
    return [record._replace(version=1) if record.kind in older else record for record in records]


def told(records: list[Record], *, is_newer: bool) -> str | None:
    """Why the records do not fit, as they are or as the version before wrote them; None where they do."""
    misfit = judged(Play(), records if is_newer else as_before(records))
    return None if misfit is None else misfit.reason


def put_in(records: list[Record], number: int) -> list[Record]:
    """Records of another history, with a number that their sender has not used here."""
    return [edit(record, lambda event, cause: cause.update(number=number)) for record in records]


def interrupt(play: Play) -> None:
    """A server opens the table."""
    play.wait(1)
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms))


def test_newer_records_are_of_a_version_that_is_written() -> None:
    assert all(1 < version <= VERSIONS[kind] for kind, version in NEWER_KINDS.items())


def last_round_void_late() -> list[Record]:
    """The last round is settled, then void by decision, and the table closes with credits on a seat."""
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.AnnounceLastRound())
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="1"))
    play.do(DEALER, c.ConfirmResult(result="1"))
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="power dip", round=1), SUPERVISOR)
    records = records_of(play)
    assert play.refused(SUPERVISOR, c.CloseTable()).code == "last-round-not-played"
    play.round({}, "3")
    play.do(SUPERVISOR, c.CloseTable())
    return relink([*records, *put_in(records_of(play)[-1:], 99)])


@versions
def test_a_last_round_that_is_void_late_was_played_to_earlier_versions(is_newer: bool) -> None:
    reason = told(last_round_void_late(), is_newer=is_newer)
    wrong = "the table closes, and the last round that players were told of was not played"
    assert reason == (wrong if is_newer else None)


def test_a_table_that_an_earlier_version_closed_so_is_opened_and_played(tmp_path: Path) -> None:
    play, path = Play(), tmp_path / "journal.db"
    records = as_before(last_round_void_late())
    store = SqliteStore(path)
    store.append(relink(records), [])
    loaded = load_table(store, "T1")
    assert loaded is not None
    play.state, play.numbers = loaded.state, dict.fromkeys(("dealer-1", "supervisor-1", "terminal-1"), 200)
    play.entries.clear()
    play.do(SUPERVISOR, c.OpenTable())
    play.round({"1": {"red": 1_000}}, "3")
    play.do(DEALER, c.AnnounceLastRound())
    play.round({"1": {"red": 1_000}}, "3")
    play.do(SUPERVISOR, c.CloseTable())
    store.append(relink([*records, *records_of(play)])[len(records) :], [])
    store.close()
    evidence = open_evidence(str(path))
    assert [report.first_misfit for report in verify_journal(evidence)] == [None]
    evidence.close()


def test_a_newer_version_that_takes_over_lets_players_have_their_last_round() -> None:
    records = last_round_void_late()
    play = Play()
    interrupt(play)
    (report,) = put_in(records_of(play)[-1:], 77)
    misfit = judged(Play(), [*as_before(records[:-1]), report, records[-1]])
    assert misfit is not None
    assert "the last round that players were told of was not played" in misfit.reason


@versions
def test_a_fault_behind_a_persons_word_that_the_spin_is_over_was_none_to_earlier_versions(
    is_newer: bool,
) -> None:
    play = Play().open(("1",), 10_000)
    interrupt(play)
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.FinishSpin())
    play.do(SENSOR, c.ReportWheel(fault="line-lost"))
    play.do(SENSOR, c.ReportWheel(fault=None))
    play.do(DEALER, c.EnterResult(result="1"))
    records = records_of(play)

    def by_wheel(event: Event, cause: Event) -> None:
        event["said_by"] = "wheel"
        cause.update(actor={"id": "wheel-1", "position": "wheel", "seat": None}, sender="wheel-1", number=99)

    place = of_kind(records, "result-entered") - 1
    records[place] = edit(records[place], by_wheel)
    reason = told(records, is_newer=is_newer)
    assert reason == ("the wheel had a fault in round 1, and its own result is taken" if is_newer else None)


@versions
@pytest.mark.parametrize("in_file", [False, True])
def test_new_credits_were_the_same_players_to_earlier_versions(
    is_newer: bool, in_file: bool, tmp_path: Path
) -> None:
    """The same correction pays whoever has bought new credits, and not what nobody has claimed."""
    play = Play("rws-roulette-000").open(("1",), 1_000)
    play.round({"1": {"straight:17": 1_000}}, "16")
    play.do(player("1"), c.BuyCredits(seat="1", cents=500))
    play.do(MANAGER, c.CorrectResult(round=1, result="17", reason="as the ball lies"), SUPERVISOR)
    records = records_of(play)

    def still_there(event: Event, cause: Event) -> None:
        assert event["has_left"] is True
        (posting,) = event["postings"]
        posting["destination"] = "credits/1"
        event.update(has_left=False, carried_cents=0)

    *before, corrected, raised = records
    assert (corrected.kind, raised.kind) == ("seat-corrected", "shortfall-raised")
    forged = relink([*before, edit(corrected, still_there)])
    wrong = "the player of seat 1 has left" if is_newer else None
    if not in_file:
        assert told(forged, is_newer=is_newer) == wrong
        return
    store = SqliteStore(tmp_path / "journal.db")
    store.append(relink(forged if is_newer else as_before(forged)), [])
    store.close()
    evidence = open_evidence(str(tmp_path / "journal.db"))
    for beside_from in (1, 10_000):
        (report,) = verify_journal(evidence, beside_from=beside_from)
        assert (report.first_misfit and report.first_misfit.reason) == wrong
    evidence.close()


@versions
@pytest.mark.parametrize("saw", [c.StartSpin(wheel_turning=False), c.FinishSpin(at_rest=False)])
def test_what_a_wheel_with_a_fault_saw_voided_rounds_with_earlier_versions(is_newer: bool, saw: c.Do) -> None:
    sound, faulty = (Play().open(("1",), 10_000) for _ in range(2))
    for play in (sound, faulty):
        interrupt(play)
        play.do(DEALER, c.OpenRound())
        play.do(DEALER, c.CloseBets())
        if isinstance(saw, c.FinishSpin):
            play.do(DEALER, c.StartSpin())
    begun = len(sound.entries)
    sound.do(SENSOR, saw)
    faulty.do(SENSOR, c.ReportWheel(fault="line-lost"))
    records = [*records_of(faulty), *put_in(records_of(sound)[begun:], 99)]
    reason = told(records, is_newer=is_newer)
    assert ("the wheel had a fault in round 1" in str(reason)) if is_newer else reason is None


@versions
@pytest.mark.parametrize("phase", ["betting", "spinning", "resulted"])
def test_a_halt_was_no_interruption_to_earlier_versions(is_newer: bool, phase: str) -> None:
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    if phase != "betting":
        play.to_spinning()
    if phase == "resulted":
        play.do(DEALER, c.EnterResult(result="1"))
    play.do(TIMER, c.HaltTable(reason="a fault"))
    play.wait(60)
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="looked"))
    records = records_of(play)
    assert told(records, is_newer=True) is None
    resumed = of_kind(records, "table-resumed")

    reason = told(records[:resumed] + again(play, records[resumed - 1]), is_newer=is_newer)

    wrong = "another command begins, and what the halt did to round 1 is not told"
    assert reason == (wrong if is_newer else None)


def again(play: Play, resumed: Record) -> list[Record]:
    """Somebody is seated behind a table that was resumed, as the next thing that happens."""
    play.do(DEALER, c.OpenSeat(seat="9", kind=play.rules.seat_kinds[0]))
    seated = records_of(play)[-1]
    return [seated._replace(sequence=resumed.sequence + 1, previous=resumed.hash)]
