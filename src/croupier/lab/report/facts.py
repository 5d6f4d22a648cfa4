"""All that a report tells about a game, computed once."""

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

import msgspec
import numpy as np

from croupier.lab.odds import Odds, bet_odds
from croupier.lab.pockets import SlipRun, simulate_slip
from croupier.lab.rounds import NetDistribution, net_distribution
from croupier.lab.sessions import SessionResult, play_session
from croupier.lab.simulate import SessionRun, simulate_sessions
from croupier.lab.slip import place_slip
from croupier.lab.system import Limits, Session
from croupier.lab.systems import SYSTEMS, default_bet, make_system
from croupier.rulebook import Announced, BadInput, Bet, Book, Layout

UNIT_CENTS: Final = 100
EVENING_ROUNDS: Final = 200
BANKROLL_UNITS, GOAL_UNITS, MAXIMUM_UNITS = 100, 150, 20
"""An evening that every system can be followed through exactly."""
DISTRIBUTION_ROUNDS: Final = 1000
AHEAD_ROUNDS: Final = 20_000
HOLD_ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000)
SPINS: Final = 10_000_000
"""Simulated spins for the test of the wheel."""

Told = Callable[[str, int, int], None]
"""Told what is being worked on, how far it has come and how far it goes."""


class BetFacts(NamedTuple):
    """A bet and its odds."""

    bet: Bet
    odds: Odds


class CallFacts(NamedTuple):
    """An announced bet and its odds, one unit on each piece."""

    announced: Announced
    odds: Odds


class Hold(NamedTuple):
    """The part of the stakes that the house holds after so many rounds, in 95 of 100 cases."""

    rounds: int
    low: float
    high: float
    ahead: float
    """The chance of the player to be ahead."""
    ahead_under: float | None
    """A bound on it, where it is too small to have been computed."""


class Reference(NamedTuple):
    """A bet that stands for others, followed over many rounds."""

    bet: Bet
    odds: Odds
    after: NetDistribution
    holds: tuple[Hold, ...]
    ahead: tuple[tuple[int, float, float], ...]
    """Where another win becomes necessary: the rounds, and the chances to be ahead just before and then."""


class Evening(NamedTuple):
    """A session with one system, exact and simulated."""

    title: str
    result: SessionResult
    run: SessionRun

    @property
    def z(self) -> dict[str, float]:
        """The distance of each estimate from the exact figure, where there is a spread to measure it by.

        What cannot happen has a distance of 0, and a turnover that did not vary has none.
        """
        against = self.run.against(self.result)
        return {name: value for name, value in against.items() if value and np.isfinite(value)}


class Facts:
    """A game on one layout, with everything computed that the report shows."""

    def __init__(self, book: Book, layout: Layout, sessions: int, seed: int, tell: Told) -> None:
        self.book = book
        self.layout = layout
        self.sessions = sessions
        self.seed = seed
        self._tell = tell

    @cached_property
    def bets(self) -> tuple[BetFacts, ...]:
        """Every legal bet."""
        bets = self.layout.bets.values()
        return tuple(BetFacts(bet, bet_odds(self.book, bet.id, self.layout)) for bet in bets)

    @cached_property
    def calls(self) -> tuple[CallFacts, ...]:
        """Every announced bet."""
        return tuple(
            CallFacts(announced, bet_odds(self.book, announced.name, self.layout))
            for announced in self.layout.announced.values()
        )

    @property
    def edges(self) -> tuple[Fraction, Fraction]:
        """The smallest and the largest house edge of any bet."""
        edges = [facts.odds.house_edge for facts in self.bets]
        return min(edges), max(edges)

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """An even bet, one in the middle and the longest, over many rounds."""
        bets = sorted(self.layout.bets.values(), key=lambda bet: bet.pays)
        pays = sorted({bet.pays for bet in bets})
        middle = min(pays, key=lambda paid: (abs(paid - pays[-1] / 3), paid))
        chosen = [self.layout.bets[default_bet(self.layout)]]
        chosen += [next(bet for bet in bets if bet.pays == paid) for paid in (middle, pays[-1])]
        distinct = {bet.id: bet for bet in chosen}
        references = []
        for done, bet in enumerate(distinct.values(), 1):
            references.append(self._follow(bet))
            self._tell("many rounds", done, len(distinct))
        return tuple(references)

    def _follow(self, bet: Bet) -> Reference:
        slip = place_slip(self.book, {bet.id: UNIT_CENTS}, self.layout)
        turn = max(2, bet.pays + 1)
        turns = sorted({round(10 ** (exponent / 8)) for exponent in range(33)})
        ahead = [
            (rounds, net_distribution(slip, rounds - 1).ahead, net_distribution(slip, rounds).ahead)
            for rounds in (turn * count for count in turns)
            if rounds <= AHEAD_ROUNDS
        ]
        return Reference(
            bet,
            bet_odds(self.book, bet.id, self.layout),
            net_distribution(slip, DISTRIBUTION_ROUNDS),
            tuple(_hold(net_distribution(slip, rounds), rounds) for rounds in HOLD_ROUNDS),
            tuple(ahead),
        )

    @cached_property
    def evenings(self) -> tuple[Evening, ...]:
        """An evening with each system that this game allows."""
        evenings = []
        for done, entry in enumerate(SYSTEMS.values(), 1):
            session = self._session(entry.name)
            if session is not None:
                run = simulate_sessions(session, self.sessions, self.seed)
                evenings.append(Evening(entry.title, play_session(session), run))
            self._tell("sessions", done, len(SYSTEMS))
        return tuple(evenings)

    def _session(self, name: str) -> Session | None:
        try:
            system = make_system(name, self.book, UNIT_CENTS, layout=self.layout)
        except BadInput as refusal:
            if refusal.code != "system-needs-roulette":
                raise
            return None
        return Session(
            system=system,
            bankroll_cents=BANKROLL_UNITS * UNIT_CENTS,
            goal_cents=GOAL_UNITS * UNIT_CENTS,
            rounds=EVENING_ROUNDS,
            limits=Limits(maximum_cents=MAXIMUM_UNITS * UNIT_CENTS),
        )

    @cached_property
    def spun(self) -> SlipRun:
        """The wheel of the simulation, spun often."""
        slip = place_slip(self.book, {default_bet(self.layout): UNIT_CENTS}, self.layout)
        return simulate_slip(slip, SPINS, self.seed)

    @cached_property
    def spun_pockets(self) -> tuple[tuple[str, int], ...]:
        """Each pocket's outcome and how often the simulated wheel stopped there."""
        outcomes = [name for name, count in self.book.wheel.outcomes.items() for _ in range(count)]
        return tuple(zip(outcomes, self.spun.pocket_counts, strict=True))


def _hold(after: NetDistribution, rounds: int) -> Hold:
    staked = rounds * UNIT_CENTS
    return Hold(
        rounds,
        -after.quantile(0.975) / staked,
        -after.quantile(0.025) / staked,
        after.ahead,
        after.ahead_under,
    )


class Making(msgspec.Struct, frozen=True, kw_only=True):
    """How a report was asked for: what makes the same again."""

    source: str
    """The book as it was named."""
    sessions: int = 100_000
    seed: int = 1
