"""A floor of one server has one: a second would take its tables, and its terminals would be left behind."""

import asyncio
import time
from collections.abc import Iterable
from typing import Final

from croupier.floor import Clock
from croupier.floor.timekeeping import BEAT_SECONDS
from croupier.journal import Head, Store
from croupier.rulebook import BadInput

_RECENT_MS: Final = 5_000 * BEAT_SECONDS
_LOOK_SECONDS: Final = 2.5 * BEAT_SECONDS
"""In which a server that runs gives another sign of life, also one that has much to do."""
_PAUSE_SECONDS: Final = 0.1


async def refuse_another(store: Store, tables: Iterable[str], clock: Clock) -> None:
    """Refuses a journal whose tables a server runs: they are given signs of life while one looks on.

    Whoever starts after a stop or a crash of a moment ago waits for as long as that takes; a server that
    hangs gives none, and keeps nobody from its tables.
    """
    known = {*tables} & {*await asyncio.to_thread(store.tables)}
    last = {table: await asyncio.to_thread(_signs, store, table) for table in known}
    # A server that has only just made or opened its tables has given no beat yet.
    recent = [table for table, (beat_ms, _) in last.items() if beat_ms is None or _is_recent(beat_ms, clock)]
    until = time.monotonic() + _LOOK_SECONDS
    while recent and time.monotonic() < until:
        await asyncio.sleep(_PAUSE_SECONDS)
        for table in recent:
            if await asyncio.to_thread(_signs, store, table) != last[table]:
                raise BadInput(
                    "floor-running",
                    f"A server runs table {table} of this journal.",
                    "Stop it first. Several servers run a floor together where each file has [servers].",
                )


def _signs(store: Store, table: str) -> tuple[int | None, Head]:
    """What changes while somebody runs a table: its latest sign of life, and where its chain ends."""
    return store.last_beat(table), store.head(table)


def _is_recent(beat_ms: int, clock: Clock) -> bool:
    return abs(clock.now_ms() - beat_ms) < _RECENT_MS
