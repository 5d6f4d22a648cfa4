"""The pit's office: reports and their files, significant events, staff, devices."""

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from browser.browser_rig import Table
from browser.office_rig import picture, pit, sign_in, view
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer

Tables = Callable[..., Table]


def play(table: Table, result: str) -> None:
    """A whole round: 20.00 on red, 10.00 on 7."""
    table.do(c.OpenRound())
    table.bet("1", red=2000)
    table.bet("2", straight__7=1000)
    table.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))


def test_a_report_has_the_figures_of_the_journal(
    page: Page, live: LiveServer, table: Tables, tmp_path: Path
) -> None:
    made = table()
    play(made, "8")
    play(made, "9")
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="a coin on the wheel"))
    pit(page, live)
    view(page, "Reports")
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    row = page.get_by_role("row").filter(has=page.get_by_role("cell", name=made.name, exact=True))
    # Two rounds of 30.00: nothing won with 8, red won with 9.
    expect(row.get_by_role("cell").nth(2)).to_have_text("60.00")
    expect(row.get_by_role("cell").nth(3)).to_have_text("20.00")
    expect(page.get_by_role("img", name=f"Win: {made.name} 20")).to_be_visible()
    rulings = page.get_by_role("region", name="Voids, corrections and decisions").last
    expect(rulings).to_contain_text("a coin on the wheel")
    expect(rulings).to_contain_text("5.15")

    page.get_by_role("button", name="Handle", exact=True).click()
    expect(page.get_by_role("img", name=f"Handle: {made.name} 60")).to_be_visible()
    picture(page, "pit-report")

    page.get_by_role("combobox", name="By", exact=True).select_option("Dealer")
    expect(page.get_by_role("cell", name="shift", exact=True).first).to_be_visible()

    with page.expect_download() as started:
        page.get_by_role("button", name="Figures as CSV").click()
    started.value.save_as(tmp_path / "report.csv")
    rows = {row["dealer"]: row for row in csv.DictReader(io.StringIO((tmp_path / "report.csv").read_text()))}
    assert (rows["shift"]["turnover"], rows["shift"]["win"]) == ("60.00", "20.00")


def test_a_report_by_hour_has_the_hours_of_today_as_bars_and_rounds_an_hour(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    for result in ("8", "9", "10"):
        play(made, result)
    with live.client(live.staff_token("shift-manager")) as client:
        query = {"by": "hour", "table": made.name}
        hours = client.get("/api/reports", params=query).raise_for_status().json()["rows"]
    pit(page, live)
    view(page, "Reports")
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    page.get_by_role("combobox", name="By", exact=True).select_option("Hour")
    expect(page.get_by_label("From day")).to_have_value(hours[-1]["day"])
    expect(page.get_by_label("To day")).to_have_value(hours[-1]["day"])
    last = page.get_by_role("row").filter(has=page.get_by_role("cell", name=hours[-1]["hour"], exact=True))
    expect(last.get_by_role("cell").nth(6)).to_have_text(str(hours[-1]["rounds"]))
    page.get_by_role("button", name="Rounds", exact=True).click()
    chart = page.get_by_role("img", name=re.compile("^Rounds: "))
    expect(chart).to_have_accessible_name(re.compile(rf"{hours[-1]['hour']} {hours[-1]['rounds']}$"))
    page.get_by_role("button", name="Rounds an hour", exact=True).click()
    expect(page.get_by_role("img", name=re.compile("^Rounds an hour: "))).to_be_visible()
    picture(page, "pit-report-hours")


def test_days_in_the_wrong_order_are_refused_with_what_would_be_right(
    page: Page, live: LiveServer, table: Tables
) -> None:
    table()
    pit(page, live)
    view(page, "Reports")
    page.get_by_label("From day").fill("2024-05-31")
    page.get_by_label("To day").fill("2024-05-01")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("alert").filter(has_text="2024-05-01 is before 2024-05-31")).to_be_visible()


def test_events_are_found_by_words_code_and_table_and_paged(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table()
    for number in range(60):
        made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason=f"trial {number}"))
    pit(page, live)
    view(page, "Significant events")
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    page.get_by_label("Code").fill("round-voided")
    page.get_by_label("Words").fill("TRIAL 5")
    page.get_by_role("button", name="Search", exact=True).click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(11)  # 5, and 50 to 59
    expect(rows.first).to_contain_text("trial 59")
    expect(rows.first).to_contain_text("5.15")

    page.get_by_role("button", name="Clear", exact=True).click()
    expect(page.get_by_label("Words")).to_have_value("")
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    page.get_by_label("Words").fill("a word that nobody wrote")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("tbody")).to_contain_text("Nothing was found.")

    view(page, "Floor")
    page.get_by_label("Code").fill("round-voided")
    page.keyboard.press("Enter")
    expect(page.locator("tbody tr").first).to_contain_text("trial 59")
    page.get_by_role("button", name="Older").click()
    expect(page.get_by_text("Page 2")).to_be_visible()
    expect(page.locator("tbody tr").first).to_contain_text("trial 19")
    page.get_by_role("button", name="Newer").click()
    expect(page.locator("tbody tr").first).to_contain_text("trial 59")


