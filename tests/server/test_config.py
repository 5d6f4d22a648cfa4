"""A floor's configuration: what a sound file gives, and every fault of an unsound one at its place."""

import contextlib
import datetime
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rulebook import BadInput
from croupier.server.access import AccessPolicy
from croupier.server.config import Config, ConfigFaults, SeatConfig
from croupier.server.config_reading import load_config, read_config
from croupier.server.input_limits import InputLimits
from croupier.table import Range

ROOT = Path(__file__).parents[2]

SMALL = """\
[floor]
name = "Pit"
site = "Example"
journal = "journal.db"

[listen]
host = "127.0.0.1"
port = 8000

[[table]]
id = "T1"
book = "mbs-roulette"
seats = 3
lock_up = 1000
voucher_limit = 500
betting_seconds = 30

[table.limits]
every-bet = [1, 100]
"""


def read(text: str, folder: Path = ROOT) -> Config:
    return read_config(text.encode(), "croupier.toml", folder)


def faults(text: str, folder: Path = ROOT) -> list[tuple[int, str, str]]:
    """Line, code and sentence of every fault."""
    with pytest.raises(ConfigFaults) as found:
        read(text, folder)
    lines = str(found.value).splitlines()
    assert lines[0].startswith("croupier.toml has ")
    assert all(line.startswith("croupier.toml:") for line in lines[1:])
    return [(fault.line, fault.code, fault.sentence) for fault in found.value.faults]


def test_the_example_is_sound_and_complete() -> None:
    config = load_config(ROOT / "examples" / "croupier.toml")

    assert [table.id for table in config.tables] == [
        "roulette-1",
        "roulette-2",
        "roulette-3",
        "money-wheel-1",
    ]
    first, second, third, fourth = config.tables
    assert config.journal == str(ROOT / "examples" / "data" / "journal.db")
    assert (config.time_zone, config.demonstration, config.tls) == ("Asia/Singapore", False, None)
    assert config.access == AccessPolicy()
    assert config.input == InputLimits()
    assert (first.wheel_port, second.wheel_port, third.wheel_port) == (
        "/dev/ttyUSB0",
        "tcp://10.20.0.22:4001",
        None,
    )
    assert [table.settings.spin_source for table in config.tables] == [
        "sensor",
        "sensor",
        "hand",
        "hand",
    ]
    assert first.settings.limits.bets["straight"] == Range(minimum_cents=500, maximum_cents=10_000)
    assert first.settings.limits.bets["red"] == Range(minimum_cents=500, maximum_cents=200_000)
    assert first.settings.limits.spots == {"straight": 50_000}
    assert first.settings.limits.exposure_cents == 10_000_000
    assert second.settings.limits.bets["top-line"] == Range(minimum_cents=250, maximum_cents=100_000)
    assert len(first.seats) == 12
    assert second.seats[2] == SeatConfig(id="3", kind="rapid", layout="B")
    assert third.settings.betting_seconds is None
    assert fourth.seats[0].kind == "place"


def test_what_is_left_out_has_its_usual_value() -> None:
    config = read(SMALL.replace('[listen]\nhost = "127.0.0.1"\nport = 8000\n', ""))

    assert (config.listen.host, config.listen.port) == ("127.0.0.1", 8000)
    assert (config.time_zone, config.voucher_days) == ("UTC", 30)
    assert config.tables[0].settings.layouts == ("main",)
    assert config.tables[0].settings.spin_source == "hand"
    assert config.voucher_key == str(ROOT / "voucher.key")


