"""The cage: a voucher is found, judged, paid once, voided with a reason; and Enter never pays."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from browser.browser_rig import Table
from browser.office_rig import a_voucher, check_access, has_no_sideways_scroll, picture, resize, sign_in
from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import voucher_number_of
from croupier.floor.cage.records import CLERK
from croupier.floor.cage.vouchers import DAY_MS
from croupier.floor.live.projection import LiveProjection
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer

Tables = Callable[..., Table]


@pytest.fixture
def window(page: Page, live: LiveServer) -> Page:
    """A cashier's screen."""
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_role("heading", name="Find a voucher")).to_be_visible()
    return page


@pytest.fixture
def voucher(live: LiveServer, table: Tables) -> Callable[..., str]:
    """Vouchers from a table that nobody else plays at."""
    made = table()
    seats: Iterator[str] = iter(("1", "2"))

    def issued(cents: int = 1000) -> str:
        # The seat has 1,000.00 already.
        return a_voucher(live, made.name, next(seats), cents)

    return issued


def scan(page: Page, number: str) -> None:
    """A scanner types the digits and ends with Enter."""
    page.keyboard.type(number)
    page.keyboard.press("Enter")


def verdict(page: Page, text: str) -> None:
    """Waits for a verdict."""
    expect(page.get_by_role("region", name="Verdict").get_by_role("heading")).to_have_text(text)


