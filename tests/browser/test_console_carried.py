"""What a correction left open is ended at the console, by two people."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.table import commands as c

Tables = Callable[..., Table]


def test_what_a_correction_left_open_is_ended_from_the_recall_of_its_round(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette", seats=3)
    made.live.play(made.name, {"1": {"straight:20": 1000}, "2": {"straight:17": 1000}}, "17")
    for seat in ("1", "2"):
        made.do(c.CashOut(seat=seat, voucher=f"00000000000000001{seat}"))
    made.do(c.CorrectResult(round=1, result="20", reason="The ball lies in 20."))
    made.live.play(made.name, {}, "3")
    console.open(made)
    console.press("r", "[")
    dialog = console.page.get_by_role("dialog")
    left_open = dialog.get_by_role("region", name="Left open by a correction")
    expect(left_open).to_contain_text("Seat 1 360.00 unclaimed")
    expect(left_open).to_contain_text("Seat 2 360.00 missing")
    left_open.get_by_role("button", name="Pay by hand").click()
    left_open.get_by_label("Reason").press_sequentially("receipt [8]")
    console.picture("console-carried")
    left_open.get_by_role("button", name="Seat 1: 360.00 paid by hand").click()

    expect(dialog).to_contain_text("Round 1 · Seat 1 · 360.00 paid by hand · receipt [8]")
    console.picture("console-carried-second")
    console.seconded("max")
    dialog.get_by_role("button", name="Authorise").click()

    expect(dialog).to_have_count(0)
    assert made.state.kept[1].seats["1"].carried_cents == 0
    assert made.state.balances["unclaimed"] == 0
    console.press("r", "[")
    expect(left_open).to_contain_text("Seat 2 360.00 missing")
    expect(left_open).not_to_contain_text("Seat 1")
    expect(dialog).to_contain_text("Seat 1: 360.00 of round 1 paid by hand")


def test_what_was_corrected_while_another_round_ran_is_left_open_in_its_own(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table("mbs-roulette", seats=3)
    made.live.play(made.name, {"2": {"straight:17": 1000}}, "17")
    made.do(c.OpenRound())
    made.bet("2", straight__5=20_000)
    while made.credits_cents("2") > 500:
        spot = f"straight__{6 + made.credits_cents('2') % 29}"
        made.bet("2", **{spot: min(20_000, made.credits_cents("2") - 500)})
    made.do(c.CorrectResult(round=1, result="18", reason="The ball lies in 18."), c.CloseBets())
    made.do(c.StartSpin(), c.EnterResult(result="0"), c.ConfirmResult(result="0"))
    console.open(made)
    console.press("r")
    dialog = console.page.get_by_role("dialog", name="Round 2")
    expect(dialog).to_contain_text("Seat 2 settled again")
    left_open = console.page.get_by_role("region", name="Left open by a correction")
    expect(left_open).to_have_count(0)
    console.press("[")
    expect(left_open).to_contain_text("Seat 2 355.00 missing")
