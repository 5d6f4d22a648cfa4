"""The books of a seat, read on demand: its meters at the console, its last vouchers there and at the cage."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.browser_rig import ConsoleScreen, Table
from browser.office_rig import (
    a_voucher,
    check_access,
    has_no_sideways_scroll,
    picture,
    resize,
    sign_in,
)
from server.server_rig import LiveServer

Tables = Callable[..., Table]
LATEST = 35


def dialog(page: Page, name: str) -> Locator:
    """The sheet of that name."""
    return page.get_by_role("dialog", name=name, exact=True)


def open_seat(console: ConsoleScreen, seat: str) -> Locator:
    """Goes to a seat with the keys of the console alone."""
    console.press("t")
    console.page.locator(f'[data-seat="{seat}"]').focus()
    console.press("Enter")
    sheet = dialog(console.page, f"Seat {seat}")
    expect(sheet).to_be_visible()
    return sheet


def press_button(sheet: Locator, name: str) -> None:
    """A button by the keyboard, as it can be reached without a pointer."""
    button = sheet.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    button.focus()
    button.press("Enter")


def pay_at_cage(live: LiveServer, number: str, cents: int) -> None:
    """The cage pays a voucher."""
    with live.client(live.staff_token("cage")) as client:
        client.post(f"/api/vouchers/{number}/pay", json={"cents": cents}).raise_for_status()


def test_the_meters_of_a_seat_are_shown_at_the_seat_to_a_supervisor(
    console: ConsoleScreen, live: LiveServer, table: Tables
) -> None:
    made = table()
    live.play(made.name, {"1": {"straight:17": 1000}, "2": {"straight:20": 2500}}, "17")
    console.open(made, "sue")
    press_button(open_seat(console, "1"), "Meters")
    sheet = dialog(console.page, "Meters of seat 1")
    shown = {
        "cash_in_cents": "1,010.00",
        "vouchers_in_cents": "0.00",
        "vouchers_out_cents": "0.00",
        "attendant_pays_cents": "0.00",
        "turnover_cents": "10.00",
        "wins_cents": "360.00",
        "returned_cents": "0.00",
        "games_played": "1",
        "games_won": "1",
        "credits": "1,360.00",
    }
    for name, text in shown.items():
        expect(sheet.locator(f'[data-meter="{name}"]')).to_have_text(text)

    # They stand as they were read, and are read again on demand.
    number = a_voucher(live, made.name, "1", 1000)
    expect(sheet.locator('[data-meter="vouchers_out_cents"]')).to_have_text("0.00")
    press_button(sheet, "Refresh")
    expect(sheet.locator('[data-meter="vouchers_out_cents"]')).to_have_text("1,370.00")
    expect(sheet.locator('[data-meter="credits"]')).to_have_text("0.00")
    picture(console.page, "console-meters")

    # Escape leads back to the seat, and from there to its vouchers.
    console.press("Escape")
    press_button(dialog(console.page, "Seat 1"), "Last vouchers")
    vouchers = dialog(console.page, "Last vouchers of seat 1")
    expect(vouchers.get_by_role("row").filter(has_text=f"•••• {number[-4:]}")).to_contain_text("outstanding")
    assert number not in console.page.content()
    console.press("Escape", "Escape")
    expect(console.page.get_by_role("dialog")).to_have_count(0)


def test_a_dealer_sees_who_may_read_them(console: ConsoleScreen, live: LiveServer, table: Tables) -> None:
    asked: list[str] = []
    console.page.on("request", lambda request: asked.append(request.url))
    console.open(table())
    sheet = open_seat(console, "1")
    expect(sheet).to_contain_text("Meters: for a pit supervisor or somebody higher, or an auditor.")
    expect(sheet).to_contain_text(
        "Vouchers: for a pit supervisor or somebody higher, the cage, or an auditor."
    )
    expect(sheet.get_by_role("button", name="Meters")).to_be_disabled()
    expect(sheet.get_by_role("button", name="Last vouchers")).to_be_disabled()
    picture(console.page, "seat-dealer")
    check_access(console.page)
    assert not [address for address in asked if "/meters" in address or "/vouchers" in address]


def test_without_an_answer_no_figures_are_shown(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    console.open(made, "sue")
    console.page.route("**/meters", lambda route: route.abort("connectionreset"))
    press_button(open_seat(console, "1"), "Meters")
    sheet = dialog(console.page, "Meters of seat 1")
    expect(sheet.get_by_role("alert")).to_contain_text("No answer came")
    expect(sheet.locator("[data-meter]")).to_have_count(0)
    console.page.unroute("**/meters")
    press_button(sheet, "Refresh")
    expect(sheet.locator('[data-meter="cash_in_cents"]')).to_have_text("1,000.00")
    expect(sheet.get_by_role("alert")).to_have_count(0)


def test_the_cage_lists_the_last_vouchers_of_a_seat_with_what_became_of_each(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    paid, open_one = a_voucher(live, made.name, "1", 1000), a_voucher(live, made.name, "1", 7000)
    elsewhere = a_voucher(live, made.name, "2", 5000)
    pay_at_cage(live, paid, 101_000)
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    page.keyboard.press("s")
    sheet = dialog(page, "Last vouchers")
    seat = sheet.get_by_label("Seat")
    expect(seat).to_be_focused()
    sheet.get_by_label("Table").select_option(made.name)
    seat.focus()
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("heading", name=f"{made.name} · Seat 1")).to_be_visible()
    rows = sheet.locator("tbody").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text(f"•••• {open_one[-4:]}")
    expect(rows.nth(0)).to_contain_text("outstanding")
    expect(rows.nth(0)).to_contain_text("70.00")
    expect(rows.nth(1)).to_contain_text(f"•••• {paid[-4:]}")
    expect(rows.nth(1)).to_contain_text("paid")
    expect(rows.nth(1)).to_contain_text("The cage, ")
    assert not [number for number in (paid, open_one, elsewhere) if number in page.content()]
    picture(page, "cage-seat")

    # The next seat writes over this one.
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("heading", name=f"{made.name} · Seat 2")).to_be_visible()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text(f"•••• {elsewhere[-4:]}")
    page.keyboard.type("77")
    page.keyboard.press("Enter")
    expect(sheet).to_contain_text("There is no seat '77'")

    # A ticket that is scanned meanwhile is looked up and is no seat.
    page.keyboard.type(open_one)
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Verdict").get_by_role("heading")).to_have_text("Payable")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # From a voucher the key leads to its own seat.
    page.keyboard.press("s")
    expect(sheet.get_by_role("heading", name=f"{made.name} · Seat 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_label("Voucher number")).to_be_focused()


def test_a_row_of_the_list_leads_to_its_seat_and_escape_back_to_the_row(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    number = a_voucher(live, made.name, "2", 2300)
    sign_in(page, live, "cage", "cash")
    row = page.get_by_role("button", name=f"Show voucher •••• {number[-4:]}, 1,023.00")
    expect(row).to_be_visible()
    row.press("Enter")
    press_button(page.get_by_role("dialog"), "Last vouchers of this seat")
    sheet = dialog(page, "Last vouchers")
    expect(sheet.get_by_role("heading", name=f"{made.name} · Seat 2")).to_be_visible()
    expect(sheet.locator("tbody")).to_contain_text(f"•••• {number[-4:]}")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(row).to_be_focused()


def test_only_the_last_ones_are_listed(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    numbers = [a_voucher(live, made.name, "1", 100 * cents) for cents in range(1, LATEST + 2)]
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    page.keyboard.press("s")
    sheet = dialog(page, "Last vouchers")
    sheet.get_by_label("Table").select_option(made.name)
    sheet.get_by_label("Seat").fill("1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    rows = sheet.locator("tbody").get_by_role("row")
    expect(rows).to_have_count(LATEST)
    expect(rows.first).to_contain_text(f"•••• {numbers[-1][-4:]}")
    expect(rows.last).to_contain_text(f"•••• {numbers[1][-4:]}")


def test_whoever_may_not_is_told_who_may(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    sign_in(page, live, "cage", "dee")
    page.get_by_role("button", name="By seat…").click()
    sheet = dialog(page, "Last vouchers")
    sheet.get_by_label("Table").select_option(made.name)
    sheet.get_by_label("Seat").fill("1")
    sheet.get_by_role("button", name="Show").click()
    expect(sheet.get_by_role("alert")).to_contain_text("This takes a pit supervisor or somebody higher")


@pytest.fixture
def busy(live: LiveServer, table: Tables) -> Table:
    """A table whose first seat has played, and was given vouchers of which the last one is paid."""
    made = table()
    live.play(made.name, {"1": {"straight:17": 1000}}, "17")
    number = [a_voucher(live, made.name, "1", 1000 * cents) for cents in range(1, 15)][-1]
    pay_at_cage(live, number, 14_000)
    return made


def prepare(page: Page, size: str, theme: str) -> None:
    """A screen of that size and theme."""
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")


def speak(page: Page, language: str) -> None:
    """Has the screen speak another language."""
    if language != "en":
        page.get_by_role("button", name="Language").click()
        expect(page.locator("html")).to_have_attribute("lang", re.compile(f"^{language}"))


LOOKS = pytest.mark.parametrize(
    ("size", "theme", "language"),
    [
        ("1920x1080", "dark", "en"),
        ("1280x800", "light", "en"),
        ("1280x800", "dark", "zh"),
        ("390x844", "dark", "en"),
        ("390x844", "light", "zh"),
    ],
)


@LOOKS
def test_everybody_can_read_it_at_the_console(
    console: ConsoleScreen, busy: Table, size: str, theme: str, language: str
) -> None:
    page = console.page
    prepare(page, size, theme)
    console.open(busy, "sue")
    speak(page, language)
    page.keyboard.press("t")
    page.locator('[data-seat="1"]').click()
    picture(page, f"seat-{size}-{theme}-{language}")
    buttons = {"en": ("Meters", "Last vouchers"), "zh": ("计数器", "最近票券")}[language]
    rows = {"meters": "[data-meter]", "vouchers": "tbody tr"}
    for name, (kind, row) in zip(buttons, rows.items(), strict=True):
        page.get_by_role("dialog").get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog").locator(row).first).to_be_visible()
        check_access(page)
        assert has_no_sideways_scroll(page)
        picture(page, f"seat-{kind}-{size}-{theme}-{language}")
        console.press("Escape")


@LOOKS
def test_everybody_can_read_it_at_the_cage(
    page: Page, live: LiveServer, busy: Table, size: str, theme: str, language: str
) -> None:
    prepare(page, size, theme)
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_label("Voucher number")).to_be_focused()
    speak(page, language)
    picture(page, f"cage-{size}-{theme}-{language}")
    page.keyboard.press("s")
    page.locator("select[name=table]").select_option(busy.name)
    check_access(page)
    page.locator("input[name=seat]").fill("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("tbody tr").first).to_be_visible()
    check_access(page)
    assert has_no_sideways_scroll(page)
    picture(page, f"cage-seat-{size}-{theme}-{language}")
