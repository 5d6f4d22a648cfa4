"""What a configuration says about several servers: what is read, every fault, secrets that stay secret."""

import logging
import traceback
from pathlib import Path

import msgspec
import pytest

from croupier.cli import main
from croupier.floor.shared.nats_bus import _read_address
from croupier.server.config import Config, ConfigFaults, Servers
from croupier.server.config_bus import NotABus, bus_hosts_in_the_clear, bus_places, bus_shown
from croupier.server.config_reading import read_config

TABLE = """
[[table]]
id = "{}"
book = "mbs-roulette"
seats = 3
lock_up = 1000
voucher_limit = 500
limits = {{ every-bet = [1, 100] }}
"""

SHARED = """\
[floor]
name = "Pit"
site = "Example"
journal = "postgresql://pit@127.0.0.1/floor"

[servers]
bus = "nats://127.0.0.1:4222"
name = "pit-a"
tables = ["T2", "T1"]
""" + "".join(TABLE.format(table) for table in ("T1", "T2", "T3"))

SECRETS = ("sesame", "hush")


def read(text: str, folder: Path = Path()) -> Config:
    return read_config(text.encode(), "croupier.toml", folder)


def servers_of(text: str, folder: Path = Path()) -> Servers:
    servers = read(text, folder).servers
    assert servers is not None
    return servers


def with_bus(written: str) -> str:
    """The file with something else behind `bus =`, as it is written there."""
    return SHARED.replace('"nats://127.0.0.1:4222"', written)


def faults(text: str, folder: Path = Path()) -> list[tuple[int, str, str]]:
    """Line, code and sentence of every fault; none of them, nor the error, repeats a secret."""
    with pytest.raises(ConfigFaults) as found:
        read(text, folder)
    said = "".join(traceback.format_exception(found.value)) + repr(found.value.faults)
    assert not any(secret in said for secret in SECRETS)
    return [(fault.line, fault.code, fault.sentence) for fault in found.value.faults]


def test_a_floor_of_one_server_says_nothing_about_others() -> None:
    alone = SHARED[: SHARED.index("[servers]")] + SHARED[SHARED.index("[[table]]") :]
    assert read(alone).servers is None


def test_what_is_said_about_several_servers_is_read() -> None:
    assert servers_of(SHARED) == Servers(bus="nats://127.0.0.1:4222", name="pit-a", tables=("T2", "T1"))


def test_where_no_tables_are_named_it_takes_all_first() -> None:
    assert servers_of(SHARED.replace('tables = ["T2", "T1"]\n', "")).tables == ("T1", "T2", "T3")


@pytest.mark.parametrize("name", ["a", "A_1-b", "x" * 40])
def test_a_server_has_a_short_plain_name(name: str) -> None:
    assert servers_of(SHARED.replace("pit-a", name)).name == name


@pytest.mark.parametrize(
    ("old", "new", "line", "code", "says"),
    [
        ('bus = "nats://127.0.0.1:4222"', "", 6, "missing", "nats://127.0.0.1:4222"),
        ('"nats://127.0.0.1:4222"', '""', 7, "empty", "the address of the bus in quotes"),
        ('"nats://127.0.0.1:4222"', "4222", 7, "wrong-type", "the address of the bus in quotes"),
        ('"nats://127.0.0.1:4222"', '["tls://pit:sesame@x"]', 7, "wrong-type", "in quotes"),
        ('name = "pit-a"', "", 6, "missing", "name is missing"),
        ('"pit-a"', '""', 8, "empty", "name is empty"),
        ('"pit-a"', '"pit a"', 8, "bad-name", "1 to 40 letters, digits, - and _"),
        ('"pit-a"', '"pit.a"', 8, "bad-name", "write for example pit-a"),
        ('"pit-a"', '"pit-ä"', 8, "bad-name", "1 to 40"),
        ('"pit-a"', '"pit-a\\n"', 8, "control-character", "U+000A"),
        ('"pit-a"', f'"{"x" * 41}"', 8, "bad-name", "1 to 40"),
        ('"pit-a"', "1", 8, "wrong-type", "is not a text"),
        (
            '["T2", "T1"]',
            '["T2", "T33"]',
            9,
            "unknown-table",
            "the file has no table 'T33'. Did you mean T3?",
        ),
        ('["T2", "T1"]', '["T2", "T2"]', 9, "double-id", "table T2 is named already"),
        ('["T2", "T1"]', "[]", 9, "empty", "name at least one"),
        ('["T2", "T1"]', '["T2", 1]', 9, "wrong-type", "is not a text"),
        ('["T2", "T1"]', '"T1"', 9, "wrong-type", "is not a list"),
        ('name = "pit-a"', 'name = "a"\nbus_in_the_clear = "no"', 9, "wrong-type", "true or false"),
        ('name = "pit-a"', 'name = "a"\ntable = ["T1"]', 9, "unknown-key", "Did you mean tables?"),
        ('name = "pit-a"', 'name = "a"\nbus_password = "hush"', 9, "unknown-key", "bus_password_file?"),
        ('"postgresql://pit@127.0.0.1/floor"', '"journal.db"', 4, "journal-not-shared", "postgresql://"),
        (
            'site = "Example"',
            'site = "x"\ndemonstration = true',
            7,
            "demonstration-shared",
            "leave [servers]",
        ),
    ],
)
def test_every_fault_has_its_line_its_code_and_what_would_be_right(
    old: str, new: str, line: int, code: str, says: str
) -> None:
    assert SHARED.count(old) == 1
    found = faults(SHARED.replace(old, new))

    assert [(at, of) for at, of, _ in found] == [(line, code)]
    assert says in found[0][2]


