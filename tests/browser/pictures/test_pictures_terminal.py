"""The Player Terminal in its main states: each shows what tells the state, and is kept as a picture."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from browser.browser_rig import SYSTEM, Table
from browser.pictures.pictures_rig import MONEY, PHONE, EveningClock, betting, keep, settle
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

HAS_CHINESE = """() => {
  const drawn = document.createElement("canvas").getContext("2d");
  drawn.font = "100px sans-serif";
  return drawn.measureText("\u7ea2").width >= 95;
}"""
"""Whether the browser has a font for Chinese: its characters are as wide as they are high."""


def test_terminal_betting(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table()))
    screen.state("betting")
    expect(screen.figure("Stake")).to_have_text("100.00")
    expect(screen.stack("straight:17")).to_be_attached()
    keep(screen.page, "terminal-betting")

    screen.page.mouse.move(*screen.place_of(screen.spot("split:20/23")))
    expect(screen.page.locator(".play")).to_contain_text("17 to 1")
    keep(screen.page, "terminal-pointing")


def test_terminal_light(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table("rws-roulette-00", layout="B")), color_scheme="light")
    screen.state("betting")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "light")
    keep(screen.page, "terminal-light")


def test_terminal_chinese(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table("rws-roulette-000")))
    screen.button("Language").click()
    expect(screen.page.locator("html")).to_have_attribute("lang", "zh-SG")
    expect(screen.page.get_by_text("积分").or_(screen.page.get_by_text("余额")).first).to_be_visible()
    if screen.page.evaluate(HAS_CHINESE):  # a machine without such a font would show boxes
        keep(screen.page, "terminal-chinese")


def test_terminal_closing(table: Tables, terminal: Terminals) -> None:
    made = table(betting_seconds=12, warning_seconds=8)
    screen = terminal(made)
    betting(made)
    screen.state("closing")
    expect(screen.page.get_by_role("timer")).to_be_visible()
    keep(screen.page, "terminal-closing")


def test_terminal_spinning(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    made.do(c.CloseBets(), c.StartSpin())
    screen.state("spinning")
    expect(screen.page.get_by_text("Your bets are registered").first).to_be_visible()
    keep(screen.page, "terminal-spinning")


def test_terminal_result(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    settle(made, "17")
    screen.state("ended")
    expect(screen.page.get_by_text("You win").first).to_be_visible()
    # 360 for the number, 180 for the split, 75 for the dozen.
    expect(screen.figure("Last win")).to_have_text("615.00")
    keep(screen.page, "terminal-result")


def test_terminal_void(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    made.do(c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause="ball-out"))
    screen.state("void")
    expect(screen.page.get_by_text("Your 100.00 was returned")).to_be_visible()
    expect(screen.page.get_by_text("mbs-roulette:5.6")).to_be_visible()
    keep(screen.page, "terminal-void")


def test_terminal_correction(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    settle(made, "18")
    screen.state("ended")
    number = made.state.round_number
    made.do(c.CorrectResult(round=number, result="17", reason="Number misread on entry"))
    expect(screen.page.get_by_text("was corrected")).to_be_visible()
    expect(screen.page.get_by_text("The result is 17 Black, not 18 Red")).to_be_visible()
    keep(screen.page, "terminal-correction")


def test_terminal_interrupted(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    made.do(c.CloseBets(), c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=EveningClock().now_ms() - 20_000))
    screen.state("interrupted")
    expect(screen.page.get_by_text("Your registered 100.00 stands")).to_be_visible()
    keep(screen.page, "terminal-interrupted")


def test_terminal_refused(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose(50_000)
    screen.touch("straight:17")
    expect(screen.page.get_by_text("takes at most 200")).to_be_visible()
    assert screen.stakes == {}
    keep(screen.page, "terminal-refused")


def test_terminal_locked(table: Tables, terminal: Terminals) -> None:
    made = betting(table(lock_up_cents=50_000))
    screen = terminal(made)
    settle(made, "17")
    screen.state("locked")
    expect(screen.page.get_by_text("This seat is locked")).to_be_visible()
    keep(screen.page, "terminal-locked")


def test_terminal_attendant(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table()))
    screen.open_sheet("Attendant")
    screen.sheet.get_by_role("button", name="Pay out").click()
    expect(screen.sheet.get_by_test_id("call")).to_be_visible()
    keep(screen.page, "terminal-attendant")


def test_terminal_disconnected(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table()), line=True)
    screen.state("betting")
    assert screen.line is not None
    screen.line.cut()
    screen.state("disconnected")
    expect(screen.page.get_by_text("Your registered bets of 100.00 stand")).to_be_visible()
    keep(screen.page, "terminal-disconnected")


def test_terminal_empty(table: Tables, terminal: Terminals) -> None:
    made = table()
    made.do(c.CashOut(seat="1", voucher="000000000000000017"))
    screen = terminal(made)
    made.do(c.OpenRound())
    expect(screen.page.get_by_role("heading", name="Buy in to play")).to_be_visible()
    keep(screen.page, "terminal-empty")
    screen.page.get_by_role("contentinfo").get_by_role("button", name="Buy in").click()
    expect(screen.sheet.get_by_role("button", name="Insert voucher")).to_be_visible()
    keep(screen.page, "terminal-buy-in")


def test_terminal_voucher(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table())
    sheet = screen.open_sheet("Cash out")
    sheet.get_by_role("button", name=re.compile("^Cash out")).click()
    expect(sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    keep(screen.page, "terminal-voucher")


def test_terminal_sheets(table: Tables, terminal: Terminals) -> None:
    made = betting(table())
    screen = terminal(made)
    settle(made, "17")
    screen.state("ended")
    for name, shows in (
        ("Rules", "House edge"),
        ("History", "Credits before"),
        ("Statistics", "For information only."),
    ):
        sheet = screen.open_sheet(name)
        expect(sheet.get_by_text(shows).first).to_be_visible()
        keep(screen.page, f"terminal-{name.lower()}")
        screen.close_sheet()


def test_terminal_money_wheel(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table(MONEY)))
    screen.state("betting")
    expect(screen.page.locator(".app[data-game=money]")).to_be_attached()
    expect(screen.figure("Stake")).to_have_text("85.00")
    keep(screen.page, "terminal-money-wheel")


def test_terminal_phone(table: Tables, terminal: Terminals) -> None:
    screen = terminal(betting(table()), viewport=PHONE, has_touch=True)
    screen.state("betting")
    expect(screen.page.get_by_role("button", name="Racetrack")).to_be_visible()
    keep(screen.page, "terminal-phone")
    screen.page.get_by_role("button", name="Racetrack").click()
    expect(screen.page.locator("[data-call]").first).to_be_visible()
    keep(screen.page, "terminal-phone-racetrack")


def test_terminal_enrolment(page: Page, live: LiveServer) -> None:
    page.goto(f"{live.base_url}/terminal")
    expect(page.get_by_role("button", name="Enrol this device")).to_be_visible()
    keep(page, "terminal-enrolment")
