"""Drawing a wheel: pockets round the bowl with the ball, or segments under the clapper."""

from math import cos, pi, radians, sin
from typing import Final

from croupier.rulebook.drawing_ink import (
    GROUND,
    METAL,
    Value,
    element,
    face,
    figure,
    fitted,
    lettering,
    marks,
    pip,
)
from croupier.rulebook.model import Wheel

RADIUS: Final = 220
"""From the middle of the wheel to its outer edge."""

_TRACK, _RIM, _NUMBERS, _POCKETS = 203, 186, 139, 100
_PINS, _SEGMENTS, _HUB = 211.5, 204, 84
_DEPTH: Final = 44
"""How far a text may run along the radius."""
_LEGIBLE: Final = 10
"""The size of type below which an upright text gives way to a turned one."""


def draw_wheel(wheel: Wheel) -> str:
    """The wheel around the origin, its first pocket or segment on top and the others clockwise."""
    bowl = element("circle", r=RADIUS, fill="#1b2327", stroke="#5b6b72", stroke_width=1.5)
    parts = _clapper_wheel(wheel) if wheel.kind == "clapper" else _ball_wheel(wheel)
    return element("g", bowl, *parts, text_anchor="middle", font_weight=700, fill="#fff")


def _ball_wheel(wheel: Wheel) -> list[str]:
    slice_ = 360 / len(wheel.order)
    pockets = [_pocket(wheel, number, place, slice_) for place, number in enumerate(wheel.order)]
    diamonds = [
        element("path", d="M0 -7 3 0 0 7 -3 0z", transform=f"rotate({turn}) translate(0 {-_TRACK})")
        for turn in range(0, 360, 45)
    ]
    spokes = [
        element("path", d="M-4 0 0 -92 4 0z", fill="#57666c", transform=f"rotate({turn})")
        for turn in range(22, 360, 90)
    ]
    ball = _point(_TRACK, 22.5)
    return [
        element("circle", r=_TRACK, fill="none", stroke=GROUND, stroke_opacity=0.55, stroke_width=17),
        element("g", *diamonds, fill="#8c9aa0"),
        *pockets,
        element("circle", r=_POCKETS, fill="#1f292d", stroke=METAL, stroke_opacity=0.45),
        *spokes,
        *_hub(34),
        element("circle", cx=ball[0], cy=ball[1], r=7, fill="#fff", stroke=GROUND),
    ]


def _pocket(wheel: Wheel, number: str, place: int, slice_: float) -> str:
    """The number on the rim, upright along the radius, and below it the pocket with its pip."""
    fill = face(wheel, number)
    spot = min(4.5, 0.8 * _POCKETS * pi / len(wheel.order))
    pocket = _sector(_POCKETS, _NUMBERS, slice_)
    line: dict[str, Value] = {"stroke": METAL, "stroke_opacity": 0.5, "stroke_width": 0.8}
    return element(
        "g",
        element("path", d=_sector(_NUMBERS, _RIM, slice_), fill=fill, **line),
        element("path", d=pocket, fill=fill, **line),
        element("path", d=pocket, fill="#000", fill_opacity=0.36),
        element("g", pip(wheel.colours[number], 0, -(_NUMBERS + _POCKETS) / 2, spot), fill_opacity=0.6),
        _mark(number, 19, _RIM - 21, len(wheel.order)),
        transform=f"rotate({figure(place * slice_)})",
        data_pocket=number,
    )


def _clapper_wheel(wheel: Wheel) -> list[str]:
    slice_ = 360 / len(wheel.order)
    short = marks(wheel)
    segments = [_segment(wheel, symbol, short[symbol], place) for place, symbol in enumerate(wheel.order)]
    pin = min(3.0, 0.3 * 2 * pi * _PINS / len(wheel.order))
    pins = [
        element("circle", cx=x, cy=y, r=pin)
        for x, y in (_point(_PINS, (place + 0.5) * slice_) for place in range(len(wheel.order)))
    ]
    return [
        *segments,
        element("g", *pins, fill="#d7dee0"),
        element("circle", r=_HUB, fill="#1f292d", stroke=METAL, stroke_opacity=0.45),
        *_hub(42),
        element(
            "path",
            d=f"M-12 {-RADIUS - 8}h24L4 {12 - _SEGMENTS}a4 4 0 0 1 -8 0z",
            fill="#fff",
            stroke=GROUND,
            stroke_width=2,
            data_part="clapper",
        ),
    ]


def _segment(wheel: Wheel, symbol: str, mark: str, place: int) -> str:
    slice_ = 360 / len(wheel.order)
    return element(
        "g",
        element(
            "path",
            d=_sector(_HUB, _SEGMENTS, slice_),
            fill=face(wheel, symbol),
            stroke=GROUND,
            stroke_width=1.2,
        ),
        _mark(mark, 16, _SEGMENTS - 42, len(wheel.order)),
        transform=f"rotate({figure(place * slice_)})",
        data_pocket=symbol,
    )


def _mark(text: str, size: float, radius: float, pockets: int) -> str:
    """A text on the rim: upright along the radius, or turned to run along it where that leaves more room."""
    arc = 2 * pi * radius / pockets
    upright, turned = fitted(text, size, 0.9 * arc), min(fitted(text, size, _DEPTH), 0.8 * arc)
    if upright >= _LEGIBLE or upright >= turned:
        return lettering(text, 0, -radius, upright)
    return lettering(text, 0, 0, turned, transform=f"translate(0 {figure(-radius)}) rotate(-90)")


def _hub(radius: int) -> list[str]:
    return [
        element("circle", r=radius, fill="#1a2226", stroke="#cfd8da", stroke_opacity=0.5, stroke_width=2),
        element("circle", r=radius / 3, fill="#8c9aa0"),
    ]


def _sector(inner: float, outer: float, slice_: float) -> str:
    """A part of a ring around the top; in two arcs, so that a single pocket may go all the way round."""
    left, right = -slice_ / 2, slice_ / 2
    there = (_arc(outer, 1, 0), _arc(outer, 1, right))
    back = (_arc(inner, 0, 0), _arc(inner, 0, left))
    return f"M{_at(outer, left)}{''.join(there)}L{_at(inner, right)}{''.join(back)}Z"


def _arc(radius: float, sweep: int, to: float) -> str:
    return f"A{figure(radius)} {figure(radius)} 0 0 {sweep} {_at(radius, to)}"


def _at(radius: float, degrees: float) -> str:
    x, y = _point(radius, degrees)
    return f"{figure(x)} {figure(y)}"


def _point(radius: float, degrees: float) -> tuple[float, float]:
    """A point at an angle that is counted clockwise from the top."""
    return radius * sin(radians(degrees)), -radius * cos(radians(degrees))
