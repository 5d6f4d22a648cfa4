"""The pit in Chinese: alarms are told in the language of the screen, as the list of events tells them."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.browser_rig import WHEEL, Table
from browser.office_rig import pit
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]


def test_what_the_journal_says_of_an_alarm_is_chinese(page: Page, live: LiveServer, table: Tables) -> None:
    locked, faulty, boxes = table(lock_up_cents=30_000), table(), table("rws-money-wheel")
    live.play(locked.name, {"1": {"straight:17": 1000}}, "17")
    faulty.machine(WHEEL, c.ReportWheel(fault="line-lost", detail="silence"))
    boxes.do(c.OpenRound())
    most_cents = boxes.state.limits.bets["symbol"].maximum_cents
    boxes.do(c.BuyCredits(seat="1", cents=most_cents))
    boxes.bet("1", symbol__5=most_cents + 1000)
    pit(page, live)
    alarms = page.locator("section[aria-labelledby=alarms-title]")
    expect(alarms).to_contain_text("Seat 1 is locked (win, 350.00).")
    page.get_by_role("button", name="Language").click()
    expect(alarms).to_contain_text("座位 1 锁定")
    expect(alarms).to_contain_text("没有信号")
    # Also what was refused before the language was chosen.
    expect(page.get_by_text("这里没有监察轮盘。")).to_be_visible()
    for english in ("Seat", "locked", "wheel", "holds", "over"):
        expect(alarms).not_to_contain_text(english)
