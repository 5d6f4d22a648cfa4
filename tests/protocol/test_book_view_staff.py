"""What a console needs of a book: what can go wrong, who may do what, and what makes a spin valid."""

import pytest

from croupier.protocol.book_view import book_view
from croupier.rulebook import load_book, shipped_books


@pytest.mark.parametrize("name", shipped_books())
def test_every_irregularity_is_there_with_its_clause_and_consequence(name: str) -> None:
    book, view = load_book(name), book_view(load_book(name))

    assert [each.cause for each in view.irregularities] == list(book.irregularities)
    for each in view.irregularities:
        listed = book.irregularities[each.cause]
        assert (each.title, each.clause) == (listed.title, listed.clause)
        assert (each.consequence, each.since) == (listed.consequence, listed.since)
        assert each.clause in {*book.clauses, *(f"assumption:{name}" for name in book.assumptions)}


@pytest.mark.parametrize("name", shipped_books())
def test_authority_says_from_which_position_and_how_many(name: str) -> None:
    book, view = load_book(name), book_view(load_book(name))
    said = {each.action: (each.position, each.people) for each in view.authority}

    assert said == {action: (rule.position, rule.people) for action, rule in book.authority.items()}
    assert said["correct-settled-result"][1] == 2


def test_the_wheel_says_what_a_valid_spin_takes() -> None:
    ball, clapper = book_view(load_book("mbs-roulette")), book_view(load_book("rws-money-wheel"))

    assert (ball.wheel.revolutions, ball.wheel.opposite_direction) == (4, True)
    assert (clapper.wheel.revolutions, clapper.wheel.opposite_direction) == (3, False)
    assert ball.wheel.clause == "mbs-roulette:3.6"
    assert (ball.closes_before_spin, book_view(load_book("rws-roulette-00")).closes_before_spin) == (
        True,
        False,
    )
