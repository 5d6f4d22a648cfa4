"""Numbers of vouchers that the floor gives: the same command always the same one, and nobody can guess it."""

import hashlib
import hmac

from croupier.floor.cage.numbers import voucher_number_of


def voucher_number(key: bytes, table: str, sender: str, number: int) -> str:
    """The number of the voucher that a cash-out gives: a repeat of the command means the same voucher.

    >>> voucher_number(b"key", "R1", "seat/4", 7) == voucher_number(b"key", "R1", "seat/4", 7)
    True
    """
    message = f"voucher\n{table}\n{sender}\n{number}".encode()
    return voucher_number_of(int.from_bytes(hmac.new(key, message, hashlib.sha256).digest(), "big"))
