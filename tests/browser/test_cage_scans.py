"""The cage while an answer is on its way: the last scan counts, and no voucher shows in place of another."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from browser.browser_rig import Table
from browser.office_rig import a_voucher, sign_in
from server.server_rig import LiveServer

Tables = Callable[..., Table]
MISSED = "was scanned while a payment waited for its answer"


@pytest.fixture
def window(page: Page, live: LiveServer) -> Page:
    """A cashier's screen."""
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_role("heading", name="Find a voucher")).to_be_visible()
    return page


@pytest.fixture
def vouchers(live: LiveServer, table: Tables) -> tuple[str, str]:
    """Two vouchers, of 1,500.00 and of 1,050.00."""
    made = table()
    return a_voucher(live, made.name, "1", 50_000), a_voucher(live, made.name, "2", 5_000)


def scan(page: Page, number: str) -> None:
    """A scanner types the digits and ends with Enter."""
    page.keyboard.type(number)
    page.keyboard.press("Enter")


def held(page: Page, address: str) -> list[Route]:
    """Requests to an address are held until the test lets them go."""
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    page.route(address, hold)
    return routes


def let_go(page: Page, routes: list[Route]) -> None:
    """What was held is answered, and the page has the answers."""
    for route in routes:
        with page.expect_response(route.request.url):
            route.continue_()


def verdict(page: Page, text: str) -> None:
    """Waits for a verdict."""
    expect(page.get_by_role("region", name="Verdict").get_by_role("heading")).to_have_text(text)


@pytest.mark.parametrize("escapes", [True, False])
def test_the_last_scan_counts_and_a_late_answer_is_dropped(
    window: Page, live: LiveServer, vouchers: tuple[str, str], escapes: bool
) -> None:
    first, second = vouchers
    late = held(window, f"**/api/vouchers/{first}")
    with window.expect_request(f"**/api/vouchers/{first}"):
        scan(window, first)
    if escapes:
        window.keyboard.press("Escape")
    scan(window, second)
    verdict(window, "Payable")
    let_go(window, late)
    expect(window.locator("[data-amount]")).to_have_text("1,050.00")
    field = window.get_by_label("Voucher number")
    assert field.input_value().replace(" ", "") == second
    window.keyboard.press("p")
    verdict(window, "Paid now")
    expect(window.locator("[data-amount]")).to_have_text("1,050.00")
    with live.client(live.staff_token("cage")) as client:
        states = [client.get(f"/api/vouchers/{number}").json()["status"] for number in vouchers]
    assert states == ["outstanding", "paid"]


def test_digits_that_are_typed_while_an_answer_comes_stay(window: Page, vouchers: tuple[str, str]) -> None:
    first, second = vouchers
    late = held(window, f"**/api/vouchers/{first}")
    with window.expect_request(f"**/api/vouchers/{first}"):
        scan(window, first)
    window.keyboard.type(second[:9])
    let_go(window, late)
    verdict(window, "Payable")
    window.keyboard.type(second[9:])
    expect(window.get_by_label("Voucher number")).to_have_value(second)
    window.keyboard.press("Enter")
    expect(window.locator("[data-amount]")).to_have_text("1,050.00")


def test_escape_discards_what_is_still_to_come(window: Page, vouchers: tuple[str, str]) -> None:
    first, _ = vouchers
    late = held(window, f"**/api/vouchers/{first}")
    with window.expect_request(f"**/api/vouchers/{first}"):
        scan(window, first)
    window.keyboard.press("Escape")
    let_go(window, late)
    expect(window.get_by_text("Scan a voucher, or type its eighteen digits.")).to_be_visible()
    expect(window.get_by_label("Voucher number")).to_have_value("")
    window.keyboard.press("p")
    expect(window.get_by_role("button", name="Nothing to pay")).to_be_disabled()


def test_a_scan_during_a_payment_is_said_not_to_be_looked_up(window: Page, vouchers: tuple[str, str]) -> None:
    first, second = vouchers
    scan(window, first)
    verdict(window, "Payable")
    paying = held(window, "**/pay")
    with window.expect_request("**/pay"):
        window.keyboard.press("p")
    scan(window, second)
    panel = window.get_by_role("region", name="Verdict")
    expect(panel).to_contain_text(MISSED)
    expect(panel).to_contain_text(f"{second[-4:-2]} {second[-2:]}")
    # A payment is not put away before it is answered.
    window.keyboard.press("Escape")
    scan(window, second)
    let_go(window, paying)
    verdict(window, "Paid now")
    expect(window.locator("[data-amount]")).to_have_text("1,500.00")
    expect(panel).to_contain_text(MISSED)
    # It stands in the field as it was scanned: Enter is enough.
    window.keyboard.press("Enter")
    verdict(window, "Payable")
    expect(window.locator("[data-amount]")).to_have_text("1,050.00")
    expect(panel).not_to_contain_text(MISSED)
