"""The pit changes a table's limits: prepared while a round runs, done between rounds, by two people."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.browser_rig import ConsoleScreen, Table, make_table
from browser.office_rig import check_access, has_no_sideways_scroll, picture, pit, resize, view
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]


def open_limits(page: Page, live: LiveServer, table: Table, who: str = "max") -> Locator:
    """The sheet in which the limits of a table are changed."""
    pit(page, live, who)
    view(page, "Limits")
    page.get_by_role("button", name=f"Change the limits of {table.name}", exact=True).click()
    sheet = page.get_by_role("dialog", name=f"Change the limits of {table.name}")
    expect(sheet.get_by_label("Minimum, Straight Up", exact=True)).to_be_visible()
    return sheet


def sign(sheet: Locator, name: str, password: str = PASSWORD) -> None:
    """The second person signs."""
    sheet.get_by_label("Name", exact=True).fill(name)
    sheet.get_by_label("Password", exact=True).fill(password)


def does(sheet: Locator) -> Locator:
    """The button that changes the limits."""
    return sheet.get_by_role("button", name="Change the limits")


def in_force(page: Page, table: Table, bet: str) -> Locator:
    """The row of a family of bets in the list of what is in force."""
    listed = page.get_by_role("region", name=f"Limits of {table.name}", exact=True)
    return listed.get_by_role("row").filter(has=page.get_by_role("cell", name=bet, exact=True))


def test_the_limits_of_a_table_with_a_long_name_can_be_changed(page: Page, live: LiveServer) -> None:
    made = make_table(live, "Salon-Prive-of-the-North-Wing-No-1-A", "rws-roulette-000")
    pit(page, live)
    view(page, "Limits")
    card = page.get_by_role("region", name=f"Limits of {made.name}", exact=True)
    for width in (1920, 1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        change = card.get_by_role("button", name=f"Change the limits of {made.name}")
        outer, inner = card.bounding_box(), change.bounding_box()
        assert outer is not None
        assert inner is not None
        assert inner["x"] >= outer["x"]
        assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]


@clause("rws-roulette-00:3.3")
def test_new_limits_are_shown_everywhere_at_once(
    page: Page, live: LiveServer, table: Tables, terminal: Callable[..., TerminalScreen], browser: Browser
) -> None:
    made = table("rws-roulette-00")
    seat = terminal(made)
    console = ConsoleScreen(browser.new_page(), live).open(made)
    sheet = open_limits(page, live, made)
    expect(does(sheet)).to_be_disabled()
    expect(sheet).to_contain_text("Nothing is changed yet.")

    sheet.get_by_label("Minimum, Straight Up", exact=True).fill("25")
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("2,500")
    sheet.get_by_label("A seat in one round").fill("7,000")
    expect(sheet).to_contain_text("3 limits are changed")
    expect(sheet).to_contain_text("was 10,000")
    expect(sheet).to_contain_text("Say why")
    sheet.get_by_label("Reason").fill("a busy evening")
    expect(sheet).to_contain_text("A second person has to sign.")
    sign(sheet, "dee")
    picture(page, "pit-change-limits")
    does(sheet).click()
    expect(sheet).to_have_count(0)
    expect(
        page.get_by_role("status").filter(has_text=f"The limits of {made.name} are changed.")
    ).to_be_visible()

    row = in_force(page, made, "Straight Up")
    expect(row.get_by_role("cell").nth(1)).to_have_text("25.00")
    expect(row.get_by_role("cell").nth(2)).to_have_text("2,500.00")
    expect(seat.page.locator(".facts dl > div", has_text="Straight Up")).to_contain_text("2,500")
    console.page.get_by_role("tab", name="Log").click()
    expect(console.page.get_by_text("Limits changed")).to_be_visible()
    console.page.close()
    assert made.state.limits.bets["straight"].maximum_cents == 250_000
    assert made.state.limits.seat_cents == 700_000
    with live.client(live.staff_token("shift-manager")) as client:
        query = {"table": made.name, "code": "limits-changed"}
        (event,) = client.get("/api/events", params=query).json()["events"]
    assert (event["actor"], event["second"]) == ("max", "dee")


def test_a_change_is_prepared_while_a_round_runs_and_done_when_it_is_over(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    made.do(c.OpenRound())
    made.bet("1", red=2000)
    sheet = open_limits(page, live, made)
    expect(sheet.get_by_role("status")).to_have_text("Round 1 is running. Limits are changed between rounds.")
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    sheet.get_by_label("Reason").fill("a quiet hour")
    sign(sheet, "dee")
    # Whoever prepares it does not stand at the console: the dealer goes on.
    assert live.rig.floor.tables[made.name].hub.consoles == []
    expect(does(sheet)).to_be_disabled()
    expect(does(sheet)).to_have_accessible_description(
        "Round 1 is running. Limits are changed between rounds."
    )
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7"))
    expect(does(sheet)).to_be_enabled()
    expect(sheet.get_by_role("status")).to_have_count(0)
    does(sheet).click()
    expect(sheet).to_have_count(0)
    expect(in_force(page, made, "Straight Up").get_by_role("cell").nth(2)).to_have_text("500.00")


def test_what_is_refused_is_said_where_it_is_asked(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    before = made.state.limits
    sheet = open_limits(page, live, made)
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    sheet.get_by_label("Reason").fill("a quiet hour")
    sign(sheet, "dee", "not the password")
    does(sheet).click()
    expect(sheet.get_by_role("alert")).to_contain_text("name or the password is not right")
    # Nobody stands beside oneself.
    sign(sheet, "max")
    does(sheet).click()
    expect(sheet.get_by_role("alert")).to_contain_text("a second one has to authorise it")
    picture(page, "pit-change-limits-refused")
    assert made.state.limits == before
    expect(sheet.get_by_label("Maximum, Straight Up", exact=True)).to_have_value("500")
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(page.get_by_role("button", name=f"Change the limits of {made.name}", exact=True)).to_be_focused()


def test_amounts_are_checked_as_they_are_typed(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    sheet = open_limits(page, live, made)
    for text, says in (
        ("", "a whole amount, at least 1"),
        ("2.50", "limits have no cents: 5 or 5.00"),
        ("1,00", "a whole amount, at least 1"),
    ):
        sheet.get_by_label("Minimum, Straight Up", exact=True).fill(text)
        expect(sheet.get_by_text(says, exact=True)).to_be_visible()
        expect(sheet).to_contain_text("1 amount cannot be read yet.")
    sheet.get_by_label("Minimum, Straight Up", exact=True).fill("20,000")
    expect(sheet.get_by_text("not below the minimum", exact=True)).to_be_visible()
    sheet.get_by_label("All seats together, Straight Up", exact=True).fill("x")
    expect(sheet.get_by_text("a whole amount, or empty for no limit", exact=True)).to_be_visible()
    expect(does(sheet)).to_be_disabled()


def test_a_supervisor_asks_and_a_manager_authorises(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    sheet = open_limits(page, live, made, "sue")
    expect(sheet).to_contain_text("pit manager or higher")
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    sheet.get_by_label("Reason").fill("a quiet hour")
    sign(sheet, "dee")
    does(sheet).click()
    expect(sheet.get_by_role("alert")).to_contain_text("This takes a pit manager.")
    sign(sheet, "max")
    does(sheet).click()
    expect(sheet).to_have_count(0)
    assert made.state.limits.bets["straight"].maximum_cents == 50_000


def test_what_somebody_else_changes_meanwhile_is_not_undone(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    sheet = open_limits(page, live, made)
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    rules = Rules(load_book("mbs-roulette"))
    made.do(c.ChangeLimits(limits=wide_limits(rules, table_cents=4_000_000), reason="from another room"))
    expect(sheet.get_by_label("The table in one round")).to_have_value("40,000")
    sheet.get_by_label("Reason").fill("a quiet hour")
    sign(sheet, "dee")
    does(sheet).click()
    expect(sheet).to_have_count(0)
    assert made.state.limits.table_cents == 4_000_000
    assert made.state.limits.bets["straight"].maximum_cents == 50_000


@pytest.mark.parametrize(
    ("size", "theme"),
    [("1920x1080", "dark"), ("1280x800", "light"), ("390x844", "dark"), ("390x844", "light")],
)
def test_everybody_can_read_it(page: Page, live: LiveServer, table: Tables, size: str, theme: str) -> None:
    made = table()
    made.do(c.OpenRound())
    resize(page, size)
    page.add_init_script(f"localStorage.setItem('croupier.theme', '{theme}')")
    sheet = open_limits(page, live, made)
    sheet.get_by_label("Maximum, Straight Up", exact=True).fill("500")
    sheet.get_by_label("Minimum, Split", exact=True).fill("x")
    check_access(page)
    assert has_no_sideways_scroll(page)
    picture(page, f"pit-change-limits-{size}-{theme}")


def test_it_speaks_chinese(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    pit(page, live, "max")
    view(page, "Limits")
    page.get_by_role("button", name="Language").click()
    page.get_by_role("button", name=f"更改 {made.name} 的限额", exact=True).click()
    sheet = page.get_by_role("dialog", name=f"更改 {made.name} 的限额")
    expect(sheet.get_by_role("button", name="更改限额")).to_be_disabled()
    expect(sheet).to_contain_text("尚未更改")
    picture(page, "pit-change-limits-zh")
