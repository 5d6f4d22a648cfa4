"""Simulation over a Dask cluster: the same chunks, played anywhere, added up in their order.

The plan goes to the workers as bytes and is made a player there once. A worker returns the tallies of each
chunk by itself, so the sums are formed here in the order of the chunks and are the same to the last bit.
"""

import importlib
import pickle
import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from croupier.lab.chunks import Progress, reported
from croupier.lab.loops import Tallies
from croupier.lab.origin import made_with
from croupier.lab.simulate import SessionPlan, SessionPlayer, SessionRun
from croupier.lab.system import Session
from croupier.rulebook import BadInput

PATIENCE_SECONDS: Final = 10
"""How long a scheduler may take to answer and a first worker to appear."""
_CHUNKS_A_TASK: Final = 64
"""So many that the way to the worker and back is short beside the work."""
_WAITING_A_THREAD: Final = 3


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """A refusal on its way back from a worker: an exception with several parts cannot be sent."""

    code: str
    sentence: str
    right: str


def simulate_on_cluster(
    session: Session, sessions: int, seed: int, address: str, progress: Progress | None = None
) -> SessionRun:
    """Plays sessions on the workers of a Dask scheduler; the answer is that of `simulate_sessions`."""
    plan = SessionPlan(session=session, sessions=sessions, seed=seed)
    SessionPlayer(plan)  # refuses here what would be refused everywhere
    with _connected(address) as client:
        threads = _check_workers(client, address)
        return SessionRun(plan, reported(_in_order(client, plan, threads), plan.chunks, progress))


def _in_order(client: Any, plan: SessionPlan, threads: int) -> Iterator[Tallies]:
    """The tallies of all chunks in their order; only a few tasks are under way at any time."""
    packed = client.scatter(pickle.dumps(plan), broadcast=True, hash=False)
    size = max(1, min(_CHUNKS_A_TASK, plan.chunks // (_WAITING_A_THREAD * threads)))
    waiting: deque[Any] = deque()
    try:
        for first in range(0, plan.chunks, size):
            last = min(first + size, plan.chunks)
            waiting.append(client.submit(play_stretch, packed, first, last, pure=False))
            if len(waiting) > _WAITING_A_THREAD * threads:
                yield from _tallies(waiting.popleft())
        while waiting:
            yield from _tallies(waiting.popleft())
    finally:
        client.cancel([*waiting])


def _tallies(future: Any) -> list[Tallies]:
    try:
        played = future.result()
    except Exception as error:  # whatever the cluster did: a worker was killed, the scheduler went away
        raise BadInput(
            "cluster-lost",
            f"The cluster lost a part of the work: {type(error).__name__}.",
            "See its log, then run it again; without --cluster this machine does the work.",
        ) from error
    if isinstance(played, Refusal):
        raise BadInput(played.code, played.sentence, played.right)
    tallies: list[Tallies] = played
    return tallies


def play_stretch(packed: bytes, first: int, last: int) -> list[Tallies] | Refusal:
    """What a worker does: plays the chunks from `first` up to, and without, `last`."""
    try:
        player = _player(packed)
        return [player.play(chunk) for chunk in range(first, last)]
    except BadInput as refusal:
        return Refusal(code=refusal.code, sentence=refusal.sentence, right=refusal.right)


@lru_cache(maxsize=4)
def _player(packed: bytes) -> SessionPlayer:
    plan: SessionPlan = pickle.loads(packed)
    return SessionPlayer(plan)


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    try:
        distributed = importlib.import_module("distributed")
    except ModuleNotFoundError as error:
        raise BadInput(
            "cluster-missing",
            "A cluster needs the package distributed, which is not installed.",
            "Install croupier[cluster].",
        ) from error
    if not _answers(address):
        raise _unreachable(address)
    try:
        client = distributed.Client(address, timeout=PATIENCE_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise _unreachable(address) from error
    try:
        yield client
    finally:
        client.close()


def _answers(address: str) -> bool:
    """Whether anything listens there: a client that fails while it starts would leave threads behind."""
    try:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if parts.scheme not in ("tcp", "tls") or parts.hostname is None or parts.port is None:
            return False
        socket.create_connection((parts.hostname, parts.port), PATIENCE_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


def _unreachable(address: str) -> BadInput:
    return BadInput(
        "cluster-unreachable",
        f"No Dask scheduler answers at {address!r}.",
        "Give the address that it printed when it started, for example tcp://10.0.0.5:8786.",
    )


def _check_workers(client: Any, address: str) -> int:
    """Waits for a worker, refuses those with other sources, and counts their threads."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE_SECONDS)
    except TimeoutError as error:
        raise BadInput(
            "cluster-empty", f"The cluster at {address} has no worker.", "Start at least one."
        ) from error
    ours = made_with()
    for worker, theirs in client.run(made_with).items():
        if theirs != ours:
            different = ", ".join(name for name in ours if theirs.get(name) != ours[name])
            raise BadInput(
                "cluster-differs",
                f"The worker {worker} has another {different}.",
                "Install the same croupier and libraries everywhere: the answer would not be the same.",
            )
    threads: int = sum(client.nthreads().values())
    return max(1, threads)
