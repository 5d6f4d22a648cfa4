"""Amounts: whole cents inside, dollars with two decimals for people."""

import re
from typing import Final

from croupier.rulebook.errors import BadInput

_AMOUNT: Final = re.compile(r"([0-9]{1,13})(?:\.([0-9]{1,2}))?")

_UNGROUPED: Final = re.compile(r"(?<![0-9.,])([0-9]{4,})(?=\.[0-9]{2}(?![0-9]|[.,][0-9]))")


def parse_cents(text: str) -> int:
    """Reads an amount in dollars as whole cents.

    >>> parse_cents("12.50")
    1250
    """
    match = _AMOUNT.fullmatch(text.strip(" "))
    if match is None:
        raise BadInput(
            "amount-malformed",
            f"{text!r} is not an amount.",
            "Write dollars with at most two decimals and no sign, for example 5 or 12.50.",
        )
    dollars, cents = match.groups()
    return int(dollars) * 100 + int((cents or "").ljust(2, "0"))


def show_cents(cents: int) -> str:
    """Writes whole cents as dollars with two decimals.

    >>> show_cents(-1250)
    '-12.50'
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def show_amount(cents: int) -> str:
    """Writes whole cents as people read them, on paper as on screens: with thousands apart.

    >>> show_amount(9_999_900)
    '99,999.00'
    """
    return group_amounts(show_cents(cents))


def group_amounts(text: str) -> str:
    """A text for people in which every amount that `show_cents` wrote has its thousands apart.

    >>> group_amounts("Seat 2024 buys credits for 5000.00 in cash.")
    'Seat 2024 buys credits for 5,000.00 in cash.'
    """
    return _UNGROUPED.sub(lambda amount: f"{int(amount[1]):,}", text)
