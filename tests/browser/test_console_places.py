"""Players without a terminal: credits for cash at the console, and paid out by hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import SIZES, check_access, has_no_sideways_scroll, resize
from croupier.table import commands as c

Tables = Callable[..., Table]
BOOK = "rws-money-wheel"


def place(console: ConsoleScreen, seat: str) -> Locator:
    """The dialog of a place."""
    console.page.get_by_role("button", name=f"Place {seat}", exact=True).click()
    return console.page.get_by_role("dialog", name=f"Seat {seat}")


def test_a_place_is_paid_by_hand_by_two_employees(console: ConsoleScreen, table: Tables) -> None:
    made = table(BOOK)
    console.open(made)
    dialog = place(console, "1")
    expect(dialog).to_contain_text("A place has no terminal")
    expect(dialog.get_by_role("button", name="Cash out")).to_have_count(0)
    for size in SIZES:
        resize(console.page, size)
        assert has_no_sideways_scroll(console.page), size
        console.picture(f"console-place-paid-{size}")
    check_access(console.page)
    dialog.get_by_role("button", name="Pay out by hand").click()
    signing = console.page.get_by_role("dialog")
    expect(signing).to_contain_text("Seat 1 · 1,000.00")
    console.picture("console-second")
    console.seconded("sue")
    signing.get_by_role("button", name="Authorise").click()
    expect(console.page.get_by_role("dialog")).to_have_count(0)
    assert made.credits_cents("1") == 0


@pytest.mark.parametrize(
    ("typed", "cents"), [("1,000", 100_000), ("12.50", 1250), ("250", 25_000), ("1,234.5", 123_450)]
)
def test_credits_are_sold_for_the_amount_that_the_button_names(
    console: ConsoleScreen, table: Tables, typed: str, cents: int
) -> None:
    made = table(BOOK)
    console.open(made)
    dialog = place(console, "1")
    dialog.get_by_label("Credits for cash").fill(typed)
    dialog.get_by_role("button", name=f"Sell {cents / 100:,.2f}").click()
    expect(dialog).to_have_count(0)
    assert made.credits_cents("1") == 100_000 + cents


@pytest.mark.parametrize("typed", ["12.345", "0.005", "12,5", "1,00", "five", "0", "-5"])
def test_what_is_no_amount_is_not_sold_and_says_so(console: ConsoleScreen, table: Tables, typed: str) -> None:
    made = table(BOOK)
    console.open(made)
    dialog = place(console, "1")
    dialog.get_by_label("Credits for cash").fill(typed)
    expect(dialog).to_contain_text("This is no amount. Write it like 1,234.50, or without cents.")
    expect(dialog.get_by_role("button", name="Sell")).to_be_disabled()
    console.press("Enter")
    assert made.credits_cents("1") == 100_000


def test_an_amount_that_was_typed_for_one_place_is_not_left_for_the_next(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table(BOOK)
    console.open(made)
    first = place(console, "1")
    first.get_by_label("Credits for cash").fill("500")
    expect(first.get_by_role("button", name="Sell 500.00")).to_be_enabled()
    console.picture("console-place")
    console.press("Escape")
    second = place(console, "2")
    expect(second.get_by_label("Credits for cash")).to_have_value("")
    expect(second.get_by_role("button", name="Sell")).to_be_disabled()


def test_a_refusal_stays_in_the_dialog_that_caused_it_and_names_no_id(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table(BOOK)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    cell = console.page.locator('[data-place="1 symbol:crockfords"]')
    cell.click()
    console.press("7", "Enter")
    expect(cell).to_contain_text("7")
    # Its stake is taken back past the screen, so that taking it back again is refused.
    made.do(c.ClearBets(seat="1"))
    expect(cell).not_to_contain_text("7")
    console.page.get_by_role("button", name="Undo").click()
    notices = console.panel("Notices")
    expect(notices).to_contain_text("Not done")
    expect(notices).not_to_contain_text("symbol:")
    dialog = place(console, "1")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("alert")).to_have_count(0)
