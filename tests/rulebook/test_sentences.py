"""What people are told when a name is not known: all that there is."""

import pytest

from croupier.rulebook import BadInput, load_book, parse_result


def test_a_result_that_no_wheel_has_is_answered_with_what_this_one_has() -> None:
    with pytest.raises(BadInput) as refused:
        parse_result(load_book("rws-money-wheel"), "2")

    assert refused.value.right == "It shows resorts-world-sentosa, crockfords, 20, 10, 5, 3, 1."


def test_the_numbers_of_a_roulette_are_told_in_short() -> None:
    with pytest.raises(BadInput) as refused:
        parse_result(load_book("rws-roulette-00"), "000")

    assert refused.value.right == "It shows 0, 00, 1 to 36."


def test_a_book_that_is_not_there_is_answered_with_ones_own_books_too() -> None:
    own = {"mini-13": load_book("mbs-roulette")}

    with pytest.raises(BadInput) as refused:
        load_book("mini-14", own)

    assert refused.value.right.startswith("Use one of mini-13, mbs-roulette, ")
    assert load_book("mini-13", own) is own["mini-13"]
