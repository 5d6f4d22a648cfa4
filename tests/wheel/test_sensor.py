"""What lines mean, one after the other: a spin from beginning to end, its result, and the flags."""

import pytest

from croupier.wheel.line import Status, write_status
from croupier.wheel.signals import AtRest, BallInRim, Fault, NoMoreBets, Ready
from wheel.sensor_rig import START_MS, Line, shapes


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


@pytest.mark.parametrize("later_ms", [0, 5, 399])
def test_one_line_that_comes_twice_does_not_confirm_itself(later_ms: int) -> None:
    line = Line().to(4)
    line.say(5, spins=8, pocket="16")
    same = write_status(Status(state=5, **line.facts))
    assert line.raw(same, later_ms) == []
    line.at_ms -= later_ms
    assert shapes(line.say(5, 2, pocket="17")) == ["fault results-differ", "rest None"]


def test_a_result_that_came_twice_is_confirmed_by_the_next_status() -> None:
    line = Line().to(4)
    line.say(5, spins=8, pocket="17")
    line.raw(write_status(Status(state=5, **line.facts)), 5)
    assert shapes(line.say(5)) == ["rest 17"]


def test_a_result_whose_only_line_came_twice_is_not_taken() -> None:
    line = Line().to(4)
    line.say(5, spins=8, pocket="17")
    line.raw(write_status(Status(state=5, **line.facts)), 5)
    assert shapes(line.say(2)) == ["fault wrong-order", "rest None", "Cleared", "Ready"]


def test_a_drop_that_is_damaged_into_a_result_and_comes_twice_gives_none() -> None:
    line = Line().to(4)
    line.say(5)  # the digit of the state is damaged: what it says is the result before
    assert line.raw(write_status(Status(state=5, **line.facts)), 5) == []
    assert shapes(line.say(4, 2))[0] == "fault wrong-order"
    assert shapes(line.end("20"))[-1] == "rest None"


def test_state_5_without_a_result() -> None:
    assert shapes(Line().to(4).say(5, 3, spins=8, pocket=None)) == ["fault results-differ", "rest None"]


def test_a_result_that_is_not_on_the_wheel() -> None:
    line = Line(37).to(4)
    assert shapes(line.end("00")) == ["fault wrong-wheel", "rest None"]
    assert shapes(line.say(2, 2)) == ["Cleared", "Ready", "Ready"]


def test_a_wheel_that_says_itself_twice_that_it_is_another_one() -> None:
    line = Line(37).to(2)
    assert line.raw(b"*T 38") == []
    assert shapes(line.raw(b"*T 38", 500)) == ["fault wrong-wheel"]
    assert line.say(2, 10) == []
    assert line.raw(b"*T 37") == []
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


def test_it_may_say_so_with_the_first_lines_of_all() -> None:
    line = Line(37)
    assert line.raw(b"*T 38") == []
    assert shapes(line.raw(b"*T 38", 500)) == ["fault wrong-wheel"]


@pytest.mark.parametrize("answers", [[b"*T 36"], [b"*T 36", b"*T 36"], [b"*T 36", b"*T 77"]])
def test_one_damaged_answer_is_not_believed_also_if_it_comes_twice(answers: list[bytes]) -> None:
    line = Line(37).to(2)
    assert not line.sensor.asks_pockets()
    for answer in answers:
        assert line.raw(answer, 5) == []
    assert line.sensor.asks_pockets()
    assert line.sensor.asks_pockets(), "until it answers"
    assert line.raw(b"*T 37", 500) == []
    assert not line.sensor.asks_pockets()
    assert line.raw(b"*T 36", 500) == [], "what it said before is forgotten"
    assert shapes(line.say(2)) == ["Ready"]


def test_another_wheel_is_still_another_one_after_a_gap_and_is_asked_again() -> None:
    line = Line(37).to(2)
    line.raw(b"*T 38")
    line.raw(b"*T 38", 500)
    assert not line.sensor.asks_pockets()
    line.at_ms += 5_000
    assert shapes(line.say(2, 5)) == ["fault line-lost", "fault wrong-wheel"]
    assert line.sensor.asks_pockets()
    assert not line.sensor.asks_pockets(), "a wheel that does not answer is asked once"
    line.raw(b"*T 37")
    assert shapes(line.say(2)) == ["Cleared", "Ready"]


def test_answers_to_other_commands_say_nothing() -> None:
    line = Line().to(2)
    assert line.raw(b"*o 1157") == line.raw(b"*F 0") == line.raw(b"*T 37") == line.raw(b"*T") == []


# Flags.


def test_a_ball_that_travels_with_the_rotor_in_state_3_voids() -> None:
    line = Line().to(2)
    assert shapes(line.say(3, flags=2)) == ["BallInRim"]
    assert shapes(line.say(3, flags=2)) == ["irregular same-direction"]
    assert line.say(3, 5) == []
    assert shapes(line.say(4, 5)) == ["NoMoreBets"], "whoever can still bet on that ball must not"
    assert line.end() == [], "where a void spin ends is nobody's business"
    assert shapes(line.say(2, flags=0)) == ["Ready"]


@pytest.mark.parametrize("flag", [2, 8])
def test_one_damaged_line_voids_no_round_also_if_it_comes_twice(flag: int) -> None:
    line = Line().to(3)
    line.say(3, 10)
    for _ in range(3):
        assert line.say(3, flags=flag) == []
        assert line.sensor.last is not None
        assert line.raw(write_status(line.sensor.last), 5) == []
        assert line.say(3, flags=0) == []


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
    assert shapes(line.say(2, flags=8)) == ["irregular too-few-revolutions"]
    assert shapes(line.say(2)) == ["Ready"]
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
