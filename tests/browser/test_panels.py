"""The panels in casinos and the zooms that people set: 1024x768, low windows, a phone held across."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import ConsoleScreen, Table, make_table
from browser.office_rig import a_voucher, pit, sign_in
from browser.terminal_rig import TerminalScreen
from browser.test_terminal_looks import FITS, SMALLEST_CELL
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

ACROSS = {
    "a phone held across": (844, 390),
    "1280x800 at 125 %": (1024, 640),
    "1366x768 at 125 %": (1093, 614),
    "1024x768 at 125 %": (819, 614),
    "1366x768 in a browser with its bars": (1366, 650),
}
SMALL_PANEL = {"width": 1024, "height": 768}
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("size", ACROSS.values(), ids=ACROSS)
@pytest.mark.parametrize("book", ["mbs-roulette", "rws-roulette-000", "rws-money-wheel"])
def test_chips_and_table_are_in_sight_together_in_a_low_window(
    table: Tables, terminal: Terminals, book: str, size: tuple[int, int]
) -> None:
    made = table(book)
    screen = terminal(made, viewport={"width": size[0], "height": size[1]})
    made.do(c.OpenRound())
    screen.state("betting")
    bet = "symbol:10" if "money" in book else "straight:17"
    screen.touch(bet)
    screen.registered({bet: 500})
    screen.page.mouse.move(1, 1)
    assert screen.page.evaluate(FITS) == []
    assert screen.page.evaluate(SMALLEST_CELL) >= (40 if "money" in book else 33)
    if "money" not in book:
        screen.button("Racetrack").click()
        assert screen.page.evaluate(FITS) == []
        screen.button("Wheel").click()
        expect(screen.page.locator(".wheelbox")).to_be_visible()
        assert screen.page.evaluate(FITS) == []


def test_money_is_bought_beside_the_table_where_a_low_window_has_room(
    table: Tables, terminal: Terminals
) -> None:
    screen = terminal(table(), viewport={"width": 1024, "height": 640})
    screen.open_sheet("Buy in")
    screen.close_sheet()
    expect(screen.button("Cash out")).to_be_in_viewport(ratio=1)


def test_a_finger_hits_what_a_phone_has_above_its_table(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table(), viewport=PHONE)
    limits = screen.page.get_by_role("button", name="Limits at this table")
    line, call = limits.bounding_box(), screen.button("Attendant").bounding_box()
    assert line is not None
    assert call is not None
    assert call["height"] >= 44
    screen.page.mouse.click(line["x"] + line["width"] / 2, line["y"] + line["height"] - 43)
    expect(screen.sheet.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


def test_the_statistics_draw_no_bar_before_there_is_room(table: Tables, terminal: Terminals) -> None:
    made = table()
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"))
    made.do(c.ConfirmResult(result="17"))
    screen = terminal(made)
    said: list[str] = []
    screen.page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    expect(screen.open_sheet("Statistics")).to_contain_text("100.00%")
    assert said == []


@pytest.mark.parametrize(("book", "kind"), [("mbs-roulette", "alfastreet"), ("rws-roulette-000", "rapid")])
def test_every_reach_of_neighbours_is_as_wide_as_a_fingertip(
    table: Tables, terminal: Terminals, book: str, kind: str
) -> None:
    made = table(book)
    made.do(c.OpenSeat(seat="3", kind=kind))
    screen = terminal(made, "3", viewport={"width": 1280, "height": 800})
    reaches = screen.page.locator(".segmented button")
    expect(reaches.first).to_be_visible()
    for reach in reaches.all():
        box = reach.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def spinning(console: ConsoleScreen, table: Tables) -> Table:
    made = table("rws-roulette-00", seats=8, layout="B")
    console.page.set_viewport_size(SMALL_PANEL)
    console.open(made)
    made.do(c.OpenRound())
    made.crowd(8)
    made.do(c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    return made


def test_the_pad_of_a_small_panel_has_numbers_for_a_finger(console: ConsoleScreen, table: Tables) -> None:
    spinning(console, table)
    for number in ("1", "17", "36"):
        box = console.cell(number).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 34
    console.cell("17").click()
    console.phase("resulted")


OVER_SIGNS = """() => [...document.querySelectorAll('.felt .diamond')].flatMap((sign) => {
  const label = sign.parentNode.querySelector('.label');
  const [at, word] = [sign.getBoundingClientRect(), label.getBoundingClientRect()];
  return word.left < at.right ? [label.textContent] : [];
})"""


def test_the_sign_of_a_colour_lies_under_no_word(console: ConsoleScreen, table: Tables) -> None:
    spinning(console, table)
    for width in (1024, 1093, 1280, 1366):
        console.page.set_viewport_size({"width": width, "height": 768})
        assert console.page.evaluate(OVER_SIGNS) == [], width


def test_what_players_will_read_can_be_read_on_a_small_panel(console: ConsoleScreen, table: Tables) -> None:
    spinning(console, table)
    console.irregularity("1")
    reads = console.panel("Void round 1?").locator(".preview")
    reads.scroll_into_view_if_needed()
    expect(reads).to_be_in_viewport(ratio=0.98)
    cut = reads.evaluate(
        "(box) => box.getBoundingClientRect().bottom > box.closest('.panel').getBoundingClientRect().bottom"
    )
    assert not cut


def test_a_pit_of_twenty_tables_has_room_for_a_recall(page: Page, live: LiveServer) -> None:
    for number in range(20):
        make_table(live, f"P{number}", "mbs-roulette", seats=1)
    pit(page, live)
    expect(page.locator("article").nth(19)).to_be_visible()
    tables = page.locator("article").count()
    expect(page.get_by_text(re.compile(rf"^1.{tables}$"))).to_be_visible()
    recall = page.locator(".recall")
    recall.scroll_into_view_if_needed()
    box = recall.bounding_box()
    assert box is not None
    assert box["height"] >= 400
    recall.locator("input").first.click()


@pytest.mark.parametrize("size", [(1024, 768), (1093, 614), (1280, 800), (390, 844)])
def test_every_digit_of_a_voucher_is_in_sight(
    page: Page, live: LiveServer, table: Tables, size: tuple[int, int]
) -> None:
    number = a_voucher(live, table().name, "1", 10_000)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, live, "cage", "cash")
    field = page.get_by_role("textbox", name="Voucher number")
    field.fill(number)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Payable")).to_be_visible()
    assert field.evaluate("(field) => field.scrollWidth <= field.clientWidth")
