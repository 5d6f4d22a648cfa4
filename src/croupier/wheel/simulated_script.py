"""What a simulated wheel says during a spin, and when: the same signals that a wheel with sensors gives."""

from typing import Final, NamedTuple

import msgspec

from croupier.rulebook import Wheel
from croupier.wheel.physics import CLOCKWISE, COUNTER_CLOCKWISE, direction_word
from croupier.wheel.physics_ball import (
    BALL_BROKEN,
    BALL_DROPPED,
    BALL_OUT,
    WHEEL_STOPPED,
    BallSpin,
    plan_ball_spin,
)
from croupier.wheel.physics_clapper import ClapperSpin, plan_clapper_spin
from croupier.wheel.signals import AtRest, BallInRim, Cleared, Fault, Irregular, NoMoreBets, Ready, Signal
from croupier.wheel.simulated_trouble import SENSOR_FAULTS
from croupier.wheel.uniform import Chance, between

LAST_TURNS: Final = 3
"""How many turns before the ball leaves the rim the wheel says that there are no more bets."""
_SEEN_BY: Final = ("foreign-object", "interference")
"""Irregularities that happen in the middle of a spin that otherwise goes on."""

PlannedSpin = BallSpin | ClapperSpin


class Cue(NamedTuple):
    """A signal and when it is given, in milliseconds from the launch; it is stamped when it is given."""

    at_ms: int
    signal: Signal


def plan_spin(wheel: Wheel, pocket: int, chance: Chance, trouble: str | None = None) -> PlannedSpin:
    """A spin of a book's wheel that ends in a pocket, or goes wrong in its own way."""
    direction = (CLOCKWISE, COUNTER_CLOCKWISE)[chance.below(2)]
    plan = plan_ball_spin if wheel.kind == "ball" else plan_clapper_spin
    return plan(
        len(wheel.order), pocket, chance, needs=wheel.revolutions, direction=direction, trouble=trouble
    )


def script_of(wheel: Wheel, spin: PlannedSpin, chance: Chance, trouble: str | None = None) -> list[Cue]:
    """The signals of a spin in their order, up to the wheel's being ready again."""
    ready = Cue(spin.end_ms, Ready(at_ms=0, pockets=len(wheel.order)))
    rest_ms = round(1000 * spin.rest_s)
    begun = [Cue(0, _launch(spin)), Cue(_closing_ms(spin), NoMoreBets(at_ms=0))]
    moment_ms = _moment_ms(spin, chance, trouble)
    if trouble is None or moment_ms is None:
        return [*begun, Cue(rest_ms, _rest(wheel, spin)), ready]
    until = [cue for cue in begun if cue.at_ms <= moment_ms]
    if trouble not in SENSOR_FAULTS:
        return [*until, Cue(moment_ms, Irregular(at_ms=0, cause=trouble)), ready]
    fault = Fault(at_ms=0, code=trouble, stops_table=trouble == "sensor-fault")
    return [*until, Cue(moment_ms, fault), Cue(spin.end_ms, Cleared(at_ms=0)), ready]


def _launch(spin: PlannedSpin) -> BallInRim:
    if isinstance(spin, ClapperSpin):
        return BallInRim(at_ms=0, wheel=direction_word(spin.direction), wheel_turning=True)
    rotor = spin.rotor
    return BallInRim(
        at_ms=0,
        ball=None if spin.whirl is None else direction_word(spin.direction),
        wheel=direction_word(rotor.direction) if rotor.tenths_rpm else None,
        wheel_turning=rotor.tenths_rpm > 0,
        rotor_tenths_rpm=rotor.tenths_rpm,
    )


def _closing_ms(spin: PlannedSpin) -> int:
    """Before anything of the spin could tell its end: see the notes on the two kinds of spins."""
    if isinstance(spin, ClapperSpin):
        return round(1000 * spin.coast.pull_s)
    if spin.whirl is None:
        return 0
    turns = spin.whirl.turns_at(spin.leave_s)
    return round(1000 * spin.whirl.seconds_to(max(turns / 2, turns - LAST_TURNS)))


def _moment_ms(spin: PlannedSpin, chance: Chance, trouble: str | None) -> int | None:
    """When something happens that is seen apart from the launch and the rest."""
    if isinstance(spin, BallSpin) and trouble in (BALL_DROPPED, BALL_OUT, BALL_BROKEN):
        return round(1000 * spin.enter_s)
    if isinstance(spin, BallSpin) and trouble == WHEEL_STOPPED:
        return round(1000 * spin.rotor.stops_s)
    if trouble in _SEEN_BY or trouble in SENSOR_FAULTS:
        return round(1000 * between(chance, 0.1, 0.9) * spin.rest_s)
    return None


def _rest(wheel: Wheel, spin: PlannedSpin) -> AtRest:
    pocket = None if spin.pocket is None else wheel.order[spin.pocket]
    rest = AtRest(at_ms=0, pocket=pocket, revolutions=spin.revolutions, at_rest=pocket is not None)
    if isinstance(spin, ClapperSpin):
        return rest
    tenths_rpm = spin.rotor.tenths_rpm_at(spin.rest_s)
    return msgspec.structs.replace(rest, rotor_tenths_rpm=tenths_rpm, diamond=spin.diamond)
