"""Chance: whole numbers below a bound, each as likely as the next, from a seed or from the operating system.

A number is never reduced with a remainder, which would favour the small ones: what does not fit under the
bound is thrown away and drawn again. `secrets.randbelow` does the same with the system's random bits.
"""

import hashlib
import secrets
from collections.abc import Callable
from typing import Final, Protocol

NONCE_BYTES: Final = 32
_STEPS: Final = 2**53
"""As many steps between 0 and 1 as a float can tell apart."""


class Chance(Protocol):
    """Where everything that is drawn for a spin comes from."""

    def below(self, count: int) -> int:
        """A number from 0 up to and without `count`, each as likely as the next."""

    def nonce(self) -> bytes:
        """256 bits that nobody can guess, where the source is one that nobody can."""


ChanceOf = Callable[[str, int], Chance]
"""The chance of one round, by the table and the number of the round."""


class SystemChance:
    """The operating system's random source; nothing of it repeats."""

    def below(self, count: int) -> int:
        """A number from 0 up to and without `count`."""
        return secrets.randbelow(count)

    def nonce(self) -> bytes:
        """256 bits that nobody can guess."""
        return secrets.token_bytes(NONCE_BYTES)


class SeededChance:
    """SHA-256 over a seed, a label and a counter: the same seed and label always give the same numbers.

    >>> [SeededChance(7, "T1/1").below(37) for _ in range(3)]
    [19, 19, 19]
    >>> chance = SeededChance(7, "T1/1")
    >>> [chance.below(37) for _ in range(6)]
    [19, 34, 12, 2, 13, 22]
    """

    def __init__(self, seed: int, label: str = "") -> None:
        self._prefix = f"croupier seeded chance 1|{seed}|{label}|".encode()
        self._counter = 0

    def below(self, count: int) -> int:
        """A number from 0 up to and without `count`."""
        if count < 1:
            raise ValueError(f"there is no number from 0 up to and without {count}")
        bits = (count - 1).bit_length()
        if bits > 256:
            raise ValueError(f"{count} is more than one block of chance can tell apart")
        while (drawn := int.from_bytes(self._block()) >> (256 - bits)) >= count:
            pass
        return drawn

    def nonce(self) -> bytes:
        """256 bits that whoever knows the seed knows too."""
        return self._block()

    def _block(self) -> bytes:
        self._counter += 1
        return hashlib.sha256(self._prefix + b"%d" % self._counter).digest()


def between(chance: Chance, low: float, high: float) -> float:
    """A number between two others, evenly spread."""
    return low + (high - low) * (chance.below(_STEPS) / _STEPS)


def seeded(seed: int) -> ChanceOf:
    """Chance that repeats: a round under a seed is the same whatever was played before it."""
    return lambda table, number: SeededChance(seed, f"{table}/{number}")


def from_system() -> ChanceOf:
    """Chance from the operating system, the same source for every round."""
    source = SystemChance()
    return lambda table, number: source
