"""A book with many faults tells all of them at once, and no file whatever breaks the reader."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rulebook import BadInput, BookFaults, get_layout, get_offer, load_book, read_book
from rulebook.edited_books import edit, faults_of, line_of, shipped_text
from rulebook.oracle import BOOKS
from rulebook.toml_documents import Path, toml_documents

ASSIGNMENT = re.compile(r"([^=\[#]+) = .+")

VALUES = st.sampled_from(
    [
        "0",
        "-1",
        "99",
        "1.5",
        "true",
        '""',
        '"x"',
        "[]",
        "[1]",
        '["x"]',
        '[["x"]]',
        "{}",
        "{ x = 1 }",
        "2020-01-01",
    ]
)


@st.composite
def mutated_books(draw: st.DrawFn) -> str:
    """A shipped book with a few lines dropped, doubled, moved, renamed or given another value."""
    lines = shipped_text(draw(st.sampled_from(BOOKS))).split("\n")
    for _ in range(draw(st.integers(min_value=1, max_value=4))):
        at = draw(st.integers(min_value=0, max_value=len(lines) - 1))
        assignment = ASSIGNMENT.fullmatch(lines[at])
        change = draw(st.integers(min_value=0, max_value=4))
        if change == 0:
            del lines[at]
        elif change == 1:
            lines.insert(draw(st.integers(min_value=0, max_value=len(lines))), lines[at])
        elif change == 2 and assignment:
            lines[at] = f"{assignment[1]} = {draw(VALUES)}"
        elif change == 3:
            lines[at] = lines[at].replace("1", draw(st.sampled_from(["2", "11", "x", ""])))
        else:
            lines[at] = lines[at].replace("e", "ee", 1)
    return "\n".join(lines)


def check_reading(content: bytes) -> None:
    """The content is a book or is refused with faults that name lines of it."""
    faults = faults_of(content)

    assert faults == sorted(faults)
    for fault in faults:
        assert 1 <= fault.line <= content.count(b"\n") + 1, fault
        assert fault.code, fault
        assert fault.place, fault
        assert fault.sentence, fault


@given(mutated_books())
def test_a_mutated_book_is_read_or_refused_with_its_faults(text: str) -> None:
    check_reading(text.encode("utf-8"))


@given(toml_documents())
def test_a_document_that_is_no_book_is_refused_with_its_faults(document: tuple[str, dict[Path, int]]) -> None:
    check_reading(document[0].encode("utf-8"))


@given(st.binary() | st.text().map(lambda text: text.encode("utf-8")))
def test_any_bytes_are_refused_with_a_fault(content: bytes) -> None:
    check_reading(content)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"pockets = " + b"1" * 5000, id="a number of five thousand digits"),
        pytest.param(b"format = " + b"[" * 5000 + b"]" * 5000, id="lists in lists in lists"),
        pytest.param(b"format" + b".a" * 3000 + b" = 1", id="tables in tables in tables"),
        pytest.param(b'["(at line x,"]\n["(at line x,"', id="a key that reads like a place"),
        pytest.param(
            b'["(at line 99,"]\n["(at line 99,"]\n', id="a key that reads like a place further down"
        ),
        pytest.param(b"[book]\ntitle = 0x" + b"f" * 5000, id="a number too long to print for a text"),
        pytest.param(b"[book]\ntitle = [0x" + b"f" * 5000 + b"]", id="a list of such a number for a text"),
        pytest.param(b"[book]\neffective = 0x" + b"f" * 5000, id="a number too long to print for a date"),
        pytest.param(b"[book]\neffective" + b".a" * 3000 + b" = 1", id="tables in tables for a date"),
        pytest.param(b"\xef\xbb\xbfformat = 1\n", id="a byte order mark"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_a_strange_file_is_refused_with_its_faults(content: bytes) -> None:
    check_reading(content)
    assert faults_of(content)


def test_an_empty_text_behind_a_wrong_one_is_reported_on_its_own_line() -> None:
    text = edit(
        shipped_text("mbs-roulette"), '["No more bets", "Bets are closed"]', '[1,\n"No more bets",\n""]'
    )

    found = [(fault.code, fault.line) for fault in faults_of(text)]

    assert found == [("wrong-type", line_of(text, "^closed = {")), ("empty", line_of(text, '^""]'))]


def test_a_book_whose_layouts_are_gone_is_refused_with_its_faults() -> None:
    text = shipped_text("mbs-roulette").replace("[layout.", "[felt.").replace("[[layout.", "[[felt.")

    assert {"unknown-key", "missing"} <= {fault.code for fault in faults_of(text)}


@pytest.mark.parametrize("box", ["lowest", "straight:40"])
def test_a_box_of_no_known_kind_that_is_drawn_as_well_is_one_of_the_faults(box: str) -> None:
    text = edit(shipped_text("mbs-roulette"), "[boxes]\n", f'[boxes]\n"{box}" = ["40"]\n')
    drawn = f'[layout.main.boxes]\n"{box}" = {{ label = "x", from = [50, 0], to = [52, 2] }}\n'

    faults = faults_of(edit(text, "[layout.main.boxes]\n", drawn))

    assert "unknown-box" in {fault.code for fault in faults}


def test_all_faults_are_reported_at_once_in_the_order_of_the_file() -> None:
    text = shipped_text("rws-roulette-00")
    for old, new in [
        ("pockets = 38", "pockets = 83"),
        ("revolutions = 4", "revolutions = 0"),
        ('currency = "SGD"\n', ""),
        ("top-line = 6", "top-line = -6"),
        ('"split:5/8" = 1', '"split:5/36" = 1'),
        (
            'closed = { texts = ["No More Bets"], clause = "3.5" }',
            'closed = { texts = "No More Bets", clause = "9.9" }',
        ),
        ('consequence = "conclude-round"', 'consequence = "celebrate"'),
    ]:
        text = edit(text, old, new)

    faults = faults_of(text)

    assert [(fault.line, fault.code) for fault in faults] == [
        (line_of(text, "^[book]"), "missing"),
        (line_of(text, "^order = ["), "segments-do-not-add-up"),
        (line_of(text, "^revolutions = 0"), "too-small"),
        (line_of(text, "^top-line = -6"), "too-small"),
        (line_of(text, '^"split:5/36"'), "piece-is-no-bet"),
        (line_of(text, "^closed = {"), "clause-not-listed"),
        (line_of(text, "^closed = {"), "wrong-type"),
        (line_of(text, '^consequence = "celebrate"'), "unknown-word"),
    ]


def test_the_message_names_the_file_and_every_fault_with_its_line() -> None:
    text = edit(shipped_text("mbs-roulette"), "revolutions = 4", "revolutions = 0")
    text = edit(text, "format = 1", "format = 7")

    with pytest.raises(BookFaults) as broken:
        read_book(text.encode(), "mine.toml")

    assert str(broken.value).split("\n") == [
        "mine.toml has 2 faults:",
        "line 2, format: this software reads format 1 of the files. [format]",
        f"line {line_of(text, '^revolutions')}, wheel.revolutions: "
        "revolutions must be at least 1. [too-small]",
    ]


def test_a_terminal_without_the_layout_is_refused() -> None:
    start, end = '[[terminal.offer]]\nlayout = "B"', "# What players read"
    before, _, rest = shipped_text("rws-roulette-00").partition(start)
    book = read_book(f"{before}{end}{rest.partition(end)[2]}".encode(), "mine.toml")

    with pytest.raises(BadInput) as refused:
        get_offer(book, get_layout(book, "B"), "rapid")

    assert refused.value.code == "terminal-without-layout"
    assert not get_layout(book, "B").announced


def test_a_book_of_ones_own_is_loaded_by_its_path(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("books") / "mine.toml"
    path.write_text(
        edit(shipped_text("mbs-roulette"), 'id = "mbs-roulette"', 'id = "mine"'), encoding="utf-8"
    )

    book = load_book(str(path))

    assert book.id == "mine"
    assert book.layouts["main"].bets["red"].clause == "mine:4.1"
    assert book.sha256 != load_book("mbs-roulette").sha256
