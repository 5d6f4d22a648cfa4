"""Announced bets as one kind of terminal offers them, and its racetrack."""

from collections.abc import Mapping

import msgspec

from croupier.protocol.book_sectors import Arc, sectors
from croupier.rulebook import Book, Layout, Offer, offered
from croupier.rulebook.calls import FINALES, NEIGHBOURS


class PieceView(msgspec.Struct, frozen=True, kw_only=True):
    """One part of an announced bet."""

    bet: str
    pieces: int


class CallView(msgspec.Struct, frozen=True, kw_only=True):
    """A bet called by name, under the name that this terminal uses."""

    name: str
    """Its id, as commands write it."""
    label: str
    clause: str
    pieces: int
    """How many units the whole bet costs."""
    parts: tuple[PieceView, ...]


class SectorView(msgspec.Struct, frozen=True, kw_only=True):
    """A series on the racetrack."""

    call: str
    arcs: tuple[Arc, ...]
    """The pockets that its area ends at; none where it is listed beside the track."""


class NeighboursView(msgspec.Struct, frozen=True, kw_only=True):
    """Neighbours, touched on the track."""

    label: str
    reaches: tuple[int, ...]
    calls: Mapping[str, tuple[str, ...]]
    """By number, the announced bet for each reach."""


class FinalesView(msgspec.Struct, frozen=True, kw_only=True):
    """Finales, chosen by digit."""

    label: str
    calls: Mapping[str, str]
    """By digit, the announced bet."""


class RacetrackView(msgspec.Struct, frozen=True, kw_only=True):
    """The pockets in the wheel's order, with what can be called there."""

    sectors: tuple[SectorView, ...]
    neighbours: NeighboursView | None
    finales: FinalesView | None


def calls_of(layout: Layout, offer: Offer) -> tuple[CallView, ...]:
    """Every announced bet that a terminal offers on a layout."""
    return tuple(
        CallView(
            name=name,
            label=label,
            clause=layout.announced[name].clause,
            pieces=layout.announced[name].pieces,
            parts=tuple(
                PieceView(bet=part.bet.id, pieces=part.pieces) for part in layout.announced[name].parts
            ),
        )
        for name, label in offered(layout, offer).items()
    )


def racetrack_of(book: Book, layout: Layout, offer: Offer) -> RacetrackView | None:
    """What the racetrack of a terminal offers; None where that is nothing."""
    names = [*offered(layout, offer)]
    series = [layout.announced[name] for name in names if ":" not in name]
    arcs = sectors(book.wheel, series)
    finales = {name.partition(":")[2]: name for name in names if name.startswith(f"{FINALES}:")}
    if not names:
        return None
    return RacetrackView(
        sectors=tuple(SectorView(call=call.name, arcs=arcs[call.name]) for call in series),
        neighbours=_neighbours(layout, offer) if NEIGHBOURS in offer.labels else None,
        finales=FinalesView(label=offer.labels[FINALES], calls=finales) if finales else None,
    )


def _neighbours(layout: Layout, offer: Offer) -> NeighboursView:
    reaches = tuple(sorted(offer.reaches))
    return NeighboursView(
        label=offer.labels[NEIGHBOURS],
        reaches=reaches,
        calls={
            number: tuple(f"{NEIGHBOURS}:{number}+{reach}" for reach in reaches) for number in layout.numbers
        },
    )
