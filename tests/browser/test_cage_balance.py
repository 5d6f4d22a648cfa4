"""What the cage paid, at its own screen: a cashier balances the drawer there."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.browser_rig import Table
from browser.office_rig import (
    SIZES,
    a_voucher,
    check_access,
    has_no_sideways_scroll,
    picture,
    resize,
    sign_in,
)
from server.server_rig import LiveServer

Tables = Callable[..., Table]


def test_a_cashier_sees_the_own_payments(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    first, second, left = (a_voucher(live, made.name, "1", cents) for cents in (12_300, 5_000, 700))
    sign_in(page, live, "cage", "cash")
    for number in (first, second):
        page.get_by_label("Voucher number").fill(number)
        page.keyboard.press("Enter")
        page.get_by_role("button", name=re.compile("^Pay [0-9]")).click()
        expect(page.get_by_text("Paid now", exact=True)).to_be_visible()
    page.keyboard.press("b")
    sheet = page.get_by_role("dialog")
    sums = sheet.locator("dl > div")
    expect(sums.filter(has_text="Paid")).to_contain_text(re.compile(r"2.*1,173\.00"))
    expect(sheet.get_by_role("row")).to_have_count(3)
    expect(sheet).to_contain_text(second[-4:])
    expect(sheet).not_to_contain_text(second)
    expect(sheet.get_by_role("button", name="Mine only")).to_have_count(0)
    for size in SIZES:
        resize(page, size)
        assert has_no_sideways_scroll(page)
        check_access(page)
        picture(page, f"cage-balance-{size}")
    with page.expect_download() as saved:
        sheet.get_by_role("button", name="list as CSV").click()
    assert saved.value.suggested_filename == "cage-acts.csv"
    # A scan closes what only shows something.
    page.keyboard.type(left, delay=5)
    page.keyboard.press("Enter")
    expect(sheet).to_have_count(0)
    expect(page.get_by_text("Payable", exact=True)).to_be_visible()
