"""What pictures are drawn with: colours, type, and the few SVG elements they consist of.

The colours are those of the terminals. A colour never stands alone: red comes with a circle, black with a
square, the zeros with a hexagon, and every symbol of a wheel with its mark.
"""

import re
import unicodedata
from fractions import Fraction
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from croupier.rulebook.model import Wheel

GROUND: Final = "#0b0f11"
PANEL: Final = "#12181b"
PANEL_LINE: Final = "#2a363c"
FELT: Final = "#0e4435"
FELT_RAISED: Final = "#12543f"
FELT_DEEP: Final = "#0a3227"
FELT_LINE: Final = "#a9cdbb"
FELT_TEXT: Final = "#eef7f1"
TEXT: Final = "#f2f5f4"
TEXT_SECOND: Final = "#b4c0c0"
TEXT_THIRD: Final = "#8f9d9e"
METAL: Final = "#c9d3d5"

COLOURS_OF_NUMBERS: Final = {"red": "#b4232f", "black": "#14181a", "green": "#0b7a4e"}

_COLOURS_OF_SYMBOLS: Final = (
    "#5b3a9e",
    "#8e1f3a",
    "#0d6a78",
    "#2459ad",
    "#14744a",
    "#99480f",
    "#3d4a51",
    "#7a2e7a",
    "#5f6413",
    "#1f6390",
    "#7c4038",
    "#46508a",
)
"""White type is readable on each of them; a wheel with more symbols starts again from the first."""

_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that a TOML text may hold and an XML text may not."""

Value = str | int | float | Fraction


def element(tag: str, *children: str, **attributes: Value) -> str:
    """An SVG element; an underscore in the name of an attribute stands for a hyphen.

    >>> element("circle", r=Fraction(5, 2), stroke_width=1)
    '<circle r="2.5" stroke-width="1"/>'
    """
    start = tag + "".join(
        f" {name.replace('_', '-')}={quoteattr(_shown(value))}" for name, value in attributes.items()
    )
    return f"<{start}>{''.join(children)}</{tag}>" if children else f"<{start}/>"


def plain(text: str) -> str:
    """A text of a book as the content of an element.

    >>> plain("1 < 2")
    '1 &lt; 2'
    """
    return escape(_NOT_IN_XML.sub("\ufffd", text), {"\r": "&#13;"})


def figure(value: int | float | Fraction) -> str:
    """A length or an angle with two decimals at most, written the same way everywhere.

    >>> figure(12.5), figure(-0.001)
    ('12.5', '0')
    """
    shown = f"{float(value):.2f}".rstrip("0").rstrip(".")
    return "0" if shown == "-0" else shown


def lettering(text: str, x: float, y: float, size: float, **attributes: Value) -> str:
    """A text whose capitals and figures stand centred on a height of `y`."""
    return element("text", plain(text), x=x, y=y + 0.36 * size, font_size=size, **attributes)


def fitted(text: str, size: float, room: float) -> float:
    """The size of type, `size` at most, at which the text is no wider than the room.

    >>> fitted("17", 20, 100)
    20
    """
    width_in_ems = sum(map(_width_in_ems, text))
    return min(size, room / width_in_ems) if width_in_ems else size


def pip(colour: str, x: float, y: float, radius: float) -> str:
    """The shape that stands for a colour: circle for red, square for black, hexagon for the zeros."""
    if colour == "red":
        return element("circle", cx=x, cy=y, r=radius)
    if colour == "black":
        return element("rect", x=x - radius, y=y - radius, width=2 * radius, height=2 * radius)
    half, tall = figure(radius / 2), figure(radius)
    start = f"M{figure(x)} {figure(y - radius)}"
    return element("path", d=f"{start}l{tall} {half}v{tall}l-{tall} {half}l-{tall} -{half}v-{tall}z")


def face(wheel: Wheel, outcome: str) -> str:
    """The colour of an outcome: the number's own, or for a symbol one by its place among the symbols."""
    if outcome in wheel.colours:
        return COLOURS_OF_NUMBERS[wheel.colours[outcome]]
    return _COLOURS_OF_SYMBOLS[[*wheel.outcomes].index(outcome) % len(_COLOURS_OF_SYMBOLS)]


def marks(wheel: Wheel) -> dict[str, str]:
    """Three characters at most for every outcome, no two alike where letters suffice.

    >>> from croupier.rulebook import load_book
    >>> [*marks(load_book("rws-money-wheel").wheel).values()]
    ['RWS', 'C', '20', '10', '5', '3', '1']
    """
    found = {outcome: outcome for outcome in wheel.outcomes if len(outcome) <= 3}
    for place, (outcome, label) in enumerate(wheel.labels.items(), start=1):
        if outcome not in found:
            initials = "".join(word[0] for word in label.split())[:3]
            wanted = (initials, label[:2], label[:3], outcome[:3])
            free = (mark for mark in wanted if mark.strip() and mark not in found.values())
            found[outcome] = next(free, str(place))
    return {outcome: found[outcome] for outcome in wheel.outcomes}


def pockets_word(wheel: Wheel) -> str:
    """What the places at which a wheel can stop are called."""
    return "segments" if wheel.kind == "clapper" else "pockets"


def _shown(value: Value) -> str:
    return _NOT_IN_XML.sub("\ufffd", value) if isinstance(value, str) else figure(value)


def _width_in_ems(character: str) -> float:
    """How wide a character of a bold sans serif is at most; wide enough for the common fonts."""
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character in " .,:;'|!-/il":
        return 0.4
    if character in "MWmw":
        return 1.1
    return 0.84 if character.isupper() else 0.7