def test_a_postgresql_address_stays_as_it_is() -> None:
    address = "postgresql://pit@db.example/floor?sslmode=verify-full"
    assert read(SMALL.replace('"journal.db"', f'"{address}"')).journal == address


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("postgresql://pit@db.example/floor", "db.example"),
        ("postgresql://pit@db.example/floor?sslmode=require", "db.example"),
        ("postgresql://pit@[2001:db8::1]:5432,127.0.0.1,db2.example:5433/floor", "2001:db8::1, db2.example"),
        ("postgresql:///floor?host=db.example", "db.example"),
        ("postgresql:///floor?hostaddr=192.0.2.1", "192.0.2.1"),
    ],
)
def test_a_journal_on_another_machine_is_not_reached_in_the_clear(address: str, hosts: str) -> None:
    floor = SMALL.replace('"journal.db"', f'"{address}"')
    ((_, code, sentence),) = faults(floor)
    assert code == "journal-in-the-clear"
    assert f"the way to {hosts} is not encrypted" in sentence
    assert "sslmode=verify-full" in sentence
    # A tunnel that somebody else looks after is said to be there.
    tunnelled = floor.replace('site = "Example"', 'journal_in_the_clear = true\nsite = "Example"')
    assert read(tunnelled).journal == address


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:///floor",
        "postgresql://pit@localhost/floor",
        "postgresql://pit@127.0.0.1:5432/floor",
        "postgresql://pit@[::1]/floor",
        "postgresql://pit@%2Fvar%2Frun/floor",
        "postgresql:///floor?host=/var/run",
        "postgresql://pit@db.example/floor?sslmode=verify-ca",
    ],
)
def test_a_journal_on_this_machine_or_behind_a_certificate_is_taken(address: str) -> None:
    assert read(SMALL.replace('"journal.db"', f'"{address}"')).journal == address


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "says"),
    [
        ('name = "Pit"', "", 1, "missing", "name is missing"),
        ('name = "Pit"', 'nane = "Pit"', 2, "unknown-key", "Did you mean name?"),
        ("[listen]", "[listens]", 6, "unknown-key", "Did you mean listen?"),
        ('site = "Example"', 'time_zone = "Asia/Singapur"\nsite = "x"', 3, "unknown-zone", "Asia/Singapore"),
        ('site = "Example"', 'time_zone = "Asia"\nsite = "x"', 3, "unknown-zone", "Asia/Singapore"),
        ('site = "Example"', 'currency = "EUR"\nsite = "x"', 3, "currency", "T1 plays in SGD"),
        ('site = "Example"', 'books = ["none.toml"]\nsite = "x"', 3, "book", "cannot be opened"),
        ('site = "Example"', 'voucher_days = 0\nsite = "x"', 3, "too-small", "at least 1"),
        ("port = 8000", "port = 65536", 8, "too-large", "at most 65,535"),
        ("port = 8000", 'port = "8000"', 8, "wrong-type", "is not a whole number"),
        ("port = 8000", "port = true", 8, "wrong-type", "is not a whole number"),
        ('"127.0.0.1"', '"0.0.0.0"', 7, "not-encrypted", "behind_proxy = true"),
        ('"127.0.0.1"', '"pit.example"', 7, "not-encrypted", "[tls]"),
        ("port = 8000", 'origins = ["pit.example"]', 8, "origin-malformed", "https://pit.example"),
        ("port = 8000", 'origins = ["https://pit.example/x"]', 8, "origin-malformed", "is not an origin"),
        ("[[table]]", "[sessions]\nhours = 25\n[[table]]", 11, "too-large", "at most 24"),
        ("[[table]]", "[lock_out]\nfailures = 0\n[[table]]", 11, "too-small", "at least 1"),
        ("[[table]]", "[lock_out]\nwindow_minutes = 1441\n[[table]]", 11, "too-large", "at most 1,440"),
        ("[[table]]", "[input]\nmessage_bytes = 10\n[[table]]", 11, "too-small", "at least 1024"),
        ("[[table]]", "[input]\nconnections_of_address = 0\n[[table]]", 11, "too-small", "at least 1"),
        ("[[table]]", "[input]\nmesage_bytes = 9999\n[[table]]", 11, "unknown-key", "message_bytes?"),
        ('id = "T1"', 'id = "cage"', 11, "reserved-id", "part of the journal"),
        ('id = "T1"', 'id = "office"', 11, "reserved-id", "part of the journal"),
        ('id = "T1"', 'id = "T 1"', 11, "bad-name", "letters, digits and single hyphens"),
        ('"mbs-roulette"', '"mbs-rulette"', 12, "book", "Use one of"),
        ("seats = 3", 'layouts = ["A"]\nseats = 3', 13, "layout", "main"),
        ("seats = 3", "seats = 0", 13, "too-small", "at least 1"),
        ("seats = 3", "seats = 2001", 13, "too-large", "at most 2,000"),
        ("seats = 3", 'seats = "3"', 13, "wrong-type", "a number of seats"),
        ("seats = 3", 'seats = 3\nseat_kind = "rapid"', 14, "unknown-word", "rapid-fusion"),
        ("seats = 3", 'seats = [{ id = "1" }, { id = "1" }]', 13, "double-id", "a seat 1 already"),
        ("seats = 3", 'seats = [{ id = "1", kin = "x" }]', 13, "unknown-key", "Did you mean kind?"),
        ("seats = 3", "", 10, "missing", "seats is missing"),
        ("lock_up = 1000", "lock_up = 10.5", 14, "amount-malformed", "in quotes"),
        ("lock_up = 1000", 'lock_up = "ten"', 14, "amount-malformed", "is not an amount"),
        ("lock_up = 1000", "lock_up = 0", 14, "amount-small", "at least 0.01"),
        ("lock_up = 1000", "lock_up = -5", 14, "amount-malformed", "no sign"),
        ("lock_up = 1000", "lock_up = 99999999999999999999", 14, "amount-malformed", "is not an amount"),
        ("lock_up = 1000", "", 10, "missing", "lock_up is missing"),
        ("betting_seconds = 30", "betting_seconds = 5", 16, "too-small", "longer than the 5 s"),
        (
            "betting_seconds = 30",
            'wheel = { source = "radio" }',
            16,
            "unknown-word",
            "hand, simulated or sensor",
        ),
        ("betting_seconds = 30", 'wheel = { source = "sensor" }', 16, "missing", "needs its port"),
        ("betting_seconds = 30", 'wheel = { port = "/dev/x" }', 16, "not-needed", "leave it out"),
        (
            "betting_seconds = 30",
            'wheel = { source = "sensor", port = "tcp://wheel" }',
            16,
            "port-malformed",
            "tcp://host:port",
        ),
        (
            "betting_seconds = 30",
            'wheel = { source = "sensor", port = "tcp://a..b:4001" }',
            16,
            "port-malformed",
            "tcp://host:port",
        ),
        ("betting_seconds = 30", 'pocket_order = ["0", "32"]', 16, "pocket-order", "it does not have 15,"),
        ("betting_seconds = 30", "pocket_order = [0]", 16, "wrong-type", "is not a text"),
        (
            "betting_seconds = 30",
            'two_people = ["dance"]',
            16,
            "unknown-action",
            "not an action of this game",
        ),
        (
            "betting_seconds = 30",
            'two_people = [\n"decide",\n"void-settled",\n]',
            18,
            "unknown-action",
            "'void-settled' is not an action of this game. Did you mean void-settled-rounds?",
        ),
        ("betting_seconds = 30", 'wheel = { id = "a\\nb" }', 16, "control-character", "U+000A"),
        ("betting_seconds = 30", 'wheel = { id = "a\u200bb" }', 16, "bad-name", "all of them print"),
        ("betting_seconds = 30", f'wheel = {{ id = "{201 * "w"}" }}', 16, "bad-name", "at most 200"),
        ("[1, 100]", "[100, 1]", 19, "range-upside-down", "minimum 100.00 is above the maximum 1.00"),
        ("[1, 100]", "100", 19, "not-a-range", "[5, 500]"),
        ("every-bet", "strait", 19, "unknown-bet", "Did you mean straight?"),
        ("every-bet", "red", 18, "missing", "there is no limit for"),
        ("every-bet = [1, 100]", "every-bet = [1, 100]\nseats = 5", 20, "unknown-bet", "Did you mean seat?"),
    ],
)
def test_every_fault_has_its_line_its_code_and_what_would_be_right(
    old: str, new: str, line: int, code: str, says: str
) -> None:
    assert SMALL.count(old) == 1
    found = faults(SMALL.replace(old, new))

    assert (line, code) in [(at, of) for at, of, _ in found]
    assert any(says in sentence for at, of, sentence in found if (at, of) == (line, code)), found


