"""Tests of a row of pockets for evenness and independence; each gives a p-value, even where all is well."""

import math
from collections.abc import Sequence

import numpy as np
import scipy.stats


def pockets_p(drawn: Sequence[int], pockets: int) -> float:
    """Chi-square: every pocket equally often."""
    return float(scipy.stats.chisquare(np.bincount(drawn, minlength=pockets)).pvalue)


def pairs_p(drawn: Sequence[int], pockets: int) -> float:
    """Chi-square over pairs that do not overlap: no pocket likes to follow another."""
    row = np.asarray(drawn[: len(drawn) // 2 * 2]).reshape(-1, 2)
    return float(
        scipy.stats.chisquare(np.bincount(row[:, 0] * pockets + row[:, 1], minlength=pockets**2)).pvalue
    )


def runs_p(drawn: Sequence[int], pockets: int) -> float:
    """Wald and Wolfowitz: as many runs of the lower half and the upper half as chance gives."""
    lower = np.asarray(drawn) < pockets // 2
    count, below = len(lower), int(lower.sum())
    runs = 1 + int((lower[1:] != lower[:-1]).sum())
    mean = 1 + 2 * below * (count - below) / count
    variance = (mean - 1) * (mean - 2) / (count - 1)
    return float(2 * scipy.stats.norm.sf(abs(runs - mean) / math.sqrt(variance)))


def gaps_p(drawn: Sequence[int], pockets: int) -> float:
    """Chi-square of the waiting times between equal pockets, over all pockets, against the geometric law."""
    row = np.asarray(drawn)
    gaps = np.concatenate([np.diff(np.flatnonzero(row == pocket)) for pocket in range(pockets)])
    law = scipy.stats.geom(1 / pockets)
    edges = np.unique([int(law.ppf(part)) for part in np.linspace(0.05, 0.95, 19)])
    observed = np.bincount(np.searchsorted(edges, gaps), minlength=len(edges) + 1)
    expected = np.diff([0, *law.cdf(edges), 1]) * len(gaps)
    return float(scipy.stats.chisquare(observed, expected).pvalue)


TESTS = {"pockets": pockets_p, "pairs": pairs_p, "runs": runs_p, "gaps": gaps_p}
