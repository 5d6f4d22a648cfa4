"""Money of which nobody can say whether it moved: the terminal asks again until it knows."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from croupier.journal import StoreError
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]
Failing = Callable[[int], None]


@pytest.fixture
def failing(live: LiveServer, monkeypatch: pytest.MonkeyPatch) -> Failing:
    """Has the journal write the next batches and say that it could not."""
    store = live.rig.floor.store
    append, left = store.append, [0]

    def written(*batch: object, **more: object) -> object:
        told = append(*batch, **more)  # type: ignore[arg-type]  # whatever the store is given
        if left[0]:
            left[0] -= 1
            raise StoreError("the database is lost")
        return told

    def fail(times: int) -> None:
        left[0] = times

    monkeypatch.setattr(store, "append", written)
    return fail


def test_a_cash_out_that_may_not_have_been_written_gives_its_voucher(
    table: Tables, terminal: Terminals, failing: Failing
) -> None:
    made = table()
    screen = terminal(made)
    screen.open_sheet("Cash out")
    failing(1)
    screen.sheet.get_by_role("button", name="Cash out").click()
    expect(screen.sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    expect(screen.sheet.locator(".ticket")).to_contain_text("1,000.00 SGD")
    assert made.credits_cents("1") == 0


def test_a_buy_in_that_may_not_have_been_written_is_sold_once(
    table: Tables, terminal: Terminals, failing: Failing
) -> None:
    made = table()
    screen = terminal(made)
    sheet = screen.open_sheet("Buy in")
    sheet.get_by_role("button", name="+100", exact=True).click()
    failing(1)
    sheet.get_by_role("button", name="Buy in 100.00").click()
    expect(sheet.get_by_role("status")).to_have_text("100.00 was added to your credits.")
    expect(sheet.get_by_role("button", name=re.compile("^Buy in"))).to_be_disabled()
    assert made.credits_cents("1") == 110_000


def test_a_bet_that_may_not_have_been_written_lies_there_once(
    table: Tables, terminal: Terminals, failing: Failing
) -> None:
    made = table()
    made.do(c.OpenRound())
    screen = terminal(made)
    screen.state("betting")
    failing(1)
    screen.touch("red")
    screen.registered({"red": 500})
    expect(screen.page.get_by_text("Bet not accepted")).to_have_count(0)
