"""A simulated wheel that misbehaves in every way the book lists."""

from random import Random

from croupier.rulebook import Book
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import commands as c

SUSPECT = 0.05
"""How often each single fact of a spin is not what it should be."""


class Wheel:
    """Draws spins and results; many of them break a rule."""

    def __init__(self, book: Book, random: Random) -> None:
        self._book = book
        self._random = random
        self._causes = [
            irregularity.cause
            for irregularity in book.irregularities.values()
            if irregularity.consequence in VOIDING
        ]

    def result(self) -> str:
        """Where the ball or the clapper rests."""
        return self._random.choice(self._book.wheel.order)

    def irregularity(self) -> str:
        """Something that somebody saw go wrong."""
        return self._random.choice(self._causes)

    def start(self) -> c.StartSpin:
        """The ball is spun: now and then with the wheel, or on one that stands still."""
        if self._book.wheel.kind != "ball" or self._random.random() < 0.5:
            return c.StartSpin()
        wheel = self._random.choice(("clockwise", "counter-clockwise"))
        against = "counter-clockwise" if wheel == "clockwise" else "clockwise"
        ball = wheel if self._random.random() < SUSPECT else against
        return c.StartSpin(ball=ball, wheel=wheel, wheel_turning=self._random.random() >= SUSPECT)

    def finish(self) -> c.FinishSpin:
        """The spin is over: now and then after too few revolutions, or nowhere in particular."""
        revolutions = self._random.choice((None, 2)) if self._random.random() < 2 * SUSPECT else 6
        if self._random.random() < SUSPECT:
            return c.FinishSpin(revolutions=revolutions, at_rest=False)
        pocket = self.result() if self._random.random() < 0.5 else None
        return c.FinishSpin(revolutions=revolutions, pocket=pocket)
