"""Settling many seats at once: a matrix of stakes, seats by bets, against one result."""

from typing import Any, Final

import msgspec
import numpy as np
import numpy.typing as npt

from croupier.rulebook import BadInput, Book, Layout, get_layout, parse_result

Cents = npt.NDArray[Any]
"""Whole cents: 64-bit integers, or Python's own where 64 bits could not hold every sum exactly."""

_INT64_MAX: Final = 2**63 - 1


class MatrixSettlement(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """How all bets of many seats ended on one result; every array is read-only."""

    result: str
    clause: str
    bets: tuple[str, ...]
    """The columns of the stakes: every bet of the layout in its order."""
    winning: npt.NDArray[np.intp]
    """The columns of the bets that won."""
    staked_cents: Cents
    """What each seat staked."""
    returned_cents: Cents
    """What goes back to each seat."""
    winning_returned_cents: Cents
    """What goes back for each winning bet: seats by winning bets."""

    @property
    def net_cents(self) -> Cents:
        """What each seat is up or down."""
        net: Cents = self.returned_cents - self.staked_cents
        return net

    @property
    def returned_by_bet_cents(self) -> Cents:
        """What goes back for each bet, seats by bets; made when asked for, as most of it is zeros."""
        shape = len(self.staked_cents), len(self.bets)
        returned: Cents = np.zeros(shape, dtype=self.returned_cents.dtype)
        returned[:, self.winning] = self.winning_returned_cents
        return returned


def settle_matrix(book: Book, layout: Layout | str | None, stakes: Cents, result: str) -> MatrixSettlement:
    """How stakes in cents, one row for each seat and one column for each bet of the layout, end on a result.

    Gives for each row exactly what `croupier.rulebook.settle` gives, however large the stakes are.

    >>> from croupier.rulebook import load_book
    >>> book = load_book("mbs-roulette")
    >>> bets = [*book.layouts["main"].bets]
    >>> stakes = np.zeros((2, len(bets)), dtype=np.int64)
    >>> stakes[0, bets.index("straight:17")] = 500
    >>> stakes[1, bets.index("red")] = 1000
    >>> settle_matrix(book, None, stakes, "17").net_cents.tolist()
    [17500, -1000]
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    pocket = parse_result(book, result)
    won = [(column, bet) for column, bet in enumerate(felt.bets.values()) if pocket in bet.numbers]
    factors = [bet.pays + 1 for _, bet in won]
    # No sum of a row, of stakes or of returns, is larger than its largest stake this many times.
    most_times = max(sum(factors), len(felt.bets))
    largest = _largest_stake(stakes, len(felt.bets))
    number = np.int64 if max(largest, 1) * most_times <= _INT64_MAX else object
    cents = np.asarray(stakes).astype(number, copy=False)
    winning = np.array([column for column, _ in won], dtype=np.intp)
    winning_returned = cents[:, winning] * np.array(factors, dtype=number)
    settled = MatrixSettlement(
        result=pocket,
        clause=felt.pay_clause,
        bets=tuple(felt.bets),
        winning=winning,
        staked_cents=cents.sum(axis=1),
        returned_cents=winning_returned.sum(axis=1),
        winning_returned_cents=winning_returned,
    )
    for array in (winning, settled.staked_cents, settled.returned_cents, winning_returned):
        array.flags.writeable = False
    return settled


def _largest_stake(stakes: Cents, bets: int) -> int:
    """The largest stake, after checking that all are amounts in cents."""
    if not isinstance(stakes, np.ndarray) or stakes.ndim != 2 or stakes.shape[1] != bets:
        raise BadInput(
            "stakes-not-a-matrix",
            f"The stakes {_shape(stakes)} do not fit the layout.",
            f"Give an array with one row for each seat and {bets} columns, one for each bet of the layout.",
        )
    if stakes.dtype.kind == "O":
        wrong = [stake for stake in stakes.flat if isinstance(stake, bool) or not isinstance(stake, int)]
        if wrong:
            raise _not_cents(repr(wrong[0]))
    elif stakes.dtype.kind not in "iu":
        raise _not_cents(f"in an array of {stakes.dtype}")
    if stakes.size == 0:
        return 0
    # Read as unsigned, a negative stake is larger than any other, so one pass over the stakes finds either.
    is_plain = stakes.dtype == np.int64
    largest = int((stakes.view(np.uint64) if is_plain else stakes).max())
    if (largest > _INT64_MAX) if is_plain else (stakes.min() < 0):
        raise _not_cents(str(stakes.min()))
    return largest


def _shape(stakes: object) -> str:
    return f"of shape {stakes.shape}" if isinstance(stakes, np.ndarray) else f"in a {type(stakes).__name__}"


def _not_cents(stake: str) -> BadInput:
    return BadInput(
        "stake-not-cents",
        f"The stake {stake} is not an amount in cents.",
        "Give whole numbers of cents, 0 or more.",
    )
