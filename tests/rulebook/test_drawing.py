"""The picture of a game: what is on it, where, and that any book has one."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.rulebook import Book, Box, Layout, Rect, Wheel, get_layout, load_book, shipped_books
from croupier.rulebook.drawing import draw_svg

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
BOOKS_OF_OUR_OWN: Final = (path for path in sorted(EXAMPLES.glob("*.toml")) if path.name != "croupier.toml")
GAMES: Final = (*shipped_books(), *map(str, BOOKS_OF_OUR_OWN))
LAYOUTS: Final = [(book, layout) for book in map(load_book, GAMES) for layout in book.layouts.values()]
TABLES: Final = pytest.mark.parametrize(
    ("book", "layout"), LAYOUTS, ids=[f"{book.id}:{layout.id}" for book, layout in LAYOUTS]
)

SVG: Final = "{http://www.w3.org/2000/svg}"
PIPS: Final = {"red": "circle", "black": "rect", "green": "path"}
FILLS: Final = {"red": "#b4232f", "black": "#14181a", "green": "#0b7a4e"}

NOT_IN_XML: Final = {chr(code) for code in range(32)} - set("\t\n\r") | {"\ufffe", "\uffff"}
"""Characters that XML has no way to write; the picture shows the sign for an unknown one instead."""


def drawn(book: Book, layout: Layout) -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(book, layout))


def groups(picture: ElementTree.Element, attribute: str) -> dict[str, ElementTree.Element]:
    """What is drawn for each number or box; it stands in the picture once."""
    found = picture.findall(f".//{SVG}g[@{attribute}]")
    by_name = {group.attrib[attribute]: group for group in found}
    assert len(by_name) == len(found)
    return by_name


def texts(group: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in group.iter(f"{SVG}text")]


def frame(group: ElementTree.Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the first rectangle of a group."""
    rect = group.find(f"{SVG}rect")
    assert rect is not None
    x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def assert_drawn_in_place(pairs: Iterable[tuple[ElementTree.Element, Rect]]) -> None:
    """Every frame lies where its rectangle says: one scale for all, `across` upwards, equal gaps."""
    placed = [(frame(group), rect) for group, rect in pairs]
    (left, top, right, bottom), whole = placed[0]
    (farthest_left, *_), farthest = max(placed, key=lambda pair: pair[1].along)
    unit = (farthest_left - left) / (farthest.along - whole.along)
    gap = (unit * (whole.along_to - whole.along) - (right - left)) / 2
    assert 0 < gap < unit / 4
    for found, rect in placed:
        expected = (
            left + unit * (rect.along - whole.along),
            top + unit * (whole.across_to - rect.across_to),
            right + unit * (rect.along_to - whole.along_to),
            bottom + unit * (whole.across - rect.across),
        )
        assert found == pytest.approx(expected, abs=0.02)


@TABLES
def test_every_number_and_box_lies_where_its_rectangle_says(book: Book, layout: Layout) -> None:
    picture = drawn(book, layout)
    numbers, boxes = groups(picture, "data-number"), groups(picture, "data-box")

    assert [*numbers] == [*layout.numbers]
    assert [*boxes] == [box.bet for box in layout.boxes]
    assert_drawn_in_place(
        [
            *((numbers[number], rect) for number, rect in layout.numbers.items()),
            *((boxes[box.bet], box.rect) for box in layout.boxes),
        ]
    )


@TABLES
def test_every_cell_shows_its_number_and_every_box_its_label_inside_its_frame(
    book: Book, layout: Layout
) -> None:
    picture = drawn(book, layout)
    shown = [(groups(picture, "data-number")[number], number) for number in layout.numbers]
    shown += [(groups(picture, "data-box")[box.bet], box.label) for box in layout.boxes]
    for group, label in shown:
        assert label in texts(group)
        left, top, right, bottom = frame(group)
        for text in group.iter(f"{SVG}text"):
            assert left < float(text.attrib["x"]) < right
            assert top < float(text.attrib["y"]) < bottom


@TABLES
def test_every_pocket_stands_on_the_wheel_once_in_order_and_clockwise_from_the_top(
    book: Book, layout: Layout
) -> None:
    pockets = drawn(book, layout).findall(f".//{SVG}g[@data-pocket]")

    assert tuple(pocket.attrib["data-pocket"] for pocket in pockets) == book.wheel.order
    for place, pocket in enumerate(pockets):
        turn = re.fullmatch(r"rotate\((.*)\)", pocket.attrib["transform"])
        assert turn is not None
        assert float(turn[1]) == pytest.approx(360 * place / book.pockets, abs=0.01)


@pytest.mark.parametrize("book_id", [name for name in GAMES if load_book(name).wheel.kind == "ball"])
def test_no_number_is_told_by_its_colour_alone(book_id: str) -> None:
    book = load_book(book_id)
    picture = drawn(book, get_layout(book))
    places = [
        *((group.attrib["data-pocket"], group) for group in picture.findall(f".//{SVG}g[@data-pocket]")),
        *groups(picture, "data-number").items(),
    ]
    for number, group in places:
        colour = book.wheel.colours[number]
        assert next(iter(group)).attrib["fill"] == FILLS[colour]
        (pip,) = group.findall(f"{SVG}g/*")
        assert pip.tag == SVG + PIPS[colour]
        assert texts(group) == [number]


def test_the_boxes_red_and_black_have_their_colour_and_its_shape() -> None:
    book = load_book("mbs-roulette")
    boxes = groups(drawn(book, get_layout(book)), "data-box")
    for colour in ("red", "black"):
        assert next(iter(boxes[colour])).attrib["fill"] == FILLS[colour]
        assert [pip.tag for pip in boxes[colour].findall(f"{SVG}g/*")] == [SVG + PIPS[colour]]
    assert boxes["odd"].findall(f"{SVG}g/*") == []


