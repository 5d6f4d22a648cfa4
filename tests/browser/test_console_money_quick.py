"""Stakes at the Money Wheel entered faster than the table answers, and amounts that could be misread."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]
BOOK = "rws-money-wheel"
STAKES = "Place a bet for a player"
BOXES = [box.id for box in Rules(load_book(BOOK)).layout.bets.values()]
WIDER = """() => [...document.querySelectorAll('.mw th, .mw td')].flatMap((cell) => {
  const room = cell.getBoundingClientRect();
  return [...cell.querySelectorAll(':not(.visually-hidden, .named)')].filter((part) => {
    const drawn = part.getBoundingClientRect();
    const isOut = drawn.left < room.left - 1 || drawn.right > room.right + 1;
    return isOut || part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0;
  }).map((part) => part.textContent.trim());
})"""
"""What is cut off in a cell of the grid, or runs out of it."""


class SlowLine:
    """A line on which what the console says waits until the test lets it go."""

    def __init__(self, page: Page) -> None:
        self._waiting: list[tuple[WebSocketRoute, Any]] = []
        self._holds = False
        page.route_web_socket(re.compile("/ws$"), self._connect)

    def hold(self) -> None:
        """From now on everything waits."""
        self._holds = True

    def let_go(self) -> None:
        """What waits goes on, and everything behind it."""
        self._holds = False
        for server, message in self._waiting:
            server.send(message)
        self._waiting.clear()

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def say(message: Any) -> None:
            if self._holds:
                self._waiting.append((server, message))
            else:
                server.send(message)

        socket.on_message(say)


def betting(console: ConsoleScreen, made: Table) -> None:
    """A console where bets are open."""
    console.open(made)
    console.press("Space")
    console.phase("betting")


@pytest.mark.parametrize("credits_cents", [0, 3000, 8000, 10_000])
def test_two_quick_stakes_both_lie_there_and_exactly_what_is_missing_is_sold(
    console: ConsoleScreen, table: Tables, credits_cents: int
) -> None:
    line = SlowLine(console.page)
    made = table(BOOK)
    made.do(c.CashOut(seat="1", voucher=f"{credits_cents:018d}"))
    if credits_cents:
        made.do(c.BuyCredits(seat="1", cents=credits_cents))
    betting(console, made)
    cell = console.page.locator('[data-place="1 symbol:5"]')
    cell.click()
    line.hold()
    console.press("5", "0", "Enter", "5", "0", "Enter")
    line.let_go()
    expect(console.page.get_by_role("button", name="Place 1, SGD 5: 100")).to_be_visible()
    assert dict(made.state.seats["1"].stakes) == {"symbol:5": 10_000}
    assert made.credits_cents("1") == 0
    expect(console.panel("Notices")).to_contain_text("Nothing to look at")


def test_advice_that_could_not_be_given_yet_stays_a_notice(console: ConsoleScreen, table: Tables) -> None:
    line = SlowLine(console.page)
    made = table(BOOK, limits=wide_limits(Rules(load_book(BOOK)), minimum_cents=5000))
    betting(console, made)
    made.bet("1", symbol__20=1000)
    notices = console.panel("Notices")
    expect(notices).to_contain_text("Place 1 is under 50 on SGD 20")
    console.page.locator('[data-place="2 symbol:5"]').click()
    line.hold()
    console.press("6", "0", "Enter")
    notices.get_by_role("button", name="Advise").click()
    line.let_go()
    expect(console.page.get_by_role("button", name="Place 2, SGD 5: 60")).to_be_visible()
    expect(notices).to_contain_text("Place 1 is under 50 on SGD 20")
    notices.get_by_role("button", name="Advise").click()
    expect(console.panel("Round log")).to_contain_text("told of the minimum")
    expect(notices).to_contain_text("Place 1 was advised: SGD 20 takes 50")


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 800)])
def test_an_amount_that_was_typed_and_not_entered_is_gone_at_the_close_and_said_to_be(
    console: ConsoleScreen, table: Tables, size: tuple[int, int]
) -> None:
    console.page.set_viewport_size({"width": size[0], "height": size[1]})
    made = table(BOOK)
    betting(console, made)
    cell = console.page.locator('[data-place="1 symbol:10"]')
    cell.click()
    console.press("7", "5")
    expect(cell).to_contain_text("+75")
    made.do(c.CloseBets())
    console.phase("closed")
    expect(cell).not_to_contain_text("75")
    if size[0] < 1500:
        console.page.get_by_role("tab", name="Notices").click()
    expect(console.panel("Notices")).to_contain_text("75 was not placed: bets are closed.")


def test_an_amount_typed_before_a_place_is_chosen_is_for_the_first_one(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table(BOOK)
    betting(console, made)
    console.press("5", "0", "Enter")
    stakes = console.panel(STAKES)
    expect(stakes.locator(".danger")).to_have_text("Choose a place and a box in the grid")
    expect(stakes.get_by_role("button", name="Place 50")).to_be_disabled()
    console.press("ArrowDown", "Enter")
    expect(console.page.get_by_role("button", name="Place 1, Resorts World Sentosa: 50")).to_be_visible()
    assert sum(made.state.seats["1"].stakes.values()) == 5000


def test_digits_beyond_the_longest_amount_are_a_fault_and_never_another_amount(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table(BOOK)
    betting(console, made)
    console.press("ArrowDown", *"12345678", "Enter")
    stakes = console.panel(STAKES)
    expect(stakes).to_contain_text("An amount has at most six digits")
    expect(stakes.get_by_role("button", name="Place 12,345,678")).to_be_disabled()
    assert not made.state.seats["1"].stakes
    console.press(*["Backspace"] * 6, "Enter")
    expect(console.page.get_by_role("button", name="Place 1, Resorts World Sentosa: 12")).to_be_visible()
    assert sum(made.state.seats["1"].stakes.values()) == 1200


@pytest.mark.parametrize("most_cents", [1_000_000, 1_234_567_800])
def test_amounts_stay_within_their_cells_and_are_read_whole(
    console: ConsoleScreen, table: Tables, most_cents: int
) -> None:
    limits = wide_limits(Rules(load_book(BOOK)), minimum_cents=1000, maximum_cents=most_cents)
    made = table(BOOK, seats=8, limits=limits)
    betting(console, made)
    for place, box in enumerate(BOXES):
        stakes = {"1": most_cents * 96 // 100, "2": most_cents // 7 if place % 2 else most_cents // 3}
        for seat, cents in stakes.items():
            made.do(c.BuyCredits(seat=seat, cents=cents))
            made.do(c.PlaceBets(seat=seat, stakes=(c.Stake(box, cents // 100 * 100),)))
    cell = console.page.locator(f'[data-place="1 {BOXES[1]}"]')
    cell.click()
    console.press(*"12345678")
    expect(cell).to_contain_text("+12345678")
    for width, height in ((1920, 1080), (1280, 800), (1024, 768), (390, 844)):
        console.page.set_viewport_size({"width": width, "height": height})
        assert console.page.evaluate(WIDER) == [], width
        console.picture(f"console-money-{most_cents}-{width}")


def test_the_arrows_bring_the_place_they_lead_to_into_sight(console: ConsoleScreen, table: Tables) -> None:
    made = table(BOOK, seats=40)
    betting(console, made)
    cell = console.page.locator(f'[data-place="40 {BOXES[0]}"]')
    expect(cell).not_to_be_in_viewport()
    console.press("ArrowDown", "ArrowUp")
    expect(cell).to_be_in_viewport()
