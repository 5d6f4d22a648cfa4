"""The screens of the pit, the cage and the display in a browser: signing in, looking, and what axe says."""

import functools
import os
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from browser.browser_rig import PICTURES, ROOT
from croupier.protocol.asking import CashOut
from croupier.table.commands import BuyCredits
from server.floor_rig import PASSWORD, done
from server.server_rig import LiveServer

SIZES: Final = {"1920x1080": (1920, 1080), "1280x800": (1280, 800), "390x844": (390, 844)}
AXE: Final = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RULES: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]


_VIOLATIONS: Final = """async (rules) => {
  // Every rule is tried on everything; only what is right is not described at length.
  const options = { runOnly: rules, resultTypes: ['violations'] };
  return (await axe.run(document, options)).violations;
}"""


def sign_in(page: Page, live: LiveServer, screen: str, name: str) -> None:
    """Goes to a screen of the staff and signs in there."""
    page.goto(f"{live.base_url}/{screen}")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def pit(page: Page, live: LiveServer, name: str = "shi") -> None:
    """The pit's screen with its tables."""
    sign_in(page, live, "pit", name)
    expect(page.get_by_role("status").filter(has_text="Live")).to_be_visible()


def view(page: Page, name: str) -> None:
    """Goes to a part of the pit."""
    page.get_by_role("navigation", name="Parts of the pit").get_by_role("button", name=name).click()


def card(page: Page, table: str) -> Locator:
    """The card of a table."""
    return page.locator("article").filter(has=page.get_by_role("button", name=f"Look at table {table}"))


def a_voucher(live: LiveServer, table: str, seat: str, cents: int) -> str:
    """Somebody buys credits at a seat and cashes out all that is there; the number of the voucher."""

    async def cash_out() -> str:
        async with await live.rig.seat(seat, table) as terminal:
            await done(terminal, BuyCredits(seat=seat, cents=cents))
            answer = await done(terminal, CashOut(seat=seat))
            assert answer.voucher is not None
            return answer.voucher

    return live.run(cash_out)


def picture(page: Page, name: str) -> None:
    """Keeps a picture of the screen, where somebody asked for pictures."""
    if folder := os.environ.get(PICTURES):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")


def resize(page: Page, size: str) -> None:
    """Gives the window another size."""
    width, height = SIZES[size]
    page.set_viewport_size({"width": width, "height": height})


def has_no_sideways_scroll(page: Page) -> bool:
    """Whether the page is as wide as its window."""
    wide: bool = page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    return wide


def check_access(page: Page) -> None:
    """Has axe look at the page as it is; names, roles, contrast, focus."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found: list[dict[str, Any]] = page.evaluate(_VIOLATIONS, RULES)
    told = [
        f"{each['id']}: {node['target']} {node['failureSummary']}" for each in found for node in each["nodes"]
    ]
    assert not told, "\n".join(told[:20])


@functools.cache
def _axe() -> str:
    # The page's policy forbids scripts from elsewhere; what the test itself evaluates is not of the page.
    return f"() => {{ {AXE.read_text(encoding='utf-8')} }}"
