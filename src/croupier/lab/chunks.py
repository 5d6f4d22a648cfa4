"""Chunks: pieces of a simulation that anybody may play in any order, and that are added up in theirs."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from croupier.rulebook import BadInput

T = TypeVar("T")

Progress = Callable[[int, int], None]
"""Called with the chunks that are done and the chunks there are."""


def in_order(play: Callable[[int], T], chunks: int, threads: int | None) -> Iterator[T]:
    """Plays the chunks on several threads and yields what they bring, always in the order of the chunks.

    Only a few chunks wait at any time, so memory does not grow with their number.
    """
    workers = threads if threads is not None else _cores()
    if not 1 <= workers <= 1024:
        raise BadInput("threads-out-of-range", f"{workers} threads are no use.", "Give 1 to 1024, or none.")
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[Future[T]] = deque()
        try:
            for chunk in range(chunks):
                waiting.append(pool.submit(play, chunk))
                if len(waiting) > 4 * workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _cores() -> int:
    """The cores this process may use, where the system says so."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def reported(results: Iterable[T], chunks: int, progress: Progress | None) -> Iterator[T]:
    """Passes results through and reports how many there were."""
    for done, result in enumerate(results, 1):
        if progress is not None:
            progress(done, chunks)
        yield result


def check_count(count: int, most: int, of_what: str) -> None:
    """Refuses a number of repetitions that is none or beyond what a run may take."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= most:
        raise BadInput(
            "count-out-of-range",
            f"{count!r} is not a number of {of_what}.",
            f"Give a whole number, 1 to {most}.",
        )
