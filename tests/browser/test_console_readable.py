"""What is read and touched on a console, at every size: nothing lies over a word or a number."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browser.browser_rig import SYSTEM, ConsoleScreen, Table
from browser.office_rig import SIZES
from croupier.rulebook import load_book
from croupier.table import Rules
from croupier.table import commands as c
from table.rig import wide_limits

Tables = Callable[..., Table]

OVERPRINTED = """(action) => {
    const parts = [...action.querySelectorAll('.name, kbd, .with span, .lab, .sub, .token')]
        .filter((part) => part.getClientRects().length && part.textContent.trim())
        .map((part) => ({ text: part.textContent, cut: part.scrollWidth > part.clientWidth + 1,
                          box: part.getBoundingClientRect() }));
    const whole = action.getBoundingClientRect();
    const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const isIn = (box) => box.top >= whole.top && box.bottom <= whole.bottom && box.right <= whole.right;
    return parts.filter(({ box, cut }, place) => cut || !isIn(box)
        || parts.some((other, at) => at !== place && meets(box, other.box))).map(({ text }) => text);
}"""


@pytest.mark.parametrize("book", ["rws-roulette-000", "rws-money-wheel"])
def test_an_action_that_takes_a_second_person_is_readable_at_every_size(
    console: ConsoleScreen, table: Tables, book: str
) -> None:
    made = table(book)
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    made.machine(SYSTEM, c.Interrupt(began_ms=0))
    console.phase("recovery")
    console.page.locator("[data-number]").last.click()
    console.says("with a second person")
    for width, height in (*SIZES.values(), (1024, 768)):
        console.page.set_viewport_size({"width": width, "height": height})
        assert console.next.evaluate(OVERPRINTED) == [], width
        console.picture(f"console-second-person-{book}-{width}")


def test_the_current_step_is_in_sight_on_a_phone(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.page.set_viewport_size({"width": 390, "height": 844})
    console.open(made)
    made.do(c.OpenRound(), c.CloseBets(), c.StartSpin())
    console.phase("spinning")
    expect(console.step("result")).to_be_in_viewport(ratio=0.99)
    made.do(c.EnterResult(result="17"))
    expect(console.step("confirm")).to_be_in_viewport(ratio=0.99)
    made.do(c.ConfirmResult(result="17"), c.OpenRound())
    expect(console.step("close")).to_be_in_viewport(ratio=0.99)
    assert console.page.evaluate("scrollX === 0 && scrollY === 0")


@pytest.mark.parametrize("book", ["mbs-roulette", "rws-roulette-000"])
def test_no_chip_hides_the_number_that_it_lies_on(console: ConsoleScreen, table: Tables, book: str) -> None:
    made = table(book)
    console.open(made)
    made.do(c.OpenRound())
    bets = {"straight:0": 500, "straight:5": 10_000, "straight:36": 10_000, "split:8/11": 500}
    made.do(c.PlaceBets(seat="1", stakes=tuple(c.Stake(bet, cents) for bet, cents in bets.items())))
    expect(console.page.locator(".felt .stake")).to_have_count(len(bets))
    hidden = """(felt) => {
        const chips = [...felt.querySelectorAll('.stake')].map((chip) => chip.getBoundingClientRect());
        const numbers = [...felt.querySelectorAll('.badge + text')]
            .map((text) => [text, text.getBoundingClientRect()]);
        const into = (at, from, to) => Math.min(Math.max(at, from), to);
        return numbers.filter(([, box]) => chips.some((chip) => {
            const [x, y] = [chip.left + chip.width / 2, chip.top + chip.height / 2];
            const [nearX, nearY] = [into(x, box.left, box.right), into(y, box.top + 3, box.bottom - 3)];
            return Math.hypot(nearX - x, nearY - y) < chip.width / 2 - 2;
        })).map(([text]) => text.textContent);
    }"""
    for width, height in SIZES.values():
        console.page.set_viewport_size({"width": width, "height": height})
        assert console.page.locator(".felt").evaluate(hidden) == [], width


def test_the_amount_on_an_outside_box_is_beside_its_name_or_under_it(
    console: ConsoleScreen, table: Tables
) -> None:
    limits = wide_limits(Rules(load_book("mbs-roulette")), maximum_cents=500_000_000)
    made = table("mbs-roulette", limits=limits)
    for _ in range(2):
        made.do(c.BuyCredits(seat="1", cents=90_000_000))
    console.open(made)
    made.do(c.OpenRound())
    made.bet("1", red=140_000_000, black=1_040_000, even=1500)
    meets = """(felt) => [...felt.querySelectorAll('.outside')].filter((amount) => {
        const [a, b] = [amount, amount.parentElement.querySelector('.label')]
            .map((text) => text.getBoundingClientRect());
        return a.left < b.right && b.left < a.right && a.top < b.bottom - 4 && b.top < a.bottom - 4;
    }).map((amount) => amount.textContent)"""
    expect(console.page.locator(".felt .outside").filter(has_text="1.4M")).to_be_visible()
    for width, height in SIZES.values():
        console.page.set_viewport_size({"width": width, "height": height})
        assert console.page.locator(".felt").evaluate(meets) == [], width


def test_a_seat_is_easily_touched_and_nobody_at_the_seats_is_no_good_sign(
    console: ConsoleScreen, table: Tables
) -> None:
    console.open(table("mbs-roulette", seats=8))
    for width, height in SIZES.values():
        console.page.set_viewport_size({"width": width, "height": height})
        seat = console.page.locator('.seats [data-seat="8"]')
        expect(seat).to_be_visible()
        row = seat.bounding_box()
        assert row is not None
        assert row["height"] >= 44, width
    console.page.set_viewport_size({"width": 1280, "height": 800})
    pill = console.page.locator(".pill").filter(has_text="0 of 8 seats")
    expect(pill).to_be_visible()
    expect(pill.locator("svg")).to_have_count(0)
