"""A book at a wheel with another order: the neighbours are those of that wheel, the rules the same."""

import re

import msgspec
import pytest

from croupier.protocol.book_view import book_view
from croupier.rulebook import BadInput, load_book, order_faults, read_book, with_order
from rulebook.edited_books import shipped_text
from table.american import AMERICAN

BOOK = load_book("rws-roulette-00")


def test_a_book_in_another_order_is_the_one_whose_file_has_that_order() -> None:
    written = ", ".join(f'"{pocket}"' for pocket in AMERICAN)
    text = re.sub(r"order = \[[^]]*\]", f"order = [{written}]", shipped_text(BOOK.id), count=1)
    expected = msgspec.structs.replace(read_book(text.encode(), "american.toml"), sha256=BOOK.sha256)
    turned = with_order(BOOK, AMERICAN)

    assert turned == expected
    assert [*turned.wheel.outcomes] == [*expected.wheel.outcomes]
    for layout, terminal in (("A", "rapid"), ("B", "rapid")):
        assert book_view(turned, layout, terminal) == book_view(expected, layout, terminal)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("neighbours:21+1", "6 21 33"), ("neighbours:0+2", "14 2 0 28 9"), ("neighbours:00+1", "1 00 27")],
)
def test_neighbours_are_those_of_the_wheel(name: str, numbers: str) -> None:
    parts = with_order(BOOK, AMERICAN).layouts["A"].announced[name].parts

    assert [part.bet.id for part in parts] == [f"straight:{number}" for number in numbers.split()]


def test_no_order_and_the_books_own_leave_the_book_as_it_is() -> None:
    assert with_order(BOOK, ()) is BOOK
    assert with_order(BOOK, BOOK.wheel.order) is BOOK
    assert with_order(with_order(BOOK, AMERICAN), AMERICAN) == with_order(BOOK, AMERICAN)


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        (AMERICAN[:-2], "it does not have 2 or 14."),
        (("37", *AMERICAN), "'37' is not on the wheel."),
        (("28", *AMERICAN), "'28' stands in it 2 times."),
    ],
)
def test_an_order_has_each_pocket_once(order: tuple[str, ...], sentence: str) -> None:
    assert order_faults(BOOK, order) == [sentence]
    with pytest.raises(BadInput, match="no order of the wheel of rws-roulette-00") as refused:
        with_order(BOOK, order)
    assert refused.value.code == "bad-order"


def test_segments_under_a_clapper_have_no_other_order() -> None:
    wheel = load_book("rws-money-wheel")

    assert "only a wheel with a ball" in order_faults(wheel, wheel.wheel.order[::-1])[0]
