"""The house's stream, checked: every record says in its columns what it says in its payload."""

from collections.abc import Iterable

from croupier.floor.audit import DoesNotFit
from croupier.floor.house_log import HOUSE_STREAM, house_entry_of
from croupier.floor.verify_stream import StreamCheck
from croupier.journal import Record


class HouseCheck(StreamCheck):
    """The house's records, one after the other."""

    def _follow(self, record: Record) -> Iterable[str]:
        entry = house_entry_of(record)
        if (record.sender, record.number, record.part) != (HOUSE_STREAM, record.sequence, 0):
            raise DoesNotFit("its sender, number or part is not what the house writes")
        if record.actor != entry.actor:
            raise DoesNotFit("its actor is not the one that its payload says")
        return ()
