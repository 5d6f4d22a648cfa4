"""The terminal's clock is the floor's, whatever the time is in its own browser."""

import datetime
import re
from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c

ASTRAY = "const own = Date.now.bind(Date); Date.now = () => own() - 3 * 3600 * 1000;"
"""A terminal whose clock is three hours slow."""


def minutes_about_now() -> str:
    """The time to the minute as a clock may show it while a test looks, as a pattern."""
    now = datetime.datetime.now(datetime.UTC)
    about = (now + datetime.timedelta(minutes=more) for more in (-1, 0, 1))
    return "|".join(moment.strftime("%H:%M") for moment in about)


def test_the_clock_and_the_countdown_are_the_floors(
    table: Callable[..., Table], terminal: Callable[..., TerminalScreen]
) -> None:
    made = table("mbs-roulette", betting_seconds=60)
    screen = terminal(made)
    screen.page.add_init_script(ASTRAY)
    screen.page.reload()
    made.do(c.OpenRound())
    screen.state("betting")
    expect(screen.page.locator("time.clock")).to_have_text(re.compile(f"^({minutes_about_now()})"))
    left = screen.page.get_by_role("timer").first
    expect(left).to_have_text(re.compile(r"\b[1-6]\d?\b"))
