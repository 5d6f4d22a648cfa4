"""All systems by name, each ready to play with one bet and one unit."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType

import msgspec

from croupier.lab.slip import Slip, place_slip
from croupier.lab.system import System
from croupier.lab.systems.bond import james_bond
from croupier.lab.systems.grind import oscars_grind
from croupier.lab.systems.kelly import kelly
from croupier.lab.systems.ladders import (
    anti_martingale,
    dalembert,
    fibonacci,
    flat,
    grand_martingale,
    martingale,
    one_three_two_six,
)
from croupier.lab.systems.lines import labouchere
from croupier.lab.systems.tracking import andrucci
from croupier.rulebook import BadInput, Book, Layout, get_layout

_EVEN = ("red", "symbol:1")
"""What a system is played on where nothing is said: a bet that pays one to one."""


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A system of the catalogue."""

    name: str
    title: str
    build: Callable[[Book, Layout, Slip], System]
    summary: str

    @property
    def own_bets(self) -> bool:
        """Whether the system chooses its bets itself."""
        return self.name in ("james-bond", "andrucci")


def _on_slip(name: str, title: str, build: Callable[[Slip], System]) -> Entry:
    summary = (build.__doc__ or "").partition("\n")[0]
    return Entry(name=name, title=title, build=lambda book, layout, slip: build(slip), summary=summary)


def _kelly(slip: Slip) -> System:
    """Stakes the part of the bankroll that Kelly gives to somebody who believes in a small advantage."""
    fair = Fraction(slip.staked_cents, slip.staked_cents + max(slip.net_cents))
    return kelly(slip, min(fair + Fraction(1, 50), (1 + fair) / 2))


SYSTEMS: Mapping[str, Entry] = MappingProxyType(
    {
        entry.name: entry
        for entry in (
            _on_slip("flat", "Flat", flat),
            _on_slip("martingale", "Martingale", martingale),
            _on_slip("grand-martingale", "Grand martingale", grand_martingale),
            _on_slip("anti-martingale", "Anti-martingale", anti_martingale),
            _on_slip("dalembert", "D'Alembert", dalembert),
            _on_slip("fibonacci", "Fibonacci", fibonacci),
            _on_slip("labouchere", "Labouchere", labouchere),
            _on_slip("oscars-grind", "Oscar's grind", oscars_grind),
            Entry(
                name="james-bond",
                title="James Bond",
                build=lambda book, layout, slip: james_bond(book, slip.staked_cents, layout),
                summary="Fourteen chips on high, five on 13 to 18, one on zero, every round.",
            ),
            _on_slip("1-3-2-6", "1-3-2-6", one_three_two_six),
            Entry(
                name="andrucci",
                title="Andrucci",
                build=lambda book, layout, slip: andrucci(book, slip.staked_cents, layout),
                summary="Watches 36 spins, then backs the most frequent number for up to 36.",
            ),
            _on_slip("kelly", "Kelly with a belief", _kelly),
        )
    }
)
"""Every system, in the order in which it is listed."""


def make_system(
    name: str, book: Book, unit_cents: int, bet: str | None = None, layout: Layout | str | None = None
) -> System:
    """A system by its name, on one bet with one unit.

    >>> from croupier.rulebook import load_book
    >>> make_system("martingale", load_book("mbs-roulette"), 500).slips[0].stakes_cents["red"]
    500
    """
    if name not in SYSTEMS:
        raise BadInput(
            "unknown-system", f"There is no system {name!r}.", f"The systems are {', '.join(SYSTEMS)}."
        )
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    slip = place_slip(book, {bet or default_bet(felt): unit_cents}, felt)
    return SYSTEMS[name].build(book, felt, slip)


def default_bet(layout: Layout) -> str:
    """The bet a system is played on where none is named: one that pays one to one, else the first."""
    return next((bet for bet in _EVEN if bet in layout.bets), next(iter(layout.bets)))
