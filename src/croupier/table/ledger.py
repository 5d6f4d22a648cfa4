"""Money moves between named accounts and never appears.

An account's balance is what was moved into it less what was moved out, so all balances add up to zero.
`cash` and `vouchers` stand for the outside: they fall as money comes in.
"""

from collections.abc import Iterable, MutableMapping
from typing import Final

import msgspec

CASH: Final = "cash"
"""Cash taken from players (negative) less cash paid to them."""
VOUCHERS: Final = "vouchers"
"""Vouchers issued at this table less vouchers redeemed at it."""
HOUSE: Final = "house"
"""What the house has won."""
SHORTFALL: Final = "shortfall"
"""What corrections could not take back from credits already spent (negative)."""
UNCLAIMED: Final = "unclaimed"
"""What corrections owe to players who have left."""


class Posting(msgspec.Struct, frozen=True, gc=False):
    """An amount that moves from one account to another."""

    source: str
    destination: str
    cents: int


def credits_of(seat: str) -> str:
    """The account of a seat's credits."""
    return f"credits/{seat}"


def stakes_of(seat: str) -> str:
    """The account of a seat's stakes in play."""
    return f"stakes/{seat}"


def move(source: str, destination: str, cents: int) -> tuple[Posting, ...]:
    """A posting of an amount, in whichever direction it goes; none where it is zero."""
    if cents > 0:
        return (Posting(source, destination, cents),)
    if cents < 0:
        return (Posting(destination, source, -cents),)
    return ()


def post(balances: MutableMapping[str, int], postings: Iterable[Posting]) -> None:
    """Carries postings out."""
    for posting in postings:
        source, destination, cents = posting.source, posting.destination, posting.cents
        balances[source] = balances.get(source, 0) - cents
        balances[destination] = balances.get(destination, 0) + cents
