"""Vouchers: what a number stands for, found through the claims of the journal that issued it."""

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from croupier.floor.cage.numbers import is_voucher_number
from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.journal import Record, Store
from croupier.rulebook import BadInput
from croupier.table import crediting
from croupier.table.events import CreditsBought, CreditsPaidOut, Event, voucher_issued, voucher_used

OUTSTANDING, REDEEMED, PAID, VOIDED, EXPIRED = "outstanding", "redeemed", "paid", "voided", "expired"

REINSTATED: Final = "reinstated"
"""What becomes of a voucher that expired by a wrong clock: it is outstanding again, at the cage."""

CAGE: Final = "cage"
"""The name of the cage's own stream in the journal, beside those of the tables."""

DAY_MS: Final = crediting.DAY_MS
VALID_DAYS: Final = 30


class Voucher(msgspec.Struct, frozen=True, kw_only=True):
    """One voucher, from its issue to its end."""

    number: str
    cents: int
    table: str
    sequence: int
    """The record that issued it."""
    seat: str
    issued_ms: int
    expires_ms: int
    status: str
    ended_at: str | None = None
    """Where it was redeemed or paid: a table, or the cage."""
    ended_ms: int | None = None


class Asked(NamedTuple):
    """Which device or session asks, and its number for it: asked again, it gets the first answer again."""

    sender: str
    number: int


class CageEvent(msgspec.Struct, frozen=True, kw_only=True):
    """What the cage did with a voucher."""

    number: str
    cents: int
    actor: str
    reason: str = ""
    asked: Asked | None = None
    """The sender's number, where the command came with one."""


def find_voucher(store: Store, number: str, now_ms: int, valid_days: int = VALID_DAYS) -> Voucher:
    """The voucher with a number; says whether the number is mistyped or was never issued."""
    if not is_voucher_number(number):
        raise BadInput(
            "voucher-malformed",
            "This is not a voucher's number: its digits do not check.",
            "Type the eighteen digits again, or scan the barcode.",
        )
    issue = _issue_of(store, number)
    if issue is None:
        raise BadInput(
            "voucher-unknown", "No voucher with this number was issued here.", "Look at the ticket again."
        )
    record, event = issue
    expires_ms = _expires_ms(record, event, valid_days)
    status, ended_at, ended_ms = _ending(store, number)
    if status == OUTSTANDING and now_ms >= expires_ms:
        status = EXPIRED
    return Voucher(
        number=number,
        cents=event.cents,
        table=record.table,
        sequence=record.sequence,
        seat=event.seat,
        issued_ms=record.at_ms,
        expires_ms=expires_ms,
        status=status,
        ended_at=ended_at,
        ended_ms=ended_ms,
    )


def outstanding_vouchers(store: Store, now_ms: int, valid_days: int = VALID_DAYS) -> list[Voucher]:
    """Every voucher without an end on record, oldest first.

    One whose time is over is among them, as expired, until that is recorded: it can still be found that the
    clock was wrong.
    """
    issued = (key.partition("/")[2] for key in store.claims(voucher_issued("")))
    found = (find_voucher(store, number, now_ms, valid_days) for number in issued)
    return sorted(
        (voucher for voucher in found if voucher.ended_at is None),
        key=lambda voucher: (voucher.issued_ms, voucher.number),
    )


def why_not_taken(
    store: Store,
    number: str,
    cents: int,
    now_ms: int,
    valid_days: int = VALID_DAYS,
    is_in_our_currency: Callable[[str], bool] = lambda table: True,
) -> str | None:
    """The code for why a voucher is not taken for credits; None where nothing is known against it.

    One that was used already is left to its claim, so that whoever asks again gets the first answer again.
    `is_in_our_currency` says of the table that issued it whether its money is that of the table that asks.
    """
    issue = None if "\0" in number else _issue_of(store, number)  # not every database can look for that
    if issue is None:
        return "voucher-unknown"
    record, event = issue
    if event.cents != cents:
        return "voucher-amount"
    used = store.claimant(voucher_used(number))
    if used is None:
        if not is_in_our_currency(record.table):
            return "voucher-currency"
        is_over = now_ms >= _expires_ms(record, event, valid_days)
    else:
        # Also one that was reinstated since: it is paid at the cage alone.
        is_over = used[0] == CAGE and _ending_of(record_at(store, *used)) == EXPIRED
    return "voucher-expired" if is_over else None


def _expires_ms(record: Record, event: CreditsPaidOut, valid_days: int) -> int:
    """When a voucher is over: as was printed on it, whatever holds for others since."""
    return record.at_ms + valid_days * DAY_MS if event.expires_ms is None else event.expires_ms


def issued_cents_of(store: Store, number: str) -> int | None:
    """The amount that a voucher was issued for; None where there is no such voucher."""
    issue = _issue_of(store, number)
    return None if issue is None else issue[1].cents


def _issue_of(store: Store, number: str) -> tuple[Record, CreditsPaidOut] | None:
    """The record that issued a voucher, and what it says."""
    claimant = store.claimant(voucher_issued(number))
    if claimant is None:
        return None
    record = record_at(store, *claimant)
    event = _event_of(record)
    if not isinstance(event, CreditsPaidOut):
        raise DamagedJournal(
            f"{_place(record.table, record.sequence)} claims to issue a voucher, and does not."
        )
    return record, event


def record_at(store: Store, table: str, sequence: int) -> Record:
    """One record by its place, which a claim names."""
    record = next(store.read(table, sequence - 1), None)
    if record is None or record.sequence != sequence:
        raise DamagedJournal(f"{_place(table, sequence)} is not there, and a voucher's claim names it.")
    return record


def _event_of(record: Record) -> Event:
    try:
        return entry_of(record).event
    except UnreadableRecord as error:
        raise DamagedJournal(f"{_place(record.table, record.sequence)} cannot be read: {error}.") from error


def _place(table: str, sequence: int) -> str:
    return f"Record {sequence} of {table}"


def end_claim(number: str, times: int) -> str:
    """The claim that ends a voucher which was reinstated so many times; a table can make the first alone.

    >>> end_claim("7", 0), end_claim("7", 1)
    ('voucher-redeemed/7', 'voucher-redeemed/7/1')
    """
    return f"{voucher_used(number)}/{times}" if times else voucher_used(number)


def reinstating_claim(number: str, times: int) -> str:
    """The claim that reinstates a voucher for the first time, the second, and so on."""
    return f"voucher-reinstated/{number}/{times}"


def times_reinstated(store: Store, number: str) -> int:
    """How many times a voucher was reinstated; seldom once."""
    times = 0
    while store.claimant(reinstating_claim(number, times + 1)) is not None:
        times += 1
    return times


def _ending(store: Store, number: str) -> tuple[str, str | None, int | None]:
    used = store.claimant(voucher_used(number))
    if used is None:
        return OUTSTANDING, None, None
    record = record_at(store, *used)
    if record.table != CAGE:
        if not isinstance(_event_of(record), CreditsBought):
            raise DamagedJournal(f"{_place(*used)} claims to use a voucher, and does not.")
        return REDEEMED, record.table, record.at_ms
    if _ending_of(record) == EXPIRED and (times := times_reinstated(store, number)):
        used = store.claimant(end_claim(number, times))
        if used is None:
            return OUTSTANDING, None, None
        record = record_at(store, *used)
    return _ending_of(record), CAGE, record.at_ms


def _ending_of(record: Record) -> str:
    """What a record of the cage did with its voucher."""
    return record.kind.removeprefix("voucher-")
