"""What a correction does to each seat is shown before it is signed, and what a round came to after it."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import ConsoleScreen, Table
from croupier.table import commands as c

Tables = Callable[..., Table]


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
