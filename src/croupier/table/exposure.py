"""What each result would cost the house."""

from collections.abc import Iterable, MutableMapping

from croupier.table.events import BetChange
from croupier.table.rules import Rules
from croupier.table.state import Round


def pays_by_result(rules: Rules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes change what the house pays on each result, on top of the stakes."""
    pays: dict[str, int] = {}
    for change in changes:
        add_pays(rules, pays, change.bet, change.cents)
    return pays


def add_pays(rules: Rules, pays: MutableMapping[str, int], bet_id: str, cents: int) -> None:
    """Adds what the house pays on each result for a changed stake, on top of it."""
    bet = rules.layout.bets[bet_id]
    more_cents = cents * bet.pays
    for number in bet.numbers:
        pays[number] = pays.get(number, 0) + more_cents


def house_results(rules: Rules, round_: Round) -> dict[str, int]:
    """What the house would win on each result if bets closed now; negative where it would lose."""
    back: dict[str, int] = {}
    for bet_id, cents in round_.spots.items():
        bet = rules.bet(bet_id)
        back_cents = cents * (bet.pays + 1)
        for number in bet.numbers:
            back[number] = back.get(number, 0) + back_cents
    return {result: round_.total_cents - back.get(result, 0) for result in rules.book.wheel.outcomes}
