"""Where a bet is placed: the spot lies where the text says.

A chip lies on a point of the felt and touches every rectangle that the point belongs to, edges included.
"""

import pytest

from clauses import clause
from croupier.rulebook import Bet, Layout, Point, Rect, get_layout, load_book, read_book
from rulebook.edited_books import edit, shipped_text
from rulebook.oracle import LAYOUTS, MBS, ROULETTE_LAYOUTS, RWS_000, RWS_A, RWS_B, LayoutKey

roulette = pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)


def layout_of(key: LayoutKey) -> Layout:
    return get_layout(load_book(key[0]), key[1])


def touches(rect: Rect, spot: Point) -> bool:
    return (
        2 * rect.along <= spot.along_halves <= 2 * rect.along_to
        and 2 * rect.across <= spot.across_halves <= 2 * rect.across_to
    )


def inside(rect: Rect, spot: Point) -> bool:
    return (
        2 * rect.along < spot.along_halves < 2 * rect.along_to
        and 2 * rect.across < spot.across_halves < 2 * rect.across_to
    )


def touched_numbers(layout: Layout, bet: Bet) -> set[str]:
    return {number for number, rect in layout.numbers.items() if touches(rect, bet.spot)}


def bets_of(layout: Layout, kind: str) -> list[Bet]:
    return [bet for bet in layout.bets.values() if bet.kind == kind]


def is_grid_bet(bet: Bet) -> bool:
    return not any(number.startswith("0") for number in bet.numbers)


def is_on_the_outside_line(bet: Bet) -> bool:
    return bet.spot.across_halves == 0


