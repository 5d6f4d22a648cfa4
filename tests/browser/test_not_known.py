"""A staff screen without a line says that it does not know, and never that nothing is wrong."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import a_voucher, check_access, has_no_sideways_scroll, picture, pit, resize, sign_in
from browser.terminal_rig import TerminalLine
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]

KNOWN = re.compile(r"Nothing is wrong at any table|Nothing waits for a decision")
CLOCK = r"\d\d:\d\d:\d\d"


def panels(page: Page) -> list[Locator]:
    """What is wrong, and what waits for somebody."""
    return [page.get_by_role("region", name=name) for name in ("Alarms", "Decisions and outcomes waiting")]


def test_a_pit_that_has_heard_nothing_yet_knows_nothing(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="5"))
    line = TerminalLine(page)
    line.cut()
    sign_in(page, live, "pit", "shi")
    for panel in panels(page):
        expect(panel).to_contain_text("Not known yet")
    expect(page.locator("main")).not_to_contain_text(KNOWN)
    expect(page.get_by_role("status").filter(has_text="Connection lost")).to_be_visible()
    picture(page, "pit-unknown")
    check_access(page)
    line.mend()
    expect(panels(page)[1]).to_contain_text("confirm 5")
    made.do(c.ConfirmResult(result="5"))


def test_a_pit_without_a_line_says_from_when_it_is(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    line = TerminalLine(page)
    pit(page, live)
    alarms, decisions = panels(page)
    expect(decisions).to_contain_text("Nothing waits for a decision.")
    made.do(c.CallAttendant(seat="1"))
    expect(alarms).to_contain_text(made.name)
    line.cut()
    expect(alarms).to_contain_text(re.compile(rf"No connection\. This is how it was at {CLOCK}\."))
    expect(alarms).to_contain_text(made.name)
    expect(decisions).to_contain_text(re.compile(rf"No connection\. Nothing was waiting at {CLOCK}\."))
    expect(page.locator("main")).not_to_contain_text(KNOWN)
    expect(page.get_by_role("status").filter(has_text="Connection lost, as of")).to_be_visible()
    picture(page, "pit-lost")
    for size in ("1280x800", "390x844"):
        resize(page, size)
        assert has_no_sideways_scroll(page)
        check_access(page)
        picture(page, f"pit-lost-{size}")
    line.mend()
    expect(decisions).to_contain_text("Nothing waits for a decision.")
    expect(alarms).not_to_contain_text("No connection")


def test_a_console_without_a_line_does_not_say_that_there_is_nothing_to_look_at(
    console: ConsoleScreen, table: Tables
) -> None:
    line = TerminalLine(console.page)
    console.open(table())
    notices = console.page.get_by_role("region", name="Notices")
    expect(notices).to_contain_text("Nothing to look at")
    line.cut()
    expect(notices).to_contain_text("Not known without a connection")
    line.mend()
    expect(notices).to_contain_text("Nothing to look at")


def test_a_cage_says_from_when_its_list_is(page: Page, live: LiveServer, table: Tables) -> None:
    number = a_voucher(live, table().name, "1", 12_300)
    vouchers = re.compile(r"/api/vouchers(\?|$)")
    page.route(vouchers, lambda route: route.abort())
    sign_in(page, live, "cage", "cash")
    outstanding = page.get_by_role("region", name="Outstanding vouchers", exact=False).first
    expect(outstanding).to_contain_text("Not known yet")
    expect(outstanding).not_to_contain_text("No voucher is outstanding")
    expect(outstanding).not_to_contain_text("0.00")
    page.unroute(vouchers)
    outstanding.get_by_role("button", name="Refresh").click()
    expect(outstanding).to_contain_text(number[-4:])
    expect(outstanding).not_to_contain_text("Not known yet")
    page.route(vouchers, lambda route: route.abort())
    outstanding.get_by_role("button", name="Refresh").click()
    expect(outstanding).to_contain_text(re.compile(rf"No answer\. This is how it was at {CLOCK}\."))
    expect(outstanding).to_contain_text(number[-4:])
    picture(page, "cage-lost")
