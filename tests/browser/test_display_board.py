"""The big screen follows a round, and is large enough to be read from five metres."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import BOOKS, Table
from browser.office_rig import SIZES, check_access, has_no_sideways_scroll, picture, resize
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Limits, Range, Rules
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]

RESULTS = {"mbs-roulette": "17", "rws-roulette-00": "00", "rws-roulette-000": "000", "rws-money-wheel": "10"}
SMALLEST_VH = 3.2

SMALL = """(least) => [...document.querySelectorAll('.display *')]
    .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()))
    .filter((node) => parseFloat(getComputedStyle(node).fontSize) < least - 0.01)
    .map((node) => node.textContent)"""
"""What is written smaller than that many pixels."""
OUTSIDE = """() => [...document.querySelectorAll('.display > *')].filter((node) => {
    const box = node.getBoundingClientRect();
    return box.right > innerWidth + 1 || box.bottom > innerHeight + 1
        || node.scrollWidth > node.clientWidth + 2 || node.scrollHeight > node.clientHeight + 2;
}).map((node) => node.className)"""
"""What does not fit into its place, or into the panel."""
APART = """() => {
    const bar = document.querySelector('footer').getBoundingClientRect();
    const parts = [...document.querySelectorAll('footer > div > *')].flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()].map((box) => ({ node, box, text: node.textContent }));
    });
    const leaves = parts.filter(({ box }) =>
        box.left < bar.left || box.right > bar.right || box.top < bar.top || box.bottom > bar.bottom);
    const covers = parts.filter((one) => parts.some((other) => other.node !== one.node
        && Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 1
        && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 5));
    return [leaves, covers].map((found) => found.map(({ text }) => text));
}"""
"""What is written outside of the bar at the bottom, and what there is written over something else."""
KEEP_THE_LINE = """const Own = WebSocket;
window.WebSocket = class extends Own {
    constructor(...all) { super(...all); window.line = this; }
};"""
"""Lets a test cut the page's connection."""


def display(page: Page, live: LiveServer, table: Table) -> Page:
    """A display of a table, enrolled by the code in its address."""
    with live.client(live.staff_token("pit-supervisor")) as client:
        asked = {"kind": "display", "table": table.name}
        code = client.post("/api/devices/code", json=asked).raise_for_status().json()["code"]
    page.goto(f"{live.base_url}/display#code={code}")
    expect(page.locator("footer")).to_contain_text(table.name)
    return page


@clause("mbs-roulette:3.1", "mbs-roulette:3.2", "mbs-roulette:3.8")
def test_it_follows_a_round(page: Page, live: LiveServer, table: Tables) -> None:
    made = table(betting_seconds=60)
    display(page, live, made)
    notice = page.get_by_role("heading", level=1)
    expect(page.get_by_text("No results yet")).to_be_visible()
    made.do(c.OpenRound())
    expect(notice).to_contain_text("Place your bets, please")
    expect(notice.get_by_role("timer")).to_contain_text("closes in")
    picture(page, "display-betting")
    made.do(c.CloseBets())
    expect(notice).to_contain_text("No more bets")
    expect(notice.get_by_role("timer")).to_have_count(0)
    made.do(c.StartSpin())
    expect(notice).to_contain_text("The ball is rolling")
    made.do(c.EnterResult(result="17"))
    # Nothing is shown before the dealer has confirmed it.
    expect(page.locator("[data-result]")).to_have_count(0)
    made.do(c.ConfirmResult(result="17"))
    expect(page.locator("[data-result]")).to_have_text("17")
    expect(notice).to_contain_text("17 wins")
    expect(page.get_by_role("region", name="Last result", exact=True)).to_contain_text("Black · Odd")
    expect(page.get_by_role("region", name="Last results").get_by_role("img")).to_have_accessible_name(
        "17 Black"
    )
    expect(page.get_by_role("region", name="Statistics")).to_contain_text("For information only.")
    expect(page.get_by_role("region", name="Statistics")).to_contain_text("1 \u00d7")
    picture(page, "display-result")

    made.do(c.OpenRound())
    expect(page.get_by_text("Last result · round 1")).to_be_visible()
    made.do(c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="a coin on the wheel"))
    expect(notice).to_contain_text("a coin on the wheel")
    # A void round has no result: the last one stands.
    expect(page.locator("[data-result]")).to_have_text("17")
    picture(page, "display-void")


@clause("mbs-roulette:6.3")
def test_a_correction_is_announced_once_players_knew_the_result(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    display(page, live, made)
    notice = page.get_by_role("heading", level=1)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="5"))
    made.do(c.CorrectResult(round=1, result="8", reason="mistyped"))
    # Nobody was told the 5: to the players, the ball still rolls.
    expect(notice).to_contain_text("The ball is rolling")
    made.do(c.ConfirmResult(result="8"))
    expect(notice).to_contain_text("8 wins")
    expect(page.get_by_role("region", name="Last result", exact=True)).to_contain_text("Round 1")

    made.do(c.CorrectResult(round=1, result="17", reason="misread"))
    expect(notice).to_contain_text("Round 1: the result is corrected to 17")
    expect(page.locator("[data-result]")).to_have_text("17")
    picture(page, "display-correction")
    page.reload()
    expect(notice).to_contain_text("Round 1: the result is corrected to 17")
    made.do(c.OpenRound())
    expect(notice).to_contain_text("Place your bets, please")


