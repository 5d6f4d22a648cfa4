"""The front page: at the demonstration floor it leads to a console and a seat; elsewhere to the screens."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.office_rig import check_access, has_no_sideways_scroll, picture, resize
from croupier.server.demonstration import add_staff
from croupier.table import commands as c
from server.server_rig import LiveServer


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A demonstration floor without its crew: a newcomer deals alone."""
    tables = {"R1": "mbs-roulette", "M1": "rws-money-wheel"}
    path = tmp_path_factory.mktemp("demonstration")
    with LiveServer(path, tables=tables, app_options={"screens": screens}, demonstration=True) as server:
        floor = server.rig.floor
        server.run(lambda: add_staff(floor.store, floor.clock, floor.hash_cost))
        server.run(server.rig.floor.access.tend)
        yield server


def test_a_newcomer_deals_and_plays_a_first_round(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    expect(page.get_by_role("heading", name="Play a round from both sides of the table")).to_be_visible()
    expect(page.locator("li[aria-current=step]")).to_contain_text("Both places")
    expect(page.locator(".table-now")).to_contain_text("no round was played yet")
    picture(page, "front")

    with page.context.expect_page() as opened:
        page.get_by_role("button", name="1. Take the dealer's place").click()
    console = opened.value
    # Signed in, and at the table, without a word.
    expect(console.locator(".app[data-phase=idle]")).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("button", name="2. Take a seat").click()
    seat = opened.value
    expect(seat.get_by_role("button", name="Buy in").first).to_be_enabled()

    expect(page.locator("li[aria-current=step]")).to_contain_text("Bets open")
    console.keyboard.press("Space")
    expect(page.locator("li[aria-current=step]")).to_contain_text("Chips on the layout")
    picture(page, "front-betting")
    expect(console.locator("#next-action[data-rests]")).to_have_count(0)
    console.keyboard.press("Space")
    expect(page.locator("li[aria-current=step]")).to_contain_text("The spin")
    demonstration.do("R1", c.StartSpin(), c.EnterResult(result="17"))
    expect(page.locator("li[aria-current=step]")).to_contain_text("The result")
    demonstration.do("R1", c.ConfirmResult(result="17"))
    expect(page.locator("li[aria-current=step]")).to_contain_text("Settled")
    expect(page.get_by_role("status").get_by_role("img", name="17 Black")).to_be_visible()
    console.close()
    seat.close()


@pytest.mark.parametrize(
    ("screen", "shows"),
    [("Display", "Table R1"), ("Pit", "Parts of the pit"), ("Cage", "Find a voucher")],
)
def test_every_screen_is_one_touch_away_with_somebody_who_may(
    page: Page, demonstration: LiveServer, screen: str, shows: str
) -> None:
    page.goto(demonstration.base_url)
    with page.context.expect_page() as opened:
        page.get_by_role("button", name=screen).click()
    expect(
        opened.value.get_by_text(shows).or_(opened.value.get_by_role("navigation", name=shows))
    ).to_be_visible()
    expect(opened.value.get_by_role("button", name="Sign in")).to_have_count(0)
    opened.value.close()


def test_rules_are_read_before_the_first_bet(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    page.get_by_role("button", name="Rules and house edge").click()
    expect(page.get_by_role("dialog").get_by_role("row").filter(has_text="Straight Up")).to_contain_text(
        "2.7"
    )
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="HTTP API")).to_have_attribute("href", "/api/docs")


def test_a_table_without_terminals_says_why_there_is_no_seat(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    page.get_by_role("button", name="Money Wheel").click()
    expect(page.get_by_role("button", name="2. Take a seat")).to_be_disabled()
    expect(page.get_by_text("the dealer enters their bets")).to_be_visible()


def test_another_floor_gives_nothing_away(page: Page, live: LiveServer) -> None:
    live.run(lambda: live.rig.open_table("F1"))
    page.goto(live.base_url)
    expect(page.get_by_role("heading", name="Screens of this floor")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="F1")).to_contain_text("mbs-roulette")
    expect(page.get_by_role("link", name="Game Console")).to_have_attribute("href", "/console")
    assert "assword" not in page.locator("main").inner_text().replace("a name and a password", "")
    check_access(page)


@pytest.mark.parametrize("size", ["1920x1080", "1280x800", "390x844"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everybody_can_read_it(page: Page, demonstration: LiveServer, size: str, theme: str) -> None:
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")
    page.goto(demonstration.base_url)
    expect(page.get_by_role("heading", name="Your first round")).to_be_visible()
    check_access(page)
    assert has_no_sideways_scroll(page)
    picture(page, f"front-{size}-{theme}")


def test_games_and_houses_have_their_names_in_chinese(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    expect(page.get_by_role("button", name="Electronic Roulette Marina Bay Sands")).to_be_visible()
    page.get_by_role("button", name="Language").click()
    expect(page.get_by_role("button", name=re.compile("电子轮盘.*滨海湾金沙"))).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("幸运轮.*圣淘沙名胜世界"))).to_be_visible()
