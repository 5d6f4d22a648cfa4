"""The operator's side: what the house wins in a day, and what it must be able to pay."""

import math
from collections.abc import Sequence

import msgspec

from croupier.lab.rounds import NetDistribution, total_distribution
from croupier.lab.slip import Slip, join_slips
from croupier.rulebook import BadInput


class Player(msgspec.Struct, frozen=True, kw_only=True):
    """Players who put down the same slip for the same number of rounds."""

    slip: Slip
    rounds: int
    count: int = 1


class HouseDay:
    """The house's win over a day: tables are independent, players of one table share its spins."""

    def __init__(self, plays: Sequence[tuple[Slip, int]]) -> None:
        self.plays = tuple(plays)
        self.players: NetDistribution = total_distribution(plays)
        """The net result of all players together: what the house loses."""

    @property
    def staked_cents(self) -> int:
        """All stakes of the day."""
        return sum(slip.staked_cents * rounds for slip, rounds in self.plays)

    @property
    def expected_win_cents(self) -> float:
        """What the house wins on average."""
        return -float(self.players.mean_cents)

    @property
    def deviation_cents(self) -> float:
        """The standard deviation of the day's win."""
        return self.players.deviation_cents

    @property
    def losing(self) -> float:
        """The chance that the house loses money on the day."""
        return self.players.ahead

    @property
    def worst_round_cents(self) -> int:
        """The most that one round of one table can cost the house with these slips."""
        return max(0, *(max(slip.net_cents) for slip, _ in self.plays))

    def win_quantile(self, chance: float) -> int:
        """The largest win that is reached or exceeded with at least one minus this chance."""
        return -self.players.quantile(1.0 - chance)

    def reserve_cents(self, safety: float) -> int:
        """The money that covers the day's loss with this chance, counted at the day's end."""
        return max(0, self.players.quantile(safety))

    def lasting_reserve_cents(self, safety: float) -> int:
        """Money that is never used up, however many such days follow, with at least this chance.

        It is Lundberg's bound: with the rate at which the players' gain, raised to a power, is fair, the
        chance that they are ever up by an amount is under exp(-rate * amount), at any moment of any day.
        """
        if not 0.0 < safety < 1.0:
            raise BadInput("chance-out-of-range", f"{safety!r} is no safety.", "Give for example 0.9999.")
        rate = min(adjustment_rate(slip) for slip, _ in self.plays)
        return math.ceil(-math.log(1.0 - safety) / rate) if rate < math.inf else 0


def house_day(tables: Sequence[Sequence[Player]]) -> HouseDay:
    """A day at a number of tables, the players of each sitting down together at its first round.

    >>> from croupier.lab import place_slip
    >>> from croupier.rulebook import load_book
    >>> red = place_slip(load_book("mbs-roulette"), {"red": 1000})
    >>> day = house_day([[Player(slip=red, rounds=400, count=5)]] * 2)
    >>> round(day.expected_win_cents), day.reserve_cents(0.999)
    (108108, 330000)
    """
    if not tables:
        raise BadInput("no-tables", "There is no table.", "Give at least one table with at least one player.")
    return HouseDay([play for players in tables for play in stretches(players)])


def stretches(players: Sequence[Player]) -> list[tuple[Slip, int]]:
    """A table's rounds, cut wherever somebody leaves: between two cuts the same people play every round."""
    stretches: list[tuple[Slip, int]] = []
    played = 0
    for until in sorted({player.rounds for player in players}):
        present = [(player.slip, player.count) for player in players if player.rounds >= until]
        stretches.append((join_slips(present), until - played))
        played = until
    return stretches


def adjustment_rate(slip: Slip) -> float:
    """The positive rate at which exp(rate * net result) is one on average; infinite where nobody can gain.

    >>> from croupier.lab import place_slip
    >>> from croupier.rulebook import load_book
    >>> red = place_slip(load_book("mbs-roulette"), {"red": 1})
    >>> round(adjustment_rate(red), 12) == round(math.log(19 / 18), 12)
    True
    """
    law = [(net, float(chance)) for net, chance in slip.law]
    if law[-1][0] <= 0:
        return math.inf
    if sum(net * chance for net, chance in slip.law) >= 0:
        raise BadInput(
            "house-without-edge", "The house has no edge on this slip.", "No reserve lasts for ever."
        )

    def excess(rate: float) -> float:
        return sum(chance * math.expm1(rate * net) for net, chance in law)

    high = 1.0 / law[-1][0]
    while excess(high) < 0.0:
        high *= 2.0
    low = 0.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if excess(middle) < 0.0 else (low, middle)
    return low
