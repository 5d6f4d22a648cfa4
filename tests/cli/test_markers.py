"""The check on the marks of tests, run on a folder of tests of its own."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

TESTS = """
import pytest

@pytest.mark.clause("mbs-roulette:4.1")
def test_of_a_listed_clause(): pass

@pytest.mark.clause("mbs-roulette:4.1", "mbs-roulette:99.9")
def test_of_an_unlisted_clause(): pass

@pytest.mark.parametrize("case", [1, pytest.param(2, marks=pytest.mark.clause("elsewhere:1.1"))])
def test_of_cases(case): pass
"""


def test_a_test_that_cites_an_unlisted_clause_fails(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path / "tests")
    (tmp_path / "tests" / "test_marks.py").write_text(TESTS)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert "2 passed, 2 errors" in ran.stdout
    assert "test_of_an_unlisted_clause cites 'mbs-roulette:99.9'" in ran.stdout
    assert "test_of_cases[2] cites 'elsewhere:1.1'" in ran.stdout
