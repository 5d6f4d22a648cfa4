"""Void, correction, interruption, decision, lock-up: each says what becomes of the player's bets."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from browser.browser_rig import BOOKS, SYSTEM, Table
from browser.office_rig import picture
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def bet(screen: TerminalScreen, **stakes: int) -> None:
    """A round with bets of the player, each of one chip of 5.00."""
    screen.table.do(c.OpenRound())
    screen.state("betting")
    bets = {name.replace("__", ":"): cents for name, cents in stakes.items()}
    screen.touch(*bets)
    screen.registered(bets)


def alert(screen: TerminalScreen, title: str) -> Locator:
    """What stands over the table."""
    return screen.page.get_by_role("alert").filter(has=screen.page.get_by_role("heading", name=title))


def settle(table: Table, result: str) -> None:
    table.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))


@pytest.mark.parametrize("book", BOOKS)
def test_a_void_round_gives_every_bet_back_and_says_why(
    table: Tables, terminal: Terminals, book: str
) -> None:
    made = table(book)
    screen = terminal(made)
    stake = {"symbol__10": 500} if "money" in book else {"straight__17": 500}
    bet(screen, **stake)
    expect(screen.figure("Credits")).to_have_text("995.00")
    found = made.book.irregularities.values()
    wrong = next(each for each in found if each.consequence == "void-round" and each.since == "spin")
    made.do(c.CloseBets(), c.StartSpin(), c.DeclareIrregularity(cause=wrong.cause))

    screen.state("void")
    message = alert(screen, "This round is void")
    expect(message).to_contain_text(wrong.title)
    expect(message).to_contain_text("Your 5.00 was returned")
    expect(message).to_contain_text(wrong.clause)
    expect(screen.figure("Credits")).to_have_text("1,000.00")
    last = screen.page.get_by_role("list", name="Last results").get_by_role("img").first
    expect(last).to_have_accessible_name("Void")
    made.do(c.OpenRound())
    screen.state("betting")
    expect(message).to_have_count(0)


@clause("mbs-roulette:6.3")
def test_a_correction_tells_the_player_what_changes(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen, other = terminal(made), terminal(made, "2")
    bet(screen, straight__17=500, red=500)
    settle(made, "17")
    screen.state("ended")
    expect(screen.page.locator(".win strong")).to_have_text("180.00")
    made.do(c.CorrectResult(round=1, result="18", reason="misread"))

    news = alert(screen, "Round 1 was corrected")
    expect(news).to_contain_text("The result is 18 Red, not 17 Black. Reason: misread.")
    expect(news).to_contain_text("170.00 was taken back. In all 10.00 came back.")
    expect(alert(other, "Round 1 was corrected")).to_contain_text("You had no bets in that round.")
    # Layout, banner and money are those of the right result.
    expect(screen.page.locator(".win strong")).to_have_text("10.00")
    expect(screen.page.get_by_role("img", name="Wheel, 18 Red")).to_be_visible()
    expect(screen.figure("Credits")).to_have_text(f"{made.credits_cents('1') / 100:,.2f}")

    # It stays until it is read, whatever happens to the page.
    screen.reload()
    expect(news).to_contain_text("170.00 was taken back.")
    screen.button("Understood").click()
    expect(news).to_have_count(0)
    screen.reload()
    screen.state("ended")
    expect(news).to_have_count(0)


def test_a_correction_that_moves_no_credits_says_so(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500)
    settle(made, "17")
    screen.state("ended")
    made.do(c.OpenRound())
    made.bet("1", red=made.credits_cents("1"))
    settle(made, "20")
    made.do(c.CorrectResult(round=1, result="18", reason="misread"))
    news = alert(screen, "Round 1 was corrected")
    expect(news).to_contain_text("Your credits stay as they are. In all 0.00 came back. 180.00 is still owed")
    written_off = c.SettleCarried(round=1, seat="1", how="written-off", cents=18_000, reason="a goodwill")
    made.do(written_off, c.CorrectResult(round=1, result="17", reason="the camera"))
    expect(news.filter(has_text="the camera")).to_contain_text(
        "Your credits stay as they are. In all 180.00 came back. "
        "180.00 of it was yours already: the house had written it off."
    )
    expect(screen.figure("Credits")).to_have_text("0.00")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1920, 1080), (390, 844)])
def test_money_of_a_correction_that_is_collected_by_hand_is_told_at_once(
    table: Tables, terminal: Terminals, width: int, height: int
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500)
    settle(made, "17")
    screen.state("ended")
    made.do(c.OpenRound())
    made.bet("1", red=made.credits_cents("1"))
    settle(made, "20")
    made.do(c.CorrectResult(round=1, result="18", reason="misread"))
    alert(screen, "Round 1 was corrected").get_by_role("button", name="Understood").click()
    made.do(c.SettleCarried(round=1, seat="1", how="collected", cents=18_000, reason="receipt 8"))
    screen.page.set_viewport_size({"width": width, "height": height})
    news = alert(screen, "What was owed from round 1 is paid")
    expect(news).to_contain_text("An attendant has taken 180.00 in cash for it.")
    expect(news).not_to_contain_text("receipt")
    picture(screen.page, f"terminal-by-hand-{width}")


def test_a_correction_of_an_earlier_round_leaves_the_running_one_alone(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, black=500)
    settle(made, "18")
    bet(screen, straight__17=500)
    made.do(c.CorrectResult(round=1, result="17", reason="misread"))
    expect(alert(screen, "Round 1 was corrected")).to_contain_text(
        "You get 10.00 more. In all 10.00 came back."
    )
    screen.state("betting")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text("Place your bets, please")
    screen.touch("red")
    screen.registered({"straight:17": 500, "red": 500})


def test_who_has_bought_again_is_told_that_a_correction_is_paid_by_hand(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    made.bet("1", red=100_000)
    settle(made, "17")
    made.do(c.BuyCredits(seat="1", cents=5_000))
    made.do(c.CorrectResult(round=1, result="18", reason="misread"))

    by_hand = "2,000.00 of this is not among your credits: it is paid to you by hand. Call an attendant."
    expect(alert(screen, "Round 1 was corrected")).to_contain_text(f"In all 2,000.00 came back. {by_hand}")
    expect(screen.figure("Credits")).to_have_text("50.00")
    screen.button("Understood").click()
    history = screen.open_sheet("History")
    expect(history.get_by_role("row", name="Red")).to_contain_text("2,000.00")
    expect(history).to_contain_text(by_hand)


def test_the_history_has_the_credits_behind_a_correction_beside_those_of_the_end(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, red=500)
    settle(made, "18")
    bet(screen, black=500)
    made.do(c.CorrectResult(round=1, result="17", reason="misread"))
    screen.button("Understood").click()
    settle(made, "17")
    screen.state("ended")

    money = screen.open_sheet("History").locator(".money")
    expect(money).to_have_count(2)
    expect(money.nth(0)).to_have_text(re.compile("before.*1,005.00.*round 1.*990.00.*after.*1,000.00"))
    expect(money.nth(1)).to_have_text(re.compile("before.*1,000.00.*after.*1,005.00.*round 1.*990.00"))


def test_an_interruption_while_the_ball_rolls_waits_for_the_outcome(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500)
    made.do(c.CloseBets(), c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=made.live.rig.floor.clock.now_ms() - 90_000))
    screen.state("interrupted")
    message = alert(screen, "Play is interrupted")
    expect(message).to_contain_text("Staff state which outcome stands on the wheel.")
    expect(message).to_contain_text("Your registered 5.00 stands")
    expect(alert(screen, "Play was interrupted")).to_contain_text(
        "until staff have stated the outcome on the wheel"
    )
    screen.button("Understood").click()

    made.do(c.StateOutcome(result="17"))
    screen.state("ended")
    expect(screen.page.locator(".win strong")).to_have_text("180.00")


def test_an_interruption_while_bets_are_open_voids_the_round(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500)
    made.machine(SYSTEM, c.Interrupt(began_ms=made.live.rig.floor.clock.now_ms() - 3_600_000))
    screen.state("void")
    expect(alert(screen, "This round is void")).to_contain_text("Your 5.00 was returned")
    expect(alert(screen, "Play was interrupted")).to_contain_text(
        "The round is void, and your bets of it were"
    )


def test_a_halted_table_takes_no_bet_and_says_that_bets_stand(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500)
    made.machine(SYSTEM, c.HaltTable(reason="a test"))
    screen.state("interrupted")
    expect(alert(screen, "Play is interrupted")).to_contain_text("Your registered 5.00 stands")
    expect(screen.button("Chip 5")).to_be_disabled()
    made.do(c.ResumeTable(reason="looked"))
    screen.state("betting")
    screen.registered({"straight:17": 500})


def test_a_decision_of_the_shift_manager_gives_bets_back(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    bet(screen, straight__17=500, red=500)
    made.do(c.CloseBets())
    returned = (c.NamedBet(seat="1", bet="red"),)
    made.do(c.Decide(ruling="return-bets", reason="The chip had slipped", round=1, bets=returned))
    news = alert(screen, "Decision on round 1")
    expect(news).to_contain_text("The chip had slipped")
    expect(news).to_contain_text("Your 5.00 was returned")
    expect(screen.figure("Stake")).to_have_text("5.00")
    assert screen.stakes == {"straight:17": 500}


def test_a_large_win_locks_the_screen_until_an_attendant_has_come(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette", lock_up_cents=10_000)
    screen = terminal(made)
    bet(screen, straight__17=500)
    screen.open_sheet("Rules")
    settle(made, "17")
    screen.state("locked")
    message = alert(screen, "This seat is locked")
    expect(message).to_contain_text("A win of this size is confirmed by an attendant")
    expect(message).to_contain_text("1,175.00 SGD")
    # Nothing stands above it, and nothing below it can be reached.
    expect(screen.sheet).to_have_count(0)
    expect(screen.page.locator(".app")).to_have_attribute("inert", "")
    made.do(c.OpenRound())
    screen.page.keyboard.press("Tab")
    assert screen.page.evaluate("!document.querySelector('.app').contains(document.activeElement)")
    expect(message).to_be_visible()

    made.do(c.ClearLockUp(seat="1"))
    screen.state("betting")
    screen.touch("red")
    screen.registered({"red": 500})


def test_a_closed_table_says_so_and_pays_out(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.AnnounceLastRound())
    expect(alert(screen, "The table closes soon")).to_be_visible()
    screen.button("Understood").click()
    bet(screen, red=500)
    settle(made, "17")
    made.do(c.CloseTable())
    screen.state("shut")
    message = alert(screen, "This table is closed")
    message.get_by_role("button", name="Cash out").click()
    expect(screen.sheet).to_contain_text("995.00")


@clause("rws-money-wheel:5.1")
def test_what_the_dealer_rejects_from_a_full_box_is_told(table: Tables, terminal: Terminals) -> None:
    limits = wide_limits(Rules(load_book("rws-money-wheel"), None), maximum_cents=1_000)
    made = table("rws-money-wheel", limits=limits)
    screen = terminal(made)
    bet(screen, symbol__10=500)
    made.do(c.PlaceBets(seat="2", stakes=(c.Stake("symbol:10", 500),)))
    screen.touch("symbol:10")
    screen.registered({"symbol:10": 1000})
    made.do(c.RejectExcess(bet="symbol:10"))
    news = alert(screen, "Part of a bet was rejected")
    expect(news).to_contain_text("Your 5.00 was returned")
    screen.registered({"symbol:10": 500})