def test_all_faults_come_at_once() -> None:
    broken = SMALL.replace("8000", "80000").replace("seats = 3", "seats = 0").replace("[1, 100]", "[9, 1]")
    assert [(line, code) for line, code, _ in faults(broken)] == [
        (8, "too-large"),
        (13, "too-small"),
        (19, "range-upside-down"),
    ]


def test_a_demonstration_listens_on_loopback_only() -> None:
    shown = SMALL.replace('site = "Example"', 'site = "Example"\ndemonstration = true')
    assert read(shown).demonstration
    opened = shown.replace('"127.0.0.1"', '"10.0.0.1"\nbehind_proxy = true')
    assert [code for _, code, _ in faults(opened)] == ["demonstration-open"]


def test_behind_a_proxy_nothing_has_to_encrypt() -> None:
    assert read(SMALL.replace('"127.0.0.1"', '"10.0.0.1"\nbehind_proxy = true')).listen.behind_proxy


def test_a_certificate_and_its_key_are_tried(tmp_path: Path) -> None:
    for name in ("one", "two"):
        make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=floor"
        words = [*make.split(), "-keyout", f"{name}.key", "-out", f"{name}.pem"]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    opened = SMALL.replace('"127.0.0.1"', '"10.0.0.1"')
    tls = '\n[tls]\ncertificate = "{}.pem"\nkey = "{}.key"\n'
    found = read(opened + tls.format("one", "one"), tmp_path).tls
    assert found is not None
    assert found.key == str(tmp_path / "one.key")
    assert [code for _, code, _ in faults(opened + tls.format("one", "two"), tmp_path)] == ["tls-unusable"]


