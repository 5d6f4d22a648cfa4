"""Whole floors on simulated time with everything that goes wrong, audited by requests and replies alone."""

from croupier.floor.simulation.world import Outcome, simulate

__all__ = ["Outcome", "simulate"]
