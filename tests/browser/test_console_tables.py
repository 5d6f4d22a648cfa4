"""The list of tables from which a dealer chooses."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from browser.browser_rig import ConsoleScreen, Table
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
