"""Every example in the documents and docstrings runs and says what it claims."""

import doctest
import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import pytest

import croupier
from croupier.cli import main

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(croupier.__path__, "croupier.")
    if not module.name.endswith("__main__")
)
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
NAMED = re.compile(r"`(croupier(?:\.[a-z]\w*)+(?:\.[A-Z]\w*)*)`")
FILES_OF_OURS = re.compile(r"`((?:tests|src|web|bench|scripts)/[\w./-]+)`")
NO_MODULES = {"croupier.toml", "croupier.schema_versions"}
"""The file that configures a floor, and a table of PostgreSQL."""


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_python_examples_in_documents_run(path: Path) -> None:
    failed, _ = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_commands_in_documents_print_what_they_show(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    for block in CONSOLE.findall(path.read_text(encoding="utf-8")):
        for command, shown in re.findall(r"^\$ croupier (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            status = main(shlex.split(command))
            printed = capsys.readouterr()
            if shown.strip():
                assert (printed.out + printed.err).strip() == shown.strip(), command
            assert status == 0 or printed.err


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_modules_and_files_that_documents_name_are_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name in sorted({*NAMED.findall(text)} - NO_MODULES):
        assert pkgutil.resolve_name(name), name
    for file in FILES_OF_OURS.findall(text):
        assert (ROOT / file).exists(), file
