"""What a sender was told for one of its numbers, from the journal itself."""

from croupier.floor.codec import UnreadableRecord, entry_of
from croupier.floor.loading import DamagedJournal
from croupier.journal import Store
from croupier.table import Do, Rejection, Reply
from croupier.table.decide import fingerprint_of
from croupier.table.events import CommandRefused


def first_answer(store: Store, table: str, do: Do, sender: str, number: int) -> Reply | None:
    """The first answer to a sender's number; None where the number was never used."""
    record = store.first_of(table, sender, number)
    if record is None:
        return None
    try:
        entry = entry_of(record)
    except UnreadableRecord as error:
        raise DamagedJournal(f"Record {record.sequence} of table {table} cannot be read: {error}.") from error
    last = record.sequence
    for following in store.read(table, record.sequence):
        if (following.sender, following.number) != (sender, number):
            break
        last = following.sequence
    rejection = entry.event.rejection if isinstance(entry.event, CommandRefused) else None
    if entry.cause.fingerprint != fingerprint_of(do):
        sentence = f"Number {number} was used for another command; use a new one."
        rejection = Rejection(code="number-reused", sentence=sentence, facts={"number": number})
    return Reply(rejection=rejection, entries=(), first=record.sequence, last=last, repeated=True)
