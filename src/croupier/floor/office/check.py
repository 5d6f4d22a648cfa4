"""The office's stream, checked: every record says the same in columns and payload, and can have happened."""

from collections.abc import Iterable, Mapping

from croupier.floor.audit import DoesNotFit
from croupier.floor.office.records import OFFICE, office_claims, office_entry_of
from croupier.floor.office.state import ImpossibleRecord, OfficeState, fold
from croupier.floor.verify.stream import StreamCheck
from croupier.journal import Record


class OfficeCheck(StreamCheck):
    """The office's records, one after the other."""

    def __init__(self, table: str, claimed: Mapping[int, set[str]], anchors: Mapping[int, bytes]) -> None:
        super().__init__(table, claimed, anchors)
        self._office = OfficeState()

    def _follow(self, record: Record) -> Iterable[str]:
        entry = office_entry_of(record)
        if (record.sender, record.number, record.part) != (OFFICE, record.sequence, 0):
            raise DoesNotFit("its sender, number or part is not what the office writes")
        if record.actor != entry.actor:
            raise DoesNotFit("its actor is not the one that its payload says")
        try:
            fold(self._office, entry, record.at_ms)
        except ImpossibleRecord as error:
            raise DoesNotFit(str(error)) from error
        return office_claims(entry.event)
