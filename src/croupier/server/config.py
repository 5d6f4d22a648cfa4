"""What an operator sets for a floor in its `croupier.toml`, checked whole before anything starts."""

from collections.abc import Mapping

import msgspec

from croupier.journal.opening import is_postgres
from croupier.rulebook import Book, Fault, load_book
from croupier.server.access import AccessPolicy
from croupier.server.config_bus import bus_shown
from croupier.server.input_limits import InputLimits
from croupier.table import Settings


class Listen(msgspec.Struct, frozen=True, kw_only=True):
    """Where the server is reached."""

    host: str
    port: int
    behind_proxy: bool = False
    """Whether somebody else in front of it speaks TLS with the clients."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that are believed where a client really comes from."""
    origins: tuple[str, ...] = ()
    """Where pages come from that may talk to the server, beside its own."""


class Tls(msgspec.Struct, frozen=True, kw_only=True):
    """The files with which the server speaks TLS itself."""

    certificate: str
    key: str


class Servers(msgspec.Struct, frozen=True, kw_only=True):
    """How this server runs the floor together with others."""

    bus: str
    """Where NATS is, with what it takes to get in; several places are separated by commas. Never shown."""
    name: str
    """Which of the servers this one is."""
    tables: tuple[str, ...]
    """The tables that it takes first."""

    @property
    def bus_shown(self) -> str:
        """The bus as it may stand in a log: without user and password."""
        return bus_shown(self.bus)

    def __repr__(self) -> str:
        # Whoever prints a configuration, or has it in an error, prints no password.
        return f"Servers(bus={self.bus_shown!r}, name={self.name!r}, tables={self.tables!r})"


class SeatConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that a table has."""

    id: str
    kind: str
    layout: str


class TableConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A table as the file has it; what the journal has of it stays as it is."""

    settings: Settings
    seats: tuple[SeatConfig, ...]
    wheel_port: str | None = None
    """Where a wheel with sensors is connected: a serial device, or tcp://host:port."""
    line: int
    """Where in the file it stands."""

    @property
    def id(self) -> str:
        """The name of the table."""
        return self.settings.table


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """A floor."""

    source: str
    """The file that it was read from."""
    name: str
    site: str
    time_zone: str
    shifts: tuple[str, ...]
    """When the shifts of a gaming day begin; the first one begins the day."""
    journal: str
    """The path of a SQLite file, or a PostgreSQL address."""
    voucher_key: str
    """The file that holds the key of the voucher numbers; made on first use."""
    voucher_days: int
    wheel_alarm_one_in: int
    """How rare a false alarm about a fair wheel is to be, in the wheel's whole life."""
    integrity: str | None
    """The record that the installed software has to be like; None where it is not checked."""
    demonstration: bool
    listen: Listen
    tls: Tls | None
    input: InputLimits
    access: AccessPolicy
    books: Mapping[str, Book]
    """Books of the operator's own, by id."""
    book_files: tuple[str, ...]
    """Where those books were read from."""
    tables: tuple[TableConfig, ...]
    servers: Servers | None = None
    """None where the floor has one server."""

    def __repr__(self) -> str:
        # An address of PostgreSQL may hold a password, in more places than one.
        journal = "postgresql://..." if is_postgres(self.journal) else self.journal
        tables = [table.id for table in self.tables]
        return (
            f"Config(source={self.source!r}, name={self.name!r}, journal={journal!r}, tables={tables!r}, "
            f"servers={self.servers!r})"
        )

    def find_book(self, book_id: str) -> Book:
        """A book by its id: the operator's own first, then those that come along."""
        return load_book(book_id, self.books)


class ConfigFaults(ValueError):
    """A file that cannot be used, with everything that is wrong with it and where."""

    def __init__(self, source: str, faults: list[Fault]) -> None:
        self.source = source
        self.faults = tuple(sorted(faults))
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        lines = [
            f"{source}:{fault.line}: {fault.place}: {fault.sentence} [{fault.code}]" for fault in self.faults
        ]
        super().__init__("\n".join([f"{source} has {count}:", *lines]))
