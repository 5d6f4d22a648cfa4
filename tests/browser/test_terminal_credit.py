"""The credit on the screen is the stored one: no animation holds it back or counts its way there."""

from collections.abc import Callable

from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen
from croupier.table import commands as c

WATCH = """figure => {
  window.shown = [figure.textContent.trim()];
  new MutationObserver(() => window.shown.push(figure.textContent.trim()))
    .observe(figure, { characterData: true, childList: true, subtree: true });
}"""


def test_a_win_is_in_the_credits_at_once_and_whole(
    table: Callable[..., Table], terminal: Callable[..., TerminalScreen]
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("straight:17")
    screen.registered({"straight:17": 500})
    credits = screen.figure("Credits")
    expect(credits).to_have_text("995.00")
    credits.evaluate(WATCH)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    expect(credits).to_have_text("1,175.00")
    shown = screen.page.evaluate("window.shown.filter((text, at, all) => text !== all[at - 1])")
    assert shown == ["995.00", "1,175.00"]
