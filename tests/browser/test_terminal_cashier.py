"""Money at the terminal: cash and vouchers in, a ticket out, and the limits that players set themselves."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def ticket_number(screen: TerminalScreen) -> str:
    """The number on the ticket that is shown."""
    return re.sub(r"\D", "", screen.sheet.locator("code").inner_text())


def type_digits(screen: TerminalScreen, digits: str) -> None:
    """Touches the digits of the keypad."""
    pad = screen.sheet.get_by_role("group", name="Digits")
    for digit in digits:
        pad.get_by_role("button", name=digit, exact=True).click()


def cash_out(screen: TerminalScreen) -> str:
    screen.open_sheet("Cash out")
    screen.sheet.get_by_role("button", name="Cash out").click()
    expect(screen.sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    return ticket_number(screen)


def test_cash_is_put_in_by_notes_and_by_the_keypad(table: Tables, terminal: Terminals) -> None:
    made = table()
    made.do(c.OpenSeat(seat="3", kind="rapid-fusion"), c.OpenRound())
    screen = terminal(made, "3")
    message = screen.page.get_by_role("alert").filter(has_text="Buy in to play")
    message.get_by_role("button", name="Read the rules").click()
    expect(screen.sheet.get_by_role("table")).to_contain_text("2.70%")
    screen.close_sheet()

    message.get_by_role("button", name="Buy in").click()
    screen.sheet.get_by_role("button", name="+50", exact=True).click()
    screen.sheet.get_by_role("button", name="+10", exact=True).click()
    screen.sheet.get_by_role("button", name="Take the last digit back").click()
    type_digits(screen, "25")
    screen.sheet.get_by_role("button", name="Buy in 625.00").click()
    expect(screen.sheet.get_by_role("status")).to_have_text("625.00 was added to your credits.")
    screen.close_sheet()
    expect(screen.figure("Credits")).to_have_text("625.00")
    assert made.credits_cents("3") == 62_500
    expect(screen.page.locator(".session")).to_contain_text("0:00")


def test_a_voucher_of_one_table_is_redeemed_at_another_once(table: Tables, terminal: Terminals) -> None:
    one, two = table("mbs-roulette"), table("rws-roulette-000")
    screen, other = terminal(one), terminal(two)
    number = cash_out(screen)
    expect(screen.sheet.locator(".ticket")).to_contain_text("1,000.00 SGD")
    expect(screen.sheet.locator(".ticket")).to_contain_text("one thousand dollars")
    assert one.credits_cents("1") == 0

    # The ticket is in sight until the player has it, whatever happens to the page.
    screen.page.reload()
    expect(screen.sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    assert ticket_number(screen) == number
    screen.sheet.get_by_role("button", name="I have the ticket").click()
    screen.reload()
    expect(screen.sheet).to_have_count(0)

    other.open_sheet("Buy in")
    other.sheet.get_by_role("button", name="Insert voucher").click()
    redeem = other.sheet.get_by_role("button", name="Redeem the voucher")
    type_digits(other, number)
    expect(other.sheet.get_by_label("Number on the ticket")).to_have_value(re.compile(number[:4]))
    type_digits(other, "90000")
    redeem.click()
    expect(other.sheet.get_by_role("alert")).to_contain_text("amount")
    other.sheet.get_by_role("button", name="Clear the digits").click()
    type_digits(other, "100000")
    redeem.click()
    expect(other.sheet.get_by_role("status")).to_have_text("1,000.00 was added to your credits.")
    assert two.credits_cents("1") == 200_000

    type_digits(other, number)
    type_digits(other, "100000")
    redeem.click()
    expect(other.sheet.get_by_role("alert")).not_to_be_empty()
    assert two.credits_cents("1") == 200_000


def test_the_ticket_alone_is_printed(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table())
    cash_out(screen)
    screen.page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    screen.sheet.get_by_role("button", name="Print the voucher").click()
    assert screen.page.evaluate("window.printed") is True
    screen.page.emulate_media(media="print")
    expect(screen.page.locator("dialog .ticket code")).to_be_visible()
    for hidden in (
        screen.page.get_by_text("Print the voucher"),
        screen.page.locator(".dock"),
        screen.spot("red"),
    ):
        expect(hidden).to_be_hidden()


def test_a_cash_out_with_stakes_in_play_waits_for_the_round(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("red")
    screen.registered({"red": 500})
    screen.open_sheet("Cash out")
    expect(screen.sheet).to_contain_text("5.00 is in play. You can cash out when the round is over.")
    expect(screen.sheet.get_by_role("button", name="Cash out")).to_be_disabled()


def test_a_cash_out_above_the_limit_locks_the_seat_for_an_attendant(
    table: Tables, terminal: Terminals
) -> None:
    made = table(voucher_limit_cents=50_000)
    screen = terminal(made)
    screen.open_sheet("Cash out")
    screen.sheet.get_by_role("button", name="Cash out").click()
    screen.state("locked")
    message = screen.page.get_by_role("alert").filter(has_text="This seat is locked")
    expect(message).to_contain_text("A cash-out of this size is paid by an attendant.")
    made.do(c.PayByAttendant(seat="1"))
    screen.state("waiting")
    expect(screen.figure("Credits")).to_have_text("0.00")
    news = screen.page.get_by_role("alert").filter(has_text="Paid out by hand")
    expect(news).to_contain_text("An attendant has paid out all credits of this seat: 1,000.00.")
    # Whoever buys in next is somebody else, or has been paid.
    made.do(c.BuyCredits(seat="1", cents=5_000))
    expect(news).to_have_count(0)


def test_a_ticket_stays_until_it_is_taken_and_nothing_of_it_is_left_for_the_next_player(
    table: Tables, terminal: Terminals
) -> None:
    made = table()
    screen = terminal(made)
    made.do(c.OpenRound())
    made.bet("1", straight__17=1000)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    expect(screen.figure("Last win")).to_have_text("360.00")
    number = cash_out(screen)
    expect(screen.sheet.get_by_role("button", name="Close")).to_have_count(0)
    for _ in range(3):  # a browser closes a dialog at the second one by itself
        screen.page.keyboard.press("Escape")
    screen.page.mouse.click(20, 500)
    assert ticket_number(screen) == number
    screen.page.reload()
    assert ticket_number(screen) == number

    screen.button("I have the ticket").click()
    expect(screen.sheet).to_have_count(0)
    expect(screen.figure("Last win")).to_have_text("0.00")
    screen.open_sheet("Cash out")
    expect(screen.sheet).not_to_contain_text(number[:4])
    screen.close_sheet()


def test_a_loss_limit_refuses_bets_until_the_visit_is_over(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made)
    screen.page.locator(".session").click()
    type_digits(screen, "12")
    screen.sheet.get_by_role("button", name="Set the limit 12.00").click()
    screen.close_sheet()
    expect(screen.page.locator(".session")).to_contain_text("12.00")
    screen.reload()
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("red", "red", "red")
    refused = screen.page.get_by_role("alert").filter(has_text="Bet not accepted")
    expect(refused).to_contain_text("Your own loss limit is 12.00. Within it you may stake 2.00 more")
    screen.registered({"red": 1000})

    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    screen.state("ended")
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose(100)
    screen.touch("red", "red", "red")
    screen.registered({"red": 200})
    expect(refused).to_contain_text("you may stake 0.00 more")
    screen.button("Clear").click()
    screen.registered({})

    cash_out(screen)
    screen.sheet.get_by_role("button", name="I have the ticket").click()
    expect(screen.page.locator(".session")).not_to_contain_text("12.00")


def test_the_reminder_comes_when_it_is_due_and_not_again_after_a_reload(
    table: Tables, terminal: Terminals
) -> None:
    made = table()
    screen = terminal(made)
    screen.page.locator(".session").click()
    screen.sheet.get_by_role("button", name="15 min").click()
    screen.close_sheet()
    reminder = screen.page.get_by_role("alert").filter(has_text="Your reminder")
    expect(reminder).to_have_count(0)

    # The visit began sixteen minutes earlier than it did.
    screen.page.evaluate(
        """() => {
          const key = Object.keys(localStorage).find((each) => each.startsWith('croupier.visit.'));
          const visit = JSON.parse(localStorage.getItem(key));
          localStorage.setItem(key, JSON.stringify({ ...visit, began_ms: visit.began_ms - 16 * 60000 }));
        }"""
    )
    screen.reload()
    expect(reminder).to_contain_text("You have been playing for 0:16.")
    reminder.get_by_role("button", name="Go on").click()
    expect(reminder).to_have_count(0)
    screen.reload()
    expect(screen.page.locator(".session")).to_contain_text("0:16")
    expect(reminder).to_have_count(0)


def test_a_terminal_without_a_note_acceptor_takes_vouchers_alone(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette", cash_limit_cents=0)
    screen = terminal(made)
    screen.open_sheet("Buy in")
    expect(screen.sheet).to_contain_text("This terminal takes vouchers. For cash, call an attendant.")
    expect(screen.sheet.get_by_role("button", name="+50", exact=True)).to_have_count(0)
    expect(screen.sheet.get_by_role("textbox")).to_have_count(2)
