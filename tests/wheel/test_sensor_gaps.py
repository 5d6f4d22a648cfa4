"""A gap in the line: what nobody heard proves nothing, neither against a spin nor for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.state import BETTING
from croupier.wheel.line import Status, write_status
from croupier.wheel.signals import BallInRim, Signal
from floor.sim_live import played
from table.rig import DEALER, SUPERVISOR
from table.scenes import MBS, RWS_A
from wheel.sensor_rig import Line, shapes
from wheel.wheel_rig import OnWheel, on_wheel

Gap = Callable[[Line], list[Signal]]


def cut(line: Line) -> list[Signal]:
    """The line is cut, and 40 s later open again."""
    signals = line.sensor.lost(line.at_ms, "unplugged")
    line.at_ms += 40_000
    return signals + line.sensor.connected(line.at_ms)


def silence(line: Line) -> list[Signal]:
    """Nothing is heard for 40 s, and that is noticed after 2."""
    signals = line.sensor.tick(line.at_ms + 2_000)
    line.at_ms += 40_000
    return signals


def jump(line: Line) -> list[Signal]:
    """The clock of the machine is set on by 40 s: the next line seems to come that much later."""
    line.at_ms += 40_000
    return []


def noise(line: Line) -> list[Signal]:
    """For 40 s nothing that is heard can be read."""
    return [signal for _ in range(80) for signal in line.raw(b"?", 500)]


gaps = pytest.mark.parametrize("gap", [cut, silence, jump, noise])


def irregular(signals: list[Signal]) -> list[str]:
    return [one for one in shapes(signals) if one.startswith("irregular")]


def faults(signals: list[Signal]) -> set[str]:
    return {one for one in shapes(signals) if one.startswith("fault")}


OF_THE_LINE = ({"fault line-lost"}, {"fault line-garbled"})


@gaps
def test_a_ball_that_was_out_of_sight_before_the_gap_and_behind_it_is_not_gone(gap: Gap) -> None:
    line = Line().to(4)
    line.say(4, flags=1)
    signals = gap(line) + line.say(4, 11)
    assert irregular(signals) == [], "the eleventh line comes 5 s after the first behind the gap"
    assert irregular(line.say(4)) == ["irregular ball-out"], "what is heard in full counts as ever"


@gaps
def test_the_flag_of_a_failed_launch_has_its_3_seconds_after_a_gap(gap: Gap) -> None:
    line = Line().to(2)
    line.say(3, 2, flags=8)
    assert irregular(gap(line) + line.say(3, 7)) == []
    assert irregular(line.say(3)) == ["irregular too-few-revolutions"]


@gaps
def test_a_launch_that_fails_after_a_gap_is_not_one_of_the_spin_before_it(gap: Gap) -> None:
    line = Line().to(3)
    assert irregular(gap(line) + line.say(2, 3, flags=8)) == []


@gaps
def test_a_spin_that_is_long_over_is_not_stuck(gap: Gap) -> None:
    line = Line().to(4)
    line.say(4, 200)
    assert faults(gap(line) + line.say(4, 100)) in OF_THE_LINE


@gaps
@pytest.mark.parametrize("old", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("new", [1, 2, 3, 4, 5])
def test_a_wheel_that_has_gone_on_in_the_gap_has_no_other_fault(gap: Gap, old: int, new: int) -> None:
    line = Line().to(old)
    signals = gap(line) + line.say(new, 2, spins=20, pocket="30")
    assert faults(signals) in OF_THE_LINE
    assert "Cleared" in shapes(signals)
    assert irregular(signals) == []


@gaps
@pytest.mark.parametrize("state", [3, 4])
def test_another_spin_that_is_heard_behind_the_gap_is_told_and_gives_no_result(gap: Gap, state: int) -> None:
    line = Line().to(state)
    begun = "BallInRim" if state == 3 else "NoMoreBets"
    assert begun in shapes(gap(line) + line.say(state, 2, spins=8, pocket="20"))
    line.say(4, 2)
    assert shapes(line.say(5, 3, spins=9, pocket="30")) == ["rest None"]
    assert shapes(line.say(2)) == ["Ready"]


@gaps
@pytest.mark.parametrize("state", [3, 4])
def test_the_same_spin_is_not_told_twice_and_gives_no_result(gap: Gap, state: int) -> None:
    line = Line().to(state)
    assert not {"BallInRim", "NoMoreBets"} & {*shapes(gap(line) + line.say(state, 2))}
    for later in range(state + 1, 5):
        line.say(later, 2)
    assert shapes(line.end()) == ["rest None"]


@gaps
def test_the_spin_behind_the_gap_is_no_longer_void(gap: Gap) -> None:
    line = Line().to(2)
    assert "irregular same-direction" in shapes(line.say(3, 2, flags=2))
    gap(line)
    assert "BallInRim" in shapes(line.say(3, 2, spins=8, pocket="20", flags=0))
    assert shapes(line.say(4)) == ["NoMoreBets"]
    assert shapes(line.say(5, 3, spins=9, pocket="30")) == ["rest None"]


@gaps
def test_the_result_of_another_spin_does_not_contradict_the_one_before_the_gap(gap: Gap) -> None:
    line = Line().to(5)
    signals = gap(line) + line.say(5, 3, spins=9, pocket="20")
    assert faults(signals) in OF_THE_LINE
    assert "rest None" in shapes(signals)


@gaps
def test_nor_does_a_bare_result_contradict_one_of_before_the_gap(gap: Gap) -> None:
    line = Line().to(4)
    line.raw(b"17")
    signals = gap(line) + line.say(4, 2, spins=8, pocket="17") + line.raw(b"20")
    assert faults(signals + line.say(5, 3, spins=9, pocket="20")) in OF_THE_LINE


@gaps
@pytest.mark.parametrize("state", [2, 3, 4, 5])
def test_a_bare_result_that_comes_first_after_a_gap_says_nothing(gap: Gap, state: int) -> None:
    line = Line().to(state)
    assert faults(gap(line) + line.raw(b" 1", 100) + line.raw(b"20", 100)) in OF_THE_LINE
    assert shapes(line.say(5, 3, spins=9, pocket="30"))[0] == "rest None"


@gaps
def test_a_wheel_that_says_no_speed_after_the_gap_is_not_taken_for_one_that_stands_still(gap: Gap) -> None:
    line = Line().to(5)
    gap(line)
    line.say(2, 2, rotor_tenths_rpm=0)
    rim = next(signal for signal in line.say(3) if isinstance(signal, BallInRim))
    assert rim.wheel_turning is None


@gaps
@pytest.mark.parametrize(("state", "fault"), [(6, "fault shut"), (7, "fault ball-missing")])
def test_a_wheel_that_is_out_of_play_after_the_gap_is_told_so(gap: Gap, state: int, fault: str) -> None:
    for before in (2, state):
        line = Line().to(2)
        line.say(before, 2)
        assert fault in faults(gap(line) + line.say(state, 2))
        assert line.say(state, 3) == []
        assert line.sensor.fault == fault.removeprefix("fault ")


@gaps
def test_the_next_spin_after_a_gap_counts(gap: Gap) -> None:
    line = Line().to(3)
    gap(line)
    line.say(2, 3, spins=8, pocket="20")
    line.say(3, 2)
    line.say(4, 2)
    assert shapes(line.say(5, 3, spins=9, pocket="30")) == ["rest 30"]


def test_two_lines_with_a_gap_between_them_are_not_two_in_a_row() -> None:
    line = Line().to(2)
    silence(line)
    assert line.say(2) == []
    line.at_ms += 5_000
    assert line.say(2) == []
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


def test_answers_without_a_status_are_a_gap() -> None:
    line = Line().to(3)
    assert [signal for _ in range(5) for signal in line.raw(b"*T 37", 500)] == []
    assert shapes(line.say(3)) == ["fault line-lost"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


def test_a_line_that_is_opened_anew_was_lost() -> None:
    line = Line().to(3)
    assert shapes(line.sensor.connected(line.at_ms)) == ["fault line-lost"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


# At a table.


async def dropping(path: Path) -> tuple[OnWheel, Line]:
    """A round with a bet whose ball drops, out of sight, on a wheel with a line."""
    on, line = await on_wheel(path, MBS), Line()
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", MBS.bet, 1_000)
    await on.say(*line.say(2, 2))
    await on.live.do(DEALER, c.CloseBets())
    await on.say(*line.say(2, 2), *line.say(3, 2), *line.say(4, flags=1))
    return on, line


@gaps
@played
async def test_a_round_is_not_void_by_a_gap_and_the_dealer_states_its_result(
    tmp_path: Path, gap: Gap
) -> None:
    on, line = await dropping(tmp_path)
    await on.say(*gap(line), *line.say(4, 3), *line.say(5, 3, spins=8, pocket="17", flags=0))
    assert on.happened(e.RoundVoided) == on.happened(e.ResultEntered) == []
    assert on.happened(e.SpinFinished)[0].pocket is None
    await on.live.do(DEALER, c.EnterResult(result="17"), SUPERVISOR)
    await on.live.do(DEALER, c.ConfirmResult(result="17"))
    assert on.refusals() == []
    await on.live.stop()


@played
async def test_one_damaged_line_that_comes_twice_enters_no_result(tmp_path: Path) -> None:
    on, line = await dropping(tmp_path)
    damaged = write_status(Status(state=5, **line.facts | {"spins": 8, "pocket": "16", "flags": 0}))
    await on.say(*line.raw(damaged, 500), *line.raw(damaged, 5))
    await on.say(*line.say(5, 3, spins=8, pocket="17", flags=0))
    assert on.happened(e.ResultEntered) == []
    assert [report.fault for report in on.happened(e.WheelReported)] == ["results-differ"]
    await on.live.stop()


@pytest.mark.parametrize("is_void", [False, True])
@played
async def test_bets_close_on_a_ball_whose_state_2_was_not_heard(tmp_path: Path, is_void: bool) -> None:
    """Nobody bets while the ball drops, whatever became of the spin before."""
    on, line = await on_wheel(tmp_path, RWS_A), Line(38)
    await on.live.do(DEALER, c.OpenRound())
    await on.live.bet("1", RWS_A.bet, 1_000)
    await on.say(*line.say(2, 3), *line.say(3, 5, flags=2 if is_void else 0))
    await on.say(*line.say(4, 3, flags=0), *line.say(5, 3, spins=8, pocket="17"))
    assert bool(on.happened(e.RoundVoided)) is is_void
    if not is_void:
        await on.live.do(DEALER, c.ConfirmResult(result="17"))
    await on.live.do(DEALER, c.OpenRound())
    await on.say(*line.raw(b"*X;2;0#8;17;0;251;1", 500), *line.raw(b"*X;2;0#8;17;0;251;1", 500))
    await on.say(*line.say(3, 4))
    assert on.live.run.state.round is not None
    assert (on.live.run.state.round.number, on.live.run.state.round.phase) == (2, BETTING)
    await on.say(*line.say(4))
    assert on.live.run.state.round.phase != BETTING
    await on.live.stop()
