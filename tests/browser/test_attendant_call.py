"""A player calls an attendant: the console and the pit see it, somebody answers, and the player is told."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import card, check_access, pit
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c
from croupier.table.state import Call
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def call_of(table: Table, seat: str = "1") -> Call | None:
    """The call of a seat as the table has it."""
    call: Call | None = table.state.seats[seat].call
    return call


def test_a_call_goes_to_the_console_and_the_pit_and_its_answer_comes_back(
    console: ConsoleScreen,
    live: LiveServer,
    table: Tables,
    terminal: Terminals,
    browser: Browser,
    browser_context_args: dict[str, Any],
) -> None:
    made = table()
    screen, neighbour = terminal(made), terminal(made, "2")
    console.open(made)
    context = browser.new_context(**browser_context_args)
    floor: Page = context.new_page()
    pit(floor, live)
    bell = screen.page.get_by_test_id("attendant")

    screen.open_sheet("Attendant")
    check_access(screen.page)
    screen.sheet.get_by_role("button", name="Pay out").click()
    expect(screen.sheet.get_by_role("status")).to_contain_text("An attendant is called")
    expect(screen.sheet.get_by_test_id("call")).to_have_text(re.compile(r"Pay out · waiting \d:\d\d"))
    check_access(screen.page)

    notices = console.panel("Notices")
    expect(notices).to_contain_text("Seat 1 calls an attendant")
    expect(notices).to_contain_text("Pay out · waiting")
    seats = console.panel("Seats")
    expect(seats.locator('[data-call="1"]')).to_have_text(re.compile(r"\d:\d\d"))
    expect(seats.get_by_role("button", name="Seat 1, online, calls")).to_be_visible()
    expect(seats.locator('[data-call="2"]')).to_have_count(0)
    check_access(console.page)

    expect(card(floor, made.name)).to_contain_text("Seat 1 calls")
    expect(card(floor, made.name).get_by_role("img", name="1 open call for an attendant")).to_be_visible()
    alarms = floor.get_by_role("region", name="Alarms")
    expect(alarms).to_contain_text(f"{made.name}: seat 1 calls an attendant (Pay out)")
    expect(alarms).to_contain_text(re.compile(r"since\s\d\d:\d\d:\d\d"))
    check_access(floor)
    # Nobody else at the table sees it.
    expect(neighbour.page.get_by_test_id("attendant")).to_have_text("Attendant")

    # A reload takes nothing away, on any of the screens.
    screen.reload()
    expect(bell).to_have_text(re.compile(r"Attendant\s*\d:\d\d"))
    console.page.reload()
    expect(notices).to_contain_text("Seat 1 calls an attendant")
    floor.reload()
    expect(card(floor, made.name)).to_contain_text("Seat 1 calls")

    notices.get_by_role("button", name="Answered").click()
    expect(notices).not_to_contain_text("Seat 1 calls an attendant")
    expect(seats.locator("[data-call]")).to_have_count(0)
    expect(console.panel("Log")).to_contain_text("Call of seat 1 answered")
    expect(card(floor, made.name)).not_to_contain_text("Seat 1 calls")
    expect(alarms).not_to_contain_text("calls an attendant")
    assert call_of(made) is None

    expect(bell).to_have_attribute("aria-label", "Your call has been answered")
    bell.click()
    expect(screen.sheet.get_by_role("status")).to_contain_text("Your call has been answered")
    screen.page.keyboard.press("Escape")
    expect(bell).to_have_text("Attendant")
    expect(bell).not_to_have_attribute("aria-label", "Your call has been answered")
    context.close()


def test_a_dealer_answers_with_one_key_whoever_has_waited_longest(
    console: ConsoleScreen, table: Tables, terminal: Terminals
) -> None:
    made = table()
    terminal(made)
    console.open(made)
    made.do(c.CallAttendant(seat="2", reason="terminal"))
    made.do(c.CallAttendant(seat="1"))
    notices = console.panel("Notices")
    expect(notices).to_contain_text("Trouble with the terminal")
    expect(notices).to_contain_text("Seat 1 calls an attendant")

    console.press("a")
    expect(notices).not_to_contain_text("Seat 2 calls an attendant")
    assert call_of(made) is not None
    console.press("F2")
    expect(notices).not_to_contain_text("calls an attendant")
    assert call_of(made) is None
    # With nobody waiting the key does nothing.
    console.press("a")
    expect(notices).not_to_contain_text("Not done")


def test_a_dealer_calls_one_to_a_seat_and_the_player_sees_it_and_withdraws(
    console: ConsoleScreen, table: Tables, terminal: Terminals
) -> None:
    made = table()
    screen = terminal(made)
    console.open(made)
    console.panel("Seats").get_by_role("button", name="Seat 1, online").click()
    console.page.get_by_role("dialog").get_by_role("button", name="Call an attendant here").click()
    expect(console.panel("Notices")).to_contain_text("Seat 1 calls an attendant")

    bell = screen.page.get_by_test_id("attendant")
    expect(bell).to_have_text(re.compile(r"Attendant\s*\d:\d\d"))
    bell.click()
    screen.sheet.get_by_role("button", name="Withdraw the call").click()
    expect(screen.sheet.get_by_role("button", name="Help")).to_be_visible()
    expect(screen.sheet.get_by_role("status")).to_have_count(0)
    expect(console.panel("Notices")).not_to_contain_text("calls an attendant")
    expect(console.panel("Log")).to_contain_text("Call of seat 1 withdrawn")


def test_a_locked_seat_calls_from_the_screen_that_covers_everything(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette", voucher_limit_cents=100)
    screen = terminal(made)
    screen.open_sheet("Cash out")
    screen.sheet.get_by_role("button", name="Cash out").click()
    screen.state("locked")
    message = screen.page.get_by_role("alert").filter(has_text="This seat is locked")
    check_access(screen.page)
    message.get_by_role("button", name="Call an attendant").click()
    expect(message.get_by_role("status")).to_contain_text("An attendant is called")
    call = call_of(made)
    assert call is not None
    assert call.reason == "payout"

    screen.page.reload()
    expect(message.get_by_role("status")).to_contain_text("An attendant is called")
    made.do(c.AnswerCall(seat="1"))
    expect(message.get_by_role("status")).to_contain_text("Your call has been answered")
    made.do(c.PayByAttendant(seat="1"))
    expect(message).to_have_count(0)


def test_without_a_line_no_call_is_sent_and_the_screen_says_so(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made, line=True)
    assert screen.line is not None
    screen.open_sheet("Attendant")
    screen.line.cut()
    for name in ("Help", "Buy credits", "Pay out", "Trouble with the terminal"):
        expect(screen.sheet.get_by_role("button", name=name)).to_be_disabled()
    expect(screen.sheet.get_by_role("alert")).to_contain_text("Please turn to the staff in the room.")
    screen.line.mend()
    screen.sheet.get_by_role("button", name="Trouble with the terminal").click(timeout=30_000)
    expect(screen.sheet.get_by_role("status")).to_contain_text("An attendant is called")
    assert call_of(made) is not None


def test_on_a_phone_an_open_call_stands_in_the_bar(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made, viewport={"width": 390, "height": 844})
    bell = screen.page.get_by_test_id("attendant")
    expect(bell).to_have_accessible_name("Attendant")
    bell.click()
    screen.sheet.get_by_role("button", name="Help").click()
    expect(bell).to_have_attribute("aria-label", re.compile(r"Attendant called, waiting \d:\d\d"))
    check_access(screen.page)
    made.do(c.AnswerCall(seat="1"))
    expect(bell).to_have_attribute("aria-label", "Your call has been answered")
