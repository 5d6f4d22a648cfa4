"""The console in its main states, at three sizes, dark and light: nothing for axe to complain about."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import SYSTEM, WHEEL, ConsoleScreen, Table, make_table
from browser.office_rig import SIZES, check_access, has_no_sideways_scroll, resize
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]
BOOK = "rws-roulette-00"


def betting(console: ConsoleScreen, table: Tables) -> Table:
    limits = wide_limits(Rules(load_book(BOOK), "B"), exposure_cents=2_200_000)
    made = table(BOOK, seats=8, layout="B", betting_seconds=600, limits=limits)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.crowd(8)
    expect(console.page.get_by_test_id("total")).not_to_have_text("0.00")
    return made


def spinning(console: ConsoleScreen, table: Tables) -> Table:
    made = betting(console, table)
    console.press("Space")
    console.phase("closed")
    turning = c.StartSpin(
        ball="counter-clockwise", wheel="clockwise", wheel_turning=True, rotor_tenths_rpm=246
    )
    made.machine(WHEEL, turning)
    console.phase("spinning")
    return made


def entered(console: ConsoleScreen, table: Tables) -> Table:
    made = spinning(console, table)
    made.machine(WHEEL, c.FinishSpin(revolutions=14, pocket="17", rotor_tenths_rpm=238))
    console.says("Enter 17 black")
    console.press("1", "7", "Enter")
    console.phase("resulted")
    console.says("Confirm 17 black")
    return made


def settled(console: ConsoleScreen, table: Tables) -> Table:
    made = entered(console, table)
    console.press("Space")
    console.phase("idle")
    expect(console.panel("The round is over")).to_be_visible()
    return made


def voiding(console: ConsoleScreen, table: Tables) -> Table:
    made = spinning(console, table)
    console.irregularity("1")
    console.says("Void the round")
    return made


def correcting(console: ConsoleScreen, table: Tables) -> Table:
    made = settled(console, table)
    console.press("x")
    console.page.get_by_role("dialog").locator('[data-number="20"]').click()
    expect(console.page.get_by_role("dialog")).to_contain_text("Difference")
    return made


def recovering(console: ConsoleScreen, table: Tables) -> Table:
    made = spinning(console, table)
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    return made


def money_wheel(console: ConsoleScreen, table: Tables) -> Table:
    rules = Rules(load_book("rws-money-wheel"))
    limits = wide_limits(rules, minimum_cents=1000, maximum_cents=30_000)
    made = table("rws-money-wheel", seats=8, betting_seconds=600, limits=limits)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.crowd(8)
    console.page.locator('[data-place="3 symbol:3"]').click()
    console.press("7", "5")
    expect(console.page.get_by_role("button", name="Reject").first).to_be_visible()
    return made


STATES = {
    "betting": betting,
    "spinning": spinning,
    "confirm": entered,
    "settled": settled,
    "void": voiding,
    "correction": correcting,
    "recovery": recovering,
    "money-wheel": money_wheel,
}


@pytest.mark.parametrize("state", STATES)
def test_a_state_of_the_console(console: ConsoleScreen, table: Tables, state: str) -> None:
    STATES[state](console, table)
    for size in SIZES:
        resize(console.page, size)
        expect(console.next).to_be_visible()
        if size.startswith("390"):  # the steps scroll there once they know their room
            expect(console.page.locator("ol.steps")).to_have_attribute("tabindex", "0")
        assert has_no_sideways_scroll(console.page), size
        console.picture(f"console-{state}-{size}")
        check_access(console.page)


@pytest.mark.parametrize("state", ["betting", "void", "money-wheel"])
def test_a_state_of_the_console_in_the_light(console: ConsoleScreen, table: Tables, state: str) -> None:
    STATES[state](console, table)
    console.page.get_by_role("button", name="Light or dark").click()
    console.picture(f"console-{state}-light")
    check_access(console.page)


def test_signing_in_and_choosing_a_table(console: ConsoleScreen, table: Tables) -> None:
    made = table(BOOK)
    console.page.goto(f"{console.live.base_url}/console")
    check_access(console.page)
    console.sign_in("dee")
    expect(console.page.get_by_role("button", name=made.name)).to_be_visible()
    check_access(console.page)


def test_nothing_moves_from_step_to_step(console: ConsoleScreen, table: Tables) -> None:
    betting(console, table)
    layout = console.page.locator(".layout")
    before = console.next.bounding_box(), layout.bounding_box()
    for phase in ("closed", "spinning"):
        console.press("Space")
        console.phase(phase)
        assert (console.next.bounding_box(), layout.bounding_box()) == before
    assert console.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight")


@pytest.mark.parametrize("state", ["void", "confirm", "settled", "recovery", "money-wheel"])
def test_on_a_low_screen_the_page_scrolls_and_nothing_is_squeezed_away(
    console: ConsoleScreen, table: Tables, state: str
) -> None:
    STATES[state](console, table)
    console.page.set_viewport_size({"width": 960, "height": 540})
    assert has_no_sideways_scroll(console.page)
    expect(console.next).to_be_in_viewport()
    console.picture(f"console-{state}-960x540")
    assert console.page.evaluate("document.documentElement.scrollHeight > window.innerHeight")
    if state != "money-wheel":
        lower = console.page.locator("section.lower")
        box = lower.bounding_box()
        assert box is not None
        assert box["height"] >= 240
        lower.get_by_role("button").last.scroll_into_view_if_needed()
        expect(lower.get_by_role("button").last).to_be_in_viewport(ratio=1)
        console.picture(f"console-{state}-960x540-below")
    check_access(console.page)


def test_a_void_in_chinese_has_chinese_stops(console: ConsoleScreen, table: Tables) -> None:
    voiding(console, table)
    console.page.get_by_role("button", name="Language").click()
    expect(console.page.locator("section.lower")).to_contain_text("本局作废。所有投注退还。")
    console.picture("console-void-zh")


def test_long_names_leave_everything_else_in_its_place(console: ConsoleScreen, live: LiveServer) -> None:
    seat = "private-terminal-by-the-window-12"
    made = make_table(live, "high-limit-room-salon-prive-table-number", "rws-money-wheel")
    console.open(made)
    made.do(c.OpenSeat(seat=seat, kind="place"), c.BuyCredits(seat=seat, cents=99_999_900))
    made.do(c.OpenRound(), c.PlaceBets(seat=seat, stakes=(c.Stake("symbol:1", 1_000_000),)))
    console.phase("betting")
    row = console.panel("Places").get_by_role("row").filter(has=console.page.locator(f'[data-seat="{seat}"]'))
    for size in SIZES:
        resize(console.page, size)
        assert has_no_sideways_scroll(console.page), size
        row.scroll_into_view_if_needed()
        panel, last = console.panel("Places").bounding_box(), row.get_by_role("cell").last.bounding_box()
        assert panel is not None
        assert last is not None
        assert last["x"] + last["width"] <= panel["x"] + panel["width"] + 1, size
        console.picture(f"console-names-{size}")
