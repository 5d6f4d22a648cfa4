"""What comes over the wire: numbers that no program could hold are malformed before anybody looks at them."""

import msgspec
import pytest

from croupier.protocol.asking import Order, read_asked
from croupier.table.commands import CorrectResult, PlaceBets

MOST = 2**53


def bet(cents: str) -> str:
    stakes = f'[{{"bet": "red", "cents": {cents}}}]'
    do = f'{{"type": "place-bets", "seat": "1", "stakes": {stakes}}}'
    return f'{{"type": "command", "number": 1, "do": {do}}}'


def correction(number: str) -> str:
    do = f'{{"type": "correct-result", "round": {number}, "result": "7", "reason": "seen"}}'
    return f'{{"type": "command", "number": 1, "do": {do}}}'


def test_large_numbers_are_read_and_left_to_the_rules() -> None:
    placed, corrected = read_asked(bet(f"{MOST}")), read_asked(correction(f"-{MOST}"))
    assert isinstance(placed, Order)
    assert isinstance(placed.do, PlaceBets)
    assert placed.do.stakes[0].cents == MOST
    assert isinstance(corrected, Order)
    assert isinstance(corrected.do, CorrectResult)
    assert corrected.do.round == -MOST


@pytest.mark.parametrize("number", [f"{MOST + 1}", f"-{MOST + 1}", f"{2**64}", "9" * 4_300])
@pytest.mark.parametrize("message", [bet, correction])
def test_larger_ones_are_malformed(message: object, number: str) -> None:
    assert callable(message)
    with pytest.raises(msgspec.ValidationError):
        read_asked(message(number))