def test_all_faults_come_at_once() -> None:
    broken = (
        with_bus('"nats://pit:sesame@bus.example"')
        .replace("pit-a", "pit a")
        .replace('"T2", "T1"', '"T9"')
        .replace("postgresql://pit@127.0.0.1/floor", "journal.db")
    )
    assert [(line, code) for line, code, _ in faults(broken)] == [
        (4, "journal-not-shared"),
        (7, "bus-in-the-clear"),
        (8, "bad-name"),
        (9, "unknown-table"),
    ]


def test_a_slip_of_the_pen_is_named_without_what_stands_behind_it() -> None:
    found = faults(SHARED.replace('bus = "nats:', 'buss = "nats://pit:sesame@'))
    assert [(line, code) for line, code, _ in found] == [(6, "missing"), (7, "unknown-key")]
    assert "Did you mean bus?" in found[1][2]


@pytest.mark.parametrize(
    "written", ['"tls://pit:sesame@bus.example"', '[{ bus = "tls://pit:sesame@x" }]', "5"]
)
def test_servers_that_are_no_part_of_the_file_are_not_repeated(written: str) -> None:
    alone = SHARED[: SHARED.index("[servers]")] + SHARED[SHARED.index("[[table]]") :]
    ((line, code, sentence),) = faults(f"servers = {written}\n" + alone)
    assert (line, code) == (1, "wrong-type")
    assert "begins with [servers]" in sentence


def test_a_table_with_a_fault_is_there_all_the_same() -> None:
    found = faults(SHARED.replace('"mbs-roulette"', '"mbs-rulette"', 1))
    assert [code for _, code, _ in found] == ["book"]


@pytest.mark.parametrize("table", ["table = 5\n", "table = [5]\n", "table = [{ id = [] }]\n", ""])
def test_without_tables_there_are_none_to_take(table: str) -> None:
    found = faults(table + SHARED[: SHARED.index("[[table]]")])
    assert {"unknown-table"} < {code for _, code, _ in found}


@pytest.mark.parametrize(
    "address",
    [
        "nats://127.0.0.1",
        "nats://localhost:4222",
        "nats://[::1]:4222",
        "tls://bus.example:4222",
        "tls://pit:open-sesame@bus.example:4222",
        "tls://hush-token@bus.example",
        "tls://pit:open%40sesame%2C!@bus.example",
        "tls://pit:open-sesame@a.example,tls://b.example",
        "tls://pit:open-sesame@[2001:db8::1]:4222,tls://pit:open-sesame@bus_2.example:4222",
    ],
)
def test_a_bus_on_this_machine_or_with_tls_is_taken_as_it_is(address: str) -> None:
    assert servers_of(with_bus(f'"{address}"')).bus == address
    servers, _ = _read_address(address, "pit-a")
    assert [server.host for server in servers] == [place.host for place in bus_places(address)]


