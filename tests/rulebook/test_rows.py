"""Which bets lie on the outside line, by how many numbers stand beside each other."""

import pytest

from croupier.rulebook.geometry import inside_bets
from croupier.rulebook.model import Rect


def felt(*rows: str, head: int = 0) -> dict[str, Rect]:
    """Rows of letters one after the other; of the first ones each letter is as wide as the widest row."""
    widest = 6 * max(map(len, rows))
    return {
        letter: Rect(
            2 * i,
            j * (widest // len(row)) if i < head else 6 * j,
            2 * i + 2,
            (j + 1) * (widest // len(row)) if i < head else 6 * j + 6,
        )
        for i, row in enumerate(rows)
        for j, letter in enumerate(row)
    }


def of_kind(rects: dict[str, Rect], *kinds: str) -> list[str]:
    return ["".join(bet.numbers) for bet in inside_bets(rects) if bet.kind in kinds]


def test_two_rows_of_three_are_a_six_line() -> None:
    assert of_kind(felt("ABC", "DEF", "GHI"), "six-line", "top-line") == ["ABCDEF", "DEFGHI"]


@pytest.mark.parametrize(
    "rows",
    [("ABCD", "EFGH", "IJKL"), ("AB", "CD", "EF"), ("ABCD", "EF"), ("ABCD", "EFG"), ("ABC", "DE", "FGH")],
)
def test_rows_that_are_not_of_three_have_no_bet_on_the_outside_line(rows: tuple[str, ...]) -> None:
    assert of_kind(felt(*rows), "six-line", "top-line") == []


@pytest.mark.parametrize(
    ("rows", "top_lines"), [(("Z", "ABCD", "EFGH"), ["ZABCD"]), (("YZ", "ABC", "DEF"), ["YZABC"])]
)
def test_the_top_line_is_where_zeros_meet_the_first_row(rows: tuple[str, ...], top_lines: list[str]) -> None:
    assert of_kind(felt(*rows, head=1), "top-line") == top_lines
