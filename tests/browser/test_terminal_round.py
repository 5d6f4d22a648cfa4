"""Whole rounds with two terminals and a console, and what a player does with chips."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import BOOKS, ConsoleScreen, Table
from browser.terminal_rig import TerminalScreen
from clauses import clause
from croupier.table import commands as c

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]

WINS = {
    "mbs-roulette": ("17", "straight:17", "180.00"),
    "rws-roulette-00": ("00", "straight:00", "180.00"),
    "rws-roulette-000": ("000", "straight:000", "180.00"),
    "rws-money-wheel": ("10", "symbol:10", "55.00"),
}
"""By book: a result, a bet of 5.00 that wins with it, and what comes back."""


@pytest.mark.parametrize("book", BOOKS)
@clause("mbs-roulette:3.8")
def test_a_round_with_two_terminals_and_a_console(
    table: Tables, terminal: Terminals, console: ConsoleScreen, book: str
) -> None:
    result, wins, returned = WINS[book]
    loses = "symbol:20" if "money" in book else "straight:20"
    made = table(book, betting_seconds=60)
    label = made.book.wheel.labels[result]
    one, two = terminal(made), terminal(made, "2", viewport={"width": 1280, "height": 800})
    console.open(made)
    one.state("waiting")

    console.press("Space")
    one.state("betting")
    two.state("betting")
    expect(one.page.get_by_role("timer")).to_have_accessible_name(re.compile(r"\d+ seconds left"))
    expect(one.page.get_by_role("heading", level=1)).to_have_text(
        re.compile("place your bets", re.IGNORECASE)
    )
    one.touch(wins)
    two.touch(loses)
    one.registered({wins: 500})
    two.registered({loses: 500})

    console.phase("betting")
    console.press("Space")
    one.state("closed")
    expect(one.page.get_by_role("heading", level=1)).to_have_text(re.compile("no more bets", re.IGNORECASE))
    expect(one.button("Chip 5")).to_be_disabled()
    console.phase("closed")
    console.press("Space")
    one.state("spinning")
    console.phase("spinning")
    console.press(*result, "Enter")
    one.state("resulted")
    # A result that is only registered is not told as one.
    expect(one.page.get_by_role("img", name=re.compile("^Wheel, "))).to_have_count(0)
    console.phase("resulted")
    console.press("Space")

    for screen in (one, two):
        screen.state("ended")
        expect(screen.page.get_by_role("img", name=re.compile(f"^Wheel, {label}"))).to_be_visible()
        last = screen.page.get_by_role("list", name="Last results").get_by_role("img")
        expect(last).to_have_accessible_name(re.compile(f"^{label}"))
    highlighted(one, book, wins)
    expect(one.page.locator(".win strong")).to_have_text(returned)
    expect(one.figure("Last win")).to_have_text(returned)
    expect(two.page.locator(".win")).to_have_count(0)
    assert made.credits_cents("1") == 100_000 - 500 + int(float(returned) * 100)
    for seat, screen in (("1", one), ("2", two)):
        expect(screen.figure("Credits")).to_have_text(f"{made.credits_cents(seat) / 100:,.2f}")


def highlighted(screen: TerminalScreen, book: str, bet: str) -> None:
    """The winning number is marked on the layout, and nothing else is."""
    if "money" in book:
        expect(screen.page.locator(".box.won")).to_have_attribute("data-bet", bet)
        expect(screen.page.locator(".box.lost")).to_have_count(6)
        return
    expect(screen.page.locator(".won.main")).to_have_count(1)
    expect(screen.stack(bet).locator(".won")).to_be_visible()


def test_the_wheel_turns_and_comes_to_rest_on_the_result(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made, reduced_motion="no-preference")
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    screen.state("spinning")
    turn = "document.querySelectorAll('.wheel .turns')[0].style.transform"
    before = screen.page.evaluate(turn)
    screen.page.wait_for_function(f"(before) => {turn} !== before", arg=before)

    made.do(c.EnterResult(result="17"), c.ConfirmResult(result="17"))
    expect(screen.page.get_by_role("img", name="Wheel, 17 Black")).to_be_visible(timeout=20_000)
    # The pocket stands on top, and the ball lies in it.
    order = made.book.wheel.order
    angle = 360 * order.index("17") / len(order)
    rotor, ball = screen.page.evaluate(
        """() => [...document.querySelectorAll('.wheel .turns')]
          .map((each) => parseFloat(each.style.transform.slice('rotate('.length)))"""
    )
    assert (rotor + angle) % 360 == pytest.approx(0, abs=0.1) or (rotor + angle) % 360 > 359.9
    assert ball % 360 == pytest.approx(0, abs=0.1) or ball % 360 > 359.9


MOVING = """() => {
  const free = ['offset', 'computedOffset', 'easing', 'composite', 'transform', 'opacity'];
  const names = (each) => each.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
  const costs = (each) => names(each).some((name) => !free.includes(name));
  return document.getAnimations().filter((each) => each.playState === 'running' && costs(each))
    .map((each) => each.effect.target.outerHTML.slice(0, 80));
}"""
"""What moves and has the page work for each picture of it; the compositor turns and fades by itself."""


def test_while_bets_are_open_nothing_has_the_page_work_all_the_time(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette", betting_seconds=60)
    screen = terminal(made, reduced_motion="no-preference")
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("straight:17")
    screen.registered({"straight:17": 500})
    screen.page.wait_for_function("() => document.querySelector('.ring b').textContent.trim() < '58'")
    expect(screen.page.locator(".lands")).to_have_count(0)
    assert screen.page.evaluate(MOVING) == []
    assert screen.page.evaluate("() => document.getAnimations().length") > 0  # the wheel turns


def test_chips_are_added_taken_moved_undone_and_repeated(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.touch("straight:17", "straight:17", "red")
    screen.registered({"straight:17": 1000, "red": 500})

    screen.button("Take off").click()
    screen.touch("straight:17")
    screen.registered({"straight:17": 500, "red": 500})
    screen.choose(500)

    screen.button("Move").click()
    screen.touch("red", "black")
    screen.registered({"straight:17": 500, "black": 500})

    screen.button("Undo").click()
    screen.registered({"straight:17": 500, "red": 500})
    screen.button("Redo").click()
    screen.registered({"straight:17": 500, "black": 500})

    screen.button("Double").click()
    screen.registered({"straight:17": 1000, "black": 1000})
    screen.open_sheet("Favourites")
    screen.sheet.get_by_label("Name").fill("mine")
    screen.sheet.get_by_role("button", name="Save the bets on the table").click()
    screen.close_sheet()
    screen.button("Clear").click()
    screen.registered({})

    screen.open_sheet("Favourites")
    screen.sheet.get_by_role("button", name="mine 20.00").click()
    screen.registered({"straight:17": 1000, "black": 1000})
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="5"), c.ConfirmResult(result="5"))
    screen.state("ended")
    made.do(c.OpenRound())
    screen.state("betting")
    screen.button("Repeat").click()
    screen.registered({"straight:17": 1000, "black": 1000})


def test_a_key_that_is_held_acts_once(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")

    def hold(key: str) -> None:
        for _ in range(5):
            screen.page.keyboard.down(key)
        screen.page.keyboard.up(key)

    reached = screen.page.locator('[data-bet][tabindex="0"]')
    reached.focus()
    bet = reached.get_attribute("data-bet") or ""
    hold("Enter")
    screen.registered({bet: 500})
    hold(" ")
    screen.registered({bet: 1000})
    screen.button("Double").focus()
    hold("Enter")
    screen.registered({bet: 2000})


def test_pointing_at_a_bet_lights_what_it_covers_and_tells_everything(
    table: Tables, terminal: Terminals
) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    screen.page.mouse.move(*screen.place_of(screen.spot("corner:25/26/28/29")))
    card = screen.page.get_by_role("status").filter(has_text="Corner 25/26/28/29")
    expect(card).to_contain_text("pays 8 to 1")
    expect(card).to_contain_text("45.00")
    lit = screen.page.locator("[data-lit]")
    assert sorted(each.get_attribute("data-lit") or "" for each in lit.all()) == ["25", "26", "28", "29"]


def test_a_round_by_keyboard_alone(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made)
    made.do(c.OpenRound())
    screen.state("betting")
    keys = screen.page.keyboard
    reach(screen, "Chip 10")
    keys.press("Enter")
    expect(screen.button("Chip 10")).to_have_attribute("aria-pressed", "true")

    for _ in range(200):
        keys.press("Shift+Tab")
        if screen.page.evaluate("document.activeElement.dataset.bet !== undefined"):
            break
    expect(screen.spot("straight:0")).to_be_focused()
    keys.press("ArrowRight")
    expect(screen.spot("split:0/2")).to_be_focused()
    keys.press("Enter")
    screen.registered({"split:0/2": 1000})

    reach(screen, "Clear")
    keys.press("Space")
    screen.registered({})
    reach(screen, "Rules", backwards=True)
    keys.press("Enter")
    expect(screen.sheet).to_contain_text("House edge")
    keys.press("Escape")
    expect(screen.sheet).to_have_count(0)


def reach(screen: TerminalScreen, name: str, *, backwards: bool = False) -> None:
    """Goes on with Tab until a control has the focus, which can be seen."""
    wanted = screen.button(name)
    for _ in range(200):
        screen.page.keyboard.press("Shift+Tab" if backwards else "Tab")
        if wanted.evaluate("(each) => each === document.activeElement"):
            break
    expect(wanted).to_be_focused()
    assert wanted.evaluate("(each) => each.matches(':focus-visible')")


def test_the_terminal_speaks_chinese(table: Tables, terminal: Terminals) -> None:
    made = table("mbs-roulette")
    screen = terminal(made, locale="zh-CN")
    made.do(c.OpenRound())
    screen.state("betting")
    expect(screen.page.get_by_role("heading", level=1)).to_have_text(
        re.compile("^Place your bets, please\\s*请下注")
    )
    expect(screen.page.locator("html")).to_have_attribute("lang", "zh-SG")
    expect(screen.spot("red")).to_have_accessible_name(re.compile("^红"))
    screen.touch("red")
    expect(screen.page.locator(".dock .sent")).to_have_text(re.compile("已登记 5"))
    made.do(c.CloseBets(), c.StartSpin(), c.EnterResult(result="5"), c.ConfirmResult(result="5"))
    screen.state("ended")
    expect(screen.page.locator(".win")).to_contain_text("您赢得")

    screen.page.get_by_role("button", name="语言").click()
    expect(screen.page.locator(".win")).to_contain_text("You win")
    screen.reload()
    expect(screen.page.locator(".win")).to_contain_text("You win")
