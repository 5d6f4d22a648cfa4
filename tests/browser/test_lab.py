"""The lab in a browser: a slip built by touching the drawing, its odds, its distribution, and a session."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.office_rig import SIZES, check_access, has_no_sideways_scroll, resize, sign_in
from server.server_rig import LiveServer

WARM_UP_MS = 120_000
"""The lab compiles its mathematics when it is first asked; the first answer waits for that."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A demonstration floor, where everybody may use the lab."""
    path = tmp_path_factory.mktemp("demo")
    tables = {"R1": "mbs-roulette"}
    with LiveServer(path, tables=tables, demonstration=True, app_options={"screens": screens}) as server:
        yield server


def figure(page: Page, name: str) -> Locator:
    """The value of a figure."""
    return page.locator(f'[data-figure="{name}"] dd')


def outcome(page: Page, name: str) -> Locator:
    """A row of the session's figures."""
    return page.locator(f'tr[data-figure="{name}"]')


def enter(page: Page, demo: LiveServer) -> None:
    """Opens the lab and waits for its first answers."""
    page.goto(f"{demo.base_url}/lab")
    expect(figure(page, "house_edge")).to_have_text("2.70%", timeout=WARM_UP_MS)
    expect(page.locator('[data-outcome="martingale"]')).to_be_attached(timeout=WARM_UP_MS)


def touch(page: Page, bet: str) -> None:
    """Touches the drawn felt where a bet is."""
    box = page.locator(f'[data-bet="{bet}"]').bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def lines(page: Page) -> list[str]:
    """The slip, by the names of its bets."""
    return page.locator("[data-line]").evaluate_all("all => all.map(each => each.dataset.line)")


