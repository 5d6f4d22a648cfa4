"""What the cage's records say."""

from typing import Final

import msgspec

from croupier.floor.cage.vouchers import EXPIRED, PAID, REINSTATED, VOIDED, CageEvent
from croupier.floor.codec import UnknownRecord, UnreadableRecord
from croupier.journal import Record
from croupier.table import SYSTEM, Actor

ACTS: Final = {f"voucher-{act}": act for act in (PAID, VOIDED, EXPIRED, REINSTATED)}
"""What the cage does with vouchers, by the kind of the record."""

CLERK: Final = Actor(id="system/cage", position=SYSTEM)
"""Who lets vouchers expire."""


def cage_event_of(record: Record) -> CageEvent:
    """What a record of the cage holds."""
    if record.kind not in ACTS or record.version != 1:
        raise UnknownRecord(f"the cage writes no {record.kind} of version {record.version}")
    try:
        return msgspec.json.decode(record.payload, type=CageEvent)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise UnreadableRecord(f"its payload is not a {record.kind}: {error}") from error
