"""The house's stream, checked: every record says in its columns what it says in its payload.

What it says about other streams outlasts their ends: one that was cut off is shorter than the house knows.
"""

from collections.abc import Iterable, Mapping

from croupier.floor.audit import DoesNotFit
from croupier.floor.house.log import HOUSE_STREAM, BackupMade, ServerStarted, house_entry_of
from croupier.floor.verify.stream import Misfit, Seen, StreamCheck, Told
from croupier.journal import Record


class HouseCheck(StreamCheck):
    """The house's records, one after the other."""

    def __init__(self, table: str, claimed: Mapping[int, set[str]], anchors: Mapping[int, bytes]) -> None:
        super().__init__(table, claimed, anchors)
        self.told: dict[str, Told] = {}
        """What the house has written down about other streams, the most of each."""

    def _follow(self, record: Record) -> Iterable[str]:
        entry = house_entry_of(record)
        if (record.sender, record.number, record.part) != (HOUSE_STREAM, record.sequence, 0):
            raise DoesNotFit("its sender, number or part is not what the house writes")
        if record.actor != entry.actor:
            raise DoesNotFit("its actor is not the one that its payload says")
        match entry.event:
            case BackupMade(heads=heads):
                for stream, records in heads.items():
                    self._tell(stream, Told(records, record.sequence, "a backup was made"))
            case ServerStarted(tables=tables):
                for stream in tables:
                    self._tell(stream, Told(1, record.sequence, "a server started with it"))
        return ()

    def seen(self) -> Seen:
        """What was seen of the stream so far, with what it says about others."""
        return super().seen()._replace(told=self.told)

    def _tell(self, stream: str, told: Told) -> None:
        if stream not in self.told or self.told[stream].records < told.records:
            self.told[stream] = told


def cut_off(told: Told, stream: Seen) -> Misfit | None:
    """What is missing of a stream that had more records once."""
    has = stream.head.sequence
    if has >= told.records:
        return None
    least = f"at least {told.records} {'record' if told.records == 1 else 'records'}"
    reason = (
        f"it is not there, and the stream had {least} when {told.when} (record {told.by} of {HOUSE_STREAM})"
    )
    return Misfit(sequence=has + 1, reason=reason)
