"""Payments by the key that the cashier's screen gave them: a repeated one is answered as the first was."""

import asyncio
from collections import OrderedDict
from typing import Final

from croupier.floor.vouchers import Voucher
from croupier.server.http.refusing import refuse

_REMEMBERED: Final = 10_000
"""How many payments with a key are remembered, so that a repeated request is answered as before."""


class PaidBefore:
    """The answers to payments by the key that the cashier's screen gave each of them."""

    def __init__(self) -> None:
        self._answers: OrderedDict[tuple[str, str], tuple[str, int, Voucher]] = OrderedDict()
        self.turn = asyncio.Lock()
        """Payments with keys go one after the other, so that a repeat finds its first answer."""

    def find(self, cashier: str, key: str, number: str, cents: int) -> Voucher | None:
        """The voucher that was paid under a key; a key stands for one request and no other."""
        found = self._answers.get((cashier, key))
        if found is None:
            return None
        if found[:2] != (number, cents):
            raise refuse("key-used", "This key was used for another payment; take a new one for each.")
        return found[2]

    def note(self, cashier: str, key: str, number: str, cents: int, voucher: Voucher) -> None:
        """Remembers a payment."""
        self._answers[cashier, key] = number, cents, voucher
        while len(self._answers) > _REMEMBERED:
            self._answers.popitem(last=False)
