"""A slip: all that one player has on the felt in one round, compiled to one payoff for each outcome."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from croupier.rulebook import BadInput, Bet, Book, Layout, get_layout, parse_announced, parse_bet
from croupier.rulebook.model import frozen_map

MAXIMUM_STAKE_CENTS = 10**11
"""A billion dollars on one bet: far above any table, far below what 64 bits can hold."""


class Slip(msgspec.Struct, frozen=True, kw_only=True):
    """Bets with their stakes, and what each outcome of the wheel makes of them together."""

    book: str
    layout: str
    stakes_cents: Mapping[str, int]
    """Ordinary bets by id; announced bets are spread over their pieces."""
    outcomes: tuple[str, ...]
    weights: tuple[int, ...]
    """On how many pockets or segments each outcome stands."""
    net_cents: tuple[int, ...]
    """What the player is up or down on each outcome."""
    winning: tuple[bool, ...]
    """Whether at least one bet wins on each outcome."""

    def __reduce__(self) -> tuple[Any, ...]:
        # A read-only mapping cannot be sent to another process, a plain one can.
        return _rebuild, (self.book, self.layout, dict(self.stakes_cents), *msgspec.structs.astuple(self)[3:])

    @property
    def staked_cents(self) -> int:
        """All stakes together."""
        return sum(self.stakes_cents.values())

    @property
    def pockets(self) -> int:
        """How many equally likely pockets or segments the wheel has."""
        return sum(self.weights)

    @property
    def law(self) -> tuple[tuple[int, Fraction], ...]:
        """Every net result in cents with its probability, the worst first.

        >>> from croupier.rulebook import load_book
        >>> place_slip(load_book("mbs-roulette"), {"red": 100}).law
        ((-100, Fraction(19, 37)), (100, Fraction(18, 37)))
        """
        pockets: dict[int, int] = {}
        for net, weight in zip(self.net_cents, self.weights, strict=True):
            pockets[net] = pockets.get(net, 0) + weight
        return tuple((net, Fraction(pockets[net], self.pockets)) for net in sorted(pockets))

    def times(self, factor: int) -> "Slip":
        """The same bets with every stake multiplied."""
        if factor < 1:
            raise BadInput("factor-too-small", f"A slip cannot be multiplied by {factor}.", "Use 1 or more.")
        return msgspec.structs.replace(
            self,
            stakes_cents=frozen_map({bet: stake * factor for bet, stake in self.stakes_cents.items()}),
            net_cents=tuple(net * factor for net in self.net_cents),
        )


def _rebuild(book: str, layout: str, stakes_cents: dict[str, int], *others: Any) -> Slip:
    fields = zip(Slip.__struct_fields__[3:], others, strict=True)
    return Slip(book=book, layout=layout, stakes_cents=frozen_map(stakes_cents), **dict(fields))


def place_slip(book: Book, stakes_cents: Mapping[str, int], layout: Layout | str | None = None) -> Slip:
    """Compiles bets and announced bets; the stake of an announced bet is what lies on each of its pieces.

    >>> from croupier.rulebook import load_book
    >>> slip = place_slip(load_book("mbs-roulette"), {"tiers": 500, "straight:17": 100})
    >>> slip.staked_cents, max(slip.net_cents)
    (3100, 5900)
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    placed = _spread(felt, stakes_cents)
    if not placed:
        raise BadInput("slip-empty", "The slip has no bet.", "Put a stake on at least one bet, e.g. red.")
    net = dict.fromkeys(book.wheel.outcomes, -sum(placed.values()))
    winning = dict.fromkeys(book.wheel.outcomes, False)
    for bet_id, stake in placed.items():
        bet = felt.bets[bet_id]
        for number in bet.numbers:
            net[number] += stake * (bet.pays + 1)
            winning[number] = True
    return Slip(
        book=book.id,
        layout=felt.id,
        stakes_cents=frozen_map(placed),
        outcomes=tuple(book.wheel.outcomes),
        weights=tuple(book.wheel.outcomes.values()),
        net_cents=tuple(net.values()),
        winning=tuple(winning.values()),
    )


def join_slips(pairs: Sequence[tuple[Slip, int]]) -> Slip:
    """Several slips on the same wheel as one, each as often as it is stated: a table full of players."""
    if not pairs:
        raise BadInput("slip-empty", "There is no slip to join.", "Give at least one.")
    first = pairs[0][0]
    stakes: dict[str, int] = {}
    for slip, _ in pairs:
        if slip.book != first.book or slip.layout != first.layout:
            raise BadInput(
                "slips-on-two-tables",
                f"A slip of {slip.book} ({slip.layout}) cannot join one of {first.book} ({first.layout}).",
                "Join slips of one book and layout; tables are added up as independent ones.",
            )
    for slip, count in pairs:
        for bet_id, stake in slip.times(count).stakes_cents.items():
            stakes[bet_id] = stakes.get(bet_id, 0) + stake
    return msgspec.structs.replace(
        first,
        stakes_cents=frozen_map(stakes),
        net_cents=tuple(
            sum(slip.net_cents[index] * count for slip, count in pairs)
            for index in range(len(first.outcomes))
        ),
        winning=tuple(any(slip.winning[index] for slip, _ in pairs) for index in range(len(first.outcomes))),
    )


def _spread(felt: Layout, stakes_cents: Mapping[str, int]) -> dict[str, int]:
    placed: dict[str, int] = {}
    for text, stake in stakes_cents.items():
        if isinstance(stake, bool) or not isinstance(stake, int) or not 1 <= stake <= MAXIMUM_STAKE_CENTS:
            raise BadInput(
                "stake-not-cents",
                f"The stake {stake!r} on {text} is not an amount in cents.",
                f"Give a whole number of cents from 1 to {MAXIMUM_STAKE_CENTS}.",
            )
        announced = parse_announced(felt, text)
        pieces: list[tuple[Bet, int]] = (
            [(parse_bet(felt, text), 1)]
            if announced is None
            else [(part.bet, part.pieces) for part in announced.parts]
        )
        for bet, count in pieces:
            placed[bet.id] = placed.get(bet.id, 0) + stake * count
    return placed
