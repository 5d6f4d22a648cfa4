"""How the next action of a console is pressed: once for a double tap, by Enter where it has the focus."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.table import commands as c

Tables = Callable[..., Table]


def twice(console: ConsoleScreen, how: str) -> None:
    """A double tap on the next action, past all waiting: with a key, or with the mouse."""
    if how == "key":
        console.page.keyboard.press("Space")
        console.page.wait_for_timeout(120)
        console.page.keyboard.press("Space")
        return
    box = console.next.bounding_box()
    assert box is not None
    where = box["x"] + 40, box["y"] + 40
    console.page.mouse.click(*where)
    console.page.wait_for_timeout(120)
    console.page.mouse.click(*where)


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_a_double_tap_opens_a_round_and_leaves_it_open(
    console: ConsoleScreen, table: Tables, how: str
) -> None:
    made = table()
    console.open(made)
    twice(console, how)
    console.phase("betting")
    console.rested()
    console.phase("betting")
    assert made.state.round.phase == "betting"
    console.press("Space")
    console.phase("closed")


@pytest.mark.parametrize("how", ["key", "mouse"])
def test_a_double_tap_confirms_and_opens_no_round(console: ConsoleScreen, table: Tables, how: str) -> None:
    made = table()
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"))
    console.phase("resulted")
    console.rested()
    twice(console, how)
    console.phase("idle")
    console.rested()
    console.phase("idle")
    assert made.state.round is None


def test_enter_presses_the_next_action_where_it_has_the_focus(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    console.open(made)
    console.press("Enter")
    console.phase("idle")
    console.next.focus()
    console.press("Enter")
    console.phase("betting")
    assert made.state.round_number == 1


def test_enter_that_voids_a_round_is_no_enter_for_the_next_action(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table()
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    console.page.locator(".halt").click()
    expect(console.next).to_be_focused()
    console.press("Enter")
    console.phase("idle")
    console.rested()
    console.press("Enter")
    console.page.wait_for_timeout(100)
    assert made.state.round is None


def test_enter_that_is_held_on_undo_takes_one_stake_back(console: ConsoleScreen, table: Tables) -> None:
    made = table("rws-money-wheel")
    console.open(made)
    console.press("Space")
    console.phase("betting")
    console.page.locator('[data-place="1 symbol:5"]').click()
    console.press("9", "0", "Enter", "5", "Enter")
    expect(console.page.get_by_role("button", name="Place 1, SGD 5: 95")).to_be_visible()
    console.page.get_by_role("button", name="Undo").focus()
    for _ in range(4):
        console.page.keyboard.down("Enter")
    console.page.keyboard.up("Enter")
    expect(console.page.get_by_role("button", name="Place 1, SGD 5: 90")).to_be_visible()
    console.page.wait_for_timeout(200)
    assert dict(made.state.seats["1"].stakes) == {"symbol:5": 9000}
    expect(console.panel("Notices")).to_contain_text("Nothing to look at")
