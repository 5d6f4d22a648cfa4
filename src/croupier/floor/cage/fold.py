"""Follows the cage and the tables whose vouchers it pays, and keeps every act with its money."""

from collections.abc import Callable, Mapping

import msgspec

from croupier.floor.cage.money import VOUCHER_EVENTS, MoneyPart, VoucherMoney
from croupier.floor.cage.numbers import masked
from croupier.floor.cage.records import ACTS, cage_event_of
from croupier.floor.codec import UnreadableRecord
from croupier.floor.loading import DamagedJournal
from croupier.floor.reports.calendar import Calendar, Shift
from croupier.journal import Record
from croupier.rulebook import Book, load_book
from croupier.table import Entry


class CageAct(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that the cage did with a voucher; of its number the last four digits."""

    day: str
    shift: str
    time_ms: int
    cashier: str
    """Whoever did it; what expired by itself was written down by `system/cage`."""
    act: str
    """`paid`, `voided`, `expired` or `reinstated`."""
    number: str
    currency: str
    """That of the table that issued the voucher; empty where its book is not at hand."""
    cents: int
    reason: str
    sequence: int


class CagePart(msgspec.Struct):
    """All that a fold knows."""

    acts: list[tuple[Shift, CageAct]]
    money: MoneyPart

    def days(self) -> set[str]:
        """The gaming days of acts, and of whatever moved what is outstanding."""
        return {shift.day for shift, _ in self.acts} | self.money.days()


class CageFold:
    """The cage's records, one after another, behind all tables that have issued what they are about."""

    def __init__(self, calendar: Calendar, find_book: Callable[[str], Book] = load_book) -> None:
        self.calendar = calendar
        self.acts: list[tuple[Shift, CageAct]] = []
        self.money = VoucherMoney(find_book)

    def part(self) -> CagePart:
        """All that is known."""
        return CagePart(acts=self.acts, money=self.money.part())

    def go_on_from(self, currencies: Mapping[str, str], part: CagePart) -> None:
        """Knows what was known before, as if all up to there had been followed and taken."""
        self.acts = part.acts
        self.money.go_on_from(currencies, part.money)

    def follow(self, table: str, entry: Entry) -> None:
        """The next entry of a table."""
        if isinstance(entry.event, VOUCHER_EVENTS):
            self.money.follow(table, self.calendar.shift_of(entry.cause.at_ms).day, entry.event)

    def take(self, record: Record) -> None:
        """One more record of the cage."""
        try:
            event = cage_event_of(record)
        except UnreadableRecord as error:
            raise DamagedJournal(f"Record {record.sequence} of the cage {error.verdict}: {error}.") from error
        shift, act_name = self.calendar.shift_of(record.at_ms), ACTS[record.kind]
        act = CageAct(
            day=shift.day,
            shift=shift.shift,
            time_ms=record.at_ms,
            cashier=event.actor,
            act=act_name,
            number=masked(event.number),
            currency=self.money.end(event.number, act_name, shift.day, event.cents),
            cents=event.cents,
            reason=event.reason,
            sequence=record.sequence,
        )
        self.acts.append((shift, act))
