"""Questions that the house does not answer: nothing is lost, and no screen says what is not true."""

import re
from collections.abc import Callable
from typing import Final

import msgspec
from playwright.sync_api import Page, Route, expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Range, Rules
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

UNREAD: Final = "The rules could not be read"


def refused(status: int, code: str) -> Callable[[Route], None]:
    """Answers with a refusal of the house."""
    return lambda route: route.fulfill(
        status=status, json={"code": code, "sentence": "Not now.", "facts": {}}
    )


def unanswered(page: Page, address: str) -> Callable[[], None]:
    """Lets no question of this kind through until the answer is called."""
    page.route(address, lambda route: route.abort())
    return lambda: page.unroute(address)


def test_a_ticket_stays_whatever_the_house_answers_and_comes_back_whole(
    table: Tables, terminal: Terminals
) -> None:
    screen = terminal(table())
    page = screen.page
    page.route("**/ticket", refused(429, "busy"))
    screen.open_sheet("Cash out")
    screen.sheet.get_by_role("button", name="Cash out").click()
    number = screen.sheet.locator("code")
    expect(number).to_have_text(re.compile(r"^[\d ]{22}$"))
    written = number.inner_text()
    for answer in (refused(503, "journal-unavailable"), lambda route: route.abort()):
        page.unroute("**/ticket")
        page.route("**/ticket", answer)
        page.reload()
        expect(number).to_have_text(written)
        expect(screen.sheet.locator(".worth")).to_have_text("1,000.00")
        expect(screen.sheet).to_contain_text("The rest of the ticket follows")
    page.unroute("**/ticket")
    expect(screen.sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    expect(screen.sheet).not_to_contain_text("The rest of the ticket follows")

    page.route("**/ticket", refused(409, "voucher-paid"))
    page.reload()
    screen.shows_table()
    expect(screen.sheet).to_have_count(0)


def test_a_book_that_was_not_read_is_said_and_read_again(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made)
    made.do(c.OpenRound())
    let_go = unanswered(screen.page, "**/api/books/**")
    screen.page.reload()
    screen.state("unread")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text(UNREAD)
    expect(screen.page.get_by_role("alert").filter(has_text=UNREAD)).to_contain_text("Trying again")
    screen.open_sheet("Rules")
    expect(screen.sheet).to_contain_text(UNREAD)
    screen.close_sheet()
    let_go()
    screen.shows_table()
    screen.state("betting")
    screen.touch("red")
    screen.registered({"red": 500})


def test_a_display_reads_its_book_until_it_is_there(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    live.play(made.name, {"1": {"red": 1000}}, "17")
    with live.client(live.staff_token("pit-supervisor")) as client:
        asked = {"kind": "display", "table": made.name}
        code = client.post("/api/devices/code", json=asked).raise_for_status().json()["code"]
    let_go = unanswered(page, "**/api/books/**")
    page.goto(f"{live.base_url}/display#code={code}")
    last = page.get_by_role("region", name="Last result", exact=True)
    expect(last).to_contain_text(UNREAD)
    expect(last).to_contain_text("Trying again")
    let_go()
    expect(last).to_contain_text("17")
    expect(page.get_by_text("Electronic Roulette")).to_be_visible()


def test_tables_to_choose_from_are_asked_for_until_they_are_there(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    let_go = unanswered(page, "**/api/tables")
    page.goto(f"{live.base_url}/display")
    page.get_by_role("button", name="Sign in instead of a code").click()
    page.get_by_label("Name", exact=True).fill("dee")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    unread = page.get_by_role("status").filter(has_text="The tables could not be read.")
    expect(unread).to_be_visible()
    let_go()
    expect(page.get_by_role("button", name=made.name, exact=True)).to_be_visible()
    expect(unread).to_have_count(0)


def test_rounds_and_results_that_were_not_read_are_asked_for_again(
    table: Tables, terminal: Terminals
) -> None:
    made = table()
    made.live.play(made.name, {"1": {"red": 1000}}, "1")
    screen = terminal(made)
    let_history, let_statistics = (
        unanswered(screen.page, address) for address in ("**/seat/history", "**/statistics")
    )
    screen.reload()
    screen.open_sheet("History")
    unread = screen.sheet.get_by_role("alert").filter(has_text="be read")
    expect(unread).to_be_visible()
    expect(screen.sheet).not_to_contain_text("No round of this visit yet")
    with screen.page.expect_request("**/seat/history"):
        unread.get_by_role("button", name="Try again").click()
    let_history()
    expect(screen.sheet.get_by_text("Round 1")).to_be_visible()
    expect(unread).to_have_count(0)
    screen.close_sheet()

    screen.open_sheet("Statistics")
    expect(unread).to_be_visible()
    let_statistics()
    unread.get_by_role("button", name="Try again").click()
    expect(unread).to_have_count(0)


def test_a_void_round_is_not_said_to_have_had_no_bets_before_it_is_looked_up(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    made.bet("1", red=1000)
    made.do(c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause="ball-out"))
    let_go = unanswered(screen.page, "**/seat/history")
    screen.reload()
    screen.state("void")
    message = screen.page.get_by_role("alert").filter(has_text="This round is void")
    expect(message).to_be_visible()
    expect(message).not_to_contain_text("You had no bets")
    let_go()
    expect(message).to_contain_text("Your 10.00 was returned")


def test_a_purchase_under_way_is_shown_and_not_sent_twice(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made, line=True)
    assert screen.line is not None
    screen.line.hold()
    screen.open_sheet("Buy in")
    buy = screen.sheet.locator("button.primary")
    screen.sheet.get_by_role("button", name="+100", exact=True).click()
    buy.click()
    said = screen.sheet.get_by_role("status")
    expect(said).to_contain_text("100.00 is on its way to your credits")
    screen.close_sheet()

    screen.open_sheet("Cash out")
    expect(said).to_contain_text("100.00 is on its way to your credits")
    expect(screen.sheet.get_by_role("button", name="Cash out")).to_be_disabled()
    screen.close_sheet()
    screen.open_sheet("Buy in")
    expect(said).to_contain_text("100.00 is on its way to your credits")
    screen.sheet.get_by_role("button", name="+100", exact=True).click()
    expect(buy).to_be_disabled()
    screen.sheet.get_by_label("Cash in SGD, whole units").press("Enter")
    screen.line.let_go()
    expect(said).to_have_text("100.00 was added to your credits.")
    assert made.credits_cents("1") == 110_000


def test_money_that_is_refused_after_its_sheet_was_left_says_so(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made, line=True)
    assert screen.line is not None
    screen.open_sheet("Buy in")
    screen.sheet.get_by_role("button", name="Insert voucher").click()
    screen.sheet.get_by_label("Number on the ticket").click()
    screen.page.keyboard.type("1234567890123456785000")
    screen.line.hold()
    screen.sheet.locator("button.primary").click()
    screen.close_sheet()
    screen.open_sheet("History")
    screen.line.let_go()
    # What is told later than the answer: it has come while the player looks at something else.
    made.do(c.OpenRound())
    screen.state("betting")
    screen.page.keyboard.press("Escape")
    expect(screen.sheet.get_by_role("heading", name="Buy in")).to_be_visible()
    expect(screen.sheet.get_by_role("alert")).not_to_be_empty()
    screen.close_sheet()
    expect(screen.page.get_by_text("Bet not accepted")).to_have_count(0)


def test_digits_go_where_the_screen_says_they_go(table: Tables, terminal: Terminals) -> None:
    screen = terminal(table())
    screen.open_sheet("Buy in")
    cash = screen.sheet.get_by_label("Cash in SGD, whole units")
    cash.click()
    screen.page.keyboard.type("12a345678901")
    expect(cash).to_have_value("1234567")
    screen.sheet.get_by_role("button", name="Insert voucher").click()
    number = screen.sheet.get_by_label("Number on the ticket")
    amount = screen.sheet.get_by_label("Amount on the ticket")
    number.click()
    screen.page.keyboard.type("123456789012345678")
    expect(amount).to_be_focused()
    screen.page.keyboard.type("5000")
    expect(number).to_have_value("1234 5678 9012 3456 78")
    expect(amount).to_have_value("50.00")
    screen.page.keyboard.press("Backspace")
    expect(amount).to_have_value("5.00")
    screen.close_sheet()

    screen.page.locator(".session").click()
    loss = screen.sheet.locator("input")
    loss.click()
    screen.page.keyboard.type("12a34567")
    expect(loss).to_have_value("123456")


def test_a_locked_seat_and_a_correction_are_told_in_the_language_of_the_player(
    table: Tables, terminal: Terminals
) -> None:
    made = table(lock_up_cents=100_000)
    screen = terminal(made, locale="zh-CN")
    made.do(c.OpenRound())
    made.bet("1", straight__17=5000)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    screen.state("locked")
    lock = screen.page.get_by_role("alert").filter(has_text="此座位已锁定")
    expect(lock).to_contain_text("大额派彩")
    expect(lock).not_to_contain_text("win")
    made.do(c.ClearLockUp(seat="1"))
    made.do(c.CorrectResult(round=1, result="20", reason="Number misread on entry"))
    news = screen.page.get_by_role("alert").filter(has_text="登记时误读")
    expect(news).to_be_visible()
    expect(news).not_to_contain_text("misread")


@clause("rws-roulette-00:3.3")
def test_every_limit_of_the_table_is_displayed(table: Tables, terminal: Terminals) -> None:
    rules = Rules(load_book("rws-roulette-00"), "A")
    own = Range(minimum_cents=500, maximum_cents=5_000)
    wide = wide_limits(rules, seat_cents=500_000, table_cents=5_000_000, spots={"straight": 50_000})
    limits = msgspec.structs.replace(wide, bets={**wide.bets, "straight:0": own, "red": own})
    facts = terminal(table("rws-roulette-00", layout="A", limits=limits)).page.locator(".facts dl > div")
    shown = [re.split(r"\n+", line) for line in facts.all_inner_texts()]
    by_name = {line[0]: line[-1] for line in shown}
    assert by_name["Straight Up 0"] == by_name["Red"] == "5 \u2013 50"
    assert by_name["Straight Up"] == by_name["Even chances"] == "1 \u2013 10,000"
    most = ("All seats together: Straight Up", "A seat in one round", "The table in one round")
    assert [by_name[name] for name in most] == ["≤ 500", "≤ 5,000", "≤ 50,000"]
