"""A console beside the wheel's sensor: what it waits for, what takes two people, and what is in dispute."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.browser_rig import PICTURES, SYSTEM, WHEEL, ConsoleScreen, Table
from browser.office_rig import card, check_access, pit
from croupier.table import commands as c
from croupier.table.state import Dispute
from server.server_rig import LiveServer

Tables = Callable[..., Table]
SIZES = ((1280, 800), (1920, 1080))
LAUNCH = c.StartSpin(ball="clockwise", wheel="counter-clockwise", wheel_turning=True)
STANDS = "The result stands"


def pictures(console: ConsoleScreen, name: str) -> None:
    """The screen at both sizes, dark and light, in both languages; nothing may be wider than the screen."""
    for width, height in SIZES:
        console.page.set_viewport_size({"width": width, "height": height})
        assert console.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        console.picture(f"{name}-{width}")
        if os.environ.get(PICTURES):
            for button, suffix in (("Light or dark", "light"), ("Language", "light-zh")):
                console.page.get_by_role("button", name=button, include_hidden=True).evaluate(
                    "b => b.click()"
                )
                console.page.wait_for_timeout(150)
                console.picture(f"{name}-{width}-{suffix}")
            for button in ("语言", "Light or dark"):
                console.page.get_by_role("button", name=button, include_hidden=True).evaluate(
                    "b => b.click()"
                )
                console.page.wait_for_timeout(150)
    check_access(console.page)


def dialog(console: ConsoleScreen) -> Locator:
    """The dialog that is open."""
    return console.page.get_by_role("dialog")


def authorised(console: ConsoleScreen, name: str) -> None:
    """The second person signs, and that is enough."""
    console.seconded(name)
    console.page.get_by_role("button", name="Authorise").click()
    expect(dialog(console)).to_have_count(0)


def closed(table: Tables, book: str = "mbs-roulette") -> Table:
    """A table with a sensor; seat 1 has 10.00 on red in its first round, and bets are closed."""
    made = table(book, spin_source="sensor")
    made.do(c.OpenRound())
    made.bet("1", **({"red": 1000} if book != "rws-money-wheel" else {"symbol__5": 1000}))
    made.do(c.CloseBets())
    return made


def rolling(console: ConsoleScreen, table: Tables) -> Table:
    """The sensor has seen the ball launched."""
    made = closed(table)
    made.machine(WHEEL, LAUNCH)
    opened(console, made, "spinning")
    return made


def opened(console: ConsoleScreen, made: Table, phase: str, name: str = "dee") -> None:
    """A console at a table whose round runs."""
    console.page.goto(f"{console.live.base_url}/console#table={made.name}")
    console.sign_in(name)
    console.phase(phase)


def rests(made: Table, pocket: str | None = "17", revolutions: int = 12) -> None:
    """The sensor has seen the spin end."""
    made.machine(WHEEL, c.FinishSpin(revolutions=revolutions, pocket=pocket))


def test_no_number_is_taken_while_the_sensor_sees_the_ball_roll(
    console: ConsoleScreen, table: Tables
) -> None:
    made = rolling(console, table)
    console.says("Ball is rolling")
    console.says("The sensor says when it rests, and where")
    expect(console.page.get_by_text("The sensor has not seen the spin end:")).to_be_visible()
    expect(console.cell("17")).to_have_count(0)
    console.press("1", "7", "Enter", "Space")
    pictures(console, "sensor-rolling")
    assert made.state.round.result is None

    rests(made)
    console.says("Enter 17 black")
    expect(console.cell("17")).to_be_visible()
    pictures(console, "sensor-at-rest")
    console.press("Space")
    console.says("Confirm 17 black")
    assert made.state.round.sensor == "agreed"


def test_another_number_than_the_sensors_takes_a_supervisor_and_a_second_person(
    console: ConsoleScreen, table: Tables
) -> None:
    made = rolling(console, table)
    rests(made)
    console.says("Enter 17 black")
    console.press("2", "0", "Enter")
    evidence = dialog(console).get_by_role("region", name="What the sensor says")
    expect(evidence).to_contain_text("17 black")
    expect(evidence).to_contain_text("12 revolutions, ball clockwise, wheel anticlockwise")
    expect(evidence).to_contain_text("20 black")
    expect(dialog(console)).to_contain_text("pit supervisor or higher")
    pictures(console, "sensor-another-number")
    console.seconded("dan")
    console.page.get_by_role("button", name="Authorise").click()
    expect(dialog(console).get_by_role("alert")).to_contain_text("a pit supervisor and a second person")
    authorised(console, "sue")
    check = console.panel("Check before you confirm")
    expect(check).to_contain_text("Wheel sensor says 17: two people registered against it")
    pictures(console, "sensor-check-overruled")
    assert made.state.round.sensor == "contradicted"

    # Back to what the sensor says takes nobody else.
    console.press("Escape", "1", "7", "Enter")
    console.says("Confirm 17 black")
    expect(check).to_contain_text("Wheel sensor says 17: agrees")


def test_a_supervisor_at_the_console_takes_a_second_person_too(console: ConsoleScreen, table: Tables) -> None:
    made = closed(table)
    made.machine(WHEEL, LAUNCH)
    rests(made)
    opened(console, made, "spinning", "sue")
    console.press("2", "0", "Enter")
    expect(dialog(console)).to_contain_text("dealer or higher")
    authorised(console, "dan")
    console.says("Confirm 20 black")


def test_without_a_sensor_that_works_two_people_read_the_wheel(console: ConsoleScreen, table: Tables) -> None:
    made = rolling(console, table)
    made.machine(WHEEL, c.ReportWheel(fault="line-lost", detail="silence"))
    console.says("The sensor gives no result: two people read the wheel")
    console.press("1", "7", "Enter")
    expect(dialog(console)).to_contain_text("fault: no signal")
    expect(dialog(console)).to_contain_text("pit supervisor or higher")
    pictures(console, "sensor-failed")
    authorised(console, "sue")
    check = console.panel("Check before you confirm")
    expect(check).to_contain_text("The sensor gave no result: two people have read the wheel")
    console.press("Escape", "2", "0", "Enter")
    expect(dialog(console)).to_contain_text("pit supervisor or higher")
    authorised(console, "sue")
    console.says("Confirm 20 black")
    assert made.state.round.sensor == "failed"


def test_a_cause_that_the_sensor_contradicts_shows_what_it_saw(console: ConsoleScreen, table: Tables) -> None:
    made = rolling(console, table)
    rests(made)
    console.says("Enter 17 black")
    tiles = console.panel("Irregularities")
    few = tiles.locator("[data-cause=too-few-revolutions]")
    expect(few).to_contain_text("with a second person")
    few.click()
    consequence = console.panel("Void round 1?")
    expect(consequence.get_by_role("alert")).to_contain_text("17 black, 12 revolutions, ball clockwise")
    pictures(console, "sensor-denies")
    console.press("Enter")
    expect(dialog(console)).to_contain_text("17 black")
    expect(dialog(console)).to_contain_text("dealer or higher")
    pictures(console, "sensor-denies-second")
    authorised(console, "sue")
    console.phase("idle")
    assert made.state.kept[1].cause == "too-few-revolutions"


def test_what_no_sensor_sees_is_voided_by_the_dealer(console: ConsoleScreen, table: Tables) -> None:
    made = rolling(console, table)
    rests(made)
    console.says("Enter 17 black")
    console.panel("Irregularities").locator("[data-cause=interference]").click()
    expect(console.panel("Void round 1?").get_by_role("alert")).to_have_count(0)
    console.press("Enter")
    console.phase("idle")
    assert made.state.kept[1].cause == "interference"


def test_an_outcome_is_stated_beside_what_is_on_record_of_the_spin(
    console: ConsoleScreen, table: Tables
) -> None:
    made = rolling(console, table)
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    knows = console.panel("What the table knows")
    expect(knows).to_contain_text("before play stopped")
    expect(knows).to_contain_text("says nothing")
    rests(made)
    expect(knows).to_contain_text("17. Another answer takes the shift manager")
    pictures(console, "outcome-recovery")
    console.press("2", "0", "Enter")
    console.says("Conclude with 20 black")
    console.says("with a second person")
    console.press("Space")
    expect(dialog(console)).to_contain_text("17 black")
    expect(dialog(console)).to_contain_text("shift manager or higher")
    expect(dialog(console)).to_contain_text("Recorded at")
    expect(dialog(console).get_by_role("checkbox")).to_have_count(0)
    pictures(console, "outcome-disputed")
    console.seconded("max")
    console.page.get_by_role("button", name="Authorise").click()
    expect(dialog(console).get_by_role("alert")).to_contain_text("waits for a shift manager")
    authorised(console, "shi")
    console.phase("idle")
    assert made.state.disputes == {1: Dispute(registered="20", sensed="17")}


def test_that_there_is_no_outcome_waits_for_the_shift_manager_if_the_sensor_saw_one(
    console: ConsoleScreen, table: Tables
) -> None:
    made = rolling(console, table)
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    rests(made)
    console.press("v")
    consequence = console.panel("Void round 1?")
    expect(consequence.get_by_role("alert")).to_contain_text("It waits for a shift manager")
    console.press("Enter")
    expect(dialog(console)).to_contain_text("shift manager or higher")
    pictures(console, "outcome-none-disputed")
    authorised(console, "shi")
    console.phase("idle")
    assert made.state.kept[1].cause == "interruption-no-outcome"


def test_a_number_without_a_recorded_spin_takes_the_statement_and_a_pit_manager(
    console: ConsoleScreen, table: Tables
) -> None:
    made = closed(table)
    opened(console, made, "closed")
    console.press("d")
    asked = dialog(console)
    expect(asked).to_contain_text("No spin has begun: round 1 is void, and every bet goes back.")
    asked.get_by_label("Reason").fill("no light in the hall")
    pictures(console, "interruption-void")
    asked.get_by_label("The ball was spun before it").check()
    expect(asked).to_contain_text("the outcome has to be stated")
    pictures(console, "interruption-spun")
    asked.get_by_role("button", name="Declare").click()
    expect(dialog(console)).to_contain_text("pit supervisor or higher")
    expect(dialog(console)).to_contain_text("no light in the hall")
    authorised(console, "sue")
    console.phase("recovery")
    expect(console.panel("What the table knows")).to_contain_text("None on record before play stopped")
    pictures(console, "outcome-unrecorded")

    console.press("1", "7", "Enter")
    console.says("Conclude with 17 black")
    console.press("Space")
    signing = dialog(console)
    expect(signing).to_contain_text("None on record before play stopped")
    expect(signing).to_contain_text("pit manager or higher")
    console.seconded("max")
    authorise = console.page.get_by_role("button", name="Authorise")
    expect(authorise).to_be_disabled()
    pictures(console, "outcome-states-spin")
    signing.get_by_label("The ball was spun before play stopped").check()
    authorise.click()
    expect(signing).to_have_count(0)
    console.phase("idle")
    assert made.state.kept[1].result == "17"


@pytest.mark.parametrize(
    ("point", "says"),
    [
        ("betting", "No spin has begun: round 1 is void"),
        ("spinning", "The spin has begun: bets of round 1 are closed"),
        ("resulted", "The result of round 1 is registered"),
    ],
)
def test_what_follows_from_a_declared_interruption_is_said_by_phase(
    console: ConsoleScreen, table: Tables, point: str, says: str
) -> None:
    made = table("rws-roulette-00", seats=1)
    made.do(c.OpenRound())
    if point != "betting":
        made.do(c.CloseBets(), c.StartSpin())
    if point == "resulted":
        made.do(c.EnterResult(result="17"))
    opened(console, made, point, "sue")
    console.panel("Irregularities").locator("[data-cause=interruption]").click()
    expect(dialog(console)).to_contain_text(says)
    expect(dialog(console).get_by_role("checkbox")).to_have_count(int(point == "betting"))
    dialog(console).get_by_label("Reason").fill("the wheel's motor")
    console.press("Enter")
    expect(dialog(console)).to_have_count(0)
    console.phase({"betting": "idle", "spinning": "recovery", "resulted": "resulted"}[point])


def test_without_a_round_there_is_no_interruption_to_declare(console: ConsoleScreen, table: Tables) -> None:
    console.open(table("mbs-roulette", seats=1))
    expect(console.panel("Irregularities").locator("[data-cause=interruption]")).to_be_disabled()
    console.press("d")
    expect(dialog(console)).to_have_count(0)


def disputed(table: Tables) -> Table:
    """Two people registered 20 because the sensor had not seen the launch; it says later that it was 17."""
    made = closed(table)
    made.do(c.StartSpin(), c.EnterResult(result="20"), c.ConfirmResult(result="20"))
    made.machine(WHEEL, c.FinishSpin(revolutions=9, pocket="17"))
    return made


def test_a_dispute_is_a_notice_that_offers_the_correction(console: ConsoleScreen, table: Tables) -> None:
    made = disputed(table)
    opened(console, made, "idle")
    notices = console.panel("Notices")
    expect(notices).to_contain_text("The sensor contradicts round 1")
    expect(notices).to_contain_text("20 is registered, the sensor says 17")
    pictures(console, "dispute-notice")
    console.press("F2")
    expect(dialog(console)).to_contain_text("Round 1: the sensor says otherwise")
    pictures(console, "dispute")
    dialog(console).get_by_role("button", name="Correct to 17").click()
    expect(dialog(console)).to_contain_text("Difference")
    pictures(console, "dispute-correct")
    console.seconded("max")
    dialog(console).get_by_role("button", name="Correct to 17").click()
    expect(dialog(console)).to_have_count(0)
    expect(notices).not_to_contain_text("The sensor contradicts")
    assert made.state.kept[1].result == "17"


def test_two_people_state_that_a_result_stands_against_the_sensor(
    console: ConsoleScreen, table: Tables
) -> None:
    made = disputed(table)
    opened(console, made, "idle")
    console.panel("Notices").get_by_role("button", name="Decide").click()
    dialog(console).get_by_role("button", name="It stands").click()
    expect(dialog(console)).to_contain_text("pit manager or higher")
    dialog(console).get_by_label("Reason").fill("the film shows 20")
    console.seconded("sue")
    stands = dialog(console).get_by_role("button", name=STANDS)
    stands.click()
    expect(dialog(console).get_by_role("alert")).not_to_be_empty()
    console.seconded("max")
    pictures(console, "dispute-stands")
    stands.click()
    expect(dialog(console)).to_have_count(0)
    expect(console.panel("Notices")).not_to_contain_text("The sensor contradicts")
    console.press("g")
    expect(console.page.get_by_text("20 stands against the sensor: the film shows 20")).to_be_visible()
    assert made.state.disputes == {}


def test_a_dispute_that_is_over_is_said_to_be(console: ConsoleScreen, table: Tables) -> None:
    made = disputed(table)
    opened(console, made, "idle")
    expect(console.panel("Notices")).to_contain_text("The sensor contradicts round 1")
    console.press("F2")
    made.do(c.UpholdResult(round=1, reason="looked at"))
    expect(dialog(console)).to_contain_text("Nothing contradicts this round any more.")


def test_a_void_that_the_sensor_contradicts_can_only_be_upheld(console: ConsoleScreen, table: Tables) -> None:
    made = rolling(console, table)
    made.do(c.DeclareIrregularity(cause="too-few-revolutions"))
    made.machine(WHEEL, c.FinishSpin(revolutions=9, pocket="17"))
    expect(console.panel("Notices")).to_contain_text("The round is void, the sensor says 17")
    console.press("F2")
    expect(dialog(console)).to_contain_text("The round is void, the sensor says 17 black")
    expect(dialog(console).get_by_role("button", name="Correct to")).to_have_count(0)
    expect(dialog(console).get_by_role("button", name="It stays void")).to_be_visible()
    pictures(console, "dispute-void")


def test_no_spin_is_called_at_a_halted_table(console: ConsoleScreen, table: Tables) -> None:
    made = rolling(console, table)
    made.machine(SYSTEM, c.HaltTable(reason="the motor"))
    console.says("Resume play")
    console.press("n")
    console.says("Call no spin")
    console.press("Enter")
    console.phase("idle")
    assert made.state.kept[1].cause == "no-spin"


@pytest.mark.parametrize(
    ("point", "says"),
    [
        ("closed", "the ball may still be spun if the halt was short"),
        ("rolling", "A spin had begun: bets are closed"),
        ("rested", "The sensor has seen the spin end in 17: bets are closed"),
    ],
)
def test_resuming_says_what_follows_for_the_round(
    console: ConsoleScreen, table: Tables, point: str, says: str
) -> None:
    made = closed(table)
    if point != "closed":
        made.machine(WHEEL, LAUNCH)
    made.machine(SYSTEM, c.HaltTable(reason="the motor"))
    if point == "rested":
        rests(made)
    opened(console, made, "closed" if point == "closed" else "spinning", "shi")
    console.press("Space")
    expect(dialog(console)).to_contain_text(says)
    pictures(console, f"resume-{point}")


def test_the_pit_is_alarmed_while_a_result_stands_against_the_sensor(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made, other = closed(table), closed(table)
    pit(page, live)
    alarms = page.get_by_role("region", name="Alarms")
    waiting = page.get_by_role("region", name="Decisions and outcomes waiting")
    made.machine(WHEEL, LAUNCH)
    rests(made)
    made.do(c.EnterResult(result="20"))
    expect(alarms).to_contain_text(
        f"{made.name}, round 1: 20 is registered against the sensor, which says 17"
    )
    expect(waiting).to_contain_text("Two people registered it against the sensor, which saw 17.")
    expect(card(page, made.name)).to_contain_text("20 against sensor 17")
    other.do(c.StartSpin(), c.EnterResult(result="5"))
    expect(alarms).to_contain_text(f"{other.name}, round 1: 5 is registered without the sensor")

    made.do(c.ConfirmResult(result="20"))
    expect(alarms).to_contain_text(f"{made.name}, round 1: 20 is registered, the sensor says 17")
    expect(waiting).to_contain_text(f"{made.name}, round 1: does it stand?")
    expect(card(page, made.name)).to_contain_text("Sensor contradicts round 1")
    found = alarms.get_by_role("listitem").filter(has_text=f"{made.name}, round 1")
    expect(found).to_contain_text("since")
    pictures(ConsoleScreen(page, live), "pit-dispute")
    made.do(c.UpholdResult(round=1, reason="the film"))
    expect(alarms).not_to_contain_text(made.name)
    expect(waiting).not_to_contain_text(f"{made.name}, round 1: does it stand?")
