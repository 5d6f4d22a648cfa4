"""Screens show times by the clocks of the house, as its tickets do, wherever their browser is."""

import datetime
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import a_voucher, pit, sign_in
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c
from server.server_rig import LiveServer

ZONE = "Asia/Kathmandu"
"""5 hours and 45 minutes before Greenwich: whatever zone a machine is in, its minutes are other ones."""

Tables = Callable[..., Table]


@pytest.fixture(scope="module")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A browser in another part of the world."""
    return {**browser_context_args, "timezone_id": "America/New_York"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A house with clocks of its own."""
    path = tmp_path_factory.mktemp("clocks")
    with LiveServer(path, tables={}, app_options={"screens": screens, "zone": ZONE}, zone=ZONE) as server:
        yield server


def shown(at_ms: int) -> str:
    """A time as the house's clocks show it."""
    return datetime.datetime.fromtimestamp(at_ms / 1000, ZoneInfo(ZONE)).strftime("%H:%M:%S")


def test_the_cage_shows_the_times_of_the_ticket(page: Page, live: LiveServer, table: Tables) -> None:
    number = a_voucher(live, table().name, "1", 1000)
    with live.client(live.staff_token("cage")) as client:
        ticket = client.get(f"/api/vouchers/{number}/ticket").raise_for_status().json()
    issued = shown(ticket["issued_ms"])
    assert any(issued in line for line in ticket["lines"])
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    page.keyboard.type(number)
    page.keyboard.press("Enter")
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict.locator("dt:text-is('Issued') + dd")).to_contain_text(issued)
    expect(verdict.locator("dt:text-is('Expires') + dd")).to_contain_text(shown(ticket["expires_ms"]))
    expect(page.locator("tr.looked")).to_contain_text(issued)
    # A reload keeps the person, and with them the clocks.
    page.reload()
    expect(page.get_by_role("region", name="Outstanding vouchers").last).to_contain_text(issued)


def test_the_pit_shows_when_something_was_by_the_same_clocks(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="a coin on the wheel"))
    with live.client(live.staff_token("shift-manager")) as client:
        query = {"table": made.name, "code": "round-voided"}
        (event,) = client.get("/api/events", params=query).json()["events"]
    pit(page, live)
    row = page.get_by_role("row").filter(has_text=made.name).filter(has_text="round-voided")
    expect(row.get_by_role("cell").first).to_have_text(shown(event["time_ms"]))
    page.get_by_role("button", name=f"Look at table {made.name}").click()
    acts = page.locator("[data-recall]").get_by_role("list", name="Acts")
    expect(acts).to_contain_text(shown(event["time_ms"]))


def test_the_console_shows_them_as_well(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    console = ConsoleScreen(page, live).open(made)
    made.do(c.OpenRound())
    console.phase("betting")
    with live.client(live.staff_token("dealer")) as client:
        opened = client.get(f"/api/tables/{made.name}/rounds/1").json()["acts"][0]["at_ms"]
    expect(page.get_by_text(shown(opened)).first).to_be_visible()


def test_the_last_vouchers_of_a_seat_have_the_same_times(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    a_voucher(live, made.name, "1", 1000)
    with live.client(live.staff_token("cage")) as client:
        (voucher,) = client.get(f"/api/tables/{made.name}/seats/1/vouchers").json()["vouchers"]
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    page.keyboard.press("s")
    sheet = page.get_by_role("dialog", name="Last vouchers")
    sheet.get_by_label("Table").select_option(made.name)
    sheet.get_by_label("Seat").fill("1")
    page.keyboard.press("Enter")
    row = sheet.locator("tbody tr")
    expect(row.locator("td").nth(0)).to_contain_text(shown(voucher["issued_ms"]))
    expect(row.locator("td").nth(1)).to_contain_text(shown(voucher["expires_ms"]))


def test_a_terminal_shows_the_time_of_the_house(
    table: Tables, terminal: Callable[..., TerminalScreen]
) -> None:
    screen = terminal(table("mbs-roulette"))
    now_ms = 1000 * datetime.datetime.now(datetime.UTC).timestamp()
    minutes = "|".join(shown(int(now_ms) + more)[:5] for more in (-60_000, 0, 60_000))
    expect(screen.page.locator("time.clock")).to_have_text(re.compile(f"^({minutes})"))
