"""Pictures of the screens: an evening that is always the same, tables with something on them, small files."""

import io
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from PIL import Image
from playwright.sync_api import BrowserContext, Page

from browser.browser_rig import PICTURES, Table, make_table
from croupier.floor import SystemClock
from croupier.rulebook import load_book
from croupier.server.floor import Floor
from croupier.server.http import make_app
from croupier.server.suspecting import WheelsWatched
from croupier.table import Limits, Range, Rules
from croupier.table import commands as c
from server.server_rig import LiveServer

EVENING: Final = datetime(2026, 3, 14, 12, 15, tzinfo=UTC)
"""When the pictures begin, whenever they are taken: a quarter past eight in Singapore."""
SHIFT_MS: Final = int((EVENING - datetime.now(UTC)).total_seconds() * 1000)
SIZE: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}
COLOURS: Final = 256
"""As many as a picture keeps: the screens are flat, and only wheel and chips have shades."""
ROUND_MS: Final = 55_000
"""How long a round takes where the evening goes on."""
RESULTS: Final = ("32", "4", "21", "0", "17", "29", "8", "36", "11", "25", "14", "9", "22", "31", "5", "20")

MONEY: Final = "rws-money-wheel"
MONEY_RESULTS: Final = ("1", "3", "1", "5", "1", "10", "3", "1", "20", "1", "5", "3")
INSIDE: Final = {"straight", "split", "street", "corner", "six-line", "line", "top-line", "green"}
BETS: Final = {
    "straight:17": 1000,
    "split:17/20": 1000,
    "corner:25/26/28/29": 500,
    "dozen:2": 2500,
    "red": 5000,
}
"""A player's bets of a usual evening, 100.00 in all."""

_SHIFT: Final = """(() => {
  const Own = Date;
  window.Date = class extends Own {
    constructor(...all) { if (all.length) super(...all); else super(Own.now() + SHIFT); }
    static now() { return Own.now() + SHIFT; }
  };
})()"""


class EveningClock(SystemClock):
    """The machine's clock, moved to the evening of the pictures."""

    def __init__(self) -> None:
        super().__init__()
        self._skipped_ms = 0

    def now_ms(self) -> int:
        """The time of that evening."""
        return super().now_ms() + SHIFT_MS + self._skipped_ms

    def skip(self, ms: int) -> None:
        """Lets time go by; only while no screen looks."""
        self._skipped_ms += ms


class EveningServer(LiveServer):
    """A floor on that evening, with its wheels under watch and no tables yet."""

    def __init__(self, path: Path, screens: Path, **options: Any) -> None:
        app_options = {"zone": "Asia/Singapore", "site": "Example Casino, level 2", "screens": screens}
        self.evening = EveningClock()
        super().__init__(path, tables={}, clock=self.evening, app_options=app_options, **options)

    def _make_app(self, floor: Floor) -> Any:
        wheels = WheelsWatched(floor.store, 10_000, load_book)
        self.app = make_app(floor, self.journal, wheels=wheels, **self._app_options)
        return self.app


def in_the_evening(context: BrowserContext) -> None:
    """Gives the pages of a browser the same evening."""
    context.add_init_script(_SHIFT.replace("SHIFT", str(SHIFT_MS)))


def keep(page: Page, name: str) -> None:
    """Keeps a picture in the folder that somebody named, if somebody did."""
    if not (named := os.environ.get(PICTURES)):
        return
    folder = Path(named)
    folder.mkdir(parents=True, exist_ok=True)
    taken = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    # Rare colours first, such as that of one chip; then each is moved to the middle of what it stands for.
    small = taken.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    small.save(folder / f"{name}.png", optimize=True)


def play(table: Table, results: Iterable[str] = RESULTS) -> None:
    """Rounds without bets, so that a table has results to show."""
    for result in results:
        table.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
        table.do(c.EnterResult(result=result), c.ConfirmResult(result=result))


def settle(table: Table, result: str) -> None:
    """The round that runs ends with a result."""
    table.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))


def usual_limits(book: str, layout: str | None) -> Limits:
    """Less on a single number than on half the layout."""
    kinds = sorted({bet.kind for bet in Rules(load_book(book), layout).layout.bets.values()})
    if book == MONEY:
        return Limits(bets=dict.fromkeys(kinds, Range(minimum_cents=1000, maximum_cents=30_000)))
    wide = Range(minimum_cents=500, maximum_cents=200_000)
    narrow = Range(minimum_cents=100, maximum_cents=20_000)
    return Limits(bets={kind: narrow if kind in INSIDE else wide for kind in kinds}, exposure_cents=2_200_000)


def usual_table(
    live: LiveServer, name: str, book: str, *, seats: int = 8, played: bool = True, **settings: Any
) -> Table:
    """A table with usual limits and players who have money; played says whether rounds are behind it."""
    given = {"betting_seconds": 60, "limits": usual_limits(book, settings.get("layout")), **settings}
    table = make_table(live, name, book, seats=seats, **given)
    if played:
        play(table, MONEY_RESULTS if book == MONEY else RESULTS)
    return table


def bet(table: Table, seat: str = "1") -> None:
    """A player's bets of a usual evening."""
    table.do(c.PlaceBets(seat=seat, stakes=tuple(c.Stake(name, cents) for name, cents in BETS.items())))


def betting(table: Table, seats: int = 8) -> Table:
    """Bets are open, and everybody has some."""
    table.do(c.OpenRound())
    if table.book.id == MONEY:
        table.bet("1", symbol__5=2500, symbol__10=1000, symbol__1=5000)
        table.bet("2", symbol__5=5000, symbol__20=2000)
        return table
    bet(table)
    for seat in range(2, seats + 1):
        table.bet(str(seat), black=2500, straight__20=500 * seat)
    return table


def play_an_evening(server: EveningServer, tables: Sequence[Table]) -> None:
    """All tables play a while, with everybody's bets, and time goes by."""
    for table in tables:
        for seat in table.state.seats:
            table.do(c.BuyCredits(seat=seat, cents=100_000))
    for number, symbol in enumerate(MONEY_RESULTS):
        for place, table in enumerate(tables):
            result = RESULTS[(number + 5 * place) % len(RESULTS)]
            settle(betting(table), symbol if table.book.id == MONEY else result)
        server.evening.skip(ROUND_MS)
