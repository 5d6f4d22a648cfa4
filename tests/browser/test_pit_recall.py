"""Any round is shown again as it was, act by act, and never looks live."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browser.browser_rig import Table
from browser.office_rig import a_voucher, check_access, picture, pit
from clauses import clause
from croupier.floor.cage.numbers import new_voucher_number
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer

Tables = Callable[..., Table]


def play(table: Table, result: str) -> None:
    """A whole round: seat 1 on red, seat 2 first on 7 and then off it again."""
    table.do(c.OpenRound())
    table.bet("1", red=2000)
    table.bet("2", straight__7=1000)
    table.do(
        c.CloseBets(), c.StartSpin(ball="clockwise", wheel="counter-clockwise"), c.FinishSpin(revolutions=8)
    )
    table.do(c.EnterResult(result=result), c.ConfirmResult(result=result))


def recall(page: Page, table: Table) -> Locator:
    """The panel in which a round of a table is recalled."""
    page.get_by_role("button", name=f"Look at table {table.name}").click()
    expect(page.get_by_role("heading", name=f"Recall: {table.name}")).to_be_visible()
    return page.locator("[data-recall]")


def fact(panel: Locator, name: str) -> Locator:
    """A fact of the moment that is looked at."""
    return panel.locator(f"dt:text-is('{name}') + dd")


def seats(panel: Locator) -> Locator:
    """The seats as they stood then."""
    return panel.get_by_role("list", name="Seats").get_by_role("listitem")


@clause("mbs-roulette:3.8")
def test_the_last_round_is_stepped_through_act_by_act(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    play(made, "8")
    play(made, "7")
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("Recall, not live")
    expect(panel).to_contain_text(f"Recall: {made.name}, round 2")
    # It begins at its end.
    expect(fact(panel, "Result").get_by_role("img")).to_have_accessible_name("7 Red")
    expect(seats(panel).filter(has_text="Seat 2")).to_contain_text("360 back")
    # Nothing is in play any more.
    expect(fact(panel, "Staked")).to_have_text("30.00 · 2 bets")
    expect(fact(panel, "In play")).to_have_count(0)
    picture(page, "pit-recall")

    scrub = panel.get_by_role("slider", name="Step of the round")
    scrub.focus()
    page.keyboard.press("Home")
    expect(panel).to_contain_text("step 1 of")
    expect(fact(panel, "In play")).to_have_text("0.00 · 0 bets")
    expect(fact(panel, "Result")).to_have_text("—")
    expect(fact(panel, "Players read")).to_contain_text("Place your bets")

    step = panel.get_by_role("button", name="One step on")
    step.click()
    expect(fact(panel, "In play")).to_have_text("20.00 · 1 bet")
    step.click()
    expect(fact(panel, "In play")).to_have_text("30.00 · 2 bets")
    expect(panel.locator("li[aria-current=step]")).to_contain_text("Seat 2 changes its bets")
    step.click()
    expect(fact(panel, "Players read")).to_contain_text("No more bets")
    step.click()
    expect(fact(panel, "Wheel")).to_contain_text("Ball clockwise · Wheel counter-clockwise")


def test_any_round_is_found_by_its_number_and_its_neighbours_by_keys(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    for result in ("8", "7", "0"):
        play(made, result)
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("round 3")
    page.keyboard.press("[")
    expect(panel).to_contain_text("round 2")
    page.keyboard.press("]")
    expect(panel).to_contain_text("round 3")

    page.keyboard.press("r")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(panel).to_contain_text(f"Recall: {made.name}, round 1")
    expect(fact(panel, "Result").get_by_role("img")).to_have_accessible_name("8 Black")

    page.keyboard.press("r")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(panel.get_by_role("alert")).to_contain_text("There is no round 99")
    # The round that was looked at is still there.
    expect(panel).to_contain_text("round 1")


def test_what_moved_credits_since_the_round_before_is_shown_with_the_round(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    play(made, "8")
    a_voucher(live, made.name, "1", 5_000)
    made.do(c.BuyCredits(seat="1", cents=70_000))
    play(made, "7")
    play(made, "0")
    pit(page, live)
    panel = recall(page, made)
    between = panel.get_by_role("group", name="Since the round before")
    expect(panel).to_contain_text("round 3")
    expect(between).to_have_count(0)
    page.keyboard.press("[")
    expect(panel).to_contain_text("round 2")
    lines = between.get_by_role("listitem")
    expect(lines).to_have_count(3)
    expect(lines.nth(0)).to_contain_text("50.00")
    expect(lines.nth(1)).to_contain_text("1,030.00")
    expect(lines.nth(2)).to_contain_text("700.00")
    picture(page, "pit-recall-between")


def test_who_is_paid_out_after_the_newest_round_is_found_with_it(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    made.do(c.BuyCredits(seat="2", cents=300))
    play(made, "8")
    a_voucher(live, made.name, "1", 5_000)
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("round 1")
    lines = panel.get_by_role("group", name="After this round").get_by_role("listitem")
    expect(lines).to_have_count(2)
    expect(lines.nth(0)).to_contain_text("50.00")
    expect(lines.nth(1)).to_contain_text("1,030.00")
    before = panel.get_by_role("group", name="Since the round before").get_by_role("listitem")
    expect(before.last).to_contain_text("3.00")
    picture(page, "pit-recall-after")
    check_access(page)


def test_which_bet_how_much_why_and_who_beside_whom_can_be_read(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    play(made, "5")
    reason = "the camera above the wheel shows the ball in the other compartment, and the dealer misread it"
    made.do(c.CorrectResult(round=1, result="17", reason=reason))
    page.set_viewport_size({"width": 1280, "height": 800})
    pit(page, live)
    panel = recall(page, made)
    row = panel.get_by_role("listitem").filter(has_text=reason)
    expect(row).to_contain_text(f"from 5 to 17: {reason}")
    expect(row).to_contain_text("shift + beside")
    cut = "(row) => [...row.querySelectorAll('*')].filter((part) => part.scrollWidth > part.clientWidth + 1"
    for each in panel.get_by_role("list", name="Acts").get_by_role("listitem").all():
        assert each.evaluate(f"{cut} && getComputedStyle(part).overflow !== 'visible').length") == 0
    page.get_by_role("button", name="Language").click()
    expect(row).to_contain_text(reason)
    assert row.get_by_role("button").get_attribute("title") is None


def test_it_plays_by_itself_to_its_end(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    play(made, "7")
    pit(page, live)
    panel = recall(page, made)
    expect(fact(panel, "Result").get_by_role("img")).to_be_visible()
    page.keyboard.press("p")
    expect(panel.get_by_role("button", name="Play P", exact=True)).to_be_visible()
    expect(fact(panel, "Result").get_by_role("img")).to_have_accessible_name("7 Red")
    total = panel.get_by_role("list", name="Acts").get_by_role("listitem").count()
    expect(panel).to_contain_text(f"step {total} of {total}")


def test_a_void_round_shows_what_went_back(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    made.do(c.OpenRound())
    made.bet("1", red=2000)
    made.do(c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="ball left the wheel"))
    pit(page, live)
    panel = recall(page, made)
    expect(fact(panel, "Result")).to_have_text("Void")
    expect(seats(panel).filter(has_text="20 staked")).to_contain_text("20 back")


def test_bets_that_went_back_are_out_of_play_and_a_round_voided_later_is_void(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    made.do(c.OpenRound())
    made.bet("1", red=10_000, even=5000)
    made.do(c.Decide(ruling="return-bets", reason="late", round=1, bets=(c.NamedBet("1", "red"),)))
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="1"), c.ConfirmResult(result="1"))
    made.do(c.Decide(ruling="void", reason="disturbed", round=1))
    pit(page, live)
    panel = recall(page, made)
    expect(fact(panel, "Result")).to_have_text("Void")
    expect(seats(panel).filter(has_text="50 staked")).to_contain_text("50 back")
    panel.get_by_role("listitem").filter(has_text="100.00 goes back").get_by_role("button").click()
    expect(fact(panel, "In play")).to_have_text("50.00 · 1 bet")
    expect(fact(panel, "Result")).to_have_text("—")
    expect(seats(panel).filter(has_text="50 staked")).to_contain_text("950 left")
    panel.get_by_role("listitem").filter(has_text="1 is confirmed").get_by_role("button").click()
    expect(fact(panel, "Result").get_by_role("img")).to_have_accessible_name("1 Red")
    picture(page, "pit-recall-voided")


def test_what_happens_at_the_table_does_not_move_what_is_recalled(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    play(made, "8")
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("round 1")
    play(made, "7")
    glance = page.locator("article").filter(has=page.get_by_role("button", name=f"Look at table {made.name}"))
    expect(glance.get_by_role("img", name="7 Red")).to_be_visible()
    expect(panel).to_contain_text(f"Recall: {made.name}, round 1")
    expect(fact(panel, "Result").get_by_role("img")).to_have_accessible_name("8 Black")


def test_the_first_round_that_ends_is_there_by_itself(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("No round of this table is over yet.")
    play(made, "8")
    expect(panel).to_contain_text(f"Recall: {made.name}, round 1")


def test_keys_that_are_pressed_quickly_all_count(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    for result in ("8", "7", "0", "9", "5"):
        play(made, result)
    pit(page, live)
    panel = recall(page, made)
    expect(panel).to_contain_text("round 5")
    routes: list[Route] = []

    def hold(route: Route) -> None:
        routes.append(route)

    page.route("**/rounds/*", hold)
    for _ in range(3):
        with page.expect_request("**/rounds/*"):
            page.keyboard.press("[")
    for route in routes:
        route.continue_()
    expect(panel).to_contain_text("round 2")


@pytest.mark.parametrize("width", [1280, 1920, 390])
def test_what_a_correction_left_open_is_ended_at_the_pit(
    page: Page, live: LiveServer, table: Tables, width: int
) -> None:
    made = table(seats=3)
    made.live.play(made.name, {"1": {"straight:20": 1000}, "2": {"straight:17": 1000}}, "17")
    for seat in ("1", "2"):
        made.do(c.CashOut(seat=seat, voucher=new_voucher_number()))
    made.do(c.CorrectResult(round=1, result="20", reason="The ball lies in 20."))
    made.live.play(made.name, {}, "3")
    page.set_viewport_size({"width": width, "height": {1280: 800, 1920: 1080}.get(width, 844)})
    pit(page, live, "shi")
    panel = recall(page, made)
    left_open = panel.get_by_role("button", name="Left open by a correction")
    expect(panel.get_by_role("slider", name="Step of the round")).to_be_visible()
    expect(left_open).to_have_count(0)
    panel.get_by_role("button", name="The round before").click()
    expect(left_open).to_contain_text("seats 1, 2")
    picture(page, f"pit-left-open-{width}")
    left_open.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Seat 2 360.00 missing")
    dialog.get_by_role("button", name="Pay by hand").click()
    dialog.get_by_label("Reason").press_sequentially("receipt [8]")
    picture(page, f"pit-carried-{width}")
    dialog.get_by_role("button", name="Seat 1: 360.00 paid by hand").click()

    expect(dialog).to_contain_text("Round 1 · Seat 1 · 360.00 paid by hand · receipt [8]")
    authorise = dialog.get_by_role("button", name="Authorise")
    dialog.get_by_label("Name", exact=True).fill("shi")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    authorise.click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    assert made.state.kept[1].seats["1"].carried_cents == 36_000
    dialog.get_by_label("Name", exact=True).fill("dee")
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    picture(page, f"pit-carried-second-{width}")
    authorise.click()

    expect(dialog.get_by_role("status")).to_contain_text("Seat 1 · 360.00 paid by hand")
    expect(dialog).to_contain_text("Seat 2 360.00 missing")
    assert made.state.kept[1].seats["1"].carried_cents == 0
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(left_open).to_contain_text("seat 2")
    expect(panel.get_by_role("list", name="Acts")).to_contain_text("paid by hand")
    check_access(page)
