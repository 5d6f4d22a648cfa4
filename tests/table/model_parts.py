"""What the model of a table's money consists of: typed pays, seats, rounds and a seat's part in one."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from croupier.table import Limits

PAYS = {
    "straight": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "six-line": 5,
    "column": 2,
    "dozen": 2,
    **dict.fromkeys(("low", "high", "odd", "even", "red", "black"), 1),
}
TOP_LINE_PAYS = {"rws-roulette-00": 6, "rws-roulette-000": 5}
SYMBOL_PAYS = {
    "symbol:resorts-world-sentosa": 45,
    "symbol:crockfords": 45,
    "symbol:20": 20,
    "symbol:10": 10,
    "symbol:5": 5,
    "symbol:3": 3,
    "symbol:1": 1,
}
WHOLE_TABLE = "table"
WITHOUT_A_SPIN = ("ball-dropped", "foreign-object", "ball-broken", "interference")
"""What goes wrong at a roulette table before there is a spin, or instead of one."""


@dataclass
class ModelSeat:
    """A seat's money, and who sits there counted by visits."""

    credits: int = 0
    stakes: Counter[str] = field(default_factory=Counter)
    visit: int = 1
    lock: str | None = None
    locked_for: set[int] = field(default_factory=set)
    """The rounds whose wins it waits for."""
    before_round: int = 0
    """Credits before the round's first bet, with what was bought, paid out and corrected since."""
    tally: Counter[str] = field(default_factory=Counter)
    """What the meters must show, by their names."""


@dataclass
class Part:
    """A seat's part in a round that was settled."""

    visit: int
    stakes: dict[str, int]
    counted: dict[str, int]
    """What took part of each stake: less where a box was apportioned, nothing where the bet went back."""
    got: int = 0
    carried: int = 0
    """Below zero what the house had to put in, above zero what waits for a player who has left."""
    forgiven: int = 0
    keeps: int = 0
    """What the house gave up of it, and what the player had of the round with that."""
    cites: dict[str, str | None] = field(default_factory=dict)
    """By bet, the clause by which it counts, where it was outside the limits of its box."""

    def beside(self, got: int) -> int:
        """What the player keeps for nothing, where the round gives so much."""
        return min(self.forgiven, max(0, self.keeps - got))


@dataclass
class ModelRound:
    """A round, running or over."""

    number: int
    limits: Limits
    phase: str = "betting"
    spun: bool = False
    result: str | None = None
    placed: list[list[Any]] = field(default_factory=list)
    """Seat, bet and cents of what was put on boxes, the latest last."""
    advised: set[tuple[str, str]] = field(default_factory=set)
    """Seat and bet, where the player was told of the minimum and the bet is still under it."""
    is_over: bool = False
    """Whether it was settled with more in play than the whole table takes."""
    parts: dict[str, Part] = field(default_factory=dict)