def test_a_voucher_of_a_table_is_paid_once(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()
    scan(window, number)
    verdict(window, "Payable")
    expect(window.locator("[data-amount]")).to_have_text("1,010.00")
    expect(window.get_by_text("one thousand ten dollars")).to_be_visible()
    # Only the end of its number is shown, and it is one of those in the list.
    assert number not in window.locator("main").inner_text().replace(" ", "")
    expect(window.locator("tr.looked")).to_contain_text(number[-4:])
    picture(window, "cage-payable")

    window.keyboard.press("p")
    verdict(window, "Paid now")
    expect(window.get_by_role("button", name="Paid. A voucher pays once")).to_be_disabled()
    expect(window.get_by_text("1 · 1,010.00")).to_have_count(1)  # paid here, and not outstanding any more
    picture(window, "cage-paid")

    # The same paper again.
    scan(window, number)
    verdict(window, "Refused: paid already")
    expect(window.get_by_role("button", name="Nothing to pay")).to_be_disabled()
    window.keyboard.press("p")
    verdict(window, "Refused: paid already")
    with live.client(live.staff_token("cage")) as client:
        assert client.get(f"/api/vouchers/{number}").json()["status"] == "paid"
    picture(window, "cage-already-paid")


def test_enter_never_pays(window: Page, live: LiveServer, voucher: Callable[..., str]) -> None:
    number = voucher()
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("Enter")
    verdict(window, "Payable")
    button = window.get_by_role("button", name="Pay 1,010.00")
    button.focus()
    window.keyboard.press("Enter")
    # A scan while the button has the focus goes to the field.
    scan(window, number)
    verdict(window, "Payable")
    expect(window.get_by_label("Voucher number")).to_be_focused()
    with live.client(live.staff_token("cage")) as client:
        assert client.get(f"/api/vouchers/{number}").json()["status"] == "outstanding"
    button.click()
    verdict(window, "Paid now")


def test_a_lost_answer_is_asked_for_again_and_is_never_a_second_payment(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()
    keys: list[str] = []

    def lose(route: Route) -> None:
        """The house pays, and its answer never arrives."""
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    window.route("**/pay", lose)
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("p")
    verdict(window, "No answer came")
    expect(window.get_by_role("region", name="Verdict")).to_contain_text("Do not pay out")
    picture(window, "cage-no-answer")
    window.keyboard.press("p")
    verdict(window, "Paid now")
    expect(window.get_by_role("region", name="Verdict")).to_contain_text("pay out once")
    assert len(keys) == 2
    assert keys[0] == keys[1]


def test_a_lost_answer_is_found_again_after_a_reload(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    window.route("**/pay", lose)
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("p")
    verdict(window, "No answer came")
    window.unroute("**/pay")
    window.reload()
    expect(window.get_by_label("Voucher number")).to_be_focused()
    scan(window, number)
    verdict(window, "Paid now")
    expect(window.get_by_role("region", name="Verdict")).to_contain_text("pay out once")


def test_a_lost_answer_is_found_again_in_the_next_session(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort("connectionreset")

    window.route("**/pay", lose)
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("p")
    verdict(window, "No answer came")
    window.unroute("**/pay")
    end_session(window, live)
    window.keyboard.press("p")
    expect(window.get_by_text("You are signed out")).to_be_visible()
    fill_in(window)
    # What was looked at is looked up again, and nobody is sent away.
    verdict(window, "Paid now")
    expect(window.get_by_role("region", name="Verdict")).to_contain_text("pay out once")


def test_a_session_that_is_over_is_not_shown_as_one_that_goes_on(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()
    end_session(window, live)
    scan(window, number)
    expect(window.get_by_label("Password", exact=True)).to_be_visible()
    expect(window.get_by_role("heading", name="Find a voucher")).to_have_count(0)
    fill_in(window)
    verdict(window, "Payable")


def end_session(page: Page, live: LiveServer) -> None:
    """As a restart of the server does, or somebody who is idle for long."""
    token = page.evaluate("JSON.parse(sessionStorage.getItem('croupier.session')).token")
    with live.client(token) as client:
        assert client.post("/api/sign-out").status_code == 204


def fill_in(page: Page) -> None:
    """The cashier signs in where the form stands."""
    page.get_by_label("Name", exact=True).fill("cash")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_the_clock_of_the_window_is_the_house_s(page: Page, live: LiveServer) -> None:
    page.add_init_script("const now = Date.now; Date.now = () => now() - 7_200_000;")
    sign_in(page, live, "cage", "cash")
    now_ms = live.rig.floor.clock.now_ms()
    hours = {f"{datetime.fromtimestamp(ms / 1000, UTC):%H:%M}" for ms in (now_ms, now_ms + 60_000)}
    expect(page.locator("header .clock")).to_contain_text(re.compile("|".join(hours)))


def test_numbers_that_are_none_have_verdicts_of_their_own(window: Page, voucher: Callable[..., str]) -> None:
    voucher()
    scan(window, voucher_number_of(4417092655182203))
    verdict(window, "Refused: never issued")
    expect(window.get_by_text("keep the paper and call the pit")).to_be_visible()
    picture(window, "cage-unknown")
    scan(window, "123456789012345678")
    verdict(window, "Not a voucher's number")
    window.keyboard.press("Escape")
    expect(window.get_by_label("Voucher number")).to_have_value("")
    expect(window.get_by_text("Scan a voucher, or type its eighteen digits.")).to_be_visible()


def test_a_cashier_voids_with_a_supervisor_beside(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("v")
    dialog = window.get_by_role("dialog")
    # The reasons have the focus, and Enter decides nothing there.
    window.keyboard.press("Enter")
    window.keyboard.press("ArrowRight")
    expect(dialog.get_by_label("Damaged")).to_be_checked()
    confirm = dialog.get_by_role("button", name="Void the voucher")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("Name", exact=True).fill("dee")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    confirm.click()
    expect(dialog.get_by_role("alert").filter(has_text="pit supervisor")).to_be_visible()
    expect(dialog.get_by_label("Password", exact=True)).to_be_focused()
    picture(window, "cage-void")
    dialog.get_by_label("Name", exact=True).fill("sue")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    confirm.click()
    verdict(window, "Void now")

    scan(window, number)
    verdict(window, "Refused: void")
    with live.client(live.staff_token("shift-manager")) as client:
        (event,) = client.get("/api/events", params={"code": "voucher-voided", "limit": 1}).json()["events"]
    assert event["actor"] == "sue"
    assert "Damaged" in event["what"]


def test_a_shift_manager_reinstates_what_a_wrong_clock_has_ended(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number, floor = voucher(), live.rig.floor
    # The window's own clock, far behind the end that is printed on the voucher, has no say in it.
    window.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=400))
    wrong = Cage(floor.store, ManualClock(floor.clock.now_ms() + 40 * DAY_MS))
    with closing(LiveProjection(":memory:", floor.store)) as projection:
        wrong.expire(CLERK, projection)
    scan(window, number)
    verdict(window, "Refused: expired")
    expect(window.get_by_text("A shift manager can reinstate it")).to_be_visible()
    expect(window.get_by_role("button", name="Nothing to pay")).to_be_disabled()
    picture(window, "cage-early")
    window.get_by_role("button", name="Reinstate…").click()
    dialog = window.get_by_role("dialog")
    confirm = dialog.get_by_role("button", name="Reinstate the voucher")
    expect(confirm).to_be_disabled()
    dialog.get_by_label("Name", exact=True).fill("sue")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    confirm.click()
    expect(dialog.get_by_role("alert").filter(has_text="shift manager")).to_be_visible()
    picture(window, "cage-reinstate")
    dialog.get_by_label("Name", exact=True).fill("shi")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    confirm.click()
    verdict(window, "Payable")
    window.keyboard.press("p")
    verdict(window, "Paid now")
    with live.client(live.staff_token("shift-manager")) as client:
        found = client.get("/api/events", params={"code": "voucher-reinstated", "limit": 1}).json()["events"]
    assert [(event["actor"], "The clock was wrong" in event["what"]) for event in found] == [("shi", True)]


def test_the_list_shows_four_digits_and_what_is_outstanding_in_all(
    window: Page, voucher: Callable[..., str]
) -> None:
    small, large = voucher(), voucher(900_000)
    window.get_by_role("button", name="Refresh").click()
    listed = window.get_by_role("region", name="Outstanding vouchers").last
    for number in (small, large):
        expect(listed).to_contain_text(f"•••• {number[-4:]}")
        assert number not in window.content()
    window.get_by_role("button", name="Above 1,000").click()
    expect(listed).to_contain_text("10,000.00")
    picture(window, "cage-list")


def test_a_voucher_whose_time_is_over_is_marked_in_the_list(
    window: Page, voucher: Callable[..., str]
) -> None:
    """It is listed, and in the sum, until its end is recorded."""
    number, good = voucher(), voucher()

    def put_back(route: Route) -> None:
        listed = route.fetch().json()
        for line in listed["vouchers"]:
            line["expires_ms"] -= 31 * DAY_MS if line["number"][-4:] == number[-4:] else 0
        route.fulfill(json=listed)

    window.route("**/api/vouchers", put_back)
    window.get_by_role("button", name="Refresh").click()
    listed = window.get_by_role("region", name="Outstanding vouchers").last
    expect(listed.get_by_role("row").filter(has_text=number[-4:])).to_contain_text("time is over")
    expect(listed.get_by_role("row").filter(has_text=good[-4:])).to_contain_text("outstanding")
    picture(window, "cage-overdue")


def test_arrows_go_through_the_list_enter_opens_and_escape_closes(
    window: Page, voucher: Callable[..., str]
) -> None:
    first, second = voucher(), voucher(5_000)
    window.get_by_role("button", name="Refresh").click()
    listed = window.get_by_role("region", name="Outstanding vouchers").last
    newest = listed.get_by_role("button", name=f"Show voucher •••• {second[-4:]}, 1,050.00")
    before = listed.get_by_role("button", name=f"Show voucher •••• {first[-4:]}, 1,010.00")
    expect(before).to_be_visible()
    window.get_by_label("Voucher number").focus()
    window.keyboard.press("ArrowDown")
    expect(newest).to_be_focused()
    window.keyboard.press("ArrowUp")
    expect(newest).to_be_focused()
    window.keyboard.press("ArrowDown")
    expect(before).to_be_focused()

    window.keyboard.press("Enter")
    sheet = window.get_by_role("dialog", name=f"Voucher •••• {first[-4:]}")
    expect(sheet).to_contain_text("1,010.00")
    expect(sheet).to_contain_text("scan the ticket or type all of its digits")
    picture(window, "cage-line")
    window.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(before).to_be_focused()
    # A scan goes to the field from here as well, and closes what is open.
    window.keyboard.press("Enter")
    expect(sheet).to_be_visible()
    scan(window, second)
    verdict(window, "Payable")
    expect(window.get_by_role("dialog")).to_have_count(0)
    expect(window.locator("[data-amount]")).to_have_text("1,050.00")


def test_a_large_amount_is_stated_once_more(
    window: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher(900_000)  # 10,000.00 with what the seat had
    scan(window, number)
    verdict(window, "Payable")
    window.keyboard.press("p")
    stated = window.locator("input[name=stated]")
    stated.fill("1,000.00")
    window.get_by_role("dialog").get_by_role("button", name="Pay 1,000.00").click()
    expect(window.get_by_role("alert").filter(has_text="The ticket says 1,000.00")).to_be_visible()
    verdict(window, "Payable")
    # What is typed goes into the field at once; Enter, which a scanner sends, pays and closes nothing.
    window.keyboard.press("p")
    expect(stated).to_be_focused()
    window.keyboard.type("10,000.00")
    window.keyboard.press("Enter")
    expect(stated).to_have_value("10,000.00")
    window.get_by_role("dialog").get_by_role("button", name="Pay 10,000.00").click()
    verdict(window, "Paid now")


def test_whoever_is_not_at_the_cage_is_told_so(
    page: Page, live: LiveServer, voucher: Callable[..., str]
) -> None:
    number = voucher()
    sign_in(page, live, "cage", "dee")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    scan(page, number)
    expect(page.get_by_role("alert").filter(has_text="somebody with the duty")).to_be_visible()


@pytest.mark.parametrize("size", ["1920x1080", "1280x800", "390x844"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everybody_can_read_it(
    page: Page, live: LiveServer, voucher: Callable[..., str], size: str, theme: str
) -> None:
    number = voucher()
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    check_access(page)
    scan(page, number)
    verdict(page, "Payable")
    check_access(page)
    assert has_no_sideways_scroll(page)
    picture(page, f"cage-{size}-{theme}")
    page.keyboard.press("v")
    expect(page.get_by_role("dialog")).to_be_visible()
    check_access(page)
