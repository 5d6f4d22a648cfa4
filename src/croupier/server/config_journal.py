"""The file and the journal: which tables are still to be created, and where the two say different things.

The journal is the truth about a table. What the file says otherwise is reported and never applied in silence.
"""

import contextlib
from collections.abc import Iterable, Mapping

import msgspec

from croupier.floor import load_table
from croupier.floor.loading import currency_of
from croupier.floor.streams import is_table
from croupier.journal import Store, StoreError
from croupier.rulebook import BadInput, Book, BookFaults, begun_at, show_cents
from croupier.server.config import Config, SeatConfig, TableConfig
from croupier.table import Limits, Seat, Settings, State
from croupier.table.ledger import credits_of, stakes_of
from croupier.table.settings import Range

HOW_LIMITS_CHANGE = (
    "Limits are changed at the pit (the command change-limits), or by 'croupier admin limits set' while the "
    "server is stopped; then both say the same."
)
HOW_THE_REST_CHANGES = (
    "It is set when a table is created; to have it otherwise, create a table with another id."
)
HOW_SEATS_CHANGE = "Seats are opened and closed at the table's console."


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the file says otherwise than the journal."""

    table: str
    what: str
    in_file: str
    in_journal: str
    how: str
    """How it is changed."""

    def __str__(self) -> str:
        return (
            f"Table {self.table}: {self.what} is {self.in_file} in the file and {self.in_journal} in the "
            f"journal, which holds. {self.how}"
        )


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The tables of a file beside those of a journal."""

    to_create: tuple[TableConfig, ...]
    differences: tuple[Difference, ...]
    only_in_journal: tuple[str, ...]
    """Tables that the file does not name: they are not run."""
    players_cents: dict[str, int] = {}
    """Those of them at which players have credits or stakes, and how much."""
    in_other_money: dict[str, str] = {}
    """Those of them that played in another currency than the tables of the file, and in which."""
    in_unknown_money: tuple[str, ...] = ()
    """Those of them whose book is not at hand, which alone says what they played in."""

    def warnings(self) -> list[str]:
        """What whoever starts the floor should know."""
        no_table = "the cage pays its vouchers, and no table takes them"
        unknown = "played by a book that is not at hand, so that its currency is not known"
        return [
            *map(str, self.differences),
            *map(self.not_run, self.only_in_journal),
            *(f"table {table} played in {money}: {no_table}" for table, money in self.in_other_money.items()),
            *(f"table {table} {unknown}: {no_table}" for table in self.in_unknown_money),
        ]

    def not_run(self, table: str) -> str:
        """What is said of a table that the file does not name."""
        sentence = f"table {table} is in the journal and not in the configuration: it is not run"
        if (cents := self.players_cents.get(table, 0)) == 0:
            return sentence
        return (
            f"{sentence}, and {show_cents(cents)} of credits and stakes wait there for their players: "
            "name it again, have them paid out and close it, and then take it out"
        )


def compare_journal(config: Config, store: Store) -> Comparison:
    """Compares a file with a journal; reads every table of the file in it.

    Refuses tables that would play in different currencies: a voucher of one is money at all others.
    """
    stored = {table for table in store.tables() if is_table(table)}
    states: dict[str, State] = {}
    played: dict[str, str] = {}
    for table in config.tables:
        played[table.id] = config.find_book(table.settings.book).currency
        if table.id in stored and (loaded := load_table(store, table.id, config.find_book)) is not None:
            states[table.id], played[table.id] = loaded.state, loaded.rules.book.currency
    states |= _of_others(config, store, stored - played.keys())
    before = {table: currency_of(store, table, config.find_book) for table in stored - played.keys()}
    compared = msgspec.structs.replace(
        compare_tables(config, states, stored),
        in_other_money=_of_other_money(played, before),
        in_unknown_money=tuple(sorted(table for table, currency in before.items() if not currency)),
    )
    together = played | compared.in_other_money if compared.to_create else played
    if len({*together.values()}) > 1:
        told = ", ".join(f"{table} in {currency}" for table, currency in sorted(together.items()))
        raise BadInput(
            "currency",
            f"The tables of this journal do not play in one currency: {told}.",
            "Give the tables of each currency a floor and a journal of their own.",
        )
    return compared


def _of_others(config: Config, store: Store, tables: Iterable[str]) -> dict[str, State]:
    """Tables that are not run, as far as they can be read: nobody waits for one that cannot."""
    states = {}
    for table in tables:
        with contextlib.suppress(BadInput, BookFaults, StoreError):
            if (loaded := load_table(store, table, config.find_book)) is not None:
                states[table] = loaded.state
    return states


