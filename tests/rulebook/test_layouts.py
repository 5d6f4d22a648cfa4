"""The layouts as the appendices draw them, and the terminals that show them."""

from itertools import pairwise

import pytest

from clauses import clause
from croupier.rulebook import Layout, get_layout, load_book
from croupier.rulebook.geometry import inside_bets
from croupier.rulebook.model import Rect
from rulebook.oracle import (
    BLACK,
    MBS,
    MONEY_WHEEL,
    RED,
    ROULETTE_LAYOUTS,
    RWS_000,
    RWS_A,
    RWS_B,
    SYMBOL_PAYS,
    LayoutKey,
)

HEADS = {MBS: ["0:6"], RWS_A: ["00:6", "0:6"], RWS_B: ["0:3 00:3"], RWS_000: ["000:6", "0:3 00:3"]}
"""The rows of zeros from the head of the table, each zero with its width; a column is 2 wide."""


def layout_of(key: LayoutKey) -> Layout:
    return get_layout(load_book(key[0]), key[1])


def drawn_rows(layout: Layout) -> list[str]:
    """The rows of the numbers from the head of the table, each number with its width."""
    rows: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for number, rect in layout.numbers.items():
        cell = f"{number}:{rect.across_to - rect.across}"
        rows.setdefault((rect.along, rect.along_to), []).append((rect.across, cell))
    return [" ".join(cell for _, cell in sorted(rows[span])) for span in sorted(rows)]


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@clause("mbs-roulette:App.A", "rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_the_zeros_stand_at_the_head_and_the_numbers_in_twelve_rows_of_three(key: LayoutKey) -> None:
    grid = [f"{n}:2 {n + 1}:2 {n + 2}:2" for n in range(1, 37, 3)]

    assert drawn_rows(layout_of(key)) == [*HEADS[key], *grid]


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
def test_the_rows_follow_each_other_without_a_gap(key: LayoutKey) -> None:
    spans = sorted({(rect.along, rect.along_to) for rect in layout_of(key).numbers.values()})

    assert all(before[1] == after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@clause("mbs-roulette:App.A", "mbs-roulette:3.4.7", "mbs-roulette:3.4.8", "mbs-roulette:3.4.9")
@clause("mbs-roulette:3.4.10", "mbs-roulette:3.4.11", "mbs-roulette:3.4.12", "mbs-roulette:3.4.13")
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_the_boxes_carry_the_labels_of_the_drawing_in_its_order(key: LayoutKey) -> None:
    boxes = sorted(layout_of(key).boxes, key=lambda box: (box.rect.across, box.rect.along))

    assert [(box.label, box.bet) for box in boxes] == [
        ("1-18", "low"),
        ("Even", "even"),
        ("Red", "red"),
        ("Black", "black"),
        ("Odd", "odd"),
        ("19-36", "high"),
        ("1st 12", "dozen:1"),
        ("2nd 12", "dozen:2"),
        ("3rd 12", "dozen:3"),
        ("2 to 1", "column:1"),
        ("2 to 1", "column:2"),
        ("2 to 1", "column:3"),
    ]


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@clause("mbs-roulette:3.4.6", "mbs-roulette:3.4.7", "mbs-roulette:3.4.8", "mbs-roulette:3.4.9")
@clause("mbs-roulette:3.4.10", "mbs-roulette:3.4.11", "mbs-roulette:3.4.12", "mbs-roulette:3.4.13")
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_the_boxes_cover_the_numbers_of_the_text_and_never_a_zero(key: LayoutKey) -> None:
    bets = layout_of(key).bets

    def covered(bet_id: str) -> set[str]:
        return {*bets[bet_id].numbers}

    def numbers(*which: range) -> set[str]:
        return {str(number) for part in which for number in part}

    assert [covered(f"column:{n}") for n in (1, 2, 3)] == [numbers(range(n, 37, 3)) for n in (1, 2, 3)]
    assert [covered(f"dozen:{n}") for n in (1, 2, 3)] == [
        numbers(range(1, 13)),
        numbers(range(13, 25)),
        numbers(range(25, 37)),
    ]
    assert (covered("low"), covered("high")) == (numbers(range(1, 19)), numbers(range(19, 37)))
    assert (covered("odd"), covered("even")) == (numbers(range(1, 36, 2)), numbers(range(2, 37, 2)))
    assert (covered("red"), covered("black")) == ({*RED}, {*BLACK})


@pytest.mark.parametrize("book_id", ["mbs-roulette", "rws-roulette-00", "rws-roulette-000"])
@clause("mbs-roulette:2.1", "rws-roulette-00:2.1", "rws-roulette-00:2.1.1")
@clause("rws-roulette-000:2.1", "rws-roulette-000:2.1.1")
def test_the_layouts_of_the_game_are_those_that_its_terminals_show(book_id: str) -> None:
    book = load_book(book_id)

    shown = {offer.layout for terminal in book.terminals.values() for offer in terminal.offers}

    assert shown == {*book.layouts}
    assert all(terminal.offers for terminal in book.terminals.values())


@clause("rws-money-wheel:2.1", "rws-money-wheel:2.1.1")
def test_the_money_wheel_has_the_layout_of_appendix_a_and_no_other() -> None:
    layouts = load_book("rws-money-wheel").layouts

    assert [layout.clause for layout in layouts.values()] == ["rws-money-wheel:App.A"]


@clause("rws-money-wheel:App.A")
def test_each_symbol_of_the_money_wheel_has_one_box_with_its_odds() -> None:
    layout = layout_of(MONEY_WHEEL)
    boxes = {box.bet: box.label for box in layout.boxes}

    assert boxes == {
        "symbol:resorts-world-sentosa": "Resorts World Sentosa",
        "symbol:crockfords": "Crockfords",
        "symbol:20": "SGD 20",
        "symbol:10": "SGD 10",
        "symbol:5": "SGD 5",
        "symbol:3": "SGD 3",
        "symbol:1": "SGD 1",
    }
    assert {bet.numbers[0]: bet.pays for bet in layout.bets.values()} == SYMBOL_PAYS


@pytest.mark.parametrize(
    ("key", "title", "cited"),
    [
        (MBS, "Appendix A", "mbs-roulette:App.A"),
        (RWS_A, "Appendix A", "rws-roulette-00:App.A"),
        (RWS_B, "Appendix B", "rws-roulette-00:App.B"),
        (RWS_000, "Appendix A", "rws-roulette-000:App.A"),
    ],
)
def test_a_layout_cites_the_appendix_that_draws_it(key: LayoutKey, title: str, cited: str) -> None:
    layout = layout_of(key)

    assert (layout.title, layout.clause) == (title, cited)


def test_a_row_of_numbers_does_not_reach_over_to_the_zero_before_it() -> None:
    rects = {"0": Rect(0, 0, 2, 4)}
    rects |= {
        str(1 + 2 * row + column): Rect(2 + 2 * row, 2 * column, 4 + 2 * row, 2 * column + 2)
        for row in range(3)
        for column in range(2)
    }
    found = {f"{bet.kind}:{'/'.join(bet.numbers)}" for bet in inside_bets(rects)}
    assert {name for name in found if "0" in name.partition(":")[2].split("/")} == {
        "straight:0",
        "split:0/1",
        "split:0/2",
        "street:0/1/2",
    }
    assert {"corner:1/2/3/4", "corner:3/4/5/6"} <= found
