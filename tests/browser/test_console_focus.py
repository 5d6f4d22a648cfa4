"""Where the focus of a console is: in the password after a refusal, and where it was after a dialog."""

from collections.abc import Callable

from playwright.sync_api import Locator, expect

from browser.browser_rig import SYSTEM, ConsoleScreen, Table
from croupier.table import commands as c
from server.floor_rig import PASSWORD

Tables = Callable[..., Table]


def locked_seat(console: ConsoleScreen, table: Tables) -> Table:
    """A console at a table whose seat 1 has won so much that it is locked."""
    made = table("mbs-roulette", lock_up_cents=10_000)
    made.live.play(made.name, {"1": {"straight:17": 1000}}, "17")
    console.open(made)
    return made


def row(console: ConsoleScreen, seat: str) -> Locator:
    """A seat among the seats."""
    return console.page.locator(f'.seats [data-seat="{seat}"]')


def password(console: ConsoleScreen) -> Locator:
    """The password of the second person."""
    return console.page.get_by_role("dialog").get_by_label("Password", exact=True)


def test_after_a_wrong_password_the_right_one_is_typed_at_once(console: ConsoleScreen, table: Tables) -> None:
    made = locked_seat(console, table)
    row(console, "1").focus()
    console.press("Enter")
    console.page.get_by_role("button", name="Release the seat").press("Enter")
    dialog = console.page.get_by_role("dialog", name="Release a locked seat")
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    console.page.keyboard.type("sue")
    console.press("Tab")
    console.page.keyboard.type("wrong")
    for attempt in ("wrong too", PASSWORD):
        console.press("Enter")
        expect(password(console)).to_have_value("")
        expect(password(console)).to_be_focused()
        expect(password(console)).to_be_editable()
        console.page.keyboard.type(attempt)
    console.press("Enter")
    expect(dialog).to_have_count(0)
    assert made.state.seats["1"].lock is None
    # Both dialogs are gone, and the seat has the focus from which they were opened.
    expect(row(console, "1")).to_be_focused()


def test_after_a_wrong_password_a_correction_is_signed_once_more(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    made.live.play(made.name, {"1": {"straight:17": 1000}}, "17")
    console.open(made)
    console.press("x", "2", "0", "Enter")
    console.seconded("max", "wrong")
    dialog = console.page.get_by_role("dialog")
    # A button that is pressed by the mouse has the focus, and loses it while the answer is on its way.
    dialog.get_by_role("button", name="Correct to 20").click()
    expect(password(console)).to_have_value("")
    expect(password(console)).to_be_focused()
    console.page.keyboard.type(PASSWORD)
    console.press("Enter")
    expect(dialog).to_have_count(0)
    assert made.state.kept[1].result == "20"


def test_a_dialog_that_is_left_gives_the_focus_back_and_space_is_the_next_action_still(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    console.open(made)
    row(console, "2").focus()
    console.press("Enter")
    expect(console.page.get_by_role("dialog", name="Seat 2")).to_be_visible()
    console.press("Escape")
    expect(row(console, "2")).to_be_focused()
    console.press("Space")
    console.phase("betting")
    expect(console.page.locator("dialog")).to_have_count(0)
    assert made.state.round_number == 1


def test_enter_voids_a_round_wherever_the_focus_was_before(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    row(console, "2").click()
    console.press("Escape")
    expect(row(console, "2")).to_be_focused()
    console.irregularity("1")
    expect(console.next).to_be_focused()
    console.press("Enter")
    console.phase("idle")
    assert made.state.round is None


def test_enter_that_signs_is_no_enter_for_the_action_that_comes_next(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    console.press("8", "Enter")
    console.says("with a second person")
    console.next.click()
    console.seconded("sue")
    console.press("Enter")
    expect(console.page.locator("dialog")).to_have_count(0)
    console.press("Enter")
    console.phase("idle")
    console.rested()
    assert made.state.round_number == 1
    assert made.state.round is None
