"""Pages of one device: two of them take turns, and a code in the address is followed."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def at_the_table(page: Page) -> None:
    """Waits for the felt."""
    expect(page.locator("[data-bet]").first).to_be_attached()


def stopped(page: Page) -> None:
    """Waits until the page says that another one has its seat."""
    told = page.get_by_role("alert").filter(has_text="This screen has stopped")
    expect(told).to_contain_text("This seat was opened on another screen.")
    expect(told).to_contain_text("This device is still enrolled.")
    expect(page.get_by_label("Code")).to_have_count(0)


def test_a_second_page_takes_the_seat_and_the_device_stays_enrolled(
    table: Tables, terminal: Terminals
) -> None:
    first = terminal(table()).page
    second = first.context.new_page()
    second.goto(first.url)
    at_the_table(second)
    stopped(first)

    first.get_by_role("button", name="Open here again").click()
    at_the_table(first)
    stopped(second)
    second.reload()
    at_the_table(second)
    stopped(first)
    first.reload()
    at_the_table(first)
    stopped(second)


def test_a_page_of_another_version_is_loaded_again(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table())
    page = screen.page
    # The server has been renewed meanwhile: it takes the page's version for another one.
    page.add_init_script(
        """const send = WebSocket.prototype.send;
        let isOld = !sessionStorage.getItem('was here');
        sessionStorage.setItem('was here', 'yes');
        WebSocket.prototype.send = function (text) {
            send.call(this, isOld ? text.replace('"version":', '"version":9') : text);
        };"""
    )
    page.reload()
    told = page.get_by_role("alert").filter(has_text="This screen has stopped")
    expect(told).to_contain_text("This page and the server are not the same version.")
    told.get_by_role("button", name="Load the page again").click()
    at_the_table(page)


def test_a_code_that_is_written_into_the_address_of_an_open_page_is_followed(
    table: Tables, terminal: Terminals
) -> None:
    made = table()
    screen = terminal(made)
    expect(screen.page.locator("header")).to_contain_text("Seat 1")
    screen.seat = "2"
    screen.page.evaluate("(code) => { location.hash = `code=${code}`; }", screen.code())
    expect(screen.page.locator("header")).to_contain_text("Seat 2")
