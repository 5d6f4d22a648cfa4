"""What lines mean, one after the other: the order of states, flags, counts, results, and silence."""

from typing import Any

import pytest

from croupier.wheel.line import Status, write_status
from croupier.wheel.sensor import Sensor
from croupier.wheel.signals import (
    AtRest,
    BallInRim,
    Fault,
    Irregular,
    NoMoreBets,
    Ready,
    Signal,
)

START_MS = 1_000_000


class Line:
    """A sensor that hears a line every half second."""

    def __init__(self, pockets: int = 37) -> None:
        self.sensor = Sensor(pockets)
        self.at_ms = START_MS
        self.facts: dict[str, Any] = {
            "spins": 7,
            "pocket": "3",
            "flags": 0,
            "rotor_tenths_rpm": 251,
            "direction": "clockwise",
        }
        self.sensor.connected(self.at_ms)

    def say(self, state: int, times: int = 1, **facts: Any) -> list[Signal]:
        """So many status lines; facts stay until they are said otherwise."""
        self.facts.update(facts)
        signals: list[Signal] = []
        for _ in range(times):
            self.at_ms += 500
            signals += self.sensor.hear(write_status(Status(state=state, **self.facts)), self.at_ms)
        return signals

    def raw(self, line: bytes, wait_ms: int = 0) -> list[Signal]:
        self.at_ms += wait_ms
        return self.sensor.hear(line, self.at_ms)

    def to(self, state: int) -> "Line":
        """Says everything up to two lines of a state."""
        for reached in range(1, state + 1):
            facts = {"spins": 8, "pocket": "17"} if reached == 5 else {}
            self.say(reached, 2, **facts)
        return self

    def end(self, pocket: str = "17") -> list[Signal]:
        return self.say(5, 3, spins=8, pocket=pocket)


def shapes(signals: list[Signal]) -> list[str]:
    """What the signals are, without times."""
    shown = []
    for signal in signals:
        match signal:
            case Fault():
                shown.append(f"fault {signal.code}")
            case Irregular():
                shown.append(f"irregular {signal.cause}")
            case AtRest():
                shown.append(f"rest {signal.pocket}")
            case _:
                shown.append(type(signal).__name__)
    return shown


def test_a_spin_from_beginning_to_end() -> None:
    line = Line()
    assert shapes(line.say(6)) == ["fault shut"]
    assert shapes(line.say(1, 2)) == ["Cleared"]
    assert shapes(line.say(2, 2)) == ["Ready", "Ready"]
    (rim,) = line.say(3)
    assert rim == BallInRim(at_ms=line.at_ms, wheel="clockwise", wheel_turning=True, rotor_tenths_rpm=251)
    assert line.say(3, 10) == []
    assert line.say(4) == [NoMoreBets(at_ms=line.at_ms)]
    assert line.say(4, 10) == []
    assert line.say(5, spins=8, pocket="17", rotor_tenths_rpm=243) == []
    assert line.say(5) == [AtRest(at_ms=line.at_ms, pocket="17", rotor_tenths_rpm=243)]
    assert line.say(5, 5) == []
    assert shapes(line.say(2, 2)) == ["Ready", "Ready"]


def test_a_wheel_may_go_through_state_1_between_two_games() -> None:
    line = Line().to(5)
    assert line.say(1, 3) == []
    assert shapes(line.say(2)) == ["Ready"]


def test_ready_says_how_many_pockets_and_that_it_is_true_of_its_moment() -> None:
    assert Line(38).say(2) == [Ready(at_ms=START_MS + 500, pockets=38, until_launch=False)]


def test_a_bare_result_confirms_the_first_status_with_it() -> None:
    line = Line().to(4)
    assert line.raw(b"17") == []
    assert shapes(line.say(5, spins=8, pocket="17")) == ["rest 17"]
    assert line.raw(b"17") == [], "it may come again"


@pytest.mark.parametrize("written", ["38", "00", " 0"])
def test_the_zeros_stay_apart_to_the_end(written: str) -> None:
    pocket = {"38": "000", "00": "00", " 0": "0"}[written]
    line = Line(39).to(4)
    line.raw(written.encode())
    assert shapes(line.say(5, spins=8, pocket=pocket)) == [f"rest {pocket}"]


def test_a_bare_result_that_disagrees_is_an_irregularity_and_not_a_choice() -> None:
    line = Line().to(4)
    line.raw(b"20")
    assert shapes(line.say(5, 3, spins=8, pocket="17")) == ["fault results-differ", "rest None"]
    assert shapes(line.say(2, 2)) == ["Cleared", "Ready", "Ready"]


def test_two_bare_results_that_differ() -> None:
    line = Line().to(4)
    line.raw(b"20")
    assert shapes(line.raw(b"17")) == ["fault results-differ"]
    assert shapes(line.end()) == ["rest None"]


def test_a_bare_result_after_the_end_that_differs() -> None:
    line = Line().to(5)
    assert shapes(line.raw(b"20")) == ["fault results-differ"]


@pytest.mark.parametrize("state", [1, 2, 3])
def test_a_bare_result_at_another_time(state: int) -> None:
    assert shapes(Line().to(state).raw(b"20")) == ["fault wrong-order"]


def test_a_result_that_changes() -> None:
    line = Line().to(4)
    line.say(5, spins=8, pocket="17")
    assert shapes(line.say(5, pocket="20")) == ["fault results-differ", "rest None"]
    assert shapes(line.say(5, 3)) == []


