"""A drawn pocket under seal: the commitment that is published before bets close, and what opens it.

The sealed text is a row of netstrings, each the length of a field in decimal, a colon, the field and a comma,
so that no two sets of fields have the same text:

    15:croupier/spin/1,2:T1,2:12,2:17,64:<the nonce in hexadecimal>,

The fields are the purpose and version of the form, the table, the number of the round, the index of the drawn
pocket in the book's order of the wheel (counted from 0), and a nonce of 256 bits in small hexadecimal digits.
Lengths count bytes of UTF-8. The commitment is the text's SHA-256 in small hexadecimal digits. Without the
nonce a commitment could be opened by trying every pocket; with it, guessing is hopeless.
"""

import hashlib
import re
from typing import Final

import msgspec

from croupier.wheel.uniform import NONCE_BYTES, Chance

PURPOSE: Final = "croupier/spin/1"
_OPENING: Final = re.compile(r"(0|[1-9][0-9]{0,5}):([0-9a-f]{64})")


class Opening(msgspec.Struct, frozen=True):
    """What a commitment stands for: the index of the drawn pocket, and the nonce that hid it."""

    pocket: int
    nonce: bytes

    @property
    def text(self) -> str:
        """As it stands in the journal: the index, a colon, the nonce."""
        return f"{self.pocket}:{self.nonce.hex()}"


def draw(pockets: int, chance: Chance) -> Opening:
    """Draws a pocket, each as likely as the next, and the nonce that keeps it hidden."""
    return Opening(chance.below(pockets), chance.nonce())


def sealed_text(table: str, number: int, opening: Opening) -> bytes:
    """The text that a commitment is the hash of.

    >>> sealed_text("T1", 12, Opening(17, bytes(32)))[:38]
    b'15:croupier/spin/1,2:T1,2:12,2:17,64:0'
    """
    fields = (PURPOSE, table, str(number), str(opening.pocket), opening.nonce.hex())
    return b"".join(b"%d:%b," % (len(field), field) for field in (text.encode() for text in fields))


def commitment_of(table: str, number: int, opening: Opening) -> str:
    """The commitment to a drawn pocket.

    >>> commitment_of("T1", 12, Opening(17, bytes(32)))[:16]
    'd4eba151eba32e2c'
    """
    return hashlib.sha256(sealed_text(table, number, opening)).hexdigest()


def read_opening(text: str) -> Opening | None:
    """An opening as the journal has it; None where the text is none."""
    match = _OPENING.fullmatch(text)
    if match is None:
        return None
    opening = Opening(int(match[1]), bytes.fromhex(match[2]))
    return opening if len(opening.nonce) == NONCE_BYTES else None