@pytest.mark.parametrize("book", BOOKS)
def test_everything_is_large_enough_on_every_book(
    page: Page, live: LiveServer, table: Tables, book: str
) -> None:
    made = table(book)
    display(page, live, made)
    for _ in range(3):
        made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
        made.do(c.EnterResult(result=RESULTS[book]), c.ConfirmResult(result=RESULTS[book]))
    expect(page.locator(f"[data-result='{RESULTS[book]}']")).to_be_visible()
    expect(page.get_by_role("region", name="Statistics")).to_contain_text("3 \u00d7")
    for size in ("1920x1080", "1280x800"):
        resize(page, size)
        width, height = SIZES[size]
        # The unit is a hundredth of the height of a panel of 16 to 9.
        least = SMALLEST_VH * min(height, width * 0.5625) / 100
        small = page.evaluate(SMALL, least)
        assert small == []
        outside = page.evaluate(OUTSIDE)
        assert outside == []
    picture(page, f"display-{book}")


def test_a_long_reason_is_cut_short_and_the_words_of_the_house_stay(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    display(page, live, made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="The ball hit a sleeve. " * 12))
    notice = page.get_by_role("heading", level=1)
    expect(notice).to_contain_text(re.compile("^No spin: The ball hit a sleeve.*…\\. All bets are returned"))
    for size in ("1920x1080", "1280x800"):
        resize(page, size)
        bar, text = notice.bounding_box(), notice.locator(".notice").bounding_box()
        assert bar is not None
        assert text is not None
        assert bar["y"] <= text["y"] < text["y"] + text["height"] <= bar["y"] + bar["height"]


@clause("rws-money-wheel:3.3")
def test_a_box_with_limits_of_its_own_is_named(page: Page, live: LiveServer, table: Tables) -> None:
    def box(most: int) -> Range:
        return Range(minimum_cents=100, maximum_cents=most * 100)

    bets = {"symbol": box(500), "symbol:20": box(100), "symbol:10": box(200), "symbol:5": box(300)}
    display(page, live, table("rws-money-wheel", limits=Limits(bets=bets)))
    expect(page.get_by_role("contentinfo")).to_contain_text("Each box, all players")
    ranges = (
        f"{box}1 \u2013 {most}"
        for box, most in [("", 500), ("SGD 20: ", 100), ("SGD 10: ", 200), ("SGD 5: ", 300)]
    )
    expect(page.get_by_role("contentinfo").get_by_role("paragraph")).to_have_text(" · ".join(ranges))
    outside = page.evaluate(OUTSIDE)
    assert outside == []


@pytest.mark.parametrize("size", ["1920x1080", "1280x800", "390x844"])
def test_limits_of_single_bets_stand_in_the_bar_and_apart(
    page: Page, live: LiveServer, table: Tables, size: str
) -> None:
    def most(dollars: int) -> Range:
        return Range(minimum_cents=500, maximum_cents=dollars * 100)

    every = wide_limits(Rules(load_book("rws-roulette-000")), 500, 100_000).bets
    own = {f"straight:{zero}": most(500) for zero in ("0", "00", "000")}
    chances = {
        chance: most(1500 + 100 * place)
        for place, chance in enumerate(("low", "high", "odd", "even", "red", "black"))
    }
    resize(page, size)
    display(page, live, table("rws-roulette-000", limits=Limits(bets={**every, **own, **chances})))
    bar = page.get_by_role("contentinfo")
    expect(bar).to_contain_text("Straight Up 0, 00, 000: 5 \u2013 500")
    expect(bar).to_contain_text("Black: 5 \u2013 2,000")
    leaves, covers = page.evaluate(APART)
    assert leaves == []
    assert covers == []
    assert has_no_sideways_scroll(page)
    picture(page, f"display-limits-{size}")


def test_while_it_hears_nothing_it_says_so_and_counts_nothing(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table(betting_seconds=60)
    made.do(c.OpenRound())
    page.add_init_script(KEEP_THE_LINE)
    display(page, live, made)
    expect(page.get_by_role("timer")).to_be_visible()
    page.context.set_offline(True)
    page.evaluate("window.line.close()")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Connection lost")
    expect(page.get_by_role("timer")).to_have_count(0)
    page.context.set_offline(False)
    expect(page.get_by_role("timer")).to_be_visible()


def test_a_wrong_code_is_refused_and_a_reload_keeps_the_device(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    page.goto(f"{live.base_url}/display")
    page.locator("#code").fill("NOT-A-CODE")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).not_to_be_empty()
    display(page, live, made)
    page.reload()
    expect(page.get_by_text(f"Table {made.name}")).to_be_visible()


def test_somebody_of_the_staff_shows_any_table(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    page.goto(f"{live.base_url}/display")
    page.get_by_role("button", name="Sign in instead of a code").click()
    page.get_by_label("Name", exact=True).fill("dee")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="Which table?")).to_be_visible()
    page.get_by_role("button", name="Language").click()
    expect(page.get_by_role("heading", name="哪一桌")).to_be_visible()
    page.get_by_role("button", name="语言").click()
    page.get_by_role("button", name="Light or dark").click()
    page.get_by_role("button", name=made.name, exact=True).click()
    expect(page.get_by_text(f"Table {made.name}")).to_be_visible()


@pytest.mark.parametrize("size", ["1920x1080", "390x844"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everybody_can_read_it(page: Page, live: LiveServer, table: Tables, size: str, theme: str) -> None:
    made = table("rws-roulette-00", layout="B")
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")
    display(page, live, made)
    for result in ("00", "17", "32"):
        made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
        made.do(c.EnterResult(result=result), c.ConfirmResult(result=result))
    expect(page.locator("[data-result='32']")).to_be_visible()
    check_access(page)
    assert has_no_sideways_scroll(page)
    picture(page, f"display-{size}-{theme}")
