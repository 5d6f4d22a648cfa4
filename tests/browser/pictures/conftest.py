"""What the pictures share: a server, tables and terminals in an evening that is always the same."""

import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from browser.browser_rig import PICTURES, Table
from browser.pictures.pictures_rig import SIZE, EveningServer, in_the_evening, usual_table
from browser.terminal_rig import TerminalScreen
from server.server_rig import LiveServer

# Other tests look at the same states of the screens; these are there for the pictures.
collect_ignore_glob = [] if PICTURES in os.environ else ["test_*.py"]

Tables = Callable[..., Table]
Terminals = Callable[..., TerminalScreen]


@pytest.fixture(scope="module")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """A small monitor in Singapore."""
    return {**browser_context_args, "viewport": SIZE, "timezone_id": "Asia/Singapore"}


@pytest.fixture
def context(context: BrowserContext) -> BrowserContext:
    """A browser in which it is that evening."""
    in_the_evening(context)
    return context


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, screens: Path) -> Iterator[LiveServer]:
    """A server in whose house it is that evening."""
    with EveningServer(tmp_path_factory.mktemp("pictures"), screens) as server:
        yield server


@pytest.fixture(scope="module")
def numbers() -> Iterator[int]:
    """Numbers for the tables."""
    return count(7)


@pytest.fixture
def table(live: LiveServer, numbers: Iterator[int]) -> Tables:
    """A table with usual limits, and rounds behind it."""

    def made(book: str = "mbs-roulette", **settings: Any) -> Table:
        return usual_table(live, f"RT-{next(numbers):02}", book, **settings)

    return made


@pytest.fixture
def terminal(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Terminals]:
    """Opens a terminal at a table, in that evening; whatever a page throws fails the test."""
    opened: list[TerminalScreen] = []

    def made(table: Table, seat: str = "1", *, line: bool = False, **context: Any) -> TerminalScreen:
        made_for = browser.new_context(**{**browser_context_args, **context})
        in_the_evening(made_for)
        opened.append(TerminalScreen(made_for, table, seat, line=line))
        return opened[-1].open()

    yield made
    for screen in opened:
        screen.page.context.close()
    assert [fault for screen in opened for fault in screen.faults] == []


@pytest.fixture
def seated(live: LiveServer) -> Iterator[Callable[[Table], Table]]:
    """Terminals for the seats of a table, so that its console sees them."""
    lines = AsyncExitStack()

    def sit(table: Table) -> Table:
        async def connect() -> None:
            for seat in table.state.seats:
                await lines.enter_async_context(await live.rig.seat(seat, table.name))

        live.run(connect)
        return table

    yield sit
    live.run(lines.aclose)
