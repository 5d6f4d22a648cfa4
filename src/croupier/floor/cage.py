"""The cage: pays vouchers once, voids them, and lists what is outstanding, in a stream of its own."""

from typing import Final

import msgspec

from croupier.floor.clock import Clock
from croupier.floor.vouchers import (
    CAGE,
    EXPIRED,
    OUTSTANDING,
    PAID,
    VALID_DAYS,
    VOIDED,
    CageEvent,
    Voucher,
    find_voucher,
    outstanding_vouchers,
)
from croupier.journal import ClaimTaken, Draft, Fenced, Store, StoreError, link
from croupier.rulebook import BadInput, show_cents
from croupier.table import Actor
from croupier.table.actors import holds
from croupier.table.events import voucher_issued, voucher_used

_TRIES: Final = 20
"""How often a cashier's record is tried again behind those of other cashiers."""


class Cage:
    """A cashier's window on the journal; any number of them may be open at once."""

    def __init__(self, store: Store, clock: Clock, valid_days: int = VALID_DAYS) -> None:
        self._store = store
        self._clock = clock
        self._valid_days = valid_days

    def find(self, number: str) -> Voucher:
        """A voucher as it is now."""
        return find_voucher(self._store, number, self._clock.now_ms(), self._valid_days)

    def outstanding(self) -> list[Voucher]:
        """Every voucher that is still to be paid."""
        return outstanding_vouchers(self._store, self._clock.now_ms(), self._valid_days)

    def pay(self, number: str, cents: int, actor: Actor) -> Voucher:
        """Pays a voucher in cash, once; the cashier states the amount on the ticket."""
        voucher = self._payable(number)
        if cents != voucher.cents:
            sentence = f"The ticket says {show_cents(cents)}, the voucher is for {show_cents(voucher.cents)}."
            raise BadInput("voucher-amount", sentence, "Do not pay it; call a supervisor.")
        return self._end(voucher, PAID, actor, "")

    def void(self, number: str, actor: Actor, reason: str) -> Voucher:
        """Makes a voucher worthless; takes a pit supervisor and a reason."""
        if not holds(actor, "pit-supervisor"):
            raise BadInput("not-allowed", "Voiding a voucher takes a pit supervisor.", "Call one.")
        if not reason.strip():
            raise BadInput("no-reason", "State the reason; it stays in the record.")
        return self._end(self._payable(number), VOIDED, actor, reason)

    def expire(self, actor: Actor) -> list[Voucher]:
        """Records the end of every voucher whose time is over."""
        now_ms = self._clock.now_ms()
        issued = (key.partition("/")[2] for key in self._store.claims(voucher_issued("")))
        found = [find_voucher(self._store, number, now_ms, self._valid_days) for number in issued]
        due = [voucher for voucher in found if voucher.status == EXPIRED and voucher.ended_at is None]
        return [self._end(voucher, EXPIRED, actor, "") for voucher in due]

    def _payable(self, number: str) -> Voucher:
        voucher = self.find(number)
        if voucher.status != OUTSTANDING:
            raise _ended(voucher)
        return voucher

    def _end(self, voucher: Voucher, ending: str, actor: Actor, reason: str) -> Voucher:
        event = CageEvent(number=voucher.number, cents=voucher.cents, actor=actor.id, reason=reason)
        for _ in range(_TRIES):
            head = self._store.head(CAGE)
            draft = Draft(
                self._clock.now_ms(),
                actor.id,
                CAGE,
                head.sequence + 1,
                0,
                f"voucher-{ending}",
                1,
                msgspec.json.encode(event),
            )
            (record,) = link(CAGE, head, [draft])
            try:
                self._store.append([record], [(voucher_used(voucher.number), record.sequence)])
            except Fenced:
                continue  # another cashier was faster; behind that record then
            except ClaimTaken:
                raise _ended(self.find(voucher.number)) from None
            return self.find(voucher.number)
        raise StoreError("The cage is too busy; try again.")


def _ended(voucher: Voucher) -> BadInput:
    where = f" at {voucher.ended_at}" if voucher.ended_at else ""
    return BadInput(
        f"voucher-{voucher.status}", f"This voucher is {voucher.status}{where}.", "Do not pay it."
    )
