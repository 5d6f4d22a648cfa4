"""The layouts of a table and of its seats, as a file names them."""

from collections import Counter
from pathlib import Path

import pytest

from clauses import clause
from croupier.server.config import Config, ConfigFaults
from croupier.server.config_reading import read_config
from croupier.server.demonstration import demonstration_config

TABLE = """\
[floor]
name = "Pit"
site = "Example"
journal = "journal.db"

[[table]]
id = "T1"
book = "rws-roulette-00"
{}
lock_up = 1000
voucher_limit = 500

[table.limits]
every-bet = [1, 100]
"""


def read(lines: str) -> Config:
    return read_config(TABLE.format(lines).encode(), "croupier.toml", Path())


def layouts_of(lines: str) -> list[str]:
    (table,) = read(lines).tables
    return [seat.layout for seat in table.seats]


@clause("rws-roulette-00:4.1.1", "rws-roulette-00:4.1.2")
def test_seats_of_both_layouts_stand_at_one_table() -> None:
    lines = (
        'layouts = ["A", "B"]\nseats = [{ id = "1", layout = "A" }, { id = "2", layout = "B" }, { id = "3" }]'
    )
    (table,) = read(lines).tables

    assert table.settings.layouts == ("A", "B")
    assert [seat.layout for seat in table.seats] == ["A", "B", "A"]
    assert "top-line" in table.settings.limits.bets


def test_a_table_that_names_no_layouts_has_all_of_its_book() -> None:
    (table,) = read("seats = 2").tables

    assert table.settings.layouts == ("A", "B")
    assert {seat.layout for seat in table.seats} == {"A"}


def test_a_number_of_seats_has_one_layout() -> None:
    assert layouts_of('seats = 2\nseat_layout = "B"') == ["B", "B"]
    assert layouts_of('layouts = ["B"]\nseats = 2') == ["B", "B"]


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ('layouts = ["C"]\nseats = 1', "layout", "Its layouts are A, B"),
        ('layouts = ["A", "A"]\nseats = 1', "double-id", "names a layout twice"),
        ("layouts = []\nseats = 1", "empty", "layouts is empty"),
        ('layouts = ["A"]\nseats = 1\nseat_layout = "B"', "unknown-word", "A"),
        ('layouts = ["A"]\nseats = [{ id = "1", layout = "B" }]', "unknown-word", "A"),
        ('seats = [{ id = "1" }]\nseat_layout = "B"', "not-needed", "leave seat_layout out"),
        ('layout = "A"\nseats = 1', "unknown-key", "layouts"),
    ],
)
def test_a_fault_of_layouts_is_found_at_its_place(lines: str, code: str, said: str) -> None:
    with pytest.raises(ConfigFaults) as found:
        read(lines)

    assert code in {fault.code for fault in found.value.faults}
    assert said in str(found.value)


def test_the_demonstration_has_one_double_zero_table_with_terminals_of_both_layouts(tmp_path: Path) -> None:
    tables = demonstration_config(tmp_path, 0).tables
    (table,) = (table for table in tables if table.settings.book == "rws-roulette-00")

    assert Counter(seat.layout for seat in table.seats) == {"A": 8, "B": 8}