def test_spaces_between_the_places_of_a_bus_do_not_matter() -> None:
    servers = servers_of(with_bus('" nats://127.0.0.1:4222/ , nats://127.0.0.1:4223"'))
    assert servers.bus == "nats://127.0.0.1:4222,nats://127.0.0.1:4223"


@pytest.mark.parametrize(
    ("address", "hosts"),
    [
        ("nats://bus.example:4222", "bus.example"),
        ("nats://pit:open-sesame@bus.example", "bus.example"),
        ("nats://127.0.0.1,nats://192.0.2.1:4222,nats://b.example", "192.0.2.1, b.example"),
        ("nats://[2001:db8::1]:4222", "2001:db8::1"),
        ("nats://0.0.0.0", "0.0.0.0"),
        ("nats://localhost.example", "localhost.example"),
    ],
)
def test_a_bus_on_another_machine_is_not_reached_in_the_clear(address: str, hosts: str) -> None:
    ((line, code, sentence),) = faults(with_bus(f'"{address}"'))
    assert (line, code) == (7, "bus-in-the-clear")
    assert f"the way to {hosts} is not encrypted: write tls://" in sentence
    assert ", ".join(bus_hosts_in_the_clear(address)) == hosts
    # A tunnel that somebody else looks after is said to be there.
    tunnelled = with_bus(f'"{address}"\nbus_in_the_clear = true')
    assert servers_of(tunnelled).bus == address


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("127.0.0.1:4222", "bus-scheme"),
        ("pit:open-sesame@bus.example", "bus-scheme"),
        ("http://pit:open-sesame@bus.example", "bus-scheme"),
        ("ws://bus.example", "bus-scheme"),
        ("TLS://bus.example", "bus-scheme"),
        ("sesame", "bus-scheme"),
        ("nats://127.0.0.1,pit:open-sesame@bus.example", "bus-scheme"),
        ("nats://127.0.0.1,", "bus-scheme"),
        ("nats://", "bus-malformed"),
        ("nats://:4222", "bus-malformed"),
        ("nats://127.0.0.1:0", "bus-malformed"),
        ("nats://127.0.0.1:65536", "bus-malformed"),
        ("nats://127.0.0.1:sesame", "bus-malformed"),
        ("nats://[127.0.0.1]", "bus-malformed"),
        ("nats://[::1", "bus-malformed"),
        ("nats://[:::]", "bus-malformed"),
        ("tls://pit:open-sesame@", "bus-malformed"),
        ("tls://pit:open@sesame@bus.example", "bus-malformed"),
        ("tls://pit:1234/sesame@bus.example", "bus-malformed"),
        ("tls://pit:open%sesame@bus.example", "bus-malformed"),
        ("tls://pit:open#sesame@bus.example", "bus-malformed"),
        ("tls://pit:open:sesame@bus.example", "bus-malformed"),
        ("tls://pit:@bus.example", "bus-malformed"),
        ("tls://:sesame@bus.example", "bus-malformed"),
        ("tls://pit:open,sesame@bus.example", "bus-malformed"),
        ("tls://bus.example/sesame", "bus-malformed"),
        ("tls://bus.example?password=sesame", "bus-malformed"),
        ("tls://bus example", "bus-malformed"),
        ("tls://a.example,nats://127.0.0.1", "bus-mixed"),
        ("tls://pit:open-sesame@a.example,tls://pit:hush@b.example", "bus-mixed"),
        ("tls://pit@a.example,tls://pot@b.example", "bus-mixed"),
        ("tls://bus.exämple", "bus-malformed"),
    ],
)
def test_what_is_no_address_of_a_bus_is_refused_and_not_repeated(address: str, code: str) -> None:
    ((line, found, sentence),) = faults(with_bus(f'"{address}"'))
    assert (line, found) == (7, code)
    assert "write for example" in sentence or "of one bus" in sentence
    with pytest.raises(NotABus):
        bus_places(address)
    assert bus_shown(address) == "***"


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("open-sesame", "open-sesame"),
        ("open-sesame\r\n", "open-sesame"),
        ("p@ss, w/rd:100%", "p%40ss%2C%20w%2Frd%3A100%25"),
        ("芝麻", "%E8%8A%9D%E9%BA%BB"),
    ],
)
def test_a_password_can_be_kept_in_a_file_of_its_own(tmp_path: Path, content: str, written: str) -> None:
    (tmp_path / "bus.password").write_bytes(content.encode())
    text = with_bus('"tls://pit@a.example:4222,tls://b.example"\nbus_password_file = "bus.password"')
    servers = servers_of(text, tmp_path)
    assert servers.bus == f"tls://pit:{written}@a.example:4222,tls://b.example"
    # What connects reads the same password in it.
    _, login = _read_address(servers.bus, "pit-a")
    assert (login.user, login.password) == ("pit", content.rstrip())
    assert servers.bus_shown == "tls://a.example:4222, tls://b.example"


