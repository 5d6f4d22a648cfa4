"""Exact odds of a slip in one round: every figure a fraction, floats only where a root is taken."""

import math
from fractions import Fraction

import msgspec

from croupier.lab.slip import Slip, place_slip
from croupier.rulebook import Book, Layout


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """What one round of a slip is worth."""

    staked_cents: int
    hit_frequency: Fraction
    """How often at least one bet wins: for a single bet, its probability."""
    ahead: Fraction
    """How often the player gets more back than was staked."""
    mean_cents: Fraction
    variance_cents: Fraction
    """In cents squared."""
    third_moment_cents: Fraction
    """The third central moment, in cents cubed."""

    @property
    def house_edge(self) -> Fraction:
        """The part of the stakes that the house keeps on average."""
        return -self.mean_cents / self.staked_cents

    @property
    def returned(self) -> Fraction:
        """The part of the stakes that comes back on average."""
        return 1 - self.house_edge

    @property
    def variance(self) -> Fraction:
        """The variance of the net result when the whole slip costs one unit."""
        return self.variance_cents / self.staked_cents**2

    @property
    def deviation(self) -> float:
        """The standard deviation when the whole slip costs one unit; a root, so a float."""
        return math.sqrt(self.variance)

    @property
    def skewness_squared(self) -> Fraction:
        """The square of the skewness, exact; its sign is that of the third moment. 0 where nothing varies."""
        if not self.variance_cents:
            return Fraction(0)
        return self.third_moment_cents**2 / self.variance_cents**3

    @property
    def skewness(self) -> float:
        """The skewness; a root, so a float."""
        return math.copysign(math.sqrt(self.skewness_squared), self.third_moment_cents)


def slip_odds(slip: Slip) -> Odds:
    """The odds of a slip.

    >>> from croupier.rulebook import load_book
    >>> odds = slip_odds(place_slip(load_book("mbs-roulette"), {"red": 100, "straight:17": 100}))
    >>> odds.hit_frequency, odds.ahead, odds.house_edge
    (Fraction(19, 37), Fraction(1, 37), Fraction(1, 37))
    """
    mean = sum((net * chance for net, chance in slip.law), Fraction(0))
    hits = sum(weight for weight, wins in zip(slip.weights, slip.winning, strict=True) if wins)
    return Odds(
        staked_cents=slip.staked_cents,
        hit_frequency=Fraction(hits, slip.pockets),
        ahead=sum((chance for net, chance in slip.law if net > 0), Fraction(0)),
        mean_cents=mean,
        variance_cents=sum(((net - mean) ** 2 * chance for net, chance in slip.law), Fraction(0)),
        third_moment_cents=sum(((net - mean) ** 3 * chance for net, chance in slip.law), Fraction(0)),
    )


def bet_odds(book: Book, bet: str, layout: Layout | str | None = None) -> Odds:
    """The odds of one bet or announced bet, one cent on each piece.

    >>> from croupier.rulebook import load_book
    >>> odds = bet_odds(load_book("rws-roulette-000"), "top-line:0/00/000/1/2/3")
    >>> odds.hit_frequency, odds.house_edge, odds.variance
    (Fraction(2, 13), Fraction(1, 13), Fraction(792, 169))
    """
    return slip_odds(place_slip(book, {bet: 1}, layout))
