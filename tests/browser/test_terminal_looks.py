"""How the terminal looks: at three sizes, dark and light, for axe, without scrolling."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from browser.browser_rig import BOOKS, Table
from browser.office_rig import SIZES, check_access, picture
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.table import Limits, Range
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

FITS = """() => {
  const wrong = [];
  const root = document.documentElement;
  if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) wrong.push('the page scrolls');
  const parts = ['.stage', '.play', '.dock', '.clock', '.dock button', '[data-bet]', '[data-call]'];
  for (const part of document.querySelectorAll(parts)) {
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const isIn = left > -1 && top > -1 && right < innerWidth + 1 && bottom < innerHeight + 1;
    if (!isIn) wrong.push(`outside: ${part.outerHTML.slice(0, 120)}`);
  }
  for (const button of document.querySelectorAll('.dock button, .tabs button')) {
    const { height } = button.getBoundingClientRect();
    if (height < 43.5) wrong.push(`too small: ${button.outerHTML.slice(0, 120)}`);
  }
  return wrong;
}"""


SMALLEST_CELL = """() => Math.min(
  ...[...document.querySelectorAll(".number > rect:first-child, [data-bet^=symbol]")]
  .map((cell) => cell.getBoundingClientRect()).map(({ width, height }) => Math.min(width, height)))"""
"""How wide or high the smallest place of the felt is."""


def betting(table: Tables, terminal: Terminals, book: str, size: str, **context: object) -> TerminalScreen:
    made = table(book)
    width, height = SIZES[size]
    phone = size == "390x844"
    screen = terminal(made, viewport={"width": width, "height": height}, has_touch=phone, **context)
    made.do(c.OpenRound())
    screen.state("betting")
    return screen


def some_bets(screen: TerminalScreen) -> None:
    """Bets of every shape on the felt."""
    if "money" in screen.table.book.id:
        screen.touch("symbol:10", "symbol:5")
        screen.registered({"symbol:10": 500, "symbol:5": 500})
        return
    bets = ("straight:17", "split:17/20", "corner:25/26/28/29", "red", "dozen:2")
    screen.touch_points((screen.place_of(screen.spot(bet)) for bet in bets), "mouse")
    screen.registered(dict.fromkeys(bets, 500))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("book", BOOKS)
def test_nothing_scrolls_while_bets_are_open(
    table: Tables, terminal: Terminals, book: str, size: str
) -> None:
    screen = betting(table, terminal, book, size)
    some_bets(screen)
    screen.page.mouse.move(1, 1)
    assert screen.page.evaluate(FITS) == []
    picture(screen.page, f"terminal-{book}-{size}")
    if size == "390x844" and "money" not in book:
        for name in ("Racetrack", "Wheel"):
            screen.button(name).click()
            expect(screen.button(name)).to_have_attribute("aria-pressed", "true")
            assert screen.page.evaluate(FITS) == []
            picture(screen.page, f"terminal-{book}-{size}-{name.lower()}")


@pytest.mark.parametrize("size", [(640, 400), (960, 540), (844, 390)])
@pytest.mark.parametrize("book", ["mbs-roulette", "rws-money-wheel"])
def test_in_a_low_window_the_page_scrolls_and_bets_can_be_hit(
    table: Tables, terminal: Terminals, book: str, size: tuple[int, int]
) -> None:
    made = table(book)
    screen = terminal(made, viewport={"width": size[0], "height": size[1]})
    said: list[tuple[str, str]] = []
    screen.page.on("console", lambda message: said.append((message.type, message.text)))
    screen.reload()
    made.do(c.OpenRound())
    screen.state("betting")
    bet = "symbol:10" if "money" in book else "straight:17"
    spot = screen.spot(bet)
    spot.scroll_into_view_if_needed()
    screen.touch(bet)
    screen.registered({bet: 500})
    for place in screen.page.locator(".dock button").all():
        place.scroll_into_view_if_needed()
        expect(place).to_be_in_viewport(ratio=0.95)
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert screen.page.evaluate(SMALLEST_CELL) >= (40 if "money" in book else 26)
    assert [text for kind, text in said if kind == "error"] == []


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", ["1280x800", "390x844"])
def test_axe_finds_nothing_in_the_states_of_a_round(
    table: Tables, terminal: Terminals, size: str, scheme: str
) -> None:
    screen = betting(table, terminal, "mbs-roulette", size, color_scheme=scheme)
    some_bets(screen)
    made = screen.table
    check_access(screen.page)
    made.do(c.CloseBets(), c.StartSpin())
    screen.state("spinning")
    check_access(screen.page)
    made.do(c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    screen.state("ended")
    expect(screen.page.locator(".win")).to_be_visible()
    check_access(screen.page)
    picture(screen.page, f"terminal-win-{size}-{scheme}")
    made.do(c.CorrectResult(round=1, result="18", reason="misread"))
    expect(screen.button("Understood")).to_be_visible()
    check_access(screen.page)
    screen.button("Understood").click()
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="The ball left the wheel"))
    screen.state("void")
    check_access(screen.page)
    picture(screen.page, f"terminal-void-{size}-{scheme}")


def test_axe_finds_nothing_on_the_sheets_and_the_money_wheel(table: Tables, terminal: Terminals) -> None:
    screen = betting(table, terminal, "rws-money-wheel", "1280x800")
    some_bets(screen)
    check_access(screen.page)
    for name in ("Rules", "History", "Statistics", "Attendant", "Favourites", "Buy in", "Cash out"):
        screen.open_sheet(name)
        check_access(screen.page)
        picture(screen.page, f"terminal-sheet-{name.lower().replace(' ', '-')}")
        screen.close_sheet()
    screen.page.locator(".session").click()
    expect(screen.sheet).to_contain_text("Loss limit")
    check_access(screen.page)


def test_axe_finds_nothing_where_play_stops(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette", lock_up_cents=10_000)
    made.do(c.OpenSeat(seat="3", kind="alfastreet"), c.OpenRound())
    empty, screen = terminal(made, "3"), terminal(made, line=True)
    expect(empty.page.get_by_role("alert")).to_contain_text("Buy in to play")
    check_access(empty.page)
    screen.touch("straight:17")
    screen.registered({"straight:17": 500})
    assert screen.line is not None
    screen.line.cut()
    screen.state("disconnected")
    check_access(screen.page)
    picture(screen.page, "terminal-disconnected")
    screen.line.mend()
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    screen.state("locked")
    check_access(screen.page)
    picture(screen.page, "terminal-locked")


def test_a_page_that_nobody_knows_asks_for_a_code(
    browser: Browser, table: Tables, live: LiveServer, terminal: Terminals
) -> None:
    made = table()
    coded = TerminalScreen(browser.new_context(locale="en-SG"), made, "1")
    page = coded.page
    page.goto(f"{live.base_url}/terminal")
    expect(page.get_by_role("heading", name="Player Terminal")).to_be_visible()
    check_access(page)
    page.get_by_label("Code").fill("NO-SUCH-CODE")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).not_to_be_empty()
    page.get_by_label("Code").fill(coded.code())
    page.keyboard.press("Enter")
    coded.shows_table()
    expect(page.get_by_text(f"Table {made.name} · Seat 1")).to_be_visible()

    # Another page of the same seat is the seat from then on, and this one says that it is not any more.
    terminal(made)
    expect(page.get_by_role("heading", name="Player Terminal")).to_be_visible()
    page.context.close()


@clause("mbs-roulette:6.3")
def test_history_rules_and_statistics_can_be_read(table: Tables, terminal: Terminals) -> None:
    screen = betting(table, terminal, "mbs-roulette", "1280x800")
    made = screen.table
    screen.touch("straight:17", "red")
    screen.registered({"straight:17": 500, "red": 500})
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    screen.state("ended")

    history = screen.open_sheet("History")
    expect(history).to_contain_text("Recall: rounds as they were, not live")
    expect(history.get_by_role("row", name="Straight Up 17")).to_contain_text("180.00")
    expect(history.get_by_role("row", name="Red")).to_contain_text("0.00")
    for text in ("Credits before", "1,000.00", "1,170.00", "Place your bets, please", "No more bets"):
        expect(history).to_contain_text(text)
    screen.close_sheet()

    rules = screen.open_sheet("Rules")
    expect(rules.get_by_role("row", name=re.compile("^Straight Up"))).to_contain_text("2.70%")
    expect(rules).to_contain_text("Limits at this table")
    screen.close_sheet()

    statistics = screen.open_sheet("Statistics")
    expect(statistics).to_contain_text("For information only.")
    expect(statistics).to_contain_text("100.00%")


def test_the_terminal_asks_no_other_server(table: Tables, terminal: Terminals, live: LiveServer) -> None:
    screen = betting(table, terminal, "mbs-roulette", "1280x800", locale="zh-CN")
    hosts = {
        urlsplit(request.url).netloc for request in screen.requests if not request.url.startswith("data:")
    }
    assert hosts == {urlsplit(live.base_url).netloc}


CUT_IN_BOXES = """() => [...document.querySelectorAll('.boxes [data-bet]')].flatMap((box) => {
  const at = (part) => part.getBoundingClientRect();
  const chip = at(box.querySelector('svg.here'));
  // What is written is as wide as its letters, and not as its block.
  const pays = document.createRange();
  pays.selectNodeContents(box.querySelector('.pays b'));
  const total = document.createRange();
  total.selectNodeContents(box.querySelector('.fill span'));
  const wrong = [];
  if (at(total).right > at(box).right || at(total).bottom > at(box).bottom) wrong.push('the total is cut');
  if (at(pays).right > chip.left) wrong.push('a chip covers what it pays');
  const label = box.querySelector('svg.here text').getBBox();
  if (label.width > 2 * 0.7 * 34) wrong.push('the label is cut');
  return wrong.map((text) => `${box.dataset.bet}: ${text}`);
})"""
"""What cannot be read of boxes with large sums; chips have a radius of 34, their inner ring 0.7 of it."""


@pytest.mark.parametrize("size", [(960, 540), (1100, 800), (1280, 800), (390, 844)])
def test_large_sums_of_boxes_are_read_whole(
    table: Tables, terminal: Terminals, size: tuple[int, int]
) -> None:
    box = Range(minimum_cents=500, maximum_cents=100_000_000)
    made = table("rws-money-wheel", limits=Limits(bets={"symbol": box}))
    screen = terminal(made, viewport={"width": size[0], "height": size[1]})
    made.do(c.BuyCredits(seat="1", cents=1_000_000_000), c.OpenRound())
    stakes = tuple(c.Stake(bet, 87_654_300) for bet in made.rules.layout.bets)
    made.do(c.PlaceBets(seat="1", stakes=stakes))
    expect(screen.page.locator("svg.here")).to_have_count(len(stakes))
    cut = screen.page.evaluate(CUT_IN_BOXES)
    assert cut == []


def test_the_hint_inside_the_racetrack_is_read_whole(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-00", layout="B")
    screen = terminal(made, viewport={"width": 960, "height": 768})
    inside = screen.page.locator(".track .plain").bounding_box()
    assert inside is not None
    for line in screen.page.locator(".track .hint").all():
        text = line.bounding_box()
        assert text is not None
        assert inside["x"] < text["x"] < text["x"] + text["width"] < inside["x"] + inside["width"]


def test_a_sheet_that_is_closed_gives_the_focus_back(table: Tables, terminal: Terminals) -> None:
    screen = betting(table, terminal, "mbs-roulette", "1280x800")
    opener = screen.page.get_by_role("button", name="Rules", exact=True)
    opener.focus()
    for close in ("Escape", "Enter"):
        screen.page.keyboard.press("Enter")
        sheet = screen.page.get_by_role("dialog")
        expect(sheet).to_be_visible()
        if close == "Enter":
            sheet.get_by_role("button", name="Close").focus()
        screen.page.keyboard.press(close)
        expect(sheet).to_have_count(0)
        expect(opener).to_be_focused()
