"""A floor's configuration beside its journal: what is to be created, and what the two say otherwise."""

from pathlib import Path

import msgspec
import pytest

from croupier.floor import ManualClock, create_table
from croupier.floor.office.command import command_stopped_table
from croupier.journal import open_store
from croupier.rulebook import BadInput
from croupier.server.config_journal import compare_journal, differences, missing_seats
from croupier.table import Actor, Command, Rules, evolve, submit, table_rules
from croupier.table import commands as c
from croupier.table.state import new_state
from server.test_config import SMALL, read
from server.test_config_tables import SECOND
from table.rig import START_MS, SUPERVISOR


class Floor:
    """A journal with the table of the small file."""

    def __init__(self, path: Path) -> None:
        self.config = read(SMALL.replace('"journal.db"', f'"{path / "journal.db"}"'))
        self.store = open_store(self.config.journal)
        (self.table,) = self.config.tables
        self.rules = Rules(self.config.find_book(self.table.settings.book), self.table.settings.layouts)
        self.clock = ManualClock(START_MS)


def test_tables_that_the_journal_does_not_have_are_to_be_created(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    compared = compare_journal(floor.config, floor.store)
    assert (compared.to_create, compared.differences, compared.only_in_journal) == ((floor.table,), (), ())

    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    compared = compare_journal(floor.config, floor.store)
    assert (compared.to_create, compared.differences) == ((), ())
    floor.store.close()


def test_what_the_file_says_otherwise_is_reported_with_how_it_is_changed(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    changed = read(
        SMALL.replace("every-bet = [1, 100]", "every-bet = [1, 100]\nstraight = [1, 50]\nseat = 300")
        .replace("lock_up = 1000", "lock_up = 2000")
        .replace('"journal.db"', f'"{tmp_path / "journal.db"}"')
    )
    found = {one.what: one for one in compare_journal(changed, floor.store).differences}

    assert set(found) == {"lock_up_cents", "the limit straight", "the limit seat"}
    assert (found["lock_up_cents"].in_file, found["lock_up_cents"].in_journal) == ("2000.00", "1000.00")
    assert found["the limit straight"].in_journal == "1.00..100.00"
    assert found["the limit seat"].in_journal == "none"
    assert "change-limits" in found["the limit straight"].how
    assert "another id" in found["lock_up_cents"].how
    assert "the journal, which holds" in str(found["the limit seat"])
    floor.store.close()


def test_another_order_of_the_pockets_is_reported(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    first, *others = floor.rules.book.wheel.order
    order = [first, *others[::-1]]
    changed = read(
        SMALL.replace("betting_seconds = 30", f"betting_seconds = 30\npocket_order = {order}").replace(
            '"journal.db"', f'"{tmp_path / "journal.db"}"'
        )
    )
    (found,) = compare_journal(changed, floor.store).differences

    assert (found.what, found.in_file, found.in_journal) == ("pocket_order", ", ".join(order), "the book's")
    floor.store.close()


@pytest.mark.parametrize("step", [1, -1])
def test_the_same_circle_of_pockets_is_no_difference_wherever_it_is_begun(tmp_path: Path, step: int) -> None:
    """A journal may have it from a time when files were taken as they were written."""
    floor = Floor(tmp_path)
    circle = floor.rules.book.wheel.order[::step]
    recorded = (*circle[5:], *circle[:5])
    settings = msgspec.structs.replace(floor.table.settings, pocket_order=recorded)
    create_table(floor.store, table_rules(floor.rules.book, settings), settings, START_MS, SUPERVISOR)
    for order in (circle, recorded, (*circle[9:], *circle[:9])):
        written = read(
            SMALL.replace("betting_seconds = 30", f"betting_seconds = 30\npocket_order = {[*order]}").replace(
                '"journal.db"', f'"{tmp_path / "journal.db"}"'
            )
        )
        assert compare_journal(written, floor.store).differences == ()
    floor.store.close()


def test_tables_that_only_the_journal_has_are_named(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    renamed = read(
        SMALL.replace('id = "T1"', 'id = "T2"').replace('"journal.db"', f'"{tmp_path / "journal.db"}"')
    )
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    compared = compare_journal(renamed, floor.store)
    assert compared.only_in_journal == ("T1",)
    assert [table.id for table in compared.to_create] == ["T2"]
    floor.store.close()


def test_a_table_that_is_not_run_any_more_is_named_with_the_money_of_its_players(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    dealer, player = Actor(id="d", position="dealer"), Actor(id="p", position="player", seat="1")
    find_book = floor.config.find_book
    for actor, do in (
        (SUPERVISOR, c.OpenTable()),
        (dealer, c.OpenSeat(seat="1", kind="rapid-select")),
        (player, c.BuyCredits(seat="1", cents=12_500)),
        (dealer, c.OpenRound()),
        (player, c.PlaceBets(seat="1", stakes=(c.Stake("red", 500),))),
    ):
        reply = command_stopped_table(floor.store, floor.clock, "T1", do, actor, None, find_book)
        assert reply.rejection is None
        floor.clock.advance(1)  # a command's number is its time
    renamed = read(
        SMALL.replace('id = "T1"', 'id = "T2"').replace('"journal.db"', f'"{tmp_path / "journal.db"}"')
    )
    compared = compare_journal(renamed, floor.store)
    assert compared.players_cents == {"T1": 12_500}
    assert compared.warnings() == [
        "table T1 is in the journal and not in the configuration: it is not run, and 125.00 of credits and "
        "stakes wait there for their players: name it again, have them paid out and close it, and then take "
        "it out"
    ]
    floor.store.close()


def euros(path: Path, table: str) -> str:
    """The small file with a book of its own, whose currency is another."""
    book = Path(__file__).parents[2] / "examples" / "french-roulette.toml"
    return (
        SMALL.replace('"journal.db"', f'"{path / "journal.db"}"\nbooks = ["{book}"]')
        .replace("mbs-roulette", "french-roulette")
        .replace('id = "T1"', f'id = "{table}"')
    )


def test_a_table_of_another_currency_than_those_of_the_journal_is_not_created(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    with pytest.raises(BadInput, match=r"do not play in one currency: T1 in SGD, T2 in EUR\.") as refused:
        compare_journal(read(euros(tmp_path, "T2")), floor.store)
    assert refused.value.code == "currency"
    floor.store.close()


def test_a_journal_that_has_several_currencies_already_is_run_one_of_them_at_a_time(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    french = read(euros(tmp_path, "T2"))
    for config in (floor.config, french):
        (table,) = config.tables
        rules = Rules(config.find_book(table.settings.book), table.settings.layouts)
        create_table(floor.store, rules, table.settings, START_MS, SUPERVISOR)

    run_in_euros = compare_journal(french, floor.store)
    assert run_in_euros.in_other_money == {"T1": "SGD"}
    assert run_in_euros.warnings() == [
        "table T1 is in the journal and not in the configuration: it is not run",
        "table T1 played in SGD: the cage pays its vouchers, and no table takes them",
    ]
    floor.store.close()


def test_whoever_starts_a_floor_is_told_whose_vouchers_no_table_takes(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    (table,) = read(euros(tmp_path, "T2")).tables
    french = read(euros(tmp_path, "T2")).find_book(table.settings.book)
    create_table(floor.store, Rules(french, table.settings.layouts), table.settings, START_MS, SUPERVISOR)
    settings = msgspec.structs.replace(floor.table.settings, table="T0")
    edited = msgspec.structs.replace(floor.rules.book, sha256="0" * 64)
    create_table(floor.store, Rules(edited, settings.layouts), settings, START_MS, SUPERVISOR)

    compared = compare_journal(floor.config, floor.store)

    # The book of T2 is not named in this file, and that of T0 is another one now.
    assert (compared.in_other_money, compared.in_unknown_money) == ({}, ("T0", "T2"))
    assert [table.id for table in compared.to_create] == ["T1"]
    assert compared.warnings()[2:] == [
        "table T0 played by a book that is not at hand, so that its currency is not known: "
        "the cage pays its vouchers, and no table takes them",
        "table T2 played by a book that is not at hand, so that its currency is not known: "
        "the cage pays its vouchers, and no table takes them",
    ]
    floor.store.close()


def test_what_a_table_of_the_journal_plays_in_is_what_counts(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    create_table(floor.store, floor.rules, floor.table.settings, START_MS, SUPERVISOR)
    with pytest.raises(BadInput, match=r"T1 in SGD, T2 in EUR"):
        compare_journal(read(euros(tmp_path, "T1") + SECOND), floor.store)
    floor.store.close()


def test_seats_are_compared_once_the_table_has_some(tmp_path: Path) -> None:
    floor = Floor(tmp_path)
    state = new_state(floor.table.settings)
    assert differences(floor.table, state, floor.rules.book) == []
    assert [seat.id for seat in missing_seats(floor.table, state)] == ["1", "2", "3"]
    for number, seat in enumerate(("1", "7"), 1):
        command = Command(
            at_ms=START_MS,
            actor=Actor(id="d", position="dealer"),
            sender="d",
            number=number,
            do=c.OpenSeat(seat=seat, kind="rapid-select"),
        )
        for entry in submit(floor.rules, state, command).entries:
            evolve(floor.rules, state, entry)
    found = {
        one.what: (one.in_file, one.in_journal) for one in differences(floor.table, state, floor.rules.book)
    }
    assert found == {
        "seat 2": ("rapid-select", "none"),
        "seat 3": ("rapid-select", "none"),
        "seat 7": ("none", "rapid-select"),
    }
    assert [seat.id for seat in missing_seats(floor.table, state)] == ["2", "3"]
    floor.store.close()
