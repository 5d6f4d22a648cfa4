"""What an operator sets for a table: limits, thresholds, times."""

from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from croupier.rulebook import Book, order_faults, with_order
from croupier.rulebook.vocabulary import PLAYER
from croupier.table.rules import Rules

SPIN_SOURCES: Final = ("hand", "simulated", "sensor")
"""Where a table's spins come from: the dealer's hand and console, a simulated wheel, a wheel with sensors."""

LONGEST_WHEEL: Final = 200
"""How long the id of a wheel may be."""

_NOT_WHERE_BOXES_ARE_MARKED: Final = {
    "spots": "A limit of one spot over all seats (spots)",
    "seat_cents": "A limit of one seat (seat_cents)",
    "exposure_cents": "A limit of what the house may have to pay (exposure_cents)",
}
"""The limits that hold only by refusing bets, and what they are called."""


Whole = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]
"""A whole number of a command: what every program and every database can hold. What comes in and is larger is
malformed, before anybody looks at what it means."""

Id = Annotated[str, msgspec.Meta(max_length=200)]
"""A name in a command, of a seat, a bet or the like. A refusal repeats it and is kept for ever, so what no
name is as long as is malformed too."""

Words = Annotated[str, msgspec.Meta(max_length=1000)]
"""What a person or a machine says in a command: a reason, a note."""


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """The least and the most that may lie on one bet, in whole cents."""

    minimum_cents: Whole
    maximum_cents: Whole


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Every limit of a table; all of them are shown to players.

    Keys of `bets` and `spots` are kinds of bets, or the id of one bet where it differs from its kind.
    On a game that marks boxes instead of refusing, `bets` are the limits of the boxes over all players.
    """

    bets: Mapping[str, Range]
    spots: Mapping[str, Whole] = {}
    """The most that may lie on one bet over all seats."""
    seat_cents: Whole | None = None
    """The most that one seat may have in play."""
    table_cents: Whole | None = None
    """The most that all seats together may have in play."""
    exposure_cents: Whole | None = None
    """The most that the house may have to pay on any one result, on top of the stakes; losing stakes do not
    lower it, so that taking them off again cannot raise it."""

    def of_bet(self, bet_id: str, kind: str) -> Range:
        """The limits of one bet."""
        return self.bets.get(bet_id) or self.bets[kind]

    def of_spot(self, bet_id: str, kind: str) -> int | None:
        """The most that all seats may have on one bet."""
        return self.spots.get(bet_id, self.spots.get(kind))


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """How one table is run."""

    table: str
    book: str
    layouts: tuple[str, ...]
    """The layouts that its seats may have; the first is that of seats for which none is named."""
    limits: Limits
    lock_up_cents: int
    """A win of at least this much in one round locks the seat until a pit employee clears it."""
    voucher_limit_cents: int
    """What is paid out above this goes through an attendant."""
    betting_seconds: int | None = None
    """How long bets stay open; None where only the dealer or the wheel closes them."""
    warning_seconds: int = 5
    grace_seconds: int = 10
    """An interruption shorter than this leaves a round with open bets running."""
    two_people: tuple[str, ...] = ()
    """Actions that take two people at this table, beside those of the book."""
    rounds_kept: int = 100
    """How many rounds back a settled result can still be corrected at the table."""
    answers_kept: int = 32
    """How many answers to each sender are remembered for repeated commands."""
    wheel: str = ""
    """Which wheel stands at the table, so that its results are looked at together; "" where nobody says."""
    spin_source: str = "hand"
    """One of `SPIN_SOURCES`."""
    pocket_order: tuple[str, ...] = ()
    """The pockets of the table's wheel clockwise, where they stand otherwise than in the book; neighbours
    follow it."""
    cash_limit_cents: int | None = None
    """What a terminal takes in cash at once, on the word of its note acceptor: 0 where it has none, None
    where it takes whatever is put in. Employees sell credits for cash whatever it is."""


def table_rules(book: Book, settings: Settings) -> Rules:
    """The rules of a table: its book at its own wheel, and its layouts."""
    return Rules(with_order(book, settings.pocket_order), settings.layouts)


def settings_faults(rules: Rules, settings: Settings) -> list[str]:
    """Everything that is wrong with the settings, each as a sentence; empty where all is right."""
    faults = limits_faults(rules, settings.limits)
    if settings.book != rules.book.id or settings.layouts != tuple(rules.layouts):
        named = " and ".join(settings.layouts)
        faults.append(f"The settings are for {settings.book} {named}, the rules for another game.")
    for name, least in (
        ("lock_up_cents", 1),
        ("voucher_limit_cents", 0),
        ("warning_seconds", 0),
        ("grace_seconds", 0),
        ("rounds_kept", 1),
        ("answers_kept", 1),
    ):
        if getattr(settings, name) < least:
            faults.append(f"{name} is {getattr(settings, name)}; it must be at least {least}.")
    if settings.cash_limit_cents is not None and settings.cash_limit_cents < 0:
        faults.append(f"cash_limit_cents is {settings.cash_limit_cents}; it must be at least 0.")
    if settings.betting_seconds is not None and settings.betting_seconds <= settings.warning_seconds:
        faults.append("betting_seconds must be longer than warning_seconds.")
    faults += [
        f"two_people names {action!r}, which is not an action of this game."
        for action in settings.two_people
        if action not in rules.book.authority
    ]
    faults += [
        f"two_people names {action!r}, which a player does alone."
        for action in settings.two_people
        if action in rules.book.authority and rules.book.authority[action].position == PLAYER
    ]
    if not settings.wheel.isprintable() or len(settings.wheel) > LONGEST_WHEEL:
        faults.append(f"wheel is an id of at most {LONGEST_WHEEL} printable characters.")
    if settings.spin_source not in SPIN_SOURCES:
        faults.append(f"spin_source is {settings.spin_source!r}; it must be {', '.join(SPIN_SOURCES)}.")
    faults += [f"pocket_order: {sentence}" for sentence in order_faults(rules.book, settings.pocket_order)]
    return faults


def limits_faults(rules: Rules, limits: Limits) -> list[str]:
    """Everything that is wrong with limits; what is missing comes last, for that can be a whole layout.

    They cover the bets of all layouts of the table.
    """
    every = (bet for layout in rules.layouts.values() for bet in layout.bets.values())
    bets = {(bet.id, bet.kind): bet for bet in every}.values()
    known = {bet.kind for bet in bets} | set(rules.bets)
    where = "this layout" if len(rules.layouts) == 1 else f"the layouts {' and '.join(rules.layouts)}"
    faults = [
        f"There is a limit for {key!r}, which is not a bet on {where}."
        for key in [*limits.bets, *limits.spots]
        if key not in known
    ]
    for key, limit in limits.bets.items():
        if not 1 <= limit.minimum_cents <= limit.maximum_cents:
            faults.append(
                f"The limits of {key} must be a minimum of at least 0.01 and a maximum not below it."
            )
    for name in ("seat_cents", "table_cents", "exposure_cents"):
        value = getattr(limits, name)
        if value is not None and value < 1:
            faults.append(f"{name} must be at least 0.01, or left out.")
    faults += [
        f"The limit of {key} over all seats must be at least 0.01."
        for key, most in limits.spots.items()
        if most < 1
    ]
    if rules.marks_boxes:
        faults += [
            f"{what} would never be applied at {rules.book.title}, which takes every bet and marks the box; "
            "leave it out."
            for name, what in _NOT_WHERE_BOXES_ARE_MARKED.items()
            if getattr(limits, name)
        ]
    faults += [
        f"There is no limit for {bet.id}."
        for bet in bets
        if bet.id not in limits.bets and bet.kind not in limits.bets
    ]
    return faults
