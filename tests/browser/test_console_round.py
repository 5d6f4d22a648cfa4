"""The Game Console works a whole round: by keyboard alone and by touch, on every book."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import BOOKS, WHEEL, ConsoleScreen, Table
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]

RESULTS = {"mbs-roulette": "17", "rws-roulette-00": "00", "rws-roulette-000": "000", "rws-money-wheel": "10"}
BETS = {
    book: f"symbol__{result}" if "money" in book else f"straight__{result}"
    for book, result in RESULTS.items()
}


def test_a_wrong_password_is_refused_and_the_right_one_leads_to_the_tables(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table()
    console.page.goto(f"{console.live.base_url}/console")
    console.sign_in("dee", "not the password")
    expect(console.page.get_by_role("alert")).not_to_be_empty()

    console.sign_in("dee")
    console.page.get_by_role("button", name=made.name).click()
    console.says("Open round 1")

    console.page.reload()
    console.says("Open round 1")
    console.page.get_by_role("button", name="Leave this table").click()
    console.page.get_by_role("button", name="Sign out").click()
    expect(console.page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize("book", BOOKS)
@clause("mbs-roulette:3.8", "rws-roulette-00:3.7", "rws-roulette-000:3.7", "rws-money-wheel:3.8")
def test_a_round_by_keyboard_alone(console: ConsoleScreen, table: Tables, book: str) -> None:
    made = table(book)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.bet("1", **{BETS[book]: 1000})

    console.says("Close bets")
    console.press("Space")
    console.phase("closed")
    console.press("Space")
    console.phase("spinning")
    console.press(*RESULTS[book], "Enter")
    console.phase("resulted")
    console.says("Confirm")
    console.press("Space")
    console.phase("idle")

    expect(console.panel("The round is over")).to_contain_text("Round 1 settled")
    assert made.state.kept[1].result == RESULTS[book]
    assert made.credits_cents("1") > 100_000


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_by_touch(console: ConsoleScreen, table: Tables, book: str) -> None:
    made = table(book)
    console.open(made)
    console.next.click()
    console.phase("betting")
    made.bet("2", **{BETS[book]: 2000})
    console.next.click()
    console.phase("closed")
    console.next.click()
    console.phase("spinning")
    console.cell(RESULTS[book]).click()
    console.phase("resulted")
    expect(console.panel("Check before you confirm")).to_contain_text("Pays")
    console.next.click()
    console.phase("idle")
    console.says("Open round 2")

    assert made.state.kept[1].result == RESULTS[book]


def test_what_is_not_allowed_says_why_in_the_words_of_the_table(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    console.open(made)
    expect(console.step("close")).to_contain_text("No round is running.")
    console.press("Space")
    console.phase("betting")
    expect(console.step("spin")).to_contain_text("Close the bets before the ball is spun.")
    expect(console.step("spin").get_by_role("button")).to_be_disabled()
    expect(console.step("confirm")).to_contain_text("No result is registered for this round.")

    console.press("5", "Enter", "x", "b")
    console.phase("betting")
    assert made.state.round.result is None


@clause("rws-roulette-00:3.5")
def test_where_the_book_lets_the_ball_roll_before_the_close_so_does_the_console(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("rws-roulette-00")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    expect(console.step("spin")).to_contain_text("May roll before the close")
    console.press("b")
    expect(console.step("spin")).not_to_contain_text("May roll before the close")
    assert made.state.round.phase == "betting"
    console.press("Space")
    console.phase("spinning")


def test_stakes_are_shown_as_they_come(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.bet("1", straight__17=500, red=2000)
    made.bet("2", straight__17=1500)

    expect(console.page.get_by_test_id("total")).to_have_text("40.00")
    expect(console.panel("House result for each number")).to_be_visible()
    expect(console.page.get_by_role("img", name="Worst case: 17 black, house pays 680")).to_be_visible()
    expect(console.panel("Seats").get_by_role("row", name="1 online")).to_have_count(0)
    expect(console.panel("Seats")).to_contain_text("15")


def test_an_entry_that_was_misread_is_changed_before_it_counts(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    console.press("Space")
    console.phase("closed")
    console.press("Space")
    console.phase("spinning")
    console.press("1", "8", "Enter")
    console.says("Confirm 18 red")
    console.press("Escape")
    console.says("Choose the right one")
    console.press("Space")
    console.press("1", "7", "Enter")
    console.says("Confirm 17 black")
    console.press("Space")
    console.phase("idle")

    assert made.state.kept[1].result == "17"


def test_a_sensor_that_disagrees_takes_a_supervisor(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    console.press("Space")
    console.phase("closed")
    made.machine(WHEEL, c.StartSpin(ball="clockwise", wheel="counter-clockwise", wheel_turning=True))
    made.machine(WHEEL, c.FinishSpin(revolutions=12, pocket="5"))
    console.says("Enter 5 red")
    expect(console.panel("Wheel")).to_contain_text("Sensor: 5")

    console.cell("17").click()
    expect(console.page.get_by_role("dialog")).to_contain_text("dee")
    console.seconded("dan")
    console.page.get_by_role("button", name="Authorise").click()
    expect(console.page.get_by_role("dialog").get_by_role("alert")).not_to_be_empty()
    console.seconded("sue")
    console.page.get_by_role("button", name="Authorise").click()
    console.phase("resulted")
    expect(console.panel("Check before you confirm")).to_contain_text(
        "Wheel sensor says 5: two people registered against it"
    )


def test_the_console_speaks_chinese(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    console.page.get_by_role("button", name="Language").click()
    console.says("开始第 1 局")
    console.press("Space")
    console.says("停止下注")
    expect(console.page.get_by_role("list", name="本局步骤")).to_contain_text("尚未登记结果。")


def test_a_number_that_is_not_on_the_wheel_is_kept_and_said(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    for phase in ("betting", "closed", "spinning"):
        console.press("Space")
        console.phase(phase)
    console.press("3", "7", "Enter")
    pad = console.page.get_by_role("region", name="Result", exact=True)
    expect(pad).to_contain_text("There is no 37 on this wheel.")
    console.picture("console-unknown-number")
    assert made.state.round.result is None
    console.press("Backspace")
    expect(pad).to_contain_text("Typed: 3")
    console.press("6", "Enter")
    console.says("Confirm 36 red")


def test_what_is_typed_is_meant_and_not_the_number_under_the_focus(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    console.open(made)
    for phase in ("betting", "closed", "spinning"):
        console.press("Space")
        console.phase(phase)
    console.cell("5").focus()
    console.press("1", "7", "Enter")
    console.says("Confirm 17 black")
    assert made.state.round.result == "17"


def test_a_wheel_by_hand_is_never_said_to_report(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made)
    wheel = console.panel("Wheel")
    console.press("Space")
    console.phase("betting")
    expect(console.step("close")).to_contain_text("Dealer closes")
    expect(console.step("close")).not_to_contain_text("timer")
    console.press("Space")
    console.phase("closed")
    console.says("Press once it is spun, unless the wheel reports it")
    console.press("Space")
    console.phase("spinning")
    expect(wheel).to_contain_text("Ball is rolling")
    expect(wheel).to_contain_text("Nothing is measured")
    expect(wheel).not_to_contain_text("no ball yet")
    console.press("1", "7", "Enter")
    expect(wheel).to_contain_text("Ball at rest")
    expect(wheel).not_to_contain_text("Ball is rolling")
    console.picture("console-by-hand")
    console.press("Space")
    console.phase("idle")
    console.page.reload()
    console.phase("idle")
    console.press("Space")
    console.phase("betting")
    console.press("Space")
    console.phase("closed")
    console.says("Press once you have spun the ball")
    made.machine(WHEEL, c.StartSpin(ball="clockwise", wheel="counter-clockwise", wheel_turning=True))
    expect(wheel).to_contain_text("Opposite directions")
