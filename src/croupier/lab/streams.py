"""Random pockets: seeded streams that never overlap, the same on any number of cores.

Philox4x32-10 turns a key and a counter into 128 random bits. The key is the seed, one half of the counter is
the number of the chunk and the other half counts within it, so no two chunks ever use the same counter, and a
chunk's bits depend on nothing but the seed and its number.
"""

from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from croupier.lab.compiled import compiled, inlined
from croupier.rulebook import BadInput

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]

DRAWS = 512
"""Draws in one filling of a buffer."""
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_0, _WEYL_1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


class Rim(msgspec.Struct, frozen=True, kw_only=True):
    """How random bits become pockets without a bias.

    A draw of `bits` bits is read as a fraction; multiplied by the number of pockets, its whole part is a
    pocket and the rest is the next fraction. A draw gives `spins` pockets and is thrown away where its last
    rest is under `threshold`: every run of pockets then has the same number of draws behind it.
    """

    pockets: int
    bits: int
    spins: int
    threshold: int


class Stream(NamedTuple):
    """The pockets of one chunk, as compiled code takes them."""

    seed: np.uint64
    chunk: np.uint64
    pockets: np.uint64
    bits: np.uint64
    spins: int
    threshold: np.uint64


def open_stream(seed: int, chunk: int, rim: Rim) -> Stream:
    """The stream of a chunk under a seed."""
    return Stream(
        np.uint64(seed),
        np.uint64(chunk),
        np.uint64(rim.pockets),
        np.uint64(rim.bits),
        rim.spins,
        np.uint64(rim.threshold),
    )


def make_rim(pockets: int) -> Rim:
    """The rim of a wheel; about one draw in ten million is thrown away.

    >>> make_rim(37)
    Rim(pockets=37, bits=58, spins=6, threshold=1677530626)
    """
    if not 2 <= pockets <= 255:
        raise BadInput(
            "wheel-too-large", f"A wheel of {pockets} pockets cannot be simulated.", "Use 2 to 255."
        )
    bits = 64 - pockets.bit_length()
    spins = 1
    while pockets ** (spins + 1) < 2 ** (bits - 22):
        spins += 1
    return Rim(pockets=pockets, bits=bits, spins=spins, threshold=2**bits % pockets**spins)


def check_seed(seed: int) -> None:
    """Refuses a seed that is no key."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
        raise BadInput(
            "seed-out-of-range", f"{seed!r} is not a seed.", "Give a whole number from 0 to 2**64 - 1."
        )


@inlined
def philox(seed: np.uint64, chunk: np.uint64, block: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Philox4x32-10: 128 random bits for a key and a counter."""
    key_0, key_1 = seed & _LOW, seed >> _HALF
    word_0, word_1 = block & _LOW, block >> _HALF
    word_2, word_3 = chunk & _LOW, chunk >> _HALF
    for _ in range(10):
        product_0 = _MULTIPLIER_0 * word_0
        product_1 = _MULTIPLIER_1 * word_2
        word_0 = (product_1 >> _HALF) ^ word_1 ^ key_0
        word_2 = (product_0 >> _HALF) ^ word_3 ^ key_1
        word_1 = product_1 & _LOW
        word_3 = product_0 & _LOW
        key_0 = (key_0 + _WEYL_0) & _LOW
        key_1 = (key_1 + _WEYL_1) & _LOW
    return word_0 | (word_1 << _HALF), word_2 | (word_3 << _HALF)


@compiled
def refill(stream: Stream, block: np.uint64, draws: Words, pockets: Bytes) -> np.uint64:
    """Fills `pockets` with the stream's next ones, from a block on; returns the block after them.

    Every loop but the last, which hardly ever runs, is one that the compiler turns into vector instructions.
    """
    seed, chunk, bits, spins = stream.seed, stream.chunk, stream.bits, stream.spins
    mask = (np.uint64(1) << bits) - np.uint64(1)
    half = draws.size // 2
    for i in range(half):
        first, second = philox(seed, chunk, block + np.uint64(i))
        draws[i] = first & mask
        draws[half + i] = second & mask
    block += np.uint64(half)
    for spin in range(spins):
        row = pockets[spin * draws.size : (spin + 1) * draws.size]
        for i in range(draws.size):
            product = draws[i] * stream.pockets
            row[i] = product >> bits
            draws[i] = product & mask
    for i in range(draws.size):
        while draws[i] < stream.threshold:
            first, _ = philox(seed, chunk, block)
            rest = first & mask
            block += np.uint64(1)
            for spin in range(spins):
                product = rest * stream.pockets
                pockets[spin * draws.size + i] = product >> bits
                rest = product & mask
            draws[i] = rest
    return block
