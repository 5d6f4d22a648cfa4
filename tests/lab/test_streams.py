"""Random pockets: known answers of Philox, no bias, no overlap."""

import numpy as np
import pytest
import scipy.stats

from croupier.lab.pockets import count_pockets
from croupier.lab.streams import DRAWS, Rim, make_rim, open_stream, philox, refill
from croupier.rulebook import BadInput


def words(counter: list[int], key: list[int]) -> list[int]:
    """Philox4x32-10 in the order of words in which its authors publish known answers."""
    packed = (np.uint64(low | high << 32) for low, high in (key, counter[2:], counter[:2]))
    return [word for half in philox(*packed) for word in (int(half) & 0xFFFFFFFF, int(half) >> 32)]


def pockets(seed: int, chunk: int, rim: Rim, fillings: int = 1) -> np.ndarray:
    draws, row, block = np.empty(DRAWS, np.uint64), np.empty(DRAWS * rim.spins, np.uint8), np.uint64(0)
    rows = []
    for _ in range(fillings):
        block = np.uint64(refill(open_stream(seed, chunk, rim), block, draws, row))
        rows.append(row.copy())
    return np.concatenate(rows)


@pytest.mark.parametrize(
    ("counter", "key", "answer"),
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_philox_gives_its_published_answers(counter: list[int], key: list[int], answer: list[int]) -> None:
    assert words(counter, key) == answer


@pytest.mark.parametrize("size", [2, 3, 37, 38, 39, 52, 255])
def test_accepted_draws_fall_evenly_on_all_runs_of_pockets(size: int) -> None:
    rim = make_rim(size)

    accepted = 2**rim.bits - rim.threshold

    assert accepted % size**rim.spins == 0
    assert rim.threshold / 2**rim.bits < 1e-6
    assert size * 2**rim.bits <= 2**64


def test_pockets_are_the_digits_of_the_draws_and_low_rests_are_redrawn() -> None:
    # A rim of few bits throws away often enough to be seen.
    rim = Rim(pockets=37, bits=12, spins=2, threshold=2**12 % 37**2)
    stream = open_stream(5, 9, rim)
    got = pockets(5, 9, rim).reshape(2, DRAWS)
    block, redrawn = DRAWS // 2, 0
    for index in range(DRAWS):
        half, number = divmod(index, DRAWS // 2)
        draw = int(philox(stream.seed, stream.chunk, np.uint64(number))[half]) % 2**12
        while draw * 37**2 % 2**12 < rim.threshold:
            draw = int(philox(stream.seed, stream.chunk, np.uint64(block))[0]) % 2**12
            block, redrawn = block + 1, redrawn + 1
        assert divmod(draw * 37**2 >> 12, 37) == (got[0, index], got[1, index])
    assert redrawn > 100


@pytest.mark.parametrize("size", [37, 38, 39, 52])
def test_pockets_and_pairs_of_pockets_come_evenly(size: int) -> None:
    drawn = pockets(20, 3, make_rim(size), 400).astype(np.int64)

    singles = np.bincount(drawn, minlength=size)
    pairs = np.bincount(drawn[:-1] * size + drawn[1:], minlength=size * size)

    assert scipy.stats.chisquare(singles).pvalue > 1e-4
    assert scipy.stats.chisquare(pairs).pvalue > 1e-4


def test_chunks_and_seeds_have_streams_of_their_own() -> None:
    rim = make_rim(37)
    streams = [pockets(seed, chunk, rim) for seed, chunk in [(1, 0), (1, 1), (2, 0), (2**64 - 1, 2**63)]]

    for index, one in enumerate(streams):
        for other in streams[:index]:
            assert np.count_nonzero(one == other) < 3072 / 37 + 60


def test_counting_sees_every_pocket_of_the_stream() -> None:
    rim = make_rim(37)
    rounds = 2 * 3072 + 1235

    counted = count_pockets(open_stream(4, 2, rim), rounds)

    drawn = pockets(4, 2, rim, 3)[:rounds]
    assert counted.tolist() == np.bincount(drawn, minlength=37).tolist()


@pytest.mark.parametrize("size", [1, 256])
def test_a_wheel_too_small_or_too_large_is_refused(size: int) -> None:
    with pytest.raises(BadInput):
        make_rim(size)
