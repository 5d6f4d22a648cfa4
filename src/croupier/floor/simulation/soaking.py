"""Playing seed after seed for a while, with a line that says how far it is."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from croupier.floor.simulation.world import Outcome, simulate

PROCESSES_ENDED = ("crashes", "stalls", "restarts")
"""What counts as the end of a process; everything else that is counted is a fault that was injected."""


class Soaked(NamedTuple):
    """What came of a soak."""

    seeds: int
    events: int
    counts: Counter[str]
    failed: Outcome | None
    """The first seed whose books were not right; nothing was played after it."""

    def line(self) -> str:
        """How far it is, in one line."""
        ended = sum(self.counts[name] for name in PROCESSES_ENDED)
        faults = self.counts.total() - ended
        found = "no fault found" if self.failed is None else f"seed {self.failed.seed} FAILED"
        return (
            f"{self.seeds:,} seeds, {self.events:,} events, {ended:,} processes ended, "
            f"{faults:,} faults injected, {found}"
        )


def soak(
    seeds: Iterable[int],
    minutes: float,
    tell: Callable[[Soaked], None],
    play: Callable[[int], Outcome] = simulate,
    seconds: Callable[[], float] = time.monotonic,
) -> Soaked:
    """Plays seeds until the time is over or one of them fails; tells after each how far it is."""
    until = seconds() + 60 * minutes
    soaked = Soaked(0, 0, Counter(), None)
    for seed in seeds:
        outcome = play(seed)
        soaked = Soaked(
            soaked.seeds + 1,
            soaked.events + outcome.events,
            soaked.counts + Counter(outcome.counts),
            outcome if outcome.faults else None,
        )
        tell(soaked)
        if soaked.failed is not None or seconds() >= until:
            break
    return soaked


def describe(outcome: Outcome) -> str:
    """What came of a seed, and where it failed the command that plays it again."""
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(outcome.counts.items()))
    lines = [
        f"seed {outcome.seed}: {outcome.events:,} events, history {outcome.digest}",
        f"what went wrong on purpose: {counts or 'nothing'}",
    ]
    if outcome.faults:
        lines += [f"what should not have happened ({len(outcome.faults)}):", *outcome.faults[:20]]
        lines.append(f"play it again: python -m croupier.floor.simulation --seed {outcome.seed}")
    else:
        lines.append("the books are right")
    return "\n".join(lines)
