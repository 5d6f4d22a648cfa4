"""How each game is conducted: when bets close, what players read, what goes wrong, who may do what."""

import pytest

from croupier.rulebook import load_book
from rulebook.oracle import BOOKS

_RWS_ROULETTE_IRREGULARITIES = {
    "same-direction": ("5.3.6", "void-round"),
    "ball-dropped": ("5.3.1", "void-round"),
    "too-few-revolutions": ("5.3.2", "void-round"),
    "foreign-object": ("5.3.7", "void-round"),
    "no-compartment": ("5.3.3", "void-round"),
    "ball-out": ("5.3.4", "void-round"),
    "ball-broken": ("5.4", "void-affected-rounds"),
    "wheel-stopped": ("5.3.9", "void-round"),
    "wheel-still": ("5.3.5", "void-round"),
    "interference": ("5.3.8", "void-round"),
    "interruption-no-outcome": ("5.1.2", "void-round"),
    "interruption-outcome": ("5.1.1", "conclude-round"),
    "terminal-lost": ("5.2.1", "registered-bets-stand"),
    "terminal-lost-unregistered": ("5.2.2", "unregistered-bets-return"),
    "wrong-result": ("5.5", "settle-by-wheel"),
    "error-noticed-late": ("5.6", "other-rounds-stand"),
    "late-placement": ("3.5", "refuse"),
    "late-withdrawal": ("5.7", "refuse"),
    "not-covered": ("5.10", "shift-manager-decides"),
}
IRREGULARITIES = {
    "mbs-roulette": {
        "same-direction": ("5.1", "void-round"),
        "ball-dropped": ("5.2", "void-round"),
        "too-few-revolutions": ("5.3", "void-round"),
        "foreign-object": ("5.4", "void-round"),
        "no-compartment": ("5.5", "void-round"),
        "ball-out": ("5.6", "void-round"),
        "ball-broken": ("5.7", "void-round"),
        "wheel-stopped": ("5.8", "void-round"),
        "wheel-still": ("5.9", "void-round"),
        "interference": ("5.10", "void-round"),
        "no-spin": ("5.15", "void-round"),
        "interruption-no-outcome": ("5.13.1", "void-round"),
        "interruption-outcome": ("5.13.2", "conclude-round"),
        "terminal-lost": ("5.14.1", "registered-bets-stand"),
        "terminal-lost-unregistered": ("5.14.2", "unregistered-bets-return"),
        "wrong-result": ("6.3", "settle-by-wheel"),
        "late-placement": ("5.12", "refuse"),
        "late-withdrawal": ("5.11", "refuse"),
        "not-covered": ("6.1", "shift-manager-decides"),
    },
    "rws-roulette-00": _RWS_ROULETTE_IRREGULARITIES,
    "rws-roulette-000": _RWS_ROULETTE_IRREGULARITIES,
    "rws-money-wheel": {
        "too-few-revolutions": ("5.4.3", "void-round"),
        "no-compartment": ("5.4.2", "void-round"),
        "interference": ("5.4.1", "void-round"),
        "interruption-no-outcome": ("5.3.2", "void-round"),
        "interruption-outcome": ("5.3.1", "conclude-round"),
        "box-over-maximum": ("5.1", "reject-excess"),
        "excess-not-rejected": ("5.1.1", "apportion"),
        "table-excess-not-rejected": ("assumption:table-excess", "count-in-full"),
        "small-bet-in-full-box": ("5.1.2", "count-in-full"),
        "box-under-minimum": ("5.2", "advise-player"),
        "minimum-not-noticed": ("5.2.1", "count-in-full"),
        "wrong-result": ("3.8", "settle-by-wheel"),
        "error-noticed-late": ("5.7", "other-rounds-stand"),
        "late-placement": ("5.6", "refuse"),
        "late-withdrawal": ("5.6", "refuse"),
        "not-covered": ("5.11", "shift-manager-decides"),
    },
}
"""By book and cause: the clause, or the assumption, that covers it and what follows."""


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_irregularity_of_the_text_has_its_clause_and_consequence(book_id: str) -> None:
    found = {
        cause: (irregularity.clause, irregularity.consequence)
        for cause, irregularity in load_book(book_id).irregularities.items()
    }

    assert found == {
        cause: (cited if cited.startswith("assumption:") else f"{book_id}:{cited}", consequence)
        for cause, (cited, consequence) in IRREGULARITIES[book_id].items()
    }


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_the_ball_or_the_wheel_does_wrong_can_be_declared_from_the_spin_on(book_id: str) -> None:
    irregularities = load_book(book_id).irregularities
    physical = {
        "same-direction",
        "too-few-revolutions",
        "no-compartment",
        "ball-out",
        "wheel-stopped",
        "wheel-still",
    } & {*irregularities}

    assert physical
    assert {irregularities[cause].since for cause in physical} == {"spin"}


@pytest.mark.parametrize("book_id", BOOKS)
def test_what_needs_no_spin_can_be_declared_from_the_opening_of_bets(book_id: str) -> None:
    irregularities = load_book(book_id).irregularities
    at_any_time = {"foreign-object", "ball-broken", "interference"} & {*irregularities}

    # The money wheel's text speaks of interference while the wheel is spinning.
    since = "spin" if book_id == "rws-money-wheel" else "round"
    assert {irregularities[cause].since for cause in at_any_time} == {since}


