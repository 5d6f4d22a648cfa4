"""What each result would cost the house."""

from collections.abc import Iterable, Mapping, MutableMapping

from croupier.table.events import BetChange
from croupier.table.rules import Rules
from croupier.table.state import Round


def returns_by_result(rules: Rules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes change what each result returns to players."""
    returns: dict[str, int] = {}
    for change in changes:
        bet = rules.bet(change.bet)
        cents = change.cents * (bet.pays + 1)
        for number in bet.numbers:
            returns[number] = returns.get(number, 0) + cents
    return returns


def add_returns(returns: MutableMapping[str, int], more: Mapping[str, int]) -> None:
    """Adds to what each result returns."""
    for number, cents in more.items():
        returns[number] = returns.get(number, 0) + cents


def exposure(rules: Rules, round_: Round) -> dict[str, int]:
    """What the house would lose on each result; negative where it would win."""
    return {
        result: round_.returns.get(result, 0) - round_.total_cents for result in rules.book.wheel.outcomes
    }
