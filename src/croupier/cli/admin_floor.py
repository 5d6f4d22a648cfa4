"""Which floor an admin command is about: the one of a `croupier.toml`, or a journal by its address."""

import argparse
import asyncio
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from croupier.cli.journals import missing_book, open_to_write
from croupier.rulebook import BadInput, Book, load_book, shipped_books

if TYPE_CHECKING:
    from croupier.floor.clock import Clock
    from croupier.floor.office.office import Office, Who
    from croupier.journal import Store
    from croupier.server.access import AccessPolicy
    from croupier.server.config import Config

DEFAULT_FILE = "croupier.toml"
WHERE = "[--floor FILE | --journal ADDRESS] [--json]"


class Floor(NamedTuple):
    """A journal that is open, and the file that it was named in, if any."""

    store: "Store"
    clock: "Clock"
    config: "Config | None"
    policy: "AccessPolicy"

    def find_book(self, book_id: str) -> Book:
        """A book by its id: one that comes along, or one that the floor's file names."""
        if book_id in shipped_books():
            return load_book(book_id)
        if self.config is None:
            raise missing_book(book_id, "Name the floor's file with --floor FILE; it names the book's.")
        if book_id not in self.config.books:
            raise missing_book(book_id, f"Name its file in {self.config.source}, under books.")
        return self.config.books[book_id]

    def office(self) -> "Office":
        """The office, read to its end."""
        from croupier.floor.office.office import Office

        office = Office(self.store, self.clock)
        office.catch_up()
        return office

    def needs_config(self) -> "Config":
        """The file, for what no journal knows."""
        if self.config is None:
            raise BadInput("no-file", "This takes the floor's file.", "Name it with --floor FILE.")
        return self.config


def add_floor(parser: argparse.ArgumentParser) -> None:
    """Which floor a command is about."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--floor", metavar="FILE", help=f"the floor's file ({DEFAULT_FILE} here, where not named)"
    )
    where.add_argument("--journal", metavar="ADDRESS", help="a journal's file, or its PostgreSQL address")
    parser.add_argument("--json", action="store_true", help="print JSON")


def read_floor(path: str, *, to_start: bool = False) -> "Config":
    """A floor's file; its faults are bad input, and so is what it lacks `to_start` where that is asked."""
    need_server()
    from croupier.server.config import ConfigFaults
    from croupier.server.config_reading import load_config

    try:
        return load_config(Path(path), to_start=to_start)
    except ConfigFaults as error:
        raise BadInput("config-faults", str(error)) from error


@contextmanager
def open_floor(args: argparse.Namespace, *, create: bool = False) -> Iterator[Floor]:
    """The floor of a command for as long as it runs; only a floor's file may have a journal made."""
    need_server()
    from croupier.floor import SystemClock
    from croupier.journal import StoreError
    from croupier.server.access import AccessPolicy

    config = None if args.journal is not None else read_floor(args.floor or DEFAULT_FILE)
    address = args.journal if config is None else config.journal
    may_create = create and config is not None
    if may_create and "://" not in address:
        _make_folder(Path(address).parent)
    try:
        store = open_to_write(address, must_exist=not may_create)
        try:
            policy, clock = AccessPolicy() if config is None else config.access, SystemClock()
            if may_create and config is not None and config.demonstration:
                _begin_demonstration(store, clock, policy)
            yield Floor(store, clock, config, policy)
        finally:
            store.close()
    except StoreError as error:
        right = "Name a floor's file with --floor, or its journal with --journal."
        raise BadInput("journal-unusable", str(error), right) from error


def _begin_demonstration(store: "Store", clock: "Clock", policy: "AccessPolicy") -> None:
    """What a demonstration's journal is known by comes first, as where a server begins it."""
    from croupier.server.demonstration import add_staff, check_journal

    check_journal(store, demonstration=True)
    asyncio.run(add_staff(store, clock, policy.hash_cost))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sentence = f"The folder {str(folder)!r} cannot be made: {error.strerror}."
        raise BadInput("journal-unusable", sentence, "Name another place for the journal.") from error


def who_runs_this() -> "Who":
    """Whoever runs the command, by their account: who may write to the journal's file is its business."""
    from croupier.floor.office.office import Who

    try:
        import pwd

        account = pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):  # not on Windows, nor for an account without a name
        account = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return Who(f"admin/{account}", "operator")


def need_server() -> None:
    """Refuses where the server's libraries are not installed."""
    try:
        import croupier.server.access  # noqa: F401  # only whether it can be imported
    except ModuleNotFoundError as error:
        if (error.name or "croupier").startswith("croupier"):
            raise
        raise BadInput(
            "server-missing",
            f"This needs {error.name}, which is not installed.",
            "Install croupier[server].",
        ) from error
