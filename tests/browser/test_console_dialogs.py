"""Dialogs of the console when things go wrong: records that do not come, lines that break, many seats."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from browser.browser_rig import SYSTEM, ConsoleScreen, Table
from browser.terminal_rig import TerminalLine
from croupier.table import commands as c

Tables = Callable[..., Table]

LOST = "Connection lost. Reconnecting; nothing is done until then."


def dialog_of(console: ConsoleScreen) -> Locator:
    """The dialog that is open."""
    return console.page.get_by_role("dialog")


def request_in(console: ConsoleScreen, held: list[Route]) -> Route:
    """The request that is held back, once the page has made it."""
    while not held:
        console.page.evaluate("null")
    return held.pop()


def two_rounds(table: Tables, **settings: object) -> Table:
    """A table with two rounds behind it: seat 1 won the first with 1, seat 2 the second with 20."""
    made = table("mbs-roulette", **settings)
    made.live.play(made.name, {"1": {"straight:1": 1000}}, "1")
    made.live.play(made.name, {"2": {"straight:20": 2000}}, "20")
    return made


@pytest.mark.parametrize(
    "keys", ["2 Escape 3 Escape 4 Escape", "2 1 Enter Escape 2 2 Enter Escape 2 3 Enter Escape"]
)
def test_however_often_escape_goes_one_step_back_the_dialog_is_there(
    console: ConsoleScreen, table: Tables, keys: str
) -> None:
    console.open(two_rounds(table))
    dialog = dialog_of(console)
    console.press("x")
    for key in keys.split():
        console.press(key)
        if key == "Escape":
            expect(dialog).to_contain_text("Registered is 20. Which one does the wheel show?")
    console.press("Escape")
    expect(console.page.locator("dialog")).to_have_count(0)
    console.press("?")
    expect(console.page.get_by_role("dialog", name="All keys")).to_be_visible()


def test_a_recalled_round_is_never_shown_under_the_number_of_another(
    console: ConsoleScreen, table: Tables
) -> None:
    console.open(two_rounds(table))
    held: list[Route] = []
    console.page.route("**/rounds/1", lambda route: held.append(route))
    dialog = dialog_of(console)
    console.press("r")
    expect(dialog).to_contain_text("Confirmed 20")
    console.press("[")
    expect(dialog).to_contain_text("Round 1")
    expect(dialog).to_contain_text("The record is being read")
    expect(dialog).not_to_contain_text("Confirmed 20")

    # The answer comes when somebody has leafed on: it is of no use any more.
    console.press("]")
    expect(dialog).to_contain_text("Confirmed 20")
    with console.page.expect_response("**/rounds/1"):
        request_in(console, held).continue_()
    expect(dialog).to_contain_text("Round 2")
    expect(dialog).to_contain_text("Confirmed 20")
    expect(dialog).not_to_contain_text("Confirmed 1 ")

    console.press("[")
    request_in(console, held).abort()
    expect(dialog).to_contain_text("The record of the round could not be read.")
    console.page.unroute("**/rounds/1")
    dialog.get_by_role("button", name="Refresh").click()
    expect(dialog).to_contain_text("Round 1 settled, 1")


def test_a_correction_goes_on_when_the_next_round_opens_elsewhere(
    console: ConsoleScreen, table: Tables
) -> None:
    made = two_rounds(table)
    console.open(made)
    expect(console.panel("The round is over")).to_contain_text("720.00")
    console.press("x", "7", "Enter")
    dialog = dialog_of(console)
    expect(dialog.get_by_role("row").filter(has_text="720.00")).to_have_count(1)
    made.do(c.OpenRound())
    console.phase("betting")
    expect(dialog.get_by_role("row").filter(has_text="720.00")).to_have_count(1)
    console.seconded("max")
    dialog.get_by_role("button", name="Correct to 7").click()
    expect(dialog).to_have_count(0)
    assert made.state.kept[2].result == "7"


def test_a_correction_shows_what_somebody_else_has_corrected_meanwhile(
    console: ConsoleScreen, table: Tables
) -> None:
    made = two_rounds(table)
    console.open(made)
    console.press("x", "7", "Enter")
    dialog = dialog_of(console)
    expect(dialog).to_contain_text("Paid on 20")
    made.do(c.CorrectResult(round=2, result="8", reason="The ball lies in 8."))
    expect(dialog).to_contain_text("Paid on 8")


def test_a_correction_of_many_seats_keeps_its_sums_in_sight(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette", seats=40)
    made.live.play(made.name, {str(seat): {"straight:17": 1000} for seat in range(1, 41)}, "17")
    made.do(c.CashOut(seat="1", voucher="000000000000000017"))
    console.open(made)
    console.press("x", "2", "0", "Enter")
    dialog = dialog_of(console)
    expect(dialog.get_by_role("row")).to_have_count(41)
    for width, height in ((1280, 800), (1920, 1080), (1024, 768)):
        console.page.set_viewport_size({"width": width, "height": height})
        for part in (".house", ".shortfall", "input[name=reason]", "input[name=second-password]"):
            expect(dialog.locator(part)).to_be_in_viewport(ratio=1)
        assert dialog.locator(".content").evaluate("part => part.scrollHeight <= part.clientHeight")
        console.picture(f"console-correct-many-{width}")
    # On a phone all of it is in one column, and scrolls as a whole.
    console.page.set_viewport_size({"width": 390, "height": 800})
    assert dialog.locator(".scrolls").evaluate("part => part.scrollHeight <= part.clientHeight")


def test_a_decision_names_the_bets_of_its_own_round_only(console: ConsoleScreen, table: Tables) -> None:
    made = two_rounds(table)
    console.open(made, "shi")
    console.press("s")
    dialog = dialog_of(console)
    dialog.get_by_label("Return some bets").check()
    dialog.get_by_label("Reason").fill("The lights went out")
    dialog.get_by_label("Seat 2 ·").check()
    record = dialog.get_by_role("button", name="Record the decision")
    expect(record).to_be_enabled()

    held: list[Route] = []
    console.page.route("**/rounds/1", lambda route: held.append(route))
    field = dialog.get_by_label("Round", exact=True)
    field.fill("1")
    expect(dialog.get_by_role("checkbox")).to_have_count(0)
    expect(dialog).to_contain_text("The record is being read")
    expect(record).to_be_disabled()
    field.fill("2")
    expect(dialog.get_by_label("Seat 2 ·")).not_to_be_checked()
    with console.page.expect_response("**/rounds/1"):
        request_in(console, held).continue_()
    expect(dialog.get_by_label("Seat 2 ·")).to_be_visible()

    field.fill("1")
    request_in(console, held).abort()
    expect(dialog).to_contain_text("The record of the round could not be read.")
    expect(dialog).not_to_contain_text("There are no bets in this round.")
    console.page.unroute("**/rounds/1")
    dialog.get_by_role("button", name="Refresh").click()
    dialog.get_by_label("Seat 1 ·").check()
    expect(record).to_be_enabled()


@pytest.mark.parametrize("number", ["", "0", "3", "1.5"])
def test_a_decision_takes_the_number_of_a_round(console: ConsoleScreen, table: Tables, number: str) -> None:
    console.open(two_rounds(table), "shi")
    console.press("s")
    dialog = dialog_of(console)
    dialog.get_by_label("Reason").fill("The lights went out")
    record = dialog.get_by_role("button", name="Record the decision")
    expect(record).to_be_enabled()
    dialog.get_by_label("Round", exact=True).fill(number)
    expect(dialog).to_contain_text("A round from 1 to 2.")
    expect(record).to_be_disabled()
    dialog.get_by_label("Round", exact=True).fill("2")
    expect(dialog).not_to_contain_text("A round from 1 to 2.")
    record.click()
    expect(dialog).to_have_count(0)


def test_what_two_people_sign_waits_for_the_line_and_keeps_the_password(
    console: ConsoleScreen, table: Tables
) -> None:
    made = two_rounds(table)
    line = TerminalLine(console.page)
    console.open(made)
    console.press("x", "7", "Enter")
    dialog = dialog_of(console)
    console.seconded("max")
    correct = dialog.get_by_role("button", name="Correct to 7")
    expect(correct).to_be_enabled()
    line.cut()
    expect(dialog.get_by_text(LOST)).to_be_in_viewport(ratio=1)
    expect(correct).to_be_disabled()
    console.press("Enter")
    expect(dialog.get_by_label("Password")).not_to_have_value("")
    line.mend()
    expect(dialog).not_to_contain_text(LOST)
    correct.click()
    expect(dialog).to_have_count(0)
    assert made.state.kept[2].result == "7"


def test_every_dialog_says_that_the_line_is_lost(console: ConsoleScreen, table: Tables) -> None:
    made = two_rounds(table, lock_up_cents=10_000)
    line = TerminalLine(console.page)
    console.open(made)
    dialog = dialog_of(console)

    def is_lost(name: str) -> None:
        expect(dialog).to_have_count(1)
        button = dialog.get_by_role("button", name=name)
        expect(button).to_be_visible()
        line.cut()
        expect(dialog.get_by_text(LOST)).to_be_in_viewport(ratio=1)
        expect(button).to_be_disabled()
        line.mend()
        expect(dialog).not_to_contain_text(LOST)
        console.picture(f"console-lost-{name}")

    console.press("l")
    is_lost("Announce the last round")
    console.press("Escape", "s")
    is_lost("Record the decision")
    console.press("Escape")
    console.page.locator('.seats [data-seat="1"]').click()
    is_lost("Release the seat")
    dialog.get_by_role("button", name="Release the seat").click()
    expect(console.page.get_by_role("dialog", name="Release a locked seat")).to_be_visible()
    console.seconded("sue")
    is_lost("Authorise")
    dialog.get_by_role("button", name="Authorise").click()
    expect(dialog).to_have_count(0)
    assert made.state.seats["1"].lock is None


def test_every_halt_is_looked_at_for_a_reason_of_its_own(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made, "shi")
    for why, answer in (("the meters disagree", "Counted again"), ("the wheel is broken", "Repaired")):
        made.machine(SYSTEM, c.HaltTable(reason=why))
        console.says("Resume play")
        console.press("Space")
        reason = dialog_of(console).get_by_label("Reason")
        expect(reason).to_have_value("")
        reason.fill(answer)
        console.press("Enter")
        console.says("Open round 1")
