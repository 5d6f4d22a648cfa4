"""The cage: pays vouchers once, voids and reinstates them, lists what is outstanding; a stream of its own."""

from collections.abc import Callable
from typing import Final

import msgspec

from croupier.floor.cage.records import cage_event_of
from croupier.floor.cage.vouchers import (
    CAGE,
    EXPIRED,
    OUTSTANDING,
    PAID,
    REINSTATED,
    VALID_DAYS,
    VOIDED,
    Asked,
    CageEvent,
    Voucher,
    end_claim,
    find_voucher,
    outstanding_vouchers,
    reinstating_claim,
    times_reinstated,
)
from croupier.floor.clock import Clock
from croupier.floor.live.projection import LiveProjection
from croupier.journal import ClaimTaken, Draft, Fenced, NumberUsed, Store, StoreError, link
from croupier.rulebook import BadInput, show_cents
from croupier.table import Actor
from croupier.table.actors import holds

_TRIES: Final = 20
"""How often a cashier's record is tried again behind those of other cashiers."""


_LONGEST_SENDER: Final = 200


class Cage:
    """A cashier's window on the journal; any number of them may be open at once."""

    def __init__(self, store: Store, clock: Clock, valid_days: int = VALID_DAYS) -> None:
        self._store = store
        self._clock = clock
        self.valid_days = valid_days

    def find(self, number: str) -> Voucher:
        """A voucher as it is now."""
        return find_voucher(self._store, number, self._clock.now_ms(), self.valid_days)

    def outstanding(self) -> list[Voucher]:
        """Every voucher without an end on record."""
        return outstanding_vouchers(self._store, self._clock.now_ms(), self.valid_days)

    def may_reinstate(self, voucher: Voucher) -> bool:
        """Whether its end was recorded by a clock that was ahead: by the clock now it has not come."""
        return voucher.status == EXPIRED and self._clock.now_ms() < voucher.expires_ms

    def pay(self, number: str, cents: int, actor: Actor, asked: Asked | None = None) -> Voucher:
        """Pays a voucher in cash, once; the cashier states the amount on the ticket.

        Whoever does not know whether it was paid asks again with the same number of the sender.
        """
        return self.pay_once(number, cents, actor, asked)[0]

    def pay_once(
        self, number: str, cents: int, actor: Actor, asked: Asked | None = None
    ) -> tuple[Voucher, bool]:
        """The same, and whether this very call paid it: where not, the sender's number had it paid before."""
        event = CageEvent(number=number, cents=cents, actor=actor.id, asked=asked)
        is_first = False

        def pay() -> Voucher:
            nonlocal is_first
            voucher = self._payable(number)
            if cents != voucher.cents:
                ticket, owed = show_cents(cents), show_cents(voucher.cents)
                sentence = f"The ticket says {ticket}, the voucher is for {owed}."
                raise BadInput("voucher-amount", sentence, "Do not pay it; call a supervisor.")
            paid = self._end(PAID, event)
            is_first = True
            return paid

        return self._once(PAID, event, pay), is_first

    def void(self, number: str, actor: Actor, reason: str, asked: Asked | None = None) -> Voucher:
        """Makes a voucher worthless; takes a pit supervisor and a reason."""
        if not holds(actor, "pit-supervisor"):
            raise BadInput("not-allowed", "Voiding a voucher takes a pit supervisor.", "Call one.")
        event = _with_reason(number, actor, reason, asked)

        def void() -> Voucher:
            return self._end(VOIDED, msgspec.structs.replace(event, cents=self._payable(number).cents))

        return self._once(VOIDED, event, void)

    def reinstate(self, number: str, actor: Actor, reason: str, asked: Asked | None = None) -> Voucher:
        """Makes a voucher payable again whose end was recorded by a clock that was wrong.

        By the clock now, the end that is printed on it has not come. Takes a shift manager and a reason.
        """
        if not holds(actor, "shift-manager"):
            raise BadInput("not-allowed", "Reinstating a voucher takes a shift manager.", "Call one.")
        event = _with_reason(number, actor, reason, asked)

        def reinstate() -> Voucher:
            # Counted before the look: of two who reinstate it at once, one makes the claim.
            claim = reinstating_claim(number, times_reinstated(self._store, number) + 1)
            voucher = self.find(number)
            if not self.may_reinstate(voucher):
                raise _not_now(voucher)
            return self._write(REINSTATED, msgspec.structs.replace(event, cents=voucher.cents), claim)

        return self._once(REINSTATED, event, reinstate)

    def expire(self, actor: Actor, projection: LiveProjection) -> list[Voucher]:
        """Records the end of every voucher whose time is over.

        The projection knows which they are without a look at all that was ever issued; what became of each
        is for the journal to say.
        """
        projection.catch_up()
        listed = projection.overdue(self._clock.now_ms(), self.valid_days)
        return [ended for voucher in listed if (ended := self._expire(voucher.number, actor)) is not None]

    def _expire(self, number: str, actor: Actor) -> Voucher | None:
        """Records the end of a voucher, unless somebody else has ended it meanwhile."""
        voucher = self.find(number)
        if voucher.status != EXPIRED or voucher.ended_at is not None:
            return None
        event = CageEvent(number=number, cents=voucher.cents, actor=actor.id)
        try:
            return self._end(EXPIRED, event)
        except BadInput:
            return None

    def _payable(self, number: str) -> Voucher:
        voucher = self.find(number)
        if voucher.status != OUTSTANDING:
            raise self._refused(voucher)
        return voucher

    def _refused(self, voucher: Voucher) -> BadInput:
        """Why a voucher is not paid, and what can be done about it."""
        if self.may_reinstate(voucher):
            sentence = "The end of this voucher was recorded by a clock that was ahead; its time is not over."
            return BadInput("voucher-expired", sentence, "A shift manager can reinstate it.")
        return _not_now(voucher)

    def _end(self, ending: str, event: CageEvent) -> Voucher:
        claim = end_claim(event.number, times_reinstated(self._store, event.number))
        return self._write(ending, event, claim)

    def _write(self, act: str, event: CageEvent, claim: str) -> Voucher:
        for _ in range(_TRIES):
            head = self._store.head(CAGE)
            sender, number = event.asked or (CAGE, head.sequence + 1)
            draft = Draft(
                self._clock.now_ms(),
                event.actor,
                sender,
                number,
                0,
                f"voucher-{act}",
                1,
                msgspec.json.encode(event),
            )
            (record,) = link(CAGE, head, [draft])
            try:
                self._store.append([record], [(claim, record.sequence)])
            except Fenced:
                continue  # another cashier was faster; behind that record then
            except ClaimTaken:
                raise _not_now(self.find(event.number)) from None
            return self.find(event.number)
        raise StoreError("The cage is too busy; try again.")

    def _once(self, ending: str, event: CageEvent, act: Callable[[], Voucher]) -> Voucher:
        """Does something, unless the same sender's number had it done before."""
        if (before := self._answered(ending, event)) is not None:
            return before
        try:
            return act()
        except (BadInput, NumberUsed):
            # Perhaps the same question was asked twice at once, and the other one was faster.
            if (before := self._answered(ending, event)) is None:
                raise
            return before

    def _answered(self, ending: str, event: CageEvent) -> Voucher | None:
        """The first answer to a sender's number; refuses the number where it was for something else."""
        asked = event.asked
        if asked is None:
            return None
        if asked.sender == CAGE or not asked.sender.isprintable() or len(asked.sender) > _LONGEST_SENDER:
            raise BadInput("bad-command", "The sender's name cannot be written down.", "Use another name.")
        record = self._store.first_of(CAGE, *asked)
        if record is None:
            return None
        first = cage_event_of(record)
        # What a voided voucher was worth is not asked for.
        same = msgspec.structs.replace(event, cents=event.cents or first.cents)
        if record.kind != f"voucher-{ending}" or first != same:
            sentence = f"Number {asked.number} was used for another command; use a new one."
            raise BadInput("number-reused", sentence)
        return self.find(first.number)


def _with_reason(number: str, actor: Actor, reason: str, asked: Asked | None) -> CageEvent:
    """What takes a reason, before it is known what the voucher is worth."""
    if not reason.strip():
        raise BadInput("no-reason", "State the reason; it stays in the record.")
    return CageEvent(number=number, cents=0, actor=actor.id, reason=reason, asked=asked)


def _not_now(voucher: Voucher) -> BadInput:
    if voucher.status == OUTSTANDING:
        return BadInput("voucher-outstanding", "This voucher is still to be paid.", "Look it up again.")
    place = "the cage" if voucher.ended_at == CAGE else f"table {voucher.ended_at}"
    where = f" at {place}" if voucher.ended_at else ""
    return BadInput(
        f"voucher-{voucher.status}",
        f"This voucher is {voucher.status}{where}.",
        "Do not pay it.",
        ended_at=voucher.ended_at,
        ended_ms=voucher.ended_ms,
    )
