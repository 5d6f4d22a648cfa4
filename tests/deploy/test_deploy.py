"""The files for systemd and containers: they name commands that exist, and give the server little to do."""

import argparse
import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from croupier.cli.entry import COMMANDS
from croupier.journal.opening import hosts_in_the_clear

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))


def read_unit(path: Path) -> dict[str, dict[str, list[str]]]:
    """A unit's sections with their settings; one that is repeated has several values."""
    sections: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in path.read_text().splitlines():
        if not line or line.startswith(("#", ";")):
            continue
        if (heading := re.fullmatch(r"\[([A-Z][A-Za-z]+)\]", line)) is not None:
            section = heading[1]
            sections.setdefault(section, {})
            continue
        match = re.fullmatch(r"([A-Z][A-Za-z]+)=(.*)", line)
        assert match is not None, line
        assert section, line
        sections[section].setdefault(match[1], []).append(match[2])
    return sections


def instructions() -> list[tuple[str, str]]:
    """The instructions of the container file, each with what stands behind it."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Containerfile").read_text(), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line.strip())]


def given(name: str) -> list[str]:
    return [rest for found, rest in instructions() if found == name]


def parse(words: list[str]) -> argparse.Namespace:
    """Has the command line read a command without running it; what it does not know is an error."""
    parser = argparse.ArgumentParser(exit_on_error=False)
    COMMANDS[words[0]].arguments(parser)
    known, unknown = parser.parse_known_args(words[1:])
    assert unknown == []
    return known


def commands_of(unit: dict[str, dict[str, list[str]]]) -> list[list[str]]:
    lines = [value for name, values in unit["Service"].items() if name.startswith("Exec") for value in values]
    return [shlex.split(line) for line in lines]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_start_commands_that_exist(path: Path) -> None:
    commands = commands_of(read_unit(path))
    assert commands
    for program, *words in commands:
        assert program == "/opt/croupier/bin/croupier"
        parse(words)


def test_the_server_is_checked_before_it_starts() -> None:
    unit = read_unit(DEPLOY / "croupier.service")["Service"]
    checked, served = (parse(shlex.split(line)[1:]) for line in unit["ExecStartPre"] + unit["ExecStart"])
    assert checked.floor == served.config, "the books of the floor are checked as well"
    (recorded,) = [command for command in documented() if "--write" in command]
    assert parse(recorded[recorded.index("integrity") :]).record == checked.record


def documented() -> list[list[str]]:
    """The commands of the installed program in the guide to operations."""
    lines = (ROOT / "docs" / "operations.md").read_text().splitlines()
    shell = [line for line in lines if not line.startswith("ExecStart=")]
    return [shlex.split(line) for line in shell if "/opt/croupier/bin/croupier " in line]


def drop_ins(tmp_path: Path) -> list[dict[str, dict[str, list[str]]]]:
    """What the guide adds to the units where the journal is in PostgreSQL: the server's and the backup's."""
    text = (ROOT / "docs" / "operations.md").read_text()
    found = re.findall(r"^```ini\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    for number, part in enumerate(found):
        (tmp_path / str(number)).write_text(part)
    return [read_unit(tmp_path / str(number)) for number in range(len(found))]


def test_the_guide_has_the_units_reach_a_database(tmp_path: Path) -> None:
    server, backup = drop_ins(tmp_path)
    assert server["Unit"]["StartLimitIntervalSec"] == ["0"], "a server outlasts a database that comes later"
    for unit in (server, backup):
        assert any(value.startswith("PGPASSFILE=/") for value in unit["Service"]["Environment"])
    reset, command = backup["Service"]["ExecStart"]
    assert reset == "", "the command of the file is replaced"
    args = parse(shlex.split(command)[1:])
    (usual,) = commands_of(read_unit(DEPLOY / "croupier-backup.service"))
    assert args.destination == parse(usual[1:]).destination
    assert hosts_in_the_clear(args.journal) == []
    assert "AF_INET" in backup["Service"]["RestrictAddressFamilies"][0].split()


def test_the_guide_has_commands_that_exist() -> None:
    commands = documented()
    assert len(commands) == 3
    for command in commands:
        parse(command[command.index("/opt/croupier/bin/croupier") + 1 :])


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_run_as_nobody_special_and_write_to_few_places(path: Path) -> None:
    service = read_unit(path)["Service"]
    assert service["User"] == ["croupier"]
    assert service["NoNewPrivileges"] == ["yes"]
    assert service["CapabilityBoundingSet"] == [""]
    assert service["ProtectSystem"] == ["strict"]
    assert service["UMask"] == ["0077"]
    assert "PYTHONDONTWRITEBYTECODE=1" in service["Environment"]
    assert service["SystemCallFilter"][0] == "@system-service"


def test_what_the_server_writes_to_is_its_own() -> None:
    service = read_unit(DEPLOY / "croupier.service")["Service"]
    assert service["WorkingDirectory"] == [f"/var/lib/{service['StateDirectory'][0]}"]
    assert service["StateDirectoryMode"] == ["0700"]
    assert "ReadWritePaths" not in service


def test_the_backup_can_write_where_it_is_told_to() -> None:
    unit = read_unit(DEPLOY / "croupier-backup.service")
    (command,) = commands_of(unit)
    args = parse(command[1:])
    writable = unit["Service"]["ReadWritePaths"][0].split()
    assert args.destination in writable
    assert str(Path(args.journal).parent) in writable


def test_the_timer_has_a_service_of_its_name() -> None:
    timer = read_unit(DEPLOY / "croupier-backup.timer")
    assert timer["Timer"]["OnCalendar"]
    assert (DEPLOY / "croupier-backup.service").exists()
    assert timer["Install"]["WantedBy"] == ["timers.target"]


def test_the_container_runs_the_server_as_somebody_without_rights() -> None:
    (user,) = given("USER")
    assert int(user.partition(":")[0]) > 0
    after = [name for name, _ in instructions()]
    assert after.index("USER") < after.index("ENTRYPOINT")
    assert "RUN" not in after[after.index("USER") :]


def test_the_container_starts_a_command_that_exists() -> None:
    (entry,) = given("ENTRYPOINT")
    (command,) = given("CMD")
    assert json.loads(entry) == ["croupier"]
    parse(json.loads(command))
    built = " ".join(given("RUN"))
    recorded = re.search(r"/bin/croupier (integrity \S+ --write)", built)
    assert recorded is not None
    parse(recorded[1].split())


def test_the_container_keeps_data_outside_and_says_whether_it_is_well() -> None:
    assert given("VOLUME") == given("WORKDIR")[-1:]
    (check,) = given("HEALTHCHECK")
    program = json.loads(check[check.index("[") :])
    compile(program[2], "healthcheck", "exec")
    assert "CROUPIER_HEALTH" in program[2]
    assert "CROUPIER_HEALTH=http://127.0.0.1:8000/health" in " ".join(given("ENV"))


def test_what_the_container_copies_is_in_the_repository() -> None:
    copied = [word for line in given("COPY") if not line.startswith("--from") for word in line.split()[:-1]]
    assert {"requirements.lock", "src"} <= {*copied}
    for name in copied:
        assert (ROOT / name).exists(), name


def test_the_package_can_be_built_from_what_the_container_copies(tmp_path: Path) -> None:
    ignored = [
        line.removeprefix("**/")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if not line.startswith("#")
    ]

    def left_out(folder: str, names: list[str]) -> list[str]:
        inside = Path(folder).relative_to(ROOT)
        return [name for name in names if {name, (inside / name).as_posix()} & {*ignored}]

    for line in given("COPY"):
        *names, target = line.split()
        for name in [] if line.startswith("--from") else names:
            place = tmp_path / "build" / target / ("" if (ROOT / name).is_dir() else name)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=left_out)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, place)
    build = tmp_path / "build"
    assert not (build / "web" / "node_modules").exists()
    # The screens are taken to be built: that takes what is fetched from elsewhere.
    static = build / "src" / "croupier" / "server" / "static"
    static.mkdir()
    mark = "import hatch_build as h, pathlib as p; web = p.Path('web'); "
    mark += "p.Path('src/croupier/server/static/.stamp').write_text(h.digest_of(h.sources(web)))"
    make = "from hatchling.build import build_wheel; print(build_wheel('dist'))"
    for program in (mark, make):
        subprocess.run([sys.executable, "-c", program], cwd=build, check=True, capture_output=True)
    (wheel,) = (build / "dist").glob("croupier-*.whl")
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    assert {"croupier/server/static/.stamp", "croupier/rulebook/books/mbs-roulette.toml"} <= {*names}
    assert any(name.endswith("licenses/LICENSE") for name in names)
