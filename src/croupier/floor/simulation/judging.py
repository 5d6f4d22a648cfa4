"""What an interruption or a halt does to a round, by the rules (reading 10), and whether it was done."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier.floor.simulation.tally_round import RoundTally

AWAITED: Final = "outcome-awaited"
STILL_RUNNING: Final = frozenset({"round-running", AWAITED})
"""How a table says, when it is asked for a new round, that one is running."""
HALTED: Final = "table-halted"
"""How it says nothing of the round."""


class Stop(NamedTuple):
    """How long play stopped: to the table it was no shorter and no longer."""

    least_ms: int
    most_ms: int


def stop(running: RoundTally, length: Stop, grace_ms: int, *, is_spin_stated: bool = False) -> None:
    """Notes what a stop does to the round that runs.

    A registered result stays. Once a spin has begun, bets are closed and the outcome is awaited. Without one
    the round goes on after a short stop, and is void after a longer one.
    """
    if running.result is not None:
        return
    if running.spin.begun or running.awaiting or is_spin_stated:
        running.closed = running.stopped = running.awaiting = True
        return
    running.may_be_void = running.may_be_void or length.most_ms >= grace_ms
    running.must_be_void = running.must_be_void or length.least_ms >= grace_ms


def misjudged(running: RoundTally, code: str | None) -> Iterator[str]:
    """What is wrong about the answer to a question for a new round while one ran, unless it had ended."""
    if code in STILL_RUNNING:
        if running.must_be_void:
            yield f"it survived an interruption longer than the grace period: {code}"
        elif (code == AWAITED) is not running.awaiting:
            yield f"spun {running.spin.begun}, result {running.result}, the table said {code}"
        return
    if running.awaiting:
        yield "it ended while its outcome was awaited"
    elif running.result is not None:
        yield "it ended although a result was registered"
    elif not running.may_be_void:
        yield "it ended and nobody was told, and no interruption was long enough to void it"
