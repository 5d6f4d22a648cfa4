"""Whether the server lives, whether it can do its work, and what it counts."""

import asyncio
import time
from collections.abc import Sequence
from typing import Final

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler

from croupier import __version__
from croupier.floor.house.log import HOUSE_STREAM
from croupier.journal import StoreError
from croupier.protocol.asking import VERSION
from croupier.server.http.house import Check, House
from croupier.server.http.refusing import LOG
from croupier.server.metrics import CONTENT_TYPE

_TRIED_AGAIN_SECONDS: Final = 1
_ANSWERED_SECONDS: Final = 2
_NOTHING_TAKEN: Final = Check(name="journal", ok=False, sentence="The journal takes nothing.")


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """The server lives."""

    status: str


class Readiness(msgspec.Struct, frozen=True, kw_only=True):
    """Whether people can play here now."""

    ready: bool
    checks: tuple[Check, ...]


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """What runs here."""

    software: str
    protocol: int
    """The version of the WebSocket protocol."""
    floor: str
    epoch: str
    """The server's life; another one after every start."""
    demonstration: bool
    server_ms: int


@get("/health", name="health", summary="Whether the server lives", tags=["Operation"], sync_to_thread=False)
def read_health() -> Health:
    """Answers as long as the process does, also while the server stops."""
    return Health(status="alive")


@get("/ready", name="ready", summary="Whether people can play", tags=["Operation"])
async def read_readiness(house: NamedDependency[House]) -> Response[Readiness]:
    """Status 503 where a table does not run, nothing is written, a check fails, or the server stops."""
    checks = (*_tables(house), await _journal(house), *(check() for check in house.checks))
    ready = all(check.ok for check in checks)
    content = Readiness(ready=ready, checks=checks)
    return Response(content, status_code=200 if ready else 503, media_type="application/json")


@get("/api/version", name="version", summary="What runs here", tags=["Operation"], sync_to_thread=False)
def read_version(house: NamedDependency[House]) -> Version:
    """The versions of the software and of the WebSocket protocol, and the server's time."""
    floor = house.floor
    return Version(
        software=__version__,
        protocol=VERSION,
        floor=floor.name,
        epoch=floor.epoch,
        demonstration=floor.demonstration,
        server_ms=floor.clock.now_ms(),
    )


@get(
    "/metrics",
    name="metrics",
    summary="Metrics for Prometheus",
    tags=["Operation"],
    media_type="text/plain",
    sync_to_thread=False,
)
def read_metrics(house: NamedDependency[House]) -> Response[bytes]:
    """Counters, gauges and histograms; for this machine itself, or with a token of the staff."""
    return Response(house.floor.metrics.render(), media_type=_PLAIN_TEXT)


_PLAIN_TEXT: Final = CONTENT_TYPE.removesuffix("; charset=utf-8")
"""The framework adds the charset to all texts."""

HANDLERS: Sequence[HTTPRouteHandler] = (read_health, read_readiness, read_version, read_metrics)


def _tables(house: House) -> list[Check]:
    checks = [
        Check(name=f"table {name}", ok=not live.runner.stepped_down, sentence=_how_it_runs(house, name))
        for name, live in sorted(house.floor.tables.items())
    ]
    if (fault := house.floor.neighbours.bus_fault) is not None:
        checks.append(Check(name="bus", ok=False, sentence=fault))
    if not house.floor.access.is_current:
        sentence = "The office cannot be read, and no commands are taken."
        checks.append(Check(name="office", ok=False, sentence=sentence))
    if house.floor.is_closing:
        checks.append(Check(name="floor", ok=False, sentence="The floor closes."))
    return checks


def _how_it_runs(house: House, table: str) -> str:
    if house.floor.tables[table].runner.stepped_down:
        return "This server has let go of the table: another one runs it, or records are lost."
    if house.floor.neighbours.runs_here(table):
        return "The table runs."
    if house.floor.neighbours.is_heard(table):
        return "Another server of the floor runs the table; this one follows it."
    return "Nobody is heard to run the table; this server takes it as soon as it can."


async def _journal(house: House) -> Check:
    """Whether the journal takes anything; tried once a second at most, because everybody may ask.

    Who asks has an answer soon, also where the journal gives none.
    """
    tried_at, check = house.journal_tried or (0.0, None)
    if check is None or time.monotonic() - tried_at >= _TRIED_AGAIN_SECONDS:
        if house.trying_journal is None or house.trying_journal.done():
            house.trying_journal = asyncio.create_task(_try_journal(house), name="trying the journal")
        try:
            async with asyncio.timeout(_ANSWERED_SECONDS):
                check = await asyncio.shield(house.trying_journal)
        except TimeoutError:
            LOG.error("not ready: the journal has not answered in %d seconds", _ANSWERED_SECONDS)
            check = _NOTHING_TAKEN
        house.journal_tried = time.monotonic(), check
    return check


async def _try_journal(house: House) -> Check:
    """Writes a sign of life, which is no record, the way that tables do."""
    try:
        await house.run(house.floor.store.beat, HOUSE_STREAM, house.floor.clock.now_ms())
    except StoreError as error:
        LOG.error("not ready: %s", error)
        return _NOTHING_TAKEN
    return Check(name="journal", ok=True, sentence="The journal takes what is written.")