def test_a_result_that_changes_after_it_was_told() -> None:
    line = Line().to(5)
    assert shapes(line.say(5, pocket="20")) == ["fault results-differ"]


def test_a_result_that_was_said_only_once_is_not_taken() -> None:
    line = Line().to(4)
    line.say(5, spins=8, pocket="17")
    assert shapes(line.say(2)) == ["fault wrong-order", "rest None", "Cleared", "Ready"]


def test_state_5_without_a_result() -> None:
    assert shapes(Line().to(4).say(5, 3, spins=8, pocket=None)) == ["fault results-differ", "rest None"]


def test_a_result_that_is_not_on_the_wheel() -> None:
    line = Line(37).to(4)
    assert shapes(line.end("00")) == ["fault wrong-wheel", "rest None"]
    assert shapes(line.say(2, 2)) == ["Cleared", "Ready", "Ready"]


def test_a_wheel_that_says_itself_that_it_is_another_one() -> None:
    line = Line(37).to(2)
    assert shapes(line.raw(b"*T 38")) == ["fault wrong-wheel"]
    assert line.say(2, 10) == []
    assert line.raw(b"*T 37") == []
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


def test_answers_to_other_commands_say_nothing() -> None:
    line = Line().to(2)
    assert line.raw(b"*o 1157") == line.raw(b"*F 0") == line.raw(b"*T 37") == line.raw(b"*T") == []


# Flags.


def test_a_ball_that_travels_with_the_rotor_in_state_3_voids() -> None:
    line = Line().to(2)
    assert shapes(line.say(3, flags=2)) == ["BallInRim", "irregular same-direction"]
    assert line.say(3, 5) == []
    assert line.say(4, 5) == [], "what follows of a void spin is nobody's business"
    assert line.end() == []
    assert shapes(line.say(2, flags=0)) == ["Ready"]


@pytest.mark.parametrize("state", [2, 4])
def test_flag_2_in_another_state_says_nothing(state: int) -> None:
    line = Line().to(state)
    assert [signal for signal in line.say(state, 5, flags=2) if not isinstance(signal, Ready)] == []


def test_flag_1_in_state_4_for_5_seconds_is_a_ball_on_its_way() -> None:
    line = Line().to(4)
    assert line.say(4, 11, flags=1) == [], "the eleventh line comes 5 s after the first"
    assert line.say(4, 1, flags=0) == []
    assert shapes(line.end()) == ["rest 17"]


def test_flag_1_in_state_4_for_over_5_seconds_voids() -> None:
    line = Line().to(4)
    line.say(4, 11, flags=1)
    assert shapes(line.say(4)) == ["irregular ball-out"]
    assert line.say(4, 5) == []
    assert line.end() == []


def test_flag_1_that_goes_and_comes_again_begins_anew() -> None:
    line = Line().to(4)
    line.say(4, 8, flags=1)
    line.say(4, 1, flags=0)
    assert line.say(4, 11, flags=1) == []


@pytest.mark.parametrize("state", [1, 2, 5])
def test_flag_1_while_nothing_rolls_says_nothing(state: int) -> None:
    line = Line().to(state)
    assert [signal for signal in line.say(state, 20, flags=1) if not isinstance(signal, Ready)] == []


def test_flag_1_in_state_3_is_a_fault_and_leaves_the_result_to_the_dealer() -> None:
    line = Line().to(3)
    assert shapes(line.say(3, flags=1)) == ["fault ball-missing"]
    line.say(3, flags=0)
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]


def test_flag_8_is_ignored_for_the_first_3_seconds_of_state_3() -> None:
    line = Line().to(2)
    line.say(2, 3, flags=8)
    assert shapes(line.say(3, 7)) == ["BallInRim"], "the seventh line comes 3 s after the first"
    line.say(3, 1, flags=0)
    line.say(4, 2)
    assert shapes(line.end()) == ["rest 17"]


def test_flag_8_after_3_seconds_of_state_3_voids() -> None:
    line = Line().to(2)
    line.say(3, 7, flags=8)
    assert shapes(line.say(3)) == ["irregular too-few-revolutions"]


def test_a_ball_that_is_launched_again_out_of_state_3_voids() -> None:
    line = Line().to(3)
    assert shapes(line.say(2, flags=8)) == ["irregular too-few-revolutions", "Ready"]
    assert shapes(line.say(3, flags=0)) == ["BallInRim"]


@pytest.mark.parametrize("state", [1, 2, 3, 4, 5])
def test_flag_4_stops_the_table_in_any_state(state: int) -> None:
    line = Line().to(state)
    (fault,) = line.say(state, flags=4)
    assert isinstance(fault, Fault)
    assert (fault.code, fault.stops_table) == ("sensor-fault", True)
    assert line.say(state, 5) == [], "once"


def test_flag_4_is_over_when_it_is_gone_and_the_wheel_waits() -> None:
    line = Line().to(3)
    line.say(3, 3, flags=4)
    assert line.say(3, 3, flags=0) == []
    line.say(4, 2)
    assert shapes(line.end()) == ["rest None"]
    assert line.say(2, flags=4) == []
    assert shapes(line.say(2, flags=0)) == ["Cleared", "Ready"]


# The order of states, and counts.


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
