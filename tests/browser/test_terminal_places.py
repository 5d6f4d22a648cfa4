"""Everything on a terminal stands in its place at every size of screen, whatever the sums are."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

OUTSIDE: Final = """() => [
    ['.dock .sent', '.dock .credits'], ['.dock .credits', '.dock .money'], ['.facts dt', '.facts'],
    ['.facts dd', '.facts'], ['.facts', '.side'], ['.session', '.side'], ['.wheelbox > *', '.wheelbox'],
].flatMap(([parts, whole]) => {
    const all = document.querySelector(whole).getBoundingClientRect();
    return [...document.querySelectorAll(parts)].filter((part) => {
        const text = document.createRange();
        text.selectNodeContents(part);
        const one = text.getBoundingClientRect();
        return one.right > all.right + 0.5 || one.bottom > all.bottom + 0.5;
    }).map((part) => part.className || part.textContent);
})"""
"""What is written across the edge of its place."""


@pytest.mark.parametrize("book", ["mbs-roulette", "rws-roulette-000"])
@pytest.mark.parametrize("size", [(1280, 800), (1280, 720), (1024, 768), (1080, 1920)])
def test_limits_and_what_is_registered_stay_in_their_places(
    table: Tables, terminal: Terminals, book: str, size: tuple[int, int]
) -> None:
    made = table(book)
    made.do(c.BuyCredits(seat="1", cents=98_765_432_100), c.OpenRound())
    for bet in list(made.rules.layout.bets)[:12]:
        made.do(c.PlaceBets(seat="1", stakes=(c.Stake(bet, 987_600),)))
    width, height = size
    screen = terminal(made, viewport={"width": width, "height": height})
    screen.state("betting")
    expect(screen.page.locator(".dock .sent")).to_have_text(re.compile("118,512 registered"))
    assert screen.page.evaluate(OUTSIDE) == []
    first, last = (screen.spot(bet).bounding_box() for bet in ("straight:1", "straight:34"))
    assert first is not None
    assert last is not None
    assert (last["y"] > first["y"] + 300) == (height > width)
    screen.touch("black")
    expect(screen.stack("black")).to_be_visible()
