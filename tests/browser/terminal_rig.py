"""A Player Terminal in a browser: enrolled like a device of the floor, touched like a player touches it."""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from playwright.sync_api import BrowserContext, Locator, Page, Request, WebSocketRoute, expect

from browser.browser_rig import Table
from croupier.floor.codec import entry_of
from croupier.server.access import Refusal
from croupier.table.events import BetsChanged
from server.floor_rig import SHIFT

PATIENCE_SECONDS: Final = 15
"""After this a test that waits for something has failed."""

CHIP: Final = 100
"""The chip that most tests bet with: small enough for every limit."""


_TOUCHES: Final = """([points, pointerType]) => {
  // A pointer that is none cannot be captured.
  SVGElement.prototype.setPointerCapture = () => undefined;
  for (const [clientX, clientY] of points) {
    const touched = document.elementFromPoint(clientX, clientY);
    const at = { clientX, clientY, bubbles: true, pointerType };
    for (const act of ['pointerdown', 'pointerup']) touched.dispatchEvent(new PointerEvent(act, at));
    touched.dispatchEvent(new MouseEvent('click', at));
  }
}"""


class TerminalLine:
    """The line between a terminal and the floor, for tests that cut it or hold back what is said on it."""

    def __init__(self, page: Page) -> None:
        self._routes: list[tuple[WebSocketRoute, WebSocketRoute]] = []
        self._held: list[Callable[[], None]] | None = None
        self.is_cut = False
        page.route_web_socket(re.compile("/ws$"), self._connected)

    def _connected(self, screen: WebSocketRoute) -> None:
        if self.is_cut:
            screen.close()
            return
        floor = screen.connect_to_server()
        self._routes.append((screen, floor))
        screen.on_message(lambda message: self._pass(lambda: floor.send(message)))
        floor.on_message(lambda message: screen.send(message))

    def _pass(self, send: Callable[[], None]) -> None:
        if self._held is None:
            send()
        else:
            self._held.append(send)

    def hold(self) -> None:
        """Holds back whatever the screen sends."""
        self._held = []

    def let_go(self) -> None:
        """Sends what was held back."""
        held, self._held = self._held or [], None
        for send in held:
            send()

    def cut(self) -> None:
        """Cuts the line; it stays down until `mend`."""
        self.is_cut = True
        for screen, floor in self._routes:
            screen.close()
            floor.close()
        self._routes.clear()

    def mend(self) -> None:
        """Lets the screen connect again."""
        self.is_cut = False


