"""The laws of motion, each against an integration in small steps or a count of its own."""

import math

import pytest

from croupier.wheel.physics import (
    LEAVES_AT,
    RIM_DRAG,
    RIM_FRICTION,
    ROTOR_DECAY,
    Coast,
    Rotor,
    Whirl,
    whirl_of,
)


@pytest.mark.parametrize("speed", [0.8, 1.5, 2.4])
def test_a_ball_on_the_rim_obeys_friction_and_air(speed: float) -> None:
    whirl = Whirl(speed)
    step_s, steps = whirl.seconds / 20_000, 20_000
    turns, now = 0.0, speed
    for _ in range(steps):
        middle = now - (RIM_FRICTION + RIM_DRAG * now**2) * step_s / 2
        turns += middle * step_s
        now -= (RIM_FRICTION + RIM_DRAG * middle**2) * step_s
    assert math.isclose(now, LEAVES_AT, rel_tol=1e-6)
    assert math.isclose(turns, whirl.turns_at(whirl.seconds), rel_tol=1e-6)
    assert math.isclose(whirl.speed_at(whirl.seconds), LEAVES_AT, rel_tol=1e-9)


@pytest.mark.parametrize("turns", [0.2, 1, 3.9, 4, 12.5, 30])
def test_a_launch_keeps_the_ball_on_the_rim_for_the_turns_asked_for(turns: float) -> None:
    whirl = whirl_of(turns)
    assert math.isclose(whirl.turns_at(whirl.seconds), turns, rel_tol=1e-9)
    assert math.isclose(whirl.turns_at(whirl.seconds_to(turns / 3)), turns / 3, rel_tol=1e-9)


@pytest.mark.parametrize("direction", [1, -1])
def test_a_rotor_turns_its_way_and_slows_down_a_little(direction: int) -> None:
    rotor = Rotor(angle=0.25, direction=direction, tenths_rpm=300)
    assert rotor.angle_at(0) == 0.25
    turned = direction * (rotor.angle_at(20) - 0.25)
    assert 0.5 * 20 * (1 - 20 * ROTOR_DECAY) < turned < 0.5 * 20
    slope = direction * (rotor.angle_at(10.001) - rotor.angle_at(9.999)) / 0.002
    assert math.isclose(slope, rotor.speed_at(10), rel_tol=1e-6)
    assert rotor.tenths_rpm_at(0) == 300
    assert 285 <= rotor.tenths_rpm_at(20) < 300


def test_a_rotor_that_is_stopped_stands_still_soon_after_and_never_jumps() -> None:
    rotor = Rotor(angle=0, direction=1, tenths_rpm=300, stops_s=5)
    assert math.isclose(rotor.angle_at(5 - 1e-9), rotor.angle_at(5 + 1e-9), abs_tol=1e-6)
    assert rotor.tenths_rpm_at(4.9) > 290
    assert rotor.tenths_rpm_at(8) == 0
    assert math.isclose(rotor.angle_at(8), rotor.angle_at(60), abs_tol=1e-4)


def test_a_wheel_without_a_ball_is_pulled_and_coasts_to_rest() -> None:
    coast = Coast(speed=0.6, pulled=1, coasted=2.5)
    assert coast.turns_at(0) == 0
    assert math.isclose(coast.turns_at(coast.pull_s), 1)
    assert math.isclose(coast.turns_at(coast.seconds), 3.5)
    assert coast.turns_at(coast.seconds + 100) == 3.5
    for before, after in ((coast.pull_s - 1e-6, coast.pull_s), (coast.pull_s, coast.pull_s + 1e-6)):
        speed = (coast.turns_at(after) - coast.turns_at(before)) / 1e-6
        assert math.isclose(speed, 0.6, rel_tol=1e-3)
    for turns in (0.3, 1, 1.7, 3.5):
        assert math.isclose(coast.turns_at(coast.seconds_to(turns)), turns)
