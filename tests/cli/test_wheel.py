"""`croupier wheel`."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli.running import LAYOUTS, refusal, run
from croupier.rulebook import load_book, shipped_books


@pytest.mark.parametrize("book", shipped_books())
def test_the_wheel_as_json(book: str) -> None:
    wheel = run("wheel", book, "--json").json
    assert [*wheel] == ["book", "kind", "pockets", "order", "colours"]
    assert wheel["book"] == book
    assert wheel["pockets"] == len(wheel["order"])
    assert wheel["order"] == [*load_book(book).wheel.order]
    assert wheel["colours"] == dict(load_book(book).wheel.colours)


def test_a_ball_wheel_for_people() -> None:
    assert (
        run("wheel", "mbs-roulette").out
        == """\
mbs-roulette (Electronic Roulette): 37 pockets, clockwise seen from above

 0 g  32 r  15 b  19 r   4 b  21 r   2 b  25 r  17 b  34 r   6 b  27 r  13 b  36 r  11 b  30 r   8 b
23 r  10 b   5 r  24 b  16 r  33 b   1 r  20 b  14 r  31 b   9 r  22 b  18 r  29 b   7 r  28 b  12 r
35 b   3 r  26 b

r red, b black, g green

Assumption pocket-order: No text gives the order of the pockets. The worked example (21 has 17 25 2
on one side and 4 19 15 on the other) fits the European single-zero wheel and not the American one,
so the European order is used. It is a setting of the table.
"""
    )


def test_a_wheel_of_segments_for_people() -> None:
    lines = run("wheel", "rws-money-wheel").out.splitlines()
    assert lines[0] == "rws-money-wheel (Money Wheel): 52 segments, clockwise seen from above"
    assert " ".join(lines[2:4]).split(", ") == [*load_book("rws-money-wheel").wheel.order]
    assert "SGD 20" in "\n".join(lines)
    assert any(line.startswith("Assumption segment-order: ") for line in lines)


@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
def test_the_picture_of_wheel_and_layout(book: str, layout: str, tmp_path: Path) -> None:
    file = tmp_path / "wheel.svg"
    ran = run("wheel", book, "--layout", layout, "--svg", str(file))
    assert (ran.status, ran.out) == (0, run("wheel", book).out)
    assert ran.err == f"croupier: The picture of {book}, layout {layout}, is in {file}.\n"
    assert ET.parse(file).getroot().tag == "{http://www.w3.org/2000/svg}svg"


def test_the_picture_alone_on_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "wheel.svg"
    run("wheel", "rws-roulette-00", "--layout", "B", "--svg", str(file))
    ran = run("wheel", "rws-roulette-00", "--layout", "B", "--svg", "-")
    assert ran == (0, file.read_text(encoding="utf-8"), "")


def test_json_beside_a_picture_in_a_file(tmp_path: Path) -> None:
    ran = run("wheel", "mbs-roulette", "--json", "--svg", str(tmp_path / "wheel.svg"))
    assert (ran.status, ran.out) == (0, run("wheel", "mbs-roulette", "--json").out)


def test_json_and_a_picture_cannot_share_standard_output() -> None:
    assert refusal("wheel", "mbs-roulette", "--json", "--svg", "-") == (
        "--json and --svg - both write to standard output. Name a file for the picture, or leave --json out."
    )


def test_a_picture_that_cannot_be_written(tmp_path: Path) -> None:
    for file in (tmp_path, tmp_path / "absent" / "wheel.svg"):
        said = refusal("wheel", "mbs-roulette", "--svg", str(file))
        assert said.startswith(f"'{file}' cannot be written: ")
    assert not (tmp_path / "absent").exists()
