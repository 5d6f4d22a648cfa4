"""Numbers of vouchers that the floor gives: the same command always the same one, and nobody can guess it."""

import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Final

from croupier.floor.voucher_numbers import voucher_number_of

KEY_BYTES: Final = 32


def read_key(path: Path) -> bytes:
    """The floor's key, made on first use; only the floor's own account may read it."""
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(KEY_BYTES))
        file.flush()
        os.fsync(file.fileno())
    return path.read_bytes()


def voucher_number(key: bytes, table: str, sender: str, number: int) -> str:
    """The number of the voucher that a cash-out gives: a repeat of the command means the same voucher.

    >>> voucher_number(b"key", "R1", "seat/4", 7) == voucher_number(b"key", "R1", "seat/4", 7)
    True
    """
    message = f"voucher\n{table}\n{sender}\n{number}".encode()
    return voucher_number_of(int.from_bytes(hmac.new(key, message, hashlib.sha256).digest(), "big"))
