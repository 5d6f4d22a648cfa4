"""The pit's screen: every table at a glance, what is wrong, what waits, and the way to the console."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import SYSTEM, WHEEL, Table
from browser.office_rig import card, check_access, has_no_sideways_scroll, picture, pit, resize, sign_in, view
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]


def play(table: Table, result: str) -> None:
    """A whole round with bets of both seats."""
    table.do(c.OpenRound())
    table.bet("1", red=2000)
    table.bet("2", straight__7=1000)
    table.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))


def test_a_card_follows_its_table(page: Page, live: LiveServer, table: Tables) -> None:
    made = table(betting_seconds=60)
    pit(page, live)
    glance = card(page, made.name)
    expect(glance).to_contain_text("Electronic Roulette")
    expect(glance).to_contain_text("Between rounds")

    made.do(c.OpenRound())
    expect(glance).to_contain_text("Betting")
    made.bet("1", red=2000)
    made.bet("2", straight__7=1000)
    made.do(c.CloseBets())
    expect(glance).to_contain_text("Bets closed")
    made.do(c.StartSpin())
    expect(glance).to_contain_text("Ball rolling")
    made.do(c.EnterResult(result="8"))
    expect(glance).to_contain_text("Result entered")
    expect(page.get_by_role("region", name="Decisions and outcomes waiting")).to_contain_text("confirm 8")

    made.do(c.ConfirmResult(result="8"))
    expect(glance).to_contain_text("Between rounds")
    expect(glance.get_by_role("img", name="8 Black")).to_be_visible()
    # 30.00 staked, nothing won: the house keeps all of it.
    for name, value in (("Handle", "30"), ("Win", "30"), ("Hold", "100.00%")):
        expect(glance.locator("dl > div", has_text=name).locator("dd")).to_have_text(value)


def test_a_loss_of_the_house_has_a_sign_beside_its_colour(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    play(made, "7")
    pit(page, live)
    # 20.00 on red pays 20.00, 10.00 on 7 pays 350.00.
    expect(card(page, made.name).locator("dl > div", has_text="Win").locator("dd")).to_have_text(
        "▼ \u2212370"
    )


def test_an_alarm_takes_the_place_of_the_results_and_leads_to_the_console(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table(lock_up_cents=30_000)
    play(made, "7")
    pit(page, live)
    glance = card(page, made.name)
    expect(glance).to_contain_text("Seat 2 locked")
    expect(glance.get_by_role("group", name="Last results")).to_have_count(0)

    alarms = page.get_by_role("region", name="Alarms")
    expect(alarms).to_contain_text(f"{made.name}: seat 2 is locked up")
    expect(alarms).to_contain_text("Seat 2 is locked (win, 350.00).")
    picture(page, "pit-alarm")

    page.keyboard.press("a")
    expect(alarms.get_by_role("link", name=f"{made.name}: seat 2")).to_be_focused()
    with page.context.expect_page() as opened:
        page.keyboard.press("Enter")
    console = opened.value
    # Whoever is signed in at the pit is signed in there.
    expect(console.locator(".app[data-phase]")).to_be_visible()
    assert console.url.endswith(f"/console#table={made.name}")
    console.close()

    made.do(c.ClearLockUp(seat="2"))
    expect(glance).not_to_contain_text("Seat 2 locked")
    expect(glance.get_by_role("group", name="Last results")).to_be_visible()


def test_what_waits_for_a_person_is_listed_oldest_first_and_leads_to_the_console(
    page: Page, live: LiveServer, table: Tables
) -> None:
    locked, entered, halted = table(lock_up_cents=30_000), table(), table()
    for made in (entered, locked):
        made.do(c.OpenRound())
    entered.bet("1", red=2000)
    entered.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="8"))
    locked.bet("2", straight__7=1000)
    locked.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7"))
    halted.machine(SYSTEM, c.HaltTable(reason="power"))
    pit(page, live)
    waiting = page.get_by_role("region", name="Decisions and outcomes waiting")
    rows = waiting.get_by_role("listitem").filter(
        has_text=re.compile(rf"\b({locked.name}|{entered.name}|{halted.name})[:,]")
    )
    expect(rows).to_have_count(3)
    # The first thing that happened comes first, whichever table it is at; each says since when.
    for row, says in zip(
        range(3),
        (
            f"{entered.name}, round 1: confirm 8",
            f"{locked.name}: release seat 2?",
            f"{halted.name}: resume play?",
        ),
        strict=True,
    ):
        expect(rows.nth(row)).to_contain_text(says)
        expect(rows.nth(row)).to_contain_text(re.compile(r"since\s\d\d:\d\d:\d\d"))
    picture(page, "pit-decisions")

    # What happens while one looks takes its place at the end.
    entered.do(c.ConfirmResult(result="8"))
    expect(rows).to_have_count(2)
    entered.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="9"))
    expect(rows).to_have_count(3)
    expect(rows.nth(2)).to_contain_text(f"{entered.name}, round 2: confirm 9")
    with page.context.expect_page() as opened:
        rows.nth(0).get_by_role("link").click()
    expect(opened.value.locator(".app[data-phase]")).to_be_visible()
    assert opened.value.url.endswith(f"/console#table={locked.name}")
    opened.value.close()
    halted.do(c.ResumeTable(reason="mended"))
    locked.do(c.ClearLockUp(seat="2"))
    expect(rows).to_have_count(1)


@clause("rws-money-wheel:5.1")
def test_a_box_over_its_limit_is_an_alarm_until_its_excess_is_rejected(
    page: Page, live: LiveServer, table: Tables
) -> None:
    limits = wide_limits(Rules(load_book("rws-money-wheel")), 500, 10_000)
    made = table("rws-money-wheel", limits=limits)
    pit(page, live)
    made.do(c.OpenRound())
    made.bet("1", symbol__5=10_000)
    glance, alarms = card(page, made.name), page.get_by_role("region", name="Alarms")
    made.bet("2", symbol__5=2_500)
    expect(glance).to_contain_text("SGD 5: 25.00 over its limit")
    expect(alarms).to_contain_text(f"{made.name}: SGD 5 is 25.00 over its limit of 100.00")
    expect(alarms.get_by_role("listitem").filter(has_text=f"{made.name}: SGD 5")).to_contain_text("since")
    picture(page, "pit-box-over")
    made.do(c.RejectExcess(bet="symbol:5"))
    expect(alarms).not_to_contain_text(f"{made.name}: SGD 5")
    expect(glance).not_to_contain_text("over its limit")


def test_a_fault_of_the_wheel_stops_play_and_says_so(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    pit(page, live)
    made.machine(WHEEL, c.ReportWheel(fault="line-lost", detail="the line is silent"))
    expect(card(page, made.name)).to_contain_text("Wheel: no signal")
    expect(page.get_by_text("1 stops play")).to_be_visible()


def test_keys_choose_tables_and_go_between_the_parts(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    pit(page, live)
    place = [*live.rig.floor.tables].index(made.name) + 1
    for digit in str(place):
        page.keyboard.press(digit)
    expect(page.get_by_role("button", name=f"Look at table {made.name}")).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(page.get_by_role("heading", name=f"Recall: {made.name}")).to_be_visible()

    page.keyboard.press("/")
    expect(page.get_by_label("Words")).to_be_focused()
    # What is typed there is text and no key.
    page.keyboard.type("a?")
    expect(page.get_by_label("Words")).to_have_value("a?")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next alarm")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    view(page, "Limits")
    expect(page.get_by_role("region", name=f"Limits of {made.name}")).to_contain_text("Straight Up")
    page.keyboard.press("Escape")
    expect(card(page, made.name)).to_be_visible()


def test_a_dealer_is_told_that_the_pit_takes_a_supervisor(
    page: Page, live: LiveServer, table: Tables
) -> None:
    table()
    sign_in(page, live, "pit", "dee")
    expect(page.get_by_role("alert")).to_contain_text("takes a pit supervisor")
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_a_reload_keeps_the_person_and_signing_out_does_not(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    pit(page, live)
    page.reload()
    expect(card(page, made.name)).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.reload()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(
    ("size", "theme"),
    [("1920x1080", "dark"), ("1280x800", "light"), ("390x844", "dark"), ("390x844", "light")],
)
def test_everybody_can_read_it(page: Page, live: LiveServer, table: Tables, size: str, theme: str) -> None:
    made = table(lock_up_cents=30_000)
    play(made, "7")
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")
    pit(page, live)
    expect(page.get_by_role("region", name="Alarms")).to_contain_text("locked")
    for name in ("Floor", "Reports", "Significant events", "Staff", "Devices", "Limits"):
        view(page, name)
        expect(page.locator("main")).not_to_be_empty()
        check_access(page)
        assert has_no_sideways_scroll(page), name
        if theme == "dark":
            picture(page, f"pit-{name.split(' ')[0].lower()}-{size}")


def test_it_speaks_chinese(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    pit(page, live)
    page.get_by_role("button", name="Language").click()
    expect(page.get_by_role("heading", name="警报")).to_be_visible()
    expect(card(page, made.name)).to_have_count(0)
    expect(page.locator("html")).to_have_attribute("lang", "zh-SG")
