"""What is changed by mutation testing, and which tests have to notice it."""

import ast
import importlib
import os
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


def test_a_changed_function_takes_the_place_of_the_loaded_one_wherever_it_stands(
    mutation: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "stakes_of_two.py"
    path.write_text(
        "MOST = 5\n"
        "class Two:\n"
        "    @property\n"
        "    def sum(self):\n"
        "        return 3 + 1\n"
        "def over(stake, most=7):\n"
        "    return any(cents > most for cents in [stake])\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    loaded = importlib.import_module("stakes_of_two")
    in_place = sys.modules["mutants_in_place"]
    found = {mutant.before: mutant for mutant in sys.modules["mutants"].find_mutants(path)}
    assert in_place.changed_code(found["5"], tmp_path) is None  # outside of any function
    assert in_place.changed_code(found["7"], tmp_path) is None  # a default is worked out once

    assert (loaded.Two().sum, loaded.over(7)) == (4, False)
    assert in_place.put_in(in_place.changed_code(found["3 + 1"], tmp_path))
    assert in_place.put_in(in_place.changed_code(found["cents > most"], tmp_path))
    assert (loaded.Two().sum, loaded.over(7)) == (2, True)


def test_copies_tell_what_became_of_them_and_have_only_so_much_time(mutation: Any) -> None:
    copies = sys.modules["mutants_in_place"].Copies(2)
    if copies.start(0, 60):
        os._exit(3)
    if copies.start(1, 0):
        while True:
            os.getppid()
    assert copies.is_full
    ended: dict[int, int | None] = {}
    while len(copies):
        ended |= dict(copies.ended())
    assert ended == {0: 3, 1: None}