def test_a_slip_is_built_on_the_drawing_and_its_edge_is_one_in_37(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Place a chip on the felt or the racetrack.").first).to_be_visible()

    touch(page, "straight:17")
    touch(page, "split:17/20")
    touch(page, "split:17/20")
    page.locator('[data-call="tiers"]').click()

    assert lines(page) == ["straight:17", "split:17/20", "tiers"]
    expect(page.get_by_label("Stake on Split 17/20")).to_have_value("20.00")
    expect(page.get_by_text("each round 90.00 SGD")).to_be_visible()
    page.get_by_role("button", name="Exact fractions").click()
    expect(figure(page, "house_edge")).to_have_text("1/37")
    expect(figure(page, "hit_frequency")).to_have_text("14/37")
    expect(figure(page, "mean_cents")).to_have_text("\N{MINUS SIGN}90/37")
    expect(figure(page, "after-mean")).to_have_text("\N{MINUS SIGN}90000/37")


def test_a_deviation_is_an_amount_wherever_it_stands(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    page.get_by_role("button", name="Clear").click()
    touch(page, "straight:17")
    # The deviation of a unit on one number of 37 is 5.84, and the chip is 10.
    expect(figure(page, "deviation")).to_have_text("58.38")
    page.get_by_label("Rounds", exact=True).fill("1")
    page.keyboard.press("Enter")
    rows = page.get_by_text("Deviation", exact=True).locator("..").locator("dd")
    expect(rows).to_have_text(["58.38", "58.38"])


def test_every_change_is_answered(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    page.get_by_label("Stake on Red").fill("25")
    page.get_by_label("Stake on Red").press("Enter")
    expect(figure(page, "mean_cents")).to_have_text("\N{MINUS SIGN}0.68")

    page.get_by_role("button", name="Double").click()
    expect(figure(page, "mean_cents")).to_have_text("\N{MINUS SIGN}1.35")
    page.get_by_role("button", name="Undo").click()
    expect(figure(page, "mean_cents")).to_have_text("\N{MINUS SIGN}0.68")
    page.get_by_role("button", name="Remove Red").click()
    expect(figure(page, "mean_cents")).to_have_count(0)


def test_the_distribution_after_many_rounds(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    expect(figure(page, "after-ahead")).to_have_text("18.76%")
    drawing = page.get_by_role("img", name="Net result after 1,000 rounds")
    expect(drawing).to_be_visible()

    page.get_by_role("button", name="Logarithmic").first.click()
    expect(page.get_by_text("With both tails")).to_be_visible()
    reader = page.get_by_label("Read the chances at an amount").first
    reader.focus()
    reader.press("End")
    expect(reader).to_have_attribute("aria-valuetext", re.compile("· 10⁻"))

    rounds = page.get_by_label("Rounds", exact=True)
    rounds.fill("1000000")
    expect(page.get_by_role("img", name="Net result after 1,000,000 rounds")).to_be_visible()


def test_refused_rounds_are_told_where_they_are_and_leave_no_old_drawing(
    page: Page, demo: LiveServer
) -> None:
    enter(page, demo)
    rounds = page.get_by_label("Rounds", exact=True)
    drawing = page.get_by_role("img", name="Net result after")
    alert = page.get_by_role("alert")
    expect(drawing).to_be_visible()
    rounds.fill("10000000")
    expect(alert).to_have_text(re.compile("10000000 is not a number of rounds the lab computes."))
    expect(drawing).to_have_count(0)
    one_round = page.get_by_role("region", name="One round")
    expect(one_round).not_to_contain_text("number of rounds")
    expect(figure(page, "house_edge")).to_have_text("2.70%")

    rounds.fill("a few")
    expect(alert).to_have_text(re.compile("Write the rounds as a whole number"))
    expect(drawing).to_have_count(0)
    expect(figure(page, "house_edge")).to_have_text("2.70%")

    # Of another slip there are no figures before the rounds are right: none of the old ones stays.
    rounds.fill("10000000")
    expect(alert).to_have_count(1)
    page.get_by_role("button", name="Double").click()
    expect(one_round).to_contain_text("10000000 is not a number of rounds the lab computes.")
    expect(figure(page, "house_edge")).to_have_count(0)
    rounds.fill("10")
    expect(page.get_by_role("img", name="Net result after 10 rounds")).to_be_visible()
    expect(figure(page, "house_edge")).to_have_text("2.70%")
    expect(alert).to_have_count(0)


@pytest.mark.parametrize("width", [1920, 1280, 1024, 390])
def test_while_it_gets_ready_that_is_read_whole(page: Page, demo: LiveServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    waits = {"code": "lab-warming", "sentence": "The lab is getting ready.", "facts": {}}
    page.route("**/api/lab/slip", lambda route: route.fulfill(status=503, json=waits))
    page.goto(f"{demo.base_url}/lab")
    for part, name in (("Odds", "One round"), ("Rounds", "After many rounds")):
        if width < 900:
            page.get_by_role("button", name=part, exact=True).click()
        panel = page.get_by_role("region", name=name)
        note = panel.get_by_text("The lab gets ready: it compiles its mathematics once")
        expect(note).to_be_visible()
        assert note.evaluate("(node) => node.scrollWidth <= node.clientWidth")
        status = panel.get_by_role("status")
        expect(status).to_have_text("computing …")
        assert status.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1")


@pytest.mark.parametrize("width", [1920, 1280, 1024, 390])
def test_while_it_computes_every_button_is_read_whole(page: Page, demo: LiveServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/api/lab/slip", lambda route: None)
    page.goto(f"{demo.base_url}/lab")
    if width < 900:
        page.get_by_role("button", name="Rounds", exact=True).click()
    panel = page.get_by_role("region", name="After many rounds")
    expect(panel.get_by_role("status")).to_have_text("computing …")
    frame, button = panel.bounding_box(), panel.get_by_role("button", name="Logarithmic").bounding_box()
    assert frame is not None
    assert button is not None
    assert button["x"] + button["width"] <= frame["x"] + frame["width"]


def test_a_session_appears_exact_and_simulated(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    for label, text in (("Bankroll", "1000"), ("Goal", ""), ("At most rounds", "1000")):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_label("Stake on Red").fill("1")
    page.get_by_label("Stake on Red").press("Enter")

    expect(outcome(page, "mean_cents")).to_contain_text("892.68")
    expect(outcome(page, "rounds")).to_contain_text("727.92")
    expect(outcome(page, "behind")).to_contain_text("47.72%")
    expect(page.get_by_text("Expected loss 107.32 SGD: 2.70% of the turnover")).to_be_visible()
    expect(page.get_by_text("10,000 sessions,")).to_be_visible()
    expect(page.get_by_role("img", name="Bankroll at the end: mean 892.68")).to_be_attached()
    expect(page.get_by_role("img", name="Still playing")).to_be_attached()

    page.get_by_role("combobox", name="Betting system").select_option("james-bond")
    expect(page.locator('[data-outcome="james-bond"]')).to_be_attached()
    expect(page.get_by_label("Chip", exact=True)).to_have_value("10")


def test_what_cannot_be_played_is_told_in_the_words_of_the_lab(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    page.get_by_label("Goal", exact=True).fill("900")
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("The goal of 90000 cents is not above the bankroll of 100000.")
    page.get_by_label("Goal", exact=True).fill("soon")
    expect(alert).to_contain_text("Cannot be read: Goal.")


def test_the_money_wheel_has_its_own_felt(page: Page, demo: LiveServer) -> None:
    enter(page, demo)
    page.get_by_label("Rule book").select_option("rws-money-wheel")
    expect(figure(page, "house_edge")).to_have_text("7.69%")
    page.get_by_role("button", name="Clear").click()
    page.locator('[data-bet="symbol:20"]').click()
    page.get_by_role("button", name="Exact fractions").click()
    expect(figure(page, "house_edge")).to_have_text("5/26")


def test_elsewhere_the_staff_signs_in(page: Page, live: LiveServer) -> None:
    sign_in(page, live, "lab", "dee")
    expect(figure(page, "house_edge")).to_have_text("2.70%", timeout=WARM_UP_MS)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()


def test_whoever_is_signed_out_elsewhere_signs_in_again(page: Page, live: LiveServer) -> None:
    sign_in(page, live, "lab", "dan")
    expect(figure(page, "house_edge")).to_have_text("2.70%", timeout=WARM_UP_MS)
    with live.client(live.staff_token("pit-supervisor")) as supervisor:
        ended = supervisor.post("/api/staff/dan/end-sessions", json={"reason": "the end of the shift"})
        assert ended.status_code < 300, ended.text
    page.get_by_role("button", name="Double").click()
    expect(page.get_by_label("Password", exact=True)).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("You are signed out, because")


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
def test_nothing_for_axe_to_complain_about(page: Page, demo: LiveServer, size: str, theme: str) -> None:
    resize(page, size)
    page.emulate_media(color_scheme="light" if theme == "light" else "dark", reduced_motion="reduce")
    page.goto(f"{demo.base_url}/lab")
    for tab in ("Table", "Odds", "Rounds", "Session") if size == "390x844" else (None,):
        if tab is not None:
            page.get_by_role("button", name=tab, exact=True).click()
        elif theme == "dark":
            expect(figure(page, "house_edge")).to_have_text("2.70%", timeout=WARM_UP_MS)
        assert has_no_sideways_scroll(page)
        check_access(page)
