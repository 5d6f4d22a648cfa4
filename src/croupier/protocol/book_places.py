"""Where on the felt each bet is touched: derived here once, so that no screen has a geometry of its own."""

from typing import Final, NamedTuple

import msgspec

from croupier.rulebook import Bet, Layout, Point, Rect

CENTRE: Final = "centre"
LINE: Final = "line"
CROSSING: Final = "crossing"
OUTSIDE_LINE: Final = "outside-line"
OUTSIDE_BOX: Final = "outside-box"
SHAPES: Final = (CENTRE, LINE, CROSSING, OUTSIDE_LINE, OUTSIDE_BOX)


class Extent(NamedTuple):
    """A part of the felt in halves of a unit: an area, a stretch of a line, or a single point."""

    along_halves: int
    across_halves: int
    along_to_halves: int
    across_to_halves: int


class PlaceView(msgspec.Struct, frozen=True, kw_only=True):
    """Where a bet is touched and where its chips lie."""

    shape: str
    """`centre` of a number, a `line` between two, a `crossing`, the `outside-line`, an `outside-box`."""
    at: Point
    """Where the chips lie, in halves of a unit."""
    extent: Extent
    """What belongs to the bet alone: the area of a centre or a box, the stretch of a line, the point of a
    crossing; on the outside line the length of a row, or the point where two rows meet."""


def place_of(layout: Layout, bet: Bet) -> PlaceView:
    """The place of a legal bet on its layout.

    >>> from croupier.rulebook import get_layout, load_book
    >>> layout = get_layout(load_book("mbs-roulette"))
    >>> place_of(layout, layout.bets["corner:0/1/2/3"]).shape
    'outside-line'
    """
    for box in layout.boxes:
        if box.bet == bet.id:
            return PlaceView(shape=OUTSIDE_BOX, at=bet.spot, extent=_doubled(box.rect))
    rects = [layout.numbers[number] for number in bet.numbers]
    if len(rects) == 1:
        return PlaceView(shape=CENTRE, at=bet.spot, extent=_doubled(rects[0]))
    common = _common(rects)
    if common is not None and len(rects) == 2:
        return PlaceView(shape=LINE, at=bet.spot, extent=_doubled(common))
    if common is not None and (2 * common.along, 2 * common.across) == bet.spot:
        return PlaceView(shape=CROSSING, at=bet.spot, extent=_point(bet.spot))
    rows = {(rect.along, rect.along_to) for rect in rects}
    if len(rows) == 1:
        ((along, along_to),) = rows
        extent = Extent(2 * along, bet.spot.across_halves, 2 * along_to, bet.spot.across_halves)
    else:
        extent = _point(bet.spot)
    return PlaceView(shape=OUTSIDE_LINE, at=bet.spot, extent=extent)


def _common(rects: list[Rect]) -> Rect | None:
    """What all the rectangles have in common, be it an edge or a point."""
    common = Rect(
        max(rect.along for rect in rects),
        max(rect.across for rect in rects),
        min(rect.along_to for rect in rects),
        min(rect.across_to for rect in rects),
    )
    return common if common.along <= common.along_to and common.across <= common.across_to else None


def _doubled(rect: Rect) -> Extent:
    return Extent(2 * rect.along, 2 * rect.across, 2 * rect.along_to, 2 * rect.across_to)


def _point(spot: Point) -> Extent:
    return Extent(*spot, *spot)
