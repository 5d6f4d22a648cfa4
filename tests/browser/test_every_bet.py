"""Every legal bet of every book has its place on the drawing, and a touch there arrives as that bet."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import Table
from browser.office_rig import SIZES
from browser.terminal_rig import CHIP, TerminalScreen, placed
from clauses import clause
from croupier.rulebook import Layout, get_layout, get_offer, load_book, offered
from croupier.table import commands as c
from table.american import AMERICAN

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
    expect(screen.page.locator(".pending")).to_have_count(0)


@pytest.mark.parametrize("size", ["1280x800", "390x844"])
@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
def test_each_touch_is_the_bet_that_is_drawn_there(
    table: Tables, terminal: Terminals, book: str, layout: str, size: str
) -> None:
    made = table(book, layout=layout)
    screen = ready(made, terminal, size)
    bets = tuple(layout_of(made, layout).bets)
    assert len(bets) == LAYOUTS[book, layout]
    places = screen.places()
    assert set(places) == set(bets)

    pointer = "touch" if size == "390x844" else "mouse"
    # The table gets to know the terminal with the first one; the others come as fast as a page can send them.
    screen.touch_points([places[bets[0]]], pointer)
    wait_for_stake(screen, CHIP)
    screen.touch_points((places[bet] for bet in bets[1:]), pointer)
    wait_for_stake(screen, CHIP * len(bets))
    # One by one and in order: two bets that were mistaken for each other would show here.
    arrived = [[(change.bet, change.cents) for change in event.changes] for event in placed(made, "1")]
    assert arrived == [[(bet, CHIP)] for bet in bets]
    assert screen.stakes == dict.fromkeys(bets, CHIP)
    expect(screen.page.locator("[data-stack]")).to_have_count(0 if "money" in book else len(bets))


def test_the_mouse_of_the_machine_finds_bets_of_every_kind(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-000")
    screen = ready(made, terminal, "1920x1080")
    bets = one_of_each_shape(layout_of(made, "main"))
    screen.touch(*bets)
    wait_for_stake(screen, CHIP * len(bets))
    assert screen.stakes == dict.fromkeys(bets, CHIP)


def test_a_finger_on_a_phone_slides_under_the_lens_and_lifts(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-000")
    screen = ready(made, terminal, "390x844")
    bets = one_of_each_shape(layout_of(made, "main"))
    for bet in bets:
        screen.page.touchscreen.tap(*screen.place_of(screen.spot(bet)))
    wait_for_stake(screen, CHIP * len(bets))
    assert screen.stakes == dict.fromkeys(bets, CHIP)

    # The finger comes down beside the bet, sees under the lens where it is, and moves on before it lifts.
    wrong, right = (screen.place_of(screen.spot(bet)) for bet in ("straight:8", "corner:7/8/10/11"))
    finger = screen.page.context.new_cdp_session(screen.page)

    def act(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    act("touchStart", wrong)
    lens = screen.page.locator(".lens")
    expect(lens).to_contain_text("Straight Up 8")
    act("touchMove", right)
    expect(lens).to_contain_text("Corner 7/8/10/11")
    act("touchEnd")
    expect(lens).to_have_count(0)
    expect(screen.stack("corner:7/8/10/11")).to_be_visible()
    wait_for_stake(screen, CHIP * (len(bets) + 1))
    assert "straight:8" not in screen.stakes


def ready(made: Table, terminal: Terminals, size: str) -> TerminalScreen:
    """A terminal of this size while bets are open, with the smallest chip in the player's hand."""
    width, height = SIZES[size]
    screen = terminal(made, viewport={"width": width, "height": height}, has_touch=size == "390x844")
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose()
    return screen


def one_of_each_shape(layout: Layout) -> list[str]:
    """The middle bet of every kind that the layout has."""
    kinds: dict[str, list[str]] = {}
    for bet in layout.bets.values():
        kinds.setdefault(bet.kind, []).append(bet.id)
    return [bets[len(bets) // 2] for bets in kinds.values()]


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
    events = placed(made, "3")
    assert [event.changes[0].announced for event in events] == touched
    for name, event in zip(touched, events, strict=True):
        placed_now = {change.bet: change.cents for change in event.changes}
        assert placed_now == {bet: CHIP * count for bet, count in pieces[name].items()}


def touch_all_calls(screen: TerminalScreen) -> list[str]:
    """Touches every series, every finale, and every number with every reach; in the order of the touches."""
    series = screen.places("[data-call]", "data-call")
    for at in series.values():
        screen.touch_points([at])
        expect(screen.page.locator(".pending")).to_have_count(0)
    touched = list(series)
    pockets = screen.places("[data-pocket]", "data-pocket")
    for reach in screen.page.locator(".segmented button").all():
        reach.click()
        expect(reach).to_have_attribute("aria-pressed", "true")
        screen.touch_points(pockets.values())
        touched += [f"neighbours:{pocket}+{reach.text_content()}" for pocket in pockets]
    return touched


def test_the_racetrack_has_the_order_of_the_tables_wheel(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-00", layout="A", pocket_order=AMERICAN)
    made.do(c.BuyCredits(seat="1", cents=100_000))
    screen = terminal(made, viewport={"width": 1280, "height": 800})
    made.do(c.OpenRound())
    screen.state("betting")
    screen.choose()

    drawn = [pocket.get_attribute("data-pocket") for pocket in screen.page.locator("[data-pocket]").all()]
    assert tuple(drawn) == AMERICAN
    screen.page.locator(".segmented button", has_text="1").first.click()
    screen.touch_points([screen.places("[data-pocket]", "data-pocket")["21"]])
    wait_for_stake(screen, 3 * CHIP)
    (event,) = placed(made, "1")
    assert [change.bet for change in event.changes] == ["straight:6", "straight:21", "straight:33"]
