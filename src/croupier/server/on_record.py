"""That a server is there, on the record of the house: from its start to its stop, and why it stopped."""

import asyncio
from types import TracebackType

from croupier import __version__
from croupier.floor.house.log import ServerStarted, ServerStopped
from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.server.watching import MachineWatch


class OnRecord:
    """That a server is there, in the house's log: a stop is noted only where the start was."""

    def __init__(self, watch: MachineWatch, server: str) -> None:
        self._watch = watch
        self._server = server
        self._is_noted = False

    async def arrive(self, tables: tuple[str, ...]) -> None:
        """Notes the start."""
        started = ServerStarted(version=__version__, tables=tables, server=self._server)
        self._is_noted = await self._watch.note(started)

    async def leave(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Notes the stop, and what led to it."""
        if self._is_noted:
            await self._watch.note(ServerStopped(reason=_why(error), server=self._server))


def _why(error: BaseException | None) -> str:
    """Why a server stops, without anything that a record must not have in it."""
    if error is None:
        return "it was asked to"
    if isinstance(error, asyncio.CancelledError | KeyboardInterrupt):
        return "it was interrupted"
    if isinstance(error, BadInput | StoreError):
        return f"a fault: {str(error).rstrip('.')}"
    return f"a fault ({type(error).__name__})"
