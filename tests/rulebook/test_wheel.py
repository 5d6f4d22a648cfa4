"""The wheels: order, colours, and what makes a spin valid."""

import pytest

from croupier.rulebook import load_book
from rulebook.announced_oracle import WHEEL_ORDERS
from rulebook.oracle import BLACK, BOOKS, RED, SEGMENTS

ZEROS = {"mbs-roulette": ["0"], "rws-roulette-00": ["0", "00"], "rws-roulette-000": ["0", "00", "000"]}


@pytest.mark.parametrize(
    ("book_id", "pockets"),
    [("mbs-roulette", 37), ("rws-roulette-00", 38), ("rws-roulette-000", 39), ("rws-money-wheel", 52)],
)
def test_a_wheel_has_its_pockets(book_id: str, pockets: int) -> None:
    book = load_book(book_id)

    assert book.pockets == len(book.wheel.order) == pockets


@pytest.mark.parametrize("book_id", WHEEL_ORDERS)
def test_the_pockets_stand_in_the_european_order_with_the_zeros_together(book_id: str) -> None:
    assert [*load_book(book_id).wheel.order] == WHEEL_ORDERS[book_id]


@pytest.mark.parametrize(
    ("book_id", "run"),
    [
        ("mbs-roulette", "26 0 32"),
        ("rws-roulette-00", "26 0 00 32"),
        ("rws-roulette-000", "26 0 00 000 32"),
    ],
)
def test_the_zeros_stand_between_26_and_32(book_id: str, run: str) -> None:
    order = load_book(book_id).wheel.order

    assert f" {run} " in f" {' '.join(order + order)} "


@pytest.mark.parametrize("book_id", ZEROS)
def test_red_and_black_are_the_standard_ones_and_zeros_are_green(book_id: str) -> None:
    told = dict.fromkeys(RED, "red") | dict.fromkeys(BLACK, "black") | dict.fromkeys(ZEROS[book_id], "green")

    assert dict(load_book(book_id).wheel.colours) == told


@pytest.mark.parametrize(
    ("book_id", "kind", "revolutions", "opposite", "cited"),
    [
        ("mbs-roulette", "ball", 4, True, "mbs-roulette:3.6"),
        ("rws-roulette-00", "ball", 4, True, "rws-roulette-00:3.6"),
        ("rws-roulette-000", "ball", 4, True, "rws-roulette-000:3.6"),
        ("rws-money-wheel", "clapper", 3, False, "rws-money-wheel:3.7"),
    ],
)
def test_a_valid_spin_takes_so_many_revolutions(
    book_id: str, kind: str, revolutions: int, opposite: bool, cited: str
) -> None:
    wheel = load_book(book_id).wheel

    assert (wheel.kind, wheel.revolutions, wheel.opposite_direction, wheel.clause) == (
        kind,
        revolutions,
        opposite,
        cited,
    )


def test_equal_segments_of_the_money_wheel_never_stand_side_by_side() -> None:
    order = load_book("rws-money-wheel").wheel.order

    assert all(order[i] != order[i - 1] for i in range(len(order)))


def test_the_money_wheel_labels_its_symbols() -> None:
    labels = load_book("rws-money-wheel").wheel.labels

    assert {*labels} == {*SEGMENTS}
    assert (labels["crockfords"], labels["20"]) == ("Crockfords", "SGD 20")


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_no_text_gives_is_printed_as_an_assumption(book_id: str) -> None:
    assumptions = load_book(book_id).assumptions

    assert {"pocket-order", "colours"} <= {*assumptions} or "segment-order" in assumptions