def test_a_wheel_with_symbols_has_a_clapper_and_seven_colours_with_marks() -> None:
    book = load_book("rws-money-wheel")
    picture = drawn(book, get_layout(book))

    segments = picture.findall(f".//{SVG}g[@data-pocket]")
    faces = {(next(iter(segment)).attrib["fill"], *texts(segment)) for segment in segments}
    assert len(segments) == 52
    assert {mark for _, mark in faces} == {"RWS", "C", "20", "10", "5", "3", "1"}
    assert len({fill for fill, _ in faces}) == len(faces) == 7
    assert len(picture.findall(f".//{SVG}path[@data-part='clapper']")) == 1


def test_a_box_for_a_symbol_says_what_it_pays_and_how_often_it_stands_on_the_wheel() -> None:
    book = load_book("rws-money-wheel")
    boxes = groups(drawn(book, get_layout(book)), "data-box")

    assert texts(boxes["symbol:crockfords"]) == ["C", "Crockfords", "45 to 1", "1 of 52 segments"]
    assert texts(boxes["symbol:20"]) == ["20", "SGD 20", "20 to 1", "2 of 52 segments"]


@TABLES
def test_the_picture_names_the_game_for_those_who_see_it_and_those_who_do_not(
    book: Book, layout: Layout
) -> None:
    picture = drawn(book, layout)

    assert picture.attrib["role"] == "img"
    assert picture.findtext(f"{SVG}title") == f"{book.title} · {book.operator} · {layout.title}"
    assert f"{len(layout.bets)} legal bets" in (picture.findtext(f"{SVG}desc") or "")
    shown = [text.text for text in picture.findall(f"{SVG}text")]
    assert shown[:2] == [book.title, f"{book.operator} · {layout.title}"]


@TABLES
def test_the_picture_refers_to_nothing_outside_itself(book: Book, layout: Layout) -> None:
    svg = draw_svg(book, layout)

    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"href|url\(|@import|<script|<image|<style", svg)


@TABLES
def test_the_same_book_gives_the_same_picture(book: Book, layout: Layout) -> None:
    assert draw_svg(book, layout) == draw_svg(book, layout)


def with_label(book: Book, label: str) -> tuple[Book, Layout]:
    """The book with one label, of a box on the felt and of the title, changed."""
    layout = get_layout(book)
    first, *others = layout.boxes
    changed = msgspec.structs.replace(layout, boxes=(msgspec.structs.replace(first, label=label), *others))
    return msgspec.structs.replace(book, title=label), changed


@pytest.mark.parametrize("book_id", ["mbs-roulette", "rws-money-wheel"])
def test_letters_that_mean_something_in_xml_are_shown_as_they_are(book_id: str) -> None:
    label = """<b onload='x'>1 & "2" </b> ]]> \u00e9"""
    book, layout = with_label(load_book(book_id), label)

    picture = drawn(book, layout)

    assert label in texts(groups(picture, "data-box")[layout.boxes[0].bet])
    assert picture.findtext(f"{SVG}text") == label
    assert not picture.findall(f".//{SVG}b")


@given(label=st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_of_a_book_gives_a_picture_that_parses(label: str) -> None:
    book, layout = with_label(load_book("mbs-roulette"), label)

    picture = drawn(book, layout)

    (shown,) = texts(groups(picture, "data-box")[layout.boxes[0].bet])
    expected = "".join("\ufffd" if character in NOT_IN_XML else character for character in label)
    assert shown == expected


@st.composite
def wheels_of_symbols(draw: st.DrawFn) -> Wheel:
    names = draw(st.lists(st.text("abXY 12", min_size=1, max_size=8), min_size=1, max_size=20, unique=True))
    counts = {name: draw(st.integers(1, 6)) for name in names}
    order = [name for name, count in counts.items() for _ in range(count)]
    return msgspec.structs.replace(
        load_book("rws-money-wheel").wheel,
        order=tuple(draw(st.permutations(order))),
        outcomes=counts,
        labels={name: draw(st.text("Crown Joker", min_size=1, max_size=8)) for name in names},
    )


@given(wheel=wheels_of_symbols())
def test_symbols_nobody_has_seen_before_have_a_colour_and_a_mark(wheel: Wheel) -> None:
    book = msgspec.structs.replace(load_book("rws-money-wheel"), wheel=wheel)
    empty = msgspec.structs.replace(get_layout(book), boxes=(), bets={})

    segments = drawn(book, empty).findall(f".//{SVG}g[@data-pocket]")

    assert tuple(segment.attrib["data-pocket"] for segment in segments) == wheel.order
    faces = {
        segment.attrib["data-pocket"]: (next(iter(segment)).attrib["fill"], *texts(segment))
        for segment in segments
    }
    assert all(1 <= len(mark) <= 3 for _, mark in faces.values())
    assert len({fill for fill, _ in faces.values()}) == min(len(faces), 12)


@given(scale=st.sampled_from([1, 7, 10**6, 10**400]), shift=st.integers(-(10**6), 10**6))
def test_a_layout_is_drawn_the_same_whatever_its_units_are(scale: int, shift: int) -> None:
    book = load_book("mbs-roulette")
    layout = get_layout(book)

    def scaled(rect: Rect) -> Rect:
        return Rect(*(scale * value + shift for value in rect))

    larger = msgspec.structs.replace(
        layout,
        numbers={number: scaled(rect) for number, rect in layout.numbers.items()},
        boxes=tuple(Box(bet=box.bet, label=box.label, rect=scaled(box.rect)) for box in layout.boxes),
    )

    assert draw_svg(book, larger) == draw_svg(book, layout)
