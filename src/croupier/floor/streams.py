"""The streams of a journal: one for each table, and a few that are of no table."""

from typing import Final

from croupier.floor.cage.vouchers import CAGE
from croupier.floor.house.log import HOUSE_STREAM
from croupier.floor.office.records import OFFICE

NOT_TABLES: Final = frozenset({CAGE, HOUSE_STREAM, OFFICE})
"""The cage, the house and the office: they have records and play no rounds. No table may be called so."""


def is_table(stream: str) -> bool:
    """Whether a stream is a table's.

    >>> is_table("T1"), is_table("cage")
    (True, False)
    """
    return stream not in NOT_TABLES
