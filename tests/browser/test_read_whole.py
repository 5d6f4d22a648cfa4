"""What has to be read can be read whole: nothing cut off, covered, or left out where there is less room."""

import itertools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.browser_rig import SYSTEM, ConsoleScreen, Table
from browser.office_rig import SIZES, card, has_no_sideways_scroll, picture, pit, resize, sign_in
from browser.pictures.pictures_rig import usual_limits
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.rulebook import load_book
from croupier.table import Limits, Range, Rules
from croupier.table import commands as c
from server.server_rig import LiveServer
from table.rig import wide_limits

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

MONEY = "rws-money-wheel"
SMALL = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

NAMES_OUTSIDE = """() => [...document.querySelectorAll('.track .sector')].flatMap((sector) => {
  const area = sector.querySelector('path');
  return [...sector.querySelectorAll('text')].flatMap((text) => {
    const { x, y, width, height } = text.getBBox();
    const at = [[x, y + height / 2], [x + width, y + height / 2]];
    const isIn = at.every(([px, py]) => area.isPointInFill(new DOMPoint(px, py)));
    return isIn ? [] : [text.textContent];
  });
})"""
"""Names on a racetrack that leave the area of their series."""


def box(part: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    found = part.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def is_inside(part: Locator, of: Locator) -> bool:
    """Whether nothing of a part is outside of another."""
    left, top, right, bottom = box(part)
    outer = box(of)
    return left >= outer[0] and top >= outer[1] and right <= outer[2] + 1 and bottom <= outer[3] + 1


def lie_apart(one: Locator, other: Locator) -> bool:
    """Whether two parts do not cover each other."""
    (a, b, c_, d), (e, f, g, h) = box(one), box(other)
    return c_ <= e or g <= a or d <= f or h <= b


@clause("rws-money-wheel:3.5")
def test_a_player_sees_what_all_players_have_in_a_box(table: Tables, terminal: Terminals) -> None:
    limits = wide_limits(Rules(load_book(MONEY)), minimum_cents=500, maximum_cents=10_000)
    made = table(MONEY, limits=limits)
    screen = terminal(made)
    expect(screen.spot("symbol:5")).to_contain_text("Box 5 \u2013 100")
    made.do(c.OpenRound())
    expect(screen.spot("symbol:5")).to_contain_text("Box 0 of 100")
    made.bet("2", symbol__5=6000)
    expect(screen.spot("symbol:5")).to_contain_text("Box 60 of 100")
    screen.touch("symbol:5")
    expect(screen.spot("symbol:5")).to_contain_text("Box 65 of 100")
    made.bet("2", symbol__5=6000)
    expect(screen.spot("symbol:5")).to_contain_text("25 over")
    expect(screen.figure("Stake")).to_have_text("5.00")
    screen.reload()
    expect(screen.spot("symbol:5")).to_contain_text("25 over")


def test_a_phone_says_whether_bets_are_on_their_way_or_registered(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made, line=True, viewport=PHONE, has_touch=True)
    made.do(c.OpenRound())
    screen.state("betting")
    assert screen.line is not None
    said = screen.page.locator(".dock .state")
    expect(said).to_have_count(0)
    screen.line.hold()
    screen.touch_points([screen.place_of(screen.spot("straight:17"))])
    expect(said).to_have_text("on its way")
    expect(said).to_be_visible()
    screen.line.let_go()
    expect(said).to_have_text("registered")
    assert is_inside(said, screen.page.locator(".dock .figure").nth(1))


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["1280x800", "390x844"])
def test_news_and_what_stops_play_do_not_cover_each_other(
    table: Tables, terminal: Terminals, size: dict[str, int]
) -> None:
    made = table()
    screen = terminal(made, viewport=size)
    made.do(c.OpenRound())
    screen.state("betting")
    made.bet("1", red=500)
    made.do(c.CloseBets(), c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=made.live.rig.floor.clock.now_ms() - 90_000))
    alerts = screen.page.get_by_role("alert")
    stops = alerts.filter(has_text="Play is interrupted").locator(".message")
    news = alerts.filter(has_text="Play was interrupted")
    expect(stops).to_contain_text("Your registered 5.00 stands")
    expect(news).to_contain_text("until staff have stated the outcome on the wheel")
    assert lie_apart(stops, news)
    assert is_inside(stops, screen.page.locator(".play"))
    assert is_inside(news, screen.page.locator(".play"))


