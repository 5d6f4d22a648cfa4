"""The console of the Money Wheel: bets under the minimum, advised and rejected, and the table's maximum."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]
BOOK = "rws-money-wheel"
SIZES = pytest.mark.parametrize("size", [(1920, 1080), (1280, 800)])


def betting(
    console: ConsoleScreen, table: Tables, size: tuple[int, int], table_cents: int | None = None
) -> Table:
    """A console with open bets; a box takes from 10 to 100."""
    console.page.set_viewport_size({"width": size[0], "height": size[1]})
    limits = wide_limits(Rules(load_book(BOOK)), 1000, 10_000, table_cents=table_cents)
    made = table(BOOK, limits=limits)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    return made


@clause("rws-money-wheel:5.2")
@SIZES
def test_a_small_bet_is_advised_and_then_rejected_by_keys(
    console: ConsoleScreen, table: Tables, size: tuple[int, int]
) -> None:
    made = betting(console, table, size)
    made.bet("1", symbol__10=5000)
    made.bet("2", symbol__10=400, symbol__3=300)
    limits, cell = console.panel("Outside the limits"), console.page.locator('[data-place="2 symbol:10"]')
    expect(limits).to_contain_text("under 10")
    expect(cell).to_contain_text("under")
    console.picture(f"money-under-{size[0]}")

    cell.click()
    console.press("m")
    expect(cell).to_contain_text("advised")
    expect(limits).to_contain_text("Advised and still under it")
    console.picture(f"money-advised-{size[0]}")
    console.press("j")
    expect(limits).not_to_contain_text("Advised and still under it")
    assert dict(made.state.seats["2"].stakes) == {"symbol:3": 300}
    assert dict(made.state.seats["1"].stakes) == {"symbol:10": 5000}


@clause("rws-money-wheel:5.2")
@SIZES
def test_a_small_bet_is_advised_and_rejected_with_one_touch_each(
    console: ConsoleScreen, table: Tables, size: tuple[int, int]
) -> None:
    made = betting(console, table, size)
    made.bet("1", symbol__3=500)
    limits = console.panel("Outside the limits")

    limits.get_by_role("button", name="Advise").click()
    limits.get_by_role("button", name="Reject").click()

    expect(limits).to_contain_text("All bets are within the limits.")
    assert dict(made.state.seats["1"].stakes) == {}


@clause("rws-money-wheel:5.1")
@SIZES
def test_the_table_over_its_limit_is_marked_and_rejected_like_a_box(
    console: ConsoleScreen, table: Tables, size: tuple[int, int]
) -> None:
    made = betting(console, table, size, table_cents=15_000)
    made.bet("1", symbol__10=9000)
    made.bet("2", symbol__3=8000)
    limits = console.panel("Outside the limits")
    expect(limits).to_contain_text("The whole table")
    expect(limits).to_contain_text("170 of 150")
    expect(limits).to_contain_text("Place 2 · SGD 3")
    expect(console.page.locator('[data-place="2 symbol:3"]')).to_contain_text("latest")
    expect(console.panel("Stakes by place and box")).to_contain_text("20 over")
    console.picture(f"money-table-over-{size[0]}")

    console.press("x")

    expect(limits).to_contain_text("All bets are within the limits.")
    assert dict(made.state.seats["2"].stakes) == {"symbol:3": 6000}


@clause("rws-money-wheel:5.1")
@SIZES
def test_an_excess_of_the_table_that_was_left_says_how_it_counts(
    console: ConsoleScreen, table: Tables, size: tuple[int, int]
) -> None:
    made = betting(console, table, size, table_cents=15_000)
    made.bet("1", symbol__10=12_000, symbol__5=400)
    made.bet("2", symbol__3=8000)
    made.do(c.AdviseMinimum(seat="1", bet="symbol:5"))
    console.picture(f"money-all-{size[0]}")
    made.do(c.CloseBets())
    console.phase("closed")
    if size[0] < 1500:
        console.page.get_by_role("tab", name="Notices").click()
    notices = console.panel("Notices")
    expect(notices).to_contain_text("every bet counts as in its box")
    expect(notices).to_contain_text("table-excess")
    console.picture(f"money-closed-over-{size[0]}")
    for step in (c.StartSpin(), c.EnterResult(result="3"), c.ConfirmResult(result="3")):
        made.do(step)
    if size[0] < 1500:
        console.page.get_by_role("tab", name="Log").click()
    expect(console.panel("Round log")).to_contain_text("the table was over its limit")
