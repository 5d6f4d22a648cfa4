"""Series on the racetrack: areas that never cross, and a list for those that would."""

import pytest

from croupier.protocol.book_sectors import Arc, sectors
from croupier.rulebook import Announced, Piece, Wheel, get_layout, load_book, with_order

BOOK = load_book("mbs-roulette")
BETS = get_layout(BOOK).bets
WHEEL: Wheel = BOOK.wheel
SERIES = ("tiers", "orphelins", "zero-spiel", "grand-series")


def series(name: str, *pockets: int) -> Announced:
    """A series of straights on the pockets at these places of the wheel's order."""
    parts = tuple(Piece(bet=BETS[f"straight:{WHEEL.order[pocket]}"], pieces=1) for pocket in pockets)
    return Announced(name=name, label=name, clause="", parts=parts)


@pytest.mark.parametrize(
    ("pockets", "arcs"),
    [
        ([5], [(5, 5)]),
        ([3, 4, 5, 9], [(3, 5), (9, 9)]),
        ([36, 0, 1], [(36, 1)]),
        (range(37), [(0, 36)]),
    ],
)
def test_pockets_beside_each_other_are_one_arc(pockets: list[int], arcs: list[tuple[int, int]]) -> None:
    assert sectors(WHEEL, [series("one", *pockets)])["one"] == tuple(Arc(*arc) for arc in arcs)


def test_an_inner_series_has_the_pockets_that_both_cover() -> None:
    found = sectors(WHEEL, [series("outer", *range(2, 9)), series("inner", 4, 5)])

    assert found == {"outer": (Arc(2, 3), Arc(6, 8)), "inner": (Arc(4, 5),)}


def test_a_series_that_would_cross_another_is_not_drawn() -> None:
    found = sectors(WHEEL, [series("first", 1, 10), series("second", 5, 20, 21)])

    assert found == {"first": (Arc(1, 1), Arc(10, 10)), "second": ()}


def test_a_series_that_shares_a_part_with_another_is_not_drawn() -> None:
    found = sectors(WHEEL, [series("first", 1, 2, 3), series("second", 3, 4, 5, 6)])

    assert found == {"first": (Arc(1, 3),), "second": ()}


def test_a_series_that_is_scattered_over_the_wheel_is_not_drawn() -> None:
    found = sectors(WHEEL, [series("scattered", 1, 2, 10, 20), series("whole", 12, 13, 14)])

    assert found == {"scattered": (), "whole": (Arc(12, 14),)}


def test_no_series_of_a_book_is_drawn_over_an_order_that_scatters_them_all() -> None:
    american = (
        "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
    )
    wheel = with_order(BOOK, american.split()).wheel
    announced = get_layout(BOOK).announced
    found = sectors(wheel, [announced[name] for name in SERIES])

    assert found == dict.fromkeys(SERIES, ())


def test_two_series_on_the_same_pockets_leave_the_second_to_the_list() -> None:
    found = sectors(WHEEL, [series("first", 1, 2, 3), series("second", 1, 2, 3)])

    assert found == {"first": (Arc(1, 3),), "second": ()}
