"""A slip compiles to one payoff for each outcome of the wheel."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.lab import join_slips, place_slip
from croupier.rulebook import BadInput, load_book, settle, shipped_books


@pytest.mark.parametrize("book_id", shipped_books())
@given(data=st.data())
def test_every_outcome_pays_what_the_settlement_of_the_rulebook_pays(
    book_id: str, data: st.DataObject
) -> None:
    book = load_book(book_id)
    layout = data.draw(st.sampled_from(list(book.layouts.values())))
    bets = st.sampled_from(list(layout.bets))
    stakes = data.draw(st.dictionaries(bets, st.integers(1, 10**6), min_size=1, max_size=8))

    slip = place_slip(book, stakes, layout)

    settled = [settle(book, layout, stakes, outcome) for outcome in slip.outcomes]
    assert slip.net_cents == tuple(settlement.net_cents for settlement in settled)
    assert slip.winning == tuple(settlement.returned_cents > 0 for settlement in settled)
    assert sum(chance for _, chance in slip.law) == 1


def test_an_announced_bet_costs_its_stake_on_each_piece() -> None:
    slip = place_slip(load_book("mbs-roulette"), {"grand-series": 100})

    assert slip.staked_cents == 900
    assert slip.stakes_cents["street:0/2/3"] == 200


def test_the_segments_of_a_symbol_count_as_its_weight() -> None:
    slip = place_slip(load_book("rws-money-wheel"), {"symbol:20": 100})

    assert slip.law == ((-100, Fraction(50, 52)), (2000, Fraction(2, 52)))


def test_joined_slips_pay_what_they_pay_together() -> None:
    book = load_book("mbs-roulette")
    joined = join_slips([(place_slip(book, {"red": 100}), 3), (place_slip(book, {"straight:7": 50}), 2)])

    assert joined.net_cents == place_slip(book, {"red": 300, "straight:7": 100}).net_cents
    assert joined.stakes_cents == {"red": 300, "straight:7": 100}


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        ({}, "slip-empty"),
        ({"red": 0}, "stake-not-cents"),
        ({"red": -5}, "stake-not-cents"),
        ({"red": True}, "stake-not-cents"),
        ({"red": 10**12}, "stake-not-cents"),
        ({"split:1/36": 100}, "bet-not-on-layout"),
    ],
)
def test_a_slip_that_cannot_be_placed_is_refused(stakes: dict[str, int], code: str) -> None:
    with pytest.raises(BadInput) as refusal:
        place_slip(load_book("mbs-roulette"), stakes)

    assert refusal.value.code == code


def test_slips_of_two_games_are_not_joined() -> None:
    red = place_slip(load_book("mbs-roulette"), {"red": 100})
    star = place_slip(load_book("rws-money-wheel"), {"symbol:1": 100})

    with pytest.raises(BadInput, match="independent"):
        join_slips([(red, 1), (star, 1)])
