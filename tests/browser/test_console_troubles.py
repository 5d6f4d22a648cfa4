"""What goes wrong at a table, handled at the console: voids, corrections, lock-ups, interruptions, halts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from browser.browser_rig import PASSWORD, SYSTEM, ConsoleScreen, Table
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]


def closed_round(console: ConsoleScreen, table: Table, who: str = "dee", **stakes: int) -> None:
    """A console at a table whose bets are closed."""
    console.open(table, who)
    console.press("Space")
    console.phase("betting")
    if stakes:
        table.bet("1", **stakes)
    console.press("Space")
    console.phase("closed")


def settled_round(console: ConsoleScreen, table: Table, result: str, who: str = "dee", **stakes: int) -> None:
    """A console at a table whose first round is settled."""
    closed_round(console, table, who, **stakes)
    console.press("Space")
    console.phase("spinning")
    console.press(*result, "Enter")
    console.phase("resulted")
    console.press("Space")
    console.phase("idle")


@clause("rws-roulette-00:5.3.4")
def test_a_void_says_what_goes_back_and_takes_enter_never_space(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("rws-roulette-00")
    closed_round(console, made, straight__17=2500)
    console.press("Space")
    console.phase("spinning")
    console.panel("Irregularities").locator("[data-cause=ball-out]").click()
    console.says("Void the round")
    console.says("Returns 25.00 to 1 seat")
    expect(console.panel("Void round 1?")).to_contain_text("25.00")

    console.press("Space", "Space")
    console.says("Void the round")
    assert made.state.round is not None
    console.press("Enter")
    console.phase("idle")
    expect(console.panel("The round is over")).to_contain_text("Round 1 is void")
    assert made.credits_cents("1") == 100_000
    assert made.state.kept[1].result is None


def test_a_void_can_be_left_and_nothing_happens(console: ConsoleScreen, table: Tables) -> None:
    made = table("rws-roulette-00")
    closed_round(console, made, red=2500)
    console.press("Space")
    console.phase("spinning")
    console.irregularity("1")
    console.says("Void the round")
    console.press("Escape")
    console.says("Ball is rolling")
    assert made.state.round is not None


@clause("mbs-roulette:5.15")
def test_no_spin_is_two_keys(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    closed_round(console, made, red=2500)
    console.press("n")
    console.says("Call no spin")
    console.press("Enter")
    console.phase("idle")
    assert made.credits_cents("1") == 100_000


def test_an_irregularity_that_cannot_have_happened_is_grey_and_says_why(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    closed_round(console, made)
    tile = console.panel("Irregularities").locator("[data-cause=ball-out]")
    expect(tile).to_be_disabled()
    expect(tile).to_contain_text("no spin yet")
    console.press("i", "6")
    console.says("Spin the ball")


@clause("mbs-roulette:6.3")
def test_a_settled_result_is_corrected_with_a_second_person(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    settled_round(console, made, "17", straight__17=1000, straight__20=500)
    assert made.credits_cents("1") == 100_000 - 1500 + 36_000
    console.press("x")
    dialog = console.page.get_by_role("dialog")
    dialog.locator('[data-number="20"]').click()
    expect(dialog).to_contain_text("\N{MINUS SIGN}180.00")
    expect(dialog).to_contain_text("dee, dealer")
    wanted = dialog.get_by_role("button", name="waiting for the second person")
    expect(wanted).to_be_disabled()

    console.seconded("max", "not the password")
    dialog.get_by_role("button", name="Correct to 20").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    console.seconded("max")
    dialog.get_by_role("button", name="Correct to 20").click()
    expect(dialog).to_have_count(0)
    expect(console.panel("Round log")).to_contain_text("Corrected 17 to 20")
    assert made.state.kept[1].result == "20"
    assert made.credits_cents("1") == 100_000 - 1500 + 18_000


def test_the_usual_reason_of_a_correction_is_recorded_in_one_language(
    console: ConsoleScreen, table: Tables
) -> None:
    sent: list[str] = []
    console.page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    made = table("mbs-roulette")
    settled_round(console, made, "17", straight__17=1000)
    console.page.get_by_role("button", name="Language").click()
    console.says("开始第 2 局")
    console.press("x", "2", "0", "Enter")
    dialog = console.page.get_by_role("dialog")
    expect(dialog.locator("input[name=reason]")).to_have_value("登记时误读")
    dialog.locator("input[name=second-name]").fill("max")
    dialog.locator("input[type=password]").fill(PASSWORD)
    dialog.locator("button.next").click()
    expect(dialog).to_have_count(0)
    (correction,) = (frame for frame in sent if "correct-result" in frame)
    assert "Number misread on entry" in correction


def test_a_correction_takes_the_number_from_the_keyboard_too(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    settled_round(console, made, "17", straight__17=1000)
    console.press("x")
    dialog = console.page.get_by_role("dialog")
    console.press("3", "7", "Enter")
    expect(dialog).to_contain_text("There is no 37 on this wheel.")
    console.press("1", "7", "Enter")
    expect(dialog).to_contain_text("17 is what is registered.")
    console.press("2")
    expect(dialog).to_contain_text("Typed: 2")
    console.press("0", "Enter")
    expect(dialog).to_contain_text("Difference")
    expect(dialog.get_by_label("Name", exact=True)).to_be_focused()
    console.page.keyboard.type("max")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("max")
    # Back to the number, and out: nothing has happened, and the console has its keys again.
    console.press("Escape")
    expect(dialog).to_contain_text("Which one does the wheel show?")
    console.press("Escape")
    expect(dialog).to_have_count(0)
    console.press("?")
    expect(console.page.get_by_role("dialog", name="All keys")).to_be_visible()
    assert made.state.kept[1].result == "17"


def test_a_correction_loses_no_digit_while_its_effect_is_worked_out(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    closed_round(console, made, straight__17=1000)
    waiting: list[Route] = []
    console.page.route("**/rounds/1", lambda route: waiting.append(route))
    console.page.route("**/rounds/1/correction?*", lambda route: waiting.append(route))
    console.press("Space")
    console.phase("spinning")
    console.press("1", "7", "Enter")
    console.phase("resulted")
    console.press("Space")
    console.phase("idle")
    console.press("x", "2", "0", "Enter")
    dialog = console.page.get_by_role("dialog", name="Correct round 1")
    expect(dialog).to_contain_text("The effect on each seat is being worked out")
    console.page.keyboard.type("max")
    expect(dialog.get_by_label("Name", exact=True)).to_have_value("max")

    # It cannot be worked out: that is said, nothing can be corrected unseen, and it is asked for again.
    while waiting:
        waiting.pop().abort()
    expect(dialog).to_contain_text("The effect could not be worked out.")
    dialog.get_by_label("Password").fill("max-password")
    expect(dialog.get_by_role("button", name="Correct to 20")).to_be_disabled()
    console.page.unroute("**/rounds/1")
    console.page.unroute("**/rounds/1/correction?*")
    dialog.get_by_role("button", name="Refresh").click()
    expect(dialog).to_contain_text("Difference")
    expect(dialog.get_by_role("row").filter(has_text="360.00")).to_have_count(1)
    expect(dialog.get_by_role("button", name="Correct to 20")).to_be_enabled()


def test_a_locked_seat_is_released_by_a_supervisor_beside_the_dealer(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette", lock_up_cents=10_000)
    settled_round(console, made, "17", straight__17=1000)
    notices = console.panel("Notices")
    expect(notices).to_contain_text("Seat 1 is locked")
    # What it won over its stake is what the table locked it for: the same everywhere, also after a reload.
    expect(notices).to_contain_text("Won 350: a pit supervisor releases it")
    expect(console.panel("Round log")).to_contain_text("Seat 1 locked: won 350.00")
    console.page.reload()
    expect(notices).to_contain_text("Won 350: a pit supervisor releases it")
    console.press("F2")
    dialog = console.page.get_by_role("dialog", name="Seat 1")
    expect(dialog).to_contain_text("Won 350.00: a pit supervisor releases it")
    expect(dialog).to_contain_text("Last paid, with its stake360.00")
    console.picture("console-locked")
    dialog.get_by_role("button", name="Release the seat").click()
    signing = console.page.get_by_role("dialog", name="Release a locked seat")
    expect(signing).to_contain_text("Seat 1 · 1,350.00")
    console.seconded("sue")
    console.page.get_by_role("button", name="Authorise").click()
    expect(console.panel("Notices")).not_to_contain_text("Seat 1 is locked")
    assert made.state.seats["1"].lock is None


@pytest.mark.parametrize("answer", ["17", None])
@clause("mbs-roulette:5.13.1", "mbs-roulette:5.13.2")
def test_after_an_interruption_a_supervisor_says_what_the_wheel_shows(
    console: ConsoleScreen, table: Tables, answer: str | None
) -> None:
    made = table("mbs-roulette")
    closed_round(console, made, "sue", straight__17=1000)
    made.do(c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    console.says("Recovery question")
    expect(console.panel("What the table knows")).to_contain_text("1 registered and kept, 10.00 in play")
    console.press("Space")
    console.says("Recovery question")
    if answer is None:
        console.press("v", "Space")
        console.says("Void the round")
        console.press("Enter")
    else:
        console.press(*answer, "Enter")
        console.says("Conclude with 17 black")
        console.press("Space")
    console.phase("idle")
    assert made.state.kept[1].result == answer


def test_a_dealer_has_a_supervisor_answer_the_recovery_question(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    closed_round(console, made)
    made.do(c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    console.cell("8").click()
    console.says("with a second person")
    console.press("Space")
    console.seconded("sue")
    console.page.get_by_role("button", name="Authorise").click()
    console.phase("idle")
    assert made.state.kept[1].result == "8"


def test_a_halted_table_goes_on_after_somebody_has_looked(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made, "shi")
    made.machine(SYSTEM, c.HaltTable(reason="the meters disagree"))
    console.says("Resume play")
    expect(console.panel("Notices")).to_contain_text("the meters disagree")
    console.press("Space")
    console.page.get_by_role("dialog").get_by_label("Reason").fill("Counted again: they agree")
    console.press("Enter")
    console.says("Open round 1")


@clause("mbs-roulette:5.13")
def test_whoever_resumes_play_reads_what_that_does_to_the_round(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    closed_round(console, made, "shi")
    made.do(c.StartSpin())
    made.machine(SYSTEM, c.HaltTable(reason="the meters disagree"))
    console.says("Resume play")
    console.press("Space")
    dialog = console.page.get_by_role("dialog")
    expect(dialog).to_contain_text("A spin had begun: bets are closed, and a pit supervisor then states")
    dialog.get_by_label("Reason").fill("Counted again: they agree")
    console.press("Enter")
    console.phase("recovery")


@clause("mbs-roulette:6.1")
def test_what_no_clause_covers_is_decided_by_the_shift_manager(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    closed_round(console, made, red=2500)
    console.press("s")
    dialog = console.page.get_by_role("dialog")
    dialog.get_by_label("Void the round").check()
    sums = dialog.get_by_role("group", name="Amounts by seat")
    expect(sums.get_by_role("row").nth(1)).to_have_text("1975.00+25.001,000.00nonenone")
    dialog.get_by_label("Reason").fill("The lights went out")
    console.seconded("shi")
    console.picture("console-decide")
    dialog.get_by_role("button", name="Record the decision").click()
    console.phase("idle")
    assert made.credits_cents("1") == 100_000


def test_a_table_is_closed_after_its_last_round(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.open(made, "sue")
    console.press("l")
    dialog = console.page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Close the table")).to_be_disabled()
    dialog.get_by_role("button", name="Announce the last round").click()
    expect(dialog).to_have_count(0)
    console.says("Open round 1")
    made.live.play(made.name, {"1": {"red": 1000}}, "1")
    console.says("Close the table")
    console.press("Space")
    console.says("Open the table")
    assert not made.state.open


def test_a_round_is_recalled_and_marked_as_such(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    settled_round(console, made, "17", red=1000)
    console.press("r")
    dialog = console.page.get_by_role("dialog", name="Round 1")
    expect(dialog).to_contain_text("RECALL")
    expect(dialog).to_contain_text("Confirmed 17")
    # What was bought before the round bears on its credits.
    expect(dialog).to_contain_text("Seat 1 bought 1,000.00")
    console.press("Escape")
    expect(dialog).to_have_count(0)
    # What happens until the next round opens is found with this one.
    made.do(c.BuyCredits(seat="2", cents=7_700))
    console.press("r")
    expect(dialog.get_by_role("listitem").last).to_contain_text("Seat 2 bought 77.00")
