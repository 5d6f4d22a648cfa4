"""The console of the Money Wheel: stakes of players without a terminal, and boxes over their limit."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]
BOOK = "rws-money-wheel"


def betting(console: ConsoleScreen, table: Tables) -> Table:
    """A console at a Money Wheel with open bets; a box takes from 10 to 100."""
    rules = Rules(load_book(BOOK))
    made = table(BOOK, limits=wide_limits(rules, minimum_cents=1000, maximum_cents=10_000))
    console.open(made)
    console.press("Space")
    console.phase("betting")
    return made


@clause("rws-money-wheel:5.10")
def test_the_dealer_enters_stakes_with_the_keyboard(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    console.page.locator('[data-place="1 symbol:5"]').click()
    console.press("2", "5", "Enter")
    console.press("ArrowDown", "4", "0", "Enter")
    expect(console.page.get_by_role("button", name="Place 1, SGD 5: 25")).to_be_visible()
    expect(console.page.get_by_role("button", name="Place 2, SGD 5: 40")).to_be_visible()
    assert dict(made.state.seats["1"].stakes) == {"symbol:5": 2500}
    assert dict(made.state.seats["2"].stakes) == {"symbol:5": 4000}

    console.page.get_by_role("button", name="Undo").click()
    expect(console.page.get_by_role("button", name="Place 2, SGD 5: 0")).to_be_visible()
    assert dict(made.state.seats["2"].stakes) == {}


def test_chips_add_up_and_are_paid_for(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    made.do(c.CashOut(seat="1", voucher="000000000000000042"))
    console.page.locator('[data-place="1 symbol:1"]').click()
    stakes = console.panel("Place a bet for a player")
    stakes.get_by_role("button", name="25", exact=True).click()
    stakes.get_by_role("button", name="10", exact=True).click()
    expect(stakes).to_contain_text("Sells 35 of credits for cash first")
    stakes.get_by_role("button", name="Place 35").click()
    expect(console.page.get_by_role("button", name="Place 1, SGD 1: 35")).to_be_visible()
    assert made.credits_cents("1") == 0


@clause("rws-money-wheel:5.1")
def test_a_box_over_its_limit_is_marked_and_rejected_with_one_touch(
    console: ConsoleScreen, table: Tables
) -> None:
    made = betting(console, table)
    made.bet("1", symbol__10=8000)
    made.bet("2", symbol__10=5000)
    stakes = console.panel("Outside the limits")
    expect(stakes).to_contain_text("130 of 100")
    expect(stakes).to_contain_text("Place 2")
    expect(console.page.locator('[data-place="2 symbol:10"]')).to_contain_text("latest")
    expect(console.panel("Notices")).to_contain_text("over its limit by 30")

    stakes.get_by_role("button", name="Reject 30").click()
    expect(stakes).to_contain_text("All bets are within the limits.")
    assert dict(made.state.seats["2"].stakes) == {"symbol:10": 2000}
    expect(console.panel("Round log")).to_contain_text("rejected")


@clause("rws-money-wheel:5.1")
def test_one_bet_of_a_box_is_the_latest_and_each_says_how_much_of_it_goes_back(
    console: ConsoleScreen, table: Tables
) -> None:
    made = betting(console, table)
    made.bet("1", symbol__10=10_000)
    made.bet("2", symbol__10=5000)
    first, second = (console.page.locator(f'[data-place="{seat} symbol:10"] i') for seat in "12")
    # All of it goes back: the amount is there already.
    expect(second).to_have_text("latest")
    expect(first).to_have_count(0)
    made.bet("1", symbol__10=1000)
    expect(first).to_have_text("latest \N{MINUS SIGN}10")
    expect(second).to_have_text("then")


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 800), (1024, 768), (390, 844)])
def test_headings_and_sums_are_in_sight_wherever_a_stake_is_entered(
    console: ConsoleScreen, table: Tables, width: int, height: int
) -> None:
    rules = Rules(load_book(BOOK))
    made = table(BOOK, seats=14, limits=wide_limits(rules, minimum_cents=1000, maximum_cents=600_000))
    for seat in range(1, 15):
        made.do(c.BuyCredits(seat=str(seat), cents=1_000_000))
    console.open(made)
    console.press("Space")
    console.phase("betting")
    for seat in range(1, 15):
        made.bet(str(seat), symbol__1=50_050, symbol__10=50_000)
    console.page.set_viewport_size({"width": width, "height": height})
    grid = console.panel("Stakes by place and box")
    expect(grid).to_contain_text("14,007")
    for place in ("14 symbol:5", "1 symbol:1", "9 symbol:crockfords"):
        cell = console.page.locator(f'[data-place="{place}"]')
        cell.click()
        expect(cell).to_have_attribute("aria-pressed", "true")
        clear = """(cell) => {
            const [own, body, head, foot, side, total] = [
                cell, ...['.body', 'thead', 'tfoot', 'tbody th', 'tbody .tot'].map(
                    (part) => cell.closest('section').querySelector(part)),
            ].map((part) => part.getBoundingClientRect());
            return head.bottom <= own.top && own.bottom <= foot.top && side.right <= own.left
                && own.right <= total.left && head.top >= body.top && foot.bottom <= body.bottom
                && side.left >= body.left && total.right <= body.right;
        }"""
        assert cell.evaluate(clear), place
    assert width < 1280 or grid.locator(".body").evaluate("body => body.scrollWidth <= body.clientWidth")


def test_the_excess_is_rejected_by_a_key_as_well(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    made.bet("1", symbol__10=13_000)
    expect(console.panel("Outside the limits")).to_contain_text("130 of 100")
    console.press("x")
    expect(console.panel("Outside the limits")).to_contain_text("All bets are within")
    assert dict(made.state.seats["1"].stakes) == {"symbol:10": 10_000}


@clause("rws-money-wheel:5.2")
def test_a_player_is_told_of_a_bet_under_the_minimum(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    made.bet("1", symbol__3=500)
    notices = console.panel("Notices")
    expect(notices).to_contain_text("under 10")
    notices.get_by_role("button", name="Advise").click()
    expect(console.panel("Round log")).to_contain_text("told of the minimum")


def test_an_excess_that_is_shown_is_still_a_notice(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    made.bet("1", symbol__10=13_000)
    notices = console.panel("Notices")
    expect(notices).to_contain_text("over its limit by 30")
    console.press("F2")
    expect(console.page.get_by_role("button", name="Reject 30")).to_be_focused()
    expect(notices).to_contain_text("over its limit by 30")


def test_the_first_arrow_leads_to_the_first_place(console: ConsoleScreen, table: Tables) -> None:
    betting(console, table)
    console.press("ArrowDown")
    expect(console.panel("Place a bet for a player")).to_contain_text("Place 1 · box Resorts World Sentosa")
    console.press("ArrowDown")
    expect(console.panel("Place a bet for a player")).to_contain_text("Place 2 · box Resorts World Sentosa")


def test_what_was_placed_in_one_round_is_not_undone_in_the_next(
    console: ConsoleScreen, table: Tables
) -> None:
    made = betting(console, table)
    console.page.locator('[data-place="1 symbol:5"]').click()
    console.press("2", "5", "Enter")
    undo = console.page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    console.press("4")
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="1"), c.ConfirmResult(result="1"))
    console.phase("idle")
    console.press("Space")
    console.phase("betting")
    expect(undo).to_be_disabled()
    expect(console.page.locator('[data-place="1 symbol:5"]')).not_to_contain_text("+4")


def test_a_symbol_that_is_not_on_the_wheel_is_kept_and_said(console: ConsoleScreen, table: Tables) -> None:
    made = betting(console, table)
    console.press("Space")
    console.phase("closed")
    console.press("Space")
    console.phase("spinning")
    console.press("7", "Enter")
    pad = console.page.get_by_role("region", name="Result", exact=True)
    expect(pad).to_contain_text("There is no 7 on this wheel.")
    console.press("5", "Enter")
    console.phase("resulted")
    assert made.state.round.result == "5"
