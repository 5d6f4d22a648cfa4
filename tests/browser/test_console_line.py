"""A console whose line to the floor breaks: it says so, waits, and neither loses nor doubles anything."""

import json
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from browser.browser_rig import ConsoleScreen, Table

Tables = Callable[..., Table]

WAITING = """Object.entries(sessionStorage).filter(([key]) => key.startsWith('croupier.orders.'))
    .reduce((sum, [, kept]) => sum + JSON.parse(kept).waiting.length, 0)"""
"""How many commands the page keeps because nobody has answered them."""


class Line:
    """What is between a page and its floor; it can be cut, and answers can be lost on it."""

    def __init__(self, page: Page) -> None:
        self.is_cut = False
        self.loses_answers = False
        self.commands: list[int] = []
        self._open: list[WebSocketRoute] = []
        page.route_web_socket("**/ws", self._carry)

    def _carry(self, route: WebSocketRoute) -> None:
        if self.is_cut:
            route.close()
            return
        floor = route.connect_to_server()

        def up(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "command":
                self.commands.append(said["number"])
            floor.send(message)

        def down(message: str | bytes) -> None:
            if not self.loses_answers or json.loads(message)["type"] in ("welcome", "snapshot"):
                route.send(message)

        route.on_message(up)
        floor.on_message(down)
        self._open.append(route)

    def cut(self) -> None:
        """Nothing gets through any more."""
        self.is_cut = True
        for route in self._open:
            route.close()
        self._open = []

    def mend(self) -> None:
        """The floor can be reached again."""
        self.is_cut, self.loses_answers = False, False


def test_a_lost_line_is_said_and_nothing_is_done_until_it_is_back(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table()
    line = Line(console.page)
    console.open(made)
    console.says("Open round 1")
    line.cut()
    console.says("No connection")
    console.press("Space", "Space")
    assert made.state.round is None
    line.mend()
    console.says("Open round 1")
    console.press("Space")
    console.phase("betting")


def test_without_a_line_a_running_round_is_not_denied(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    line = Line(console.page)
    console.open(made)
    console.press("Space")
    console.phase("betting")
    stop = console.page.locator(".halt")
    expect(stop).to_be_enabled()
    line.cut()
    expect(stop).to_be_disabled()
    expect(stop).to_contain_text("No connection")
    expect(stop).not_to_contain_text("No round is running")


def test_what_happened_meanwhile_is_there_when_the_line_is_back(
    console: ConsoleScreen, table: Tables
) -> None:
    made = table()
    line = Line(console.page)
    console.open(made)
    line.cut()
    console.says("No connection")
    made.live.play(made.name, {"1": {"red": 1000}}, "1")
    line.mend()
    console.says("Open round 2")
    expect(console.panel("Round log")).to_contain_text("Round 1 settled, 1")


def test_a_command_whose_answer_was_lost_is_given_once(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    line = Line(console.page)
    console.open(made)
    console.says("Open round 1")
    line.loses_answers = True
    console.press("Space")
    console.page.wait_for_function(f"() => {WAITING} === 1")
    line.cut()
    console.says("No connection")
    line.mend()
    console.phase("betting")
    assert made.state.round_number == 1
    console.page.wait_for_function(f"() => {WAITING} === 0")
    expect(console.panel("Notices")).to_contain_text("Nothing to look at")
    first, again = line.commands
    assert first == again


def test_a_reload_in_the_middle_of_a_round_shows_it_as_it_was(console: ConsoleScreen, table: Tables) -> None:
    made = table()
    console.open(made)
    console.press("Space")
    console.phase("betting")
    made.bet("1", straight__17=2500)
    console.press("Space")
    console.phase("closed")
    console.press("Space")
    console.phase("spinning")
    console.page.reload()
    console.phase("spinning")
    expect(console.panel("Round log")).to_contain_text("Bets opened")
    expect(console.step("close")).to_contain_text("dee")
    console.press("1", "7", "Enter")
    console.phase("resulted")


def test_rules_that_could_not_be_read_are_read_again(console: ConsoleScreen, table: Tables) -> None:
    made = table("mbs-roulette")
    console.page.route("**/api/books/**", lambda route: route.abort())
    console.page.goto(f"{console.live.base_url}/console#table={made.name}")
    console.sign_in()
    expect(console.page.get_by_role("main")).to_contain_text("The rules of this table could not be read.")
    console.page.unroute("**/api/books/**")
    console.phase("idle")
