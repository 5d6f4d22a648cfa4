"""Wrong versions of the rules are caught, by the tally of a simulation and by the auditor of its journal."""

import pytest

from croupier.floor.simulation import simulate
from croupier.floor.simulation.trouble import Trouble
from floor.sim_plants import PLANTS, Plant

SEEDS = range(1, 7)
TROUBLE = Trouble(
    crash_every=40, halt_every=8, meddling_every=1, late_report=0.2, wrong_report=0.4, silent_sensor=0.02
)
"""Little goes wrong by itself, and people and sensors try everything."""
UNFIT = "does not fit: "


def caught(plant: Plant) -> tuple[bool, bool]:
    """Whether the tally and the auditor say what they should, in some of the seeds."""
    by_tally = by_auditor = False
    for seed in SEEDS:
        faults = simulate(seed, games=[plant.game], trouble=TROUBLE).faults
        by_tally |= any(plant.tally in fault for fault in faults if UNFIT not in fault)
        by_auditor |= any(plant.auditor in fault for fault in faults if UNFIT in fault)
        if by_tally and by_auditor:
            break
    return by_tally, by_auditor


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: f"{plant.line}-{plant.mistake.__name__}")
def test_a_planted_mistake_is_caught_twice(monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    plant.mistake(monkeypatch)
    assert caught(plant) == (True, True)


@pytest.mark.parametrize("game", sorted({plant.game for plant in PLANTS}))
def test_without_a_mistake_the_same_seeds_are_right(game: str) -> None:
    for seed in SEEDS[:2]:
        assert simulate(seed, games=[game], trouble=TROUBLE).faults == []
