"""The lab's results as answers for a screen; computed in the process beside the server."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import msgspec
import numpy as np

from croupier.lab import (
    SYSTEMS,
    NetDistribution,
    Session,
    SessionResult,
    Slip,
    net_distribution,
    play_session,
    simulate_sessions,
    slip_odds,
)
from croupier.lab.frames import Frame, binned
from croupier.lab.rounds import FLOOR
from croupier.lab.systems.parameters import PARAMETERS, default_text
from croupier.server.laboratory import answers as a

POINTS: Final = 400
"""No distribution and no course has more; a screen shows no more either."""
QUANTILES: Final = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)
_ENDS: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_SHORTFALLS: Final = (0.01, 0.05)
_OUTSIDE: Final = 0.0005


class Known(msgspec.Struct, frozen=True):
    """What a simulation is compared with."""

    figures: Mapping[str, float]
    deviations: Mapping[str, float]


def answer_systems() -> list[a.LabSystem]:
    """Every betting system and what can be set on it."""
    return [
        a.LabSystem(
            name=entry.name,
            title=entry.title,
            summary=entry.summary,
            own_bets=entry.own_bets,
            parameters=tuple(
                a.LabParameter(
                    name=known.name,
                    meaning=known.meaning,
                    default=default_text(entry.name, known.name),
                )
                for known in PARAMETERS[entry.name]
            ),
        )
        for entry in SYSTEMS.values()
    ]


def answer_slip(slip: Slip, rounds: int) -> a.LabSlip:
    """What a slip is worth."""
    return a.LabSlip(
        book=slip.book,
        layout=slip.layout,
        stakes_cents=dict(slip.stakes_cents),
        staked_cents=slip.staked_cents,
        odds=_odds(slip),
        pockets=tuple(
            a.LabPocket(outcome=outcome, pockets=weight, net_cents=net, wins=wins)
            for outcome, weight, net, wins in zip(
                slip.outcomes, slip.weights, slip.net_cents, slip.winning, strict=True
            )
        ),
        law=tuple(
            a.LabResult(net_cents=net, chance=float(chance), exact=_written(chance))
            for net, chance in slip.law
        ),
        after=_after(net_distribution(slip, rounds), rounds),
    )


def answer_exact(session: Session) -> a.LabExact:
    """How a session ends, exactly."""
    result = play_session(session)
    loss = result.expected_loss_cents
    return a.LabExact(
        figures=dict(result.figures),
        deviations=dict(result.deviations),
        expected_loss_cents=loss,
        loss_by_turnover=loss / result.turnover_cents if result.turnover_cents else 0.0,
        quantiles=tuple(a.LabQuantile(chance=chance, cents=result.quantile(chance)) for chance in _ENDS),
        ends=_ends(result),
        course=_course(result),
    )


def answer_simulated(session: Session, sessions: int, seed: int, known: Known | None) -> a.LabSimulated:
    """How simulated sessions ended, and how far that is from the exact figures where there are any."""
    # One thread: the other cores belong to the tables.
    run = simulate_sessions(session, sessions, seed, threads=1)
    distances: Mapping[str, float] = {} if known is None else run.against(known)
    cells = run.histogram[: int(np.flatnonzero(run.histogram)[-1]) + 1]
    return a.LabSimulated(
        sessions=sessions,
        seed=seed,
        rounds_played=run.rounds_played,
        lowest_cents=run.lowest_cents,
        highest_cents=run.highest_cents,
        figures=tuple(
            a.LabEstimate(
                name=name,
                value=value,
                standard_error=_finite(error),
                z=_finite(distances.get(name, math.nan)),
            )
            for name, (value, error) in run.estimates.items()
        ),
        ends=_bins(
            binned(0, run.plan.bin_cents, cells / sessions, POINTS), width_cents=run.plan.bin_cents - 1
        ),
    )


def _odds(slip: Slip) -> tuple[a.LabFigure, ...]:
    odds = slip_odds(slip)
    fractions = {
        "hit_frequency": odds.hit_frequency,
        "ahead": odds.ahead,
        "mean_cents": odds.mean_cents,
        "house_edge": odds.house_edge,
        "returned": odds.returned,
        "variance": odds.variance,
        "skewness_squared": odds.skewness_squared,
    }
    return (
        *(
            a.LabFigure(name=name, value=float(value), exact=_written(value))
            for name, value in fractions.items()
        ),
        a.LabFigure(name="deviation", value=odds.deviation),
        a.LabFigure(name="skewness", value=odds.skewness),
    )


def _after(after: NetDistribution, rounds: int) -> a.LabRounds:
    low, high = after.quantile(_OUTSIDE), after.quantile(1 - _OUTSIDE)
    begin = max(0, (low - after.first_cents) // after.step_cents)
    end = (high - after.first_cents) // after.step_cents + 1
    first, step = after.first_cents + begin * after.step_cents, after.step_cents
    inside = step - after.lattice_cents
    seen = np.flatnonzero(after.chances >= FLOOR)
    outer = after.first_cents + int(seen[0]) * step
    return a.LabRounds(
        rounds=rounds,
        mean_cents=float(after.mean_cents),
        mean_exact=_written(after.mean_cents),
        deviation_cents=after.deviation_cents,
        ahead=after.ahead,
        behind=after.behind,
        quantiles=tuple(a.LabQuantile(chance=chance, cents=after.quantile(chance)) for chance in QUANTILES),
        shortfalls=tuple(
            a.LabShortfall(chance=chance, cents=after.shortfall(chance)) for chance in _SHORTFALLS
        ),
        middle=_bins(binned(first, step, after.chances[begin:end], POINTS), inside),
        whole=_bins(binned(outer, step, after.chances[seen[0] : seen[-1] + 1], POINTS), inside),
    )


def _ends(result: SessionResult) -> a.LabBins:
    reached = np.flatnonzero(result.end_chances)
    cells = result.end_chances[reached[0] : reached[-1] + 1]
    step = int(result.end_cents[1] - result.end_cents[0]) if result.end_cents.size > 1 else 1
    return _bins(binned(int(result.end_cents[reached[0]]), step, cells, POINTS))


def _course(result: SessionResult) -> a.LabCourse:
    """At equal distances, the first and the last round among them."""
    last = result.session.rounds
    rounds = sorted({round(index * last / (POINTS - 1)) for index in range(POINTS)})
    return a.LabCourse(rounds=tuple(rounds), chances=tuple(float(result.alive[number]) for number in rounds))


def _bins(frame: Frame, width_cents: int = 0) -> a.LabBins:
    """`width_cents` is by how much the last point of a bin reaches beyond where it begins."""
    return a.LabBins(
        from_cents=tuple(frame["from_cents"].tolist()),
        to_cents=tuple((frame["to_cents"] + width_cents).tolist()),
        chances=tuple(frame["chance"].tolist()),
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _written(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
