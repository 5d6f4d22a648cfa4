"""A book as a screen needs it: felt, bets with their places, wheel, announced bets, words, rules, pay table.

A screen draws and explains any game from this alone, a book of one's own included.
"""

from collections.abc import Mapping
from fractions import Fraction

import msgspec

from croupier.protocol.book_calls import CallView, RacetrackView, calls_of, racetrack_of
from croupier.protocol.book_places import PlaceView, place_of
from croupier.rulebook import Bet, Book, Layout, Rect, get_layout, get_offer, house_edge, probability
from croupier.rulebook.drawing_ink import marks
from croupier.table.rules import PLACE

SYMBOL = "symbol"
"""The kind of bet, and the colour, of a wheel that has symbols instead of numbers."""


class CellView(msgspec.Struct, frozen=True, kw_only=True):
    """A number on the felt."""

    number: str
    rect: Rect


class BoxView(msgspec.Struct, frozen=True, kw_only=True):
    """A labelled box on the felt."""

    bet: str
    kind: str
    label: str
    rect: Rect


class SpotView(msgspec.Struct, frozen=True, kw_only=True):
    """A legal bet and where it is placed."""

    bet: str
    kind: str
    name: str
    """In the book's words, as players read it."""
    numbers: tuple[str, ...]
    pays: int
    """Stakes won on top of the stake that comes back."""
    probability: str
    """The chance to win as an exact fraction."""
    house_edge: str
    """The part of a stake that the house keeps on average, as an exact fraction."""
    place: PlaceView


class OutcomeView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the wheel can show."""

    id: str
    label: str
    mark: str
    """Three characters at most, for where the label has no room."""
    colour: str
    """`red`, `black`, `green`, or `symbol`."""
    tint: int
    """Its place among all outcomes, from which a screen chooses the colour of a symbol."""
    pockets: int
    """On how many pockets or segments it stands."""


class WheelView(msgspec.Struct, frozen=True, kw_only=True):
    """The wheel, clockwise."""

    kind: str
    """`ball` or `clapper`."""
    order: tuple[str, ...]
    outcomes: tuple[OutcomeView, ...]
    revolutions: int
    """How many a valid spin takes."""
    opposite_direction: bool
    """Whether ball and wheel have to turn against each other."""
    clause: str
    """What makes a spin valid."""


class LayoutView(msgspec.Struct, frozen=True, kw_only=True):
    """A felt as one kind of terminal shows it."""

    id: str
    title: str
    clause: str
    cells: tuple[CellView, ...]
    boxes: tuple[BoxView, ...]
    spots: tuple[SpotView, ...]
    calls: tuple[CallView, ...]
    """The announced bets that this terminal offers."""
    racetrack: RacetrackView | None
    """None where the terminal offers no announced bet."""


class NoticeView(msgspec.Struct, frozen=True, kw_only=True):
    """What players read at a step of the round; facts stand in braces."""

    text: str
    source: str
    clause: str | None
    """The clause that the words rest on; null for words of ours, which may be shown translated alone."""


class PayLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the pay table: bets that cover and pay alike."""

    kind: str
    name: str
    covers: int
    """How many pockets or segments."""
    pays: int
    probability: str
    house_edge: str
    house_edge_percent: float
    clause: str


class RuleView(msgspec.Struct, frozen=True, kw_only=True):
    """A clause of the rules, restated."""

    id: str
    kind: str
    summary: str


