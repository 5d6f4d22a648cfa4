"""Whether what became of a round after an interruption is what the rules say (reading 10)."""

from typing import Final

from croupier.floor.simulation.correspondence import Answer, Question
from croupier.floor.simulation.tally_round import RoundTally
from croupier.table import Settings

STILL_RUNNING: Final = frozenset({"round-running", "outcome-awaited"})
"""How a table says, when it is asked for a new round, that one is running."""


def misjudged(
    settings: Settings, running: RoundTally, question: Question, answer: Answer, last_ms: int
) -> str | None:
    """What is wrong about the answer to the first question after an interruption; None where nothing is.

    The question was for a new round while `running` ran, and the last one before it was asked at `last_ms`.
    Only what follows for certain is judged: to the table the interruption was no shorter than nobody ran it,
    and no longer than from the last question to this answer.
    """
    gone, code, grace_ms = question.gone, answer.code, 1000 * settings.grace_seconds
    if gone is None:
        return None
    timer_ms = None
    if settings.betting_seconds is not None:
        timer_ms = running.opened_ms + 1000 * settings.betting_seconds
    timer_is_sure = timer_ms is None or gone.since_ms < timer_ms
    surely_betting = gone.certain and not running.closed and timer_is_sure
    if code not in STILL_RUNNING:
        if running.closed:
            return "an interruption voided it although bets were closed"
        if answer.heard_ms - last_ms < grace_ms:
            return "an interruption voided it although it was shorter than the grace period"
    elif surely_betting and gone.until_ms - gone.since_ms >= grace_ms:
        return f"it survived an interruption longer than the grace period: {code}"
    elif surely_betting and code == "outcome-awaited":
        return "an outcome is awaited although bets were open"
    elif running.closed and (running.result is None) != (code == "outcome-awaited"):
        return f"with bets closed and the result {running.result} the table said {code}"
    return None
