"""How much of what one client sends is handled, and when: nobody waits for one that sends too much."""

from typing import Final

from croupier.server.bucket import Bucket
from croupier.server.input_limits import InputLimits

_BEYOND: Final = 2
"""Beside its commands a client says that it is alive; who exceeds the rate of commands is still told so."""
_MOST_IN_A_PORTION: Final = 64
_PORTIONS_A_SECOND: Final = 10
_PATIENCE_SECONDS: Final = 15


class Intake:
    """Frames of one connection, of whatever kind, as they get their turn: in portions, others between."""

    __slots__ = ("_frames", "_patience", "_portion", "seconds")

    def __init__(self, limits: InputLimits) -> None:
        rate, burst = _BEYOND * limits.rate, _BEYOND * limits.burst
        self._frames = Bucket(rate, burst)
        self._portion = max(1, min(rate // _PORTIONS_A_SECOND, burst, _MOST_IN_A_PORTION))
        self.seconds = self._portion / rate
        """How long until another portion is there, where none is."""
        self._patience = Bucket(0.5, _PATIENCE_SECONDS)

    def portion(self) -> int:
        """How many frames may be handled now; none where too many have come."""
        return self._portion if self._frames.take(self._portion) else 0

    def is_worth_waiting(self) -> bool:
        """Whether a client that has to wait may; not where it had to for most of a while."""
        return self._patience.take(self.seconds)
