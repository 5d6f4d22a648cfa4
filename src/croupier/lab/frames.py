"""Results as data frames: plain dictionaries of arrays, which every tool for tables takes."""

import importlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.lab.odds import bet_odds
from croupier.lab.rounds import NetDistribution
from croupier.lab.sessions import ENDINGS, SessionResult
from croupier.lab.simulate import SessionRun
from croupier.rulebook import BadInput, Book, Layout, get_layout

Frame = dict[str, NDArray[Any]]
"""Columns by name, all of the same length."""


def odds_frame(book: Book, layout: Layout | str | None = None) -> Frame:
    """Every bet of a layout with its odds.

    >>> from croupier.rulebook import load_book
    >>> frame = odds_frame(load_book("mbs-roulette"))
    >>> frame["bet"].size, float(frame["house_edge"].max().round(6))
    (157, 0.027027)
    """
    felt = layout if isinstance(layout, Layout) else get_layout(book, layout)
    bets = [*felt.bets.values()]
    odds = [bet_odds(book, bet.id, felt) for bet in bets]
    return {
        "bet": np.array([bet.id for bet in bets]),
        "kind": np.array([bet.kind for bet in bets]),
        "pays": np.array([bet.pays for bet in bets]),
        "probability": np.array([float(odd.hit_frequency) for odd in odds]),
        "house_edge": np.array([float(odd.house_edge) for odd in odds]),
        "variance": np.array([float(odd.variance) for odd in odds]),
        "skewness": np.array([odd.skewness for odd in odds]),
    }


def net_frame(after: NetDistribution) -> Frame:
    """The distribution of a net result: each result, its chance, and the chances of both tails."""
    return {
        "net_cents": after.net_cents,
        "chance": after.chances,
        "at_most": np.cumsum(after.chances),
        "at_least": np.cumsum(after.chances[::-1])[::-1],
    }


def ends_frame(result: SessionResult) -> Frame:
    """The bankrolls with which a session can end, and the chance of each by reason."""
    reached = np.flatnonzero(result.end_chances)
    endings = {name: result.chances[index, reached] for index, name in enumerate(ENDINGS)}
    return {"end_cents": result.end_cents[reached], "chance": result.end_chances[reached], **endings}


def alive_frame(result: SessionResult) -> Frame:
    """The chance to be still playing after each round."""
    return {"round": np.arange(result.alive.size), "chance": result.alive}


def figures_frame(run: SessionRun, exact: SessionResult | None = None) -> Frame:
    """What a simulation estimated, and how far that is from the exact figures where there are any."""
    names = [*run.estimates]
    frame: Frame = {
        "figure": np.array(names),
        "estimate": np.array([run.estimates[name][0] for name in names]),
        "standard_error": np.array([run.estimates[name][1] for name in names]),
    }
    if exact is not None:
        frame["exact"] = np.array([exact.figures[name] for name in names])
        frame["z"] = np.array([run.against(exact)[name] for name in names])
    return frame


def binned(first_cents: int, step_cents: int, chances: NDArray[np.float64], bins: int) -> Frame:
    """A distribution on a lattice in a few bins, each with equally many points of the lattice.

    Bins of equal width that hold now three points and now four would show waves that are not there.

    >>> frame = binned(0, 100, np.array([0.25, 0.25, 0.125, 0.375]), 2)
    >>> frame["from_cents"].tolist(), frame["to_cents"].tolist(), frame["chance"].tolist()
    ([0, 200], [100, 300], [0.5, 0.5])
    """
    points = max(1, -(-chances.size // bins))
    count = -(-chances.size // points)
    padded = np.pad(chances, (0, count * points - chances.size))
    start = first_cents + step_cents * points * np.arange(count, dtype=np.int64)
    return {
        "from_cents": start,
        "to_cents": start + step_cents * (points - 1),
        "chance": padded.reshape(count, points).sum(axis=1),
    }


def to_frame(frame: Frame) -> Any:
    """A frame as a pandas DataFrame, where pandas is installed; the lab itself does not need it."""
    try:
        pandas = importlib.import_module("pandas")
    except ModuleNotFoundError as error:
        raise BadInput(
            "pandas-missing",
            "A DataFrame needs pandas, which is not installed.",
            "Install pandas, or use the arrays of the frame as they are.",
        ) from error
    return pandas.DataFrame(frame)