def test_who_did_it_stands_beside_a_long_event(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    reason = "the ball was touched by somebody who leant over the wheel, " * 8
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason=reason.strip(" ,")))
    pit(page, live)
    view(page, "Significant events")
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    page.get_by_label("Code").fill("round-voided")
    page.get_by_role("button", name="Search", exact=True).click()
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(1)
    for width in (1920, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for column in ("Who", "Second"):
            box = page.get_by_role("columnheader", name=column).bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width


def test_somebody_is_added_signs_in_once_with_the_password_given_and_is_retired(
    page: Page, live: LiveServer, table: Tables, browser: Browser
) -> None:
    table()
    pit(page, live)
    view(page, "Staff")
    page.get_by_role("button", name="Add somebody").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Tan Wei Ling")
    dialog.get_by_role("button", name="Add somebody").click()
    expect(dialog.get_by_role("alert")).to_contain_text("is not a name for the staff")
    dialog.get_by_label("Name").fill("tan.weiling")
    dialog.get_by_role("combobox", name="Position").select_option("pit supervisor")
    dialog.get_by_role("button", name="Add somebody").click()
    given = page.get_by_role("dialog", name="Password of tan.weiling").locator("code").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Close").last.click()
    row = page.get_by_role("row").filter(has_text="tan.weiling")
    expect(row).to_contain_text("one-time password")
    expect(row).to_contain_text("pit supervisor")

    other = browser.new_page()
    other.goto(f"{live.base_url}/pit")
    other.get_by_label("Name", exact=True).fill("tan.weiling")
    other.get_by_label("Password", exact=True).fill(given)
    other.get_by_role("button", name="Sign in").click()
    fresh = other.get_by_label("New password")
    expect(fresh).to_be_focused()
    expect(other.get_by_role("alert")).to_have_text(
        "This password is for the first sign-in only: choose a new one."
    )
    fresh.fill("password")
    other.get_by_role("button", name="Sign in").click()
    fresh.fill("")
    fresh.press_sequentially("a long one of my own")
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("navigation", name="Parts of the pit")).to_be_visible()

    page.get_by_role("button", name="Retire tan.weiling").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("moved to another house")
    page.get_by_role("dialog").get_by_role("button", name="Retire").click()
    expect(row).to_have_count(0)
    page.get_by_label("with former staff").check()
    expect(row).to_contain_text("retired")
    # Whoever is retired is out at once.
    expect(other.get_by_role("button", name="Sign in")).to_be_visible()
    other.close()


def test_a_lock_out_is_seen_and_ended(page: Page, live: LiveServer, table: Tables) -> None:
    table()
    with live.client() as client:
        for _ in range(10):
            client.post("/api/sign-in", json={"name": "dan", "password": "wrong"})
        locked = client.post("/api/sign-in", json={"name": "dan", "password": PASSWORD})
        assert locked.status_code == httpx.codes.TOO_MANY_REQUESTS
    pit(page, live)
    view(page, "Staff")
    row = page.get_by_role("row").filter(has=page.get_by_role("cell", name="dan", exact=True))
    expect(row).to_contain_text("locked out until")
    row.get_by_role("button", name="Unlock").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("it was a stuck key")
    page.get_by_role("dialog").get_by_role("button", name="Unlock").click()
    expect(row).to_contain_text("active")
    with live.client() as client:
        assert (
            client.post("/api/sign-in", json={"name": "dan", "password": PASSWORD}).status_code
            == httpx.codes.OK
        )


def test_a_supervisor_sees_greyed_what_takes_somebody_higher(
    page: Page, live: LiveServer, table: Tables
) -> None:
    table()
    pit(page, live, "max")
    view(page, "Staff")
    expect(page.get_by_role("button", name="Retire dee")).to_be_disabled()
    expect(page.get_by_role("button", name="Add somebody")).to_be_disabled()
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, live, "pit", "sue")
    view(page, "Staff")
    expect(page.get_by_role("alert").filter(has_text="This takes a pit manager")).to_be_visible()


@pytest.mark.parametrize("kind", ["terminal", "display"])
def test_a_device_is_enrolled_with_a_code_and_revoked(
    page: Page, live: LiveServer, table: Tables, kind: str
) -> None:
    made = table()
    pit(page, live, "sue")
    view(page, "Devices")
    page.get_by_role("combobox", name="Kind").select_option(kind)
    page.get_by_role("combobox", name="Table", exact=True).select_option(made.name)
    if kind == "terminal":
        page.get_by_label("Seat").fill("1")
    page.get_by_role("button", name="Make a code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("code")).not_to_be_empty()
    with page.context.expect_page() as opened:
        dialog.get_by_role("link", name="Open that device here").click()
    device = opened.value
    expect(device.get_by_text(made.name).first).to_be_visible()
    assert "code=" not in device.url  # it is used up

    dialog.get_by_role("button", name="Close").last.click()
    row = page.get_by_role("row").filter(has_text=made.name)
    expect(row).to_contain_text("active")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_label("Reason").fill("taken away for repair")
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    # Its screen asks for a new code at once.
    expect(device.get_by_role("alert").first).to_be_visible()
    expect(device.locator("#code")).to_be_visible()
    device.close()
