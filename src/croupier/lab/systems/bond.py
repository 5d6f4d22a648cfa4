"""James Bond's bet: high, a six line and the zero, always the same twenty chips."""

from croupier.lab.slip import place_slip
from croupier.lab.system import System
from croupier.lab.systems.ladders import flat
from croupier.rulebook import BadInput, Book, Layout, get_layout

_CHIPS = {"high": 14, "six-line:13/14/15/16/17/18": 5, "straight:0": 1}


def james_bond(book: Book, chip_cents: int, layout: Layout | str | None = None) -> System:
    """Fourteen chips on high, five on 13 to 18, one on zero, every round."""
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    if not _CHIPS.keys() <= felt.bets.keys():
        raise BadInput(
            "system-needs-roulette",
            f"James Bond bets on high, 13 to 18 and zero, and {book.id} has no such bets.",
            "Play it on a roulette.",
        )
    stakes = {bet: chips * chip_cents for bet, chips in _CHIPS.items()}
    bond = flat(place_slip(book, stakes, felt))
    return System(name="james-bond", slips=bond.slips, step=bond.step, start=bond.start)
