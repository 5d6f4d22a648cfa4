"""What players read at each step, in the words of the book."""

import pytest

from croupier.table import audience
from table.scenes import MBS, MONEY_WHEEL, RWS_000, Game, title
from table.stories import told

SHOWN = {
    # step of the book: what is shown at MBS, at RWS roulette and at the Money Wheel
    "open": ("Place your bets, please", "Place your bets", "Place your Bets, please"),
    "warning": ("Last bets: 5 seconds", "Last bets: 5 seconds", "Last bets: 5 seconds"),
    "closed": ("No more bets", "No More Bets", "No more Bets"),
    "spinning": ("The ball is rolling", "The ball is rolling", "The wheel is turning"),
    "result": ("17 wins", "000 wins", "SGD 20 wins"),
    "settled": ("Bets are settled", "Bets are settled", "Bets are settled"),
    "void": (
        "Round 2 is void: Somebody interfered with ball or wheel: a sleeve. All bets are returned",
        "Round 2 is void: Somebody interfered with ball or wheel: a sleeve. All bets are returned",
        "Round 2 is void: Somebody interfered while the wheel was turning: a sleeve. All bets are returned",
    ),
    "correction": (
        "Round 1: the result is corrected to 20",
        "Round 1: the result is corrected to 32",
        "Round 1: the result is corrected to SGD 1",
    ),
    "interrupted": ("Play is interrupted: please wait",) * 3,
    "decision": ("The shift manager has decided: a stuck screen",) * 3,
    "last-round": ("Last round: the table closes after it",) * 3,
    "table-closed": ("This table is closed",) * 3,
}
"""Every step but the call of no spin, which only one of the games has."""


@pytest.mark.parametrize(("index", "game"), [(0, MBS), (1, RWS_000), (2, MONEY_WHEEL)], ids=title)
@pytest.mark.parametrize("step", SHOWN)
def test_players_are_shown_the_notice_of_each_step(index: int, game: Game, step: str) -> None:
    shown = {
        getattr(entry.event, "notice", None)
        for entry in told(game).entries
        if audience(entry.event) != "staff"
    }

    assert SHOWN[step][index] in shown


def test_the_list_of_steps_is_whole() -> None:
    steps = {*told(MBS).rules.book.notices}

    assert {*SHOWN} == steps - {"no-spin"}
