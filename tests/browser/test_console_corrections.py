"""What a correction does to each seat is shown before it is signed, and what a round came to after it."""

from collections.abc import Callable
from itertools import count

import pytest
from playwright.sync_api import Locator, expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.table import commands as c

Tables = Callable[..., Table]
VOUCHERS = count(505)
LOSES = "\N{MINUS SIGN}360.00"
NO_MORE_TIMERS = (
    "for (let id = setTimeout(() => 0); id > 0; id--) clearTimeout(id); window.setTimeout = () => 1"
)
"""Nor does one go off that was set before."""
SIZES = ((1920, 1080), (1280, 800), (390, 800))


def settled(table: Tables, result: str = "17", seats: int = 2) -> Table:
    """A table where seat 1 had 10.00 of 1,000.00 on 17 in its only round."""
    made = table("mbs-roulette", seats=seats)
    made.do(c.OpenRound())
    made.bet("1", straight__17=1000)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))
    return made


def correcting(console: ConsoleScreen, result: str = "20") -> Locator:
    """The dialog of a correction, with another number chosen."""
    console.press("x", *result, "Enter")
    dialog = console.page.get_by_role("dialog")
    expect(dialog.locator(".house")).to_be_visible()
    return dialog


def reads(dialog: Locator, *cells: str) -> None:
    """Expects this of seat 1: paid, due, difference, credits, shortfall, perhaps what is owed."""
    expect(dialog.locator("tbody tr:first-child td")).to_have_text(["1", *cells])


def leave(made: Table) -> None:
    """Somebody else takes seat 1 with 50.00."""
    made.do(c.CashOut(seat="1", voucher=f"{next(VOUCHERS):018}"), c.BuyCredits(seat="1", cents=5000))


def sign(console: ConsoleScreen, dialog: Locator, result: str = "20") -> None:
    """The second person signs."""
    console.seconded("max")
    dialog.get_by_role("button", name=f"Correct to {result}").click()


def carried(made: Table) -> int:
    return made.state.kept[1].seats["1"].carried_cents


def test_credits_that_are_spent_meanwhile_are_a_shortfall_in_sight(
    console: ConsoleScreen, table: Tables
) -> None:
    made = settled(table)
    console.open(made)
    dialog = correcting(console)
    reads(dialog, "360.00", "0.00", LOSES, "990.00", "none")
    made.do(c.OpenRound())
    made.bet("1", red=made.credits_cents("1") - 1000)
    reads(dialog, "360.00", "0.00", LOSES, "0.00", "350.00")
    expect(dialog).to_contain_text("Credits of seat 1 do not suffice.")
    sign(console, dialog)
    expect(dialog).to_have_count(0)
    assert (made.credits_cents("1"), carried(made)) == (0, -35_000)


def test_what_was_written_off_before_is_named_and_was_not_won(console: ConsoleScreen, table: Tables) -> None:
    made = settled(table)
    leave(made)
    made.do(c.CorrectResult(round=1, result="20", reason="camera"))
    made.do(c.SettleCarried(round=1, seat="1", how="written-off", cents=36_000, reason="a goodwill"))
    console.open(made)
    dialog = correcting(console, "17")
    expect(dialog.locator("thead th").last).to_have_text("Written off before")
    reads(dialog, "0.00", "360.00", "+360.00", "50.00", "none", "360.00")
    expect(dialog.locator(".house")).to_have_text(
        "House before \N{MINUS SIGN}350.00after \N{MINUS SIGN}350.00change 0.00"
    )
    console.picture("console-correct-written-off")
    sign(console, dialog, "17")
    expect(dialog).to_have_count(0)
    assert (made.credits_cents("1"), carried(made)) == (5000, 0)


@pytest.mark.parametrize(
    ("was", "to", "cells", "short"),
    [
        ("17", "20", ("360.00", "0.00", LOSES, "50.00", "360.00"), -36_000),
        ("20", "17", ("0.00", "360.00", "+360.00", "50.00", "none", "360.00"), 36_000),
    ],
    ids=["taken back", "owed"],
)
def test_whoever_plays_after_a_player_who_has_left_keeps_the_credits(
    console: ConsoleScreen, table: Tables, was: str, to: str, cells: tuple[str, ...], short: int
) -> None:
    made = settled(table, was)
    leave(made)
    console.open(made)
    dialog = correcting(console, to)
    reads(dialog, *cells)
    expect(dialog).to_contain_text("Seat 1: the player who had the bets has left.")
    expect(dialog).not_to_contain_text("do not suffice")
    for width, height in SIZES:
        console.page.set_viewport_size({"width": width, "height": height})
        assert dialog.evaluate("part => part.scrollWidth <= part.clientWidth")
        console.picture(f"console-correct-left-{to}-{width}")
    console.page.set_viewport_size({"width": 1280, "height": 800})
    sign(console, dialog, to)
    expect(dialog).to_have_count(0)
    assert (made.credits_cents("1"), carried(made)) == (5000, short)


def test_what_went_back_of_a_void_round_counts_bets_that_were_given_back_before(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette")
    made.do(c.OpenRound())
    made.bet("1", red=10_000, even=5000, odd=2000)
    made.do(c.Decide(ruling="return-bets", reason="late", round=1, bets=(c.NamedBet("1", "red"),)))
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="1"), c.ConfirmResult(result="1"))
    console.open(made)
    over = console.panel("The round is over")
    expect(over).to_contain_text("Staked 70.00")
    expect(over).to_contain_text("Paid 40.00")
    # Bets of a settled round go back: its result stays, and what it paid does not.
    made.do(c.Decide(ruling="return-bets", reason="late", round=1, bets=(c.NamedBet("1", "even"),)))
    expect(over).to_contain_text("Paid 90.00")
    made.do(c.Decide(ruling="void", reason="disturbed", round=1))
    expect(over).to_contain_text("Round 1 is void")
    expect(over).to_contain_text("Went back 170.00")
    assert made.credits_cents("1") == 100_000


def test_what_is_signed_is_what_was_seen(console: ConsoleScreen, table: Tables) -> None:
    made = settled(table)
    console.open(made)
    dialog = correcting(console)
    reads(dialog, "360.00", "0.00", LOSES, "990.00", "none")
    # The page does not ask again by itself, as where the hand is quicker.
    console.page.evaluate(NO_MORE_TIMERS)
    leave(made)
    sign(console, dialog)
    expect(dialog.get_by_role("alert")).to_contain_text("The effect on the seats has changed meanwhile.")
    reads(dialog, "360.00", "0.00", LOSES, "50.00", "360.00")
    assert made.state.kept[1].result == "17"
    dialog.get_by_role("button", name="Correct to 20").click()
    expect(dialog).to_have_count(0)
    assert (made.credits_cents("1"), carried(made)) == (5000, -36_000)


def test_a_round_that_somebody_else_has_voided_meanwhile_cannot_be_signed(
    console: ConsoleScreen, table: Tables
) -> None:
    made = settled(table)
    console.open(made)
    dialog = correcting(console)
    console.seconded("max")
    correct = dialog.get_by_role("button", name="Correct to 20")
    expect(correct).to_be_enabled()
    made.do(c.Decide(ruling="void", reason="disturbed", round=1))
    expect(dialog).to_contain_text("The effect could not be worked out. Round 1 is void")
    expect(correct).to_be_disabled()
    console.page.get_by_role("button", name="Language").evaluate("button => button.click()")
    expect(dialog).to_contain_text("无法算出此更正的影响。 第 1 局已作废")
