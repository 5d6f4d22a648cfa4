"""Which limits have changed, by the names that the configuration has for them: the same in every language."""

from collections.abc import Iterator, Mapping
from typing import Final

from croupier.rulebook import show_cents
from croupier.table import Limits, Range

_WHOLE: Final = {"seat_cents": "seat", "table_cents": "table", "exposure_cents": "exposure"}
_NONE: Final = "-"


def limit_changes(old: Limits, new: Limits) -> Iterator[str]:
    """Every limit that is another one now, with what it was.

    >>> before = Limits(bets={"straight": Range(minimum_cents=500, maximum_cents=20_000)})
    >>> after = Limits(bets={"straight": Range(minimum_cents=500, maximum_cents=30_000)}, seat_cents=100_000)
    >>> [*limit_changes(before, after)]
    ['straight 5.00-200.00 → 5.00-300.00', 'seat - → 1000.00']
    """
    yield from _changed(_ranges(old.bets), _ranges(new.bets))
    yield from _changed(_spots(old.spots), _spots(new.spots))
    yield from _changed(_wholes(old), _wholes(new))


def _changed(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*new, *old)):
        before, after = old.get(name, _NONE), new.get(name, _NONE)
        if before != after:
            yield f"{name} {before} → {after}"


def _ranges(bets: Mapping[str, Range]) -> dict[str, str]:
    return {
        name: f"{show_cents(limit.minimum_cents)}-{show_cents(limit.maximum_cents)}"
        for name, limit in bets.items()
    }


def _spots(spots: Mapping[str, int]) -> dict[str, str]:
    return {f"spot {name}": show_cents(cents) for name, cents in spots.items()}


def _wholes(limits: Limits) -> dict[str, str]:
    held = {name: getattr(limits, field) for field, name in _WHOLE.items()}
    return {name: show_cents(cents) for name, cents in held.items() if cents is not None}
