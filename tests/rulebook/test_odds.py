"""Chances and house edges as fractions."""

from fractions import Fraction

import pytest

from clauses import clause
from croupier.rulebook import get_layout, house_edge, load_book, probability, settle
from rulebook.oracle import (
    LAYOUTS,
    MBS,
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    RWS_B,
    SEGMENTS,
    LayoutKey,
    edge,
    legal_bets,
    results,
)


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_every_bet_has_the_known_house_edge(key: LayoutKey) -> None:
    book = load_book(key[0])
    layout = get_layout(book, key[1])
    for bet_id, told in legal_bets(key).items():
        assert house_edge(book, layout.bets[bet_id]) == edge(key, told), f"{key} {bet_id}"


@pytest.mark.parametrize(
    ("key", "edges"),
    [
        (MBS, {Fraction(1, 37)}),
        (RWS_A, {Fraction(1, 19)}),
        (RWS_B, {Fraction(1, 19), Fraction(3, 38)}),
        (RWS_000, {Fraction(1, 13)}),
        (MONEY_WHEEL, {Fraction(3, 26), Fraction(5, 26), Fraction(2, 13), Fraction(1, 13)}),
    ],
)
def test_a_layout_has_these_edges_and_no_other(key: LayoutKey, edges: set[Fraction]) -> None:
    book = load_book(key[0])

    assert {house_edge(book, bet) for bet in get_layout(book, key[1]).bets.values()} == edges


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_the_edge_is_what_the_house_keeps_of_one_stake_on_every_segment(key: LayoutKey) -> None:
    """Settling one turn of the whole wheel gives the edge without a formula."""
    book = load_book(key[0])
    layout = get_layout(book, key[1])
    segments = SEGMENTS if key == MONEY_WHEEL else dict.fromkeys(results(key), 1)
    for bet_id, bet in layout.bets.items():
        returned = sum(
            count * settle(book, layout, {bet_id: 1}, result).returned_cents
            for result, count in segments.items()
        )
        kept = 1 - Fraction(returned, sum(segments.values()))
        assert house_edge(book, bet) == kept, f"{key} {bet_id}"


@pytest.mark.parametrize(
    ("key", "bet_id", "chance"),
    [
        (MBS, "straight:17", Fraction(1, 37)),
        (MBS, "red", Fraction(18, 37)),
        (RWS_A, "dozen:2", Fraction(6, 19)),
        (RWS_B, "top-line:0/00/1/2/3", Fraction(5, 38)),
        (RWS_000, "street:0/00/000", Fraction(1, 13)),
        (MONEY_WHEEL, "symbol:resorts-world-sentosa", Fraction(1, 52)),
        (MONEY_WHEEL, "symbol:1", Fraction(6, 13)),
    ],
)
def test_the_chance_of_a_bet(key: LayoutKey, bet_id: str, chance: Fraction) -> None:
    book = load_book(key[0])

    assert probability(book, get_layout(book, key[1]).bets[bet_id]) == chance


@clause("rws-money-wheel:4.1")
def test_the_money_wheel_has_its_segments() -> None:
    wheel = load_book("rws-money-wheel").wheel

    assert dict(wheel.outcomes) == SEGMENTS
    assert len(wheel.order) == 52
