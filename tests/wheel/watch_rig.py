"""Tables for the watch over wheels: played by the rules, or told as entries where thousands are needed."""

from collections.abc import Iterable, Iterator

from croupier.rulebook import load_book
from croupier.table import Actor, Entry, Rules, Settings
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SENSOR, START_MS, SUPERVISOR, Play, wide_limits

OTHER_DEALER = Actor(id="dealer-2", position="dealer")
REASON = "seen on camera"


def play_round(
    play: Play,
    result: str,
    *,
    sensed: str | None = None,
    diamond: int | None = None,
    spun_by: Actor = DEALER,
    opened_by: Actor = DEALER,
) -> int:
    """Plays a round to its settlement and gives its number; it takes 16 seconds from start to rest."""
    play.do(opened_by, c.OpenRound())
    play.do(DEALER, c.CloseBets())
    play.do(spun_by, c.StartSpin(rotor_tenths_rpm=250))
    play.wait(16)
    play.do(SENSOR, c.FinishSpin(revolutions=9, pocket=sensed, diamond=diamond, rotor_tenths_rpm=240))
    play.do(SUPERVISOR, c.EnterResult(result=result), DEALER)
    play.do(DEALER, c.ConfirmResult(result=result))
    play.wait(4)
    return play.state.round_number


def correct(play: Play, number: int, result: str) -> None:
    """Corrects a settled result, as two people may."""
    play.do(MANAGER, c.CorrectResult(round=number, result=result, reason=REASON), second=SUPERVISOR)


def told(
    results: Iterable[str],
    *,
    book: str = "mbs-roulette",
    table: str = "T1",
    wheel: str = "",
    dealers: int = 1,
) -> Iterator[Entry]:
    """The entries of a table as far as the watch reads them; the dealers take turns."""
    rules = Rules(load_book(book))
    settings = Settings(
        table=table,
        book=book,
        layouts=tuple(rules.layouts),
        limits=wide_limits(rules),
        lock_up_cents=1,
        voucher_limit_cents=0,
        wheel=wheel,
    )
    yield _entry(0, 0, e.TableCreated(settings=settings, book_sha256=rules.book.sha256))
    for number, result in enumerate(results, 1):
        dealer = (number - 1) % dealers
        yield _entry(number, dealer, e.RoundOpened(round=number, closes_ms=None, notice="", clause=""))
        started = e.SpinStarted(
            round=number, ball=None, wheel=None, wheel_turning=None, said_by="dealer", notice="", clause=""
        )
        yield _entry(number, dealer, started)
        yield _entry(number, dealer, e.RoundSettled(round=number, result=result, notice="", clause=""))


def _entry(number: int, dealer: int, event: e.Event) -> Entry:
    actor = Actor(id=f"dealer-{dealer}", position="dealer")
    at_ms = START_MS + 60_000 * number
    return Entry(e.Cause(at_ms=at_ms, actor=actor, sender="console", number=number, fingerprint=""), event)
