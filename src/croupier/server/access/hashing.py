"""Passwords and codes are kept as argon2id hashes, made in threads so that nobody else waits for them."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

import argon2
import msgspec
from argon2.low_level import Type, hash_secret_raw

from croupier.server.threads import Threads

T = TypeVar("T")

_CODE_SALT: Final = b"croupier/enrolment-code"
"""Codes are drawn by lot and live for minutes; the same salt for all of them lets a code be found again."""


class HashCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a guess costs: the second recommended choice of RFC 9106, for when memory is scarce."""

    time: int = 3
    memory_kib: int = 65_536
    lanes: int = 4


class TooManyWaiting(Exception):
    """More passwords wait to be looked at than this machine takes on."""


class Hasher:
    """Hashes and compares, a few at once and some more in the queue."""

    def __init__(self, cost: HashCost, workers: int, waiting: int) -> None:
        self._argon2 = argon2.PasswordHasher(
            time_cost=cost.time, memory_cost=cost.memory_kib, parallelism=cost.lanes, type=Type.ID
        )
        self._threads = Threads(workers, "argon2")
        self._room = workers + waiting

    async def hash(self, password: str) -> str:
        """The hash of a password, with the parameters and a salt of its own in it."""
        return await self._in_thread(lambda: self._argon2.hash(_bytes(password)))

    async def matches(self, hashed: str, password: str) -> bool:
        """Whether a hash is that of a password; compared in constant time."""
        return await self._in_thread(lambda: self._matches(hashed, password))

    def is_outdated(self, hashed: str) -> bool:
        """Whether a hash was made with other parameters than those that hold now."""
        return self._argon2.check_needs_rehash(hashed)

    async def digest_of_code(self, code: str) -> str:
        """The hash under which a code is found again."""
        return await self._in_thread(lambda: digest_of_code(code))

    def close(self) -> None:
        """Lets go of the threads once they are done."""
        self._threads.close()

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self._argon2.verify(hashed, _bytes(password))
        except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
            return False

    async def _in_thread(self, act: Callable[[], T]) -> T:
        if self._room <= 0:
            raise TooManyWaiting
        doing = self._threads.begin(act)
        self._room -= 1
        # Whoever gives up waiting does not stop the thread: the room is free again when that is done.
        doing.add_done_callback(self._make_room)
        return await asyncio.shield(doing)

    def _make_room(self, done: "asyncio.Future[T]") -> None:
        self._room += 1
        if not done.cancelled():
            done.exception()  # one that nobody waits for any more is no news


def digest_of_code(code: str) -> str:
    """The hash under which a code is found again.

    A code has 40 bits, so that a fast hash could be turned back within its quarter of an hour; at a
    thousandth of a second for each guess it would take decades.
    """
    raw = hash_secret_raw(_bytes(code), _CODE_SALT, 1, 4_096, 1, 32, Type.ID)
    return raw.hex()


def _bytes(text: str) -> bytes:
    """A text as bytes, also where it holds what is no character: it matches nothing then."""
    return text.encode("utf-8", "surrogatepass")
