"""Andrucci's way: watch the wheel, then back the number that came most often."""

from croupier.lab.slip import place_slip
from croupier.lab.system import NO_OUTCOME, Memory, System, step
from croupier.rulebook import BadInput, Book, Layout, get_layout

_SPINS, _WATCH, _BETS, _MOST, _COUNTS = 1, 2, 3, 4, 5
"""Spins since the watching began, how many to watch and to bet, the most any number came, the counts."""


@step
def _andrucci(memory: Memory, net_cents: int, outcome: int) -> int:
    if outcome == NO_OUTCOME:
        return 0 if memory[_WATCH] > 0 else 1
    if memory[_SPINS] < memory[_WATCH]:
        counts = memory[_COUNTS:]
        counts[outcome] += 1
        if counts[outcome] > memory[_MOST]:
            memory[_MOST] = counts[outcome]
            memory[0] = outcome
    memory[_SPINS] += 1
    if net_cents > 0 or memory[_SPINS] >= memory[_WATCH] + memory[_BETS]:
        memory[0] = memory[_SPINS] = memory[_MOST] = 0
        memory[_COUNTS:] = 0
    return 0 if memory[_SPINS] < memory[_WATCH] else 1


@step
def _waiting(memory: Memory, net_cents: int, outcome: int) -> int:
    if outcome == NO_OUTCOME:
        return 0 if memory[_WATCH] > 0 else 1
    memory[_SPINS] += 1
    if net_cents > 0 or memory[_SPINS] >= memory[_WATCH] + memory[_BETS]:
        memory[_SPINS] = 0
    return 0 if memory[_SPINS] < memory[_WATCH] else 1


def andrucci(
    book: Book, unit_cents: int, layout: Layout | str | None = None, watch: int = 36, bets: int = 36
) -> System:
    """Watches a number of spins, then backs the most frequent number until it comes or enough were lost.

    Spins are independent, so whichever number is chosen wins as often as any other: the distribution of a
    session is that of waiting as long and then backing a number that was fixed before.
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    straights = [f"straight:{number}" for number in book.wheel.outcomes]
    if not felt.bets.keys() >= set(straights):
        raise BadInput(
            "system-needs-roulette",
            f"Tracking needs a bet on every number alone, and {book.id} has none.",
            "Play it on a roulette.",
        )
    if not (1 <= watch <= 10_000 and 1 <= bets <= 10_000):
        raise BadInput(
            "system-parameter", f"Watching {watch} and betting {bets} spins is no plan.", "Give 1 to 10000."
        )
    slips = tuple(place_slip(book, {bet: unit_cents}, felt) for bet in straights)
    plain = System(name="waiting", slips=slips[:1], step=_waiting, start=(0, 0, watch, bets))
    return System(
        name="andrucci",
        slips=slips,
        step=_andrucci,
        start=(0, 0, watch, bets, 0, *(0 for _ in straights)),
        watches=True,
        in_law=plain,
    )
