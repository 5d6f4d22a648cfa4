"""The cage's stream, checked: every record ends or reinstates one voucher, by columns and payload alike."""

from collections.abc import Iterable, Mapping

from croupier.floor.audit import DoesNotFit
from croupier.floor.cage.records import ACTS, cage_event_of
from croupier.floor.cage.vouchers import CAGE, EXPIRED, REINSTATED, end_claim, reinstating_claim
from croupier.floor.senders import Numbers
from croupier.floor.verify.stream import StreamCheck, VoucherAct
from croupier.journal import Record


class CageCheck(StreamCheck):
    """The cage's records, one after the other."""

    def __init__(self, table: str, claimed: Mapping[int, set[str]], anchors: Mapping[int, bytes]) -> None:
        super().__init__(table, claimed, anchors)
        self._numbers = Numbers()
        self._times: dict[str, int] = {}
        """How many times vouchers were reinstated."""
        self._latest: dict[str, VoucherAct] = {}
        """What was done last to those."""

    def _follow(self, record: Record) -> Iterable[str]:
        event = cage_event_of(record)
        asked = event.asked or (CAGE, record.sequence)
        if (record.sender, record.number, record.part) != (*asked, 0):
            raise DoesNotFit("its sender, number or part is not what the cage writes")
        if not self._numbers.take(record.sender, record.number):
            raise DoesNotFit(f"number {record.number} of {record.sender} was used before")
        if record.actor != event.actor:
            raise DoesNotFit("its actor is not the one that its payload says")
        if event.cents < 1:
            raise DoesNotFit(f"it ends a voucher of {event.cents} cents")
        act = VoucherAct(record.sequence, event.cents, record.at_ms, ending=ACTS[record.kind])
        if act.ending == REINSTATED:
            if not event.reason.strip():
                raise DoesNotFit("it reinstates a voucher without a reason")
            return self._reinstate(event.number, act)
        times = self._times.get(event.number, 0)
        if times == 0:
            self._use(event.number, act)
        elif (before := self._latest[event.number]).ending != REINSTATED:
            raise DoesNotFit(f"the voucher that it ends had ended already, by record {before.sequence}")
        else:
            self._do_again(event.number, act)
        return (end_claim(event.number, times),)

    def _reinstate(self, number: str, act: VoucherAct) -> Iterable[str]:
        """A voucher that has expired, here and last, is outstanding again."""
        before = self._latest.get(number) or self.used.get(number)
        if before is None or before.ending != EXPIRED:
            raise DoesNotFit("the voucher that it reinstates had not expired")
        times = self._times[number] = self._times.get(number, 0) + 1
        self._do_again(number, act)
        return (reinstating_claim(number, times),)

    def _do_again(self, number: str, act: VoucherAct) -> None:
        self._latest[number] = act
        self.again.append((number, act))
