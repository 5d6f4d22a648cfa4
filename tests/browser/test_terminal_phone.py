"""A terminal in the hand: limits and bell are in sight, and a reload comes back to what was looked at."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import BOOKS, Table
from browser.office_rig import check_access, has_no_sideways_scroll
from browser.terminal_rig import TerminalScreen
from croupier.rulebook import load_book
from croupier.table import Limits, Range
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

RANGE = "5 \N{EN DASH} 10,000"
PHONE = {"width": 390, "height": 844}
OUTSIDE = "node => node.scrollWidth > node.clientWidth || node.getBoundingClientRect().right > innerWidth"


@pytest.mark.parametrize("book", BOOKS)
def test_the_limits_are_in_sight_and_a_touch_opens_all_of_them(
    table: Tables, terminal: Terminals, book: str
) -> None:
    kinds = {bet.kind for bet in next(iter(load_book(book).layouts.values())).bets.values()}
    limits = Limits(bets={kind: Range(minimum_cents=500, maximum_cents=1_000_000) for kind in kinds})
    screen = terminal(table(book, limits=limits), viewport=PHONE)
    line = screen.page.get_by_role("button", name="Limits at this table")
    expect(line).to_contain_text(RANGE)
    assert not line.locator(".lines").evaluate(OUTSIDE)
    assert has_no_sideways_scroll(screen.page)
    check_access(screen.page)
    line.click()
    expect(screen.sheet).to_contain_text("Pay table")
    expect(screen.sheet.get_by_text(RANGE).first).to_be_visible()


def test_an_attendant_is_one_touch_away(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table(), viewport=PHONE)
    screen.page.get_by_role("button", name="Attendant", exact=True).click()
    expect(screen.sheet).to_contain_text("What is it about?")


def test_what_is_looked_at_outlasts_a_reload(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette", betting_seconds=600)
    made.do(c.OpenRound())
    screen = terminal(made, viewport=PHONE)
    shown = screen.page.locator(".app")
    expect(shown).to_have_attribute("data-tab", "board")
    screen.button("Racetrack").click()
    expect(shown).to_have_attribute("data-tab", "race")
    screen.page.reload()
    expect(screen.page.get_by_role("button", name=re.compile("^Tiers"))).to_be_visible()
    expect(shown).to_have_attribute("data-tab", "race")
    # The wheel while it decides, also after a reload; and then the table, with what won.
    made.do(c.CloseBets(), c.StartSpin())
    expect(shown).to_have_attribute("data-tab", "wheel")
    screen.page.reload()
    expect(shown).to_have_attribute("data-tab", "wheel")
    made.do(c.EnterResult(result="5"), c.ConfirmResult(result="5"))
    expect(shown).to_have_attribute("data-tab", "board")
    made.do(c.OpenRound())
    screen.page.reload()
    expect(shown).to_have_attribute("data-tab", "board")


def test_chinese_stands_upright_in_high_boxes(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table(), viewport=PHONE)
    dozen = screen.page.locator(".box text", has_text="2nd 12")
    expect(dozen).to_have_attribute("transform", re.compile("rotate"))
    screen.page.get_by_role("button", name="Menu").click()
    screen.sheet.get_by_role("button", name=re.compile("^Language")).click()
    upright = screen.page.locator(".box text", has_text="第二打")
    expect(upright).to_have_css("writing-mode", "vertical-rl")
    assert upright.get_attribute("transform") is None
