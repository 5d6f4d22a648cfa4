"""Wrong versions of the rules about results, bets, outcomes, players' own acts and voids, to be caught.

Each puts one mistake into the table's rules. The auditor of the journal shares none of them, and the tally of
a simulation knows only what was asked and answered, and when the ball rolled.
"""

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from croupier.table import commands as c
from croupier.table.asking import Ask
from croupier.table.events import Event
from croupier.table.state import Round

AUTHORITY = sys.modules["croupier.table.authority"]
CORRECTING = sys.modules["croupier.table.correcting"]
INTERRUPTING = sys.modules["croupier.table.interrupting"]
PLAYING = sys.modules["croupier.table.playing"]
RUNNING = sys.modules["croupier.table.running"]
SENSOR = sys.modules["croupier.table.sensor"]

Patch = pytest.MonkeyPatch


class Plant(NamedTuple):
    """A mistake, the game at which it is looked for, and what is said of it."""

    line: int
    mistake: Callable[[Patch], None]
    game: str
    tally: str
    """What the tally of the simulation says."""
    auditor: str
    """What the verification of the journal says, behind the name of a record."""


def _nothing_against(*args: Any) -> None:
    return None


# A result before the ball rests, or against the sensor.


def a_dealer_settles_any_number(patch: Patch) -> None:
    for module in (PLAYING, CORRECTING):
        patch.setattr(module, "sensor_objects", _nothing_against)


def one_person_overrules_the_sensor(patch: Patch) -> None:
    patch.setattr(SENSOR, "needs_second", _nothing_against)


def a_dealer_ends_the_spin_that_the_sensor_watches(patch: Patch) -> None:
    patch.setattr(PLAYING, "sensor_works", lambda ask, spin: False)


def a_late_report_raises_no_alarm(patch: Patch) -> None:
    whole = PLAYING.make_late

    def silent(*args: Any) -> tuple[Event, ...]:
        return tuple(msgspec.structs.replace(event, disagrees=False) for event in whole(*args))

    patch.setattr(PLAYING, "make_late", silent)


# A bet on an outcome that could be known.


def bets_stay_open_after_an_interruption(patch: Patch) -> None:
    whole = INTERRUPTING._consequence

    def goes_on(ask: Ask, *args: Any) -> Any:
        is_open = ask.state.round is not None and ask.state.round.phase == "betting"
        return ("continue", None) if is_open else whole(ask, *args)

    patch.setattr(INTERRUPTING, "_consequence", goes_on)


def bets_stay_open_while_the_outcome_is_awaited(patch: Patch) -> None:
    patch.setattr(INTERRUPTING, "close_for_spin", lambda ask, has_begun=False: ())


def a_halt_is_no_interruption(patch: Patch) -> None:
    patch.setattr(RUNNING, "close_for_spin", lambda ask: ())
    patch.setattr(RUNNING, "halt_over", lambda ask, halted_ms: ())


# An outcome without a spin.


def an_outcome_needs_no_spin(patch: Patch) -> None:
    patch.setattr(INTERRUPTING, "_no_spin_on_record", _nothing_against)


def an_outcome_against_the_sensor_needs_no_shift_manager(patch: Patch) -> None:
    patch.setattr(INTERRUPTING, "_disputed", _nothing_against)


# Staff with a player's money.


def staff_plays_for_players(patch: Patch) -> None:
    patch.setattr(AUTHORITY, "_not_the_player", _nothing_against)


# A broken ball.


def a_broken_ball_voids_the_round_that_runs_too(patch: Patch) -> None:
    def everything(ask: Ask, do: c.DeclareIrregularity) -> tuple[Round | None, tuple[int, ...]]:
        running = ask.state.round
        numbers = tuple(dict.fromkeys(do.rounds))
        return running, tuple(n for n in numbers if running is None or n != running.number)

    patch.setattr(PLAYING, "_meant", everything)


MBS, RWS = "mbs-roulette", "rws-roulette-00"

PLANTS = (
    Plant(
        1,
        a_dealer_settles_any_number,
        MBS,
        "registered while the sensor saw the ball roll",
        "registered before the sensor saw the ball rest",
    ),
    Plant(1, one_person_overrules_the_sensor, MBS, "one person registered", "takes two people"),
    Plant(
        1,
        a_dealer_ends_the_spin_that_the_sensor_watches,
        MBS,
        "ended a spin that the sensor watches",
        "sees the spin of round",
    ),
    Plant(1, a_late_report_raises_no_alarm, MBS, "the sensor contradicts", "the late report contradicts"),
    Plant(
        3,
        bets_stay_open_after_an_interruption,
        RWS,
        "when the outcome could be known",
        "from which follows wait, and not continue",
    ),
    Plant(
        3,
        bets_stay_open_while_the_outcome_is_awaited,
        RWS,
        "when the outcome could be known",
        "the outcome is awaited, and bets of round",
    ),
    Plant(
        3,
        a_halt_is_no_interruption,
        RWS,
        "when the outcome could be known",
        "play stopped during the spin, and bets of round",
    ),
    Plant(4, an_outcome_needs_no_spin, RWS, "stated without a spin on record", "without a spin on record"),
    Plant(
        4,
        an_outcome_against_the_sensor_needs_no_shift_manager,
        RWS,
        "and the sensor said",
        "no shift manager has signed",
    ),
    Plant(8, staff_plays_for_players, MBS, "for the player at seat", "is the player's own act"),
    Plant(
        9,
        a_broken_ball_voids_the_round_that_runs_too,
        RWS,
        "ended and nobody was told",
        "was named",
    ),
)
