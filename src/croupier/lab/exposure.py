"""Exposure: the most that one round can cost at given limits, and what a change of the limits does."""

from collections.abc import Mapping, Sequence

import msgspec

from croupier.lab.house import HouseDay, Player, stretches
from croupier.lab.slip import Slip, place_slip
from croupier.rulebook import BadInput, Book, Layout, get_layout


class BetLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the most that one player may put on one bet, or all players together into one box."""

    minimum_cents: int
    maximum_cents: int


LimitsByKind = Mapping[str, BetLimits]
"""Limits by kind of bet: straight, split, red, ..."""


class LimitChange(msgspec.Struct, frozen=True, kw_only=True):
    """A day under two sets of limits, and what a round at its fullest table can cost under each."""

    before: HouseDay
    after: HouseDay
    exposure_before_cents: int
    exposure_after_cents: int

    def reserve_change_cents(self, safety: float) -> int:
        """How much more must be held ready for the day."""
        return self.after.reserve_cents(safety) - self.before.reserve_cents(safety)

    @property
    def win_change_cents(self) -> float:
        """How much more the house wins on average."""
        return self.after.expected_win_cents - self.before.expected_win_cents


def exposure_cents(
    book: Book, limits: LimitsByKind, seats: int = 1, layout: Layout | str | None = None
) -> dict[str, int]:
    """What each outcome costs the house when every seat has the most on every bet that wins with it.

    Where boxes are marked, their limits are for all seats together, and no seat adds to the most.

    >>> from croupier.rulebook import load_book
    >>> money = {"symbol": BetLimits(minimum_cents=100, maximum_cents=50_000)}
    >>> exposure_cents(load_book("rws-money-wheel"), money)["crockfords"]
    2250000
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    _check_limits(felt, limits)
    if seats < 1:
        raise BadInput("no-seats", f"A table with {seats} seats has no exposure.", "Give 1 seat or more.")
    times = 1 if _limits_boxes(book) else seats
    costs = dict.fromkeys(book.wheel.outcomes, 0)
    for bet in felt.bets.values():
        for number in bet.numbers:
            costs[number] += times * limits[bet.kind].maximum_cents * bet.pays
    return costs


def change_limits(
    book: Book,
    tables: Sequence[Sequence[Player]],
    before: LimitsByKind,
    after: LimitsByKind,
    layout: Layout | str | None = None,
) -> LimitChange:
    """The same day under two sets of limits.

    The players' slips are what they would like to stake: more than the maximum is cut to it, less than
    the minimum is not placed, and who has nothing left to place does not play. Where boxes are marked, that
    is so for what all players of a table have in a box.
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    seats = max((sum(player.count for player in players) for players in tables), default=0)
    return LimitChange(
        before=_limited_day(book, felt, tables, before),
        after=_limited_day(book, felt, tables, after),
        exposure_before_cents=max(exposure_cents(book, before, seats, felt).values()),
        exposure_after_cents=max(exposure_cents(book, after, seats, felt).values()),
    )


def _limits_boxes(book: Book) -> bool:
    return book.limits.value == "mark-box"


def _limited_day(
    book: Book, felt: Layout, tables: Sequence[Sequence[Player]], limits: LimitsByKind
) -> HouseDay:
    _check_limits(felt, limits)
    plays: list[tuple[Slip, int]] = []
    for players in tables:
        if _limits_boxes(book):
            plays += [
                (slip, rounds)
                for together, rounds in stretches(players)
                if (slip := _limited(book, felt, together, limits)) is not None
            ]
        else:
            plays += stretches(
                [
                    msgspec.structs.replace(player, slip=slip)
                    for player in players
                    if (slip := _limited(book, felt, player.slip, limits)) is not None
                ]
            )
    if not plays:
        raise BadInput("no-tables", "Nobody plays.", "Give at least one player with a bet that is allowed.")
    return HouseDay(plays)


def _limited(book: Book, felt: Layout, slip: Slip, limits: LimitsByKind) -> Slip | None:
    stakes = _cut(felt, slip, limits)
    return place_slip(book, stakes, felt) if stakes else None


def _cut(felt: Layout, slip: Slip, limits: LimitsByKind) -> dict[str, int]:
    stakes: dict[str, int] = {}
    for bet_id, stake in slip.stakes_cents.items():
        limit = limits[felt.bets[bet_id].kind]
        if stake >= limit.minimum_cents:
            stakes[bet_id] = min(stake, limit.maximum_cents)
    return stakes


def _check_limits(felt: Layout, limits: LimitsByKind) -> None:
    kinds = dict.fromkeys(bet.kind for bet in felt.bets.values())
    missing = [kind for kind in kinds if kind not in limits]
    if missing:
        raise BadInput(
            "limits-missing",
            f"There is no limit for {', '.join(missing)}.",
            "Give one for every kind of bet.",
        )
    for kind in kinds:
        limit = limits[kind]
        if not 1 <= limit.minimum_cents <= limit.maximum_cents:
            raise BadInput(
                "limits-crossed",
                f"The limits of {kind} are {limit.minimum_cents} to {limit.maximum_cents} cents.",
                "The minimum is 1 cent or more and not above the maximum.",
            )
