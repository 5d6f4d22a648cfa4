"""Threads for what blocks; once the server has let go of them, whoever still asks is told so."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from croupier.journal import StoreError

T = TypeVar("T")


class Stopping(StoreError):
    """The server stops: what was asked is not done here any more."""

    def __init__(self) -> None:
        super().__init__("The server stops.")


class Threads:
    """So many threads of one kind, until they are closed."""

    def __init__(self, most: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=name)
        self._is_closed = False

    def begin(self, act: Callable[[], T]) -> "asyncio.Future[T]":
        """Has something done in a thread; raises `Stopping` where there are none any more."""
        if self._is_closed:
            raise Stopping
        return asyncio.get_running_loop().run_in_executor(self._pool, act)

    def close(self, *, cancel: bool = False) -> None:
        """Waits for what is being done; what waits for its turn is done as well, or cancelled."""
        self._is_closed = True
        self._pool.shutdown(cancel_futures=cancel)
