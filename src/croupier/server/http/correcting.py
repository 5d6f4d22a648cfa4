"""What a correction, a decision or voiding rounds would do, for those who are about to sign it."""

from collections.abc import Sequence
from typing import Annotated, Final

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, JSONBody, QueryParameter

from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import NotDone, refuse
from croupier.table import Foreseen, ForeseenCorrection, Rejection, foresee, foresee_correction
from croupier.table.commands import CorrectResult, Decide, DeclareIrregularity, NamedBet


class ForeseeIrregularity(
    DeclareIrregularity, frozen=True, kw_only=True, tag="declare-irregularity", forbid_unknown_fields=True
):
    """States that something of the book's list happened, as the command does."""


class ForeseeBet(NamedBet, frozen=True, forbid_unknown_fields=True):
    """One seat's bet."""


class ForeseeDecision(Decide, frozen=True, kw_only=True, tag="decide", forbid_unknown_fields=True):
    """The shift manager's decision, as the command has it; its reason may wait."""

    reason: str = ""
    bets: tuple[ForeseeBet, ...] = ()


class AskForeseen(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What would be done: the command as it would be sent."""

    do: ForeseeIrregularity | ForeseeDecision


@get(
    "/api/tables/{table:str}/rounds/{number:int}/correction",
    name="correction",
    summary="What a correction would do",
    tags=["Recall"],
)
async def read_correction(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    table: FromPath[str],
    number: FromPath[int],
    result: Annotated[str, QueryParameter(max_length=40, description="The result that it would have.")],
) -> ForeseenCorrection:
    """What another result of a settled round would do to each seat and to the house, as the table is now.

    The table works it out as it does for the correction itself, and nothing is done. Who signs is judged when
    the correction is made.
    """
    live = house.table(table)
    rules = live.runner.rules
    if result not in rules.book.wheel.outcomes:
        raise refuse("unknown-result", f"The wheel of {rules.book.id} has no such result.")
    state, now_ms = await live.runner.consistent_state(), house.floor.clock.now_ms()
    foreseen = foresee_correction(rules, state, now_ms, caller.actor, number, result)
    if _is_unread(foreseen):
        state = await live.runner.state_with(CorrectResult(round=number, result=result, reason=""))
        foreseen = foresee_correction(rules, state, now_ms, caller.actor, number, result)
    if isinstance(foreseen, Rejection):
        raise _refused(foreseen)
    return foreseen


@post(
    "/api/tables/{table:str}/foreseen",
    name="foreseen",
    summary="What a decision or a void would do",
    tags=["Recall"],
    status_code=200,
)
async def read_foreseen(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    table: FromPath[str],
    data: JSONBody[AskForeseen],
) -> Foreseen:
    """What a decision, or an irregularity with the rounds that are named, would do as the table is now.

    The table works it out as it does for the command itself, and nothing is done. Who signs is judged when
    the command is given.
    """
    live = house.table(table)
    state = await live.runner.consistent_state()
    do = msgspec.convert(msgspec.to_builtins(data.do), type=DeclareIrregularity | Decide)
    rules, now_ms = live.runner.rules, house.floor.clock.now_ms()
    foreseen = foresee(rules, state, now_ms, caller.actor, do)
    if _is_unread(foreseen):
        state = await live.runner.state_with(do)
        foreseen = foresee(rules, state, now_ms, caller.actor, do)
    if isinstance(foreseen, Rejection):
        raise _refused(foreseen)
    return foreseen


HANDLERS: Sequence[HTTPRouteHandler] = (read_correction, read_foreseen)


def _is_unread(foreseen: object) -> bool:
    """Whether the journal has to be asked for an earlier round first."""
    return isinstance(foreseen, Rejection) and foreseen.code == "round-not-recalled"


def _refused(rejection: Rejection) -> NotDone:
    if rejection.code in _NAMED:
        return refuse(rejection.code, "The request names something that this table does not know.")
    return refuse(rejection.code, rejection.sentence, **rejection.facts)


_NAMED: Final = frozenset(
    {"unknown-cause", "unknown-ruling", "unknown-result", "unknown-seat", "unknown-bet"}
)
"""Rejections that repeat what was sent, which no answer over HTTP does."""
