"""The software's own hash: any change to any file that Python would load is found, and stops play."""

import json
import os
import py_compile
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import croupier
from cli.running import refusal, run_process
from croupier.floor.cage.vouchers import DAY_MS
from croupier.floor.house.integrity import (
    IntegrityReport,
    Manifest,
    compare,
    compile_all,
    measure,
    read_manifest,
    reason_to_halt,
    record,
)
from croupier.floor.house.integrity_watch import IntegrityWatch
from croupier.rulebook import BadInput
from croupier.table import commands as c
from table.rig import DEALER, SHIFT_MANAGER, TIMER, Play

TAG = sys.implementation.cache_tag


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """An installation to be tampered with."""
    root = tmp_path / "package"
    (root / "table").mkdir(parents=True)
    (root / "books").mkdir()
    (root / "__init__.py").write_text('"""A package."""\n')
    (root / "table" / "decide.py").write_text("ODDS = 35\n")
    (root / "books" / "roulette.toml").write_text("pays = 35\n")
    compile_all(root)
    return root


def add_module(root: Path) -> None:
    (root / "table" / "more.py").write_text("import os\n")


def change_module(root: Path) -> None:
    (root / "table" / "decide.py").write_text("ODDS = 36\n")


def change_book(root: Path) -> None:
    (root / "books" / "roulette.toml").write_text("pays = 34\n")


def remove_book(root: Path) -> None:
    (root / "books" / "roulette.toml").unlink()


def plant_compiled(root: Path) -> None:
    """Compiled code in the place of what the source says, which Python would load without a word."""
    source = root / "elsewhere.py"
    source.write_text("ODDS = 99\n")
    target = root / "table" / "__pycache__" / f"decide.{TAG}.pyc"
    py_compile.compile(
        str(source), str(target), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    source.unlink()


def plant_native(root: Path) -> None:
    (root / "table" / "decide.abi3.so").write_bytes(b"\x7fELF")


def swap(root: Path) -> None:
    (root / "__init__.py").rename(root / "x")
    (root / "table" / "decide.py").rename(root / "__init__.py")
    (root / "x").rename(root / "table" / "decide.py")


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (add_module, "table/more.py was added."),
        (change_module, "table/decide.py was changed."),
        (change_book, "books/roulette.toml was changed."),
        (remove_book, "books/roulette.toml is missing."),
        (plant_compiled, f"table/__pycache__/decide.{TAG}.pyc was changed."),
        (plant_native, "table/decide.abi3.so was added."),
        (swap, "__init__.py was changed."),
    ],
)
def test_every_change_is_found(package: Path, tamper: Callable[[Path], None], fault: str) -> None:
    recorded = measure(package)
    tamper(package)
    report = compare(recorded, measure(package))
    assert fault in report.faults
    assert not report.ok
    assert report.digest != recorded.digest


def test_software_as_recorded_has_no_fault(package: Path) -> None:
    recorded = measure(package)
    for path in package.rglob("*.py"):
        os.utime(path, (1, 1))  # a time is no content
    compiled = package / "table" / "__pycache__"
    (compiled / "decide.cpython-27.pyc").write_bytes(b"of another Python")
    (compiled / "numba-0123" / "lab").mkdir(parents=True)
    (compiled / "numba-0123" / "lab" / "loops.py311.nbi").write_bytes(
        b"of a compiler, which Python never loads"
    )
    report = compare(recorded, measure(package))
    assert (report.ok, report.digest) == (True, recorded.digest)


def test_the_hash_does_not_depend_on_where_it_is_installed(package: Path, tmp_path: Path) -> None:
    recorded = measure(package)
    shutil.copytree(package, tmp_path / "elsewhere")
    assert measure(tmp_path / "elsewhere").digest == recorded.digest


