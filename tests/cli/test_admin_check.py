"""`croupier admin check`: limits that a game would never apply are found before a table has them."""

from pathlib import Path

import pytest

from cli.running import run
from server.test_config import SMALL


def checked(folder: Path, book: str, limit: str) -> tuple[int, str]:
    """The status, and what is said of a floor with one table that has such a limit."""
    path = folder / "croupier.toml"
    path.write_text(f"{SMALL.replace('mbs-roulette', book)}{limit}\n", encoding="utf-8")
    ran = run("admin", "check", str(path))
    return ran.status, ran.err


@pytest.mark.parametrize(
    ("limit", "key"),
    [
        ("seat = 50", "seat"),
        ("exposure = 50", "exposure"),
        ("[table.limits.all-seats]\nsymbol = 50", "all-seats"),
    ],
)
def test_a_limit_that_only_a_refusal_could_keep_is_a_fault_where_boxes_are_marked(
    tmp_path: Path, limit: str, key: str
) -> None:
    status, said = checked(tmp_path, "rws-money-wheel", limit)

    assert status == 2
    assert (
        f":20: table[0].limits.{key}: Money Wheel takes every bet and marks boxes, and never applies {key}"
        in said
    )


@pytest.mark.parametrize(
    ("book", "limit"),
    [("rws-money-wheel", "table = 50"), ("mbs-roulette", "seat = 50\nexposure = 50\ntable = 50")],
)
def test_limits_that_hold_are_sound(tmp_path: Path, book: str, limit: str) -> None:
    assert checked(tmp_path, book, limit) == (0, "")


def test_a_table_without_a_seat_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "croupier.toml"
    path.write_text(SMALL.replace("seats = 3", "seats = []"), encoding="utf-8")
    ran = run("admin", "check", str(path))
    assert ran.status == 2
    assert ":13: table[0].seats: a table has at least one seat; " in ran.err


def test_the_record_of_the_software_has_to_be_there_to_start_and_not_to_be_made(tmp_path: Path) -> None:
    path, record = tmp_path / "croupier.toml", tmp_path / "record.json"
    path.write_text(SMALL.replace("[listen]", f'integrity = "{record.name}"\n\n[listen]'), encoding="utf-8")
    ran = run("admin", "check", str(path))
    assert ran.status == 2
    assert (
        f":6: floor.integrity: The record {str(record)!r} cannot be read: No such file or directory."
        in ran.err
    )
    # A floor is set up, and its record made, before it is there.
    assert run("admin", "tables", "create", "--floor", str(path)).status == 0
    assert run("integrity", str(record), "--write", "--floor", str(path)).status == 0
    assert run("admin", "check", str(path)).status == 0
