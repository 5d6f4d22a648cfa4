"""What a halt did to the round that it met is worked out again by the auditor."""

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import Event, edit, of_kind, records_of
from floor.forged_events import force
from floor.test_verify_facts import judged
from table.rig import DEALER, SHIFT_MANAGER, TIMER, Play

RESUME = c.ResumeTable(reason="looked at")


def halted(seconds: float, *, closed: bool = False) -> Play:
    """A table that was halted for some seconds in its first round, and resumed."""
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    if closed:
        play.to_spinning()
    play.do(TIMER, c.HaltTable(reason="a sensor is out of order"))
    play.wait(seconds)
    play.do(SHIFT_MANAGER, RESUME)
    return play


def reason(play: Play, **changes: object) -> str | None:
    """Why a history does not fit in which the interruption says something else."""
    records = records_of(play)
    if changes:

        def change(event: Event, cause: Event) -> None:
            event.update(changes)

        place = of_kind(records, "table-interrupted") - 1
        records[place] = edit(records[place], change)
    misfit = judged(Play(), records)
    return None if misfit is None else misfit.reason


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("seconds", [0, 9.999, 10, 3_600, -30])
def test_halts_of_any_length_fit(seconds: float, closed: bool) -> None:
    assert reason(halted(seconds, closed=closed)) is None


def test_an_interruption_that_began_with_something_else_than_the_halt_does_not() -> None:
    play = halted(60)
    began_ms = play.at_ms - 59_000

    assert reason(play, began_ms=began_ms) == "the interruption did not begin with the halt"
    assert reason(play, length_known=False) == "the interruption did not begin with the halt"


def test_a_halt_that_voids_open_bets_is_not_told_as_one_that_leaves_them_running() -> None:
    found = reason(halted(60), consequence="continue", clause=None)

    assert found == "the interruption met betting, from which follows void, and not continue"


def test_a_short_halt_is_not_told_as_an_interruption() -> None:
    play = halted(5)
    resumed = play.entries.pop().event
    told = e.TableInterrupted(
        round=1,
        phase="betting",
        began_ms=play.at_ms - 5_000,
        ended_ms=play.at_ms,
        consequence="continue",
        notice="n",
        clause=None,
    )

    assert reason(force(play, SHIFT_MANAGER, resumed, told)) == (
        "the halt left the round running, and is told as an interruption"
    )