@pytest.mark.parametrize(
    ("bus", "content", "line", "code", "says"),
    [
        ("tls://pit@a.example", None, 8, "no-file", "the path of one with the password"),
        ("tls://pit@a.example", b"", 8, "password-malformed", "one line with the password"),
        ("tls://pit@a.example", b"\n", 8, "password-malformed", "one line with the password"),
        ("tls://pit@a.example", b"open-sesame\nhush", 8, "password-malformed", "one line"),
        ("tls://pit@a.example", b"sesame" * 200, 8, "password-malformed", "at most 1,000"),
        ("tls://pit@a.example", b"sesame\xff", 8, "password-malformed", "one line"),
        ("tls://pit:hush@a.example", b"sesame", 8, "not-needed", "a password already"),
        ("tls://a.example,tls://b.example", b"sesame", 7, "bus-user-missing", "tls://user@bus.example"),
    ],
)
def test_a_password_file_that_does_not_fit_is_a_fault(
    tmp_path: Path, bus: str, content: bytes | None, line: int, code: str, says: str
) -> None:
    if content is not None:
        # Whoever mistakes the key for the password itself does not read it in a message either.
        (tmp_path / "open-sesame").write_bytes(content)
    ((at, of, sentence),) = faults(with_bus(f'"{bus}"\nbus_password_file = "open-sesame"'), tmp_path)
    assert (at, of) == (line, code)
    assert says in sentence


@pytest.mark.parametrize(
    ("written", "code"), [('["sesame"]', "wrong-type"), ('" "', "empty"), ('"\\u0000sesame"', "no-file")]
)
def test_what_is_no_path_of_a_password_file_is_refused_and_not_repeated(written: str, code: str) -> None:
    found = faults(with_bus(f'"tls://pit@a.example"\nbus_password_file = {written}'))
    assert [(line, of) for line, of, _ in found] == [(8, code)]


def test_a_folder_is_no_password_file(tmp_path: Path) -> None:
    found = faults(with_bus('"tls://pit@a.example"\nbus_password_file = "."'), tmp_path)
    assert [code for _, code, _ in found] == ["no-file"]


@pytest.mark.parametrize("login", ["pit:open-sesame", "hush"])
def test_nothing_that_shows_a_configuration_shows_a_secret(
    caplog: pytest.LogCaptureFixture, login: str
) -> None:
    written = with_bus(f'"tls://{login}@bus.example:4222,tls://{login}@bus.example"')
    config = read(written.replace("postgresql://pit@", "postgresql://pit:sesame@"))
    assert config.servers is not None
    assert "sesame" in config.journal
    caplog.set_level(logging.INFO)
    logging.getLogger("croupier").info("%s %r", config.servers, config)
    shown = "tls://bus.example:4222, tls://bus.example"
    for said in (str(config.servers), repr(config.servers), repr(config), f"{config}", caplog.text):
        assert shown in said
        assert not any(secret in said for secret in SECRETS)
    assert config.servers.bus_shown == shown
    # Whatever stands there, a secret is not shown for want of an address around it.
    careless = msgspec.structs.replace(config.servers, bus="pit:open-sesame")
    assert repr(careless) == "Servers(bus='***', name='pit-a', tables=('T2', 'T1'))"


@pytest.mark.parametrize("bus", ["tls://pit:open-sesame@bus.example", "nats://pit:open-sesame@bus.example"])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_checking_a_file_shows_no_secret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bus: str, flags: list[str]
) -> None:
    path = tmp_path / "croupier.toml"
    path.write_text(with_bus(f'"{bus}"'))
    status = main(["admin", "check", str(path), *flags])
    said = capsys.readouterr()
    assert status == (0 if bus.startswith("tls") else 2)
    assert said.out or said.err
    assert "sesame" not in said.out + said.err
