"""Pit, display, cage, front page and lab in their main states, kept as pictures."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import WHEEL, Table
from browser.office_rig import a_voucher, card, pit, sign_in, view
from browser.pictures.pictures_rig import (
    MONEY,
    RESULTS,
    ROUND_MS,
    EveningServer,
    betting,
    keep,
    play_an_evening,
    settle,
    usual_table,
)
from croupier.server.demonstration import add_staff
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]

WARM_UP_MS = 120_000
HOUR_MS = 3_600_000


@pytest.fixture
def floor(tmp_path: Path, screens: Path) -> Iterator[LiveServer]:
    """A floor with a table of every game, each at another step of its round."""
    with EveningServer(tmp_path, screens) as server:
        games = {"roulette-1": "mbs-roulette", "roulette-2": "rws-roulette-00"}
        games |= {"roulette-3": "rws-roulette-000", "money-wheel-1": MONEY}
        settings = {"played": False, "betting_seconds": 600, "lock_up_cents": 200_000}
        tables = [usual_table(server, name, book, **settings) for name, book in games.items()]
        play_an_evening(server, tables)
        first, second, third, _ = tables
        misread = first.state.round_number
        first.do(c.CorrectResult(round=misread, result="19", reason="Number misread on entry"))
        betting(third).do(c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause="ball-out"))
        server.evening.skip(ROUND_MS)
        betting(first)
        betting(second).do(c.CloseBets(), c.StartSpin(ball="clockwise", wheel="counter-clockwise"))
        betting(third).do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="000"))
        yield server


def test_pit(page: Page, floor: LiveServer) -> None:
    page.set_viewport_size({"width": 1600, "height": 1000})
    pit(page, floor)
    expect(page.get_by_text("Nothing is wrong at any table.")).to_be_visible()
    expect(card(page, "roulette-2")).to_contain_text("Ball rolling")
    expect(card(page, "roulette-3")).to_contain_text("Result entered")
    expect(page.locator("[data-recall]")).to_contain_text("Recall, not live")
    # The figures of the day come a moment later.
    handle = card(page, "roulette-1").locator("dl > div", has_text="Handle").locator("dd")
    expect(handle).to_have_text(re.compile(r"^[\d,]+$"))
    expect(page.get_by_text("No figures yet.")).to_have_count(0)
    keep(page, "pit-floor")
    for name, shows, kept in (
        ("Reports", "Figures as CSV", "pit-reports"),
        ("Significant events", "Search", "pit-events"),
        ("Staff", "Users and privileges", "pit-staff"),
        ("Devices", "Make a code", "pit-devices"),
        ("Limits", "To be paid on one result", "pit-limits"),
    ):
        view(page, name)
        expect(page.locator("main").get_by_text(shows).first).to_be_visible()
        keep(page, kept)
    page.get_by_role("button", name="Change the limits of roulette-1", exact=True).click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Minimum, Straight Up", exact=True).fill("10")
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    sheet.get_by_label("Reason").fill("A busy evening")
    expect(sheet).to_contain_text("2 limits are changed.")
    keep(page, "pit-change-limits")


def test_pit_hours(page: Page, tmp_path: Path, screens: Path) -> None:
    with EveningServer(tmp_path, screens) as server:
        table = usual_table(server, "roulette-1", "mbs-roulette", played=False, lock_up_cents=2_000_000)
        # An evening that fills up and empties again, so many rounds in each of its hours.
        for rounds in (2, 4, 7, 9, 8, 5, 3):
            for number in range(rounds):
                settle(betting(table), RESULTS[(3 * number + rounds) % len(RESULTS)])
                server.evening.skip(HOUR_MS // rounds)
        show_hours(page, server)


def show_hours(page: Page, server: LiveServer) -> None:
    """The report of an evening by the hour."""
    page.set_viewport_size({"width": 1600, "height": 1000})
    pit(page, server)
    view(page, "Reports")
    page.get_by_role("combobox", name="Table", exact=True).select_option("roulette-1")
    page.get_by_role("combobox", name="By", exact=True).select_option("Hour")
    page.get_by_role("button", name="Rounds", exact=True).click()
    expect(page.get_by_role("img", name=re.compile("^Rounds: "))).to_be_visible()
    keep(page, "pit-hours")


def test_pit_alarm(page: Page, floor: LiveServer) -> None:
    first, second = Table(floor, "roulette-1", "mbs-roulette"), Table(floor, "roulette-2", "rws-roulette-00")
    first.bet("1", straight__17=10_000)
    settle(first, "17")
    second.machine(WHEEL, c.ReportWheel(fault="line-lost", detail="nothing for 2 s"))
    page.set_viewport_size({"width": 1600, "height": 1000})
    pit(page, floor)
    alarms = page.get_by_role("region", name="Alarms")
    expect(alarms).to_contain_text("roulette-1: seat 1 is locked up")
    expect(alarms).to_contain_text("roulette-2: the wheel has a fault")
    expect(card(page, "roulette-1")).to_contain_text("Seat 1 locked")
    expect(page.get_by_text("No figures yet.")).to_have_count(0)
    keep(page, "pit-alarm")


def test_display(page: Page, live: LiveServer, table: Tables) -> None:
    made = betting(table())
    sign_in(page, live, f"display#table={made.name}", "dee")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Place your bets, please")
    keep(page, "display-betting")
    settle(made, "17")
    expect(page.locator("[data-result]")).to_have_text("17")
    keep(page, "display-result")


def test_cage(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    number, *_ = [
        a_voucher(live, made.name, seat, cents) for seat, cents in (("1", 23_450), ("2", 61_000), ("3", 5000))
    ]
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    verdict = page.get_by_role("region", name="Verdict").get_by_role("heading")
    page.keyboard.type(number)
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("Payable")
    expect(page.locator("[data-amount]")).to_have_text("1,234.50")
    keep(page, "cage-payable")
    page.keyboard.press("p")
    expect(verdict).to_have_text("Paid now")
    page.keyboard.type(number)
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("Refused: paid already")
    keep(page, "cage-already-paid")


@pytest.fixture
def demonstration(tmp_path: Path, screens: Path) -> Iterator[LiveServer]:
    """A demonstration floor, without its crew, so that nothing moves by itself."""
    with EveningServer(tmp_path, screens, demonstration=True) as server:
        for name, book in (
            ("electronic-roulette", "mbs-roulette"),
            ("triple-zero", "rws-roulette-000"),
            ("money-wheel", MONEY),
        ):
            usual_table(server, name, book)
        floor = server.rig.floor
        server.run(lambda: add_staff(floor.store, floor.clock, floor.hash_cost))
        yield server


def test_front_page(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    expect(page.get_by_role("heading", name="Play a round from both sides of the table")).to_be_visible()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Both places")
    keep(page, "front")


def test_lab(page: Page, demonstration: LiveServer) -> None:
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{demonstration.base_url}/lab")
    figures = page.locator('[data-figure="house_edge"] dd')
    # The lab compiles its mathematics when it is first asked.
    expect(figures).to_have_text("2.70%", timeout=WARM_UP_MS)
    expect(page.locator('[data-outcome="martingale"]')).to_be_attached(timeout=WARM_UP_MS)
    expect(page.locator("[aria-busy=true]")).to_have_count(0, timeout=WARM_UP_MS)
    keep(page, "lab")
