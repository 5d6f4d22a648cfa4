"""Keys that come faster than the answers of the table: none is lost, and none is taken for something else."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import SYSTEM, ConsoleScreen, Table
from browser.terminal_rig import TerminalLine
from croupier.table import commands as c

Tables = Callable[..., Table]


def closed_round(console: ConsoleScreen, made: Table) -> TerminalLine:
    """A console at a table whose bets are closed, on a line that can be held."""
    line = TerminalLine(console.page)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    console.press("Space")
    console.phase("closed")
    return line


def test_a_number_is_registered_while_a_call_is_being_answered(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    line = closed_round(console, made)
    made.do(c.CallAttendant(seat="1"))
    expect(console.panel("Notices")).to_contain_text("Seat 1")
    console.press("Space")
    console.phase("spinning")
    line.hold()
    console.press("a", "1", "7", "Enter")
    line.let_go()
    console.phase("resulted")
    assert made.state.round.result == "17"
    assert made.state.seats["1"].call is None


def test_a_number_typed_before_the_spin_is_answered_waits_for_enter(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    line = closed_round(console, made)
    line.hold()
    console.press("Space", "1", "7", "Enter")
    line.let_go()
    console.phase("spinning")
    expect(console.page.locator("h2[role=status]")).to_have_text("Typed: 17")
    assert made.state.round.result is None
    console.press("Enter")
    console.phase("resulted")
    assert made.state.round.result == "17"


def test_the_name_of_the_second_person_is_no_key_of_the_console(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    line = closed_round(console, made)
    made.do(c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    console.press("8", "Enter")
    console.says("with a second person")
    line.hold()
    console.press("Space")
    console.page.keyboard.type("sue")
    expect(console.page.locator("dialog")).to_have_count(0)
    line.let_go()
    dialog = console.page.get_by_role("dialog", name="State the outcome after an interruption")
    expect(dialog).to_be_visible()
    console.seconded("sue")
    dialog.get_by_role("button", name="Authorise").click()
    console.phase("idle")
    assert made.state.kept[1].result == "8"
