"""Every key, table and array element of a TOML text is found on its line."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given

from croupier.rulebook.places import find_places, show_path
from rulebook.oracle import BOOKS
from rulebook.toml_documents import Path, paths_of, toml_documents


@given(toml_documents())
def test_every_value_of_a_document_is_found_on_its_line(document: tuple[str, dict[Path, int]]) -> None:
    text, lines = document
    assert paths_of(tomllib.loads(text)) == {*lines}, "the document is not what its writer meant"

    assert dict(find_places(text)) == lines


@pytest.mark.parametrize("book_id", BOOKS)
def test_the_places_of_a_shipped_book_are_the_paths_of_its_values(book_id: str) -> None:
    text = (resources.files("croupier.rulebook") / "books" / f"{book_id}.toml").read_text(encoding="utf-8")

    assert {*find_places(text)} == paths_of(tomllib.loads(text))


def test_lines_are_counted_from_one_whatever_ends_them() -> None:
    text = "a = 1\n\n[b]\nc = [\n  1,\n  2,\n]\n[[d]]\n[[d]]\ne.f = 1\n"
    lines = {
        ("a",): 1,
        ("b",): 3,
        ("b", "c"): 4,
        ("b", "c", 0): 5,
        ("b", "c", 1): 6,
        ("d",): 8,
        ("d", 0): 8,
        ("d", 1): 9,
        ("d", 1, "e"): 10,
        ("d", 1, "e", "f"): 10,
    }

    assert dict(find_places(text)) == lines
    assert dict(find_places(text.replace("\n", "\r\n"))) == lines


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ((), ""),
        (("wheel",), "wheel"),
        (("layout", "A", "rect", 1, "from", 0), "layout.A.rect[1].from[0]"),
    ],
)
def test_a_path_is_shown_as_a_person_would_write_it(path: Path, shown: str) -> None:
    assert show_path(path) == shown
