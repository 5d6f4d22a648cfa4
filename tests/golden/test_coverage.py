"""The transcripts of a book show, between them, all that the book and the table know."""

from collections.abc import Iterator
from typing import get_args

import pytest

from croupier.rulebook import load_book, shipped_books
from croupier.rulebook.vocabulary import VOIDING
from croupier.table import CODES, Entry, Event
from croupier.table import events as e
from croupier.table.ruling import RULINGS
from golden.transcript import FOLDER, played

ROULETTES = [book for book in shipped_books() if book != "rws-money-wheel"]


def histories(book: str) -> list[list[Entry]]:
    files = sorted((FOLDER / book).glob("*.txt"))
    return [played(f"{book}/{path.name}").play.entries for path in files]


def events(book: str) -> Iterator[Event]:
    return (entry.event for entries in histories(book) for entry in entries)


@pytest.mark.parametrize("book", shipped_books())
def test_a_round_is_void_by_every_cause_that_voids(book: str) -> None:
    irregularities = load_book(book).irregularities.values()
    causes = {entry.cause for entry in irregularities if entry.consequence in VOIDING}
    voided = {event.cause for event in events(book) if isinstance(event, e.RoundVoided)}
    assert voided == causes | {"not-covered"}


@pytest.mark.parametrize("book", shipped_books())
def test_every_void_cites_the_clause_of_its_cause(book: str) -> None:
    irregularities = load_book(book).irregularities
    voided = [event for event in events(book) if isinstance(event, e.RoundVoided)]
    assert [event.clause for event in voided] == [irregularities[event.cause].clause for event in voided]


@pytest.mark.parametrize("book", shipped_books())
def test_a_round_is_interrupted_in_every_phase(book: str) -> None:
    seen = {
        (event.phase, event.consequence) for event in events(book) if isinstance(event, e.TableInterrupted)
    }
    spun_while_open = load_book(book).bets_close.value == "during-spin"
    assert seen == {
        ("idle", "none"),
        ("betting", "continue"),
        ("betting", "void"),
        *([("betting", "wait")] if spun_while_open else []),
        ("closed", "continue"),
        ("closed", "void"),
        ("closed", "wait"),
        ("spinning", "wait"),
        ("resulted", "conclude"),
    }


@pytest.mark.parametrize("book", shipped_books())
def test_an_outcome_is_stated_and_denied_with_a_spin_on_record_and_without(book: str) -> None:
    stated = {
        (event.spun, event.result is not None) for event in events(book) if isinstance(event, e.OutcomeStated)
    }
    assert stated == {(False, True), (False, False), (True, True)}


@pytest.mark.parametrize("book", shipped_books())
def test_bets_are_closed_by_everybody_who_can(book: str) -> None:
    closed = {event.closed_by for event in events(book) if isinstance(event, e.BetsClosed)}
    assert closed >= {"dealer", "timer", "wheel"}


@pytest.mark.parametrize("book", shipped_books())
def test_the_shift_manager_makes_every_ruling(book: str) -> None:
    rulings = {event.ruling for event in events(book) if isinstance(event, e.DecisionRecorded)}
    assert rulings == set(RULINGS)


@pytest.mark.parametrize("book", shipped_books())
def test_every_zero_and_every_symbol_is_a_result(book: str) -> None:
    wheel = load_book(book).wheel
    greens = {pocket for pocket, colour in wheel.colours.items() if colour == "green"}
    results = {event.result for event in events(book) if isinstance(event, e.RoundSettled)}
    assert results >= (greens if wheel.kind == "ball" else set(wheel.outcomes))


@pytest.mark.parametrize("book", ROULETTES)
def test_every_kind_of_terminal_of_a_roulette_is_in_use(book: str) -> None:
    kinds = {event.kind for event in events(book) if isinstance(event, e.SeatOpened)}
    assert kinds == set(load_book(book).terminals)


def test_every_event_happens() -> None:
    seen = {type(event) for book in shipped_books() for event in events(book)}
    assert seen == set(get_args(Event))


def test_every_refusal_is_given() -> None:
    refused = {
        event.rejection.code
        for book in shipped_books()
        for event in events(book)
        if isinstance(event, e.CommandRefused)
    }
    unrecorded = {"number-reused", "number-too-old"}
    unnamed = {"another-round"}  # no transcript names a round; `test_another_round.py` does
    # No transcript opens an old commitment, and a table recalls rounds by itself.
    unnamed |= {"round-too-old", "round-not-recalled", "recall-outdated"}
    assert set(CODES) - refused == unrecorded | unnamed
