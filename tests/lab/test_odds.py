"""Exact odds: the known edges of the four games, and moments that fit the law."""

import math
from fractions import Fraction

import pytest

from croupier.lab import bet_odds, place_slip, slip_odds
from croupier.rulebook import Book, Layout, house_edge, load_book, probability, shipped_books

LAYOUTS = [(book, layout) for book in map(load_book, shipped_books()) for layout in book.layouts.values()]


@pytest.mark.parametrize(
    ("book_id", "bet", "edge"),
    [
        ("mbs-roulette", "straight:17", Fraction(1, 37)),
        ("mbs-roulette", "grand-series", Fraction(1, 37)),
        ("rws-roulette-00", "red", Fraction(1, 19)),
        ("rws-roulette-000", "dozen:2", Fraction(1, 13)),
        ("rws-money-wheel", "symbol:resorts-world-sentosa", Fraction(6, 52)),
        ("rws-money-wheel", "symbol:20", Fraction(10, 52)),
        ("rws-money-wheel", "symbol:10", Fraction(8, 52)),
        ("rws-money-wheel", "symbol:5", Fraction(4, 52)),
        ("rws-money-wheel", "symbol:3", Fraction(4, 52)),
        ("rws-money-wheel", "symbol:1", Fraction(4, 52)),
    ],
)
def test_the_house_keeps_what_is_known(book_id: str, bet: str, edge: Fraction) -> None:
    assert bet_odds(load_book(book_id), bet).house_edge == edge


def test_the_top_lines_keep_more_or_less_than_the_rest() -> None:
    double = load_book("rws-roulette-00")

    assert bet_odds(double, "top-line:0/00/1/2/3", "B").house_edge == Fraction(3, 38)


@pytest.mark.parametrize(("book", "layout"), LAYOUTS, ids=lambda value: value.id)
def test_every_bet_has_the_odds_that_the_rulebook_states(book: Book, layout: Layout) -> None:
    for bet in layout.bets.values():
        odds = bet_odds(book, bet.id, layout)
        chance = probability(book, bet)
        assert odds.hit_frequency == odds.ahead == chance
        assert odds.house_edge == house_edge(book, bet)
        assert odds.variance == chance * (1 - chance) * (bet.pays + 1) ** 2


@pytest.mark.parametrize(("book", "layout"), LAYOUTS, ids=lambda value: value.id)
def test_an_announced_bet_keeps_the_average_of_its_pieces(book: Book, layout: Layout) -> None:
    for announced in layout.announced.values():
        lost = sum(part.pieces * house_edge(book, part.bet) for part in announced.parts)
        assert bet_odds(book, announced.name, layout).house_edge == lost / announced.pieces


def test_skewness_is_exact_up_to_its_root() -> None:
    odds = bet_odds(load_book("mbs-roulette"), "straight:0")

    assert odds.skewness_squared == Fraction(35**2, 36)
    assert odds.skewness == pytest.approx(35 / 6, rel=1e-15)
    assert odds.deviation == pytest.approx(36 * math.sqrt(36) / 37, rel=1e-15)


def test_a_slip_that_wins_more_often_than_it_loses_is_skewed_to_the_left() -> None:
    odds = slip_odds(place_slip(load_book("mbs-roulette"), {"dozen:1": 100, "dozen:2": 100}))

    assert odds.ahead == Fraction(24, 37)
    assert odds.skewness < 0


def test_a_slip_on_every_number_varies_not_at_all() -> None:
    every = {f"straight:{number}": 100 for number in range(37)}
    odds = slip_odds(place_slip(load_book("mbs-roulette"), every))

    assert odds.variance == odds.ahead == odds.skewness == 0
    assert odds.hit_frequency == 1
    assert odds.returned == Fraction(36, 37)
