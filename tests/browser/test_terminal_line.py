"""Bets on their way, bets that come too late, lines that break, pages that are loaded again."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalLine, TerminalScreen
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def betting(
    table: Tables, terminal: Terminals, **settings: object
) -> tuple[Table, TerminalScreen, TerminalLine]:
    made = table("mbs-roulette", **settings)
    screen = terminal(made, line=True)
    assert screen.line is not None
    made.do(c.OpenRound())
    screen.state("betting")
    return made, screen, screen.line


def refusal(screen: TerminalScreen, sentence: str) -> None:
    """The card that says why a bet was not taken."""
    expect(screen.page.get_by_role("alert").filter(has_text="Bet not accepted")).to_contain_text(sentence)


def test_a_bet_shows_that_it_is_on_its_way_and_then_registered(table: Tables, terminal: Terminals) -> None:
    _, screen, line = betting(table, terminal)
    line.hold()
    screen.touch("straight:17")
    expect(screen.stack("straight:17").locator(".pending")).to_be_visible()
    expect(screen.page.locator(".dock .sent")).to_contain_text("5 on its way")
    expect(screen.figure("Credits")).to_have_text("995.00")
    expect(screen.stack("straight:17").locator(".way")).to_be_visible()
    assert screen.stakes == {}

    line.let_go()
    screen.registered({"straight:17": 500})
    expect(screen.stack("straight:17").locator(".pending")).to_have_count(0)
    expect(screen.page.locator(".way")).to_have_count(0)


@clause("mbs-roulette:5.12")
def test_a_bet_that_comes_too_late_goes_back_and_says_why(table: Tables, terminal: Terminals) -> None:
    made, screen, line = betting(table, terminal)
    screen.touch("red")
    screen.registered({"red": 500})
    line.hold()
    screen.touch("straight:17")
    made.do(c.CloseBets())
    screen.state("closed")
    line.let_go()

    refusal(screen, "No more bets: bets are closed for this round.")
    expect(screen.stack("straight:17")).to_have_count(0)
    expect(screen.figure("Credits")).to_have_text("995.00")
    assert screen.stakes == {"red": 500}


@clause("mbs-roulette:5.12")
def test_a_bet_that_is_held_up_is_not_placed_in_the_next_round(table: Tables, terminal: Terminals) -> None:
    made, screen, line = betting(table, terminal)
    line.hold()
    screen.touch("straight:17")
    made.do(c.CallNoSpin(reason="The ball left the wheel"))
    screen.state("void")
    made.do(c.OpenRound())
    screen.state("betting")
    line.let_go()

    refusal(screen, "This was meant for round 1, and the table is at round 2.")
    expect(screen.stack("straight:17")).to_have_count(0)
    expect(screen.figure("Credits")).to_have_text("1,000.00")
    assert screen.stakes == {}
    screen.touch("red")
    screen.registered({"red": 500})


def test_a_bet_that_the_table_refuses_goes_back_where_it_was(table: Tables, terminal: Terminals) -> None:
    rules = Rules(load_book("mbs-roulette"), None)
    limits = wide_limits(rules, exposure_cents=10_000)
    _, screen, _ = betting(table, terminal, limits=limits)
    screen.touch("straight:17")
    refusal(screen, "100.00")
    expect(screen.stack("straight:17")).to_have_count(0)
    expect(screen.figure("Credits")).to_have_text("1,000.00")
    assert screen.stakes == {}


def test_a_bet_above_its_limit_is_not_even_sent(table: Tables, terminal: Terminals) -> None:
    limits = wide_limits(Rules(load_book("mbs-roulette"), None), maximum_cents=1_000)
    made, screen, _ = betting(table, terminal, limits=limits)
    screen.touch("straight:17", "straight:17", "straight:17")
    refusal(screen, "Straight Up 17 takes at most 10.00. It would be 15.00. Nothing was placed.")
    screen.registered({"straight:17": 1000})
    assert made.state.round.total_cents == 1000


def test_without_a_line_the_screen_says_so_and_takes_no_bet(table: Tables, terminal: Terminals) -> None:
    made, screen, line = betting(table, terminal)
    screen.touch("straight:17")
    screen.registered({"straight:17": 500})
    line.cut()
    screen.state("disconnected")
    message = screen.page.get_by_role("alert").filter(has_text="No connection to the table")
    expect(message).to_contain_text("Your registered bets of 5.00 stand")
    expect(screen.page.get_by_text("Offline")).to_be_visible()
    expect(screen.button("Chip 5")).to_be_disabled()
    expect(screen.button("Buy in")).to_be_disabled()
    # By keyboard the felt is still there; it takes nothing either.
    screen.spot("red").dispatch_event("keydown", {"key": "Enter"})

    # The round goes on meanwhile, and the screen is where the table is when the line is back.
    made.do(c.PlaceBets(seat="2", stakes=(c.Stake("red", 500),)))
    line.mend()
    screen.state("betting")
    screen.registered({"straight:17": 500})
    screen.touch("red")
    screen.registered({"straight:17": 500, "red": 500})

    line.cut()
    screen.state("disconnected")
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    line.mend()
    screen.state("ended")
    expect(screen.page.locator(".win strong")).to_have_text("180.00")


def test_a_bet_that_was_on_its_way_is_neither_lost_nor_doubled(table: Tables, terminal: Terminals) -> None:
    _, screen, line = betting(table, terminal)
    line.hold()
    screen.touch("straight:17")
    expect(screen.page.locator(".dock .sent")).to_contain_text("5 on its way")
    line.cut()
    screen.state("disconnected")
    line.let_go()
    line.mend()
    screen.state("betting")
    screen.registered({"straight:17": 500})


@pytest.mark.parametrize(
    "moment", ["betting", "closed", "spinning", "ended", "void", "locked", "interrupted"]
)
def test_a_reload_shows_exactly_what_was_there(table: Tables, terminal: Terminals, moment: str) -> None:
    made = table("mbs-roulette", lock_up_cents=10_000 if moment == "locked" else 10_000_000)
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("straight:17", "red", "corner:25/26/28/29")
    screen.registered({"straight:17": 500, "red": 500, "corner:25/26/28/29": 500})
    screen.choose(1000)
    if moment != "betting":
        made.do(c.CloseBets())
    if moment not in ("betting", "closed"):
        made.do(c.StartSpin())
    if moment in ("ended", "locked"):
        made.do(c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    if moment == "void":
        made.do(c.CallNoSpin(reason="The ball left the wheel"))
    if moment == "interrupted":
        runner = made.live.rig.floor.tables[made.name].runner
        began_ms = made.live.rig.floor.clock.now_ms() - 90_000
        made.live.run(lambda: runner.submit_as_system(c.Interrupt(began_ms=began_ms)))
    screen.state(moment)
    if moment == "interrupted":
        screen.button("Understood").click()
    screen.page.mouse.move(1, 1)
    before = settled_look(screen)
    screen.page.reload()
    screen.state(moment)
    expect(screen.page.locator("[data-stack]")).to_have_count(0 if moment in ("void", "locked") else 3)
    assert settled_look(screen) == before
    if moment == "betting":
        # The player's hand is as it was too: the chip, and what can be undone.
        expect(screen.button("Chip 10")).to_have_attribute("aria-pressed", "true")
        screen.button("Undo").click()
        screen.registered({"straight:17": 500, "red": 500})


def settled_look(screen: TerminalScreen) -> list[str]:
    """What the screen shows once it shows the same twice: the page may still be asking for the last round."""
    look = screen.looks()
    for _ in range(50):
        screen.page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => done(true)))")
        again = screen.looks()
        if again == look and not re.search(r"^\s*$", look[1]):
            break
        look = again
    return look
