"""Tables of a floor's configuration: each fault at its own key, beside all others."""

from importlib import resources
from pathlib import Path

import pytest

from croupier.rulebook import load_book
from croupier.rulebook.vocabulary import ACTIONS
from server.test_config import ROOT, SMALL, faults, read
from table.american import AMERICAN

WITH_EUROS = SMALL.replace("[listen]", 'books = ["examples/french-roulette.toml"]\n[listen]')
SECOND = """
[[table]]
id = "T2"
book = "french-roulette"
seats = 3
lock_up = 1000
voucher_limit = 500

[table.limits]
every-bet = [1, 100]
"""


@pytest.mark.parametrize("demonstration", [False, True])
def test_all_tables_of_a_floor_play_in_one_currency(demonstration: bool) -> None:
    text = WITH_EUROS.replace("[listen]", "demonstration = true\n[listen]" if demonstration else "[listen]")
    ((_, code, sentence),) = faults(text + SECOND)
    assert code == "currency"
    assert "T1 in SGD, T2 in EUR" in sentence
    assert [table.id for table in read(text).tables] == ["T1"]


def test_what_a_table_would_refuse_is_found_beside_other_faults_each_at_its_own_place() -> None:
    broken = SMALL.replace("seats = 3", "seats = 0").replace(
        "betting_seconds = 30",
        'wheel = { id = "a\\nb" }\ntwo_people = ["decide", "chang-limits", 7, ""]\ngrace_seconds = -1',
    )
    assert [(line, code) for line, code, _ in faults(broken)] == [
        (13, "too-small"),
        (16, "control-character"),
        (17, "unknown-action"),
        (17, "wrong-type"),
        (17, "empty"),
        (18, "too-small"),
    ]
    unknown = broken.replace("mbs-roulette", "no-such-book")
    assert (17, "unknown-action") in [(line, code) for line, code, _ in faults(unknown)]


def test_limits_that_a_game_with_boxes_never_applies_are_found_at_their_keys() -> None:
    money = SMALL.replace("mbs-roulette", "rws-money-wheel")
    more = "lock_up = 1000\n", "lock_up = 0\n"
    limits = "seat = 5\nexposure = 7\n[table.limits.all-seats]\nsymbol = 4\n"
    assert [(line, code) for line, code, _ in faults((money + limits).replace(*more))] == [
        (14, "amount-small"),
        (20, "not-applied"),
        (21, "not-applied"),
        (22, "not-applied"),
    ]


def test_the_list_of_actions_for_two_people_is_whole() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith("`two_people`")]
    assert [word for word in line.split("`")[3::2] if word in ACTIONS] == [*ACTIONS]


def test_a_table_has_the_order_of_its_wheel_where_it_is_not_the_books() -> None:
    table = SMALL.replace("mbs-roulette", "rws-roulette-00")
    orders = {"american": AMERICAN, "book": load_book("rws-roulette-00").wheel.order}
    written = {name: f"betting_seconds = 30\npocket_order = {[*order]}" for name, order in orders.items()}

    (american,) = read(table.replace("betting_seconds = 30", written["american"])).tables
    (book,) = read(table.replace("betting_seconds = 30", written["book"])).tables
    assert (american.settings.pocket_order, book.settings.pocket_order) == (AMERICAN, ())
    for order, expected in ((AMERICAN, AMERICAN), (orders["book"], ())):
        elsewhere = f"betting_seconds = 30\npocket_order = {[*order[5:], *order[:5]]}"
        (begun_elsewhere,) = read(table.replace("betting_seconds = 30", elsewhere)).tables
        assert begun_elsewhere.settings.pocket_order == expected
    ((line, code, sentence),) = faults(
        SMALL.replace("mbs-roulette", "rws-money-wheel").replace("betting_seconds = 30", written["american"])
    )
    assert (line, code) == (17, "pocket-order")
    assert "only a wheel with a ball" in sentence


def test_a_sensor_wheel_stands_only_where_there_is_one_for_the_game() -> None:
    wheel = 'wheel = { source = "sensor", port = "/dev/ttyS0" }'
    on_a_wheel = SMALL.replace("betting_seconds = 30", wheel)
    assert read(on_a_wheel).tables[0].wheel_port == "/dev/ttyS0"
    ((line, code, sentence),) = faults(on_a_wheel.replace("mbs-roulette", "rws-money-wheel"))
    assert (line, code) == (16, "no-sensor-wheel")
    assert "there is no sensor wheel for rws-money-wheel" in sentence


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tcp://127.0.0.1:4001", "tcp://127.0.0.1:4001"),
        ("tcp://wheels.example:4001", "tcp://Wheels.Example.:4001"),
        ("tcp://[::1]:4001", "tcp://[0:0::1]:04001"),
        ("FOLDER/device", "FOLDER/by-id/wheel"),
    ],
)
def test_the_line_of_a_wheel_leads_to_one_table(one: str, other: str, tmp_path: Path) -> None:
    (tmp_path / "by-id").mkdir()
    (tmp_path / "by-id" / "wheel").symlink_to("../device")

    def floor(second: str) -> str:
        table = SMALL[SMALL.index("[[table]]") :]
        tables = [table, table.replace("T1", "T2"), table.replace("T1", "T3")]
        for place, port in enumerate((one, second)):
            wheel = f'wheel = {{ source = "sensor", port = "{port}" }}'
            tables[place] = tables[place].replace("betting_seconds = 30", wheel)
        return (SMALL[: SMALL.index("[[table]]")] + "".join(tables)).replace("FOLDER", str(tmp_path))

    ((line, code, sentence),) = faults(floor(other))
    assert (line, code) == (26, "double-port")
    assert "is that of table T1 already; T2 needs one of its own" in sentence
    assert len(read(floor(other.replace("4001", "4002").replace("wheel", "heels"))).tables) == 3


def test_a_book_of_ones_own_does_not_take_the_place_of_an_approved_game(tmp_path: Path) -> None:
    shipped = resources.files("croupier.rulebook").joinpath("books", "mbs-roulette.toml").read_bytes()
    (tmp_path / "mine.toml").write_bytes(shipped)
    ((line, code, sentence),) = faults(
        SMALL.replace("[listen]", 'books = ["mine.toml"]\n\n[listen]'), tmp_path
    )
    assert (line, code) == (6, "double-id")
    assert "mbs-roulette is a game that comes with croupier" in sentence


def test_a_table_is_named_once() -> None:
    table = SMALL[SMALL.index("[[table]]") :]
    assert [code for _, code, _ in faults(SMALL + table)] == ["double-id"]


def test_a_floor_without_tables_is_no_floor() -> None:
    assert [code for _, code, _ in faults(SMALL[: SMALL.index("[[table]]")])] == ["missing"]
