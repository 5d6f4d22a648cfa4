"""Chance that a test lays down, and spins of every wheel."""

from collections.abc import Iterable

from croupier.rulebook import Book, load_book
from croupier.wheel.physics_ball import BallSpin, plan_ball_spin
from croupier.wheel.physics_clapper import ClapperSpin, plan_clapper_spin
from croupier.wheel.uniform import Chance, SeededChance

BOOKS = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel")
BALL_BOOKS = BOOKS[:3]


class LaidDown:
    """Gives chosen numbers for draws below chosen bounds, and a seeded source's for all others."""

    def __init__(self, seed: int, chosen: Iterable[tuple[int, int]]) -> None:
        self._seeded = SeededChance(seed)
        self._chosen = dict(chosen)

    def below(self, count: int) -> int:
        drawn = self._seeded.below(count)
        return self._chosen.get(count, drawn)

    def nonce(self) -> bytes:
        return self._seeded.nonce()


def plan(
    book: Book | str, pocket: int, chance: Chance, direction: int = 1, trouble: str | None = None
) -> BallSpin | ClapperSpin:
    """A spin of a book's wheel."""
    wheel = (load_book(book) if isinstance(book, str) else book).wheel
    make = plan_ball_spin if wheel.kind == "ball" else plan_clapper_spin
    return make(
        len(wheel.order), pocket, chance, needs=wheel.revolutions, direction=direction, trouble=trouble
    )
