"""What everybody may ask for: books, tables, the server's health."""

from collections.abc import Iterator

import pytest

from croupier.rulebook import shipped_books
from server.server_rig import LiveServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor")) as live:
        yield live


def test_every_book_is_listed_with_its_layouts(server: LiveServer) -> None:
    with server.client() as client:
        books = client.get("/api/books").raise_for_status().json()
    assert [book["id"] for book in books] == list(shipped_books())
    assert books[2]["layouts"] == ["a", "b"]
