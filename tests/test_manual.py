"""The manual speaks of what is there: labels of the screens, clauses of the books, keys, commands."""

import json
import re
from pathlib import Path

import pytest

from croupier.cli.entry import COMMANDS
from croupier.rulebook import load_book, shipped_books

ROOT = Path(__file__).parent.parent
SCREENS = ROOT / "web" / "src" / "screens"
MANUALS = sorted((ROOT / "docs").glob("manual*.md"))
CLAUSE = re.compile(
    r"\b([a-z]+(?:-[a-z0-9]+)+):((?:\d+(?:\.\d+)*)|App\.[A-Z])(?: (?:and|to) (\d+(?:\.\d+)*))?"
)
KEYS = {
    "manual-dealer": SCREENS / "console" / "keys.ts",
    "manual-supervisor": SCREENS / "pit" / "keys.ts",
}


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def labels() -> set[str]:
    """Everything that a screen can say, without the facts that are filled in."""
    messages = json.loads(text_of(ROOT / "web" / "messages" / "en.json"))
    forms = ([each] if isinstance(each, str) else each.values() for each in messages.values())
    return {re.sub(r"\s*\{\w+\}\s*", "", text).strip() for texts in forms for text in texts}


@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.stem)
def test_what_is_said_to_stand_on_a_screen_stands_there(path: Path) -> None:
    """Words in bold are labels, unless they are a heading that ends in a full stop."""
    said = [each for each in re.findall(r"\*\*([^*]+)\*\*", text_of(path)) if not each.endswith(".")]
    assert [each for each in said if each not in labels()] == []


@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.stem)
def test_every_clause_that_is_cited_is_in_its_book(path: Path) -> None:
    known = {clause for book in shipped_books() for clause in load_book(book).clauses}
    cited = [
        f"{book}:{number}" for book, *numbers in CLAUSE.findall(text_of(path)) for number in numbers if number
    ]
    assert [each for each in cited if each not in known] == []
    assert cited or path.stem in ("manual", "manual-operator")


@pytest.mark.parametrize("path", MANUALS, ids=lambda path: path.stem)
def test_every_command_that_is_named_exists(path: Path) -> None:
    named = re.findall(
        r"^(?:\$ |   )?croupier ([a-z][a-z-]*)|`croupier ([a-z][a-z-]*)", text_of(path), re.MULTILINE
    )
    assert [each for pair in named for each in pair if each and each not in COMMANDS] == []


@pytest.mark.parametrize("name", KEYS)
def test_every_key_in_the_table_does_something(name: str) -> None:
    manual = text_of(ROOT / "docs" / f"{name}.md")
    table = manual[manual.index("| key | |") :].split("\n\n")[0]
    letters = {
        letter for row in table.splitlines() for letter in re.findall(r"\b([A-Z])\b", row.split("|")[1])
    }
    source = text_of(KEYS[name])
    assert letters
    assert [each for each in sorted(letters) if not re.search(rf"\b{each.lower()}(?:: |')", source)] == []
