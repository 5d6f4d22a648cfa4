"""Approved notices stand in the words of the book on terminals and displays, in either language."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, expect

from browser.browser_rig import BOOKS, Table
from browser.office_rig import SIZES, check_access, picture, resize
from browser.terminal_rig import TerminalScreen
from browser.test_display_board import OUTSIDE, display
from clauses import clause
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

LOCALES = {"en": "en-SG", "zh": "zh-CN"}
APPROVED = {
    "mbs-roulette": ("Place your bets, please", "No more bets", "17 wins", "17"),
    "rws-roulette-00": ("Place your bets", "No More Bets", "00 wins", "00"),
    "rws-roulette-000": ("Place your bets", "No More Bets", "000 wins", "000"),
    "rws-money-wheel": (
        "Place your Bets, please",
        "No more Bets",
        "Resorts World Sentosa wins",
        "resorts-world-sentosa",
    ),
}
"""By book, what stands there while bets are open, while they are closed, and of the result; and a result."""
OWN = ("\u8bf7\u4e0b\u6ce8", "\u505c\u6b62\u4e0b\u6ce8", "\u5f00\u51fa")
"""The same in Chinese, as far as it needs no result."""
WHOLE = """(node) => {
    const drawn = document.createRange();
    drawn.selectNodeContents(node);
    const box = drawn.getBoundingClientRect();
    const holders = [];
    for (let each = node.parentElement; each; each = each.parentElement) holders.push(each);
    return box.width > 0 && holders.every((each) => {
        const around = each.getBoundingClientRect();
        const cuts = getComputedStyle(each).overflow !== 'visible';
        return !cuts || (box.left >= around.left - 1 && box.right <= around.right + 1
            && box.top >= around.top - 3 && box.bottom <= around.bottom + 3);
    });
}"""
"""Whether all of a text is in sight: nothing around it cuts a part off."""


def stands(heading: Locator, words: str, own: str | None, language: str) -> None:
    """The words of the book are in sight whole, and in Chinese the translation is beside them, smaller.

    `own` is None where there is no room for it beside them, and the screen says the same elsewhere.
    """
    said = heading.get_by_text(words, exact=True)
    expect(said).to_be_visible()
    assert said.evaluate(WHOLE), words
    small = heading.locator("small").first
    if language == "en":
        assert said.get_attribute("lang") is None
        expect(heading).not_to_have_text(re.compile("[\u4e00-\u9fff]"))
        return
    assert said.get_attribute("lang") == "en"
    if own is None:
        return
    expect(small).to_contain_text(own)
    assert small.evaluate(WHOLE), own
    large, less = (
        each.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)") for each in (said, small)
    )
    assert large > less


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("book", BOOKS)
@clause("mbs-roulette:3.1", "mbs-roulette:3.2", "mbs-roulette:3.7", "mbs-roulette:3.8")
@clause("rws-roulette-00:3.2", "rws-roulette-00:3.5", "rws-roulette-000:3.2", "rws-roulette-000:3.5")
@clause("rws-money-wheel:3.2", "rws-money-wheel:3.6", "rws-money-wheel:3.8", "rws-money-wheel:5.6")
def test_the_words_of_the_book_stand_on_terminal_and_display(
    browser: Browser, live: LiveServer, table: Tables, terminal: Terminals, book: str, language: str
) -> None:
    opened, closed, won, result = APPROVED[book]
    made = table(book, betting_seconds=60)
    screen = terminal(made, locale=LOCALES[language])
    context = browser.new_context(
        locale=LOCALES[language], viewport={"width": 1920, "height": 1080}, color_scheme="dark"
    )
    board = display(context.new_page(), live, made)
    headings = [page.get_by_role("heading", level=1) for page in (screen.page, board)]

    def look(words: str, own: str, step: str) -> None:
        shown = [*zip((screen.page, board), headings, ("terminal", "display"), strict=True)]
        for size in SIZES:
            for page, heading, name in shown:
                resize(page, size)
                picture(page, f"approved-{name}-{book}-{step}-{language}-{size}")
                stands(heading, words, own, language)
        check_access(screen.page)

    made.do(c.OpenRound())
    bet = f"symbol:{result}" if "money" in book else f"straight:{result}"
    made.do(c.PlaceBets(seat="1", stakes=(c.Stake(bet, 2_000),)))
    screen.state("betting")
    look(opened, OWN[0], "open")
    made.do(c.CloseBets())
    screen.state("closed")
    look(closed, OWN[1], "closed")
    made.do(c.StartSpin())
    screen.state("spinning")
    # Bets stay closed while the ball rolls, and players go on reading it.
    look(closed, OWN[1], "spinning")
    made.do(c.EnterResult(result=result), c.ConfirmResult(result=result))
    screen.state("ended")
    look(won, OWN[2], "result")
    context.close()


@pytest.mark.parametrize("language", LOCALES)
@clause("rws-roulette-00:3.2", "rws-roulette-00:3.5", "rws-roulette-000:3.5")
def test_bets_that_close_while_the_ball_rolls(
    browser: Browser, live: LiveServer, table: Tables, terminal: Terminals, language: str
) -> None:
    made = table("rws-roulette-00")
    screen = terminal(made, locale=LOCALES[language])
    context = browser.new_context(locale=LOCALES[language], viewport={"width": 1920, "height": 1080})
    board = display(context.new_page(), live, made)
    headings = [page.get_by_role("heading", level=1) for page in (screen.page, board)]
    made.do(c.OpenRound(), c.StartSpin())
    screen.state("betting")
    for heading in headings:
        stands(heading, "Place your bets", OWN[0], language)
    made.do(c.CloseBets())
    screen.state("spinning")
    for heading in headings:
        stands(heading, "No More Bets", OWN[1], language)
    context.close()


@pytest.mark.parametrize("language", LOCALES)
@clause("rws-roulette-000:5.9", "mbs-roulette:5.15")
def test_a_void_round_in_the_words_of_the_book(
    browser: Browser, live: LiveServer, table: Tables, terminal: Terminals, language: str
) -> None:
    declared = c.DeclareIrregularity(cause="foreign-object")
    for book, do, words, own in (
        (
            "mbs-roulette",
            c.CallNoSpin(reason="a coin"),
            "No spin: a coin. All bets are returned",
            "\u65e0\u6548",
        ),
        (
            "rws-roulette-000",
            declared,
            "Round 1 is void: Foreign object in the wheel before the ball was at rest. All bets are returned",
            "\u4f5c\u5e9f",
        ),
    ):
        made = table(book)
        screen = terminal(made, locale=LOCALES[language])
        context = browser.new_context(locale=LOCALES[language], viewport={"width": 1920, "height": 1080})
        board = display(context.new_page(), live, made)
        made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), do)
        screen.state("void")
        for size in SIZES:
            for page, name in ((screen.page, "terminal"), (board, "display")):
                resize(page, size)
                is_small = name == "terminal" and size == "390x844"
                stands(page.get_by_role("heading", level=1), words, None if is_small else own, language)
                if language == "zh" and is_small:
                    expect(page.get_by_role("alert")).to_contain_text("\u672c\u5c40\u4f5c\u5e9f")
                picture(page, f"approved-{name}-{book}-void-{language}-{size}")
        context.close()


@clause("mbs-roulette:5.15")
def test_a_long_reason_leaves_room_for_the_words_of_the_book_and_their_translation(
    browser: Browser, live: LiveServer, table: Tables
) -> None:
    made = table()
    context = browser.new_context(locale=LOCALES["zh"], viewport={"width": 1920, "height": 1080})
    board = display(context.new_page(), live, made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="The ball hit a sleeve. " * 12))
    heading = board.get_by_role("heading", level=1)
    expect(heading.locator("[lang=en]")).to_have_text(
        re.compile(r"^No spin: The ball .*\u2026\. All bets are returned$")
    )
    expect(heading.locator("small")).to_contain_text("\u65e0\u6548")
    picture(board, "approved-display-long-zh")
    assert board.evaluate(OUTSIDE) == []
    context.close()
