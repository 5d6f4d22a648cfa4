"""When somebody is locked out: a name after a few failures, an address after more of them."""

from typing import Final

import msgspec

from croupier.floor.office.records import LockedOut, OfficeEvent, SignInFailed
from croupier.floor.office.state import FAILURES_KEPT_MS, OfficeState

MINUTE_MS: Final = 60_000
LONGEST_MINUTES: Final = FAILURES_KEPT_MS // MINUTE_MS


class LockOutPolicy(msgspec.Struct, frozen=True, kw_only=True):
    """How many failures are too many, within which time, and for how long."""

    failures: int = 5
    window_minutes: int = 15
    locked_minutes: int = 15
    address_failures: int = 30
    """How many failures from one address within the window; beyond that nothing from there is looked at."""

    def failed(
        self, office: OfficeState, name: str, why: str, purpose: str, now_ms: int
    ) -> tuple[OfficeEvent, ...]:
        """The failure, and the lock-out it leads to; a name that nobody has is treated like any other."""
        failure = SignInFailed(name=name, why=why, purpose=purpose)
        if not name or self._recent(office.failures.get(name, ()), now_ms) + 1 < self.failures:
            return (failure,)
        return failure, LockedOut(name=name, until_ms=now_ms + self.locked_minutes * MINUTE_MS)

    def holds_back(self, office: OfficeState, address: str, now_ms: int) -> bool:
        """Whether an address has failed so often that nothing from it is looked at for now."""
        return self._recent(office.address_failures.get(address, ()), now_ms) >= self.address_failures

    def _recent(self, times: tuple[int, ...], now_ms: int) -> int:
        return sum(time > now_ms - self.window_minutes * MINUTE_MS for time in times)
