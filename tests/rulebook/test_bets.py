"""The legal bets of every layout are exactly those of the texts."""

import pytest

from clauses import clause
from croupier.rulebook import BadInput, Layout, get_layout, load_book, parse_bet
from rulebook.oracle import (
    COUNTS,
    KINDS,
    LAYOUTS,
    MBS,
    MONEY_WHEEL,
    RWS_000,
    RWS_A,
    RWS_B,
    LayoutKey,
    legal_bets,
)


def layout_of(key: LayoutKey) -> Layout:
    return get_layout(load_book(key[0]), key[1])


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
@clause("mbs-roulette:3.4", "mbs-roulette:4.1", "rws-roulette-00:4.1", "rws-roulette-000:4.1")
@clause("rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2", "rws-money-wheel:4.1")
@clause("rws-roulette-00:App.A", "rws-roulette-00:App.B", "rws-roulette-000:App.A")
def test_the_legal_bets_are_those_of_the_text_with_their_numbers_and_pays(key: LayoutKey) -> None:
    bets = layout_of(key).bets
    listed = legal_bets(key)

    assert [*bets.keys() - listed.keys()] == [], "bets that the text does not have"
    assert [*listed.keys() - bets.keys()] == [], "bets of the text that are not legal"
    for bet_id, told in listed.items():
        bet = bets[bet_id]
        found = (bet.id, bet.kind, bet.numbers, bet.pays)
        assert found == (told.id, told.kind, told.numbers, told.pays), f"{key} {bet_id}"


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_a_layout_has_its_count_of_legal_bets(key: LayoutKey) -> None:
    assert len(layout_of(key).bets) == len(legal_bets(key)) == COUNTS[key]


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_no_two_bets_of_a_layout_are_the_same_bet(key: LayoutKey) -> None:
    bets = layout_of(key).bets.values()
    inside = [frozenset(bet.numbers) for bet in bets]
    spots = [bet.spot for bet in bets]

    assert len(set(inside)) == len(inside)
    assert len(set(spots)) == len(spots)


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_bets_are_listed_kind_after_kind(key: LayoutKey) -> None:
    ranks = [KINDS.index(bet.kind) for bet in layout_of(key).bets.values()]

    assert ranks == sorted(ranks)


@pytest.mark.parametrize(
    ("key", "bet_id", "name"),
    [
        (MBS, "straight:17", "Straight Up 17"),
        (MBS, "six-line:1/2/3/4/5/6", "Six Line 1/2/3/4/5/6"),
        (MBS, "low", "1 to 18"),
        (RWS_A, "six-line:1/2/3/4/5/6", "Line 1/2/3/4/5/6"),
        (RWS_B, "top-line:0/00/1/2/3", "Top Line 0/00/1/2/3"),
        (RWS_B, "dozen:3", "Dozen 3"),
        (RWS_000, "low", "Low"),
        (MONEY_WHEEL, "symbol:20", "Symbol 20"),
    ],
)
def test_a_bet_is_called_what_its_text_calls_it(key: LayoutKey, bet_id: str, name: str) -> None:
    assert layout_of(key).bets[bet_id].name == name


@pytest.mark.parametrize(
    ("key", "pay_clause"),
    [
        (MBS, "mbs-roulette:4.1"),
        (RWS_A, "rws-roulette-00:4.1.1"),
        (RWS_B, "rws-roulette-00:4.1.2"),
        (RWS_000, "rws-roulette-000:4.1"),
        (MONEY_WHEEL, "rws-money-wheel:4.1"),
    ],
)
@clause("rws-roulette-00:4.1")
def test_every_bet_cites_the_pay_table_of_its_layout(key: LayoutKey, pay_clause: str) -> None:
    assert {bet.clause for bet in layout_of(key).bets.values()} == {pay_clause}


@clause("rws-roulette-000:App.A", "rws-roulette-000:4.1")
def test_green_is_the_street_of_the_three_zeros() -> None:
    layout = layout_of(RWS_000)

    green = parse_bet(layout, "green")

    assert green is layout.bets["street:0/00/000"]
    assert green.pays == 11


@pytest.mark.parametrize("key", [MBS, RWS_A, RWS_B], ids=":".join)
def test_green_is_no_bet_where_there_is_no_triple_zero(key: LayoutKey) -> None:
    with pytest.raises(BadInput) as refused:
        parse_bet(layout_of(key), "green")

    assert refused.value.code == "bet-not-on-layout"


@pytest.mark.parametrize(
    ("key", "bet_id"),
    [
        (MBS, "split:23/34"),
        (MBS, "split:25/29"),
        (MBS, "top-line:0/1/2/3"),
        (MBS, "split:0/00"),
        (RWS_A, "split:00/1"),
        (RWS_A, "split:00/2"),
        (RWS_A, "top-line:0/00/1/2/3"),
        (RWS_A, "street:0/00/2"),
        (RWS_B, "split:0/3"),
        (RWS_B, "split:00/1"),
        (RWS_B, "corner:0/1/2/3"),
        (RWS_B, "street:0/2/3"),
        (RWS_000, "split:000/1"),
        (RWS_000, "corner:0/1/2/3"),
        (RWS_000, "top-line:0/00/1/2/3"),
        (RWS_000, "six-line:0/00/000/1/2/3"),
        (MONEY_WHEEL, "straight:1"),
        (MONEY_WHEEL, "symbol:2"),
    ],
)
def test_a_bet_that_the_layout_does_not_have_is_refused(key: LayoutKey, bet_id: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_bet(layout_of(key), bet_id)

    assert refused.value.code == "bet-not-on-layout"
    assert refused.value.right
