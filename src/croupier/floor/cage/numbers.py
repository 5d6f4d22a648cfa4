"""Validation numbers of vouchers: eighteen digits that cannot be guessed, the last one a check digit."""

import secrets
from typing import Final

DIGITS: Final = 18

_DAMM: Final = (
    (0, 3, 1, 7, 5, 9, 8, 6, 4, 2),
    (7, 0, 9, 2, 1, 5, 4, 8, 6, 3),
    (4, 2, 0, 6, 8, 7, 1, 3, 5, 9),
    (1, 7, 5, 0, 9, 8, 3, 4, 2, 6),
    (6, 1, 2, 3, 0, 4, 5, 9, 7, 8),
    (3, 6, 7, 4, 2, 0, 9, 5, 8, 1),
    (5, 8, 6, 9, 7, 2, 0, 1, 3, 4),
    (8, 9, 4, 5, 3, 6, 2, 0, 1, 7),
    (9, 4, 3, 8, 6, 1, 7, 2, 0, 5),
    (2, 5, 8, 1, 4, 3, 6, 7, 9, 0),
)
"""A quasigroup in which every wrong digit and every swap of two neighbours changes the check digit."""


def new_voucher_number() -> str:
    """A fresh number from the operating system's random source.

    >>> is_voucher_number(new_voucher_number())
    True
    """
    return voucher_number_of(secrets.randbelow(10 ** (DIGITS - 1)))


def voucher_number_of(source: int) -> str:
    """The number that a large secret number stands for.

    >>> voucher_number_of(12345678901234567)
    '123456789012345672'
    """
    digits = f"{source % 10 ** (DIGITS - 1):0{DIGITS - 1}d}"
    return digits + str(_check_digit(digits))


def is_voucher_number(text: str) -> bool:
    """Whether a text is written like a number of ours: a slip of one digit or a swap is noticed.

    >>> is_voucher_number("123456789012345672"), is_voucher_number("123456789012345762")
    (True, False)
    """
    return (
        len(text) == DIGITS and text.isascii() and text.isdigit() and _check_digit(text[:-1]) == int(text[-1])
    )


def _check_digit(digits: str) -> int:
    interim = 0
    for digit in digits:
        interim = _DAMM[interim][int(digit)]
    return interim


def masked(number: str) -> str:
    """A number as it may be shown while the voucher is unpaid.

    >>> masked("123456789012345672")
    '··············5672'
    """
    return "·" * (DIGITS - 4) + number[-4:]
