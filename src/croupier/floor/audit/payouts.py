"""What a result gives back for each stake, and what of a stake counts, from the book and the rule text."""

from collections.abc import Mapping
from fractions import Fraction
from math import floor

from croupier.rulebook import Layout


class Payouts:
    """By result and bet, how many stakes go back for each stake on the bet; nothing where it loses.

    >>> from croupier.rulebook import get_layout, load_book
    >>> payouts = Payouts(get_layout(load_book("mbs-roulette")))
    >>> payouts.on("17")["straight:17"], payouts.on("17").get("red")
    (36, None)
    """

    def __init__(self, layout: Layout) -> None:
        self._by_result: dict[str, dict[str, int]] = {}
        for bet in layout.bets.values():
            for number in bet.numbers:
                self._by_result.setdefault(number, {})[bet.id] = 1 + bet.pays

    def on(self, result: str) -> Mapping[str, int]:
        """The winning bets of a result, and how many stakes each gives back for one."""
        return self._by_result.get(result, {})


def counted_in_box(stakes: Mapping[str, int], least_cents: int, most_cents: int) -> dict[str, int]:
    """What counts of each player's stake in a betting box.

    A box that is not over its maximum counts whole. In one that is, everybody's stake counts in the
    proportion of the maximum to all that lies in the box, rounded down to the cent; nobody falls under the
    minimum by that, and who was under it before counts whole.

    >>> counted_in_box({"1": 80_000, "2": 60_000, "3": 500}, 1_000, 100_000)
    {'1': 56939, '2': 42704, '3': 500}
    """
    in_box = sum(stakes.values())
    if in_box <= most_cents:
        return dict(stakes)
    share = Fraction(most_cents, in_box)
    counted = {}
    for player, stake in stakes.items():
        if stake < least_cents:
            counted[player] = stake
        else:
            counted[player] = max(floor(stake * share), least_cents)
    return counted
