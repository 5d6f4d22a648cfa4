"""That the table closes stands on every screen in front of it, also on one that comes later."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import BOOKS, Table
from browser.terminal_rig import TerminalScreen
from browser.test_display_board import OUTSIDE, display
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

LAST = "Last round: the table closes after it"
PHONE = {"width": 390, "height": 844}


def finish(table: Table) -> None:
    """The round that runs ends with a result."""
    table.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="5"), c.ConfirmResult(result="5"))


@pytest.mark.parametrize("book", BOOKS)
def test_whoever_comes_later_is_told_as_well(
    page: Page, live: LiveServer, table: Tables, terminal: Terminals, book: str
) -> None:
    made = table(book, betting_seconds=600)
    made.do(c.OpenRound(), c.AnnounceLastRound())
    screens = [terminal(made), terminal(made, "2", viewport=PHONE)]
    board = display(page, live, made).get_by_role("heading", level=1)
    stages = [screen.page.get_by_role("region", name="Round", exact=True) for screen in screens]
    for stage in stages:
        expect(stage.get_by_role("heading", level=1)).to_contain_text("lace your")
        expect(stage.get_by_text(LAST)).to_be_visible()
    expect(board).to_contain_text("lace your")
    expect(board).to_contain_text(LAST)
    assert page.evaluate(OUTSIDE) == []
    finish(made)
    for told in [*stages, board]:
        expect(told).to_contain_text("The last round is over, the table is closing")
        expect(told).not_to_contain_text("opens shortly")


def test_it_is_said_while_bets_are_open_in_the_words_of_the_book(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-000", betting_seconds=600)
    screen = terminal(made)
    made.do(c.OpenRound(), c.AnnounceLastRound())
    card = screen.page.get_by_role("alert")
    expect(card).to_contain_text(LAST)
    expect(card).to_contain_text("This is the last round.")
    expect(screen.page.get_by_role("status").filter(has_text=LAST)).to_be_visible()
    finish(made)
    expect(card).to_contain_text("The last round has been played.")
    made.do(c.CloseTable(), c.OpenTable())
    expect(card).to_have_count(0)


def test_a_void_round_gives_the_last_one_back(
    page: Page, live: LiveServer, table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    made.do(c.AnnounceLastRound(), c.OpenRound())
    screen, board = terminal(made), display(page, live, made).get_by_role("heading", level=1)
    stage = screen.page.get_by_role("region", name="Round", exact=True)
    expect(stage).to_contain_text(LAST)
    found = made.book.irregularities.values()
    wrong = next(each for each in found if each.consequence == "void-round" and each.since == "spin")
    made.do(c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause=wrong.cause))
    screen.state("void")
    for told in (stage, board):
        expect(told).to_contain_text("The next round is the last one")
    expect(screen.page.get_by_role("alert")).to_contain_text(
        "Earlier rounds stand. The next round is the last one."
    )
    made.do(c.OpenRound())
    for told in (stage, board):
        expect(told).to_contain_text(LAST)
