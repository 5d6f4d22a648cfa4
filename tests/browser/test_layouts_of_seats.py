"""Terminals of both layouts at one wheel: each draws its own, and the console shows them all."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import picture
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]
CORNER, TOP_LINE = "corner:0/1/2/3", "top-line:0/00/1/2/3"


@clause("rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2")
def test_terminals_of_both_layouts_play_a_round(
    table: Tables, terminal: Terminals, console: ConsoleScreen
) -> None:
    made = table("rws-roulette-00", seats=1, layout=("A", "B"), betting_seconds=600)
    made.do(c.OpenSeat(seat="2", kind="rapid", layout="B"), c.BuyCredits(seat="2", cents=100_000))
    one, two = terminal(made), terminal(made, "2")
    console.open(made)
    for screen, layout in ((one, "A"), (two, "B")):
        expect(screen.page.locator("header").first).to_contain_text(f"Layout {layout}")
    seats = console.panel("Seats")
    expect(seats.get_by_role("button", name="Seat 1, Layout A")).to_be_visible()
    expect(seats.get_by_role("button", name="Seat 2, Layout B")).to_be_visible()

    console.press("Space")
    one.state("betting")
    made.do(c.PlaceBets(seat="1", stakes=(c.Stake(CORNER, 1_000), c.Stake("straight:17", 1_000))))
    made.do(c.PlaceBets(seat="2", stakes=(c.Stake(TOP_LINE, 1_000), c.Stake("straight:17", 500))))
    expect(console.page.get_by_test_id("total")).to_have_text("35.00")
    console.picture("layouts-console-a")
    shown = console.page.get_by_role("group", name="Which layout is shown")
    expect(shown.get_by_role("button", name="Layout A")).to_have_attribute("aria-pressed", "true")
    shown.get_by_role("button", name="Layout B").click()
    expect(shown.get_by_role("button", name="Layout B")).to_have_attribute("aria-pressed", "true")
    expect(console.page.get_by_test_id("elsewhere")).to_have_text("10.00")
    console.picture("layouts-console-b")
    picture(one.page, "layouts-terminal-a")
    picture(two.page, "layouts-terminal-b")

    console.press("Space")
    console.phase("closed")
    made.do(c.StartSpin(), c.EnterResult(result="0"), c.ConfirmResult(result="0"))
    expect(two.page.get_by_text(re.compile("70.00")).first).to_be_visible()
    expect(one.page.get_by_text(re.compile("90.00")).first).to_be_visible()


def test_an_empty_seat_is_put_into_use_with_another_layout(table: Tables, console: ConsoleScreen) -> None:
    made = table("rws-roulette-00", seats=1, layout=("A", "B"))
    made.do(c.OpenSeat(seat="2", kind="rapid", layout="A"))
    console.open(made)

    console.panel("Seats").get_by_role("button", name="Seat 2, Layout A").click()
    dialog = console.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Take out of use").click()
    console.panel("Seats").get_by_role("button", name="Seat 2, Layout A").click()
    console.picture("layouts-open-seat")
    dialog.get_by_role("button", name="Put into use with layout B").click()

    expect(console.panel("Seats").get_by_role("button", name="Seat 2, Layout B")).to_be_visible()
    assert made.state.seats["2"].layout == "B"
