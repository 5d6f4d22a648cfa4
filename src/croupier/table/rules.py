"""The rules a table plays by: one book, the layouts of its seats, and quick answers about them."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from croupier.rulebook import Announced, Bet, Book, Irregularity, Layout, get_layout, offered
from croupier.rulebook.bets import get_offer

PLACE = "place"
"""The kind of seat that is a player's place at a layout, without a terminal."""

TABLE_EXCESS = "table-excess-not-rejected"
"""The cause for stakes that were over the maximum of the table as a whole when bets closed."""


class SeatRules:
    """What a seat with one of the table's layouts plays by: its bets, what they pay, what is announced."""

    def __init__(self, book: Book, layout: Layout) -> None:
        self.book = book
        self.layout = layout
        self.id = layout.id
        self.ranged: object = None
        """The limits that `ranges` were looked up in."""
        self.ranges: dict[str, tuple[int, int]] = {}
        """The least and the most that may lie on each bet, by those limits."""

    @cached_property
    def seat_kinds(self) -> tuple[str, ...]:
        """The kinds of seats that may have this layout."""
        kinds = (
            terminal.id
            for terminal in self.book.terminals.values()
            if any(offer.layout == self.id for offer in terminal.offers)
        )
        return tuple(kinds) or (PLACE,)

    @cached_property
    def offers(self) -> dict[str, frozenset[str]]:
        """The names of the announced bets that each kind of seat offers."""
        return {
            kind: frozenset(offered(self.layout, get_offer(self.book, self.layout, kind)))
            if kind != PLACE
            else frozenset()
            for kind in self.seat_kinds
        }

    def announced(self, name: str) -> Announced | None:
        """An announced bet of this layout by its name or an alias."""
        return self.layout.announced.get(self.layout.announced_aliases.get(name, name))

    def offer_clause(self, kind: str) -> str | None:
        """The clause that says what a kind of terminal offers."""
        if kind == PLACE:
            return self.book.citations.get("announced")
        return get_offer(self.book, self.layout, kind).clause


class Rules:
    """A book and the layouts of a table, with what `decide` and `evolve` look up in them."""

    def __init__(self, book: Book, layouts: str | Iterable[str] | None = None) -> None:
        """The rules with the layouts named, in that order; with the book's first one if none is."""
        names = [layouts] if layouts is None or isinstance(layouts, str) else [*layouts]
        found = [get_layout(book, name) for name in dict.fromkeys(names)]
        self.book = book
        self.layout: Layout = found[0]
        """The first layout: that of seats for which none is named."""
        self.layouts: Mapping[str, Layout] = {layout.id: layout for layout in found}
        first, *others = (SeatRules(book, layout) for layout in found)
        self.seats: Mapping[str | None, SeatRules] = {
            None: first,
            **{own.id: own for own in (first, *others)},
        }
        """By layout, what its seats play by; also that of seats for which none is named."""
        self.closes_before_spin = book.bets_close.value == "before-spin"
        """Whether bets have to be closed before the ball is spun."""
        self.marks_boxes = book.limits.value == "mark-box"
        """Whether bets outside the limits are taken and marked, instead of refused."""
        self.corrects_until_next_round = book.corrections.value == "until-next-round"
        """Whether settled rounds stand once the next one has begun."""
        self.settled_stand = book.settled.value == "stand"
        """Whether what voids a round voids no settled one, except what voids all affected rounds."""
        source = book.settled.source
        self.settled_clause = None if source.startswith("assumption:") else source
        """The clause by which settled rounds stand or are void; None if that is an assumption."""

        place = book.authority.get("place-bets")
        self.players_place_alone = (
            place is not None and place.position == "player" and place.people == 1 and not self.marks_boxes
        )
        """Whether a player's own bet is taken or refused for itself: by one person, with no box to mark."""
        self.place_clause = self.cite("place")

    @cached_property
    def bets(self) -> Mapping[str, Bet]:
        """Every bet that some layout of the table has; where several have it, as the first of them has it."""
        bets: dict[str, Bet] = {}
        for layout in self.layouts.values():
            bets |= {bet_id: bet for bet_id, bet in layout.bets.items() if bet_id not in bets}
        return bets

    def bet(self, bet_id: str) -> Bet:
        """A legal bet of the table by its id."""
        return self.bets[bet_id]

    @cached_property
    def seat_kinds(self) -> tuple[str, ...]:
        """The kinds of seats this table may have."""
        return tuple(dict.fromkeys(kind for own in self.seats.values() for kind in own.seat_kinds))

    def layout_of(self, kind: str) -> str:
        """The layout of a seat of a kind for which none is named: the first that such seats may have."""
        return next((own.id for own in self.seats.values() if kind in own.seat_kinds), self.layout.id)

    def told(self, layout: str) -> str | None:
        """A seat's layout as events tell it: None where the table has no other."""
        return None if len(self.layouts) == 1 else layout

    def pay_clause(self, layouts: Iterable[str]) -> str:
        """The clause that the settlement of a round rests on: the pay table of the layouts that were played.

        Where these are several it is the clause that has all their pay tables, if the book has such a one.
        Where nobody played, it is that of all layouts of the table.
        """
        played = [self.layouts[layout].pay_clause for layout in layouts] or [
            layout.pay_clause for layout in self.layouts.values()
        ]
        return _common(self.book, [*dict.fromkeys(played)])

    def cite(self, topic: str) -> str | None:
        """The clause that a topic rests on, where the text has one."""
        return self.book.citations.get(topic)

    def irregularity(self, cause: str) -> Irregularity | None:
        """What the book says about a cause."""
        return self.book.irregularities.get(cause)

    def clause_of(self, cause: str) -> str | None:
        """The clause that a cause falls under."""
        found = self.book.irregularities.get(cause)
        return found.clause if found else None

    def notice(self, step: str, **facts: object) -> str:
        """What players read at a step, with its facts filled in."""
        text = self.book.notices[step].texts[0]
        for name, value in facts.items():
            text = text.replace(f"{{{name}}}", str(value))
        return text


def _common(book: Book, clauses: list[str]) -> str:
    """The clause that has all of these among its own; the first of them where the book has no such clause."""
    first, *others = (clause.split(".") for clause in clauses)
    depth = len(first) if not others else 0
    while others and all(other[: depth + 1] == first[: depth + 1] for other in others):
        depth += 1
    common = ".".join(first[:depth])
    return common if common in book.clauses else clauses[0]
