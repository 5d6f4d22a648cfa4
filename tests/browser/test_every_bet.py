"""Every legal bet of every book has its place on the drawing, and a touch there arrives as that bet."""

from collections.abc import Callable

import pytest
from browser.browser_rig import Table
from browser.terminal_rig import CHIP, SIZES, TerminalScreen, placed
from playwright.sync_api import expect

from clauses import clause
from croupier.rulebook import Layout, get_layout, get_offer, load_book, offered
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

LAYOUTS = {
    ("mbs-roulette", "main"): 157,
    ("rws-roulette-00", "A"): 159,
    ("rws-roulette-00", "B"): 161,
    ("rws-roulette-000", "main"): 165,
    ("rws-money-wheel", "main"): 7,
}
OFFERS = [
    ("mbs-roulette", "main", "rapid-select"),
    ("mbs-roulette", "main", "rapid-fusion"),
    ("mbs-roulette", "main", "alfastreet"),
    ("rws-roulette-00", "A", "rapid"),
    ("rws-roulette-00", "B", "rapid"),
    ("rws-roulette-000", "main", "rapid"),
]


def layout_of(table: Table, layout: str) -> Layout:
    return get_layout(table.book, layout)


def wait_for_stake(screen: TerminalScreen, cents: int) -> None:
    expect(screen.figure("Stake")).to_have_text(f"{cents / 100:,.2f}")
    expect(screen.page.locator(".dock .sent")).to_contain_text("registered")


@pytest.mark.parametrize(("book", "layout", "size"), [(*each, "1280x800") for each in LAYOUTS])
def test_each_touch_is_the_bet_that_is_drawn_there(
    table: Tables, terminal: Terminals, book: str, layout: str, size: str
) -> None:
    made = table(book, layout=layout)
    width, height = SIZES[size]
    screen = terminal(made, viewport={"width": width, "height": height})
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose()

    bets = tuple(layout_of(made, layout).bets)
    assert len(bets) == LAYOUTS[book, layout]
    places = screen.places()
    assert set(places) == set(bets)
    for bet in bets:
        screen.page.mouse.click(*places[bet])
    wait_for_stake(screen, CHIP * len(bets))

    # One by one and in order: two bets that were mistaken for each other would show here.
    arrived = [[(change.bet, change.cents) for change in event.changes] for event in placed(made, "1")]
    assert arrived == [[(bet, CHIP)] for bet in bets]
    assert screen.stakes == dict.fromkeys(bets, CHIP)
    expect(screen.page.locator("[data-stack]")).to_have_count(0 if "money" in book else len(bets))


@pytest.mark.parametrize(("book", "layout"), [each for each in LAYOUTS if "money" not in each[0]])
def test_a_finger_on_a_phone_finds_every_bet_with_the_lens(
    table: Tables, terminal: Terminals, book: str, layout: str
) -> None:
    made = table(book, layout=layout)
    screen = terminal(made, viewport={"width": 390, "height": 844}, has_touch=True)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose()

    bets = tuple(layout_of(made, layout).bets)
    places = screen.places()
    for bet in bets:
        screen.page.touchscreen.tap(*places[bet])
    expect(screen.figure("Stake")).to_have_text(f"{CHIP * len(bets) / 100:,.2f}")
    expect(screen.page.locator(".pending")).to_have_count(0)

    assert [event.changes[0].bet for event in placed(made, "1")] == list(bets)


@pytest.mark.parametrize(("book", "layout", "kind"), OFFERS)
@clause("mbs-roulette:App.H", "mbs-roulette:App.I", "mbs-roulette:App.J")
@clause("rws-roulette-00:App.C", "rws-roulette-00:App.D", "rws-roulette-000:App.B")
def test_each_announced_bet_is_placed_piece_by_piece(
    table: Tables, terminal: Terminals, book: str, layout: str, kind: str
) -> None:
    made = table(book, layout=layout)
    made.do(c.OpenSeat(seat="3", kind=kind), c.BuyCredits(seat="3", cents=1_000_000))
    screen = terminal(made, "3", viewport={"width": 1280, "height": 800})
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose()

    drawn = layout_of(made, layout)
    names = sorted(offered(drawn, get_offer(load_book(book), drawn, kind)))
    touched = touch_all_calls(screen)
    assert sorted(touched) == names

    pieces = {name: {part.bet.id: part.pieces for part in drawn.announced[name].parts} for name in names}
    wait_for_stake(screen, CHIP * sum(sum(parts.values()) for parts in pieces.values()))
    events = list(placed(made, "3"))
    assert [event.changes[0].announced for event in events] == touched
    for name, event in zip(touched, events, strict=True):
        placed_now = {change.bet: change.cents for change in event.changes}
        assert placed_now == {bet: CHIP * count for bet, count in pieces[name].items()}


def touch_all_calls(screen: TerminalScreen) -> list[str]:
    """Touches every series, every finale, and every number with every reach; in the order of the touches."""
    touched: list[str] = []
    calls = screen.page.locator("[data-call]")
    for place in range(calls.count()):
        name = calls.nth(place).get_attribute("data-call")
        assert name is not None
        # The middle of a series is felt, but its name may be anywhere inside: the element itself is touched.
        calls.nth(place).click()
        touched.append(name)
    pockets = screen.places("[data-pocket]", "data-pocket")
    for reach in screen.page.locator(".segmented button").all():
        number = reach.text_content()
        reach.click()
        for pocket, at in pockets.items():
            screen.page.mouse.click(*at)
            touched.append(f"neighbours:{pocket}+{number}")
    return touched
