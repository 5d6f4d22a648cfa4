"""Limits and settings in words: `every-bet=1.00..1000.00 straight=1.00..50.00 seat=500.00 lock-up=200.00`."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from croupier.rulebook import parse_cents, show_cents
from croupier.table import Limits, Range, Rules, Settings

EVERY_BET: Final = "every-bet"
"""The limits of all kinds of bets that are not named themselves."""
ALL_SEATS: Final = "all-seats/"
"""Before a kind or a bet: the most that may lie on one such bet over all seats."""
_TOTALS: Final = {"seat": "seat_cents", "table": "table_cents", "exposure": "exposure_cents"}
_AMOUNTS: Final = {"lock-up": "lock_up_cents", "voucher-limit": "voucher_limit_cents"}
_COUNTS: Final = {
    "betting-seconds": "betting_seconds",
    "warning-seconds": "warning_seconds",
    "grace-seconds": "grace_seconds",
    "rounds-kept": "rounds_kept",
    "answers-kept": "answers_kept",
}
_TWO_PEOPLE: Final = "two-people"
_WHEEL: Final = {"wheel": "wheel", "spin-source": "spin_source"}
_ORDER: Final = "pocket-order"
_CASH: Final = "cash-limit"
"""Said only of tables where they are not the usual ones."""

DEFAULTS: Final = (
    "every-bet=1.00..1000.00 lock-up=10000.00 voucher-limit=3000.00 betting-seconds=30"
    " warning-seconds=5 grace-seconds=10 two-people=none rounds-kept=100 answers-kept=32"
)
"""How a table of a transcript is set where its heading says nothing else."""


def read_settings(rules: Rules, words: str) -> dict[str, Any]:
    """All settings of a table from those that differ from the defaults."""
    said = dict(_pairs(DEFAULTS)) | dict(_pairs(words))
    settings: dict[str, Any] = {}
    for word, field in _AMOUNTS.items():
        settings[field] = parse_cents(said.pop(word))
    for word, field in _COUNTS.items():
        count = said.pop(word)
        settings[field] = None if count == "none" else int(count)
    settings |= {field: said.pop(word) for word, field in _WHEEL.items() if word in said}
    if _ORDER in said:
        settings["pocket_order"] = tuple(said.pop(_ORDER).split(","))
    if _CASH in said:
        settings["cash_limit_cents"] = parse_cents(said.pop(_CASH))
    people = said.pop(_TWO_PEOPLE)
    settings["two_people"] = () if people == "none" else tuple(people.split(","))
    settings["limits"] = _limits(rules, said)
    return settings


def read_limits(rules: Rules, words: Iterable[str]) -> Limits:
    """Limits from words; kinds that are not named have those of every bet."""
    return _limits(rules, dict(_pairs(" ".join(words))))


def _pairs(words: str) -> Iterator[tuple[str, str]]:
    for word in words.split():
        name, found, value = word.partition("=")
        if not found:
            raise ValueError(f"{word!r} is not written as name=value")
        yield name, value


def _limits(rules: Rules, said: dict[str, str]) -> Limits:
    kinds = dict.fromkeys(bet.kind for bet in rules.bets.values())
    bets = dict.fromkeys(kinds, _range(said[EVERY_BET]))
    spots: dict[str, int] = {}
    totals: dict[str, int] = {}
    for name, value in said.items():
        if name in _TOTALS:
            totals[_TOTALS[name]] = parse_cents(value)
        elif name.startswith(ALL_SEATS):
            spots[name.removeprefix(ALL_SEATS)] = parse_cents(value)
        elif name != EVERY_BET:
            bets[name] = _range(value)
    return Limits(bets=bets, spots=spots, **totals)


def _range(text: str) -> Range:
    least, _, most = text.partition("..")
    return Range(minimum_cents=parse_cents(least), maximum_cents=parse_cents(most))


def show_limits(limits: Limits) -> str:
    """Limits in the words they are read from; the range that most kinds share stands for every bet."""
    ranges = {name: _show_range(limit) for name, limit in limits.bets.items()}
    ((common, _),) = Counter(ranges.values()).most_common(1)
    words = [f"{EVERY_BET}={common}"]
    words += [f"{name}={shown}" for name, shown in ranges.items() if shown != common]
    words += [f"{ALL_SEATS}{name}={show_cents(most)}" for name, most in limits.spots.items()]
    for word, field in _TOTALS.items():
        if (cents := getattr(limits, field)) is not None:
            words.append(f"{word}={show_cents(cents)}")
    return " ".join(words)


def _show_range(limit: Range) -> str:
    return f"{show_cents(limit.minimum_cents)}..{show_cents(limit.maximum_cents)}"


def show_settings(settings: Settings) -> list[str]:
    """Settings in three lines: which table, its limits, the rest."""
    rest = [f"{word}={show_cents(getattr(settings, field))}" for word, field in _AMOUNTS.items()]
    for word, field in _COUNTS.items():
        count = getattr(settings, field)
        rest.append(f"{word}={'none' if count is None else count}")
    rest.append(f"{_TWO_PEOPLE}={','.join(settings.two_people) or 'none'}")
    usual = {"wheel": "", "spin-source": "hand"}
    rest += [
        f"{word}={getattr(settings, field)}"
        for word, field in _WHEEL.items()
        if getattr(settings, field) != usual[word]
    ]
    rest += [f"{_ORDER}={','.join(settings.pocket_order)}"] if settings.pocket_order else []
    cash_cents = settings.cash_limit_cents
    rest += [] if cash_cents is None else [f"{_CASH}={show_cents(cash_cents)}"]
    return [
        f"table={settings.table} book={settings.book} layout={','.join(settings.layouts)}",
        show_limits(settings.limits),
        " ".join(rest),
    ]
