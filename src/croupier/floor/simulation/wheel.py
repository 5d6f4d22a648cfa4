"""A simulated wheel that misbehaves in every way the book lists, and knows when its ball rolls and rests."""

from random import Random
from typing import NamedTuple

from croupier.rulebook import Book
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import commands as c

SUSPECT = 0.05
"""How often each single fact of a spin is not what it should be."""
MISREAD = 0.05
"""How often people read another number than the ball lies in."""


class Roll(NamedTuple):
    """A spin as it really happens, whatever anybody tells of it."""

    began_ms: int
    rests_ms: int
    revolutions: int
    pocket: str | None
    """Where it ends; None where that is nowhere in particular."""


class Wheel:
    """Draws spins and results; many of them break a rule."""

    def __init__(self, book: Book, random: Random) -> None:
        self.latest: Roll | None = None
        self._book = book
        self._random = random
        self._causes = [
            irregularity.cause
            for irregularity in book.irregularities.values()
            if irregularity.consequence in VOIDING
        ]

    def result(self) -> str:
        """Where the ball or the clapper might rest."""
        return self._random.choice(self._book.wheel.order)

    def reading(self) -> str:
        """What people read on the wheel: mostly where the ball lies, or will lie."""
        lies_in = None if self.latest is None else self.latest.pocket
        return self.result() if lies_in is None or self._random.random() < MISREAD else lies_in

    def irregularity(self) -> str:
        """Something that somebody says to have seen."""
        return self._random.choice(self._causes)

    def roll(self, now_ms: int) -> Roll:
        """The ball begins to roll, now and then for too few revolutions, or to end nowhere in particular."""
        self.latest = Roll(
            began_ms=now_ms,
            rests_ms=now_ms + self._random.randint(1_000, 6_000),
            revolutions=2 if self._random.random() < SUSPECT else 6,
            pocket=None if self._random.random() < SUSPECT else self.result(),
        )
        return self.latest

    def start(self) -> c.StartSpin:
        """What is told of a launch: now and then one with the wheel, or on one that stands still."""
        if self._book.wheel.kind != "ball" or self._random.random() < 0.5:
            return c.StartSpin()
        wheel = self._random.choice(("clockwise", "counter-clockwise"))
        against = "counter-clockwise" if wheel == "clockwise" else "clockwise"
        ball = wheel if self._random.random() < SUSPECT else against
        return c.StartSpin(ball=ball, wheel=wheel, wheel_turning=self._random.random() >= SUSPECT)

    def finish(self) -> c.FinishSpin:
        """What a person tells of the end: now and then too few revolutions, or nowhere in particular."""
        revolutions = self._random.choice((None, 2)) if self._random.random() < 2 * SUSPECT else 6
        if self._random.random() < SUSPECT:
            return c.FinishSpin(revolutions=revolutions, at_rest=False)
        pocket = self.reading() if self._random.random() < 0.5 else None
        return c.FinishSpin(revolutions=revolutions, pocket=pocket)