def test_what_cannot_be_done_does_not_look_as_if_it_could(table: Tables, terminal: Terminals) -> None:
    made = table()
    screen = terminal(made)
    sheet = screen.open_sheet("Cash out")
    button = sheet.get_by_role("button", name="Cash out 1,000.00")
    expect(button).to_be_enabled()
    expect(button).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    made.do(c.OpenRound())
    made.bet("1", red=500)
    expect(sheet).to_contain_text("5.00 is in play")
    button = sheet.get_by_role("button", name="Cash out 995.00")
    expect(button).to_be_disabled()
    expect(button).to_have_css("background-color", "rgba(0, 0, 0, 0)")


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["1280x800", "390x844"])
def test_the_numbers_of_the_statistics_can_be_read(
    table: Tables, terminal: Terminals, size: dict[str, int]
) -> None:
    made = table("rws-roulette-000")
    screen = terminal(made, viewport=size)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    made.do(c.EnterResult(result="000"), c.ConfirmResult(result="000"))
    screen.state("ended")
    screen.page.get_by_role("button", name="Statistics").click()
    numbers = screen.sheet.locator(".bars text")
    expect(numbers).to_have_count(39)
    drawn = "(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"
    assert min(numbers.evaluate_all(drawn)) >= 11
    boxes = numbers.evaluate_all(
        "(all) => all.map((each) => { const { left, right, top } = each.getBoundingClientRect();"
        " return [top, left, right]; })"
    )
    # Beside each other in their row: none over the next one.
    beside = sorted(boxes)
    assert all(a[2] <= b[1] + 0.5 for a, b in itertools.pairwise(beside) if abs(a[0] - b[0]) < 2)


def test_a_place_is_opened_from_the_small_console(console: ConsoleScreen, table: Tables) -> None:
    made = table(MONEY, seats=8)
    console.page.set_viewport_size({**SMALL})
    console.open(made)
    console.press("Space")
    console.phase("betting")
    dialog = console.page.get_by_role("dialog", name="Seat 3")
    console.page.get_by_role("button", name="Place 3", exact=True).click()
    expect(dialog).to_contain_text("1,000.00")
    console.press("Escape")
    expect(dialog).to_have_count(0)
    # The same from the list of the places: its key brings the first one into sight.
    console.press("i", "t")
    places = console.panel("Places")
    expect(places.locator('[data-seat="1"]')).to_be_focused()
    assert is_inside(places.locator('[data-seat="1"]'), console.page.locator(".side"))
    places.locator('[data-seat="3"]').click()
    expect(dialog).to_contain_text("1,000.00")


@pytest.mark.parametrize("size", ["1920x1080", "1280x800"])
def test_a_settled_money_wheel_leaves_room_for_its_figures(
    console: ConsoleScreen, table: Tables, size: str
) -> None:
    made = table(MONEY, seats=8)
    width, height = SIZES[size]
    console.page.set_viewport_size({"width": width, "height": height})
    console.open(made)
    made.do(c.OpenRound())
    made.crowd(8)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="10"), c.ConfirmResult(result="10"))
    over = console.panel("The round is over")
    expect(over).to_contain_text("Round 1 settled")
    for name in ("Correct this result", "Recall the round"):
        button = over.get_by_role("button", name=name)
        expect(button).to_be_visible()
        assert is_inside(button, over)
        assert is_inside(over, console.page.locator("main"))


def test_the_money_wheel_shows_all_of_a_usual_evening_at_once(console: ConsoleScreen, table: Tables) -> None:
    """Nothing has to be scrolled for the sums of places, also where the house's have cents."""
    made = table(MONEY, seats=8, limits=usual_limits(MONEY, None))
    console.page.set_viewport_size(SMALL)
    console.open(made)
    made.do(c.OpenRound())
    made.crowd(8)
    grid = console.panel("Stakes by place and box")
    expect(grid.locator("tfoot")).to_contain_text(re.compile(r"\d\d,\d\d\d.*\d,\d\d\d\.\d\d"))
    assert grid.locator(".body").evaluate("(body) => body.scrollWidth <= body.clientWidth")


