"""What comes over the wire: numbers that no program could hold are malformed before anybody looks at them."""

import msgspec
import pytest

from croupier.protocol.asking import Order, number_in, read_asked
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


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ('{"type": "command", "number": 7, "do": {"type": "void-round", "reason": "late \\ud83d"}}', 7),
        ('{"type": "command", "number": 7.5, "do": "late \\ud83d"}', None),
        ('{"type": "hello", "number": 7, "name": "\\ud83d"}', None),
        ('["\\ud83d"]', None),
        ("[" * 100_000, None),
    ],
)
def test_a_command_with_half_a_character_in_it_is_known_by_its_number(
    written: str, number: int | None
) -> None:
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        read_asked(written)
    assert number_in(written) == number
