"""Many seats settled at once agree with each seat settled alone, whatever is staked."""

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.lab.matrix import MatrixSettlement, settle_matrix
from croupier.rulebook import BadInput, Book, Layout, Settlement, get_layout, load_book, settle, shipped_books

Matrix = npt.NDArray[Any]

LAYOUTS = [(book_id, layout_id) for book_id in shipped_books() for layout_id in load_book(book_id).layouts]
INTEGER_TYPES = [
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "int64",
    "uint64",
    ">i8",
    ">u4",
    "object",
]

layouts = st.sampled_from(LAYOUTS)
amounts = st.integers(min_value=0, max_value=10_000_00)
huge_amounts = amounts | st.integers(min_value=2**55, max_value=2**63 - 1)
endless_amounts = huge_amounts | st.integers(min_value=2**62, max_value=2**200)


@st.composite
def stake_matrices(draw: st.DrawFn, bets: int, dtype: str) -> Matrix:
    """A few seats with a few stakes each that the type can hold."""
    amount = {"object": endless_amounts, "int64": huge_amounts, "uint64": huge_amounts}.get(dtype, amounts)
    if dtype == "uint64":
        amount |= st.integers(min_value=2**63, max_value=2**64 - 1)
    elif dtype not in ("object", "int64"):
        amount = st.integers(min_value=0, max_value=int(np.iinfo(dtype).max)) | st.just(np.iinfo(dtype).max)
    stakes = np.zeros((draw(st.integers(min_value=0, max_value=4)), bets), dtype=dtype)
    for seat in range(len(stakes)):
        for column in draw(st.lists(st.integers(min_value=0, max_value=bets - 1), max_size=8)):
            stakes[seat, column] = draw(amount)
        if draw(st.booleans()):
            stakes[seat, :] = draw(amount)
    return stakes


def settle_rows(book: Book, layout: Layout, stakes: Matrix, result: str) -> list[Settlement]:
    """Each seat settled alone, its stakes as Python's own integers."""
    return [
        settle(book, layout, dict(zip(layout.bets, map(int, row), strict=True)), result) for row in stakes
    ]


def assert_agrees(together: MatrixSettlement, alone: list[Settlement]) -> None:
    assert together.staked_cents.tolist() == [seat.staked_cents for seat in alone]
    assert together.returned_cents.tolist() == [seat.returned_cents for seat in alone]
    assert together.net_cents.tolist() == [seat.net_cents for seat in alone]
    by_bet = [[outcome.returned_cents for outcome in seat.bets] for seat in alone]
    assert together.returned_by_bet_cents.tolist() == by_bet
    for seat in alone:
        assert [together.bets[column] for column in together.winning] == [
            outcome.bet.id for outcome in seat.bets if outcome.won
        ]
        assert (together.result, together.clause) == (seat.result, seat.clause)


@pytest.mark.parametrize(("book_id", "layout_id"), LAYOUTS)
def test_every_bet_alone_on_every_result_returns_what_settle_returns(book_id: str, layout_id: str) -> None:
    book = load_book(book_id)
    layout = get_layout(book, layout_id)
    one_bet_a_seat = np.eye(len(layout.bets), dtype=np.int64) * 250
    for result in book.wheel.outcomes:
        together = settle_matrix(book, layout_id, one_bet_a_seat, result)

        expected = [settle(book, layout, {bet: 250}, result).returned_cents for bet in layout.bets]
        assert together.returned_cents.tolist() == expected, f"{book_id} {layout_id} on {result}"
        assert together.staked_cents.tolist() == [250] * len(layout.bets)


@settings(deadline=None)
@given(layouts, st.sampled_from(INTEGER_TYPES), st.data())
def test_any_matrix_agrees_with_its_rows_settled_alone(
    key: tuple[str, str], dtype: str, data: st.DataObject
) -> None:
    book = load_book(key[0])
    layout = get_layout(book, key[1])
    stakes = data.draw(stake_matrices(len(layout.bets), dtype))
    result = data.draw(st.sampled_from([*book.wheel.outcomes]))

    together = settle_matrix(book, layout, stakes, result)

    assert_agrees(together, settle_rows(book, layout, stakes, result))


@pytest.mark.parametrize("dtype", ["int64", "uint64", "object"])
@pytest.mark.parametrize("exponent", range(50, 64))
def test_no_sum_wraps_round_on_the_way_to_the_largest_number(dtype: str, exponent: int) -> None:
    book = load_book("rws-roulette-000")
    layout = get_layout(book)
    for stake in (2**exponent - 1, 2 ** (exponent - 1) + 1):
        stakes = np.full((1, len(layout.bets)), stake, dtype=dtype)
        for result in ("0", "000", "17"):
            together = settle_matrix(book, layout, stakes, result)

            assert_agrees(together, settle_rows(book, layout, stakes, result))


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_small_types_hold_sums_that_are_larger_than_they_are(dtype: str) -> None:
    book = load_book("mbs-roulette")
    stakes = np.full((2, 157), 127, dtype=dtype)

    settled = settle_matrix(book, None, stakes, "17")

    assert settled.staked_cents.tolist() == [127 * 157] * 2
    assert_agrees(settled, settle_rows(book, get_layout(book), stakes, "17"))