@roulette
@clause("mbs-roulette:3.4.1", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_straight_up_lies_in_the_middle_of_its_number(key: LayoutKey) -> None:
    layout = layout_of(key)
    for bet in bets_of(layout, "straight"):
        rect = layout.numbers[bet.numbers[0]]
        middle = (rect.along + rect.along_to, rect.across + rect.across_to)
        assert bet.spot == middle, f"{key} {bet.id}"


@roulette
@clause("mbs-roulette:3.4.2", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_split_lies_on_the_line_between_its_two_numbers_and_touches_no_other(key: LayoutKey) -> None:
    layout = layout_of(key)
    for bet in bets_of(layout, "split"):
        assert touched_numbers(layout, bet) == {*bet.numbers}, f"{key} {bet.id}"
        assert not any(inside(rect, bet.spot) for rect in layout.numbers.values()), f"{key} {bet.id}"


@roulette
@clause("mbs-roulette:3.4.3", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_corner_lies_where_the_lines_between_its_four_numbers_cross(key: LayoutKey) -> None:
    layout = layout_of(key)
    corners = [bet for bet in bets_of(layout, "corner") if is_grid_bet(bet)]
    assert len(corners) == 22
    for bet in corners:
        assert touched_numbers(layout, bet) == {*bet.numbers}, f"{key} {bet.id}"


@roulette
@clause("mbs-roulette:3.4.4", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_street_lies_on_the_outside_line_at_the_first_of_its_numbers(key: LayoutKey) -> None:
    layout = layout_of(key)
    streets = [bet for bet in bets_of(layout, "street") if is_grid_bet(bet)]
    assert len(streets) == 12
    for bet in streets:
        assert is_on_the_outside_line(bet), f"{key} {bet.id}"
        assert touched_numbers(layout, bet) == {bet.numbers[0]}, f"{key} {bet.id}"


@roulette
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_street_with_a_zero_lies_where_its_three_numbers_touch(key: LayoutKey) -> None:
    layout = layout_of(key)
    streets = [bet for bet in bets_of(layout, "street") if not is_grid_bet(bet)]
    assert len(streets) == {MBS: 2, RWS_A: 2, RWS_B: 3, RWS_000: 4}[key]
    for bet in streets:
        assert touched_numbers(layout, bet) == {*bet.numbers}, f"{key} {bet.id}"


@roulette
@clause("mbs-roulette:3.4.5", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_six_line_lies_on_the_outside_line_between_its_two_rows(key: LayoutKey) -> None:
    layout = layout_of(key)
    for bet in bets_of(layout, "six-line"):
        first_of_each_row = {bet.numbers[0], bet.numbers[3]}
        assert is_on_the_outside_line(bet), f"{key} {bet.id}"
        assert touched_numbers(layout, bet) == first_of_each_row, f"{key} {bet.id}"


@pytest.mark.parametrize(
    ("key", "bet_id"),
    [
        (MBS, "corner:0/1/2/3"),
        (RWS_A, "corner:0/1/2/3"),
        (RWS_B, "top-line:0/00/1/2/3"),
        (RWS_000, "top-line:0/00/000/1/2/3"),
    ],
)
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_the_zero_corner_and_the_top_line_lie_where_0_meets_the_outside_line(
    key: LayoutKey, bet_id: str
) -> None:
    layout = layout_of(key)

    bet = layout.bets[bet_id]

    assert is_on_the_outside_line(bet)
    assert touched_numbers(layout, bet) == {"0", "1"}


@roulette
@clause("mbs-roulette:3.4.4", "mbs-roulette:3.4.5")
def test_the_outside_line_separates_the_numbers_from_the_dozens(key: LayoutKey) -> None:
    layout = layout_of(key)
    dozens = [box.rect for box in layout.boxes if box.bet.startswith("dozen:")]

    assert len(dozens) == 3
    assert all(rect.across_to == 0 for rect in dozens)
    assert min(rect.across for rect in layout.numbers.values()) == 0


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
@clause("mbs-roulette:3.4.6", "mbs-roulette:3.4.7", "mbs-roulette:3.4.8", "mbs-roulette:3.4.9")
@clause("mbs-roulette:3.4.10", "mbs-roulette:3.4.11", "mbs-roulette:3.4.12", "mbs-roulette:3.4.13")
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A", "rws-money-wheel:App.A")
def test_a_bet_with_a_box_lies_in_its_box_and_touches_nothing_else(key: LayoutKey) -> None:
    layout = layout_of(key)
    drawn = [*layout.numbers.items(), *((box.bet, box.rect) for box in layout.boxes)]
    for box in layout.boxes:
        spot = layout.bets[box.bet].spot
        assert inside(box.rect, spot), f"{key} {box.bet}"
        assert [name for name, rect in drawn if touches(rect, spot)] == [box.bet], f"{key} {box.bet}"


@roulette
@pytest.mark.parametrize(("column", "last"), [("column:1", "34"), ("column:2", "35"), ("column:3", "36")])
@clause("mbs-roulette:3.4.6", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_a_column_has_its_box_at_the_end_of_its_twelve_numbers(
    key: LayoutKey, column: str, last: str
) -> None:
    layout = layout_of(key)
    (box,) = (box.rect for box in layout.boxes if box.bet == column)
    rects = [layout.numbers[number] for number in layout.bets[column].numbers]

    assert len(rects) == 12
    assert box.along == layout.numbers[last].along_to
    assert {(rect.across, rect.across_to) for rect in [*rects, box]} == {(box.across, box.across_to)}


@clause("mbs-roulette:3.4")
def test_each_kind_of_bet_cites_the_clause_that_says_where_it_is_placed() -> None:
    assert dict(load_book("mbs-roulette").placing) == {
        "straight": "mbs-roulette:3.4.1",
        "split": "mbs-roulette:3.4.2",
        "corner": "mbs-roulette:3.4.3",
        "street": "mbs-roulette:3.4.4",
        "six-line": "mbs-roulette:3.4.5",
        "column": "mbs-roulette:3.4.6",
        "dozen": "mbs-roulette:3.4.7",
        "low": "mbs-roulette:3.4.8",
        "high": "mbs-roulette:3.4.9",
        "black": "mbs-roulette:3.4.10",
        "red": "mbs-roulette:3.4.11",
        "odd": "mbs-roulette:3.4.12",
        "even": "mbs-roulette:3.4.13",
    }


def test_a_kind_of_bet_that_has_no_clause_of_its_own_is_placed_by_the_one_that_draws_its_layout() -> None:
    text = shipped_text("mbs-roulette")
    without_red = read_book(edit(text, 'red = "3.4.11"\n', "").encode(), "edited.toml")
    start, end = text.index("[placing]"), text.index("# What the boxes")
    without_any = read_book((text[:start] + text[end:]).encode(), "edited.toml")

    assert without_red.placing_clause(get_layout(without_red), "red") == "mbs-roulette:App.A"
    assert without_red.placing_clause(get_layout(without_red), "black") == "mbs-roulette:3.4.10"
    assert without_any.placing_clause(get_layout(without_any), "black") == "mbs-roulette:App.A"
