"""What is changed by mutation testing, and which tests have to notice it."""

import ast
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture
def mutation(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("mutation")


def test_every_folder_and_pattern_of_a_part_finds_something(mutation: Any) -> None:
    for part in mutation.PARTS.values():
        for source in part.sources:
            assert [*(ROOT / source).glob("*.py")], source
        for pattern in part.tests:
            assert [*ROOT.glob(pattern)], pattern
        assert all((ROOT / path).exists() for path in part.test_paths())


def test_mutants_are_drawn_from_the_modules_that_are_named(mutation: Any) -> None:
    core, floor = mutation.PARTS["core"], mutation.PARTS["floor"]
    named = core.modules(["table/settling", "table/ledger"])
    assert [path.stem for path in named] == ["ledger", "settling"]
    assert [path.stem for path in floor.modules(["reports/figures"])] == ["figures"]
    assert core.modules(["reports/figures"]) == []
    assert {*named} < {*core.modules()}


def test_a_mutant_is_one_change_of_its_module_and_the_file_stays_as_it_is(mutation: Any) -> None:
    mutants = sys.modules["mutants"]
    path = ROOT / "src/croupier/table/ledger.py"
    text = path.read_text(encoding="utf-8")
    found = mutants.find_mutants(path)
    assert {"cents > 0", "cents < 0"} <= {mutant.before for mutant in found}
    codes = {mutants.compile_mutant(path, mutant.ordinal) for mutant in found}
    assert len(codes) == len(found)
    assert compile(ast.parse(text), str(path), "exec") not in codes
    assert path.read_text(encoding="utf-8") == text
