"""What people write: any text is either understood or answered with a code and what would be right."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from croupier.rulebook import (
    BadInput,
    Bet,
    Layout,
    get_layout,
    get_offer,
    load_book,
    parse_announced,
    parse_bet,
    parse_cents,
    parse_result,
    show_cents,
)
from rulebook.announced_oracle import announced
from rulebook.oracle import BOOKS, LAYOUTS, ROULETTE_LAYOUTS, LayoutKey, legal_bets, results

T = TypeVar("T")

any_text = st.text(st.characters())
"""Every text there is, lone surrogates and control characters too."""

FOREIGN_DIGIT = "\N{ARABIC-INDIC DIGIT THREE}"
"""Python takes it for a number; an amount is written in ASCII."""

like_a_bet = st.from_regex(r"(straight|split|street|corner|six-line|top-line|dozen|low)(:[0-9/+]{0,12})?")
layouts = st.sampled_from(LAYOUTS)


def layout_of(key: LayoutKey) -> Layout:
    return get_layout(load_book(key[0]), key[1])


def attempt(parse: Callable[[], T]) -> T | BadInput:
    """What a parser understands, or its refusal; whatever else it raises fails the test."""
    try:
        return parse()
    except BadInput as refused:
        return refused


def is_told_what_is_right(refused: BadInput) -> bool:
    return bool(refused.code and refused.sentence.endswith(".") and refused.right.endswith("."))


@given(layouts, any_text | like_a_bet)
def test_any_text_is_a_bet_of_the_layout_or_bad_input(key: LayoutKey, text: str) -> None:
    layout = layout_of(key)

    answer = attempt(lambda: parse_bet(layout, text))

    if isinstance(answer, BadInput):
        assert answer.code in ("bet-malformed", "bet-not-on-layout")
        assert is_told_what_is_right(answer)
    else:
        assert layout.bets[answer.id] is answer


@given(layouts, st.data())
def test_a_bet_is_the_same_with_its_numbers_in_any_order(key: LayoutKey, data: st.DataObject) -> None:
    bet = data.draw(st.sampled_from([*legal_bets(key).values()]))
    numbers = data.draw(st.permutations(bet.numbers))
    is_inside = bet.kind in ("straight", "split", "street", "corner", "six-line", "top-line")
    text = f"{bet.kind}:{'/'.join(numbers)}" if is_inside else bet.id

    assert parse_bet(layout_of(key), text).id == bet.id


@given(st.sampled_from(ROULETTE_LAYOUTS), st.data())
def test_a_bet_with_a_number_too_many_or_twice_is_no_bet(key: LayoutKey, data: st.DataObject) -> None:
    bet = data.draw(st.sampled_from([bet for bet in legal_bets(key).values() if bet.kind == "split"]))
    extra = data.draw(st.sampled_from([*bet.numbers, "37", "0000", ""]))

    with pytest.raises(BadInput):
        parse_bet(layout_of(key), f"split:{'/'.join([*bet.numbers, extra])}")


@pytest.mark.parametrize("key", LAYOUTS, ids=":".join)
def test_every_bet_is_found_by_its_id(key: LayoutKey) -> None:
    layout = layout_of(key)
    found: list[Bet] = [parse_bet(layout, f" {bet_id} ") for bet_id in legal_bets(key)]

    assert [bet.id for bet in found] == [*legal_bets(key)]


@given(layouts, any_text)
def test_any_text_is_an_announced_bet_or_none(key: LayoutKey, text: str) -> None:
    layout = layout_of(key)

    found = parse_announced(layout, text)

    assert found is None or layout.announced[found.name] is found


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
def test_every_announced_bet_is_found_by_its_name(key: LayoutKey) -> None:
    layout = layout_of(key)
    for name in announced(key):
        found = parse_announced(layout, name)
        assert found is not None, f"{key} {name}"
        assert found.name == name


@given(layouts, any_text | st.from_regex(r"0{0,4}[0-9]{0,2}", fullmatch=True))
def test_any_text_is_a_result_of_the_wheel_or_bad_input(key: LayoutKey, text: str) -> None:
    answer = attempt(lambda: parse_result(load_book(key[0]), text))

    if isinstance(answer, BadInput):
        assert answer.code == "result-not-on-wheel"
        assert is_told_what_is_right(answer)
        assert text.strip(" ") not in results(key)
    else:
        assert answer == text.strip(" ")
        assert answer in results(key)


@given(any_text | st.from_regex(r"[+-]?[0-9]{1,15}(\.[0-9]{0,3})?", fullmatch=True))
@example("1.234")
@example("-5")
@example(FOREIGN_DIGIT)
@example("5\n")
@example("1e3")
def test_any_text_is_an_amount_or_bad_input(text: str) -> None:
    answer = attempt(lambda: parse_cents(text))

    if isinstance(answer, BadInput):
        assert answer.code == "amount-malformed"
        assert is_told_what_is_right(answer)
    else:
        assert answer == Fraction(text.strip(" ")) * 100
        assert text.isascii()


@given(st.integers(min_value=0, max_value=10**15 - 1))
def test_an_amount_that_is_shown_reads_back_as_itself(cents: int) -> None:
    assert parse_cents(show_cents(cents)) == cents


@given(st.integers())
def test_an_amount_is_shown_with_two_decimals(cents: int) -> None:
    shown = show_cents(cents)
    dollars, _, decimals = shown.removeprefix("-").partition(".")

    assert len(decimals) == 2
    assert int(dollars + decimals) == abs(cents)
    assert shown.startswith("-") == (cents < 0)


@pytest.mark.parametrize(
    ("text", "cents"), [("5", 500), ("12.5", 1250), ("12.50", 1250), ("0", 0), ("0.01", 1), (" 7 ", 700)]
)
def test_an_amount_is_dollars_with_at_most_two_decimals(text: str, cents: int) -> None:
    assert parse_cents(text) == cents


@pytest.mark.parametrize(
    "text", ["1.234", "-5", "+5", "", ".5", "5.", "1,000", "1e3", "5 0", "NaN", FOREIGN_DIGIT]
)
def test_what_is_not_such_an_amount_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_cents(text)

    assert refused.value.code == "amount-malformed"


@given(any_text | any_text.map(lambda text: f"/{text}") | any_text.map(lambda text: f"{text}.toml"))
@example("a/\0")
@example("\ud800.toml")
@example("/")
@example("")
@example("mbs-roulette/")
def test_any_name_is_a_book_or_bad_input(name: str) -> None:
    assume(name not in BOOKS)

    with pytest.raises(BadInput) as refused:
        load_book(name)

    assert refused.value.code in ("unknown-book", "book-unreadable")
    assert is_told_what_is_right(refused.value)


@given(any_text)
def test_any_text_is_a_terminal_of_the_book_or_bad_input(text: str) -> None:
    book = load_book("mbs-roulette")

    answer = attempt(lambda: get_offer(book, get_layout(book), text))

    if isinstance(answer, BadInput):
        assert answer.code == "unknown-terminal"
        assert is_told_what_is_right(answer)
    else:
        assert answer.terminal == text
