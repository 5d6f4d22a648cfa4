"""What people are told when a name is not known: all that there is."""

import pytest

from croupier.rulebook import BadInput, get_layout, load_book, parse_bet, parse_result, settle


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


@pytest.mark.parametrize(
    ("book", "text", "right"),
    [
        ("rws-money-wheel", "20", "Write symbol:20."),
        (
            "rws-money-wheel",
            "?",
            "Write for example symbol:resorts-world-sentosa, symbol:crockfords or symbol:20.",
        ),
        ("mbs-roulette", "17/20", "Write split:17/20."),
        ("mbs-roulette", "3", "Write straight:3, column:3 or dozen:3."),
        ("mbs-roulette", "Red", "Write for example straight:17, split:17/20, dozen:3 or red."),
    ],
)
def test_what_is_not_written_like_a_bet_is_answered_with_bets_of_this_layout(
    book: str, text: str, right: str
) -> None:
    with pytest.raises(BadInput) as refused:
        parse_bet(get_layout(load_book(book)), text)

    assert (refused.value.code, refused.value.right) == ("bet-malformed", right)


@pytest.mark.parametrize("name", ["tiers", "small-series"])
def test_an_announced_bet_in_the_place_of_a_bet_is_answered_with_its_pieces(name: str) -> None:
    with pytest.raises(BadInput) as refused:
        settle(load_book("mbs-roulette"), None, {name: 100}, "5")

    assert refused.value.code == "bet-not-on-layout"
    assert refused.value.sentence == f"{name!r} is an announced bet of 6 pieces, and no bet of its own."
    assert refused.value.right.startswith("Name its pieces: split:5/8, split:10/11, ")


def test_a_result_that_is_a_number_and_no_text_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadInput) as refused:
        settle(load_book("mbs-roulette"), None, {"red": 100}, 20)  # type: ignore[arg-type]  # what is refused

    assert (refused.value.code, refused.value.right) == (
        "result-not-on-wheel",
        "Results are texts: write '20'.",
    )