class TerminalScreen:
    """One seat's screen."""

    def __init__(self, context: BrowserContext, table: Table, seat: str, *, line: bool = False) -> None:
        self.table = table
        self.seat = seat
        self.page = context.new_page()
        self.faults: list[str] = []
        self.requests: list[Request] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request))
        self.line = TerminalLine(self.page) if line else None

    def open(self) -> "TerminalScreen":
        """Enrols the page with a code in its address, and waits for the table."""
        self.page.goto(f"{self.table.live.base_url}/terminal#code={self.code()}")
        self.shows_table()
        return self

    def code(self) -> str:
        """A code that makes a page this seat's terminal, once."""

        async def issue() -> str:
            access = self.table.live.rig.floor.access
            issued = await access.issue_code(SHIFT, "terminal", self.table.name, self.seat)
            assert not isinstance(issued, Refusal)
            return issued.code.reveal()

        return self.table.live.run(issue)

    def shows_table(self) -> None:
        """Waits for the felt."""
        expect(self.page.locator("[data-bet]").first).to_be_attached()
        expect(self.page.locator(".connection:not(.lost)")).to_be_visible()

    def state(self, name: str) -> None:
        """Waits for what the screen says it is in: `betting`, `closed`, `ended`, `void`, ..."""
        expect(self.page.locator(f".app[data-state={name}]")).to_be_attached()

    def choose(self, chip_cents: int = CHIP) -> None:
        """Takes a chip from the rack."""
        self.page.get_by_role("button", name=f"Chip {chip_cents // 100}", exact=True).click()

    def spot(self, bet: str) -> Locator:
        """The place of a bet on the drawing."""
        return self.page.locator(f'[data-bet="{bet}"]')

    def place_of(self, mark: Locator) -> tuple[float, float]:
        """The middle of something on the screen."""
        box = mark.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(self, *bets: str) -> None:
        """Touches places of bets; where the drawing takes the touch is up to the drawing."""
        for bet in bets:
            self.page.mouse.click(*self.place_of(self.spot(bet)))

    def places(self, marks: str = "[data-bet]", name: str = "data-bet") -> dict[str, tuple[float, float]]:
        """The middle of every place of one kind, by its name."""
        found: Mapping[str, list[float]] = self.page.evaluate(
            """([marks, name]) => Object.fromEntries([...document.querySelectorAll(marks)].map((mark) => {
              const box = mark.getBoundingClientRect();
              return [mark.getAttribute(name), [box.x + box.width / 2, box.y + box.height / 2]];
            }))""",
            [marks, name],
        )
        return {bet: (x, y) for bet, (x, y) in found.items()}

    def touch_points(self, points: Iterable[tuple[float, float]], pointer: str = "mouse") -> None:
        """Touches many points one after the other inside the page: whatever lies on top there gets the touch.

        The events are those of a real touch, in their order; only the machine's pointer does not move, which
        takes most of the time that a test has.
        """
        self.page.evaluate(_TOUCHES, [list(points), pointer])

    def button(self, name: str) -> Locator:
        """A control by its name."""
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def sheet(self) -> Locator:
        """The sheet that is open."""
        return self.page.get_by_role("dialog")

    def open_sheet(self, name: str) -> Locator:
        """Opens something from the bar or beside the chips."""
        self.button(name).click()
        expect(self.sheet.get_by_role("heading", name=name, exact=True)).to_be_visible()
        return self.sheet

    def close_sheet(self) -> None:
        """Leaves the sheet that is open."""
        self.page.keyboard.press("Escape")
        expect(self.sheet).to_have_count(0)

    def figure(self, caption: str) -> Locator:
        """The amount under a caption such as Credits, Stake or Last win."""
        return self.page.locator(".dock .figure", has_text=caption).locator("b")

    def stack(self, bet: str) -> Locator:
        """The chips on a bet."""
        return self.page.locator(f'[data-stack="{bet}"]')

    @property
    def stakes(self) -> dict[str, int]:
        """What the table has registered for this seat."""
        return dict(self.table.state.seats[self.seat].stakes)

    def registered(self, stakes: Mapping[str, int]) -> None:
        """Waits until the table has these stakes and the screen says that everything is registered."""
        until = time.monotonic() + PATIENCE_SECONDS
        while self.stakes != dict(stakes) and time.monotonic() < until:
            self.page.wait_for_timeout(20)  # a bet that moves leaves the sum on the screen as it is
        total = sum(stakes.values())
        said = f"{total // 100:,} registered" if total else self.table.book.currency
        expect(self.page.locator(".dock .sent")).to_have_text(re.compile(said))
        assert self.stakes == dict(stakes)

    def looks(self) -> list[str]:
        """Everything that the screen shows, word for word, beside the clock and what turns."""
        shown: list[str] = self.page.evaluate(
            """() => {
              const app = document.querySelector('.app').cloneNode(true);
              app.querySelectorAll('time, .wheel, [role=timer] circle').forEach((each) => each.remove());
              const names = [...app.querySelectorAll('[aria-label]')].map((each) => each.ariaLabel);
              const all = [app.dataset.state, app.textContent, ...names];
              return all.map((text) => text.replace(/\\s+/g, ' '));
            }"""
        )
        return shown

    def reload(self) -> None:
        """Loads the page again."""
        self.page.reload()
        self.shows_table()


def placed(table: Table, seat: str) -> list[BetsChanged]:
    """Every change of a seat's bets that the journal has, in the order in which the terminal gave them."""
    entries = (entry_of(record) for record in table.live.rig.floor.store.read(table.name, 0))
    changes = [
        (entry.cause.number, entry.event)
        for entry in entries
        if isinstance(entry.event, BetsChanged) and entry.event.seat == seat
    ]
    return [event for _, event in sorted(changes, key=lambda each: each[0])]
