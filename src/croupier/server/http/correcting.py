"""What a correction would do, for those who are about to sign it."""

from collections.abc import Sequence
from typing import Annotated

from litestar import get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse
from croupier.table import ForeseenCorrection, Rejection, foresee_correction


@get(
    "/api/tables/{table:str}/rounds/{number:int}/correction",
    name="correction",
    summary="What a correction would do",
    tags=["Recall"],
)
async def foresee(
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
    state = await live.runner.consistent_state()
    foreseen = foresee_correction(rules, state, house.floor.clock.now_ms(), caller.actor, number, result)
    if isinstance(foreseen, Rejection):
        raise refuse(foreseen.code, foreseen.sentence, **foreseen.facts)
    return foreseen


HANDLERS: Sequence[HTTPRouteHandler] = (foresee,)