def test_sources_books_and_pages_have_one_hash_wherever_they_are_compiled(
    package: Path, tmp_path: Path
) -> None:
    shutil.copytree(package, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    uncompiled = measure(tmp_path / "elsewhere").approved
    compile_all(tmp_path / "elsewhere")
    here, there = measure(package), measure(tmp_path / "elsewhere")
    assert here.digest != there.digest, "compiled files name their folder"
    assert here.approved == there.approved == uncompiled
    change_book(package)
    assert measure(package).approved != here.approved


def test_a_record_that_was_changed_is_noticed(package: Path) -> None:
    recorded = measure(package)
    change_module(package)
    found = measure(package)
    forged = Manifest(
        format=recorded.format, version=recorded.version, digest=recorded.digest, files=found.files
    )
    report = compare(forged, found)
    assert report.faults == ("The record itself was changed: its hash is not the hash of what it lists.",)


def test_books_of_ones_own_are_covered(package: Path, tmp_path: Path) -> None:
    book = tmp_path / "own.toml"
    book.write_text("pays = 1\n")
    recorded = measure(package, [book])
    book.write_text("pays = 2\n")
    assert compare(recorded, measure(package, [book])).faults == ("book:own.toml was changed.",)
    assert compare(recorded, measure(package)).faults == ("book:own.toml is missing.",)
    book.unlink()
    assert compare(recorded, measure(package, [book])).faults == ("book:own.toml was changed.",)


@pytest.mark.parametrize("folders", [("a", "b"), ("x/books", "y/books")])
def test_books_of_the_same_name_are_covered_each(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folders: tuple[str, str]
) -> None:
    books = [tmp_path / name / "own.toml" for name in folders]
    other = tmp_path / "other.toml"
    for book in (*books, other):
        book.parent.mkdir(parents=True, exist_ok=True)
        book.write_text(f"pays = {len(str(book))}\n")
    recorded = measure(package, [*books, other])
    assert "book:other.toml" in recorded.files
    monkeypatch.chdir(tmp_path)  # the record does not depend on how a book is named
    near = [book.relative_to(tmp_path) for book in books]
    assert measure(package, [Path("other.toml"), *near[::-1], *near]) == recorded
    for book, name in zip(books, folders, strict=True):
        before = book.read_bytes()
        book.write_text("pays = 99\n")
        assert compare(recorded, measure(package, [*books, other])).faults == (
            f"book:{name}/own.toml was changed.",
        )
        book.write_bytes(before)
    assert not compare(recorded, measure(package, [books[0], other])).ok


def test_a_file_of_the_package_is_not_taken_for_a_book(package: Path, tmp_path: Path) -> None:
    book = tmp_path / "own.toml"
    book.write_text("pays = 1\n")
    recorded = measure(package, [book])
    (package / "book:own.toml").write_text("pays = 1\n")
    assert compare(recorded, measure(package, [book])).faults == ("./book:own.toml was added.",)


def test_a_linked_folder_is_a_fault_and_is_never_recorded(package: Path, tmp_path: Path) -> None:
    recorded = record(package)
    (package / "linked").symlink_to(tmp_path, target_is_directory=True)
    fault = "linked is a link to a folder, which no hash covers."
    assert compare(recorded, measure(package)).faults == (fault,)
    assert compare(measure(package), measure(package)).faults == (fault,)
    with pytest.raises(BadInput) as refused:
        record(package)
    assert refused.value.code == "package-linked"


def test_a_folder_that_a_link_has_replaced_is_a_fault(package: Path, tmp_path: Path) -> None:
    recorded = record(package)
    (package / "table").rename(tmp_path / "elsewhere")
    (package / "table").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    report = compare(recorded, measure(package))
    assert "table is a link to a folder, which no hash covers." in report.faults
    assert "table/decide.py is missing." in report.faults


def test_what_is_no_file_is_not_waited_for(package: Path) -> None:
    recorded = measure(package)
    (package / "table" / "decide.py").unlink()
    os.mkfifo(package / "table" / "decide.py")
    assert compare(recorded, measure(package)).faults == ("table/decide.py was changed.",)


def test_a_name_that_is_no_text_can_be_written_down(package: Path) -> None:
    recorded = measure(package)
    with open(os.fsencode(package) + b"/caf\xe9.py", "wb"):  # noqa: PTH123  # a path of bytes
        pass
    (fault,) = compare(recorded, measure(package)).faults
    assert fault == "caf\\udce9.py was added."
    assert msgspec.json.encode(fault)


def test_the_package_itself_is_measured_whole() -> None:
    files = measure().files
    root = Path(croupier.__file__).parent
    assert {"floor/house/integrity.py", "rulebook/books/mbs-roulette.toml", "py.typed"} <= {*files}
    sources = {path.relative_to(root).as_posix() for path in root.rglob("*.py")}
    assert sources <= {*files}


# When it is checked, and what follows


def test_it_is_checked_at_the_start_every_day_and_on_demand() -> None:
    faults: list[str] = []
    watch = IntegrityWatch(lambda: IntegrityReport(digest="ab", faults=tuple(faults)))
    first = watch.tick(1_000)
    assert first is not None
    assert (first.occasion, first.ok, first.digest) == ("start", True, "ab")
    assert watch.tick(1_000 + DAY_MS - 1) is None
    faults.append("table/decide.py was changed.")
    daily = watch.tick(1_000 + DAY_MS)
    assert daily is not None
    assert (daily.occasion, daily.ok, daily.faults) == ("daily", False, ("table/decide.py was changed.",))
    assert watch.check(5 * DAY_MS).occasion == "demand"
    assert watch.tick(6 * DAY_MS - 1) is None
    assert watch.tick(6 * DAY_MS) is not None


def test_a_check_that_cannot_be_made_is_a_fault_and_is_due_again() -> None:
    def look() -> IntegrityReport:
        raise PermissionError(13, "Permission denied", "caf\udce9.py")

    watch = IntegrityWatch(look)
    first = watch.tick(1_000)
    assert first is not None
    assert (first.occasion, first.ok, first.digest) == ("start", False, "none")
    assert "could not be made" in first.faults[0]
    assert msgspec.json.encode(first)
    assert reason_to_halt(first.faults) is not None
    assert watch.tick(DAY_MS) is None
    assert watch.tick(1_000 + DAY_MS) is not None


def test_a_fault_is_a_reason_to_halt_a_table_that_players_are_told_of() -> None:
    assert reason_to_halt(()) is None
    reason = reason_to_halt(tuple(f"{name}.py was changed." for name in "abcde"))
    assert (
        reason
        == "the software is not as recorded: a.py was changed, b.py was changed, c.py was changed, and 2 more"
    )
    play = Play().open(("1",), 1_000)
    play.do(TIMER, c.HaltTable(reason=reason))
    assert play.refused(DEALER, c.OpenRound()).code == "table-halted"
    play.do(SHIFT_MANAGER, c.ResumeTable(reason="the approved software is back"))
    play.do(DEALER, c.OpenRound())


# The command, on a copy of the package


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    root = tmp_path / "installed"
    here = Path(croupier.__file__).parent
    shutil.copytree(here, root / "croupier", ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_the_command_records_and_compares(installed: Path, tmp_path: Path) -> None:
    file = str(tmp_path / "record.json")
    settings = {"PYTHONPATH": str(installed)}
    written = run_process("integrity", file, "--write", **settings)
    assert (written.status, written.err) == (0, "")
    recorded = read_manifest(Path(file))
    digests = (
        f"SHA-256 {recorded.digest} of this installation, compiled files included\n"
        f"SHA-256 {recorded.approved} of sources, books and pages, for a certificate\n"
    )
    assert written.out.endswith(f".\n{digests}")
    same = run_process("integrity", file, **settings)
    assert same == (0, f"The software is as recorded.\n{digests}", "")
    book = installed / "croupier" / "rulebook" / "books" / "mbs-roulette.toml"
    book.write_bytes(book.read_bytes() + b"\n")
    changed = run_process("integrity", file, "--json", **settings)
    assert changed.status == 1
    found = json.loads(changed.out)
    assert found["faults"] == ["rulebook/books/mbs-roulette.toml was changed."]
    assert (found["digest"] == recorded.digest, found["approved"] == recorded.approved) == (False, False)


FLOOR = """\
[floor]
name = "Pit"
site = "Example"
journal = "journal.db"
books = ["own.toml"]

[[table]]
id = "T1"
book = "money-wheel-54"
seats = 3
lock_up = 1000
voucher_limit = 500

[table.limits]
every-bet = [1, 100]
"""


def test_the_command_covers_the_books_of_a_floor(installed: Path, tmp_path: Path) -> None:
    file, floor, book = tmp_path / "record.json", tmp_path / "croupier.toml", tmp_path / "own.toml"
    shutil.copy(Path(__file__).parents[2] / "examples" / "money-wheel-54.toml", book)
    floor.write_text(FLOOR)

    def integrity(*words: str) -> tuple[int, str]:
        ran = run_process("integrity", str(file), *words, PYTHONPATH=str(installed))
        return ran.status, (ran.out or ran.err).splitlines()[0]

    of_floor = ("--floor", str(floor))
    assert integrity("--write", *of_floor)[0] == 0
    assert "book:own.toml" in read_manifest(file).files
    assert integrity(*of_floor) == (0, "The software is as recorded.")
    assert integrity() == (1, "book:own.toml is missing.")
    book.write_bytes(book.read_bytes() + b"\n")
    assert integrity(*of_floor) == (1, "book:own.toml was changed.")
    book.unlink()
    assert integrity(*of_floor)[0] == 2, "the server would not start with it either"


@pytest.mark.parametrize(
    "content", [None, "", "{}", '{"format": "other", "version": "1", "digest": "", "files": {}}']
)
def test_a_record_that_is_none_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "record.json"
    if content is not None:
        path.write_text(content)
    assert "cannot be read" in refusal("integrity", str(path))


def test_a_record_that_is_no_file_is_refused_and_nobody_waits_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(path: Path) -> bytes:
        pytest.fail(f"{path} is a pipe, and whoever reads it waits for ever")

    monkeypatch.setattr(Path, "read_bytes", wait)
    os.mkfifo(tmp_path / "record.json")
    with pytest.raises(BadInput, match="it is no ordinary file") as found:
        read_manifest(tmp_path / "record.json")
    assert found.value.code == "manifest-unreadable"
