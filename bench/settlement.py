"""How fast 1,000,000 bets are settled, beside the least that NumPy has to do for it.

Run it with `make bench` or `python bench/settlement.py`. The stakes lie on the triple-zero layout in two
shapes: few seats with most spots covered, and many seats with ten bets each. For each result it prints

- `settle_matrix`: bets a second, checks and exactness included;
- `bare`: the same answer from NumPy alone, which trusts its input and cannot notice an overflow. It gathers
  the columns of the winning bets (known beforehand), multiplies them by what a stake returns, sums them for
  each seat, and sums the stakes of each seat; nothing else;
- `ratio`: the time of the first over the time of the second, which has to stay under 3;
- `settle`: bets a second of the scalar form, on as many seats as it does in a moment.

Each time is the best of several repeats, because whatever else the machine does only ever adds to it.
"""

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from croupier.lab.matrix import settle_matrix
from croupier.rulebook import Book, get_layout, load_book, settle

BETS: Final = 1_000_000
BETS_A_SEAT: Final = (125, 10)
RESULTS: Final = ("0", "000", "17", "36")
REPEATS: Final = 15
SCALAR_BETS: Final = 20_000
RATIO_LIMIT: Final = 3

Matrix = npt.NDArray[Any]


def make_stakes(bets_a_seat: int, columns: int) -> Matrix:
    """A matrix with exactly `BETS` stakes of 1 to 100 dollars, the same ones in every run."""
    seats = BETS // bets_a_seat
    random = np.random.default_rng(2023)
    stakes = np.zeros((seats, columns), dtype=np.int64)
    spots = random.random((seats, columns)).argpartition(bets_a_seat, axis=1)[:, :bets_a_seat]
    amounts = random.integers(1, 101, size=spots.shape) * 100
    np.put_along_axis(stakes, spots, amounts, axis=1)
    return stakes


def bare(stakes: Matrix, winning: Matrix, factors: Matrix) -> tuple[Matrix, Matrix]:
    """The least to do: gather and sum, without a look at the input."""
    return stakes.sum(axis=1), (stakes[:, winning] * factors).sum(axis=1)


def best_seconds(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def scalar_rate(book: Book, stakes: Matrix, bets_a_seat: int, result: str) -> float:
    """Bets a second when each seat is settled alone."""
    names = [*get_layout(book).bets]
    seats = [
        {names[column]: int(row[column]) for column in np.flatnonzero(row)}
        for row in stakes[: SCALAR_BETS // bets_a_seat]
    ]
    seconds = best_seconds(lambda: [settle(book, None, seat, result).returned_cents for seat in seats], 3)
    return len(seats) * bets_a_seat / seconds


def compare(book: Book, stakes: Matrix, result: str) -> tuple[float, float]:
    """The seconds that `settle_matrix` and the bare sum take, after checking that they agree."""
    bets = get_layout(book).bets.values()
    winning = np.array([column for column, bet in enumerate(bets) if result in bet.numbers])
    factors = np.array([bet.pays + 1 for bet in bets if result in bet.numbers])
    settled = settle_matrix(book, None, stakes, result)
    staked, returned = bare(stakes, winning, factors)
    if (settled.staked_cents != staked).any() or (settled.returned_cents != returned).any():
        raise SystemExit(f"settle_matrix and the bare sum differ on {result}")
    return (
        best_seconds(lambda: settle_matrix(book, None, stakes, result), REPEATS),
        best_seconds(lambda: bare(stakes, winning, factors), REPEATS),
    )


def main() -> int:
    book = load_book("rws-roulette-000")
    worst = 0.0
    print(f"{BETS:,} bets on {book.id}, best of {REPEATS}")
    print("    seats  result   settle_matrix            bare   ratio          settle")
    for bets_a_seat in BETS_A_SEAT:
        stakes = make_stakes(bets_a_seat, len(get_layout(book).bets))
        for result in RESULTS:
            ours, least = compare(book, stakes, result)
            scalar = scalar_rate(book, stakes, bets_a_seat, result)
            worst = max(worst, ours / least)
            print(
                f"{len(stakes):>9,}  {result:>6}  {BETS / ours:>12,.0f}/s  {BETS / least:>12,.0f}/s"
                f"  {ours / least:>6.2f}  {scalar:>12,.0f}/s"
            )
    print(f"largest ratio {worst:.2f}, to stay under {RATIO_LIMIT}")
    return 0 if worst < RATIO_LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
