"""The cage's stream, checked: every record ends one voucher, and says so in columns and payload alike."""

from collections.abc import Iterable, Mapping

from croupier.floor.audit import DoesNotFit
from croupier.floor.cage_records import ENDINGS, cage_event_of
from croupier.floor.senders import Numbers
from croupier.floor.verify_stream import StreamCheck, VoucherAct
from croupier.floor.vouchers import CAGE
from croupier.journal import Record
from croupier.table.events import voucher_used


class CageCheck(StreamCheck):
    """The cage's records, one after the other."""

    def __init__(self, table: str, claimed: Mapping[int, set[str]], anchors: Mapping[int, bytes]) -> None:
        super().__init__(table, claimed, anchors)
        self._numbers = Numbers()

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
        ending = ENDINGS[record.kind]
        self._use(event.number, VoucherAct(record.sequence, event.cents, record.at_ms, ending=ending))
        return (voucher_used(event.number),)
