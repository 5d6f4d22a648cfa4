"""What each result would cost the house."""

from collections.abc import Iterable

from croupier.table.events import BetChange
from croupier.table.rules import Rules
from croupier.table.state import Round


def pays_by_result(rules: Rules, changes: Iterable[BetChange]) -> dict[str, int]:
    """How changed stakes change what the house pays on each result, on top of the stakes."""
    pays: dict[str, int] = {}
    for change in changes:
        bet = rules.bet(change.bet)
        for number in bet.numbers:
            pays[number] = pays.get(number, 0) + change.cents * bet.pays
    return pays


def house_results(rules: Rules, round_: Round) -> dict[str, int]:
    """What the house would win on each result if bets closed now; negative where it would lose."""
    back: dict[str, int] = {}
    for bet_id, cents in round_.spots.items():
        bet = rules.bet(bet_id)
        back_cents = cents * (bet.pays + 1)
        for number in bet.numbers:
            back[number] = back.get(number, 0) + back_cents
    return {result: round_.total_cents - back.get(result, 0) for result in rules.book.wheel.outcomes}
