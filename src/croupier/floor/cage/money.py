"""Which money the cage's vouchers are: each has the currency of the table that issued it."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from croupier.floor.cage.vouchers import EXPIRED, PAID, REINSTATED, VOIDED
from croupier.floor.loading import currency_by
from croupier.floor.reports.calendar import GamingDays
from croupier.rulebook import Book, load_book
from croupier.table.events import CreditsBought, CreditsPaidOut, Event, TableCreated

_SIGNS: Final = {PAID: -1, VOIDED: -1, EXPIRED: -1, REINSTATED: 1}

VOUCHER_EVENTS: Final = (TableCreated, CreditsPaidOut, CreditsBought)
"""What of a table bears on vouchers."""


class MoneyPart(msgspec.Struct):
    """All that is known of vouchers."""

    issuers: dict[str, str]
    redeemed: dict[str, tuple[str, int]]
    moved: list[tuple[str, str, int]]
    """By currency and gaming day."""

    def days(self) -> set[str]:
        """The gaming days on which anything was moved."""
        return {day for _, day, _ in self.moved} | {day for day, _ in self.redeemed.values()}


class VoucherMoney:
    """Follows vouchers from issue to end, and adds up what is outstanding, each currency by itself.

    Tables may be followed one after another: a voucher may be seen redeemed before it is seen issued. The
    cage's acts come behind all tables. Of a voucher that has ended nothing is kept.
    """

    def __init__(self, find_book: Callable[[str], Book] = load_book) -> None:
        self._find_book = find_book
        self.currencies: dict[str, str] = {}
        """By table; "" where the book is not at hand that it was created with."""
        self._issuers: dict[str, str] = {}
        """By number, the table that issued it; those that were reinstated or may still be are among them."""
        self._redeemed: dict[str, tuple[str, int]] = {}
        """By number, when it was redeemed and for how much, where its issue was not seen yet."""
        self._moved: Counter[tuple[str, str]] = Counter()
        """By currency and gaming day, what was issued less what ended."""

    def part(self) -> MoneyPart:
        """All that is known."""
        moved = [(*key, cents) for key, cents in self._moved.items()]
        return MoneyPart(issuers=self._issuers, redeemed=self._redeemed, moved=moved)

    def go_on_from(self, currencies: Mapping[str, str], part: MoneyPart) -> None:
        """Knows what was known before; the currencies are those that its tables played in."""
        self.currencies = {**currencies}
        self._issuers, self._redeemed = part.issuers, part.redeemed
        self._moved = Counter({(currency, day): cents for currency, day, cents in part.moved})

    def follow(self, table: str, day: str, event: Event) -> None:
        """The next event of a table, and the gaming day that it was recorded on."""
        if isinstance(event, TableCreated):
            self.currencies[table] = currency_by(event, self._find_book)
        elif isinstance(event, CreditsPaidOut) and event.voucher is not None:
            self._move(table, day, event.cents)
            if (redeemed := self._redeemed.pop(event.voucher, None)) is None:
                self._issuers[event.voucher] = table
            else:
                self._move(table, *redeemed)
        elif isinstance(event, CreditsBought) and event.voucher is not None:
            if (issuer := self._issuers.pop(event.voucher, None)) is None:
                self._redeemed[event.voucher] = day, -event.cents
            else:
                self._move(issuer, day, -event.cents)

    def end(self, number: str, act: str, day: str, cents: int) -> str:
        """What the cage did with a voucher; gives its currency, "" where nobody can tell."""
        issuer = self._issuers.get(number, "")
        if act in (PAID, VOIDED):
            self._issuers.pop(number, None)
        self._move(issuer, day, _SIGNS[act] * cents)
        return self._currency_at(issuer)

    def outstanding_cents(self, days: GamingDays) -> dict[str, int]:
        """What was still to be paid at the end of the last of the days, by currency."""
        found: Counter[str] = Counter()
        for (currency, day), cents in self._moved.items():
            if days.reach(day):
                found[currency] += cents
        return {currency: found[currency] for currency in sorted(found) if found[currency]}

    def _move(self, issuer: str, day: str, cents: int) -> None:
        self._moved[self._currency_at(issuer), day] += cents

    def _currency_at(self, table: str) -> str:
        return self.currencies.get(table, "")
