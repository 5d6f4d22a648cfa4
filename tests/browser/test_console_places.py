"""Players without a terminal: credits for cash at the console, and the voucher that a cash-out gives."""

import re
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


def cashed_out(console: ConsoleScreen, table: Tables) -> tuple[Table, Locator, str]:
    """A place is paid out at the console; its table, the ticket on the screen and the number on it."""
    made = table(BOOK)
    console.open(made)
    place(console, "1").get_by_role("button", name="Cash out").click()
    ticket = console.page.get_by_role("dialog", name="Voucher of seat 1")
    number = re.sub(r"\D", "", ticket.locator("code").inner_text())
    return made, ticket, number


def test_a_cash_out_shows_the_voucher_that_the_cage_pays(console: ConsoleScreen, table: Tables) -> None:
    made, ticket, number = cashed_out(console, table)
    expect(ticket).to_contain_text("1,000.00 SGD")
    expect(ticket).to_contain_text(f"at table {made.name}, ")
    expect(ticket.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    found = made.live.rig.floor.cage.find(number)
    assert (found.cents, found.seat, found.status) == (100_000, "1", "outstanding")
    for size in SIZES:
        resize(console.page, size)
        assert has_no_sideways_scroll(console.page), size
        console.picture(f"console-ticket-{size}")
        check_access(console.page)
    ticket.get_by_role("button", name="Handed over").click()
    expect(ticket).to_have_count(0)
    console.page.reload()
    console.phase("idle")
    expect(console.page.get_by_role("dialog")).to_have_count(0)


def test_a_voucher_that_nobody_has_taken_is_found_again(console: ConsoleScreen, table: Tables) -> None:
    _, ticket, number = cashed_out(console, table)
    console.press("Escape")
    expect(ticket).to_have_count(0)
    notices = console.panel("Notices")
    expect(notices).to_contain_text("Seat 1 has a voucher that nobody has taken")
    # The work at the table goes on meanwhile.
    console.press("Space")
    console.phase("betting")
    console.press("F2")
    expect(ticket).to_be_visible()

    console.page.reload()
    expect(ticket.locator("code")).to_have_text(re.compile(number[:4]))
    expect(ticket).to_contain_text("1,000.00 SGD")
    assert re.sub(r"\D", "", ticket.locator("code").inner_text()) == number
    ticket.get_by_role("button", name="Handed over").click()
    expect(notices).to_contain_text("Nothing to look at")


def test_a_voucher_that_was_put_aside_is_there_in_a_new_window(console: ConsoleScreen, table: Tables) -> None:
    made, ticket, number = cashed_out(console, table)
    console.press("Escape")
    expect(ticket).to_have_count(0)
    context = console.page.context
    console.page.close()
    later = ConsoleScreen(context.new_page(), console.live)
    later.page.goto(f"{console.live.base_url}/console#table={made.name}")
    later.sign_in()
    again = later.page.get_by_role("dialog", name="Voucher of seat 1")
    expect(again).to_contain_text("1,000.00 SGD")
    assert re.sub(r"\D", "", again.locator("code").inner_text()) == number


def test_a_second_touch_of_handed_over_hands_over_no_other_voucher(
    console: ConsoleScreen, table: Tables
) -> None:
    cashed_out(console, table)
    console.press("Escape")
    place(console, "2").get_by_role("button", name="Cash out").click()
    ticket = console.page.get_by_role("dialog", name="Voucher of seat 2")
    button = ticket.get_by_role("button", name="Handed over")
    button.click(trial=True)  # once it stands still
    box = button.bounding_box()
    assert box is not None
    where = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    console.page.mouse.dblclick(*where)
    expect(ticket).to_have_count(0)
    expect(console.panel("Notices")).to_contain_text("Seat 1 has a voucher that nobody has taken")


def test_only_the_ticket_is_printed(console: ConsoleScreen, table: Tables) -> None:
    _, ticket, _ = cashed_out(console, table)
    console.page.evaluate("window.print = () => { document.title = 'printed'; }")
    ticket.get_by_role("button", name="Print the voucher").click()
    expect(console.page).to_have_title("printed")
    console.page.emulate_media(media="print")
    is_seen = "element => element.checkVisibility({ visibilityProperty: true })"
    # By their places in the page: for what is hidden there are no roles.
    assert console.page.locator("dialog code").evaluate(is_seen)
    assert not console.page.locator("dialog .btn.next").evaluate(is_seen)
    assert not console.next.evaluate(is_seen)
    console.picture("console-ticket-print")


def test_a_cash_out_that_takes_two_people_says_what_is_signed_and_shows_the_voucher(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table(BOOK, two_people=("cash-out",))
    console.open(made)
    place(console, "1").get_by_role("button", name="Cash out").click()
    signing = console.page.get_by_role("dialog", name="Pay out all credits as a voucher")
    expect(signing).to_contain_text("Seat 1 · 1,000.00")
    console.picture("console-second")
    console.seconded("dan")
    signing.get_by_role("button", name="Authorise").click()
    expect(console.page.get_by_role("dialog", name="Voucher of seat 1")).to_contain_text("1,000.00 SGD")
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