def _players_cents(state: State) -> int:
    """What players have at a table: their credits, and what they have in play."""
    accounts = [account for seat in state.seats for account in (credits_of(seat), stakes_of(seat))]
    return sum(state.balances.get(account, 0) for account in accounts)


def _of_other_money(played: Mapping[str, str], before: Mapping[str, str]) -> dict[str, str]:
    """Of the tables that were played before, those with another currency, as far as it is known."""
    ours = {*played.values()}
    return {
        table: currency for table, currency in sorted(before.items()) if currency and currency not in ours
    }


def compare_tables(config: Config, states: Mapping[str, State], stored: Iterable[str]) -> Comparison:
    """Compares a file with the states that tables are in, and the names of all tables there are."""
    others = tuple(sorted({*stored} - {table.id for table in config.tables}))
    left = {table: _players_cents(states[table]) for table in others if table in states}
    return Comparison(
        to_create=tuple(table for table in config.tables if table.id not in states),
        differences=tuple(
            difference
            for table in config.tables
            if table.id in states
            for difference in differences(table, states[table.id], config.find_book(table.settings.book))
        ),
        only_in_journal=others,
        players_cents={table: cents for table, cents in left.items() if cents},
    )


def differences(table: TableConfig, state: State, book: Book) -> list[Difference]:
    """What the file says otherwise about one table, which plays by this book there."""
    settings = _as_in_files(state.settings, book.wheel.order)
    found = [
        Difference(
            table=table.id,
            what=field,
            in_file=_shown(field, getattr(table.settings, field)),
            in_journal=_shown(field, getattr(settings, field)),
            how=HOW_THE_REST_CHANGES,
        )
        for field in table.settings.__struct_fields__
        if field != "limits" and getattr(table.settings, field) != getattr(settings, field)
    ]
    found += _limits(table, state.limits)
    return found + _seats(table, state)


def _as_in_files(settings: Settings, order: tuple[str, ...]) -> Settings:
    """Settings with an own circle of the pockets told from the first of the book on, as one is read."""
    circle = begun_at(order[0], settings.pocket_order)
    return msgspec.structs.replace(settings, pocket_order=() if circle == order else circle)


def missing_seats(table: TableConfig, state: State) -> tuple[SeatConfig, ...]:
    """The seats of the file that the table has not opened."""
    return tuple(
        seat for seat in table.seats if seat.id not in state.seats or not state.seats[seat.id].in_use
    )


def limits_lines(limits: Limits) -> dict[str, str]:
    """Limits as they are written on the command line, by name."""
    lines = {key: _range(limit) for key, limit in sorted(limits.bets.items())}
    lines |= {f"all-seats/{key}": show_cents(cents) for key, cents in sorted(limits.spots.items())}
    totals = {"seat": limits.seat_cents, "table": limits.table_cents, "exposure": limits.exposure_cents}
    return lines | {key: show_cents(cents) for key, cents in totals.items() if cents is not None}


def _limits(table: TableConfig, limits: Limits) -> list[Difference]:
    in_file, in_journal = limits_lines(table.settings.limits), limits_lines(limits)
    return [
        Difference(
            table=table.id,
            what=f"the limit {key}",
            in_file=in_file.get(key, "none"),
            in_journal=in_journal.get(key, "none"),
            how=HOW_LIMITS_CHANGE,
        )
        for key in dict.fromkeys([*in_file, *in_journal])
        if in_file.get(key) != in_journal.get(key)
    ]


def _seats(table: TableConfig, state: State) -> list[Difference]:
    several = len(state.settings.layouts) > 1
    in_file = {seat.id: _place(seat, several=several) for seat in table.seats}
    in_journal = {seat.id: _place(seat, several=several) for seat in state.seats.values() if seat.in_use}
    if not in_journal:
        return []  # nobody has opened the table's seats yet
    return [
        Difference(
            table=table.id,
            what=f"seat {seat}",
            in_file=in_file.get(seat, "none"),
            in_journal=in_journal.get(seat, "none"),
            how=HOW_SEATS_CHANGE,
        )
        for seat in dict.fromkeys([*in_file, *in_journal])
        if in_file.get(seat) != in_journal.get(seat)
    ]


def _place(seat: SeatConfig | Seat, *, several: bool) -> str:
    return f"{seat.kind} with layout {seat.layout}" if several else seat.kind


def _shown(field: str, value: object) -> str:
    if field.endswith("_cents") and isinstance(value, int):
        return show_cents(value)
    if field == "pocket_order" and not value:
        return "the book's"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return "none" if value in (None, "") else str(value)


def _range(limit: Range) -> str:
    return f"{show_cents(limit.minimum_cents)}..{show_cents(limit.maximum_cents)}"
