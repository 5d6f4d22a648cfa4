"""What is wrong with a line or a wheel: states out of order, counts, silence, garbage, repeats."""

import pytest

from croupier.wheel.line import Status, write_status
from croupier.wheel.sensor import Sensor
from croupier.wheel.signals import BallInRim, Fault
from wheel.sensor_rig import Line, shapes


@pytest.mark.parametrize("state", [3, 4, 5])
def test_a_wheel_that_is_heard_first_in_the_middle_of_a_spin(state: int) -> None:
    line = Line()
    assert shapes(line.say(state))[0] == "fault wrong-order"
    for later in range(state + 1, 5):
        line.say(later, 2)
    assert "rest None" in shapes(line.end()) or state == 5
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


@pytest.mark.parametrize(("old", "new"), [(1, 3), (1, 4), (2, 4), (2, 5), (3, 5), (4, 3), (5, 3), (5, 4)])
def test_states_that_do_not_follow_one_another(old: int, new: int) -> None:
    assert shapes(Line().to(old).say(new))[0] == "fault wrong-order"


@pytest.mark.parametrize("old", [3, 4])
@pytest.mark.parametrize("new", [1, 2, 6])
def test_a_wheel_that_restarts_in_mid_spin(old: int, new: int) -> None:
    line = Line().to(old)
    shown = shapes(line.say(new, 2))
    assert shown[0] == "fault restarted"
    assert not any("irregular" in one for one in shown)
    assert shapes(line.say(1, 2) + line.say(2, 2))[-1] == "Ready"


def test_state_7_is_a_missing_ball() -> None:
    line = Line().to(4)
    assert shapes(line.say(7, 3)) == ["fault ball-missing"]
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


@pytest.mark.parametrize("state", [2, 3, 4])
def test_a_count_that_jumps(state: int) -> None:
    line = Line().to(state)
    assert "fault counter-jumped" in shapes(line.say(state, spins=10))


def test_a_count_that_jumps_leaves_the_result_to_the_dealer() -> None:
    line = Line().to(4)
    line.say(4, spins=10)
    assert shapes(line.say(5, 3, spins=11, pocket="17")) == ["rest None"]


@pytest.mark.parametrize("spins", [0, 1])
def test_a_count_that_begins_anew_is_a_restart(spins: int) -> None:
    assert "fault restarted" in shapes(Line().to(3).say(3, spins=spins))


def test_a_count_that_wraps_is_not_a_jump() -> None:
    line = Line()
    line.facts["spins"] = 256
    line.to(4)
    line.facts["spins"] = 256
    assert shapes(line.say(5, 2, spins=1, pocket="17"))[-1] == "rest 17"


def test_a_result_before_that_changes_by_itself() -> None:
    line = Line().to(3)
    assert shapes(line.say(3, pocket="20")) == ["fault results-differ"]


def test_a_spin_that_never_ends() -> None:
    line = Line().to(4)
    assert line.say(4, 238) == []
    assert shapes(line.say(4, 5)) == ["fault line-stuck"]


def test_a_wheel_that_waits_for_a_long_time_is_not_stuck() -> None:
    assert set(shapes(Line().to(2).say(2, 1_000))) == {"Ready"}


# The line.


