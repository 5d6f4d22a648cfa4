"""What has to arrive is sent again: commands of the floor's own parts, which nobody repeats by hand."""

from collections.abc import Callable
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.refusals import UNSETTLED
from croupier.floor.tables import Table
from croupier.floor.waiting import Ask
from croupier.table import Reply

AGAIN_MS: Final = 500
"""After how long a command is sent again."""


def is_settled(reply: Reply) -> bool:
    """Whether an answer says what became of a command; otherwise the same one is to be sent again."""
    return reply.rejection is None or reply.rejection.code not in UNSETTLED


async def submit_until_settled(
    table: Table, ask: Ask, clock: Clock, *, is_wanted: Callable[[], bool] = lambda: True
) -> Reply:
    """Sends a command until the table has settled it; it has one number, and is carried out once at most.

    Before each repetition it is asked whether the command is still wanted; where it is not, this gives the
    last answer, which settles nothing.
    """
    while True:
        reply = await table.submit(ask)
        if is_settled(reply):
            return reply
        await clock.sleep_until(clock.now_ms() + AGAIN_MS)
        if not is_wanted():
            return reply
