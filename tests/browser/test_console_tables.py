"""The list of tables from which a dealer chooses, and what is done with the table that was chosen."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
ADDRESS = "**/api/tables"


def lose(route: Route) -> None:
    """A request that nobody answers."""
    route.abort("connectionreset")


def test_the_list_is_asked_for_again_where_nobody_answered(
    page: Page, console: ConsoleScreen, live: LiveServer, table: Tables
) -> None:
    made = table()
    page.route(ADDRESS, lose)
    page.goto(f"{live.base_url}/console")
    console.sign_in()
    alert = page.get_by_role("alert").filter(has_text="Connection lost")
    expect(alert).to_be_visible()
    page.unroute(ADDRESS)
    expect(page.get_by_role("button", name=f"{made.name} ")).to_be_visible()
    expect(alert).to_have_count(0)


def test_the_list_is_refreshed_by_hand(
    page: Page, console: ConsoleScreen, live: LiveServer, table: Tables
) -> None:
    table()
    page.goto(f"{live.base_url}/console")
    console.sign_in()
    expect(page.get_by_role("heading", name="Which table?")).to_be_visible()
    made = table()
    page.get_by_role("button", name="Refresh").click()
    expect(page.get_by_role("button", name=f"{made.name} ")).to_be_visible()


def test_nobody_is_fetched_to_open_a_table_that_is_open(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    console.open(made)
    console.press("l")
    dialog = console.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Open the table")).to_be_disabled()
    expect(dialog).to_contain_text("The table is open already.")
    expect(dialog.get_by_role("button", name="Close the table")).to_be_disabled()
    expect(dialog).to_contain_text("Announce the last round first")
    dialog.get_by_role("button", name="Announce the last round").click()
    expect(dialog).to_have_count(0)
    console.press("l")
    close = dialog.get_by_role("button", name="Close the table")
    expect(close).to_be_disabled()
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"))
    made.do(c.ConfirmResult(result="17"))
    expect(close).to_be_enabled()
    expect(dialog).to_contain_text("This takes a pit supervisor.")
