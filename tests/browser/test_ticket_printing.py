"""A voucher's number is as good as its money: it comes out of the printer once, whatever paper is in it."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from browser.browser_rig import Table
from browser.terminal_rig import TerminalScreen

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

SIZES: Final = [(1920, 1080), (1280, 800), (390, 844)]
PAPERS: Final = {
    "A4": (210, 297),
    "A6": (105, 148),
    "Letter": (216, 279),
    "roll": (80, 150),
    "ticket": (65, 156),
    "label": (58, 100),
}
"""In millimetres."""


def pages_of(page: Page) -> dict[str, int]:
    """How many pages come out of the printer, by its paper."""
    return {paper: _count(page, width, height) for paper, (width, height) in PAPERS.items()}


def _count(page: Page, width: int, height: int) -> int:
    printed = page.pdf(width=f"{width}mm", height=f"{height}mm", print_background=True)
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_terminal_prints_the_ticket_once(
    table: Tables, terminal: Terminals, width: int, height: int
) -> None:
    screen = terminal(table(), viewport={"width": width, "height": height})
    if width < 900:
        screen.button("Menu").click()
        screen.sheet.get_by_role("button", name="Cash out").click()
    else:
        screen.open_sheet("Cash out")
    screen.sheet.get_by_role("button", name=re.compile("^Cash out .*00$")).click()
    expect(screen.sheet.get_by_role("img", name="Barcode of the voucher")).to_be_visible()
    assert pages_of(screen.page) == dict.fromkeys(PAPERS, 1)