@pytest.mark.parametrize(
    ("book_id", "value", "cited"),
    [
        ("mbs-roulette", "before-spin", "3.7"),
        ("rws-roulette-00", "during-spin", "3.5"),
        ("rws-roulette-000", "during-spin", "3.5"),
        ("rws-money-wheel", "during-spin", "3.6"),
    ],
)
def test_the_book_says_whether_bets_close_before_the_spin(book_id: str, value: str, cited: str) -> None:
    closing = load_book(book_id).bets_close

    assert (closing.value, closing.source) == (value, f"{book_id}:{cited}")


@pytest.mark.parametrize(
    ("book_id", "value", "cited"),
    [
        ("mbs-roulette", "any-time", "6.3"),
        ("rws-roulette-00", "any-time", "5.5"),
        ("rws-roulette-000", "any-time", "5.5"),
        ("rws-money-wheel", "until-next-round", "5.5"),
    ],
)
def test_the_book_says_until_when_a_result_is_corrected(book_id: str, value: str, cited: str) -> None:
    corrections = load_book(book_id).corrections

    assert (corrections.value, corrections.source) == (value, f"{book_id}:{cited}")


@pytest.mark.parametrize(
    ("book_id", "value", "source"),
    [
        ("mbs-roulette", "refuse", "assumption:limits"),
        ("rws-roulette-00", "refuse", "assumption:limits"),
        ("rws-roulette-000", "refuse", "assumption:limits"),
        ("rws-money-wheel", "mark-box", "rws-money-wheel:5.1"),
    ],
)
def test_the_book_says_what_happens_outside_the_limits(book_id: str, value: str, source: str) -> None:
    limits = load_book(book_id).limits

    assert (limits.value, limits.source) == (value, source)


@pytest.mark.parametrize(
    ("book_id", "step", "texts", "source"),
    [
        ("mbs-roulette", "open", ["Place your bets, please", "Bets are open"], "mbs-roulette:3.1"),
        ("mbs-roulette", "closed", ["No more bets", "Bets are closed"], "mbs-roulette:3.2"),
        ("rws-roulette-00", "open", ["Place your bets"], "rws-roulette-00:3.2"),
        ("rws-roulette-00", "closed", ["No More Bets"], "rws-roulette-00:3.5"),
        ("rws-roulette-000", "open", ["Place your bets"], "rws-roulette-000:3.2"),
        ("rws-roulette-000", "closed", ["No More Bets"], "rws-roulette-000:3.5"),
        ("rws-money-wheel", "open", ["Place your Bets, please"], "rws-money-wheel:3.2"),
        ("rws-money-wheel", "closed", ["No more Bets"], "rws-money-wheel:3.6"),
    ],
)
def test_notices_carry_the_words_of_the_text(book_id: str, step: str, texts: list[str], source: str) -> None:
    notice = load_book(book_id).notices[step]

    assert ([*notice.texts], notice.source) == (texts, source)


@pytest.mark.parametrize("book_id", BOOKS)
def test_every_step_has_a_notice(book_id: str) -> None:
    assert {*load_book(book_id).notices} == {
        "open",
        "warning",
        "closed",
        "spinning",
        "result",
        "settled",
        "void",
        "no-spin",
        "correction",
        "interrupted",
        "decision",
        "last-round",
        "table-closed",
    }


@pytest.mark.parametrize(
    ("book_id", "action", "position", "cited"),
    [
        ("mbs-roulette", "place-bets", "player", "3.3"),
        ("mbs-roulette", "buy-credits", "player", "1.1.1"),
        ("mbs-roulette", "spin", "dealer", "3.6"),
        ("mbs-roulette", "call-no-spin", "dealer", "5.15"),
        ("mbs-roulette", "decide", "shift-manager", "6.1"),
        ("rws-roulette-00", "buy-credits", "player", "1.7"),
        ("rws-roulette-00", "spin", "dealer", "1.10"),
        ("rws-roulette-00", "enter-result", "dealer", "1.3"),
        ("rws-roulette-00", "decide", "shift-manager", "5.10"),
        ("rws-roulette-000", "buy-credits", "player", "1.6"),
        ("rws-roulette-000", "spin", "dealer", "1.10"),
        ("rws-roulette-000", "decide", "shift-manager", "5.10"),
        ("rws-money-wheel", "place-for-player", "dealer", "5.10"),
        ("rws-money-wheel", "reject-bets", "dealer", "5.1"),
        ("rws-money-wheel", "spin", "dealer", "1.9"),
        ("rws-money-wheel", "decide", "shift-manager", "5.11"),
    ],
)
def test_who_may_do_what_cites_the_text(book_id: str, action: str, position: str, cited: str) -> None:
    authority = load_book(book_id).authority[action]

    assert (authority.position, authority.source) == (position, f"{book_id}:{cited}")


@pytest.mark.parametrize(
    ("book_id", "action"),
    [
        ("rws-roulette-00", "call-no-spin"),
        ("rws-roulette-000", "call-no-spin"),
        ("rws-money-wheel", "call-no-spin"),
        ("mbs-roulette", "place-for-player"),
        ("mbs-roulette", "reject-bets"),
    ],
)
def test_an_action_that_the_text_does_not_have_is_not_part_of_the_game(book_id: str, action: str) -> None:
    assert action not in load_book(book_id).authority


@pytest.mark.parametrize("book_id", BOOKS)
def test_changing_what_is_settled_and_changing_limits_takes_two_people(book_id: str) -> None:
    authority = load_book(book_id).authority

    assert {action for action, entry in authority.items() if entry.people == 2} == {
        "correct-settled-result",
        "void-settled-rounds",
        "change-limits",
    }
