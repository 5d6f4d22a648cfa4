"""What a game is: the frozen values that a book consists of once it is loaded."""

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import msgspec

K = TypeVar("K")
V = TypeVar("V")


class Rect(NamedTuple):
    """A rectangle on the felt, in whole units.

    `along` runs from the zeros to the columns, `across` from the outside line (0) over the numbers;
    boxes beyond the outside line have a negative `across`.
    """

    along: int
    across: int
    along_to: int
    across_to: int

    def moved(self, lengths: int, widths: int) -> "Rect":
        """The rectangle so many of its own lengths along and widths across from here."""
        along, across = lengths * (self.along_to - self.along), widths * (self.across_to - self.across)
        return Rect(self.along + along, self.across + across, self.along_to + along, self.across_to + across)

    def overlaps(self, other: "Rect") -> bool:
        """Whether the two share an area (an edge or a point is not one)."""
        return (
            self.along < other.along_to
            and other.along < self.along_to
            and self.across < other.across_to
            and other.across < self.across_to
        )


class Point(NamedTuple):
    """A place on the felt in halves of a unit, so that the middle of any rectangle or edge is whole."""

    along_halves: int
    across_halves: int


class Bet(msgspec.Struct, frozen=True, kw_only=True):
    """A legal bet on a layout: what it covers, what it pays, and which clause says so."""

    id: str
    kind: str
    name: str
    numbers: tuple[str, ...]
    pays: int
    """Stakes won on top of the stake that comes back: 35 for "35 to 1"."""
    clause: str
    spot: Point
    """Where on the felt the bet is placed."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One part of an announced bet: an ordinary bet and how many units go on it."""

    bet: Bet
    pieces: int


class Announced(msgspec.Struct, frozen=True, kw_only=True):
    """A bet called by name that expands into ordinary bets."""

    name: str
    label: str
    clause: str
    parts: tuple[Piece, ...]

    @property
    def pieces(self) -> int:
        """How many units the whole bet costs."""
        return sum(part.pieces for part in self.parts)


class Box(msgspec.Struct, frozen=True, kw_only=True):
    """A labelled box on the felt and the bet that is placed in it."""

    bet: str
    label: str
    rect: Rect


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What one kind of terminal offers on one layout, each announced bet under the terminal's own name."""

    terminal: str
    layout: str
    clause: str
    labels: Mapping[str, str]
    reaches: tuple[int, ...]
    """How many neighbours on either side may be asked for."""


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of Player Terminal."""

    id: str
    title: str
    offers: tuple[Offer, ...]


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """A felt: rectangles for the numbers, boxes, and the legal bets that follow from them."""

    id: str
    title: str
    clause: str
    pay_clause: str
    numbers: Mapping[str, Rect]
    """Every number in layout order, zeros first."""
    boxes: tuple[Box, ...]
    bets: Mapping[str, Bet]
    aliases: Mapping[str, str]
    announced: Mapping[str, Announced]
    """Every announced bet that some terminal offers on this layout, by its name and in listing order."""
    announced_aliases: Mapping[str, str]


class Wheel(msgspec.Struct, frozen=True, kw_only=True):
    """The wheel: its pockets or segments clockwise, and what colour each outcome has."""

    kind: str
    order: tuple[str, ...]
    colours: Mapping[str, str]
    outcomes: Mapping[str, int]
    """Every outcome, and on how many pockets or segments it stands."""
    labels: Mapping[str, str]
    revolutions: int
    opposite_direction: bool
    clause: str

    def probability(self, numbers: tuple[str, ...]) -> Fraction:
        """The chance that the wheel stops at one of the numbers."""
        return Fraction(sum(self.outcomes[number] for number in numbers), len(self.order))


class Cited(msgspec.Struct, frozen=True, kw_only=True):
    """A choice among words of the vocabulary with the clause or assumption behind it."""

    value: str
    source: str


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """What players are shown at a step of the round; the first text is the one in use."""

    step: str
    texts: tuple[str, ...]
    source: str

    @property
    def clause(self) -> str | None:
        """The clause that the words rest on; None where they are ours, by an assumption."""
        return None if self.source.startswith("assumption:") else self.source


class Irregularity(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes wrong, what follows, and which clause says so."""

    cause: str
    title: str
    clause: str
    """The clause, or an assumption of ours where the text names the case and not what follows."""
    consequence: str
    since: str


class Authority(msgspec.Struct, frozen=True, kw_only=True):
    """From which position on an action is allowed, and how many people it takes."""

    action: str
    position: str
    people: int
    source: str


class Clause(msgspec.Struct, frozen=True, kw_only=True):
    """One numbered clause or appendix of the rule text, restated."""

    id: str
    """Cited in full, as `rulebook:clause`."""
    kind: str
    summary: str
    shown_by: str | None
    """The part of the software whose tests show it; None where it asks for no behaviour."""


class Assumption(msgspec.Struct, frozen=True, kw_only=True):
    """A reading of ours where the text is silent or contradicts itself."""

    id: str
    text: str


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """One approved game, whole and checked."""

    id: str
    title: str
    operator: str
    version: str
    effective: str
    currency: str
    wheel: Wheel
    bets_close: Cited
    corrections: Cited
    settled: Cited
    """What an irregularity that is found later makes of the settled round in which it happened."""
    limits: Cited
    kind_names: Mapping[str, str]
    placing: Mapping[str, str]
    """By kind of bet, the clause that says where it is placed, for kinds that have one of their own."""
    citations: Mapping[str, str]
    layouts: Mapping[str, Layout]
    terminals: Mapping[str, Terminal]
    notices: Mapping[str, Notice]
    irregularities: Mapping[str, Irregularity]
    authority: Mapping[str, Authority]
    clauses: Mapping[str, Clause]
    assumptions: Mapping[str, Assumption]
    sha256: str
    """Hash of the file the book was read from: which rules were in force can be proved later."""

    @property
    def pockets(self) -> int:
        """How many pockets or segments the wheel has."""
        return len(self.wheel.order)

    def placing_clause(self, layout: Layout, kind: str) -> str:
        """The clause that says where a kind of bet is placed: its own, or the one that draws the layout."""
        return self.placing.get(kind, layout.clause)


def frozen_map(items: Mapping[K, V]) -> Mapping[K, V]:
    """A read-only copy of a mapping that keeps its order."""
    return MappingProxyType(dict(items))
