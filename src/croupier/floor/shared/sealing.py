"""What travels between the servers of a floor is sealed: whoever does not have the floor's key cannot speak.

A sealed message is a keyed hash of its subject, its time and its content, then the time, then the content. It
is good for its subject alone, and for a minute, so that what was overheard is of no use elsewhere or later.
"""

import hashlib
import hmac
from typing import Final

from croupier.floor.clock import Clock

FRESH_MS: Final = 60_000
"""How old a message may be, by clocks that are not quite the same."""

OVERHEAD: Final = 40
"""By how many bytes a message grows."""

_HASH: Final = 32
_TIME: Final = 8
_CONTEXT: Final = b"croupier bus"


class BadSeal(ValueError):
    """A message that nobody of this floor has sealed, or not lately, or not for this subject."""


class Seal:
    """The seal of one floor."""

    def __init__(self, floor_key: bytes, clock: Clock) -> None:
        # A key for this alone: what it is used for says nothing about the floor's other secrets.
        self._key = hashlib.blake2b(floor_key, digest_size=32, person=_CONTEXT).digest()
        self._clock = clock

    def close(self, subject: str, content: bytes) -> bytes:
        """A message ready to be sent."""
        at = self._clock.now_ms().to_bytes(_TIME)
        return self._mark(subject, at, content) + at + content

    def open(self, subject: str, message: bytes, oldest_ms: int = FRESH_MS) -> bytes:
        """What a message holds; raises `BadSeal` where it is not to be believed, or older than is wanted."""
        mark, at, content = message[:_HASH], message[_HASH : _HASH + _TIME], message[_HASH + _TIME :]
        if len(at) != _TIME or not hmac.compare_digest(mark, self._mark(subject, at, content)):
            raise BadSeal("It was not sealed by a server of this floor.")
        age_ms = self._clock.now_ms() - self.sealed_ms(message)
        if not -FRESH_MS <= age_ms <= oldest_ms:
            apart = abs(age_ms) // 1000
            raise BadSeal(f"It was sealed {apart} seconds away from now by this server's clock.")
        return content

    @staticmethod
    def sealed_ms(message: bytes) -> int:
        """When a message was sealed; to be believed of one that could be opened."""
        return int.from_bytes(message[_HASH : _HASH + _TIME])

    def _mark(self, subject: str, at: bytes, content: bytes) -> bytes:
        return hashlib.blake2b(
            at + subject.encode() + b"\n" + content, key=self._key, digest_size=_HASH
        ).digest()
