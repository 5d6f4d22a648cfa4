"""What players see when play stops during a spin: bets are closed, and they stand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import SYSTEM, Table
from browser.office_rig import picture
from browser.terminal_rig import TerminalScreen
from browser.test_display_board import display
from clauses import clause
from croupier.table import commands as c
from server.server_rig import LiveServer

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


def rolling(table: Tables) -> Table:
    """Bets are open while the ball rolls, as the rules of this game allow; seat 1 has 5.00 on red."""
    made = table("rws-roulette-00")
    made.do(c.OpenRound())
    made.bet("1", red=500)
    made.do(c.StartSpin())
    return made


@clause("rws-roulette-00:3.5", "rws-roulette-00:5.1")
@pytest.mark.parametrize("stop", ["halt", "interruption"])
def test_a_terminal_says_that_bets_are_closed(table: Tables, terminal: Terminals, stop: str) -> None:
    made = rolling(table)
    screen = terminal(made)
    screen.state("betting")
    do = (
        c.HaltTable(reason="the motor")
        if stop == "halt"
        else c.Interrupt(began_ms=made.live.rig.floor.clock.now_ms() - 8000)
    )
    made.machine(SYSTEM, do)
    screen.state("interrupted")
    message = screen.page.get_by_role("alert").filter(has_text="Play is interrupted")
    says = (
        "Bets are closed. They stand until staff resume play"
        if stop == "halt"
        else "Staff state which outcome"
    )
    expect(message).to_contain_text(says)
    expect(message).to_contain_text("Your registered 5.00 stands")
    picture(screen.page, f"stopped-terminal-{stop}")


@clause("rws-roulette-00:3.5", "rws-roulette-00:5.1")
def test_a_display_says_that_bets_are_closed(page: Page, live: LiveServer, table: Tables) -> None:
    made = rolling(table)
    board = display(page, live, made)
    bar = board.locator("h1")
    made.machine(SYSTEM, c.HaltTable(reason="the motor"))
    expect(bar).to_contain_text("Play is interrupted: please wait")
    expect(bar.locator("small")).to_contain_text("No More Bets")
    picture(page, "stopped-display")


def test_a_display_of_a_halted_table_with_open_bets_says_nothing_of_the_close(
    page: Page, live: LiveServer, table: Tables
) -> None:
    made = table("rws-roulette-00")
    made.do(c.OpenRound())
    board = display(page, live, made)
    made.machine(SYSTEM, c.HaltTable(reason="the motor"))
    expect(board.locator("h1")).to_contain_text("Play is interrupted: please wait")
    expect(board.locator("h1 small")).to_have_count(0)
