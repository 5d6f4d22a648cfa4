"""The seal: its written form, and that nothing else opens it."""

import hashlib

import pytest

from croupier.wheel.fair import Opening, commitment_of, draw, read_opening, sealed_text
from croupier.wheel.uniform import SeededChance, SystemChance

NONCE = bytes(range(32))


def test_the_sealed_text_is_what_is_written_down_and_the_commitment_is_its_hash() -> None:
    text = f"15:croupier/spin/1,2:T1,2:12,2:17,64:{NONCE.hex()},".encode()
    assert sealed_text("T1", 12, Opening(17, NONCE)) == text
    assert commitment_of("T1", 12, Opening(17, NONCE)) == hashlib.sha256(text).hexdigest()


def test_lengths_are_of_bytes() -> None:
    assert b",7:T\xc3\xa9\xe2\x82\xac1,1:3," in sealed_text("Té€1", 3, Opening(0, NONCE))


def test_every_field_has_a_part_in_the_commitment() -> None:
    texts = {
        sealed_text(table, number, Opening(pocket, nonce))
        for table, number, pocket, nonce in (
            ("T1", 12, 17, NONCE),
            ("T2", 12, 17, NONCE),
            ("T1", 13, 17, NONCE),
            ("T1", 12, 18, NONCE),
            ("T1", 12, 17, bytes(32)),
            # What fields that run together would confuse.
            ("T11", 2, 17, NONCE),
            ("T1", 121, 7, NONCE),
            ("T1,2:12", 1, 17, NONCE),
        )
    }
    assert len(texts) == 8


def test_an_opening_is_read_back_as_it_was() -> None:
    for pocket in (0, 7, 36, 51):
        opening = Opening(pocket, NONCE)
        assert read_opening(opening.text) == opening


@pytest.mark.parametrize(
    "text",
    [
        "",
        "17",
        f"17:{NONCE.hex()[:-1]}",
        f"17:{NONCE.hex()}0",
        f"17:{NONCE.hex().upper()}",
        f"017:{NONCE.hex()}",
        f"-1:{NONCE.hex()}",
        f"\u0661:{NONCE.hex()}",
        f"17:{NONCE.hex()}\n",
        f" 17:{NONCE.hex()}",
        f"9999999:{NONCE.hex()}",
    ],
)
def test_what_is_not_an_opening_is_not_read_as_one(text: str) -> None:
    assert read_opening(text) is None


def test_draws_have_a_pocket_of_the_wheel_and_a_nonce_of_their_own() -> None:
    drawn = [draw(38, SystemChance()) for _ in range(200)]
    assert all(0 <= opening.pocket < 38 and len(opening.nonce) == 32 for opening in drawn)
    assert len({opening.nonce for opening in drawn}) == 200
    assert draw(38, SeededChance(4)) == draw(38, SeededChance(4))
