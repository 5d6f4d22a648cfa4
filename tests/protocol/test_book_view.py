"""What screens draw and explain a game from: every bet has one place, nothing is left out or said twice."""

from fractions import Fraction
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path

import msgspec
import pytest

from clauses import clause
from croupier.protocol.book_places import CENTRE, CROSSING, LINE, OUTSIDE_BOX, OUTSIDE_LINE, SHAPES, Extent
from croupier.protocol.book_view import BookView, SpotView, book_view
from croupier.rulebook import BadInput, Book, get_layout, get_offer, load_book, offered
from croupier.table.rules import Rules

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN_BOOKS = [str(EXAMPLES / "french-roulette.toml"), str(EXAMPLES / "money-wheel-54.toml")]

SHIPPED = [
    ("mbs-roulette", "main", "rapid-select"),
    ("mbs-roulette", "main", "rapid-fusion"),
    ("mbs-roulette", "main", "alfastreet"),
    ("rws-roulette-00", "A", "rapid"),
    ("rws-roulette-00", "B", "rapid"),
    ("rws-roulette-000", "main", "rapid"),
    ("rws-money-wheel", "main", "place"),
]
SEATS = [*SHIPPED, (OWN_BOOKS[0], "main", "poste"), (OWN_BOOKS[1], "main", "place")]


def seat_id(seat: tuple[str, str, str]) -> str:
    return ":".join([Path(seat[0]).stem, *seat[1:]])


@pytest.fixture(params=SEATS, ids=seat_id)
def seat(request: pytest.FixtureRequest) -> tuple[Book, BookView]:
    name, layout, terminal = request.param
    book = load_book(name)
    return book, book_view(book, layout, terminal)


def spots_of(view: BookView) -> dict[str, SpotView]:
    return {spot.bet: spot for spot in view.layout.spots}


def test_every_kind_of_seat_of_every_shipped_book_is_looked_at() -> None:
    books = {name: load_book(name) for name, _, _ in SHIPPED}
    kinds = {
        (book.id, layout, kind)
        for book in books.values()
        for layout in book.layouts
        for kind in Rules(book, layout).seat_kinds
    }

    assert kinds == set(SHIPPED)


def test_the_spots_are_the_legal_bets_of_the_layout(seat: tuple[Book, BookView]) -> None:
    book, view = seat
    bets = get_layout(book, view.layout.id).bets

    assert [spot.bet for spot in view.layout.spots] == [*bets]
    for spot in view.layout.spots:
        assert (spot.kind, spot.numbers, spot.pays) == (
            bets[spot.bet].kind,
            bets[spot.bet].numbers,
            bets[spot.bet].pays,
        )
        assert spot.place.shape in SHAPES
        assert spot.place.at == bets[spot.bet].spot