def test_silence_is_a_fault_after_2_seconds_and_over_after_two_lines() -> None:
    line = Line().to(3)
    assert line.sensor.due_ms == line.at_ms + 2_000
    assert line.sensor.tick(line.at_ms + 1_999) == []
    assert shapes(line.sensor.tick(line.at_ms + 2_000)) == ["fault line-lost"]
    assert line.sensor.tick(line.at_ms + 9_000) == [], "once"
    line.at_ms += 9_000
    assert line.say(3) == []
    assert shapes(line.say(3)) == ["Cleared"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"], "nobody heard all of it"


def test_silence_that_nobody_ticked_is_noticed_with_the_next_line() -> None:
    line = Line().to(3)
    line.at_ms += 3_000
    assert shapes(line.say(3)) == ["fault line-lost"]


def test_garbage_is_a_fault_and_two_good_lines_end_it() -> None:
    line = Line().to(3)
    (fault,) = line.raw(b"\xffgarbage", 100)
    assert fault == Fault(at_ms=line.at_ms, code="line-garbled", detail=r"cannot read '\\xffgarbage'")
    assert line.say(3) == []
    assert shapes(line.say(3)) == ["Cleared"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


def test_garbage_between_two_spins_costs_nothing() -> None:
    line = Line().to(2)
    line.raw(b"?")
    assert shapes(line.say(2, 3)) == ["Cleared", "Ready", "Ready"]
    line.say(3, 2)
    line.say(4, 2)
    assert shapes(line.end()) == ["rest 17"]


def test_garbage_right_before_the_launch_costs_the_result() -> None:
    line = Line().to(2)
    line.raw(b"?")
    assert shapes(line.say(3, 2)) == ["BallInRim", "Cleared"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


def test_the_first_piece_of_a_line_that_was_just_opened_may_be_half_of_one() -> None:
    line = Line()
    assert line.raw(b"51;1") == []
    assert shapes(line.raw(b"51;1")) == ["fault line-garbled"]


def test_what_cannot_be_read_on_a_line_that_was_lost_is_told_when_it_lasts() -> None:
    line = Line()
    for _ in range(3):
        line.sensor.lost(line.at_ms, "it hung up")
        line.sensor.connected(line.at_ms)
        assert [line.raw(b"in use", 500) for _ in range(19)] == [[]] * 19
        assert line.sensor.fault == "line-lost"
    assert shapes(line.raw(b"in use", 500)) == ["fault line-garbled"]
    assert shapes(line.say(1, 2)) == ["Cleared"]


def test_noise_between_silences_is_not_told_again_and_again() -> None:
    line = Line().to(2)
    signals = [signal for _ in range(20) for signal in line.raw(b"?", 3_000)]
    assert shapes(signals) == ["fault line-lost"]


@pytest.mark.parametrize("tail", [b"1", b"17;0;251;1"])
def test_so_may_it_be_when_the_line_was_opened_again(tail: bytes) -> None:
    line = Line().to(3)
    line.sensor.lost(line.at_ms, "unplugged")
    line.sensor.connected(line.at_ms)
    assert line.raw(tail) == []


def test_a_lost_connection_is_a_fault_with_its_reason() -> None:
    sensor = Sensor(37)
    assert sensor.due_ms is None
    assert sensor.lost(5, "No such file") == [Fault(at_ms=5, code="line-lost", detail="No such file")]
    assert sensor.lost(6, "No such file") == []


def test_a_line_that_comes_twice_changes_nothing() -> None:
    line = Line().to(2)
    for state in (3, 4):
        once = line.say(state)
        assert len(once) == 1
        assert line.raw(write_status(Status(state=state, **line.facts))) == []


def test_a_line_that_comes_again_and_again_at_once_is_a_fault() -> None:
    line = Line().to(3)
    same = write_status(Status(state=3, **line.facts))
    shown = shapes([signal for _ in range(6) for signal in line.raw(same, 10)])
    assert shown == ["fault line-repeated"]
    assert shapes(line.say(3, 4)) == ["Cleared"]
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


def test_equal_lines_in_their_own_time_are_no_repeats() -> None:
    assert Line().to(3).say(3, 50) == []


def test_an_old_line_in_between() -> None:
    line = Line().to(4)
    old = line.raw(write_status(Status(state=2, **line.facts)), 10)
    assert shapes(old)[0] == "fault restarted"
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


# A spin whose state 2 was not heard.


def voided() -> Line:
    """A void spin that has come to its end."""
    line = Line().to(2)
    assert "irregular same-direction" in shapes(line.say(3, 3, flags=2))
    line.say(4, 3, flags=0)
    line.say(5, 3, spins=8, pocket="17")
    return line


@pytest.mark.parametrize("line", [voided(), Line().to(5)], ids=["void", "sound"])
def test_a_spin_that_follows_unheard_is_told_from_its_launch_to_its_rest(line: Line) -> None:
    assert shapes(line.say(3, 4)) == ["fault wrong-order", "BallInRim"]
    assert shapes(line.say(4, 4)) == ["NoMoreBets"]
    assert shapes(line.say(5, 3, spins=9, pocket="22")) == ["rest None"]
    assert shapes(line.say(2, 2)) == ["Cleared", "Ready", "Ready"]


def test_a_damaged_line_of_state_4_makes_no_other_spin_of_a_void_one() -> None:
    line = Line().to(2)
    line.say(3, 3, flags=2)
    assert shapes(line.say(4)) == ["NoMoreBets"]
    assert shapes(line.say(3, 3)) == ["fault wrong-order"]
    assert shapes(line.say(4, 3)) == ["NoMoreBets"]
    assert line.end() == []


@pytest.mark.parametrize("flags", [0, 2])
@pytest.mark.parametrize("state", [3, 4])
def test_one_damaged_line_of_state_2_makes_no_whole_spin_of_the_rest(state: int, flags: int) -> None:
    line = Line().to(2)
    for reached in range(3, state + 1):
        line.say(reached, 2, flags=flags)
    shown = shapes(line.say(2, flags=0) + line.raw(write_status(Status(state=2, **line.facts)), 5))
    assert "Ready" not in shown
    line.say(3, 3)
    line.say(4, 3)
    assert shapes(line.end()) == ["rest None"]
    assert "Ready" in shapes(line.say(2))


@pytest.mark.parametrize("state", [3, 4])
def test_a_wheel_that_waits_after_a_void_spin_is_believed_the_second_time(state: int) -> None:
    line = Line().to(2)
    for reached in range(3, state + 1):
        line.say(reached, 3, flags=2)
    assert shapes(line.say(2, 3, flags=0)) == ["Ready", "Ready"]
    line.say(3, 3)
    line.say(4, 3)
    assert shapes(line.end()) == ["rest 17"]


@pytest.mark.parametrize(("state", "fault"), [(6, "fault shut"), (7, "fault ball-missing")])
def test_a_wheel_that_is_out_of_play_still_is_after_a_line_that_cannot_be_read(
    state: int, fault: str
) -> None:
    line = Line().to(5)
    assert shapes(line.say(state, 3)) == [fault]
    assert shapes(line.raw(b"?")) == ["fault line-garbled"]
    assert shapes(line.say(state, 5)) == [fault]
    assert shapes(line.say(1)) == ["Cleared"]


def test_a_wheel_that_never_says_its_speed_is_not_taken_for_one_that_stands_still() -> None:
    line = Line()
    line.say(2, rotor_tenths_rpm=0)
    (rim,) = line.say(3)
    assert isinstance(rim, BallInRim)
    assert rim.wheel_turning is None


def test_a_wheel_that_stops_before_the_launch_stands_still() -> None:
    line = Line().to(2)
    (rim,) = line.say(3, rotor_tenths_rpm=0)
    assert isinstance(rim, BallInRim)
    assert rim.wheel_turning is False


def test_faults_that_replace_one_another_end_together() -> None:
    line = Line().to(3)
    line.say(3, spins=20)
    line.raw(b"?")
    assert line.sensor.fault == "line-garbled"
    assert shapes(line.say(3, 2)) == ["Cleared"]
    line.say(4, 2)
    assert shapes(line.say(5, 3, spins=21, pocket="17")) == ["rest None"]
    assert shapes(line.say(2)) == ["Ready"]
