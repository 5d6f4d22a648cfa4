"""What each result would cost the house."""

from collections.abc import Iterable, Mapping, MutableMapping

from croupier.table.events import BetChange
from croupier.table.rules import Rules
from croupier.table.state import Round


def pays_by_result(rules: Rules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes change what the house pays on each result, on top of the stakes."""
    pays: dict[str, int] = {}
    for change in changes:
        bet = rules.bet(change.bet)
        cents = change.cents * bet.pays
        for number in bet.numbers:
            pays[number] = pays.get(number, 0) + cents
    return pays


def add_pays(pays: MutableMapping[str, int], more: Mapping[str, int]) -> None:
    """Adds to what the house pays on each result."""
    for number, cents in more.items():
        pays[number] = pays.get(number, 0) + cents


def house_results(rules: Rules, round_: Round) -> dict[str, int]:
    """What the house would win on each result if bets closed now; negative where it would lose."""
    results = {}
    for result in rules.book.wheel.outcomes:
        covered = sum(cents for bet_id, cents in round_.spots.items() if result in rules.bet(bet_id).numbers)
        results[result] = round_.total_cents - covered - round_.pays.get(result, 0)
    return results