@pytest.mark.parametrize("size", SIZES)
def test_a_display_breaks_no_chance_over_two_lines(
    page: Page, live: LiveServer, table: Tables, size: str
) -> None:
    made = table()
    resize(page, size)
    sign_in(page, live, f"display#table={made.name}", "dee")
    expect(page.get_by_text("No results yet")).to_be_visible()
    # The longest that a number has: black, high, even, and a dozen.
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    made.do(c.EnterResult(result="20"), c.ConfirmResult(result="20"))
    chances = page.locator(".words span")
    expect(chances).to_have_text(["Black", "19-36", "Even", "2nd 12"])
    assert chances.evaluate_all("(all) => all.map((each) => each.getClientRects().length)") == [1, 1, 1, 1]
    tops = chances.evaluate_all("(all) => all.map((each) => Math.round(each.getBoundingClientRect().top))")
    assert len(set(tops)) == 1


def test_a_void_round_is_in_no_column_of_the_display(page: Page, live: LiveServer, table: Tables) -> None:
    made = table()
    sign_in(page, live, f"display#table={made.name}", "dee")
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin(), c.CallNoSpin(reason="a coin on the wheel"))
    results = page.get_by_role("region", name="Last results")
    void = results.get_by_role("img", name="Void")
    expect(void).to_have_text("Void")
    assert box(void)[2] - box(void)[0] > 0.9 * (box(results.locator("ol"))[2] - box(results.locator("ol"))[0])


@pytest.mark.parametrize("size", SIZES)
def test_a_win_of_seven_digits_stays_in_its_card(table: Tables, terminal: Terminals, size: str) -> None:
    limits = wide_limits(Rules(load_book("mbs-roulette")), maximum_cents=10_000_000)
    made = table(limits=limits, lock_up_cents=10**11)
    width, height = SIZES[size]
    screen = terminal(made, viewport={"width": width, "height": height})
    made.do(c.BuyCredits(seat="1", cents=900_000_000))
    made.do(c.OpenRound())
    made.bet("1", straight__17=9_000_000)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    expect(screen.figure("Last win")).to_have_text("3,240,000.00")
    for caption in ("Credits", "Stake", "Last win"):
        figure = screen.figure(caption)
        assert is_inside(figure, screen.page.locator(".money"))
        assert figure.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1")
    # What is a win and what is the player's own stands beside it on every screen.
    expect(screen.page.get_by_text("with stakes of 90,000.00 back").filter(visible=True)).to_have_count(1)
    assert has_no_sideways_scroll(screen.page)


@pytest.mark.parametrize("size", [SMALL, PHONE], ids=["1280x800", "390x844"])
def test_sums_of_past_rounds_stand_below_each_other(
    table: Tables, terminal: Terminals, size: dict[str, int]
) -> None:
    made = table(limits=wide_limits(Rules(load_book("mbs-roulette")), maximum_cents=10_000_000))
    made.do(c.BuyCredits(seat="1", cents=90_000_000))
    for stake, result in ((500, "20"), (1_234_500, "17"), (10_000_000, "5")):
        made.do(c.OpenRound())
        made.bet("1", straight__17=stake)
        made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result=result), c.ConfirmResult(result=result))
        if made.state.seats["1"].lock is not None:
            made.do(c.ClearLockUp(seat="1"))
    screen = terminal(made, viewport=size)
    if size == PHONE:
        screen.page.locator("header button").last.click()
        screen.sheet.get_by_role("button", name="History").click()
    else:
        screen.open_sheet("History")
    rounds = screen.sheet.locator("summary")
    expect(rounds).to_have_count(3)
    for figure in (0, 1):
        edges = {round(box(each.locator(".figure").nth(figure))[2]) for each in rounds.all()}
        assert len(edges) == 1
    for each in rounds.all():
        name, sums = each.locator(".what"), each.locator(".figure")
        assert lie_apart(name, sums.first)
        assert lie_apart(sums.first, sums.last)
        assert is_inside(sums.last, each)
        # The name of the round stands in one line.
        assert name.locator("b").evaluate("(node) => node.getClientRects().length") == 1