def test_files_for_tls_have_to_be_there(tmp_path: Path) -> None:
    tls = '\n[tls]\ncertificate = "one.pem"\nkey = "one.key"\n'
    assert [code for _, code, _ in faults(SMALL + tls, tmp_path)] == ["no-file", "no-file"]
    assert {code for _, code, _ in faults(SMALL + "\n[tls]\n", tmp_path)} == {"missing"}


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        (b'[floor]\nname = "x', 2, "not-toml"),
        (b"[floor]\nname = \xff", 2, "not-utf-8"),
        (b"", 1, "missing"),
        (b"x = " + b"[" * 100_000, 1, "not-toml"),
        (b"floor = 5", 1, "wrong-type"),
        (b"table = 5\n[floor]", 1, "wrong-type"),
    ],
)
def test_what_is_no_configuration_at_all_is_said_at_its_line(content: bytes, line: int, code: str) -> None:
    with pytest.raises(ConfigFaults) as found:
        read_config(content, "croupier.toml", ROOT)
    assert (line, code) in [(fault.line, fault.code) for fault in found.value.faults]


def test_a_file_that_is_not_there_is_bad_input() -> None:
    with pytest.raises(BadInput) as refused:
        load_config("nowhere.toml")
    assert refused.value.code == "config-unreadable"


VALUES = st.one_of(
    st.integers(-5, 10**9),
    st.booleans(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(codec="ascii", categories=["L", "N"]), max_size=8).map(lambda text: f'"{text}"'),
    st.just("[]"),
    st.just("[1, 2]"),
    st.just("{ a = 1 }"),
    st.just('[{ id = "1" }]'),
    st.dates(datetime.date(2000, 1, 1)).map(str),
)


@given(st.data())
def test_whatever_stands_behind_a_key_the_file_is_read_or_refused(data: st.DataObject) -> None:
    lines = SMALL.splitlines()
    keyed = [place for place, line in enumerate(lines) if " = " in line]
    for place in data.draw(st.lists(st.sampled_from(keyed), min_size=1, max_size=3)):
        value = data.draw(VALUES)
        text = str(value).lower() if isinstance(value, bool) else str(value)
        lines[place] = f"{lines[place].partition(' = ')[0]} = {text}"
    with contextlib.suppress(ConfigFaults):  # anything else is a fault of the reader
        assert read("\n".join(lines)).tables