def test_no_two_bets_have_the_same_place_and_none_is_too_close_to_hit(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    rects = [cell.rect for cell in view.layout.cells] or [box.rect for box in view.layout.boxes]
    shortest = min(min(rect.along_to - rect.along, rect.across_to - rect.across) for rect in rects)

    for one, other in combinations(view.layout.spots, 2):
        apart = hypot(*(a - b for a, b in zip(one.place.at, other.place.at, strict=True)))
        assert apart / 2 >= shortest / 4, (one.bet, other.bet)
        assert one.place.extent != other.place.extent


def test_chips_lie_in_the_middle_of_what_belongs_to_the_bet(seat: tuple[Book, BookView]) -> None:
    _, view = seat

    for spot in view.layout.spots:
        along, across, along_to, across_to = spot.place.extent
        assert (along + along_to, across + across_to) == (2 * spot.place.at[0], 2 * spot.place.at[1])


def test_an_area_a_stretch_and_a_point_are_what_the_shape_says(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    dimensions = {CENTRE: {2}, OUTSIDE_BOX: {2}, LINE: {1}, CROSSING: {0}, OUTSIDE_LINE: {0, 1}}

    for spot in view.layout.spots:
        along, across, along_to, across_to = spot.place.extent
        assert (along < along_to) + (across < across_to) in dimensions[spot.place.shape]


def test_lines_and_crossings_touch_exactly_the_numbers_of_their_bet(seat: tuple[Book, BookView]) -> None:
    _, view = seat

    for spot in view.layout.spots:
        if spot.place.shape in (LINE, CROSSING):
            along, across = spot.place.at
            touched = {
                cell.number
                for cell in view.layout.cells
                if 2 * cell.rect.along <= along <= 2 * cell.rect.along_to
                and 2 * cell.rect.across <= across <= 2 * cell.rect.across_to
            }
            assert touched == set(spot.numbers), spot.bet


PLACES = [
    ("mbs-roulette", "main", "straight:0", CENTRE, (0, 0, 4, 12)),
    ("mbs-roulette", "main", "split:0/2", LINE, (4, 4, 4, 8)),
    ("mbs-roulette", "main", "street:0/1/2", CROSSING, (4, 4, 4, 4)),
    ("mbs-roulette", "main", "street:1/2/3", OUTSIDE_LINE, (4, 0, 8, 0)),
    ("mbs-roulette", "main", "corner:0/1/2/3", OUTSIDE_LINE, (4, 0, 4, 0)),
    ("mbs-roulette", "main", "six-line:1/2/3/4/5/6", OUTSIDE_LINE, (8, 0, 8, 0)),
    ("mbs-roulette", "main", "dozen:1", OUTSIDE_BOX, (4, -4, 20, 0)),
    ("rws-roulette-00", "B", "street:0/00/2", CROSSING, (4, 6, 4, 6)),
    ("rws-roulette-00", "B", "split:0/2", LINE, (4, 4, 4, 6)),
    ("rws-roulette-00", "B", "top-line:0/00/1/2/3", OUTSIDE_LINE, (4, 0, 4, 0)),
    ("rws-roulette-000", "main", "street:0/00/000", CROSSING, (4, 6, 4, 6)),
    ("rws-roulette-000", "main", "top-line:0/00/000/1/2/3", OUTSIDE_LINE, (8, 0, 8, 0)),
]


@pytest.mark.parametrize(("book", "layout", "bet", "shape", "extent"), PLACES)
@clause("mbs-roulette:3.4", "rws-roulette-00:3.4", "rws-roulette-000:3.4")
def test_bets_lie_where_the_appendix_places_them(
    book: str, layout: str, bet: str, shape: str, extent: tuple[int, ...]
) -> None:
    place = spots_of(book_view(load_book(book), layout))[bet].place

    assert (place.shape, place.extent) == (shape, Extent(*extent))


def test_odds_are_exact_and_agree_with_the_wheel(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    pockets = {outcome.id: outcome.pockets for outcome in view.wheel.outcomes}
    total = len(view.wheel.order)

    for spot in view.layout.spots:
        chance = Fraction(sum(pockets[number] for number in spot.numbers), total)
        assert Fraction(spot.probability) == chance
        assert Fraction(spot.house_edge) == 1 - chance * (spot.pays + 1)


def test_the_pay_table_has_every_bet_once(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    lines = {(line.kind, line.pays, line.house_edge) for line in view.pay_table}

    assert lines == {(spot.kind, spot.pays, spot.house_edge) for spot in view.layout.spots}
    assert len({(line.name, line.pays, line.covers) for line in view.pay_table}) == len(view.pay_table)
    for line in view.pay_table:
        assert line.house_edge_percent == pytest.approx(100 * float(Fraction(line.house_edge)), abs=5e-5)


def test_the_wheel_shows_every_outcome_with_a_mark_of_its_own(seat: tuple[Book, BookView]) -> None:
    book, view = seat

    assert view.wheel.order == book.wheel.order
    assert {outcome.id for outcome in view.wheel.outcomes} == set(view.wheel.order)
    assert len({outcome.mark for outcome in view.wheel.outcomes}) == len(view.wheel.outcomes)
    assert all(
        outcome.colour == book.wheel.colours.get(outcome.id, "symbol") for outcome in view.wheel.outcomes
    )


def test_announced_bets_are_the_offered_ones_under_the_names_of_the_terminal(
    seat: tuple[Book, BookView],
) -> None:
    book, view = seat
    if view.terminal == "place":
        assert (view.layout.calls, view.layout.racetrack, view.terminal_title) == ((), None, None)
        return
    layout = get_layout(book, view.layout.id)
    offer = get_offer(book, layout, str(view.terminal))
    track = view.layout.racetrack
    assert track is not None

    assert {call.name: call.label for call in view.layout.calls} == offered(layout, offer)
    for call in view.layout.calls:
        assert sum(part.pieces for part in call.parts) == call.pieces
        assert {part.bet for part in call.parts} <= set(spots_of(view))
    reachable = [sector.call for sector in track.sectors]
    reachable += [
        name for names in (track.neighbours.calls.values() if track.neighbours else ()) for name in names
    ]
    reachable += track.finales.calls.values() if track.finales else ()
    assert sorted(reachable) == sorted(call.name for call in view.layout.calls)


def test_neighbours_lie_around_their_number(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    track = view.layout.racetrack
    if track is None or track.neighbours is None:
        assert view.terminal == "place"
        return
    parts = {call.name: [part.bet for part in call.parts] for call in view.layout.calls}
    order = view.wheel.order

    for number, names in track.neighbours.calls.items():
        for reach, name in zip(track.neighbours.reaches, names, strict=True):
            middle = order.index(number)
            beside = [order[(middle + step) % len(order)] for step in range(-reach, reach + 1)]
            assert parts[name] == [f"straight:{pocket}" for pocket in beside]


SECTORS = {
    "tiers": [("27", "33")],
    "orphelins": [("17", "6"), ("1", "9")],
    "zero-spiel": [("12", "15")],
    "grand-series": [("19", "25"), ("22", "28")],
}


@pytest.mark.parametrize(
    ("book", "terminal"), [("mbs-roulette", "rapid-fusion"), ("rws-roulette-000", "rapid")]
)
def test_the_series_share_the_racetrack_as_on_the_wheel(book: str, terminal: str) -> None:
    view = book_view(load_book(book), None, terminal)
    assert view.layout.racetrack is not None

    order = view.wheel.order
    assert {
        sector.call: [(order[arc.first], order[arc.last]) for arc in sector.arcs]
        for sector in view.layout.racetrack.sectors
    } == SECTORS


def test_no_pocket_of_a_racetrack_belongs_to_two_series(seat: tuple[Book, BookView]) -> None:
    _, view = seat
    size = len(view.wheel.order)
    taken = [
        (arc.first + step) % size
        for sector in (view.layout.racetrack.sectors if view.layout.racetrack else ())
        for arc in sector.arcs
        for step in range((arc.last - arc.first) % size + 1)
    ]

    assert all(before != after for before, after in pairwise(sorted(taken)))


def test_a_view_survives_the_wire_unchanged(seat: tuple[Book, BookView]) -> None:
    _, view = seat

    assert msgspec.json.decode(msgspec.json.encode(view), type=BookView) == view


def test_notices_and_rules_are_the_words_of_the_book(seat: tuple[Book, BookView]) -> None:
    book, view = seat

    assert {step: notice.text for step, notice in view.notices.items()} == {
        step: notice.texts[0] for step, notice in book.notices.items()
    }
    assert [(rule.id, rule.summary) for rule in view.rules] == [
        (clause.id, clause.summary) for clause in book.clauses.values()
    ]


def test_a_terminal_that_the_book_does_not_have_is_refused() -> None:
    with pytest.raises(BadInput, match="has no terminal 'alfastreet'") as caught:
        book_view(load_book("rws-roulette-000"), None, "alfastreet")

    assert caught.value.code == "unknown-terminal"
