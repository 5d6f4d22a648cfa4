"""The windowed transform of a tilted sum: one stretch of a distribution with its relative digits right."""

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from croupier.lab.compiled import compiled
from croupier.lab.lattice import Lattice

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]
Complex = NDArray[np.complex128]

_DIGITS = 50
"""Decimal digits of the few numbers that are multiplied by the number of rounds."""
_NEGLIGIBLE = -60.0
"""Frequencies whose share of the transform is under exp(-60) change nothing in double precision."""
_NOISE = 1e-15
"""What is under this part of the tilted peak is rounding noise."""


class TiltedLaw:
    """One round of a part under a tilt, in as many digits as a power of a million needs."""

    def __init__(
        self, rounds: int, steps: tuple[int, ...], chances: tuple[Fraction, ...], factor: Decimal
    ) -> None:
        weights = [
            Decimal(chance.numerator) / chance.denominator * factor**step
            for step, chance in zip(steps, chances, strict=True)
        ]
        mass = sum(weights, Decimal(0))
        self.rounds = rounds
        self.log_mass = mass.ln()
        shares = [weight / mass for weight in weights]
        self.mean = sum((share * step for share, step in zip(shares, steps, strict=True)), Decimal(0))
        self.shares = np.array([float(share) for share in shares])
        self.offsets = np.array([float(step - self.mean) for step in steps])
        self.variance = rounds * float(self.shares @ self.offsets**2)


class TiltedSum:
    """All rounds of all parts under a tilt, as the frequencies of their distribution around its middle."""

    def __init__(self, lattice: Lattice, theta: float, size: int) -> None:
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
        main = max(laws, key=lambda law: law.variance)
        chosen = _loud(size, main.offsets, main.shares, float(main.rounds))
        angles: Reals = chosen.astype(np.float64) * (2.0 * math.pi / size)
        loudness = np.zeros(chosen.size)
        phase: Reals = angles * off_middle
        for law in laws:
            _add_power(angles, law.offsets, law.shares, float(law.rounds), loudness, phase)
        self.frequencies: Whole = chosen[loudness > _NEGLIGIBLE]
        self._spectrum: Complex = (np.exp(loudness) * np.exp(-1j * phase))[loudness > _NEGLIGIBLE]

    def cells(self, low: int, high: int) -> Reals:
        """The untilted chances of the cells `low` to `high`; noise comes out as empty cells."""
        spectrum = np.zeros(self._size // 2 + 1, np.complex128)
        spectrum[self.frequencies] = self._spectrum
        around = scipy.fft.irfft(spectrum, self._size)
        around[around < _NOISE * around.max()] = 0.0
        cells = np.arange(low, high + 1) - self._middle
        chances: Reals = around[cells % self._size] * np.exp(self._height - self._slope * cells)
        return chances

    def bins(self, low: int, high: int, width: int) -> Reals:
        """The untilted chances of bins of `width` cells from `low` on, summed up frequency by frequency."""
        exponents = 1j * self.frequencies * (2.0 * math.pi / self._size) - self._slope
        still = np.abs(exponents) < 1e-300
        exponents[still] = -1.0
        # The cells of a bin are a geometric series in each frequency.
        series = np.where(still, width, np.expm1(width * exponents) / np.expm1(exponents))
        twice = np.where(self.frequencies % (self._size // 2) == 0, 1.0, 2.0)
        starts = np.arange(low, high + 1, width) - self._middle
        weights = self._spectrum * series * twice / self._size
        summed = _add_waves(starts, self.frequencies, weights, self._size)
        chances: Reals = np.maximum(summed, 0.0) * np.exp(self._height - self._slope * starts)
        return chances


@compiled
def _loud(size: int, offsets: Reals, shares: Reals, rounds: float) -> Whole:
    """The frequencies at which many rounds of a law still have weight.

    The modulus of a characteristic function changes no faster than the mean distance from the mean, so from
    a frequency where it is far too small the next ones can be left out unseen.
    """
    enough = math.exp(_NEGLIGIBLE / rounds)
    pace = 2.0 * math.pi / size
    spread = 0.0
    for j in range(offsets.size):
        spread += shares[j] * abs(offsets[j])
    found = [0]
    frequency = 1
    while frequency <= size // 2:
        real = imaginary = 0.0
        for j in range(offsets.size):
            x = frequency * pace * offsets[j]
            real += shares[j] * math.cos(x)
            imaginary += shares[j] * math.sin(x)
        modulus = math.sqrt(real * real + imaginary * imaginary)
        if modulus >= enough:
            found.append(frequency)
            frequency += 1
        else:
            frequency += max(1, int((enough - modulus) / (spread * pace)))
    return np.array(found)


@compiled
def _add_power(
    angles: Reals, offsets: Reals, shares: Reals, rounds: float, loudness: Reals, phase: Reals
) -> None:
    """Adds rounds * log E exp(i * angle * offset), where the offsets have mean zero.

    The mean being zero, the sine is replaced by sin(x) - x: its rounding error is then of third order
    in the angle and survives the multiplication by a million.
    """
    for index in range(angles.size):
        real = imaginary = 0.0
        for j in range(offsets.size):
            x = angles[index] * offsets[j]
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
def _add_waves(starts: Whole, frequencies: Whole, weights: Complex, size: int) -> Reals:
    """The real part of the sum of weights * exp(2 pi i frequency * start / size), for every start."""
    sums = np.zeros(starts.size)
    for index in range(starts.size):
        for j in range(frequencies.size):
            # The product is reduced as a whole number, where no digit is lost.
            angle = 2.0 * math.pi * float(frequencies[j] * starts[index] % size) / size
            sums[index] += weights[j].real * math.cos(angle) - weights[j].imag * math.sin(angle)
    return sums
