"""A real server with the built screens in a real browser: tables made for a test, people at a console."""

import fcntl
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect

from croupier.floor import Ask
from croupier.rulebook import load_book
from croupier.table import Actor, Rules
from croupier.table import commands as c
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer
from table.rig import wide_limits

ROOT: Final = Path(__file__).parents[2]
SWITCHED_OFF: Final = (
    # The address bar's suggestions: two pages of Chromium's own, made anew with every window that a test
    # opens, which nobody sees and which take more work than many a test.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # What Playwright switches off by itself stays off: the last such list is the one that counts.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(SWITCHED_OFF)}",
)
BOOKS: Final = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel")
SYSTEM: Final = Actor(id="system", position="system")
WHEEL: Final = Actor(id="wheel/test", position="wheel")
PICTURES: Final = "CROUPIER_PICTURES"
"""Names the folder for pictures of the screens, where somebody wants them."""


def chromium() -> tuple[str, Mapping[str, str]]:
    """A browser: the machine's own, or the one that comes as a package where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    if found:
        return found, {}
    folder = ROOT / ".browser"
    with _alone():
        if not (folder / "chromium").exists():
            folder.mkdir(exist_ok=True)
            _hatch_build("node", "scripts/unpack-chromium.mjs", str(folder))
    return str(folder / "chromium"), {"LD_LIBRARY_PATH": str(folder / "lib")}


def built_screens() -> Path:
    """The screens as their sources are now; built by whoever comes first, where tests run side by side."""
    if named := os.environ.get("CROUPIER_SCREENS"):
        return Path(named)
    with _alone():
        _hatch_build()
    return ROOT / "src" / "croupier" / "server" / "static"


@contextmanager
def _alone() -> Iterator[None]:
    """What is made once for all: others who run tests at the same time wait, and find it made."""
    with (Path(tempfile.gettempdir()) / "croupier-screens.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _hatch_build(*arguments: str) -> None:
    subprocess.run([sys.executable, "hatch_build.py", *arguments], cwd=ROOT, check=True, capture_output=True)


class Table:
    """A table of its own for one test, with two players who have money."""

    def __init__(self, live: LiveServer, name: str, book: str) -> None:
        self.live = live
        self.name = name
        self.book = load_book(book)
        self.rules = live.rig.floor.tables[name].runner.rules
        self._number = 0

    @property
    def state(self) -> Any:
        """What the table knows."""
        return self.live.rig.floor.tables[self.name].runner.state

    def do(self, *commands: Any) -> None:
        """Has the shift manager do something, past all screens."""
        self.live.do(self.name, *commands)

    def machine(self, actor: Actor, do: Any) -> None:
        """Has the table or its wheel report something."""
        self._number += 1
        runner, number = self.live.rig.floor.tables[self.name].runner, self._number
        reply = self.live.run(lambda: runner.submit(Ask(actor, do, actor.id, number)))
        assert reply.rejection is None, reply.rejection

    def bet(self, seat: str, **stakes: int) -> None:
        """A player bets, in cents; colons and slashes of a bet's id are written as underscores."""
        placed = tuple(c.Stake(bet.replace("__", ":"), cents) for bet, cents in stakes.items())
        self.do(c.PlaceBets(seat=seat, stakes=placed))

    def crowd(self, seats: int, seed: int = 7) -> None:
        """Every player bets here and there."""
        chosen, bets = random.Random(seed), [*self.rules.layout.bets.values()]
        for seat in range(1, seats + 1):
            for bet in chosen.sample(bets, min(len(bets) - 2, 6)):
                cents = chosen.choice((1000, 2500, 5000, 12_500))
                self.do(c.PlaceBets(seat=str(seat), stakes=(c.Stake(bet.id, cents),)))

    def credits_cents(self, seat: str) -> int:
        """What a seat has."""
        cents: int = self.state.credits_cents(seat)
        return cents


def make_table(live: LiveServer, name: str, book: str, *, seats: int = 2, **settings: Any) -> Table:
    """A table that is open, with seats and credits for all of them."""
    limits = settings.pop("limits", None) or wide_limits(Rules(load_book(book), settings.get("layout")))
    live.run(lambda: live.rig.open_table(name, book, seats, limits=limits, **settings))
    table = Table(live, name, book)
    for seat in range(1, seats + 1):
        table.do(c.BuyCredits(seat=str(seat), cents=100_000))
    return table


class ConsoleScreen:
    """A Game Console in a browser, and what a dealer sees there."""

    def __init__(self, page: Page, live: LiveServer) -> None:
        self.page = page
        self.live = live

    def sign_in(self, name: str = "dee", password: str = PASSWORD) -> None:
        """Fills in the form; where the table stands in the address, the console follows."""
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_label("Password", exact=True).fill(password)
        self.page.get_by_role("button", name="Sign in").click()

    def open(self, table: Table, name: str = "dee") -> "ConsoleScreen":
        """A console at a table."""
        self.page.goto(f"{self.live.base_url}/console#table={table.name}")
        self.sign_in(name)
        self.phase("idle")
        return self

    @property
    def next(self) -> Locator:
        """The one next action."""
        return self.page.locator("#next-action")

    def says(self, text: str) -> None:
        """What the next action says."""
        expect(self.next).to_contain_text(text)

    def step(self, name: str) -> Locator:
        """A step of the round."""
        return self.page.locator(f"[data-step={name}]")

    def phase(self, name: str) -> None:
        """Waits for a phase of the round."""
        expect(self.page.locator(f".app[data-phase={name}]")).to_be_visible()

    def press(self, *keys: str) -> None:
        """Presses keys one after the other; Space once the next action is not a new one any more."""
        for key in keys:
            if key in (" ", "Space"):
                self.rested()
            self.page.keyboard.press(key)

    def rested(self) -> None:
        """Waits until the next action has been in its place for long enough to be meant."""
        expect(self.page.locator("#next-action[data-rests]")).to_have_count(0)

    def irregularity(self, key: str) -> None:
        """Calls an irregularity by its key, once it can have happened: what can comes behind a new phase."""
        tiles = self.panel("Irregularities").get_by_role("button")
        tile = tiles.filter(has=self.page.locator("kbd", has_text=re.compile(f"^{key}$")))
        expect(tile).to_be_enabled()
        self.press("i", key)

    def cell(self, outcome: str) -> Locator:
        """A number or a symbol of the pad."""
        return self.page.locator(f'[data-number="{outcome}"]')

    def panel(self, name: str) -> Locator:
        """A part of the screen by its name."""
        return self.page.get_by_role("region", name=name)

    def seconded(self, name: str, password: str = PASSWORD) -> None:
        """The second person signs, in the dialog that is open."""
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_label("Name", exact=True).fill(name)
        dialog.get_by_label("Password", exact=True).fill(password)

    def picture(self, name: str) -> None:
        """Keeps a picture of the screen, where somebody asked for pictures."""
        if folder := os.environ.get(PICTURES):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")
