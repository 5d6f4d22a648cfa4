"""How fast the Player Terminal answers a hand, in a real browser, with a full layout.

    python bench/screens.py [--repeats 100] [--passes 3] [--json]

A terminal at the book with the most places to bet, 165 of them, has 500 chips on its layout, on a screen of
1920x1080. The machine's own pointer points at bets, places, adds, takes off and undoes, while the betting
time runs and the wheel turns. For each interaction the browser's trace says how long the page worked until it
handed the frame with the answer over: the bound is one frame, 16.7 ms by the clock. The processor's time
stands beside it, because by the clock whatever else the machine does counts as well.

Beside it stands a page with nothing but a square that turns and a line of text that changes with each touch,
in the same browser and run: what an answer costs at least on this machine, and when a picture is shown.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from screens_trace import CATEGORIES, MARK, POINT, STEPS, Answered, Trace

# The tests have a server and a terminal for a browser; their folders have the names of programs beside this.
sys.path[0] = str(Path(__file__).parents[1] / "tests")

from browser.browser_rig import FLAGS, built_screens, chromium, make_table  # noqa: E402  # the path comes first
from browser.terminal_rig import TerminalScreen  # noqa: E402
from croupier.table import commands as c  # noqa: E402
from server.server_rig import LiveServer  # noqa: E402

FRAME_MS = 1000 / 60
CHIPS = 500
FREE = 15
"""So many places stay without a chip, so that there is somewhere to place one."""
KINDS = (POINT, "place", "add", "take off", "undo", "redo")
FLOOR = "empty page"
CHIP_CENTS = 100
EMPTY_PAGE = """<!doctype html><body style="margin: 0; height: 100vh">
<style>
  @keyframes turn { to { transform: rotate(360deg) } }
  div { width: 40px; height: 40px; background: #888; animation: turn 40s linear infinite }
</style>
<p>0</p><div></div>
<script>
  const text = document.querySelector('p').firstChild;
  for (const type of ['pointermove', 'pointerup']) {
    addEventListener(type, () => { text.data = String(Number(text.data) + 1); });
  }
</script>"""
"""Something turns, as the wheel of a terminal does: a browser in which nothing moves shows them sooner."""


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--repeats", type=int, default=100, help="of each interaction in a pass")
    parser.add_argument("--passes", type=int, default=3, help="each with a page of its own")
    parser.add_argument("--json", action="store_true", help="the figures for a program")
    asked = parser.parse_args()
    path, environment = chromium()
    measured: list[Answered] = []
    options = {"screens": built_screens()}
    with (
        tempfile.TemporaryDirectory() as folder,
        LiveServer(Path(folder), tables={}, app_options=options) as live,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=path, args=list(FLAGS), env={**os.environ, **environment}
        )
        for number in range(asked.passes):
            measured += floor(browser, asked.repeats, number)
            measured += terminal(live, browser, asked.repeats, number)
        version = browser.version
        browser.close()
    figures = {kind: figures_of([each for each in measured if each.kind == kind]) for kind in (FLOOR, *KINDS)}
    if asked.json:
        print(json.dumps({"chromium": version, "interactions": figures}, indent=2))
    else:
        show(version, figures)
    return 0


def floor(browser: Browser, repeats: int, seed: int) -> list[Answered]:
    """The page with nothing but a line of text."""
    page = browser.new_page(viewport={"width": 1920, "height": 1080})
    page.set_content(EMPTY_PAGE)
    chance = random.Random(seed)
    hand = Hand(page, chance)

    def touch() -> None:
        for _ in range(repeats):
            hand.move((chance.uniform(100, 1800), chance.uniform(100, 1000)))
            hand.press(FLOOR)

    found = traced(browser, page, touch)
    page.close()
    return found


def terminal(live: LiveServer, browser: Browser, repeats: int, seed: int) -> list[Answered]:
    """A terminal with a full layout."""
    table = make_table(live, f"S{seed + 1}", "rws-roulette-000", betting_seconds=600)
    table.do(c.BuyCredits(seat="1", cents=10_000_000))
    context = browser.new_context(
        viewport={"width": 1920, "height": 1080}, locale="en-SG", color_scheme="dark"
    )
    screen = TerminalScreen(context, table, "1").open()
    table.do(c.OpenRound())
    screen.state("betting")
    chance = random.Random(seed)
    bets = [*table.rules.layout.bets]
    chance.shuffle(bets)
    free, taken = bets[:FREE], bets[FREE:]
    table.do(c.PlaceBets(seat="1", stakes=tuple(stakes(taken))))
    expect(screen.page.locator("[data-stack]")).to_have_count(len(taken))
    screen.choose(CHIP_CENTS)
    places = screen.places()
    hand = Hand(screen.page, chance)
    buttons = {
        name: screen.place_of(screen.button(name))
        for name in ("Undo", "Redo", "Take off", f"Chip {CHIP_CENTS // 100}")
    }

    def touch() -> None:
        for _ in range(repeats):
            hand.move(places[chance.choice(taken)], POINT)
            hand.move(places[chance.choice(free)])
            hand.press("place")
            for name in ("Undo", "Redo", "Undo"):
                hand.move(buttons[name])
                hand.press(name.lower())
            # One touch after the other, as players do it: two bets get a chip more, and lose it again.
            two = [places[bet] for bet in chance.sample(taken, 2)]
            for there in two:
                hand.move(there)
                hand.press("add")
            hand.move(buttons["Take off"])
            hand.press()
            for there in two:
                hand.move(there)
                hand.press("take off")
            hand.move(buttons[f"Chip {CHIP_CENTS // 100}"])
            hand.press()

    found = traced(browser, screen.page, touch)
    context.close()
    return found


def stakes(bets: list[str]) -> Iterator[c.Stake]:
    """Stakes that lie there as so many chips altogether: three or four of different values on each bet."""
    left = CHIPS
    for place, bet in enumerate(bets):
        chips = round(left / (len(bets) - place))
        left -= chips
        yield c.Stake(bet, sum((2500, 1000, 500, 100, 100)[:chips]))


class Hand:
    """The machine's pointer; it waits a moment after everything, so that nothing meets what was before."""

    def __init__(self, page: Page, chance: random.Random) -> None:
        self._page = page
        self._chance = chance

    def move(self, to: tuple[float, float], kind: str | None = None) -> None:
        """Points somewhere."""
        self._mark(kind)
        self._page.mouse.move(*to)
        self._rest()

    def press(self, kind: str | None = None) -> None:
        """Presses and lifts; what counts is the lifting, which places."""
        self._page.mouse.down()
        self._rest()
        self._mark(kind)
        self._page.mouse.up()
        self._rest()

    def _mark(self, kind: str | None) -> None:
        if kind is not None:
            self._page.evaluate("name => { performance.mark(name); }", MARK + kind)

    def _rest(self) -> None:
        # Of different length, so that inputs fall anywhere in a frame.
        self._page.wait_for_timeout(50 + self._chance.random() * 17)


def traced(browser: Browser, page: Page, act: Callable[[], None]) -> list[Answered]:
    """What is measured while something is done."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    act()
    return list(Trace(browser.stop_tracing()).answers())


def figures_of(found: list[Answered]) -> dict[str, Any]:
    """The figures of one kind of interaction."""
    work = sorted(each.work_ms for each in found)
    took = sorted(each.took_ms for each in found)
    shown = sorted(each.shown_ms for each in found if each.shown_ms is not None)
    return {
        "count": len(found),
        "work_ms": percentiles(work),
        "took_ms": percentiles(took),
        "shown_ms": percentiles(shown),
        "raster_ms": percentiles(sorted(each.raster_ms for each in found)),
        "steps_ms": {step: statistics.fmean(each.steps[step] for each in found) for step in STEPS},
        "within_a_frame": sum(each <= FRAME_MS for each in took) / len(took),
    }


def percentiles(values: list[float]) -> dict[str, float]:
    """Of values in order: the median, the 95th and the 99th percentile."""
    return {
        f"p{percent}": values[min(len(values) - 1, len(values) * percent // 100)] for percent in (50, 95, 99)
    }


def show(version: str, figures: dict[str, dict[str, Any]]) -> None:
    """Prints a table that says in the last column what misses a frame."""
    print(f"{os.cpu_count()} cores, Chromium {version}, 1920x1080, 165 spots, {CHIPS} chips")
    print(f"Milliseconds; the bound is a frame, {FRAME_MS:.1f}")
    print(f"{'':<18}{'work of the processor':^27}{'by the clock':^27}{'until shown':^27}")
    print(f"{'':<12}{'count':>6}" + "".join(f"{name:>7}  " for name in ("p50", "p95", "p99") * 3))
    for kind, each in figures.items():
        columns = "".join(
            f"{value:>7.1f}  " for part in ("work_ms", "took_ms", "shown_ms") for value in each[part].values()
        )
        met = "met" if each["took_ms"]["p99"] <= FRAME_MS else f"{each['within_a_frame']:.1%} within"
        print(f"{kind:<12}{each['count']:>6}{columns}  {met}")
    print(
        f"\nWhere the work goes, ms of the processor on average\n{'':<12}"
        + "".join(f"{step:>9}" for step in (*STEPS, "raster"))
    )
    for kind, each in figures.items():
        steps = "".join(f"{value:>9.2f}" for value in each["steps_ms"].values())
        print(f"{kind:<12}{steps}{each['raster_ms']['p50']:>9.2f}")


if __name__ == "__main__":
    sys.exit(main())
