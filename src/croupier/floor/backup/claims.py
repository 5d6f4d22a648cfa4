"""What a backup notes as used up, held against the records that say so: a claim is no part of any chain."""

from collections.abc import Iterable
from typing import Final

from croupier.floor.cage.records import ACTS, cage_event_of
from croupier.floor.cage.vouchers import CAGE, REINSTATED, end_claim, reinstating_claim
from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.floor.office.records import OFFICE, office_claims, office_entry_of
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import ClaimRow
from croupier.journal import Record
from croupier.table import claims
from croupier.table.events import CLAIMING

_CLAIMING_KINDS: Final = frozenset(str(kind.__struct_config__.tag) for kind in CLAIMING)


class ClaimsCheck:
    """Takes every record of a journal in order; raises `DamagedJournal` where its claims are others.

    Without a claim a voucher that was paid could be paid again, and with one too many its money is lost.
    """

    def __init__(self, rows: Iterable[ClaimRow]) -> None:
        self._held: dict[tuple[str, int], set[str]] = {}
        for row in rows:
            self._held.setdefault((row.table, row.sequence), set()).add(row.key)
        self._times: dict[str, int] = {}
        """How many times vouchers were reinstated."""

    def take(self, record: Record) -> None:
        """The next record, which uses up what is noted as used up by it, and nothing else."""
        try:
            made = set(self._made_by(record))
        except UnreadableRecord as error:
            raise DamagedJournal(
                f"{_place(record.table, record.sequence)} cannot be read: {error}"
            ) from error
        held = self._held.pop((record.table, record.sequence), set())
        if held != made:
            raise DamagedJournal(
                f"{_place(record.table, record.sequence)} claims {_listed(made)}, and the backup notes "
                f"{_listed(held)} as claimed by it."
            )

    def finish(self) -> None:
        """Nothing is noted as used up by a record that is not there."""
        if self._held:
            (table, sequence), keys = min(self._held.items())
            raise DamagedJournal(
                f"{_place(table, sequence)} is not there, and the backup notes {_listed(keys)} as claimed "
                "by it."
            )

    def _made_by(self, record: Record) -> Iterable[str]:
        if record.table == CAGE:
            return (self._made_at_the_cage(record),)
        if record.table == OFFICE:
            return office_claims(office_entry_of(record).event)
        if is_table(record.table) and record.kind in _CLAIMING_KINDS:
            return claims(entry_of(record).event)
        return ()

    def _made_at_the_cage(self, record: Record) -> str:
        number = cage_event_of(record).number
        if ACTS[record.kind] != REINSTATED:
            return end_claim(number, self._times.get(number, 0))
        self._times[number] = self._times.get(number, 0) + 1
        return reinstating_claim(number, self._times[number])


def _place(table: str, sequence: int) -> str:
    return f"Record {sequence} of {table}"


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(sorted(keys)) or "nothing"
