"""Where the lab is asked over HTTP: one question at a time, each with its time, and no table waits for it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, ParamSpec, TypeVar

from croupier.server.http.refusing import refuse
from croupier.server.laboratory.process import Computing, TooLong, Warming
from croupier.server.laboratory.warming import warm_up

P = ParamSpec("P")
T = TypeVar("T")

READY_SECONDS: Final = 4.0
"""How long a question waits for the lab to be ready, before it is told to come back."""
ANSWER_SECONDS: Final = 5.0
"""How long one part of an answer may take; two parts and two new starts stay under what a screen waits."""
_WAITING: Final = 8


def need_lab() -> None:
    """Refuses where the lab's libraries are not installed: a floor runs without them."""
    try:
        import croupier.server.laboratory.figures  # noqa: F401  # takes a second, so it is done in a thread
    except ModuleNotFoundError as error:
        if (error.name or "croupier").startswith("croupier"):
            raise
        sentence = f"There is no lab here: it needs {error.name}, which comes with croupier[lab]."
        raise refuse("no-lab", sentence) from error


class LabDesk:
    """Hands questions to the process beside the server."""

    def __init__(self, run_long: Callable[..., Awaitable[Any]]) -> None:
        """`run_long` does something that blocks, in a thread."""
        self._run_long = run_long
        self._computing = Computing(warm_up)
        self._turn = asyncio.Lock()
        self._waiting = 0
        self.answer_seconds = ANSWER_SECONDS

    async def ask(self, act: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Has a function of a module computed in the process; refused where it takes too long."""
        if self._waiting >= _WAITING:
            raise refuse("busy", "Too many questions are put to the lab at once; try again.")
        self._waiting += 1
        try:
            async with self._turn:  # so that only one thread ever waits for the process
                answer: T = await self._run_long(
                    self._computing.compute, READY_SECONDS, self.answer_seconds, act, *args, **kwargs
                )
                return answer
        except Warming:
            raise refuse(
                "lab-warming", "The lab is getting ready: it compiles its mathematics once. Ask again."
            ) from None
        except TooLong:
            raise refuse(
                "lab-too-long",
                f"This takes longer than the {self.answer_seconds:g} seconds that the lab has for it. "
                "Play fewer rounds or a coarser unit, or set a goal, a stop or a table maximum.",
            ) from None
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Ends the process."""
        self._computing.close()
