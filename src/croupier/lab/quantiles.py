"""Where a sum of chances reaches a given one, whatever rounding has done to both."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

_TIE: Final = 1e-12
"""Two chances that differ by less than this part of them are the same one, summed up in another order."""


def first_reaching(at_most: NDArray[np.float64], chance: float) -> int:
    """The first place at which growing chances are at least this one.

    Half a wheel is half, also where its pockets add up to a little less.

    >>> first_reaching(np.array([0.1, 0.3, 0.6]), sum([0.1] * 3))
    1
    """
    return int(np.searchsorted(at_most, chance * (1.0 - _TIE)))


def first_leaving(beyond: NDArray[np.float64], chance: float) -> int:
    """The first place beyond which shrinking chances leave at most this one."""
    return beyond.size - int(np.searchsorted(beyond[::-1], chance * (1.0 + _TIE), side="right"))
