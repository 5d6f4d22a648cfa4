"""Whole floors on simulated time with everything that goes wrong, audited by requests and replies alone."""

from croupier.floor.simulation.soaking import Soaked, describe, soak
from croupier.floor.simulation.world import Outcome, simulate

__all__ = ["Outcome", "Soaked", "describe", "simulate", "soak"]
