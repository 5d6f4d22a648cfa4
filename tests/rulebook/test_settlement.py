"""What every bet returns on every result, and what settlement promises whatever the stakes are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clauses import clause
from croupier.rulebook import BadInput, get_layout, load_book, settle, settle_bet
from rulebook.oracle import LAYOUTS, RWS_000, WINS_ON_ZERO, LayoutKey, legal_bets, results

STAKE_CENTS = 250


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
@clause("mbs-roulette:4.1", "rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2", "rws-roulette-000:4.1")
@clause("rws-money-wheel:3.1", "rws-money-wheel:4.1")
def test_every_bet_is_settled_on_every_result_as_the_text_pays_it(key: LayoutKey) -> None:
    book = load_book(key[0])
    bets = legal_bets(key)
    stakes = dict.fromkeys(bets, STAKE_CENTS)
    for result in results(key):
        settled = settle(book, key[1], stakes, result)

        assert [outcome.bet.id for outcome in settled.bets] == [*bets]
        for outcome in settled.bets:
            told = bets[outcome.bet.id]
            won = result in told.numbers
            paid = STAKE_CENTS * told.pays if won else 0
            returned = STAKE_CENTS + paid if won else 0
            found = (outcome.won, outcome.paid_cents, outcome.returned_cents)
            assert found == (won, paid, returned), f"{key} {told.id} on {result}"


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_the_wheel_shows_the_results_of_the_text_and_no_other(key: LayoutKey) -> None:
    assert {*load_book(key[0]).wheel.outcomes} == {*results(key)}


@pytest.mark.parametrize(("book_id", "layout_id", "zero"), [*WINS_ON_ZERO])
@clause("mbs-roulette:4.2", "rws-roulette-00:3.8", "rws-roulette-000:3.8")
def test_on_a_zero_only_bets_on_it_and_its_combinations_win(book_id: str, layout_id: str, zero: str) -> None:
    book = load_book(book_id)
    everything = dict.fromkeys(get_layout(book, layout_id).bets, STAKE_CENTS)

    settled = settle(book, layout_id, everything, zero)

    winners = {outcome.bet.id for outcome in settled.bets if outcome.won}
    assert winners == {*WINS_ON_ZERO[book_id, layout_id, zero].split()}


@pytest.mark.parametrize("key", LAYOUTS[:-1], ids=":".join)
@clause("rws-roulette-00:3.1", "rws-roulette-000:3.1")
def test_a_bet_on_a_single_number_wins_on_its_compartment_alone(key: LayoutKey) -> None:
    layout = get_layout(load_book(key[0]), key[1])
    for number in results(key):
        bet = layout.bets[f"straight:{number}"]

        wins = [result for result in results(key) if settle_bet(bet, STAKE_CENTS, result).won]

        assert wins == [number]


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_a_settlement_cites_the_pay_table(key: LayoutKey) -> None:
    book = load_book(key[0])
    layout = get_layout(book, key[1])

    settled = settle(book, layout, {}, results(key)[0])

    assert settled.clause == layout.pay_clause
    assert settled.clause in book.clauses


stakes_of_000 = st.dictionaries(
    st.sampled_from([*legal_bets(RWS_000)]), st.integers(min_value=0, max_value=10**18), max_size=12
)
results_of_000 = st.sampled_from(results(RWS_000))


@given(stakes_of_000, results_of_000)
def test_returned_is_never_negative_and_nothing_is_lost_beyond_the_stake(
    stakes: dict[str, int], result: str
) -> None:
    settled = settle(load_book("rws-roulette-000"), None, stakes, result)

    assert all(outcome.returned_cents >= 0 for outcome in settled.bets)
    assert all(outcome.paid_cents >= 0 for outcome in settled.bets)
    assert settled.staked_cents == sum(stakes.values())
    assert -settled.staked_cents <= settled.net_cents <= 35 * settled.staked_cents


@given(stakes_of_000, results_of_000, st.data())
def test_adding_a_losing_bet_changes_nothing_else(
    stakes: dict[str, int], result: str, data: st.DataObject
) -> None:
    book = load_book("rws-roulette-000")
    losing = [bet.id for bet in legal_bets(RWS_000).values() if result not in bet.numbers]
    added = data.draw(st.sampled_from([bet_id for bet_id in losing if bet_id not in stakes]))
    before = settle(book, None, stakes, result)

    after = settle(book, None, {**stakes, added: 700}, result)

    assert after.bets[:-1] == before.bets
    assert after.returned_cents == before.returned_cents
    assert after.net_cents == before.net_cents - 700


@given(stakes_of_000, results_of_000)
def test_the_whole_is_the_sum_of_the_bets_settled_one_by_one(stakes: dict[str, int], result: str) -> None:
    book = load_book("rws-roulette-000")

    alone = [settle(book, None, {bet_id: stake}, result).returned_cents for bet_id, stake in stakes.items()]

    assert settle(book, None, stakes, result).returned_cents == sum(alone)


@given(stakes_of_000, stakes_of_000, st.integers(min_value=0, max_value=1000), results_of_000)
def test_settlement_is_linear_in_the_stakes(
    some: dict[str, int], more: dict[str, int], times: int, result: str
) -> None:
    book = load_book("rws-roulette-000")
    together = {
        bet_id: times * some.get(bet_id, 0) + more.get(bet_id, 0) for bet_id in some.keys() | more.keys()
    }

    returned = [settle(book, None, stakes, result).returned_cents for stakes in (some, more, together)]

    assert returned[2] == times * returned[0] + returned[1]


@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=10**9), results_of_000)
def test_a_bet_named_twice_in_different_orders_is_one_bet(first: int, second: int, result: str) -> None:
    twice = {"corner:25/26/28/29": first, "corner:29/25/28/26": second, "green": 5, "street:000/00/0": 6}

    settled = settle(load_book("rws-roulette-000"), None, twice, result)

    assert [(outcome.bet.id, outcome.stake_cents) for outcome in settled.bets] == [
        ("corner:25/26/28/29", first + second),
        ("street:0/00/000", 11),
    ]


@pytest.mark.parametrize("stake", [-1, 2.0, 0.5, True, False, "5", None])
def test_a_stake_that_is_not_whole_cents_is_refused(stake: object) -> None:
    stakes: dict[str, object] = {"red": stake}

    with pytest.raises(BadInput) as refused:
        settle(load_book("mbs-roulette"), None, stakes, "1")  # type: ignore[arg-type]  # wrong on purpose

    assert refused.value.code == "stake-not-cents"


@pytest.mark.parametrize(
    ("book_id", "layout_id", "bet", "result", "code"),
    [
        ("mbs-roulette", None, "red", "00", "result-not-on-wheel"),
        ("mbs-roulette", None, "red", "37", "result-not-on-wheel"),
        ("rws-money-wheel", None, "symbol:1", "2", "result-not-on-wheel"),
        ("mbs-roulette", "A", "red", "0", "unknown-layout"),
        ("mbs-roulette", None, "split:1/36", "0", "bet-not-on-layout"),
        ("mbs-roulette", None, "Split 1", "0", "bet-malformed"),
    ],
)
def test_what_the_game_does_not_have_is_refused(
    book_id: str, layout_id: str | None, bet: str, result: str, code: str
) -> None:
    with pytest.raises(BadInput) as refused:
        settle(load_book(book_id), layout_id, {bet: 100}, result)

    assert refused.value.code == code
