"""Commitments: the wheel is bound to a result while bets are open, and shows afterwards what it was.

The table keeps and shows them. Whether an opening fits its commitment is for anybody to check.
"""

import re
from typing import Final

from croupier.table import commands as c
from croupier.table.asking import Ask, refuse
from croupier.table.correcting import unknown_round
from croupier.table.events import CommitmentOpened, Event, SpinCommitted
from croupier.table.rejections import Rejection, first_of
from croupier.table.state import BETTING

_COMMITMENT: Final = re.compile(r"[0-9a-f]{64}")
_LONGEST_OPENING: Final = 2_000


def form_commit(ask: Ask, do: c.CommitSpin) -> Rejection | None:
    """Refuses what is not a hash."""
    if _COMMITMENT.fullmatch(do.commitment) is None:
        return refuse("bad-commitment", "A commitment is 64 hexadecimal digits, in small letters.")
    return None


def guard_commit(ask: Ask, do: c.CommitSpin) -> Rejection | None:
    """Refuses without a round, after the close, and a second time."""
    round_ = ask.state.round
    if round_ is None:
        return refuse("no-round", "No round is running.")
    if round_.phase != BETTING:
        sentence = "Bets are closed; a commitment is made while they are open."
        return refuse("bets-closed", sentence, round=round_.number)
    if round_.commitment is not None:
        sentence = "The spin of this round is committed already."
        return refuse("spin-committed", sentence, round=round_.number)
    return None


def make_commit(ask: Ask, do: c.CommitSpin) -> tuple[Event, ...]:
    """Binds the wheel."""
    return (SpinCommitted(round=ask.round().number, commitment=do.commitment),)


def form_opening(ask: Ask, do: c.OpenCommitment) -> Rejection | None:
    """Refuses rounds that were not, and openings that are empty or endless."""
    opening = None
    if not 1 <= len(do.opening) <= _LONGEST_OPENING or not do.opening.isprintable():
        sentence = f"An opening has 1 to {_LONGEST_OPENING} printable characters."
        opening = refuse("bad-commitment", sentence)
    return first_of(unknown_round(ask, do.round), opening)


def guard_opening(ask: Ask, do: c.OpenCommitment) -> Rejection | None:
    """Refuses while the round runs, where it is too far back or has no commitment, and a second time."""
    if ask.state.round is not None and ask.state.round.number == do.round:
        sentence = f"Round {do.round} is running; its commitment is opened when it is over."
        return refuse("round-running", sentence, round=do.round)
    kept = ask.state.kept.get(do.round)
    if kept is None:
        sentence = f"Round {do.round} is further back than the {ask.state.settings.rounds_kept} rounds kept."
        return refuse("round-too-old", sentence, round=do.round)
    if kept.commitment is None:
        return refuse("no-commitment", f"Round {do.round} has no commitment to open.", round=do.round)
    if kept.opening is not None:
        sentence = f"The commitment of round {do.round} is opened already."
        return refuse("commitment-opened", sentence, round=do.round)
    return None


def make_opening(ask: Ask, do: c.OpenCommitment) -> tuple[Event, ...]:
    """Shows what the wheel was bound to."""
    return (CommitmentOpened(round=do.round, opening=do.opening),)