class IrregularityView(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can go wrong, and what the book lets follow from it."""

    cause: str
    title: str
    clause: str
    consequence: str
    """Such as `void-round`, `void-affected-rounds`, `shift-manager-decides`."""
    since: str
    """From which step on it can have happened: `round`, `close` or `spin`."""


class AuthorityView(msgspec.Struct, frozen=True, kw_only=True):
    """From which position on something is allowed, and how many people it takes."""

    action: str
    position: str
    people: int


class BookView(msgspec.Struct, frozen=True, kw_only=True):
    """One game at one kind of terminal."""

    id: str
    title: str
    operator: str
    version: str
    effective: str
    currency: str
    sha256: str
    terminal: str | None
    terminal_title: str | None
    marks_boxes: bool
    """Whether limits hold for a box over all players, and an excess is marked instead of refused."""
    wheel: WheelView
    layout: LayoutView
    kind_names: Mapping[str, str]
    notices: Mapping[str, NoticeView]
    citations: Mapping[str, str]
    pay_table: tuple[PayLine, ...]
    rules: tuple[RuleView, ...]
    closes_before_spin: bool
    """Whether bets have to be closed before the ball is spun."""
    corrections: str
    """Until when settled rounds may change: `any-time` or `until-next-round`."""
    settled: str
    """What an irregularity that is found later makes of a settled round: `stand` or `void`."""
    irregularities: tuple[IrregularityView, ...]
    authority: tuple[AuthorityView, ...]


def book_view(book: Book, layout_id: str | None = None, terminal: str | None = None) -> BookView:
    """The view of a book on one of its layouts, for a kind of seat or for a screen that takes no bets.

    >>> from croupier.rulebook import load_book
    >>> view = book_view(load_book("mbs-roulette"), terminal="alfastreet")
    >>> view.layout.calls[0].label, len(view.layout.spots)
    ('Small Series', 157)
    """
    layout = get_layout(book, layout_id)
    offer = None if terminal is None or terminal == PLACE else get_offer(book, layout, terminal)
    return BookView(
        id=book.id,
        title=book.title,
        operator=book.operator,
        version=book.version,
        effective=book.effective,
        currency=book.currency,
        sha256=book.sha256,
        terminal=terminal,
        terminal_title=book.terminals[offer.terminal].title if offer else None,
        marks_boxes=book.limits.value == "mark-box",
        wheel=_wheel(book),
        layout=LayoutView(
            id=layout.id,
            title=layout.title,
            clause=layout.clause,
            cells=tuple(CellView(number=number, rect=rect) for number, rect in layout.numbers.items()),
            boxes=tuple(
                BoxView(bet=box.bet, kind=layout.bets[box.bet].kind, label=box.label, rect=box.rect)
                for box in layout.boxes
            ),
            spots=tuple(_spot(book, layout, bet) for bet in layout.bets.values()),
            calls=calls_of(layout, offer) if offer else (),
            racetrack=racetrack_of(book, layout, offer) if offer else None,
        ),
        kind_names=dict(book.kind_names),
        notices={
            step: NoticeView(text=notice.texts[0], source=notice.source, clause=notice.clause)
            for step, notice in book.notices.items()
        },
        citations=dict(book.citations),
        pay_table=_pay_table(book, layout),
        rules=tuple(
            RuleView(id=clause.id, kind=clause.kind, summary=clause.summary)
            for clause in book.clauses.values()
        ),
        closes_before_spin=book.bets_close.value == "before-spin",
        corrections=book.corrections.value,
        settled=book.settled.value,
        irregularities=tuple(
            IrregularityView(
                cause=each.cause,
                title=each.title,
                clause=each.clause,
                consequence=each.consequence,
                since=each.since,
            )
            for each in book.irregularities.values()
        ),
        authority=tuple(
            AuthorityView(action=each.action, position=each.position, people=each.people)
            for each in book.authority.values()
        ),
    )


def _wheel(book: Book) -> WheelView:
    short = marks(book.wheel)
    return WheelView(
        kind=book.wheel.kind,
        order=book.wheel.order,
        revolutions=book.wheel.revolutions,
        opposite_direction=book.wheel.opposite_direction,
        clause=book.wheel.clause,
        outcomes=tuple(
            OutcomeView(
                id=outcome,
                label=book.wheel.labels[outcome],
                mark=short[outcome],
                colour=book.wheel.colours.get(outcome, SYMBOL),
                tint=tint,
                pockets=pockets,
            )
            for tint, (outcome, pockets) in enumerate(book.wheel.outcomes.items())
        ),
    )


def _spot(book: Book, layout: Layout, bet: Bet) -> SpotView:
    return SpotView(
        bet=bet.id,
        kind=bet.kind,
        name=_name(book, bet),
        numbers=bet.numbers,
        pays=bet.pays,
        probability=str(probability(book, bet)),
        house_edge=str(house_edge(book, bet)),
        place=place_of(layout, bet),
    )


def _name(book: Book, bet: Bet) -> str:
    """A symbol goes by what stands on the wheel; its id is made for files."""
    return book.wheel.labels[bet.numbers[0]] if bet.kind == SYMBOL and len(bet.numbers) == 1 else bet.name


def _pay_table(book: Book, layout: Layout) -> tuple[PayLine, ...]:
    lines: dict[tuple[str, int, Fraction], PayLine] = {}
    for bet in layout.bets.values():
        chance, edge = probability(book, bet), house_edge(book, bet)
        # Symbols are known by name, so that two which pay alike still have a line each.
        name = _name(book, bet) if bet.kind == SYMBOL else book.kind_names[bet.kind]
        lines.setdefault(
            (name, bet.pays, chance),
            PayLine(
                kind=bet.kind,
                name=name,
                covers=sum(book.wheel.outcomes[number] for number in bet.numbers),
                pays=bet.pays,
                probability=str(chance),
                house_edge=str(edge),
                house_edge_percent=round(float(100 * edge), 4),
                clause=bet.clause,
            ),
        )
    return tuple(lines.values())
