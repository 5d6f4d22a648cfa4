"""The windowed transform of a tilted sum: one stretch of a distribution with its relative digits right."""

import math
from collections.abc import Iterator
from decimal import Context, Decimal, localcontext

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from croupier.lab.compiled import compiled, inlined
from croupier.lab.lattice import Lattice
from croupier.lab.waves import TiltedLaw, loud_frequencies

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]
Complex = NDArray[np.complex128]

_DIGITS = 50
"""Decimal digits of the few numbers that are multiplied by the number of rounds."""
_BLOCK = 1 << 18
"""Frequencies that are worked on at once."""
_NOISE = 1e-15
"""What is under this part of the tilted peak is rounding noise."""


class TiltedSum:
    """All rounds of all parts under a tilt, as the frequencies of their distribution around its middle.

    `most` is how many terms of characteristic functions may be computed before it is given up.
    """

    def __init__(self, lattice: Lattice, theta: float, size: int, most: int) -> None:
        self._size = size
        with localcontext(Context(prec=_DIGITS)):
            factor = Decimal(math.exp(theta))
            laws = [TiltedLaw(part.rounds, part.steps, part.chances, factor) for part in lattice.parts]
            mean = sum((law.rounds * law.mean for law in laws), Decimal(0))
            self._middle = int(mean)
            masses = sum((law.rounds * law.log_mass for law in laws), Decimal(0))
            self._height = float(masses - self._middle * factor.ln())
            self._slope = float(factor.ln())
            off_middle = float(mean - self._middle)
        self.frequencies: Whole = loud_frequencies(size, laws, most)
        self._spectrum: Complex = np.empty(self.frequencies.size, np.complex128)
        for block in self._blocks():
            chosen = self.frequencies[block]
            loudness = np.zeros(chosen.size)
            phase: Reals = chosen.astype(np.float64) * (2.0 * math.pi / size * off_middle)
            for law in laws:
                _add_power(chosen, size, law.steps, law.shares, law.rests, float(law.rounds), loudness, phase)
            self._spectrum[block] = np.exp(loudness) * np.exp(-1j * phase)

    def cells(self, low: int, high: int) -> Reals:
        """The untilted chances of the cells `low` to `high`; noise comes out as empty cells."""
        spectrum = np.zeros(self._size // 2 + 1, np.complex128)
        spectrum[self.frequencies] = self._spectrum
        around = scipy.fft.irfft(spectrum, self._size)
        around[around < _NOISE * around.max()] = 0.0
        cells = np.arange(low, high + 1) - self._middle
        chances: Reals = around[cells % self._size] * np.exp(self._height - self._slope * cells)
        return chances

    def cell(self, at: int) -> float:
        """The untilted chance of a single cell, wave by wave."""
        off = at - self._middle
        waves = 0.0
        for block in self._blocks():
            turned = self._spectrum[block] * np.exp(1j * self._angles(block, off))
            waves += float((turned.real * self._twice(block)).sum())
        chance = max(waves / self._size, 0.0)
        return chance * math.exp(self._height - self._slope * off)

    def bins(self, low: int, high: int, width: int) -> Reals:
        """The untilted chances of bins of `width` cells from `low` on; the width is a power of two.

        Where only every so manieth cell is looked at, frequencies that far apart are one and the same, so a
        transform with as many points as there are bins is enough, however many frequencies there are.
        """
        folded = np.zeros((2, self._size // width))
        _fold(
            self.frequencies, self._spectrum, self._size, low - self._middle, width, self._slope, *folded
        )  # fmt: skip
        starts = np.arange(low, high + 1, width) - self._middle
        summed = scipy.fft.ifft(folded[0] + 1j * folded[1]).real[: starts.size] / width
        summed[summed < _NOISE * summed.max()] = 0.0
        chances: Reals = summed * np.exp(self._height - self._slope * starts)
        return chances

    def _blocks(self) -> Iterator[slice]:
        """The frequencies in portions: what is computed for millions at once would fill the memory."""
        for begin in range(0, self.frequencies.size, _BLOCK):
            yield slice(begin, begin + _BLOCK)

    def _angles(self, block: slice, cells: int) -> Reals:
        """How far each wave turns over a number of cells, less whole turns.

        The product is reduced as a whole number, where no digit is lost; it may run over 64 bits, because
        the size is a power of two.
        """
        turned = (self.frequencies[block] * np.int64(cells)) % self._size
        turned[turned > self._size // 2] -= self._size
        angles: Reals = turned.astype(np.float64) * (2.0 * math.pi / self._size)
        return angles

    def _twice(self, block: slice) -> Reals:
        """Each wave stands for two frequencies, but for the slowest and the fastest."""
        return np.where(self.frequencies[block] % (self._size // 2) == 0, 1.0, 2.0)


@compiled
def _add_power(
    frequencies: Whole,
    size: int,
    steps: Whole,
    shares: Reals,
    rests: Whole,
    rounds: float,
    loudness: Reals,
    phase: Reals,
) -> None:
    """Adds the logarithm of the characteristic function of many rounds, as seen from their mean.

    Every step is turned by a frequency so many whole turns and a rest. Around the mean of the rests, the sine
    is replaced by sin(x) - x: its rounding error is then of third order in the rest and survives the
    multiplication by a million. Of the whole turns only those count that the rounds, on average, do not make
    whole again: the product with their rests runs over 64 bits, and what is lost there are whole turns.
    """
    turns = np.empty(steps.size)
    pace = 2.0 * math.pi / size
    for index in range(frequencies.size):
        mean = 0.0
        for j in range(steps.size):
            whole = math.floor(frequencies[index] * (steps[j] / size) + 0.5)
            turns[j] = (frequencies[index] * steps[j] - whole * size) * pace
            mean += shares[j] * turns[j]
            phase[index] -= 2.0 * math.pi / 2.0**64 * (rests[j] * whole)
        real = imaginary = 0.0
        for j in range(steps.size):
            x = turns[j] - mean
            half = math.sin(0.5 * x)
            real -= 2.0 * shares[j] * half * half
            if abs(x) < 0.5:
                y = x * x
                series = 1.0 - y / 42.0 * (1.0 - y / 72.0 * (1.0 - y / 110.0 * (1.0 - y / 156.0)))
                imaginary -= shares[j] * x * y / 6.0 * (1.0 - y / 20.0 * series)
            else:
                imaginary += shares[j] * (math.sin(x) - x)
        squared = 2.0 * real + real * real + imaginary * imaginary
        loudness[index] += 0.5 * rounds * math.log1p(squared) if squared > -1.0 else -np.inf
        phase[index] += rounds * math.atan2(imaginary, 1.0 + real)


@compiled
def _fold(
    frequencies: Whole,
    spectrum: Complex,
    size: int,
    begin: int,
    width: int,
    slope: float,
    real: Reals,
    imaginary: Reals,
) -> None:
    """Adds each wave, summed up over the cells of a bin, to the frequency that it is at every bin's start."""
    for index in range(frequencies.size):
        frequency = frequencies[index]
        # Each wave stands for two frequencies, but for the slowest and the fastest.
        weight = spectrum[index] * (1.0 if 2 * frequency % size == 0 else 2.0)
        over_cell = _less_one(-slope, _angle(frequency, 1, size))
        # The cells of a bin are a geometric series in each frequency.
        if over_cell == 0.0:
            weight *= width
        else:
            weight *= _less_one(-slope * width, _angle(frequency, width, size)) / over_cell
        turned = _angle(frequency, begin, size)
        weight *= complex(math.cos(turned), math.sin(turned))
        real[frequency % real.size] += weight.real
        imaginary[frequency % real.size] += weight.imag


@inlined
def _angle(frequency: int, cells: int, size: int) -> float:
    """How far a wave turns over a number of cells, less whole turns.

    The product is reduced as a whole number, where no digit is lost; it may run over 64 bits, because the
    size is a power of two.
    """
    turned = (frequency * cells) % size
    if 2 * turned > size:
        turned -= size
    return 2.0 * math.pi / size * turned


@inlined
def _less_one(exponent: float, angle: float) -> complex:
    """The exponential of a complex number, less 1, with all its digits near 0."""
    half = math.sin(0.5 * angle)
    grown = math.expm1(exponent)
    return complex(grown * math.cos(angle) - 2.0 * half * half, (1.0 + grown) * math.sin(angle))