def test_the_labels_of_statistics_lie_apart_on_a_phone(table: Tables, terminal: Terminals) -> None:
    made = table("rws-roulette-000")
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    made.do(c.EnterResult(result="000"), c.ConfirmResult(result="000"))
    screen = terminal(made, viewport=PHONE)
    screen.button("Statistics").click()
    labels = screen.sheet.locator(".bars text")
    expect(labels).to_have_count(39)
    boxes = [box(each) for each in labels.all()]
    beside = [(one, other) for one, other in itertools.pairwise(boxes) if abs(one[1] - other[1]) < 5]
    assert [pair for pair in beside if pair[1][0] - pair[0][2] < 2] == []


@pytest.mark.parametrize("size", ["1920x1080", "1280x800"])
def test_many_limits_leave_the_wheel_large_enough(table: Tables, terminal: Terminals, size: str) -> None:
    rules = Rules(load_book("rws-roulette-000"))
    kinds = sorted({bet.kind for bet in rules.bets.values()})
    bets = {
        kind: Range(minimum_cents=500 + 100 * place, maximum_cents=100_000)
        for place, kind in enumerate(kinds)
    }
    own = {bet: Range(minimum_cents=500, maximum_cents=50_000) for bet in ("straight:0", "straight:00")}
    limits = Limits(bets={**bets, **own}, spots=dict.fromkeys(kinds[:3], 200_000), table_cents=5_000_000)
    width, height = SIZES[size]
    screen = terminal(table("rws-roulette-000", limits=limits), viewport={"width": width, "height": height})
    left, top, right, bottom = box(screen.page.locator(".wheelbox"))
    assert min(right - left, bottom - top) >= 150
    facts = screen.page.get_by_role("region", name="Limits at this table")
    assert is_inside(facts, screen.page.locator(".side"))
    # What does not fit is scrolled to.
    last = facts.locator("dl > div").last.locator("dd")
    last.scroll_into_view_if_needed()
    assert is_inside(last, facts)


@pytest.mark.parametrize("size", ["1920x1080", "1280x800", "390x844"])
def test_large_sums_and_long_reasons_stay_on_their_card(
    page: Page, live: LiveServer, table: Tables, size: str
) -> None:
    limits = wide_limits(Rules(load_book("mbs-roulette")), maximum_cents=3_000_000_000)
    made = table(limits=limits, lock_up_cents=10**11)
    made.do(c.BuyCredits(seat="1", cents=3_000_000_000), c.OpenRound())
    made.bet("1", red=1_259_987_400, straight__7=1_500_000)
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="7"), c.ConfirmResult(result="7"))
    resize(page, size)
    pit(page, live)
    glance = card(page, made.name)
    expect(glance.locator("dd").first).to_have_attribute("title", "12,614,874")
    made.machine(SYSTEM, c.HaltTable(reason="the meters disagree with what two people have counted " * 3))
    expect(glance).to_contain_text("Halted")
    outside = glance.evaluate(
        """(card) => [...card.querySelectorAll('*')].filter((part) => {
            const [box, within] = [part, card].map((each) => each.getBoundingClientRect());
            const shown = getComputedStyle(part.parentElement).overflow === 'visible';
            return shown && (box.right > within.right + 1 || box.bottom > within.bottom + 1);
        }).map((part) => part.className.toString() || part.tagName)"""
    )
    assert outside == []
    assert has_no_sideways_scroll(page)
    picture(page, f"pit-sums-{size}")


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A demonstration floor, where everybody may use the lab."""
    path, tables = tmp_path_factory.mktemp("demonstration"), {"R1": "mbs-roulette"}
    with LiveServer(path, tables=tables, demonstration=True, app_options={"screens": screens}) as server:
        yield server


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1600, 1000), (1280, 800)])
def test_the_names_of_the_series_stay_inside_them(
    page: Page, demonstration: LiveServer, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{demonstration.base_url}/lab")
    expect(page.locator(".track .sector").first).to_be_visible()
    assert page.evaluate(NAMES_OUTSIDE) == []


def test_the_guide_says_what_is_true_of_both_kinds_of_wheel(page: Page, demonstration: LiveServer) -> None:
    page.goto(demonstration.base_url)
    result = page.locator("li", has=page.get_by_role("heading", name="The result"))
    expect(result).to_contain_text("The simulated wheel has entered its number")
    expect(result).to_contain_text("at a wheel without a sensor you touch it")
