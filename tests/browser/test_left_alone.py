"""A screen of the staff that is left alone: it goes on asking for news, and signs out whoever has left."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.office_rig import pit, sign_in
from croupier.floor import ManualClock
from server.server_rig import LiveServer
from table.rig import START_MS

MINUTE_MS = 60_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START_MS)


@pytest.fixture
def live(tmp_path: Path, screens: Path, clock: ManualClock) -> Iterator[LiveServer]:
    """A floor on a clock that is moved by hand."""
    tables = {"R1": "mbs-roulette"}
    with LiveServer(tmp_path, tables=tables, clock=clock, app_options={"screens": screens}) as server:
        yield server


def pass_time(live: LiveServer, clock: ManualClock, minutes: int) -> None:
    """Time goes by for the house."""

    async def advance() -> None:
        clock.advance(minutes * MINUTE_MS)

    live.run(advance)


def be_away(page: Page, live: LiveServer, clock: ManualClock, address: str, minutes: int) -> None:
    """Time goes by for the house; every five minutes the screen asks for news by itself."""
    for _ in range(minutes // 5):
        pass_time(live, clock, 5)
        with page.expect_response(lambda answer: address in answer.url):
            page.clock.fast_forward(MINUTE_MS)


def test_a_window_of_the_cage_that_is_left_alone_signs_out(
    page: Page, live: LiveServer, clock: ManualClock
) -> None:
    page.clock.install()
    sign_in(page, live, "cage", "cash")
    expect(page.get_by_role("heading", name="Find a voucher")).to_be_visible()
    be_away(page, live, clock, "/api/vouchers", 20)
    # Whoever is there stays.
    page.keyboard.press("?")
    be_away(page, live, clock, "/api/vouchers", 20)
    expect(page.get_by_role("heading", name="Find a voucher")).to_be_visible()

    pass_time(live, clock, 16)
    page.clock.fast_forward(MINUTE_MS)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('croupier.session')") is None


def test_a_pit_that_is_left_alone_signs_out(page: Page, live: LiveServer, clock: ManualClock) -> None:
    page.clock.install()
    pit(page, live)
    be_away(page, live, clock, "/api/reports", 25)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()

    pass_time(live, clock, 6)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
