"""The rules a table plays by: one book, one layout, and quick answers about them."""

from functools import cached_property

from croupier.rulebook import Announced, Bet, Book, Irregularity, Layout, get_layout, offered
from croupier.rulebook.bets import get_offer

PLACE = "place"
"""The kind of seat that is a player's place at a layout, without a terminal."""


class Rules:
    """A book and a layout, with what `decide` and `evolve` look up in them."""

    def __init__(self, book: Book, layout_id: str | None = None) -> None:
        self.book = book
        self.layout: Layout = get_layout(book, layout_id)
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
        self.ranged: object = None
        """The limits that `ranges` were looked up in."""
        self.ranges: dict[str, tuple[int, int]] = {}
        """The least and the most that may lie on each bet, by those limits."""

    def bet(self, bet_id: str) -> Bet:
        """A legal bet by its id."""
        return self.layout.bets[bet_id]

    @cached_property
    def seat_kinds(self) -> tuple[str, ...]:
        """The kinds of seats this table may have."""
        kinds = (
            terminal.id
            for terminal in self.book.terminals.values()
            if any(offer.layout == self.layout.id for offer in terminal.offers)
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
            return self.cite("announced")
        return get_offer(self.book, self.layout, kind).clause

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
