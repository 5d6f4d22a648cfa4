"""What cannot follow what on a wheel's line: states, counts, previous results, the same line again."""

from collections import deque
from typing import Final, NamedTuple

from croupier.wheel import line as w
from croupier.wheel.line import Status

REPEATS: Final = 4
REPEATS_MS: Final = 400
"""A wheel speaks twice a second: so many equal lines in so short a time are one line many times."""

_NEXT: Final = {
    w.BEFORE_GAME: (w.PLACE_BETS,),
    w.PLACE_BETS: (w.IN_RIM, w.BEFORE_GAME),
    w.IN_RIM: (w.NO_MORE_BETS,),
    w.NO_MORE_BETS: (w.RESULT,),
    w.RESULT: (w.PLACE_BETS, w.BEFORE_GAME),
    w.SHUT: (w.BEFORE_GAME,),
    w.NO_BALL: (w.BEFORE_GAME, w.PLACE_BETS),
}
"""Which state may follow which, beside itself; 6 and 7 are faults of their own."""


class Found(NamedTuple):
    """Something that does not fit."""

    code: str
    detail: str


class Repeats:
    """Notices a line that comes again and again."""

    def __init__(self) -> None:
        self._last: deque[tuple[Status, int]] = deque(maxlen=REPEATS)

    def many(self, status: Status, at_ms: int) -> bool:
        """Whether this line came too often in too short a time."""
        self._last.append((status, at_ms))
        first, first_ms = self._last[0]
        is_burst = len(self._last) == REPEATS and at_ms - first_ms <= REPEATS_MS
        return is_burst and all(said == first for said, _ in self._last)


def misplaced(before: Status | None, status: Status, is_void: bool) -> Found | None:
    """A state that does not follow the one before.

    A spin that is void already may end in any way: people have taken the ball.
    """
    old, new = None if before is None else before.state, status.state
    is_rolling = old in (w.IN_RIM, w.NO_MORE_BETS) and not is_void
    if new == old:
        return None
    if new == w.SHUT:
        return Found("restarted" if is_rolling else "shut", f"state {new}: closed")
    if new == w.NO_BALL:
        return Found("ball-missing", f"state {new}: ball not detected")
    if old is None:
        if new in (w.IN_RIM, w.NO_MORE_BETS, w.RESULT):
            return Found("wrong-order", f"heard first in state {new}, and not from state 2 on")
        return None
    if new in _NEXT[old]:
        return None
    if new in (w.BEFORE_GAME, w.PLACE_BETS):
        is_relaunch = old == w.IN_RIM and bool(status.flags & w.LAUNCH_FAILED)
        if is_void or is_relaunch:
            return None
        if is_rolling:
            return Found("restarted", f"from state {old} back to {new}")
    return Found("wrong-order", f"from state {old} to {new}")


def miscounted(before: Status | None, status: Status) -> Found | None:
    """A count of spins that does not go on by one, or a previous result that changes by itself."""
    if before is None:
        return None
    is_fresh = status.pocket is None and status.state in (w.SHUT, w.BEFORE_GAME)
    if status.state != w.RESULT and status.pocket != before.pocket and not is_fresh:
        now, then = status.pocket or "blank", before.pocket or "blank"
        return Found("results-differ", f"in state {status.state} the result before went from {then} to {now}")
    step = (status.spins - before.spins) % w.MOST_SPINS
    if step <= 1:
        return None
    if status.spins <= 1:
        return Found("restarted", f"its count went from {before.spins} to {status.spins}")
    return Found("counter-jumped", f"its count went from {before.spins} to {status.spins}")
