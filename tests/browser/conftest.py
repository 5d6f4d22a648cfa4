"""What the tests in a browser share: the browser, the screens, a server, a console."""

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from browser.browser_rig import FLAGS, ConsoleScreen, Table, built_screens, chromium, make_table
from browser.terminal_rig import TerminalScreen
from server.server_rig import LiveServer

expect.set_options(timeout=15_000)


@pytest.fixture(scope="session")
def base_url() -> str | None:
    """No address of its own: every server of the tests has a port that is free."""
    return None


# A browser is driven from an event loop that stays in the test's thread as long as it is open. It ends with
# each module, because tests of other modules, which may follow in the same process, run loops of their own.


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """The browser that is there, also for somebody who is root."""
    path, environment = chromium()
    started = playwright.chromium.launch(
        executable_path=path, args=list(FLAGS), env={**os.environ, **environment}
    )
    yield started
    started.close()


@pytest.fixture(scope="module")
def browser_context_args() -> dict[str, Any]:
    """A dealer's monitor, in English, without motion."""
    return {
        "viewport": {"width": 1920, "height": 1080},
        "locale": "en-SG",
        "reduced_motion": "reduce",
        "color_scheme": "dark",
    }


@pytest.fixture(scope="session")
def screens() -> Path:
    """The screens as their sources are now."""
    return built_screens()


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A server with its staff and no tables yet."""
    path = tmp_path_factory.mktemp("live")
    with LiveServer(path, tables={}, app_options={"screens": screens}) as server:
        yield server


@pytest.fixture(scope="session")
def table_names() -> Iterator[int]:
    """Numbers for the tables that tests make."""
    return count(1)


@pytest.fixture
def table(live: LiveServer, table_names: Iterator[int]) -> Callable[..., Table]:
    """Makes a table of its own for the test."""

    def made(book: str = "mbs-roulette", **settings: Any) -> Table:
        return make_table(live, f"T{next(table_names)}", book, **settings)

    return made


@pytest.fixture
def console(page: Page, live: LiveServer) -> ConsoleScreen:
    """A console that nobody has signed in at."""
    return ConsoleScreen(page, live)


@pytest.fixture
def terminal(
    browser: Browser, browser_context_args: dict[str, Any]
) -> Iterator[Callable[..., TerminalScreen]]:
    """Opens a terminal at a table; whatever a page throws fails the test."""
    opened: list[TerminalScreen] = []

    def made(table: Table, seat: str = "1", *, line: bool = False, **context: Any) -> TerminalScreen:
        made_for = browser.new_context(**{**browser_context_args, **context})
        screen = TerminalScreen(made_for, table, seat, line=line)
        opened.append(screen)
        return screen.open()

    yield made
    for screen in opened:
        screen.page.context.close()
    assert [fault for screen in opened for fault in screen.faults] == []
