"""The net result after many independent rounds: its whole distribution, with right relative tails."""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from croupier.lab.convolution import sum_distribution
from croupier.lab.lattice import common_lattice
from croupier.lab.odds import slip_odds
from croupier.lab.quantiles import first_leaving, first_reaching
from croupier.lab.slip import Slip
from croupier.rulebook import BadInput

FLOOR = 1e-40


class NetDistribution:
    """The distribution of a net result in cents on a lattice.

    `chances[k]` belongs to a net result of `first_cents + k * step_cents`. Outside the array lies
    less than the floor on each side. The mean and the variance, the worst and the best result are the exact
    ones, whether or not the array reaches that far.

    Where results are too many to be listed one by one, `chances[k]` belongs to all results from there to
    the next step, which lie `lattice_cents` apart: a step is then under a five-thousandth of a deviation.
    One of them begins at the first result above 0, and `even` is the chance of 0 itself.
    """

    def __init__(
        self,
        first_cents: int,
        step_cents: int,
        lattice_cents: int,
        chances: NDArray[np.float64],
        mean: Fraction,
        variance: Fraction,
        even: float,
        extremes_cents: tuple[int, int],
        floor: float,
    ) -> None:
        self.first_cents = first_cents
        self.step_cents = step_cents
        self.lattice_cents = lattice_cents
        self.chances = chances
        self.mean_cents = mean
        self.variance_cents = variance
        self._even = even
        self.worst_cents, self.best_cents = extremes_cents
        self.floor = floor
        # Rounding alone may make a sum of chances a little more than 1.
        self._at_most = np.minimum(np.cumsum(chances), 1.0)
        self._at_least = np.minimum(np.cumsum(chances[::-1])[::-1], 1.0)

    @property
    def net_cents(self) -> NDArray[np.int64]:
        """The net results that `chances` belong to."""
        return self.first_cents + self.step_cents * np.arange(self.chances.size, dtype=np.int64)

    @property
    def deviation_cents(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance_cents)

    @property
    def _in_bins(self) -> bool:
        return self.step_cents != self.lattice_cents

    @property
    def _splits_zero(self) -> bool:
        """Whether 0 is a result that stands in a bin with others, and is told apart by its own chance."""
        return self._in_bins and self.first_cents % self.lattice_cents == 0

    def chance(self, net_cents: int) -> float:
        """The chance of exactly this net result."""
        if self._in_bins and net_cents == 0:
            return self._even
        if self._in_bins:
            raise BadInput(
                "results-in-bins",
                f"Results are counted in bins of {self.step_cents} cents, not one by one.",
                "Ask for the chance of at most or at least a result.",
            )
        cell, off = divmod(net_cents - self.first_cents, self.step_cents)
        return float(self.chances[cell]) if off == 0 and 0 <= cell < self.chances.size else 0.0

    def at_most(self, net_cents: int) -> float:
        """The chance of this net result or a worse one; relatively right in the lower tail.

        A bin counts where all of it is meant; losses are counted to the cent.
        """
        if self._splits_zero and -self.lattice_cents <= net_cents < 0:
            return max(self.at_most(0) - self._even, 0.0)
        cell = (net_cents - self.first_cents + self.lattice_cents) // self.step_cents - 1
        return float(self._at_most[min(cell, self.chances.size - 1)]) if cell >= 0 else 0.0

    def at_least(self, net_cents: int) -> float:
        """The chance of this net result or a better one; relatively right in the upper tail.

        A bin counts where all of it is meant; gains are counted to the cent.
        """
        if self._splits_zero and -self.lattice_cents < net_cents <= 0:
            return min(self.at_least(1) + self._even, 1.0)
        cell = -((self.first_cents - net_cents) // self.step_cents)
        return float(self._at_least[max(cell, 0)]) if cell < self.chances.size else 0.0

    @property
    def ahead(self) -> float:
        """The chance to be ahead in the end."""
        return self.at_least(1)

    @property
    def behind(self) -> float:
        """The chance to be behind in the end."""
        return self.at_most(-1)

    @property
    def ahead_under(self) -> float | None:
        """A bound on the chance to be ahead, where that is not 0 but too small to have been computed."""
        return self.floor if self.best_cents > 0 and self.ahead == 0.0 else None

    @property
    def behind_under(self) -> float | None:
        """The same for the chance to be behind."""
        return self.floor if self.worst_cents < 0 and self.behind == 0.0 else None

    def quantile(self, chance: float) -> int:
        """The smallest net result that is not exceeded with at least this chance.

        >>> from croupier.lab import net_distribution, place_slip
        >>> from croupier.rulebook import load_book
        >>> net_distribution(place_slip(load_book("mbs-roulette"), {"red": 100}), 1000).quantile(0.5)
        -2800
        """
        _check_chance(chance)
        if chance <= 0.5:
            cell = first_reaching(self._at_most, chance)
        else:
            # Looked up from the other end, where one minus the chance keeps its digits.
            cell = first_leaving(np.append(self._at_least[1:], 0.0), 1.0 - chance)
        end = self.first_cents + self.step_cents * min(cell + 1, self.chances.size)
        return end - self.lattice_cents

    def shortfall(self, chance: float) -> float:
        """The expected net result, in cents, in the worst part of all cases: expected shortfall.

        >>> from croupier.lab import net_distribution, place_slip
        >>> from croupier.rulebook import load_book
        >>> net_distribution(place_slip(load_book("mbs-roulette"), {"red": 100}), 1).shortfall(0.1)
        -100.0
        """
        _check_chance(chance)
        cell = int(np.searchsorted(self._at_most, chance))
        nets = self.net_cents[: cell + 1] + 0.5 * (self.step_cents - self.lattice_cents)
        taken = self.chances[: cell + 1].copy()
        taken[cell:] = chance - (self._at_most[cell - 1] if cell else 0.0)
        return float(nets @ taken / chance)


def net_distribution(slip: Slip, rounds: int, floor: float = FLOOR) -> NetDistribution:
    """The distribution of the net result after a number of rounds of one slip.

    >>> from croupier.lab import place_slip
    >>> from croupier.rulebook import load_book
    >>> after = net_distribution(place_slip(load_book("mbs-roulette"), {"red": 100}), 1000)
    >>> f"{after.ahead:.10f}", f"{after.at_least(30_000):.10e}"
    ('0.1876305820', '1.5891897172e-25')
    """
    return total_distribution([(slip, rounds)], floor)


def total_distribution(plays: Sequence[tuple[Slip, int]], floor: float = FLOOR) -> NetDistribution:
    """The distribution of the sum over slips, each for its number of rounds, all rounds independent."""
    if not 1e-300 <= floor <= 1e-3:
        raise BadInput("floor-out-of-range", f"The floor {floor!r} is no use.", "Give 1e-300 to 1e-3.")
    lattice = common_lattice(plays)
    sums = sum_distribution(lattice, floor)
    odds = [(slip_odds(slip), rounds) for slip, rounds in plays]
    return NetDistribution(
        lattice.first_cents + sums.first * lattice.step_cents,
        sums.width * lattice.step_cents,
        lattice.step_cents,
        sums.chances,
        sum((rounds * odd.mean_cents for odd, rounds in odds), Fraction(0)),
        sum((rounds * odd.variance_cents for odd, rounds in odds), Fraction(0)),
        sums.even,
        (lattice.first_cents, lattice.first_cents + lattice.last_cell * lattice.step_cents),
        floor,
    )


def _check_chance(chance: float) -> None:
    if not 0.0 < chance < 1.0:
        raise BadInput(
            "chance-out-of-range", f"{chance!r} is not a chance between 0 and 1.", "Give for example 0.05."
        )
