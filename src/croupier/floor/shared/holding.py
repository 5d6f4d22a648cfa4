"""Whether a table is still ours: the database says it, and one that hangs is not waited for."""

import asyncio
import logging
from typing import Final

from croupier.journal import StoreError
from croupier.journal.leases import Leases

LOG: Final = logging.getLogger("croupier.floor")

HELD_SECONDS: Final = 10
"""How long a database may take to say whose a table is; one that hangs says nothing."""


async def is_held(leases: Leases, table: str) -> bool:
    """Whether a table is held here; not where that cannot be known."""
    try:
        async with asyncio.timeout(HELD_SECONDS):
            return table in await asyncio.to_thread(leases.held)
    except (StoreError, TimeoutError) as error:
        why = error if isinstance(error, StoreError) else f"no answer in {HELD_SECONDS} seconds"
        LOG.error("table %s: its lease cannot be asked for: %s", table, why)
        return False