@pytest.mark.parametrize("pays", [2**40, 2**63, 10**30])
def test_a_pay_beyond_all_reason_is_still_settled_exactly(pays: int) -> None:
    book = load_book("mbs-roulette")
    layout = get_layout(book)
    dear = {bet_id: msgspec.structs.replace(bet, pays=pays) for bet_id, bet in layout.bets.items()}
    layout = msgspec.structs.replace(layout, bets=dear)
    for stake in (0, 1, 2**30):
        stakes = np.full((2, len(layout.bets)), stake, dtype=np.int64)

        assert_agrees(settle_matrix(book, layout, stakes, "0"), settle_rows(book, layout, stakes, "0"))


def test_a_result_on_which_no_bet_wins_returns_nothing() -> None:
    book = load_book("mbs-roulette")
    layout = get_layout(book)
    outside = {bet_id: layout.bets[bet_id] for bet_id in ("red", "black", "odd", "even")}
    layout = msgspec.structs.replace(layout, bets=outside)
    for stake in (700, 2**62):
        stakes = np.full((2, 4), stake, dtype=np.int64)

        settled = settle_matrix(book, layout, stakes, "0")

        assert settled.returned_cents.tolist() == [0, 0]
        assert_agrees(settled, settle_rows(book, layout, stakes, "0"))


@pytest.mark.parametrize("dtype", INTEGER_TYPES)
def test_no_seats_are_settled_as_no_seats(dtype: str) -> None:
    settled = settle_matrix(load_book("mbs-roulette"), None, np.zeros((0, 157), dtype=dtype), "17")

    assert settled.staked_cents.tolist() == settled.net_cents.tolist() == []
    assert settled.returned_by_bet_cents.shape == (0, 157)


@pytest.mark.parametrize("order", ["C", "F"])
def test_it_does_not_matter_how_the_stakes_lie_in_memory(order: Any) -> None:
    book = load_book("mbs-roulette")
    stakes = np.arange(4 * 314, dtype=np.int64).reshape(4, 314).copy(order=order)[::2, ::2]

    settled = settle_matrix(book, None, stakes, "17")

    assert_agrees(settled, settle_rows(book, get_layout(book), stakes, "17"))


def test_stakes_that_change_later_do_not_change_the_settlement() -> None:
    stakes = np.full((1, 157), 100, dtype=np.int64)
    settled = settle_matrix(load_book("mbs-roulette"), None, stakes, "17")
    before = settled.returned_by_bet_cents.tolist()

    stakes[:] = 0

    assert settled.returned_by_bet_cents.tolist() == before
    assert settled.staked_cents.tolist() == [15700]


def test_a_settlement_cannot_be_changed() -> None:
    settled = settle_matrix(load_book("mbs-roulette"), None, np.ones((1, 157), dtype=np.int64), "17")

    for array in (settled.staked_cents, settled.returned_cents, settled.winning_returned_cents):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


@pytest.mark.parametrize(
    ("stakes", "code"),
    [
        (np.zeros(157, dtype=np.int64), "stakes-not-a-matrix"),
        (np.zeros((2, 156), dtype=np.int64), "stakes-not-a-matrix"),
        (np.zeros((157, 2), dtype=np.int64), "stakes-not-a-matrix"),
        (np.zeros((1, 157, 1), dtype=np.int64), "stakes-not-a-matrix"),
        ([[0] * 157], "stakes-not-a-matrix"),
        (None, "stakes-not-a-matrix"),
        (np.zeros((2, 157)), "stake-not-cents"),
        (np.zeros((2, 157), dtype=bool), "stake-not-cents"),
        (np.zeros((2, 157), dtype=complex), "stake-not-cents"),
        (np.zeros((2, 157), dtype="m8[s]"), "stake-not-cents"),
        (np.full((2, 157), "5"), "stake-not-cents"),
        (np.full((2, 157), -1, dtype=np.int8), "stake-not-cents"),
        (np.full((2, 157), -(2**70), dtype=object), "stake-not-cents"),
        (np.full((2, 157), True, dtype=object), "stake-not-cents"),
        (np.full((2, 157), 1.0, dtype=object), "stake-not-cents"),
        (np.full((2, 157), None, dtype=object), "stake-not-cents"),
    ],
)
def test_what_is_no_matrix_of_cents_is_refused(stakes: Any, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        settle_matrix(load_book("mbs-roulette"), None, stakes, "17")

    assert refused.value.code == code
    assert refused.value.right


@pytest.mark.parametrize(
    ("layout", "result", "code"), [("A", "17", "unknown-layout"), (None, "00", "result-not-on-wheel")]
)
def test_what_the_game_does_not_have_is_refused(layout: str | None, result: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        settle_matrix(load_book("mbs-roulette"), layout, np.zeros((1, 157), dtype=np.int64), result)

    assert refused.value.code == code
