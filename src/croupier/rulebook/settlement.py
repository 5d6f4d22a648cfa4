"""What a result pays: exact, in whole cents."""

from collections.abc import Mapping

import msgspec

from croupier.rulebook.bets import get_layout, parse_bet, parse_result
from croupier.rulebook.errors import BadInput
from croupier.rulebook.model import Bet, Book, Layout


class BetOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How one bet ended."""

    bet: Bet
    stake_cents: int
    won: bool
    paid_cents: int
    """What the house pays on top of the stake."""
    returned_cents: int
    """What goes back to the player: stake and pay of a winning bet, nothing of a losing one."""


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """How all bets of one player ended on one result."""

    result: str
    clause: str
    bets: tuple[BetOutcome, ...]

    @property
    def staked_cents(self) -> int:
        """All stakes together."""
        return sum(outcome.stake_cents for outcome in self.bets)

    @property
    def returned_cents(self) -> int:
        """All that goes back to the player."""
        return sum(outcome.returned_cents for outcome in self.bets)

    @property
    def net_cents(self) -> int:
        """What the player is up or down."""
        return self.returned_cents - self.staked_cents


def settle_bet(bet: Bet, stake_cents: int, result: str) -> BetOutcome:
    """How one bet ends on a result."""
    won = result in bet.numbers
    paid_cents = stake_cents * bet.pays if won else 0
    return BetOutcome(
        bet=bet,
        stake_cents=stake_cents,
        won=won,
        paid_cents=paid_cents,
        returned_cents=stake_cents + paid_cents if won else 0,
    )


def settle(book: Book, layout: Layout | str | None, stakes: Mapping[str, int], result: str) -> Settlement:
    """How stakes in cents, by bet id, end on a result.

    A bet that is named twice with its numbers in different orders is one bet with both stakes on it.

    >>> from croupier.rulebook import load_book
    >>> outcome = settle(load_book("mbs-roulette"), None, {"straight:17": 500, "red": 1000}, "17")
    >>> outcome.returned_cents, outcome.net_cents
    (18000, 16500)
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    pocket = parse_result(book, result)
    merged: dict[str, int] = {}
    for text, stake_cents in stakes.items():
        if isinstance(stake_cents, bool) or not isinstance(stake_cents, int) or stake_cents < 0:
            raise BadInput(
                "stake-not-cents",
                f"The stake {stake_cents!r} on {text} is not an amount in cents.",
                "Give a whole number of cents, 0 or more.",
            )
        bet_id = parse_bet(felt, text).id
        merged[bet_id] = merged.get(bet_id, 0) + stake_cents
    outcomes = tuple(settle_bet(felt.bets[bet_id], stake, pocket) for bet_id, stake in merged.items())
    return Settlement(result=pocket, clause=felt.pay_clause, bets=outcomes)
