"""A table that runs, whoever runs it: what servers, wheels and screens need of it."""

from typing import Protocol

from croupier.floor.waiting import Answered, Ask
from croupier.table import Do, Reply, Rules, State


class Table(Protocol):
    """One running table. A `Runner` is one; so is a table that another server runs."""

    table: str

    @property
    def stepped_down(self) -> bool:
        """Whether another process writes to the table, so that this one has let go of it."""

    @property
    def waiting(self) -> int:
        """How many commands wait."""

    @property
    def state(self) -> State:
        """The table's state; it may be ahead of the disk while anything is on its way there."""

    @property
    def rules(self) -> Rules:
        """The rules that the table plays by."""

    async def stop(self) -> None:
        """Finishes what waits and lets go of the table."""

    async def submit(self, ask: Ask) -> Reply:
        """Has the table decide a command; the answer comes once it is on the disk."""

    def submit_nowait(self, ask: Ask, answered: Answered) -> None:
        """The same; `answered` is called in the event loop, and never before this returns."""

    def as_system(self, do: Do) -> Ask:
        """What the table itself reports, with a number of its own: lost terminals, faults of a wheel."""

    async def submit_as_system(self, do: Do) -> Reply:
        """Has the table itself report something, once: whoever has to be heard insists with `as_system`."""

    async def consistent_state(self) -> State:
        """The state as it is on the disk."""

    async def state_with(self, do: Do) -> State:
        """The state as it is on the disk, with the earlier rounds that a command names beside the latest."""

    async def settled_state(self) -> State:
        """The state with all that was asked here before, and nothing on its way to the disk."""
