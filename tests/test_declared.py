"""What the package imports from others is declared where it is needed, and locked."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OWN = "croupier"


def test_what_is_imported_is_declared() -> None:
    declared = {*_names(PROJECT["dependencies"])}
    for extra in PROJECT["optional-dependencies"].values():
        declared |= {*_names(extra)}
    from_others = packages_distributions()
    imported = {
        name: [_normal(package) for package in from_others.get(name, [])]
        for file in (ROOT / "src").rglob("*.py")
        for name in _imported(file)
    }
    assert {"httpx", "msgspec", "websockets"} <= set(imported)
    assert {name: by for name, by in imported.items() if not declared & {*by}} == {}


@pytest.mark.parametrize("name", ["client", "server"])
def test_the_client_runs_on_its_extra_alone(name: str) -> None:
    """A server has bots, so its extra holds the client's."""
    extras = PROJECT["optional-dependencies"]
    held = {*_names(extras[name])}
    held |= {*_names(extras["client"])} if "croupier[client]" in extras[name] else set()
    needed = {
        imported for file in (ROOT / "src/croupier/client").glob("*.py") for imported in _imported(file)
    }
    assert needed - held == {"msgspec"}


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_what_is_declared_is_locked(lock: str) -> None:
    locked = {_normal(name) for name in re.findall(r"^([\w.-]+)==", (ROOT / lock).read_text(), re.MULTILINE)}
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *extras["client"], *extras["server"], *extras["wheel"]]
    asked += [*extras["lab"], *extras["postgres"]]
    assert {*_names(asked)} - {OWN} <= locked


def _names(requirements: list[str]) -> Iterator[str]:
    for requirement in requirements:
        found = re.match(r"[\w.-]+", requirement)
        assert found is not None, requirement
        yield _normal(found[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _imported(file: Path) -> Iterator[str]:
    """The packages of others that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
            names = [node.module]
        for name in names:
            top = name.partition(".")[0]
            if top != OWN and top not in sys.stdlib_module_names:
                yield top
