"""A round as an outsider works it out: what lies where, and what comes back on a result."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from croupier.floor.simulation.tally_wheel import SpinTally
from croupier.rulebook import Layout
from croupier.table import Limits

Stakes = dict[str, dict[str, int]]
"""Cents by seat and bet."""


class Part:
    """One seat's part in a settled round."""

    def __init__(self, visit: int, layout: Layout, bets: Mapping[str, int]) -> None:
        self.visit = visit
        self.layout = layout
        """That of the seat when the round was settled."""
        self.bets = bets
        self.returned: set[str] = set()
        """Bets that the shift manager had returned whatever the result."""
        self.paid_cents = 0
        self.short_cents = 0
        """What a correction could not take back."""
        self.unclaimed_cents = 0
        """What a correction owes to a player who has left."""
        self.written_off_cents = self.kept_cents = 0
        """What the house gave up of a shortfall, and what the player had of the round with it."""

    def for_nothing(self, paid_cents: int) -> int:
        """What the player keeps of what was written off, where the round pays so much."""
        return min(self.written_off_cents, max(0, self.kept_cents - paid_cents))


class RoundTally:
    """The stakes of one round in the order in which they were laid."""

    def __init__(self, number: int, limits: Limits) -> None:
        self.number = number
        self.limits = limits
        self.closed = False
        """Whether somebody closed the bets; the table's own timer tells nobody."""
        self.spin = SpinTally()
        self.stopped = False
        """Whether play has stopped since the ball began to roll: whoever looks knows where it lies."""
        self.awaiting = False
        """Whether the outcome has to be stated after an interruption."""
        self.may_be_void = self.must_be_void = False
        """Whether an interruption may have voided it, or has to have; the next question for a round tells."""
        self.result: str | None = None
        self.cause: str | None = None
        """Why it is void."""
        self.stakes: Stakes = {}
        self.parts: dict[str, Part] = {}
        self._laid: list[tuple[str, str, int]] = []

    def lay(self, seat: str, bet: str, cents: int) -> bool:
        """Puts more on a bet or takes some off; says whether there was enough to take."""
        bets = self.stakes.setdefault(seat, {})
        bets[bet] = bets.get(bet, 0) + cents
        if cents > 0:
            self._laid.append((seat, bet, cents))
        else:
            self._lift(-cents, seat, bet)
        enough = bets[bet] >= 0
        if bets[bet] <= 0:
            del bets[bet]
        return enough

    def _lift(self, cents: int, seat: str | None, bet: str | None) -> dict[tuple[str, str], int]:
        """Takes an amount off what was laid latest; gives from whom and where."""
        lifted: dict[tuple[str, str], int] = {}
        for place in range(len(self._laid) - 1, -1, -1):
            whose, where, laid = self._laid[place]
            part = min(cents, laid)
            if part and seat in (None, whose) and bet in (None, where):
                cents -= part
                lifted[whose, where] = lifted.get((whose, where), 0) + part
                self._laid[place] = whose, where, laid - part
        return lifted

    def take_back(self, seat: str, bet: str) -> int:
        """Takes all of a bet off; gives how much it was."""
        cents = self.stakes[seat][bet]
        self.lay(seat, bet, -cents)
        return cents

    def reject(self, layout: Layout, bet: str | None) -> Iterator[tuple[str, int]]:
        """Takes off what a box, or the whole table, holds above its maximum; gives whose it was."""
        held = sum(
            cents for bets in self.stakes.values() for box, cents in bets.items() if bet in (None, box)
        )
        most = self.limits.table_cents if bet is None else self._range(layout, bet)[1]
        if most is None or held <= most:
            return
        for (seat, box), cents in self._lift(held - most, None, bet).items():
            left = self.stakes[seat][box] - cents
            self.stakes[seat][box] = left
            if not left:
                del self.stakes[seat][box]
            yield seat, cents

    def returns(self, result: str | None) -> dict[str, int]:
        """What each seat of a settled round gets back in all; without a result every stake."""
        returns = {}
        for seat, part in self.parts.items():
            cents, layout = 0, part.layout
            for bet, stake in part.bets.items():
                if result is None or bet in part.returned:
                    cents += stake
                else:
                    counted = self._counted(layout, bet, stake)
                    wins = result in layout.bets[bet].numbers
                    cents += stake - counted + wins * counted * (1 + layout.bets[bet].pays)
            returns[seat] = cents
        return returns

    def _counted(self, layout: Layout, bet: str, stake: int) -> int:
        """What counts of a stake: on the Money Wheel its share of a box that holds too much."""
        if layout.bets[bet].kind != "symbol":
            return stake
        least, most = self._range(layout, bet)
        held = sum(part.bets.get(bet, 0) for part in self.parts.values())
        if held <= most or stake < least:
            return stake
        return max(least, int(Fraction(most, held) * stake))

    def _range(self, layout: Layout, bet: str) -> tuple[int, int]:
        limit = self.limits.bets.get(bet) or self.limits.bets[layout.bets[bet].kind]
        return limit.minimum_cents, limit.maximum_cents
