"""The Game Console in its main states: each shows what tells the state, and is kept as a picture."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import SYSTEM, WHEEL, ConsoleScreen, Table
from browser.pictures.pictures_rig import MONEY, EveningClock, bet, keep, settle
from croupier.table import commands as c

Tables = Callable[..., Table]
Seated = Callable[[Table], Table]


def staked(table: Table) -> int:
    """What lies on the layout in all."""
    return sum(seat.staked_cents for seat in table.state.seats.values())


def console_betting(console: ConsoleScreen, table: Tables) -> Table:
    made = table("rws-roulette-00", layout="B")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.crowd(8)
    # The overview follows the stakes a moment later.
    expect(console.page.get_by_test_id("total")).to_have_text(f"{staked(made) / 100:,.2f}")
    return made


def console_spinning(console: ConsoleScreen, table: Tables) -> Table:
    made = console_betting(console, table)
    console.press("Space")
    console.phase("closed")
    turning = {"ball": "counter-clockwise", "wheel": "clockwise", "wheel_turning": True}
    made.machine(WHEEL, c.StartSpin(**turning, rotor_tenths_rpm=246))
    console.phase("spinning")
    console.says("Ball is rolling")
    return made


def console_entered(console: ConsoleScreen, table: Tables) -> Table:
    made = console_spinning(console, table)
    made.machine(WHEEL, c.FinishSpin(revolutions=14, pocket="17", rotor_tenths_rpm=238))
    console.says("Enter the number")
    console.press("1", "7", "Enter")
    console.phase("resulted")
    console.says("Confirm 17 black")
    expect(console.panel("Check before you confirm")).to_contain_text("Wheel sensor says 17: agrees")
    return made


def console_settled(console: ConsoleScreen, table: Tables) -> Table:
    made = console_entered(console, table)
    console.press("Space")
    console.phase("idle")
    expect(console.panel("The round is over")).to_contain_text("settled")
    return made


def console_idle(console: ConsoleScreen, table: Tables) -> Table:
    made = table("rws-roulette-00", layout="B")
    console.open(made)
    console.says("Open round 17")
    return made


def console_irregularity(console: ConsoleScreen, table: Tables) -> Table:
    made = console_spinning(console, table)
    console.press("i")
    console.panel("Irregularities").locator("[data-cause=ball-out]").click()
    console.says("Void the round")
    console.says("Needs Enter, not Space")
    return made


def console_correction(console: ConsoleScreen, table: Tables) -> Table:
    made = console_settled(console, table)
    console.press("x")
    dialog = console.page.get_by_role("dialog")
    dialog.locator('[data-number="20"]').click()
    expect(dialog).to_contain_text("Two people authorise")
    return made


def console_recovery(console: ConsoleScreen, table: Tables) -> Table:
    made = console_spinning(console, table)
    made.machine(SYSTEM, c.Interrupt(began_ms=EveningClock().now_ms() - 20_000))
    console.phase("recovery")
    console.says("Recovery question")
    return made


def console_decision(console: ConsoleScreen, table: Tables) -> Table:
    made = console_spinning(console, table)
    console.press("s")
    expect(console.page.get_by_role("dialog", name="Not covered by the rules")).to_contain_text("Ruling")
    return made


def console_seat(console: ConsoleScreen, table: Tables) -> Table:
    made = table(lock_up_cents=50_000)
    made.do(c.OpenRound())
    bet(made, "3")
    settle(made, "17")
    console.open(made)
    console.press("F2")
    expect(console.page.get_by_role("dialog", name="Seat 3")).to_contain_text("Release the seat")
    return made


def console_call(console: ConsoleScreen, table: Tables) -> Table:
    made = console_betting(console, table)
    made.do(c.CallAttendant(seat="4", reason="payout"))
    expect(console.page.locator('[data-call="4"]')).to_be_visible()
    console.page.get_by_role("tab", name="Notices").click()
    expect(console.panel("Notices")).to_contain_text("Seat 4 calls an attendant")
    return made


def console_money_wheel(console: ConsoleScreen, table: Tables) -> Table:
    made = table(MONEY)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.crowd(8)
    console.page.locator('[data-place="3 symbol:3"]').click()
    console.press("7", "5")
    expect(console.page.get_by_role("button", name="Reject").first).to_be_visible()
    return made


CONSOLE = {
    "idle": console_idle,
    "betting": console_betting,
    "spinning": console_spinning,
    "confirm": console_entered,
    "settled": console_settled,
    "irregularity": console_irregularity,
    "correction": console_correction,
    "recovery": console_recovery,
    "decision": console_decision,
    "seat": console_seat,
    "call": console_call,
    "money-wheel": console_money_wheel,
}


@pytest.mark.parametrize("state", CONSOLE)
def test_console(console: ConsoleScreen, table: Tables, seated: Seated, state: str) -> None:
    CONSOLE[state](console, lambda *names, **settings: seated(table(*names, **settings)))
    # What is pressed without looking twice can be read whole.
    label = console.next.locator(".lab")
    assert label.evaluate("(it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight")
    keep(console.page, f"console-{state}")
