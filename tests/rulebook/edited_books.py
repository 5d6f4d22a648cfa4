"""Shipped books with something changed in their text, and what is wrong with them then."""

from importlib import resources

from croupier.rulebook import BookFaults, Fault, read_book


def shipped_text(book_id: str) -> str:
    """The text of a shipped book."""
    return (resources.files("croupier.rulebook") / "books" / f"{book_id}.toml").read_text(encoding="utf-8")


def edit(text: str, old: str, new: str) -> str:
    """The text with the first `old` replaced; the edit has to change something."""
    assert old in text, f"the book does not have {old!r}"
    assert old != new
    return text.replace(old, new, 1)


def faults_of(content: str | bytes) -> list[Fault]:
    """Everything that is wrong with a book; nothing where it can be used."""
    try:
        read_book(content.encode("utf-8") if isinstance(content, str) else content, "edited.toml")
    except BookFaults as broken:
        return [*broken.faults]
    return []


def line_of(text: str, marked: str) -> int:
    """The line on which the first such passage stands; a caret in it marks the line that is meant."""
    start = text.index(marked.replace("^", ""))
    return text.count("\n", 0, start + marked.index("^")) + 1
