"""The distribution of a sum of few rounds: every result that there is, listed however far apart they lie."""

import math

import numpy as np
from numpy.typing import NDArray

from croupier.lab.lattice import Lattice

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]

_FEW = 8_000_000
"""Results that are sorted, over all rounds, where there are certainly no more: about half a second."""
_MOST = 4_000_000
"""Results that are sorted before it is given up, where some of them may fall together."""
_LEAST = 1e-300
"""A smaller chance has lost digits already."""


def are_few(lattice: Lattice) -> bool:
    """Whether all results can be listed for certain, whichever of them fall together."""
    listed, sorted_ = 1, 0
    for part in lattice.parts:
        several = len(part.steps)
        sorted_ += listed * several * math.comb(part.rounds + several - 1, several)
        listed *= math.comb(part.rounds + several - 1, several - 1)
    return sorted_ <= _FEW


def list_results(lattice: Lattice) -> tuple[Whole, Reals] | None:
    """The cells that can be reached, in order, with their chances; None where they are too many.

    Only positive numbers are multiplied and added, so every relative error stays small.
    """
    cells, chances = np.zeros(1, np.int64), np.ones(1)
    left = _FEW if are_few(lattice) else _MOST
    for part in lattice.parts:
        steps, law = np.array(part.steps, np.int64), np.array([float(chance) for chance in part.chances])
        for _ in range(part.rounds):
            left -= cells.size * steps.size
            if left < 0:
                return None
            reached = (cells[:, None] + steps).ravel()
            cells, place = np.unique(reached, return_inverse=True)
            chances = np.asarray(np.bincount(place, (chances[:, None] * law).ravel()), np.float64)
            kept = chances > _LEAST
            cells, chances = cells[kept], chances[kept]
    return cells, chances
