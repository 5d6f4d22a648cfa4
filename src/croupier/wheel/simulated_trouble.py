"""What a simulated wheel can be made to get wrong: irregularities of its book, and faults of its sensors."""

from collections import deque
from typing import Final

from croupier.rulebook import BadInput, Book
from croupier.rulebook.vocabulary import VOIDING
from croupier.wheel.uniform import Chance

HAPPENINGS: Final = (
    "same-direction",
    "ball-dropped",
    "too-few-revolutions",
    "foreign-object",
    "no-compartment",
    "ball-out",
    "ball-broken",
    "wheel-stopped",
    "wheel-still",
    "interference",
)
"""Irregularities that happen at a wheel; the others of a book happen to people, bets and machines."""

SENSOR_FAULTS: Final = (
    "line-lost",
    "line-garbled",
    "wrong-order",
    "counter-jumped",
    "restarted",
    "ball-missing",
    "launch-failed",
    "sensor-fault",
    "results-differ",
)
"""Faults of a wheel with sensors that can fall into a spin; they say nothing of the ball itself."""

PER_MILLION: Final = 1_000_000


def troubles_of(book: Book) -> tuple[str, ...]:
    """Everything that the wheel of a book can get wrong: its irregularities first, then faults.

    >>> from croupier.rulebook import load_book
    >>> troubles_of(load_book("rws-money-wheel"))[:4]
    ('too-few-revolutions', 'no-compartment', 'interference', 'line-lost')
    """
    listed = book.irregularities
    causes = (cause for cause in HAPPENINGS if cause in listed and listed[cause].consequence in VOIDING)
    return *causes, *SENSOR_FAULTS


class Troubles:
    """Says which spin goes wrong and how: those that were asked for first, then some at a rate."""

    def __init__(self, book: Book, per_million: int = 0, kinds: tuple[str, ...] | None = None) -> None:
        self._known = troubles_of(book)
        self._title = book.title
        self.kinds = self._known if kinds is None else kinds
        """The troubles that come at the rate."""
        self.per_million = per_million
        """How many of a million spins go wrong without having been asked to."""
        if not 0 <= per_million <= PER_MILLION:
            raise BadInput("bad-rate", f"{per_million} is not a rate.", "Write 0 to 1000000 of a million.")
        for kind in self.kinds:
            self._check(kind)
        self._asked: deque[str] = deque()

    def ask(self, kind: str) -> None:
        """Has one of the next spins go wrong; each asked for takes a spin of its own, in order."""
        self._check(kind)
        self._asked.append(kind)

    def next(self, chance: Chance) -> str | None:
        """What goes wrong with the next spin; None where nothing does."""
        if self._asked:
            return self._asked.popleft()
        if not self.kinds or chance.below(PER_MILLION) >= self.per_million:
            return None
        return self.kinds[chance.below(len(self.kinds))]

    def _check(self, kind: str) -> None:
        if kind not in self._known:
            raise BadInput(
                "unknown-trouble",
                f"The wheel of {self._title} cannot have the trouble {kind!r}.",
                f"Use one of {', '.join(self._known)}.",
            )
